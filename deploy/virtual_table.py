"""A virtual table: the real `bottone table` process, with everything that is plugged into it played by simulators.

The process runs with mock pins, which a Unix socket lets somebody press; shoe and badge reader are simulators on ptys
that speak the real bytes; the displays record what a wire would carry. Whoever uses it stands where the dealer stands:
`press`, `turn`, `push`, `draw`, `tap`, and `glance` for what can be seen. Each of these returns when the table has
answered, that is when the deed is on disk and shown; a table that does not answer raises `TableSilent`.

`kill9` and `restart` are for tests: the cables stay where they are, the process goes and comes.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from deploy.children import END_TIMEOUT_S, bottone, end, kill, spawn, tail
from drivers import deck_registry, simulators
from drivers.osp1 import ahead
from drivers.osp1_sim import Osp1Device
from drivers.recording import Recorded, read_record
from drivers.seen import Key
from drivers.shoe_sim import ShoeDevice
from engine.view import Legal, TableView
from firmware_py.amounts import detents

START_TIMEOUT_S = 20.0
ANSWER_TIMEOUT_S = 10.0
TURN_S = 0.1                     # of a wait that is counted in turns, so that a machine that stood still has not waited
DIAL_ROUNDS = 400                # turns of the knob for one amount
PUSHED_FROM = 20_000             # smallest chips to go, from which the knob is turned pushed in
MAX_SOCKET_PATH = 100            # a Unix socket's name has 108 bytes (unix(7))


class Glance(msgspec.Struct, frozen=True):
    """What people at the table can see. `heard`, `badges`, `shoe`, `entries`: how far the table has come.

    `amount`: open on the panel, None if none is; `selected`: the seat under the knob, 0 if none; `shoe`: power-up and
    number of the shoe's last event that is on disk; `entries`: deeds in the journal.
    """

    heard: int
    prompt: tuple[str, ...]
    lamps: tuple[Key, ...]
    face: str
    amount: int | None
    selected: int
    mode: str
    clock_rev: int
    hub: bool
    outbox: int
    view: TableView
    legal: Legal | None
    floor: str
    entries: int
    badges: int
    shoe: tuple[str, int] | None


class TableSilent(Exception):  # noqa: N818 - it is what the table is
    """The table's process did not answer in time, or ended. The text says what was waited for and its last words."""


