"""Hands shown too early and hands that come back: what a player does with his own cards while the hand is running."""

from __future__ import annotations

from engine import events as ev
from engine import inputs as inp
from engine import phases
from engine.acting import kill
from engine.ruling import Ruling
from engine.settling import BETWEEN_DEAL_AND_AWARD, carry_on
from engine.state import HandState, Lost
from engine.turn import Turn


def exposes(turn: Turn, what: inp.Exposes) -> Ruling:
    """A player shows the own hole cards before the showdown.

    Facing a bet and undecided it kills the hand in some books (lifeclub:14.1.c, dalvivo:13.1.c), in fipos it costs the
    right to raise for the whole hand (24); otherwise the hand lives and the director may punish it. Refuses
    `awaiting_floor`, `not_running`, `not_in_hand`.
    """
    state, hand, seat = turn.state, turn.state.hand, what.seat
    if state.floor:
        return turn.refuse("awaiting_floor", seat=seat)
    if hand is None or hand.due in (phases.NEXT_HAND, phases.AWARD):
        return turn.refuse("not_running", seat=seat)
    if not 0 < seat <= state.size or not hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    facing = hand.due is phases.ACTION and hand.to_act == seat and hand.price > hand.bets[seat]
    key = "exposed_by_player_facing_bet" if facing else "exposed_by_player_other"
    how = getattr(turn.book, key)
    turn.cite(key)
    turn.happened(ev.Irregular("exposes", seat))
    if how == "dead":
        kill(turn, seat, "exposed")
        carry_on(turn)
        return turn.ruled("dead_hand", seat=seat)
    if how == "live_no_raise":
        turn.cite("no_raise_exposed_lasts")
        turn.happened(ev.HandExposed(seat))
        turn.happened(ev.RaiseLost(seat, Lost.EXPOSED))
    return turn.ok()


def revive(turn: Turn, what: inp.Revive) -> Ruling:
    """The director gives a hand back whose cards are known for sure (lifeclub:14.2, tda:65).

    Refuses `not_running`, `not_in_hand` (not dealt in, or its hand is live), `not_in_catalogue` (cards handed to
    another player are dead for good, lifeclub:14.3), `too_late` (the pots are being awarded).
    """
    state, hand, seat = turn.state, turn.state.hand, what.seat
    if hand is None or hand.due is phases.NEXT_HAND:
        return turn.refuse("not_running", seat=seat)
    if hand.due not in BETWEEN_DEAL_AND_AWARD:
        return turn.refuse("too_late", seat=seat)
    if not 0 < seat <= state.size or not hand.dealt >> seat & 1 or hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    if hand.passed >> seat & 1:
        return turn.refuse("not_in_catalogue", "passed_hand", seat=seat)
    if hand.excluded >> seat & 1:
        return turn.refuse("not_in_catalogue", "penalty_start", seat=seat)
    turn.cite("retrieval")
    owes = hand.due is phases.ACTION and state.stacks[seat] > 0 and _owes(hand, seat)
    turn.happened(ev.HandRevived(seat, owes, owes and _passed_over(hand, seat)))
    if not state.floor:
        carry_on(turn)
    return turn.ok()


def _owes(hand: HandState, seat: int) -> bool:
    """Has this seat still to answer the standing bet, or to act at all on this street?"""
    acted = hand.acted[seat] >= 0 and hand.last[seat][0] != "fold"
    return not acted or hand.bets[seat] < hand.price


def _passed_over(hand: HandState, seat: int) -> bool:
    """Has the turn gone past this seat since somebody acted last, so that it is due before the seat to act?"""
    order = hand.order
    at = order.index(hand.to_act)
    for back in range(1, len(order)):
        other = order[at - back]
        if other == seat:
            return True
        if hand.acted[other] >= 0 or (not hand.board and other == hand.positions.big_blind):
            return False
        if hand.board and other == hand.positions.button:
            return False
    return False
