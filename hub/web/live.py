"""Who watches which fragment, and what each watcher has not seen yet.

A watcher never queues messages: it holds the set of fragments that changed since it last looked, and draws their newest
text when it gets round to it. So a slow browser costs a bounded set and skips what is out of date by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import TracebackType
from typing import Self

MAX_WATCHERS = 500
"""Browsers at once; beyond it a new one is told to come back later."""


class TooManyWatchers(Exception):  # noqa: N818 - it is a limit, not an error of ours
    """Every place is taken."""


class Watcher:
    """One open page: the names it may show and those that changed."""

    def __init__(self, names: frozenset[str], live: Live) -> None:
        self.names = names
        self._live = live
        self._changed: dict[str, None] = dict.fromkeys(sorted(names))
        self._woken = asyncio.Event()
        self._woken.set()

    def __enter__(self) -> Self:
        """Takes its place. Raises TooManyWatchers: others of the same moment may have taken the last one."""
        if len(self._live.watchers) >= MAX_WATCHERS:
            raise TooManyWatchers
        self._live.watchers.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.watchers.discard(self)

    def touch(self, name: str) -> None:
        """Marks a fragment as changed, if this page shows it."""
        family = name.partition("-")[0]
        if name in self.names or family in self.names:
            self._changed[name] = None
            self._woken.set()

    def wake(self) -> None:
        """Ends a wait without a change."""
        self._woken.set()

    async def changed(self, timeout_s: float) -> list[str]:
        """The fragments that changed, in the order in which they did; empty after `timeout_s` without any."""
        try:
            await asyncio.wait_for(self._woken.wait(), timeout_s)
        except TimeoutError:
            return []
        self._woken.clear()
        names = list(self._changed)
        self._changed.clear()
        return names


class Live:
    """All open pages. Belongs to the event loop; call it from nowhere else."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.closed = False

    def watch(self, names: Iterable[str]) -> Watcher:
        """A new page; everything it shows counts as changed. Raises TooManyWatchers."""
        if self.closed or len(self.watchers) >= MAX_WATCHERS:
            raise TooManyWatchers
        return Watcher(frozenset(names), self)

    def touch(self, *names: str) -> None:
        """These fragments have changed."""
        for watcher in self.watchers:
            for name in names:
                watcher.touch(name)

    def close(self) -> None:
        """Ends every stream, so that a stop of the server need not wait for browsers to leave."""
        self.closed = True
        for watcher in list(self.watchers):
            watcher.wake()
