"""A USB keyboard wedge that is not there: events as python-evdev gives them, without a kernel device.

`WedgeSim` is the reader with its plug; `open` is given to `drivers.wedge.WedgeReader` in place of the kernel's device.
Where there is a /dev/uinput, `UinputWedge` types into the kernel instead, and the driver opens a real input device.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from drivers.wedge import CHARACTERS, EV_KEY, EventSource, KeyEvent

EV_SYN, EV_MSC, MSC_SCAN = 0, 4, 4
ENTER = 28
KEY_OF = {character: code for code, character in reversed(CHARACTERS.items())}      # the keys of the upper row


class SimEvent(NamedTuple):
    """Has the fields of python-evdev's `InputEvent`."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


def typed(text: str) -> list[SimEvent]:
    """What the kernel says when a reader types `text` and Enter. **Raises** KeyError for what has no key here."""
    events: list[SimEvent] = []
    for code in [*(KEY_OF[character] for character in text.upper()), ENTER]:
        now_ns = time.time_ns()
        at = (now_ns // 1_000_000_000, now_ns // 1000 % 1_000_000)
        for value in (1, 0):
            events += [
                SimEvent(*at, EV_MSC, MSC_SCAN, 0x70000 + code),
                SimEvent(*at, EV_KEY, code, value),
                SimEvent(*at, EV_SYN, 0, 0),
            ]
    return events


class _Opened:
    """One opened device: its events wait in a queue, a pipe says that there are some."""

    def __init__(self, sim: WedgeSim) -> None:
        self._sim = sim
        self._events: deque[SimEvent] = deque()
        self._read, self._write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def fileno(self) -> int:
        return self._read

    def grab(self) -> None:
        self._sim.grabbed_by(self)

    def read(self) -> Iterable[KeyEvent]:
        with contextlib.suppress(BlockingIOError):
            os.read(self._read, 4096)
        if not self._sim.holds(self):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        events = list(self._events)
        self._events.clear()
        return events

    def close(self) -> None:
        self._sim.closed(self)
        os.close(self._read)
        os.close(self._write)

    def put(self, events: Iterable[SimEvent]) -> None:
        """Events, or none: look again."""
        self._events.extend(events)
        os.write(self._write, b"w")


class WedgeSim:
    """The reader: `tap(digits)`, `unplug()`, `plug()`; `start()` plugs it in. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._plugged = False
        self._opened: list[_Opened] = []
        self._grabbed: _Opened | None = None

    def start(self) -> None:
        """Plug in."""
        self.plug()

    def stop(self) -> None:
        """Unplug."""
        self.unplug()

    def plug(self) -> None:
        """Put the plug in."""
        self._plugged = True

    def unplug(self) -> None:
        """Pull it out: whoever has the device open gets ENODEV."""
        with self._lock:
            self._plugged = False
            opened, self._opened, self._grabbed = self._opened, [], None
            for each in opened:
                each.put([])

    def open(self, path: str) -> EventSource:
        """For the driver. **Raises** OSError while it is unplugged."""
        with self._lock:
            if not self._plugged:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            self._opened.append(_Opened(self))
            return self._opened[-1]

    def tap(self, text: str) -> None:
        """A badge is held to the reader, which types `text` and Enter."""
        self.events(typed(text))

    def events(self, events: Iterable[SimEvent]) -> None:
        """These events; with a device that nobody has open they go nowhere."""
        with self._lock:
            events = list(events)
            for each in [self._grabbed] if self._grabbed else self._opened:
                each.put(events)

    # --- what an opened device asks

    def holds(self, opened: _Opened) -> bool:
        """Is the device still plugged in?"""
        with self._lock:
            return opened in self._opened

    def grabbed_by(self, opened: _Opened) -> None:
        """**Raises** OSError if somebody else grabbed it, or it is gone."""
        with self._lock:
            if opened not in self._opened:
                raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            if self._grabbed not in {None, opened}:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            self._grabbed = opened

    def closed(self, opened: _Opened) -> None:
        """Forget it."""
        with self._lock:
            if opened in self._opened:
                self._opened.remove(opened)
            if self._grabbed is opened:
                self._grabbed = None


class UinputWedge:
    """A wedge that types into the kernel through /dev/uinput; needs python-evdev and the right to do so."""

    def __init__(self) -> None:
        self._device: Any = None

    def start(self) -> None:
        """The kernel gets a new input device. **Raises** OSError, evdev.UInputError."""
        from evdev import UInput

        self._device = UInput({EV_KEY: sorted({*CHARACTERS, ENTER})}, name="Bottone wedge")

    def stop(self) -> None:
        """The device is gone."""
        if self._device is not None:
            self._device.close()
            self._device = None

    @property
    def path(self) -> str:
        """What a driver opens; after `start`."""
        return str(self._device.device.path)

    def tap(self, text: str) -> None:
        """A badge is held to the reader, which types `text` and Enter."""
        for event in typed(text):
            if event.type == EV_KEY:
                self._device.write(EV_KEY, event.code, event.value)
                self._device.syn()


class PluggedWedge:
    """A wedge that types into the kernel, with a plug and a name that a driver opens, as udev's by-id names are.

    Satisfies `drivers.simulators.BadgeSim`. Numbers are typed as ten decimal digits.
    """

    def __init__(self, link: Path) -> None:
        self._link = link
        self._wedge: UinputWedge | None = None

    def start(self) -> None:
        """Plug in."""
        self.plug()

    def stop(self) -> None:
        """Unplug."""
        self.unplug()

    @property
    def plugged(self) -> bool:
        """Is the plug in?"""
        return self._wedge is not None

    def plug(self) -> None:
        """The kernel gets a new input device. **Raises** OSError, evdev.UInputError."""
        if self._wedge is None:
            self._wedge = UinputWedge()
            self._wedge.start()
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self._wedge.path)

    def unplug(self) -> None:
        """The device is gone."""
        if self._wedge is not None:
            self._link.unlink(missing_ok=True)
            self._wedge.stop()
            self._wedge = None

    def tap(self, uid_hex: str) -> None:
        """A badge is held to the reader. Nothing is typed while it is unplugged."""
        if self._wedge is not None:
            self._wedge.tap(f"{int(uid_hex, 16):010d}")

    def hold(self, uid_hex: str) -> None:
        """Such a reader types once, however long the badge lies there."""
        self.tap(uid_hex)

    def lift(self) -> None:
        """It says nothing of that."""

    def graze(self, uid_hex: str) -> None:
        """A badge that was pulled away too early: fewer digits than a number has."""
        if self._wedge is not None:
            self._wedge.tap(f"{int(uid_hex, 16):010d}"[:5])

    def noise(self, count: int, seed: int = 1) -> None:
        """Keys that are no number's."""
        if self._wedge is not None:
            dice = Random(seed)
            self._wedge.tap("".join(dice.choice("ABCDEF") for _ in range(count)))
