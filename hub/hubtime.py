"""Hub time: milliseconds of the wall clock when the process started, and of the monotonic clock from then on.

It never jumps while the hub runs, whatever happens to the wall clock, and after a restart it goes on where the wall
clock is. Commands expire by it and the tables learn their offset to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

NowMs = Callable[[], float]


def hub_time() -> NowMs:
    """A clock anchored now; call it for the hub time in ms and fractions. Safe from any thread."""
    base_ns = time.time_ns() - time.monotonic_ns()

    def now_ms() -> float:
        return (base_ns + time.monotonic_ns()) / 1e6

    return now_ms


def utc_ms() -> int:
    """Wall time in ms since 1970, for printing and for nothing else."""
    return time.time_ns() // 1_000_000
