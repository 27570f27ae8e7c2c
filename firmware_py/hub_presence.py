"""Is the hub there? It says so itself, and it answers the time queries; silent for `HUB_SILENT_S`, it is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable

from engine import wire
from firmware_py.inbox import Link, LinkDown, LinkUp

log = logging.getLogger(__name__)

HUB_SILENT_S = 12.0


class HubPresence:
    """What the uplink knows of the hub; `post` tells the crank of each change once. Times are monotonic seconds."""

    def __init__(self, post: Callable[[Link], bool]) -> None:
        self._post = post
        self.epoch = 0
        self.ready = False
        self.heard_s = 0.0
        self._said_up = 0  # the epoch posted with LinkUp; 0: LinkDown was posted
        self._said_down = ""

    @property
    def there(self) -> bool:
        """The hub is ready and answers."""
        return self._said_up != 0

    def state(self, said: wire.HubState, now_s: float) -> bool:
        """What the hub says of itself. True: it is ready, and another life of it than before."""
        if said.hub < self.epoch and said.st != "ready":
            return False  # the late will of an earlier hub
        new = said.hub != self.epoch
        self.ready = said.st == "ready"
        self.epoch = said.hub
        if not self.ready:
            self.lost(f"the hub is {said.st}")
            return False
        self.heard_s = now_s
        return new

    def judge(self, now_s: float, connected_s: float | None) -> bool:
        """Reports the hub as there or as lost. True: it has just come. `connected_s`: None without a connection."""
        if connected_s is None or not self.ready:
            if connected_s is not None and now_s - connected_s > HUB_SILENT_S:
                self.lost("no hub at this broker; is it running?")
            return False
        if now_s - self.heard_s > HUB_SILENT_S:
            self.lost(f"the hub has been silent for {HUB_SILENT_S:.0f} s")
        elif self._said_up != self.epoch and self._post(LinkUp(self.epoch)):
            self._said_up, self._said_down = self.epoch, ""
            return True
        return False

    def lost(self, why: str) -> None:
        """The hub is not there; said once for each reason."""
        if self._said_up or why != self._said_down:
            log.warning("uplink: %s; the table goes on", why)
            if self._post(LinkDown(why)):
                self._said_up, self._said_down = 0, why
