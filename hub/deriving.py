"""What follows from a table's events: its hands, who sits there, who is out, who came and went.

A hand is told again under a higher `hand_rev` when a dealer took something back. The derived rows always speak of the
highest revision: the first event of a new one strikes what the older ones said of that hand and of the hands after it.
"""

from __future__ import annotations

import sqlite3

from engine import wire
from hub.database import Database
from hub.records import Incoming, Standing
from hub.register import Register

_STRIKE = (  # a hand, and those after it, that a new revision replaces
    "DELETE FROM hands WHERE unit=? AND ep=? AND hand>=?",
    "DELETE FROM eliminations WHERE unit=? AND ep=? AND hand>=?",
    "DELETE FROM seat_changes WHERE unit=? AND ep=? AND hand>=?",
)


class Derivation:
    """Inside a transaction of the store: `place` says whether an event counts, `derive` writes what follows."""

    def __init__(self, database: Database, register: Register) -> None:
        self._database = database
        self._register = register
        self._hands: dict[tuple[str, int], tuple[int, int]] = {}
        database.on_undone(self._hands.clear)

    def newest_hand(self, unit: str, ep: int) -> tuple[int, int]:
        """Number and revision of the hand this incarnation told of last; zeros if none."""
        known = self._hands.get((unit, ep))
        if known is None:
            row = self._database.writer.execute(
                "SELECT hand, rev FROM hands WHERE unit=? AND ep=? ORDER BY hand DESC LIMIT 1", (unit, ep)
            ).fetchone()
            known = self._hands[(unit, ep)] = (row[0], row[1]) if row else (0, 0)
        return known

    def place(self, item: Incoming) -> Standing:
        """Does this event count? Opens its hand, or a new revision of it, when it is the first of one."""
        e = item.envelope
        if item.standing is not Standing.OK:
            return item.standing
        if e.table not in self._register.numbers_of(e.unit):
            return Standing.OTHER_TABLE
        if e.hand == 0:
            return Standing.OK
        hand, rev = self.newest_hand(e.unit, e.ep)
        if (e.hand, e.hand_rev) == (hand, rev):
            return Standing.OK
        if e.hand > hand:
            self._open_hand(e)
            return Standing.OK
        row = self._database.writer.execute(
            "SELECT rev FROM hands WHERE unit=? AND ep=? AND hand=?", (e.unit, e.ep, e.hand)
        ).fetchone()
        if row is None or e.hand_rev <= row[0]:
            return Standing.OLD_HAND
        for strike in _STRIKE:
            self._database.writer.execute(strike, (e.unit, e.ep, e.hand))
        self._open_hand(e)
        return Standing.OK

    def _open_hand(self, e: wire.Envelope) -> None:
        self._database.writer.execute(
            "INSERT OR REPLACE INTO hands(unit, ep, hand, rev, table_no) VALUES(?,?,?,?,?)",
            (e.unit, e.ep, e.hand, e.hand_rev, e.table),
        )
        self._hands[(e.unit, e.ep)] = (e.hand, e.hand_rev)

    def derive(self, db: sqlite3.Connection, cursor: int, e: wire.Envelope, body: wire.Body) -> None:
        """The rows that follow from one event that counts."""
        match body:
            case wire.HandStarted():
                db.execute("DELETE FROM seats WHERE unit=?", (e.unit,))
                db.executemany(
                    "INSERT OR REPLACE INTO seats VALUES(?,?,?,?,?)",
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
