"""Tournament time that somebody else turns: eight bytes in a file, shared by a demonstration's hub and tables.

The file holds virtual milliseconds as a little-endian signed 64-bit number. One process writes it, any number map and
read it; eight aligned bytes are copied at once, so a reader never sees half a number.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Self

_MS = struct.Struct("<q")


class ClockFile:
    """The writing end. Creates the file at zero; readers find it there as long as the directory stands."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file cannot be written."""
        self.path = path
        path.write_bytes(_MS.pack(0))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _MS.size)

    @property
    def now_ms(self) -> int:
        """What the readers see."""
        return int(_MS.unpack_from(self._map)[0])

    def set(self, now_ms: int) -> None:
        """Moves the time on. Raises ValueError if it would run back."""
        if now_ms < self.now_ms:
            raise ValueError(f"time does not run back: {now_ms} after {self.now_ms}")
        _MS.pack_into(self._map, 0, now_ms)

    def close(self) -> None:
        """Ends the mapping; the file stays."""
        self._map.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
