"""What the hub's own journal holds: every decision and every outcome of chance, one record each.

The journal of the tournament is the second half of the truth; the first are the tables' events. Folding both gives the
tournament back after a restart (`hub.tournament`). `who` is `hub`, `clock` or `director`.
"""

from __future__ import annotations

import msgspec

from engine import wire
from engine.balance import DrawnSeat
from hub.picture import Leg


class Entry(msgspec.Struct, frozen=True, tag=True):
    """Base of all journal entries."""


class Drawn(Entry, frozen=True, tag=True):
    """The seat draw: who sits where, and where each table's button lies first. `seed` None: system randomness."""

    seed: int | None
    seats: tuple[DrawnSeat, ...]
    buttons: dict[int, int]


class ClockSet(Entry, frozen=True, tag=True):
    """The clock has a new anchor. `what`: set, started, announced, paused, resumed, minute, stopped."""

    what: str
    clock: wire.Clock
    who: str


class Started(Entry, frozen=True, tag=True):
    """The tournament has started: the tables may deal."""

    who: str


class RoundOver(Entry, frozen=True, tag=True):
    """All tables in step have finished a hand: unit -> number of its hand."""

    hands: dict[str, int]


class Proposed(Entry, frozen=True, tag=True):
    """The hub proposes `legs`. `kind`: balance or break; `closes`: the table that breaks.

    `hands`: table -> number of its last hand, for the tables that must not deal meanwhile.
    """

    id: int
    kind: str
    articles: tuple[str, ...]
    legs: tuple[Leg, ...]
    closes: int
    hands: dict[int, int]


class Decided(Entry, frozen=True, tag=True):
    """A proposal was confirmed or rejected."""

    id: int
    yes: bool
    who: str


class Closed(Entry, frozen=True, tag=True):
    """A proposal has come to its end: done, or withdrawn because a table had dealt the next hand."""

    id: int
    done: bool


class Commanded(Entry, frozen=True, tag=True):
    """A command was given to the hub's outbox. `key` says what it is for; a repeated key is a repetition."""

    key: str
    id: str
    table_no: int
    body: wire.CommandBody
    hand: int = 0


class Ruled(Entry, frozen=True, tag=True):
    """The director decided for a table that waits."""

    table_no: int
    what: str
    who: str


class Retried(Entry, frozen=True, tag=True):
    """The director has looked after a table that refused commands: they are sent anew."""

    table_no: int
    who: str


class Finished(Entry, frozen=True, tag=True):
    """One player is left."""

    player: str


AnyEntry = Drawn | ClockSet | Started | RoundOver | Proposed | Decided | Closed | Commanded | Ruled | Retried | Finished
