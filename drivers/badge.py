"""The badge reader on a serial line: one report for each time a badge is laid on it.

A held badge repeats its frame several times a second. `Presence` makes one event of it:

- a number counts when it came twice within 300 ms, for the readers' 8-bit checksums let one damage in 256 through;
- the badge is there until 1.0 s passed without its frame, or another badge counts.

A badge's number is a name and no proof: an EM4100 can be copied by any handheld writer, and 4-byte numbers of
ISO 14443 badges can be written too. Whatever moves money asks for more.
"""

from __future__ import annotations

from drivers.badge_codec import BadgeCodec
from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp, Noise, Post
from drivers.serial_line import SerialLine, hint

TWICE_WITHIN_S = 0.3
GONE_AFTER_S = 1.0
SILENT_S = 3.0                   # a reader that answers was not heard for so long: it is lost
NOISE_EVERY_S = 1.0              # at most one report of noise in so long


class Presence:
    """Which badge lies on the reader. `now_s` is any clock that does not go back."""

    def __init__(self, *, twice: bool = True) -> None:
        """`twice`: a number counts at its second frame; a reader whose every byte is checked (USB) may say it once."""
        self._twice = twice
        self._there: str | None = None
        self._seen_s = 0.0
        self._candidate: str | None = None
        self._candidate_s = 0.0

    def frame(self, uid_hex: str, now_s: float) -> bool:
        """A good frame came. True if with it a badge was laid on the reader."""
        if uid_hex == self._there and now_s - self._seen_s <= GONE_AFTER_S:
            self._seen_s = now_s
            return False
        if not self._twice or (uid_hex == self._candidate and now_s - self._candidate_s <= TWICE_WITHIN_S):
            self._there, self._seen_s, self._candidate = uid_hex, now_s, None
            return True
        self._candidate, self._candidate_s = uid_hex, now_s
        return False


class BadgeReader:
    """A reader on a serial line: `start()`, then `post` gets BadgeRead, InputDown, InputUp, Noise."""

    def __init__(self, port: str, codec: BadgeCodec, post: Post, *, name: str = "badge", baud: int = 0) -> None:
        """`port`: a stable path; `name`: the reader's, in every report; `baud`: 0 is the protocol's own."""
        self._port = port
        self._post = post
        self._name = name
        self._codec = codec
        self._presence = Presence()
        self._up: bool | None = None                 # None: nothing was posted yet
        self._opened_s = 0.0
        self._noise_told = 0
        self._noise_next_s = 0.0
        self._line = SerialLine(port, baud or codec.line.baud, self, name)

    def start(self) -> None:
        """Begin to listen."""
        self._line.start()

    def stop(self) -> None:
        """Close the line; nothing is posted afterwards."""
        self._line.stop()

    @property
    def up(self) -> bool:
        """Is the reader there, as far as it can be known?"""
        return self._up is True

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._line.failure

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """A badge that lies there all the time is seen anew only if it was away for a second."""
        self._opened_s, self._noise_told, self._noise_next_s = at_ns / 1e9, 0, 0.0
        first = self._codec.opened(self._opened_s)
        return first + self._turn(b"", at_ns)

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Bytes of the reader."""
        return self._turn(data, at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Silence, at least every 100 ms."""
        return self._turn(b"", at_ns)

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        now_s, codec = at_ns / 1e9, self._codec
        numbers = codec.feed(data, now_s)
        if codec.alive and self._up is not True:
            self._up = True
            self._post(InputUp(self._name), at_ns)
        for uid_hex in numbers:
            if self._presence.frame(uid_hex, now_s):
                self._post(BadgeRead(self._name, uid_hex, codec.technology), at_ns)
        if not codec.alive and now_s - self._opened_s > SILENT_S:
            self._lose(ErrorKind.SILENT, hint(ErrorKind.SILENT, self._name, self._port), at_ns)
        if codec.noise > self._noise_told and now_s >= self._noise_next_s:
            self._post(Noise(self._name, codec.noise - self._noise_told), at_ns)
            self._noise_told, self._noise_next_s = codec.noise, now_s + NOISE_EVERY_S
        return codec.to_send(now_s)

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line is gone."""
        self._lose(kind, hint, at_ns)

    def _lose(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        if self._up is not False:
            self._up = False
            self._post(InputDown(self._name, kind, hint), at_ns)
