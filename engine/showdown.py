"""The showdown: in which order hands are due, and which of them wins a pot. Questions only; nothing changes here.

After a bet on the last street the last who bet or raised shows first, otherwise the first seat left of the button
(tda:17, lifeclub:12.8bis). Once betting is over with somebody all-in, all hands lie open (tda:16, lifeclub:10.14).
Hands are read from the cards the table knows; where one of a pot's hands, or the board, is unknown, the dealer says who
wins.
"""

from __future__ import annotations

from engine.cards import is_known
from engine.ranking import strength
from engine.seats import SeatSet, clockwise, set_of
from engine.state import HandState
from engine.view import PotView


def order(hand: HandState) -> tuple[int, ...]:
    """The seats with a live hand in the order in which they must show."""
    if hand.aggressor and hand.live >> hand.aggressor & 1:
        return (hand.aggressor, *clockwise(hand.live & ~(1 << hand.aggressor), hand.aggressor))
    return clockwise(hand.live, hand.positions.button)


def known(hand: HandState, seat: int) -> bool:
    """Does the table know both cards of this seat?"""
    cards = hand.hole[seat]
    return len(cards) == 2 and is_known(cards)


def contenders(hand: HandState, pot: PotView) -> SeatSet:
    """Who can still win this pot."""
    return set_of(pot.eligible) & hand.live


def readable(hand: HandState, pot: PotView) -> bool:
    """Can the table itself tell who wins this pot: one hand only, or all hands and the board known?"""
    seats = contenders(hand, pot)
    if seats & (seats - 1) == 0:
        return True
    if len(hand.board) < 5 or not is_known(hand.board):
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
