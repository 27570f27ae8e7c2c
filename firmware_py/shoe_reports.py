"""What the shoe reports: what it means at the table, and how the shoe learns that it is on disk.

A report is written with its number in the same transaction as the deed it means, and only then acknowledged to the
shoe; after a kill the shoe is asked for what was not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.seen import CardBack, CardOut, CardsLost, FromShoe, ShoeDoor, ShoeError, ShoeShuffled
from engine.inputs import CardDrawn, DeviceTrouble, Face, Input, Shuffle
from engine.view import Due
from firmware_py.troubles import Troubles

if TYPE_CHECKING:
    from drivers.shoe import Shoe

FACES = {"D": Face.DOWN, "U": Face.UP}
SHOE_READY = "RDY"


class ShoeReports:
    """The reports of one shoe (None: the table has none). `stored`: (power-up, event) that is on disk."""

    def __init__(self, shoe: Shoe | None, stored: tuple[str, int] | None, troubles: Troubles) -> None:
        self._shoe = shoe
        self._troubles = troubles
        self._deck_is_new = False              # the shoe said so, and no card has left since
        self.stored = stored

    def deed_of(self, what: FromShoe, due: Due, *, running: bool) -> Input | None:
        """What a report means at the table; None where it changes nothing there. `running`: a hand is being played."""
        if isinstance(what, CardOut):
            self._deck_is_new = False
            self._troubles.mark("cards_lost", there=False)
            return CardDrawn(what.card, FACES.get(what.face, Face.UNKNOWN))
        if isinstance(what, ShoeShuffled):
            self._deck_is_new = what.state == SHOE_READY
            waits = due in {Due.SHUFFLE, Due.NEXT_HAND}
            return Shuffle() if self._deck_is_new and waits else None
        if isinstance(what, CardsLost) and running:
            self._troubles.mark("cards_lost", there=True)
            return DeviceTrouble("cards_lost", f"{what.why} {what.first}-{what.last}")
        if isinstance(what, CardBack) and running:
            return DeviceTrouble("card_back", str(what.n))
        if isinstance(what, ShoeDoor):
            self._troubles.mark("door", what.open)
            return DeviceTrouble("door_open") if what.open and running else None
        if isinstance(what, ShoeError):
            self._troubles.mark("shoe_error", what.on, what.code)
        return None

    def written(self, what: FromShoe) -> None:
        """The report is on disk: the shoe may forget it."""
        if what.seq and self._shoe is not None:
            self.stored = (what.boot, what.seq)
            self._shoe.committed(what.seq, what.boot)

    def shuffled(self, hand: int) -> None:
        """The deck of this hand was shuffled; by hand, if the shoe did not say so: it must expect every card again."""
        if self._shoe is not None and not self._deck_is_new:
            self._shoe.new_deck(f"H{hand:05d}")
        self._deck_is_new = False

    @property
    def proves_count(self) -> bool:
        """Whether no card can leave unseen, so that the dealer need not count the deal."""
        return self._shoe is None or self._shoe.caps.proves_count
