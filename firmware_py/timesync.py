"""What time is it at the hub? An offset to this unit's monotonic clock, from four time stamps a query.

The query leaves at t1 and its answer arrives at t4 (this unit's clock); the hub had it from t2 to t3 (hub time).
offset = ((t2 - t1) + (t3 - t4)) / 2, wrong by half the round trip at most (RFC 5905, section 8). Of the last `SAMPLES`
answers the one with the smallest bound counts, its age included: a clock crystal drifts. The offset in use moves
towards it by `SLEW` at most, so that no display jumps; only beyond `STEP_MS` it steps.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

SAMPLES = 8
DRIFT = 100e-6  # two crystals of 50 ppm against each other
SLEW = 5e-3  # of the time that passes: 5 ms a second
STEP_MS = 500.0


class Offset(NamedTuple):
    """Hub time minus monotonic ms, on its way from `from_ms` (at monotonic `since_ms`) to `to_ms`."""

    from_ms: float
    to_ms: float
    since_ms: float
    bound_ms: float

    def at(self, now_ms: float) -> float:
        """The offset to use at monotonic `now_ms`, in ms."""
        most = SLEW * max(0.0, now_ms - self.since_ms)
        return self.from_ms + max(-most, min(most, self.to_ms - self.from_ms))

    def error_at(self, now_ms: float) -> float:
        """How wrong it may be at `now_ms`, in ms: half the round trip, the drift since, and what is left to slew."""
        return self.bound_ms + DRIFT * max(0.0, now_ms - self.since_ms) + abs(self.to_ms - self.at(now_ms))


class _Sample(NamedTuple):
    offset_ms: float
    half_trip_ms: float
    at_ms: float

    def bound(self, now_ms: float) -> float:
        return self.half_trip_ms + DRIFT * (now_ms - self.at_ms)


class TimeSync:
    """The filter. One thread feeds it; `offset` is a frozen record that any thread may read."""

    def __init__(self) -> None:
        self.offset: Offset | None = None
        self.steps = 0
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)
        self._hub = 0

    def answered(self, hub: int, t1: float, t2: float, t3: float, t4: float) -> None:
        """Takes one answer of hub epoch `hub`, in ms. An impossible one is ignored; a new epoch drops older ones."""
        if t4 < t1 or t3 < t2 or t4 - t1 < t3 - t2:
            return
        if hub != self._hub:
            self._hub = hub
            self._samples.clear()
        self._samples.append(_Sample(((t2 - t1) + (t3 - t4)) / 2, ((t4 - t1) - (t3 - t2)) / 2, t4))
        best = min(self._samples, key=lambda sample: sample.bound(t4))
        used = best.offset_ms if self.offset is None else self.offset.at(t4)
        if abs(best.offset_ms - used) > STEP_MS:
            self.steps += 1
            used = best.offset_ms
        self.offset = Offset(used, best.offset_ms, t4, best.bound(t4))
