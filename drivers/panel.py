"""The dealer's panel: eight keys with lamps, a rotary knob with push, a buzzer, on gpiozero pins.

One thread owns the panel. The pins' callbacks put an edge into a queue and do nothing else, because lgpio calls them on
the one thread that serves all pins and an exception there would make every key silent until a restart. The panel's
thread takes edges from the queue, lets `PanelReader` say what they mean, posts it, and switches lamps and buzzer.

Four times a second it reads every level itself. A change that no edge had told is a sign that the edges' dispatcher is
dead: reported as `InputDown`, and from then on levels are read a hundred times a second, so that the keys still work.

Pins are BCM numbers; keys and knob close to ground against the chip's own pull-up, lamps and buzzer are lit by a high
level. Which library drives them is chosen by name, never guessed: `lgpio` on a Raspberry Pi, `mock` where there are no
pins, `rpigpio` only by wish and only where RPi.GPIO works.
"""

from __future__ import annotations

import logging
import os
import queue
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from gpiozero import DigitalOutputDevice, InputDevice
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory

from drivers import debounce
from drivers.finger import Finger
from drivers.panel_reader import LINES, STUCK_NS, KnobLine, Line, PanelReader
from drivers.seen import ErrorKind, InputDown, InputUp, Key, Post, Seen

log = logging.getLogger(__name__)

FactoryName = Literal["mock", "lgpio", "rpigpio"]
GPIO_NUMBERS = range(28)          # BCM numbers on the 40-pin header
MAX_WAITING = 16_384              # edges and orders in the queue; full: the edge is dropped and all levels are read
SAMPLE_NS = 250_000_000           # own reading of all levels while edges arrive
SAMPLE_DEAF_NS = 10_000_000       # the same once they do not
GRACE_NS = 50_000_000             # an edge may be this late before the reading is believed instead
ALIVE_NS = 2_000_000_000          # without a turn of the panel's thread for this long it is not alive
REOPEN_NS = 5_000_000_000         # between two attempts to get pins that are busy or gone
BLINK_NS = 80_000_000             # a heard key's lamp is inverted for this long
SOURCE = "panel"


class PinMap(msgspec.Struct, frozen=True):
    """Which BCM number each part of the panel is wired to. A lamp may be left out; a key may not.

    The default leaves I2C1 (2, 3) and SPI0 (8, 10, 11) to the displays. It needs `dtoverlay=spi0-1cs` for GPIO 7 and
    the serial console off for 14 and 15. Raises ValueError, naming both users, when a number is used twice.
    """

    keys: dict[Key, int] = msgspec.field(
        default_factory=lambda: dict(zip(Key, (5, 6, 12, 13, 16, 17, 18, 19), strict=True))
    )
    lamps: dict[Key, int] = msgspec.field(default_factory=lambda: dict(zip(Key, range(20, 28), strict=True)))
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
            raise ValueError(f"no pin for key {', '.join(missing)}; give each of the eight keys its pin")
        user: dict[int, str] = {}
        for name, number in self._claims():
            if number not in GPIO_NUMBERS:
                raise ValueError(f"{name} is on GPIO {number}, which does not exist; use 0 to {GPIO_NUMBERS[-1]} (BCM)")
            if number in user:
                raise ValueError(f"GPIO {number} is used twice: {user[number]} and {name}; give each its own")
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


class PanelRefused(Exception):  # noqa: N818 - a refusal, as everywhere in the project
    """The pins' library asked for cannot be used here; the text says why and what to choose. A matter of setting up."""


def why_not_rpigpio(model: str, kernel: str, installed: Iterable[str]) -> str | None:
    """Why RPi.GPIO cannot be used on a Pi of this `model` and `kernel` release beside these packages; None if it can.

    github.com/gpiozero/gpiozero/issues/1172 (Pi 5), raspberrypi/linux/issues/6037 (kernel 6.6).
    """
    use = 'choose factory = "lgpio"'
    packages = {name.lower().replace("_", "-") for name in installed}
    if "rpi-lgpio" in packages:
        return f"rpi-lgpio is installed and takes the place of RPi.GPIO; {use}, or uninstall both and install RPi.GPIO"
    if "Raspberry Pi 5" in model or "Compute Module 5" in model:
        return f"RPi.GPIO does not know the GPIO chip of a {model.strip()}; {use}"
    version = re.match(r"(\d+)\.(\d+)", kernel)
    if version is None or (int(version[1]), int(version[2])) >= (6, 6):
        return f"RPi.GPIO detects no edges on kernel {kernel} (6.6 and later); {use}"
    return None


