"""The panel beside what one would use instead: gpiozero's own Button for keys, luma's canvas and fonts for the clock.

Bounce is what a scope shows of a worn tactile key: up to eight extra edges within 12 ms on the way down and on the way
up (seeded). gpiozero's mock pins ignore `bounce_time`, so its Button is told every edge, as with RPi.GPIO and no
debouncing; ours is told the same edges with the same stamps.
"""

from __future__ import annotations

import threading
import time
from random import Random

from gpiozero import Button
from gpiozero.pins.mock import MockFactory
from luma.core.legacy import text
from luma.core.legacy.font import LCD_FONT, proportional
from luma.core.render import canvas
from luma.led_matrix.device import max7219

from benchmarks.row import Row, per_second, percentile
from drivers.debounce import LOCK_NS, Change, at_start, due_ns, seen
from drivers.led_clock import LedClock
from drivers.panel import Panel
from drivers.pin_map import PinMap
from drivers.recording import RecordingBus
from drivers.seen import Key, KeyPressed, Seen
from engine.inputs import Level
from firmware_py.faces import ClockFace, face

PRESSES = 2000
BOUNCY_PRESSES = 100_000
BUTTON_PRESSES = 10_000
BOUNCE_MS = 12
MAX_EXTRA = 8
MS = 1_000_000
PIN = 17


def rows() -> list[Row]:
    """The panel's rows."""
    latencies = _edge_to_post()
    button = _edge_to_button()
    pressed, wrong = _bouncy()
    button_wrong = _bouncy_button()
    ours, theirs = _frames_per_second(), _luma_frames_per_second()
    return [
        Row("key: edge to Post, median", percentile(latencies, 0.5), "us", "gpiozero Button", percentile(button, 0.5)),
        Row(
            "key: edge to Post, 99 of 100", percentile(latencies, 0.99), "us", "gpiozero Button",
            percentile(button, 0.99), limit=5000, note="Button: in the driving thread",
        ),
        Row(
            f"key: false or lost presses in {pressed:,} bouncy ones", wrong, "presses", "gpiozero Button",
            button_wrong * BOUNCY_PRESSES / BUTTON_PRESSES, limit=0, note="Button scaled from 10,000",
        ),
        Row(
            "clock: face, drawing and encoding", 1e6 / ours, "us", "luma canvas, LCD_FONT", 1e6 / theirs, limit=2000,
            note="4 modules, 64 bytes a frame",
        ),
    ]  # fmt: skip


def _edge_to_post() -> list[float]:
    """Microseconds from driving a mock pin to our Post, one press at a time."""
    arrived = threading.Event()
    times: list[int] = []

    def post(what: Seen, at_ns: int) -> None:  # noqa: ARG001 - a Post has both
        if isinstance(what, KeyPressed):
            times.append(time.perf_counter_ns())
            arrived.set()

    panel = Panel(PinMap(), post, lock_ms=0.2)
    assert panel.mock is not None
    panel.start()
    latencies = []
    for press in range(PRESSES):
        key = list(Key)[press % len(Key)]
        arrived.clear()
        start = time.perf_counter_ns()
        panel.mock.down(key)
        arrived.wait(1)
        latencies.append((times[-1] - start) / 1000)
        panel.mock.up(key)
    panel.stop()
    return latencies


def _edge_to_button() -> list[float]:
    """The same to a callback of gpiozero's Button, which runs in the driving thread."""
    factory = MockFactory()
    button = Button(PIN, pin_factory=factory)
    times: list[int] = []
    button.when_pressed = lambda: times.append(time.perf_counter_ns())
    latencies = []
    for _ in range(PRESSES):
        start = time.perf_counter_ns()
        factory.pin(PIN).drive_low()
        latencies.append((times[-1] - start) / 1000)
        factory.pin(PIN).drive_high()
    button.close()
    return latencies


def _bounces(dice: Random, towards: bool) -> list[tuple[bool, int]]:
    """A contact settling at `towards`: (closed, ns after the first edge)."""
    offsets = sorted(dice.randrange(1, BOUNCE_MS * MS) for _ in range(2 * dice.randrange(MAX_EXTRA // 2 + 1)))
    return [(towards, 0), *((bool(i % 2) == towards, offset) for i, offset in enumerate(offsets))]


def _bouncy() -> tuple[int, int]:
    """Bouncy presses, and how many were lost, invented or doubled."""
    dice = Random(1)
    contact, now, wrong = at_start(False, 0), 0, 0
    for _ in range(BOUNCY_PRESSES):
        heard = []
        for towards in (True, False):
            now += dice.randrange(40 * MS, 200 * MS)
            for closed, offset in _bounces(dice, towards):
                contact, change = seen(contact, closed, now + offset)
                heard.append(change)
            now += BOUNCE_MS * MS
        due = due_ns(contact, LOCK_NS)
        if due is not None:
            contact, change = seen(contact, False, due)
            heard.append(change)
            now = max(now, due)
        wrong += [change for change in heard if change] != [Change.PRESS, Change.RELEASE]
    return BOUNCY_PRESSES, wrong


def _bouncy_button() -> int:
    """How many presses gpiozero's Button counts too many on the same kind of edges."""
    dice = Random(1)
    factory = MockFactory()
    button = Button(PIN, pin_factory=factory)
    pressed: list[None] = []
    button.when_pressed = lambda: pressed.append(None)
    pin = factory.pin(PIN)
    for _ in range(BUTTON_PRESSES):
        for towards in (True, False):
            for closed, _offset in _bounces(dice, towards):
                (pin.drive_low if closed else pin.drive_high)()
    button.close()
    return len(pressed) - BUTTON_PRESSES


def _frames_per_second() -> float:
    """Faces drawn and encoded a second: every frame another time, as in the last seconds of a level."""
    clock = LedClock(RecordingBus, 4, lambda what, at_ns: None)  # noqa: ARG005 - a Post has both
    level = Level(100, 200, number=4)
    faces = [ClockFace(now_ms=0, remaining_ms=ms, running=True, level=level) for ms in range(900_000, 1_100_000, 1000)]

    def some() -> int:
        for one in faces:
            clock.show(face(one, 4), 0.0)
        return len(faces)

    return per_second(some)


def _luma_frames_per_second() -> float:
    """The same number of times with luma's own fonts and canvas, blinds left out."""
    device = max7219(RecordingBus(), cascaded=4, block_orientation=-90)
    times = [f"{s // 60}.{s % 60:02d}" for s in range(900, 1100)]

    def some() -> int:
        for shown in times:
            with canvas(device) as draw:
                text(draw, (1, 0), shown, fill="white", font=proportional(LCD_FONT))
        return len(times)

    return per_second(some)
