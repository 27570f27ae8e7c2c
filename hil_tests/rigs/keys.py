"""Panels with a hand on them: on mock pins, and on a Pi whose keys are pulled down by other pins of the same Pi."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpiozero import OutputDevice

from drivers.finger import Finger
from drivers.panel import Panel
from drivers.panel_reader import KnobLine, Line
from drivers.pin_map import PinMap
from drivers.pins import open_factory
from drivers.seen import Key, Post

LINES: tuple[Line, ...] = (Key.FOLD, Key.DEAL, *KnobLine)  # what the contract touches
LOCK_S = 0.025


class MockKeys:
    """A panel on gpiozero's mock pins."""

    def __init__(self) -> None:
        self._panel: Panel | None = None

    def open(self, post: Post) -> Panel:
        """The panel, not yet started."""
        self._panel = Panel(PinMap(), post)
        return self._panel

    @property
    def finger(self) -> Finger:
        """The hand; after `open`."""
        assert self._panel is not None
        assert self._panel.mock is not None
        return self._panel.mock

    def close(self) -> None:
        """Nothing is left to give back."""


class WiredKeys:
    """A panel on a Pi's own pins, each line joined by a jumper to another pin that plays the contact.

    `wiring`: line -> (its pin, the pin that closes it), BCM numbers. **Raises** ValueError when a line of `LINES` or a
    number is missing, or a pin is used twice.
    """

    def __init__(self, wiring: Mapping[str, Any]) -> None:
        ends: dict[Line, Any] = {line: wiring.get(line) for line in LINES}
        for line, pins in ends.items():
            if not (isinstance(pins, list) and len(pins) == 2 and all(isinstance(pin, int) for pin in pins)):
                raise ValueError(f"[keys] {line}: give two BCM numbers, [the key's pin, the pin wired to it]")
        near = {line: pins[0] for line, pins in ends.items()}
        self._far: dict[Line, int] = {line: pins[1] for line, pins in ends.items()}
        free = iter(pin for pin in range(2, 28) if pin not in {*near.values(), *self._far.values()})
        self._pins = PinMap(
            keys={key: near.get(key) or next(free) for key in Key},
            lamps={},
            knob_a=near[KnobLine.A],
            knob_b=near[KnobLine.B],
            knob_push=near[KnobLine.PUSH],
            buzzer=None,
            reserved={f"far end of {line}": pin for line, pin in self._far.items()},
        )
        self._outputs: dict[Line, OutputDevice] = {}

    def open(self, post: Post) -> Panel:
        """The panel, not yet started; every contact is open."""
        factory = open_factory("lgpio")
        self._outputs = {
            line: OutputDevice(pin, active_high=False, pin_factory=factory) for line, pin in self._far.items()
        }
        return Panel(self._pins, post, "lgpio")

    @property
    def finger(self) -> Finger:
        """The hand; after `open`."""
        return Finger(self._drive, LOCK_S)

    def close(self) -> None:
        """Gives the far ends back."""
        for output in self._outputs.values():
            output.close()

    def _drive(self, line: Line, closed: bool) -> None:
        self._outputs[line].value = closed
