"""The records of a table's journal: the deeds that are the unit's own, and what is written and read of an entry."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from engine.inputs import Input
from engine.wire import Adopt, Body

MAX_NAME = 60          # characters of a player's name that are kept,
MAX_NAME_BYTES = 120   # and bytes of it as JSON: twelve seats must fit one message of wire.MAX_BYTES


def kept_name(name: str) -> str:
    """As much of a player's name as is kept."""
    name = name[:MAX_NAME]
    while len(msgspec.json.encode(name)) - len('""') > MAX_NAME_BYTES:
        name = name[:-1]
    return name


class JournalError(Exception):
    """The journal cannot be used; the text says what to do."""


# --- deeds that are the unit's own and not the engine's


class TableOpened(msgspec.Struct, frozen=True, tag=True):
    """A table begins: its book, seats and smallest chip. The first entry of every journal."""

    book: str
    size: int
    chip: int


class Struck(msgspec.Struct, frozen=True, tag=True):
    """Entry `n` was taken back (undo); hand `hand` is told to the hub again as revision `rev`.

    Every entry after `since` was decided again without it; the events kept with this entry are those of all of them.
    """

    n: int
    hand: int
    rev: int
    since: int = 0


class DealerTapped(msgspec.Struct, frozen=True, tag=True):
    """A dealer came on. `dealer` is a keyed hash of the badge, never its number."""

    dealer: str
    with_pin: bool = False


class Adopted(msgspec.Struct, frozen=True, tag=True):
    """The hub adopted this outbox and gave the unit its table."""

    adopt: Adopt


Deed = Input | TableOpened | Struck | DealerTapped | Adopted


def decode_deed(body: bytes) -> Deed:
    """A deed from the journal's bytes."""
    return msgspec.json.decode(body, type=Deed)


# --- an entry, written and read


class Entry(NamedTuple):
    """One row: its number, the boot it happened in, when (monotonic ms of that boot), from where, and the deed."""

    n: int
    boot: int
    at_ms: int
    source: str
    deed: Deed


class Out(NamedTuple):
    """One public event for the hub: the hand it belongs to, that hand's revision, and the body."""

    hand: int
    hand_rev: int
    body: Body
    cause: str = ""


class Happened(NamedTuple):
    """One event of the engine as JSON; `of`: the entry it follows from where that is another one (after an undo)."""

    event: bytes
    of: int = 0


class Kept(NamedTuple):
    """A snapshot: the state after entry `n`, encoded by whoever asked for it."""

    n: int
    state: bytes


class Line(NamedTuple):
    """One entry as anybody may read it: unseen cards are "??" in the deed and in the events.

    `ruling` in the words of the hand scripts (docs/hand-scripts.md), with the articles: `ruled:call 100 [tda:42]`.
    """

    n: int
    boot: int
    utc_ms: int
    at_ms: int
    source: str
    deed: Deed
    ruling: str
    events: tuple[Happened, ...]


class Check(NamedTuple):
    """What a verification found: entries read, and the first trouble in words ("" if none)."""

    entries: int
    trouble: str
