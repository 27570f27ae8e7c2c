"""What the hub knows, in one SQLite file: every event of every table, and what follows from them.

Theory of operation. A table numbers its events (`seq`) within an incarnation of its outbox (`ep`). `commit` writes a
batch of them, the watermarks they raise and the rows derived from them (hands, seats, eliminations, seat changes) in
one transaction with `synchronous=FULL`; only after it returns may anything be acknowledged. The key (unit, ep, seq) is
unique, so an event counts once however often it comes.

A hand is told again under a higher `hand_rev` when a dealer took something back. The derived rows always speak of the
highest revision: the first event of a new one strikes what the older ones said of that hand and of the hands after it.
The log itself keeps everything.

Events that cannot be applied are kept raw under a `Standing` other than OK and never hold up those behind them.
Payloads that are no event at all go to the quarantine with the reason.

Threads: every method may be called from any thread. Writers take one lock and one connection, a transaction each;
`transaction` joins several writes (and the caller's own tables) into one. Readers have a connection per thread and see
what is committed. `close` when all threads are done.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine import wire
from hub.hubtime import NowMs, hub_time, utc_ms

SCHEMA = 1
BUSY_MS = 5_000
KEPT_RAW = 8 * 1024  # bytes of a quarantined payload that are kept
KEPT_QUARANTINE = 10_000  # payloads
KEPT_ALARMS = 10_000
KEPT_COMMANDS = 50_000

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE units(
  unit TEXT PRIMARY KEY, status TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', table_no INTEGER NOT NULL DEFAULT 0,
  tournament TEXT NOT NULL DEFAULT '', book TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0,
  chip INTEGER NOT NULL DEFAULT 1, rev INTEGER NOT NULL DEFAULT 0, ep INTEGER NOT NULL DEFAULT 0,
  confirmed INTEGER NOT NULL DEFAULT 0, wm INTEGER NOT NULL DEFAULT 0, boot INTEGER NOT NULL DEFAULT 0,
  said_ep INTEGER NOT NULL DEFAULT 0, said_last INTEGER NOT NULL DEFAULT 0, said_acked INTEGER NOT NULL DEFAULT 0,
  said_rev INTEGER NOT NULL DEFAULT 0, fw TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE table_numbers(unit TEXT, table_no INTEGER, PRIMARY KEY(unit, table_no)) WITHOUT ROWID;
CREATE TABLE events(
  cursor INTEGER PRIMARY KEY, unit TEXT NOT NULL, ep INTEGER NOT NULL, seq INTEGER NOT NULL, digest BLOB NOT NULL,
  standing TEXT NOT NULL, at_ms INTEGER NOT NULL, raw BLOB NOT NULL);
CREATE UNIQUE INDEX events_key ON events(unit, ep, seq);
CREATE TABLE quarantine(
  k INTEGER PRIMARY KEY AUTOINCREMENT, utc INTEGER NOT NULL, unit TEXT NOT NULL, reason TEXT NOT NULL,
  digest BLOB NOT NULL, raw BLOB NOT NULL, times INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX quarantine_key ON quarantine(unit, digest);
CREATE TABLE alarms(
  k INTEGER PRIMARY KEY AUTOINCREMENT, utc INTEGER NOT NULL, unit TEXT NOT NULL, what TEXT NOT NULL,
  text TEXT NOT NULL);
CREATE TABLE hands(
  unit TEXT, ep INTEGER, hand INTEGER, rev INTEGER NOT NULL, table_no INTEGER NOT NULL, over INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(unit, ep, hand)) WITHOUT ROWID;
CREATE TABLE seats(
  unit TEXT, seat INTEGER, player TEXT NOT NULL, name TEXT NOT NULL, stack INTEGER NOT NULL,
  PRIMARY KEY(unit, seat)) WITHOUT ROWID;
CREATE TABLE eliminations(
  cursor INTEGER PRIMARY KEY, unit TEXT, ep INTEGER, hand INTEGER, table_no INTEGER, seat INTEGER, player TEXT,
  stack_before INTEGER, utc INTEGER);
CREATE INDEX eliminations_hand ON eliminations(unit, ep, hand);
CREATE TABLE seat_changes(
  cursor INTEGER PRIMARY KEY, unit TEXT, ep INTEGER, hand INTEGER, table_no INTEGER, seat INTEGER, player TEXT,
  name TEXT, stack INTEGER, sat INTEGER, why TEXT, utc INTEGER);
CREATE INDEX seat_changes_hand ON seat_changes(unit, ep, hand);
CREATE TABLE snapshots(unit TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE commands(
  k INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, unit TEXT NOT NULL, hand INTEGER NOT NULL,
  exp_ms INTEGER NOT NULL, body BLOB NOT NULL, rc TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0);
CREATE INDEX commands_open ON commands(unit, k) WHERE rc='';
"""

