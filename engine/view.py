"""What may be asked of a table: the public picture, what the seat to act may do, what the dealer must do next.

These records hold nothing that a player at the table could not see. They are what screens, keys' lamps, the wire and
the browser are made from; nothing here accepts a card that has not been tabled or dealt face up.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from engine.inputs import Level


class Street(StrEnum):
    """The stage of a hand; `over` also when no hand is running."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    OVER = "over"


class Due(StrEnum):
    """The one thing the table waits for."""

    PLAYERS = "players"          # fewer than two players can be dealt in, or no button or blinds yet
    HOLD = "hold"                # the director or the hub holds the next hand
    SHUFFLE = "shuffle"
    FIRST_CARD = "first_card"    # shuffled; blinds are posted when the first card leaves
    HOLE_CARDS = "hole_cards"    # the deal goes on; `TableView.next_seat` gets the next card
    ACTION = "action"            # `TableView.to_act` must act
    BURN = "burn"                # burn one, then deal the street in `TableView.coming`
    BOARD = "board"              # `TableView.cards_due` cards of the street are still to come
    SHOW = "show"                # `TableView.to_act` must show or muck
    AWARD = "award"              # the dealer must say who wins the pot being decided
    FLOOR = "floor"              # play waits for the director
    NEXT_HAND = "next_hand"      # the hand is over


class Presence(StrEnum):
    """Where the player of a seat is."""

    HERE = "here"
    AWAY = "away"
    EMPTY = "empty"


class Part(StrEnum):
    """What a seat has to do with the running hand."""

    NONE = "none"                # not dealt in, or no hand
    LIVE = "live"
    ALL_IN = "all_in"
    FOLDED = "folded"
    DEAD = "dead"                # killed


class SeatView(msgspec.Struct, frozen=True):
    """One seat as anybody may see it. `stack` are the chips behind, `bet` those in front for this street."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=22)]
    player: str
    name: str
    stack: int
    bet: int = 0
    presence: Presence = Presence.HERE
    part: Part = Part.NONE
    shown: tuple[str, ...] = ()
    last: str = ""               # the last action of this street, in the grammar's words: "raise_to 400"
    misses: int = 0              # hands it still has to sit out


class PotView(msgspec.Struct, frozen=True):
    """A pot: its chips and the seats that can win it; the main pot comes first."""

    amount: int
    eligible: tuple[int, ...]


class PotPaid(msgspec.Struct, frozen=True):
    """A pot that went to its winners: `shares` are (seat, chips), in the order of the odd chips."""

    amount: int
    shares: tuple[tuple[int, int], ...]


class TableView(msgspec.Struct, frozen=True):
    """The whole public picture of a table. Empty seats are left out of `seats`; 0 stands for no seat."""

    hand: int
    street: Street
    due: Due
    size: int
    book: str
    level: Level | None
    button: int
    small_blind: int
    big_blind: int
    seats: tuple[SeatView, ...]
    board: tuple[str, ...]
    pots: tuple[PotView, ...]
    to_act: int = 0
    to_call: int = 0
    next_seat: int = 0
    cards_due: int = 0
    total: int = 0               # all chips on the table, pots included
    withheld: int = 0            # chips set apart until the director decides
    steps: tuple[str, ...] = ()  # what the dealer must do now to put an error right: words of `engine.texts.STEPS`
    paid: tuple[PotPaid, ...] = ()  # what this hand's winners got, in the order of the awards, until the next begins

    @property
    def won(self) -> dict[int, int]:
        """What the winners of this hand got of all its pots together: seat -> chips, as the dealer pushes them."""
        all_of: dict[int, int] = {}
        for pot in self.paid:
            for seat, chips in pot.shares:
                all_of[seat] = all_of.get(seat, 0) + chips
        return all_of

    @property
    def coming(self) -> Street:
        """The street whose cards come next: where nobody can bet any more, `street` is the showdown already."""
        cards = len(self.board)
        return Street.FLOP if cards < 3 else Street.TURN if cards == 3 else Street.RIVER


class Legal(msgspec.Struct, frozen=True):
    """What the seat to act may do now. Amounts are totals for the street; None: not open to it."""

    seat: int
    may_fold: bool
    may_check: bool
    to_call: int                 # chips still to add, never more than the stack; 0: nothing to call
    bet: tuple[int, int] | None
    raise_to: tuple[int, int] | None
    all_in_to: int
    pot: int                     # everything in the middle, for the knob's "half pot" and "pot"
