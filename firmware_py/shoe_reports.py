"""What the shoe reports: what it means at the table, and how the shoe learns that it is on disk.

A report is written with its number in the same transaction as the deed it means, and only then acknowledged to the
shoe; after a kill the shoe is asked for what was not. What is wrong with the shoe (`shoe_watch`) is on disk too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from drivers.seen import CardOut, CardsLost, FromShoe, ShoeShuffled
from engine.inputs import CardDrawn, DeviceTrouble, Face, Input, Shuffle
from engine.view import Due
from firmware_py import shoe_watch
from firmware_py.shoe_watch import CARDS_MATTER, Said, ShoeState
from firmware_py.troubles import Troubles

if TYPE_CHECKING:
    from drivers.shoe import Shoe

FACES = {"D": Face.DOWN, "U": Face.UP}
SHOE_READY = "RDY"


class ShoeReports:
    """The reports of one shoe (None: the table has none)."""

    def __init__(
        self,
        shoe: Shoe | None,
        stored: tuple[str, int] | None,
        kept: ShoeState | None,
        troubles: Troubles,
        note: Callable[[dict[str, Any]], None],
    ) -> None:
        """`stored`: (power-up, event) that is on disk; `kept`: what was wrong with it; `note` writes to the journal."""
        self._shoe = shoe
        self._troubles = troubles
        self._note = note
        self._deck_is_new = False              # the shoe said so, and no card has left since
        self._unsure = False                   # it came back in a hand and does not say what it gave meanwhile
        self._state = ShoeState() if shoe is None or kept is None else kept
        self._said: Said | None = None
        self._say()
        self.stored = stored

    def deed_of(self, what: FromShoe, due: Due, *, running: bool) -> Input | None:
        """What a report means at the table; None where it changes nothing there. `running`: a hand is being played."""
        self._is_now(shoe_watch.reported(self._state, what))
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
        return shoe_watch.deed_of(what) if running else None

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
        self._is_now(shoe_watch.new_deck(self._state))

    def gone(self, due: Due) -> DeviceTrouble | None:
        """The shoe is not heard any more. What that means to a hand in which cards may now leave unseen."""
        return DeviceTrouble("shoe_down") if due in CARDS_MATTER and not self._keeps else None

    def back(self, due: Due) -> None:
        """The shoe is heard, for the first time or again."""
        self._unsure = due in CARDS_MATTER and not self._keeps

    def asks_where(self, due: Due) -> bool:
        """Must the dealer be asked where the deal stands?"""
        self._unsure = self._unsure and due in CARDS_MATTER
        return self._unsure

    def asked_where(self) -> None:
        """The dealer was asked."""
        self._unsure = False

    def waits_for(self, due: Due) -> Said | None:
        """What must be put right at the shoe before the deal goes on; None: nothing, or no card is due."""
        return shoe_watch.waits_for(self._state, due)

    @property
    def proves_count(self) -> bool:
        """Whether no card can leave unseen, so that the dealer need not count the deal."""
        return self._shoe is None or self._shoe.caps.proves_count

    @property
    def _keeps(self) -> bool:
        return self._shoe is None or self._shoe.caps.can_replay

    def _is_now(self, state: ShoeState) -> None:
        if state != self._state:
            self._state = state
            self._note({"shoe_state": state})
            self._say()

    def _say(self) -> None:
        """The prompt names the worst of what is wrong."""
        if self._said is not None:
            self._troubles.mark(self._said[0], there=False)
        self._said = shoe_watch.said_of(self._state)
        if self._said is not None:
            self._troubles.mark(self._said[0], there=True, detail=self._said[1])
