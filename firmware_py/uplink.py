"""The table's side of the wire: what the outbox holds reaches the hub, however often broker, hub or cable fail.

Theory of operation. One thread reads the link's mailbox and is the only one that publishes. Events go out in order of
their `seq`, at most `wire.WINDOW` above the hub's watermark. Only a watermark of the own outbox number (`ep`) counts:
it is posted to the inbox (`LinkAcked`) and the crank forgets those rows; a broker's PUBACK proves nothing. The sender
goes back to the watermark on connect, on a new hub epoch, when the hub asks (`dn/resync`) and after `STALL_S` without
progress; going back twice in a row, it sends one event a message, so that a bad one is told from its neighbours.

The uplink decides nothing about the table. It judges what only the wire can tell (retained, malformed, unsigned,
expired) and posts the rest to the inbox; the crank answers through `result`, `told`, `adopted` and `wake`. The uplink
never writes to the journal: it reads the outbox through its own connection.

Is the hub there? It says so itself (`hub/state`), and it answers the time queries; silent for `HUB_SILENT_S`, it is
lost, and nothing is sent until it is heard again.

Threads: `start` and `stop` belong to the owner; everything else may be called from any thread and returns at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Publication, Settings, Tls
from engine import wire
from engine.view import TableView
from firmware_py.inbox import Link, LinkAcked, LinkAdopted, LinkClock, LinkCommand, LinkDown, LinkUp
from firmware_py.timesync import Offset, TimeSync
from firmware_py.trust import adoption_is_signed, command_is_signed

log = logging.getLogger(__name__)

STALL_S = 2.0  # without progress of the watermark: go back
REBUILD_S = 15.0  # the hub answers time queries and acknowledges nothing: the connection is built anew
REBUILD_EVERY_S = 60.0
HUB_SILENT_S = 12.0
TELEMETRY_S = 5.0
SNAPSHOT_S = 300.0
TIME_QUERY_S = 5.0
TIME_QUERY_FIRST_S = 1.0  # the first queries after a connect
TIME_QUERIES_FIRST = 8
RESULTS = 256  # results that may wait for a connection
OUTBOX_WARNING = 1_000  # events
OUTBOX_WARNING_MS = 60_000
RETAINED = frozenset({"dn/want", *(f"hub/{channel.leaf}" for channel in wire.HUB)})
TEMPERATURE = Path("/sys/class/thermal/thermal_zone0/temp")  # thousandths of a degree; not on every machine


class Outbox(Protocol):
    """What the uplink reads of the journal, from its own thread."""

    boot: int
    ep: int

    def outbox_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """(seq, envelope) of up to `limit` unacknowledged events above `seq`."""

    def outbox_depth(self) -> tuple[int, int, int]:
        """(first unacknowledged seq or 0, last seq ever given, age of the first in ms)."""


class Picture(NamedTuple):
    """The public picture of the table after a commit, for snapshots."""

    hand: int
    hand_rev: int
    view: TableView
    seq: int = 0  # newest event it contains; 0: the newest of the outbox


@dataclass
class _Hub:
    """What the uplink knows of the hub. Times are monotonic seconds."""

    epoch: int = 0
    ready: bool = False
    heard_s: float = 0.0
    said_up: int = 0  # the epoch posted with LinkUp; 0: LinkDown was posted
    said_down: str = ""


@dataclass
class _Sender:
    """Where the sending stands. `sent`: the newest seq under way; `acked`: the hub's watermark."""

    ep: int = 0
    acked: int = 0
    sent: int = 0
    progress_s: float = 0.0  # of the watermark, or the last going back
    acked_s: float = 0.0
    backs: int = 0  # times gone back without progress
    rebuilt_s: float = 0.0


