"""The rig on a bench Raspberry Pi (or any machine with two serial ports): real UARTs, cross-wired, no hand needed.

For each kind of device two ports of the machine are joined by a null-modem cable (TX to RX, RX to TX, ground). The
driver opens one, a simulator plays on the other; what is proved is the driver on a real tty: speed, driver of the
kernel, buffering. The map says which:

    [shoe]
    port = "/dev/serial/by-id/usb-FTDI_FT232R_A-if00-port0"       # the driver's end
    far_end = "/dev/serial/by-id/usb-FTDI_FT232R_B-if00-port0"    # the simulator's end

    [badge]
    port = "/dev/ttyAMA0"
    far_end = "/dev/serial/by-id/usb-FTDI_FT232R_C-if00-port0"

For the keys, five lines of the panel are joined by jumpers to free pins of the same Pi, which play the contacts; each
is given as [the line's pin, the pin wired to it], in BCM numbers:

    [keys]
    fold = [5, 20]
    deal = [16, 21]
    knob_a = [4, 22]
    knob_b = [14, 23]
    knob_push = [15, 24]

A kind that the map leaves out is not on the rig. Nobody can pull these cables, so what needs `unplug` is left out too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import serial

from hil_tests.rigs.keys import WiredKeys
from hil_tests.rigs.played import BADGES, SHOES, PlayedBadge, PlayedShoe

KINDS = frozenset({"shoe", "badge"})


class WiredEnd:
    """The far end of a null-modem cable: a second serial port of this machine."""

    def __init__(self, path: str, baud: int) -> None:
        self._port = serial.Serial(port=None, baudrate=baud, timeout=0, exclusive=True)
        self._port.port = path

    @property
    def plugged(self) -> bool:
        """Is the port open?"""
        return self._port.is_open

    def plug(self) -> None:
        """Open the port; what it received before is void."""
        if not self._port.is_open:
            self._port.open()
            self._port.reset_input_buffer()

    def unplug(self) -> None:
        """Close the port: the cable itself stays where it is."""
        self._port.close()

    def fileno(self) -> int:
        """For poll(2)."""
        return self._port.fileno()

    def read(self) -> bytes:
        """What has come so far."""
        return self._port.read(4096) if self._port.is_open else b""

    def write(self, data: bytes) -> None:
        """Send at the UART's own pace."""
        if self._port.is_open:
            self._port.write(data)
            self._port.flush()


class PiRig:
    """Real serial ports, as the map names them."""

    shoes = frozenset(SHOES)
    badges = frozenset(BADGES)
    clocks: frozenset[str] = frozenset()             # nothing on the bench reads lights
    prompts: frozenset[str] = frozenset()

    def __init__(self, rig_map: Path | None) -> None:
        """**Raises** ValueError if there is no map, or one that names a kind without both of its ends."""
        if rig_map is None:
            raise ValueError("the rig `pi` needs --rig-map FILE: see hil_tests/README.md")
        wiring: dict[str, Any] = tomllib.loads(rig_map.read_text(encoding="utf-8"))
        self._keys = WiredKeys(wiring.pop("keys")) if "keys" in wiring else None
        for kind, ends in wiring.items():
            if kind not in KINDS or not isinstance(ends, dict) or set(ends) != {"port", "far_end"}:
                raise ValueError(f"{rig_map}: [{kind}] must be one of shoe, badge, keys; a line has port and far_end")
        self._wiring: dict[str, dict[str, str]] = wiring
        self.has = frozenset(wiring) | ({"keys"} if self._keys else frozenset())

    @contextmanager
    def shoe(self, folder: Path, protocol: str) -> Iterator[PlayedShoe]:
        """A simulated shoe on a real UART."""
        wired, kind = self._wiring["shoe"], SHOES[protocol]
        with PlayedShoe(kind, WiredEnd(wired["far_end"], kind.line.baud), wired["port"]) as stand:
            yield stand

    @contextmanager
    def badge(self, folder: Path, protocol: str) -> Iterator[PlayedBadge]:
        """A simulated reader on a real UART."""
        wired, kind = self._wiring["badge"], BADGES[protocol]
        with PlayedBadge(kind, WiredEnd(wired["far_end"], kind.line.baud), wired["port"]) as stand:
            yield stand

    @contextmanager
    def keys(self) -> Iterator[WiredKeys]:
        """A panel on the Pi's own pins."""
        assert self._keys is not None
        try:
            yield self._keys
        finally:
            self._keys.close()
