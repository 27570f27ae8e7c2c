"""Balancing in a hand script: tables as their last hands left them, and what the rules propose to the director.

Tables are numbered in the order in which the script lists them, so the last one listed is the first to close. A player
is known by the place he sits at.
"""

from __future__ import annotations

import msgspec

from engine import table as rules
from engine.balance import Break, Move, TablePicture, propose, waiting
from engine.button import coming, place, seated
from engine.inputs import SitDown
from engine.rulebook import Rulebook
from engine.script.lines import TableRow

Place = tuple[str, int]
ANY_STACK = 1


class Proposal(msgspec.Struct, frozen=True):
    """Moves in order, each from a place to a place, the table that closes, if one does, and the tables that wait."""

    moves: tuple[tuple[Place, Place], ...]
    breaks: tuple[str, ...]
    holds: tuple[str, ...]


def plan(rows: tuple[TableRow, ...], book: Rulebook) -> Proposal:
    """What the book proposes for these tables."""
    names = {number: row.name for number, row in enumerate(rows, start=1)}
    moves, breaks = [], []
    pictures = [_picture(number, row, book) for number, row in enumerate(rows, start=1)]
    proposed = propose(pictures, book)
    for step in proposed:
        match step:
            case Move():
                moves.append(((names[step.from_table], step.from_seat), (names[step.to_table], step.to_seat)))
            case Break():
                breaks.append(names[step.table_no])
    holds = tuple(names[number] for number in waiting(pictures, bool(proposed), book))
    return Proposal(tuple(moves), tuple(breaks), holds)


def _picture(number: int, row: TableRow, book: Rulebook) -> TablePicture:
    players = {seat: f"{row.name}:{seat}" for seat in row.seats}
    return TablePicture(number, row.size, players, row.big_blind, _next_button(row, book), row.button)


def _next_button(row: TableRow, book: Rulebook) -> int:
    """Where the button goes after the last hand of this table; where it lies if no further hand can be played."""
    state = rules.new_table(row.size)
    for seat in row.seats:
        state, _ = rules.apply(state, SitDown(seat, f"{row.name}:{seat}", ANY_STACK), book)
    last = place(row.button, row.small_blind, row.big_blind, seated(state), row.size)
    settled = msgspec.structs.replace(state, last=last, fresh=0)
    following = coming(settled, book)
    return row.button if following is None else following[0].button
