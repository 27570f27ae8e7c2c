"""Sets of seats as ints, one bit a seat: seat 3 is bit 3, and bit 0 stays empty because seats count from 1.

Whose turn it is, who owes an answer and who can still win is asked at every press, about a circle of
at most 22 chairs. With one bit a chair, "the next one clockwise" is two shifts instead of a search.
"""

from __future__ import annotations

from collections.abc import Iterable

SeatSet = int


def bit(seat: int) -> SeatSet:
    """The set that holds this seat alone."""
    return 1 << seat


def set_of(seats: Iterable[int]) -> SeatSet:
    """The set of these seats."""
    found = 0
    for seat in seats:
        found |= 1 << seat
    return found


def in_order(seats: SeatSet) -> tuple[int, ...]:
    """The seats of a set, counting up."""
    found = []
    while seats:
        low = seats & -seats
        found.append(low.bit_length() - 1)
        seats ^= low
    return tuple(found)


def next_seat(seats: SeatSet, after: int) -> int:
    """The first seat of the set clockwise behind `after` (`after` itself comes last); 0 if the set is empty."""
    behind = seats >> after + 1
    if behind:
        return (behind & -behind).bit_length() + after
    return (seats & -seats).bit_length() - 1 if seats else 0


def clockwise(seats: SeatSet, after: int) -> tuple[int, ...]:
    """The seats of the set in order of their turn, the first one behind `after` first."""
    low = seats & (2 << after) - 1
    return in_order(seats ^ low) + in_order(low)


def alone(seats: SeatSet) -> bool:
    """Does the set hold exactly one seat?"""
    return seats != 0 and seats & (seats - 1) == 0


def between(first: int, last: int, size: int) -> SeatSet:
    """The seats strictly between two seats, clockwise, at a table of `size`; none if they are the same."""
    found = 0
    for step in range(1, (last - first) % size):
        found |= 1 << (first - 1 + step) % size + 1
    return found
