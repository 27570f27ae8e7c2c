"""One evening on one machine: broker, hub, tables and crews, composed, played and taken down again.

Everything is what a room would run: the broker, `bottone hub` and one `bottone table` a table are processes of their
own; only the hands on the panels are simulated. All files lie in one temporary directory that goes with the evening.
Everything listens on the loopback or on sockets in that directory.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from types import FrameType

import msgspec

from deploy import broker, children
from deploy.bulletin import Bulletin
from deploy.clock_file import ClockFile
from deploy.crew import Crew, Stuck
from deploy.errors import WrongUse
from deploy.evening import Evening, Stopped
from deploy.fingerprint import fingerprint
from deploy.hub_client import HubClient, HubGone
from deploy.virtual_table import TableFile, TableSilent, VirtualTable
from drivers.mqtt_link import Address

BOOK = "lifeclub"
SITE = "demo"
CHIP = 25
STACK = 5_000
HUB_READY_TIMEOUT_S = 30.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
DEALERS = 4                  # who take turns at each table
LEVEL_MINUTES = 10.0         # five hands of two minutes
BREAK_MINUTES = 10.0
LEVELS_TO_BREAK = 6

# (small blind, big blind, big blind ante): short, so that an evening of 27 players ends in some sixty hands.
BLINDS = (
    (25, 50, 0), (50, 100, 0), (75, 150, 150), (100, 200, 200), (150, 300, 300), (200, 400, 400), (300, 600, 600),
    (500, 1_000, 1_000), (800, 1_600, 1_600), (1_200, 2_400, 2_400), (2_000, 4_000, 4_000), (3_000, 6_000, 6_000),
    (5_000, 10_000, 10_000), (8_000, 16_000, 16_000), (12_500, 25_000, 25_000), (20_000, 40_000, 40_000),
)  # fmt: skip

FIRST_NAMES = (
    "Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hamid", "Irene", "Jacopo", "Katia", "Luca",
    "Marta", "Nicolò", "Olga", "Paolo", "Quirino", "Rosa", "Sandro", "Teresa", "Ugo", "Vera", "Walter", "Xenia",
    "Yuri", "Zoe", "Noemi",
)  # fmt: skip


HUB_TOML = """\
site = "{site}"
data_dir = "{data_dir}"
broker = "{broker}"

[http]
port = {port}

{tables}
[tournament]
title = "Bottone"
book = "{book}"
size = {size}
chip = {chip}
stack = {stack}
draw_seed = {draw_seed}
auto_confirm = true
auto_start = true
in_step = true
clock_file = "{clock_file}"
players = [{players}]
schedule = [
{schedule}]
"""


class Plan(msgspec.Struct, frozen=True):
    """What is played. `rounds` 0: to the last player; `port` 0: any free one."""

    tables: int = 3
    seats: int = 9
    seed: str = "1"
    speed: float = 45.0
    rounds: int = 0
    port: int = 0
    lang: str = "en"


def levels() -> Iterator[str]:
    """The schedule as the hub's configuration has it, with a break after every few levels."""
    for number, (small_blind, big_blind, ante) in enumerate(BLINDS, 1):
        yield (f"minutes = {LEVEL_MINUTES}, small_blind = {small_blind}, big_blind = {big_blind}, "
               f"big_blind_ante = {ante}")  # fmt: skip
        if number % LEVELS_TO_BREAK == 0:
            yield f"minutes = {BREAK_MINUTES}, pause = true"


