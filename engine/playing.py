"""What players do, as the dealer keys it in: acts in and out of turn, killed hands; and what a pot is given for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import betting, phases, pots, showdown
from engine import events as ev
from engine import inputs as inp
from engine.acting import WAYS_OUT, act, kill
from engine.out_of_turn import keep
from engine.ruling import Ruling
from engine.seats import alone, set_of
from engine.settling import award, carry_on, deciding
from engine.turn import Turn, call_floor_for


def action(word: str) -> Callable[[Turn, Any], Ruling]:
    """Who acts when it is not its turn is kept for later; in turn the act is checked and done."""
    carries_amount = word in ("bet", "raise_to")

    def decide_action(turn: Turn, what: Any) -> Ruling:
        state = turn.state
        hand, seat = state.hand, what.seat
        if state.floor:
            return turn.refuse("awaiting_floor", seat=seat)
        if hand is None or hand.due is not phases.ACTION:
            return turn.refuse("not_running", seat=seat)
        to = what.to if carries_amount else 0
        if seat != hand.to_act:
            return keep(turn, hand, seat, word, to)
        ruling = act(turn, hand, seat, word, to)
        if ruling is None:
            carry_on(turn)
            return turn.ok()
        if ruling.outcome == "refused":
            return ruling
        carry_on(turn)
        return turn.ruled(ruling.ruled or word, ruling.amount, seat)

    return decide_action


def kill_command(turn: Turn, what: inp.Kill) -> Ruling:
    """A hand is out without a fold, an all-in one too.

    Refuses `not_running`, `not_in_hand`, `too_late` (it is the last one: somebody must get the pot).
    """
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor", seat=what.seat)
    if hand is None or hand.due in (phases.NEXT_HAND, phases.AWARD):
        return turn.refuse("not_running", seat=what.seat)
    if not 0 < what.seat <= state.size or not hand.live >> what.seat & 1:
        return turn.refuse("not_in_hand", seat=what.seat)
    if alone(hand.live):
        return turn.refuse("too_late", seat=what.seat)
    raised = hand.due is phases.ACTION and hand.aggressor == what.seat == betting.uncalled(hand)[0]
    kill(turn, what.seat, what.why.value)
    if raised and getattr(turn.book, WAYS_OUT.get(what.why.value, ""), "") == "director":
        return call_floor_for(turn, "refund")
    if turn.hand.due is not phases.HOLE_CARDS:
        carry_on(turn)
    return turn.ok()


def award_pot(turn: Turn, what: inp.AwardPot) -> Ruling:
    """The dealer names who wins the pot being decided.

    Refuses `not_running`, `not_in_hand` (no claim on this pot), `too_early` (the cards themselves will tell; or a hand
    that was asked for has still to be shown whole).
    """
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor")
    if hand is None or hand.due not in (phases.SHOW, phases.AWARD):
        return turn.refuse("not_running")
    laid = pots.pots(hand)
    pot = laid[len(laid) - 1 if turn.book.pot_award_order == "last_formed_first" else 0]
    able = showdown.contenders(hand, pot)
    if not what.seats or any(not 0 < seat <= state.size or not able >> seat & 1 for seat in what.seats):
        return turn.refuse("not_in_hand", seat=what.seats[0] if what.seats else 0)
    if showdown.readable(hand, pot):
        return turn.refuse("too_early", "showdown")
    for seat in what.seats:
        if hand.asked >> seat & 1 and not showdown.lies_open(hand, seat):
            return turn.refuse("too_early", "ask_to_see", seat=seat)
    if hand.due is phases.SHOW:
        turn.happened(ev.AwardsOpened(laid))
    if showdown.contradicts(turn.hand, turn.hand.undecided[deciding(turn)], set_of(what.seats)):
        turn.happened(ev.Irregular("award_contradicts", what.seats[0]))
        turn.cite("wrong_award")
    award(turn, deciding(turn), set_of(what.seats))
    carry_on(turn)
    return turn.ok()
