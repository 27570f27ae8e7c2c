"""A room of one real table, for whoever wants to see what a press does: broker, `bottone hub`, one virtual table.

Without a shoe and a badge reader the cards are unknown, the dealer's keys do everything. The tournament starts by
itself as soon as everybody sits, so a caller finds a table that waits for its first hand.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy import broker, children
from deploy.errors import WrongUse
from deploy.hub_client import HubClient, HubGone
from deploy.virtual_table import TableFile, VirtualTable, toml_value
from drivers.seen import Key
from engine.view import Due

SITE = "small"
UNIT = "small-1"
READY_TIMEOUT_S = 60.0


class HubProcess:
    """A `bottone hub` that can be killed and started again at the same address. `start` returns when it answers."""

    def __init__(self, folder: Path, port: int) -> None:
        """`folder` holds its hub.toml."""
        self.port = port
        self._config, self._log = folder / "hub.toml", folder / "hub.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises WrongUse with the hub's last words if it ends instead, TimeoutError if it does not answer."""
        process = self._process = children.spawn(children.bottone("hub", "--config", str(self._config)), self._log)

        def answers() -> bool:
            if process.poll() is not None:
                raise WrongUse(f"the hub did not start: {children.tail(self._log)}")
            with HubClient(self.port) as hub, contextlib.suppress(HubGone):
                hub.picture()
                return True
            return False

        _until(answers, lambda: "the hub does not answer")

    def kill9(self) -> None:
        """Ends it between two instructions."""
        if self._process is not None:
            children.kill(self._process)

    def stop(self) -> None:
        """Ends it in order."""
        if self._process is not None:
            children.end(self._process)


class SmallRoom:
    """The room: `url` has no slash at its end."""

    def __init__(self, hub_process: HubProcess, hub: HubClient, table: VirtualTable) -> None:
        self.url = f"http://127.0.0.1:{hub_process.port}"
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
def small_room(
    folder: Path, names: tuple[str, ...] = ("Ada", "Bruno", "Carla"), *, shoe: str = "", badge: str = ""
) -> Iterator[SmallRoom]:
    """The room, with everybody seated and the tournament started. Its files lie in `folder`, which must exist.

    `shoe`, `badge`: what the table has, as in `TableFile`.
    """
    port = broker.free_port()
    with broker.running(folder) as mqtt:
        (folder / "hub.toml").write_text(configuration(folder, mqtt.url, names, port), encoding="utf-8")
        process = HubProcess(folder, port)
        try:
            process.start()
            more = {"hub": {"unix": mqtt.address.path} if mqtt.address.path else
                           {"host": mqtt.address.host, "port": mqtt.address.port}}  # fmt: skip
            file = TableFile(unit=UNIT, site=SITE, size=9, shoe=shoe, badge=badge, more=more)
            with HubClient(port) as hub, VirtualTable(folder / UNIT, file) as table:
                _until(
                    lambda: hub.picture().quiescent,
                    lambda: f"the players do not sit down; the hub waits for {hub.picture().waiting_for}",
                )
                table.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the start of the tournament")
                yield SmallRoom(process, hub, table)
        finally:
            process.stop()


def _until(holds: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    deadline, pause = time.monotonic() + READY_TIMEOUT_S, threading.Event()
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(otherwise())
        pause.wait(0.02)
