"""A Bee-Tek shoe that is not there: its lines with real bytes, on a pty."""

from __future__ import annotations

from pathlib import Path

from drivers.bee_tek import BeeTek
from drivers.pty_line import Cable
from drivers.shoe_codec import UNREAD
from drivers.shoe_sim import ShoeSim, SpeakingShoeDevice


class BeeTekDevice(SpeakingShoeDevice):
    """The shoe itself, in the mode *Manual Burn Cards*."""

    def __init__(self, *, suit_first: bool = False) -> None:
        """`suit_first`: as some firmware writes a card, "H3"."""
        super().__init__()
        self.suit_first = suit_first

    def report(self, card: str) -> None:
        """A line."""
        text = card.upper()
        if card == UNREAD:
            self.tell("Game")
        else:
            self.tell(f"Card:{text[::-1] if self.suit_first else text}")

    def tell(self, what: str) -> None:
        """Report this."""
        self.say(f" [Manual Burn Cards]<{what}> \r\n".encode("ascii"))


class BeeTekSim(ShoeSim[BeeTekDevice]):
    """The shoe at the far end of a cable."""

    def __init__(self, cable: Path | Cable, name: str = "shoe", *, suit_first: bool = False) -> None:
        super().__init__(cable, BeeTek.line.baud, BeeTekDevice(suit_first=suit_first), name)
