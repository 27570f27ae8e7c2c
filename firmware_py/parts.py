"""The devices and threads of one unit: opened, started, watched and stopped together."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivers.seen import KeyPressed, Seen
from firmware_py import devices
from firmware_py.config import Config
from firmware_py.inbox import Inbox
from firmware_py.journal import Journal

if TYPE_CHECKING:
    from firmware_py.uplink import Uplink


class PartStopped(Exception):  # noqa: N818 - it is what happened
    """A thread of the unit died of a mistake of ours; without it the unit is deaf there: the process ends, restarts."""


class Parts:
    """What the configuration names, opened; all of it posts to the inbox and nothing else.

    `shoe_stored`: (power-up, event) of the shoe's newest report on disk. Raises ConfigError, OSError.
    """

    def __init__(self, config: Config, inbox: Inbox, journal: Journal, shoe_stored: tuple[str, int] | None) -> None:
        self._inbox = inbox
        self.panel = devices.panel(config, self._from_panel)
        self.socket = self._open_socket(config.pins.socket)
        self.prompt_display = devices.prompt_display(config, inbox.poster("prompt_display"))
        self.clock_display = devices.clock_display(config, inbox.poster("clock_display"))
        self.shoe = devices.shoe(config, inbox.poster("shoe"), shoe_stored)
        self.badge = devices.badge_reader(config, inbox.poster("badge"))
        self.uplink: Uplink | None = devices.uplink(config, journal, inbox, version("bottone"))

    def start(self) -> None:
        """Begin to listen everywhere."""
        for part in (self.panel, self.socket, self.shoe, self.badge, self.uplink):
            if part is not None:
                part.start()

    def stop(self) -> None:
        """Every thread that was started ends here."""
        for part in (self.uplink, self.shoe, self.badge, self.socket, self.panel):
            if part is not None:
                part.stop()
        self.prompt_display.stop()
        self.clock_display.stop()

    def watch(self) -> None:
        """Every thread beside the crank works. Raises PartStopped for the first that died of a mistake of ours."""
        parts = {"uplink": self.uplink, "shoe": self.shoe, "badge reader": self.badge, "panel": self.panel,
                 "panel socket": self.socket}  # fmt: skip
        for name, part in parts.items():
            if part is not None and part.failure is not None:
                what = f"{type(part.failure).__name__}: {part.failure}"
                raise PartStopped(f"the thread of the {name} was ended by {what}") from part.failure

    def _open_socket(self, path: str) -> Any:
        if not path:
            return None
        from drivers.panel_socket import PanelSocket

        return PanelSocket(Path(path), self.panel.mock)

    def _from_panel(self, seen: Seen, at_ns: int) -> None:
        """On the panel's thread: the lamp answers at once, the crank when the press is on disk."""
        if isinstance(seen, KeyPressed):
            self.panel.blink(seen.key)
        self._inbox.post("panel", seen, at_ns // 1_000_000)
