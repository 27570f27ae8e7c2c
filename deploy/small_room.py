"""A room of one real table, for whoever wants to see what a press does: broker, `bottone hub`, one virtual table.

No shoe and no badge reader: the cards are unknown, the dealer's keys do everything. The tournament starts by itself as
soon as everybody sits, so a caller finds a table that waits for its first hand.
"""

from __future__ import annotations

import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy import broker, children
from deploy.errors import WrongUse
from deploy.hub_client import HubClient
from deploy.virtual_table import TableFile, VirtualTable, toml_value
from drivers.seen import Key
from engine.view import Due

SITE = "small"
UNIT = "small-1"
READY_TIMEOUT_S = 30.0
ADDRESS = re.compile(r"hub http://127\.0\.0\.1:(\d+)/")


class SmallRoom:
    """The room: `url` has no slash at its end; `hub_process` is there to be killed."""

    def __init__(self, port: int, hub_process: subprocess.Popen[bytes], hub: HubClient, table: VirtualTable) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.hub_process = hub_process
        self.hub = hub
        self.table = table

    def deal(self) -> None:
        """Presses DEAL until somebody must act. Raises deploy.virtual_table.TableSilent."""
        while self.table.glance().view.due is not Due.ACTION:
            self.table.press(Key.DEAL)


def configuration(folder: Path, broker_url: str, names: tuple[str, ...], port: int) -> str:
    """The hub's file."""
    return "\n".join(
        [
            f"site = {toml_value(SITE)}",
            f"data_dir = {toml_value(str(folder / 'hub'))}",
            f"broker = {toml_value(broker_url)}",
            f"http = {{ port = {port} }}",
            f"tables = [{{ no = 1, unit = {toml_value(UNIT)} }}]",
            "[tournament]",
            'title = "Bottone"',
            'book = "tda"',
            "stack = 1000000",
            "draw_seed = 1",
            "auto_confirm = true",
            "auto_start = true",
            f"players = {toml_value(names)}",
            "schedule = [{ minutes = 600, small_blind = 25, big_blind = 50 }]",
            "",
        ]
    )


@contextmanager
def small_room(folder: Path, names: tuple[str, ...] = ("Ada", "Bruno", "Carla")) -> Iterator[SmallRoom]:
    """The room, with everybody seated and the tournament started. Its files lie in `folder`, which must exist."""
    with broker.running(folder) as mqtt:
        config, log = folder / "hub.toml", folder / "hub.log"
        config.write_text(configuration(folder, mqtt.url, names, 0), encoding="utf-8")
        process = children.spawn(children.bottone("hub", "--config", str(config)), log)
        try:
            port = _port(process, log)
            more = {"hub": {"unix": mqtt.address.path} if mqtt.address.path else
                           {"host": mqtt.address.host, "port": mqtt.address.port}}  # fmt: skip
            file = TableFile(unit=UNIT, site=SITE, size=9, shoe=False, badge=False, more=more)
            with HubClient(port) as hub, VirtualTable(folder / UNIT, file) as table:
                _until(lambda: hub.picture().quiescent, "the players do not sit down")
                table.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the start of the tournament")
                yield SmallRoom(port, process, hub, table)
        finally:
            children.end(process)


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    """The port that the hub printed."""
    found: list[int] = []

    def printed() -> bool:
        match = ADDRESS.search(log.read_text(encoding="utf-8")) if log.exists() else None
        if match is not None:
            found.append(int(match[1]))
        elif process.poll() is not None:
            raise WrongUse(f"the hub did not start: {children.tail(log)}")
        return bool(found)

    _until(printed, "the hub does not say where its pages are")
    return found[0]


def _until(holds: Callable[[], bool], otherwise: str) -> None:
    deadline, pause = time.monotonic() + READY_TIMEOUT_S, threading.Event()
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(otherwise)
        pause.wait(0.02)
