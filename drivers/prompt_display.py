"""The prompt display: four lines of twenty characters, on an HD44780 behind I2C or on a small OLED.

`PromptDisplay` makes the lines fit (drivers/charset.py) and hands full pages to a screen. It never raises for a
device's trouble: that is reported once, tried again every five seconds, and reported when over. A page takes an HD44780
about 50 ms at 100 kHz, so whoever must not wait shows through `InBackground`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import luma.core.error
from luma.core.interface.serial import pcf8574
from luma.lcd.device import hd44780
from PIL import Image

from drivers import glyphs
from drivers.charset import COLUMNS, DRAWN, LINES, Page, code, drawn_rows, page
from drivers.led_clock import kind_of
from drivers.seen import InputDown, InputUp, Post

REFRESH_S = 30.0     # everything is sent again: a disturbed controller shows rubbish until it is told anew
RETRY_S = 5.0
SOURCE = "prompt_display"
DeviceErrors = (OSError, luma.core.error.Error)


class Screen(Protocol):
    """A display of four rows of twenty characters."""

    def show(self, rows: Sequence[str], anew: bool) -> None:
        """Shows the rows; `anew`: sets the device up first and sends everything. Raises `DeviceErrors`."""

    def close(self) -> None:
        """Gives the bus back."""


class PromptDisplay:
    """Shows lines on a screen. `cut_lines` counts lines that did not fit. Not thread-safe: one thread shows."""

    def __init__(
        self,
        screen: Screen,
        post: Post,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cut_lines = 0
        self._screen = screen
        self._post = post
        self._now_s = now_s
        self._shown: Page | None = None
        self._sent_s = 0.0
        self._retry_s = 0.0
        self._down = False

    def show(self, lines: Sequence[str]) -> None:
        """Shows up to four lines (ValueError: more). A line too long is cut visibly, never inside a number."""
        now_s = self._now_s()
        wanted = page(lines)
        if self._down and now_s < self._retry_s:
            return
        anew = self._shown is None or now_s - self._sent_s >= REFRESH_S
        if wanted == self._shown and not anew:
            return
        try:
            self._screen.show(wanted.rows, anew)
        except DeviceErrors as trouble:
            self._lost(trouble, now_s)
            return
        if wanted != self._shown:
            self.cut_lines += len(wanted.cut)
        self._shown = wanted
        if anew:
            self._sent_s = now_s
        if self._down:
            self._down = False
            self._post(InputUp(SOURCE), time.monotonic_ns())

    def close(self) -> None:
        """Gives the screen back."""
        with contextlib.suppress(*DeviceErrors):             # a bus that is gone may not be given back either
            self._screen.close()
        self._shown = None

    def _lost(self, trouble: Exception, now_s: float) -> None:
        self.close()
        self._retry_s = now_s + RETRY_S
        if not self._down:
            self._down = True
            hint = f"the prompt display does not answer ({trouble}): is I2C on, its cable in and its address right?"
            self._post(InputDown(SOURCE, kind_of(trouble), hint), time.monotonic_ns())


class SmBus(Protocol):
    """What carries bytes to I2C devices; `smbus2.SMBus` and `RecordingBus` are such."""

    def write_byte(self, address: int, value: int) -> None:
        """One byte to the device at `address`. Raises OSError."""


def i2c_bus(port: int = 1) -> SmBus:
    """`/dev/i2c-<port>`. Raises OSError."""
    import smbus2

    return smbus2.SMBus(port)


_ROW_ADDRESS = (0x00, 0x40, 0x14, 0x54)  # of a 20x4 display in the controller's memory
_SET_DDRAM, _SET_CGRAM = 0x80, 0x40
_FUNCTION_4BIT_2LINES, _DISPLAY_ON, _ENTRY_RIGHT = 0x28, 0x0C, 0x06
_BACKLIGHT = 0x08
_WAKE = ((0x03, 0.005), (0x03, 0.000_2), (0x03, 0.000_2), (0x02, 0.000_2))


class Hd44780:
    """A 20x4 HD44780 behind a PCF8574. Sends only the cells that changed.

    Set up by the datasheet's "initializing by instruction" (HD44780U, figure 24), which works from any state and leaves
    out the clear, so that doing it again does not flicker. `settle_s`: the enable pulse; 0 where nothing listens.
    """

    def __init__(self, open_bus: Callable[[], SmBus], address: int = 0x27, settle_s: float = 0.000_05) -> None:
        self._open_bus = open_bus
        self._address = address
        self._settle_s = settle_s
        self._wire = _Wire()
        self._lcd: Any = None
        self._cells: list[list[int]] = []

    def show(self, rows: Sequence[str], anew: bool) -> None:
        """Shows the rows; see `Screen`."""
        if self._wire.bus is None:
            self._lcd = self._lcd or self._make_lcd()
            self._wire.bus = self._open_bus()
            self._wire.write_byte(self._address, _BACKLIGHT)  # raises when nobody is there
            anew = True
        if anew:
            self._set_up()
        for y, row in enumerate(rows):
            self._write_row(y, [code(character) for character in row])

    def close(self) -> None:
        """Gives the bus back."""
        bus, self._wire.bus = self._wire.bus, None
        if close := getattr(bus, "close", None):
            close()

    def _make_lcd(self) -> Any:
        """The device of luma, made once and while the wire leads nowhere: its own set-up clears the display."""
        interface = pcf8574(bus=self._wire, address=self._address, pulse_time=self._settle_s)
        return hd44780(interface, width=COLUMNS, height=LINES, exec_time=self._settle_s)

    def _set_up(self) -> None:
        for nibble, wait_s in _WAKE:
            self._lcd.command(nibble, exec_time=wait_s, only_low_bits=True)
        for command in (_FUNCTION_4BIT_2LINES, _ENTRY_RIGHT, _DISPLAY_ON):
            self._lcd.command(command)
        self._lcd.command(_SET_CGRAM)
        self._lcd.data([row for character in DRAWN for row in drawn_rows(character)])
        self._cells = [[] for _ in range(LINES)]

    def _write_row(self, y: int, codes: list[int]) -> None:
        old = self._cells[y] or [-1] * COLUMNS
        changed = [x for x in range(COLUMNS) if codes[x] != old[x]]
        if changed:
            first, last = changed[0], changed[-1]
            self._lcd.command(_SET_DDRAM | _ROW_ADDRESS[y] + first)
            self._lcd.data(codes[first : last + 1])
            self._cells[y] = codes


class _Wire:
    """The bus that is open now, or nowhere; luma's device is built on it once."""

    def __init__(self) -> None:
        self.bus: SmBus | None = None

    def write_byte(self, address: int, value: int) -> None:
        if self.bus is not None:
            self.bus.write_byte(address, value)


