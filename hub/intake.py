"""Events on their way into the store: judged, put in order, committed.

For each unit the next event (watermark + 1) is taken, an older one is compared with what was committed (another digest
under the same key: two units under one name), a later one waits, up to `AHEAD` of them. What is no event is
quarantined with the reason, and when it stands in the stream's way it takes its place there, so that nothing behind it
is held up. For the ingest thread alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from drivers.mqtt_link import Message
from engine import wire
from hub.records import Incoming, Standing, StoredEvent, UnitStatus, poison_envelope
from hub.store import Store
from hub.streams import Stream, Streams

log = logging.getLogger(__name__)

AHEAD = 256  # events of one unit that may wait for a gap before them
POISON_TIMES = 3  # so often the same single payload came at the same watermark: it stands in the way


class Figures(NamedTuple):
    """Counters since the start, for the log and for tests."""

    events: int = 0
    duplicates: int = 0
    quarantined: int = 0
    commits: int = 0


class Intake:
    """Judges events and commits those that are next.

    `on_commit` hears of what was committed; `changed` of a unit whose standing with the hub has changed; `want` tells
    a unit what it is wanted to be.
    """

    def __init__(
        self,
        store: Store,
        streams: Streams,
        on_commit: Callable[[list[StoredEvent]], None],
        changed: Callable[[str], None],
        want: Callable[[str], bool],
    ) -> None:
        self._store = store
        self._streams = streams
        self._on_commit = on_commit
        self._changed = changed
        self._want = want
        self._ready: list[Incoming] = []
        self._ready_digests: dict[tuple[str, int], bytes] = {}
        self.figures = Figures()

    def events(self, unit: str, stream: Stream, message: Message) -> None:
        """What came on `up/ev`: one envelope or an array of them."""
        if message.retain:
            self.quarantine(unit, "up/ev: a retained event; events are news and never retained", message.payload)
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

    def commit(self) -> None:
        """Writes what is ready, in one transaction."""
        batch, self._ready = self._ready, []
        self._ready_digests.clear()
        if not batch:
            return
        stored = self._store.commit(batch)
        f = self.figures
        self.figures = f._replace(events=f.events + len(batch), commits=f.commits + 1)
        self._on_commit(stored)

    def quarantine(self, unit: str, reason: str, raw: bytes) -> None:
        """Keeps a payload that is of no use, and says so the first time it comes."""
        if self._store.troubles.keep(unit, reason, raw) == 1:
            log.error("hub: a message of unit %s cannot be used and is kept in quarantine: %s", unit, reason)
        self.figures = self.figures._replace(quarantined=self.figures.quarantined + 1)

    # --- one event

    def _event(self, unit: str, stream: Stream, raw: bytes) -> None:
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

    def _next(self, unit: str, stream: Stream, incoming: Incoming) -> None:
        """The event at watermark + 1, and those that waited for it."""
        following: Incoming | None = incoming
        while following is not None:
            self._ready.append(following)
            self._ready_digests[unit, following.envelope.seq] = following.digest
            if following.standing is Standing.MALFORMED:
                self.quarantine(unit, f"event {following.envelope.seq}: {following.standing}", following.raw)
            stream.wm = following.envelope.seq
            following = stream.ahead.pop(stream.wm + 1, None)
        self._streams.acks_due.add(unit)
        if not stream.ahead:
            stream.gap_since_s = 0.0
            self._streams.gaps.discard(unit)

    def _too_early(self, unit: str, stream: Stream, incoming: Incoming) -> None:
        if not stream.gap_since_s:
            stream.gap_since_s = time.monotonic()
            self._streams.gaps.add(unit)
        if len(stream.ahead) < AHEAD:
            stream.ahead[incoming.envelope.seq] = incoming

    def _again(self, unit: str, envelope: wire.Envelope, digest: bytes, raw: bytes) -> None:
        """An event that is committed, or about to be: the same, or two units under one name."""
        known = self._ready_digests.get((unit, envelope.seq)) or self._store.digest_of(unit, envelope.ep, envelope.seq)
        self._streams.acks_due.add(unit)
        self.figures = self.figures._replace(duplicates=self.figures.duplicates + 1)
        if known is None or known == digest:
            return
        self.commit()
        self.quarantine(unit, f"event {envelope.ep}/{envelope.seq} differs from the one committed", raw)
        why = f"two different events {envelope.seq}: is there a second unit of this name, or an old card restored?"
        self._store.register.quarantine(unit, why)
        log.error("hub: unit %s is quarantined: %s Adopt it again when it is clear", unit, why)
        self._changed(unit)

    def _other_ep(self, unit: str, stream: Stream, envelope: wire.Envelope) -> None:
        """An event of another incarnation stays in its unit's outbox; the retained adoption tells the unit of ours."""
        if not stream.stranger_said:
            stream.stranger_said = True
            log.warning(
                "hub: unit %s sends under outbox number %d, here it has %d; it is told", unit, envelope.ep, stream.ep
            )
            self._want(unit)

    def _poison(self, unit: str, stream: Stream, raw: bytes, reason: str) -> None:
        """A payload that is no event. It is kept; when nothing else comes in its place, it takes that place."""
        self.quarantine(unit, reason, raw)
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


def _judged(envelope: wire.Envelope, digest: bytes, raw: bytes) -> Incoming:
    """The event with its body, or with the standing that says why it has none."""
    if len(raw) > wire.MAX_BYTES:
        return Incoming(envelope, None, digest, raw, Standing.MALFORMED)
    try:
        body = wire.decode_body(envelope)
    except msgspec.DecodeError:
        return Incoming(envelope, None, digest, raw, Standing.MALFORMED)
    return Incoming(envelope, body, digest, raw, Standing.OK if body is not None else Standing.UNKNOWN)
