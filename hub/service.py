"""The hub as one process: ingest thread, event loop, pages.

The event loop owns the floor and serves the pages; the ingest thread owns the link to the tables and wakes the loop
after each commit. A signal ends it in order: streams, pages, ingest (which commits what has arrived and says goodbye
to the tables), store. If the ingest thread dies of a broken disk or a mistake of ours, the process ends with status 1
and is started again by whoever watches it; nothing that was acknowledged is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Generator
from pathlib import Path

import uvicorn

from drivers.mqtt_link import Address, Tls
from engine import rulebook
from hub.config import STORE, ConfigError, HubConfig
from hub.floor import Floor
from hub.ingest import Ingest, hub_link
from hub.signing import Signer
from hub.store import Store
from hub.web.app import application

log = logging.getLogger(__name__)

TICK_S = 0.25
TICK_WITH_CLOCK_FILE_S = 0.05
"""Somebody else turns the clock then, and faster."""
STOP_S = 1
"""How long open requests may take to end; streams are told to."""
BACKLOG = 512


class Server(uvicorn.Server):
    """uvicorn without hands on the process's signals: they end the whole hub, not only the pages."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leaves them alone."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises ConfigError if the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigError(f"http: {host} port {port}: {error.strerror}; choose another, or 0 for a free one") from None
    return listener


def names_of(config: HubConfig) -> tuple[str, ...]:
    """The host names under which browsers may call this hub."""
    return ("127.0.0.1", "localhost", "::1", config.http.host, *config.http.names)


async def run(config: HubConfig, broker: Address, ready: Callable[[str], None]) -> int:
    """Runs until a signal or a failure; calls `ready` with the pages' address. Returns the exit status.

    Raises ConfigError, hub.records.StoreError and hub.signing.KeyFileError before anything runs.
    """
    data = Path(config.data_dir)
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(listen(config.http.host, config.http.port))
        store = Store(data / STORE)
        stack.callback(store.close)
        floor = Floor(config, rulebook.load(config.tournament.book), store)
        tls = Tls(config.tls.ca, config.tls.cert, config.tls.key) if config.tls else None
        link = hub_link(broker, config.site, store.epoch, tls=tls)
        ingest = Ingest(
            store,
            link,
            lambda _: _post(loop, floor.turn),
            site=config.site,
            signer=Signer.at(data / "hub.key"),
            on_result=lambda _: _post(loop, floor.turn),
            on_unit=lambda unit: _post(loop, floor.unit_changed, unit),
        )
        floor.publish_clock, floor.wake, floor.units = ingest.publish_clock, ingest.wake, ingest.units
        floor.link_up = lambda: link.up
        floor.turn()
        ingest.start()
        stack.callback(ingest.stop)
        return await _serve(config, floor, ingest, listener, ready)


async def _serve(
    config: HubConfig, floor: Floor, ingest: Ingest, listener: socket.socket, ready: Callable[[str], None]
) -> int:
    server = Server(
        uvicorn.Config(
            application(floor, names_of(config)), http="h11", ws="none", lifespan="off", access_log=False,
            log_config=None, server_header=False, timeout_graceful_shutdown=STOP_S,
        )
    )  # fmt: skip
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    pages = asyncio.create_task(server.serve(sockets=[listener]), name="pages")
    every_s = TICK_WITH_CLOCK_FILE_S if config.tournament.clock_file else TICK_S
    clock = asyncio.create_task(_tick(floor, ingest, every_s), name="clock")
    asked = asyncio.create_task(stop.wait())
    host, port = listener.getsockname()[:2]
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    try:
        await asyncio.wait({pages, clock, asked}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        floor.live.close()
        server.should_exit = True
        for task in (clock, asked):
            task.cancel()
        await asyncio.wait({pages, clock, asked})
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
    if stop.is_set():
        return 0
    for task in (clock, pages):
        if not task.cancelled() and task.exception() is not None:
            log.critical("hub: stopped by a mistake of ours", exc_info=task.exception())
    return 1


async def _tick(floor: Floor, ingest: Ingest, every_s: float) -> None:
    """Looks at the clock until the ingest thread is gone."""
    while ingest.alive:
        floor.tick()
        await asyncio.sleep(every_s)


def _post(loop: asyncio.AbstractEventLoop, what: Callable[..., None], *arguments: object) -> None:
    """Asks the loop to do something; a loop that is closing has nothing left to do."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what, *arguments)
