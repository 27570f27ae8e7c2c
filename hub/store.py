"""What the hub knows, in one SQLite file: every event of every table, and what follows from them.

Theory of operation. A table numbers its events (`seq`) within an incarnation of its outbox (`ep`). `commit` writes a
batch of them, the watermarks they raise and the rows derived from them (`deriving.py`) in one transaction with
`synchronous=FULL`; only after it returns may anything be acknowledged. The key (unit, ep, seq) is unique, so an event
counts once however often it comes. The log itself keeps everything, also what a later revision of a hand has struck.

Events that cannot be applied are kept raw under a `Standing` other than OK and never hold up those behind them.
Payloads that are no event at all go to the quarantine with the reason (`troubles.py`). Which units there are is
`register.py`; what the hub has to tell them, `commands.py`; threads and transactions are explained in `database.py`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from engine import wire
from hub.commands import CommandOutbox
from hub.database import Database
from hub.deriving import Derivation
from hub.hubtime import NowMs, hub_time
from hub.records import (
    Elimination,
    Incoming,
    Seat,
    SeatChange,
    Standing,
    StoredEvent,
    StoreError,
    UnitStatus,
    poison_envelope,
)
from hub.register import Register
from hub.troubles import Troubles


class Store:
    """The hub's file at `path`. Raises StoreError when it cannot be used. `epoch` is higher after each opening."""

    def __init__(self, path: str | Path, now_ms: NowMs | None = None) -> None:
        self.now_ms = now_ms or hub_time()
        self._database = Database(Path(path))
        self.path, self.epoch = self._database.path, self._database.epoch
        self.troubles = Troubles(self._database)
        self.register = Register(self._database, self.troubles)
        self.commands = CommandOutbox(self._database, self.now_ms)
        self._derivation = Derivation(self._database, self.register)

    def close(self) -> None:
        """Gives the file back; after the last thread that uses the store has ended."""
        self._database.close()

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """One transaction for everything done inside, from this thread; it nests, and the outermost commits."""
        return self._database.transaction()

    def on_outgoing(self, listener: Callable[[], None]) -> None:
        """Calls `listener` (which must only set a flag or enqueue) after a command or an adoption was written."""
        self._database.on_outgoing(listener)

    # --- events

    def commit(self, batch: Sequence[Incoming]) -> list[StoredEvent]:
        """Writes events, raises their units' watermarks and derives what follows, in one transaction.

        For each unit the batch must go on at its watermark + 1 without a gap, under its current `ep`; the caller sees
        to it. Raises StoreError if it does not; nothing is written then.
        """
        stored: list[StoredEvent] = []
        at_ms = int(self.now_ms())
        marks: dict[str, tuple[int, int]] = {}
        with self._database.transaction() as db:
            for item in batch:
                e = item.envelope
                ep, wm = marks.get(e.unit) or self.register.mark(e.unit)
                if e.ep != ep or e.seq != wm + 1:
                    raise StoreError(f"{e.unit}: event {e.ep}/{e.seq} does not follow {ep}/{wm}")
                marks[e.unit] = (ep, e.seq)
                standing = self._derivation.place(item)
                cursor = db.execute(
                    "INSERT INTO events(unit, ep, seq, digest, standing, at_ms, raw) VALUES(?,?,?,?,?,?,?)",
                    (e.unit, e.ep, e.seq, item.digest, standing.value, at_ms, item.raw),
                ).lastrowid
                assert cursor is not None
                body = item.body if standing is Standing.OK else None
                if body is not None:
                    self._derivation.derive(db, cursor, e, body)
                stored.append(StoredEvent(cursor, e, body, standing, at_ms))
            db.executemany("UPDATE units SET wm=? WHERE unit=?", [(wm, unit) for unit, (_, wm) in marks.items()])
        return stored

    def events_after(self, cursor: int, limit: int = 1000) -> list[StoredEvent]:
        """Up to `limit` committed events behind `cursor` (0: from the beginning), oldest first."""
        rows = self._database.read().execute(
            "SELECT cursor, raw, standing, at_ms, unit, ep, seq FROM events WHERE cursor>? ORDER BY cursor LIMIT ?",
            (cursor, limit),
        )
        return [_stored(*row) for row in rows]

    def last_cursor(self) -> int:
        """The cursor of the newest event; 0 if there is none."""
        return int(self._database.one("SELECT coalesce(max(cursor), 0) FROM events"))

    def digest_of(self, unit: str, ep: int, seq: int) -> bytes | None:
        """What an event already committed looked like; None if it was not (or was before a new adoption)."""
        row = self._database.read().execute(
            "SELECT digest FROM events WHERE unit=? AND ep=? AND seq=?", (unit, ep, seq)
        ).fetchone()
        return None if row is None else bytes(row[0])

    # --- what follows from the events

    def seats(self, unit: str = "") -> list[Seat]:
        """Taken seats; of one unit, or of all that serve a table."""
        rows = self._database.read().execute(
            "SELECT s.* FROM seats s JOIN units u ON u.unit=s.unit WHERE s.unit=? OR (?='' AND u.status<>?)"
            " ORDER BY s.unit, s.seat",
            (unit, unit, UnitStatus.RETIRED),
        )
        return [Seat(*row) for row in rows]

    def eliminations(self) -> list[Elimination]:
        """Everybody who is out, in the order of commit."""
        rows = self._database.read().execute("SELECT * FROM eliminations ORDER BY cursor")
        return [Elimination(*row) for row in rows]

    def seat_changes(self, after: int = 0) -> list[SeatChange]:
        """Who sat down or left, behind `after`, in the order of commit."""
        rows = self._database.read().execute("SELECT * FROM seat_changes WHERE cursor>? ORDER BY cursor", (after,))
        return [SeatChange(*row)._replace(sat=bool(row[9])) for row in rows]

    def hand(self, unit: str) -> tuple[int, int]:
        """Number and revision of the hand this unit told of last; zeros if none."""
        with self._database.lock:
            return self._derivation.newest_hand(unit, self.register.mark(unit)[0])

    def keep_snapshot(self, unit: str, snapshot: wire.Snapshot) -> None:
        """Keeps a table's own full picture; the last one of each unit."""
        with self._database.transaction() as db:
            db.execute("INSERT OR REPLACE INTO snapshots VALUES(?,?)", (unit, wire.encode(snapshot)))

    def snapshot(self, unit: str) -> wire.Snapshot | None:
        """The last full picture a table sent."""
        row = self._database.read().execute("SELECT body FROM snapshots WHERE unit=?", (unit,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=wire.Snapshot)


def _stored(cursor: int, raw: bytes, standing: str, at_ms: int, unit: str, ep: int, seq: int) -> StoredEvent:
    how = Standing(standing)
    if how is Standing.POISON:
        return StoredEvent(cursor, poison_envelope(unit, ep, seq), None, how, at_ms)
    envelope = msgspec.json.decode(raw, type=wire.Envelope)
    body = wire.decode_body(envelope) if how is Standing.OK else None
    return StoredEvent(cursor, envelope, body, how, at_ms)
