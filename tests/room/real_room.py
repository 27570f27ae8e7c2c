"""A room of real processes: broker, `bottone hub`, and `bottone table`s whose keys are pressed by a tireless dealer.

No shoe and no badges: everything goes through the keys, and the dealer names the winners. Whatever dies is started
again by whoever notices: the dealer his table, the test broker and hub.
"""

import json
import os
import random
import signal
import sqlite3
import threading
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from deploy import broker, children
from deploy.hub_client import HubClient, HubGone
from deploy.virtual_table import TableFile, TableSilent, VirtualTable
from drivers.seen import Key
from engine.events import Event as EngineEvent
from engine.events import HandEnded, PlayerLeft, PlayerSat
from engine.view import Due
from firmware_py.journal_reading import read_lines
from firmware_py.journal_records import Struck
from hub.store import Store
from tests.waiting import until

SITE = "kills"
STACK = 20_000
DEAL_KEYS = {Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD, Due.NEXT_HAND}
BETWEEN_HANDS = {Due.SHUFFLE, Due.NEXT_HAND, Due.HOLD, Due.PLAYERS}
HUB_TOML = """
site = "{site}"
data_dir = "{data}"
broker = "{broker}"
http = {{ port = {port} }}
tables = {tables}
[tournament]
title = "Kills"
book = "tda"
size = 9
stack = {stack}
draw_seed = 5
auto_confirm = true
auto_start = true
players = {players}
schedule = [{{ minutes = 600, small_blind = 100, big_blind = 200 }}]
"""


class Dealer:
    """Presses the keys of one table in a thread of its own, hand after hand, and starts the table when it was killed.

    A process started by a thread ends with that thread (`deploy.children`), so the thread stays until `leave`.
    """

    def __init__(self, table: VirtualTable, seed: str):
        self.table = table
        self.trouble: list[str] = []
        self.kills = 0
        self.restarts = 0
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._done = threading.Event()
        self._leave = threading.Event()
        self._thread = threading.Thread(target=self._stay, name=seed)

    def start(self):
        self._thread.start()

    def finish(self):
        """Plays the hand to its end and stops."""
        self._stop.set()

    def wait(self, timeout_s: float):
        assert self._done.wait(timeout_s), f"{self.table.file.unit}: no end: {self.table.glance().prompt}"

    def leave(self):
        self._stop.set()
        self._leave.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _stay(self):
        self._work()
        self._done.set()
        self._leave.wait()

    def _work(self):
        while True:
            try:
                seen = self.table.glance()
                if self._leave.is_set() or (self._stop.is_set() and seen.view.due in BETWEEN_HANDS):
                    return
                self._step(seen)
            except TableSilent as silent:
                if not self._revive(silent):
                    return

    def _revive(self, silent: TableSilent) -> bool:
        """Starts a table that was killed; any other silence is a failure."""
        if self.restarts == self.kills:
            self.trouble.append(str(silent))
            return False
        self.table.kill9()
        self.restarts += 1
        with suppress(TableSilent):
            self.table.restart()
        return True

    def _step(self, seen):
        due = seen.view.due
        if due in DEAL_KEYS:
            self.table.press(Key.DEAL)
        elif due is Due.ACTION:
            self._act()
        elif due is Due.SHOW:
            self.table.press(Key.CHECK_CALL)
        elif due is Due.AWARD:
            self.table.turn(self._chance.choice((-1, 1)))
            self.table.press(Key.DEAL)
        else:
            self._stop.wait(0.02)

    def _act(self):
        draw = self._chance.random()
        if draw < 0.03:
            self.table.press(Key.UNDO)
        elif draw < 0.05:
            self.table.press(Key.ALL_IN)
        elif draw < 0.25:
            self.table.press(Key.BET_RAISE)
            self.table.press(Key.BET_RAISE)
        elif draw < 0.45:
            self.table.press(Key.FOLD)
        else:
            self.table.press(Key.CHECK_CALL)


