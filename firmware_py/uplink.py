"""The table's side of the wire: what the outbox holds reaches the hub, however often broker, hub or cable fail.

Theory of operation. One thread reads the link's mailbox and is the only one that publishes. Which events go out and
when they go out again is `sender.py`; a watermark of the hub is posted to the inbox (`LinkAcked`) and the crank forgets
those rows. Whether the hub is there is `hub_presence.py`; while it is lost, no event is sent. What the table tells of
itself is `reports.py`.

The uplink decides nothing about the table. It judges what only the wire can tell (retained, malformed, unsigned,
expired) and posts the rest to the inbox; the crank answers through `result`, `told`, `adopted` and `wake`. The uplink
never writes to the journal: it reads the outbox through its own connection.

Threads: `start` and `stop` belong to the owner; everything else may be called from any thread and returns at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from drivers.guarded import GuardedThread
from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Publication, Settings, Tls
from engine import wire
from firmware_py.hub_presence import HubPresence
from firmware_py.inbox import Link, LinkAcked, LinkAdopted, LinkClock, LinkCommand
from firmware_py.reports import Picture, Reports
from firmware_py.sender import REBUILD_S, Outbox, Sender
from firmware_py.timesync import Offset, TimeSync
from firmware_py.trust import adoption_is_signed, command_is_signed

log = logging.getLogger(__name__)

RESULTS = 256  # results that may wait for a connection
RETAINED = frozenset({"dn/want", *(f"hub/{channel.leaf}" for channel in wire.HUB)})


@dataclass
class _Asked:
    """What other threads asked for. Appending to a deque and setting a flag need no lock."""

    results: deque[wire.Result] = field(default_factory=lambda: deque(maxlen=RESULTS))
    birth: bool = False
    pending: bool = False


class _Wake(NamedTuple):
    """Put into the mailbox to make the uplink's thread look around."""


def unit_link(
    address: Address, site: str, unit: str, *, tls: Tls | None = None, username: str = "", password: str = ""
) -> MqttLink:
    """A unit's link: what the hub says to it, and to all. Not started. Raises ValueError on a bad unit id."""
    topics = wire.Topics(site)
    down = tuple((topics.unit(unit, channel.leaf), channel.qos) for channel in wire.DOWN)
    hub = tuple((topics.hub(channel.leaf), channel.qos) for channel in wire.HUB)
    return MqttLink(
        Settings(
            address=address,
            client_id=unit,
            subscriptions=down + hub,
            tls=tls,
            username=username,
            password=password,
            reconnect_cap_s=1.0 if address.path else 15.0,  # on one machine there is no herd to spread
        )
    )


