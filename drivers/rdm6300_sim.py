"""A badge reader that is not there: RDM6300 or ID-12LA frames with real bytes, on a pty.

A held badge repeats its frame about every 65 ms after the last one, as the modules do; `tap` holds it for a few frames.
"""

from __future__ import annotations

import time
from pathlib import Path

from drivers.far_end import NEVER_S, FarEnd
from drivers.faults import Faults
from drivers.pty_line import Cable
from drivers.rdm6300 import BAUD, frame

REPEAT_S = 0.065
TAP_FRAMES = 3


class Rdm6300Device:
    """The reader: a badge lies on it or not, and while it lies there its frame is repeated."""

    def __init__(self, *, crlf: bool = False) -> None:
        """`crlf`: frames as an ID-12LA sends them."""
        self.faults = Faults()
        self.stalled = False
        self.crlf = crlf
        self._frames_left = 0
        self._sent = b""
        self._next_s = 0.0

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
        self.faults.forget()
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
        return b"" if self.stalled else self.faults.damaged(self._sent)

    def due_s(self) -> float:
        """When the next frame is due."""
        return self._next_s if self._frames_left else time.monotonic() + NEVER_S


class Rdm6300Sim(FarEnd[Rdm6300Device]):
    """The reader at the far end of a cable: `tap(uid)`, `hold(uid)`, `lift()`; from any thread."""

    def __init__(self, cable: Path | Cable, *, crlf: bool = False, name: str = "badge") -> None:
        """`crlf`: frames as an ID-12LA sends them."""
        super().__init__(cable, BAUD, Rdm6300Device(crlf=crlf), name)

    def tap(self, uid_hex: str, frames: int = TAP_FRAMES) -> None:
        """A badge (ten hex digits) is held to the reader for so many frames, about 80 ms each. Returns at once."""
        self.do(lambda reader: reader.lay(uid_hex, frames))

    def hold(self, uid_hex: str) -> None:
        """A badge is laid on the reader and stays."""
        self.tap(uid_hex, frames=1_000_000)

    def lift(self) -> None:
        """The badge is taken away."""
        self.do(lambda reader: reader.lift())

    def graze(self, uid_hex: str) -> None:
        """A badge that was pulled away too early: the frame breaks off."""
        self.do(lambda reader: self.line.write(frame(uid_hex, crlf=reader.crlf)[:7]))
