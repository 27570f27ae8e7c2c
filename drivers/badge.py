"""The badge reader on a serial line: one report for each time a badge is laid on it.

A held badge repeats its frame several times a second. `Presence` makes one event of it:

- a number counts when it came twice within 300 ms, for the readers' 8-bit checksums let one damage in 256 through;
- the badge is there until 1.0 s passed without its frame, or another badge counts.

A badge's number is a name and no proof: an EM4100 can be copied by any handheld writer, and 4-byte numbers of
ISO 14443 badges can be written too. Whatever moves money asks for more.
"""

from __future__ import annotations

from drivers.badge_codec import BadgeCodec
from drivers.line_device import LineDevice
from drivers.seen import BadgeRead, ErrorKind, Post

TWICE_WITHIN_S = 0.3
GONE_AFTER_S = 1.0


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


class BadgeReader(LineDevice):
    """A reader on a serial line: `start()`, then `post` gets BadgeRead, InputDown, InputUp, Noise."""

    def __init__(self, port: str, codec: BadgeCodec, post: Post, *, name: str = "badge", baud: int = 0) -> None:
        """`port`: a stable path; `name`: the reader's, in every report; `baud`: 0 is the protocol's own."""
        super().__init__(port, baud or codec.line.baud, post, name)
        self._codec = codec
        self._presence = Presence()

    # --- the line's thread

    def _greeting(self, now_s: float) -> bytes:
        """A badge that lies there all the time is seen anew only if it was away for a second."""
        return self._codec.opened(now_s)

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        now_s, codec = at_ns / 1e9, self._codec
        numbers = codec.feed(data, now_s)
        self._heard(codec.alive, at_ns)
        for uid_hex in numbers:
            if self._presence.frame(uid_hex, now_s):
                self._post(BadgeRead(self._name, uid_hex, codec.technology), at_ns)
        if not codec.alive:
            self._not_heard(ErrorKind.SILENT, at_ns)
        self._tell_noise(codec.noise, at_ns)
        return codec.to_send(now_s)
