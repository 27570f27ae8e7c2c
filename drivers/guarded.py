"""A thread that cannot die unnoticed.

A device's thread that ends with an exception leaves the table deaf on that side and everything else running: the worst
kind of broken. `GuardedThread` keeps the exception in `failure`, logs it, and ends; whoever owns the process looks at
`failure` in his own time and ends the process, which the supervisor of services starts again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

JOIN_S = 2.0


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


class Listening:
    """A device whose guarded thread waits in poll(2), where it can be woken: `start()`, `stop()`.

    Its subclass writes `_run`, which polls `_wake_read` beside its device and ends once `_stopping` is set.
    """

    def __init__(self, name: str) -> None:
        """`name`: the thread's."""
        self._thread_name = name
        self._stopping = threading.Event()
        self._wake_read, self._wake_write = -1, -1
        self._thread: GuardedThread | None = None

    def start(self) -> None:
        """Begin to listen. **Raises** RuntimeError if it does already."""
        if self._thread is not None:
            raise RuntimeError(f"{self._thread_name} is running")
        self._stopping.clear()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = GuardedThread(self._run, self._thread_name)
        self._thread.start()

    def stop(self) -> None:
        """Give the device back and join the thread; nothing is told afterwards. May be called twice.

        Not from its own thread. **Raises** RuntimeError if the thread does not end in 2 s: whoever it tells blocks it.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        self._wake()
        thread.join(JOIN_S)
        if thread.is_alive():
            raise RuntimeError(f"{self._thread_name} does not stop: whoever it tells blocks")
        os.close(self._wake_read)
        os.close(self._wake_write)

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._thread.failure if self._thread is not None else None

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):           # the pipe is full of wake-ups already
            os.write(self._wake_write, b"w")

    def _run(self) -> None:
        raise NotImplementedError