def open_factory(name: FactoryName, run_dir: str | None = None) -> Any:
    """A gpiozero pin factory. `run_dir`: where lgpio puts its pipe (systemd's RuntimeDirectory; None: a temporary one).

    Importing lgpio creates a pipe in the working directory, and dies where it may not (joan2937/lg/issues/22). The
    variable LG_WD names another place for it, but makes the import change the working directory; it is changed back.
    **Raises** PanelRefused (wrong choice), OSError or lgpio.error (no chip, no permission).
    """
    if name == "mock":
        return MockFactory()
    if name == "rpigpio":
        return _rpigpio_factory()
    try:
        home = Path.cwd()
        directory = Path(run_dir or tempfile.gettempdir())
        directory.mkdir(parents=True, exist_ok=True)
        os.environ["LG_WD"] = str(directory)
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        finally:
            os.chdir(home)
    except ModuleNotFoundError as trouble:
        raise PanelRefused(f"{trouble.name} is not installed; install bottone[pi]") from None
    return LGPIOFactory()


def _rpigpio_factory() -> Any:
    from importlib.metadata import distributions

    tree = Path("/proc/device-tree/model")
    model = tree.read_text(errors="replace").rstrip("\0") if tree.exists() else ""
    reason = why_not_rpigpio(model, os.uname().release, (d.metadata["Name"] for d in distributions()))
    if reason:
        raise PanelRefused(reason)
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory
    except (ModuleNotFoundError, RuntimeError) as trouble:
        raise PanelRefused(f'RPi.GPIO cannot be used here: {trouble}; choose factory = "lgpio"') from None
    return RPiGPIOFactory()


class _Edge(NamedTuple):
    line: Line
    closed: bool
    at_ns: int


class _Order(NamedTuple):
    """Something to do on the panel's thread."""

    do: Callable[[], None]


class _Pins(NamedTuple):
    """The open pins. Callbacks are kept here because gpiozero holds them weakly."""

    inputs: dict[Line, Any]
    callbacks: list[Callable[[float, int], None]]
    lamps: dict[Key, Any]
    buzzer: Any

    def close(self) -> None:
        for device in (*self.inputs.values(), *self.lamps.values(), self.buzzer):
            if device is not None:
                device.close()


