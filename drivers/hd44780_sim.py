"""A 20x4 HD44780 behind a PCF8574 at the far end of an I2C bus: takes the real bytes, knows what would be read.

The PCF8574's outputs are wired as on every backpack: P0 RS, P1 R/W, P2 E, P3 backlight, P4 to P7 data. The controller
takes what lies on its data lines when E falls; after power-on it is in 8-bit mode and sees the upper four lines only
(HD44780U datasheet, figure 24 and table 6). Misbehaves on request: `gone` as if its cable were out, `power_cycle`.
"""

from __future__ import annotations

import errno

from drivers.charset import COLUMNS, DRAWN, LINES, code

_RS, _E, _BACKLIGHT = 0x01, 0x04, 0x08
_LINE_AT = (0x00, 0x40, 0x14, 0x54)
_BLANK = 0x20


class Hd44780Sim:
    """A bus with one display at `address`."""

    def __init__(self, address: int = 0x27) -> None:
        self.gone = False
        self.clears = 0
        self._address = address
        self._lines = 0
        self.power_cycle()

    def power_cycle(self) -> None:
        """The state after power-on: 8-bit mode, display off, blank."""
        self.backlight = False
        self.on = False
        self._four_bit = False
        self._upper: int | None = None
        self._ddram = [_BLANK] * 0x80
        self._cgram = [0] * 64
        self._at = 0
        self._into_cgram = False

    def write_byte(self, address: int, value: int) -> None:
        """One byte to the backpack. Raises OSError when there is none at `address`, as the kernel does."""
        if self.gone or address != self._address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.backlight = bool(value & _BACKLIGHT)
        fell = self._lines & _E and not value & _E
        held, self._lines = self._lines, value
        if fell:
            self._nibble(held >> 4, bool(held & _RS))

    def codes(self) -> list[list[int]]:
        """The codes in each line's twenty cells; blank while the display is off."""
        if not self.on:
            return [[_BLANK] * COLUMNS for _ in range(LINES)]
        return [self._ddram[at : at + COLUMNS] for at in _LINE_AT]

    def text(self) -> list[str]:
        """The four lines as a person reads them; a character nobody drew is `?`."""
        names = {code(character): character for character in map(chr, range(0x20, 0x7E)) if code(character) >= _BLANK}
        names |= {code(character): character for character in "→äöüñ°£ß"}
        names |= {number: character for number, character in enumerate(DRAWN) if any(self.glyph(number))}
        return ["".join(names.get(cell, "?") for cell in row) for row in self.codes()]

    def glyph(self, number: int) -> tuple[int, ...]:
        """The eight rows that were drawn for one of the eight own characters."""
        return tuple(self._cgram[8 * number : 8 * number + 8])

    def _nibble(self, nibble: int, is_data: bool) -> None:
        if not self._four_bit:
            self._byte(nibble << 4, is_data)
        elif self._upper is None:
            self._upper = nibble
        else:
            upper, self._upper = self._upper, None
            self._byte(upper << 4 | nibble, is_data)

    def _byte(self, byte: int, is_data: bool) -> None:
        if is_data:
            self._store(byte)
        elif byte & 0x80:
            self._at, self._into_cgram = byte & 0x7F, False
        elif byte & 0x40:
            self._at, self._into_cgram = byte & 0x3F, True
        elif byte & 0x20:
            self._four_bit = not byte & 0x10
        elif byte & 0x08 and not byte & 0x10:
            self.on = bool(byte & 0x04)
        elif byte == 0x01:
            self.clears += 1
            self._ddram = [_BLANK] * 0x80
            self._at, self._into_cgram = 0, False

    def _store(self, byte: int) -> None:
        if self._into_cgram:
            self._cgram[self._at % 64] = byte & 0x1F
            self._at += 1
        else:
            self._ddram[self._at % 0x80] = byte
            self._at += 1
