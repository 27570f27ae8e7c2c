"""The room as its tables tell it: one public picture a table, who is where, who is out, which chips are in transit.

A fold over the committed public events, in the order in which the hub committed them. Nothing here decides anything and
nothing is stored: after a restart the same events give the same room. A hand that a table publishes again under a
higher `hand_rev` (a dealer took something back) replaces what was known of it: its eliminations, and those of the hands
after it, are forgotten and its picture is drawn anew from `hand_started`. (Events of a replaced revision that come late
never get here: the store sorts them out.)

One thread owns a `Room` (the hub's event loop); readers get the frozen `TableView`s.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import msgspec

from engine import wire
from engine.inputs import Departure
from engine.view import Due, PotView, SeatView, Street, TableView
from hub.following import (
    acted,
    awarded,
    counted,
    empty_view,
    ended,
    opened,
    seat_with,
    started,
    with_stacks,
    without,
)

TAPE_LENGTH = 200
"""How many lines of the running list (eliminations, seat changes, calls for the floor) are kept for the pages."""

VOID = frozenset({"misdeal", "hand_void"})
"""Irregularities of a hand that does not count."""

KEEPS_CHIPS_IN_PLAY = frozenset({Departure.MOVED, Departure.BROKEN})


class Out(msgspec.Struct, frozen=True):
    """A player who lost the last chip: at which table, in which hand, with how many chips at that hand's start."""

    player: str
    name: str
    unit: str
    table_no: int
    seat: int
    ep: int
    hand: int
    stack_before: int
    utc_ms: int


class Transit(msgspec.Struct, frozen=True):
    """Chips between two tables: their player has left one seat (`since_utc_ms`) and has not taken the next.

    `misses` hands, or `banned_ms`, are left to sit out.
    """

    player: str
    stack: int
    table_no: int
    seat: int
    name: str = ""
    since_utc_ms: int = 0
    misses: int = 0
    banned_ms: int = 0


class Line(msgspec.Struct, frozen=True):
    """One line of the running list. `what`: out, sat, left, floor, irregularity, counted."""

    what: str
    utc_ms: int
    table_no: int
    hand: int
    seat: int = 0
    player: str = ""
    name: str = ""
    chips: int = 0
    why: str = ""
    unit: str = ""


