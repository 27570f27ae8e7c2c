"""What players say and push, as the dealer tells it: read in turn, kept out of turn, put right when it was wrong.

`engine.reading` says what was meant; here it is done. Nobody is refused for what he did in turn: it is ruled. A mistake
to which nobody objects lies as it was put, and is put right when somebody finds it, as long as the book lets it be
(lifeclub:10.9, dalvivo:10.10, tda:52); in one book the player may choose (fipos:21, 23).
"""

from __future__ import annotations

from engine import betting, phases, reading
from engine import events as ev
from engine import inputs as inp
from engine.acting import act, withdraw
from engine.inputs import Choice, Word
from engine.out_of_turn import keep
from engine.reading import Reading, Seen
from engine.ruling import Ruling
from engine.seats import in_order, set_of
from engine.settling import carry_on
from engine.state import BySeat, HandState, Lost, Mistake, in_the_middle, put
from engine.turn import Turn, call_floor_for


def says(turn: Turn, what: inp.Says) -> Ruling:
    """A player said something and perhaps pushed chips. Refuses what a keyed act out of the hand is refused for."""
    fault = _fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    if hand.all_in >> seat & 1:
        return turn.refuse("no_chips", seat=seat)
    if seat != hand.to_act and hand.actor == seat and what.word is not Word.FOLD:
        return _after_the_act(turn, hand, seat)
    read = reading.words(_seen(turn, seat), what.word, what.amount, what.motion)
    plain = what.word is Word.FOLD or what.word is Word.CHECK or _as_said(what, read)
    if seat == hand.to_act:
        turn.cite("binds")
    return _done(turn, seat, read, plain=plain)


def puts(turn: Turn, what: inp.Puts) -> Ruling:
    """A player pushed chips in silence; of several motions the first one counts. Refuses as `says`."""
    fault = _fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    if hand.all_in >> seat & 1:
        return turn.refuse("no_chips", seat=seat)
    if seat != hand.to_act and hand.actor == seat:
        return _after_the_act(turn, hand, seat)
    seen, first = _seen(turn, seat), what.motions[0]
    if what.unnoticed:
        read = reading.as_put(seen, first)
    else:
        read = reading.chips(seen, first, after_raise_said=hand.said_raise == seat)
    plain = len(what.motions) == 1 and read.to == seen.mine + first.amount
    if len(what.motions) > 1:
        turn.cite("string_bet")
    return _done(turn, seat, read, plain=plain)


def _fault(turn: Turn, seat: int) -> Ruling | None:
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor", seat=seat)
    if hand is None or hand.due is not phases.ACTION:
        return turn.refuse("not_running", seat=seat)
    return None


def _seen(turn: Turn, seat: int) -> Seen:
    return Seen(turn.hand, seat, turn.state.stacks[seat], in_the_middle(turn.hand), turn.book, turn.state.chip)


def _as_said(what: inp.Says, read: Reading) -> bool:
    """Is it what was said, amount and all?"""
    if what.word is Word.CALL:
        return read.word == "call" and what.amount in (None, read.to)
    if what.word is Word.ALL_IN:
        return read.word == "all_in"
    return read.word in ("bet", "raise_to", "all_in") and (
        read.to == what.amount if what.amount is not None else what.motion is not None
    )


def _after_the_act(turn: Turn, hand: HandState, seat: int) -> Ruling:
    """Words and chips that come after the act belong to it and change nothing (tda:40-A, fipos:20)."""
    turn.cite("raise_amount_must_be_said" if turn.book.raise_amount_must_be_said else "string_bet")
    word, to = hand.last[seat]
    return turn.ruled(word, to, seat)


def _done(turn: Turn, seat: int, read: Reading, *, plain: bool) -> Ruling:
    """The reading is carried out, or kept if it is not the seat's turn."""
    hand = turn.hand
    if seat != hand.to_act:
        if read.amount_open:
            read = Reading("raise_to" if hand.price else "bet", betting.min_raise_to(hand, turn.book))
        return keep(turn, hand, seat, read.word or "check", read.to)
    turn.cite(*read.keys)
    if read.lost is not None:
        turn.happened(ev.RaiseLost(seat, read.lost))
    if read.amount_open:
        turn.happened(ev.RaiseSaid(seat))
        return turn.ok()
    mistake = reading.mistake_of(_seen(turn, seat), read) if read.mistake else None
    if read.floor:
        assert mistake is not None, "the director is called for a mistake"
        turn.happened(ev.MistakeMade(mistake))
        return call_floor_for(turn, read.floor)
    if not read.word:
        if read.may_withdraw:
            turn.happened(ev.MayWithdraw(seat))
        return turn.ok()
    if mistake is not None:
        _book(turn, hand, seat, read)
        turn.happened(ev.MistakeMade(mistake))
    else:
        made = act(turn, hand, seat, read.word, read.to)
        assert made is None or made.outcome == "ruled", f"{read} is not open to seat {seat}: {made}"
    all_in = not turn.state.stacks[seat] and read.word not in ("fold", "check")
    carry_on(turn)
    return turn.read_as(_name(hand, read), read.to, seat, all_in=all_in, plain=plain)


