"""What the hub says to the tables: acknowledgements, questions for what is missing, adoptions, the clock, commands.

Commands wait in the store; each unit gets the oldest open one, signed, again every `COMMAND_RETRY_S` until it answers
or it has expired. Adoptions, hub state and clock are retained and published anew on every connect, because a broker
may have forgotten them. For the ingest thread, but for what says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from drivers.mqtt_link import MqttLink
from engine import wire
from hub.records import CommandStatus, UnitStatus
from hub.signing import Signer
from hub.store import Store
from hub.streams import Streams

GAP_S = 1.0
ACK_S = 0.02  # acknowledgements of a unit are this far apart at least
COMMAND_RETRY_S = 2.0
COMMANDS_EVERY_S = 0.25  # between two looks for commands that are due again


class Outgoing:
    """Publishes what units must hear. `on_result` hears of a command that expired."""

    def __init__(
        self,
        store: Store,
        link: MqttLink,
        streams: Streams,
        topics: wire.Topics,
        signer: Signer,
        on_result: Callable[[CommandStatus], None],
    ) -> None:
        self._store = store
        self._link = link
        self._streams = streams
        self._topics = topics
        self._signer = signer
        self._on_result = on_result
        self._commands_checked_s = 0.0
        self._clock: wire.Clock | None = None
        self._clock_due = False
        self._due = True
        self._snap_wanted: set[str] = set()
        self._n = 0
        self._since_ms = int(store.now_ms())

    # --- from any thread; the ingest thread must be woken then

    def look(self) -> None:
        """There is something new to send."""
        self._due = True

    def show_clock(self, clock: wire.Clock) -> None:
        """The level clock from now on."""
        self._clock, self._clock_due = clock, True

    def ask_snapshot(self, unit: str) -> None:
        """Asks this unit for its full public picture in the next round."""
        self._snap_wanted.add(unit)

    def state(self, st: str) -> wire.HubState:
        """The hub as it says it is."""
        return wire.HubState(st, self._store.epoch, self._since_ms)

    # --- the ingest thread

    def announce(self) -> None:
        """After each connect: everything retained anew, because the broker may have forgotten it."""
        self._link.publish(self._topics.hub("state"), wire.encode(self.state("ready")), 1, retain=True)
        self._clock_due = self._clock is not None
        for unit in self._store.register.all():
            self._streams.of(unit.unit).rev = 0
        self._streams.acks_due.update(self._streams.all())
        for stream in self._streams.all().values():
            stream.sent_s = 0.0
        self._due = True

    def want(self, unit: str) -> bool:
        """Tells a unit what it is wanted to be. False: that could not be sent now."""
        adopt = self._store.register.adoption(unit)
        if adopt is None:
            return True
        signed = self._signer.adoption(unit, adopt)
        sent = self._link.publish(self._topics.unit(unit, "dn/want"), wire.encode(signed), 1, retain=True)
        if sent:
            self._streams.of(unit).rev = adopt.rev
        return sent

    def ask_for_gaps(self, now_s: float) -> None:
        """Asks units to send again what has been missing for `GAP_S`."""
        for unit in self._streams.gaps:
            stream = self._streams.all()[unit]
            if stream.gap_since_s and now_s - stream.gap_since_s > GAP_S:
                stream.gap_since_s = now_s
                again = wire.Resync(stream.ep, stream.wm + 1)
                self._link.publish(self._topics.unit(unit, "dn/resync"), wire.encode(again), 1)

    def acknowledge(self, now_s: float) -> None:
        """Tells units how far they are committed; to one that cannot be reached now it is told at the next connect."""
        for unit in [u for u in self._streams.acks_due if now_s - self._streams.all()[u].acked_s >= ACK_S]:
            self._streams.acks_due.discard(unit)
            stream = self._streams.all()[unit]
            if stream.ep and stream.status in (UnitStatus.ADOPTED, UnitStatus.RETIRED):
                ack = wire.Ack(stream.ep, stream.wm, self._store.epoch)
                self._link.publish(self._topics.unit(unit, "dn/ack"), wire.encode(ack), 1)
                stream.acked_s = now_s

    def send(self, now_s: float) -> None:
        """Adoptions, snapshots asked for, the clock, and each unit's oldest command."""
        if not self._link.up:
            return
        if self._clock_due and self._clock is not None:
            self._clock_due = not self._link.publish(
                self._topics.hub("clock"), wire.encode(self._clock), 1, retain=True
            )
        while self._snap_wanted:
            unit = self._snap_wanted.pop()
            please = wire.Resync(self._streams.of(unit).ep, 0, snap=True)
            self._link.publish(self._topics.unit(unit, "dn/resync"), wire.encode(please), 1)
        if self._due:
            self._due = False
            self._commands_checked_s = 0.0
            for known in self._store.register.all():
                self._streams.refresh(known)
                if known.rev != self._streams.of(known.unit).rev and not self.want(known.unit):
                    self._due = True  # the session's queue is full: the rest in the next round
        if now_s - self._commands_checked_s >= COMMANDS_EVERY_S:
            self._commands_checked_s = now_s
            for command in self._store.commands.open():
                self._send_command(command, now_s)

    def _send_command(self, command: CommandStatus, now_s: float) -> None:
        stream = self._streams.of(command.unit)
        if self._store.now_ms() > command.exp_ms:
            expired = wire.Result(command.id, "expired", "the unit did not answer")
            status = self._store.commands.answered(command.unit, expired)
            self._due = True
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
