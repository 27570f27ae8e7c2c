"""The other side of the wire, message by message: a unit or a hub that a test plays by hand over a real broker."""

import msgspec

from drivers.mqtt_link import Address, Connected, Message, MqttLink, Settings
from engine import wire
from engine.inputs import Level
from engine.view import SeatView
from tests.waiting import until

SITE = "s1"
TOPICS = wire.Topics(SITE)
RECORDS = {channel.leaf: channel.record for channel in (*wire.UP, *wire.DOWN)}
RECORDS |= {f"hub/{channel.leaf}": channel.record for channel in wire.HUB}


def heard(link: MqttLink, kind: type, timeout_s: float = 10.0):
    """The next news or message of this kind out of the link's mailbox."""
    found = []

    def look():
        item = link.mailbox.take(0.0)
        if isinstance(item, kind):
            found.append(item)
        return found

    until(look, timeout_s)
    return found[0]


class Peer:
    """A client that hears `subscriptions` and says what it is told to say."""

    def __init__(self, address: Address, name: str, *subscriptions: str):
        self.link = MqttLink(
            Settings(
                address=address, client_id=name, subscriptions=tuple((topic, 1) for topic in subscriptions),
                reconnect_first_s=0.05, reconnect_cap_s=0.5,
            )
        )
        self.heard: list[tuple[str, object]] = []  # (leaf, record or bytes)
        self.link.start()
        until(self._connected)

    def _connected(self) -> bool:
        """Whether the link is up. What the broker had in store may come before that news, and is kept."""
        item = self.link.mailbox.take(0.0)
        if isinstance(item, Message):
            self._keep(item)
        return isinstance(item, Connected)

    def close(self):
        self.link.stop()

    def say(self, topic: str, what: object, *, retain: bool = False, qos: int = 1):
        payload = what if isinstance(what, bytes) else wire.encode(what)
        until(lambda: self.link.publish(topic, payload, qos, retain=retain))

    def all(self, leaf: str) -> list:
        """Everything heard on `leaf` so far."""
        while (item := self.link.mailbox.take(0.0)) is not None:
            if isinstance(item, Message):
                self._keep(item)
        return [what for at, what in self.heard if at == leaf]

    def _keep(self, message: Message):
        parts = message.topic.split("/")
        at = "/".join(parts[5:]) if parts[3] == "u" else "/".join(parts[3:])
        self.heard.append((at, self._decode(message.payload, RECORDS[at])))

    @staticmethod
    def _decode(payload: bytes, record: type) -> object:
        try:
            if payload[:1] == b"[":
                return msgspec.json.decode(payload, type=list[record])
            return msgspec.json.decode(payload, type=record)
        except msgspec.DecodeError:
            return payload

    def wait(self, leaf: str, that=lambda _: True, timeout_s: float = 5.0):
        """The first message on `leaf` that fits."""
        until(lambda: any(that(what) for what in self.all(leaf)), timeout_s)
        return next(what for what in self.all(leaf) if that(what))


class HandUnit(Peer):
    """A unit played by hand."""

    def __init__(self, address: Address, unit: str = "tbl-7f3a", boot: int = 1):
        self.unit = unit
        self.boot = boot
        super().__init__(
            address, unit, *(TOPICS.unit(unit, channel.leaf) for channel in wire.DOWN),
            *(TOPICS.hub(channel.leaf) for channel in wire.HUB),
        )

    def topic(self, leaf: str) -> str:
        return TOPICS.unit(self.unit, leaf)

    def birth(self, ep: int = 0, last: int = 0, acked: int = 0, cfg_rev: int = 0, st: str = "ready"):
        state = wire.UnitState(st, self.boot, ep, last, acked, "t", cfg_rev=cfg_rev)
        self.say(self.topic("up/state"), state, retain=True)

    def adopted(self, hub, table_no: int = 1, **how) -> int:
        """Is born, adopted by `hub` and says so; the outbox number it got."""
        self.birth()
        until(lambda: hub.store.register.of(self.unit))
        rev = hub.store.register.adopt(self.unit, table_no, **how).rev
        want = self.wait("dn/want", lambda a: a.rev == rev)
        self.birth(ep=want.ep, cfg_rev=want.rev)
        self.wait("dn/ack", lambda a: a.ep == want.ep)
        return want.ep

    def event(self, ep: int, seq: int, body: wire.Body, hand: int = 1, rev: int = 0, **changes) -> wire.Envelope:
        plain = wire.Envelope(
            self.unit, ep, seq, wire.kind_of(body), hand, rev, wire.Stamp(seq, 1_795_970_000_000 + seq),
            msgspec.Raw(wire.encode(body)), boot=self.boot, table=1,
        )  # fmt: skip
        return msgspec.structs.replace(plain, **changes)

    def send(self, *events: wire.Envelope | bytes):
        self.say(self.topic("up/ev"), events[0] if len(events) == 1 else list(events))

    def acked(self, wm: int, timeout_s: float = 5.0) -> wire.Ack:
        return self.wait("dn/ack", lambda ack: ack.wm == wm, timeout_s)


class HandHub(Peer):
    """A hub played by hand."""

    def __init__(self, address: Address, unit: str, epoch: int = 1):
        self.unit = unit
        self.epoch = epoch
        super().__init__(address, f"hub-{SITE}", *(TOPICS.unit(unit, channel.leaf) for channel in wire.UP))

    def topic(self, leaf: str) -> str:
        return TOPICS.unit(self.unit, leaf)

    def ready(self, epoch: int | None = None, st: str = "ready"):
        self.epoch = epoch or self.epoch
        self.say(TOPICS.hub("state"), wire.HubState(st, self.epoch, 0), retain=True)

    def ack(self, ep: int, wm: int):
        self.say(self.topic("dn/ack"), wire.Ack(ep, wm, self.epoch))

    def events(self) -> list[wire.Envelope]:
        """Every event heard, repeats included, in the order of arrival."""
        found = []
        for what in self.all("up/ev"):
            found += what if isinstance(what, list) else [what]
        return found


def started(players: dict[int, str], stack: int = 1000) -> wire.HandStarted:
    """A hand begins with these players."""
    seats = tuple(SeatView(seat, player, player.title(), stack) for seat, player in players.items())
    return wire.HandStarted(1, 1, 2, Level(50, 100), seats, dict.fromkeys(players, stack), 150)


def action(n: int = 0) -> wire.Action:
    """Some action, told apart by `n`."""
    return wire.Action(1, "raise_to", 200 + n, 800, 350, 2, 100)
