"""A badge reader that is not there: RDM6300 or ID-12LA frames with real bytes, on a pty.

A held badge repeats its frame about every 65 ms after the last one, as the modules do; `tap` holds it for a few frames.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from drivers.pty_line import Cable, PtyDevice, PtyLine
from drivers.rdm6300 import BAUD, frame

REPEAT_S = 0.065
TAP_FRAMES = 3
NEVER_S = 3600.0


class Rdm6300Device:
    """The reader: a badge lies on it or not, and while it lies there its frame is repeated."""

    def __init__(self, *, crlf: bool = False) -> None:
        """`crlf`: frames as an ID-12LA sends them."""
        self.crlf = crlf
        self.taps_done = 0
        self._frames_left = 0
        self._sent = b""
        self._next_s = 0.0
        self.damage: Callable[[bytes], bytes] = bytes     # what is on the line in place of a frame

    def lay(self, uid_hex: str, frames: int) -> None:
        """A badge is laid on the reader, for so many frames. **Raises** ValueError if it is no ten hex digits."""
        self._sent = frame(uid_hex, crlf=self.crlf)
        self._frames_left = frames
        self._next_s = 0.0

    def lift(self) -> None:
        """The badge is taken away."""
        self._frames_left = 0

    @property
    def reading(self) -> bool:
        """Does a badge lie there?"""
        return self._frames_left > 0

    def plugged(self, now_s: float) -> bytes:  # noqa: ARG002 - a reader says nothing by itself
        """The cable was put in."""
        return b""

    def received(self, data: bytes, now_s: float) -> bytes:  # noqa: ARG002 - a reader takes nothing
        """The host's bytes fall into nothing."""
        return b""

    def tick(self, now_s: float) -> bytes:
        """The next frame, if a badge lies there and it is time."""
        if not self._frames_left or now_s < self._next_s:
            return b""
        self._frames_left -= 1
        self._next_s = now_s + REPEAT_S
        return self.damage(self._sent)

    def due_s(self) -> float:
        """When the next frame is due."""
        return self._next_s if self._frames_left else time.monotonic() + NEVER_S


class Rdm6300Sim:
    """The reader at the far end of a cable: `start()`, `tap(uid)`, `unplug()`, `plug()`, `stop()`; from any thread."""

    def __init__(self, cable: Path | Cable, *, crlf: bool = False, name: str = "badge") -> None:
        """`cable`: the name that a driver will open (a pty at 9600 baud is put there), or another far end.

        `crlf`: frames as an ID-12LA sends them.
        """
        self.line = PtyLine(cable, BAUD) if isinstance(cable, Path) else cable
        self.device = Rdm6300Device(crlf=crlf)
        self._pty = PtyDevice(self.line, self.device, name)

    def start(self) -> None:
        """Plug in and play; the name can be opened when this returns."""
        self._pty.start()

    def stop(self) -> None:
        """Unplug and end."""
        self._pty.stop()

    def plug(self) -> None:
        """Put the cable in."""
        self._pty.plug()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._pty.unplug()

    def tap(self, uid_hex: str, frames: int = TAP_FRAMES) -> None:
        """A badge (ten hex digits) is held to the reader for so many frames, about 80 ms each. Returns at once."""
        self._pty.do(lambda: self.device.lay(uid_hex, frames))

    def hold(self, uid_hex: str) -> None:
        """A badge is laid on the reader and stays."""
        self.tap(uid_hex, frames=1_000_000)

    def lift(self) -> None:
        """The badge is taken away."""
        self._pty.do(self.device.lift)

    def noise(self, count: int, seed: int = 1) -> None:
        """Random bytes on the line."""
        self._pty.do(lambda: self.line.write(Random(seed).randbytes(count)))

    def half_frame(self, uid_hex: str) -> None:
        """A badge that was pulled away too early: the frame breaks off."""
        self._pty.do(lambda: self.line.write(frame(uid_hex, crlf=self.device.crlf)[:7]))

    def damage(self, damaged: Callable[[bytes], bytes]) -> None:
        """From now on every frame is replaced by `damaged(frame)`; `bytes` mends it."""
        self._pty.do(lambda: setattr(self.device, "damage", damaged))
