"""Devices that need a hand, each until it works again, the most urgent first."""

from __future__ import annotations

from firmware_py.prompts import Trouble

URGENT = ("lost", "journal", "panel", "panel_stuck", "cards_lost", "shoe", "door", "shoe_02", "shoe_03", "shoe_04",
          "shoe_05", "shoe_06", "shoe_09", "shoe_error", "shoe_0F", "shoe_07", "shoe_01", "shoe_08", "badge",
          "clock_display", "outbox", "hub")  # fmt: skip
"""Keys of `Words.troubles`; the prompt shows the first that is there."""


class Troubles:
    """What is in trouble now. For the crank alone."""

    def __init__(self) -> None:
        self._now: dict[str, Trouble] = {}

    def mark(self, what: str, there: bool, detail: str = "") -> None:
        """This trouble is there, or it is over."""
        if there:
            self._now[what] = Trouble(what, detail)
        else:
            self._now.pop(what, None)

    def by_urgency(self) -> tuple[Trouble, ...]:
        """All of them, the most urgent first."""
        return tuple(self._now[name] for name in URGENT if name in self._now)


def trouble_of(source: str) -> str:
    """The name under which the trouble of a device is shown."""
    names = {"led_clock": "clock_display"}
    return "panel_stuck" if source.startswith("panel ") else names.get(source, source)
