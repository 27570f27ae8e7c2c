"""The LED clock: a chain of MAX7219 modules on SPI, through luma.led_matrix.

A frame is sent when it changes. Every ten seconds the chip's registers and the frame are sent again, and so they are
after any error, because single modules go dark, change their brightness or keep stuck dots after a dip of their supply
(github.com/rm-hull/luma.led_matrix/issues/150; registers: MAX7219 datasheet, tables 2 to 10). No blank and no half
frame is ever sent: the whole picture is built first. A MAX7219 has no reset and no data/command line, so no GPIO is
touched (`gpio=noop()`).

`show` never raises for a device's trouble: it is reported once, tried again every five seconds, and reported when over.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Protocol

import luma.core.error
import luma.led_matrix.const
from luma.core.interface.serial import noop, spi
from luma.led_matrix.device import max7219
from PIL import Image

from drivers.dots import Frame
from drivers.seen import ErrorKind, InputDown, InputUp, Post

Register = luma.led_matrix.const.max7219
REFRESH_S = 10.0
RETRY_S = 5.0
SPI_HZ = 1_000_000  # the datasheet allows 10 MHz; a metre of ribbon between a Pi's 3.3 V and 5 V modules does not
SOURCE = "led_clock"
DeviceErrors = (OSError, luma.core.error.Error)


class Bus(Protocol):
    """What carries transfers to the chain; luma's `spi` and `RecordingBus` are such."""

    def data(self, data: list[int]) -> None:
        """One transfer, chip select low from its first to its last byte."""

    def cleanup(self) -> None:
        """Gives the bus back."""


def spi_bus(port: int = 0, device: int = 0) -> Bus:
    """`/dev/spidev<port>.<device>` for the chain. Raises OSError, also without spidev, or luma.core.error.Error."""
    try:
        return spi(port=port, device=device, bus_speed_hz=SPI_HZ, gpio=noop())  # type: ignore[no-any-return]
    except ModuleNotFoundError as missing:
        raise OSError(f"the package {missing.name} is missing; it is in requirements/pi.txt") from missing


class LedClock:
    """A chain of `modules` modules, the leftmost nearest to the Pi. Not thread-safe: one thread shows.

    `open_bus` is called at the first picture and after an error. `orientation`: degrees by which the modules are turned
    on their boards (-90: the common four-in-one boards). `brightness`: 0 to 15, the chip's own scale.
    """

    def __init__(
        self,
        open_bus: Callable[[], Bus],
        modules: int,
        post: Post,
        *,
        orientation: int = -90,
        brightness: int = 4,
    ) -> None:
        if not 1 <= modules <= 16:
            raise ValueError(f"{modules} modules; a chain has 1 to 16")
        if not 0 <= brightness <= 15:
            raise ValueError(f"brightness {brightness}; use 0 to 15")
        if orientation not in {0, 90, -90, 180}:
            raise ValueError(f"orientation {orientation}; use 0, 90, -90 or 180")
        self._open_bus = open_bus
        self._modules = modules
        self._post = post
        self._brightness = brightness
        self._wire = _Wire()
        self._chip = max7219(serial_interface=self._wire, cascaded=modules, block_orientation=orientation)
        self._shown: Frame | None = None
        self._sent_s = 0.0
        self._retry_s = 0.0
        self._down = False

    def show(self, frame: Frame, now_s: float) -> None:
        """Shows `frame` if it is new or due again at `now_s` (monotonic). Raises ValueError if its width is another."""
        if frame.width != 8 * self._modules:
            raise ValueError(f"a frame {frame.width} dots wide for {self._modules} modules")
        if self._wire.bus is None and now_s < self._retry_s:
            return
        due = self._shown is None or now_s - self._sent_s >= REFRESH_S
        if frame == self._shown and not due:
            return
        try:
            self._send(frame, due)
        except DeviceErrors as trouble:
            self._lost(trouble, now_s)
            return
        self._shown = frame
        if due:
            self._sent_s = now_s
        if self._down:
            self._down = False
            self._post(InputUp(SOURCE), time.monotonic_ns())

    def close(self) -> None:
        """Darkens the chain and gives the bus back."""
        if self._wire.bus is not None:
            try:
                self._register(Register.SHUTDOWN, 0)
            except DeviceErrors as trouble:
                self._lost(trouble, 0.0)
            self._drop()

    def _send(self, frame: Frame, with_registers: bool) -> None:
        if self._wire.bus is None:
            self._wire.bus = self._open_bus()
        if with_registers:
            self._register(Register.SCANLIMIT, 7)
            self._register(Register.DECODEMODE, 0)
            self._register(Register.DISPLAYTEST, 0)
            self._register(Register.INTENSITY, self._brightness)
        self._chip.display(image_of(frame))
        if with_registers:
            self._register(Register.SHUTDOWN, 1)  # last: after power-on the chain is dark until the picture is there

    def _register(self, register: int, value: int) -> None:
        self._wire.data([register, value] * self._modules)

    def _lost(self, trouble: Exception, now_s: float) -> None:
        self._drop()
        self._retry_s = now_s + RETRY_S
        if not self._down:
            self._down = True
            hint = f"the clock's display does not answer ({trouble}): is SPI on, and its cable in?"
            self._post(InputDown(SOURCE, kind_of(trouble), hint), time.monotonic_ns())

    def _drop(self) -> None:
        bus, self._wire.bus, self._shown = self._wire.bus, None, None
        if bus is not None:
            with contextlib.suppress(*DeviceErrors):         # a bus that is gone may not be given back either
                bus.cleanup()


class _Wire:
    """What luma's device is built on, once: passes transfers on to the bus that is open now, or to nowhere.

    luma sends a blank picture when a device is made and registers each device for the end of the process; one device on
    a wire whose bus can be changed avoids both for every reopening.
    """

    def __init__(self) -> None:
        self.bus: Bus | None = None

    def data(self, data: list[int]) -> None:
        if self.bus is not None:
            self.bus.data(data)

    def cleanup(self) -> None:
        if self.bus is not None:
            self.bus.cleanup()


def image_of(frame: Frame) -> Image.Image:
    """The frame as a picture of one bit a dot."""
    packed = b"".join(row.to_bytes(frame.width // 8, "big") for row in frame.rows)
    return Image.frombytes("1", (frame.width, len(frame.rows)), packed)


def kind_of(trouble: Exception) -> ErrorKind:
    """The kind of a display's trouble."""
    if isinstance(trouble, PermissionError | luma.core.error.DevicePermissionError):
        return ErrorKind.DENIED
    return ErrorKind.GONE
