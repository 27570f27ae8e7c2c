"""The records of the hub's store: units, events, and what follows from them. Records only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from engine import wire


class StoreError(Exception):
    """The hub's file cannot be used; the text says what to do."""


class Standing(StrEnum):
    """What became of an event."""

    OK = "ok"
    UNKNOWN = "unknown"  # a kind this version does not have
    MALFORMED = "malformed"  # a known kind whose body does not fit
    POISON = "poison"  # no event; its place in the stream is taken so that the stream goes on
    OTHER_TABLE = "other_table"  # names a table this unit never was
    OLD_HAND = "old_hand"  # of a hand, or a revision of one, that has been replaced


class UnitStatus(StrEnum):
    """What a unit is to the hub."""

    SEEN = "seen"  # it reported itself and has no table
    ADOPTED = "adopted"
    QUARANTINED = "quarantined"  # two units speak under one name, or an old card was restored: nothing is applied
    RETIRED = "retired"  # another unit has its table


class Unit(NamedTuple):
    """A unit as the hub keeps it. `wm`: all its events of `ep` up to here are committed; `said_*`: its last birth."""

    unit: str
    status: UnitStatus
    why: str
    table_no: int
    tournament: str
    book: str
    size: int
    chip: int
    rev: int
    ep: int
    confirmed: bool
    wm: int
    boot: int
    said_ep: int
    said_last: int
    said_acked: int
    said_rev: int
    fw: str


class Incoming(NamedTuple):
    """One event on its way into the store. `body` is None unless `standing` is OK."""

    envelope: wire.Envelope
    body: wire.Body | None
    digest: bytes
    raw: bytes
    standing: Standing = Standing.OK


class StoredEvent(NamedTuple):
    """One committed event. `cursor` rises with every commit; `body` is None unless `standing` is OK."""

    cursor: int
    envelope: wire.Envelope
    body: wire.Body | None
    standing: Standing
    at_ms: int  # hub time of the commit


class Seat(NamedTuple):
    """Who sits where with how many chips, as of the table's last hand start, hand end or seat change."""

    unit: str
    seat: int
    player: str
    name: str
    stack: int


class Elimination(NamedTuple):
    """A player who is out, as the highest revision of that hand says."""

    cursor: int
    unit: str
    ep: int
    hand: int
    table_no: int
    seat: int
    player: str
    stack_before: int
    utc_ms: int


class SeatChange(NamedTuple):
    """A player who sat down or left, as the highest revision of that hand says."""

    cursor: int
    unit: str
    ep: int
    hand: int
    table_no: int
    seat: int
    player: str
    name: str
    stack: int
    sat: bool
    why: str
    utc_ms: int


class CommandStatus(NamedTuple):
    """A command and its fate. `rc` is empty while it is open; else a `wire.Result`'s, or `expired`."""

    id: str
    unit: str
    hand: int
    exp_ms: int
    body: bytes
    rc: str
    why: str
    tries: int


class Quarantined(NamedTuple):
    """A payload that was no message of ours, and why."""

    utc_ms: int
    unit: str
    reason: str
    raw: bytes
    times: int


class Alarm(NamedTuple):
    """Something a person must look at."""

    utc_ms: int
    unit: str
    what: str
    text: str


def poison_envelope(unit: str, ep: int, seq: int) -> wire.Envelope:
    """What stands in the stream where a payload that was no event came."""
    return wire.Envelope(unit, ep, seq, "poison", 0, 0, wire.Stamp(0, 0), msgspec.Raw(b"{}"))
