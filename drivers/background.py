"""A slow display behind a fast table: the newest picture is shown by a thread of its own, older ones are dropped.

A character display on I2C takes tens of milliseconds for a page and may hang for a second when its cable is loose; the
crank that hands out pictures must feel nothing of it. `InBackground(display).show(...)` returns at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, ParamSpec

log = logging.getLogger(__name__)


P = ParamSpec("P")


class InBackground(Generic[P]):
    """Calls `show` in a thread named `name`, always with the arguments that were offered last."""

    def __init__(self, name: str, show: Callable[P, object]) -> None:
        self._show = show
        self._turn = threading.Condition()
        self._next: Callable[[], object] | None = None
        self._busy = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def show(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Offers a picture; one that was not shown yet is forgotten. Never blocks."""
        with self._turn:
            self._next = lambda: self._show(*args, **kwargs)
            self._turn.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Waits until everything offered so far is shown or was overtaken; False when that took too long."""
        with self._turn:
            return self._turn.wait_for(lambda: self._next is None and not self._busy, timeout_s)

    def stop(self, timeout_s: float = 2.0) -> None:
        """Shows the last picture and ends; a display that hangs for longer than `timeout_s` is left behind."""
        with self._turn:
            self._ended = True
            self._turn.notify_all()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._next is not None or self._ended)
                if self._next is None:
                    return
                picture, self._next, self._busy = self._next, None, True
            try:
                picture()
            except Exception:
                # A display reports its own troubles; what arrives here is our mistake: the next picture may be fine.
                log.exception("%s: a picture could not be shown", self._thread.name)
            with self._turn:
                self._busy = False
                self._turn.notify_all()
