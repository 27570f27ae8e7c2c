"""Money: what comes in, how many are paid, who gets how much. Whole cents, never floats.

Articles: dalvivo:8.a (the pool is the entries net of the tax, shared in decreasing parts) and 8.b (at least a tenth of
the entrants are paid, rounded up); shared places are added and split (live practice, as in Poker TDA tournaments).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil

import msgspec

WHOLE = 100
"""Shares are percentages."""


class Money(msgspec.Struct, frozen=True):
    """What the entries bring in, in cents: the prize `pool`, the house's `fee`, what goes into a season's `jackpot`."""

    pool: int
    fee: int
    jackpot: int


def collected(entries: int, prize: int, fee: int = 0, jackpot: int = 0) -> Money:
    """The money of `entries` entries, each of which pays these parts in cents."""
    return Money(entries * prize, entries * fee, entries * jackpot)


def paid_places(entries: int, share: float | Fraction | None) -> int:
    """How many are paid at least: this share of the entrants, rounded up; one where the book names no share.

    A share written as a decimal counts as written: a tenth of 70 is 7, whatever floating point makes of it.
    """
    if share is None or entries < 1:
        return min(entries, 1)
    return max(1, ceil(entries * Fraction(str(share))))


def decreasing(shares: Sequence[int]) -> bool:
    """Is each share smaller than the one before?"""
    return all(later < earlier for earlier, later in pairwise(shares))


def prizes(pool: int, shares: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """The pool by these percentages, in cents, each rounded down to whole `unit`; what is left goes to the first.

    Raises ValueError where the percentages are not 100 in all, or one is negative.
    """
    if sum(shares) != WHOLE or min(shares) < 0:
        raise ValueError(f"shares of {sum(shares)} per cent in all: they must be {WHOLE}, and none negative")
    cut = [pool * share // WHOLE // unit * unit for share in shares]
    return (cut[0] + pool - sum(cut), *cut[1:])


def split(prizes_: Sequence[int], best: int, last: int, unit: int = 1) -> tuple[int, ...]:
    """The prizes of the places `best` to `last`, shared equally by as many players; odd units one each, from the first.

    Places beyond the paid ones bring nothing.
    """
    players = last - best + 1
    whole, odd = divmod(sum(prizes_[best - 1 : last]), players * unit)
    more, rest = divmod(odd, unit)
    parts = [whole * unit + (unit if at < more else 0) for at in range(players)]
    return (parts[0] + rest, *parts[1:])


def worth(stacks: Sequence[int], left: Sequence[int]) -> tuple[Fraction, ...]:
    """What each stack is worth of the prizes still to be paid (Malmuth and Harville's model), exactly.

    The chance to finish first is the share of all chips; without the first, the same holds for the second, and so on.
    Meant for one table: the work doubles with each player. Raises ValueError for a stack without chips.

    See https://en.wikipedia.org/wiki/Independent_Chip_Model.
    """
    if not stacks or min(stacks) < 1:
        raise ValueError("everybody in a deal has chips")
    everybody = (1 << len(stacks)) - 1

    @cache
    def of(playing: int, paid: int) -> tuple[Fraction, ...]:
        if not playing or paid == len(left):
            return (Fraction(0),) * len(stacks)
        seats = [at for at in range(len(stacks)) if playing >> at & 1]
        chips = sum(stacks[at] for at in seats)
        values = [Fraction(0)] * len(stacks)
        for first in seats:
            chance = Fraction(stacks[first], chips)
            values[first] += chance * left[paid]
            for at, value in enumerate(of(playing & ~(1 << first), paid + 1)):
                values[at] += chance * value
        return tuple(values)

    return of(everybody, 0)


def by_chips(stacks: Sequence[int], left: Sequence[int]) -> tuple[Fraction, ...]:
    """The plain deal: everybody has the lowest prize still to be paid for sure, the rest goes by chips.

    Without that floor the leader could get more than the first prize. Raises ValueError as `worth`.
    """
    if not stacks or min(stacks) < 1:
        raise ValueError("everybody in a deal has chips")
    due = sorted(left, reverse=True)[: len(stacks)] + [0] * (len(stacks) - len(left))
    sure, chips = due[-1], sum(stacks)
    return tuple(sure + Fraction(stack, chips) * (sum(due) - sure * len(stacks)) for stack in stacks)


def rounded(values: Sequence[Fraction], unit: int = 1) -> tuple[int, ...]:
    """Whole `unit`s that add up to the same sum: what rounding down leaves goes to the largest remainders.

    Raises ValueError where the sum itself is no whole number of units.
    """
    total = sum(values, Fraction(0)) / unit
    if total.denominator != 1:
        raise ValueError(f"{sum(values)} is no whole number of {unit}")
    floors = [value // unit for value in values]
    largest = sorted(range(len(values)), key=lambda at: (floors[at] - values[at] / unit, at))
    for at in largest[: int(total) - sum(floors)]:
        floors[at] += 1
    return tuple(int(floor) * unit for floor in floors)