_STRIKE = (  # a hand, and those after it, that a new revision replaces
    "DELETE FROM hands WHERE unit=? AND ep=? AND hand>=?",
    "DELETE FROM eliminations WHERE unit=? AND ep=? AND hand>=?",
    "DELETE FROM seat_changes WHERE unit=? AND ep=? AND hand>=?",
)


class StoreError(Exception):
    """The hub's file cannot be used; the text says what to do."""


class Standing(StrEnum):
    """What became of an event."""

    OK = "ok"
    UNKNOWN = "unknown"  # a kind this version does not have
    MALFORMED = "malformed"  # a known kind whose body does not fit
    POISON = "poison"  # no event; its place in the stream is taken so that the stream goes on
    OTHER_TABLE = "other_table"  # names a table this unit never was
    OLD_HAND = "old_hand"  # of a hand, or a revision of one, that has been replaced


class UnitStatus(StrEnum):
    """What a unit is to the hub."""

    SEEN = "seen"  # it reported itself and has no table
    ADOPTED = "adopted"
    QUARANTINED = "quarantined"  # two units speak under one name, or an old card was restored: nothing is applied
    RETIRED = "retired"  # another unit has its table


class Unit(NamedTuple):
    """A unit as the hub keeps it. `wm`: all its events of `ep` up to here are committed; `said_*`: its last birth."""

    unit: str
    status: UnitStatus
    why: str
    table_no: int
    tournament: str
    book: str
    size: int
    chip: int
    rev: int
    ep: int
    confirmed: bool
    wm: int
    boot: int
    said_ep: int
    said_last: int
    said_acked: int
    said_rev: int
    fw: str


class Incoming(NamedTuple):
    """One event on its way into the store. `body` is None unless `standing` is OK."""

    envelope: wire.Envelope
    body: wire.Body | None
    digest: bytes
    raw: bytes
    standing: Standing = Standing.OK


class StoredEvent(NamedTuple):
    """One committed event. `cursor` rises with every commit; `body` is None unless `standing` is OK."""

    cursor: int
    envelope: wire.Envelope
    body: wire.Body | None
    standing: Standing
    at_ms: int  # hub time of the commit


class Seat(NamedTuple):
    """Who sits where with how many chips, as of the table's last hand start, hand end or seat change."""

    unit: str
    seat: int
    player: str
    name: str
    stack: int


class Elimination(NamedTuple):
    """A player who is out, as the highest revision of that hand says."""

    cursor: int
    unit: str
    ep: int
    hand: int
    table_no: int
    seat: int
    player: str
    stack_before: int
    utc_ms: int


class SeatChange(NamedTuple):
    """A player who sat down or left, as the highest revision of that hand says."""

    cursor: int
    unit: str
    ep: int
    hand: int
    table_no: int
    seat: int
    player: str
    name: str
    stack: int
    sat: bool
    why: str
    utc_ms: int


class CommandStatus(NamedTuple):
    """A command and its fate. `rc` is empty while it is open; else a `wire.Result`'s, or `expired`."""

    id: str
    unit: str
    hand: int
    exp_ms: int
    body: bytes
    rc: str
    why: str
    tries: int