@dataclass
class _Due:
    """When the periodic messages go out next (monotonic seconds)."""

    telemetry_s: float = 0.0
    snapshot_s: float = 0.0
    time_query_s: float = 0.0
    first_queries: int = 0
    query: int = 0


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
        self._fw = fw
        self._adopt = adopt
        self._key = command_key or (adopt.key if adopt is not None else "")  # whom this table obeys
        self._picture: Picture | None = None
        self._hub = _Hub()
        self._sender = _Sender()
        self._due = _Due()
        self._asked = _Asked()
        self._sync = TimeSync()
        self._clock_rev = 0
        self._connected_s = 0.0
        self._warned = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="uplink", daemon=True)
        self.failure: BaseException | None = None

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
        self._picture = picture

    def adopted(self, adopt: wire.Adopt) -> None:
        """The crank has committed this adoption; the unit reports itself anew."""
        self._adopt = adopt
        self._asked.birth = True
        self._link.mailbox.put(_Wake())

    def result(self, result: wire.Result) -> None:
        """What became of a command; after the commit of what it did. Lost on the way, the hub asks again."""
        self._asked.results.append(result)
        self._link.mailbox.put(_Wake())

    @property
    def hub_there(self) -> bool:
        """The hub is ready and answers."""
        return self._hub.said_up != 0

    @property
    def offset(self) -> Offset | None:
        """Hub time minus this unit's monotonic ms; None before the hub's first answer, kept when it is lost."""
        return self._sync.offset

    @property
    def alive(self) -> bool:
        """The thread runs. When it does not, `failure` says why."""
        return self._thread.is_alive()

    # --- the uplink's thread

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._round()
        except BaseException as failure:  # our own mistake: stop, and let the process be restarted
            self.failure = failure
            log.critical("uplink: stopped by %s: %s", type(failure).__name__, failure, exc_info=True)

    def _round(self) -> None:
        item = self._link.mailbox.take(self._timeout_s())
        self._asked.pending = False
        while item is not None:
            self._take(item)
            item = self._link.mailbox.take(0.0)
        now_s = time.monotonic()
        self._judge_hub(now_s)
        if self._link.up:
            self._report(now_s)
            self._pump(now_s)

    def _timeout_s(self) -> float:
        """Until the next thing is due, a second at most."""
        if not self._link.up:
            return 1.0
        now_s = time.monotonic()
        due_s = min(self._due.telemetry_s, self._due.time_query_s, now_s + 1.0)
        if self.hub_there and self._sender.sent > self._sender.acked:
            due_s = min(due_s, self._sender.progress_s + STALL_S)
        return max(0.01, due_s - now_s)

    def _take(self, item: object) -> None:
        match item:
            case Message():
                self._message(item)
            case Connected():
                self._connected(item)
            case Disconnected():
                self._hub.ready = False
                self._lost(item.why)
            case _Wake():
                pass
            case _:
                log.error("uplink: %r in the mailbox", item)

    def _connected(self, how: Connected) -> None:
        log.info("uplink: connected to %s, MQTT %s", self._link.settings.address, how.protocol)
        now_s = time.monotonic()
        self._connected_s = now_s  # what is retained may have come before this news: `hub.ready` is not touched here
        self._due = _Due(first_queries=TIME_QUERIES_FIRST, query=self._due.query)
        self._asked.birth = True
        self._go_back(now_s)

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
                    self._clock_rev = clock.rev
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
        if said.hub < self._hub.epoch and said.st != "ready":
            return  # the late will of an earlier hub
        new = said.hub != self._hub.epoch
        self._hub.ready = said.st == "ready"
        self._hub.epoch = said.hub
        if not self._hub.ready:
            self._lost(f"the hub is {said.st}")
            return
        self._hub.heard_s = time.monotonic()
        if new:
            self._asked.birth = True
            self._due.first_queries, self._due.time_query_s = TIME_QUERIES_FIRST, 0.0
            self._go_back(self._hub.heard_s)

    def _acknowledged(self, ack: wire.Ack) -> None:
        s = self._sender
        if ack.ep != s.ep or not s.ep:
            return
        _, last, _ = self._outbox.outbox_depth()
        if ack.wm > last:
            log.error("uplink: the hub has event %d, this outbox ends at %d: is this an old card?", ack.wm, last)
            return
        now_s = time.monotonic()
        if ack.wm > s.acked:
            s.acked, s.sent, s.backs = ack.wm, max(s.sent, ack.wm), 0
            s.progress_s = s.acked_s = now_s
        if not self._post(LinkAcked(ack.ep, ack.wm)):
            log.warning("uplink: the inbox is full; the acknowledgement will come again")

    def _resync(self, asked: wire.Resync) -> None:
        if asked.snap:
            self._due.snapshot_s = 0.0
        s = self._sender
        if asked.ep == s.ep and s.acked < asked.since <= s.sent:
            s.sent = asked.since - 1
            s.progress_s = time.monotonic()

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

    def _judge_hub(self, now_s: float) -> None:
        """Reports the hub as there or as lost, once for each change."""
        hub = self._hub
        if not self._link.up or not hub.ready:
            if self._link.up and now_s - self._connected_s > HUB_SILENT_S:
                self._lost("no hub at this broker; is it running?")
            return
        if now_s - hub.heard_s > HUB_SILENT_S:
            self._lost(f"the hub has been silent for {HUB_SILENT_S:.0f} s")
        elif hub.said_up != hub.epoch and self._post(LinkUp(hub.epoch)):
            hub.said_up, hub.said_down = hub.epoch, ""
            self._due.snapshot_s = 0.0
            self._go_back(now_s)

    def _lost(self, why: str) -> None:
        hub = self._hub
        if hub.said_up or why != hub.said_down:
            log.warning("uplink: %s; the table goes on", why)
            if self._post(LinkDown(why)):
                hub.said_up, hub.said_down = 0, why

    # --- what the table says

    def _report(self, now_s: float) -> None:
        """Birth, results, heartbeat, time query, snapshot: whatever is due."""
        asked, due = self._asked, self._due
        if self._outbox.ep != self._sender.ep:
            self._new_outbox(now_s)
        if asked.birth:
            asked.birth = False
            self._link.set_will(self._state("lost"))
            asked.birth = not self._publish(self._state("ready"))
        while asked.results:
            result = asked.results[0]
            if not self._link.publish(self._topic_of["up/res"], wire.encode(result), 1):
                break
            asked.results.popleft()
        if now_s >= due.telemetry_s:
            due.telemetry_s = now_s + TELEMETRY_S
            self._telemetry()
        if now_s >= due.time_query_s:
            due.first_queries = max(0, due.first_queries - 1)
            due.time_query_s = now_s + (TIME_QUERY_FIRST_S if due.first_queries else TIME_QUERY_S)
            due.query += 1
            query = wire.TimeQuery(due.query, time.monotonic_ns() / 1e6)
            self._link.publish(self._topic_of["up/tq"], wire.encode(query), 0)
        if now_s >= due.snapshot_s and self._picture is not None and self._sender.ep:
            due.snapshot_s = now_s + SNAPSHOT_S
            p = self._picture
            seq = p.seq or self._outbox.outbox_depth()[1]
            snapshot = wire.Snapshot(self._sender.ep, seq, p.hand, p.hand_rev, p.view)
            self._link.publish(self._topic_of["up/snap"], wire.encode(snapshot), 1)

    def _state(self, st: str) -> Publication:
        first, last, _ = self._outbox.outbox_depth()
        state = wire.UnitState(
            st, self._outbox.boot, self._outbox.ep, last, first - 1 if first else last, self._fw,
            cfg_rev=self._adopt.rev if self._adopt is not None else 0,
        )  # fmt: skip
        return Publication(self._topic_of["up/state"], wire.encode(state), 1, retain=True)

    def _publish(self, what: Publication) -> bool:
        return self._link.publish(what.topic, what.payload, what.qos, retain=what.retain)

    def _telemetry(self) -> None:
        first, last, age_ms = self._outbox.outbox_depth()
        waiting = last - first + 1 if first else 0
        if waiting > OUTBOX_WARNING or age_ms > OUTBOX_WARNING_MS:
            if not self._warned:
                log.warning("uplink: %d events wait for the hub, the oldest for %d s", waiting, age_ms // 1000)
            self._warned = True
        elif not waiting:
            self._warned = False
        now_ms = time.monotonic_ns() / 1e6
        offset = self._sync.offset
        told = wire.Telemetry(
            boot=self._outbox.boot, mono=int(now_ms), outbox=waiting, oldest_ms=age_ms, temp_c=_temperature(),
            offset=int(offset.at(now_ms)) if offset else 0, err=int(offset.error_at(now_ms)) + 1 if offset else -1,
            clock_rev=self._clock_rev,
        )  # fmt: skip
        self._link.publish(self._topic_of["up/tele"], wire.encode(told), 0)

    # --- the events

    def _new_outbox(self, now_s: float) -> None:
        """The outbox has got its number, or a new one: begin at its first event."""
        first, last, _ = self._outbox.outbox_depth()
        acked = first - 1 if first else last
        self._sender = _Sender(ep=self._outbox.ep, acked=acked, sent=acked, progress_s=now_s, acked_s=now_s)
        self._asked.birth = True

    def _go_back(self, now_s: float) -> None:
        self._sender.sent = self._sender.acked
        self._sender.progress_s = now_s

    def _pump(self, now_s: float) -> None:
        """Sends what the window allows; goes back when nothing has moved."""
        s = self._sender
        if not s.ep or not self.hub_there:
            return
        if s.sent > s.acked and now_s - s.progress_s > STALL_S:
            s.backs += 1
            self._go_back(now_s)
            if now_s - s.acked_s > REBUILD_S and now_s - s.rebuilt_s > REBUILD_EVERY_S:
                s.rebuilt_s = now_s
                self._link.restart(f"the hub acknowledges nothing for {REBUILD_S:.0f} s")
                return
        room = s.acked + wire.WINDOW - s.sent
        if room <= 0:
            return
        if s.sent == s.acked:
            s.progress_s = now_s
            s.acked_s = max(s.acked_s, now_s) if not s.backs else s.acked_s
        rows = self._outbox.outbox_after(s.sent, room)
        for batch in batches(rows, 1 if s.backs > 1 else wire.MAX_BATCH):
            payload = batch[0][1] if len(batch) == 1 else b"[" + b",".join(row for _, row in batch) + b"]"
            if not self._link.publish(self._topic_of["up/ev"], payload, 1):
                return
            s.sent = batch[-1][0]


def batches(rows: list[tuple[int, bytes]], most: int) -> Iterator[list[tuple[int, bytes]]]:
    """The rows in order, cut so that a message holds at most `most` events and `wire.MAX_BATCH_BYTES`."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for row in rows:
        if batch and (len(batch) == most or size + len(row[1]) > wire.MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += len(row[1]) + 1
    if batch:
        yield batch


def _temperature() -> float:
    """Degrees Celsius of the processor; 0 where the machine does not tell."""
    try:
        return int(TEMPERATURE.read_text()) / 1000
    except (OSError, ValueError):
        return 0.0
