"""The panel between two presses: what is heard and wished, and what the dealer is in the middle of. Records only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from drivers.seen import Key
from engine.inputs import Input, KillReason, Level, Motion, Sanction
from engine.view import Legal, PotView, TableView

PIN_DIGITS = 4  # typed on the eight keys: FOLD is 1 and FLOOR is 8
PIN_KEYS = {key: str(number) for number, key in enumerate(Key, 1)}
PIN_TRIES = 3                    # wrong PINs in a row; then none is looked at for a while
PIN_WAIT_MS = 60_000             # the first while; each further one is twice as long
PIN_WAIT_MAX_MS = 3_600_000


# --- what is heard and wished beside the drivers' and the engine's records


class Badged(msgspec.Struct, frozen=True):
    """A badge was read: its keyed hash, and whether it is a director's."""

    badge: str
    director: bool


class Undo(msgspec.Struct, frozen=True):
    """Take the last command back; `director`: also across the end of a hand."""

    director: bool = False


class DealerComes(msgspec.Struct, frozen=True):
    """A dealer tapped in."""

    badge: str


class Begin(msgspec.Struct, frozen=True):
    """A table that plays without a hub, as described on the panel or in the configuration.

    `stacks`: seat -> chips; `names`: seat -> (player, name) where they are known; `blinds`: seats of the first small
    and big blind where they are not the next two.
    """

    book: str
    level: Level
    stacks: dict[int, int]
    button: int
    names: dict[int, tuple[str, str]] = {}
    blinds: tuple[int | None, int | None] = (None, None)


class Beep(msgspec.Struct, frozen=True):
    """A short tone."""


Want = Input | Undo | DealerComes | Begin | Beep


class Wish(NamedTuple):
    """One wish and on whose word: `panel`, or `director:...` once a director's badge or PIN stands behind it."""

    want: Want
    by: str = "panel"


# --- modes


class Told(StrEnum):
    """What the panel itself answers to a press that leads to no wish."""

    NONE = ""
    NOT_NOW = "not_now"
    NO_RAISE = "no_raise"
    NO_SEAT = "no_seat"
    CANCELLED = "cancelled"
    NOT_DIRECTOR = "not_director"
    WRONG_PIN = "wrong_pin"
    PIN_LOCKED = "pin_locked"
    COUNT_FIRST = "count_first"
    TWO_KEYS = "two_keys"
    TOO_FAST = "too_fast"


class Item(StrEnum):
    """Entries of the FLOOR menu."""

    KILL_DEALER = "kill_dealer"
    KILL_THROWN = "kill_thrown"
    KILL_PASSED = "kill_passed"
    REVIVE = "revive"
    EXPOSES = "exposes"
    SAID_AMOUNT = "said_amount"
    SAID_RAISE = "said_raise"
    SAID_CALL = "said_call"
    TWO_MOTIONS = "two_motions"
    CHIPS = "chips"
    AWAY = "away"
    BACK = "back"
    COUNT = "count"
    COMPLAIN = "complain"
    WARNING = "warning"
    PENALTY = "penalty"
    DISQUALIFY = "disqualify"
    CONFISCATE = "confiscate"
    CALL = "call"
    GRANT = "grant"
    HOLD = "hold"
    GO_ON = "go_on"
    PLAYS_ON = "plays_on"
    VOIDS = "voids"
    BINDS = "binds"
    RELEASES = "releases"
    RESTORES = "restores"
    REDEALS = "redeals"
    AWARDS = "awards"
    EXPOSED_FIRST = "exposed_first"
    EXPOSED_SECOND = "exposed_second"
    EXTRA_CARD = "extra_card"
    SKIPPED = "skipped"
    BOXED = "boxed"
    FLOP_EXTRA = "flop_extra"
    NO_BURN = "no_burn"
    DOUBLE_BURN = "double_burn"
    EARLY_CARD = "early_card"
    DUPLICATE = "duplicate"
    MISSING = "missing"
    WRONG_BACK = "wrong_back"
    DECK_DOWN = "deck_down"


PAGES: tuple[tuple[Item, ...], ...] = (
    (
        Item.KILL_DEALER, Item.KILL_THROWN, Item.KILL_PASSED, Item.REVIVE, Item.EXPOSES, Item.SAID_AMOUNT,
        Item.SAID_RAISE, Item.SAID_CALL, Item.TWO_MOTIONS, Item.CHIPS,
    ),
    (
        Item.AWAY, Item.BACK, Item.COUNT, Item.COMPLAIN, Item.WARNING, Item.PENALTY, Item.DISQUALIFY, Item.CONFISCATE,
    ),
    (
        Item.CALL, Item.HOLD, Item.GO_ON, Item.PLAYS_ON, Item.VOIDS, Item.BINDS, Item.RELEASES, Item.RESTORES,
        Item.REDEALS, Item.AWARDS, Item.GRANT,
    ),
    (
        Item.EXPOSED_FIRST, Item.EXPOSED_SECOND, Item.EXTRA_CARD, Item.SKIPPED, Item.BOXED, Item.FLOP_EXTRA,
        Item.NO_BURN, Item.DOUBLE_BURN, Item.EARLY_CARD, Item.DUPLICATE, Item.MISSING, Item.WRONG_BACK, Item.DECK_DOWN,
    ),
)  # fmt: skip
"""Hands and chips (one detent back is what was pushed in silence), players, the director, cards."""

