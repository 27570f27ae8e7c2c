"""A chain of MAX7219 modules at the far end of the wire: takes the real bytes, knows what would be lit.

Each chip shifts sixteen bits through to the next; when chip select rises, every chip obeys the pair it holds, so the
first pair of a transfer is for the chip farthest from the Pi (MAX7219 datasheet, "Daisy-Chaining"). The model keeps the
chips' registers and misbehaves on request: `brown_out` puts one chip back to its state after power-on, dark.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.dots import ROWS, Frame

NO_OP, DIGIT_0, DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x0, 0x1, 0x9, 0xA, 0xB, 0xC, 0xF


@dataclass
class _Chip:
    digits: list[int] = field(default_factory=lambda: [0] * 8)
    intensity: int = 0
    scan_limit: int = 0
    normal: bool = False     # after power-on the chip is shut down
    test: bool = False

    def obey(self, register: int, value: int) -> None:
        if DIGIT_0 <= register < DIGIT_0 + 8:
            self.digits[register - DIGIT_0] = value
        elif register == INTENSITY:
            self.intensity = value & 0xF
        elif register == SCAN_LIMIT:
            self.scan_limit = value & 7
        elif register == SHUTDOWN:
            self.normal = bool(value & 1)
        elif register == TEST:
            self.test = bool(value & 1)
        elif register == DECODE and value:
            raise ValueError("the chain decodes digits as BCD: its driver asked for a seven-segment display")

    def lit(self, digit: int, bit: int) -> bool:
        if self.test:
            return True
        return self.normal and digit <= self.scan_limit and bool(self.digits[digit] >> bit & 1)


class Max7219Sim:
    """A bus with `modules` modules at its end, the leftmost nearest; `orientation` as the driver was told."""

    def __init__(self, modules: int, orientation: int = -90) -> None:
        self._chips = [_Chip() for _ in range(modules)]
        self._orientation = orientation

    def data(self, data: list[int]) -> None:
        """One transfer. Raises ValueError when it is not two bytes for each chip."""
        if len(data) != 2 * len(self._chips):
            raise ValueError(f"a transfer of {len(data)} bytes for {len(self._chips)} chips")
        for chip, at in zip(reversed(self._chips), range(0, len(data), 2), strict=True):
            chip.obey(data[at] & 0xF, data[at + 1])

    def cleanup(self) -> None:
        """The bus is given back; the chips go on showing what they have."""

    def brown_out(self, module: int) -> None:
        """The supply of one module dips: its chip restarts, dark, as after power-on."""
        self._chips[module] = _Chip()

    def intensities(self) -> list[int]:
        """Each module's brightness, 0 to 15."""
        return [chip.intensity for chip in self._chips]

    def frame(self) -> Frame:
        """What is lit."""
        columns = 8 * len(self._chips)
        rows = [
            sum(self._dot(self._chips[x // 8], x % 8, y) << (columns - 1 - x) for x in range(columns))
            for y in range(ROWS)
        ]
        return Frame(columns, tuple(rows))

    def _dot(self, chip: _Chip, x: int, y: int) -> bool:
        """The dot `x`, `y` of a module, whose chip is turned by `orientation` against the picture."""
        match self._orientation:
            case 0:
                return chip.lit(x, y)
            case -90:
                return chip.lit(7 - y, x)
            case 90:
                return chip.lit(y, 7 - x)
            case _:
                return chip.lit(7 - x, 7 - y)
