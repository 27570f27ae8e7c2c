"""NXP PN532 on a UART: the reader of 13.56 MHz badges, and of cards with a tag in them. No I/O, no clock.

Line: 115200 8N1 (high-speed UART, HSU). A frame (PN532 User Manual UM0701-02, section 6.2) is

    00 00 FF | LEN | LCS | data | DCS | 00       LEN + LCS = 0, sum of data + DCS = 0, both modulo 256

where `data` begins with D4 from the host and D5 from the chip; 00 00 FF 00 FF 00 acknowledges a frame. The chip sleeps
after power-up and is woken by 55 55 and zeros.

The host asks, the chip answers: SAMConfiguration (14, section 7.2.10), RFConfiguration with a limit of retries (32,
section 7.3.1; without it the chip would wait for a tag for ever, and silence would mean nothing), then again and again
InListPassiveTarget (4A, section 7.3.5) for ISO 14443 A. An answer names no, one or two tags. A chip that does not
answer within a second is woken and set up again; `alive` ends after three.
"""

from __future__ import annotations

from enum import Enum

from drivers.shoe_codec import Line

ANSWER_S = 1.0                   # then the chip is asked from the beginning
SILENT_S = 3.0
BADGES_EVERY_S = 0.1
FRAME_DATA_BYTES = 96            # two tags with their longest answers; what says more is noise
ACK = b"\x00\x00\xff\x00\xff\x00"
WAKE = b"\x55\x55" + bytes(14)
BAUD = 115200
TECHNOLOGY = "iso14443a"

SAM_CONFIGURATION = b"\xd4\x14\x01"                  # normal mode: no security module
MAX_RETRIES = b"\xd4\x32\x05\xff\x01\x01"            # item 5: look for a tag twice, then say that there is none
LIST_TARGETS = b"\xd4\x4a%c\x00"                     # so many at most, 106 kbit/s type A
HAS_ATS = 0x20                                       # bit of SEL_RES: an answer to select follows


def frame(data: bytes) -> bytes:
    """The bytes of one frame. **Raises** ValueError if `data` is empty or longer than 255 bytes."""
    return b"\x00\x00\xff" + bytes([len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF, 0])


def tags_answer(uids: tuple[str, ...]) -> bytes:
    """What the chip answers to InListPassiveTarget when tags with these numbers lie there (4 or 7 bytes each)."""
    answer = bytearray(b"\xd5\x4b") + bytes([len(uids)])
    for number, uid in enumerate(uids, 1):
        raw = bytes.fromhex(uid)
        kind = b"\x00\x04\x08" if len(raw) == 4 else b"\x00\x44\x00"         # a MIFARE Classic, an NTAG
        answer += bytes([number]) + kind + bytes([len(raw)]) + raw
    return bytes(answer)


def tags_in(data: bytes) -> tuple[str, ...] | None:
    """Numbers (upper-case hex) in the answer to InListPassiveTarget; None if it is cut short or no such answer."""
    if len(data) < 3 or data[:2] != b"\xd5\x4b" or data[2] > 2:
        return None
    tags: list[str] = []
    at = 3
    for _ in range(data[2]):
        if len(data) < at + 5:
            return None
        select, length = data[at + 3], data[at + 4]
        uid = data[at + 5 : at + 5 + length]
        at += 5 + length
        if len(uid) != length or length not in {4, 7, 10}:
            return None
        if select & HAS_ATS:
            if len(data) <= at:
                return None
            at += max(1, data[at])
        tags.append(uid.hex().upper())
    return tuple(tags) if at == len(data) else None


class FrameReader:
    """Finds frames in bytes that were cut anywhere. Holds less than two frames."""

    def __init__(self) -> None:
        self._rest = b""
        self.noise = 0           # bytes so far that belong to no good frame; zeros between frames are none

    def feed(self, data: bytes) -> list[bytes]:
        """The data of each good frame; an acknowledgement is b""."""
        buffer = self._rest + data
        good: list[bytes] = []
        at = 0
        while (start := buffer.find(b"\x00\xff", at)) >= 0:
            found = _frame_at(buffer, start + 2)
            if found is None:                        # not all of it is there yet
                break
            self.noise += len(buffer[at:start].strip(b"\x00"))
            end, content = found
            if content is None:
                self.noise += 2
            else:
                good.append(content)
            at = end
        if start < 0:
            start = len(buffer) - 1 if buffer.endswith(b"\x00") and len(buffer) > at else len(buffer)
        self.noise += len(buffer[at:start].strip(b"\x00"))
        self._rest = buffer[start:]
        return good


