"""The wire: events a second that a hub takes in, and how long one takes from the table's publish to the hub's commit.

A real broker between, SQLite with `synchronous=FULL`, units that keep to the window of 32 and wait for the watermark.
The peer is the simplest thing with the same promise: a paho subscriber that commits each message before it acknowledges
it (QoS 1, `manual_ack`), with no window, no number, no digest and no derived rows.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from benchmarks.row import Row, percentile
from deploy import broker
from drivers.mqtt_link import Address, Connected, Message, MqttLink, Settings
from engine import wire
from hub.ingest import Ingest, hub_link
from hub.records import StoredEvent
from hub.signing import Signer
from hub.store import Store

SITE = "bench"
UNITS = 20
EVENTS = 1_000  # of each unit, at full speed
PACED = 3_000  # events in all at PACE
PACE = 500.0  # a second
PATIENCE_S = 60.0
BODY = wire.Action(3, "raise_to", 1200, 18_800, 4_350, 5, 1_200, ("tda:43", "tda:47"))


class Sender:
    """One unit that has its events ready: sends what the window allows whenever the watermark moves."""

    def __init__(self, address: Address, number: int, count: int) -> None:
        self.unit = f"bench-{number:03d}"
        topics = wire.Topics(SITE)
        self._events = topics.unit(self.unit, "up/ev")
        self._state = topics.unit(self.unit, "up/state")
        self.link = MqttLink(
            Settings(address=address, client_id=self.unit, subscriptions=((topics.unit(self.unit, "dn/ack"), 1),))
        )
        self.count = count
        self.acked = 0
        self.sent = 0
        self.sent_at: dict[int, float] = {}
        self._body = msgspec.Raw(wire.encode(BODY))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def connect(self) -> None:
        """Connects and is born."""
        self.link.start()
        while not isinstance(self.link.mailbox.take(1.0), Connected):
            pass
        self.link.publish(self._state, wire.encode(wire.UnitState("ready", 1, 1, 0, cfg_rev=1)), 1, retain=True)

    def start(self) -> None:
        """Sends at full speed in a thread of its own, to the last event's acknowledgement."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the end."""
        self._thread.join(PATIENCE_S)

    def send(self, upto: int) -> None:
        """Sends the next events up to number `upto`, in batches as a unit does."""
        while self.sent < upto:
            first, last = self.sent + 1, min(upto, self.sent + wire.MAX_BATCH)
            events = [self._event(seq) for seq in range(first, last + 1)]
            now = time.perf_counter()
            self.sent_at.update(dict.fromkeys(range(first, last + 1), now))
            self.link.publish(self._events, wire.encode(events[0] if len(events) == 1 else events), 1)
            self.sent = last

    def _event(self, seq: int) -> wire.Envelope:
        stamp = wire.Stamp(seq, 1_795_970_000_000 + seq)
        return wire.Envelope(self.unit, 1, seq, "action", 1 + seq // 40, 0, stamp, self._body, boot=1)

    def _run(self) -> None:
        while self.acked < self.count:
            self.send(min(self.count, self.acked + wire.WINDOW))
            heard = self.link.mailbox.take(PATIENCE_S)
            if isinstance(heard, Message):
                self.acked = max(self.acked, msgspec.json.decode(heard.payload, type=wire.Ack).wm)


@contextmanager
def room(on_commit: Callable[[list[StoredEvent]], None], count: int) -> Iterator[list[Sender]]:
    """Broker, hub and connected senders."""
    with tempfile.TemporaryDirectory(prefix="bottone-") as name, broker.running(Path(name)) as mqtt:
        store = Store(Path(name) / "hub.sqlite")
        senders = [Sender(mqtt.address, number, count) for number in range(UNITS)]
        for number, sender in enumerate(senders, 1):
            store.register.adopt(sender.unit, number)
        link = hub_link(mqtt.address, SITE, store.epoch)
        ingest = Ingest(store, link, on_commit, site=SITE, signer=Signer(bytes(32)))
        ingest.start()
        try:
            wait_for(lambda: link.up)
            for sender in senders:
                sender.connect()
            wait_for(lambda: all(unit.live == "ready" for unit in ingest.units()))
            yield senders
        finally:
            for sender in senders:
                sender.link.stop()
            ingest.stop()
            store.close()


def wait_for(done: Callable[[], bool]) -> None:
    """Polls. Raises TimeoutError after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError("the room does not come to rest")
        time.sleep(0.001)


def throughput() -> float:
    """Events committed in a second by all units together, window and watermark kept."""
    with room(lambda _: None, EVENTS) as senders:
        start = time.perf_counter()
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        return UNITS * EVENTS / (time.perf_counter() - start)


def latencies() -> list[float]:
    """Milliseconds from publish to committed, at PACE."""
    found: list[float] = []
    by_unit: dict[str, Sender] = {}

    def committed(events: list[StoredEvent]) -> None:
        now = time.perf_counter()
        found.extend((now - by_unit[e.envelope.unit].sent_at[e.envelope.seq]) * 1000 for e in events)

    with room(committed, PACED) as senders:
        by_unit.update({sender.unit: sender for sender in senders})
        start = time.perf_counter()
        for i in range(PACED):
            time.sleep(max(0.0, start + i / PACE - time.perf_counter()))
            sender = senders[i % UNITS]
            sender.send(sender.sent + 1)
        wait_for(lambda: len(found) >= PACED)
    return found


def simple_subscriber() -> float:
    """The peer: messages a second that a paho subscriber commits one by one before it acknowledges each."""
    with tempfile.TemporaryDirectory(prefix="bottone-") as name, broker.running(Path(name)) as mqtt:
        db = sqlite3.connect(Path(name) / "peer.sqlite", isolation_level=None, check_same_thread=False)
        db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE events(body BLOB)")
        done, ready = threading.Event(), threading.Event()
        total, seen = 3_000, 0
        client = paho.Client(CallbackAPIVersion.VERSION2, "peer", transport=_transport(mqtt.address), manual_ack=True)

        def on_message(client: paho.Client, _: object, message: paho.MQTTMessage) -> None:
            nonlocal seen
            db.execute("INSERT INTO events VALUES(?)", (bytes(message.payload),))
            client.ack(message.mid, message.qos)
            seen += 1
            if seen == total:
                done.set()

        client.on_message = on_message
        client.on_subscribe = lambda *_: ready.set()
        client.connect(mqtt.address.path or mqtt.address.host, mqtt.address.port)
        client.subscribe("peer/#", 1)
        client.loop_start()
        ready.wait(PATIENCE_S)
        sender = paho.Client(CallbackAPIVersion.VERSION2, "peer-sender", transport=_transport(mqtt.address))
        sender.max_inflight_messages_set(200)
        sender.connect(mqtt.address.path or mqtt.address.host, mqtt.address.port)
        sender.loop_start()
        payload = wire.encode(Sender(mqtt.address, 1, 1)._event(1))  # noqa: SLF001 - the same bytes
        start = time.perf_counter()
        for _ in range(total):
            sender.publish("peer/ev", payload, 1)
        done.wait(PATIENCE_S)
        rate = seen / (time.perf_counter() - start)
        for one in (sender, client):
            one.disconnect()
            one.loop_stop()
        db.close()
        return rate


def _transport(address: Address) -> Literal["tcp", "unix"]:
    return "unix" if address.path else "tcp"


def rows() -> list[Row]:
    """Intake and delay."""
    rate, peer = throughput(), simple_subscriber()
    delays = latencies()
    note = f"{UNITS} units, window {wire.WINDOW}, SQLite FULL"
    return [
        Row("events a hub takes in", rate, "1/s", "paho, commit each", peer, limit=1000, better="more", note=note),
        Row("publish to committed, median", percentile(delays, 0.5), "ms", limit=10, note=f"at {PACE:.0f} events/s"),
        Row("publish to committed, p99", percentile(delays, 0.99), "ms", limit=50, note=f"at {PACE:.0f} events/s"),
    ]