def _name(hand: HandState, read: Reading) -> str:
    """What the act is in the round before it: an all-in is a call, a bet or a raise."""
    if read.word != "all_in":
        return read.word
    if not hand.price:
        return "bet"
    return "raise_to" if read.to > hand.price else "call"


def _book(turn: Turn, hand: HandState, seat: int, read: Reading) -> None:
    """A wrong amount is booked as it lies."""
    if read.mistake == "undercall":
        turn.happened(ev.Acted(seat, "call", read.to, hand.price, hand.increment, hand.full, turn.at_ms))
    elif read.mistake in POT_COUNTS:        # a full bet or raise, of another size than it should be
        step = read.to - hand.price
        turn.happened(ev.Acted(seat, read.word, read.to, read.to, step, read.to, turn.at_ms))
    else:
        turn.happened(ev.Acted(seat, read.word, read.to, read.to, hand.increment, hand.full, turn.at_ms))


POT_COUNTS = ("pot_too_high", "pot_too_low")


# --- mistakes that are found


_UNTIL = {
    "undercall": "undercall", "underbet": "underbet_until", "underraise": "underbet_until",
    "pot_too_high": "pot_miscount_high_until", "pot_too_low": "pot_miscount_low_until",
}  # fmt: skip
"""The value of a book that says until when a mistake of this kind is put right."""


def noticed(turn: Turn, what: inp.Noticed) -> Ruling:
    """A mistake is found: it is put right, or the player chooses how. Refuses `not_running`, `too_late`."""
    state, hand, seat = turn.state, turn.state.hand, what.seat
    if state.floor:
        return turn.refuse("awaiting_floor", seat=seat)
    if hand is None or hand.due in (phases.NEXT_HAND, phases.AWARD):
        return turn.refuse("too_late" if hand is not None else "not_running", seat=seat)
    mistake = _mistake(hand, seat)
    if mistake is None or not hand.live >> seat & 1:
        return turn.refuse("too_late", seat=seat)
    if not _in_time(turn, hand, mistake):
        return turn.refuse("too_late", _UNTIL[mistake.kind], seat=seat)
    if mistake.kind == "underraise" and turn.book.underraise_below == "raiser_choice":
        turn.cite("underraise_below")
        turn.happened(ev.MistakeNoticed(seat))
        return turn.ok()
    turn.cite(_UNTIL[mistake.kind])
    if mistake.kind == "undercall" and _unaware(turn, hand, mistake):
        turn.happened(ev.PutRight(seat, mistake.bets, *_betting(hand), owing=hand.owing | 1 << seat, at_ms=turn.at_ms))
        turn.happened(ev.RaiseLost(seat, Lost.UNAWARE))
        turn.happened(ev.MayWithdraw(seat))
        return turn.ok()
    _put_right(turn, hand, mistake, mistake.right)
    if turn.hand.due is phases.ACTION:
        carry_on(turn)
    return turn.ok()


def _mistake(hand: HandState, seat: int) -> Mistake | None:
    return next((mistake for mistake in reversed(hand.mistakes) if mistake.seat == seat), None)


def _betting(hand: HandState) -> tuple[int, int, int]:
    return hand.price, hand.increment, hand.full


def _unaware(turn: Turn, hand: HandState, mistake: Mistake) -> bool:
    """Had it paid a bet without knowing that it was raised (fipos:21)?"""
    unaware = turn.book.undercall == "unaware_may_withdraw_or_call_no_raise"
    return unaware and mistake.street is hand.street and hand.due is phases.ACTION


def _in_time(turn: Turn, hand: HandState, mistake: Mistake) -> bool:
    if mistake.kind in POT_COUNTS and not _pot_count_stands_alone(turn, hand, mistake):
        return False
    if mistake.street is hand.street and hand.due is phases.ACTION:
        return True
    until = getattr(turn.book, _UNTIL[mistake.kind])
    if until in ("none", "complete_no_time_limit"):
        return True
    return until == "showdown" and mistake.street is phases.RIVER and hand.due is phases.SHOW and not hand.shown


def _pot_count_stands_alone(turn: Turn, hand: HandState, mistake: Mistake) -> bool:
    """Has nobody raised the wrong pot nor, where it was too low, acted on it substantially (tda:52-B, tda:36)?"""
    if hand.price != mistake.to or mistake.street is not hand.street:
        return False
    if getattr(turn.book, _UNTIL[mistake.kind]) != "substantial_action":
        return True
    acts, with_chips = hand.acts - mistake.acts, hand.chip_acts - mistake.chip_acts
    return acts < 2 or (acts == 2 and not with_chips)


