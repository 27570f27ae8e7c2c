"""Which tables a tournament plays at: drawn, open, closed, and which unit serves each.

Numbers are bolted to the furniture and never change; the unit of a number may be replaced by another.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.balance import TablePicture
from hub.room import Room, Table


class Tables:
    """The tables by number. `units` serve them; `drawn` were opened by the draw; `closed` have been broken."""

    def __init__(self, units: dict[int, str]) -> None:
        self.units = units
        self.drawn: tuple[int, ...] = ()
        self.closed: set[int] = set()

    def at(self, room: Room, number: int) -> Table:
        """The table of this number as last heard."""
        return room.tables[self.units[number]]

    def in_use(self, room: Room) -> list[Table]:
        """The tables that the draw opened, closed ones included, by number."""
        return [self.at(room, number) for number in self.drawn]

    def open(self, room: Room) -> list[Table]:
        """The tables that the draw opened and nothing has closed, by number."""
        return [self.at(room, number) for number in self.drawn if number not in self.closed]

    def pictures(self, room: Room) -> tuple[TablePicture, ...]:
        """The open tables as balancing looks at them."""
        return tuple(
            TablePicture(
                table.table_no, table.view.size, {seat.seat: seat.player for seat in table.view.seats},
                table.view.big_blind, table.next_button, table.view.button,
            )
            for table in self.open(room)
        )  # fmt: skip


def at_rest(tables: Iterable[Table]) -> bool:
    """Is everybody between two hands, and nobody without chips still in the picture?"""
    return all(table.settled for table in tables)
