"""The journal's file: its tables, its lock, and what is done with one that is damaged.

A damaged file is moved aside with its companions, never overwritten: somebody may want to look at it.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from pathlib import Path

import msgspec

from firmware_py.chain import damage_at_the_end, damaged_fact
from firmware_py.journal_records import JournalError

FILE_NAME = "journal.sqlite"
SCHEMA = 1
BUSY_MS = 5_000

# What a sound file meets on a disk that is full, worn out or write-protected (sqlite.org/rescode.html).
_REFUSED_BY_THE_DISK = frozenset(
    {
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM,
    }
)  # fmt: skip

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


def opened(path: Path) -> sqlite3.Connection:
    """The crank's connection, the tables made if the file is new. Raises JournalError when the disk refuses."""
    try:
        db = sqlite3.connect(path, timeout=BUSY_MS / 1000)
        db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;")
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
            with db:
                db.executescript("BEGIN;" + _TABLES)
                db.execute("INSERT INTO meta VALUES('schema', ?)", (msgspec.json.encode(SCHEMA),))
            _sync_directory(path.parent)
    except sqlite3.Error as trouble:
        raise JournalError(f"{path}: {trouble}; check that {path.parent} can be written") from trouble
    return db


def read_only(path: str | Path) -> sqlite3.Connection:
    """A reader's connection to a journal that may be in use. Raises JournalError where there is none."""
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


def refused(path: Path, trouble: sqlite3.Error) -> JournalError:
    """What is said of a journal that the disk does not let anybody write."""
    return JournalError(f"{path}: {trouble}; is the disk full or worn out? nothing was lost")


def damage(path: Path) -> str:
    """What is wrong with an existing file; "" if it can be used. Looks at pages and at the end of the chain.

    Raises JournalError when the disk does not let it be looked at: that says nothing against the file.
    """
    try:
        db = sqlite3.connect(path, timeout=BUSY_MS / 1000)
        try:
            answer: str = db.execute("PRAGMA integrity_check").fetchone()[0]
            if answer != "ok":
                return answer
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='entries'").fetchone():
                return "" if not db.execute("SELECT 1 FROM sqlite_master").fetchone() else "not a table's journal"
            return damage_at_the_end(db) or damaged_fact(db)
        finally:
            db.close()
    except UnicodeDecodeError as trouble:
        return str(trouble)
    except sqlite3.Error as trouble:
        if getattr(trouble, "sqlite_errorcode", 0) & 0xFF in _REFUSED_BY_THE_DISK:
            raise refused(path, trouble) from trouble
        return str(trouble)


def move_aside(path: Path) -> Path:
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


def lock(directory: Path) -> int:
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


def is_held(directory: Path) -> bool:
    """Whether a table runs with this data_dir now."""
    try:
        handle = os.open(directory / "lock", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
