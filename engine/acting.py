"""What a seat in turn may do and what it comes to: the acts themselves, and hands that are killed.

Nothing follows from them here; `engine.settling` goes on from there.
"""

from __future__ import annotations

from engine import betting, phases
from engine import events as ev
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.state import HandState, Lost, in_the_middle
from engine.turn import Turn

LOST = {
    Lost.OUT_OF_TURN: "oot_call_never_raise",
    Lost.SKIPPED: "oot_skipped",
    Lost.EXPOSED: "exposed_by_player_other",
    Lost.REMINDED: "clock_expiry",
    Lost.NO_AMOUNT: "raise_amount_must_be_said",
    Lost.UNAWARE: "undercall",
    Lost.PAID_WRONG_RAISE: "underraise_below",
    Lost.CHECKED: "check_to_bet",
}
"""The value or rule of a book behind each way to lose the right to raise."""


def act(turn: Turn, hand: HandState, seat: int, word: str, to: int) -> Ruling | None:
    """Do what the seat in turn declares: None if it stands as declared, a ruling or a refusal otherwise."""
    price, mine = hand.price, hand.bets[seat]
    if word == "fold":
        if not betting.may_fold(hand, turn.book):
            return turn.refuse("no_bet_to_call", "fold_on_betless_last_round", seat=seat)
        if hand.may_withdraw and seat in dict(hand.may_withdraw):
            withdraw(turn, hand, seat)
            return None
        _acted(turn, hand, seat, word, mine)
        return None
    if word == "check":
        if price > mine:
            return turn.refuse("bet_to_call", amount=price, seat=seat)
        _acted(turn, hand, seat, word, mine)
        return None
    top = mine + turn.state.stacks[seat]
    if word == "call":
        if price <= mine:
            return turn.refuse("no_bet_to_call", seat=seat)
        if price > max(hand.bets):
            turn.cite("short_bb_price" if hand.street is phases.PREFLOP else "short_allin_bet_call")
        _acted(turn, hand, seat, word, min(price, top))
        return None
    if word == "bet":
        if price:
            return turn.refuse("bet_to_call", amount=price, seat=seat)
        return _bet_more(turn, hand, seat, word, to, top)
    if word == "raise_to":
        if not price:
            return turn.refuse("no_bet_to_call", seat=seat)
        return _bet_more(turn, hand, seat, word, to, top)
    if top <= price:
        _acted(turn, hand, seat, word, top)
        return None
    if price > mine and not betting.somebody_can_answer(hand, seat):
        _acted(turn, hand, seat, "call", price)
        turn.cite("uncalled_bet")
        return Ruling("ruled", ruled="call", amount=price)
    return _bet_more(turn, hand, seat, word, top, top)


def withdraw(turn: Turn, hand: HandState, seat: int) -> None:
    """The seat folds and takes back what it put in on a wrong raise (fipos:21, 23)."""
    returned = dict(hand.may_withdraw)[seat]
    turn.cite("underraise_below" if returned else "undercall")
    turn.happened(ev.Withdrew(seat, returned, turn.at_ms))


def _acted(turn: Turn, hand: HandState, seat: int, word: str, to: int) -> None:
    """An act that leaves the price as it is."""
    turn.happened(ev.Acted(seat, word, to, hand.price, hand.increment, hand.full, turn.at_ms))


def closed_to(hand: HandState, seat: int, book: Rulebook) -> tuple[str, str] | None:
    """Why `seat` may not bet or raise at all: a refusal and the value of the book behind it; None if it may."""
    if hand.no_raise >> seat & 1 and (hand.price or book.no_raise_bars_opening):
        return "lost_raise_right", LOST[dict(hand.lost).get(seat, Lost.OUT_OF_TURN)]
    if betting.capped(hand, book):
        return "raise_cap_reached", "limit_raise_cap"
    if hand.price and not betting.reopened(hand, seat, book):
        fixed = hand.level.game is betting.FIXED_LIMIT
        return "cannot_reopen", "limit_reopen_rule" if fixed else "reopen_rule"
    return None


def _bet_more(turn: Turn, hand: HandState, seat: int, word: str, to: int, top: int) -> Ruling | None:
    """A bet or raise to `to`, if it is open to the seat and of a size that the game allows."""
    book = turn.book
    closed = closed_to(hand, seat, book)
    if closed is not None:
        return turn.refuse(*closed, seat=seat)
    if to > top:
        return turn.refuse("above_maximum", amount=top, seat=seat)
    if not betting.somebody_can_answer(hand, seat):
        return turn.refuse("above_maximum", "uncalled_bet", amount=hand.price, seat=seat)
    least = betting.min_raise_to(hand, book) if hand.price else betting.min_bet(hand)
    if to < least and (to != top or to <= hand.price):
        return turn.refuse("below_minimum", *_minimum(hand), amount=min(least, top), seat=seat)
    high = max(least, betting.most(hand, seat, top, in_the_middle(hand)))
    if to > high:
        return turn.refuse("above_maximum", *limit_keys(hand), amount=high, seat=seat)
    bet_more(turn, seat, word, to, least)
    return None