DIRECTORS_PAGE = 2
PUSHED = frozenset({Item.SAID_AMOUNT, Item.SAID_RAISE, Item.SAID_CALL, Item.TWO_MOTIONS, Item.CHIPS})
OUT_OF_TURN = frozenset({Item.BINDS, Item.RELEASES})
SANCTIONS = frozenset({Item.WARNING, Item.PENALTY, Item.DISQUALIFY, Item.CONFISCATE})
SPOILS = frozenset({Item.DUPLICATE, Item.MISSING, Item.WRONG_BACK})
FOR_DIRECTORS = (
    frozenset({Item.COUNT, Item.HOLD, Item.GO_ON, Item.PLAYS_ON, Item.VOIDS, Item.REVIVE, Item.RESTORES,
               Item.REDEALS, Item.AWARDS, Item.GRANT})
    | OUT_OF_TURN
    | SANCTIONS
    | SPOILS
)  # fmt: skip
"""What a dealer alone may not do: a deck that is not whole gives every chip back."""

KILLS = {
    Item.KILL_DEALER: KillReason.DEALER,
    Item.KILL_THROWN: KillReason.THROWN,
    Item.KILL_PASSED: KillReason.PASSED,
}


class Step(StrEnum):
    """Questions of a first start without a hub, in order."""

    BOOK = "book"
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    ANTE = "ante"
    STACK = "stack"
    SEATS = "seats"
    BUTTON = "button"


STEPS = tuple(Step)


class Mode(msgspec.Struct, frozen=True, tag=True):
    """Base of what the panel is in the middle of."""


class Play(Mode, frozen=True, tag=True):
    """Nothing begun. `seat`: chosen by the knob to act out of turn; 0: the seat whose turn it is."""

    seat: int = 0


class Amount(Mode, frozen=True, tag=True):
    """A bet or raise of `seat` to `to` is open."""

    seat: int
    to: int


class Award(Mode, frozen=True, tag=True):
    """The winners of a pot are being chosen; the knob stands at `at`."""

    at: int
    chosen: tuple[int, ...] = ()


class Menu(Mode, frozen=True, tag=True):
    """The FLOOR menu is open at entry `at` of `page`. `by`: a director who opened it.

    `seat`: chosen by the knob before; 0: the seat whose turn it is.
    """

    page: int = 0
    at: int = 0
    by: str = ""
    seat: int = 0


class Pushed(Mode, frozen=True, tag=True):
    """The chips that `seat` pushed are being dialled: `amount`, `single` if it was one chip.

    `item`: what was said with them, or that there were two motions; `first`: the motion before this one. With
    `SAID_AMOUNT` the total that was said is dialled before the chips: `said` is None until then.
    """

    item: Item
    seat: int
    amount: int
    single: bool = False
    first: Motion | None = None
    by: str = ""
    said: int | None = None

    @property
    def asks_words(self) -> bool:
        """What is dialled is still the total that was said, and not the chips."""
        return self.item is Item.SAID_AMOUNT and self.said is None


class PickSeat(Mode, frozen=True, tag=True):
    """A seat is being chosen for a menu's entry."""

    item: Item
    at: int
    by: str = ""


class Count(Mode, frozen=True, tag=True):
    """The counted stack of `seat` is being dialled, or with `CONFISCATE` the chips that leave the tournament."""

    seat: int
    stack: int
    by: str = ""
    item: Item = Item.COUNT


class Penalty(Mode, frozen=True, tag=True):
    """How long `seat` sits out is being dialled: `n` of what the book counts in, among the penalties it has."""

    seat: int
    n: int
    by: str = ""


class ConfirmDeal(Mode, frozen=True, tag=True):
    """The deal is over by what the shoe reported, `cards` of them. It cannot prove it: the dealer is asked."""

    cards: int


class Verify(Mode, frozen=True, tag=True):
    """The shoe was away in the hand and does not say what it gave: does the deal stand where the table believes?"""


class WithoutShoe(Mode, frozen=True, tag=True):
    """DEAL was pressed while the shoe must be put right (`Scene.shoe_waits`): deal without it?"""


class AskDirector(Mode, frozen=True, tag=True):
    """Something waits for a director's badge or PIN; `digits` typed so far."""

    want: Undo | Input | None
    then: Menu | PickSeat | None = None
    digits: str = ""


class Setting(Mode, frozen=True, tag=True):
    """The questions of a first start. `book` indexes `Scene.books`; `at` is the seat under the knob."""

    step: Step = Step.BOOK
    book: int = 0
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    stack: int = 0
    seats: tuple[int, ...] = ()
    at: int = 1


AnyMode = (
    Play | Amount | Award | Menu | Pushed | PickSeat | Count | Penalty | ConfirmDeal | Verify | WithoutShoe
    | AskDirector | Setting
)  # fmt: skip


class Panel(msgspec.Struct, frozen=True):
    """The panel between two presses. `run` is the signed length of the knob's run that ended at `turned_ms`.

    `wrong_pins`: since the last right one; until `pin_free_ms` no PIN is looked at.
    """

    mode: AnyMode = Play()
    told: Told = Told.NONE
    run: int = 0
    turned_ms: int = -1_000_000
    time_seat: int = 0
    time_since_ms: int = 0
    wrong_pins: int = 0
    pin_free_ms: int = -1_000_000


class Scene(NamedTuple):
    """What the panel may know of the table."""

    view: TableView
    legal: Legal | None
    chip: int
    pot: PotView | None = None    # the pot whose winner must be named
    books: tuple[str, ...] = ()
    opened: bool = True           # a table with its book and seats exists
    directors: bool = False       # somebody holds a director's badge or PIN; else the dealer's word is enough
    sanction: Sanction = Sanction.ROUNDS   # in what the book counts a penalty, and how many there may be
    penalties: tuple[int, ...] = ()
    shoe_waits: tuple[str, str] | None = None   # what is wrong at the shoe and keeps a due card waiting, in words' keys
    pin_is: str = ""              # set by the unit when the last four digits typed were a director's
