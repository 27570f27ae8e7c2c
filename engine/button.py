"""Where button and blinds go.

One thing is common to all books: the big blind moves to the next player, so that everybody pays it once a round; the
small blind is *where the last big blind was*, and is not posted when that chair is empty. Books differ in where the
puck rests:

* dead button (tda:32): where the last small blind was, also when that chair is empty;
* static button (lifeclub:13.2): there too, but it never moves onto an empty chair; it stays where it is for a hand.

With two players the button is the small blind (tda:34, lifeclub:13.6), and the big blind still moves to the next player.

Who has just sat down gets no cards in the dead zone: strictly between the button and the small blind or, where the book
says so, the big blind. It is looked at again at each hand, which releases a seat once the button has passed it.
"""

from __future__ import annotations

from engine.inputs import Arrival
from engine.rulebook import Rulebook
from engine.seats import SeatSet, between, next_seat
from engine.state import Positions, TableState


def seated(state: TableState) -> SeatSet:
    """The seats that have a player with chips."""
    found = 0
    for seat, player in enumerate(state.players):
        if player is not None and state.stacks[seat] > 0:
            found |= 1 << seat
    return found


def coming(state: TableState, book: Rulebook) -> tuple[Positions, SeatSet] | None:
    """Button and blinds of the next hand and the seats that get cards in it; None while there are too few or no button.

    While a hand is running its chips in the middle count for nothing: ask between hands.
    """
    players = seated(state)
    if players.bit_count() < book.table_min:
        return None
    if state.placed is not None:
        return state.placed, players
    last = state.last
    if last is None:
        return None

    fresh = state.fresh & players
    settled = players & ~fresh
    dealt = players
    positions = _after(last, dealt, settled, book)
    while fresh & dealt:
        waiting = _waiting(state, positions, dealt & fresh, book)
        if not waiting:
            break
        dealt &= ~waiting
        if dealt.bit_count() < book.table_min:
            return None
        positions = _after(last, dealt, settled, book)
    return positions, dealt


def first_positions(button: int, players: SeatSet) -> Positions:
    """Button and blinds when the button is placed by hand: the next seats that have players; two players share them."""
    small_blind = next_seat(players, button)
    if players.bit_count() == 2 and players >> button & 1:
        return Positions(button, button, small_blind)
    return Positions(button, small_blind, next_seat(players, small_blind))


def _after(last: Positions, dealt: SeatSet, settled: SeatSet, book: Rulebook) -> Positions:
    big_blind = next_seat(dealt, last.big_blind)
    if dealt.bit_count() == 2:
        other = next_seat(dealt, big_blind)
        return Positions(other, other, big_blind)
    button = last.small_blind
    if book.button_style == "static" and not (settled & dealt) >> button & 1:
        button = last.button
    small_blind = last.big_blind
    return Positions(button, small_blind, big_blind, posts=bool(dealt >> small_blind & 1))


def _waiting(state: TableState, positions: Positions, fresh: SeatSet, book: Rulebook) -> SeatSet:
    """Which of these newcomers sit in the dead zone of this hand?"""
    waiting = 0
    for seat, player in enumerate(state.players):
        if player is None or not fresh >> seat & 1:
            continue
        zone = book.dead_zone_new if player.arrival is Arrival.NEW else book.dead_zone_moved
        end = positions.small_blind if zone == "button_sb" else positions.big_blind
        if between(positions.button, end, state.size) >> seat & 1:
            waiting |= 1 << seat
    return waiting


def deal_order(positions: Positions, dealt: SeatSet, book: Rulebook) -> tuple[int, ...]:
    """The seats in the order in which they get their cards, the first card's seat first.

    Clockwise from the small blind, the button last; with two players as the book says (lifeclub:6.1 from the small
    blind, tda:34 the button last).
    """
    first = next_seat(dealt, positions.button)
    if dealt.bit_count() == 2 and book.hu_deal_first == "small_blind":
        first = positions.small_blind
    order = []
    seat = first
    for _ in range(dealt.bit_count()):
        order.append(seat)
        seat = next_seat(dealt, seat)
    return tuple(order)
