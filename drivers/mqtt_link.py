"""A connection to an MQTT broker that is either well or being rebuilt, and never only looks well.

Theory of operation. paho-mqtt runs one network thread per client; its callbacks do nothing but put a record into a
bounded `Mailbox`, which one owner reads. A supervisor thread builds one paho client per session and throws it away when
the session ends, for whatever reason: nothing of an old session (in-flight counters, queued publishes, a dead thread)
can reach into the next. What a session lost on the way is for the owner's own protocol to send again.

A session is up when the broker granted every subscription, not before. While it is up and silent it is probed: the
SUBSCRIBE of a topic nobody publishes must be answered, with a grant or a refusal (MQTT 3.1.1 and 5, 3.8.4). No answer:
the session is torn down and built anew. This finds a dead network thread and a dead peer alike; `is_connected()` finds
neither. (An UNSUBSCRIBE of nothing must be answered too, but rumqttd does not.)

MQTT 5 is tried first; a broker that takes the connection and refuses the handshake is tried with 3.1.1 next.
Reconnects wait with full jitter; the wait grows to `reconnect_cap_s` and is reset only after `healthy_s` of a session.

Threads: `publish`, `restart` and `stop` may be called from any thread but paho's (never from a callback).
`Mailbox.take` belongs to one thread. No lock is held while paho is called.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import random
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

log = logging.getLogger(__name__)

MAILBOX = 10_000  # messages that may wait for their owner
PAHO_QUEUE = 64  # publishes that paho may hold; the owner's protocol has a window of its own
CONNECT_TIMEOUT_S = 5.0  # for the socket, and again for the handshake with all subscriptions
CLOSE_TIMEOUT_S = 2.0
PROBE = "bottone/probe/never-published"
SHORT_S = 5.0  # a session that came up and ended within this time
SHORT_MOST = 3  # of them in a minute: something throws us out, most likely a second client with our id
TAKEN_OVER = 142  # MQTT 5, DISCONNECT reason "session taken over": a second client; not every broker sends it
REFUSED = 128  # reason codes from here on are refusals


class Address(msgspec.Struct, frozen=True):
    """Where the broker listens: `host` and `port`, or with `host` empty the Unix socket at `path`."""

    host: str = ""
    port: int = 1883
    path: str = ""
    tls: bool = False

    @classmethod
    def parse(cls, url: str) -> Address:
        """From `mqtt://host:port`, `mqtts://host:port` or `unix:/path`. Raises ValueError with what to write."""
        parts = urlsplit(url)
        if parts.scheme == "unix" and parts.path:
            return cls(path=parts.path)
        if parts.scheme in ("mqtt", "mqtts") and parts.hostname:
            tls = parts.scheme == "mqtts"
            return cls(parts.hostname, parts.port or (8883 if tls else 1883), tls=tls)
        raise ValueError(f"broker {url!r}: write mqtt://host:port, mqtts://host:port or unix:/path/of/socket")

    def __str__(self) -> str:
        return f"unix:{self.path}" if self.path else f"mqtt{'s' if self.tls else ''}://{self.host}:{self.port}"


class Tls(msgspec.Struct, frozen=True):
    """Files in PEM: the authority that signed the broker's certificate, and this client's certificate and key."""

    ca: str
    cert: str = ""
    key: str = ""


class Publication(NamedTuple):
    """Something to publish."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to connect. `client_id` is the name in this party's certificate; two with one id throw each other out."""

    address: Address
    client_id: str
    subscriptions: tuple[tuple[str, int], ...] = ()  # (filter, qos)
    tls: Tls | None = None
    username: str = ""
    password: str = ""
    keepalive_s: int = 10
    will_delay_s: int = 5  # MQTT 5 only: a quick reconnect fires no will
    reconnect_first_s: float = 0.5
    reconnect_cap_s: float = 15.0
    healthy_s: float = 30.0  # a session that lasted this long resets the wait
    probe_after_s: float = 5.0  # of silence
    stall_s: float = 12.0  # of silence, the probe's answer included: the session is dead


class Connected(msgspec.Struct, frozen=True):
    """A session is up and every subscription granted. `protocol`: "5" or "3.1.1"."""

    protocol: str


class Disconnected(msgspec.Struct, frozen=True):
    """The session is over, or none came about; `why` says what to do. Further attempts report a changed `why` only."""

    why: str


class Message(NamedTuple):
    """Something arrived. `retain`: the broker had it in store; it is no news. `at_ns`: monotonic clock, at arrival."""

    topic: str
    payload: bytes
    retain: bool
    at_ns: int


