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
from engine.clock import ClockReading
from engine.rulebook import Rulebook
from hub.badge_watch import BadgeWatch, Tap
from hub.chance import Chance
from hub.config import ConfigError, HubConfig
from hub.entries import (
    AnyEntry,
    ClockSet,
    Closed,
    Commanded,
    Decided,
    Drawn,
    Finished,
    Proposed,
    Retried,
    Ruled,
    Started,
)
from hub.hubtime import utc_ms
from hub.pace_watch import PaceWatch
from hub.picture import Alarm, ClockFace, ClockState, Link, Note, Picture, TableCard
from hub.records import Standing, StoredEvent, UnitStatus
from hub.room import Room
from hub.store import Store
from hub.streams import Live as UnitLive
from hub.streams import UnitPicture
from hub.tournament import CLOCK, HUB, Tournament, Wish
from hub.web.live import Live

log = logging.getLogger(__name__)

MAX_STEPS = 1000
"""More steps in one turn than any room has things to do: then two rules undo each other, which is our mistake."""
COMMAND_EXPIRES_MS = 30_000
LOG_LENGTH = 200
BLINK_S = 0.05
CLOCK_FILE = struct.Struct("<q")

JOURNAL = "CREATE TABLE IF NOT EXISTS tournament(n INTEGER PRIMARY KEY, utc INTEGER NOT NULL, body BLOB NOT NULL)"

LINKS = {UnitLive.READY: Link.ONLINE, UnitLive.LATE: Link.LATE, UnitLive.LOST: Link.LOST, UnitLive.OFF: Link.LOST}


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
        self._journal: deque[Note] = deque(maxlen=LOG_LENGTH)
        self._links: dict[str, Link] = {}
        self._late: list[Alarm] = []
        self._published: wire.Clock | None = None
        self._recent: tuple[int, float, Picture | None] = (0, 0.0, None)
        self._open()

    def _open(self) -> None:
        plan = self.config.tournament
        self.store.register.revoke_badges(self.config.badges.revoked)
        for table in self.config.tables:
            self.room.add(table.unit, table.no, plan.size, plan.book)
            known = self.store.register.of(table.unit)
            wanted = (table.no, plan.title, plan.book, plan.size, plan.chip)
            if known is not None and known.status is UnitStatus.QUARANTINED:
                continue                             # a person must look at it first: `hub.register`
            if known is None or wanted != (known.table_no, known.tournament, known.book, known.size, known.chip):
                self.store.register.adopt(
                    table.unit, table.no, tournament=plan.title, book=plan.book, size=plan.size, chip=plan.chip
                )
        with self.store.transaction() as db:
            db.execute(JOURNAL)
            rows = db.execute("SELECT utc, body FROM tournament ORDER BY n").fetchall()
        for utc, body in rows:
            self._fold(msgspec.json.decode(body, type=AnyEntry), utc)

    def now_ms(self) -> int:
        """The tournament's time: the hub's, or that of the clock file."""
        return int(self._time())

    # --- the turn

    def turn(self) -> None:
        """Takes in what was committed and does what follows from it."""
        touched = self._take_in()
        for command_id in self.tournament.unanswered():
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
        return {"strip", "wall", "tables", "places", "desk", "proposals", "log"}

    def _write(self, step: AnyEntry | Wish) -> None:
        with self.store.transaction() as db:
            entry = self._send(step) if isinstance(step, Wish) else step
            utc = utc_ms()
            db.execute("INSERT INTO tournament(utc, body) VALUES(?, ?)", (utc, msgspec.json.encode(entry)))
        self._fold(entry, utc)

    def _send(self, wish: Wish) -> Commanded:
        unit = self.tournament.units[wish.table_no]
        command = self.store.commands.send(unit, wish.body, wire.Precondition(wish.hand), COMMAND_EXPIRES_MS)
        return Commanded(wish.key, command, wish.table_no, wish.body, wish.hand)

    def _fold(self, entry: AnyEntry, utc: int) -> None:
        self.tournament.record(entry)
        note = note_of(entry, utc)
        if note is not None:
            self._journal.append(note)
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

    def direct(self, what: str, subject: int, who: str) -> None:
        """Does what the director asks. Raises Refused."""
        self.turn()
        self._write(self.tournament.direct(what, subject, who, self.room, self.now_ms()))
        self.rev += 1
        self.live.touch("strip", "wall", "desk", "proposals", "calls", "log")
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
        now_ms = self.now_ms()
        plan, tournament = self.config.tournament, self.tournament
        units = {unit.unit: unit for unit in self.units()}
        behind = any(unit.last > unit.wm for unit in units.values())
        waiting_for = (*(("events",) if behind else ()), *tournament.waiting_for(self.room, now_ms))
        in_transit = sum(transit.stack for transit in self.room.transit.values())
        return Picture(
            title=plan.title,
            site=self.config.site,
            rev=self.rev,
            hub=self.store.epoch,
            book=plan.book,
            stage="over" if tournament.finished else "playing" if tournament.started else "seating",
            clock=self._face(now_ms),
            tables=tuple(self._card(table.unit, units.get(table.unit)) for table in tournament.in_use(self.room)),
            tape=tuple(self.room.tape),
            places=tournament.places(self.room),
            proposals=tournament.proposal_views(),
            log=tuple(self._journal),
            entrants=len(tournament.entrants),
            players_left=tournament.left(self.room),
            chips=len(tournament.entrants) * plan.stack + self.room.change,
            quiescent=not waiting_for,
            broker=self.link_up(),
            in_transit=in_transit,
            waiting_for=waiting_for,
            alarms=tuple(self._alarms(units, waiting_for)),
        )

    def _alarms(self, units: dict[str, UnitPicture], waiting_for: tuple[str, ...]) -> list[Alarm]:
        now = utc_ms()
        alarms = [*self.badges.alarms(now), *self.tournament.alarms(), *self.pace.alarms(now)]
        alarms += self.pace.late(self.room.transit.values(), now)
        alarms += [
            Alarm("quarantined", name=u.unit, why=u.why) for u in units.values() if u.status is UnitStatus.QUARANTINED
        ]
        settled = all(table.settled for table in self.room.tables.values())
        expected = len(self.tournament.entrants) * self.config.tournament.stack + self.room.change
        if not waiting_for and settled and self.room.chips_in_play() != expected:
            alarms.append(Alarm("chips", counted=self.room.chips_in_play(), expected=expected))
        return alarms

    def _card(self, unit: str, heard: UnitPicture | None) -> TableCard:
        table = self.room.tables[unit]
        return TableCard(
            table_no=table.table_no,
            unit=unit,
            view=table.view,
            link=Link.NEVER if heard is None else link_of(heard),
            age_ms=None if heard is None or heard.heard_ago_ms < 0 else heard.heard_ago_ms,
            floor=table.floor,
            closed=table.table_no in self.tournament.closed,
            running=table.running,
            hand_rev=table.hand_rev,
            ep=0 if heard is None else heard.ep,
            wm=0 if heard is None else heard.wm,
        )

    def _face(self, now_ms: int) -> ClockFace:
        clock, now = self.tournament.clock, self.tournament.reading(now_ms)
        following = clock.schedule[now.index + 1 : now.index + 2]
        return ClockFace(
            state=self._clock_state(now),
            rev=clock.rev,
            now_ms=now_ms,
            remaining_ms=now.remaining_ms,
            real_time=not self.config.tournament.clock_file,
            level=now.level,
            level_no=now.level.number if now.level is not None else 0,
            next_level=now.next_level,
            next_is_break=bool(following) and following[0].level is None,
            next_break_ms=now.next_break_ms,
            announced=clock.announced,
        )

    def _clock_state(self, now: ClockReading) -> ClockState:
        if self.tournament.finished:
            return ClockState.OVER
        if not self.tournament.started:
            return ClockState.BEFORE
        if not now.running:
            return ClockState.PAUSED
        return ClockState.BREAK if now.on_break else ClockState.RUNNING


