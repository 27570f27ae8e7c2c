"""A table unit: how long a press takes to the display, a card to the rules, a commit to the disk; start and memory.

Everything but the commit is measured on the real process through `deploy.virtual_table`: a press begins at the Unix
socket that closes the mock pin and ends when the recorded wire of the prompt display carries other bytes.
"""

from __future__ import annotations

import mmap
import os
import statistics
import struct
import tempfile
import time
from pathlib import Path

from benchmarks.row import Row, percentile
from deploy.small_room import small_room
from deploy.virtual_table import TableFile, VirtualTable
from drivers.seen import Key
from engine.cards import DECK
from engine.inputs import Call
from engine.view import Due
from engine.wire import Action
from firmware_py.journal import Journal
from firmware_py.journal_records import Happened, Out
from firmware_py.sealing import Sealer

PRESSES = 300
COMMITS = 300
STARTS = 5
SEATS = 9
SETUP = {
    "setup": {
        "small_blind": 50, "big_blind": 100, "button": 1,
        "seats": [{"seat": seat, "stack": 1_000_000} for seat in range(1, SEATS + 1)],
    }
}  # fmt: skip
_TRANSFERS = struct.Struct("<Q")
ANSWER_S = 2.0
LOOK_S = 0.000_05                # how often the record is looked at: what is measured is at most so much too long
SETTLE_S, IDLE_S = 2.0, 10.0
QUIET_S = 0.04                   # longer than the debouncer's lock: a finger does not press sooner


def rows() -> list[Row]:
    """The table's rows, measured now."""
    with tempfile.TemporaryDirectory(prefix="bottone-bench-") as folder:
        return [*_starts(Path(folder) / "start"), *_presses(Path(folder) / "press"), *_cards(Path(folder) / "shoe"),
                *_memory(Path(folder) / "memory"), *_idle(Path(folder) / "idle"),
                *_commits(Path(folder) / "journal")]  # fmt: skip


def _starts(folder: Path) -> list[Row]:
    took = []
    with VirtualTable(folder, TableFile(shoe="", badge="", more=SETUP)) as table:
        for _ in range(STARTS):
            table.kill9()
            began = time.perf_counter()
            table.restart()
            took.append((time.perf_counter() - began) * 1000)
    note = "killed, started, recovered, showing"
    return [Row("unit: start to ready", statistics.median(took), "ms", note=note)]


def _presses(folder: Path) -> list[Row]:
    """Calls and checks of nine players, each committed, each with another player's name on the display after it."""
    took: list[float] = []
    with VirtualTable(folder, TableFile(shoe="", badge="", more=SETUP)) as table:
        wire = _Wire(folder / "prompt.record")
        while len(took) < PRESSES:
            seen = table.glance()
            if seen.view.due is Due.AWARD or seen.view.due not in {Due.ACTION, Due.SHOW}:
                table.press(Key.DEAL)
                continue
            before, heard = wire.transfers(), seen.heard
            began = time.perf_counter()
            table.send({"press": Key.CHECK_CALL.value})
            took.append((wire.changed(before) - began) * 1000)
            table.wait(lambda now, heard=heard: now.heard > heard, "a press")  # type: ignore[misc]
            wire.settled()
    return [
        Row("unit: key to changed display bytes, median", statistics.median(took), "ms", limit=5.0,
            note=f"{len(took)} presses, each one commit"),
        Row("unit: key to changed display bytes, p99", percentile(took, 0.99), "ms", limit=5.0),
    ]  # fmt: skip


def _memory(folder: Path) -> list[Row]:
    """A table with everything it can have, a hub's address among it, in the middle of a hand."""
    hub = {"hub": {"unix": str(folder / "nobody")}}
    with VirtualTable(folder, TableFile(more=hub)) as table:
        for _ in range(6):
            table.press(Key.DEAL)
        table.push()
        table.turn(3)
        table.push()
        for _ in range(4):
            table.press(Key.DEAL)
        assert table.glance().view.due in {Due.HOLE_CARDS, Due.FIRST_CARD}, table.glance().prompt
        rss_mib = _rss_kib(table.pid) / 1024
    note = "shoe, badge, both displays, link to a hub"
    return [Row("unit: resident memory", rss_mib, "MiB", limit=60.0, note=note)]


