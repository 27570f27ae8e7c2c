"""The rigs on which the contracts are proved: where a device comes from, and whose hand is on it.

A rig gives, for each kind of device it has, a *stand*: what a driver opens, and what a hand does at the far end. A test
takes a stand and never knows the rig. Add a rig by writing a class like those here and a line in `RIGS`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from drivers.dots import Frame
from drivers.finger import Finger
from drivers.led_clock import LedClock
from drivers.panel import Panel
from drivers.prompt_display import PromptDisplay
from drivers.seen import Post
from drivers.shoe import Shoe
from drivers.shoe_codec import Caps
from hil_tests.rigs.pi import PiRig
from hil_tests.rigs.virtual import VirtualRig


class ShoeStand(Protocol):
    """A shoe, and the hand that draws from it."""

    port: str
    caps: Caps

    def driver(self, post: Post, last: tuple[str, int] | None = None) -> Shoe:
        """The driver, not yet started; `last`: the event that was stored last."""
        ...

    def draw(self, card: str, face: str = "D") -> None:
        """This card leaves the shoe."""
        ...

    def noise(self, count: int) -> None:
        """So many random bytes on the line."""
        ...

    def unacknowledged(self) -> int:
        """How many events the shoe still keeps for us (shoes that can replay)."""
        ...

    def unplug(self) -> None:
        """Pull the cable out (rigs that can `unplug`)."""
        ...

    def plug(self) -> None:
        """Put it back in."""
        ...


class Reader(Protocol):
    """A driver of a badge reader, whatever its kind."""

    def start(self) -> None:
        """Begin to listen."""
        ...

    def stop(self) -> None:
        """Stop listening."""
        ...


class BadgeStand(Protocol):
    """A badge reader, and the hand with the badges."""

    badges: tuple[str, str]

    def driver(self, post: Post) -> Reader:
        """The driver, not yet started."""
        ...

    def tap(self, badge: str) -> None:
        """Hold a badge to the reader, shortly."""
        ...

    def hold(self, badge: str) -> None:
        """Lay it there."""
        ...

    def lift(self) -> None:
        """Take it away."""
        ...

    def noise(self, count: int) -> None:
        """So many random bytes on the line."""
        ...

    def unplug(self) -> None:
        """Pull the cable out (rigs that can `unplug`)."""
        ...

    def plug(self) -> None:
        """Put it back in."""
        ...


class KeysStand(Protocol):
    """A panel of keys, and the finger on it. It has at least FOLD, DEAL and the knob."""

    @property
    def finger(self) -> Finger:
        """Presses and turns; after `open`."""
        ...

    def open(self, post: Post) -> Panel:
        """The panel, not yet started."""
        ...


class ClockStand(Protocol):
    """An LED clock, and the eye that sees what is lit."""

    modules: int

    def driver(self, post: Post) -> LedClock:
        """The driver; nothing was shown yet."""
        ...

    def lit(self) -> Frame:
        """What is lit, `8 * modules` columns wide."""
        ...

    def brown_out(self) -> None:
        """The supply of one module dips (rigs that can `unplug`)."""
        ...

    def unplug(self) -> None:
        """Pull the bus out (rigs that can `unplug`)."""
        ...

    def plug(self) -> None:
        """Put it back in."""
        ...


class PromptStand(Protocol):
    """A prompt display, and the eye that reads it. `now_s` is the time that its driver sees."""

    now_s: float

    def driver(self, post: Post) -> PromptDisplay:
        """The driver; nothing was shown yet."""
        ...

    def text(self) -> list[str]:
        """The four lines as a person reads them."""
        ...

    def power_cycle(self) -> None:
        """Its supply dips (rigs that can `unplug`)."""
        ...

    def unplug(self) -> None:
        """Pull its cable out (rigs that can `unplug`)."""
        ...

    def plug(self) -> None:
        """Put it back in."""
        ...


class Rig(Protocol):
    """A place where devices are.

    `has`: what it offers, of `shoe`, `badge`, `keys`, `clock`, `prompt` and `unplug`; `shoes`, `badges`, `clocks`,
    `prompts`: of which kinds. A rig offers a clock or a prompt display only where something reads what is lit.
    """

    has: frozenset[str]
    shoes: frozenset[str]
    badges: frozenset[str]
    clocks: frozenset[str]
    prompts: frozenset[str]

    def shoe(self, folder: Path, protocol: str) -> AbstractContextManager[ShoeStand]:
        """A shoe, freshly switched on."""
        ...

    def badge(self, folder: Path, protocol: str) -> AbstractContextManager[BadgeStand]:
        """A badge reader with no badge on it."""
        ...

    def keys(self) -> AbstractContextManager[KeysStand]:
        """A panel of keys, none of them down."""
        ...


# name -> how to make the rig from the file given with --rig-map (None: none was given)
RIGS: dict[str, Callable[[Path | None], Rig]] = {
    "virtual": VirtualRig,
    "pi": PiRig,
}
