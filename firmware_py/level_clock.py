"""The level clock as a table knows it: the hub's anchor, read at any moment, and what is left of it alone.

The clock is a deadline, never a count of ticks: a reading is computed from the anchor and tournament time. While the
hub is there, its message with a new level is the announcement. When it is lost, an `autonomous` table goes on through
the schedule; another one stops at 0:00. After a reboot no one knows how long it was dark: until the hub's time is known
again the stored reading stands still, marked as paused.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

import msgspec

from engine.clock import ClockReading, reading
from engine.inputs import Level
from engine.wire import Clock

STORE_EVERY_MS = 15_000
_VIRTUAL_MS = struct.Struct("<q")


class ClockFileTime:
    """Tournament time that a conductor turns: eight bytes in a file, little-endian milliseconds."""

    def __init__(self, path: str | Path) -> None:
        """Raises OSError or ValueError when there is no such file of eight bytes."""
        with Path(path).open("rb") as file:
            self._map = mmap.mmap(file.fileno(), _VIRTUAL_MS.size, access=mmap.ACCESS_READ)

    def now_ms(self) -> int | None:
        """Virtual ms."""
        return int(_VIRTUAL_MS.unpack_from(self._map)[0])

    def close(self) -> None:
        """End the mapping."""
        self._map.close()


class StoredClock(msgspec.Struct, frozen=True):
    """What the journal keeps: the last anchor, and the reading when it was stored."""

    clock: Clock
    index: int
    remain_ms: int


class LevelClock:
    """The clock of one table. Times are tournament time in ms; None where it is not known."""

    def __init__(self, stored: StoredClock | None, *, autonomous: bool) -> None:
        self._clock = stored.clock if stored else None
        self._stored = stored
        self._autonomous = autonomous

    @property
    def rev(self) -> int:
        """The revision of the anchor; 0 before the first."""
        return self._clock.rev if self._clock else 0

    def hear(self, clock: Clock) -> bool:
        """Take the hub's anchor; False if it is no newer than the one known or has no schedule."""
        known = self._clock
        if not clock.schedule or (known is not None and (clock.hub, clock.rev) <= (known.hub, known.rev)):
            return False
        self._clock = clock
        return True

    def reading(self, now_ms: int | None, *, hub_there: bool) -> ClockReading | None:
        """What the clock says; None if no clock was ever heard."""
        clock = self._clock
        if clock is None:
            return None
        if now_ms is None:
            return reading(self._paused(clock), 0)
        if not hub_there and not self._autonomous:
            alone = msgspec.structs.replace(clock, schedule=clock.schedule[: clock.index + 1])
            return reading(alone, now_ms)
        return reading(clock, now_ms)

    def announced(self, now_ms: int | None, *, hub_there: bool) -> Level | None:
        """The level that counts from the next start of a hand: the hub's, or, alone, what the schedule has come to."""
        clock = self._clock
        if clock is None:
            return None
        if hub_there or now_ms is None or not self._autonomous:
            return reading(msgspec.structs.replace(clock, running=False), 0).level
        return reading(clock, now_ms).level

    def to_store(self, now_ms: int | None, *, hub_there: bool) -> StoredClock | None:
        """What to keep now, None while that is what is kept or known well enough."""
        read = self.reading(now_ms, hub_there=hub_there)
        if read is None or self._clock is None or now_ms is None:
            return None
        kept = self._stored
        same = kept is not None and kept.clock == self._clock and kept.index == read.index
        if same and kept is not None and abs(kept.remain_ms - read.remaining_ms) < STORE_EVERY_MS:
            return None
        self._stored = StoredClock(self._clock, read.index, read.remaining_ms)
        return self._stored

    def _paused(self, clock: Clock) -> Clock:
        kept = self._stored
        if kept is None or kept.clock != clock:
            return msgspec.structs.replace(clock, running=False)
        return msgspec.structs.replace(clock, running=False, index=kept.index, remain_ms=kept.remain_ms)
