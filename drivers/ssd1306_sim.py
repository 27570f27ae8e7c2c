"""A 128x64 SSD1306 at the far end of an I2C bus: takes the real bytes, knows which dots are lit.

A write begins with a control byte: 0x00, commands follow; 0x40, data follows (SSD1306 datasheet, 8.1.5.2). Data goes
into eight pages of 128 columns, a byte being eight dots one above the other, the top one in bit 0. After power-on the
display is off, its charge pump too, and the memory is filled page by page, which ignores the windows that are set for
horizontal filling (10.1.3); segments and rows are not turned as most modules wire them. So a controller that lost its
supply shows nothing, or rubbish, until it is set up again. Misbehaves on request: `gone`, `power_cycle`.
"""

from __future__ import annotations

import errno

from drivers import glyphs
from drivers.charset import COLUMNS, DRAWN, LINES, code

WIDTH, PAGES = 128, 8
CELL_WIDTH, CELL_HEIGHT = 6, 16
_COMMANDS, _DATA = 0x00, 0x40
_MEMORY_MODE, _COLUMNS, _PAGES, _CHARGE_PUMP = 0x20, 0x21, 0x22, 0x8D
_ONE_MORE = frozenset({0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, _MEMORY_MODE, _CHARGE_PUMP})
_HORIZONTAL = 0x00


class Ssd1306Sim:
    """A bus with one display at `address`; in place of an `smbus2.SMBus`."""

    def __init__(self, address: int = 0x3C) -> None:
        self.gone = False
        self._address = address
        self.power_cycle()

    def power_cycle(self) -> None:
        """The state after power-on; what stands in the memory is anything."""
        self.on = self._pump = self._columns_turned = self._rows_turned = False
        self._mode = 0x02
        self._window = (0, WIDTH - 1, 0, PAGES - 1)
        self._at = (0, 0)
        self._memory = bytearray((37 * n) & 0xFF for n in range(WIDTH * PAGES))

    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        """One transfer. Raises OSError when there is nobody at `address`, as the kernel does."""
        if self.gone or address != self._address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if control == _COMMANDS:
            self._obey(data)
        elif control == _DATA:
            for byte in data:
                self._store(byte)
        else:
            raise ValueError(f"control byte {control:#x}")

    def close(self) -> None:
        """The bus is given back; the display goes on showing what it has."""

    def lit(self, x: int, y: int) -> bool:
        """Is this dot lit, as the module stands before a person?"""
        if not (self.on and self._pump):
            return False
        column = x if self._columns_turned else WIDTH - 1 - x
        row = y if self._rows_turned else 8 * PAGES - 1 - y
        return bool(self._memory[row // 8 * WIDTH + column] >> row % 8 & 1)

    def text(self) -> list[str]:
        """The four lines as a person reads them; what is no letter of the prompt display is `?`."""
        letters = [chr(at) for at in range(0x20, 0x7E)] + list("→äöüñ°£ß") + list(DRAWN)
        names = {glyphs.of_code(code(letter)): letter for letter in reversed(letters)}
        return ["".join(names.get(self._cell(x, y), "?") for x in range(COLUMNS)) for y in range(LINES)]

    def _cell(self, x: int, y: int) -> tuple[int, ...]:
        """The eight rows of a letter, which are drawn two dots high."""
        left, top = (WIDTH - COLUMNS * CELL_WIDTH) // 2 + x * CELL_WIDTH, y * CELL_HEIGHT
        rows = [[self.lit(left + dx, top + dy) for dx in range(5)] for dy in range(CELL_HEIGHT)]
        if any(rows[dy] != rows[dy + 1] for dy in range(0, CELL_HEIGHT, 2)):
            return ()
        return tuple(sum(dot << (4 - dx) for dx, dot in enumerate(row)) for row in rows[::2])

    def _obey(self, commands: list[int]) -> None:
        left = iter(commands)
        for command in left:
            match command:
                case 0xAE | 0xAF:
                    self.on = command == 0xAF
                case 0xA0 | 0xA1:
                    self._columns_turned = command == 0xA1
                case 0xC0 | 0xC8:
                    self._rows_turned = command == 0xC8
                case _ if command == _COLUMNS:
                    self._window = (next(left), next(left), *self._window[2:])
                    self._at = (self._window[0], self._at[1])
                case _ if command == _PAGES:
                    self._window = (*self._window[:2], next(left), next(left))
                    self._at = (self._at[0], self._window[2])
                case _ if command in _ONE_MORE:
                    self._set(command, next(left))
                case _:
                    pass             # start line, contrast's kin, no operation: nothing that decides what is lit

    def _set(self, command: int, value: int) -> None:
        if command == _MEMORY_MODE:
            self._mode = value & 3
        elif command == _CHARGE_PUMP:
            self._pump = bool(value & 0x04)

    def _store(self, byte: int) -> None:
        column, page = self._at
        self._memory[page * WIDTH + column] = byte
        first, last, first_page, last_page = self._window
        if self._mode != _HORIZONTAL:
            self._at = ((column + 1) % WIDTH, page)
        elif column < last:
            self._at = (column + 1, page)
        else:
            self._at = (first, page + 1 if page < last_page else first_page)
