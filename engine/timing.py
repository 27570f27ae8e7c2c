"""Thinking time: who may ask for the clock, who grants it, how long it runs and what it costs when it is over.

Some books give free thinking time before anybody may ask (dalvivo:10.6, cortile:10.6, fipos:30), others none
(y2007:dead.1). Where the director grants, time runs from the grant; where the dealer does or nobody has to, from the
question. It may run in steps, the last of them counted aloud. At its end the hand is dead or folded, checked where that
is free (tda:29), or only the right to raise is gone (fipos:30). What is in the inbox before the timer's word counts:
a tie favours the player.

Moments are milliseconds of the clock that stamps the inputs.
"""

from __future__ import annotations

from itertools import accumulate

from engine import events as ev
from engine import inputs as inp
from engine import phases
from engine.acting import act, kill
from engine.ruling import Ruling
from engine.settling import carry_on
from engine.state import HandState, Lost, TableState
from engine.turn import Turn

SECOND_MS = 1000


def next_deadline_ms(state: TableState) -> int | None:
    """The moment at which time has to be told to the table with `TimePassed`; None while no clock runs."""
    hand = state.hand
    if hand is None or hand.due is not phases.ACTION or hand.clock is None or not hand.clock.ends:
        return None
    return hand.clock.ends[0]


def clock_call(turn: Turn, what: inp.ClockCall) -> Ruling:
    """`seat` asks for time on the player to act.

    Refuses `not_running`, `not_seated` (nobody there, or not at the chair), `not_your_turn` (on himself), `too_early`
    (free thinking time), `too_late` (it runs already).
    """
    fault = _fault(turn)
    if fault is not None:
        return fault
    hand, book = turn.hand, turn.book
    seated = 1 <= what.seat <= turn.state.size and turn.state.players[what.seat] is not None
    if not seated or (book.clock_request_seated_only and turn.state.away >> what.seat & 1):
        return turn.refuse("not_seated", "clock_request_seated_only", seat=what.seat)
    if what.seat == hand.to_act:
        return turn.refuse("not_your_turn", seat=what.seat)
    return _asked(turn, hand, what.seat)


def remind(turn: Turn, _: inp.Remind) -> Ruling:
    """The dealer urges the player to act; where the dealer watches the time by himself it runs from here.

    Refuses `not_running`; there also `too_early` and `too_late` as for a call of the clock.
    """
    fault = _fault(turn)
    if fault is not None:
        return fault
    if turn.book.clock_expiry != "no_raise":
        return turn.ok()
    return _asked(turn, turn.hand, 0)


def _asked(turn: Turn, hand: HandState, by: int) -> Ruling:
    book = turn.book
    free = book.think_free_s
    if isinstance(free, int) and turn.at_ms - hand.turn_ms < free * SECOND_MS:
        return turn.refuse("too_early", "think_free_s", seat=hand.to_act)
    if hand.clock is not None and hand.clock.ends:
        return turn.refuse("too_late", "clock_steps_s", seat=hand.to_act)
    turn.cite("clock_granted_by")
    ends = () if book.clock_granted_by == "director" else _ends(turn)
    turn.happened(ev.ClockCalled(hand.to_act, by, ends))
    return turn.ok()


def grant(turn: Turn, _: inp.GrantClock) -> Ruling:
    """The time that was asked for is granted. Refuses `not_running`, `too_early` (nobody asked)."""
    fault = _fault(turn)
    if fault is not None:
        return fault
    hand = turn.hand
    if hand.clock is None:
        return turn.refuse("too_early", "clock_granted_by", seat=hand.to_act)
    turn.cite("clock_granted_by", "clock_steps_s")
    if not hand.clock.ends:
        turn.happened(ev.ClockCalled(hand.to_act, hand.clock.by, _ends(turn)))
    return turn.ok()


def _ends(turn: Turn) -> tuple[int, ...]:
    turn.cite("clock_steps_s")
    return tuple(turn.at_ms + seconds * SECOND_MS for seconds in accumulate(turn.book.clock_steps_s))


def _fault(turn: Turn) -> Ruling | None:
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor")
    if hand is None or hand.due is not phases.ACTION:
        return turn.refuse("not_running")
    return None


def time_passed(turn: Turn, _: inp.TimePassed) -> Ruling:
    """Time went by: steps that are over are over, and after the last one the player has lost what the book says."""
    while (ends := next_deadline_ms(turn.state)) is not None and ends <= turn.at_ms and not turn.state.floor:
        clock = turn.hand.clock
        assert clock is not None, "a deadline without a clock"
        if len(clock.ends) > 1:
            turn.happened(ev.ClockStepped(clock.seat))
            continue
        turn.happened(ev.TimeUp(clock.seat))
        return _time_up(turn, clock.seat)
    return turn.ok()


def _time_up(turn: Turn, seat: int) -> Ruling:
    hand, book = turn.hand, turn.book
    key = "clock_expiry" if hand.price > hand.bets[seat] else "clock_expiry_no_bet"
    turn.cite(key)
    match getattr(book, key):
        case "no_raise":
            turn.happened(ev.RaiseLost(seat, Lost.REMINDED))
            return turn.ok()
        case "dead_hand":
            kill(turn, seat, "clock")
            word = "dead_hand"
        case "check":
            act(turn, hand, seat, "check", 0)
            word = "check"
        case _:
            act(turn, hand, seat, "fold", 0)
            word = "fold"
    carry_on(turn)
    return turn.ruled(word, None, seat)
