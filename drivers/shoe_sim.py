"""A card shoe that is not there: its deck, what may go wrong with the cards, and the far end of its cable.

`ShoeDevice` is what all simulated shoes are: cards leave them, by the rules or not. Each says in `notices` what of it
its kind notices and tells; what it does not notice happens all the same. `SpeakingShoeDevice` is one that tells a card
once, or a few times alike, and forgets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, TypeVar

from drivers.far_end import FarEnd, Faulty, Speaker
from drivers.shoe_codec import UNREAD


class Mishap(StrEnum):
    """What may befall a shoe and its cards."""

    BOXED = "boxed"                                  # the next card lies face up in the deck
    UNREADABLE = "unreadable"
    FOREIGN = "foreign"                              # a card of another deck
    TWO = "two"                                      # two cards leave as one
    BACK = "back"                                    # the last card is pushed back in
    CUT = "cut"                                      # the cut card is reached
    DOOR = "door"                                    # opened, or closed again
    REVERSED = "reversed"                            # a card stands the wrong way in the exit, or no longer
    JAM = "jam"                                      # cards stick in the shoe, or no longer


class ShoeDevice(Faulty):
    """The shoe itself. `deck`: top card first. What it sends is its subclass's."""

    notices: ClassVar[frozenset[Mishap]] = frozenset()
    tells_deck: ClassVar[bool] = False               # it says that a shuffled deck went in
    draw_s: ClassVar[float] = 0.0                    # what it takes between one card and the next, at least

    def __init__(self) -> None:
        self.deck: list[str] = []

    def load(self, cards: Sequence[str]) -> object:
        """A shuffled deck goes in."""
        self.deck = list(cards)
        return None

    def draw(self, card: str = "", face: str = "D") -> object:  # noqa: ARG002 - most shoes do not see the face
        """A card leaves: the top one, or `card` wherever it is; `??` cannot be read. **Raises** IndexError if empty."""
        return self.report(self._taken(card))

    def draw_unreadable(self) -> object:
        """The top card leaves and cannot be read."""
        self.deck.pop(0)
        return self.report(UNREAD)

    def draw_foreign(self, card: str) -> object:
        """A card of another deck leaves, printed as `card`, which it replaced in this one."""
        return self.draw(card)

    def draw_two(self) -> object:
        """The top two leave as one; the second one hides the first."""
        self.deck.pop(0)
        return self.draw()

    def push_back(self, card: str) -> object:
        """`card`, the last one, goes back in, on top."""
        self.deck.insert(0, card)
        return None

    def cut(self) -> object:
        """The cut card is reached."""
        raise NotImplementedError

    def door(self, *, opened: bool) -> object:
        """The door moves."""
        raise NotImplementedError

    def error(self, code: str, *, on: bool) -> object:
        """An error of OSP/1's list (docs/osp1.md) comes or goes."""
        raise NotImplementedError

    def reboot(self, now_s: float) -> None:
        """Power goes and comes."""
        raise NotImplementedError

    def report(self, card: str) -> object:
        """Send what such a shoe sends for a card."""
        raise NotImplementedError

    def _taken(self, card: str) -> str:
        """The top card, or `card`, out of the deck."""
        if not card:
            return self.deck.pop(0)
        if card in self.deck:
            self.deck.remove(card)
        return card


class SpeakingShoeDevice(Speaker, ShoeDevice):
    """A shoe that only speaks."""

    notices = frozenset({Mishap.UNREADABLE})

    def __init__(self) -> None:
        Speaker.__init__(self)
        ShoeDevice.__init__(self)

    def reboot(self, now_s: float) -> None:
        """What was not sent is forgotten."""
        self.plugged(now_s)


S = TypeVar("S", bound=ShoeDevice)


class ShoeSim(FarEnd[S]):
    """A shoe at the far end of a cable."""

    def load(self, cards: Sequence[str]) -> object:
        """A shuffled deck goes in, top card first."""
        return self.do(lambda shoe: shoe.load(cards))

    def draw(self, card: str = "", face: str = "D") -> object:
        """A card leaves the shoe."""
        return self.do(lambda shoe: shoe.draw(card, face))