def bet_more(turn: Turn, seat: int, word: str, to: int, least: int) -> None:
    """The bet or raise is made; one below the smallest changes what a call costs, and nothing else."""
    hand, book = turn.hand, turn.book
    turn.cite(*_opened_by(hand, seat, book))
    if betting.is_full(hand, to, least):
        increment = to - (betting.floor_price(hand, book) if hand.price else 0)
        turn.happened(ev.Acted(seat, word, to, to, increment, to, turn.at_ms))
        return
    fixed, price = hand.level.game is betting.FIXED_LIMIT, to
    if hand.price:
        turn.cite("limit_reopen_rule" if fixed else "reopen_rule")
    else:                                        # nothing was raised: what the others may do now is all it decides
        turn.cite("limit_short_allin" if fixed else "short_allin_bet_min_raise_to")
        price = betting.price_after(hand, to, book)
        if price != to:
            turn.cite("short_allin_bet_call")
    turn.happened(ev.Acted(seat, word, to, price, hand.increment, hand.full, turn.at_ms))


def _opened_by(hand: HandState, seat: int, book: Rulebook) -> tuple[str, ...]:
    """The values to which the seat owes this raise, where another book or one chip less would not have allowed it."""
    if not hand.price:
        return ()
    keys: tuple[str, ...] = ()
    fixed, acted, places = hand.level.game is betting.FIXED_LIMIT, hand.acted[seat], hand.positions
    if acted < 0:
        blind = seat == places.big_blind or (places.posts and seat == places.small_blind)
        if blind and hand.street is phases.PREFLOP:
            keys += ("bb_option",)
    elif betting.highest_all_in(hand) > acted:
        keys += ("limit_reopen_rule" if fixed else "reopen_rule",)
    if not fixed:
        return keys
    if hand.price > hand.full:
        keys += ("limit_short_allin",)
    if isinstance(book.limit_raise_cap, int) and hand.wagers > book.limit_raise_cap:
        keys += ("limit_cap_off",)
    return keys


def _minimum(hand: HandState) -> tuple[str, ...]:
    """The values that say how small a bet or raise may be."""
    if not hand.price:
        return ("min_bet",)
    only_blinds = hand.street is phases.PREFLOP and hand.full == hand.level.big_blind
    if only_blinds and hand.level.game is not betting.FIXED_LIMIT:
        short = hand.bets[hand.positions.big_blind] < hand.price
        return ("min_raise", "min_bet", "short_bb_price") if short else ("min_raise", "min_bet")
    if hand.level.game is betting.FIXED_LIMIT:
        return ("limit_short_allin",) if hand.price > hand.full else ("min_raise",)
    return ("min_raise",) if hand.full else ("short_allin_bet_min_raise_to",)


def limit_keys(hand: HandState) -> tuple[str, ...]:
    """The values that say how big it may be."""
    if hand.level.game is betting.POT_LIMIT:
        return ("pot_limit_max", "pot_limit_blinds") if betting.blinds_missing(hand) else ("pot_limit_max",)
    return ("limit_raise_cap",)


WAYS_OUT = {"dealer": "dealer_killed_hand_refund", "thrown": "thrown_hand_refund", "passed": "passed_hand"}
"""How a hand leaves without a fold: the value of the book that says what becomes of it and its chips."""


def kill(turn: Turn, seat: int, why: str) -> None:
    """The hand is out. What was collected or thrown by mistake may get a raise back that nobody has called yet."""
    hand = turn.hand
    returned, price, increment, full = 0, hand.price, hand.increment, hand.full
    key = WAYS_OUT.get(why)
    if key is not None:
        turn.cite(key)
    if key is not None and getattr(turn.book, key) == "uncalled_raise" and hand.aggressor == seat:
        top, chips = betting.uncalled(hand)
        if top == seat and hand.due is phases.ACTION:
            returned = min(chips, hand.bets[seat] - hand.before_raise[0])
            price, increment, full = betting.after_refund(hand, hand.bets[seat] - chips)
    turn.happened(ev.HandKilled(seat, why, returned, price, increment, full, turn.at_ms))
