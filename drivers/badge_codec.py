"""The seam between the badge reader's driver and its protocol. A codec has no I/O, no clock and no thread."""

from __future__ import annotations

from typing import Protocol

from drivers.shoe_codec import Line


class BadgeCodec(Protocol):
    """One protocol, for one reader. Lives as long as the driver; `opened` begins anew."""

    @property
    def name(self) -> str:
        """As in the configuration."""
        ...

    @property
    def line(self) -> Line:
        """How the reader's line is set."""
        ...

    @property
    def technology(self) -> str:
        """What kind of badge it reads."""
        ...

    @property
    def alive(self) -> bool:
        """Is the reader heard? Without a heartbeat an open line is all that can be known."""
        ...

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        ...

    def opened(self, now_s: float) -> bytes:
        """The line is open anew. Returns what to send first."""
        ...

    def feed(self, data: bytes, now_s: float) -> list[str]:
        """The number (upper-case hex) of each good frame; a held badge repeats its own."""
        ...

    def to_send(self, now_s: float) -> bytes:
        """What to write to the line now."""
        ...
