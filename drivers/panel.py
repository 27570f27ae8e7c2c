"""The dealer's panel: eight keys with lamps, a rotary knob with push, a buzzer, on gpiozero pins.

One thread owns the panel. The pins' callbacks put an edge into a queue and do nothing else, because lgpio calls them on
the one thread that serves all pins and an exception there would make every key silent until a restart. The panel's
thread takes edges from the queue, lets `PanelReader` say what they mean, posts it, and switches lamps and buzzer.

Four times a second it reads every level itself. A change that no edge had told is a sign that the edges' dispatcher is
dead: reported as `InputDown`, and from then on levels are read a hundred times a second, so that the keys still work.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from gpiozero import DigitalOutputDevice, InputDevice

from drivers import debounce
from drivers.finger import Finger
from drivers.guarded import GuardedThread
from drivers.panel_reader import LINES, STUCK_NS, Line, PanelReader
from drivers.pin_map import PinMap
from drivers.pins import FactoryName, device_errors, dispatcher_alive, explain, open_factory
from drivers.seen import ErrorKind, InputDown, InputUp, Key, Post, Seen

log = logging.getLogger(__name__)

MAX_WAITING = 16_384              # edges and orders in the queue; full: the edge is dropped and all levels are read
SAMPLE_NS = 250_000_000           # own reading of all levels while edges arrive
SAMPLE_DEAF_NS = 10_000_000       # the same once they do not
GRACE_NS = 50_000_000             # an edge may be this late before the reading is believed instead
ALIVE_NS = 2_000_000_000          # without a turn of the panel's thread for this long it is not alive
REOPEN_NS = 5_000_000_000         # between two attempts to get pins that are busy or gone
BLINK_NS = 80_000_000             # a heard key's lamp is inverted for this long
SOURCE = "panel"


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
        self._thread = GuardedThread(self._run, "panel")
        self._factory: Any = open_factory("mock") if factory == "mock" else None
        self.mock = MockPanel(self._factory, pins, self._lock_ns / 1e9) if factory == "mock" else None
        self._open: _Pins | None = None
        self._reader = PanelReader({}, time.monotonic_ns(), self._lock_ns, self._stuck_ns)
        self._asked: frozenset[Key] = frozenset()    # what `light` was given last; the caller's thread owns it
        self._lit: frozenset[Key] = frozenset()      # the same, on the panel's thread
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
        """Exactly these keys' lamps are lit. Called from one thread."""
        lit = frozenset(keys)
        if lit != self._asked:
            self._asked = lit
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

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._thread.failure

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
            except device_errors(self._factory_name) as trouble:
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
        if not self._deaf and not dispatcher_alive(self._factory_name):
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
            levels = {line: bool(device.is_active) for line, device in self._open.inputs.items()}
        except device_errors(self._factory_name) as trouble:
            self._lost(trouble)
            return
        now = time.monotonic_ns()
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
            except device_errors(self._factory_name):
                log.warning("panel: pins could not be given back", exc_info=True)
        if not self._down:
            self._down = True
            kind, hint = explain(trouble)
            log.warning("panel: %s", trouble)
            self._report([(InputDown(SOURCE, kind, hint), time.monotonic_ns())])


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
