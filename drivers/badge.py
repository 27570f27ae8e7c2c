"""The badge reader on a serial line: one report for each time a badge is laid on it.

A held badge repeats its frame several times a second. `Presence` makes one event of it:

- a number counts when it came twice within 300 ms, for the reader's 8-bit checksum lets one damage in 256 through;
- the badge is there until 1.0 s passed without its frame, or another badge counts.

An EM4100 number is a name and no proof: it can be copied by any handheld writer. Whatever moves money asks for more.
"""

from __future__ import annotations

from drivers.rdm6300 import BAUD, TECHNOLOGY, Rdm6300
from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp, Noise, Post
from drivers.serial_line import SerialLine

TWICE_WITHIN_S = 0.3
GONE_AFTER_S = 1.0
NOISE_EVERY_S = 1.0              # at most one report of noise in so long


class Presence:
    """Which badge lies on the reader. `now_s` is any clock that does not go back."""

    def __init__(self) -> None:
        self._there: str | None = None
        self._seen_s = 0.0
        self._candidate: str | None = None
        self._candidate_s = 0.0

    def frame(self, uid_hex: str, now_s: float) -> bool:
        """A good frame came. True if with it a badge was laid on the reader."""
        if uid_hex == self._there and now_s - self._seen_s <= GONE_AFTER_S:
            self._seen_s = now_s
            return False
        if uid_hex == self._candidate and now_s - self._candidate_s <= TWICE_WITHIN_S:
            self._there, self._seen_s, self._candidate = uid_hex, now_s, None
            return True
        self._candidate, self._candidate_s = uid_hex, now_s
        return False


class BadgeReader:
    """An RDM6300 or ID-12LA: `start()`, then `post` gets BadgeRead, InputDown, InputUp, Noise."""

    def __init__(self, port: str, post: Post, *, name: str = "badge", baud: int = BAUD) -> None:
        """`port`: a stable path; `name`: the reader's, in every report. The reader has no heartbeat: open is up."""
        self._post = post
        self._name = name
        self._codec = Rdm6300()
        self._presence = Presence()
        self._up: bool | None = None                 # None: nothing was posted yet
        self._noise_told = 0
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
        """Is the line open?"""
        return self._up is True

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """A new codec; the badge that may lie there is seen anew only if it was away for a second."""
        self._codec = Rdm6300()
        self._noise_told = 0
        if self._up is not True:
            self._up = True
            self._post(InputUp(self._name), at_ns)
        return b""

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Bytes of the reader; it takes none."""
        now_s = at_ns / 1e9
        for uid_hex in self._codec.feed(data):
            if self._presence.frame(uid_hex, now_s):
                self._post(BadgeRead(self._name, uid_hex, TECHNOLOGY), at_ns)
        return self.tick(at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Tell of noise, now and then."""
        noise, now_s = self._codec.noise, at_ns / 1e9
        if noise > self._noise_told and now_s >= self._noise_next_s:
            self._post(Noise(self._name, noise - self._noise_told), at_ns)
            self._noise_told, self._noise_next_s = noise, now_s + NOISE_EVERY_S
        return b""

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line is gone."""
        if self._up is not False:
            self._up = False
            self._post(InputDown(self._name, kind, hint), at_ns)
