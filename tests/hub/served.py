"""Pages over a picture, on a real socket, for browsers and for streams."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from hub.service import listen
from hub.web.app import application
from tests.hub.evening import Evening


class Served:
    """A running site. `url` has no slash at the end; `do` runs something in its event loop and waits for it."""

    def __init__(self, evening: Evening, url: str, loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> None:
        self.evening = evening
        self.url = url
        self.end = end
        self._loop = loop

    def do(self, what: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Runs `what` where the pages run."""

        async def run() -> Any:
            return what(*arguments, **named)

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(5)


@contextmanager
def served(evening: Evening, names: tuple[str, ...] = ("127.0.0.1",)) -> Iterator[Served]:
    """Serves `evening` from a thread of its own until the end of the `with`, or until `end()`."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(
            application(evening, names), lifespan="off", ws="none", log_config=None, timeout_graceful_shutdown=1
        )
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(server.serve(sockets=[listener])), name="served", daemon=True
    )

    def end() -> None:
        if thread.is_alive():
            loop.call_soon_threadsafe(evening.live.close)
            server.should_exit = True
            thread.join(5)
            assert not thread.is_alive(), "the pages do not stop"

    thread.start()
    try:
        yield Served(evening, f"http://127.0.0.1:{listener.getsockname()[1]}", loop, end)
    finally:
        end()
        loop.close()
        listener.close()
