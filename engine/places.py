"""Who finished where. Places are derived from the eliminations every time, never kept.

* Out of different hands: the earlier finishes lower.
* Out of the same hand of one table: who began it with fewer chips finishes lower, equal chips share the place.
* Out of the same hand *in hand-for-hand* at different tables: the tables' hands count as one. Live practice shares the
  places (`across="tie"`); online rooms rank by the chips at the start of the hand (`across="stacks"`). Where
  places are shared and a table lost several, its fewer chips still finish lower: the best of each table share, then the
  second of each, and so on.

A shared place is a range, `best` to `last`: the prizes of the range are added and split (`engine.payout.split`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby, zip_longest
from typing import Literal

import msgspec

Across = Literal["tie", "stacks"]


class Exit(msgspec.Struct, frozen=True):
    """An elimination. `when` orders hands: the same value, the same hand (or the same round of hand-for-hand)."""

    player: str
    stack_before: int
    table: str = ""
    when: tuple[int, ...] = ()


class Finish(msgspec.Struct, frozen=True):
    """Where a player finished: a range of places, one place long unless it is shared."""

    best: int
    last: int
    player: str


def places(entrants: Sequence[str], exits: Iterable[Exit], across: Across = "tie") -> tuple[Finish, ...]:
    """The places decided so far, the best first. The last player left, if one is, is first.

    Raises ValueError for an elimination of somebody who is no entrant, or of somebody twice.
    """
    gone = list(exits)
    out = {each.player for each in gone}
    if len(out) < len(gone) or not out <= set(entrants):
        raise ValueError("everybody goes out once, and only who has entered")
    found: list[Finish] = []
    last = len(entrants)
    for _, together in groupby(sorted(gone, key=lambda each: each.when), key=lambda each: each.when):
        for shared in reversed(_from_the_best(list(together), across)):
            best = last - len(shared) + 1
            found += [Finish(best, last, player) for player in shared]
            last = best - 1
    left = [player for player in entrants if player not in out]
    if len(left) == 1:
        found.append(Finish(1, 1, left[0]))
    return tuple(sorted(found, key=lambda each: (each.best, each.player)))


def _from_the_best(together: list[Exit], across: Across) -> list[list[str]]:
    """Who went out together, the best first; who shares a place stands in one list."""
    tables = [""] if across == "stacks" else sorted({each.table for each in together})
    ranked: list[list[list[str]]] = []
    for table in tables:
        here = [each for each in together if across == "stacks" or each.table == table]
        here.sort(key=lambda each: -each.stack_before)
        ranked.append([[each.player for each in same] for _, same in groupby(here, key=lambda each: each.stack_before)])
    return [sorted(chain.from_iterable(shared)) for shared in zip_longest(*ranked, fillvalue=())]
