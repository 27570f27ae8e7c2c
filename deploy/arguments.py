"""What options of several commands have in common."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", int, float)


def within(kind: Callable[[str], T], low: T, high: T) -> Callable[[str], T]:
    """A number from `low` to `high`; anything else is told so."""

    def number(text: str) -> T:
        with contextlib.suppress(ValueError):
            value = kind(text)
            if low <= value <= high:
                return value
        raise argparse.ArgumentTypeError(f"{text}: give {low} to {high}")

    return number
