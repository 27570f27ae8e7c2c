"""Who sits where: the draw, keeping tables level, closing the last one.

Pure: chance comes in as a drawn order of seats or players, and out comes the same answer for the same order. Tables and
seats are furniture and are never renumbered.

A table is judged between two hands. The big blind of the last hand (whether its seat is still taken or not) is where
the small blind is due next, and the first taken seat behind it is the next big blind; "hands until big blind" counts
the taken seats in between. Few hands are a bad position.

Articles: TDA 2024, rules 9 to 11; Life Club 8.2, 8.3, 16.1, 16.2. Of several fullest or shortest tables the one with
the lowest number comes first; the table with the highest number is the last table, the one that closes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.rulebook import Rulebook
from engine.seats import between, bit, clockwise, next_seat, set_of


class TablePicture(msgspec.Struct, frozen=True):
    """One open table between two hands. `players`: seat -> player. Zeros: no hand has been played yet."""

    table_no: int
    size: int
    players: dict[int, str]
    last_big_blind: int = 0
    next_button: int = 0

    @property
    def free(self) -> tuple[int, ...]:
        """The empty seats, counting up."""
        return tuple(seat for seat in range(1, self.size + 1) if seat not in self.players)


class Move(msgspec.Struct, frozen=True):
    """One player changes tables."""

    player: str
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    articles: tuple[str, ...] = ()


class Break(msgspec.Struct, frozen=True):
    """The table closes; its players are to be drawn into the free seats elsewhere (`draw`)."""

    table_no: int
    players: tuple[str, ...]
    articles: tuple[str, ...] = ()


class DrawnSeat(msgspec.Struct, frozen=True):
    """Where the draw puts a player."""

    player: str
    table_no: int
    seat: int


def tables_needed(players: int, sizes: Sequence[int]) -> int:
    """How many tables, taken in order, hold this many players. Raises ValueError when all of them do not."""
    seats = 0
    for count, size in enumerate(sizes, 1):
        seats += size
        if seats >= players:
            return count
    raise ValueError(f"{players} players and {seats} seats: open another table or register fewer")


def draw(
    players: Sequence[str], tables: Sequence[TablePicture], seats: Sequence[tuple[int, int]]
) -> tuple[DrawnSeat, ...]:
    """Seats `players` (in drawn order) at `tables`, which stay within one player of each other as far as seats allow.

    `seats` is the drawn order of (table, seat): a player goes to the shortest table and takes its first free seat of
    that order, blinds and button included. Raises ValueError if the free seats do not suffice.

    Article: TDA 2024, 9-A and 10-A; Life Club 2.b, 8.3.
    """
    counts = {table.table_no: len(table.players) for table in tables}
    free = {table.table_no: set(table.free) for table in tables}
    left = {number: [seat for table, seat in seats if table == number and seat in free[number]] for number in counts}
    drawn: list[DrawnSeat] = []
    for player in players:
        open_tables = [number for number in counts if left[number]]
        if not open_tables:
            raise ValueError(f"{len(players)} players and {len(drawn)} free seats")
        number = min(open_tables, key=lambda table: (counts[table], table))
        drawn.append(DrawnSeat(player, number, left[number].pop(0)))
        counts[number] += 1
    return tuple(drawn)


def propose(tables: Sequence[TablePicture], book: Rulebook) -> tuple[Move | Break, ...]:
    """What the book asks for now: one break, or the moves that bring all tables level, or nothing.

    A break comes first, and alone: it moves players anyway. Moves are found one after the other, each with the tables
    as the one before leaves them. Nothing is proposed for a single table.
    """
    pictures = {table.table_no: table for table in sorted(tables, key=lambda table: table.table_no)}
    if len(pictures) < 2:
        return ()
    last = pictures[max(pictures)]
    free_elsewhere = sum(len(table.free) for table in pictures.values() if table is not last)
    if free_elsewhere >= len(last.players):
        in_seat_order = tuple(player for _, player in sorted(last.players.items()))
        return (Break(last.table_no, in_seat_order, book.cite("break_condition")),)

    moves: list[Move] = []
    while (move := _next_move(pictures, book)) is not None:
        moves.append(move)
        source, target = pictures[move.from_table], pictures[move.to_table]
        pictures[move.from_table] = _with_players(
            source, {seat: player for seat, player in source.players.items() if seat != move.from_seat}
        )
        pictures[move.to_table] = _with_players(target, target.players | {move.to_seat: move.player})
    return tuple(moves)


def mover_of(table: TablePicture, book: Rulebook) -> int:
    """The seat whose player leaves a table that is too full.

    Article: TDA 2024, 11-A (the next big blind); Life Club 16.2.
    """
    taken = set_of(table.players)
    if book.balance_mover == "next_big_blind":
        return next_seat(taken, table.last_big_blind)
    against = [seat for seat in clockwise(taken, table.next_button) if seat != table.next_button]
    return against[-1] if against else table.next_button


def hands_until_big_blind(table: TablePicture, seat: int) -> int:
    """How many hands until the player of `seat` (taken or not) is big blind; 0: in the next one."""
    taken = set_of(table.players) & ~bit(seat)
    return (taken & between(table.last_big_blind, seat, table.size)).bit_count() if table.last_big_blind else 0


def seat_for(table: TablePicture, book: Rulebook, until_big_blind: int = 0) -> int:
    """The free seat a moved player takes: the worst position, but never the small blind's; 0 if there is none.

    A seat where the player would not be dealt in (between button and small blind) is taken only if nothing else is
    free. With `same_position` the seat is nearest to `until_big_blind`, the player's own distance before.

    Article: TDA 2024, 11-A; Life Club 16.1, 16.2.
    """
    small_blind = table.last_big_blind
    free = [seat for seat in clockwise(set_of(table.free), small_blind) if seat != small_blind]
    zone_ends = small_blind
    if book.dead_zone_moved == "button_bb":
        zone_ends = next_seat(set_of(table.players), small_blind)
    zone = between(table.next_button, zone_ends, table.size) if table.next_button and small_blind else 0
    wanted = until_big_blind if book.balance_seat == "same_position" else 0

    def badness(seat: int) -> tuple[bool, int, int]:
        return bool(zone & bit(seat)), abs(hands_until_big_blind(table, seat) - wanted), free.index(seat)

    return min(free, key=badness, default=0)


def _next_move(pictures: dict[int, TablePicture], book: Rulebook) -> Move | None:
    fullest = max(pictures.values(), key=lambda table: (len(table.players), -table.table_no))
    shortest = min(pictures.values(), key=lambda table: (len(table.players), table.table_no))
    if len(fullest.players) - len(shortest.players) < book.balance_trigger:
        return None
    from_seat = mover_of(fullest, book)
    to_seat = seat_for(shortest, book, hands_until_big_blind(fullest, from_seat))
    if not to_seat:
        return None
    articles = book.cite("balance_trigger", "balance_mover", "balance_seat")
    return Move(fullest.players[from_seat], fullest.table_no, from_seat, shortest.table_no, to_seat, articles)


def _with_players(table: TablePicture, players: dict[int, str]) -> TablePicture:
    return msgspec.structs.replace(table, players=players)
