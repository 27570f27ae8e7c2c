"""Betting: what may be bet, who may raise again, when a round is over. Questions only; nothing changes here.

Words. The *price* is what a seat must have in to stay. The *increment* is the last full bet or raise (the big blind if
there was none); the next raise adds at least that much. *Full* is the price after the last full bet or raise, and
*wagers* counts those. A short all-in lifts the price, but none of these, and gives nobody the right to raise again: a
seat that has acted may raise only when what it faces since then adds up to a full raise (tda:43, tda:47; lifeclub:10.2,
10.11, 10.15), in some books to half of one (dalvivo:10.11).

The three games differ in how much: up to the stack; up to the pot as it would be after the call (dalvivo:11.a, tda:54);
or by one fixed bet, where an all-in of half a bet counts as a full one and what is less may be completed by the next
(dalvivo:11.3, tda:47-B).
"""

from __future__ import annotations

from engine import phases
from engine.inputs import Game, Level
from engine.rulebook import Rulebook
from engine.seats import alone
from engine.state import HandState
from engine.view import Legal

NO_LIMIT, POT_LIMIT, FIXED_LIMIT = Game.NO_LIMIT, Game.POT_LIMIT, Game.FIXED_LIMIT

Range = tuple[int, int]


def fixed_bet(hand: HandState) -> int:
    """The bet of this street in fixed-limit: the small one before the flop and on it, then the big one."""
    level = hand.level
    small = level.small_bet or level.big_blind
    return small if len(hand.board) < 4 else level.big_bet or 2 * small


def next_fixed_bet(hand: HandState) -> int:
    """The only raise of fixed-limit: a bet over the last full one, so that a short all-in is completed, not raised.

    Over a bet of a wrong size that nobody objected to it is a bet over what lies there.
    """
    bet = fixed_bet(hand)
    return (hand.full if hand.price < hand.full + bet else hand.price) + bet


def floor_price(hand: HandState, book: Rulebook) -> int:
    """What the smallest raise is counted from: the price or, over a short all-in bet in some books, the big blind."""
    if book.short_allin_bet_min_raise_to == "2xBB" and hand.price < hand.level.big_blind:
        return hand.level.big_blind
    return hand.price


def min_bet(hand: HandState) -> int:
    """The smallest bet that opens a street (an all-in may be less)."""
    return fixed_bet(hand) if hand.level.game is FIXED_LIMIT else hand.level.big_blind


def min_raise_to(hand: HandState, book: Rulebook) -> int:
    """The smallest raise, as a total for the street (an all-in may be less)."""
    if hand.level.game is FIXED_LIMIT:
        return next_fixed_bet(hand)
    step = hand.increment if book.min_raise == "last_raise" else hand.level.big_blind
    return floor_price(hand, book) + step


def most(hand: HandState, seat: int, top: int, pot: int) -> int:
    """The highest total `seat` may bet or raise to; `top` is all it has, `pot` everything in the middle."""
    game = hand.level.game
    if game is NO_LIMIT:
        return top
    if game is FIXED_LIMIT:
        return min(top, next_fixed_bet(hand))
    return min(top, 2 * hand.price - hand.bets[seat] + pot + blinds_missing(hand))


def blinds_missing(hand: HandState) -> int:
    """Before the flop a missing or short blind counts as whole in the pot of pot-limit (tda:54-B)."""
    if hand.street is not phases.PREFLOP:
        return 0
    places, level = hand.positions, hand.level
    small = hand.bets[places.small_blind] if places.posts else 0
    return max(0, level.small_blind - small) + max(0, level.big_blind - hand.bets[places.big_blind])


def is_full(hand: HandState, to: int, least: int) -> bool:
    """Is a bet or raise to `to` a full one, where `least` is the smallest? In fixed-limit half a bet is enough."""
    if hand.level.game is FIXED_LIMIT:
        return 2 * (to - hand.full) >= fixed_bet(hand)
    return to >= least


def capped(hand: HandState, book: Rulebook) -> bool:
    """Has the street seen all the raises it may? In fixed-limit only, a bet and so many raises."""
    if hand.level.game is not FIXED_LIMIT or not isinstance(book.limit_raise_cap, int):
        return False
    if hand.wagers <= book.limit_raise_cap:
        return False
    if book.limit_cap_off == "two_in_hand":                  # y2007:bet.9
        return hand.live.bit_count() > 2
    if book.limit_cap_off == "two_able_from_round_start":    # dalvivo:11.1, 11.2
        return hand.able.bit_count() > 2
    return len(hand.order) > 2                               # two in the event sit at one table (tda:48)


def reopened(hand: HandState, seat: int, book: Rulebook) -> bool:
    """May this seat raise as far as earlier bets go: it has not acted yet, or faces enough since it did?"""
    acted = hand.acted[seat]
    if acted < 0:
        return True
    if not book.cumulative_short_allins:
        return hand.full > acted
    if hand.level.game is FIXED_LIMIT:
        needed = fixed_bet(hand)
        half = book.limit_reopen_rule == "half_bet"
    else:
        last = hand.full if book.half_raise_base == "standing_bet" else hand.increment
        needed = last if book.min_raise == "last_raise" else hand.level.big_blind
        half = book.reopen_rule == "half_raise"
    faced = (hand.price if hand.full else highest_all_in(hand)) - acted
    return 2 * faced >= needed if half else faced >= needed