class TableFile(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in a virtual table's configuration.

    `shoe`, `badge`: protocols of `drivers.simulators`, "" for none; `more`: further keys by section, for example
    {"hub": {...}}.
    """

    unit: str = "table-1"
    site: str = "virtual"
    book: str = "tda"
    language: str = "en"
    size: int = 10
    chip: int = 1
    shoe: str = "osp1"
    badge: str = "rdm6300"
    displays: bool = True
    modules: int = 8
    clock_file: Path | None = None
    more: Mapping[str, Mapping[str, Any]] = {}


class VirtualTable:
    """One virtual table in `folder`, which it may fill and which outlives it. For one thread, or under a lock."""

    def __init__(self, folder: Path, file: TableFile | None = None) -> None:
        self.folder = folder
        self.file = file or TableFile()
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "table.log"
        self.config = folder / "table.toml"
        self.data_dir = folder / "data"
        self.journal = self.data_dir / "journal.sqlite"
        deep = len(str(folder)) > MAX_SOCKET_PATH - 16
        self._short = tempfile.TemporaryDirectory(prefix="bottone-", ignore_cleanup_errors=True) if deep else None
        self.socket = Path(self._short.name if self._short else folder) / "panel.sock"
        self._wire()
        self._process: subprocess.Popen[bytes] | None = None
        self._client: _Client | None = None

    # --- life

    def start(self) -> Self:
        """Plugs everything in, starts the process and waits until it shows itself. Raises TableSilent."""
        self._plug_in()
        self._start_process()
        return self

    def stop(self) -> int:
        """Asks the process to end, unplugs everything; its exit status."""
        status = self._unplug()
        if self._short is not None:
            self._short.cleanup()
        return status

    def kill9(self) -> None:
        """The process dies between two instructions; the devices stay."""
        if self._process is not None:
            kill(self._process)
        self._hang_up()

    def restart(self) -> None:
        """Starts a process again after `kill9` or after it ended. Raises TableSilent."""
        self._start_process()

    def refit(self, shoe: str, badge: str) -> None:
        """Other devices are plugged in: the process ends, finds them in its file and starts again. Raises TableSilent.

        What was held by the old shoe is gone with it.
        """
        self._unplug()
        self.file = msgspec.structs.replace(self.file, shoe=shoe, badge=badge)
        self._wire()
        self._plug_in()
        self._start_process()

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process, for those who measure it."""
        assert self._process is not None, "the table was not started"
        return self._process.pid

    # --- what a dealer does

    def press(self, key: Key, *, bounces: int = 0) -> Glance:
        """Presses a key, whose contact bounces so often each way; what the table shows after it."""
        return self._input({"press": key.value, "bounces": bounces}, 1)

    def turn(self, steps: int, *, pushed: bool = False) -> Glance:
        """Turns the knob by so many detents."""
        return self._input({"turn": steps, "pushed": pushed}, abs(steps))

    def push(self) -> Glance:
        """Pushes the knob."""
        return self._input({"push": True}, 1)

    def shuffle(self, cards: Sequence[str] = ()) -> Glance:
        """A shuffled deck goes into the shoe; the table shuffles by it if it may, and if the shoe tells it."""
        if self.shoe is None or not self.shoe.device.tells_deck:
            if self.shoe is not None:
                self.shoe.load(cards)
            return self.glance()
        return self.wait(self.to_shoe(lambda shoe: shoe.load(cards)), "a deck")

    def draw(self, card: str = "") -> Glance:
        """A card leaves the shoe, the top one if none is named."""
        return self.wait(self.to_shoe(lambda shoe: shoe.draw(card)), f"card {card}".strip())

    def to_shoe(self, act: Callable[[ShoeDevice], object]) -> Callable[[Glance], bool]:
        """Does something with the shoe; how a glance shows that the table has it on disk.

        A shoe that numbers its events says which event it was; of another, whatever is written next is taken for it.
        """
        assert self.shoe is not None, "this table has no shoe"
        before = self.glance().entries
        event = self.shoe.do(act)
        if isinstance(self.shoe.device, Osp1Device) and isinstance(event, int):
            boot, number = self.shoe.device.boot, event          # a later one may be on disk before anybody looks
            return lambda seen: seen.shoe is not None and seen.shoe[0] == boot and ahead(number, seen.shoe[1]) >= 0
        return lambda seen: seen.entries > before

    def tap(self, badge: str) -> Glance:
        """A badge (ten hexadecimal digits) is held to the reader; it must have been away for a second."""
        assert self.badge_reader is not None, "this table has no badge reader"
        before = self.glance().badges
        self.badge_reader.tap(badge)
        return self.wait(lambda seen: seen.badges > before, f"badge {badge}")

    def dial(self, amount: int) -> Glance:
        """Turns the knob until the open amount is `amount`. Raises TableSilent if it cannot be reached."""
        run = 0
        for _ in range(DIAL_ROUNDS):
            seen = self.glance()
            if seen.amount is None:
                raise TableSilent(f"no amount is open, prompt: {' / '.join(seen.prompt)}")
            if seen.amount == amount:
                return seen
            way = 1 if amount > seen.amount else -1
            to_go = max(1, abs(amount - seen.amount) // self.file.chip)
            run = run if run * way > 0 else 0
            pushed = to_go >= PUSHED_FROM
            steps = most_detents(run, to_go, pushed=pushed)
            if not steps:        # a detent of this run goes too far: one back, and a new run begins with single chips
                way, steps = -way, 1
            run, _ = detents(run, way * steps, pushed)
            self.turn(way * steps, pushed=pushed)
        raise TableSilent(f"the knob does not come to {amount}; it stands at {self.glance().amount}")

    def select(self, seat: int) -> Glance:
        """Turns the knob, while no amount is open, until `seat` is chosen."""
        for _ in range(self.file.size + 1):
            seen = self.glance()
            if seat == (seen.selected or seen.view.to_act):
                return seen
            self.turn(1)
        raise TableSilent(f"seat {seat} cannot be chosen; prompt: {' / '.join(self.glance().prompt)}")

    # --- what can be seen

    def glance(self) -> Glance:
        """What the table shows now. Raises TableSilent if the process is gone."""
        seen = self._connected().latest()
        if seen is None:
            raise self._silence("a look")
        return seen

    def wait(self, holds: Callable[[Glance], bool], what: str, timeout_s: float = ANSWER_TIMEOUT_S) -> Glance:
        """The first glance for which `holds`. Raises TableSilent, saying `what` was waited for."""
        seen = self._connected().wait(holds, timeout_s)
        if seen is None:
            raise self._silence(f"{what} within {timeout_s} s")
        return seen

    def prompt_record(self) -> Recorded:
        """The bytes that went to the prompt display."""
        return read_record(self.folder / "prompt.record")

    def clock_record(self) -> Recorded:
        """The bytes that went to the LED clock."""
        return read_record(self.folder / "clock.record")

    # --- inside

    def _silence(self, what: str) -> TableSilent:
        """What became of a table that did not answer. One that hung up is ending: why, it says last."""
        client, process = self._connected(), self._process
        state = "runs"
        if process is not None:
            if client.ended:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(END_TIMEOUT_S)
            state = "runs" if process.poll() is None else f"ended with {process.returncode}"
        prompt = " / ".join(client.last.prompt) if client.last is not None else "nothing"
        return TableSilent(
            f"{self.file.unit}: no answer to {what}; the process {state}, its display shows {prompt}; its last words: "
            f"{tail(self.log)}"
        )

    def send(self, request: Mapping[str, Any]) -> None:
        """One line to the panel's socket, as `drivers.panel_socket` understands it; waits for nothing."""
        self._connected().send(request)

    def _input(self, request: Mapping[str, Any], count: int) -> Glance:
        before = self.glance().heard
        self.send(request)
        return self.wait(lambda seen: seen.heard >= before + count, f"{json.dumps(request)}")

    def _connected(self) -> _Client:
        if self._client is None:
            raise TableSilent(f"{self.file.unit}: the process is not running; its last words: {tail(self.log)}")
        return self._client

    def _wire(self) -> None:
        """The far ends of the cables, as the file has them."""
        file, folder = self.file, self.folder
        self.shoe = simulators.shoe_sim(file.shoe, folder / "shoe") if file.shoe else None
        self.badge_reader = simulators.badge_sim(file.badge, folder / "badge") if file.badge else None

    def _plug_in(self) -> None:
        self._write_config()
        if self.file.shoe == "rfid_deck":
            deck_registry.save(self.folder / "decks.json", simulators.decks())
        for cable in (self.shoe, self.badge_reader):
            if cable is not None:
                cable.start()

    def _unplug(self) -> int:
        """Ends the process, then pulls the cables; the process's exit status."""
        self._hang_up()
        status = end(self._process) if self._process is not None else 0
        self._process = None
        for cable in (self.shoe, self.badge_reader):
            if cable is not None:
                cable.stop()
        return status

    def _start_process(self) -> None:
        self.socket.unlink(missing_ok=True)
        self._process = spawn(bottone("table", "--config", str(self.config)), self.log)
        deadline = time.monotonic() + START_TIMEOUT_S
        pause = threading.Event()
        while self._client is None:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise TableSilent(f"{self.file.unit} did not start; its last words: {tail(self.log)}")
            try:
                self._client = _Client(self.socket)
            except OSError:
                pause.wait(0.01)
        self.wait(lambda _: True, "the start")

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _write_config(self) -> None:
        file, folder = self.file, self.folder
        sections: dict[str, dict[str, Any]] = {
            "pins": {"factory": "mock", "socket": str(self.socket)},
            "tournament": {"clock_file": str(file.clock_file)} if file.clock_file else {},
            "shoe": {"protocol": file.shoe, "port": str(folder / "shoe")} if file.shoe else {},
            "badge": {"protocol": file.badge, "port": str(folder / "badge")} if file.badge else {},
        }
        if file.shoe == "rfid_deck":
            sections["shoe"]["registry"] = str(folder / "decks.json")
        if file.displays:
            sections["clock_display"] = {
                "kind": "record", "modules": file.modules, "record": str(folder / "clock.record"),
            }  # fmt: skip
            sections["prompt_display"] = {"kind": "record", "record": str(folder / "prompt.record")}
        for name, values in file.more.items():
            sections[name] = {**sections.get(name, {}), **values}
        top = {
            "unit": file.unit, "site": file.site, "language": file.language, "book": file.book, "size": file.size,
            "chip": file.chip, "data_dir": str(self.data_dir), "seal_dir": str(folder / "seal"),
        }  # fmt: skip
        lines = [f"{key} = {toml_value(value)}" for key, value in top.items()]
        for name, values in sections.items():
            lines += ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in values.items())]
        self.config.write_text("\n".join(lines) + "\n", encoding="utf-8")


