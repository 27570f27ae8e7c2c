"""Where button and blinds go.

One thing is common to all books: the big blind moves to the next player, so that everybody pays it once a round; the
small blind is *where the last big blind was*, and is not posted when that chair is empty. Books differ in where the
puck rests:

* dead button (tda:32): where the last small blind was, also when that chair is empty;
* static button (lifeclub:13.2): there too, but never onto an empty chair; then it stays where it is for a hand.

The big blind never overtakes the puck: where newcomers fill the chairs behind a puck that waits or lies dead, it goes
to the last player in front of the small blind.

With two players the button is the small blind (tda:34, lifeclub:13.6); the big blind still moves to the next player.

Who has just sat down gets no cards in the dead zone: strictly between the button and the small blind or, where the book
says so, the big blind. It is looked at again at each hand, which releases a seat once the button has passed it. Nobody
waits where there would be no hand without him.
"""

from __future__ import annotations

from engine.inputs import Arrival
from engine.rulebook import Rulebook
from engine.seats import SeatSet, between, clockwise, in_order, next_seat
from engine.state import Positions, TableState


def seated(state: TableState) -> SeatSet:
    """The seats that have a player with chips."""
    found = 0
    for seat, player in enumerate(state.players):
        if player is not None and state.stacks[seat] > 0:
            found |= 1 << seat
    return found


def coming(state: TableState, book: Rulebook) -> tuple[Positions, SeatSet] | None:
    """Button and blinds of the next hand and the seats dealt in; None while there are too few players or no button.

    While a hand is running its chips in the middle count for nothing: ask between hands.
    """
    last, placed = state.last, state.placed
    players = seated(state)
    if state.redeal:
        players &= state.redeal                 # an exact replay: nobody new is dealt in (tda:35)
    if players.bit_count() < book.table_min or (last is None and placed is None):
        return None

    fresh = state.fresh & players
    settled = players & ~fresh
    dealt = players
    while True:
        if placed is not None:
            positions = _as_placed(placed, dealt, state.size)
        else:
            assert last is not None
            positions = _after(last, dealt, settled, state.size, book)
        waiting = _waiting(state, positions, dealt & fresh, book)
        if not waiting or (dealt & ~waiting).bit_count() < book.table_min:
            return positions, dealt             # nobody waits where there would be no hand without him
        dealt &= ~waiting


def place(button: int, small_blind: int | None, big_blind: int | None, players: SeatSet, size: int) -> Positions:
    """The button laid by hand at a seat, with the blinds where somebody says so (small blind 0: nobody posts).

    Otherwise they are the next seats that have players at this moment (0 while there are fewer than two of them).
    """
    if players.bit_count() < 2:
        return Positions(button, 0, 0)
    heads_up = players.bit_count() == 2 and players >> button & 1 == 1
    if small_blind is None:
        small_blind = button if heads_up else next_seat(players, button)
    if big_blind is None:
        big_blind = next_seat(players & ~(1 << small_blind), small_blind or button)
    if small_blind:
        return Positions(button, small_blind, big_blind)
    behind = button % size + 1              # nobody posts: the small blind lies at the chair behind the button
    return Positions(button, button if behind == big_blind else behind, big_blind, posts=False)


def _as_placed(placed: Positions, dealt: SeatSet, size: int) -> Positions:
    """The placed button with these players: a big blind who left passes it on, an empty small blind is not posted."""
    button, small_blind, big_blind = placed.button, placed.small_blind, placed.big_blind
    if not small_blind:
        return place(button, None, None, dealt, size)
    if not dealt >> big_blind & 1:
        big_blind = next_seat(dealt & ~(1 << small_blind), big_blind)
    posts = placed.posts and big_blind != small_blind and dealt >> small_blind & 1 == 1
    return Positions(button, small_blind, big_blind, posts)


def _after(last: Positions, dealt: SeatSet, settled: SeatSet, size: int, book: Rulebook) -> Positions:
    big_blind = next_seat(dealt, last.big_blind)
    if dealt.bit_count() == 2:
        other = next_seat(dealt, big_blind)
        return Positions(other, other, big_blind)
    button = last.small_blind
    if book.button_style == "static" and not (settled & dealt) >> button & 1:
        button = last.button
    small_blind = last.big_blind
    if (big_blind - button) % size < (small_blind - button) % size:
        button = clockwise(dealt & ~(1 << small_blind | 1 << big_blind), small_blind)[-1]
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


def decided_by(state: TableState, positions: Positions, dealt: SeatSet) -> tuple[str, ...]:
    """The values of the book that decided where button and blinds lie and who gets cards; none in the ordinary case."""
    keys: list[str] = []
    if dealt.bit_count() == 2:
        keys.append("hu_transition")
    elif not positions.posts or not dealt >> positions.button & 1 or _stayed(state, positions):
        keys.append("button_style")
    for seat in in_order(state.fresh & ~dealt):
        player = state.players[seat]
        if player is not None:
            keys.append("dead_zone_new" if player.arrival is Arrival.NEW else "dead_zone_moved")
    return tuple(keys)


def _stayed(state: TableState, positions: Positions) -> bool:
    return state.last is not None and state.last.button == positions.button


def deal_order(positions: Positions, dealt: SeatSet, book: Rulebook) -> tuple[int, ...]:
    """The seats in the order in which they get their cards, the first card's seat first.

    Clockwise from the small blind, the button last; with two players as the book says (lifeclub:6.1 from the small
    blind, tda:34 the button last).
    """
    first = next_seat(dealt, positions.button)
    if dealt.bit_count() == 2 and book.hu_deal_first == "small_blind" and positions.posts:
        first = positions.small_blind
    order = []
    seat = first
    for _ in range(dealt.bit_count()):
        order.append(seat)
        seat = next_seat(dealt, seat)
    return tuple(order)
