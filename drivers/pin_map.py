"""Which pin is what on the panel, by BCM numbers.

Keys and knob close to ground, lamps and buzzer are lit by a high level.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from drivers.panel_reader import KnobLine, Line
from drivers.seen import Key

GPIO_NUMBERS = range(28)  # BCM numbers on the 40-pin header
KEY_PINS = dict(zip(Key, (5, 6, 12, 13, 16, 17, 18, 19), strict=True))
LAMP_PINS = dict(zip(Key, range(20, 28), strict=True))


class PinError(ValueError):
    """Pins that cannot be. `user`: the part whose pin it is, as the text names it."""

    def __init__(self, user: str, text: str) -> None:
        super().__init__(text)
        self.user = user


class PinMap(msgspec.Struct, frozen=True):
    """Which BCM number each part of the panel is wired to. A lamp may be left out; a key may not.

    The default leaves I2C1 (2, 3) and SPI0 (8, 10, 11) to the displays. It needs `dtoverlay=spi0-1cs` for GPIO 7 and
    the serial console off for 14 and 15. Raises PinError, naming both users, when a number is used twice.
    """

    keys: dict[Key, int] = msgspec.field(default_factory=lambda: dict(KEY_PINS))
    lamps: dict[Key, int] = msgspec.field(default_factory=lambda: dict(LAMP_PINS))
    knob_a: int = 4
    knob_b: int = 14
    knob_push: int = 15
    buzzer: int | None = 7
    reserved: dict[str, int] = msgspec.field(
        default_factory=lambda: {
            "I2C1 SDA": 2, "I2C1 SCL": 3, "SPI0 CE0": 8, "SPI0 MOSI": 10, "SPI0 SCLK": 11,
        }
    )  # fmt: skip

    def __post_init__(self) -> None:
        missing = [key.value for key in Key if key not in self.keys]
        if missing:
            text = f"no pin for key {', '.join(missing)}; give each of the eight keys its pin"
            raise PinError(f"key {missing[0]}", text)
        user: dict[int, str] = {}
        for name, number in self._claims():
            if number not in GPIO_NUMBERS:
                text = f"{name} is on GPIO {number}, which does not exist; use 0 to {GPIO_NUMBERS[-1]} (BCM)"
                raise PinError(name, text)
            if number in user:
                text = f"GPIO {number} is used twice: {user[number]} and {name}; give each its own"
                raise PinError(name, text)
            user[number] = name

    def _claims(self) -> Iterable[tuple[str, int]]:
        yield from self.reserved.items()
        yield from ((f"key {key}", number) for key, number in self.keys.items())
        yield from ((f"lamp {key}", number) for key, number in self.lamps.items())
        yield from (("knob a", self.knob_a), ("knob b", self.knob_b), ("knob push", self.knob_push))
        if self.buzzer is not None:
            yield "buzzer", self.buzzer

    def inputs(self) -> dict[Line, int]:
        """Line -> BCM number of everything the dealer touches."""
        pins: dict[Line, int] = {KnobLine.A: self.knob_a, KnobLine.B: self.knob_b, KnobLine.PUSH: self.knob_push}
        return pins | dict[Line, int](self.keys.items())
