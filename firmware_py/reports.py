"""What the table tells the hub of itself: its state, a heartbeat, questions for the time, now and then all it knows.

For the uplink's thread, but for `picture`, which the crank sets whole.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine import wire
from engine.view import TableView
from firmware_py.journal import OUTBOX_WARNING
from firmware_py.sender import Outbox
from firmware_py.timesync import TimeSync

log = logging.getLogger(__name__)

TELEMETRY_S = 5.0
SNAPSHOT_S = 300.0
TIME_QUERY_S = 5.0
TIME_QUERY_FIRST_S = 1.0  # the first queries after a connect
TIME_QUERIES_FIRST = 8
OUTBOX_WARNING_MS = 60_000
TEMPERATURE = Path("/sys/class/thermal/thermal_zone0/temp")  # thousandths of a degree; not on every machine


class Picture(NamedTuple):
    """The public picture of the table after a commit, for snapshots."""

    hand: int
    hand_rev: int
    view: TableView
    seq: int = 0  # newest event it contains; 0: the newest of the outbox


class Reports:
    """When what is told. `send(leaf, payload, qos)` publishes under a topic of this unit, False: not now.

    Times are monotonic seconds. `fw` is the version of this program.
    """

    def __init__(self, outbox: Outbox, sync: TimeSync, send: Callable[[str, bytes, int], bool], fw: str) -> None:
        self._outbox = outbox
        self._sync = sync
        self._send = send
        self._fw = fw
        self._telemetry_s = self._snapshot_s = self._time_query_s = 0.0  # when they go out next
        self._first_queries = 0
        self._query = 0
        self._warned = False
        self.picture: Picture | None = None
        self.cfg_rev = 0    # of the adoption in force
        self.clock_rev = 0  # of the level clock as last heard

    def connected(self) -> None:
        """A new connection: everything is due."""
        self._telemetry_s = self._snapshot_s = 0.0
        self.ask_time()

    def ask_time(self) -> None:
        """A hub that was not heard before: its time is asked for in close succession."""
        self._first_queries, self._time_query_s = TIME_QUERIES_FIRST, 0.0

    def snapshot_now(self) -> None:
        """The full picture goes out next."""
        self._snapshot_s = 0.0

    def next_s(self) -> float:
        """When something is due next."""
        return min(self._telemetry_s, self._time_query_s)

    def state(self, st: str) -> wire.UnitState:
        """The unit as it says it is: `ready`, `off` or, as its will, `lost`."""
        first, last, _ = self._outbox.outbox_depth()
        acked = first - 1 if first else last
        return wire.UnitState(st, self._outbox.boot, self._outbox.ep, last, acked, self._fw, cfg_rev=self.cfg_rev)

    def tell(self, now_s: float) -> None:
        """Heartbeat, time query and full picture, each when it is due."""
        if now_s >= self._telemetry_s:
            self._telemetry_s = now_s + TELEMETRY_S
            self._telemetry()
        if now_s >= self._time_query_s:
            self._first_queries = max(0, self._first_queries - 1)
            self._time_query_s = now_s + (TIME_QUERY_FIRST_S if self._first_queries else TIME_QUERY_S)
            self._query += 1
            self._send("up/tq", wire.encode(wire.TimeQuery(self._query, time.monotonic_ns() / 1e6)), 0)
        if now_s >= self._snapshot_s and self.picture is not None and self._outbox.ep:
            self._snapshot_s = now_s + SNAPSHOT_S
            p = self.picture
            seq = p.seq or self._outbox.outbox_depth()[1]
            self._send("up/snap", wire.encode(wire.Snapshot(self._outbox.ep, seq, p.hand, p.hand_rev, p.view)), 1)

    def _telemetry(self) -> None:
        first, last, age_ms = self._outbox.outbox_depth()
        waiting = last - first + 1 if first else 0
        if waiting > OUTBOX_WARNING or age_ms > OUTBOX_WARNING_MS:
            if not self._warned:
                log.warning("uplink: %d events wait for the hub, the oldest for %d s", waiting, age_ms // 1000)
            self._warned = True
        elif not waiting:
            self._warned = False
        now_ms = time.monotonic_ns() / 1e6
        offset = self._sync.offset
        told = wire.Telemetry(
            boot=self._outbox.boot, mono=int(now_ms), outbox=waiting, oldest_ms=age_ms, temp_c=_temperature(),
            offset=int(offset.at(now_ms)) if offset else 0, err=int(offset.error_at(now_ms)) + 1 if offset else -1,
            clock_rev=self.clock_rev,
        )  # fmt: skip
        self._send("up/tele", wire.encode(told), 0)


def _temperature() -> float:
    """Degrees Celsius of the processor; 0 where the machine does not tell."""
    try:
        return int(TEMPERATURE.read_text()) / 1000
    except (OSError, ValueError):
        return 0.0
