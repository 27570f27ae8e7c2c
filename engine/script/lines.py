"""What a line of a hand script can say, as records: the header, the inputs, the outcome after `->`, the checks.

The records keep the grammar's words ("raise_to", "from_break"); `parse` makes them and refuses what they cannot hold,
`play` gives them to the rules. Amounts are whole chips, a bet or raise is the seat's total for the street, seats are
numbers from 1.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.inputs import Level

SIZE = 10  # seats at a table of which nothing else is said


class Statement(msgspec.Struct, frozen=True):
    """Base of everything that may stand on a line after the header."""


# --- the acts of a seat


class Act(Statement, frozen=True):
    """The dealer keys `what` in for `seat`: fold, check, call, bet, raise_to, all_in. `to` with bet and raise_to."""

    seat: int
    what: str
    to: int | None = None


class Motion(msgspec.Struct, frozen=True):
    """Chips pushed in one motion. `chips` are described one by one, or a single sum when `described` is false."""

    chips: tuple[int, ...]
    described: bool = False
    single: bool = False


class Says(Statement, frozen=True):
    """`seat` said `word`, with or without an amount, and perhaps pushed chips."""

    seat: int
    word: str
    amount: int | None = None
    motion: Motion | None = None


class Puts(Statement, frozen=True):
    """`seat` pushed chips in silence, in one or more motions; `unnoticed`: nobody objects."""

    seat: int
    motions: tuple[Motion, ...]
    unnoticed: bool = False


class Noticed(Statement, frozen=True):
    """The mistake of `seat` that nobody objected to is found now."""

    seat: int


class Chooses(Statement, frozen=True):
    """`seat` takes the choice that the book gives it: minimum, correct, withdraw, call."""

    seat: int
    what: str
    to: int | None = None


class Goes(Statement, frozen=True):
    """`seat` leaves the table (`away`) or comes back to it."""

    seat: int
    away: bool


class Exposes(Statement, frozen=True):
    """`seat` shows its own hole cards while the hand is running."""

    seat: int


class Shows(Statement, frozen=True):
    """`seat` tables its hand at showdown. `cards` None: those the script has given it."""

    seat: int
    cards: tuple[str, str] | None = None


class Mucks(Statement, frozen=True):
    """`seat` gives its hand up unseen at showdown."""

    seat: int


class Asks(Statement, frozen=True):
    """At showdown `seat` asks that the hand of seat `of` be shown."""

    seat: int
    of: int


class Kills(Statement, frozen=True):
    """The hand of `seat` leaves the game without a fold: dealer, thrown, passed."""

    seat: int
    why: str


class Revives(Statement, frozen=True):
    """The director gives `seat` its killed hand back."""

    seat: int


# --- time


class ClockCall(Statement, frozen=True):
    """`seat` asks for time on the player to act."""

    seat: int


class Grants(Statement, frozen=True):
    """Whoever may grant the time grants it."""


class Reminds(Statement, frozen=True):
    """The dealer urges the player to act."""


class Waits(Statement, frozen=True):
    """`seconds` pass."""

    seconds: int


# --- the run of a hand


class Begins(Statement, frozen=True):
    """A hand begins: blinds and antes are posted, hole cards dealt."""


class Board(Statement, frozen=True):
    """The next street lies on the table; a single "??" stands for all its cards."""

    cards: tuple[str, ...]


class StrayCard(Statement, frozen=True):
    """A card that nobody expected leaves the shoe."""

    card: str


class DealError(Statement, frozen=True):
    """The dealer made a mistake of this `kind`; `seat` and `n` (its n-th card) where the kind has them."""

    kind: str
    seat: int | None = None
    n: int | None = None


class Undo(Statement, frozen=True):
    """The dealer takes the last command back; what devices saw stays."""


class Complains(Statement, frozen=True):
    """Somebody contests the last award."""


class Floor(Statement, frozen=True):
    """The director rules: a `word` of the grammar with its `seats` or `amount`, or free `text`."""

    word: str
    seats: tuple[int, ...] = ()
    amount: int | None = None
    text: str = ""


class Awards(Statement, frozen=True):
    """The dealer names the winners of the pot being decided."""

    seats: tuple[int, ...]


class Next(Statement, frozen=True):
    """On to the next hand."""


class Bust(Statement, frozen=True):
    """This hand is over and `seats` lost all their chips, to whom is not told."""

    seats: tuple[int, ...]


class Moment(Statement, frozen=True):
    """`shuffle` or `first_card`: a moment at which a new hand may be said to start."""

    what: str


# --- the table and the tournament


class Sits(Statement, frozen=True):
    """A player takes `seat` with `stack` chips: `new`, `from_break` or `from_balance`."""

    seat: int
    stack: int
    arrival: str = "new"


class Leaves(Statement, frozen=True):
    """The player in `seat` is moved away or leaves."""

    seat: int


class Dodges(Statement, frozen=True):
    """The player of `seat`, on the way from another table, dodged blinds of the coming hand."""

    seat: int
    small_blind: bool
    big_blind: bool


class Counts(Statement, frozen=True):
    """The director sets the stack of `seat` to what was counted."""

    seat: int
    stack: int


class Penalty(Statement, frozen=True):
    """`what`: warning, rounds, minutes, disqualify; `n` rounds or minutes."""

    seat: int
    what: str
    n: int | None = None


class Confiscates(Statement, frozen=True):
    """`amount` chips of `seat` leave the tournament."""

    seat: int
    amount: int


class NewLevel(Statement, frozen=True):
    """The clock passes to `level` and it is announced, now."""

    level: Level


class LevelClock(Statement, frozen=True):
    """The level clock reaches `zero`, is stopped (`stop`) or runs again (`go`)."""

    what: str


# --- chip race, balancing, payout


class Race(Statement, frozen=True):
    """Chips of `old` leave; `new` becomes the smallest."""

    old: int
    new: int


class Draw(Statement, frozen=True):
    """One round of a race: which card each seat received, in the order dealt."""

    cards: tuple[tuple[int, str], ...]


class TableRow(Statement, frozen=True):
    """A table as its last hand left it. A blind that nobody posted is 0."""

    name: str
    size: int
    seats: tuple[int, ...]
    button: int
    small_blind: int
    big_blind: int


class Plan(Statement, frozen=True):
    """What does the engine propose to the director?"""


class Payout(Statement, frozen=True):
    """The money of a tournament, in cents for each entry."""

    entries: int
    prize: int
    fee: int = 0
    jackpot: int = 0


class Shares(Statement, frozen=True):
    """The percentages of the places, from the first."""

    percent: tuple[int, ...]


# --- checks

Value = tuple[Any, ...]


class Check(Statement, frozen=True):
    """`= name ...`: what must hold now. `value` is in the canonical form of that check (see `parse.CHECKS`)."""

    name: str
    value: Value


# --- the line and the script


class Outcome(msgspec.Struct, frozen=True):
    """What stands after `->`: `word` with `refused` and `ruled`, `amount` with `ruled`; `article` is `book:number`."""

    kind: str = "ok"
    word: str = ""
    amount: int | None = None
    article: str = ""

    def __str__(self) -> str:
        said = self.kind + (f":{self.word}" if self.word else "")
        return said + ("" if self.amount is None else f" {self.amount}")


class Line(msgspec.Struct, frozen=True):
    """One statement with its place in the file, its text, and the outcome it must have."""

    number: int
    text: str
    statement: Statement
    outcome: Outcome = Outcome()


class HoleCards(msgspec.Struct, frozen=True):
    """A `cards` line: hole cards of `seat` for the next hand that begins after it."""

    seat: int
    cards: tuple[str, str]


class Header(msgspec.Struct, frozen=True):
    """What stands before the first input. Blinds 0/0: none are given. None: not said, the book or position decides."""

    title: str
    book: str
    settings: tuple[tuple[str, str], ...] = ()
    articles: tuple[str, ...] = ()
    game: str = "no-limit"
    level: Level | None = None
    bets: tuple[int, int] | None = None
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    seats: tuple[tuple[int, int], ...] = ()
    size: int = SIZE
    away: tuple[int, ...] = ()
    chip: int = 1


class Dealt(Statement, frozen=True):
    """A `cards` line in the body: it is no input, it says what the next `begin` deals."""

    hole_cards: HoleCards


class Script(msgspec.Struct, frozen=True):
    """One script of a file. `line` is the number of its `title`, `book_line` that of its `book`."""

    file: str
    line: int
    book_line: int
    header: Header
    lines: tuple[Line, ...]