class Quarantined(NamedTuple):
    """A payload that was no message of ours, and why."""

    utc_ms: int
    unit: str
    reason: str
    raw: bytes
    times: int


class Alarm(NamedTuple):
    """Something a person must look at."""

    utc_ms: int
    unit: str
    what: str
    text: str


class Store:
    """The hub's file at `path`. Raises StoreError when it cannot be used. `epoch` is higher after each opening."""

    def __init__(self, path: str | Path, now_ms: NowMs | None = None) -> None:
        self.path = Path(path)
        self.now_ms = now_ms or hub_time()
        self._lock = threading.RLock()
        self._writer = 0  # the thread whose transaction is open
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._listeners: list[Callable[[], None]] = []
        self._hands: dict[tuple[str, int], tuple[int, int]] = {}
        self._numbers: dict[str, set[int]] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._open()
            with self.transaction() as db:
                self.epoch = int(self._meta("epoch") or 0) + 1
                db.execute("INSERT OR REPLACE INTO meta VALUES('epoch', ?)", (str(self.epoch),))
        except (OSError, sqlite3.Error) as trouble:
            raise StoreError(f"{self.path}: {trouble}; check that the hub's user may write its data_dir") from trouble

    def close(self) -> None:
        """Gives the file back; after the last thread that uses the store has ended."""
        with self._lock:
            for reader in self._readers:
                reader.close()
            self._readers.clear()
            self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction for everything done inside, from this thread; the caller may write tables of its own.

        Nests: the outermost commits. On an exception everything inside is rolled back and the exception goes on.
        """
        with self._lock:
            if self._writer:
                yield self._db
                return
            self._db.execute("BEGIN IMMEDIATE")
            self._writer = threading.get_ident()
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                self._hands.clear()
                self._numbers.clear()
                raise
            else:
                self._db.execute("COMMIT")
            finally:
                self._writer = 0

    def on_outgoing(self, listener: Callable[[], None]) -> None:
        """Calls `listener` (which must only set a flag or enqueue) after a command or an adoption was written."""
        self._listeners.append(listener)

    # --- events

    def commit(self, batch: Sequence[Incoming]) -> list[StoredEvent]:
        """Writes events, raises their units' watermarks and derives what follows, in one transaction.

        For each unit the batch must go on at its watermark + 1 without a gap, under its current `ep`; the caller sees
        to it. Raises StoreError if it does not; nothing is written then.
        """
        stored: list[StoredEvent] = []
        at_ms = int(self.now_ms())
        marks: dict[str, tuple[int, int]] = {}
        with self.transaction() as db:
            for item in batch:
                e = item.envelope
                ep, wm = marks.get(e.unit) or self._mark(e.unit)
                if e.ep != ep or e.seq != wm + 1:
                    raise StoreError(f"{e.unit}: event {e.ep}/{e.seq} does not follow {ep}/{wm}")
                marks[e.unit] = (ep, e.seq)
                standing = self._place(item)
                cursor = db.execute(
                    "INSERT INTO events(unit, ep, seq, digest, standing, at_ms, raw) VALUES(?,?,?,?,?,?,?)",
                    (e.unit, e.ep, e.seq, item.digest, standing.value, at_ms, item.raw),
                ).lastrowid
                assert cursor is not None
                body = item.body if standing is Standing.OK else None
                if body is not None:
                    self._derive(db, cursor, e, body)
                stored.append(StoredEvent(cursor, e, body, standing, at_ms))
            db.executemany("UPDATE units SET wm=? WHERE unit=?", [(wm, unit) for unit, (_, wm) in marks.items()])
        return stored

    def events_after(self, cursor: int, limit: int = 1000) -> list[StoredEvent]:
        """Up to `limit` committed events behind `cursor` (0: from the beginning), oldest first."""
        rows = self._read().execute(
            "SELECT cursor, raw, standing, at_ms, unit, ep, seq FROM events WHERE cursor>? ORDER BY cursor LIMIT ?",
            (cursor, limit),
        )
        return [_stored(*row) for row in rows]

    def last_cursor(self) -> int:
        """The cursor of the newest event; 0 if there is none."""
        return int(self._one("SELECT coalesce(max(cursor), 0) FROM events"))

    def digest_of(self, unit: str, ep: int, seq: int) -> bytes | None:
        """What an event already committed looked like; None if it was not (or was before a new adoption)."""
        row = self._read().execute(
            "SELECT digest FROM events WHERE unit=? AND ep=? AND seq=?", (unit, ep, seq)
        ).fetchone()
        return None if row is None else bytes(row[0])

    # --- units

    def unit(self, unit: str) -> Unit | None:
        """What the hub knows of one unit."""
        row = self._read().execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone()
        return None if row is None else _unit(row)

    def units(self) -> list[Unit]:
        """All units, by table number and name."""
        return [_unit(row) for row in self._read().execute("SELECT * FROM units ORDER BY table_no, unit")]

    def unit_at(self, table_no: int) -> Unit | None:
        """The unit that serves this table now."""
        row = self._read().execute(
            "SELECT * FROM units WHERE table_no=? AND status<>?", (table_no, UnitStatus.RETIRED)
        ).fetchone()
        return None if row is None else _unit(row)

    def heard(self, unit: str, said: wire.UnitState) -> Unit:
        """Notes a birth (`up/state` with st ready) and gives the unit as it now stands.

        A fresh outbox (`ep` 0 after one was confirmed), an `ep` this hub never issued, and one of which more was
        acknowledged than this hub has (by a hub whose file is lost) get a new, higher `ep`. An older `ep`, or less
        than was already acknowledged, is an old card restored: the unit is quarantined.
        """
        with self.transaction() as db:
            db.execute("INSERT OR IGNORE INTO units(unit, status) VALUES(?, ?)", (unit, UnitStatus.SEEN))
            db.execute(
                "UPDATE units SET boot=max(boot, ?), said_ep=?, said_last=?, said_acked=?, said_rev=?, fw=?"
                " WHERE unit=?",
                (said.boot, said.ep, said.last, said.acked, said.cfg_rev, said.fw, unit),
            )
            now = self._unit(unit)
            if now.status is not UnitStatus.ADOPTED:
                return now
            if said.ep == now.ep and said.acked > now.wm:
                text = f"events {now.wm + 1} to {said.acked} went to another hub, or to a file of ours that is lost"
                self.alarm(unit, "lost", text)
                self._issue(db, self._unit(unit))
            elif said.ep == now.ep:
                db.execute("UPDATE units SET confirmed=1 WHERE unit=?", (unit,))
                if said.last < now.wm:
                    self.quarantine_unit(unit, f"its outbox ends at {said.last}, {now.wm} was committed: an old card?")
            elif said.ep > now.ep or (said.ep == 0 and now.confirmed):
                self._issue(db, self._unit(unit))
            elif said.ep:
                self.quarantine_unit(unit, f"it speaks under outbox {said.ep}, {now.ep} was issued: an old card?")
            return self._unit(unit)

    def adopt(
        self, unit: str, table_no: int, *, tournament: str = "", book: str = "lifeclub", size: int = 10, chip: int = 1
    ) -> wire.Adopt:
        """Gives the unit a table; whoever had that table is retired. Lifts a quarantine, with a new `ep`.

        The adoption goes out retained, signed, and again at each connect. Raises ValueError on a bad unit id.
        """
        wire.Topics("x").unit(unit, "")
        with self.transaction() as db:
            db.execute("INSERT OR IGNORE INTO units(unit, status) VALUES(?, ?)", (unit, UnitStatus.SEEN))
            db.execute(
                "UPDATE units SET status=?, table_no=0 WHERE table_no=? AND unit<>?",
                (UnitStatus.RETIRED, table_no, unit),
            )
            was = self._unit(unit)
            db.execute(
                "UPDATE units SET status=?, why='', table_no=?, tournament=?, book=?, size=?, chip=?,"
                " rev=max(rev, said_rev)+1 WHERE unit=?",
                (UnitStatus.ADOPTED, table_no, tournament, book, size, chip, unit),
            )
            db.execute("INSERT OR IGNORE INTO table_numbers VALUES(?,?)", (unit, table_no))
            self._numbers.pop(unit, None)
            if was.ep == 0 or was.status is UnitStatus.QUARANTINED or was.said_ep > was.ep:
                self._issue(db, self._unit(unit))
            adopted = self.adoption(unit)
        assert adopted is not None
        self._tell()
        return adopted

    def adoption(self, unit: str) -> wire.Adopt | None:
        """What the hub wants of this unit, without key and signature; None if it has no table."""
        with self._lock:
            row = self._db.execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone()
            if row is None or (u := _unit(row)).status is not UnitStatus.ADOPTED:
                return None
            return wire.Adopt(
                u.rev, u.ep, u.table_no, u.tournament, u.book, u.size, u.chip,
                badge_key=self.badge_key(), revoked=self.revoked_badges(),
            )  # fmt: skip

    def badge_key(self) -> str:
        """The site's key for badge hashes (hexadecimal), made once."""
        with self.transaction() as db:
            known = self._meta("badge_key")
            if known is None:
                known = secrets.token_hex(32)
                db.execute("INSERT INTO meta VALUES('badge_key', ?)", (known,))
            return known

    def revoked_badges(self) -> tuple[str, ...]:
        """Hashes of badges that are refused at every table."""
        with self._lock:
            known = self._meta("revoked")
        return () if known is None else msgspec.json.decode(known, type=tuple[str, ...])

    def revoke_badges(self, badges: tuple[str, ...]) -> None:
        """From now on these badges are refused, and no others. Tables hear of it by a new adoption, if it is news."""
        with self.transaction() as db:
            if set(badges) == set(self.revoked_badges()):
                return
            db.execute("INSERT OR REPLACE INTO meta VALUES('revoked', ?)", (msgspec.json.encode(badges).decode(),))
            db.execute("UPDATE units SET rev=max(rev, said_rev)+1 WHERE status=?", (UnitStatus.ADOPTED,))
        self._tell()

    def quarantine_unit(self, unit: str, why: str) -> None:
        """From now on nothing of this unit is applied or acknowledged, until it is adopted anew."""
        with self.transaction() as db:
            changed = db.execute(
                "UPDATE units SET status=?, why=? WHERE unit=? AND status<>?",
                (UnitStatus.QUARANTINED, why, unit, UnitStatus.QUARANTINED),
            ).rowcount
            if changed:
                self.alarm(unit, "fork", why)

    # --- what could not be used

    def quarantine(self, unit: str, reason: str, raw: bytes) -> int:
        """Keeps a payload that is no message of ours. How often it has come."""
        with self.transaction() as db:
            row = db.execute(
                "INSERT INTO quarantine(utc, unit, reason, digest, raw) VALUES(?,?,?,?,?)"
                " ON CONFLICT(unit, digest) DO UPDATE SET times=times+1 RETURNING k, times",
                (utc_ms(), unit, reason, wire.digest_of_bytes(raw), raw[:KEPT_RAW]),
            ).fetchone()
            db.execute("DELETE FROM quarantine WHERE k<=?", (row[0] - KEPT_QUARANTINE,))
            return int(row[1])

    def quarantined(self, unit: str = "") -> list[Quarantined]:
        """The quarantine, oldest first; of one unit, or of all."""
        rows = self._read().execute(
            "SELECT utc, unit, reason, raw, times FROM quarantine WHERE ?='' OR unit=? ORDER BY k", (unit, unit)
        )
        return [Quarantined(*row) for row in rows]

    def alarm(self, unit: str, what: str, text: str) -> None:
        """Notes something a person must look at."""
        with self.transaction() as db:
            k = db.execute(
                "INSERT INTO alarms(utc, unit, what, text) VALUES(?,?,?,?)", (utc_ms(), unit, what, text)
            ).lastrowid
            db.execute("DELETE FROM alarms WHERE k<=?", ((k or 0) - KEPT_ALARMS,))

    def alarms(self) -> list[Alarm]:
        """All alarms, oldest first."""
        return [Alarm(*row) for row in self._read().execute("SELECT utc, unit, what, text FROM alarms ORDER BY k")]

    # --- what follows from the events

    def seats(self, unit: str = "") -> list[Seat]:
        """Taken seats; of one unit, or of all that serve a table."""
        rows = self._read().execute(
            "SELECT s.* FROM seats s JOIN units u ON u.unit=s.unit WHERE s.unit=? OR (?='' AND u.status<>?)"
            " ORDER BY s.unit, s.seat",
            (unit, unit, UnitStatus.RETIRED),
        )
        return [Seat(*row) for row in rows]

    def eliminations(self) -> list[Elimination]:
        """Everybody who is out, in the order of commit."""
        return [Elimination(*row) for row in self._read().execute("SELECT * FROM eliminations ORDER BY cursor")]

    def seat_changes(self, after: int = 0) -> list[SeatChange]:
        """Who sat down or left, behind `after`, in the order of commit."""
        rows = self._read().execute("SELECT * FROM seat_changes WHERE cursor>? ORDER BY cursor", (after,))
        return [SeatChange(*row)._replace(sat=bool(row[9])) for row in rows]

    def hand(self, unit: str) -> tuple[int, int]:
        """Number and revision of the hand this unit told of last; zeros if none."""
        with self._lock:
            return self._newest_hand(unit, self._mark(unit)[0])

    def keep_snapshot(self, unit: str, snapshot: wire.Snapshot) -> None:
        """Keeps a table's own full picture; the last one of each unit."""
        with self.transaction() as db:
            db.execute("INSERT OR REPLACE INTO snapshots VALUES(?,?)", (unit, wire.encode(snapshot)))

    def snapshot(self, unit: str) -> wire.Snapshot | None:
        """The last full picture a table sent."""
        row = self._read().execute("SELECT body FROM snapshots WHERE unit=?", (unit,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=wire.Snapshot)

    # --- commands

    def send(
        self,
        unit: str,
        body: wire.CommandBody,
        when: wire.Precondition = wire.Precondition(),  # noqa: B008 - frozen
        expires_ms: int = 30_000,
    ) -> str:
        """Puts a command for `unit` into the hub's own outbox and gives its id.

        Each unit gets its commands one at a time, in this order, each repeated until it answers or `expires_ms` of hub
        time have passed. Inside `transaction` it is sent only if that commits.
        """
        with self.transaction() as db:
            command = f"c-{self.epoch}-{secrets.token_hex(6)}"
            k = db.execute(
                "INSERT INTO commands(id, unit, hand, exp_ms, body) VALUES(?,?,?,?,?)",
                (command, unit, when.hand, int(self.now_ms()) + expires_ms, wire.encode(body)),
            ).lastrowid
            db.execute("DELETE FROM commands WHERE rc<>'' AND k<=?", ((k or 0) - KEPT_COMMANDS,))
        self._tell()
        return command

    def command(self, command: str) -> CommandStatus | None:
        """The fate of one command."""
        row = self._read().execute(
            "SELECT id, unit, hand, exp_ms, body, rc, why, tries FROM commands WHERE id=?", (command,)
        ).fetchone()
        return None if row is None else CommandStatus(*row)

    def open_commands(self) -> list[CommandStatus]:
        """The oldest unanswered command of each unit."""
        rows = self._read().execute(
            "SELECT id, unit, hand, exp_ms, body, rc, why, tries FROM commands"
            " WHERE k IN (SELECT min(k) FROM commands WHERE rc='' GROUP BY unit)"
        )
        return [CommandStatus(*row) for row in rows]

    def tried(self, command: str) -> None:
        """Notes that a command was sent (again)."""
        with self.transaction() as db:
            db.execute("UPDATE commands SET tries=tries+1 WHERE id=?", (command,))

    def answered(self, unit: str, result: wire.Result) -> CommandStatus | None:
        """Notes a command's result; None if it is no open command of this unit."""
        with self.transaction() as db:
            row = db.execute(
                "UPDATE commands SET rc=?, why=? WHERE id=? AND unit=? AND rc=''"
                " RETURNING id, unit, hand, exp_ms, body, rc, why, tries",
                (result.rc or "refused", result.why, result.id, unit),
            ).fetchone()
        return None if row is None else CommandStatus(*row)

    # --- inside

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
            db.executescript("BEGIN;" + _TABLES + f"INSERT INTO meta VALUES('schema', '{SCHEMA}');COMMIT;")
        (schema,) = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if int(schema) != SCHEMA:
            db.close()
            raise StoreError(f"{self.path}: made by another version (schema {schema}, this one has {SCHEMA})")
        return db

    def _read(self) -> sqlite3.Connection:
        """This thread's view: its own read connection, or inside a transaction the writer's."""
        if self._writer == threading.get_ident():
            return self._db
        reader: sqlite3.Connection | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = sqlite3.connect(
                f"file:{self.path}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_MS / 1000
            )
            self._local.reader = reader
            self._readers.append(reader)  # atomic; a writer's lock would make readers wait
        return reader

    def _one(self, sql: str, *values: Any) -> Any:
        return self._read().execute(sql, values).fetchone()[0]

    def _meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _unit(self, unit: str) -> Unit:
        """Inside a transaction: the unit, which must be there."""
        return _unit(self._db.execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone())

    def _mark(self, unit: str) -> tuple[int, int]:
        row = self._db.execute("SELECT ep, wm FROM units WHERE unit=?", (unit,)).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    def _issue(self, db: sqlite3.Connection, u: Unit) -> None:
        """A new incarnation, higher than any before; it begins behind what the unit has forgotten."""
        acked = u.said_acked if u.said_ep or u.said_acked else 0
        db.execute(
            "UPDATE units SET ep=?, wm=?, confirmed=0, rev=max(rev, said_rev)+1 WHERE unit=?",
            (max(u.ep, u.said_ep) + 1, acked, u.unit),
        )

    def _newest_hand(self, unit: str, ep: int) -> tuple[int, int]:
        known = self._hands.get((unit, ep))
        if known is None:
            row = self._db.execute(
                "SELECT hand, rev FROM hands WHERE unit=? AND ep=? ORDER BY hand DESC LIMIT 1", (unit, ep)
            ).fetchone()
            known = self._hands[(unit, ep)] = (row[0], row[1]) if row else (0, 0)
        return known

    def _numbers_of(self, unit: str) -> set[int]:
        known = self._numbers.get(unit)
        if known is None:
            rows = self._db.execute("SELECT table_no FROM table_numbers WHERE unit=?", (unit,))
            known = self._numbers[unit] = {0, *(number for (number,) in rows)}
        return known

    def _place(self, item: Incoming) -> Standing:
        """Does this event count? Opens its hand, or a new revision of it, when it is the first of one."""
        e = item.envelope
        if item.standing is not Standing.OK:
            return item.standing
        if e.table not in self._numbers_of(e.unit):
            return Standing.OTHER_TABLE
        if e.hand == 0:
            return Standing.OK
        hand, rev = self._newest_hand(e.unit, e.ep)
        if (e.hand, e.hand_rev) == (hand, rev):
            return Standing.OK
        if e.hand > hand:
            self._open_hand(e)
            return Standing.OK
        row = self._db.execute(
            "SELECT rev FROM hands WHERE unit=? AND ep=? AND hand=?", (e.unit, e.ep, e.hand)
        ).fetchone()
        if row is None or e.hand_rev <= row[0]:
            return Standing.OLD_HAND
        for strike in _STRIKE:
            self._db.execute(strike, (e.unit, e.ep, e.hand))
        self._open_hand(e)
        return Standing.OK

    def _open_hand(self, e: wire.Envelope) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO hands(unit, ep, hand, rev, table_no) VALUES(?,?,?,?,?)",
            (e.unit, e.ep, e.hand, e.hand_rev, e.table),
        )
        self._hands[(e.unit, e.ep)] = (e.hand, e.hand_rev)

    def _derive(self, db: sqlite3.Connection, cursor: int, e: wire.Envelope, body: wire.Body) -> None:
        """The rows that follow from one event that counts."""
        match body:
            case wire.HandStarted():
                db.execute("DELETE FROM seats WHERE unit=?", (e.unit,))
                db.executemany(
                    "INSERT INTO seats VALUES(?,?,?,?,?)",
                    [
                        (e.unit, s.seat, s.player, s.name, body.stacks_before.get(s.seat, s.stack))
                        for s in body.seats
                        if s.player
                    ],
                )
            case wire.HandEnded():
                db.executemany(
                    "UPDATE seats SET stack=? WHERE unit=? AND seat=?",
                    [(stack, e.unit, seat) for seat, stack in body.stacks.items()],
                )
                db.execute("UPDATE hands SET over=1 WHERE unit=? AND ep=? AND hand=?", (e.unit, e.ep, e.hand))
            case wire.Eliminated():
                db.execute("DELETE FROM seats WHERE unit=? AND seat=?", (e.unit, body.seat))
                db.execute(
                    "INSERT INTO eliminations VALUES(?,?,?,?,?,?,?,?,?)",
                    (cursor, e.unit, e.ep, e.hand, e.table, body.seat, body.player, body.stack_before, e.t.utc),
                )
            case wire.SeatChanged():
                db.execute("DELETE FROM seats WHERE unit=? AND seat=?", (e.unit, body.seat))
                if body.sat and body.why == wire.REINSTATED:
                    db.execute(
                        "DELETE FROM eliminations WHERE unit=? AND ep=? AND hand=? AND player=?",
                        (e.unit, e.ep, e.hand, body.player),
                    )
                if body.sat:
                    db.execute(
                        "INSERT INTO seats VALUES(?,?,?,?,?)", (e.unit, body.seat, body.player, body.name, body.stack)
                    )
                db.execute(
                    "INSERT INTO seat_changes VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                    (cursor, e.unit, e.ep, e.hand, e.table, body.seat, body.player, body.name, body.stack,
                     body.sat, body.why, e.t.utc),
                )  # fmt: skip
            case wire.ChipsRaced():
                db.executemany(
                    "UPDATE seats SET stack=? WHERE unit=? AND seat=?",
                    [(stack, e.unit, seat) for seat, stack in body.stacks.items()],
                )
            case wire.BlindsTaken():
                db.execute("UPDATE seats SET stack=stack-? WHERE unit=? AND seat=?", (body.chips, e.unit, body.seat))
            case wire.ChipsCounted():
                db.execute("UPDATE seats SET stack=? WHERE unit=? AND seat=?", (body.after, e.unit, body.seat))
            case _:
                pass


def _unit(row: Sequence[Any]) -> Unit:
    values = list(row)
    values[1], values[10] = UnitStatus(values[1]), bool(values[10])
    return Unit(*values)


def _stored(cursor: int, raw: bytes, standing: str, at_ms: int, unit: str, ep: int, seq: int) -> StoredEvent:
    how = Standing(standing)
    if how is Standing.POISON:
        return StoredEvent(cursor, poison_envelope(unit, ep, seq), None, how, at_ms)
    envelope = msgspec.json.decode(raw, type=wire.Envelope)
    body = wire.decode_body(envelope) if how is Standing.OK else None
    return StoredEvent(cursor, envelope, body, how, at_ms)


def poison_envelope(unit: str, ep: int, seq: int) -> wire.Envelope:
    """What stands in the stream where a payload that was no event came."""
    return wire.Envelope(unit, ep, seq, "poison", 0, 0, wire.Stamp(0, 0), msgspec.Raw(b"{}"))
