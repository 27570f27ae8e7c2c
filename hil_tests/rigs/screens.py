"""Displays whose far end is a simulated controller that knows what is lit: chains, bars of digits, prompt displays."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import NamedTuple, Protocol

from drivers.dots import Frame
from drivers.hd44780_sim import Hd44780Sim
from drivers.led_clock import LedClock
from drivers.max7219_sim import Max7219Sim
from drivers.prompt_display import Hd44780, PromptDisplay, Screen, oled
from drivers.seen import Post
from drivers.ssd1306_sim import Ssd1306Sim


class ClockKind(NamedTuple):
    """A chain: its modules, how they are turned, and how many dots wide its pictures are."""

    modules: int
    orientation: int


CLOCKS: dict[str, ClockKind] = {
    "max7219_4": ClockKind(4, -90),
    "max7219_8": ClockKind(8, -90),
    "max7219_8_turned": ClockKind(8, 90),
    "digits_8": ClockKind(1, 0),
    "digits_16": ClockKind(2, 0),
}


class PlayedClock:
    """A simulated chain on a bus that can be pulled out."""

    def __init__(self, kind: ClockKind) -> None:
        self.modules = kind.modules
        self._kind = kind
        self._chain = Max7219Sim(kind.modules, kind.orientation)
        self._gone = False

    def driver(self, post: Post) -> LedClock:
        """The driver; nothing was shown yet."""
        return LedClock(lambda: self, self.modules, post, orientation=self._kind.orientation)

    def lit(self) -> Frame:
        """What is lit."""
        return self._chain.frame()

    def brown_out(self) -> None:
        """The supply of the last module dips."""
        self._chain.brown_out(self.modules - 1)

    def unplug(self) -> None:
        """Pull the bus out."""
        self._gone = True

    def plug(self) -> None:
        """Put it back in; the modules had no supply meanwhile."""
        self._gone = False
        for module in range(self.modules):
            self._chain.brown_out(module)

    # --- the bus

    def data(self, data: list[int]) -> None:
        """One transfer."""
        if self._gone:
            raise OSError(errno.ENODEV, "No such device")
        self._chain.data(data)

    def cleanup(self) -> None:
        """The bus is given back."""


class Controller(Protocol):
    """A simulated controller of a prompt display."""

    gone: bool

    def power_cycle(self) -> None:
        """Its supply goes and comes."""
        ...

    def text(self) -> list[str]:
        """The four lines as a person reads them."""
        ...


class PlayedPrompt:
    """A simulated prompt display. `now_s` is the time its driver sees."""

    def __init__(self, make: Callable[[], tuple[Controller, Screen]]) -> None:
        self.now_s = 0.0
        self._controller, self._screen = make()

    def driver(self, post: Post) -> PromptDisplay:
        """The driver; nothing was shown yet."""
        return PromptDisplay(self._screen, post, lambda: self.now_s)

    def text(self) -> list[str]:
        """The four lines as a person reads them."""
        return self._controller.text()

    def power_cycle(self) -> None:
        """Its supply dips."""
        self._controller.power_cycle()

    def unplug(self) -> None:
        """Pull its cable out."""
        self._controller.gone = True

    def plug(self) -> None:
        """Put it back in: it comes as after power-on."""
        self._controller.gone = False
        self._controller.power_cycle()


def _hd44780() -> tuple[Controller, Screen]:
    sim = Hd44780Sim()
    return sim, Hd44780(lambda: sim, settle_s=0.0)


def _ssd1306() -> tuple[Controller, Screen]:
    sim = Ssd1306Sim()
    return sim, oled(bus=sim)


PROMPTS: dict[str, Callable[[], tuple[Controller, Screen]]] = {"hd44780": _hd44780, "ssd1306": _ssd1306}
