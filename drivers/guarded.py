"""A thread that cannot die unnoticed.

A device's thread that ends with an exception leaves the table deaf on that side and everything else running: the worst
kind of broken. `GuardedThread` keeps the exception in `failure`, logs it, and ends; whoever owns the process looks at
`failure` in his own time and ends the process, which the supervisor of services starts again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class GuardedThread(threading.Thread):
    """A daemon thread of a device. `failure`: what ended it; None while it runs, and when it ended as asked."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self.failure: BaseException | None = None

    def run(self) -> None:
        """The work, under guard."""
        try:
            self._work()
        except BaseException as failure:  # our own mistake: the owner of the process looks at `failure` and ends it
            self.failure = failure
            log.critical("%s: stopped by %s: %s", self.name, type(failure).__name__, failure, exc_info=True)
