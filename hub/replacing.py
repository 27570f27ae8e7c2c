"""A unit that broke in the middle of a tournament, and the one that takes its place.

The director puts the new unit to the table with one button. What the hub knew last of that table is written down
(`Replaced`): who sits where with how many chips, hands and minutes to sit out, where button and blinds are. A hand that
was running is void and is dealt again: everybody has what he had at its start. The table is held, its players are
seated at the new unit one after the other, the button is laid; then play goes on. From that moment nothing the old unit
may still have to say counts.
"""

from __future__ import annotations

from engine import wire
from engine.inputs import Arrival
from hub.entries import LastSeat, Replaced
from hub.room import Room, Table
from hub.tables import Tables
from hub.wishes import DONE, Wish, Wishes


def last_known(table: Table, unit: str, who: str, ep: int, wm: int) -> Replaced:
    """The table as its old unit left it, for the new one. `ep` and `wm`: the last event of the old one that counts."""
    view = table.view
    again = table.running and not table.somebody_out        # the hand is void
    seats = tuple(
        LastSeat(
            seat.seat, seat.player, seat.name,
            table.stacks_before.get(seat.seat, seat.stack) if again else seat.stack + seat.bet, seat.misses,
        )
        for seat in view.seats
    )  # fmt: skip
    if again:
        button, blinds = view.button, (view.small_blind, view.big_blind)
    else:
        button, blinds = table.next_button, table.next_blinds
    return Replaced(table.table_no, table.unit, unit, seats, button, blinds, who, ep, wm)


class Replacing:
    """The fold of the replacements."""

    def __init__(self, tables: Tables, wishes: Wishes) -> None:
        self._tables = tables
        self._wishes = wishes
        self._done: list[Replaced] = []

    def record(self, entry: Replaced) -> None:
        """Another unit serves a table."""
        self._done.append(entry)
        self._tables.units[entry.table_no] = entry.unit
        self._wishes.forget(entry.table_no)

    @property
    def all(self) -> list[Replaced]:
        """Every replacement of the evening, oldest first."""
        return self._done

    def holds(self) -> dict[int, str]:
        """The tables whose players are not all back in their seats."""
        return {entry.table_no: "replaced" for number, entry in self._current() if not self._over(number, entry)}

    def seat_again(self, room: Room) -> Wish | None:
        """The next player to the new unit, then the button; not before the table is held."""
        for number, entry in self._current():
            if self._over(number, entry) or self._wishes.rc(f"hold:{entry.table_no}") != DONE:
                continue
            here = {seat.player for seat in room.tables[entry.unit].view.seats}
            for seat in entry.seats:
                body = wire.SeatPlayer(
                    seat.seat, seat.player, seat.name, seat.stack, Arrival.FROM_BREAK, seat.misses
                )
                if seat.player not in here:
                    wish = self._wishes.ask(f"again:{number}:{seat.player}", entry.table_no, body)
                    if wish is not None:
                        return wish
            if all(seat.player in here for seat in entry.seats):
                small, big = entry.blinds
                button = wire.SetButton(entry.button, small if big else None, big or None)
                wish = self._wishes.ask(f"again:{number}:button", entry.table_no, button)
                if wish is not None and entry.button:
                    return wish
        return None

    def _current(self) -> list[tuple[int, Replaced]]:
        """The newest replacement of each table."""
        newest = {entry.table_no: (number, entry) for number, entry in enumerate(self._done)}
        return list(newest.values())

    def _over(self, number: int, entry: Replaced) -> bool:
        """Are all its players back and the button laid?"""
        last = f"again:{number}:button" if entry.button else ""
        if last:
            return self._wishes.rc(last) == DONE
        return all(self._wishes.rc(f"again:{number}:{seat.player}") == DONE for seat in entry.seats)
