"""How the tables' events come into the store, and the hub's words reach the tables.

Theory of operation. One thread reads the link's mailbox and is the only one that publishes. Whatever lies in the
mailbox is taken in one go, judged, committed in one transaction and only then acknowledged, so that batches grow with
the load by themselves. For each unit: the next event (watermark + 1) is taken, an older one is compared with what was
committed (another digest under the same key: two units under one name), a later one waits up to `AHEAD` events and
after `GAP_S` the unit is asked to send again. What is no event is quarantined with the reason, and when it stands in
the stream's way it takes its place there, so that nothing behind it is held up.

Commands wait in the store; each unit gets the oldest open one, signed, again every `COMMAND_RETRY_S` until it answers
or it has expired. Adoptions, hub state and clock are retained and published anew on every connect, because a broker
may have forgotten them.

Liveness: a unit is live by a heartbeat or a birth of its newest boot; it is late and lost by the heartbeat's age, or
lost at once by its will. Retained news proves nothing. `units` derives it from the age whenever it is asked.

Threads: `start` and `stop` belong to the owner; `on_commit`, `on_result` and `on_unit` are called in the ingest thread
after the commit and should hand over quickly. Everything else may be called from any thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import msgspec

from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Publication, Settings, Tls
from engine import wire
from hub.records import CommandStatus, Incoming, Standing, StoredEvent, Unit, UnitStatus, poison_envelope
from hub.signing import Signer
from hub.store import Store

log = logging.getLogger(__name__)

AHEAD = 256  # events of one unit that may wait for a gap before them
BATCH = 1000  # messages of one round
GAP_S = 1.0
ACK_S = 0.02  # acknowledgements of a unit are this far apart at least
COMMAND_RETRY_S = 2.0
POISON_TIMES = 3  # so often the same single payload came at the same watermark: it stands in the way
LATE_S = 12.0
LOST_S = 20.0
TICK_S = 0.25


class Live(StrEnum):
    """Is the unit there? `late` and `lost` by the age of its last heartbeat; `off`: it said goodbye."""

    READY = "ready"
    LATE = "late"
    LOST = "lost"
    OFF = "off"


class UnitPicture(NamedTuple):
    """A unit as the pages show it. Ages in ms; -1: nothing heard since the hub started."""

    unit: str
    status: UnitStatus
    why: str
    table_no: int
    live: Live
    heard_ago_ms: int
    ep: int
    wm: int
    last: int  # newest event the unit has told of
    outbox: int
    oldest_ms: int
    offset_err_ms: int
    fw: str


class Figures(NamedTuple):
    """Counters since the start, for the log and for tests."""

    events: int = 0
    duplicates: int = 0
    resyncs: int = 0
    quarantined: int = 0
    commits: int = 0


class _Wake(NamedTuple):
    """Put into the mailbox to make the ingest thread look around."""


@dataclass
class _Stream:
    """What the ingest thread keeps of one unit. `heard_s`: monotonic time of the last sign of life, 0 for none."""

    ep: int = 0
    wm: int = 0
    status: UnitStatus = UnitStatus.SEEN
    boot: int = 0
    heard_s: float = 0.0
    said: str = ""
    ahead: dict[int, Incoming] = field(default_factory=dict)
    gap_since_s: float = 0.0
    acked_s: float = 0.0
    rev: int = 0  # of the adoption published last
    last: int = 0
    outbox: int = 0
    oldest_ms: int = 0
    err_ms: int = -1
    sent_id: str = ""
    sent_s: float = 0.0
    poison: tuple[bytes, int, int] = (b"", 0, 0)  # digest, watermark, times
    stranger_said: bool = False


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
        self._on_commit = on_commit
        self._on_result = on_result or _nothing
        self._on_unit = on_unit or _nothing
        self._signer = signer
        self._topics = wire.Topics(site)
        self._site = site
        self._streams: dict[str, _Stream] = {}
        self._ready: list[Incoming] = []
        self._ready_digests: dict[tuple[str, int], bytes] = {}
        self._acks_due: set[str] = set()
        self._gaps: set[str] = set()
        self._commands_checked_s = 0.0
        self._clock: wire.Clock | None = None
        self._clock_due = False
        self._outgoing = True
        self._snap_wanted: set[str] = set()
        self._n = 0
        self._since_ms = int(store.now_ms())
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub-ingest", daemon=True)
        self.figures = Figures()
        self.failure: BaseException | None = None
        store.on_outgoing(self.wake)

    def start(self) -> None:
        """Starts the link and the thread."""
        for unit in self._store.register.all():
            self._refresh(unit)
        self._link.start()
        self._thread.start()

    def stop(self) -> None:
        """Commits what has arrived, tells the tables that the hub is off, closes the link. At most a few seconds."""
        self._stop.set()
        self._link.mailbox.put(_Wake())
        if self._thread.is_alive():
            self._thread.join(5.0)
        off = wire.HubState("off", self._store.epoch, self._since_ms)
        self._link.stop([Publication(self._topics.hub("state"), wire.encode(off), 1, retain=True)])

    @property
    def alive(self) -> bool:
        """The thread runs. When it does not, `failure` says why, and the process should end and be started again."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """There is something to send. From any thread."""
        self._outgoing = True
        self._link.mailbox.put(_Wake())

    def publish_clock(self, clock: wire.Clock) -> None:
        """The level clock from now on; retained, and published again at every connect."""
        self._clock, self._clock_due = clock, True
        self._link.mailbox.put(_Wake())

    def ask_snapshot(self, unit: str) -> None:
        """Asks a unit for its full public picture; it is kept in the store (`snapshot`) and `on_unit` is called."""
        self._snap_wanted.add(unit)
        self._link.mailbox.put(_Wake())

    def units(self) -> list[UnitPicture]:
        """All units as they are at this moment."""
        now_s = time.monotonic()
        return [self._picture(unit, now_s) for unit in self._store.register.all()]

    def _picture(self, unit: Unit, now_s: float) -> UnitPicture:
        s = self._streams.get(unit.unit) or _Stream()
        age_s = now_s - s.heard_s if s.heard_s else -1.0
        if s.said in (Live.OFF, Live.LOST):
            live = Live(s.said)
        elif not s.heard_s or age_s > LOST_S:
            live = Live.LOST
        else:
            live = Live.LATE if age_s > LATE_S else Live.READY
        return UnitPicture(
            unit.unit, unit.status, unit.why, unit.table_no, live, int(age_s * 1000) if s.heard_s else -1, unit.ep,
            unit.wm, max(s.last, unit.wm), s.outbox, s.oldest_ms, s.err_ms, unit.fw,
        )  # fmt: skip

    # --- the ingest thread

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._round(ACK_S if self._acks_due else TICK_S)
            self._round(0.0)
        except BaseException as failure:  # our own mistake or a broken disk: stop, and let the process be restarted
            self.failure = failure
            log.critical("ingest: stopped by %s: %s; restart the hub", type(failure).__name__, failure, exc_info=True)

    def _round(self, timeout_s: float) -> None:
        """Takes what has arrived, commits it, acknowledges it, sends what is to be sent."""
        mailbox = self._link.mailbox
        item = mailbox.take(timeout_s)
        taken = 0
        while item is not None:
            self._take(item)
            taken += 1
            item = mailbox.take(0.0) if taken < BATCH else None
        self._commit()
        now_s = time.monotonic()
        self._ask_for_gaps(now_s)
        self._acknowledge(now_s)
        self._send_outgoing(now_s)

    def _take(self, item: object) -> None:
        match item:
            case Message():
                self._message(item)
            case Connected():
                log.info("hub: connected to %s, MQTT %s", self._link.settings.address, item.protocol)
                self._announce()
            case Disconnected() | _Wake():
                pass
            case _:
                log.error("ingest: %r in the mailbox", item)

    def _message(self, message: Message) -> None:
        place = message.topic.split("/")
        unit, leaf = place[4], "/".join(place[5:])
        if not wire.UNIT_ID.fullmatch(unit):
            self._quarantine(unit, f"{message.topic}: no unit id; use 3 to 32 of a-z, 0-9 and -", message.payload)
            return
        stream = self._stream(unit)
        try:
            match leaf:
                case "up/ev":
                    self._events(unit, stream, message)
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
                    self._quarantine(unit, f"{message.topic}: no topic of protocol {wire.PROTOCOL}", message.payload)
        except msgspec.DecodeError as trouble:  # includes ValidationError
            self._quarantine(unit, f"{leaf}: {trouble}", message.payload)

    def _stream(self, unit: str) -> _Stream:
        stream = self._streams.get(unit)
        if stream is None:
            stream = self._streams[unit] = _Stream()
            known = self._store.register.of(unit)
            if known is not None:
                self._refresh(known)
        return stream

    def _refresh(self, unit: Unit) -> None:
        """Brings the thread's picture of a unit in line with the store's."""
        s = self._streams.setdefault(unit.unit, _Stream())
        if (s.ep, s.wm) != (unit.ep, unit.wm):
            s.ahead.clear()
            s.gap_since_s = 0.0
        s.ep, s.wm, s.status, s.boot = unit.ep, unit.wm, unit.status, max(s.boot, unit.boot)

    # --- events

    def _events(self, unit: str, stream: _Stream, message: Message) -> None:
        if message.retain:
            self._quarantine(unit, "up/ev: a retained event; events are news and never retained", message.payload)
            return
        if stream.status not in (UnitStatus.ADOPTED, UnitStatus.RETIRED):
            if stream.status is UnitStatus.SEEN and not stream.stranger_said:
                stream.stranger_said = True
                log.warning("hub: unit %s sends events and has no table here; adopt it", unit)
            return
        raw = message.payload
        try:
            elements = (
                wire.decode(raw, list[msgspec.Raw]) if raw[:1] == b"[" else [msgspec.Raw(raw)]
            )
            if len(elements) > wire.MAX_BATCH:
                raise msgspec.ValidationError(f"{len(elements)} events in one message, at most {wire.MAX_BATCH}")
            for element in elements:
                self._event(unit, stream, bytes(element))
        except msgspec.DecodeError as trouble:
            self._poison(unit, stream, raw, f"up/ev: {trouble}")

    def _event(self, unit: str, stream: _Stream, raw: bytes) -> None:
        """One envelope. Raises msgspec.DecodeError when it is none."""
        envelope = wire.decode(raw, wire.Envelope)
        if envelope.unit != unit:
            raise msgspec.ValidationError(f"an event of unit {envelope.unit[:40]!r} on the topic of {unit}")
        if envelope.ep != stream.ep:
            self._other_ep(unit, stream, envelope)
            return
        digest = wire.digest(envelope)
        if envelope.seq <= stream.wm:
            self._again(unit, envelope, digest, raw)
            return
        incoming = _judged(envelope, digest, raw)
        if envelope.seq > stream.wm + 1:
            self._too_early(unit, stream, incoming)
            return
        self._next(unit, stream, incoming)

    def _next(self, unit: str, stream: _Stream, incoming: Incoming) -> None:
        """The event at watermark + 1, and those that waited for it."""
        following: Incoming | None = incoming
        while following is not None:
            self._ready.append(following)
            self._ready_digests[unit, following.envelope.seq] = following.digest
            if following.standing is Standing.MALFORMED:
                self._quarantine(unit, f"event {following.envelope.seq}: {following.standing}", following.raw)
            stream.wm = following.envelope.seq
            following = stream.ahead.pop(stream.wm + 1, None)
        self._acks_due.add(unit)
        if not stream.ahead:
            stream.gap_since_s = 0.0
            self._gaps.discard(unit)

    def _too_early(self, unit: str, stream: _Stream, incoming: Incoming) -> None:
        if not stream.gap_since_s:
            stream.gap_since_s = time.monotonic()
            self._gaps.add(unit)
        if len(stream.ahead) < AHEAD:
            stream.ahead[incoming.envelope.seq] = incoming

    def _again(self, unit: str, envelope: wire.Envelope, digest: bytes, raw: bytes) -> None:
        """An event that is committed, or about to be: the same, or two units under one name."""
        known = self._ready_digests.get((unit, envelope.seq)) or self._store.digest_of(unit, envelope.ep, envelope.seq)
        self._acks_due.add(unit)
        self.figures = self.figures._replace(duplicates=self.figures.duplicates + 1)
        if known is None or known == digest:
            return
        self._commit()
        self._quarantine(unit, f"event {envelope.ep}/{envelope.seq} differs from the one committed", raw)
        why = f"two different events {envelope.seq}: is there a second unit of this name, or an old card restored?"
        self._store.register.quarantine(unit, why)
        log.error("hub: unit %s is quarantined: %s Adopt it again when it is clear", unit, why)
        self._changed(unit)

    def _other_ep(self, unit: str, stream: _Stream, envelope: wire.Envelope) -> None:
        """An event of another incarnation stays in its unit's outbox; the retained adoption tells the unit of ours."""
        if not stream.stranger_said:
            stream.stranger_said = True
            log.warning(
                "hub: unit %s sends under outbox number %d, here it has %d; it is told", unit, envelope.ep, stream.ep
            )
            self._want(unit)

    def _poison(self, unit: str, stream: _Stream, raw: bytes, reason: str) -> None:
        """A payload that is no event. It is kept; when nothing else comes in its place, it takes that place."""
        self._quarantine(unit, reason, raw)
        digest = wire.digest_of_bytes(raw)
        before, wm, times = stream.poison
        times = times + 1 if (before, wm) == (digest, stream.wm) else 1
        stream.poison = (digest, stream.wm, times)
        if times >= POISON_TIMES and raw[:1] != b"[":
            log.error("hub: unit %s: event %d is unreadable (%s); kept in quarantine", unit, stream.wm + 1, reason)
            self._store.troubles.alarm(unit, "poison", f"event {stream.wm + 1} is unreadable: {reason}")
            stream.poison = (b"", 0, 0)
            place = poison_envelope(unit, stream.ep, stream.wm + 1)
            self._next(unit, stream, Incoming(place, None, digest, raw, Standing.POISON))

    def _commit(self) -> None:
        batch, self._ready = self._ready, []
        self._ready_digests.clear()
        if not batch:
            return
        stored = self._store.commit(batch)
        f = self.figures
        self.figures = f._replace(events=f.events + len(batch), commits=f.commits + 1)
        self._on_commit(stored)

    # --- the other topics of a unit

    def _state(self, unit: str, stream: _Stream, message: Message) -> None:
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
        self._commit()
        self._store.register.heard(unit, said)
        self._changed(unit)
        stream.stranger_said = False
        stream.acked_s = stream.sent_s = 0.0
        self._acks_due.add(unit)
        if stream.status is UnitStatus.ADOPTED and said.ep != stream.ep:
            self._want(unit)

    def _alive(self, unit: str, stream: _Stream) -> None:
        stream.heard_s = time.monotonic()
        if stream.said != Live.READY:
            stream.said = Live.READY
            self._on_unit(unit)

    def _telemetry(self, unit: str, stream: _Stream, message: Message) -> None:
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

    def _result(self, unit: str, stream: _Stream, message: Message) -> None:
        result = wire.decode(message.payload, wire.Result)
        status = self._store.commands.answered(unit, result)
        if status is not None:
            stream.sent_id = ""
            self._outgoing = True
            self._on_result(status)

    def _snapshot(self, unit: str, stream: _Stream, message: Message) -> None:
        snapshot = wire.decode(message.payload, wire.Snapshot)
        if snapshot.ep == stream.ep and stream.status is UnitStatus.ADOPTED:
            self._commit()
            self._store.keep_snapshot(unit, snapshot)
            self._on_unit(unit)

    def _quarantine(self, unit: str, reason: str, raw: bytes) -> None:
        if self._store.troubles.keep(unit, reason, raw) == 1:
            log.error("hub: a message of unit %s cannot be used and is kept in quarantine: %s", unit, reason)
        self.figures = self.figures._replace(quarantined=self.figures.quarantined + 1)

    def _changed(self, unit: str) -> None:
        known = self._store.register.of(unit)
        if known is not None:
            self._refresh(known)
        self._on_unit(unit)

    # --- down to the tables

    def _announce(self) -> None:
        """After each connect: everything retained anew, because the broker may have forgotten it."""
        ready = wire.HubState("ready", self._store.epoch, self._since_ms)
        self._link.publish(self._topics.hub("state"), wire.encode(ready), 1, retain=True)
        self._clock_due = self._clock is not None
        for unit in self._store.register.all():
            self._stream(unit.unit).rev = 0
        self._acks_due.update(self._streams)
        for stream in self._streams.values():
            stream.sent_s = 0.0
        self._outgoing = True

    def _want(self, unit: str) -> bool:
        """Tells a unit what it is wanted to be. False: that could not be sent now."""
        adopt = self._store.register.adoption(unit)
        if adopt is None:
            return True
        signed = self._signer.adoption(unit, adopt)
        sent = self._link.publish(self._topics.unit(unit, "dn/want"), wire.encode(signed), 1, retain=True)
        if sent:
            self._stream(unit).rev = adopt.rev
        return sent

    def _ask_for_gaps(self, now_s: float) -> None:
        for unit in self._gaps:
            stream = self._streams[unit]
            if stream.gap_since_s and now_s - stream.gap_since_s > GAP_S:
                stream.gap_since_s = now_s
                self.figures = self.figures._replace(resyncs=self.figures.resyncs + 1)
                again = wire.Resync(stream.ep, stream.wm + 1)
                self._link.publish(self._topics.unit(unit, "dn/resync"), wire.encode(again), 1)

    def _acknowledge(self, now_s: float) -> None:
        """Tells units how far they are committed; to one that cannot be reached now it is told at the next connect."""
        for unit in [u for u in self._acks_due if now_s - self._streams[u].acked_s >= ACK_S]:
            self._acks_due.discard(unit)
            stream = self._streams[unit]
            if stream.ep and stream.status in (UnitStatus.ADOPTED, UnitStatus.RETIRED):
                ack = wire.Ack(stream.ep, stream.wm, self._store.epoch)
                self._link.publish(self._topics.unit(unit, "dn/ack"), wire.encode(ack), 1)
                stream.acked_s = now_s

    def _send_outgoing(self, now_s: float) -> None:
        """Adoptions, snapshots asked for, the clock, and each unit's oldest command."""
        if not self._link.up:
            return
        if self._clock_due and self._clock is not None:
            self._clock_due = not self._link.publish(
                self._topics.hub("clock"), wire.encode(self._clock), 1, retain=True
            )
        while self._snap_wanted:
            unit = self._snap_wanted.pop()
            please = wire.Resync(self._stream(unit).ep, 0, snap=True)
            self._link.publish(self._topics.unit(unit, "dn/resync"), wire.encode(please), 1)
        if self._outgoing:
            self._outgoing = False
            self._commands_checked_s = 0.0
            for known in self._store.register.all():
                self._refresh(known)
                if known.rev != self._stream(known.unit).rev and not self._want(known.unit):
                    self._outgoing = True  # the session's queue is full: the rest in the next round
        if now_s - self._commands_checked_s >= TICK_S:
            self._commands_checked_s = now_s
            for command in self._store.commands.open():
                self._send_command(command, now_s)

    def _send_command(self, command: CommandStatus, now_s: float) -> None:
        stream = self._stream(command.unit)
        if self._store.now_ms() > command.exp_ms:
            expired = wire.Result(command.id, "expired", "the unit did not answer")
            status = self._store.commands.answered(command.unit, expired)
            self._outgoing = True
            if status is not None:
                self._on_result(status)
            return
        if stream.sent_id == command.id and now_s - stream.sent_s < COMMAND_RETRY_S:
            return
        self._n += 1
        unsigned = wire.HubCommand(
            command.id, self._store.epoch, self._n, command.exp_ms, msgspec.Raw(command.body),
            when=wire.Precondition(command.hand),
        )  # fmt: skip
        signed = self._signer.command(command.unit, unsigned)
        if self._link.publish(self._topics.unit(command.unit, "dn/cmd"), wire.encode(signed), 1):
            stream.sent_id, stream.sent_s = command.id, now_s
            self._store.commands.tried(command.id)


def _judged(envelope: wire.Envelope, digest: bytes, raw: bytes) -> Incoming:
    """The event with its body, or with the standing that says why it has none."""
    if len(raw) > wire.MAX_BYTES:
        return Incoming(envelope, None, digest, raw, Standing.MALFORMED)
    try:
        body = wire.decode_body(envelope)
    except msgspec.DecodeError:
        return Incoming(envelope, None, digest, raw, Standing.MALFORMED)
    return Incoming(envelope, body, digest, raw, Standing.OK if body is not None else Standing.UNKNOWN)


def _nothing(_: object) -> None:
    """Nobody listens."""
