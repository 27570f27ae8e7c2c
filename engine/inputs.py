"""What may happen at a table: everything that enters the rules.

Two kinds. A *command* is a wish of a person (or of the hub on the director's behalf): it may be refused, with the
article. An *observation* is what a device or a pair of eyes saw: it is never refused, because the card is on the felt
whether the rules like it or not; the ruling says what to do about it.

Every input is a frozen record with a tag, so that the journal, the hand scripts and the tests share one spelling.
Amounts are whole chips; a bet or a raise is the seat's total for the street. Seats are 1-based and never renumbered.
The moment of an input (`at_ms`) travels beside it, never inside it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

UNKNOWN_CARD = "??"


class Game(StrEnum):
    """How much may be bet: up to the stack, up to the pot, or one fixed bet."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"


class Level(msgspec.Struct, frozen=True):
    """Blinds and antes of one level, in chips, and its game: events that mix games change them by the level.

    `ante` is paid by everybody, `big_blind_ante` by the big blind alone. `small_bet` (before the flop and on it) and
    `big_bet` are the fixed-limit bets; 0 stands for the big blind and for twice the small bet.
    """

    small_blind: int
    big_blind: int
    ante: int = 0
    big_blind_ante: int = 0
    number: int = 0
    game: Game = Game.NO_LIMIT
    small_bet: int = 0
    big_bet: int = 0


class Arrival(StrEnum):
    """How a player comes to a seat: it decides where the player may be dealt in at once."""

    NEW = "new"
    FROM_BREAK = "from_break"
    FROM_BALANCE = "from_balance"


class Departure(StrEnum):
    """Why a player leaves a seat with chips (an elimination is no departure: the engine finds it by itself)."""

    MOVED = "moved"
    BROKEN = "broken"
    LEFT = "left"


class KillReason(StrEnum):
    """How a hand left the game without a fold."""

    DEALER = "dealer"
    THROWN = "thrown"
    PASSED = "passed"


class DealFault(StrEnum):
    """What went wrong with the cards (misdeals: lifeclub:15.1, tda:35; irregular flops: tda:39)."""

    HOLE_EXPOSED = "hole_exposed"    # the dealer turned a hole card up
    EXTRA_CARD = "extra_card"        # somebody got a card too many when all had theirs
    SKIPPED = "skipped"              # somebody was passed over
    FLOP_EXTRA = "flop_extra"        # the flop has a card too many
    NO_BURN = "no_burn"
    DOUBLE_BURN = "double_burn"
    EARLY_TURN = "early_turn"        # dealt before the betting was over
    EARLY_RIVER = "early_river"
    BOXED = "boxed"                  # a card lay face up in the deck
    DUPLICATE = "duplicate"
    MISSING = "missing"              # the deck has too few cards
    WRONG_BACK = "wrong_back"
    DECK_DOWN = "deck_down"          # the deck was put down before the deal was over


class Sanction(StrEnum):
    """What the director imposes on a player."""

    WARNING = "warning"
    ROUNDS = "rounds"                # so many rounds of hands to sit out
    MINUTES = "minutes"
    DISQUALIFY = "disqualify"


class Face(StrEnum):
    """Which way a card left the shoe."""

    DOWN = "down"
    UP = "up"
    UNKNOWN = "unknown"


class Command(msgspec.Struct, frozen=True, tag=True):
    """A wish; may be refused."""


class Observation(msgspec.Struct, frozen=True, tag=True):
    """A fact; never refused."""


# --- the table and its players (the hub's or the director's wishes; what happens between hands waits for it)


class SitDown(Command, frozen=True, tag=True):
    """A player takes `seat` with `stack` chips.

    What is left of a penalty comes along: `misses` hands, or `banned_ms`, to sit out.
    """

    seat: int
    player: str
    stack: int
    name: str = ""
    arrival: Arrival = Arrival.NEW
    misses: int = 0
    banned_ms: int = 0


class LeaveSeat(Command, frozen=True, tag=True):
    """The player in `seat` goes away with the chips; in a running hand it takes effect when the hand is over."""

    seat: int
    why: Departure = Departure.MOVED


class PlaceButton(Command, frozen=True, tag=True):
    """The button lies at `seat` for the next hand; with the blinds given, they are those seats (0: nobody posts)."""

    seat: int
    small_blind: int | None = None
    big_blind: int | None = None


