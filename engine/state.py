"""What a table is at one moment: seats, stacks, button, level, and the hand that is running.

States are frozen: `engine.evolve` makes the next one from an event and never touches the one it was given, so a caller
may keep any state as long as it likes. Tuples that are called "by seat" have `size + 1` entries and their entry 0 is
unused, so that a seat's number is its index. Sets of seats are ints (`engine.seats`).

The records hold no cycles, so the collector need not look at them (`gc=False`).

Chips are in exactly one place: `stacks` (behind), `HandState.bets` (in front, this street), `paid` (in the middle),
`antes`, `dead` (money nobody has to match) or, once pots are awarded, `undecided`; `carried` waits for the next pot,
`withheld` for the director.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from engine.inputs import Arrival, Departure, Level
from engine.seats import SeatSet
from engine.view import Due, PotView, Street

BySeat = tuple[int, ...]
Cards = tuple[str, ...]


class Player(msgspec.Struct, frozen=True, gc=False):
    """Who sits on a chair, and how they came to it."""

    player: str
    name: str
    arrival: Arrival


class Positions(msgspec.Struct, frozen=True, gc=False):
    """Button, small blind and big blind of a hand. They are places: the first two may lie at an empty chair.

    `posts`: somebody sits at the small blind and pays it.
    """

    button: int
    small_blind: int
    big_blind: int
    posts: bool = True


class Held(msgspec.Struct, frozen=True, gc=False):
    """An action out of turn, kept until the turn comes. `price` and `chip_acts` are those of its moment."""

    seat: int
    what: str
    to: int
    price: int
    chip_acts: int
    ruled: str = ""                          # `binds` or `releases`, if the director said so


class Lost(StrEnum):
    """How a seat lost the right to raise."""

    OUT_OF_TURN = "out_of_turn"
    SKIPPED = "skipped"
    EXPOSED = "exposed"
    REMINDED = "reminded"
    NO_AMOUNT = "no_amount"
    UNAWARE = "unaware"
    PAID_WRONG_RAISE = "paid_wrong_raise"
    CHECKED = "checked"


class Mistake(msgspec.Struct, frozen=True, gc=False):
    """Chips that were put in wrongly and lie there until somebody finds out, or until the seat has chosen.

    `kind`: `undercall`, `underbet` or `underraise`, on `street`; in pot-limit `pot_too_high` or `pot_too_low`. `to` is
    the seat's total for the street, `right` what it should be. Before it: everybody's `bets`, and price, increment and
    full. `choosing`: the seat has the choice. `acts` and `chip_acts`: of the hand, this one among them.
    """

    seat: int
    kind: str
    street: Street
    to: int
    right: int
    bets: BySeat
    before: tuple[int, int, int]
    choosing: bool = False
    acts: int = 0
    chip_acts: int = 0


class Clock(msgspec.Struct, frozen=True, gc=False):
    """Time that was asked for on the player to act. `ends` are the moments at which a step of it is over.

    Empty: it was asked for, and whoever grants it has not done so.
    """

    seat: int
    by: int
    ends: tuple[int, ...] = ()


class Award(msgspec.Struct, frozen=True, gc=False):
    """A pot that was paid: `shares` are (seat, chips), in the order of the odd chips; `eligible` could win it."""

    amount: int
    shares: tuple[tuple[int, int], ...]
    eligible: tuple[int, ...] = ()


class Withheld(msgspec.Struct, frozen=True, gc=False):
    """Chips of a contested pot, set apart until the director decides (lifeclub:20.5).

    `before`: what each seat that may get them had at the start of that hand, as (seat, chips).
    """

    amount: int
    hand_no: int
    before: tuple[tuple[int, int], ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """Who may get them."""
        return tuple(seat for seat, _ in self.before)


class HandState(msgspec.Struct, frozen=True, gc=False):
    """One hand, from the first card to the last award; it stays, without untabled cards, until the next one begins."""

    positions: Positions
    level: Level
    order: tuple[int, ...]                   # seats in the order of the deal
    dealt: SeatSet                           # who got cards
    live: SeatSet                            # who still has a hand that can win
    killed: SeatSet                          # whose hand was killed
    all_in: SeatSet                          # live, with nothing behind
    stacks_before: BySeat                    # before antes and blinds
    carried_before: int
    street: Street
    due: Due                                 # HOLE_CARDS, ACTION, BURN, BOARD, SHOW, AWARD or NEXT_HAND
    to_act: int

    bets: BySeat
    paid: BySeat
    antes: BySeat
    dead: int
    undecided: tuple[PotView, ...] = ()
    awards: tuple[Award, ...] = ()

    # the betting of this street
    price: int = 0                           # what a seat must have in to stay
    increment: int = 0                       # the last full bet or raise; the big blind if there was none
    full: int = 0                            # the price after the last full bet or raise
    before_raise: tuple[int, int, int] = (0, 0, 0)   # price, increment and full before the last raise
    aggressor: int = 0                       # who bet or raised last
    owing: SeatSet = 0                       # who still has to answer
    acted: BySeat = ()                       # by seat: the price when it last acted; -1: not yet
    last: tuple[tuple[str, int], ...] = ()   # by seat: last action and its total
    wagers: int = 0                          # full bets and raises of this street, the big blind among them
    able: SeatSet = 0                        # who could bet when the street began
    no_raise: SeatSet = 0                    # who lost the right to raise
    lost: tuple[tuple[int, Lost], ...] = ()  # how
    held: tuple[Held, ...] = ()
    acts: int = 0                            # acts of this hand
    chip_acts: int = 0                       # bets, calls and raises among them
    actor: int = 0                           # who acted last on this street
    said_raise: int = 0                      # the seat to act that has said "raise" or "bet", and no amount yet
    may_withdraw: tuple[tuple[int, int], ...] = ()   # who may fold and take how many chips back (fipos:21, 23)
    mistakes: tuple[Mistake, ...] = ()
    turn_ms: int = 0                         # the moment at which the turn came to the seat to act
    clock: Clock | None = None

    # the cards: each known one is in exactly one of these places
    hole: tuple[Cards, ...] = ()             # by seat
    board: Cards = ()
    burns: Cards = ()
    aside: Cards = ()
    given: int = 0                           # hole cards dealt so far
    burned: bool = False                     # the burn of the coming street is out
    seen: int = 0                            # all known cards, as bits

    # dealing errors and their remedies
    told: bool = False                       # the deal was told as a whole: no shoe names a replaced card
    owed: tuple[int, ...] = ()               # seats whose card is replaced when the deal is done
    owed_round: tuple[int, ...] = ()         # seats whose card is replaced when this round of cards is done
    spare: Cards = ()                        # cards on the table that will be the next burns
    early: Cards = ()                        # dealt before their time, waiting to go back into the deck
    street_after: str = ""                   # what takes the burn's place: `spare` or `reshuffle`
    reshuffle_at: int = -1                   # with so many board cards they go back, and no card is burned
    exposed: int = 0                         # cards turned up by the dealer in this deal
    extra: int = 0                           # cards too many
    boxed: int = 0                           # cards found face up in the deck

    # the showdown
    face_up: SeatSet = 0                     # hands that must lie open
    shown: SeatSet = 0
    show_order: tuple[int, ...] = ()
    asked: SeatSet = 0                       # hands that must lie open whole before they can win
    out: tuple[int, ...] = ()                # eliminated; first named finishes lower
    gone: tuple[tuple[int, Player], ...] = ()  # who they were
    excluded: SeatSet = 0                    # dealt in, and killed because of a penalty
    passed: SeatSet = 0                      # killed because the cards were handed to another player


class TableState(msgspec.Struct, frozen=True, gc=False):
    """A whole table. Make one with `engine.table.new_table`."""

    size: int
    chip: int                                # smallest chip in play
    players: tuple[Player | None, ...]
    stacks: BySeat
    chips: int = 0                           # the ledger: what must be on the table, pots included
    hand_no: int = 0
    away: SeatSet = 0
    fresh: SeatSet = 0                       # seated since the last deal: may have to wait for the button
    leaving: tuple[tuple[int, Departure], ...] = ()
    last: Positions | None = None            # of the last hand that began
    placed: Positions | None = None          # of the next hand, where somebody set them; a blind at 0: the next player
    redeal: SeatSet = 0                      # after a void hand: these seats, and only these, are dealt in again
    level: Level | None = None
    announced: Level | None = None
    hold: bool = False
    hold_why: str = ""
    shuffled: bool = False
    carried: int = 0
    floor: str = ""                          # why play waits for the director
    misses: tuple[tuple[int, int], ...] = ()  # (seat, hands it still has to sit out)
    banned: tuple[tuple[int, int], ...] = ()  # (seat, moment in ms until which it sits out)
    withheld: tuple[Withheld, ...] = ()
    hand: HandState | None = None
    past: HandState | None = None            # the last hand, put away: its award may still be contested


def by_seat(size: int, value: int = 0) -> BySeat:
    """The same number for each seat of a table of `size`."""
    return (value,) * (size + 1)


def put(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The same tuple with one seat's entry replaced."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def cards_off(hand: HandState) -> int:
    """How many cards have left the deck and have not gone back into it?"""
    apart = len(hand.board) + len(hand.burns) + len(hand.aside) + len(hand.spare) + len(hand.early)
    return sum(map(len, hand.hole)) + apart


def in_the_middle(hand: HandState) -> int:
    """All chips of a running hand that are in no stack."""
    if hand.undecided:
        return sum([pot.amount for pot in hand.undecided])
    return sum(hand.bets) + sum(hand.paid) + sum(hand.antes) + hand.dead


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(TableState)


def encode_state(state: TableState) -> bytes:
    """A state as UTF-8 JSON, for a snapshot. Between hands it names no untabled card; within one it may."""
    return _ENCODER.encode(state)


def decode_state(data: bytes) -> TableState:
    """The state of a snapshot. Raises msgspec.ValidationError if it is none of this version's."""
    return _DECODER.decode(data)
