"""What the director is called for, and what the director decides."""

from __future__ import annotations

from engine import contesting, phases
from engine import events as ev
from engine import inputs as inp
from engine.misdeals import dealt_again
from engine.ruling import Ruling
from engine.seats import in_order
from engine.settling import BETWEEN_DEAL_AND_AWARD, carry_on, deal_done, leaves
from engine.showing import ASKED
from engine.turn import Turn, call_floor_for, running

GOES_ON = ("plays_on", "restores", "redeals", "text")
NEEDS_A_WAIT = ("plays_on", "restores")


def call_floor(turn: Turn, what: inp.CallFloor) -> Ruling:
    """Play waits. Refuses `awaiting_floor`: the director is called already."""
    if turn.state.floor:
        return turn.refuse("awaiting_floor")
    turn.happened(ev.FloorCalled(what.why or "dealer"))
    return turn.floor()


def floor_decides(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """The director speaks.

    Refuses `not_running` (no hand to void or to deal again), `too_late` (nothing waits for it), `not_in_catalogue` (no
    such decision).
    """
    state = turn.state
    if what.what == "voids":
        if not running(state):
            return turn.refuse("not_running")
        turn.happened(ev.FloorDecided(what.what, what.text))
        turn.happened(ev.HandVoided(state.floor or "floor"))
        if state.floor == "duplicate":
            turn.cite("duplicate_card")
        for seat, why in turn.state.leaving:
            leaves(turn, seat, why)
        return turn.ruled("hand_void")
    if state.floor == UNDERCALL and what.what in ("binds", "releases", "plays_on"):
        return _undercall_decided(turn, what)
    if state.floor == ASKED and what.what == "binds":
        return _must_show(turn, what)
    if what.what in ("binds", "releases"):
        hand = state.hand
        if hand is None or all(held.seat not in what.seats for held in hand.held):
            return turn.refuse("too_late")
        for seat in what.seats:
            turn.happened(ev.OutOfTurnRuled(seat, what.what))
        turn.cite("oot_binding")
    elif what.what == "awards":
        return contesting.awards(turn, what)
    elif what.what == "holds":
        return contesting.holds(turn, what)
    elif what.what not in GOES_ON:
        return turn.refuse("not_in_catalogue")
    elif not state.floor and what.what in NEEDS_A_WAIT:
        return turn.refuse("too_late", "floor")
    elif what.what == "redeals":
        return _redeals(turn, what)
    elif what.what == "text" and not state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    if state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    if turn.state.hand is not None and turn.hand.due in BETWEEN_DEAL_AND_AWARD:
        if turn.hand.street is phases.PREFLOP and not turn.hand.chip_acts:
            deal_done(turn)
        else:
            carry_on(turn)
    return turn.ok()


UNDERCALL = "undercall"


def _undercall_decided(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """Too little was put in: it binds to the whole call, or is forfeited with the hand (tda:51-B)."""
    hand = turn.hand
    mistake = hand.mistakes[-1]
    if what.seats and mistake.seat not in what.seats:
        return turn.refuse("too_late", seat=what.seats[0])
    turn.cite("undercall")
    turn.happened(ev.FloorDecided(what.what, what.text))
    forfeited = what.what == "releases"
    word, to = ("fold", mistake.to) if forfeited else ("call", mistake.right)
    turn.happened(ev.Acted(mistake.seat, word, to, hand.price, hand.increment, hand.full, turn.at_ms))
    carry_on(turn)
    return turn.ok()


def _must_show(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """The hands of these seats are to be shown (tda:18-B: at the director's discretion)."""
    if any(seat not in in_order(turn.hand.live) for seat in what.seats):
        return turn.refuse("not_in_hand", seat=what.seats[0])
    turn.cite("ask_to_see")
    turn.happened(ev.FloorDecided(what.what, what.text))
    for seat in what.seats:
        turn.happened(ev.HandAsked(seat, 0))
    carry_on(turn)
    return turn.ok()


def _redeals(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """The flop is dealt again or, before it, the hand."""
    if not running(turn.state):
        return turn.refuse("not_running")
    if turn.hand.due not in (phases.HOLE_CARDS, phases.ACTION, phases.BURN, phases.BOARD):
        return turn.refuse("too_late")
    if turn.state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    return dealt_again(turn)


SPOILING = frozenset({"cards_lost", "duplicate", "wrong_back", "two_cards", "card_back"})
"""Troubles after which nobody at the table may say which card is whose."""


def device_trouble(turn: Turn, what: inp.DeviceTrouble) -> Ruling:
    """A device saw less than happened. What spoils the cards of a running hand is the director's affair."""
    turn.happened(ev.Irregular(what.what, detail=what.detail[:80]))
    if what.what in SPOILING and running(turn.state):
        return call_floor_for(turn, what.what)
    return turn.ok()