class Uplink:
    """Sends what the outbox holds and posts what the hub says.

    `post` puts an entry into the inbox (False: full; the hub says it again). `adopt` is the adoption in force;
    `command_key` (hexadecimal) names the hub to obey, empty: the one that adopted this unit first.
    """

    def __init__(
        self,
        link: MqttLink,
        outbox: Outbox,
        post: Callable[[Link], bool],
        *,
        unit: str,
        site: str,
        fw: str = "",
        adopt: wire.Adopt | None = None,
        command_key: str = "",
    ) -> None:
        self._link = link
        self._outbox = outbox
        self._post = post
        self._unit = unit
        self._topics = wire.Topics(site)
        self._topic_of = {channel.leaf: self._topics.unit(unit, channel.leaf) for channel in (*wire.UP, *wire.DOWN)}
        self._leaf_of = {topic: leaf for leaf, topic in self._topic_of.items()}
        self._leaf_of |= {self._topics.hub(channel.leaf): f"hub/{channel.leaf}" for channel in wire.HUB}
        self._adopt = adopt
        self._key = command_key or (adopt.key if adopt is not None else "")  # whom this table obeys
        self._hub = HubPresence(post)
        self._sender = Sender(outbox, lambda payload: self._send("up/ev", payload, 1))
        self._asked = _Asked()
        self._sync = TimeSync()
        self._reports = Reports(outbox, self._sync, self._send, fw)
        self._reports.cfg_rev = adopt.rev if adopt is not None else 0
        self._connected_s = 0.0
        self._stop = threading.Event()
        self._thread = GuardedThread(self._run, "uplink")

    # --- for the owner and the crank

    def start(self) -> None:
        """Begins to connect and to send."""
        self._link.set_will(self._state("lost"))
        self._link.start()
        self._thread.start()

    def stop(self) -> None:
        """Says goodbye (`off`) and closes the link; at most a few seconds. What was not acknowledged stays on disk."""
        self._stop.set()
        self._link.mailbox.put(_Wake())
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._link.stop([self._state("off")])

    def wake(self) -> None:
        """The journal has committed something."""
        if not self._asked.pending:
            self._asked.pending = True
            self._link.mailbox.put(_Wake())

    def told(self, picture: Picture) -> None:
        """The public picture after the newest commit; snapshots are made of it."""
        self._reports.picture = picture

    def adopted(self, adopt: wire.Adopt) -> None:
        """The crank has committed this adoption; the unit reports itself anew."""
        self._adopt = adopt
        self._reports.cfg_rev = adopt.rev
        self._asked.birth = True
        self._link.mailbox.put(_Wake())

    def result(self, result: wire.Result) -> None:
        """What became of a command; after the commit of what it did. Lost on the way, the hub asks again."""
        self._asked.results.append(result)
        self._link.mailbox.put(_Wake())

    @property
    def hub_there(self) -> bool:
        """The hub is ready and answers."""
        return self._hub.there

    @property
    def offset(self) -> Offset | None:
        """Hub time minus this unit's monotonic ms; None before the hub's first answer, kept when it is lost."""
        return self._sync.offset

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._thread.failure

    @property
    def alive(self) -> bool:
        """The thread runs. When it does not, `failure` says why."""
        return self._thread.is_alive()

    # --- the uplink's thread

    def _run(self) -> None:
        while not self._stop.is_set():
            self._round()

    def _take(self, item: object) -> None:
        match item:
            case Message():
                self._message(item)
            case Connected():
                self._connected(item)
            case Disconnected():
                self._hub.ready = False
                self._hub.lost(item.why)
            case _Wake():
                pass
            case _:
                log.error("uplink: %r in the mailbox", item)

    def _round(self) -> None:
        item = self._link.mailbox.take(self._timeout_s())
        self._asked.pending = False
        while item is not None:
            self._take(item)
            item = self._link.mailbox.take(0.0)
        now_s = time.monotonic()
        if self._hub.judge(now_s, self._connected_s if self._link.up else None):
            self._reports.snapshot_now()
            self._sender.go_back(now_s)
        if not self._link.up:
            return
        self._report(now_s)
        if self._hub.there and not self._sender.pump(now_s):
            self._link.restart(f"the hub acknowledges nothing for {REBUILD_S:.0f} s")

    def _timeout_s(self) -> float:
        """Until the next thing is due, a second at most."""
        if not self._link.up:
            return 1.0
        now_s = time.monotonic()
        due_s = min(self._reports.next_s(), now_s + 1.0)
        if self._hub.there:
            due_s = min(due_s, self._sender.stalls_at_s())
        return max(0.01, due_s - now_s)

    def _connected(self, how: Connected) -> None:
        log.info("uplink: connected to %s, MQTT %s", self._link.settings.address, how.protocol)
        now_s = time.monotonic()
        self._connected_s = now_s  # what is retained may have come before this news: `hub.ready` is not touched here
        self._reports.connected()
        self._asked.birth = True
        self._sender.go_back(now_s)

    # --- what the hub says

    def _message(self, message: Message) -> None:
        leaf = self._leaf_of.get(message.topic, "")
        if message.retain and leaf not in RETAINED:
            log.error("uplink: a retained message on %s is ignored; clear it at the broker", message.topic)
            return
        if not message.payload:
            return  # a retained message was cleared
        if not message.retain:
            self._hub.heard_s = time.monotonic()
        try:
            match leaf:
                case "hub/state":
                    self._hub_state(wire.decode(message.payload, wire.HubState))
                case "hub/clock":
                    clock = wire.decode(message.payload, wire.Clock)
                    self._reports.clock_rev = clock.rev
                    self._post(LinkClock(clock))
                case "dn/want":
                    self._want(wire.decode(message.payload, wire.Adopt))
                case "dn/ack":
                    self._acknowledged(wire.decode(message.payload, wire.Ack))
                case "dn/resync":
                    self._resync(wire.decode(message.payload, wire.Resync))
                case "dn/cmd":
                    self._command(wire.decode(message.payload, wire.HubCommand))
                case "dn/tr":
                    reply = wire.decode(message.payload, wire.TimeReply)
                    self._sync.answered(reply.hub, reply.t1, reply.t2, reply.t3, message.at_ns / 1e6)
                case _:
                    log.warning("uplink: nothing is expected on %s", message.topic)
        except msgspec.DecodeError as trouble:
            log.error(  # noqa: TRY400 - the trouble is the sender's, our traceback tells nothing
                "uplink: a message on %s is ignored, it cannot be read: %s; it begins %r; is the hub's version ours?",
                message.topic, trouble, message.payload[:40],
            )  # fmt: skip

    def _hub_state(self, said: wire.HubState) -> None:
        now_s = time.monotonic()
        if self._hub.state(said, now_s):
            self._asked.birth = True
            self._reports.ask_time()
            self._sender.go_back(now_s)

    def _acknowledged(self, ack: wire.Ack) -> None:
        fits = self._sender.acknowledged(ack, time.monotonic())
        if fits and not self._post(LinkAcked(ack.ep, ack.wm)):
            log.warning("uplink: the inbox is full; the acknowledgement will come again")

    def _resync(self, asked: wire.Resync) -> None:
        if asked.snap:
            self._reports.snapshot_now()
        self._sender.asked_again(asked, time.monotonic())

    def _want(self, adopt: wire.Adopt) -> None:
        """An adoption; retained, so it comes again at each connect. Only a newer one is of interest."""
        now = self._adopt
        if now is not None and adopt.rev <= now.rev:
            return
        if not adoption_is_signed(self._unit, self._key, adopt):
            log.error(
                "uplink: an adoption is not signed by this table's hub and is ignored; if the hub has a new key, "
                "give it to the table as hub.command_key"
            )
            return
        self._key = self._key or adopt.key
        self._post(LinkAdopted(adopt))

    def _command(self, command: wire.HubCommand) -> None:
        if not self._key:
            return  # nobody has adopted this table; the hub says it again
        if not command_is_signed(self._unit, self._key, command):
            log.error("uplink: command %.40s is not signed by this table's hub; it is refused", command.id)
            self._asked.results.append(wire.Result(command.id, "bad_signature"))
            return
        now_ms = time.monotonic_ns() / 1e6
        offset = self._sync.offset
        if offset is not None and now_ms + offset.at(now_ms) > command.exp_ms + offset.error_at(now_ms):
            self._asked.results.append(wire.Result(command.id, "expired"))
            return
        self._post(LinkCommand(command))

    # --- what the table says

    def _report(self, now_s: float) -> None:
        """Birth, results, and what else is due."""
        asked = self._asked
        if self._sender.renewed(now_s):
            asked.birth = True
        if asked.birth:
            asked.birth = False
            self._link.set_will(self._state("lost"))
            asked.birth = not self._send("up/state", wire.encode(self._reports.state("ready")), 1, retain=True)
        while asked.results:
            if not self._send("up/res", wire.encode(asked.results[0]), 1):
                break
            asked.results.popleft()
        self._reports.tell(now_s)

    def _state(self, st: str) -> Publication:
        return Publication(self._topic_of["up/state"], wire.encode(self._reports.state(st)), 1, retain=True)

    def _send(self, leaf: str, payload: bytes, qos: int, *, retain: bool = False) -> bool:
        return self._link.publish(self._topic_of[leaf], payload, qos, retain=retain)
