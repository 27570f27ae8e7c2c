"""Waiting for something that another thread or process does, with a limit."""

import threading
import time
from collections.abc import Callable

POLL_S = 0.005


def until(predicate: Callable[[], object], timeout_s: float = 5.0) -> None:
    """Returns as soon as `predicate()` is true; fails the test if it is not within `timeout_s`."""
    pause = threading.Event()
    deadline = time.monotonic() + timeout_s
    while not predicate():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout_s} s: {predicate}")
        pause.wait(POLL_S)
