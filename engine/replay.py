"""Plays a recorded hand at a table, from the first card to the last pot.

The table is anything with a public picture that takes inputs and cards: the rules alone (`RulesTable`), or a whole unit
behind its keys and its shoe. Cards leave the deck one by one in the order of the deal, burns among them, so both are
played in the same way. What the file leaves open is settled here: a hand it does not know is mucked where it may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from engine import inputs
from engine import table as rules
from engine.inputs import Input
from engine.phh import Act, Deal, Hand, PhhError, kills, tables, wanted
from engine.rulebook import Rulebook
from engine.view import Due, Legal, TableView

MOST_STEPS = 400  # inputs and cards of one hand: a bound, far above what 22 players can need after the last act


class Table(Protocol):
    """A table at which a recorded hand is played."""

    @property
    def view(self) -> TableView:
        """The public picture now."""

    @property
    def legal(self) -> Legal | None:
        """What the seat to act may do; None when nobody is."""

    def do(self, given: Input) -> None:
        """Does what a person wants. **Raises** PhhError when it is refused."""

    def draw(self, card: str) -> None:
        """One card leaves the deck."""


def play(hand: Hand, deal: Deal, table: Table) -> tuple[int, ...]:
    """Plays the hand at a table that has posted the blinds and deals; the final stacks in the file's order of players.

    **Raises** PhhError when the file and the table do not agree on whose turn it is or on what is allowed.
    """
    cards = _Cards(deal)
    while table.view.due is Due.HOLE_CARDS:
        table.draw(cards.hole(table.view))
    for act in hand.acts:
        if not kills(act, table.view):
            _deal_streets(cards, table)
        table.do(_input(act, table))
    for _ in range(MOST_STEPS):
        _deal_streets(cards, table)
        view = table.view
        if view.due is not Due.SHOW:
            break
        seat = view.to_act
        table.do(inputs.TableCards(seat) if tables(hand, seat) else inputs.Muck(seat))
    view = table.view
    if view.due is not Due.NEXT_HAND:
        who = f" of seat {view.to_act}" if view.to_act else ""
        raise PhhError(f"the file ends, but the table waits for {view.due.value}{who}")
    stacks = {seat.seat: seat.stack for seat in view.seats}
    return tuple(stacks.get(player, 0) for player in range(1, hand.players + 1))


def _input(act: Act, table: Table) -> Input:
    return wanted(act, table.view, table.legal)


def _deal_streets(cards: _Cards, table: Table) -> None:
    for _ in range(MOST_STEPS):
        due = table.view.due
        if due is Due.BURN:
            table.draw(cards.burn())
        elif due is Due.BOARD:
            table.draw(cards.board())
        else:
            return


class _Cards:
    """The deck of a recorded hand, card by card."""

    def __init__(self, deal: Deal) -> None:
        self._hole: dict[int, Iterator[str]] = {seat: iter(cards) for seat, cards in deal.hole.items()}
        self._burns = iter(deal.burns)
        self._board = iter(deal.board)

    def hole(self, view: TableView) -> str:
        """The next hole card, of the seat the table deals to."""
        return next(self._hole[view.next_seat])

    def burn(self) -> str:
        return next(self._burns)

    def board(self) -> str:
        return next(self._board)


class RulesTable:
    """The rules alone, with nothing between them and the file."""

    def __init__(self, hand: Hand, book: Rulebook) -> None:
        self._book = book
        self._state = rules.new_table(hand.players)
        for seat, stack in enumerate(hand.stacks, start=1):
            self.do(inputs.SitDown(seat, f"player-{seat}", stack))
        self.do(inputs.ApplyLevel(hand.level))
        self.do(inputs.PlaceButton(hand.button, hand.small_blind, hand.big_blind))
        self.do(inputs.FirstCard())

    @property
    def view(self) -> TableView:
        """The public picture now."""
        return rules.view(self._state, self._book)

    @property
    def legal(self) -> Legal | None:
        """What the seat to act may do."""
        return rules.legal(self._state, self._book)

    def do(self, given: Input) -> None:
        """Gives an input to the rules. **Raises** PhhError with their reason when they refuse it."""
        self._state, ruling = rules.apply(self._state, given, self._book)
        if ruling.outcome == "refused":
            raise PhhError(f"{type(given).__name__} is refused: {ruling.reason('en')}")

    def draw(self, card: str) -> None:
        """The card goes where it is due."""
        self._state, _ = rules.apply(self._state, inputs.CardDrawn(card), self._book)
