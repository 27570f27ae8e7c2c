"""What could not be used, and what a person must look at."""

from __future__ import annotations

from engine import wire
from hub.database import Database
from hub.hubtime import utc_ms
from hub.records import Alarm, Quarantined

KEPT_RAW = 8 * 1024  # bytes of a quarantined payload that are kept
KEPT_QUARANTINE = 10_000  # payloads
KEPT_ALARMS = 10_000


class Troubles:
    """Payloads that are no message of ours, kept with the reason, and alarms. Both are bounded; the oldest go."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, unit: str, reason: str, raw: bytes) -> int:
        """Keeps a payload that is no message of ours. How often it has come."""
        with self._database.transaction() as db:
            row = db.execute(
                "INSERT INTO quarantine(utc, unit, reason, digest, raw) VALUES(?,?,?,?,?)"
                " ON CONFLICT(unit, digest) DO UPDATE SET times=times+1 RETURNING k, times",
                (utc_ms(), unit, reason, wire.digest_of_bytes(raw), raw[:KEPT_RAW]),
            ).fetchone()
            db.execute("DELETE FROM quarantine WHERE k<=?", (row[0] - KEPT_QUARANTINE,))
            return int(row[1])

    def kept(self, unit: str = "") -> list[Quarantined]:
        """The quarantine, oldest first; of one unit, or of all."""
        rows = self._database.read().execute(
            "SELECT utc, unit, reason, raw, times FROM quarantine WHERE ?='' OR unit=? ORDER BY k", (unit, unit)
        )
        return [Quarantined(*row) for row in rows]

    def alarm(self, unit: str, what: str, text: str) -> None:
        """Notes something a person must look at."""
        with self._database.transaction() as db:
            k = db.execute(
                "INSERT INTO alarms(utc, unit, what, text) VALUES(?,?,?,?)", (utc_ms(), unit, what, text)
            ).lastrowid
            db.execute("DELETE FROM alarms WHERE k<=?", ((k or 0) - KEPT_ALARMS,))

    def alarms(self, since_utc_ms: int = 0) -> list[Alarm]:
        """The alarms since then, oldest first."""
        rows = self._database.read().execute(
            "SELECT utc, unit, what, text FROM alarms WHERE utc>=? ORDER BY k", (since_utc_ms,)
        )
        return [Alarm(*row) for row in rows]