class ApplyLevel(Command, frozen=True, tag=True):
    """A level is announced; it counts from the next start of a hand as the book defines it."""

    level: Level


class SetStack(Command, frozen=True, tag=True):
    """The director sets the stack of `seat` to the chips that were counted."""

    seat: int
    stack: int


class RaceChips(Command, frozen=True, tag=True):
    """Between hands the chips of `old` leave the table and `new` becomes the smallest chip.

    `rounds`: the cards of the race, round by round, as (seat, card) in the order dealt. `small_blind` is that of the
    last hand; 0: as the table knows it.
    """

    old: int
    new: int
    rounds: tuple[tuple[tuple[int, str], ...], ...] = ()
    small_blind: int = 0


class DodgedBlinds(Command, frozen=True, tag=True):
    """The director: the player of `seat` dodged these blinds of the coming hand on the way from another table."""

    seat: int
    small_blind: bool = False
    big_blind: bool = True


class HoldPlay(Command, frozen=True, tag=True):
    """The next hand does not begin while `on` (balancing, hand-for-hand, a pause); the running hand goes on."""

    on: bool
    why: str = ""


# --- the run of a hand


class Shuffle(Command, frozen=True, tag=True):
    """The first riffle of the next hand."""


class FirstCard(Command, frozen=True, tag=True):
    """The first card leaves the deck: blinds and antes are posted, the deal begins. Implies `Shuffle`."""


class NextHand(Command, frozen=True, tag=True):
    """On to the next hand, now that this one is over and nobody contests it."""


class HoleCardsDealt(Observation, frozen=True, tag=True):
    """The deal is complete. `known` gives the cards somebody knows: seat -> two cards; the others are unknown."""

    known: dict[int, tuple[str, str]] = {}


class StreetDealt(Observation, frozen=True, tag=True):
    """One was burned and the next street lies on the table: three cards, then one, then one ("??" is unknown)."""

    cards: tuple[str, ...]


class CardDrawn(Observation, frozen=True, tag=True):
    """One card left the shoe. The engine knows where it belongs: a seat's hand, a burn, the board, or nowhere yet."""

    card: str
    face: Face = Face.DOWN


class Fold(Command, frozen=True, tag=True):
    """`seat` folds."""

    seat: int


class Check(Command, frozen=True, tag=True):
    """`seat` checks."""

    seat: int


class Call(Command, frozen=True, tag=True):
    """`seat` calls, for less if that is all it has."""

    seat: int


class Bet(Command, frozen=True, tag=True):
    """`seat` opens the betting of the street with `to` chips."""

    seat: int
    to: int


class RaiseTo(Command, frozen=True, tag=True):
    """`seat` raises to a total of `to` chips for the street."""

    seat: int
    to: int


class AllIn(Command, frozen=True, tag=True):
    """`seat` puts in everything it has."""

    seat: int


