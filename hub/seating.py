"""Who is in the tournament and gets which seat: the draw, late entries, and new stacks for players who are out.

The draw seats everybody before the start. A late entry, or a new stack where book and event sell them, is one player
more: drawn into a free seat of the shortest table, like all the others. Whoever comes back with a new stack has an id
of his own, so that each elimination stands for itself.

Articles: Life Club 2.b (draw), 1.b and 3.a to 3.c (late entry); TDA 2024, 8; fipos 32.
"""

from __future__ import annotations

import msgspec

from engine import balance, wire
from engine.balance import TablePicture
from engine.entry import Latecomer, entry_cost, may_enter
from engine.inputs import Arrival
from engine.rulebook import Rulebook
from engine.wire import MAX_INT
from hub.chance import Shuffles
from hub.config import MAX_ID_BYTES, Entrant, Plan
from hub.entries import Drawn, Entered
from hub.refused import Refused
from hub.room import Room
from hub.tables import Tables
from hub.wishes import DONE, Wish, Wishes

MAX_NAME = 60
PROMISED = "\0promised"                      # who sits, for the draw, in a seat that somebody is on the way to


class Applicant(msgspec.Struct, frozen=True):
    """Somebody at the desk. `player`: who was in already and is out. `cost`: chips that the lateness costs, if told."""

    name: str = ""
    player: str = ""
    reserved: bool = False
    registered: bool = False
    gave_notice: bool = False
    cost: int | None = None