def _put_right(turn: Turn, hand: HandState, mistake: Mistake, to: int, *, payers_choose: bool = False) -> None:
    """The seat has `to` in for that street, and who paid the wrong amount pays the right one or may choose."""
    seat, late = mistake.seat, mistake.street is not hand.street or hand.due is not phases.ACTION
    if late:
        _put_right_late(turn, hand, mistake, to)
        return
    lying = hand.bets[seat]
    if mistake.kind == "undercall" or lying != mistake.to or hand.price != mistake.to:
        # a call, or a bet that was raised since: only the seat itself pays what is missing
        bets = put(hand.bets, seat, max(lying, min(to, hand.price, _all(turn, seat))))
        turn.happened(ev.PutRight(seat, bets, *_betting(hand), owing=hand.owing, at_ms=turn.at_ms))
        return
    price, increment, full = mistake.before
    if to > price:
        price, increment, full = to, to - price, to
    payers = set_of(
        other for other in hand.order
        if other != seat and hand.live >> other & 1 and hand.acted[other] == mistake.to
    )  # fmt: skip
    bets = put(hand.bets, seat, min(to, _all(turn, seat)))
    choosing: tuple[tuple[int, int], ...] = ()
    if payers_choose:
        owing = hand.live & ~hand.all_in & ~(1 << seat)
        choosing = tuple((other, hand.bets[other] - mistake.bets[other]) for other in in_order(payers))
    else:
        for other in in_order(payers):
            bets = put(bets, other, min(price, _all(turn, other)))
        owing = set_of(
            other for other in in_order(hand.owing) if hand.acted[other] < 0 or bets[other] < price
        )  # fmt: skip
    turn.happened(ev.PutRight(seat, bets, price, increment, full, owing, choosing, at_ms=turn.at_ms))
    if not payers_choose and turn.book.underraise_below == "raiser_choice" and mistake.kind == "underraise":
        for other in in_order(payers):
            turn.happened(ev.RaiseLost(other, Lost.PAID_WRONG_RAISE))


def _put_right_late(turn: Turn, hand: HandState, mistake: Mistake, to: int) -> None:
    """The street is over: what is missing goes straight to the middle, from whoever paid too little."""
    paid: BySeat = hand.paid
    callers = (mistake.seat,) if mistake.kind == "undercall" else hand.order
    for seat in callers:
        if hand.live >> seat & 1:
            missing = min(max(0, to - mistake.to), turn.state.stacks[seat])
            paid = put(paid, seat, paid[seat] + missing)
    turn.happened(ev.PutRight(mistake.seat, paid, *_betting(hand), owing=hand.owing, late=True, at_ms=turn.at_ms))


def _all(turn: Turn, seat: int) -> int:
    return turn.hand.bets[seat] + turn.state.stacks[seat]


# --- choices


def chooses(turn: Turn, what: inp.Chooses) -> Ruling:
    """A player takes the choice its book gives it. Refuses `not_your_turn` (it has none), `below_minimum`."""
    fault = _fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    if what.what in (Choice.WITHDRAW, Choice.CALL):
        return _withdraws_or_calls(turn, hand, what)
    mistake = _mistake(hand, seat)
    stands = mistake is not None and mistake.street is hand.street and mistake.to == hand.bets[seat] == hand.price
    if mistake is None or not mistake.choosing or not stands:      # who was raised meanwhile has no choice any more
        return turn.refuse("not_your_turn", "underraise_below", seat=seat)
    turn.cite("underraise_below")
    if what.what is Choice.MINIMUM:
        turn.cite("raiser_choice_minimum")
        _put_right(turn, hand, mistake, mistake.before[0])
    else:
        top, least = _all(turn, seat), min(mistake.right, _all(turn, seat))
        if what.to > top:
            return turn.refuse("above_maximum", amount=top, seat=seat)
        if what.to < least:
            return turn.refuse("below_minimum", "min_raise", amount=least, seat=seat)
        _put_right(turn, hand, mistake, what.to, payers_choose=True)
    carry_on(turn)
    return turn.ok()


def _withdraws_or_calls(turn: Turn, hand: HandState, what: inp.Chooses) -> Ruling:
    seat = what.seat
    if all(seat != other for other, _ in hand.may_withdraw):
        return turn.refuse("not_your_turn", "no_raise_state", seat=seat)
    if what.what is Choice.WITHDRAW:
        withdraw(turn, hand, seat)
    else:
        turn.cite("underraise_below" if dict(hand.may_withdraw)[seat] else "undercall")
        if seat != hand.to_act:
            keep(turn, hand, seat, "call", 0)
            return turn.ok()
        to = min(hand.price, _all(turn, seat))
        turn.happened(ev.Acted(seat, "call", to, hand.price, hand.increment, hand.full, turn.at_ms))
    carry_on(turn)
    return turn.ok()


