"""A bus with nothing at its end: counts and keeps the last transfers, and fails when told to.

It stands where luma expects a serial interface (`data`, `command`, `cleanup`) or an smbus (`write_byte`,
`write_i2c_block_data`), so that a display's driver sends exactly the bytes that a wire would carry. With a `path`,
counters and the newest bytes also lie in a small memory-mapped file, where another process may look.
"""

from __future__ import annotations

import mmap
import struct
import threading
from collections import deque
from pathlib import Path
from typing import NamedTuple

KEEP = 256           # transfers
RING_BYTES = 8192    # newest bytes in the file
_HEADER = struct.Struct("<QQ")  # transfers, bytes


class RecordingBus:
    """Records transfers; `transfers` and `bytes_sent` count for ever, `last` keeps the newest `keep`.

    `fails`: raised by every further transfer while set, as an unplugged device would. Safe to read from any thread.
    """

    def __init__(self, keep: int = KEEP, path: str | Path | None = None) -> None:
        self.transfers = 0
        self.bytes_sent = 0
        self.last: deque[bytes] = deque(maxlen=keep)
        self.fails: OSError | None = None
        self._lock = threading.Lock()
        self._ring = _open_ring(Path(path)) if path else None

    def since(self, transfers: int) -> list[bytes]:
        """The transfers after the first `transfers`; the oldest may be gone."""
        with self._lock:
            new = self.transfers - transfers
            return list(self.last)[-new:] if new > 0 else []

    # luma's serial interface

    def data(self, data: list[int] | bytes) -> None:
        """One transfer of data bytes."""
        self._record(bytes(data))

    def command(self, *cmd: int) -> None:
        """One transfer of command bytes."""
        self._record(bytes(cmd))

    def cleanup(self) -> None:
        """Nothing to give back; called by luma when the process ends."""

    # smbus

    def write_byte(self, address: int, value: int) -> None:  # noqa: ARG002 - an smbus has it
        """One byte to the I2C device at `address` (not recorded)."""
        self._record(bytes([value]))

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:  # noqa: ARG002 - as above
        """A block for `register` of the I2C device at `address` (not recorded): register, then data."""
        self._record(bytes([register, *data]))

    def _record(self, sent: bytes) -> None:
        with self._lock:
            if self.fails is not None:
                raise self.fails
            if self._ring is not None:
                _into_ring(self._ring, self.bytes_sent, sent)
            self.last.append(sent)
            self.transfers += 1
            self.bytes_sent += len(sent)
            if self._ring is not None:
                _HEADER.pack_into(self._ring, 0, self.transfers, self.bytes_sent)


class Recorded(NamedTuple):
    """What the file of a recording bus says: how much was sent, and the newest bytes in order."""

    transfers: int
    bytes_sent: int
    newest: bytes


def read_record(path: str | Path) -> Recorded:
    """The record at `path`; it may be half way through a transfer. Raises OSError, struct.error (not such a file)."""
    raw = Path(path).read_bytes()
    transfers, total = _HEADER.unpack_from(raw)
    ring = raw[_HEADER.size :]
    end = total % RING_BYTES
    return Recorded(transfers, total, ring[:end] if total < RING_BYTES else ring[end:] + ring[:end])


def _open_ring(path: Path) -> mmap.mmap:
    """An empty record; it takes the name `path` when it is whole, so that nobody maps the half of it."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(bytes(_HEADER.size + RING_BYTES))
    with new.open("r+b") as file:
        ring = mmap.mmap(file.fileno(), 0)
    new.replace(path)
    return ring


def _into_ring(ring: mmap.mmap, at: int, sent: bytes) -> None:
    for i, byte in enumerate(sent[-RING_BYTES:], at + max(0, len(sent) - RING_BYTES)):
        ring[_HEADER.size + i % RING_BYTES] = byte