def link_of(unit: UnitPicture) -> Link:
    """How fresh a unit's news is; one that was never heard of since the hub started is not called lost."""
    if unit.heard_ago_ms < 0 and unit.live is UnitLive.LOST:
        return Link.NEVER
    return LINKS[unit.live]


def note_of(entry: AnyEntry, utc: int) -> Note | None:
    """An entry as a line of the log; None for what only machines care about."""
    match entry:
        case Drawn():
            return Note(utc, "drawn", HUB, "" if entry.seed is None else str(entry.seed))
        case Started():
            return Note(utc, "started", entry.who)
        case ClockSet():
            level = entry.clock.schedule[entry.clock.index].level
            stakes = "" if level is None else f"{level.small_blind}/{level.big_blind}"
            return Note(utc, entry.what if entry.what != "started" else "clock", entry.who, stakes)
        case Proposed():
            return Note(utc, "proposed", HUB, number=entry.id, articles=entry.articles, legs=entry.legs)
        case Decided():
            return Note(utc, "confirmed" if entry.yes else "rejected", entry.who, number=entry.id)
        case Closed():
            return Note(utc, "done" if entry.done else "withdrawn", HUB, number=entry.id)
        case Ruled():
            return Note(utc, "ruled", entry.who, entry.what, entry.table_no)
        case Retried():
            return Note(utc, "retried", entry.who, number=entry.table_no)
        case Finished():
            return Note(utc, "finished", CLOCK)
        case _:
            return None


def _nowhere(_: wire.Clock) -> None:
    """Nobody to publish to yet."""


def _silent() -> None:
    """Nobody to wake yet."""
