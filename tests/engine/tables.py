"""Tables for the engine's tests: a few players, a level, a button, and helpers that play as a dealer would."""

from __future__ import annotations

from collections.abc import Iterable

from engine import table
from engine.inputs import (
    AllIn,
    ApplyLevel,
    Bet,
    Call,
    Check,
    FirstCard,
    Fold,
    HoleCardsDealt,
    Input,
    Level,
    PlaceButton,
    RaiseTo,
    SitDown,
    StreetDealt,
)  # fmt: skip
from engine.rulebook import Rulebook, load
from engine.ruling import Ruling
from engine.state import TableState
from engine.view import TableView

LIFECLUB = load("lifeclub")
TDA = load("tda")
BOOKS = (LIFECLUB, TDA)


class Game:
    """One table under one book: `do` feeds an input, checks the invariants, and keeps state and last ruling."""

    def __init__(
        self,
        book: Rulebook,
        stacks: dict[int, int],
        button: int,
        level: Level | None = None,
        size: int = 10,
        chip: int = 1,
        blinds: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.book = book
        self.state: TableState = table.new_table(size, chip)
        self.ruling = Ruling("ok")
        for seat, stack in stacks.items():
            self.do(SitDown(seat, f"p{seat}", stack))
        self.do(PlaceButton(button, *blinds))
        self.do(ApplyLevel(level or Level(50, 100)))

    def do(self, *inputs: Input) -> Ruling:
        for what in inputs:
            self.state, self.ruling = table.apply(self.state, what, self.book)
            table.check(self.state)
        return self.ruling

    def deal(self, **cards: str) -> Game:
        """Begin the hand; `s3="AsKd"` gives seat 3 these cards, the others are unknown."""
        known = {int(seat[1:]): (text[:2], text[2:]) for seat, text in cards.items()}
        self.do(FirstCard(), HoleCardsDealt(known))
        return self

    def board(self, *cards: str) -> Ruling:
        return self.do(StreetDealt(cards))

    def play(self, text: str) -> Ruling:
        """`3 raise_to 300, 5 fold`: what the dealer keys in, in the words of hand scripts."""
        for part in text.split(","):
            seat, word, *amount = part.split()
            makes = {"fold": Fold, "check": Check, "call": Call, "bet": Bet, "raise_to": RaiseTo, "all_in": AllIn}
            self.do(makes[word](int(seat), *map(int, amount)))
        return self.ruling

    @property
    def view(self) -> TableView:
        return table.view(self.state, self.book)

    @property
    def to_act(self) -> int:
        return table.view(self.state, self.book).to_act

    @property
    def raise_to(self) -> tuple[int, int] | None:
        legal = table.legal(self.state, self.book)
        assert legal is not None, "nobody is to act"
        return legal.raise_to

    @property
    def bet(self) -> tuple[int, int] | None:
        legal = table.legal(self.state, self.book)
        assert legal is not None, "nobody is to act"
        return legal.bet

    @property
    def to_call(self) -> int:
        return table.view(self.state, self.book).to_call

    @property
    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(pot.amount, pot.eligible) for pot in table.view(self.state, self.book).pots]

    @property
    def stacks(self) -> dict[int, int]:
        return {seat: self.state.stacks[seat] for seat, player in enumerate(self.state.players) if player is not None}

    @property
    def awards(self) -> list[tuple[int, dict[int, int]]]:
        assert self.state.hand is not None, "no hand"
        return [(award.amount, dict(award.shares)) for award in self.state.hand.awards]

    @property
    def street(self) -> str:
        return table.view(self.state, self.book).street.value


def seats(amounts: Iterable[int]) -> dict[int, int]:
    """Seats 1, 2, 3 ... with these stacks."""
    return dict(enumerate(amounts, 1))
