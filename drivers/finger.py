"""A hand on the panel's lines: presses, holds, turns, and bounces as contacts do. For simulators and benches.

`Finger` only says when which line closes; whoever makes one gives it what closes a line: a mock pin, or an output wired
to a key's input. A press waits until the same key has been up for the debouncer's lock, as a finger must, and a turn
until the knob has; nothing else waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from drivers import knob
from drivers.panel_reader import KnobLine, Line
from drivers.seen import Key

SPARE_S = 0.001  # for the panel's thread to look at the line when the lock is over


class Finger:
    """Presses keys and turns the knob through `drive(line, closed)`. From any thread; one gesture at a time."""

    def __init__(self, drive: Callable[[Line, bool], None], lock_s: float) -> None:
        self._drive = drive
        self._lock_s = lock_s
        self._up_s: dict[Line, float] = {}
        self._hand = threading.RLock()
        self._pause = threading.Event()

    def press(self, key: Key, bounces: int = 0) -> None:
        """Down and up again; with `bounces` the contact opens and closes that many times more each way."""
        with self._hand:
            self.down(key, bounces)
            self.up(key, bounces)

    def down(self, key: Line, bounces: int = 0) -> None:
        """The key goes down and stays there."""
        with self._hand:
            self._settle(key)
            self._close(key, *([True, False] * bounces), True)

    def up(self, key: Line, bounces: int = 0) -> None:
        """The key comes up."""
        with self._hand:
            self._close(key, *([False, True] * bounces), False)
            self._up_s[key] = time.monotonic()

    def turn(self, steps: int, pushed: bool = False) -> None:
        """The knob turns by `steps` detents, clockwise positive, each through its four phases."""
        with self._hand:
            self._settle(KnobLine.PUSH)
            if pushed:
                self.down(KnobLine.PUSH)
            for a, b in knob.phases_of(steps):
                self._drive(KnobLine.A, a)
                self._drive(KnobLine.B, b)
            if pushed:
                self.up(KnobLine.PUSH)

    def push(self) -> None:
        """The knob is pushed in and let go."""
        with self._hand:
            self.down(KnobLine.PUSH)
            self.up(KnobLine.PUSH)

    def _close(self, line: Line, *levels: bool) -> None:
        for closed in levels:
            self._drive(line, closed)

    def _settle(self, line: Line) -> None:
        rest_s = self._up_s.get(line, 0.0) + self._lock_s + SPARE_S - time.monotonic()
        if rest_s > 0:
            self._pause.wait(rest_s)
