"""Decks of cards with a tag in each: which number is which card, and how a deck is registered.

The registry is one JSON file that belongs to the unit (or to whoever registers decks for several). It is written whole
beside itself and renamed, so that a power cut leaves the old one. A registered deck never changes. When a card is
replaced the deck is registered again; that makes a new generation, and the old one is no longer live.

`Registration` guides a person through it, without I/O: first the 52 cards in a fixed order, As to 2c, each laid on the
reader alone and read twice alike; then all of them once more in any order, to prove that nobody mixed two up.
"""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec

ORDER: tuple[str, ...] = tuple(rank + suit for suit in "shdc" for rank in "AKQJT98765432")

_UID = re.compile(r"(?:[0-9A-F]{2}){4,10}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")


class RegistryError(ValueError):
    """The registry or a deck cannot be used; the text says why and what to do."""


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One registered deck. `cards`: tag number (upper-case hex) -> card; `registered`: UTC, ISO 8601."""

    deck: str
    generation: int
    back: str
    registered: str
    by: str
    cards: dict[str, str]
    live: bool = True


class Registry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All decks, the newest last."""

    decks: tuple[Deck, ...] = ()

    def live(self) -> tuple[Deck, ...]:
        """The decks that may lie on a table."""
        return tuple(deck for deck in self.decks if deck.live)

    def find(self, uid: str) -> tuple[str, str] | None:
        """(deck, card) of a tag's number; None if no live deck has it."""
        return next(((deck.deck, deck.cards[uid]) for deck in self.decks if deck.live and uid in deck.cards), None)

    def with_deck(self, deck: str, back: str, registered: str, by: str, cards: dict[str, str]) -> Registry:
        """The registry with one more deck, or a new generation of a known one. **Raises** RegistryError."""
        if not _NAME.fullmatch(deck):
            raise RegistryError(f"{deck!r} is no deck's name; use 1 to 32 letters, digits, _ or -")
        if sorted(cards.values()) != sorted(ORDER):
            raise RegistryError(f"deck {deck}: {len(set(cards.values()))} of 52 cards; register it from the beginning")
        for uid in cards:
            known = self.find(uid)
            if known is not None and known[0] != deck:
                raise RegistryError(f"tag {uid} is {known[1]} of deck {known[0]}; a card is in one deck only")
        generation = max((old.generation for old in self.decks if old.deck == deck), default=0) + 1
        return Registry((*self._without(deck), Deck(deck, generation, back, registered, by, cards)))

    def retired(self, deck: str) -> Registry:
        """The registry with a deck out of use. **Raises** RegistryError if there is no such live deck."""
        if all(known.deck != deck for known in self.live()):
            raise RegistryError(f"there is no live deck {deck!r}")
        return Registry(self._without(deck))

    def _without(self, deck: str) -> tuple[Deck, ...]:
        return tuple(msgspec.structs.replace(old, live=old.live and old.deck != deck) for old in self.decks)


def load(path: Path) -> Registry:
    """The registry in a file; empty if there is none. **Raises** RegistryError for a file that is none, OSError."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return Registry()
    try:
        registry = msgspec.json.decode(raw, type=Registry)
    except msgspec.DecodeError as trouble:
        raise RegistryError(f"{path}: {trouble}; this is no registry of decks") from trouble
    for deck in registry.decks:
        wrong = [uid for uid in deck.cards if not _UID.fullmatch(uid)]
        if wrong or sorted(deck.cards.values()) != sorted(ORDER):
            raise RegistryError(f"{path}: deck {deck.deck}: {wrong or 'not 52 cards'}; register it again")
    return registry


def save(path: Path, registry: Registry) -> None:
    """Write the registry so that a power cut leaves the old or the new one. **Raises** OSError."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(registry), indent=1) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    beside.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Phase(StrEnum):
    """What the person is asked to do."""

    LAY = "lay"                  # lay `card` on the reader, alone
    LIFT = "lift"                # take it away
    VERIFY = "verify"            # lay every card once more, in any order
    DONE = "done"


class Fault(StrEnum):
    """Why the card on the reader does not count."""

    NONE = ""
    TWO_TAGS = "two_tags"        # two cards at once
    TWICE = "twice"              # it was registered as another card a moment ago
    OTHER_DECK = "other_deck"    # it belongs to another live deck
    NOT_OURS = "not_ours"        # verifying: no card of this deck


class Step(NamedTuple):
    """Where a registration stands. `card`: the card asked for, or the one just recognised; `left`: cards to go."""

    phase: Phase
    card: str
    left: int
    fault: Fault = Fault.NONE
    detail: str = ""             # which card and deck the fault is about


class Registration:
    """Guides through one deck: feed it each answer of the reader with `read`; `step` says what to ask for."""

    def __init__(self, registry: Registry, deck: str) -> None:
        """`registry` as it is now; `deck`: the name under which the deck will be known."""
        self._registry = registry
        self._deck = deck
        self._cards: dict[str, str] = {}
        self._verified: set[str] = set()
        self._candidate = ""
        self.step = Step(Phase.LAY, ORDER[0], len(ORDER))

    @property
    def cards(self) -> dict[str, str]:
        """The finished deck: tag number -> card. **Raises** RegistryError before it is done."""
        if self.step.phase is not Phase.DONE:
            raise RegistryError(f"{self.step.left} cards are still to be read")
        return dict(self._cards)

    def read(self, tags: tuple[str, ...]) -> Step:
        """The reader sees these tags. Returns the step that is due now."""
        phase = self.step.phase
        if phase is Phase.DONE:
            return self.step
        if len(tags) > 1:
            self._candidate = ""
            self.step = self.step._replace(fault=Fault.TWO_TAGS, detail="")
        elif not tags:
            self._candidate = ""
            self.step = self._after_lift() if phase is Phase.LIFT else self.step._replace(fault=Fault.NONE, detail="")
        elif tags[0] != self._candidate:
            self._candidate = tags[0]                # the same number must come twice
        elif phase is Phase.LAY:
            self.step = self._laid(tags[0])
        elif phase is Phase.VERIFY:
            self.step = self._verifies(tags[0])
        return self.step

    def _after_lift(self) -> Step:
        left = len(ORDER) - len(self._cards)
        if left:
            return Step(Phase.LAY, ORDER[-left], left)
        return Step(Phase.VERIFY, "", len(ORDER))

    def _laid(self, uid: str) -> Step:
        if uid in self._cards:
            return self.step._replace(fault=Fault.TWICE, detail=self._cards[uid])
        known = self._registry.find(uid)
        if known is not None and known[0] != self._deck:
            return self.step._replace(fault=Fault.OTHER_DECK, detail=f"{known[1]} {known[0]}")
        self._cards[uid] = self.step.card
        return Step(Phase.LIFT, self.step.card, len(ORDER) - len(self._cards))

    def _verifies(self, uid: str) -> Step:
        if uid not in self._cards:
            return self.step._replace(fault=Fault.NOT_OURS, detail=uid)
        self._verified.add(uid)
        left = len(ORDER) - len(self._verified)
        return Step(Phase.VERIFY if left else Phase.DONE, self._cards[uid], left)