def _frame_at(buffer: bytes, at: int) -> tuple[int, bytes | None] | None:
    """Where a frame whose LEN stands at `at` ends, and its data (None: it is none); None while it may still become one.

    Where there is no frame the search goes on right behind the start code.
    """
    if len(buffer) < at + 2:
        return None
    length, check = buffer[at], buffer[at + 1]
    if (length, check) == (0, 0xFF):
        return at + 2, b""
    if length + check & 0xFF or not 1 <= length <= FRAME_DATA_BYTES:
        return at, None
    end = at + 2 + length + 1
    if len(buffer) < end:
        return None
    content = buffer[at + 2 : end - 1]
    return (at, None) if sum(buffer[at + 2 : end]) & 0xFF else (end, content)


class _Stage(Enum):
    """What the chip was asked last."""

    WAKE = SAM_CONFIGURATION
    RETRIES = MAX_RETRIES
    LIST = LIST_TARGETS


_ANSWERS = {_Stage.WAKE: b"\xd5\x15", _Stage.RETRIES: b"\xd5\x33", _Stage.LIST: b"\xd5\x4b"}


class Pn532:
    """The host's side: asks every `every_s` for up to `most` tags; `feed` gives what each answer named."""

    def __init__(self, *, every_s: float, most: int = 1) -> None:
        """**Raises** ValueError if `most` is not 1 or 2: the chip knows no more."""
        if most not in {1, 2}:
            raise ValueError(f"a PN532 lists one or two tags, not {most}")
        self._every_s = every_s
        self._most = most
        self.opened(0.0)

    def opened(self, now_s: float) -> None:
        """The line is open anew: wake the chip."""
        self._reader = FrameReader()
        self._stage = _Stage.WAKE
        self._asked_s: float | None = None           # None: the next question is due at `_next_s`
        self._next_s = now_s
        self._heard_s: float | None = None           # when the chip said last what lies there
        self._noise_when_heard = 0
        self._now_s = now_s

    @property
    def alive(self) -> bool:
        """Has the chip said within three seconds what lies in its field?"""
        return self._heard_s is not None and self._now_s - self._heard_s <= SILENT_S

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        return self._reader.noise

    @property
    def noise_since_heard(self) -> int:
        """Bytes of noise since the last good frame."""
        return self._reader.noise - self._noise_when_heard

    def feed(self, data: bytes, now_s: float) -> list[tuple[str, ...]]:
        """The numbers of the tags in each answer, in the chip's order; an empty tuple: no tag is there."""
        self._now_s = now_s
        lists: list[tuple[str, ...]] = []
        for content in self._reader.feed(data):
            self._noise_when_heard = self._reader.noise
            if content[:2] != _ANSWERS[self._stage]:
                continue                             # an acknowledgement, or late
            self._asked_s = None
            match self._stage:
                case _Stage.WAKE:
                    self._stage, self._next_s = _Stage.RETRIES, now_s
                case _Stage.RETRIES:
                    self._stage, self._next_s = _Stage.LIST, now_s
                case _Stage.LIST:
                    self._heard_s, self._next_s = now_s, max(now_s, self._next_s + self._every_s)
                    tags = tags_in(content)
                    if tags is not None:
                        lists.append(tags)
        return lists

    def to_send(self, now_s: float) -> bytes:
        """The next question, if it is time."""
        self._now_s = now_s
        if self._asked_s is not None and now_s - self._asked_s > ANSWER_S:
            self._stage, self._asked_s, self._next_s = _Stage.WAKE, None, now_s
        if self._asked_s is not None or now_s < self._next_s:
            return b""
        self._asked_s = now_s
        match self._stage:
            case _Stage.WAKE:
                return WAKE + frame(SAM_CONFIGURATION)
            case _Stage.RETRIES:
                return frame(MAX_RETRIES)
            case _Stage.LIST:
                return frame(LIST_TARGETS % self._most)


class OnPn532:
    """The part of a codec that is the chip's: is it there, what is noise, and the questions to it."""

    def __init__(self, chip: Pn532) -> None:
        self._chip = chip

    @property
    def alive(self) -> bool:
        """Does the chip answer?"""
        return self._chip.alive

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        return self._chip.noise

    @property
    def noise_since_heard(self) -> int:
        """Bytes of noise since the last good frame."""
        return self._chip.noise_since_heard

    def opened(self, now_s: float) -> bytes:
        """Wake the chip."""
        self._chip.opened(now_s)
        return self._chip.to_send(now_s)

    def to_send(self, now_s: float) -> bytes:
        """The next question to the chip."""
        return self._chip.to_send(now_s)


class Pn532Badges(OnPn532):
    """Badges of ISO 14443 A, one at a time. Satisfies `drivers.badge_codec.BadgeCodec`."""

    name = "pn532"
    line = Line(BAUD)
    technology = TECHNOLOGY

    def __init__(self) -> None:
        super().__init__(Pn532(every_s=BADGES_EVERY_S))

    def feed(self, data: bytes, now_s: float) -> list[str]:
        """The number of the badge in each answer that has one."""
        return [tags[0] for tags in self._chip.feed(data, now_s) if tags]