def names(count: int) -> list[str]:
    """So many players, each with a name of their own: a first name and the initial of another."""
    tables_of_names = range(1 + count // len(FIRST_NAMES))
    every = [f"{first} {chr(ord('A') + (row * 7 + at * 5 + 3) % 26)}." for row in tables_of_names
             for at, first in enumerate(FIRST_NAMES)]  # fmt: skip
    return every[:count]


def play(plan: Plan) -> int:
    """Plays the evening and prints it.

    Returns the exit status: 0 at its end, 1 if a table stood still, 128 and the signal's number if it was stopped.
    """
    bulletin = Bulletin(plan.lang)
    with _stoppable() as stopped, tempfile.TemporaryDirectory(prefix="bottone-demo-") as name:
        folder = Path(name)
        try:
            _play(plan, folder, stopped, bulletin)
        except Stopped:
            print(bulletin.stopped(), file=sys.stderr)
            return 128 + stopped.by
        except (Stuck, TableSilent, HubGone) as trouble:
            print(f"bottone demo: {trouble}", file=sys.stderr)
            for log in sorted(folder.glob("**/*.log")):
                if said := children.tail(log, 5):
                    print(f"  {log.relative_to(folder)}: {said}", file=sys.stderr)
            return 1
        return 0


def _play(plan: Plan, folder: Path, stopped: _Stop, bulletin: Bulletin) -> None:
    with ExitStack() as stack:
        clock = stack.enter_context(ClockFile(folder / "clock"))
        mqtt = stack.enter_context(broker.running(folder))
        hub = stack.enter_context(_hub(plan, folder, mqtt.url))
        _print([bulletin.where(hub.url, mqtt.kind)])
        crews = [
            Crew(stack.enter_context(_table(plan, no, folder, mqtt.address)), no, plan.seed, dealers(no))
            for no in range(1, plan.tables + 1)
        ]
        evening = Evening(crews, hub, clock, plan.speed, stopped)
        _print(bulletin.draw(evening.settle()))
        rounds = 0
        for rounds, picture in evening.play(plan.rounds):
            _print(bulletin.after_round(rounds, picture))
        _print(bulletin.result(rounds, evening.settle()))
    _print([bulletin.fingerprint(fingerprint(folder / "hub" / "hub.sqlite"))])


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def dealers(table_no: int) -> list[str]:
    """The badges of the dealers who take turns at a table."""
    return [f"{table_no:02X}{number:08X}" for number in range(1, DEALERS + 1)]


def _table(plan: Plan, no: int, folder: Path, mqtt: Address) -> VirtualTable:
    file = TableFile(
        unit=unit(no), site=SITE, book=BOOK, language=plan.lang, size=plan.seats, chip=CHIP,
        clock_file=folder / "clock", more={"hub": {"unix": mqtt.path} if mqtt.path else
                                           {"host": mqtt.host, "port": mqtt.port}},
    )  # fmt: skip
    return VirtualTable(folder / unit(no), file)


def hub_toml(plan: Plan, folder: Path, broker_url: str) -> str:
    """The configuration of the evening's hub."""
    tables = "".join(f'[[tables]]\nno = {no}\nunit = "{unit(no)}"\n' for no in range(1, plan.tables + 1))
    return HUB_TOML.format(
        site=SITE, data_dir=folder / "hub", broker=broker_url, port=plan.port, tables=tables, book=BOOK,
        size=plan.seats, chip=CHIP, stack=STACK, draw_seed=Random(f"{plan.seed} draw").getrandbits(31),
        clock_file=folder / "clock",
        players=", ".join(f'"{name}"' for name in names(plan.tables * plan.seats)),
        schedule="".join(f"  {{ {line} }},\n" for line in levels()),
    )  # fmt: skip


def unit(table_no: int) -> str:
    """The name of the unit at a table."""
    return f"{SITE}-table-{table_no}"


@contextmanager
def _hub(plan: Plan, folder: Path, broker_url: str) -> Iterator[HubClient]:
    """A running `bottone hub` and the way to it."""
    config, log = folder / "hub.toml", folder / "hub.log"
    config.write_text(hub_toml(plan, folder, broker_url), encoding="utf-8")
    process = children.spawn(children.bottone("hub", "--config", str(config)), log)
    try:
        with HubClient(plan.port) as client:
            _await_hub(process, client, log)
            yield client
    finally:
        children.end(process)


def _await_hub(process: subprocess.Popen[bytes], client: HubClient, log: Path) -> None:
    deadline = time.monotonic() + HUB_READY_TIMEOUT_S
    while True:
        try:
            client.picture()
        except HubGone:
            if process.poll() is not None or time.monotonic() > deadline:
                raise WrongUse(f"the hub did not start: {children.tail(log) or 'it said nothing'}") from None
            time.sleep(0.05)
        else:
            return


class _Stop(threading.Event):
    """Set by the signal `by`."""

    by = 0


@contextmanager
def _stoppable() -> Iterator[_Stop]:
    """Ctrl-C, SIGTERM and a closed terminal set an event; nothing is interrupted in the middle."""
    stop = _Stop()

    def stopped(number: int, _frame: FrameType | None) -> None:
        stop.by = number
        stop.set()

    before = {number: signal.signal(number, stopped) for number in STOPS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
