"""Reading a journal without being its table: the lines anybody may see, single facts, and whether it is unchanged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from firmware_py.chain import anchor, broken_link
from firmware_py.journal_file import read_only
from firmware_py.journal_records import Check, Happened, JournalError, Kept, Line, decode_deed

T = TypeVar("T")


def read_lines(path: str | Path) -> Iterator[Line]:
    """Every entry of the journal at `path` as anybody may read it. Raises JournalError if it is no journal."""
    db = read_only(path)
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
    read_only(path).close()


def unit_of(path: str | Path) -> str:
    """The name of the unit whose journal this is. Raises JournalError."""
    return fact(path, "unit", str) or ""


def fact(path: str | Path, key: str, kind: type[T]) -> T | None:
    """A small fact by name out of a journal that may be in use; None if there is none. Raises JournalError."""
    db = read_only(path)
    try:
        row = db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    finally:
        db.close()
    return None if row is None else msgspec.json.decode(row[0], type=kind)


def beginning(path: str | Path) -> Kept | None:
    """The state with which the journal begins; None if it begins with an empty table. Raises JournalError."""
    db = read_only(path)
    try:
        first = db.execute("SELECT min(n) FROM entries").fetchone()[0] or 1
        row = db.execute("SELECT n, state FROM checkpoints WHERE n=?", (first - 1,)).fetchone()
    finally:
        db.close()
    return None if row is None else Kept(*row)


def verify(path: str | Path) -> Check:
    """Is the journal whole and unchanged? Follows the chain from its anchor; opens no seal."""
    try:
        db = read_only(path)
    except JournalError as trouble:
        return Check(0, str(trouble))
    try:
        if (answer := db.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            return Check(0, f"the file is damaged: {answer}")
        n, chain = anchor(db)
        count = 0
        for row in db.execute("SELECT * FROM entries ORDER BY n"):
            broken = broken_link(db, row, n, chain)
            if broken:
                return Check(count, broken)
            n, chain, count = row[0], row[-1], count + 1
        return Check(count, "")
    except sqlite3.Error as trouble:
        return Check(0, f"the file is damaged: {trouble}")
    finally:
        db.close()