class Word(StrEnum):
    """What a player may say for an action."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    POT = "pot"


class Motion(msgspec.Struct, frozen=True):
    """Chips pushed in one movement; what lay in front for the street already is not among them.

    `chips` are named one by one, or as a single sum if nobody looked closer. `single`: it was one chip.
    """

    chips: tuple[int, ...]
    single: bool = False

    @property
    def amount(self) -> int:
        """All of it."""
        return sum(self.chips)


class Says(Command, frozen=True, tag=True):
    """`seat` says `word`, perhaps with an `amount` (a total for the street), perhaps pushing chips with it."""

    seat: int
    word: Word
    amount: int | None = None
    motion: Motion | None = None


class Puts(Command, frozen=True, tag=True):
    """`seat` pushes chips in silence, in one or more motions. `unnoticed`: nobody objects, it lies as it was put."""

    seat: int
    motions: tuple[Motion, ...]
    unnoticed: bool = False


class Noticed(Command, frozen=True, tag=True):
    """The mistake of `seat` that nobody objected to is found now."""

    seat: int


class Choice(StrEnum):
    """What a book leaves to the player after a misunderstanding (fipos:21, 23)."""

    MINIMUM = "minimum"
    CORRECT = "correct"
    WITHDRAW = "withdraw"
    CALL = "call"


class Chooses(Command, frozen=True, tag=True):
    """`seat` takes the choice its book gives it; `to` is the corrected raise, a total for the street."""

    seat: int
    what: Choice
    to: int = 0


class ClockCall(Command, frozen=True, tag=True):
    """`seat` asks for time on the player to act."""

    seat: int


class GrantClock(Command, frozen=True, tag=True):
    """Whoever may grant the time that was asked for grants it."""


class Remind(Command, frozen=True, tag=True):
    """The dealer urges the player to act."""


class TimePassed(Observation, frozen=True, tag=True):
    """The moment of `engine.table.next_deadline_ms` has come, or gone by."""


class Kill(Command, frozen=True, tag=True):
    """The hand of `seat` is out of the game without a fold."""

    seat: int
    why: KillReason = KillReason.DEALER


class Revive(Command, frozen=True, tag=True):
    """The director gives `seat` back a hand that was dead or thrown away, its cards being known for sure."""

    seat: int


class Exposes(Command, frozen=True, tag=True):
    """`seat` shows its own hole cards while the hand is running."""

    seat: int


class DealError(Command, frozen=True, tag=True):
    """The dealer or somebody at the table found a dealing error.

    `seat` whose card it was; `n` which of its cards (`hole_exposed`) or which of the four drawn as burn (`flop_extra`,
    0: not known).
    """

    what: DealFault
    seat: int = 0
    n: int = 0


class TableCards(Command, frozen=True, tag=True):
    """`seat` shows its hand at showdown. `cards` are read from the felt; None: those the table already knows."""

    seat: int
    cards: tuple[str, str] | None = None


class Muck(Command, frozen=True, tag=True):
    """`seat` gives its hand up unseen at showdown."""

    seat: int


class AsksToSee(Command, frozen=True, tag=True):
    """At the showdown, the player of `seat` asks that the hand of seat `of` be shown whole."""

    seat: int
    of: int


class AwardPot(Command, frozen=True, tag=True):
    """The dealer names the winner or winners of the pot being decided, because the cards are unknown."""

    seats: tuple[int, ...]


class Complain(Command, frozen=True, tag=True):
    """Somebody contests the last award."""


class Penalise(Command, frozen=True, tag=True):
    """The director imposes a sanction on the player of `seat`; `n` rounds or minutes."""

    seat: int
    what: Sanction
    n: int = 0


class Confiscate(Command, frozen=True, tag=True):
    """`amount` chips of `seat` leave the tournament."""

    seat: int
    amount: int


class Away(Command, frozen=True, tag=True):
    """The player of `seat` leaves the table."""

    seat: int


class Back(Command, frozen=True, tag=True):
    """The player of `seat` is back."""

    seat: int


class CallFloor(Command, frozen=True, tag=True):
    """The dealer calls the director; play waits. `why` is a short word, for example `dealer`, `cards_lost`."""

    why: str = "dealer"


class FloorDecides(Command, frozen=True, tag=True):
    """The director ends a wait: `plays_on`, or `voids` (the hand is undone, every chip goes back).

    `binds` or `releases`: an act out of turn of `seats` stands, or does not. `restores`: the cards are put in the order
    they should have had; `redeals`: deal or flop again. `awards`: the contested or withheld pot goes to `seats`;
    `holds`: `amount` chips of it are set apart until that. `text`: any other ruling, in `text`.
    """

    what: str
    text: str = ""
    seats: tuple[int, ...] = ()
    amount: int = 0


class DeviceTrouble(Observation, frozen=True, tag=True):
    """A device saw less than there was, or cards that may not be there.

    `cards_lost`, `duplicate`, `wrong_back`, `two_cards`, `card_back` (into the shoe), `door_open`, `shoe_down`.
    """

    what: str
    detail: str = ""


Input = (
    SitDown | LeaveSeat | PlaceButton | ApplyLevel | SetStack | RaceChips | DodgedBlinds | HoldPlay
    | Shuffle | FirstCard | NextHand | HoleCardsDealt | StreetDealt | CardDrawn
    | Fold | Check | Call | Bet | RaiseTo | AllIn | Says | Puts | Noticed | Chooses
    | ClockCall | GrantClock | Remind | TimePassed | Kill
    | Revive | Exposes | DealError | Complain | Penalise | Confiscate
    | TableCards | Muck | AsksToSee | AwardPot | Away | Back | CallFloor | FloorDecides | DeviceTrouble
)  # fmt: skip
