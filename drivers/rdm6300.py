"""Frames of the 125 kHz badge readers RDM6300 and ID-12LA: 9600 8N1, the reader only talks. No I/O, no clock.

    RDM6300   02 | 10 hex digits | 2 hex digits | 03          14 bytes (Seeed Studio, 125Khz RFID module - UART)
    ID-12LA   02 | 10 hex digits | 2 hex digits | 0D 0A | 03  16 bytes (ID Innovations, ID-12LA datasheet)

The ten digits are the EM4100 version byte and the 32-bit number; the two are the XOR of those five bytes. That is a
weak check (one damage in 256 goes through), so one frame is no badge yet: see `drivers.badge`.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import xor

from drivers.shoe_codec import Line

BAUD = 9600
FRAME_BYTES = 16                 # the longer of the two

_FRAME = re.compile(rb"\x02([0-9A-F]{10})([0-9A-F]{2})(?:\r\n)?\x03")


def checksum(uid_hex: str) -> int:
    """XOR of the five bytes of `uid_hex` (ten hex digits)."""
    return reduce(xor, bytes.fromhex(uid_hex))


def frame(uid_hex: str, *, crlf: bool = False) -> bytes:
    """The bytes a reader sends for a badge; `crlf` as an ID-12LA does. **Raises** ValueError for another length."""
    uid_hex = uid_hex.upper()
    if len(bytes.fromhex(uid_hex)) != 5:
        raise ValueError(f"a badge has ten hex digits, not {uid_hex!r}")
    return b"\x02%b%02X%b\x03" % (uid_hex.encode("ascii"), checksum(uid_hex), b"\r\n" if crlf else b"")


class Rdm6300:
    """Finds frames in bytes that were cut anywhere; holds less than one. Satisfies `drivers.badge_codec.BadgeCodec`."""

    name = "rdm6300"
    line = Line(BAUD)
    technology = "em4100"

    def __init__(self) -> None:
        self.alive = False       # these readers have no heartbeat: an open line is all that can be known
        self.noise = 0           # bytes so far that belong to no good frame
        self._rest = b""

    def opened(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """Half a frame from before is void; the reader takes nothing."""
        self.alive = True
        self.noise = 0
        self._rest = b""
        return b""

    def to_send(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """The reader takes nothing."""
        return b""

    def feed(self, data: bytes, now_s: float) -> list[str]:  # noqa: ARG002 - the protocol's
        """The number (ten upper-case hex digits) of each good frame. An 02 inside a frame starts a new one."""
        buffer = self._rest + data
        end = 0
        numbers: list[str] = []
        for match in _FRAME.finditer(buffer):
            self.noise += match.start() - end
            end = match.end()
            uid_hex = match[1].decode("ascii")
            if checksum(uid_hex) == int(match[2], 16):
                numbers.append(uid_hex)
            else:
                self.noise += end - match.start()
        tail = buffer.rfind(b"\x02", end)
        if tail < 0 or len(buffer) - tail >= FRAME_BYTES:
            tail = len(buffer)
        self.noise += tail - end
        self._rest = buffer[tail:]
        return numbers
