"""Recovery and undo are one procedure: a snapshot, then every entry that was not struck, decided again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine import publish, table
from engine.events import encode_event
from engine.inputs import Command, Input
from engine.table import Ruling
from engine.wire import Body, DealerOn
from firmware_py.journal_records import Adopted, DealerTapped, Entry, Happened, Struck, TableOpened
from firmware_py.standing import Shelf, Standing, book_of, check

PANEL = "panel"          # source of what the dealer keys; a director's word is `director:...`


class Replayed(NamedTuple):
    """What a replay came to: the standing, the public events as (hand, body), and the private ones."""

    standing: Standing
    bodies: list[tuple[int, Body]]
    happened: list[Happened]


def replay(shelf: Shelf, snapshot: bytes | None, entries: Iterable[Entry]) -> Replayed:
    """The standing after `entries`, struck ones left out, and what happened on the way."""
    entries = list(entries)
    struck = {entry.deed.n for entry in entries if isinstance(entry.deed, Struck)}
    standing = shelf.restored(snapshot)
    bodies: list[tuple[int, Body]] = []
    happened: list[Happened] = []
    for entry in entries:
        if entry.n in struck:
            continue
        match entry.deed:
            case TableOpened():
                standing = shelf.opened(entry.deed, standing)
            case Struck(_, hand, rev):
                standing = standing._replace(revs=_with_rev(standing.revs, hand, rev))
            case DealerTapped(dealer, with_pin):
                standing = standing._replace(dealer=dealer)
                bodies.append((standing.state.hand_no, DealerOn(dealer, with_pin)))
            case Adopted():
                pass
            case _:
                standing, told, events = _redo(standing, entry)
                bodies += told
                happened += events
    return Replayed(standing, bodies, happened)


def _redo(before: Standing, entry: Entry) -> Replayed:
    """One engine input decided again. What is refused now, because what it stood on was struck, falls away."""
    what: Input = entry.deed  # type: ignore[assignment]
    book = book_of(before)
    ruling = table.decide(before.state, what, book, entry.at_ms)
    if ruling.outcome == "refused":
        return Replayed(before, [], [])
    after = fold(before, ruling)
    check(before.state, what, after.state)
    bodies = publish.bodies(before.state, ruling, after.state, book)
    events = [Happened(encode_event(event), entry.n) for event in ruling.events]
    return Replayed(after, [(after.state.hand_no, body) for body in bodies], events)


def fold(before: Standing, ruling: Ruling) -> Standing:
    """The table after the events of a ruling."""
    state = before.state
    for event in ruling.events:
        state = table.evolve(state, event)
    return before._replace(state=state)


def last_command(entries: Iterable[Entry]) -> Entry | None:
    """The newest command that a person gave at the panel and nobody took back."""
    entries = list(entries)
    struck = {entry.deed.n for entry in entries if isinstance(entry.deed, Struck)}
    given = (
        entry
        for entry in reversed(entries)
        if isinstance(entry.deed, Command) and entry.n not in struck and entry.source.startswith((PANEL, "director"))
    )
    return next(given, None)


def _with_rev(revs: tuple[tuple[int, int], ...], hand: int, rev: int) -> tuple[tuple[int, int], ...]:
    """`revs` with one hand's revision; only the last two hands can still be taken back into."""
    return tuple(sorted({**dict(revs), hand: rev}.items()))[-2:]
