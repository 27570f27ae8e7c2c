"""Acts of a seat whose turn it is not: kept, and decided when the turn comes.

They stand or are released as the book says: by itself or by the director's word, and released by a bet or raise alone
(tda:53), or by a call too (lifeclub:10.5, dalvivo:10.5, cortile:10.5). A fold always stands. A call that was made too
early never becomes a raise in the Italian books; in one of them no act does (fipos:31). Who is passed over and lets
substantial action go by has lost the right to raise (tda:53-B).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import events as ev
from engine.acting import act
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.state import HandState, Held, Lost
from engine.turn import Turn

CHIPS = frozenset({"call", "bet", "raise_to", "all_in"})
"""Acts that put chips in."""


def substantial(acts: Iterable[str]) -> bool:
    """Are these acts substantial action: any three, or two with chips in one of them? Blinds are no acts (tda:36)."""
    told = tuple(acts)
    return len(told) > 2 or (len(told) == 2 and not CHIPS.isdisjoint(told))


def keep(turn: Turn, hand: HandState, seat: int, word: str, to: int) -> Ruling:
    """An act out of turn is recorded; the first one counts, but a fold always does.

    Refuses `not_in_hand`, `no_chips` (all-in), `above_maximum` (more than the seat has).
    """
    if not 0 < seat <= turn.state.size or not hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    if hand.all_in >> seat & 1:
        return turn.refuse("no_chips", seat=seat)
    if to > hand.bets[seat] + turn.state.stacks[seat]:
        return turn.refuse("above_maximum", amount=hand.bets[seat] + turn.state.stacks[seat], seat=seat)
    first = next((held for held in hand.held if held.seat == seat), None)
    if first is None or (word == "fold" and first.what != "fold"):
        turn.happened(ev.ActedOutOfTurn(seat, word, to))
    turn.cite("oot_binding", "turn")
    if word == "fold":
        turn.cite("oot_fold_binding")
    if turn.book.oot_binding == "fold_always_bet_no_raise" and word in CHIPS:
        turn.cite("oot_call_never_raise")
        turn.happened(ev.RaiseLost(seat, Lost.OUT_OF_TURN))
    _passed_over(turn, hand.to_act)
    return Ruling("out_of_turn", tuple(turn.events), tuple(turn.articles), seat=seat)


def _passed_over(turn: Turn, seat: int) -> None:
    """Others have acted past `seat`: after substantial action it is too late to speak up for a raise."""
    hand = turn.hand
    if not hand.no_raise >> seat & 1 and substantial(held.what for held in hand.held):
        turn.cite("oot_skipped", "substantial_action")
        turn.happened(ev.RaiseLost(seat, Lost.SKIPPED))


def decide_held(turn: Turn, hand: HandState, seat: int) -> bool:
    """The turn has come to a seat that acted before it: does that stand? True if something was done."""
    held = next((held for held in hand.held if held.seat == seat), None)
    if held is None:
        return False
    turn.cite("oot_binding")
    if held.what == "fold":
        turn.cite("oot_fold_binding")
    if stands(hand, held, turn.book):
        ruling = act(turn, hand, seat, held.what, held.to)
        if ruling is None or ruling.outcome != "refused":
            return True
    turn.happened(ev.OutOfTurnReleased(seat, _costs_the_raise(turn, hand, held)))
    return True


def stands(hand: HandState, held: Held, book: Rulebook) -> bool:
    """Does an act out of turn bind, now that the turn has come?"""
    if held.ruled:
        return held.ruled == "binds"
    if held.what == "fold" and book.oot_fold_binding:
        return True
    if book.oot_binding == "fold_always_bet_no_raise":
        return held.what in ("check", "call") and hand.price == held.price
    if book.oot_binding == "auto_unless_action_changes":
        return hand.price == held.price
    return hand.chip_acts == held.chip_acts


def _costs_the_raise(turn: Turn, hand: HandState, held: Held) -> bool:
    book = turn.book
    if book.oot_heads_up == "passive_only" and hand.live.bit_count() == 2:
        turn.cite("oot_heads_up")
        return True
    if book.oot_binding == "fold_always_bet_no_raise":
        return held.what in CHIPS
    return held.what == "call" and book.oot_call_never_raise
