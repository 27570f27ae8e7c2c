"""What the codecs share of shoes that cannot be told anything and keep no event: their cards are counted here.

`CountedShoe` is every such shoe. `SpeakingShoe` is one that speaks by itself and is never spoken to, so an open line is
all that can be known of it; `FramedShoe` one of those whose reports are frames that a pattern finds among noise. No
I/O, no clock.
"""

from __future__ import annotations

import re
from typing import ClassVar

from drivers.seen import FromShoe
from drivers.shoe_codec import Lock, NewDeck, ShoeCommand, Tally


class CountedShoe:
    """The part of `drivers.shoe_codec.ShoeCodec` that is the same for all of them."""

    def __init__(self) -> None:
        self._tally = Tally()

    def tick(self, now_s: float) -> list[FromShoe]:  # noqa: ARG002 - the protocol's
        """Silence says nothing."""
        return []

    def commit(self, seq: int, boot: str = "") -> None:
        """Nothing can be acknowledged."""

    def encode(self, command: ShoeCommand) -> bytes | None:
        """A new deck is a matter of our own count; the shoe cannot be locked."""
        match command:
            case NewDeck():
                self._tally.new_deck()
                return b""
            case Lock():
                return None


class SpeakingShoe(CountedShoe):
    """A shoe that only speaks. Its codec adds `name`, `line`, `caps` and `feed`; `_rest` is what is half read."""

    def __init__(self) -> None:
        super().__init__()
        self.alive = False
        self.noise = 0                   # bytes since the line was opened that belong to no good frame
        self.noise_since_heard = 0
        self._rest = b""

    def opened(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """An open line is all that can be known; nothing is sent."""
        self.alive = True
        self.noise = self.noise_since_heard = 0
        self._rest = b""
        return b""

    def to_send(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """Nothing: we only listen."""
        return b""

    def _is_noise(self, data: bytes) -> None:
        """`data` belongs to no good frame."""
        self.noise += len(data)
        self.noise_since_heard += len(data)


class FramedShoe(SpeakingShoe):
    """A shoe whose reports are frames. Its codec adds what a frame looks like, and what it says."""

    frames: ClassVar[re.Pattern[bytes]]              # one whole frame

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """What was reported with these bytes, which may be cut anywhere."""
        buffer = self._rest + data
        end = 0
        reports: list[FromShoe] = []
        for match in self.frames.finditer(buffer):
            self._is_noise(buffer[end : match.start()])
            end = match.end()
            reports += self._reported(match, now_s)
        begun = self._begun(buffer, end)
        self._is_noise(buffer[end:begun])
        self._rest = buffer[begun:]
        return reports

    def _reported(self, frame: re.Match[bytes], now_s: float) -> list[FromShoe]:
        """What this frame says; sets `noise_since_heard` to 0 if it is a good one."""
        raise NotImplementedError

    def _begun(self, buffer: bytes, end: int) -> int:
        """Where behind `end` a frame begins that may still be finished; the buffer's length if none does."""
        raise NotImplementedError
