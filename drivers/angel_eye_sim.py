"""An Angel Eye II-EX that is not there: its reports with real bytes, each three times, on a pty."""

from __future__ import annotations

from pathlib import Path

from drivers.angel_eye import AngelEye, card_data, report
from drivers.far_end import PlainShoe, PlainShoeSim
from drivers.pty_line import Cable
from drivers.shoe_codec import UNREAD

COPIES = 3
COPY_S = 0.15
SEQS = "123456789"


class AngelEyeDevice(PlainShoe):
    """The shoe itself. Nobody acknowledges, so every report comes three times."""

    def __init__(self) -> None:
        super().__init__()
        self._sent = 0

    def report(self, card: str) -> None:
        """A card outside of a game, or error 1."""
        self.tell(b"E1" if card == UNREAD else card_data(card, b"d"))

    def tell(self, data: bytes) -> None:
        """Report this."""
        sent = report(SEQS[self._sent % len(SEQS)], data)
        self._sent += 1
        for copy in range(COPIES):
            self.say(sent, copy * COPY_S)

    def cut(self) -> None:
        """The cut card is reached."""
        self.tell(b"C")

    def error(self, number: int, *, on: bool) -> None:
        """An error begins or ends."""
        self.tell(b"%c%d" % (b"E" if on else b"e", number))


class AngelEyeSim(PlainShoeSim[AngelEyeDevice]):
    """The shoe at the far end of a cable."""

    def __init__(self, cable: Path | Cable, name: str = "shoe") -> None:
        super().__init__(cable, AngelEye.line.baud, AngelEyeDevice(), name)
