"""An Angel Eye II-EX that is not there: its reports with real bytes, each three times, on a pty."""

from __future__ import annotations

from pathlib import Path

from drivers.angel_eye import ERRORS, AngelEye, card_data, report
from drivers.pty_line import Cable
from drivers.shoe_codec import FOREIGN_CARD, UNREAD
from drivers.shoe_sim import Mishap, ShoeSim, SpeakingShoeDevice

COPIES = 3
COPY_S = 0.15
SEQS = "123456789"


class AngelEyeDevice(SpeakingShoeDevice):
    """The shoe itself. Nobody acknowledges, so every report comes three times."""

    notices = frozenset({Mishap.UNREADABLE, Mishap.FOREIGN, Mishap.CUT, Mishap.REVERSED})
    draw_s = 0.35                    # until the copies are out: nine numbers go round no sooner than copies are over

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

    def draw_foreign(self, card: str) -> None:
        """Its code is none of this deck's: error 6."""
        self._taken(card)
        self.error(FOREIGN_CARD, on=True)

    def cut(self) -> None:
        """The cut card is reached."""
        self.tell(b"C")

    def error(self, code: str, *, on: bool) -> None:
        """An error begins or ends. **Raises** KeyError for one that this shoe does not have."""
        number = {ours: its for its, ours in ERRORS.items()}[code]
        self.tell(("E" if on else "e").encode() + number.encode())

    def reboot(self, now_s: float) -> None:
        """The numbers begin anew."""
        super().reboot(now_s)
        self._sent = 0


class AngelEyeSim(ShoeSim[AngelEyeDevice]):
    """The shoe at the far end of a cable."""

    def __init__(self, cable: Path | Cable, name: str = "shoe") -> None:
        super().__init__(cable, AngelEye.line.baud, AngelEyeDevice(), name)