class Panel:
    """The panel of one table. Reports through `post` on its own thread; `light`, `blink` and `buzz` never block.

    Posts `KeyPressed` at the first edge and `KeyReleased` when the key has stayed up for `lock_ms`; one `KnobTurned` of
    one step a detent; `KnobPushed` when the knob is let go without a turn; `InputDown`, `InputUp` with source `panel`
    (no pins, or edges do not arrive) or `panel <key>` (stuck). An exception out of `post` is logged and kills nothing.
    **Raises** PanelRefused when `factory` cannot be used here; pins that are busy or gone are reported and tried again.
    """

    def __init__(
        self,
        pins: PinMap,
        post: Post,
        factory: FactoryName = "mock",
        *,
        lock_ms: float = debounce.LOCK_NS / 1e6,
        stuck_s: float = STUCK_NS / 1e9,
        run_dir: str | None = None,
    ) -> None:
        self._pins = pins
        self._post = post
        self._factory_name = factory
        self._lock_ns = int(lock_ms * 1e6)
        self._stuck_ns = int(stuck_s * 1e9)
        self._run_dir = run_dir
        self._queue: queue.SimpleQueue[_Edge | _Order | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._factory: Any = open_factory("mock") if factory == "mock" else None
        self.mock = MockPanel(self._factory, pins, self._lock_ns / 1e9) if factory == "mock" else None
        self._open: _Pins | None = None
        self._reader = PanelReader({}, time.monotonic_ns(), self._lock_ns, self._stuck_ns)
        self._lit: frozenset[Key] = frozenset()      # what was asked for
        self._burning: frozenset[Key] = frozenset()  # what the lamps show
        self._blink_until: dict[Key, int] = {}
        self._buzz_until = 0
        self._differs: dict[Line, int] = {}  # line -> since when its level is not what edges have told
        self._deaf = False
        self._down = False
        self._overflow = False
        self._next_sample = 0
        self._next_open = 0
        self._turned_ns = time.monotonic_ns()

    # --- for everybody

    def start(self) -> None:
        """Opens the pins and begins to report. Raises PanelRefused."""
        self._try_open()
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread and gives the pins back."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join(timeout=5)
        if self._open:
            self._open.close()
            self._open = None

    def light(self, keys: Iterable[Key]) -> None:
        """Exactly these keys' lamps are lit."""
        lit = frozenset(keys)
        self._queue.put(_Order(lambda: self._light(lit)))

    def blink(self, key: Key) -> None:
        """The lamp of `key` blinks once: the press was heard."""
        self._queue.put(_Order(lambda: self._blink_until.update({key: time.monotonic_ns() + BLINK_NS})))

    def buzz(self, ms: int) -> None:
        """The buzzer sounds for `ms` from now; a longer sound that is on is not cut."""
        self._queue.put(_Order(lambda: self._buzz(time.monotonic_ns() + ms * 1_000_000)))

    def alive(self) -> bool:
        """Whether a restart would not help: the thread turns and edges are delivered. For the watchdog.

        Pins that are gone are no reason: they are reported and tried again.
        """
        turning = self._thread.is_alive() and time.monotonic_ns() - self._turned_ns < ALIVE_NS
        return turning and not self._deaf

    # --- the panel's thread

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=self._wait_s())
            except queue.Empty:
                item = _Order(lambda: None)
            if item is None:
                return
            self._turned_ns = time.monotonic_ns()
            try:
                if isinstance(item, _Edge):
                    self._heard(item)
                else:
                    item.do()
                self._tend(self._turned_ns)
            except _device_errors(self._factory_name) as trouble:
                self._lost(trouble)

    def _wait_s(self) -> float:
        now = time.monotonic_ns()
        if self._open is None:
            return max(0, self._next_open - now) / 1e9
        times = [self._next_sample, *self._blink_until.values()]
        if self._buzz_until:
            times.append(self._buzz_until)
        if (due := self._reader.due_ns()) is not None:
            times.append(due)
        return max(0, min(times) - now) / 1e9

    def _heard(self, edge: _Edge) -> None:
        self._differs.pop(edge.line, None)
        if self._deaf:
            self._deaf = False
            self._report([(InputUp(SOURCE), edge.at_ns)])
        self._report(self._reader.seen(edge.line, edge.closed, edge.at_ns))

    def _tend(self, now: int) -> None:
        """What time brings: re-readings, stuck keys, lamps going back, the buzzer's end, pins to be opened again."""
        if self._open is None:
            if now >= self._next_open:
                self._try_open()
            return
        if self._queue.empty():
            for line in self._reader.due(now):
                self._reread(line)
        self._report(self._reader.stuck(now))
        if (now >= self._next_sample or self._overflow) and self._queue.empty():
            self._sample()
        for key in [key for key, until in self._blink_until.items() if until <= now]:
            del self._blink_until[key]
        self._show_lamps()
        if self._buzz_until and self._buzz_until <= now:
            self._buzz_until = 0
            self._sound(on=False)

    def _reread(self, line: Line) -> None:
        assert self._open is not None
        at_ns = time.monotonic_ns()  # before the reading, so that a later edge is younger than it
        self._report(self._reader.read(line, bool(self._open.inputs[line].is_active), at_ns))

    def _sample(self) -> None:
        """Compares every level with what the edges told; believes the level when no edge came to explain it."""
        assert self._open is not None
        overflow, self._overflow = self._overflow, False
        for line in LINES:
            at_ns = time.monotonic_ns()
            if bool(self._open.inputs[line].is_active) == self._reader.level(line):
                self._differs.pop(line, None)
            elif overflow or self._deaf:
                self._reread(line)
            elif at_ns - self._differs.setdefault(line, at_ns) >= GRACE_NS:
                del self._differs[line]
                self._gone_deaf(at_ns)
                self._reread(line)
        if not self._deaf and not _dispatcher_alive(self._factory_name):
            self._gone_deaf(time.monotonic_ns())
        period_ns = SAMPLE_DEAF_NS if self._deaf else GRACE_NS if self._differs else SAMPLE_NS
        self._next_sample = time.monotonic_ns() + period_ns

    def _gone_deaf(self, at_ns: int) -> None:
        self._deaf = True
        hint = "keys answer slowly: hold each a little longer, and restart the unit in the next break"
        self._report([(InputDown(SOURCE, ErrorKind.SILENT, hint), at_ns)])

    def _report(self, sightings: Iterable[tuple[Seen, int]]) -> None:
        for what, at_ns in sightings:
            try:
                self._post(what, at_ns)
            except Exception:
                # The receiver's mistake must not make the keys silent; it is the receiver's to stop the unit.
                log.exception("panel: %s could not be posted", what)

    # --- outputs

    def _light(self, lit: frozenset[Key]) -> None:
        self._lit = lit

    def _show_lamps(self) -> None:
        assert self._open is not None
        wanted = self._lit ^ self._blink_until.keys()
        for key in wanted ^ self._burning:
            if key in self._open.lamps:
                self._open.lamps[key].value = key in wanted
        self._burning = wanted

    def _buzz(self, until: int) -> None:
        self._buzz_until = max(self._buzz_until, until)
        self._sound(on=True)

    def _sound(self, *, on: bool) -> None:
        if self._open is not None and self._open.buzzer is not None:
            self._open.buzzer.value = on

    # --- opening and losing the pins

    def _try_open(self) -> None:
        try:
            if self._factory is None:
                self._factory = open_factory(self._factory_name, self._run_dir)
            self._open = self._open_pins(self._factory)
        except _device_errors(self._factory_name) as trouble:
            self._lost(trouble)
            return
        now = time.monotonic_ns()
        levels = {line: bool(device.is_active) for line, device in self._open.inputs.items()}
        self._reader = PanelReader(levels, now, self._lock_ns, self._stuck_ns)
        self._burning = frozenset()
        self._next_sample = now + SAMPLE_NS
        if self._down:
            self._down = False
            self._report([(InputUp(SOURCE), now)])

    def _open_pins(self, factory: Any) -> _Pins:
        opened = _Pins({}, [], {}, None)
        try:
            for line, number in self._pins.inputs().items():
                opened.inputs[line] = InputDevice(number, pull_up=True, pin_factory=factory)
            for key, number in self._pins.lamps.items():
                opened.lamps[key] = DigitalOutputDevice(number, pin_factory=factory)
            if self._pins.buzzer is not None:
                opened = opened._replace(buzzer=DigitalOutputDevice(self._pins.buzzer, pin_factory=factory))
            for line, device in opened.inputs.items():
                callback = partial(self._edge, line)
                opened.callbacks.append(callback)
                device.pin.bounce = None
                device.pin.edges = "both"
                device.pin.when_changed = callback
        except BaseException:
            opened.close()
            raise
        return opened

    def _edge(self, line: Line, ticks: float, state: int) -> None:
        """A pin's callback, on the back end's thread. The local back ends stamp in seconds of the monotonic clock."""
        if self._queue.qsize() < MAX_WAITING:
            self._queue.put(_Edge(line, not state, int(ticks * 1e9)))
        else:
            self._overflow = True

    def _lost(self, trouble: BaseException) -> None:
        self._next_open = time.monotonic_ns() + REOPEN_NS
        if self._open is not None:
            opened, self._open = self._open, None
            try:
                opened.close()
            except _device_errors(self._factory_name):
                log.warning("panel: pins could not be given back", exc_info=True)
        if not self._down:
            self._down = True
            kind, hint = _explain(trouble)
            log.warning("panel: %s", trouble)
            self._report([(InputDown(SOURCE, kind, hint), time.monotonic_ns())])


