"""A barcode scanner that is not there: its lines with real bytes, on a pty."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from drivers.barcode import Barcode
from drivers.pty_line import Cable
from drivers.shoe_codec import UNREAD
from drivers.shoe_sim import Mishap, ShoeSim, SpeakingShoeDevice

FOREIGN_CODE = "8-0413"


class BarcodeDevice(SpeakingShoeDevice):
    """The scanner itself. `prefix` and `suffix` are what real ones can be set to send around a code."""

    notices = frozenset({Mishap.UNREADABLE, Mishap.FOREIGN})

    def __init__(self, codes: Mapping[str, str] | None = None) -> None:
        """`codes`: code -> card; None: the card's own text is its code."""
        super().__init__()
        self.prefix = b"\x02"
        self.suffix = b"\r\n"
        self._code_of = None if codes is None else {card: code for code, card in codes.items()}

    def report(self, card: str) -> None:
        """A line."""
        if card == UNREAD:
            self.tell("NOREAD")
        else:
            self.tell(card if self._code_of is None else self._code_of[card])

    def draw_foreign(self, card: str) -> None:
        """A code that no card of this deck has."""
        self._taken(card)
        self.tell(FOREIGN_CODE)

    def tell(self, code: str) -> None:
        """Send this code."""
        self.say(self.prefix + code.encode("ascii") + self.suffix)


class BarcodeSim(ShoeSim[BarcodeDevice]):
    """The scanner at the far end of a cable."""

    def __init__(self, cable: Path | Cable, codes: Mapping[str, str] | None = None, name: str = "shoe") -> None:
        super().__init__(cable, Barcode.line.baud, BarcodeDevice(codes), name)