class Seating:
    """The fold of the draw and of the entries after it."""

    def __init__(self, plan: Plan, book: Rulebook, tables: Tables, wishes: Wishes) -> None:
        self.entrants: list[Entrant] = list(plan.entrants)
        self.names = {entrant.player: entrant.name for entrant in self.entrants}
        self.drawn: Drawn | None = None
        self._plan = plan
        self._book = book
        self._tables = tables
        self._wishes = wishes
        self._entered: list[Entered] = []

    def record(self, entry: Drawn | Entered) -> None:
        """The seats were drawn; or one player more came in."""
        match entry:
            case Drawn():
                self.drawn = entry
                self._tables.drawn = tuple(sorted(entry.buttons))
            case Entered():
                self._entered.append(entry)
                self.entrants.append(Entrant(entry.player, entry.name))
                self.names[entry.player] = entry.name

    @property
    def chips(self) -> int:
        """All chips that were given out for stacks."""
        return len(self._plan.entrants) * self._plan.stack + sum(entry.stack for entry in self._entered)

    # --- the draw

    def draw(self, chance: Shuffles) -> Drawn:
        """Seats for everybody, and the button of each table."""
        units = self._tables.units
        needed = balance.tables_needed(len(self.entrants), [self._plan.size] * len(units))
        tables = [TablePicture(number, self._plan.size, {}) for number in sorted(units)[:needed]]
        seats = [(table.table_no, seat) for table in tables for seat in table.free]
        players = chance.shuffled("players", [entrant.player for entrant in self.entrants])
        drawn = balance.draw(players, tables, chance.shuffled("seats", seats))
        buttons = {
            table.table_no: chance.shuffled(
                f"button {table.table_no}", [seat.seat for seat in drawn if seat.table_no == table.table_no]
            )[0]
            for table in tables
        }
        return Drawn(self._plan.draw_seed, drawn, buttons, {number: units[number] for number in buttons})

    def seat_everybody(self, room: Room) -> Wish | None:
        """Each table in turn: everybody to the drawn seat, the button."""
        assert self.drawn is not None
        for number, button in sorted(self.drawn.buttons.items()):
            for seat in self.drawn.seats:
                if seat.table_no == number and seat.player not in room.sat:
                    wish = self._seat(seat.player, number, seat.seat, self._plan.stack)
                    if wish is not None:
                        return wish
            if (wish := self._wishes.ask(f"button:{number}", number, wire.SetButton(button))) is not None:
                return wish
        return None

    def seated(self, room: Room) -> bool:
        """Has everybody a seat, and every table its button?"""
        assert self.drawn is not None
        return not self.on_the_way(room) and all(
            self._wishes.rc(f"button:{number}") == DONE for number in self.drawn.buttons
        )

    def on_the_way(self, room: Room) -> list[str]:
        """Who was given a seat and has never sat in one."""
        given = [seat.player for seat in self.drawn.seats] if self.drawn is not None else []
        return [player for player in (*given, *(entry.player for entry in self._entered)) if player not in room.sat]

    # --- entries after the draw

    def seat_entered(self, room: Room) -> Wish | None:
        """Whoever came in later goes to the seat that was drawn."""
        for entry in self._entered:
            if entry.player in room.sat:
                continue
            if (wish := self._seat(entry.player, entry.table_no, entry.seat, entry.stack)) is not None:
                return wish
        return None

    def _seat(self, player: str, table_no: int, seat: int, stack: int) -> Wish | None:
        body = wire.SeatPlayer(seat, player, self.names[player], stack, Arrival.NEW)
        return self._wishes.ask(f"seat:{player}", table_no, body)

    def enter(
        self, who: Applicant, by: str, level: int, room: Room, promised: set[tuple[int, int]], chance: Shuffles
    ) -> Entered:
        """One player more, with the seat drawn. `level`: the one announced last; `promised`: seats that are spoken for.

        Raises Refused: `entry_closed`, `entry_reserved` (only who had a place reserved, or was registered and said so),
        `no_reentry`, `entry_name`, `not_out`, `entry_cost` (nobody said what it costs), `too_many_chips`,
        `no_free_seat`.
        """
        name = self._name_of(who, room)
        late = Latecomer(level, who.reserved, who.registered, who.gave_notice, was_out=bool(who.player))
        ruling = may_enter(late, self._book, self._plan.reentry)
        if ruling.refusal is not None:
            said = {"late_entry_requires": "entry_reserved", "reentry": "no_reentry"}
            raise Refused(said.get(ruling.by, "entry_closed"))
        until = self._plan.late_entry_until
        if until is not None and level > until:
            raise Refused("entry_closed")
        stack = self._plan.stack - self._cost(who, level)
        if stack < 1:
            raise Refused("entry_cost")
        if self.chips + stack > MAX_INT:
            raise Refused("too_many_chips")
        number = len(self._entered) + 1
        table_no, seat = self._free_seat(number, room, promised, chance)
        return Entered(self._new_id(who), name, stack, table_no, seat, by, ruling.articles, who.player)

    def _name_of(self, who: Applicant, room: Room) -> str:
        if who.player:
            if who.player not in {out.player for out in room.outs()}:
                raise Refused("not_out")
            return self.names[who.player]
        name = " ".join(who.name.split())
        if not name or len(name) > MAX_NAME:
            raise Refused("entry_name")
        return name

    def _cost(self, who: Applicant, level: int) -> int:
        if not level or self._book.late_entry_cost != "event_setting_required" or who.player:
            return 0
        cost = self._plan.late_entry_cost if who.cost is None else who.cost
        if cost is None:
            raise Refused("entry_cost")
        return entry_cost(self._plan.stack, 0, self._book, cost)

    def _new_id(self, who: Applicant) -> str:
        """`p28` for the 28th; `p7~2` for who comes back, cut to what an id may have."""
        number = 2 if who.player else len(self.entrants) + 1
        base = f"{who.player.rpartition('~')[0] or who.player}~" if who.player else "p"
        while (new := _cut(base, str(number))) in self.names:
            number += 1
        return new

    def _free_seat(
        self, number: int, room: Room, promised: set[tuple[int, int]], chance: Shuffles
    ) -> tuple[int, int]:
        on_the_way = set(self.on_the_way(room))
        spoken_for = promised | {(e.table_no, e.seat) for e in self._entered if e.player in on_the_way}
        if not room.sat and self.drawn is not None:
            spoken_for |= {(seat.table_no, seat.seat) for seat in self.drawn.seats}
        tables = [
            msgspec.structs.replace(
                table, players=table.players | {seat: PROMISED for at, seat in spoken_for if at == table.table_no}
            )
            for table in self._tables.pictures(room)
        ]
        seats = chance.shuffled(f"entry {number}", [(table.table_no, seat) for table in tables for seat in table.free])
        if not seats:
            raise Refused("no_free_seat")
        (drawn,) = balance.draw(["entrant"], tables, seats)
        return drawn.table_no, drawn.seat


def _cut(base: str, number: str) -> str:
    """An id of at most `MAX_ID_BYTES`: as much of `base` as fits before the number."""
    mark = "~" if base.endswith("~") else ""
    room = MAX_ID_BYTES - len(number) - len(mark)
    return base.removesuffix("~").encode()[:room].decode(errors="ignore") + mark + number
