"""What everybody may see of a tournament at one moment: the record from which the pages and `/api/state` are made.

A `Picture` is frozen, holds public data only and encodes to JSON as it is. Times are milliseconds; `now_ms` is the
tournament's time (hub monotonic, or the clock file of a demonstration), ages are real milliseconds.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.inputs import Level
from engine.view import TableView
from hub.room import Line


class Link(StrEnum):
    """How fresh a table's news is: derived from the age of its last heartbeat, whatever the broker believes."""

    ONLINE = "online"
    LATE = "late"
    LOST = "lost"
    NEVER = "never"


class TableCard(msgspec.Struct, frozen=True):
    """One table as the room shows it. `wm` is the highest event committed of incarnation `ep`."""

    table_no: int
    unit: str
    view: TableView
    link: Link
    age_ms: int | None
    floor: str = ""
    closed: bool = False
    running: bool = False
    hand_rev: int = 0
    ep: int = 0
    wm: int = 0


class ClockState(StrEnum):
    """What the wall says about the clock."""

    BEFORE = "before"
    RUNNING = "running"
    PAUSED = "paused"
    BREAK = "break"
    OVER = "over"


class ClockFace(msgspec.Struct, frozen=True):
    """The level clock as read at `now_ms`. `real_time`: a browser may count on by itself between two readings."""

    state: ClockState
    rev: int
    now_ms: int
    remaining_ms: int
    real_time: bool
    level: Level | None = None
    level_no: int = 0
    next_level: Level | None = None
    next_is_break: bool = False
    next_break_ms: int | None = None
    announced: int = 0
    hand_for_hand: bool = False
    final_table: bool = False
    color_up: tuple[int, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """Who finished where. `last` differs from `place` when players tie for the places in between."""

    place: int
    last: int
    player: str
    name: str
    table_no: int = 0
    hand: int = 0


class Leg(msgspec.Struct, frozen=True):
    """One player's way from seat to seat."""

    player: str
    name: str
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int


class ProposalView(msgspec.Struct, frozen=True):
    """What the hub proposes, with the article that asks for it. `state`: open, confirmed, done, rejected, withdrawn."""

    id: int
    kind: str
    state: str
    articles: tuple[str, ...]
    legs: tuple[Leg, ...]
    closes: int = 0
    who: str = ""


class Note(msgspec.Struct, frozen=True):
    """One line of the hub's own log: what was done and by whom.

    `number` is the proposal's or the table's; `detail` what needs no translation (blinds, a seed, a name) or the key of
    a ruling.
    """

    utc_ms: int
    what: str
    who: str = ""
    detail: str = ""
    number: int = 0
    articles: tuple[str, ...] = ()
    legs: tuple[Leg, ...] = ()
    seat: int = 0


class RaceView(msgspec.Struct, frozen=True):
    """Color-up at one table: chips of `old` are changed for `new`, `to_win` of these are raced for.

    `due`: the seats that receive the cards of the first round, in the order of the deal.
    """

    table_no: int
    old: int
    new: int
    to_win: int
    due: tuple[int, ...]


class Alarm(msgspec.Struct, frozen=True):
    """Something a person must look at; the pages have words for each `what`.

    `no_seat`, `no_leave`, `refused`: a table refuses a command again and again, `why` as the engine says it; `revoked`
    and `twice`: a badge; `quarantined`: a unit; `unit_lost`: a table's unit says nothing; `events_lost`: this hub never
    had a part of what a unit sent; `chips`: `counted` are on the tables and not `expected`; `slow_act`: it took
    `seconds` at the end of a level; `slow_seat`: the player left `seat` and has not taken the new one.
    `articles`: what the book says of it.
    """

    what: str
    table_no: int = 0
    tables: tuple[int, ...] = ()
    seat: int = 0
    name: str = ""
    why: str = ""
    counted: int = 0
    expected: int = 0
    seconds: int = 0
    articles: tuple[str, ...] = ()


class Picture(msgspec.Struct, frozen=True):
    """Everything at once. `quiescent`: nothing received waits, nothing sent is unanswered, nothing due is unsaid.

    `paid` places are paid (0: nobody said how many). `reentry`: who is out may buy a new stack. `dead_money`: the book
    puts dodged blinds into the pot. `spares`: units that were heard of and have no table. `races`: chips to be raced
    for in this break.
    """

    title: str
    site: str
    rev: int
    hub: int
    book: str
    stage: str
    clock: ClockFace
    tables: tuple[TableCard, ...]
    tape: tuple[Line, ...]
    places: tuple[Place, ...]
    proposals: tuple[ProposalView, ...]
    log: tuple[Note, ...]
    entrants: int
    players_left: int
    chips: int
    quiescent: bool
    broker: bool
    in_transit: int = 0
    waiting_for: tuple[str, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    paid: int = 0
    reentry: bool = False
    dead_money: bool = False
    spares: tuple[str, ...] = ()
    races: tuple[RaceView, ...] = ()

    @property
    def average_stack(self) -> int:
        """All chips over the players left, in whole chips."""
        return self.chips // self.players_left if self.players_left else 0
