"""A table as it stands between two deeds, and how that is kept in a snapshot. Records and pure functions.

A broken invariant is our own mistake: `InvariantBroken` ends the process before anything was written, and the restart
begins from what was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from engine import evolve, rulebook, table
from engine.inputs import Confiscate, FloorDecides, Input, LeaveSeat, Penalise, RaceChips, Sanction, SetStack, SitDown
from engine.rulebook import Rulebook
from engine.state import TableState, decode_state, encode_state
from engine.view import Due
from firmware_py.journal_records import TableOpened

MOVES_CHIPS_IN_OR_OUT = (SitDown, LeaveSeat, SetStack, Confiscate, RaceChips, FloorDecides)
_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


class InvariantBroken(Exception):  # noqa: N818 - what it is, not what it does
    """The rules produced a table that cannot be. Nothing was written. Never caught: the process ends and restarts."""


class Snapshot(msgspec.Struct, frozen=True):
    """What is kept at the end of a hand: the engine's state and what the unit itself must remember."""

    book: str
    state: msgspec.Raw
    dealer: str
    revs: dict[int, int]


class Standing(NamedTuple):
    """A table as it stands. `revs`: hand -> revision, for hands that were taken back into."""

    book: Rulebook | None
    book_name: str
    state: TableState
    dealer: str = ""
    revs: tuple[tuple[int, int], ...] = ()

    def rev(self, hand: int) -> int:
        """The revision under which `hand` is told to the hub."""
        return dict(self.revs).get(hand, 0)


EMPTY = Standing(None, "", table.new_table(10))


class Shelf:
    """The rulebooks a table has used, each read once."""

    def __init__(self) -> None:
        self._books: dict[str, Rulebook] = {}

    def book(self, name: str) -> Rulebook:
        """The book of that name. Raises RulebookError."""
        if name not in self._books:
            self._books[name] = rulebook.load(name)
        return self._books[name]

    def restored(self, snapshot: bytes | None) -> Standing:
        """The table of a snapshot; without one, the empty table. Raises RulebookError."""
        if snapshot is None:
            return EMPTY
        kept = msgspec.json.decode(snapshot, type=Snapshot)
        revs = tuple(sorted(kept.revs.items()))
        return Standing(self.book(kept.book), kept.book, decode_state(bytes(kept.state)), kept.dealer, revs)

    def opened(self, opened: TableOpened, before: Standing) -> Standing:
        """A new, empty table; hands are numbered on. Raises RulebookError."""
        fresh = msgspec.structs.replace(table.new_table(opened.size, opened.chip), hand_no=before.state.hand_no)
        return Standing(self.book(opened.book), opened.book, fresh, before.dealer, before.revs)


def book_of(standing: Standing) -> Rulebook:
    """The book of an open table."""
    if standing.book is None:
        raise InvariantBroken("a deed before the table was opened")
    return standing.book


def at_rest(state: TableState) -> bool:
    """Whether no hand is running."""
    return state.hand is None or state.hand.due is Due.NEXT_HAND


def snapshot_of(standing: Standing) -> bytes | None:
    """The standing for the journal; None while it names a card that nobody has seen (one drawn after the hand)."""
    hand = standing.state.hand
    if hand is not None and (hand.burns or hand.aside):
        return None
    state = msgspec.Raw(encode_state(standing.state))
    return msgspec.json.encode(Snapshot(standing.book_name, state, standing.dealer, dict(standing.revs)))


def hand_of(snapshot: bytes) -> int:
    """The number of the hand a snapshot was taken after."""
    return decode_state(bytes(msgspec.json.decode(snapshot, type=Snapshot).state)).hand_no


def check(before: TableState, what: Input, after: TableState) -> None:
    """Can the table be like this after `what`? Raises InvariantBroken with the deed's kind, never with its cards."""
    kind = type(what).__name__
    try:
        evolve.check(after)
    except AssertionError as broken:
        raise InvariantBroken(f"{kind}: {_CARD.sub('??', str(broken))}") from None
    if after.chips != before.chips and not before.leaving and not _moves_chips(what):
        raise InvariantBroken(f"{kind}: {before.chips} chips became {after.chips} and nobody came or went")
    if after.hand_no < before.hand_no:
        raise InvariantBroken(f"{kind}: hand {before.hand_no} became hand {after.hand_no}")


def _moves_chips(what: Input) -> bool:
    """Whether chips may come to the table or leave it by this; those of a disqualified player leave with him."""
    if isinstance(what, Penalise):
        return what.what is Sanction.DISQUALIFY
    return isinstance(what, MOVES_CHIPS_IN_OR_OUT)
