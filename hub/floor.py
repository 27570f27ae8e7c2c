"""The floor: room and tournament of a running hub, kept in step with what is stored.

Theory of operation. `turn` takes in what the ingest thread has committed, asks the tournament for its next step until
there is none, and writes all steps of one turn (entries, and commands into the hub's outbox) in one transaction. Only
then the pages are told. After a restart the journal and the events are folded again; nothing else is kept.

Threads: a `Floor` belongs to the event loop. The ingest thread hands over by asking the loop for a turn.
"""

from __future__ import annotations

import logging
import mmap
import struct
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from engine import wire
from engine.rulebook import Rulebook
from hub.badge_watch import BadgeWatch, Tap
from hub.chance import Chance
from hub.config import ConfigError, HubConfig
from hub.directing import NOTHING_MORE, Details
from hub.drawing import drawn, link_of
from hub.entries import AnyEntry, Commanded, Drawn, Replaced
from hub.hubtime import utc_ms
from hub.notes import note_of
from hub.pace_watch import PaceWatch
from hub.picture import Alarm, Link, Note, Picture
from hub.records import Standing, StoredEvent, UnitStatus
from hub.replacing import last_known
from hub.room import Room
from hub.store import Store
from hub.streams import UnitPicture
from hub.tournament import Tournament
from hub.web.live import Live
from hub.wishes import Wish

log = logging.getLogger(__name__)

MAX_STEPS = 1000
"""More steps in one turn than any room has things to do: then two rules undo each other, which is our mistake."""
COMMAND_EXPIRES_MS = 30_000
LOG_LENGTH = 200
BLINK_S = 0.05
CLOCK_FILE = struct.Struct("<q")

JOURNAL = "CREATE TABLE IF NOT EXISTS tournament(n INTEGER PRIMARY KEY, utc INTEGER NOT NULL, body BLOB NOT NULL)"


