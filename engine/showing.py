"""Hands at the showdown: shown, given up unseen, or asked for.

Cards are shown in whatever order players do it. Whether one may muck is up to the book: always (tda:17-B), only where
a hand that lies open beats it (y2007:shown.3), never after a last round without a bet (fipos:33).

Who may have a hand shown differs too. Under y2007:shown.4 everybody who is at the showdown may ask, and the pot then
goes to no hand that does not lie open whole. Elsewhere (tda:18) a caller of the river's bet who has not mucked may have
the bettor's hand tabled; anything else is up to the director.
"""

from __future__ import annotations

from engine import events as ev
from engine import inputs as inp
from engine import phases, showdown
from engine.cards import BIT
from engine.dealing import duplicate
from engine.inputs import UNKNOWN_CARD
from engine.ruling import Ruling
from engine.seats import alone
from engine.settling import carry_on
from engine.state import HandState
from engine.turn import Turn, call_floor_for


def _showdown_fault(turn: Turn, seat: int, *, asked: bool = False) -> Ruling | None:
    """Why nothing can be done with the hand of this seat; one that was or is `asked` for is due until it is paid."""
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor", seat=seat)
    if hand is None or hand.due is phases.NEXT_HAND:
        return turn.refuse("not_running", seat=seat)
    if not 0 < seat <= state.size or not hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    if hand.due is phases.AWARD and not (asked or hand.asked >> seat & 1):
        return turn.refuse("not_running", seat=seat)
    if hand.street is not phases.SHOWDOWN:
        return turn.refuse("not_your_turn", seat=seat)
    return None


def _lies_open(hand: HandState | None, what: inp.TableCards) -> bool:
    """Were these very cards shown already, be it that the pots are paid since?"""
    if hand is None or not 0 <= what.seat < len(hand.hole) or not hand.shown >> what.seat & 1:
        return False
    return what.cards is None or set(what.cards) == set(hand.hole[what.seat])


def table_cards(turn: Turn, what: inp.TableCards) -> Ruling:
    """A hand is shown, in whatever order players do it; one that lies open already changes nothing. Other cards than
    were dealt call the director.

    Refuses `not_running`, `not_in_hand`, and before the showdown `not_your_turn`.
    """
    if not turn.state.floor and _lies_open(turn.state.hand, what):
        return turn.ok()
    fault = _showdown_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    has = hand.hole[seat]
    if what.cards is None:
        cards = has
    else:
        read = tuple(card if card in BIT else UNKNOWN_CARD for card in what.cards)
        known = [card for card in has if card != UNKNOWN_CARD]
        others = hand.seen & ~sum(BIT[card] for card in known)
        if any(card not in read for card in known):
            turn.happened(ev.Irregular("other_cards_shown", seat))
            return call_floor_for(turn, "other_cards_shown")
        if read[0] == read[1] != UNKNOWN_CARD or any(others & BIT[card] for card in read):
            return duplicate(turn)
        cards = read
    turn.happened(ev.HandShown(seat, cards))
    carry_on(turn)
    return turn.ok()


def muck(turn: Turn, what: inp.Muck) -> Ruling:
    """A hand is given up unseen.

    Refuses as `table_cards`; `too_late`: it lies open, it was rightly asked for, or it is the last one; `too_early`:
    the book wants it beaten by a hand that lies open, and none does (y2007:shown.3).
    """
    fault = _showdown_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    if hand.shown >> seat & 1:
        return turn.refuse("too_late", "allin_face_up", seat=seat)
    if hand.face_up >> seat & 1 and turn.book.muck_at_showdown == "not_on_betless_last_round" and not hand.all_in:
        return turn.refuse("too_late", "muck_at_showdown", "show_all_on_betless_last_round", seat=seat)
    if hand.asked >> seat & 1 and turn.book.ask_to_see == "callers_of_river_bet":
        return turn.refuse("too_late", "ask_to_see", seat=seat)
    if alone(hand.live):
        return turn.refuse("too_late", seat=seat)
    if turn.book.muck_at_showdown == "if_beaten" and not showdown.may_be_beaten(hand, seat):
        return turn.refuse("too_early", "muck_at_showdown", seat=seat)
    turn.happened(ev.HandMucked(seat))
    carry_on(turn)
    return turn.ok()


def asks_to_see(turn: Turn, what: inp.AsksToSee) -> Ruling:
    """Somebody asks that a hand be shown. Calls the director where nobody has a right to it.

    Refuses `not_running`, `not_your_turn` (before the showdown), `not_in_hand` (the hand asked for is out, or who asks
    may not: not at the showdown or, but for y2007, mucked).
    """
    fault = _showdown_fault(turn, what.of, asked=True)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    anybody = turn.book.ask_to_see == "showdown_players"
    if seat not in hand.show_order or not (anybody or (hand.live | hand.shown) >> seat & 1):
        return turn.refuse("not_in_hand", "ask_to_see", seat=seat)
    turn.cite("ask_to_see")
    if not anybody and what.of != hand.aggressor:
        return call_floor_for(turn, ASKED)
    turn.happened(ev.HandAsked(what.of, seat))
    return turn.ok()


ASKED = "ask_to_see"
