"""One decision under way: the state so far, and the events that led there.

Whoever decides an input says what happened (`happened`), which articles spoke (`cite`), and ends with one of the
answers. Nothing outside the turn sees a state before the whole decision is made.
"""

from __future__ import annotations

from engine import events as ev
from engine import phases
from engine.evolve import EVOLVE
from engine.inputs import Level
from engine.refusals import BEHIND
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.state import HandState, TableState


class Turn:
    """One decision under way: the state so far, and the events that led there."""

    __slots__ = ("articles", "at_ms", "book", "events", "state")

    def __init__(self, state: TableState, book: Rulebook, at_ms: int = 0) -> None:
        self.state = state
        self.book = book
        self.at_ms = at_ms
        self.events: list[ev.Event] = []
        self.articles: list[str] = []

    def happened(self, event: ev.Event) -> None:
        """This is so now: the state goes on from it."""
        self.state = EVOLVE[type(event)](self.state, event)
        self.events.append(event)

    def cite(self, *keys: str) -> None:
        """The articles behind these values of the book have spoken."""
        self.articles += (article for article in self.book.cite(*keys) if article not in self.articles)

    @property
    def hand(self) -> HandState:
        """The running hand."""
        hand = self.state.hand
        assert hand is not None, "no hand is running"
        return hand

    def ok(self) -> Ruling:
        """It stands as declared."""
        return Ruling("ok", tuple(self.events), tuple(self.articles) if self.articles else ())

    def ruled(self, word: str, amount: int | None = None, seat: int = 0) -> Ruling:
        """It was read as something else. Where no value has spoken, it is that what was done stands."""
        if not self.articles:
            self.cite("floor" if word == "hand_void" else "binds")
        return Ruling("ruled", tuple(self.events), tuple(self.articles), None, word, amount, seat)

    def read_as(self, word: str, amount: int, seat: int, *, all_in: bool, plain: bool) -> Ruling:
        """What a player said or pushed was read as this act; `plain`: that is what he said or pushed."""
        also = word if all_in else None
        outcome = "ok" if plain else "ruled"
        if not plain and not self.articles:
            self.cite("binds")
        told = None if word in ("check", "fold") else amount
        read = "all_in" if all_in else word
        return Ruling(outcome, tuple(self.events), tuple(self.articles), None, read, told, seat, also)

    def floor(self) -> Ruling:
        """Play waits for the director."""
        if not self.articles:
            self.cite("floor")
        return Ruling("floor", tuple(self.events), tuple(self.articles))

    def refuse(self, word: str, *keys: str, amount: int | None = None, seat: int = 0) -> Ruling:
        """It is not allowed, by these values or rules of the book, the first of them above all; nothing happened."""
        by = keys[0] if keys else BEHIND.get(word, "")
        self.cite(*(keys or ((by,) if by else ())))
        return Ruling("refused", (), tuple(self.articles), word, None, amount, seat, None, by)


def seat_fault(turn: Turn, seat: int) -> Ruling | None:
    """A refusal if nobody sits there."""
    if not 1 <= seat <= turn.state.size or turn.state.players[seat] is None:
        return turn.refuse("not_seated", seat=seat)
    return None


def running(state: TableState) -> bool:
    """Is a hand on, from its first card to its last award?"""
    return state.hand is not None and state.hand.due is not phases.NEXT_HAND


def next_level(state: TableState) -> Level | None:
    """The level of the next hand: the one announced last; a hand that is dealt again keeps its own (tda:35)."""
    return state.level if state.redeal else state.announced or state.level


def call_floor_for(turn: Turn, why: str) -> Ruling:
    """Something the rules leave to the director: play waits, unless it waits already."""
    if not turn.state.floor:
        turn.happened(ev.FloorCalled(why))
    return turn.floor()
