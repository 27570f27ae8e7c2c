"""The tournament's time as this unit knows it: the hub's, measured by the uplink, or a file's that others turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from firmware_py.config import ConfigError
from firmware_py.level_clock import ClockFileTime

if TYPE_CHECKING:
    from firmware_py.uplink import Uplink

TICK_S = 0.1                     # the crank turns at least so often; the clock's face needs no more
TICK_VIRTUAL_S = 0.02            # with a file's time, which may run fast


class TournamentTime:
    """`clock_file`: eight bytes that say the time, or "" for the hub's. Raises ConfigError. Close it."""

    def __init__(self, clock_file: str, uplink: Uplink | None) -> None:
        self._uplink = uplink
        self._file = _opened(clock_file)
        self.tick_s = TICK_S if self._file is None else TICK_VIRTUAL_S

    def now_ms(self) -> int | None:
        """Milliseconds of the tournament; None before the hub has answered once."""
        if self._file is not None:
            return self._file.now_ms()
        offset = self._uplink.offset if self._uplink is not None else None
        if offset is None:
            return None
        now_ms = time.monotonic_ns() / 1e6
        return int(now_ms + offset.at(now_ms))

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            self._file.close()


def _opened(path: str) -> ClockFileTime | None:
    if not path:
        return None
    try:
        return ClockFileTime(path)
    except (OSError, ValueError) as trouble:
        raise ConfigError(f"tournament.clock_file: {path}: {trouble}; it must hold eight bytes") from trouble