@dataclass
class Table:
    """One table as last heard. `view` is its public picture; `running`: a hand is being played.

    `outs` are those who lost their last chip here, by (ep, hand); `next_button` is where the button goes, `next_blinds`
    are small and big blind of the next hand (0: nobody). `stacks_before`: of the hand that began last, by seat; `void`:
    that hand does not count.
    """

    unit: str
    table_no: int
    view: TableView
    hand_rev: int = 0
    running: bool = False
    floor: str = ""
    next_button: int = 0
    next_blinds: tuple[int, int] = (0, 0)
    stacks_before: dict[int, int] = field(default_factory=dict)
    void: bool = False
    outs: dict[tuple[int, int], list[Out]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Between hands, and everybody whose last chip is gone has left the picture."""
        return not self.running and all(seat.stack > 0 for seat in self.view.seats)

    @property
    def somebody_out(self) -> bool:
        """Has the hand that began last put somebody out?"""
        return any(hand == self.view.hand and outs for (_, hand), outs in self.outs.items())

    @property
    def seated(self) -> dict[int, SeatView]:
        """The taken seats."""
        return {seat.seat: seat for seat in self.view.seats}


class Room:
    """All tables of one tournament, by unit."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.transit: dict[str, Transit] = {}
        self.sat: set[str] = set()
        self.retired: dict[str, tuple[int, int]] = {}    # unit -> ep and seq of the last event of it that counts
        self._changes: dict[tuple[str, int, int], int] = {}   # (unit, ep, hand) -> chips that came in or left
        self.tape: deque[Line] = deque(maxlen=TAPE_LENGTH)

    def add(self, unit: str, table_no: int, size: int, book: str = "") -> Table:
        """Opens (or renames) the table that `unit` serves."""
        known = self.tables.get(unit)
        if known is not None:
            known.table_no = table_no
            return known
        table = self.tables[unit] = Table(unit, table_no, empty_view(size, book))
        return table

    def retire(self, unit: str, ep: int, wm: int) -> None:
        """Another unit serves its table: who went out there is out, but nobody sits there any more.

        What it tells after event `wm` of its outbox `ep` is nothing.
        """
        self.retired[unit] = ep, wm

    def _serving(self) -> dict[str, Table]:
        return {unit: table for unit, table in self.tables.items() if unit not in self.retired}

    def where(self, player: str) -> tuple[str, int] | None:
        """Unit and seat of a player; None for one who sits nowhere. `sat` holds everybody who ever took a seat."""
        for unit, table in self._serving().items():
            for seat in table.view.seats:
                if seat.player == player:
                    return unit, seat.seat
        return None

    def outs(self) -> list[Out]:
        """Everybody who is out, unordered."""
        return [out for table in self.tables.values() for outs in table.outs.values() for out in outs]

    def chips_in_play(self) -> int:
        """All chips on the tables, pots included, and those in transit."""
        return sum(t.view.total for t in self._serving().values()) + sum(t.stack for t in self.transit.values())

    def adopt(self, unit: str, snapshot: wire.Snapshot) -> None:
        """Takes a table's own full picture instead of the folded one."""
        table = self.tables[unit]
        table.view = snapshot.view
        table.hand_rev = snapshot.hand_rev
        table.running = snapshot.view.street is not Street.OVER

    def apply(self, envelope: wire.Envelope, body: wire.Body) -> None:
        """Takes in one committed event."""
        table = self.tables.get(envelope.unit)
        if table is None or (envelope.ep, envelope.seq) > self.retired.get(envelope.unit, (envelope.ep, envelope.seq)):
            return
        match body:
            case wire.HandStarted():
                table.view = started(table.view, envelope.hand, body)
                table.hand_rev = envelope.hand_rev
                table.running = True
                table.floor = ""
                table.stacks_before = body.stacks_before
                table.void = False
                self.sat.update(seat.player for seat in body.seats)
                self._forget(table, envelope)
            case wire.Action():
                table.view = acted(table.view, body)
            case wire.StreetOpened():
                table.view = opened(table.view, body)
            case wire.CardsShown():
                table.view = seat_with(table.view, body.seat, shown=body.cards)
            case wire.PotAwarded():
                table.view = awarded(table.view, body)
            case wire.HandEnded():
                table.view = ended(table.view, body, table.void)
                table.running = False
                table.next_button = body.next_button
                table.next_blinds = body.next_small_blind, body.next_big_blind
            case wire.Eliminated():
                self._out(table, envelope, body)
            case wire.SeatChanged():
                self._seat_changed(table, envelope, body)
            case wire.LevelApplied():
                table.view = msgspec.structs.replace(table.view, level=body.level)
            case wire.FloorCalled():
                table.floor = body.why if body.on else ""
                if body.on:
                    self._note(table, envelope, "floor", why=body.why)
            case wire.Irregularity():
                if body.what == "award_corrected":   # it is told again, to other winners
                    table.view = msgspec.structs.replace(table.view, paid=table.view.paid[:-1])
                table.void = table.void or body.what in VOID
                self._note(table, envelope, "irregularity", seat=body.seat, why=body.what)
            case wire.ChipsCounted():
                if body.confiscated:
                    self._changed(envelope, body.after - body.before)
                table.view = counted(seat_with(table.view, body.seat, stack=body.after))
                self._note(table, envelope, "counted", seat=body.seat, player=body.player, chips=body.after)
            case wire.ChipsRaced():
                table.view = with_stacks(table.view, body.stacks)
                self._changed(envelope, body.added - body.removed)
            case wire.BlindsTaken():
                known = table.seated.get(body.seat)
                stack = known.stack - body.chips if known else 0
                pots = (PotView(body.carried, ()),)
                table.view = counted(msgspec.structs.replace(seat_with(table.view, body.seat, stack=stack), pots=pots))
                self._note(table, envelope, "counted", seat=body.seat, player=body.player, chips=stack)
            case _:
                pass             # who deals is no part of the picture

    @property
    def change(self) -> int:
        """Chips that came in, less those that left, since they were given out."""
        return sum(self._changes.values())

    def _changed(self, envelope: wire.Envelope, chips: int) -> None:
        of = (envelope.unit, envelope.ep, envelope.hand)
        self._changes[of] = self._changes.get(of, 0) + chips

    def _forget(self, table: Table, envelope: wire.Envelope) -> None:
        """Strikes what a hand that is being published again, and those after it, did to players and chips."""
        again = (envelope.unit, envelope.ep, envelope.hand)
        for known in [key for key in self._changes if key[:2] == again[:2] and key >= again]:
            del self._changes[known]
        struck = [key for key in table.outs if key[0] == envelope.ep and key[1] >= envelope.hand]
        for key in struck:
            del table.outs[key]
        if struck:
            kept = [
                line for line in self.tape
                if not (line.what == "out" and line.unit == table.unit and line.hand >= envelope.hand)
            ]  # fmt: skip
            self.tape = deque(kept, maxlen=TAPE_LENGTH)

    def _note(
        self, table: Table, envelope: wire.Envelope, what: str,
        seat: int = 0, player: str = "", name: str = "", chips: int = 0, why: str = "",
    ) -> None:  # fmt: skip
        known = table.seated.get(seat)
        self.tape.append(
            Line(
                what=what, utc_ms=envelope.t.utc, table_no=table.table_no, hand=envelope.hand, seat=seat,
                player=player or (known.player if known else ""), name=name or (known.name if known else ""),
                chips=chips, why=why, unit=envelope.unit,
            )
        )  # fmt: skip

    def _out(self, table: Table, envelope: wire.Envelope, body: wire.Eliminated) -> None:
        seated = table.seated.get(body.seat)
        name = seated.name if seated and seated.name else body.player
        table.outs.setdefault((envelope.ep, envelope.hand), []).append(
            Out(
                player=body.player, name=name, unit=table.unit, table_no=table.table_no, seat=body.seat,
                ep=envelope.ep, hand=envelope.hand, stack_before=body.stack_before, utc_ms=envelope.t.utc,
            )
        )  # fmt: skip
        self._note(table, envelope, "out", seat=body.seat, player=body.player, name=name, chips=body.stack_before)
        table.view = without(table.view, body.seat)

    def _reinstate(self, table: Table, envelope: wire.Envelope, player: str) -> None:
        """Strikes the elimination of a player in this hand: its award, or the whole hand, was undone."""
        outs = table.outs.get((envelope.ep, envelope.hand), [])
        outs[:] = [out for out in outs if out.player != player]
        self.tape = deque(
            (
                line for line in self.tape
                if not (line.what == "out" and line.unit == table.unit and line.player == player
                        and line.hand == envelope.hand)
            ),
            maxlen=TAPE_LENGTH,
        )  # fmt: skip

    def _seat_changed(self, table: Table, envelope: wire.Envelope, body: wire.SeatChanged) -> None:
        known = table.seated.get(body.seat)
        name = body.name or (known.name if known else "") or body.player
        self._note(
            table, envelope, "sat" if body.sat else "left",
            seat=body.seat, player=body.player, name=name, chips=body.stack, why=body.why,
        )  # fmt: skip
        view = without(table.view, body.seat)
        if body.sat:
            if body.why == wire.REINSTATED:
                self._reinstate(table, envelope, body.player)
            self.sat.add(body.player)
            self.transit.pop(body.player, None)
            sat = SeatView(seat=body.seat, player=body.player, name=name, stack=body.stack, misses=body.misses)
            seats = (*view.seats, sat)
            view = msgspec.structs.replace(view, seats=tuple(sorted(seats, key=lambda seat: seat.seat)))
        elif body.why in KEEPS_CHIPS_IN_PLAY:
            self.transit[body.player] = Transit(
                body.player, body.stack, table.table_no, body.seat, name, envelope.t.utc, body.misses, body.banned_ms
            )
        else:
            self._changed(envelope, -body.stack)     # they go with the player, out of the tournament
        if not view.hand:                            # of what it waits for, a table has told its seats alone
            view = msgspec.structs.replace(view, due=Due.SHUFFLE if len(view.seats) > 1 else Due.PLAYERS)
        table.view = counted(view)