class Oled:
    """A 128x64 OLED as four rows of twenty characters, each five by sixteen dots, in the HD44780's own letters.

    `open_device` gives a luma device of one bit a dot, and what sets its controller up again; see `oled`.
    """

    def __init__(self, open_device: Callable[[], tuple[Any, Callable[[], None]]]) -> None:
        self._open_device = open_device
        self._device: Any = None
        self._set_up: Callable[[], None] = _nothing

    def show(self, rows: Sequence[str], anew: bool) -> None:
        """Shows the rows; see `Screen`."""
        if self._device is None:
            self._device, self._set_up = self._open_device()
        elif anew:
            self._set_up()  # a controller that lost its supply wakes dark, its charge pump off
        self._device.display(_oled_picture(rows, self._device.size))

    def close(self) -> None:
        """Gives the bus back."""
        device, self._device = self._device, None
        if device is not None:
            device.persist = True
            device.cleanup()


def oled(port: int = 1, address: int = 0x3C, controller: str = "ssd1306", bus: Any = None) -> Oled:
    """An OLED on I2C with one of luma.oled's 128x64 controllers. Raises ValueError when luma.oled is not installed.

    `bus`: an open one in place of `/dev/i2c-<port>`, with `write_i2c_block_data` as `smbus2.SMBus` has it.
    """
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec("luma.oled") is None:
        raise ValueError("luma.oled is not installed; it is in requirements/pi.txt. Or choose the hd44780")

    def open_device() -> tuple[Any, Callable[[], None]]:
        from luma.core.interface.serial import i2c

        wire = _SetUp(i2c(bus=bus, port=port, address=address))
        try:
            wire.command(_OLED_NOP)  # raises when nobody is there, before luma keeps a device to the end of the process
            device = getattr(import_module("luma.oled.device"), controller)(wire)
        except DeviceErrors:
            wire.cleanup()
            raise
        wire.keeping = False
        return device, wire.again

    return Oled(open_device)


class _SetUp:
    """luma's I2C interface, which keeps the commands with which luma sets a controller up, to give them again."""

    def __init__(self, wire: Any) -> None:
        self.keeping = True
        self._wire = wire
        self._kept: list[tuple[int, ...]] = []

    def command(self, *commands: int) -> None:
        if self.keeping:
            self._kept.append(commands[1:] if commands[0] == _OLED_OFF else commands)    # again without a flicker
        self._wire.command(*commands)

    def data(self, data: Sequence[int]) -> None:
        self._wire.data(data)

    def cleanup(self) -> None:
        self._wire.cleanup()

    def again(self) -> None:
        for commands in self._kept:
            self._wire.command(*commands)


def _nothing() -> None:
    """Nothing is open that could be set up."""


_OLED_OFF = 0xAE
_OLED_NOP = 0xE3
_CELL_WIDTH, _CELL_HEIGHT = 6, 16


def _oled_picture(rows: Sequence[str], size: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", size)
    left = (size[0] - COLUMNS * _CELL_WIDTH) // 2
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            for dy, line in enumerate(glyphs.of_code(code(character))):
                for dx in range(5):
                    if line >> (4 - dx) & 1:
                        at = (left + x * _CELL_WIDTH + dx, y * _CELL_HEIGHT + 2 * dy)
                        picture.putpixel(at, 1)
                        picture.putpixel((at[0], at[1] + 1), 1)
    return picture
