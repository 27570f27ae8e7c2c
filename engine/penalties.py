"""Sanctions: hands or minutes to sit out, disqualification, chips taken away.

Whoever sits out pays blinds and antes as before; the seat gets its cards, and its hand is killed when the deal is over
(tda:71, lifeclub:20.8.f). A round is as many hands as there are players at the table when it is imposed, the offender
among them, however many are left later (lifeclub:20.8.e). A hand that is dealt again counts once (tda:35-C).
"""

from __future__ import annotations

from engine import events as ev
from engine import inputs as inp
from engine import phases
from engine.acting import kill
from engine.inputs import Departure, Sanction
from engine.ruling import Ruling
from engine.seats import SeatSet, alone
from engine.settling import carry_on
from engine.state import TableState
from engine.turn import Turn, running, seat_fault

MINUTE_MS = 60_000
UNITS = {Sanction.ROUNDS: "rounds_of_hands", Sanction.MINUTES: "minutes"}


def excluded(state: TableState, now_ms: int) -> SeatSet:
    """The seats that sit out a hand that begins now."""
    found = 0
    for seat, _ in state.misses:
        found |= 1 << seat
    for seat, until_ms in state.banned:
        if until_ms > now_ms:
            found |= 1 << seat
    return found


def penalise(turn: Turn, what: inp.Penalise) -> Ruling:
    """A sanction of the director. Refuses `not_seated`, and `not_in_catalogue`: the book has no such penalty."""
    state, book, seat = turn.state, turn.book, what.seat
    fault = seat_fault(turn, seat)
    if fault is not None:
        return fault
    if what.what is Sanction.DISQUALIFY:
        return _disqualify(turn, seat)
    hands = until_ms = 0
    if what.what in UNITS:
        if book.penalty_unit != UNITS[what.what]:
            return turn.refuse("not_in_catalogue", "penalty_unit", seat=seat)
        if what.n not in book.penalty_values:
            return turn.refuse("not_in_catalogue", "penalty_values", seat=seat)
        turn.cite("penalty_values")
        if what.what is Sanction.ROUNDS:
            turn.cite("penalty_round_size", "penalty_start")
            hands = what.n * sum(1 for player in state.players if player is not None)
        else:
            turn.cite("penalty_minutes_from")
            until_ms = turn.at_ms + what.n * MINUTE_MS
    else:
        turn.cite("penalty_unit")
    turn.happened(ev.Penalised(seat, what.what.value, hands, until_ms))
    return turn.ok()


def _disqualify(turn: Turn, seat: int) -> Ruling:
    """The player is out, and the chips behind leave with him; what is in the pot stays there (lifeclub:20.8.g).

    If that hand is undone, what he had in it leaves with him as well.
    """
    turn.cite("disqualified_chips")
    hand = turn.state.hand
    dealt_in = hand is not None and running(turn.state) and hand.dealt >> seat & 1
    if hand is not None and dealt_in and hand.live >> seat & 1 and not alone(hand.live):
        kill(turn, seat, "penalty")
    turn.happened(ev.Penalised(seat, Sanction.DISQUALIFY.value, 0, 0))
    turn.happened(ev.Disqualified(seat, turn.state.stacks[seat], at_once=not dealt_in))
    if dealt_in and all(seat != other for other, _ in turn.state.leaving):
        turn.happened(ev.PlayerLeaves(seat, Departure.LEFT))       # with what a void hand gives back, too
    if dealt_in and not turn.state.floor and turn.hand.due is not phases.HOLE_CARDS:
        carry_on(turn)
    return turn.ok()


def confiscate(turn: Turn, what: inp.Confiscate) -> Ruling:
    """Chips leave the tournament (y2007:chips.1).

    Refuses `not_seated`, `above_maximum` (more than lie behind), `too_early` (the last chips of a live hand).
    """
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    state, hand = turn.state, turn.state.hand
    stack = state.stacks[what.seat]
    if not 0 < what.amount <= stack:
        return turn.refuse("above_maximum", "hidden_chips", amount=stack, seat=what.seat)
    live = hand is not None and running(state) and hand.live >> what.seat & 1
    if live and what.amount == stack:
        return turn.refuse("too_early", seat=what.seat)
    turn.cite("hidden_chips")
    turn.happened(ev.StackSet(what.seat, stack, stack - what.amount, confiscated=True))
    return turn.ok()
