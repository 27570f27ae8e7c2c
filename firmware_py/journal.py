"""The table's memory: one SQLite file that survives kill -9 and power cuts, and that shows whether somebody changed it.

Theory of operation. Every deed that changed the table is one row of `entries`, in order, chained by SHA-256 to the row
before. The deed, the engine's events and what the hub is to hear (the outbox) are written in one transaction with
`synchronous=FULL`; nothing is shown or sent before that transaction is on the disk (SQLite, "Atomic Commit In SQLite").
At each hand's end a snapshot of the state is kept. Recovery and undo are the same thing: the last snapshot, then the
entries after it without those that were struck.

A blob that names a card which nobody at the table has seen lies sealed beside a version without that card; two hands
later it is erased. The chain covers the seal's digest, so erasing breaks nothing.

The crank is the only writer. `outbox_after` and the other readers below the line use a connection of their own and may
be called from any thread. The envelope of an event is made when it is sent, from columns that never change, so that the
same event always has the same bytes (the hub compares digests).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from engine.inputs import UNKNOWN_CARD, Input
from engine.wire import Adopt, Body, Envelope, Result, Stamp, kind_of
from firmware_py.sealing import Sealer

FILE_NAME = "journal.sqlite"
SCHEMA = 1
MAX_BODY_BYTES = 4096          # of one deed or event; a public body must fit an MQTT message (engine.wire.MAX_BYTES)
KEPT_SNAPSHOTS = 4             # hands one can go back to
KEPT_RESULTS = 256             # answered commands of the hub, so that a repeat is answered and not done twice
KEPT_ENTRIES = 100_000         # some days of play; older ones are dropped, up to a checkpoint
CHECKPOINT_EVERY = 5_000       # entries between two states that are kept as possible beginnings of the journal
OUTBOX_WARNING = 1_000         # unacknowledged events from which the table says so
BUSY_MS = 5_000

T = TypeVar("T")


class JournalError(Exception):
    """The journal cannot be used; the text says what to do."""


# --- deeds that are the unit's own and not the engine's


class TableOpened(msgspec.Struct, frozen=True, tag=True):
    """A table begins: its book, seats and smallest chip. The first entry of every journal."""

    book: str
    size: int
    chip: int


class Struck(msgspec.Struct, frozen=True, tag=True):
    """Entry `n` was taken back (undo); hand `hand` is told to the hub again as revision `rev`.

    Every entry after `since` was decided again without it; the events kept with this entry are those of all of them.
    """

    n: int
    hand: int
    rev: int
    since: int = 0


class DealerTapped(msgspec.Struct, frozen=True, tag=True):
    """A dealer came on. `dealer` is a keyed hash of the badge, never its number."""

    dealer: str
    with_pin: bool = False


class Adopted(msgspec.Struct, frozen=True, tag=True):
    """The hub adopted this outbox and gave the unit its table."""

    adopt: Adopt


Deed = Input | TableOpened | Struck | DealerTapped | Adopted


class Entry(NamedTuple):
    """One row: its number, the boot it happened in, when (monotonic ms of that boot), from where, and the deed."""

    n: int
    boot: int
    at_ms: int
    source: str
    deed: Deed


class Out(NamedTuple):
    """One public event for the hub: the hand it belongs to, that hand's revision, and the body."""

    hand: int
    hand_rev: int
    body: Body
    cause: str = ""


class Happened(NamedTuple):
    """One event of the engine as JSON; `of`: the entry it follows from where that is another one (after an undo)."""

    event: bytes
    of: int = 0


class Kept(NamedTuple):
    """A snapshot: the state after entry `n`, encoded by whoever asked for it."""

    n: int
    state: bytes


class Line(NamedTuple):
    """One entry as anybody may read it: unseen cards are "??" in the deed and in the events.

    `ruling` in the words of the hand scripts (docs/hand-scripts.md), with the articles: `ruled:call 100 [tda:42]`.
    """

    n: int
    boot: int
    utc_ms: int
    at_ms: int
    source: str
    deed: Deed
    ruling: str
    events: tuple[Happened, ...]


class Check(NamedTuple):
    """What a verification found: entries read, and the first trouble in words ("" if none)."""

    entries: int
    trouble: str


