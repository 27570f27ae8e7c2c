"""How the tables' events come into the store, and the hub's words reach the tables.

Theory of operation. One thread reads the link's mailbox and is the only one that publishes. Whatever lies in the
mailbox is taken in one go, judged (`intake.py`), committed in one transaction and only then acknowledged, so that
batches grow with the load by themselves; then what the tables must hear goes out (`outgoing.py`). What the thread
keeps of each unit, and whether the unit is there, is `streams.py`.

Threads: `start` and `stop` belong to the owner; `on_commit`, `on_result` and `on_unit` are called in the ingest thread
after the commit and should hand over quickly. Everything else may be called from any thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from drivers.guarded import GuardedThread
from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Publication, Settings, Tls
from engine import wire
from hub.intake import Figures, Intake
from hub.outgoing import ACK_S, Outgoing
from hub.records import CommandStatus, StoredEvent, UnitStatus
from hub.signing import Signer
from hub.store import Store
from hub.streams import Live, Stream, Streams, UnitPicture

log = logging.getLogger(__name__)

BATCH = 1000  # messages of one round
TICK_S = 0.25


class _Wake(NamedTuple):
    """Put into the mailbox to make the ingest thread look around."""


def hub_link(
    address: Address, site: str, epoch: int, *, tls: Tls | None = None, username: str = "", password: str = ""
) -> MqttLink:
    """The hub's link: its subscriptions, and its death as a retained `hub/state`. Not started."""
    topics = wire.Topics(site)
    settings = Settings(
        address=address,
        client_id=f"hub-{site}",
        subscriptions=tuple((topics.every_unit(channel.leaf), channel.qos) for channel in wire.UP),
        tls=tls,
        username=username,
        password=password,
        will_delay_s=0,
        reconnect_cap_s=1.0 if address.path else 5.0,
    )
    link = MqttLink(settings)
    gone = wire.HubState("lost", epoch, 0)
    link.set_will(Publication(topics.hub("state"), wire.encode(gone), 1, retain=True))
    return link


