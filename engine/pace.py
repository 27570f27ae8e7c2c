"""How long players take to act, and whether an act was slow at the end of a level: pure, from the moments of events.

A turn begins when the table tells that a seat is to act and ends with that seat's act. What a turn took is measured in
ms of one table's monotonic clock. Nobody is punished for it here: `slow` shows the director where to look, since no
rulebook says in seconds what delaying is. The four bounds below are our own choice.

Articles: lifeclub:17.1, lifeclub:19.3.f, y2007:levels.2, dalvivo:16.3.f, cortile:9.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median_low
from typing import NamedTuple

LAST_MS = 180_000
"""The end of a level: so much or less is left of it."""
LONG_MS = 20_000
"""An act that took less is not slow, whoever acts."""
TIMES_THE_MEDIAN = 3
"""An act is slow for a player from this many times his or her own median on."""
FEWEST = 5
"""With fewer acts than this a player's own pace is not known, and nothing is called slow."""


class Moment(NamedTuple):
    """One event of a table: `seat` acted (0: nobody, a hand or a street began), now `to_act` is to act (0: nobody)."""

    at_ms: int
    to_act: int
    seat: int = 0


class Turn(NamedTuple):
    """Which seat is to act since when; seat 0: nobody."""

    seat: int = 0
    since_ms: int = 0


class Decision(NamedTuple):
    """What one act took."""

    seat: int
    took_ms: int


class Times(NamedTuple):
    """A player's pace: over `acts` acts the median and the longest, in ms."""

    acts: int
    median_ms: int
    longest_ms: int


def heard(turn: Turn, moment: Moment) -> tuple[Turn, Decision | None]:
    """The turn after an event, and the decision that the event ended.

    An act out of turn is no decision and leaves the turn of the seat that is still to act. Events of one instant (a
    hand told again after an undo) took nobody any time.
    """
    decision = None
    if moment.seat and moment.seat == turn.seat and moment.at_ms > turn.since_ms:
        decision = Decision(moment.seat, moment.at_ms - turn.since_ms)
    if moment.seat and moment.seat != turn.seat and moment.to_act == turn.seat:
        return turn, None
    return Turn(moment.to_act, moment.at_ms), decision


def decisions(moments: Iterable[Moment]) -> tuple[Decision, ...]:
    """All decisions of one table's events, in order."""
    turn, found = Turn(), []
    for moment in moments:
        turn, decision = heard(turn, moment)
        if decision is not None:
            found.append(decision)
    return tuple(found)


def times(took_ms: Sequence[int]) -> Times | None:
    """The pace of a player whose acts took so long; None without any."""
    return Times(len(took_ms), median_low(took_ms), max(took_ms)) if took_ms else None


def slow(took_ms: int, own: Times | None, remaining_ms: int) -> bool:
    """Was this act slow at the end of a level? `own`: the player's pace before it; `remaining_ms`: of the level."""
    if own is None or own.acts < FEWEST or not 0 < remaining_ms <= LAST_MS:
        return False
    return took_ms >= LONG_MS and took_ms >= TIMES_THE_MEDIAN * own.median_ms
