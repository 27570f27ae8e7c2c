"""What happened at a table: the private events of the journal, from which `engine.evolve` rebuilds every state.

They may name untabled cards and so never leave the unit; `engine.publish` makes the public ones. An event carries
what the rulebook made of an input, so that no book is needed to fold it: an old journal reads the same after a book was
edited. Seat sets are ints (`engine.seats`), amounts whole chips, an action's `to` the seat's total for the street.
"""

from __future__ import annotations

import msgspec

from engine.inputs import Arrival, Departure, Level
from engine.seats import SeatSet
from engine.state import BySeat, Cards, Lost, Mistake, Positions
from engine.view import PotView


class Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Base of all private events."""


# --- the table


class PlayerSat(Event, frozen=True, tag=True):
    """A player took a seat with a stack, and with hands to sit out, or a time (`until_ms`) until which he does."""

    seat: int
    player: str
    name: str
    stack: int
    arrival: Arrival
    misses: int = 0
    until_ms: int = 0


class PlayerLeaves(Event, frozen=True, tag=True):
    """A player will leave when the hand is over."""

    seat: int
    why: Departure


class PlayerLeft(Event, frozen=True, tag=True):
    """A player left with the chips, and with `misses` hands or `banned_ms` still to sit out."""

    seat: int
    player: str
    stack: int
    why: Departure
    misses: int = 0
    banned_ms: int = 0


class ButtonPlaced(Event, frozen=True, tag=True):
    """Button and blinds of the next hand were set."""

    positions: Positions


class LevelAnnounced(Event, frozen=True, tag=True):
    """A level was announced; it counts from the next start of a hand."""

    level: Level


class StackSet(Event, frozen=True, tag=True):
    """The director counted a stack, or took chips of it out of the tournament (`confiscated`)."""

    seat: int
    before: int
    after: int
    confiscated: bool = False


class ChipsRaced(Event, frozen=True, tag=True):
    """The smallest chips left: by seat, the stacks after the race; `removed` chips left unpaid, `added` came in."""

    chip: int
    stacks: BySeat
    removed: int
    added: int


class BlindsTaken(Event, frozen=True, tag=True):
    """Chips of blinds that a seat dodged: they wait for the next pot, and nobody has to match them."""

    seat: int
    chips: int


class PlayHeld(Event, frozen=True, tag=True):
    """The next hand waits (`on`), or waits no longer."""

    on: bool
    why: str


class WentAway(Event, frozen=True, tag=True):
    """A player left the table."""

    seat: int


class CameBack(Event, frozen=True, tag=True):
    """A player is back."""

    seat: int


class FloorCalled(Event, frozen=True, tag=True):
    """Play waits for the director."""

    why: str


class FloorDecided(Event, frozen=True, tag=True):
    """The director ended the wait."""

    what: str
    text: str


class Irregular(Event, frozen=True, tag=True):
    """Something went wrong that changes nothing by itself; `what` is a word such as `premature` or `cards_lost`."""

    what: str
    seat: int = 0
    detail: str = ""


# --- the run of a hand


class Shuffled(Event, frozen=True, tag=True):
    """The first riffle. `level` is the level the hand will have, where the book fixes it here."""

    level: Level | None


class HandBegan(Event, frozen=True, tag=True):
    """The deal began: who is dealt in, and what each seat posted (by seat); `dead` is the big blind ante."""

    positions: Positions
    level: Level
    order: tuple[int, ...]
    dealt: SeatSet
    antes: BySeat
    blinds: BySeat
    dead: int
    excluded: SeatSet = 0


class HoleCardDealt(Event, frozen=True, tag=True):
    """One hole card went to a seat."""

    seat: int
    card: str
    at_ms: int = 0


class HoleCardsRead(Event, frozen=True, tag=True):
    """The deal is complete; by seat, the two cards or ?? where nobody knows them."""

    hole: tuple[Cards, ...]
    at_ms: int = 0


class Acted(Event, frozen=True, tag=True):
    """A seat acted. `price`, `increment` and `full` are those after it."""

    seat: int
    what: str
    to: int
    price: int
    increment: int
    full: int
    at_ms: int = 0


class ActedOutOfTurn(Event, frozen=True, tag=True):
    """A seat acted before its turn; decided when the turn comes."""

    seat: int
    what: str
    to: int


class OutOfTurnReleased(Event, frozen=True, tag=True):
    """What a seat did out of turn does not stand; `lost_raise`: it may not raise any more."""

    seat: int
    lost_raise: bool


class RaiseLost(Event, frozen=True, tag=True):
    """A seat lost the right to raise and to open: for this street, or for shown cards for the hand."""

    seat: int
    how: Lost


class RaiseSaid(Event, frozen=True, tag=True):
    """The seat to act said that it raises or bets, and has still to say or show how much."""

    seat: int


class MayWithdraw(Event, frozen=True, tag=True):
    """The seat to act paid a bet that had been raised: it may take the chips back, or call and not raise."""

    seat: int


class MistakeMade(Event, frozen=True, tag=True):
    """What a seat put in is wrong and lies there."""

    mistake: Mistake


class MistakeNoticed(Event, frozen=True, tag=True):
    """The mistake of a seat was found; the seat has the choice how it is put right."""

    seat: int


class PutRight(Event, frozen=True, tag=True):
    """The mistake of a seat is no more: `bets` are everybody's for its street, as they should be.

    `owing` must answer, the first of them behind `seat`, and `choosing` of these may withdraw so many chips. On a later
    street (`late`) the difference goes to the middle and nobody has to answer.
    """

    seat: int
    bets: BySeat
    price: int
    increment: int
    full: int
    owing: SeatSet
    choosing: tuple[tuple[int, int], ...] = ()
    late: bool = False
    at_ms: int = 0


class Withdrew(Event, frozen=True, tag=True):
    """A seat folds and takes back `returned` chips that it need not have put in."""

    seat: int
    returned: int
    at_ms: int = 0


class ClockCalled(Event, frozen=True, tag=True):
    """Time was asked for, or given, on the player to act: `ends` are the moments at which its steps are over."""

    seat: int
    by: int
    ends: tuple[int, ...]


class ClockStepped(Event, frozen=True, tag=True):
    """One step of the time given is over."""

    seat: int


class TimeUp(Event, frozen=True, tag=True):
    """The time given on a player is over, whatever that costs."""

    seat: int


class OutOfTurnRuled(Event, frozen=True, tag=True):
    """The director said whether an action out of turn `binds` or `releases`."""

    seat: int
    what: str


class HandKilled(Event, frozen=True, tag=True):
    """A hand left the game. `returned` chips of an uncalled raise went back; the betting stands as given."""

    seat: int
    why: str
    returned: int
    price: int
    increment: int
    full: int
    at_ms: int = 0


class RoundClosed(Event, frozen=True, tag=True):
    """A betting round is over; `returned` uncalled chips went back to `seat` (0: none)."""

    seat: int
    returned: int


class CardBurned(Event, frozen=True, tag=True):
    """One card was burned."""

    card: str


class BoardDealt(Event, frozen=True, tag=True):
    """One or more cards came onto the board."""

    cards: Cards
    at_ms: int = 0


class CardSetAside(Event, frozen=True, tag=True):
    """A card left the deck and belongs nowhere: premature, boxed, after the hand."""

    card: str
    why: str


class CardExposed(Event, frozen=True, tag=True):
    """The dealer turned up a hole card of `seat`: it will be a burn, and another one is due to the seat."""

    seat: int
    card: str


class CardBoxed(Event, frozen=True, tag=True):
    """A card due to `seat` lay face up in the deck; it is replaced at the end of the round, or of the deal.

    `as_burn`: it will be a burn, like a card turned up. `dealt`: it was lying in the seat's hand already.
    """

    seat: int
    card: str
    as_burn: bool
    dealt: bool


class CardReplaced(Event, frozen=True, tag=True):
    """A seat got the card that was due to it for another one."""

    seat: int
    card: str
    at_ms: int = 0


class CardSpared(Event, frozen=True, tag=True):
    """A card too many lies on the table and will be the next burn."""

    card: str
    extra: bool = False


class SpareBurned(Event, frozen=True, tag=True):
    """The card that was kept for it is the burn of the coming street."""


class FlopTakenUp(Event, frozen=True, tag=True):
    """The flop is undone, what was bet on it goes back. `out` burned cards stay out of the deck, the others go back."""

    out: int


class FlopDrawn(Event, frozen=True, tag=True):
    """Of the four cards of a flop one was drawn as the next burn."""

    board: Cards
    burn: str


class StubReshuffled(Event, frozen=True, tag=True):
    """The cards dealt too early went back, the rest of the deck was shuffled; the street comes without a burn."""


class ReshuffleDue(Event, frozen=True, tag=True):
    """Before the street that follows `board` cards, the cards dealt too early go back into the deck."""

    board: int


class HandExposed(Event, frozen=True, tag=True):
    """A player showed the own cards in a running hand, and they lie open until its end (fipos:24)."""

    seat: int


class HandRevived(Event, frozen=True, tag=True):
    """The director gave a hand back; `owes`: the seat still has to act, `first`: before anybody else."""

    seat: int
    owes: bool
    first: bool


class AwardReopened(Event, frozen=True, tag=True):
    """The last award is taken back: that pot is undecided again, in place `which`."""

    which: int


class ChipsWithheld(Event, frozen=True, tag=True):
    """Chips of undecided pot `which` are set apart until the director decides."""

    which: int
    amount: int
    before: tuple[tuple[int, int], ...]


class WithheldAwarded(Event, frozen=True, tag=True):
    """The oldest chips set apart were paid; `out` are the seats that are eliminated by it."""

    shares: tuple[tuple[int, int], ...]
    out: tuple[tuple[int, int], ...]


class CarriedAwarded(Event, frozen=True, tag=True):
    """No other hand will be played here: the chips carried for the next pot go to a seat."""

    seat: int


class Penalised(Event, frozen=True, tag=True):
    """A sanction: `hands` to sit out, or until `until_ms`; a warning has neither."""

    seat: int
    what: str
    hands: int
    until_ms: int


class Disqualified(Event, frozen=True, tag=True):
    """A player is out of the tournament, and the chips behind with him; `at_once`: no hand has to end first."""

    seat: int
    stack: int
    at_once: bool


class ShowdownOpened(Event, frozen=True, tag=True):
    """Betting is over: hands are due in `order`; those in `face_up` must lie open."""

    order: tuple[int, ...]
    face_up: SeatSet


class HandShown(Event, frozen=True, tag=True):
    """A seat's hand lies open."""

    seat: int
    cards: Cards


