"""What the tournament does next: the draw, the start, levels, balancing, breaking, moves, the end.

Theory of operation. A `Tournament` is a fold over the hub's journal (`hub.entries`); the room (`hub.room`) is a fold
over the tables' events. `next_step` looks at both and at the time and names one thing to do: an entry to write down, or
a `Wish` (a command to a table). Whoever runs it writes that down, folds it in and asks again until nothing is left to
do. It decides nothing from what it did not write down, so a hub that was killed goes on where the journal ends. Nothing
here waits, sends or stores.

Each part of the fold has a module: who is in and gets which seat (`hub.seating`), the level clock (`hub.clock_keeper`),
players who change tables (`hub.moves`), tables that play together (`hub.rounds`), a unit that broke (`hub.replacing`),
what was told to the tables (`hub.wishes`), what the director asks (`hub.directing`). This one holds them together and
says in which order they speak.

**Chance** comes in as shuffled lists and is written down as an outcome (the seats), not as a seed to be trusted.

**When seats are decided.** Never while a hand runs at a table that gives or takes (for a break: at the table that
closes). Tables that have to change hold the next hand until it is done. Where tables play together (`in_step`, hand for
hand) the rule is stricter: nothing is decided before *every* open table that can deal has finished its hand of the
round. In step that makes the evening a function of the draw and of what each table dealt, whatever order the news came
in; whoever keeps the tables in step waits for `quiescent` between two rounds.

Articles: Life Club 8.1 (start), 8.5 (end), 13.4 (levels).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from engine import wire
from engine.clock import ClockReading
from engine.rulebook import Rulebook
from hub import directing
from hub.chance import Shuffles
from hub.clock_keeper import CLOCK, HUB, ClockKeeper
from hub.config import Entrant, HubConfig
from hub.directing import NOTHING_MORE, Details
from hub.entries import (
    AnyEntry,
    ClockSet,
    Closed,
    Commanded,
    Decided,
    Drawn,
    Entered,
    Finished,
    HandForHand,
    Ordered,
    PlacesPaid,
    Proposed,
    Replaced,
    Retried,
    RoundOver,
    Ruled,
    Started,
)
from hub.moves import Moves
from hub.picture import Alarm, Place
from hub.places import places
from hub.replacing import Replacing
from hub.room import Out, Room
from hub.rounds import Rounds
from hub.seating import Seating
from hub.tables import Tables, at_rest
from hub.wishes import ORDER, RULING, Wish, Wishes


class Tournament:
    """The fold. `record` takes entries in; everything else only looks."""

    def __init__(self, config: HubConfig, book: Rulebook) -> None:
        self.plan = config.tournament
        self.book = book
        self.tables = Tables({table.no: table.unit for table in config.tables})
        self.wishes = Wishes()
        self.seating = Seating(self.plan, book, self.tables, self.wishes)
        self.keeper = ClockKeeper(self.plan.lines)
        self.moves = Moves(book, self.tables, self.wishes, self.seating.names)
        self.rounds = Rounds(book, self.plan.paid, self.plan.in_step)
        self.replacing = Replacing(self.tables, self.wishes)
        self.started = False
        self.finished = ""
        self._hands_off_clock = 0                    # rounds of this hand for hand whose time is off the clock
        self._orders: list[tuple[int, wire.CommandBody]] = []

    # --- the fold

    def record(self, entry: AnyEntry) -> None:
        """Takes in one journal entry."""
        match entry:
            case Drawn() | Entered():
                self.seating.record(entry)
            case ClockSet():
                if not entry.clock.running and entry.what in ("announced", "hand_played"):
                    self._hands_off_clock += 1
                self.keeper.record(entry)
            case Started():
                self.started = True
            case HandForHand():
                self._hands_off_clock = 0
                self.rounds.record(entry)
            case RoundOver():
                self.rounds.record(entry)
            case PlacesPaid():
                self.rounds.paid = entry.places
            case Proposed() | Decided() | Closed():
                self.moves.record(entry)
            case Commanded():
                self.wishes.record(entry)
            case Ruled():
                self._orders.append((entry.table_no, wire.FloorRuling(entry.what)))
            case Ordered():
                self._orders.append((entry.table_no, entry.body))
            case Replaced():
                self.replacing.record(entry)
            case Retried():
                self.wishes.retry(entry.table_no)
            case Finished():
                self.finished = entry.player
            case _:
                assert_never(entry)

    def answer(self, command_id: str, rc: str, why: str) -> None:
        """A table answered a command (or its time ran out: `expired`)."""
        self.wishes.answer(command_id, rc, why)

    # --- what is

    @property
    def playing(self) -> bool:
        """Has it started, and is not over?"""
        return self.started and not self.finished

    @property
    def entrants(self) -> list[Entrant]:
        """Everybody who is or was in; a new stack is one entrant more."""
        return self.seating.entrants

    @property
    def clock(self) -> wire.Clock:
        """The level clock as the room has it."""
        return self.keeper.clock

    @property
    def closed(self) -> set[int]:
        """The tables that were broken."""
        return self.tables.closed

    def left(self, room: Room) -> int:
        """Players still in."""
        return len(self.entrants) - len({out.player for out in self._outs(room)})

    def _outs(self, room: Room) -> list[Out]:
        """Who is out, of those who entered: a table may tell of a player whom a changed list no longer names."""
        return [out for out in room.outs() if out.player in self.seating.names]

    def places(self, room: Room) -> tuple[Place, ...]:
        """The places decided so far."""
        if not self.started:
            return ()
        return places(
            self.entrants, self._outs(room), self.rounds.round_of, "stacks" if self.plan.in_step else "tie"
        )

    def reading(self, now_ms: int) -> ClockReading:
        """The level clock at this moment."""
        return self.keeper.reading(now_ms)

    def alarms(self) -> list[Alarm]:
        """Commands that a table keeps refusing: a person must look."""
        return self.wishes.alarms(self.seating.names)

    def waiting_for(self, room: Room, now_ms: int) -> tuple[str, ...]:
        """What must still happen before the room is quiescent, apart from news that has not been looked at.

        A proposal that only the director can decide does not count: nothing moves until a person says so.
        """
        waits = {
            "commands": bool(self.wishes.unanswered()),
            "transit": bool(room.transit),
            "seating": self.seating.drawn is None or bool(self.seating.on_the_way(room)),
            "moves": self.moves.under_way,
            "replaced": bool(self.replacing.holds()),
            "start": self.plan.auto_start and not self.started,
            "clock": self.clock.running and self.reading(now_ms).index > self.clock.index,
        }
        return tuple(name for name, waits_for in waits.items() if waits_for)

    def direct(
        self, what: str, subject: int, who: str, room: Room, now_ms: int, chance: Shuffles,
        more: Details = NOTHING_MORE,
    ) -> AnyEntry:  # fmt: skip
        """The entry that does what the director asks. Raises Refused; nothing has changed then."""
        return directing.direct(self, what, subject, who, room, now_ms, more, chance)

    # --- what to do next

    def next_step(self, room: Room, now_ms: int, chance: Shuffles) -> AnyEntry | Wish | None:
        """The next thing to do, or None when there is nothing until somebody speaks or time passes."""
        if self.seating.drawn is None:
            return self.seating.draw(chance)
        looks: tuple[Callable[[], AnyEntry | Wish | None], ...] = (
            lambda: self.keeper.announce(now_ms),
            lambda: self._round(room),
            lambda: self._finish(room),
            lambda: self._start(room, now_ms),
            lambda: self._clock(room, now_ms),
            self._order,
            lambda: self._hold(room),
            lambda: self.replacing.seat_again(room),
            lambda: None if self.started else self.seating.seat_everybody(room),
            lambda: self.seating.seat_entered(room),
            self.moves.confirm if self.plan.auto_confirm else _nothing,
            lambda: None if self.replacing.holds() else self.moves.go_on(room),
            lambda: self._propose(room, chance),
            lambda: self._go_on(now_ms),
        )
        return next((step for look in looks if (step := look()) is not None), None)

    def _round(self, room: Room) -> AnyEntry | None:
        """The end of a round, and what follows from it: hand for hand begins or ends."""
        if not self.playing:
            return None
        tables = self.tables.open(room)
        return self.rounds.round_over(tables) or self.rounds.turn(self.left(room), tables)

    def _start(self, room: Room, now_ms: int) -> AnyEntry | None:
        if self.started:
            return self.keeper.start(now_ms)
        return Started(HUB) if self.plan.auto_start and self.seating.seated(room) else None

    def _finish(self, room: Room) -> AnyEntry | None:
        if self.finished:
            return self.keeper.stop()
        if not self.started or self.left(room) != 1 or not at_rest(self.tables.open(room)):
            return None
        gone = {out.player for out in self._outs(room)}
        return Finished(next(entrant.player for entrant in self.entrants if entrant.player not in gone))

    def _clock(self, room: Room, now_ms: int) -> ClockSet | None:
        """Hand for hand the clock stands, and so it does while players move where the book says so (fipos:5)."""
        if not self.clock.rev:
            return None
        together = self.rounds.hand_for_hand and not self.plan.in_step
        final = self.started and len(self.tables.drawn) > 1 and len(self.tables.open(room)) == 1
        told = self.keeper.tell(now_ms, self.rounds.hand_for_hand and not self.finished, final)
        if told is not None or self.finished:
            return told
        if together and self.rounds.played > self._hands_off_clock:
            played = self.keeper.hand_played(now_ms, self.book.hand_for_hand_s)
            if played is not None:
                return played
        return self.keeper.stand(now_ms, self.moves.under_way and self.book.stop_clock_on_moves, together)

    def _go_on(self, now_ms: int) -> ClockSet | None:
        """The clock goes on once nobody has to move any more and no table waits for another."""
        if self.moves.current is not None or self.finished:
            return None
        return self.keeper.go_on(now_ms, self.rounds.hand_for_hand and not self.plan.in_step)

    def _order(self) -> Wish | None:
        """What the director decided for one table."""
        for number, (table_no, body) in enumerate(self._orders):
            key = f"{RULING if isinstance(body, wire.FloorRuling) else ORDER}{number}"
            if (wish := self.wishes.ask(key, table_no, body)) is not None:
                return wish
        return None

    def _hold(self, room: Room) -> Wish | None:
        """Keeps every table held or free as it should be."""
        wanted = self._tables_to_hold(room)
        for table in self.tables.open(room):
            wish = self.wishes.hold(table.table_no, wanted.get(table.table_no, ""))
            if wish is not None:
                return wish
        return None

    def _tables_to_hold(self, room: Room) -> dict[int, str]:
        tables = self.tables.open(room)
        if not self.started:
            return {table.table_no: "start" for table in tables}
        holds = self.replacing.holds()
        if self.plan.in_step or self.finished:
            return holds                             # in step, whoever keeps the step holds the tables
        moving = self.moves.holds(room) if self.left(room) > 1 else None
        if not self.rounds.hand_for_hand:
            return (moving or {}) | holds
        if moving is None or not self.rounds.between(tables):
            return dict.fromkeys(self.rounds.held(tables), "hand_for_hand") | holds
        return dict.fromkeys((table.table_no for table in tables), "hand_for_hand") | moving | holds

    def _propose(self, room: Room, chance: Shuffles) -> Proposed | None:
        ready = self.playing and self.left(room) > 1 and not self.seating.on_the_way(room)
        if not ready or self.replacing.holds() or not self.rounds.between(self.tables.open(room)):
            return None
        return self.moves.propose(room, chance)


def _nothing() -> None:
    return None


__all__ = ["CLOCK", "HUB", "Tournament", "Wish"]
