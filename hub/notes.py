"""The hub's journal as lines of the log that people read."""

from __future__ import annotations

from hub.clock_keeper import CLOCK, HUB
from hub.entries import (
    AnyEntry,
    ClockSet,
    Closed,
    Decided,
    Drawn,
    Entered,
    Finished,
    HandForHand,
    Ordered,
    PlacesPaid,
    Proposed,
    Replaced,
    Retried,
    Ruled,
    Started,
)
from hub.picture import Note


def note_of(entry: AnyEntry, utc: int) -> Note | None:
    """An entry as a line of the log; None for what only machines care about."""
    match entry:
        case Drawn():
            return Note(utc, "drawn", HUB, "" if entry.seed is None else str(entry.seed))
        case Started():
            return Note(utc, "started", entry.who)
        case ClockSet(what="told" | "hand_played"):
            return None
        case ClockSet():
            level = entry.clock.schedule[entry.clock.index].level
            stakes = "" if level is None else f"{level.small_blind}/{level.big_blind}"
            return Note(utc, entry.what if entry.what != "started" else "clock", entry.who, stakes)
        case HandForHand():
            return Note(utc, "hand_for_hand" if entry.on else "table_by_table", entry.who, number=entry.left)
        case PlacesPaid():
            return Note(utc, "paid", entry.who, number=entry.places)
        case Entered():
            what = "entered_again" if entry.again else "entered"
            return Note(utc, what, entry.who, entry.name, entry.table_no, entry.articles, seat=entry.seat)
        case Replaced():
            return Note(utc, "replaced", entry.who, entry.unit, entry.table_no)
        case Proposed():
            return Note(utc, "proposed", HUB, number=entry.id, articles=entry.articles, legs=entry.legs)
        case Decided():
            return Note(utc, "confirmed" if entry.yes else "rejected", entry.who, number=entry.id)
        case Closed():
            return Note(utc, "done" if entry.done else "withdrawn", HUB, number=entry.id)
        case Ruled():
            return Note(utc, "ruled", entry.who, entry.what, entry.table_no)
        case Ordered():
            return Note(utc, entry.what, entry.who, number=entry.table_no)
        case Retried():
            return Note(utc, "retried", entry.who, number=entry.table_no)
        case Finished():
            return Note(utc, "finished", CLOCK)
        case _:
            return None
