"""The one inbox of a table unit: whatever happens, in the order in which it was heard.

Device threads, the uplink and signal handlers post; one thread, the crank, takes. The moment of arrival (`at_ms`, the
monotonic clock) is stamped here or by the driver and nowhere else, so that a run of the crank depends on nothing but
what lies in the journal. The queue is bounded: a poster never waits, and an entry that finds no room is counted.

It is a SimpleQueue, because a signal's handler posts on the crank's own thread in the midst of `take`: a Queue's lock
would be waited for by the thread that holds it (docs.python.org/3/library/queue.html, "reentrant").
"""

from __future__ import annotations

import queue
import time
from typing import NamedTuple

import msgspec

from drivers.seen import Post, Seen
from engine.wire import Adopt, Clock, HubCommand

CAPACITY = 4096  # entries; at three presses a second the crank would have to stand still for twenty minutes


class Link(msgspec.Struct, frozen=True, tag=True):
    """Base of what the uplink posts. Payloads are decoded and well formed; what they mean is for the crank."""


class LinkUp(Link, frozen=True, tag=True):
    """The hub of epoch `hub` is there and ready; reported once for each connection and each new epoch."""

    hub: int


class LinkDown(Link, frozen=True, tag=True):
    """The hub is away. `hint` tells the person at the table what to do, in the unit's language or as a word."""

    hint: str = ""


class LinkAcked(Link, frozen=True, tag=True):
    """The hub has committed everything up to `wm` of incarnation `ep`; the outbox may forget it."""

    ep: int
    wm: int


class LinkAdopted(Link, frozen=True, tag=True):
    """The hub gave this outbox its number and this unit its table. Repeats and lower `rev` are ignored by the crank."""

    adopt: Adopt


class LinkCommand(Link, frozen=True, tag=True):
    """A command of the hub. The uplink judged signature, expiry and retain flag; the crank judges the rest."""

    command: HubCommand


class LinkClock(Link, frozen=True, tag=True):
    """The hub's level clock, as published; older (`hub`, `rev`) are ignored by the crank."""

    clock: Clock


class Stop(msgspec.Struct, frozen=True):
    """The process was asked to end."""

    why: str


What = Seen | Link | Stop


class Arrived(NamedTuple):
    """One entry: when (monotonic ms), from where (`panel`, `shoe`, `badge`, `hub`, `os`), and what."""

    at_ms: int
    source: str
    what: What


def monotonic_ms() -> int:
    """Milliseconds of the clock that no one can set; comparable within one boot only."""
    return time.monotonic_ns() // 1_000_000


class Inbox:
    """A bounded queue with one taker. `post` may be called from any thread; `take` from the crank alone."""

    def __init__(self) -> None:
        self._entries: queue.SimpleQueue[Arrived] = queue.SimpleQueue()
        self.lost = 0

    def post(self, source: str, what: What, at_ms: int | None = None) -> bool:
        """Put one entry in; never waits. False when the inbox is full: the entry is counted in `lost` and forgotten."""
        if self._entries.qsize() >= CAPACITY:
            self.lost += 1
            return False
        self._entries.put(Arrived(monotonic_ms() if at_ms is None else at_ms, source, what))
        return True

    def poster(self, source: str) -> Post:
        """What a driver of `source` is given: it turns what the driver saw into an entry."""

        def post(seen: Seen, at_ns: int) -> None:
            self.post(source, seen, at_ns // 1_000_000)

        return post

    def take(self, timeout_s: float) -> Arrived | None:
        """The oldest entry, or None when nothing came within `timeout_s`."""
        try:
            return self._entries.get(timeout=timeout_s) if timeout_s > 0 else self._entries.get_nowait()
        except queue.Empty:
            return None

    def __len__(self) -> int:
        return self._entries.qsize()