def toml_value(value: Any) -> str:
    """A value as TOML: text, number, truth, list or table (toml.io, v1.0.0: String)."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    # A basic string escapes as JSON's does, but it has no surrogate pairs, and U+007F must not stand in it.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def most_detents(run: int, chips: int, *, pushed: bool) -> int:
    """How many detents after a run of `run` move the knob by at most `chips` smallest chips; the run may go on."""
    steps, moved, at = 0, 0, abs(run)
    while True:
        at, step = detents(at, 1, pushed)
        if moved + step > chips:
            return steps
        moved, steps = moved + step, steps + 1


class _Client:
    """The crew's end of the panel's socket: one thread reads what the table shows and keeps the newest."""

    def __init__(self, path: Path) -> None:
        """Raises OSError when nobody listens yet."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._news = threading.Condition()
        self._ended = False
        self.last: Glance | None = None
        self._thread = threading.Thread(target=self._read, name="virtual-table", daemon=True)
        self._thread.start()

    def send(self, request: Mapping[str, Any]) -> None:
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError as trouble:
            raise TableSilent(f"the panel's socket is closed: {trouble}") from trouble

    @property
    def ended(self) -> bool:
        """The table has hung up."""
        return self._ended

    def latest(self) -> Glance | None:
        """What came last; None if nothing has, or the table has hung up."""
        with self._news:
            return None if self._ended else self.last

    def wait(self, holds: Callable[[Glance], bool], timeout_s: float) -> Glance | None:
        """The first glance for which `holds`; None after `timeout_s` of our own turns, or when the table has gone."""

        def found() -> bool:
            return self._ended or (self.last is not None and holds(self.last))

        with self._news:
            for _ in range(round(timeout_s / TURN_S)):
                if self._news.wait_for(found, TURN_S):
                    break
            return self.last if self.last is not None and holds(self.last) else None

    def close(self) -> None:
        with contextlib.suppress(OSError):  # the other end was quicker
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._socket.makefile("rb") as lines:
            for line in lines:
                self._take(line)
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _take(self, line: bytes) -> None:
        if b'"error"' in line[:12]:
            return
        seen = msgspec.json.decode(line, type=Glance)
        with self._news:
            self.last = seen
            self._news.notify_all()
