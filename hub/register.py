"""The units the hub knows: which table each serves, under which number of its outbox, and which are not to be trusted.

A unit numbers its events within an incarnation of its outbox (`ep`), and the hub issues that number at adoption,
always higher than any before. A birth that does not fit what was committed is either a fresh outbox, which gets a new
number, or an old card restored: then the unit is quarantined until a person adopts it anew.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine import wire
from hub.database import Database
from hub.records import Unit, UnitStatus
from hub.troubles import Troubles


class Register:
    """All units, by name. What it changes goes out to the tables as adoptions."""

    def __init__(self, database: Database, troubles: Troubles) -> None:
        self._database = database
        self._troubles = troubles
        self._numbers: dict[str, set[int]] = {}
        database.on_undone(self._numbers.clear)

    def of(self, unit: str) -> Unit | None:
        """What the hub knows of one unit."""
        row = self._database.read().execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone()
        return None if row is None else _unit(row)

    def all(self) -> list[Unit]:
        """All units, by table number and name."""
        return [_unit(row) for row in self._database.read().execute("SELECT * FROM units ORDER BY table_no, unit")]

    def at(self, table_no: int) -> Unit | None:
        """The unit that serves this table now."""
        row = self._database.read().execute(
            "SELECT * FROM units WHERE table_no=? AND status<>?", (table_no, UnitStatus.RETIRED)
        ).fetchone()
        return None if row is None else _unit(row)

    def heard(self, unit: str, said: wire.UnitState) -> Unit:
        """Notes a birth (`up/state` with st ready) and gives the unit as it now stands.

        A fresh outbox (`ep` 0 after one was confirmed), an `ep` this hub never issued, and one of which more was
        acknowledged than this hub has (by a hub whose file is lost) get a new, higher `ep`. An older `ep`, or less
        than was already acknowledged, is an old card restored: the unit is quarantined.
        """
        with self._database.transaction() as db:
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
                self._troubles.alarm(unit, "lost", text)
                self._issue(db, self._unit(unit))
            elif said.ep == now.ep:
                db.execute("UPDATE units SET confirmed=1 WHERE unit=?", (unit,))
                if said.last < now.wm:
                    self.quarantine(unit, f"its outbox ends at {said.last}, {now.wm} was committed: an old card?")
            elif said.ep > now.ep or (said.ep == 0 and now.confirmed):
                self._issue(db, self._unit(unit))
            elif said.ep:
                self.quarantine(unit, f"it speaks under outbox {said.ep}, {now.ep} was issued: an old card?")
            return self._unit(unit)

    def adopt(
        self, unit: str, table_no: int, *, tournament: str = "", book: str = "lifeclub", size: int = 10, chip: int = 1
    ) -> wire.Adopt:
        """Gives the unit a table; whoever had that table is retired. Lifts a quarantine, with a new `ep`.

        The adoption goes out retained, signed, and again at each connect. Raises ValueError on a bad unit id.
        """
        wire.Topics("x").unit(unit, "")
        with self._database.transaction() as db:
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
        self._database.tell_outgoing()
        return adopted

    def adoption(self, unit: str) -> wire.Adopt | None:
        """What the hub wants of this unit, without key and signature; None if it has no table."""
        with self._database.lock:
            row = self._database.writer.execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone()
            if row is None or (u := _unit(row)).status is not UnitStatus.ADOPTED:
                return None
            return wire.Adopt(
                u.rev, u.ep, u.table_no, u.tournament, u.book, u.size, u.chip,
                badge_key=self.badge_key(), revoked=self.revoked_badges(),
            )  # fmt: skip

    def quarantine(self, unit: str, why: str) -> None:
        """From now on nothing of this unit is applied or acknowledged, until it is adopted anew."""
        with self._database.transaction() as db:
            changed = db.execute(
                "UPDATE units SET status=?, why=? WHERE unit=? AND status<>?",
                (UnitStatus.QUARANTINED, why, unit, UnitStatus.QUARANTINED),
            ).rowcount
            if changed:
                self._troubles.alarm(unit, "fork", why)

    # --- badges of the whole site

    def badge_key(self) -> str:
        """The site's key for badge hashes (hexadecimal), made once."""
        with self._database.transaction() as db:
            known = self._database.meta("badge_key")
            if known is None:
                known = secrets.token_hex(32)
                db.execute("INSERT INTO meta VALUES('badge_key', ?)", (known,))
            return known

    def revoked_badges(self) -> tuple[str, ...]:
        """Hashes of badges that are refused at every table."""
        with self._database.lock:
            known = self._database.meta("revoked")
        return () if known is None else msgspec.json.decode(known, type=tuple[str, ...])

    def revoke_badges(self, badges: tuple[str, ...]) -> None:
        """From now on these badges are refused, and no others. Tables hear of it by a new adoption, if it is news."""
        with self._database.transaction() as db:
            if set(badges) == set(self.revoked_badges()):
                return
            db.execute("INSERT OR REPLACE INTO meta VALUES('revoked', ?)", (msgspec.json.encode(badges).decode(),))
            db.execute("UPDATE units SET rev=max(rev, said_rev)+1 WHERE status=?", (UnitStatus.ADOPTED,))
        self._database.tell_outgoing()

    # --- for whoever takes events in

    def mark(self, unit: str) -> tuple[int, int]:
        """(number of the outbox, watermark) as the writer sees them; zeros for a unit nobody knows."""
        row = self._database.writer.execute("SELECT ep, wm FROM units WHERE unit=?", (unit,)).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    def numbers_of(self, unit: str) -> set[int]:
        """Numbers of the tables this unit serves or has served; 0, no table, is always one."""
        known = self._numbers.get(unit)
        if known is None:
            rows = self._database.writer.execute("SELECT table_no FROM table_numbers WHERE unit=?", (unit,))
            known = self._numbers[unit] = {0, *(number for (number,) in rows)}
        return known

    # --- inside

    def _unit(self, unit: str) -> Unit:
        """Inside a transaction: the unit, which must be there."""
        return _unit(self._database.writer.execute("SELECT * FROM units WHERE unit=?", (unit,)).fetchone())

    def _issue(self, db: sqlite3.Connection, u: Unit) -> None:
        """A new incarnation, higher than any before; it begins behind what the unit has forgotten."""
        acked = u.said_acked if u.said_ep or u.said_acked else 0
        db.execute(
            "UPDATE units SET ep=?, wm=?, confirmed=0, rev=max(rev, said_rev)+1 WHERE unit=?",
            (max(u.ep, u.said_ep) + 1, acked, u.unit),
        )


def kept_badge_key(path: Path) -> str:
    """The key for badges in a hub's file, for another process of its machine; "" if no hub has made one there."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            row = db.execute("SELECT value FROM meta WHERE key='badge_key'").fetchone()
    except sqlite3.OperationalError:             # no file, or one that a hub has only begun
        return ""
    return "" if row is None else str(row[0])


def _unit(row: Sequence[Any]) -> Unit:
    values = list(row)
    values[1], values[10] = UnitStatus(values[1]), bool(values[10])
    return Unit(*values)
