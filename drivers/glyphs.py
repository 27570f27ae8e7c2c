"""What an HD44780 draws for a code: the character ROM A00 as luma.lcd carries it, and our eight own characters."""

from __future__ import annotations

from functools import cache

import luma.lcd.const
from luma.core.bitmap_font import embedded_fonts

from drivers.charset import DRAWN, drawn_rows


def of_code(code: int) -> tuple[int, ...]:
    """Eight rows of five dots, highest bit left; blank for a code that draws nothing."""
    if code < len(DRAWN):
        return tuple(drawn_rows(list(DRAWN)[code]))
    return _rom().get(code, (0,) * 8)


@cache
def _rom() -> dict[int, tuple[int, ...]]:
    font = embedded_fonts(luma.lcd.const.hd44780.FONTDATA, selected_font="A00")
    # One byte a row, the five dots from its highest bit.
    return {code: tuple(byte >> 3 for byte in rows) for rows, code in font.current.glyph_index.items()}
