"""The hub's SQLite file: its tables, one writer, and readers that never wait for it.

Every method may be called from any thread. Writers take one lock and one connection, a transaction each; `transaction`
joins several writes (and the caller's own tables) into one. Readers have a connection per thread and see what is
committed. `close` when all threads are done.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hub.records import StoreError

SCHEMA = 1
BUSY_MS = 5_000

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


class Database:
    """The file at `path`. Raises StoreError when it cannot be used. `epoch` is higher after each opening."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.RLock()
        self._writer = 0  # the thread whose transaction is open
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._undone: list[Callable[[], None]] = []
        self._outgoing: list[Callable[[], None]] = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.writer = self._open()
            with self.transaction() as db:
                self.epoch = int(self.meta("epoch") or 0) + 1
                db.execute("INSERT OR REPLACE INTO meta VALUES('epoch', ?)", (str(self.epoch),))
        except (OSError, sqlite3.Error) as trouble:
            raise StoreError(f"{self.path}: {trouble}; check that the hub's user may write its data_dir") from trouble

    def close(self) -> None:
        """Gives the file back; after the last thread that uses the store has ended."""
        with self.lock:
            for reader in self._readers:
                reader.close()
            self._readers.clear()
            self.writer.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction for everything done inside, from this thread; the caller may write tables of its own.

        Nests: the outermost commits. On an exception everything inside is rolled back and the exception goes on.
        """
        with self.lock:
            if self._writer:
                yield self.writer
                return
            self.writer.execute("BEGIN IMMEDIATE")
            self._writer = threading.get_ident()
            try:
                yield self.writer
            except BaseException:
                self.writer.execute("ROLLBACK")
                for forget in self._undone:
                    forget()
                raise
            else:
                self.writer.execute("COMMIT")
            finally:
                self._writer = 0

    def on_undone(self, forget: Callable[[], None]) -> None:
        """Calls `forget` after a transaction was rolled back: what was remembered of it is not so."""
        self._undone.append(forget)

    def on_outgoing(self, listener: Callable[[], None]) -> None:
        """Calls `listener` (which must only set a flag or enqueue) after a command or an adoption was written."""
        self._outgoing.append(listener)

    def tell_outgoing(self) -> None:
        """There is something to send."""
        for listener in self._outgoing:
            listener()

    def read(self) -> sqlite3.Connection:
        """This thread's view: its own read connection, or inside a transaction the writer's."""
        if self._writer == threading.get_ident():
            return self.writer
        reader: sqlite3.Connection | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = sqlite3.connect(
                f"file:{self.path}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_MS / 1000
            )
            self._local.reader = reader
            self._readers.append(reader)  # atomic; a writer's lock would make readers wait
        return reader

    def one(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, as this thread sees it."""
        return self.read().execute(sql, values).fetchone()[0]

    def meta(self, key: str) -> str | None:
        """A small fact by name, as the writer sees it; None if there is none."""
        row = self.writer.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return None if row is None else str(row[0])

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
