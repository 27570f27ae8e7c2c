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
    """The seat draw: who sits where, and where each table's button lies first. `seed` None: system randomness.

    `units`: which unit served each table at that moment.
    """

    seed: int | None
    seats: tuple[DrawnSeat, ...]
    buttons: dict[int, int]
    units: dict[int, str] = {}


class ClockSet(Entry, frozen=True, tag=True):
    """The clock has a new anchor. `what`: started, announced, paused, resumed, minute, stopped; `hand_played`: a hand
    for hand took its time off; `told`: what the displays say beside the time has changed.
    """

    what: str
    clock: wire.Clock
    who: str


class Started(Entry, frozen=True, tag=True):
    """The tournament has started: the tables may deal."""

    who: str


class RoundOver(Entry, frozen=True, tag=True):
    """All tables that wait for each other have finished a hand: unit -> number of its hand."""

    hands: dict[str, int]


class HandForHand(Entry, frozen=True, tag=True):
    """The tables play hand for hand from now on, or no longer, with `left` players in."""

    on: bool
    who: str
    left: int


class PlacesPaid(Entry, frozen=True, tag=True):
    """So many places are paid."""

    places: int
    who: str


class Entered(Entry, frozen=True, tag=True):
    """One player more, with the seat that was drawn. `again`: who comes back with this new stack."""

    player: str
    name: str
    stack: int
    table_no: int
    seat: int
    who: str
    articles: tuple[str, ...] = ()
    again: str = ""


class LastSeat(msgspec.Struct, frozen=True):
    """A seat as it was known last."""

    seat: int
    player: str
    name: str
    stack: int
    misses: int = 0


class Replaced(Entry, frozen=True, tag=True):
    """`unit` serves the table from now on; `old` counts up to event `wm` of its outbox `ep`.

    `seats` and `button` as they were known last; `blinds`: small and big blind of the next hand, 0 and 0 if unknown.
    """

    table_no: int
    old: str
    unit: str
    seats: tuple[LastSeat, ...]
    button: int
    blinds: tuple[int, int]
    who: str
    ep: int
    wm: int


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


class Ordered(Entry, frozen=True, tag=True):
    """The director asks one table for something, once. `what`: race, dodged."""

    table_no: int
    what: str
    body: wire.CommandBody
    who: str


class Retried(Entry, frozen=True, tag=True):
    """The director has looked after a table that refused commands: they are sent anew."""

    table_no: int
    who: str


class Finished(Entry, frozen=True, tag=True):
    """One player is left."""

    player: str


AnyEntry = (
    Drawn | ClockSet | Started | RoundOver | HandForHand | PlacesPaid | Entered | Replaced | Proposed | Decided | Closed
    | Commanded | Ruled | Ordered | Retried | Finished
)  # fmt: skip