def highest_all_in(hand: HandState) -> int:
    """The highest all-in bet of the street; while there was no full bet it is what was really bet (fipos:34)."""
    return max((hand.bets[seat] for seat in hand.order if hand.all_in >> seat & 1), default=0)


def price_after(hand: HandState, to: int, book: Rulebook) -> int:
    """What calling an all-in to `to` costs: that much or, under a blind, in some books the full blind (fipos:34)."""
    if book.short_allin_bet_call == "allin_amount":
        return to
    return max(to, min_bet(hand))


def somebody_can_answer(hand: HandState, seat: int) -> bool:
    """Is there another hand that is not all-in, so that a bet more makes sense?"""
    return hand.live & ~hand.all_in & ~(1 << seat) != 0


def settled(hand: HandState) -> bool:
    """Is the betting of this street over?

    Also when a single seat could still act and already has in what all the others are all-in for: its chips could only
    come back.
    """
    live = hand.live
    can_act = live & ~hand.all_in
    if can_act & (can_act - 1):
        return not hand.owing
    if not hand.owing or alone(live):
        return True
    seat = can_act.bit_length() - 1
    mine = hand.bets[seat]
    return all(hand.bets[other] <= mine for other in hand.order if live >> other & 1)


def called_short(hand: HandState) -> dict[int, int]:
    """Who lies on this street with less than a call, and the call it was taken for."""
    return {
        mistake.seat: mistake.right
        for mistake in hand.mistakes
        if mistake.kind == "undercall" and mistake.street is hand.street and hand.bets[mistake.seat] == mistake.to
    }


def uncalled(hand: HandState) -> tuple[int, int]:
    """Which seat gets how many chips back because nobody called them? (0, 0) if nobody does.

    A call that is too small, and that nobody has noticed, is a call: what was bet stays where it lies.
    """
    if not hand.price:
        return 0, 0
    highest = second = seat = 0
    for other in hand.order:
        bet = hand.bets[other]
        if bet > highest:
            highest, second, seat = bet, highest, other
        elif bet > second:
            second = bet
    if hand.mistakes:
        second = max(second, *(call for other, call in called_short(hand).items() if other != seat), 0)
    if highest > second and hand.live >> seat & 1:
        return seat, highest - second
    return 0, 0


def after_refund(hand: HandState, called: int) -> tuple[int, int, int]:
    """Price, increment and full once the last raise is taken back: those before it, or what it was called up to.

    `called`: the most that anybody else has in; a player who was all-in for less has called that much of it.
    """
    price, increment, full = hand.before_raise
    if called <= price:
        return hand.before_raise
    fixed = hand.level.game is FIXED_LIMIT
    is_whole = 2 * (called - full) >= fixed_bet(hand) if fixed else called - price >= increment
    return (called, called - price, called) if is_whole else (called, increment, full)


def may_bet_more(hand: HandState, seat: int, book: Rulebook) -> bool:
    """Is a bet or raise open to this seat, whatever its size?"""
    return (
        (not hand.no_raise >> seat & 1 or (not hand.price and not book.no_raise_bars_opening))
        and somebody_can_answer(hand, seat)
        and not capped(hand, book)
        and (not hand.price or reopened(hand, seat, book))
    )


def open_range(hand: HandState, seat: int, top: int, pot: int, book: Rulebook) -> Range | None:
    """From where to where `seat` may bet or raise, as totals; None if it may not. `top`: all it has."""
    if top <= hand.price or not may_bet_more(hand, seat, book):
        return None
    least = min_raise_to(hand, book) if hand.price else min_bet(hand)
    high = min(top, max(least, most(hand, seat, top, pot)))
    return min(least, high), high


def may_fold(hand: HandState, book: Rulebook) -> bool:
    """May one fold? Always, but in one book not on the last round while nothing is bet (fipos:33)."""
    return book.fold_on_betless_last_round or hand.street is not phases.RIVER or hand.price > 0


def options(hand: HandState, seat: int, stack: int, pot: int, book: Rulebook) -> Legal:
    """What `seat`, whose turn it is and who has `stack` behind, may do."""
    mine = hand.bets[seat]
    top = mine + stack
    to_call = hand.price - mine
    span = open_range(hand, seat, top, pot, book)
    return Legal(
        seat=seat,
        may_fold=may_fold(hand, book),
        may_check=to_call <= 0,
        to_call=min(to_call, stack) if to_call > 0 else 0,
        bet=None if hand.price else span,
        raise_to=span if hand.price else None,
        all_in_to=top,
        pot=pot,
    )


def game_of(level: Level) -> str:
    """The game as rulebooks list it."""
    return {NO_LIMIT: "NL", POT_LIMIT: "PL", FIXED_LIMIT: "L"}[level.game]
