"""Where the tournament's chance comes from: a seed, or the system.

With a seed the same purpose always gives the same order, so that an evening can be played again. What was drawn is
written into the journal as an outcome either way, and read from there after a restart.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Shuffles(Protocol):
    """Where shuffled lists come from."""

    def shuffled(self, purpose: str, items: Sequence[T]) -> list[T]:
        """The items in a drawn order. The same purpose may give the same order again."""


class Chance:
    """Shuffles. `seed` None: the operating system's randomness."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed

    def shuffled(self, purpose: str, items: Sequence[T]) -> list[T]:
        """The items in a drawn order."""
        drawn = list(items)
        source = secrets.SystemRandom() if self._seed is None else random.Random(f"{self._seed}/{purpose}")
        source.shuffle(drawn)
        return drawn