class Mailbox:
    """A bounded queue with one taker. When it is full, messages are dropped and counted, news of the link never."""

    def __init__(self, limit: int = MAILBOX) -> None:
        self._items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._limit = limit
        self.dropped = 0

    def put(self, item: object) -> bool:
        """Put one in, from any thread; never waits. False: full, counted in `dropped`."""
        if self._items.qsize() >= self._limit and not isinstance(item, (Connected, Disconnected)):
            self.dropped += 1
            return False
        self._items.put(item)
        return True

    def take(self, timeout_s: float) -> Any | None:
        """The oldest, or None when nothing came within `timeout_s`."""
        try:
            return self._items.get(timeout=timeout_s) if timeout_s > 0 else self._items.get_nowait()
        except queue.Empty:
            return None

    def __len__(self) -> int:
        return self._items.qsize()


class _Session:
    """One paho client from its birth to its end. `over` is set once, with `why`."""

    def __init__(
        self, settings: Settings, protocol: MQTTProtocolVersion, will: Publication | None, mailbox: Mailbox
    ) -> None:
        self._settings = settings
        self._mailbox = mailbox
        self.protocol = protocol
        self.reached = False  # the broker took the connection
        self.answered = False  # and understood our CONNECT
        self.up = threading.Event()
        self.over = threading.Event()
        self.why = ""
        self.taken_over = False
        self.heard_ns = time.monotonic_ns()
        self.trouble = 0
        self._granted: dict[int, str] = {}
        self.client = self._build(will)

    def _build(self, will: Publication | None) -> paho.Client:
        s, five = self._settings, self.protocol is MQTTProtocolVersion.MQTTv5
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=s.client_id,
            protocol=self.protocol,
            clean_session=None if five else True,
            transport="unix" if s.address.path else "tcp",
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        client.max_inflight_messages_set(PAHO_QUEUE)
        client.max_queued_messages_set(PAHO_QUEUE)
        if s.username:
            client.username_pw_set(s.username, s.password or None)
        if s.tls is not None:
            client.tls_set_context(tls_context(s.tls))
        if will is not None:
            delay = Properties(PacketTypes.WILLMESSAGE) if five else None  # type: ignore[no-untyped-call]
            if delay is not None:
                delay.WillDelayInterval = s.will_delay_s
            client.will_set(will.topic, will.payload, will.qos, will.retain, properties=delay)
        client.on_connect = self._guard(self._on_connect)
        client.on_subscribe = self._guard(self._on_subscribe)
        client.on_message = self._guard(self._on_message)
        client.on_disconnect = self._guard(self._on_disconnect)
        client.on_publish = self._guard(self._on_publish)
        return client

    def _guard(self, callback: Callable[..., None]) -> Callable[..., None]:
        """The network thread would die silently of an exception in a callback; it is counted, logged and survived."""

        def guarded(*args: Any) -> None:
            self.heard_ns = time.monotonic_ns()
            try:
                callback(*args)
            except Exception:  # the boundary to a foreign thread: whatever it is, the thread must live
                self.trouble += 1
                log.exception("mqtt: a callback failed; the message is lost and will be asked for again")

        return guarded

    def open(self) -> None:
        """Connects and starts the network thread. Raises OSError when the broker cannot be reached."""
        a = self._settings.address
        knock(a, self._settings.tls)
        clean_start = True if self.protocol is MQTTProtocolVersion.MQTTv5 else paho.MQTT_CLEAN_START_FIRST_ONLY
        self.client.connect(a.path or a.host, a.port, self._settings.keepalive_s, clean_start=clean_start)
        self.reached = True
        self.client.loop_start()

    def end(self, why: str) -> None:
        """Marks the session as over; the first reason stays."""
        if not self.over.is_set():
            self.why = why
            self.over.set()

    def close(self) -> None:
        """Disconnects and lets the network thread end, for `CLOSE_TIMEOUT_S` at most; a stuck one is left behind."""
        self.client.disconnect()
        reaper = threading.Thread(target=self.client.loop_stop, name="mqtt-close", daemon=True)
        reaper.start()
        reaper.join(CLOSE_TIMEOUT_S)
        line = self.client.socket()
        if reaper.is_alive() and isinstance(line, socket.socket):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)  # the broker does not hang up; the thread may be waiting for it
            reaper.join(CLOSE_TIMEOUT_S)
        if reaper.is_alive():
            log.error("mqtt: the network thread does not end; it is left behind and a new one is started")

    def probe(self) -> None:
        """Asks the broker for an answer that costs nothing; `_guard` notes its arrival."""
        self.client.subscribe(PROBE)

    # --- paho's thread

    def _on_publish(self, *_: Any) -> None:
        """The broker has a message of ours; that proves life (`_guard` has noted when) and nothing else."""

    def _on_connect(self, client: paho.Client, _u: Any, _f: Any, reason: ReasonCode, _p: Any) -> None:
        self.answered = True
        if reason.is_failure:
            self.end(f"the broker refuses the connection: {reason}; check its log, the credentials and the client id")
            return
        if not self._settings.subscriptions:
            self._ready()
            return
        rc, mid = client.subscribe(list(self._settings.subscriptions))
        if rc != paho.MQTT_ERR_SUCCESS or mid is None:
            self.end(f"cannot subscribe: {paho.error_string(rc)}")

    def _on_subscribe(self, _c: paho.Client, _u: Any, _mid: int, codes: list[ReasonCode], _p: Any) -> None:
        if self.up.is_set():
            return  # the answer to a probe
        filters = [topic for topic, _ in self._settings.subscriptions]
        refused = [f for f, code in zip(filters, codes, strict=False) if code.value >= REFUSED]
        if refused or len(codes) != len(filters):
            self.end(f"the broker refuses to subscribe {', '.join(refused) or 'something'}; check its access list")
        else:
            self._ready()

    def _ready(self) -> None:
        self.up.set()
        name = "5" if self.protocol is MQTTProtocolVersion.MQTTv5 else "3.1.1"
        self._mailbox.put(Connected(name))

    def _on_message(self, _c: paho.Client, _u: Any, message: paho.MQTTMessage) -> None:
        self._mailbox.put(Message(message.topic, bytes(message.payload), message.retain, self.heard_ns))

    def _on_disconnect(self, _c: paho.Client, _u: Any, _f: Any, reason: ReasonCode, _p: Any) -> None:
        self.taken_over |= reason.value == TAKEN_OVER  # paho may call twice
        self.end(f"the broker closed the connection: {reason}")


