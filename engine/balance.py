"""Who sits where: the draw, keeping tables level, closing the last one, and who waits meanwhile.

Pure: chance comes in as a drawn order of seats or players, and out comes the same answer for the same order. Tables and
seats are furniture and are never renumbered.

A table is judged between two hands. The big blind of the last hand (whether its seat is still taken or not) is where
the small blind is due next, and the first taken seat behind it is the next big blind; "hands until big blind" counts
the taken seats in between. Few hands are a bad position. A federation book (fipos:6) looks at the button of the last
hand instead: the player at its right moves, and sits down at its right again.

Articles: TDA 2024, rules 9 to 11; Life Club 8.2, 8.3, 16.1, 16.2; y2007 multi.1 to multi.6; fipos 4 to 6. Of several
fullest or shortest tables the one with the lowest number comes first; the table with the highest number is the last
table, the one that closes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.rulebook import Rulebook
from engine.seats import SeatSet, between, bit, clockwise, next_seat, set_of


class TablePicture(msgspec.Struct, frozen=True):
    """One open table between two hands. `players`: seat -> player. Zeros: no hand has been played yet."""

    table_no: int
    size: int
    players: dict[int, str]
    last_big_blind: int = 0
    next_button: int = 0
    last_button: int = 0

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


def waiting(tables: Sequence[TablePicture], moving: bool, book: Rulebook) -> tuple[int, ...]:
    """The tables that must not deal their next hand now; `moving`: somebody is to change tables.

    Where the book stops everybody (fipos:5), all tables as soon as anybody moves; else the tables that are too short:
    by `balance_halt` players shorter than the fullest (tda:11-D, lifeclub:16.2).
    """
    if book.balance_halt == "all_tables_wait":
        return tuple(sorted(table.table_no for table in tables)) if moving else ()
    fullest = max((len(table.players) for table in tables), default=0)
    short = (table.table_no for table in tables if fullest - len(table.players) >= book.balance_halt)
    return tuple(sorted(short))


def hand_for_hand(left: int, paid: int, book: Rulebook) -> bool:
    """Do the tables play hand for hand now: one player too many for the paid places, at several tables?

    Article: y2007:multi.6.
    """
    return book.hand_for_hand and left == paid + 1


def locked(dealing: Mapping[int, bool]) -> tuple[int, ...]:
    """Hand for hand: the tables that have finished their hand and wait for the others; none once all have.

    `dealing`: table -> is its hand of this round still to be finished? A table that cannot deal (one player left) is
    not waited for.

    Article: y2007:multi.6.
    """
    return tuple(sorted(table for table, busy in dealing.items() if not busy)) if any(dealing.values()) else ()


def mover_of(table: TablePicture, book: Rulebook) -> int:
    """The seat whose player leaves a table that is too full.

    Article: TDA 2024, 11-A (the next big blind); Life Club 16.2; fipos:6 (at the right of the button).
    """
    taken = set_of(table.players)
    if book.balance_mover == "next_big_blind":
        return next_seat(taken, table.last_big_blind)
    return _backwards(taken, table.last_button)[0]


def _backwards(seats: SeatSet, button: int) -> tuple[int, ...]:
    """These seats counter-clockwise, from the right of the button round to the button's own."""
    return tuple(reversed(clockwise(seats, max(button, 1) - 1)))


def seat_for(table: TablePicture, book: Rulebook) -> int:
    """The free seat a moved player takes; 0 if there is none that he may take.

    The worst position, but never the small blind's; a seat where he would not be dealt in (between button and small
    blind) only if nothing else is free. With `same_position`, the one at the right of the button or the next free one
    counter-clockwise.

    Article: TDA 2024, 11-A; Life Club 16.1, 16.2; fipos:6.
    """
    free = set_of(table.free)
    if book.balance_seat == "same_position":
        return next(iter(_backwards(free, table.last_button)), 0)
    small_blind = table.last_big_blind
    zone = between(table.next_button, small_blind, table.size) if table.next_button and small_blind else 0
    behind = clockwise(free & ~bit(small_blind), small_blind)
    return next((seat for seat in behind if not zone >> seat & 1), behind[0] if behind else 0)


def _next_move(pictures: dict[int, TablePicture], book: Rulebook) -> Move | None:
    """From the fullest table to the shortest that has a seat to offer."""
    fullest = max(pictures.values(), key=lambda table: (len(table.players), -table.table_no))
    from_seat = mover_of(fullest, book)
    articles = book.cite("balance_trigger", "balance_mover", "balance_seat")
    for target in sorted(pictures.values(), key=lambda table: (len(table.players), table.table_no)):
        if len(fullest.players) - len(target.players) < book.balance_trigger:
            break
        to_seat = seat_for(target, book)
        if to_seat:
            player = fullest.players[from_seat]
            return Move(player, fullest.table_no, from_seat, target.table_no, to_seat, articles)
    return None


def _with_players(table: TablePicture, players: dict[int, str]) -> TablePicture:
    return msgspec.structs.replace(table, players=players)
