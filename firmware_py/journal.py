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

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.wire import Envelope, Result, Stamp, kind_of
from firmware_py.chain import SNAPSHOT_MARKS, digest_of, digest_of_events, marks_of_snapshots, newest
from firmware_py.journal_file import BUSY_MS, FILE_NAME, damage, lock, move_aside, opened, refused
from firmware_py.journal_records import Deed, Entry, Happened, JournalError, Kept, Out, decode_deed
from firmware_py.sealing import Sealer
from firmware_py.veiling import veil

MAX_BODY_BYTES = 4096          # of one deed or event; a public body must fit an MQTT message (engine.wire.MAX_BYTES)
KEPT_SNAPSHOTS = 4             # hands one can go back to
KEPT_RESULTS = 256             # answered commands of the hub, so that a repeat is answered and not done twice
KEPT_ENTRIES = 100_000         # some days of play; older ones are dropped, up to a checkpoint
CHECKPOINT_EVERY = 5_000       # entries between two states that are kept as possible beginnings of the journal
OUTBOX_WARNING = 1_000         # unacknowledged events from which the table says so

T = TypeVar("T")


class Journal:
    """The journal of one unit in `directory`. Close it; it holds the directory's lock.

    Raises JournalError when another process has it or the disk refuses. A damaged file is moved aside, never
    overwritten: `moved_aside` then names it, and the journal is new.
    """

    def __init__(self, directory: str | Path, unit: str, sealer: Sealer) -> None:
        self._directory = Path(directory)
        self._unit = unit
        self._sealer = sealer
        self._lock = lock(self._directory)
        self.path = self._directory / FILE_NAME
        self.moved_aside: Path | None = None
        self._reader_lock = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        try:
            if self.path.exists() and damage(self.path):
                self.moved_aside = move_aside(self.path)
            self._db = opened(self.path)
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
        self._n, self._chain = newest(self._db)
        try:
            with self._writing():
                self._put_meta({"boot": self.boot, "unit": unit})
        except JournalError:
            self.close()
            raise

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
        event_rows = [(*row, digest_of(row[-1] or b"")) for row in rows]
        sealed_digest, events_digest = digest_of(sealed or b""), digest_of_events(event_rows)
        about = f"{n},{self.boot},{at_ms},{utc_ms},{source},{ruling}"
        chain = digest_of(self._chain, about, body, sealed_digest, events_digest)
        with self._writing():
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
        self._n, self._chain = n, chain
        self.ep = int((meta or {}).get("ep", self.ep))
        self.table_no = int((meta or {}).get("table_no", self.table_no))
        return Entry(n, self.boot, at_ms, source, deed)

    def note(self, meta: Mapping[str, Any] | None = None, result: Result | None = None) -> None:
        """Keep small facts that change no table: a refused command's result, the clock as last heard.

        Raises JournalError if the disk refuses.
        """
        with self._writing():
            if meta:
                self._put_meta(meta)
            if result is not None:
                self._put_result(result)

    def acknowledge(self, ep: int, wm: int) -> None:
        """Forget the outbox up to `wm`, if the hub means this incarnation of it. Raises JournalError."""
        if ep == self.ep and ep:
            with self._writing():
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

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction. Raises JournalError if the disk refuses; nothing is written then."""
        try:
            with self._db:
                yield
        except sqlite3.Error as trouble:
            raise refused(self.path, trouble) from trouble

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
        self._put_meta({SNAPSHOT_MARKS: marks_of_snapshots(self._db)})
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


def _place(n: int, i: int = -1) -> bytes:
    return f"{n}.{i}".encode()
