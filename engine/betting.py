"""No-limit betting: what may be bet, who may raise again, when a round is over. Questions only; nothing changes here.

Words. The *price* is what a seat must have in to stay. The *increment* is the last full bet or raise (the big blind if
there was none); the next raise adds at least that much. A short all-in lifts the price, but neither the increment nor
anybody's right to raise: a seat that has acted may raise again only when what it faces since then adds up to a full
raise (tda:43, tda:47; lifeclub:10.2, 10.11, 10.15).
"""

from __future__ import annotations

from engine.rulebook import Rulebook
from engine.state import HandState
from engine.view import Legal


def floor_price(hand: HandState, book: Rulebook) -> int:
    """What the smallest raise is counted from: the price or, over a short all-in bet in some books, the big blind."""
    if book.short_allin_bet_min_raise_to == "2xBB" and hand.price < hand.level.big_blind:
        return hand.level.big_blind
    return hand.price


def min_raise_to(hand: HandState, book: Rulebook) -> int:
    """The smallest raise, as a total for the street (an all-in may be less)."""
    step = hand.increment if book.min_raise == "last_raise" else hand.level.big_blind
    return floor_price(hand, book) + step


def reopened(hand: HandState, seat: int, book: Rulebook) -> bool:
    """May this seat raise as far as earlier bets go: it has not acted yet, or faces enough since it did?"""
    acted = hand.acted[seat]
    if acted < 0:
        return True
    if not book.cumulative_short_allins:
        return hand.full > acted
    needed = hand.increment if book.min_raise == "last_raise" else hand.level.big_blind
    faced = hand.price - acted
    return faced >= needed if book.reopen_rule == "full_raise" else 2 * faced >= needed


def somebody_can_answer(hand: HandState, seat: int) -> bool:
    """Is there another hand that is not all-in, so that a bet more makes sense?"""
    return hand.live & ~hand.all_in & ~(1 << seat) != 0


def settled(hand: HandState) -> bool:
    """Is the betting of this street over?

    Also when a single seat could still act and already has in what all the others are all-in for: its chips could only
    come back.
    """
    live = hand.live
    if not hand.owing or not live & (live - 1):
        return True
    can_act = live & ~hand.all_in
    if can_act & (can_act - 1):
        return False
    seat = can_act.bit_length() - 1
    mine = hand.bets[seat]
    return all(hand.bets[other] <= mine for other in hand.order if live >> other & 1)


def uncalled(hand: HandState) -> tuple[int, int]:
    """Which seat gets how many chips back because nobody called them? (0, 0) if nobody does."""
    highest = second = seat = 0
    for other in hand.order:
        bet = hand.bets[other]
        if bet > highest:
            highest, second, seat = bet, highest, other
        elif bet > second:
            second = bet
    if highest > second and hand.live >> seat & 1:
        return seat, highest - second
    return 0, 0


def options(hand: HandState, seat: int, stack: int, pot: int, book: Rulebook) -> Legal:
    """What `seat`, whose turn it is and who has `stack` behind, may do."""
    mine = hand.bets[seat]
    price, top = hand.price, mine + stack
    to_call = price - mine
    bet = raise_to = None
    if not hand.no_raise >> seat & 1 and somebody_can_answer(hand, seat):
        if not price:
            least = hand.level.big_blind
            bet = (min(least, top), top)
        elif top > price and reopened(hand, seat, book):
            least = min_raise_to(hand, book)
            raise_to = (min(least, top), top)
    return Legal(
        seat=seat,
        may_fold=True,
        may_check=to_call <= 0,
        to_call=min(to_call, stack) if to_call > 0 else 0,
        bet=bet,
        raise_to=raise_to,
        all_in_to=top,
        pot=pot,
    )
