"""The displays as an eye would read them: the recorded bytes of a table, followed as they come.

The unit's drivers write what a wire would carry into two small files (drivers/recording.py). The simulated chips take
those bytes and know what would be lit; a picture on a page is therefore what the hardware would show, dot by dot. Who
looks seldom enough to miss bytes starts again from dark and is right at the drivers' next refresh, ten seconds later.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

import msgspec

from drivers import glyphs
from drivers.charset import DRAWN
from drivers.dots import Frame
from drivers.hd44780_sim import Hd44780Sim
from drivers.max7219_sim import Max7219Sim
from drivers.recording import read_record

ADDRESS = 0x27            # the recorded bytes have none; the simulated backpack wants one


class Dots(msgspec.Struct, frozen=True):
    """What the LED clock shows: `width` columns; eight rows as hexadecimal numbers, highest bit left."""

    width: int
    rows: tuple[str, ...]


class Cells(msgspec.Struct, frozen=True):
    """What the prompt display shows: whether it is lit, its text, and each cell's eight rows of five dots in hex."""

    lit: bool
    text: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]


class News(NamedTuple):
    """Bytes that came since the last look; `anew`: what was known before them is void."""

    anew: bool
    data: bytes


class Tape:
    """Follows one record. `look` gives what is new in it."""

    def __init__(self, path: Path, unit_bytes: int) -> None:
        """`unit_bytes`: the bytes of one transfer; what is given after a gap begins at one."""
        self._path = path
        self._unit = unit_bytes
        self._seen = 0

    def look(self) -> News:
        """Nothing while there is no record; `anew` when another process began it, or bytes were missed."""
        try:
            record = read_record(self._path)
        except (OSError, struct.error):        # not begun, or being begun
            return News(anew=False, data=b"")
        began = record.bytes_sent < self._seen
        fresh = record.bytes_sent - (0 if began else self._seen)
        missed = fresh > len(record.newest)
        whole = len(record.newest) // self._unit * self._unit
        self._seen = record.bytes_sent
        return News(began or missed, record.newest[-min(fresh, whole):] if fresh else b"")

    def rewind(self) -> None:
        """The record is gone; another will begin."""
        self._seen = 0


class LedEye:
    """Reads the LED clock."""

    def __init__(self, path: Path, modules: int) -> None:
        self._modules = modules
        self._tape = Tape(path, 2 * modules)
        self._chain = Max7219Sim(modules)

    def look(self) -> Dots:
        """What is lit now."""
        news = self._tape.look()
        if news.anew:
            self._chain = Max7219Sim(self._modules)
        step = 2 * self._modules
        for at in range(0, len(news.data) - step + 1, step):
            self._chain.data(list(news.data[at : at + step]))
        return dots(self._chain.frame())

    def power_off(self) -> Dots:
        """Its supply is gone: dark."""
        self._chain = Max7219Sim(self._modules)
        self._tape.rewind()
        return dots(self._chain.frame())


class PromptEye:
    """Reads the four lines."""

    def __init__(self, path: Path) -> None:
        self._tape = Tape(path, 1)
        self._display = Hd44780Sim(ADDRESS)

    def look(self) -> Cells:
        """What can be read now."""
        news = self._tape.look()
        if news.anew:
            self._display.power_cycle()
        for byte in news.data:
            self._display.write_byte(ADDRESS, byte)
        return cells(self._display)

    def power_off(self) -> Cells:
        """Its supply is gone: dark."""
        self._display.power_cycle()
        self._tape.rewind()
        return cells(self._display)


def dots(frame: Frame) -> Dots:
    """A frame for the page."""
    return Dots(frame.width, tuple(f"{row:x}" for row in frame.rows))


def cells(display: Hd44780Sim) -> Cells:
    """A display for the page."""
    shapes = tuple(tuple(_shape(display, code) for code in row) for row in display.codes())
    return Cells(display.on and display.backlight, tuple(display.text()), shapes)


def _shape(display: Hd44780Sim, code: int) -> str:
    return bytes(display.glyph(code) if code < len(DRAWN) else glyphs.of_code(code)).hex()