def _idle(folder: Path) -> list[Row]:
    """Nobody touches a table with all its devices: its clock runs by a real hub's, and both displays show it."""
    folder.mkdir()
    with small_room(folder, shoe="osp1", badge="rdm6300") as room:
        time.sleep(SETTLE_S)
        before, began = _cpu_s(room.table.pid), time.monotonic()
        time.sleep(IDLE_S)
        used = (_cpu_s(room.table.pid) - before) / (time.monotonic() - began)
    note = f"over {IDLE_S:.0f} s; on mock pins: lgpio's own polling comes on top"
    return [Row("unit: processor of an idle table, clock running", 100 * used, "% of a core", limit=5.0, note=note)]


def _cpu_s(pid: int) -> float:
    """Processor seconds of a process so far, its own and the kernel's for it: fields 14 and 15 (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cards(folder: Path) -> list[Row]:
    took: list[float] = []
    with VirtualTable(folder, TableFile(badge="", more=SETUP)) as table:
        assert table.shoe is not None
        table.shuffle(DECK)
        table.press(Key.DEAL)
        for card in DECK[: 2 * SEATS]:
            began = time.perf_counter()
            table.draw(card)
            took.append((time.perf_counter() - began) * 1000)
    note = "card drawn to hand shown; 2.3 ms of it is the line at 115200 baud"
    return [Row("unit: shoe frame to engine", statistics.median(took), "ms", note=note)]


def _commits(folder: Path) -> list[Row]:
    """One deed, three events and one public event; beside it, the least a durable line costs: append and fsync."""
    journal = Journal(folder, "bench", Sealer(bytes(32), kept=False))
    told = Action(seat=1, what="call", to=100, stack=900, pot=150, to_act=2, to_call=100)
    events = [Happened(b'{"type":"Acted","seat":1,"what":"call","to":100,"price":100,"increment":100,"full":100}')] * 3
    took, peer = [], []
    with (folder / "line").open("ab", buffering=0) as line:
        for number in range(COMMITS):
            began = time.perf_counter()
            journal.commit(number, "panel", Call(1), events=events, out=[Out(1, 0, told)])
            middle = time.perf_counter()
            line.write(events[0].event + b"\n")
            os.fsync(line.fileno())
            took.append((middle - began) * 1000)
            peer.append((time.perf_counter() - middle) * 1000)
    journal.close()
    return [
        Row("unit: journal commit", statistics.median(took), "ms", "append and fsync", statistics.median(peer)),
    ]


class _Wire:
    """The transfer counter in the record of a display, read every `LOOK_S`.

    A loop without a pause would take one of two cores from the very threads it measures: a thread of the unit that
    shares the core waits there for its slice, several ms, with the interpreter's lock in its hand.
    """

    def __init__(self, record: Path) -> None:
        until = time.monotonic() + ANSWER_S
        while not record.exists() and time.monotonic() < until:
            os.sched_yield()
        with record.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), _TRANSFERS.size, access=mmap.ACCESS_READ)

    def transfers(self) -> int:
        return int(_TRANSFERS.unpack_from(self._map)[0])

    def changed(self, before: int) -> float:
        """The moment of the first transfer after `before`. Raises TimeoutError."""
        until = time.perf_counter() + ANSWER_S
        while (now := time.perf_counter()) < until:
            if self.transfers() != before:
                return now
            time.sleep(LOOK_S)
        raise TimeoutError("the display did not change")

    def settled(self) -> None:
        """Returns when nothing was sent for `QUIET_S`: the page is through, and the key has been up long enough."""
        before, since = self.transfers(), time.perf_counter()
        while time.perf_counter() - since < QUIET_S:
            if (now := self.transfers()) != before:
                before, since = now, time.perf_counter()
            time.sleep(LOOK_S)


def _rss_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0])