def _device_errors(factory: FactoryName) -> tuple[type[BaseException], ...]:
    """What a pin's library raises when the device, not the program, is at fault."""
    errors: tuple[type[BaseException], ...] = (OSError, GPIOZeroError)
    if factory == "rpigpio":
        errors += (RuntimeError,)
    if lgpio := sys.modules.get("lgpio"):
        errors += (lgpio.error,)
    return errors


def _dispatcher_alive(factory: FactoryName) -> bool:
    """Whether edges can arrive: lgpio serves all pins with one thread, which an exception would end for good."""
    if factory != "lgpio":
        return True
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is None or thread.is_alive()


def _explain(trouble: BaseException) -> tuple[ErrorKind, str]:
    """The kind of a pin trouble, and what the person at the table does about it."""
    text = str(trouble)
    if "busy" in text.lower() or "in use" in text:
        return ErrorKind.BUSY, "another program holds the keys' pins: stop it, or restart the unit"
    if isinstance(trouble, PermissionError) or "permission" in text.lower() or "can not open gpiochip" in text:
        return ErrorKind.DENIED, "the keys' chip cannot be opened: is /dev/gpiochip0 there, and the user in group gpio?"
    return ErrorKind.GONE, f"the keys do not answer ({text}): check the panel's cable, then restart the unit"


class MockPanel(Finger):
    """A finger on the real mock pins: what it does travels through gpiozero, the queue and the debouncer."""

    def __init__(self, factory: Any, pins: PinMap, lock_s: float) -> None:
        super().__init__(self._on_pin, lock_s)
        self._factory = factory
        self._pins = pins
        self._inputs = pins.inputs()

    def lit(self) -> frozenset[Key]:
        """The keys whose lamps are lit now."""
        return frozenset(key for key, number in self._pins.lamps.items() if self._factory.pin(number).state)

    def buzzing(self) -> bool:
        """Whether the buzzer sounds now."""
        return self._pins.buzzer is not None and bool(self._factory.pin(self._pins.buzzer).state)

    def _on_pin(self, line: Line, closed: bool) -> None:
        pin = self._factory.pin(self._inputs[line])
        pin.drive_low() if closed else pin.drive_high()
