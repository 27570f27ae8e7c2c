"""The far end of a serial cable with a simulated device on it: what all simulators of serial devices share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Generic, Protocol, TypeVar

from drivers.faults import Faults
from drivers.pty_line import Cable, Device, PtyDevice, PtyLine

NEVER_S = 3600.0


class Faulty(Device, Protocol):
    """A device that misbehaves on request."""

    faults: Faults                                   # what befalls its next frames
    stalled: bool                                    # its processor hangs: the cable is in, and not a byte comes


D = TypeVar("D", bound=Faulty)
T = TypeVar("T")


class FarEnd(Generic[D]):
    """A device at the far end of a cable: `start()`, `do(...)`, `unplug()`, `plug()`, `stop()`; from any thread."""

    def __init__(self, cable: Path | Cable, baud: int, device: D, name: str) -> None:
        """`cable`: the name that a driver will open (a pty at `baud` is put there), or another far end."""
        self.line = PtyLine(cable, baud) if isinstance(cable, Path) else cable
        self.device = device
        self._pty = PtyDevice(self.line, device, name)

    def start(self) -> None:
        """Plug in and play; the name can be opened when this returns."""
        self._pty.start()

    def stop(self) -> None:
        """Unplug and end."""
        self._pty.stop()

    @property
    def plugged(self) -> bool:
        """Is the cable in?"""
        return self.line.plugged

    def plug(self) -> None:
        """Put the cable in."""
        self._pty.plug()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._pty.unplug()

    def do(self, act: Callable[[D], T]) -> T:
        """Do something with the device. What it sends is sent before the next `do`."""
        return self._pty.do(lambda: act(self.device))

    def tear(self, act: Callable[[D], T], short: int = 9) -> T:
        """Do something with the device, and pull the cable out in its frame, `short` bytes before the end."""

        def torn(device: D) -> T:
            done = act(device)
            sent = device.tick(time.monotonic())
            self.line.write(sent[: max(0, len(sent) - short)])
            self.line.unplug()
            return done

        return self.do(torn)

    def noise(self, count: int, seed: int = 1) -> None:
        """Random bytes on the line."""
        self._pty.do(lambda: self.line.write(Random(seed).randbytes(count)))

    def stall(self) -> None:
        """The device's processor hangs: the cable is in, and not a byte comes."""
        self.do(lambda device: setattr(device, "stalled", True))

    def resume(self) -> None:
        """The device goes on."""
        self.do(lambda device: setattr(device, "stalled", False))


class Speaker:
    """A device that talks and does not listen: what it says goes out when it is due, damaged as asked."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.stalled = False                         # its processor hangs: it says nothing, and forgets it
        self._due: list[tuple[float, bytes]] = []

    def say(self, sent: bytes, after_s: float = 0.0) -> None:
        """Send this, now or so much later."""
        if not self.stalled:
            self._due.append((time.monotonic() + after_s, sent))

    def plugged(self, now_s: float) -> bytes:  # noqa: ARG002 - such a device says nothing by itself
        """The cable was put in: what was not sent is lost."""
        self._due.clear()
        self.faults.forget()
        return b""

    def received(self, data: bytes, now_s: float) -> bytes:  # noqa: ARG002 - such a device takes nothing
        """The host's bytes fall into nothing."""
        return b""

    def tick(self, now_s: float) -> bytes:
        """What is due."""
        due = [sent for at_s, sent in self._due if at_s <= now_s]
        self._due = [waiting for waiting in self._due if waiting[0] > now_s]
        return b"".join(self.faults.damaged(sent) for sent in due)

    def due_s(self) -> float:
        """When something is to be sent."""
        return min((at_s for at_s, _ in self._due), default=time.monotonic() + NEVER_S)