class Ingest:
    """Takes the units' messages in and sends them the hub's. `stop` says goodbye to the tables."""

    def __init__(
        self,
        store: Store,
        link: MqttLink,
        on_commit: Callable[[list[StoredEvent]], None],
        *,
        site: str,
        signer: Signer,
        on_result: Callable[[CommandStatus], None] | None = None,
        on_unit: Callable[[str], None] | None = None,
    ) -> None:
        self._store = store
        self._link = link
        self._on_result = on_result or _nothing
        self._on_unit = on_unit or _nothing
        self._topics = wire.Topics(site)
        self._streams = Streams(store)
        self._outgoing = Outgoing(store, link, self._streams, self._topics, signer, self._on_result)
        self._intake = Intake(store, self._streams, on_commit, self._changed, self._outgoing.want)
        self._stop = threading.Event()
        self._thread = GuardedThread(self._run, "hub-ingest")
        store.on_outgoing(self.wake)

    def start(self) -> None:
        """Starts the link and the thread."""
        for unit in self._store.register.all():
            self._streams.refresh(unit)
        self._link.start()
        self._thread.start()

    def stop(self) -> None:
        """Commits what has arrived, tells the tables that the hub is off, closes the link. At most a few seconds."""
        self._stop.set()
        self._link.mailbox.put(_Wake())
        if self._thread.is_alive():
            self._thread.join(5.0)
        off = self._outgoing.state("off")
        self._link.stop([Publication(self._topics.hub("state"), wire.encode(off), 1, retain=True)])

    @property
    def failure(self) -> BaseException | None:
        """What ended the thread: a mistake of ours or a broken disk; None: nothing did."""
        return self._thread.failure

    @property
    def alive(self) -> bool:
        """The thread runs. When it does not, `failure` says why, and the process should end and be started again."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """There is something to send. From any thread."""
        self._outgoing.look()
        self._link.mailbox.put(_Wake())

    def publish_clock(self, clock: wire.Clock) -> None:
        """The level clock from now on; retained, and published again at every connect."""
        self._outgoing.show_clock(clock)
        self._link.mailbox.put(_Wake())

    def ask_snapshot(self, unit: str) -> None:
        """Asks a unit for its full public picture; it is kept in the store (`snapshot`) and `on_unit` is called."""
        self._outgoing.ask_snapshot(unit)
        self._link.mailbox.put(_Wake())

    def units(self) -> list[UnitPicture]:
        """All units as they are at this moment."""
        now_s = time.monotonic()
        return [self._streams.picture(unit, now_s) for unit in self._store.register.all()]

    @property
    def figures(self) -> Figures:
        """How much was taken in since the start."""
        return self._intake.figures

    # --- the ingest thread

    def _run(self) -> None:
        while not self._stop.is_set():
            self._round(ACK_S if self._streams.acks_due else TICK_S)
        self._round(0.0)

    def _round(self, timeout_s: float) -> None:
        """Takes what has arrived, commits it, acknowledges it, sends what is to be sent."""
        mailbox = self._link.mailbox
        item = mailbox.take(timeout_s)
        taken = 0
        while item is not None:
            self._take(item)
            taken += 1
            item = mailbox.take(0.0) if taken < BATCH else None
        self._intake.commit()
        now_s = time.monotonic()
        self._outgoing.ask_for_gaps(now_s)
        self._outgoing.acknowledge(now_s)
        self._outgoing.send(now_s)

    def _take(self, item: object) -> None:
        match item:
            case Message():
                self._message(item)
            case Connected():
                log.info("hub: connected to %s, MQTT %s", self._link.settings.address, item.protocol)
                self._outgoing.announce()
            case Disconnected() | _Wake():
                pass
            case _:
                log.error("ingest: %r in the mailbox", item)

    def _message(self, message: Message) -> None:
        place = message.topic.split("/")
        unit, leaf = place[4], "/".join(place[5:])
        if not wire.UNIT_ID.fullmatch(unit):
            why = f"{message.topic}: no unit id; use 3 to 32 of a-z, 0-9 and -"
            self._intake.quarantine(unit, why, message.payload)
            return
        stream = self._streams.of(unit)
        try:
            match leaf:
                case "up/ev":
                    self._intake.events(unit, stream, message)
                case "up/state":
                    self._state(unit, stream, message)
                case "up/tele":
                    self._telemetry(unit, stream, message)
                case "up/tq":
                    self._time_query(unit, message)
                case "up/res":
                    self._result(unit, stream, message)
                case "up/snap":
                    self._snapshot(unit, stream, message)
                case _:
                    why = f"{message.topic}: no topic of protocol {wire.PROTOCOL}"
                    self._intake.quarantine(unit, why, message.payload)
        except msgspec.DecodeError as trouble:  # includes ValidationError
            self._intake.quarantine(unit, f"{leaf}: {trouble}", message.payload)

    # --- the other topics of a unit

    def _state(self, unit: str, stream: Stream, message: Message) -> None:
        if not message.payload:
            return  # the owner cleared its retained state
        said = wire.decode(message.payload, wire.UnitState)
        if said.boot < stream.boot:
            return  # the late will of an earlier life
        if said.st != "ready":
            if not message.retain or not stream.heard_s:
                stream.said = Live.OFF if said.st == "off" else Live.LOST
                self._on_unit(unit)
            return
        stream.boot = said.boot
        stream.last = max(said.last, stream.wm)
        if not message.retain:
            self._alive(unit, stream)
        if message.retain and stream.status is UnitStatus.ADOPTED:
            return  # it says it again now that the hub is here; the broker's memory is no ground to issue numbers on
        self._intake.commit()
        self._store.register.heard(unit, said)
        self._changed(unit)
        stream.stranger_said = False
        stream.acked_s = stream.sent_s = 0.0
        self._streams.acks_due.add(unit)
        if stream.status is UnitStatus.ADOPTED and said.ep != stream.ep:
            self._outgoing.want(unit)

    def _alive(self, unit: str, stream: Stream) -> None:
        stream.heard_s = time.monotonic()
        if stream.said != Live.READY:
            stream.said = Live.READY
            self._on_unit(unit)

    def _telemetry(self, unit: str, stream: Stream, message: Message) -> None:
        told = wire.decode(message.payload, wire.Telemetry)
        if told.boot < stream.boot or message.retain:
            return
        stream.boot = told.boot
        stream.outbox, stream.oldest_ms, stream.err_ms = told.outbox, told.oldest_ms, told.err
        self._alive(unit, stream)

    def _time_query(self, unit: str, message: Message) -> None:
        asked = wire.decode(message.payload, wire.TimeQuery)
        if message.retain:
            return
        waited_ms = (time.monotonic_ns() - message.at_ns) / 1e6
        now_ms = self._store.now_ms()
        reply = wire.TimeReply(asked.n, asked.t1, now_ms - waited_ms, now_ms, self._store.epoch)
        self._link.publish(self._topics.unit(unit, "dn/tr"), wire.encode(reply), 0)

    def _result(self, unit: str, stream: Stream, message: Message) -> None:
        result = wire.decode(message.payload, wire.Result)
        status = self._store.commands.answered(unit, result)
        if status is not None:
            stream.sent_id = ""
            self._outgoing.look()
            self._on_result(status)

    def _snapshot(self, unit: str, stream: Stream, message: Message) -> None:
        snapshot = wire.decode(message.payload, wire.Snapshot)
        if snapshot.ep == stream.ep and stream.status is UnitStatus.ADOPTED:
            self._intake.commit()
            self._store.keep_snapshot(unit, snapshot)
            self._on_unit(unit)

    def _changed(self, unit: str) -> None:
        known = self._store.register.of(unit)
        if known is not None:
            self._streams.refresh(known)
        self._on_unit(unit)


def _nothing(_: object) -> None:
    """Nobody listens."""