_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entries(
  n INTEGER PRIMARY KEY, boot INTEGER NOT NULL, at_ms INTEGER NOT NULL, utc_ms INTEGER NOT NULL, source TEXT NOT NULL,
  ruling TEXT NOT NULL, body BLOB NOT NULL, sealed BLOB, sealed_digest BLOB NOT NULL, events_digest BLOB NOT NULL,
  chain BLOB NOT NULL);
CREATE TABLE events(
  n INTEGER NOT NULL, i INTEGER NOT NULL, follows INTEGER NOT NULL, body BLOB NOT NULL, sealed BLOB,
  sealed_digest BLOB NOT NULL,
  PRIMARY KEY(n, i)) WITHOUT ROWID;
CREATE TABLE outbox(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER NOT NULL, boot INTEGER NOT NULL, mono INTEGER NOT NULL,
  utc INTEGER NOT NULL, tbl INTEGER NOT NULL, hand INTEGER NOT NULL, hand_rev INTEGER NOT NULL, kind TEXT NOT NULL,
  cause TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE snapshots(n INTEGER PRIMARY KEY, state BLOB NOT NULL);
CREATE TABLE checkpoints(n INTEGER PRIMARY KEY, chain BLOB NOT NULL, state BLOB NOT NULL);
CREATE TABLE results(k INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, body BLOB NOT NULL);
"""


class Journal:
    """The journal of one unit in `directory`. Close it; it holds the directory's lock.

    Raises JournalError when another process has it or the disk refuses. A damaged file is moved aside, never
    overwritten: `moved_aside` then names it, and the journal is new.
    """

    def __init__(self, directory: str | Path, unit: str, sealer: Sealer) -> None:
        self._directory = Path(directory)
        self._unit = unit
        self._sealer = sealer
        self._lock = _lock(self._directory)
        self.path = self._directory / FILE_NAME
        self.moved_aside: Path | None = None
        self._reader_lock = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        try:
            self._db = self._open()
        except BaseException:
            os.close(self._lock)
            raise
        self.boot = (self.meta("boot", int) or 0) + 1
        owner = self.meta("unit", str)
        if owner is not None and owner != unit:
            self.close()
            raise JournalError(f"{self.path}: the journal of unit {owner}; give {unit} a data_dir of its own")
        self.ep = self.meta("ep", int) or 0
        self.table_no = self.meta("table_no", int) or 0
        self._n, self._chain = _newest(self._db)
        with self._db:
            self._put_meta({"boot": self.boot, "unit": unit})

    def close(self) -> None:
        """Give files and lock back. Closing again does nothing."""
        if self._lock < 0:
            return
        with self._reader_lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        self._db.close()
        os.close(self._lock)
        self._lock = -1

    # --- for the crank alone

    def commit(
        self,
        at_ms: int,
        source: str,
        deed: Deed,
        *,
        ruling: str = "",
        seen: frozenset[str] = frozenset(),
        events: Sequence[Happened] = (),
        out: Sequence[Out] = (),
        snapshot: bytes | None = None,
        forget_snapshots_from: int | None = None,
        result: Result | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Entry:
        """Write one deed with everything that follows from it, in one transaction, and return when it is on the disk.

        `seen` are the cards that lie open after the deed: any other card named by the deed or by `events` is sealed.
        `snapshot` is kept as the state after the deed; `forget_snapshots_from` drops those at or
        after that entry (an undo across them). Raises JournalError if the disk refuses; nothing is written then.
        """
        n = self._n + 1
        utc_ms = time.time_ns() // 1_000_000
        body, sealed = self._veil(msgspec.json.encode(deed), seen, _place(n))
        rows = [
            (n, i, what.of or n, *self._veil(what.event, seen, _place(n, i))) for i, what in enumerate(events)
        ]
        event_rows = [(*row, _digest(row[-1] or b"")) for row in rows]
        sealed_digest, events_digest = _digest(sealed or b""), _digest_of_events(event_rows)
        about = f"{n},{self.boot},{at_ms},{utc_ms},{source},{ruling}"
        chain = _digest(self._chain, about, body, sealed_digest, events_digest)
        try:
            with self._db:
                self._db.execute(
                    "INSERT INTO entries VALUES(?,?,?,?,?,?,?,?,?,?,?)",
                    (n, self.boot, at_ms, utc_ms, source, ruling, body, sealed, sealed_digest, events_digest, chain),
                )
                self._db.executemany("INSERT INTO events VALUES(?,?,?,?,?,?)", event_rows)
                self._put_out(n, at_ms, utc_ms, out)
                if forget_snapshots_from is not None:
                    self._db.execute("DELETE FROM snapshots WHERE n>=?", (forget_snapshots_from,))
                if snapshot is not None:
                    self._keep_snapshot(n, snapshot)
                if result is not None:
                    self._put_result(result)
                if meta:
                    self._put_meta(meta)
        except sqlite3.Error as trouble:
            raise JournalError(f"{self.path}: {trouble}; is the disk full or worn out? nothing was lost") from trouble
        self._n, self._chain = n, chain
        self.ep = int((meta or {}).get("ep", self.ep))
        self.table_no = int((meta or {}).get("table_no", self.table_no))
        return Entry(n, self.boot, at_ms, source, deed)

    def note(self, meta: Mapping[str, Any] | None = None, result: Result | None = None) -> None:
        """Keep small facts that change no table: a refused command's result, the clock as last heard."""
        with self._db:
            if meta:
                self._put_meta(meta)
            if result is not None:
                self._put_result(result)

    def acknowledge(self, ep: int, wm: int) -> None:
        """Forget the outbox up to `wm`, if the hub means this incarnation of it."""
        if ep == self.ep and ep:
            with self._db:
                self._db.execute("DELETE FROM outbox WHERE seq<=?", (wm,))

    def history(self, before: int | None = None) -> tuple[Kept | None, list[Entry]]:
        """The newest snapshot (older than entry `before`, if given) and every entry after it, unseen cards included.

        A card whose seal cannot be opened is "??": the key died with the power.
        """
        row = self._db.execute(
            "SELECT n, state FROM snapshots WHERE n<? ORDER BY n DESC LIMIT 1", (before or self._n + 1,)
        ).fetchone()
        kept = None if row is None else Kept(*row)
        rows = self._db.execute(
            "SELECT n, boot, at_ms, source, body, sealed FROM entries WHERE n>? ORDER BY n", (kept.n if kept else 0,)
        )
        return kept, [
            Entry(n, boot, at_ms, source, self._unveil_deed(body, sealed, n))
            for n, boot, at_ms, source, body, sealed in rows
        ]

    def result_of(self, command: str) -> Result | None:
        """What was answered to the hub's command of this id, if it is one of the last `KEPT_RESULTS`."""
        row = self._db.execute("SELECT body FROM results WHERE id=?", (command,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=Result)

    def meta(self, key: str, kind: type[T]) -> T | None:
        """A small fact by name, decoded as `kind`; None if there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=kind)

    @property
    def entries(self) -> int:
        """Number of the newest entry; 0 in a new journal."""
        return self._n

    # --- for any thread

    def outbox_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """Up to `limit` events with a number above `seq`, in order: (seq, envelope as it goes out)."""
        with self._reader_lock:
            reader = self._read()
            rows = reader.execute(
                "SELECT (SELECT value FROM meta WHERE key='ep'), seq, boot, mono, utc, tbl, hand, hand_rev, kind,"
                " cause, body FROM outbox WHERE seq>? ORDER BY seq LIMIT ?",
                (seq, limit),
            ).fetchall()
        return [
            (
                seq,
                msgspec.json.encode(
                    Envelope(
                        unit=self._unit, ep=int(ep or b"0"), seq=seq, kind=kind, hand=hand, hand_rev=rev,
                        t=Stamp(mono=mono, utc=utc), body=msgspec.Raw(body), boot=boot, table=table, cause=cause,
                    )
                ),
            )
            for ep, seq, boot, mono, utc, table, hand, rev, kind, cause, body in rows
        ]  # fmt: skip

    def outbox_depth(self) -> tuple[int, int, int]:
        """(first unacknowledged seq or 0, last seq ever given, age of the first in wall-clock ms)."""
        with self._reader_lock:
            reader = self._read()
            first, utc = reader.execute("SELECT seq, utc FROM outbox ORDER BY seq LIMIT 1").fetchone() or (0, 0)
            last = reader.execute("SELECT seq FROM sqlite_sequence WHERE name='outbox'").fetchone()
        age = time.time_ns() // 1_000_000 - utc if first else 0
        return first, last[0] if last else 0, max(0, age)

    # --- inside

    def _read(self) -> sqlite3.Connection:
        if self._reader is None:
            self._reader = sqlite3.connect(
                f"file:{self.path}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_MS / 1000
            )
        return self._reader

    def _open(self) -> sqlite3.Connection:
        """The file, checked; a damaged one is moved aside first."""
        if self.path.exists():
            trouble = _damage(self.path)
            if trouble:
                self.moved_aside = _move_aside(self.path)
        try:
            db = sqlite3.connect(self.path, timeout=BUSY_MS / 1000)
            db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;")
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
                with db:
                    db.executescript("BEGIN;" + _TABLES)
                    db.execute("INSERT INTO meta VALUES('schema', ?)", (msgspec.json.encode(SCHEMA),))
                _sync_directory(self._directory)
        except sqlite3.Error as trouble:
            raise JournalError(f"{self.path}: {trouble}; check that {self._directory} can be written") from trouble
        return db

    def _veil(self, whole: bytes, seen: frozenset[str], where: bytes) -> tuple[bytes, bytes | None]:
        """(what anybody may read, the sealed whole if that hides something)."""
        if len(whole) > MAX_BODY_BYTES:
            raise JournalError(f"an entry of {len(whole)} bytes, at most {MAX_BODY_BYTES}")
        veiled = veil(whole, seen)
        return veiled, None if veiled == whole else self._sealer.seal(whole, where)

    def _unveil_deed(self, body: bytes, sealed: bytes | None, n: int) -> Deed:
        whole = self._sealer.open(sealed, _place(n)) if sealed else None
        return decode_deed(whole or body)

    def _put_out(self, n: int, at_ms: int, utc_ms: int, out: Sequence[Out]) -> None:
        rows = [
            (n, self.boot, at_ms, utc_ms, self.table_no, o.hand, o.hand_rev, kind_of(o.body), o.cause,
             msgspec.json.encode(o.body))
            for o in out
        ]  # fmt: skip
        for row in rows:
            if len(row[-1]) > MAX_BODY_BYTES:
                raise JournalError(f"public event {row[7]} of {len(row[-1])} bytes, at most {MAX_BODY_BYTES}")
        self._db.executemany(
            "INSERT INTO outbox(n, boot, mono, utc, tbl, hand, hand_rev, kind, cause, body)"
            " VALUES(?,?,?,?,?,?,?,?,?,?)",
            rows,
        )

    def _keep_snapshot(self, n: int, state: bytes) -> None:
        """Keep `state` as after entry `n`; let go of what no undo can need any more."""
        self._db.execute("INSERT OR REPLACE INTO snapshots VALUES(?,?)", (n, state))
        newest = self._db.execute("SELECT n FROM snapshots ORDER BY n DESC LIMIT ?", (KEPT_SNAPSHOTS,))
        kept = [row[0] for row in newest]
        self._db.execute("DELETE FROM snapshots WHERE n<?", (kept[-1],))
        if len(kept) > 1:
            self._db.execute("UPDATE entries SET sealed=NULL WHERE n<=? AND sealed NOT NULL", (kept[1],))
            self._db.execute("UPDATE events SET sealed=NULL WHERE n<=? AND sealed NOT NULL", (kept[1],))
        newest_checkpoint = self._db.execute("SELECT max(n) FROM checkpoints").fetchone()[0]
        if n - (newest_checkpoint or 0) >= CHECKPOINT_EVERY:
            self._db.execute("INSERT INTO checkpoints SELECT n, chain, ? FROM entries WHERE n=?", (state, n))
        self._drop_before(n - KEPT_ENTRIES)

    def _drop_before(self, n: int) -> None:
        """Let the journal begin after the newest checkpoint at or before entry `n`, if there is one."""
        row = self._db.execute("SELECT max(n) FROM checkpoints WHERE n<=?", (n,)).fetchone()
        if row[0] is not None:
            self._db.execute("DELETE FROM entries WHERE n<=?", row)
            self._db.execute("DELETE FROM events WHERE n<=?", row)
            self._db.execute("DELETE FROM checkpoints WHERE n<?", row)

    def _put_result(self, result: Result) -> None:
        body = msgspec.json.encode(result)
        self._db.execute("INSERT OR REPLACE INTO results(id, body) VALUES(?,?)", (result.id, body))
        self._db.execute(
            "DELETE FROM results WHERE k NOT IN (SELECT k FROM results ORDER BY k DESC LIMIT ?)", (KEPT_RESULTS,)
        )

    def _put_meta(self, values: Mapping[str, Any]) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO meta VALUES(?,?)",
            [(key, msgspec.json.encode(value)) for key, value in values.items()],
        )


# --- cards that nobody has seen

_CARD = re.compile(rb'"[2-9TJQKA][cdhs]"')
_NO_CARDS = (b'{"type":"PlayerSat"', b'{"type":"PlayerLeft"', b'{"type":"SitDown"')  # a name may look like a card


def veil(whole: bytes, seen: frozenset[str]) -> bytes:
    """A deed or an event in JSON, with every card that does not lie open made "??"."""
    if whole.startswith(_NO_CARDS):
        return whole
    return _CARD.sub(lambda card: card[0] if card[0][1:3].decode() in seen else b'"' + _UNKNOWN + b'"', whole)


_UNKNOWN = UNKNOWN_CARD.encode()


def decode_deed(body: bytes) -> Deed:
    """A deed from the journal's bytes."""
    return msgspec.json.decode(body, type=Deed)


# --- reading a file without being its table


def read_lines(path: str | Path) -> Iterator[Line]:
    """Every entry of the journal at `path` as anybody may read it. Raises JournalError if it is no journal."""
    db = _read_only(path)
    try:
        for n, boot, utc_ms, at_ms, source, body, ruling in db.execute(
            "SELECT n, boot, utc_ms, at_ms, source, body, ruling FROM entries ORDER BY n"
        ):
            events = db.execute("SELECT body, follows FROM events WHERE n=? ORDER BY i", (n,))
            happened = tuple(Happened(*row) for row in events)
            yield Line(n, boot, utc_ms, at_ms, source, decode_deed(body), ruling, happened)
    except sqlite3.Error as trouble:
        raise JournalError(f"{path}: {trouble}") from trouble
    finally:
        db.close()


def must_be_journal(path: str | Path) -> None:
    """Raises JournalError where there is no table's journal to read or to judge."""
    _read_only(path).close()


def unit_of(path: str | Path) -> str:
    """The name of the unit whose journal this is. Raises JournalError."""
    return fact(path, "unit", str) or ""


def fact(path: str | Path, key: str, kind: type[T]) -> T | None:
    """A small fact by name out of a journal that may be in use; None if there is none. Raises JournalError."""
    db = _read_only(path)
    try:
        row = db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    finally:
        db.close()
    return None if row is None else msgspec.json.decode(row[0], type=kind)


def beginning(path: str | Path) -> Kept | None:
    """The state with which the journal begins; None if it begins with an empty table. Raises JournalError."""
    db = _read_only(path)
    try:
        first = db.execute("SELECT min(n) FROM entries").fetchone()[0] or 1
        row = db.execute("SELECT n, state FROM checkpoints WHERE n=?", (first - 1,)).fetchone()
    finally:
        db.close()
    return None if row is None else Kept(*row)


def verify(path: str | Path) -> Check:
    """Is the journal whole and unchanged? Follows the chain from its anchor; opens no seal."""
    try:
        db = _read_only(path)
    except JournalError as trouble:
        return Check(0, str(trouble))
    try:
        if (answer := db.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            return Check(0, f"the file is damaged: {answer}")
        n, chain = _anchor(db)
        count = 0
        for row in db.execute("SELECT * FROM entries ORDER BY n"):
            broken = _broken_link(db, row, n, chain)
            if broken:
                return Check(count, broken)
            n, chain, count = row[0], row[-1], count + 1
        return Check(count, "")
    except sqlite3.Error as trouble:
        return Check(0, f"the file is damaged: {trouble}")
    finally:
        db.close()


def _broken_link(db: sqlite3.Connection, row: tuple[Any, ...], before: int, chain: bytes) -> str:
    """What is wrong with an entry, given the number and the chain of the one before; "" if nothing is."""
    n, boot, at_ms, utc_ms, source, ruling, body, sealed, sealed_digest, events_digest, link = row
    if n != before + 1:
        return f"entries {before + 1} to {n - 1} are missing"
    about = f"{n},{boot},{at_ms},{utc_ms},{source},{ruling}"
    if link != _digest(chain, about, body, sealed_digest, events_digest):
        return f"entry {n} was changed after it was written"
    if sealed is not None and _digest(sealed) != sealed_digest:
        return f"the sealed card of entry {n} was changed"
    events = db.execute("SELECT * FROM events WHERE n=? ORDER BY i", (n,)).fetchall()
    for _, i, _, _, hidden, digest in events:
        if hidden is not None and _digest(hidden) != digest:
            return f"the sealed card of event {i} of entry {n} was changed"
    return "" if events_digest == _digest_of_events(events) else f"an event of entry {n} was changed"


def _read_only(path: str | Path) -> sqlite3.Connection:
    if Path(path).is_dir():
        path = Path(path) / FILE_NAME
    if not Path(path).is_file():
        raise JournalError(f"{path}: no such file; a table keeps its journal as {FILE_NAME} in its data_dir")
    try:
        db = sqlite3.connect(f"file:{Path(path).resolve()}?mode=ro", uri=True, timeout=BUSY_MS / 1000)
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name='entries'").fetchone():
            db.close()
            raise JournalError(f"{path}: an SQLite file, but no table's journal")
    except sqlite3.Error as trouble:
        raise JournalError(f"{path}: {trouble}; this is no table's journal") from trouble
    return db


def _damage(path: Path) -> str:
    """What is wrong with an existing file; "" if it can be used. Looks at pages and at the end of the chain."""
    try:
        db = sqlite3.connect(path, timeout=BUSY_MS / 1000)
        try:
            answer: str = db.execute("PRAGMA integrity_check").fetchone()[0]
            if answer != "ok":
                return answer
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='entries'").fetchone():
                return "" if not db.execute("SELECT 1 FROM sqlite_master").fetchone() else "not a table's journal"
            return _tail_damage(db)
        finally:
            db.close()
    except sqlite3.Error as trouble:
        return str(trouble)


def _tail_damage(db: sqlite3.Connection) -> str:
    """The first broken link among the entries a recovery would replay."""
    row = db.execute("SELECT n FROM snapshots ORDER BY n DESC LIMIT 1").fetchone()
    start = row[0] if row else 0
    at = db.execute("SELECT n, chain FROM entries WHERE n=?", (start,)).fetchone()
    n, chain = at or _anchor(db)
    for entry in db.execute("SELECT * FROM entries WHERE n>? ORDER BY n", (n,)):
        trouble = _broken_link(db, entry, n, chain)
        if trouble:
            return trouble
        n, chain = entry[0], entry[-1]
    return ""


def _anchor(db: sqlite3.Connection) -> tuple[int, bytes]:
    """(number, chain) before the oldest entry still kept."""
    row = db.execute("SELECT n, chain FROM checkpoints WHERE n<(SELECT min(n) FROM entries) ORDER BY n DESC").fetchone()
    return row or (0, bytes(32))


def _newest(db: sqlite3.Connection) -> tuple[int, bytes]:
    row = db.execute("SELECT n, chain FROM entries ORDER BY n DESC LIMIT 1").fetchone()
    return row or _anchor(db)


def _digest(*parts: bytes | str) -> bytes:
    """SHA-256 of the parts, each preceded by its length. A column that somebody made text is hashed as its bytes."""
    digest = hashlib.sha256()
    for whole in parts:
        part = whole.encode() if isinstance(whole, str) else whole
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()


def _digest_of_events(rows: Iterable[Sequence[Any]]) -> bytes:
    """One digest of an entry's events: what anybody may read of them, and the seals' digests, which are kept."""
    parts: list[bytes | str] = []
    for _, i, follows, body, _, sealed_digest in rows:
        parts += (f"{i},{follows}", body, sealed_digest)
    return _digest(*parts)


def _place(n: int, i: int = -1) -> bytes:
    return f"{n}.{i}".encode()


def _lock(directory: Path) -> int:
    """Hold the directory for this process. Raises JournalError when another one has it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as trouble:
        raise JournalError(f"{directory}: {trouble.strerror}; give data_dir a folder this user may write") from trouble
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as trouble:
        os.close(handle)
        raise JournalError(
            f"{directory}: another `bottone table` runs with this data_dir; stop it or give each table its own"
        ) from trouble
    return handle


def _move_aside(path: Path) -> Path:
    """Rename the file and its companions, so that somebody can look at them; the new name."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    aside = path.with_name(f"{path.stem}.damaged-{stamp}-{os.getpid()}{path.suffix}")
    for suffix in ("-wal", "-shm"):
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    path.rename(aside)
    _sync_directory(path.parent)
    return aside


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
