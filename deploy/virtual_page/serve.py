"""The virtual table's process: hands in a thread of their own, eyes and pages in the event loop.

A signal ends it in order: streams, pages, table. Served on the loopback address only, whatever happens: whoever can
open the page can see the deck and pull the power.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import uvicorn

from deploy.virtual_page.app import Page
from deploy.virtual_page.stand import Stand
from hub.service import Server, listen

STOP_S = 1
HOST = "127.0.0.1"


async def serve(stand: Stand, port: int, ready: Callable[[str], None]) -> None:
    """Starts the table, serves it at `port` (0: a free one) until a signal; calls `ready` with the page's address.

    Raises hub.config.ConfigError if the port cannot be had, deploy.virtual_table.TableSilent if the table does not run.
    """
    loop = asyncio.get_running_loop()
    with listen(HOST, port) as listener, ThreadPoolExecutor(1, "hands") as hands:
        try:
            await loop.run_in_executor(hands, stand.start)
            await _serve(Page(stand, hands), listener, ready)
        finally:
            await loop.run_in_executor(hands, stand.stop)


async def _serve(page: Page, listener: socket.socket, ready: Callable[[str], None]) -> None:
    server = Server(
        uvicorn.Config(
            page.app(), http="h11", ws="none", lifespan="off", access_log=False, log_config=None, server_header=False,
            timeout_graceful_shutdown=STOP_S,
        )
    )  # fmt: skip
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    tasks = [
        asyncio.create_task(server.serve(sockets=[listener]), name="pages"),
        asyncio.create_task(page.watch(), name="eyes"),
        asyncio.create_task(stop.wait(), name="asked to stop"),
    ]
    ready(f"http://{HOST}:{listener.getsockname()[1]}/")
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        page.live.close()
        server.should_exit = True
        stop.set()
        await asyncio.wait(tasks)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
    for task in tasks:
        task.result()                # raises what ended it, if it was no signal
