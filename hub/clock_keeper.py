"""The level clock of a tournament: an anchor that is set anew when something changes, never a count.

A level that ends is announced by a new anchor at the planned end, however late it was noticed; `announced` is the line
of the schedule announced last. The hub stops the clock by itself where the book says so: while players change tables
(fipos:5), and hand for hand, where each hand takes its time off at once (TDA 2024, RP-8). It starts again what it
stopped itself; what the director has stopped or started stays so.
"""

from __future__ import annotations

import msgspec

from engine import wire
from engine.clock import MINUTE_MS, ClockReading, duration_ms, hand_by_hand, reading
from hub.entries import ClockSet
from hub.refused import Refused

HUB, CLOCK, DIRECTOR = "hub", "clock", "director"
SAID = {"pause": "paused", "resume": "resumed", "add_minute": "minute"}


class ClockKeeper:
    """The fold of the clock. `clock` is what the room has been told."""

    def __init__(self, lines: tuple[wire.ClockLevel, ...]) -> None:
        self.clock = wire.Clock(0, 0, 0, False, 0, duration_ms(lines[0]), lines)
        self._stopped_by_hub = False
        self._kept_running = False                   # the director wants it to run, hand for hand or not

    def record(self, entry: ClockSet) -> None:
        """Takes in a new anchor."""
        if entry.what in ("paused", "resumed", "started", "stopped"):
            self._stopped_by_hub = entry.what == "paused" and entry.who == HUB
            self._kept_running = entry.what == "resumed" and entry.who == DIRECTOR
        self.clock = entry.clock

    def reading(self, now_ms: int) -> ClockReading:
        """The level clock at this moment."""
        return reading(self.clock, now_ms)

    def start(self, now_ms: int) -> ClockSet | None:
        """The first level begins; nothing if it has."""
        if self.clock.rev:
            return None
        return ClockSet("started", self._anchor(0, True, now_ms, self.clock.remain_ms), CLOCK)

    def stop(self) -> ClockSet | None:
        """The tournament is over: the clock stands as it was set last."""
        now = self.clock
        if not now.running:
            return None
        return ClockSet("stopped", self._anchor(now.index, False, now.anchor_ms, now.remain_ms), CLOCK)

    def announce(self, now_ms: int) -> ClockSet | None:
        """The next line, when the one before has run out."""
        now = self.reading(now_ms)
        if not self.clock.running or now.index == self.clock.index:
            return None
        full_ms = duration_ms(self.clock.schedule[now.index])
        planned_ms = now_ms - (full_ms - now.remaining_ms)
        return ClockSet("announced", self._anchor(now.index, True, planned_ms, full_ms), CLOCK)

    def stand(self, now_ms: int, moving: bool, hand_for_hand: bool) -> ClockSet | None:
        """Stops the clock for players who change tables, or hand for hand (never in a break)."""
        now = self.reading(now_ms)
        wanted = moving or (hand_for_hand and not now.on_break and not self._kept_running)
        if not wanted or not self.clock.running:
            return None
        return ClockSet("paused", self._anchor(now.index, False, now_ms, now.remaining_ms), HUB)

    def go_on(self, now_ms: int, hand_for_hand: bool) -> ClockSet | None:
        """Starts what the hub stopped, once there is no reason left, or a break has come hand for hand."""
        now = self.reading(now_ms)
        if not self._stopped_by_hub or self.clock.running or (hand_for_hand and not now.on_break):
            return None
        return ClockSet("resumed", self._anchor(now.index, True, now_ms, now.remaining_ms), HUB)

    def hand_played(self, now_ms: int, hand_s: int) -> ClockSet | None:
        """Hand for hand a hand was played at every table: its time is off the clock, if it stands for that."""
        if not self._stopped_by_hub:
            return None
        before = msgspec.structs.replace(self.clock, anchor_ms=now_ms)
        after = hand_by_hand(before, 1, hand_s)
        announced = after.index != before.index
        told = msgspec.structs.replace(after, announced=after.index)
        return ClockSet("announced" if announced else "hand_played", told, CLOCK)

    def tell(self, now_ms: int, hand_for_hand: bool, final_table: bool) -> ClockSet | None:
        """Tells the displays that the tables play hand for hand, or that one is left, when that has changed."""
        if (self.clock.hand_for_hand, self.clock.final_table) == (hand_for_hand, final_table):
            return None
        now = self.reading(now_ms)
        anchor = self._anchor(now.index, self.clock.running, now_ms, now.remaining_ms)
        told = msgspec.structs.replace(anchor, hand_for_hand=hand_for_hand, final_table=final_table)
        return ClockSet("told", told, CLOCK)

    def key(self, what: str, who: str, now_ms: int) -> ClockSet:
        """`pause`, `resume` or `add_minute`. Raises Refused: it stands, or runs, already."""
        now = self.reading(now_ms)
        if what == "pause" and not self.clock.running:
            raise Refused("stopped")
        if what == "resume" and self.clock.running:
            raise Refused("running")
        remain_ms = now.remaining_ms + (MINUTE_MS if what == "add_minute" else 0)
        running = {"pause": False, "resume": True}.get(what, self.clock.running)
        return ClockSet(SAID[what], self._anchor(now.index, running, now_ms, remain_ms), who)

    def _anchor(self, index: int, running: bool, anchor_ms: int, remain_ms: int) -> wire.Clock:
        return msgspec.structs.replace(
            self.clock, rev=self.clock.rev + 1, index=index, running=running, anchor_ms=anchor_ms,
            remain_ms=remain_ms, announced=index,
        )  # fmt: skip
