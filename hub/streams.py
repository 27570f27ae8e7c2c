"""What the ingest thread keeps of each unit beside the store: how far its stream has come, and its signs of life.

A unit is live by a heartbeat or a birth of its newest boot; it is late and lost by the heartbeat's age, or lost at
once by its will. Retained news proves nothing. The picture is derived from the age whenever it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from hub.records import Incoming, Unit, UnitStatus
from hub.store import Store

LATE_S = 12.0
LOST_S = 20.0


class Live(StrEnum):
    """Is the unit there? `late` and `lost` by the age of its last heartbeat; `off`: it said goodbye."""

    READY = "ready"
    LATE = "late"
    LOST = "lost"
    OFF = "off"


class UnitPicture(NamedTuple):
    """A unit as the pages show it. Ages in ms; -1: nothing heard since the hub started."""

    unit: str
    status: UnitStatus
    why: str
    table_no: int
    live: Live
    heard_ago_ms: int
    ep: int
    wm: int
    last: int  # newest event the unit has told of
    outbox: int
    oldest_ms: int
    offset_err_ms: int
    fw: str


@dataclass
class Stream:
    """What the ingest thread keeps of one unit. `heard_s`: monotonic time of the last sign of life, 0 for none."""

    ep: int = 0
    wm: int = 0
    status: UnitStatus = UnitStatus.SEEN
    boot: int = 0
    heard_s: float = 0.0
    said: str = ""
    ahead: dict[int, Incoming] = field(default_factory=dict)
    gap_since_s: float = 0.0
    acked_s: float = 0.0
    rev: int = 0  # of the adoption published last
    last: int = 0
    outbox: int = 0
    oldest_ms: int = 0
    err_ms: int = -1
    sent_id: str = ""
    sent_s: float = 0.0
    poison: tuple[bytes, int, int] = (b"", 0, 0)  # digest, watermark, times
    stranger_said: bool = False


class Streams:
    """The streams of all units. Only the ingest thread changes them; anybody may ask for a picture.

    `acks_due`: units that wait for an acknowledgement; `gaps`: units of which an event is missing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._streams: dict[str, Stream] = {}
        self.acks_due: set[str] = set()
        self.gaps: set[str] = set()

    def of(self, unit: str) -> Stream:
        """The stream of this unit; a new one is brought in line with the store."""
        stream = self._streams.get(unit)
        if stream is None:
            stream = self._streams[unit] = Stream()
            known = self._store.register.of(unit)
            if known is not None:
                self.refresh(known)
        return stream

    def refresh(self, unit: Unit) -> None:
        """Brings the thread's picture of a unit in line with the store's."""
        s = self._streams.setdefault(unit.unit, Stream())
        if (s.ep, s.wm) != (unit.ep, unit.wm):
            s.ahead.clear()
            s.gap_since_s = 0.0
        s.ep, s.wm, s.status, s.boot = unit.ep, unit.wm, unit.status, max(s.boot, unit.boot)

    def all(self) -> dict[str, Stream]:
        """Every stream by its unit."""
        return self._streams

    def picture(self, unit: Unit, now_s: float) -> UnitPicture:
        """The unit at this moment (monotonic seconds)."""
        s = self._streams.get(unit.unit) or Stream()
        age_s = now_s - s.heard_s if s.heard_s else -1.0
        if s.said in (Live.OFF, Live.LOST):
            live = Live(s.said)
        elif not s.heard_s or age_s > LOST_S:
            live = Live.LOST
        else:
            live = Live.LATE if age_s > LATE_S else Live.READY
        return UnitPicture(
            unit.unit, unit.status, unit.why, unit.table_no, live, int(age_s * 1000) if s.heard_s else -1, unit.ep,
            unit.wm, max(s.last, unit.wm), s.outbox, s.oldest_ms, s.err_ms, unit.fw,
        )  # fmt: skip
