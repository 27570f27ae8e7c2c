"""Every simulated shoe and badge reader by the name of its protocol, with the deck and the badges that go with it.

For whoever plays the far end of a table's cables: the virtual table, the rigs of `hil_tests/`, the tests.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from drivers.angel_eye_sim import AngelEyeSim
from drivers.barcode_sim import BarcodeSim
from drivers.bee_tek_sim import BeeTekSim
from drivers.deck_registry import ORDER, Registry
from drivers.osp1_sim import Osp1Sim
from drivers.pn532_sim import Pn532Sim, RfidShoeSim
from drivers.pty_line import Cable
from drivers.rdm6300_sim import Rdm6300Sim
from drivers.shoe_sim import ShoeSim
from drivers.wedge_sim import PluggedWedge

SHOES = ("osp1", "angel_eye_ii_ex", "bee_tek", "barcode", "rfid_deck")
LINE_READERS = ("rdm6300", "id12la", "pn532")
UINPUT = Path("/dev/uinput")

DECK, OTHER_DECK = "BLUE-1", "RED-1"
TAGS: Mapping[str, str] = {card: f"04{number:02X}A1B2C3D480" for number, card in enumerate(ORDER)}
OTHER_TAGS: Mapping[str, str] = {card: f"04{number:02X}5EC0DDEC80" for number, card in enumerate(ORDER)}


class BadgeSim(Protocol):
    """What every simulated badge reader can do, from any thread. Numbers are upper-case hex."""

    def start(self) -> None:
        """Plug in."""
        ...

    def stop(self) -> None:
        """Unplug and end."""
        ...

    @property
    def plugged(self) -> bool:
        """Is the cable in?"""
        ...

    def plug(self) -> None:
        """Put the cable in."""
        ...

    def unplug(self) -> None:
        """Pull it out."""
        ...

    def tap(self, uid_hex: str) -> None:
        """A badge is held to the reader, shortly."""
        ...

    def hold(self, uid_hex: str) -> None:
        """A badge is laid there."""
        ...

    def lift(self) -> None:
        """It is taken away."""
        ...

    def graze(self, uid_hex: str) -> None:
        """A badge is pulled away too early to be read."""
        ...

    def noise(self, count: int, seed: int = 1) -> None:
        """So many random bytes on the line."""
        ...


def badge_readers() -> tuple[str, ...]:
    """The protocols of badge readers that can be simulated here: a wedge types through the kernel, if that may be."""
    return (*LINE_READERS, "wedge") if os.access(UINPUT, os.W_OK) else LINE_READERS


def shoe_sim(protocol: str, cable: Path | Cable) -> ShoeSim[Any]:
    """The simulated shoe of this protocol. **Raises** KeyError if there is none."""
    match protocol:
        case "osp1":
            return Osp1Sim(cable)
        case "angel_eye_ii_ex":
            return AngelEyeSim(cable)
        case "bee_tek":
            return BeeTekSim(cable)
        case "barcode":
            return BarcodeSim(cable)
        case "rfid_deck":
            return RfidShoeSim(cable, TAGS, foreign=OTHER_TAGS)
        case _:
            raise KeyError(protocol)


def badge_sim(protocol: str, cable: Path) -> BadgeSim:
    """The simulated badge reader of this protocol. **Raises** KeyError if there is none."""
    match protocol:
        case "rdm6300" | "id12la":
            return Rdm6300Sim(cable, crlf=protocol == "id12la")
        case "pn532":
            return Pn532Sim(cable)
        case "wedge":
            return PluggedWedge(cable)
        case _:
            raise KeyError(protocol)


def badge_number(protocol: str, uid_hex: str) -> str:
    """How readers of this protocol number the badge `uid_hex` (ten hex digits): in full, or its last four bytes."""
    return uid_hex if protocol in {"rdm6300", "id12la"} else uid_hex[-8:]


def decks() -> Registry:
    """The registered decks whose tags the simulated cards have: the one that is played with, and another one."""
    registry = Registry()
    for deck, tags in ((DECK, TAGS), (OTHER_DECK, OTHER_TAGS)):
        cards = {uid: card for card, uid in tags.items()}
        registry = registry.with_deck(deck, deck.partition("-")[0].lower(), "2026-01-01T00:00:00Z", "simulator", cards)
    return registry
