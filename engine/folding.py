"""Pieces of the fold that several events share: a deal that is complete, a seat that is empty, who shows next."""

from __future__ import annotations

from msgspec.structs import replace

from engine import phases
from engine.inputs import UNKNOWN_CARD
from engine.seats import alone, next_seat, set_of
from engine.state import HandState, TableState, put


def hand_of(state: TableState) -> HandState:
    """The hand of an event that can only happen in one."""
    assert state.hand is not None, "an event of a hand without a hand"
    return state.hand


def deal_complete(hand: HandState, hole: tuple[tuple[str, ...], ...], seen: int, at_ms: int) -> HandState:
    """All hole cards are out. After a card that was replaced in the first round the turn is where it was."""
    resumed = hand.to_act != 0
    return replace(
        hand,
        hole=hole,
        seen=seen,
        given=2 * len(hand.order),
        owed=(),
        owed_round=(),
        due=phases.ACTION,
        able=hand.able if resumed else hand.owing,
        to_act=hand.to_act if resumed else next_seat(hand.owing, hand.positions.big_blind),
        turn_ms=at_ms,
    )


def next_to_show(hand: HandState) -> HandState:
    """Betting is over and the board is out: who shows next? Nobody (0) when all have.

    The last hand left need not, unless somebody asked for it; one that was asked for shows both cards.
    """
    waiting = hand.live & ~hand.shown
    if alone(hand.live):
        waiting &= hand.asked
    if hand.asked:
        waiting |= set_of(seat for seat in hand.show_order if half_shown(hand, seat)) & hand.asked & hand.live
    to_act = next((seat for seat in hand.show_order if waiting >> seat & 1), 0)
    return replace(hand, due=phases.SHOW, to_act=to_act)


def half_shown(hand: HandState, seat: int) -> bool:
    """Has this seat turned up one card of its hand, and kept the other?"""
    return hand.shown >> seat & 1 == 1 and hand.hole[seat].count(UNKNOWN_CARD) == 1


def seat_emptied(state: TableState, seat: int) -> TableState:
    """Nobody sits there any more, and nothing of the player stays."""
    return replace(
        state,
        players=put(state.players, seat, None),
        stacks=put(state.stacks, seat, 0),
        away=state.away & ~(1 << seat),
        fresh=state.fresh & ~(1 << seat),
        leaving=tuple(entry for entry in state.leaving if entry[0] != seat),
        misses=tuple(entry for entry in state.misses if entry[0] != seat),
        banned=tuple(entry for entry in state.banned if entry[0] != seat),
    )