class RealRoom:
    """The processes. `close` ends them all."""

    def __init__(self, directory: Path, tables: int, players: int, seed: int):
        self.directory = directory
        self.players = players
        self._stack = ExitStack()
        self.broker = self._stack.enter_context(broker.running(directory, "mosquitto"))
        self.port = broker.free_port()
        self.units = [f"kill-{number}" for number in range(1, tables + 1)]
        self._config = directory / "hub.toml"
        self._config.write_text(
            HUB_TOML.format(
                site=SITE, data=directory / "hub", broker=self.broker.url, port=self.port, stack=STACK,
                tables="[" + ",".join(f'{{no={no}, unit="{unit}"}}' for no, unit in enumerate(self.units, 1)) + "]",
                players=json.dumps([f"Player {number}" for number in range(1, players + 1)]),
            )
        )  # fmt: skip
        self.hub = self._spawn_hub()
        self._stack.callback(lambda: children.kill(self.hub))
        more = {"hub": {"unix": self.broker.address.path}}
        self.tables = [
            VirtualTable(
                directory / unit,
                TableFile(unit=unit, site=SITE, size=9, shoe="", badge="", displays=False, more=more),
            )
            for unit in self.units
        ]
        for table in self.tables:
            self._stack.enter_context(table)
        self.client = self._stack.enter_context(HubClient(self.port))
        self.dealers = [Dealer(table, f"{seed}/{table.file.unit}") for table in self.tables]

    def close(self):
        for dealer in self.dealers:
            dealer.leave()
        self._stack.close()

    def _spawn_hub(self):
        return children.spawn(children.bottone("hub", "--config", str(self._config)), self.directory / "hub.log")

    def start(self):
        """Everybody sits; the dealers begin."""
        until(lambda: (picture := self.picture()) and picture.stage == "playing", 30)
        for dealer in self.dealers:
            dealer.start()

    def kill(self, who: str):
        if who == "broker":
            self.broker.kill()
        elif who == "hub":
            children.kill(self.hub)
        else:
            dealer = self.dealers[self.units.index(who)]
            dealer.kills += 1
            with suppress(ProcessLookupError):
                os.kill(dealer.table.pid, signal.SIGKILL)

    def restart(self, who: str):
        """Starts it again; a table's dealer does that alone."""
        if who == "broker":
            self.broker.restart()
        elif who == "hub":
            self.hub = self._spawn_hub()

    def picture(self):
        """What the hub's page says; None while it does not answer."""
        try:
            return self.client.picture()
        except HubGone:
            return None

    def settled(self) -> bool:
        """Every hand is over, every event acknowledged, every command answered."""
        if any(table.glance().outbox or not table.glance().hub for table in self.tables):
            return False
        picture = self.picture()
        return picture is not None and picture.quiescent and not picture.in_transit

    def events_ever(self, unit: str) -> int:
        """How many events the journal of `unit` ever had for the hub."""
        db = sqlite3.connect(f"file:{self.directory / unit / 'data' / 'journal.sqlite'}?mode=ro", uri=True, timeout=5)
        try:
            row = db.execute("SELECT seq FROM sqlite_sequence WHERE name='outbox'").fetchone()
            return int(row[0]) if row else 0
        finally:
            db.close()

    def truth(self, unit: str) -> tuple[Counter, Counter]:
        """(who went out at which seat, who sat down or left where with how many chips), by the journal of `unit`."""
        seated: dict[int, str] = {}
        out, changes = Counter(), Counter()
        for event in in_effect(self.directory / unit / "data" / "journal.sqlite"):
            match event:
                case PlayerSat():
                    seated[event.seat] = event.player
                    changes[event.seat, event.player, event.stack, True] += 1
                case PlayerLeft():
                    seated.pop(event.seat)
                    changes[event.seat, event.player, event.stack, False] += 1
                case HandEnded():
                    out.update((seat, seated.pop(seat)) for seat in event.out)
                case _:
                    pass
        return out, changes

    def store(self) -> Store:
        """The hub's file; only after the hub has ended."""
        return Store(self.directory / "hub" / "hub.sqlite")


def in_effect(journal: Path) -> list:
    """The engine's events without those that an undo struck, in order."""
    kept: list[tuple[int, object]] = []
    decoder = msgspec.json.Decoder(msgspec.Raw)
    for line in read_lines(journal):
        if isinstance(line.deed, Struck):
            since = line.deed.since
            kept = [(n, event) for n, event in kept if n <= since]
        kept += [(happened.of or line.n, decoder.decode(happened.event)) for happened in line.events]
    return [decoded for _, raw in kept if (decoded := decode(bytes(raw))) is not None]


def decode(raw: bytes) -> EngineEvent | None:
    """The events that move players; None for the others."""
    kind = msgspec.json.decode(raw, type=dict)["type"]
    types = {cls.__name__: cls for cls in (PlayerSat, PlayerLeft, HandEnded)}
    return msgspec.json.decode(raw, type=types[kind]) if kind in types else None
