"""One line of the table that `make bench` prints, and how a time is taken."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import msgspec

RUNS = 9


class Row(msgspec.Struct, frozen=True):
    """One measured thing. A module `benchmarks/*_bench.py` has `rows() -> list[Row]`.

    `peer_name` and `peer` are what it is measured against in the same run ("" where nothing compares); `limit` is the
    figure we promise. `better` says which way is good.
    """

    what: str
    ours: float
    unit: str
    peer_name: str = ""
    peer: float | None = None
    limit: float | None = None
    better: str = "less"         # or "more"
    note: str = ""

    @property
    def kept(self) -> bool:
        """Is the promised figure kept? True where none is promised."""
        if self.limit is None:
            return True
        return self.ours <= self.limit if self.better == "less" else self.ours >= self.limit


def per_second(work: Callable[[], int], runs: int = RUNS) -> float:
    """How many a second: the median of `runs`; `work` does some and says how many it did."""
    return statistics.median(_rate(work) for _ in range(runs))


def per_second_of_each(*works: Callable[[], int], runs: int = RUNS) -> list[float]:
    """How many of each in a second of the processor's time: the medians of `runs`, in turn, so that all meet the same.

    For work that only computes: what waits costs nothing here.
    """
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, found in zip(works, rates, strict=True):
            start = time.process_time()
            done = work()
            found.append(done / (time.process_time() - start))
    return [statistics.median(found) for found in rates]


def _rate(work: Callable[[], int]) -> float:
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)


def percentile(values: list[float], share: float) -> float:
    """The value that `share` (0 to 1) of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
