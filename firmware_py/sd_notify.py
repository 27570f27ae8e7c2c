"""Telling systemd that the unit is ready, alive, or what it is doing (sd_notify(3)); silent where nobody listens."""

from __future__ import annotations

import contextlib
import os
import socket


class Notifier:
    """One datagram a message to the socket that systemd named in NOTIFY_SOCKET; `@` stands for an abstract address."""

    def __init__(self, address: str, watchdog_usec: str = "") -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s = int(watchdog_usec or 0) / 1e6

    @classmethod
    def from_environment(cls) -> Notifier:
        """What systemd set for this process."""
        return cls(os.environ.get("NOTIFY_SOCKET", ""), os.environ.get("WATCHDOG_USEC", ""))

    def say(self, *assignments: str) -> None:
        """For example `READY=1`, `WATCHDOG=1`, `STATUS=...`. A systemd that does not listen is no trouble of ours."""
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as s:
            s.connect(self._address)
            s.send("\n".join(assignments).encode())