def clock_file(path: str) -> Callable[[], int]:
    """Reads the tournament's time from a file that somebody else writes. Raises ConfigError if it cannot be used."""
    try:
        with Path(path).open("rb") as file:
            mapped = mmap.mmap(file.fileno(), CLOCK_FILE.size, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise ConfigError(f"tournament.clock_file: {path}: {error}; write eight bytes before the hub starts") from None
    return lambda: int(CLOCK_FILE.unpack_from(mapped)[0])


class Floor:
    """Room, tournament and journal. `publish_clock` and `wake` reach the ingest; `units` and `link_up` come from it."""

    def __init__(self, config: HubConfig, book: Rulebook, store: Store) -> None:
        self.config = config
        self.store = store
        self.live = Live()
        self.room = Room()
        self.tournament = Tournament(config, book)
        self.badges = BadgeWatch(config.badges.revoked)
        self.pace = PaceWatch(book)
        self._time = clock_file(config.tournament.clock_file) if config.tournament.clock_file else store.now_ms
        self.publish_clock: Callable[[wire.Clock], None] = _nowhere
        self.wake: Callable[[], None] = _silent
        self.units: Callable[[], list[UnitPicture]] = list
        self.link_up: Callable[[], bool] = bool
        self.rev = 0
        self._chance = Chance(config.tournament.draw_seed)
        self._cursor = 0
        self.journal: deque[Note] = deque(maxlen=LOG_LENGTH)
        self._links: dict[str, Link] = {}
        self._late: list[Alarm] = []
        self._published: wire.Clock | None = None
        self._recent: tuple[int, float, Picture | None] = (0, 0.0, None)
        self._open()

    def _open(self) -> None:
        self.store.register.revoke_badges(self.config.badges.revoked)
        for table in self.config.tables:
            self._add(table.unit, table.no)
        with self.store.transaction() as db:
            db.execute(JOURNAL)
            rows = db.execute("SELECT utc, body FROM tournament ORDER BY n").fetchall()
        entries = [(msgspec.json.decode(body, type=AnyEntry), utc) for utc, body in rows]
        served = next((entry.units for entry, _ in entries if isinstance(entry, Drawn)), {})
        for number, unit in served.items():
            self._add(unit, number)                  # the file may name another by now: `_changed_in_the_file`
            self.tournament.tables.units[number] = unit
        for entry, utc in entries:
            self._fold(entry, utc)
        for number, unit in self.tournament.tables.units.items():
            self._adopt(unit, number)

    def _add(self, unit: str, number: int) -> None:
        self.room.add(unit, number, self.config.tournament.size, self.config.tournament.book)

    def _adopt(self, unit: str, number: int) -> None:
        """Gives a unit its table, if it has not got it. One in quarantine waits for a person: `hub.register`."""
        plan = self.config.tournament
        known = self.store.register.of(unit)
        if known is not None and known.status is UnitStatus.QUARANTINED:
            return
        wanted = (UnitStatus.ADOPTED, number, plan.title, plan.book, plan.size, plan.chip)
        if known is None or wanted != (
            known.status, known.table_no, known.tournament, known.book, known.size, known.chip
        ):  # fmt: skip
            self.store.register.adopt(
                unit, number, tournament=plan.title, book=plan.book, size=plan.size, chip=plan.chip
            )

    def _changed_in_the_file(self) -> None:
        """A unit that the file names for a table, other than the one that served it, takes its place."""
        served = self.tournament.tables.units
        replaced = {(entry.table_no, entry.old) for entry in self.tournament.replacing.all}
        for table in self.config.tables:
            unit = served.get(table.no)
            if unit is None or unit == table.unit or (table.no, table.unit) in replaced:
                continue
            self._write(last_known(self.room.tables[unit], table.unit, "config", *self._committed(unit)))

    def _committed(self, unit: str) -> tuple[int, int]:
        """Outbox and watermark of a unit: what it has told until now."""
        known = self.store.register.of(unit)
        return (0, 0) if known is None else (known.ep, known.wm)

    def now_ms(self) -> int:
        """The tournament's time: the hub's, or that of the clock file."""
        return int(self._time())

    # --- the turn

    def turn(self) -> None:
        """Takes in what was committed and does what follows from it."""
        touched = self._take_in()
        self._changed_in_the_file()
        for command_id in self.tournament.wishes.unanswered():
            status = self.store.commands.status(command_id)
            if status is not None and status.rc:
                self.tournament.answer(command_id, status.rc, status.why)
                touched.add("desk")
        touched |= self._step()
        if self._published != self.tournament.clock:
            self._published = self.tournament.clock
            self.publish_clock(msgspec.structs.replace(self.tournament.clock, hub=self.store.epoch))
        if touched:
            self.rev += 1
            self.live.touch(*sorted(touched))

    def _take_in(self) -> set[str]:
        touched: set[str] = set()
        while events := self.store.events_after(self._cursor):
            for event in events:
                touched |= self._apply(event)
            self._cursor = events[-1].cursor
        return touched

    def _apply(self, event: StoredEvent) -> set[str]:
        table = self.room.tables.get(event.envelope.unit)
        if table is None or event.standing is not Standing.OK or event.body is None:
            return set()
        before = len(table.view.seats)
        self.room.apply(event.envelope, event.body)
        touched = {f"table-{table.table_no}"}
        left_ms = self._left_of_level(event.envelope.t.utc) if isinstance(event.body, wire.Action) else None
        slow = self.pace.heard(table, event.envelope, event.body, left_ms)
        if slow is not None:
            log.info("table %d: seat %d took %d s at the end of a level", slow.table_no, slow.seat, slow.seconds)
            touched.add("desk")
        match event.body:
            case wire.Eliminated() | wire.SeatChanged() | wire.Irregularity() | wire.ChipsCounted():
                touched |= {"tape", "places", "strip", "wall"}
            case wire.ChipsRaced() | wire.BlindsTaken():
                touched |= {"tape", "strip", "wall"}
            case wire.FloorCalled():
                touched |= {"tape", "calls"}
            case wire.DealerOn(dealer):
                alarm = self.badges.tapped(Tap(dealer, table.table_no, event.envelope.t.utc))
                if alarm:
                    log.warning("badge %s: %s, at table %d", alarm.name, alarm.what, alarm.table_no)
                    touched.add("desk")
            case wire.HandStarted() if len(table.view.seats) != before:
                touched |= {"tape", "places", "strip", "wall"}
            case _:
                pass
        return touched

    def _left_of_level(self, utc: int) -> int | None:
        """What was left of the level, in ms, at this wall time; None if that is not known.

        It is known while a level runs that another follows, and no further back than the clock was set last. Wall time
        says nothing of a demonstration's time, which is a clock file's.
        """
        clock = self.tournament.clock
        at_ms = self.now_ms() - (utc_ms() - utc)
        if self.config.tournament.clock_file or not clock.running or at_ms < clock.anchor_ms:
            return None
        now = self.tournament.reading(at_ms)
        return None if now.on_break or now.next_level is None else now.remaining_ms

    def _step(self) -> set[str]:
        """All steps that are due, in one transaction."""
        step = self.tournament.next_step(self.room, self.now_ms(), self._chance)
        if step is None:
            return set()
        with self.store.transaction():
            for _ in range(MAX_STEPS):
                if step is None:
                    break
                self._write(step)
                step = self.tournament.next_step(self.room, self.now_ms(), self._chance)
            else:
                raise RuntimeError(f"{MAX_STEPS} steps in one turn, the last one {step}")
        self.wake()
        return {"strip", "wall", "tables", "places", "desk", "proposals", "chips", "units", "log"}

    def _write(self, step: AnyEntry | Wish) -> None:
        with self.store.transaction() as db:
            entry = self._send(step) if isinstance(step, Wish) else step
            utc = utc_ms()
            db.execute("INSERT INTO tournament(utc, body) VALUES(?, ?)", (utc, msgspec.json.encode(entry)))
        self._fold(entry, utc)
        if isinstance(entry, Replaced):
            self._adopt(entry.unit, entry.table_no)

    def _send(self, wish: Wish) -> Commanded:
        unit = self.tournament.tables.units[wish.table_no]
        command = self.store.commands.send(unit, wish.body, wire.Precondition(wish.hand), COMMAND_EXPIRES_MS)
        return Commanded(wish.key, command, wish.table_no, wish.body, wish.hand)

    def _fold(self, entry: AnyEntry, utc: int) -> None:
        self.tournament.record(entry)
        if isinstance(entry, Replaced):
            self._add(entry.unit, entry.table_no)
            self.room.retire(entry.old, entry.ep, entry.wm)
        note = note_of(entry, utc)
        if note is not None:
            self.journal.append(note)
            log.info("tournament: %s %s %s (by %s)", note.what, note.number or "", note.detail, note.who)

    def unit_changed(self, unit: str) -> None:
        """News of a unit that is no event: it came, went, or sent its picture."""
        table = self.room.tables.get(unit)
        if table is not None:
            self.rev += 1
            self.live.touch(f"table-{table.table_no}")

    def tick(self) -> None:
        """What happens because time passes: levels, expired commands, tables gone quiet."""
        self.turn()
        late = self.pace.late(self.room.transit.values(), utc_ms())
        if late != self._late:
            self._late = late
            self.rev += 1
            self.live.touch("desk")
        for unit in self.units():
            link = link_of(unit)
            if self._links.get(unit.unit) is not link:
                self._links[unit.unit] = link
                self.unit_changed(unit.unit)

    # --- what the pages ask

    def direct(self, what: str, subject: int, who: str, more: Details = NOTHING_MORE) -> None:
        """Does what the director asks. Raises Refused."""
        self.turn()
        unit = self.tournament.tables.units.get(subject) if what == "replace" else None
        if unit is not None:
            ep, wm = self._committed(unit)
            more = msgspec.structs.replace(more, ep=ep, wm=wm)
        self._write(self.tournament.direct(what, subject, who, self.room, self.now_ms(), self._chance, more))
        self.rev += 1
        self.live.touch("strip", "wall", "tables", "desk", "proposals", "calls", "chips", "units", "log")
        self.turn()

    def recent(self) -> Picture:
        """The picture for people: built at most once in `BLINK_S` while nothing changes."""
        rev, at_s, picture = self._recent
        now_s = time.monotonic()
        if picture is None or rev != self.rev or now_s - at_s > BLINK_S:
            picture = self.picture()
            self._recent = (self.rev, now_s, picture)
        return picture

    def picture(self) -> Picture:
        """Everything that is public, after a turn."""
        self.turn()
        return drawn(self)


def _nowhere(_: wire.Clock) -> None:
    """Nobody to publish to yet."""


def _silent() -> None:
    """Nobody to wake yet."""
