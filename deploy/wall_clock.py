"""A wall clock: a long chain of LED modules that shows the hub's clock, with the same faces as the tables.

It hears the retained anchor (`hub/clock`) and asks the hub's time as a table does, under a name of its own; it sends
nothing else and the hub knows nothing of it. When the hub falls silent the clock goes on through the schedule, and says
so. One thread: `run` takes what has come, asks, shows.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable

import msgspec

from deploy.certificates import name_in
from drivers.led_clock import LedClock
from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Settings, Tls
from engine import wire
from firmware_py.faces import ClockFace, face, face_of
from firmware_py.level_clock import LevelClock
from firmware_py.timesync import TimeSync

log = logging.getLogger(__name__)

MODULES = (8, 12, 16)            # a MAX7219 chain of more dims at its far end
TURN_S = 0.05
FIRST_QUERIES, FIRST_EVERY_S, EVERY_S = 8, 0.25, 5.0
LOST_S = 15.0                    # three queries without an answer: the hub is lost


class WallClock:
    """The clock of one room. `seen` is what it shows."""

    def __init__(
        self,
        address: Address,
        site: str,
        display: LedClock,
        modules: int,
        *,
        language: str = "it",
        tls: Tls | None = None,
    ) -> None:
        """`modules` as the display has. With a certificate the clock is known by the name in it.

        **Raises** ValueError for a site or length that cannot be, WrongUse or OSError for a certificate of no use.
        """
        if modules not in MODULES:
            raise ValueError(f"{modules} modules; a wall clock has {', '.join(map(str, MODULES))}")
        self._name = name_in(tls.cert) if tls is not None and tls.cert else f"wall-{secrets.token_hex(4)}"
        self._topics = wire.Topics(site)
        self._display, self._modules, self._language = display, modules, language
        leaves = ((self._topics.hub("state"), 1), (self._topics.hub("clock"), 1), (self._reply, 0))
        self._link = MqttLink(Settings(address=address, client_id=self._name, subscriptions=leaves, tls=tls))
        self._clock = LevelClock(None, autonomous=True)
        self._sync = TimeSync()
        self._ready = False
        self._queries, self._query_s = 0, 0.0
        self._heard_s = self._lost_s = time.monotonic()
        self.seen = ClockFace(0)

    @property
    def _reply(self) -> str:
        return self._topics.unit(self._name, "dn/tr")

    def run(self, stopping: Callable[[], bool]) -> None:
        """Shows the clock until `stopping`; then darkens the chain. **Raises** OSError for TLS files of no use."""
        self._link.start()
        try:
            while not stopping():
                item = self._link.mailbox.take(TURN_S)
                while item is not None:
                    self._hear(item)
                    item = self._link.mailbox.take(0.0)
                now_s = time.monotonic()
                self._ask(now_s)
                self.seen = self._face(now_s)
                self._display.show(face(self.seen, self._modules), now_s)
        finally:
            self._link.stop()
            self._display.close()

    def _hear(self, item: object) -> None:
        if isinstance(item, Connected):
            self._queries, self._query_s = 0, 0.0
        elif isinstance(item, Disconnected):
            log.warning("wall clock: it goes on alone")  # the link has said why
            self._ready = False
        elif isinstance(item, Message) and item.payload:
            try:
                self._message(item)
            except msgspec.DecodeError as trouble:
                log.error("wall clock: a message on %s is ignored: %s", item.topic, trouble)  # noqa: TRY400 - theirs

    def _message(self, message: Message) -> None:
        if message.topic == self._topics.hub("clock"):
            self._clock.hear(wire.decode(message.payload, wire.Clock))
        elif message.topic == self._topics.hub("state"):
            self._ready = wire.decode(message.payload, wire.HubState).st == "ready"
            self._queries, self._query_s = 0, 0.0
            self._heard_s = time.monotonic()
        else:
            reply = wire.decode(message.payload, wire.TimeReply)
            self._sync.answered(reply.hub, reply.t1, reply.t2, reply.t3, message.at_ns / 1e6)
            self._heard_s = time.monotonic()

    def _ask(self, now_s: float) -> None:
        if now_s < self._query_s or not self._link.up:
            return
        self._queries += 1
        self._query_s = now_s + (FIRST_EVERY_S if self._queries < FIRST_QUERIES else EVERY_S)
        query = wire.TimeQuery(self._queries, time.monotonic_ns() / 1e6)
        self._link.publish(self._topics.unit(self._name, "up/tq"), wire.encode(query), 0)

    def _face(self, now_s: float) -> ClockFace:
        there = self._ready and now_s - self._heard_s < LOST_S
        if there:
            self._lost_s = now_s
        lost_ms = None if there else round(1000 * (now_s - self._lost_s))
        offset, now_ms = self._sync.offset, time.monotonic_ns() / 1e6
        hub_ms = None if offset is None else int(now_ms + offset.at(now_ms))
        read = self._clock.reading(hub_ms, hub_there=there)
        shown_ms = int(now_ms) if hub_ms is None else hub_ms
        return face_of(read, shown_ms, self._language, hub_lost_ms=lost_ms)
