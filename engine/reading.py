"""What words and chips mean: a dealer's reading of what a player in turn said and pushed. Questions only.

Words bind, and they bind over the chips (lifeclub:10.3, 10.9bis; y2007:bet.2; fipos:29). Where nothing was said, the
chips are read: one that is too big (tda:44; fipos:22), several of which a call needs every one (tda:45-A), a raise that
is too small (y2007:bet.7, bet.8; cortile:10.8), a call or bet that is too small (lifeclub:10.6, 10.9). Whatever was
done, the reading is an act that is open to the seat: nobody is refused for what he did in turn.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import betting, phases
from engine.acting import closed_to, limit_keys
from engine.inputs import Motion, Word
from engine.rulebook import Rulebook
from engine.state import HandState, Lost, Mistake


class Seen(NamedTuple):
    """The seat that is read: what it has `in` for the street, all it has (`top`), the pot, and the smallest chip."""

    hand: HandState
    seat: int
    stack: int
    pot: int
    book: Rulebook
    chip: int = 1

    @property
    def mine(self) -> int:
        """Its chips in front, for this street."""
        return self.hand.bets[self.seat]

    @property
    def top(self) -> int:
        """Everything it has."""
        return self.mine + self.stack

    @property
    def owes(self) -> int:
        """What a call adds, were it not short of chips."""
        return max(0, self.hand.price - self.mine)


class Reading(NamedTuple):
    """An act (`word` of the table's acts, `to` the total) and the values that make it so.

    `word` is "" where the act is still open: `amount_open` (how much is still to come), or a choice of the seat.
    `lost`: it costs the right to raise. `mistake`: kind of what lies there wrongly, with `right` what it should be;
    `choosing`: the seat chooses how it is put right. `floor`: the director decides.
    """

    word: str
    to: int
    keys: tuple[str, ...] = ()
    lost: Lost | None = None
    mistake: str = ""
    right: int = 0
    amount_open: bool = False
    may_withdraw: bool = False
    choosing: bool = False
    floor: str = ""


def words(seen: Seen, word: Word, amount: int | None, motion: Motion | None) -> Reading:
    """What does this seat do, having said `word`, perhaps an amount, perhaps with chips?"""
    book = seen.book
    pushed = None if motion is None else seen.mine + min(motion.amount, seen.stack)
    if word is Word.FOLD:
        if not betting.may_fold(seen.hand, book):
            return _passive(seen, "fold_on_betless_last_round")
        return Reading("fold", seen.mine)
    if word is Word.CHECK:
        if not seen.owes:
            return Reading("check", seen.mine)
        return Reading("", seen.mine, ("check_to_bet",), lost=Lost.CHECKED)
    if word is Word.CALL:
        wrong = [told for told in (amount, pushed) if told is not None and told != _call_to(seen)]
        return _passive(seen, *(("words_vs_chips",) if wrong else ()))
    if word is Word.POT:
        return _the_pot(seen, amount)
    if word is Word.ALL_IN:
        return _aggressive(seen, seen.top, said=True)
    if amount is not None:
        keys: tuple[str, ...] = ("words_vs_chips",) if pushed is not None and pushed != amount else ()
        meant = _meant(seen, amount)
        if meant != amount:
            amount, keys = meant, (*keys, "unclear_amount")
        if word is Word.BET and 0 < seen.hand.price >= amount:
            return _passive(seen, *keys)
        return _aggressive(seen, amount, *keys, said=True)
    if book.raise_amount_must_be_said and seen.hand.level.game is not betting.FIXED_LIMIT:
        return _passive(seen, "raise_amount_must_be_said", lost=Lost.NO_AMOUNT)
    if motion is not None:
        return _aggressive(seen, seen.mine + motion.amount, _raise_said_key(seen, motion), said=True)
    if seen.hand.level.game is betting.FIXED_LIMIT or not _open(seen):
        return _aggressive(seen, 0, said=True)
    return Reading("", seen.mine, ("raise_amount_must_be_said",), amount_open=True)


def chips(seen: Seen, motion: Motion, after_raise_said: bool) -> Reading:
    """What does this seat do, having pushed these chips in silence, or after saying "raise"?"""
    hand, book, mine = seen.hand, seen.book, seen.mine
    pushed = min(motion.amount, seen.stack)
    to = mine + pushed
    if after_raise_said:
        return _aggressive(seen, to, _raise_said_key(seen, motion), said=True)
    single = motion.single
    if not seen.owes:
        if not pushed:
            return Reading("check", mine)
        if not single:
            return _aggressive(seen, to, "silent_multichip_raise")
        if not hand.price:
            return _aggressive(seen, to, "overchip_postflop_open")
        key = "overchip_limit" if hand.level.game is betting.FIXED_LIMIT else "overchip_option"
        if getattr(book, key) in ("call", "check"):
            return _passive(seen, key)
        return _aggressive(seen, to, key)
    if to < hand.price and pushed < seen.stack:
        return _too_little(seen, to)
    if to <= hand.price:
        by_amount = book.overchip_preflop == "by_amount"         # the book reads every silent amount (cortile:10.8.1)
        return Reading("call", to, ("silent_all_needed",) if by_amount else ())
    if single:
        key = _overchip_key(seen)
        if getattr(book, key) == "call":
            return _passive(seen, key)
        return _aggressive(seen, to, key)
    if len(motion.chips) > 1 and book.silent_all_needed == "call" and pushed - min(motion.chips) < seen.owes:
        return _passive(seen, "silent_all_needed")
    return _aggressive(seen, to, "silent_multichip_raise")


def as_put(seen: Seen, motion: Motion) -> Reading:
    """What nobody objects to, booked as it lies, with the mistake in it if there is one."""
    to = seen.mine + min(motion.amount, seen.stack)
    meant = chips(seen, motion, after_raise_said=False)
    price = seen.hand.price
    if to < price and to < seen.top:
        return Reading("call", to, meant.keys, mistake="undercall", right=min(price, seen.top))
    if to <= price or to in (seen.top, meant.to):
        return meant
    if to > meant.to and seen.hand.level.game is betting.POT_LIMIT and meant.word in ("bet", "raise_to"):
        kind = "pot_too_high"
    elif not price:
        kind = "underbet"
    elif to < betting.min_raise_to(seen.hand, seen.book):
        kind = "underraise"
    else:
        return meant
    return Reading("raise_to" if price else "bet", to, meant.keys, mistake=kind, right=meant.to)


def _meant(seen: Seen, said: int) -> int:
    """A number below the smallest chip stands for hundreds or thousands: the most that is open and within the pot.

    "Five" at 200/400 is 500 and, with 5,000 in the pot, 5,000 (tda:57).
    """
    span = betting.open_range(seen.hand, seen.seat, seen.top, seen.pot, seen.book)
    if not 0 < said < seen.chip or span is None:
        return said
    low, high = span
    meanings = [said * 10**zeros for zeros in range(1, 7)]
    able = [amount for amount in meanings if low <= amount <= min(high, seen.pot) and not amount % seen.chip]
    return max(able, default=said)


def _the_pot(seen: Seen, counted: int | None) -> Reading:
    """It bets the pot: the most pot-limit allows; elsewhere no amount, but it binds to the smallest (tda:54-D).

    `counted`: the total that was counted for it. A wrong count lies there until somebody finds out (tda:52-B).
    """
    if seen.hand.level.game is not betting.POT_LIMIT:
        return _aggressive(seen, 0, "pot_said", said=True)
    most = _aggressive(seen, seen.top, "pot_limit_max", said=True)
    if counted is None or most.word not in ("bet", "raise_to") or counted == most.to:
        return most
    told = _aggressive(seen, counted, said=True) if counted < most.to else most._replace(to=min(counted, seen.top))
    kind = "pot_too_low" if counted < most.to else "pot_too_high"
    return told if told.to == most.to else told._replace(mistake=kind, right=most.to)


def mistake_of(seen: Seen, reading: Reading) -> Mistake:
    """The record of a mistake that lies on the table."""
    hand = seen.hand
    return Mistake(
        seen.seat,
        reading.mistake,
        hand.street,
        reading.to,
        reading.right,
        hand.bets,
        (hand.price, hand.increment, hand.full),
        choosing=reading.choosing,
        acts=hand.acts + 1,
        chip_acts=hand.chip_acts + 1,
    )


def _call_to(seen: Seen) -> int:
    return max(seen.mine, min(seen.hand.price, seen.top))


def _passive(seen: Seen, *keys: str, lost: Lost | None = None) -> Reading:
    """The call or, with nothing to call, the check."""
    return Reading("call" if seen.owes else "check", _call_to(seen), keys, lost=lost)


def _open(seen: Seen) -> bool:
    """May the seat bet or raise at all?"""
    return seen.top > seen.hand.price and betting.may_bet_more(seen.hand, seen.seat, seen.book)


def _aggressive(seen: Seen, to: int, *keys: str, said: bool = False) -> Reading:
    """It wants to bet or raise to `to`: that much, as much as is allowed, or what the book makes of too little."""
    hand, book, top = seen.hand, seen.book, seen.top
    if top <= hand.price:
        return Reading("call", top, keys)
    span = betting.open_range(hand, seen.seat, top, seen.pot, book)
    if span is None:
        closed = closed_to(hand, seen.seat, book)
        return _passive(seen, *keys, *((closed[1],) if closed else ()))
    low, high = span
    if to < low:
        return _too_small(seen, to, low, keys, said=said)
    if to > high:
        keys += ("stack",) if high == top else limit_keys(hand)
        to = high
    return Reading(_name(seen, to), to, keys)


def _name(seen: Seen, to: int) -> str:
    if to == seen.top:
        return "all_in"
    return "raise_to" if seen.hand.price else "bet"


def _too_small(seen: Seen, to: int, low: int, keys: tuple[str, ...], *, said: bool) -> Reading:
    """A bet or raise below the smallest, `low`: completed, or taken as the call or check that it is not more than."""
    hand, book = seen.hand, seen.book
    if hand.level.game is betting.FIXED_LIMIT and said:
        return Reading(_name(seen, low), low, keys)
    if hand.price and book.underraise_below == "raiser_choice":
        if to <= hand.price:
            return _passive(seen, *keys)
        return Reading("raise_to", to, (*keys, "underraise_below"), mistake="underraise", right=low, choosing=True)
    if not hand.price and (said or book.underbet == "complete"):
        return Reading(_name(seen, low), low, (*keys, "underbet", "min_bet"))
    if said:
        return Reading(_name(seen, low), low, (*keys, "underraise_said", "min_raise"))
    least = betting.min_raise_to(hand, book) - hand.price if hand.price else betting.min_bet(hand)
    excess = to - hand.price
    share = book.underraise_threshold if isinstance(book.underraise_threshold, float) else 0.5
    if excess > share * least or (excess == share * least and book.underraise_inclusive):
        of = () if hand.price else ("min_bet",)
        return Reading(_name(seen, low), low, (*keys, "underraise_threshold", "underraise_inclusive", *of))
    return _passive(seen, *keys, "underraise_below")


def _too_little(seen: Seen, to: int) -> Reading:
    """Less than the call, and not the last chip."""
    hand, book = seen.hand, seen.book
    if book.undercall == "unaware_may_withdraw_or_call_no_raise" and to >= hand.before_raise[0] > 0:
        return Reading("", seen.mine, ("undercall",), lost=Lost.UNAWARE, may_withdraw=True)
    if book.undercall == "full_if_opening_or_heads_up_else_floor":
        opening = hand.wagers <= 1 and hand.price == hand.full
        if hand.live.bit_count() > 2 and not opening:
            return Reading("", to, ("undercall",), mistake="undercall", right=_call_to(seen), floor="undercall")
    return _passive(seen, "undercall")


def _overchip_key(seen: Seen) -> str:
    if seen.hand.level.game is betting.FIXED_LIMIT:
        return "overchip_limit"
    return "overchip_preflop" if seen.hand.street is phases.PREFLOP else "overchip_postflop_facing"


def _raise_said_key(seen: Seen, motion: Motion) -> str:
    if not motion.single:
        return "words_vs_chips"
    pot_limit = seen.hand.level.game is betting.POT_LIMIT
    return "overchip_raise_said_pot_limit" if pot_limit else "overchip_raise_said"
