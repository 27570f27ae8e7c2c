"""The hash chain of a journal: every entry is bound to the one before, so that a change shows.

The link of an entry is the SHA-256 of the link before it and of everything in its row; of its events, and of what lies
sealed, it holds digests, so that a seal can be erased and the chain stays whole.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

SNAPSHOT_MARKS = "snapshots"  # the small fact that keeps the snapshots' digests


def digest_of(*parts: bytes | str) -> bytes:
    """SHA-256 of the parts, each preceded by its length. A column that somebody made text is hashed as its bytes."""
    digest = hashlib.sha256()
    for whole in parts:
        part = whole.encode() if isinstance(whole, str) else whole
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()


def digest_of_events(rows: Iterable[Sequence[Any]]) -> bytes:
    """One digest of an entry's events: what anybody may read of them, and the seals' digests, which are kept."""
    parts: list[bytes | str] = []
    for _, i, follows, body, _, sealed_digest in rows:
        parts += (f"{i},{follows}", body, sealed_digest)
    return digest_of(*parts)


def newest(db: sqlite3.Connection) -> tuple[int, bytes]:
    """(number, link) of the newest entry."""
    row = db.execute("SELECT n, chain FROM entries ORDER BY n DESC LIMIT 1").fetchone()
    return row or anchor(db)


def anchor(db: sqlite3.Connection) -> tuple[int, bytes]:
    """(number, chain) before the oldest entry still kept."""
    row = db.execute("SELECT n, chain FROM checkpoints WHERE n<(SELECT min(n) FROM entries) ORDER BY n DESC").fetchone()
    return row or (0, bytes(32))


def broken_link(db: sqlite3.Connection, row: tuple[Any, ...], before: int, chain: bytes) -> str:
    """What is wrong with an entry, given the number and the chain of the one before; "" if nothing is."""
    n, boot, at_ms, utc_ms, source, ruling, body, sealed, sealed_digest, events_digest, link = row
    if n != before + 1:
        return f"entries {before + 1} to {n - 1} are missing"
    about = f"{n},{boot},{at_ms},{utc_ms},{source},{ruling}"
    if link != digest_of(chain, about, body, sealed_digest, events_digest):
        return f"entry {n} was changed after it was written"
    if sealed is not None and digest_of(sealed) != sealed_digest:
        return f"the sealed card of entry {n} was changed"
    events = db.execute("SELECT * FROM events WHERE n=? ORDER BY i", (n,)).fetchall()
    for _, i, _, _, hidden, digest in events:
        if hidden is not None and digest_of(hidden) != digest:
            return f"the sealed card of event {i} of entry {n} was changed"
    return "" if events_digest == digest_of_events(events) else f"an event of entry {n} was changed"


def marks_of_snapshots(db: sqlite3.Connection) -> dict[int, str]:
    """Number -> digest (hexadecimal) of each snapshot that is kept."""
    return {n: digest_of(state).hex() for n, state in db.execute("SELECT n, state FROM snapshots")}


def damaged_fact(db: sqlite3.Connection) -> str:
    """The first small fact that is no JSON any more, or snapshot that is not what was kept; "" if there is none."""
    for key, value in db.execute("SELECT key, value FROM meta"):
        try:
            msgspec.json.decode(value)
        except msgspec.DecodeError as trouble:
            return f"fact {key!r}: {trouble}"
    row = db.execute("SELECT value FROM meta WHERE key=?", (SNAPSHOT_MARKS,)).fetchone()
    marks = {} if row is None else msgspec.json.decode(row[0], type=dict[int, str])
    now = marks_of_snapshots(db)
    changed = [n for n, mark in marks.items() if now.get(n, mark) != mark]
    return f"the snapshot after entry {changed[0]} was changed" if changed else ""


def damage_at_the_end(db: sqlite3.Connection) -> str:
    """The first broken link among the entries a recovery would replay."""
    row = db.execute("SELECT n FROM snapshots ORDER BY n DESC LIMIT 1").fetchone()
    start = row[0] if row else 0
    at = db.execute("SELECT n, chain FROM entries WHERE n=?", (start,)).fetchone()
    n, chain = at or anchor(db)
    for entry in db.execute("SELECT * FROM entries WHERE n>? ORDER BY n", (n,)):
        trouble = broken_link(db, entry, n, chain)
        if trouble:
            return trouble
        n, chain = entry[0], entry[-1]
    return ""
