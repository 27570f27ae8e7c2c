"""Who finished where. Places are derived from the eliminations every time, never kept.

Out of the same hand of the same table: the smaller stack at the hand's start finishes lower; equal stacks tie. Out of
different hands: the earlier one finishes lower. With tables in step a hand of the whole room counts as one hand, so
that two who go out in it at different tables are ordered by their stacks and not by whose dealer was quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from hub.config import Entrant
from hub.picture import Place
from hub.room import Out


def places(
    entrants: Sequence[Entrant], outs: Iterable[Out], round_of: Callable[[Out], int] | None = None
) -> tuple[Place, ...]:
    """The places decided so far, best first; the last player left is first.

    `round_of` gives the room's hand in which somebody went out, when tables are in step; else the tables' time counts.
    """
    together: dict[tuple[object, ...], list[Out]] = {}
    for out in outs:
        key = (round_of(out),) if round_of else (out.unit, out.ep, out.hand)
        together.setdefault(key, []).append(out)

    def when(group: list[Out]) -> tuple[int, int, int]:
        if round_of:
            return round_of(group[0]), 0, 0
        return min(out.utc_ms for out in group), group[0].table_no, group[0].hand

    found: list[Place] = []
    last = len(entrants)
    for group in sorted(together.values(), key=when):
        group.sort(key=lambda out: (out.stack_before, out.player))
        for _, tied in groupby(group, key=lambda out: out.stack_before):
            same = list(tied)
            best = last - len(same) + 1
            found += [Place(best, last, out.player, out.name, out.table_no, out.hand) for out in same]
            last = best - 1
    gone = {place.player for place in found}
    left = [entrant for entrant in entrants if entrant.player not in gone]
    if len(left) == 1:
        found.append(Place(1, 1, left[0].player, left[0].name))
    return tuple(sorted(found, key=lambda place: (place.place, place.player)))
