"""What a seat in turn may do and what it comes to: the acts themselves, and hands that are killed.

Nothing follows from them here; `engine.settling` goes on from there.
"""

from __future__ import annotations

from engine import betting, phases
from engine import events as ev
from engine.ruling import Ruling
from engine.state import HandState
from engine.turn import Turn


def act(turn: Turn, hand: HandState, seat: int, word: str, to: int) -> Ruling | None:
    """Do what the seat in turn declares: None if it stands as declared, a ruling or a refusal otherwise."""
    price, mine = hand.price, hand.bets[seat]
    if word == "fold":
        turn.happened(ev.Acted(seat, word, mine, price, hand.increment, hand.full))
        return None
    if word == "check":
        if price > mine:
            return turn.refuse("bet_to_call", amount=price, seat=seat)
        turn.happened(ev.Acted(seat, word, mine, price, hand.increment, hand.full))
        return None
    top = mine + turn.state.stacks[seat]
    if word == "call":
        if price <= mine:
            return turn.refuse("no_bet_to_call", seat=seat)
        turn.happened(ev.Acted(seat, word, min(price, top), price, hand.increment, hand.full))
        return None
    if word == "bet":
        return _bet(turn, hand, seat, to, top)
    if word == "raise_to":
        if not price:
            return turn.refuse("no_bet_to_call", seat=seat)
        return _raise(turn, hand, seat, word, to, top)
    if top <= price:
        turn.happened(ev.Acted(seat, word, top, price, hand.increment, hand.full))
        return None
    if not price:
        return _bet(turn, hand, seat, top, top, word)
    if not betting.somebody_can_answer(hand, seat) and price > mine:
        turn.happened(ev.Acted(seat, "call", price, price, hand.increment, hand.full))
        return Ruling("ruled", ruled="call", amount=price)
    return _raise(turn, hand, seat, word, top, top)


def _bet(turn: Turn, hand: HandState, seat: int, to: int, top: int, word: str = "bet") -> Ruling | None:
    if hand.price:
        return turn.refuse("bet_to_call", amount=hand.price, seat=seat)
    if hand.no_raise >> seat & 1:
        return turn.refuse("lost_raise_right", "oot_call_never_raise", seat=seat)
    if to > top:
        return turn.refuse("above_maximum", amount=top, seat=seat)
    least = hand.level.big_blind
    if (to < least and to != top) or to < 1:
        return turn.refuse("below_minimum", "min_bet", amount=least, seat=seat)
    if to < least:
        turn.cite("min_bet", "reopen_rule")
        turn.happened(ev.Acted(seat, word, to, to, hand.increment, hand.full))
    else:
        turn.happened(ev.Acted(seat, word, to, to, to, to))
    return None


def _raise(turn: Turn, hand: HandState, seat: int, word: str, to: int, top: int) -> Ruling | None:
    if hand.no_raise >> seat & 1:
        return turn.refuse("lost_raise_right", "oot_call_never_raise", seat=seat)
    if not betting.reopened(hand, seat, turn.book):
        return turn.refuse("cannot_reopen", "reopen_rule", seat=seat)
    if to > top:
        return turn.refuse("above_maximum", amount=top, seat=seat)
    if not betting.somebody_can_answer(hand, seat):
        return turn.refuse("above_maximum", amount=hand.price, seat=seat)
    least = betting.min_raise_to(hand, turn.book)
    if to >= least:
        turn.happened(ev.Acted(seat, word, to, to, to - betting.floor_price(hand, turn.book), to))
        return None
    if to != top or to <= hand.price:
        short = "short_allin_bet_min_raise_to" if hand.price < hand.level.big_blind else "min_raise"
        return turn.refuse("below_minimum", short, amount=min(least, top), seat=seat)
    turn.cite("reopen_rule")
    turn.happened(ev.Acted(seat, word, to, to, hand.increment, hand.full))
    return None


_REFUNDS = {"dealer": "dealer_killed_hand_refund", "thrown": "thrown_hand_refund"}


def kill(turn: Turn, seat: int, why: str) -> None:
    """The hand is out. What was collected or thrown by mistake may get a raise back that nobody has called yet."""
    hand = turn.hand
    returned, price, increment, full = 0, hand.price, hand.increment, hand.full
    key = _REFUNDS.get(why)
    if key is not None and getattr(turn.book, key) == "uncalled_raise" and hand.aggressor == seat:
        top, chips = betting.uncalled(hand)
        if top == seat and hand.due is phases.ACTION:
            returned = min(chips, hand.bets[seat] - hand.before_raise[0])
            price, increment, full = hand.before_raise
            turn.cite(key)
    turn.happened(ev.HandKilled(seat, why, returned, price, increment, full))