class HandAsked(Event, frozen=True, tag=True):
    """The hand of `seat` must be shown whole before it can win; `by`: who asked, 0 the director."""

    seat: int
    by: int


class HandMucked(Event, frozen=True, tag=True):
    """A seat gave its hand up unseen at the showdown."""

    seat: int


class AwardsOpened(Event, frozen=True, tag=True):
    """All hands have shown or mucked: these pots are to be decided, main pot first."""

    pots: tuple[PotView, ...]


class PotAwarded(Event, frozen=True, tag=True):
    """Pot `which` of the undecided ones was paid; what the shares leave is carried into the next hand."""

    which: int
    amount: int
    shares: tuple[tuple[int, int], ...]


class HandEnded(Event, frozen=True, tag=True):
    """The hand is over; `out` are the eliminated seats, the lower finisher first."""

    out: tuple[int, ...]


class HandVoided(Event, frozen=True, tag=True):
    """The hand is undone: every chip went back, and it will be dealt again with the same button and blinds."""

    why: str


class TableCleared(Event, frozen=True, tag=True):
    """The last hand is put away; the next may be shuffled."""


AnyEvent = (
    PlayerSat | PlayerLeaves | PlayerLeft | ButtonPlaced | LevelAnnounced | StackSet | ChipsRaced | BlindsTaken
    | PlayHeld | WentAway | CameBack | FloorCalled | FloorDecided | Irregular
    | Shuffled | HandBegan | HoleCardDealt | HoleCardsRead | Acted | ActedOutOfTurn | OutOfTurnReleased
    | RaiseLost | RaiseSaid | MayWithdraw | MistakeMade | MistakeNoticed | PutRight | Withdrew
    | ClockCalled | ClockStepped | TimeUp
    | OutOfTurnRuled | HandKilled | RoundClosed | CardBurned | BoardDealt | CardSetAside | ShowdownOpened | HandShown
    | CardExposed | CardBoxed | CardReplaced | CardSpared | SpareBurned | FlopTakenUp | FlopDrawn | StubReshuffled
    | ReshuffleDue | HandExposed | HandRevived | AwardReopened | ChipsWithheld | WithheldAwarded | CarriedAwarded
    | Penalised | Disqualified
    | HandAsked | HandMucked | AwardsOpened | PotAwarded | HandEnded | HandVoided | TableCleared
)  # fmt: skip

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode_event(event: Event) -> bytes:
    """One event as UTF-8 JSON with its tag `type`."""
    return _ENCODER.encode(event)


def decode_event(data: bytes) -> AnyEvent:
    """The event of a journal's line. Raises msgspec.ValidationError if it is none of this version's."""
    return _DECODER.decode(data)
