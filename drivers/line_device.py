"""A device behind a codec on a serial line: what the drivers of shoes and badge readers share.

It is *up* when its codec says that it is heard; where there is no heartbeat, when its line is open. `InputDown` and
`InputUp` come in turns: once when the device is lost, for whatever reason, and once when it is back. Noise is told once
a second at most.
"""

from __future__ import annotations

from drivers.seen import ErrorKind, InputDown, InputUp, Noise, Post
from drivers.serial_line import SerialLine, hint

SILENT_S = 3.0                   # a device that was not heard for so long is lost
NOISE_EVERY_S = 1.0              # at most one report of noise in so long


class LineDevice:
    """`start()`, then `post` gets what the subclass's `_turn` makes of the line's bytes; `stop()`."""

    def __init__(self, port: str, baud: int, post: Post, name: str) -> None:
        """`port`: a stable path; `name`: the source of what is posted."""
        self._port = port
        self._post = post
        self._name = name
        self._up: bool | None = None                 # None: nothing was posted yet
        self._opened_s = 0.0
        self._noise_told = 0                         # bytes of noise on this open line that were posted
        self._noise_next_s = 0.0
        self._line = SerialLine(port, baud, self, name)

    def start(self) -> None:
        """Begin to listen."""
        self._line.start()

    def stop(self) -> None:
        """Close the line; nothing is posted afterwards."""
        self._line.stop()

    @property
    def up(self) -> bool:
        """Is the device there, and heard, as far as it can be known?"""
        return self._up is True

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._line.failure

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """A new conversation: half a frame from before never meets half a frame from after."""
        self._opened_s, self._noise_told, self._noise_next_s = at_ns / 1e9, 0, at_ns / 1e9
        return self._greeting(self._opened_s) + self._turn(b"", at_ns)

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Bytes of the device."""
        return self._turn(data, at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Silence, at least every 100 ms."""
        return self._turn(b"", at_ns)

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line is gone, and with it what was half read."""
        self._lose(kind, hint, at_ns)

    def _greeting(self, now_s: float) -> bytes:
        """What to send first on a line that was opened."""
        raise NotImplementedError

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        """Bytes, or that time went by: posts what follows; what to send."""
        raise NotImplementedError

    def _heard(self, alive: bool, at_ns: int) -> None:
        """Before what was heard is posted: the device is there, if it was not."""
        if alive and self._up is not True:
            self._up = True
            self._post(InputUp(self._name), at_ns)

    def _not_heard(self, kind: ErrorKind, at_ns: int) -> None:
        """After it: a device that is not alive so long after the open is lost, and `kind` says how."""
        if at_ns / 1e9 - self._opened_s > SILENT_S:
            self._lose(kind, hint(kind, self._name, self._port), at_ns)

    def _tell_noise(self, noise: int, at_ns: int) -> None:
        """`noise`: bytes of it since the line was opened."""
        now_s = at_ns / 1e9
        if noise > self._noise_told and now_s >= self._noise_next_s:
            self._post(Noise(self._name, noise - self._noise_told), at_ns)
            self._noise_told, self._noise_next_s = noise, now_s + NOISE_EVERY_S

    def _lose(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        if self._up is not False:
            self._up = False
            self._post(InputDown(self._name, kind, hint), at_ns)
