"""The showdown: in which order hands are due, and which of them wins a pot. Questions only; nothing changes here.

After a bet on the last street the last who bet or raised shows first, otherwise the first seat left of the button
(tda:17, lifeclub:12.8bis). Once betting is over with somebody all-in, all hands lie open (tda:16, lifeclub:10.14).
Hands are read from the cards the table knows; where one of a pot's hands, or the board, is unknown, the dealer says who
wins.
"""

from __future__ import annotations

from engine.folding import half_shown
from engine.inputs import UNKNOWN_CARD
from engine.pots import pots
from engine.ranking import strength
from engine.rulebook import Rulebook
from engine.seats import SeatSet, clockwise, set_of
from engine.state import HandState
from engine.view import PotView


def last_caller(hand: HandState) -> int:
    """Who called last on the street that is being played; 0 if nobody did. Ask before the round is closed."""
    after = clockwise(hand.live, hand.aggressor) if hand.aggressor else ()
    return next((seat for seat in reversed(after) if seat != hand.aggressor and hand.last[seat][0]), 0)


def order(hand: HandState, caller: int, book: Rulebook) -> tuple[int, ...]:
    """The seats with a live hand in the order in which they must show; `caller`: who called last on the last street."""
    if caller and book.show_first_after_bet == "left_of_last_caller":
        return clockwise(hand.live, caller)
    if hand.aggressor and hand.live >> hand.aggressor & 1:
        return (hand.aggressor, *clockwise(hand.live & ~(1 << hand.aggressor), hand.aggressor))
    return clockwise(hand.live, hand.positions.button)


def known(hand: HandState, seat: int) -> bool:
    """Does the table know both cards of this seat?"""
    cards = hand.hole[seat]
    return len(cards) == 2 and UNKNOWN_CARD not in cards


def board_known(hand: HandState) -> bool:
    """Does the whole board lie there, and does the table know each card of it?"""
    return len(hand.board) == 5 and UNKNOWN_CARD not in hand.board


def lies_open(hand: HandState, seat: int) -> bool:
    """Does the whole hand of this seat lie open?"""
    return hand.shown >> seat & 1 == 1 and not half_shown(hand, seat)


def may_be_beaten(hand: HandState, seat: int) -> bool:
    """Does a hand that lies open beat this one, as far as the table knows the cards?

    In each pot the seat could win. What the table cannot compare, with somebody's hand open, is the player's word.
    """
    return all(_beaten_in(hand, seat, pot) for pot in pots(hand) if seat in pot.eligible)


def _beaten_in(hand: HandState, seat: int, pot: PotView) -> bool:
    shown = [other for other in pot.eligible if other != seat and hand.shown >> other & 1]
    if not board_known(hand) or not all(known(hand, other) for other in (seat, *shown)):
        return bool(shown)
    mine = strength(hand.hole[seat] + hand.board)
    return any(strength(hand.hole[other] + hand.board) > mine for other in shown)


def contenders(hand: HandState, pot: PotView) -> SeatSet:
    """Who can still win this pot."""
    return set_of(pot.eligible) & hand.live


def readable(hand: HandState, pot: PotView) -> bool:
    """Can the table itself tell who wins this pot: one hand only, or all hands and the board known?"""
    seats = contenders(hand, pot)
    if seats & (seats - 1) == 0:
        return True
    if not board_known(hand):
        return False
    return all(known(hand, seat) for seat in pot.eligible if seats >> seat & 1)


def best(hand: HandState, pot: PotView) -> SeatSet:
    """The seats with the best hand of a pot that is readable."""
    seats = contenders(hand, pot)
    if seats & (seats - 1) == 0:
        return seats
    found, top = 0, -1
    for seat in pot.eligible:
        if seats >> seat & 1:
            value = strength(hand.hole[seat] + hand.board)
            if value > top:
                found, top = 1 << seat, value
            elif value == top:
                found |= 1 << seat
    return found


def contradicts(hand: HandState, pot: PotView, winners: SeatSet) -> bool:
    """Do the cards the table knows speak against these winners: does a known hand beat one of them, or tie unnamed?"""
    if not board_known(hand):
        return False
    seats = contenders(hand, pot)
    values = {
        seat: strength(hand.hole[seat] + hand.board)
        for seat in pot.eligible
        if seats >> seat & 1 and known(hand, seat)
    }
    named = [values[seat] for seat in values if winners >> seat & 1]
    others = [values[seat] for seat in values if not winners >> seat & 1]
    return bool(named) and (min(named) < max(named) or min(named) <= max(others, default=-1))