class MqttLink:
    """A link to one broker, kept up by a supervisor thread from `start` to `stop`.

    The owner reads `mailbox`: `Connected`, `Disconnected`, `Message`, and whatever else it puts there itself.
    """

    def __init__(self, settings: Settings, mailbox: Mailbox | None = None) -> None:
        self.settings = settings
        self.mailbox = Mailbox() if mailbox is None else mailbox
        self.sessions = 0  # how many came up
        self.thrown_out = 0  # times that a second client with our id was noticed
        self._short: deque[float] = deque(maxlen=SHORT_MOST + 1)
        self._will: Publication | None = None
        self._session: _Session | None = None
        self._stop = threading.Event()
        self._jitter = random.Random(settings.client_id)  # spreads reconnects; each unit has its own row
        self._thread = threading.Thread(target=self._supervise, name="mqtt-link", daemon=True)
        self._said = ""

    def set_will(self, will: Publication) -> None:
        """What the broker publishes when this party dies; counts from the next session on."""
        self._will = will

    def start(self) -> None:
        """Begins to connect, and never gives up. Raises ValueError or OSError if the TLS files cannot be used."""
        if self.settings.tls is not None:
            tls_context(self.settings.tls)
        self._thread.start()

    @property
    def up(self) -> bool:
        """A session with all its subscriptions is there. It may be dying; only an answer of the peer proves it."""
        session = self._session
        return session is not None and session.up.is_set() and not session.over.is_set()

    def publish(self, topic: str, payload: bytes, qos: int = 1, *, retain: bool = False) -> bool:
        """Hands one message to the session. False: no session, or its queue is full. True proves nothing yet."""
        session = self._session
        if session is None or not session.up.is_set() or session.over.is_set():
            return False
        return session.client.publish(topic, payload, qos, retain).rc == paho.MQTT_ERR_SUCCESS

    def restart(self, why: str) -> None:
        """Throws the session away and builds a new one: for an owner whose peer makes no progress."""
        session = self._session
        if session is not None:
            session.end(why)

    def stop(self, farewell: Iterable[Publication] = (), timeout_s: float = CLOSE_TIMEOUT_S) -> None:
        """Publishes `farewell`, waits until the broker has it (`timeout_s` at most), disconnects, ends the thread."""
        session = self._session
        if session is not None and self.up:
            deadline = time.monotonic() + timeout_s
            for item in farewell:
                info = session.client.publish(item.topic, item.payload, item.qos, item.retain)
                if info.rc == paho.MQTT_ERR_SUCCESS:
                    info.wait_for_publish(max(0.01, deadline - time.monotonic()))
        self._stop.set()
        if session is not None:
            session.end("stopped")
        if self._thread.is_alive():
            self._thread.join(CONNECT_TIMEOUT_S + 2 * CLOSE_TIMEOUT_S)

    # --- the supervisor's thread

    def _supervise(self) -> None:
        protocol = MQTTProtocolVersion.MQTTv5
        wait_s = self.settings.reconnect_first_s
        while not self._stop.is_set():
            began = time.monotonic()
            session = self._run(protocol)
            if self._stop.is_set():
                break
            if session.up.is_set():
                self._look_for_a_double(session, began)
                if time.monotonic() - began >= self.settings.healthy_s:
                    wait_s = self.settings.reconnect_first_s
            elif session.reached:
                five = protocol is MQTTProtocolVersion.MQTTv5
                protocol = MQTTProtocolVersion.MQTTv311 if five else MQTTProtocolVersion.MQTTv5
                if five and not session.answered:
                    log.info("mqtt: no answer to MQTT 5 at %s, trying 3.1.1", self.settings.address)
                    continue
            self._report(session)
            self._stop.wait(self._jitter.uniform(wait_s / 4, wait_s))
            wait_s = min(self.settings.reconnect_cap_s, wait_s * 2)

    def _run(self, protocol: MQTTProtocolVersion) -> _Session:
        """One session from connect to its end."""
        session = _Session(self.settings, protocol, self._will, self.mailbox)
        self._session = session  # before the network thread lives: at the news of the connection the owner publishes
        try:
            session.open()
        except (OSError, ValueError) as trouble:
            why = trouble.strerror if isinstance(trouble, OSError) and trouble.strerror else trouble
            session.end(f"no broker at {self.settings.address}: {why}; is it running?")
            return session
        try:
            if self._comes_up(session):
                self._watch(session)
        finally:
            session.close()
        return session

    def _comes_up(self, session: _Session) -> bool:
        deadline = time.monotonic() + CONNECT_TIMEOUT_S
        while not session.up.wait(0.02):
            if session.over.is_set():
                return False
            if time.monotonic() > deadline:
                session.end(f"the broker at {self.settings.address} does not answer the handshake")
                return False
        self.sessions += 1
        self._said = ""
        return True

    def _watch(self, session: _Session) -> None:
        """Waits for the session's end; probes a silent one and ends one that stays silent."""
        probed_ns = 0
        while not session.over.wait(min(1.0, self.settings.probe_after_s / 4)):
            now_ns = time.monotonic_ns()
            silent_s = (now_ns - session.heard_ns) / 1e9
            if silent_s > self.settings.stall_s:
                session.end(f"no sign of life from the broker for {silent_s:.0f} s")
            elif silent_s > self.settings.probe_after_s and (now_ns - probed_ns) / 1e9 > self.settings.probe_after_s:
                probed_ns = now_ns
                session.probe()

    def _look_for_a_double(self, session: _Session, began: float) -> None:
        """Two clients with one id throw each other out for ever; somebody must be told."""
        now = time.monotonic()
        if now - began < SHORT_S:
            self._short.append(now)
        often = len(self._short) > SHORT_MOST and now - self._short[0] < 60.0
        if session.taken_over or often:
            self._short.clear()
            self.thrown_out += 1
            log.error("mqtt: does another client use the id %r too? give each unit its own", self.settings.client_id)

    def _report(self, session: _Session) -> None:
        if session.up.is_set() or session.why != self._said:
            self._said = session.why
            log.warning("mqtt: %s", session.why)
            self.mailbox.put(Disconnected(session.why))


def knock(address: Address, tls: Tls | None) -> None:
    """Raises OSError if nobody listens, or not the broker we trust. Paho 2.2 would leave its own socket open then."""
    if address.path:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(CONNECT_TIMEOUT_S)
            probe.connect(address.path)
    elif tls is not None:
        with (
            socket.create_connection((address.host, address.port), CONNECT_TIMEOUT_S) as probe,
            tls_context(tls).wrap_socket(probe, server_hostname=address.host),
        ):
            pass


def tls_context(tls: Tls) -> ssl.SSLContext:
    """TLS 1.3 with the given authority alone. Raises OSError if a file is missing or is no certificate."""
    for file in filter(None, (tls.ca, tls.cert, tls.key)):
        Path(file).open("rb").close()  # one that is missing is named here; OpenSSL's own error names none
    context = ssl.create_default_context(cafile=tls.ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if tls.cert:
        context.load_cert_chain(tls.cert, tls.key or None)
    return context
