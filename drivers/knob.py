"""A rotary knob's two contacts as detents: pure, one step for each click that the hand feels.

A mechanical encoder (ALPS EC11 and its many copies) closes A and B in quadrature; at rest in a detent both are open,
and one detent is a full cycle of four phases. Clockwise, A closes first. Quarter steps are added up and a detent is
counted only when the knob comes to rest, so a bouncing contact (one quarter forth and back) and a knob wiggled between
two detents count nothing, and one edge lost inside a detent costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

QUARTERS = 4  # phases of one detent

# (phase before, phase after) -> quarter steps; a phase is (A closed, B closed). Both changed at once: unknown, no step.
_CLOCKWISE = ((False, False), (True, False), (True, True), (False, True))
_QUARTER = {
    (_CLOCKWISE[i], _CLOCKWISE[(i + step) % QUARTERS]): step for i in range(QUARTERS) for step in (1, -1)
}  # fmt: skip


class Rotation(NamedTuple):
    """Where the knob stands between two detents: the contacts, and quarter steps since it last rested."""

    a: bool = False
    b: bool = False
    quarters: int = 0


def turned(rotation: Rotation, a: bool, b: bool) -> tuple[Rotation, int]:
    """The rotation with contacts now `a` and `b` (closed), and detents completed by it, clockwise positive."""
    quarters = rotation.quarters + _QUARTER.get(((rotation.a, rotation.b), (a, b)), 0)
    if a or b:
        return Rotation(a, b, quarters), 0
    detents = (abs(quarters) + QUARTERS // 2) // QUARTERS
    return Rotation(), detents if quarters > 0 else -detents


def missed(rotation: Rotation, a: bool, b: bool) -> bool:
    """Whether the knob comes to rest with these contacts and edges are missing: no whole number of detents."""
    quarters = rotation.quarters + _QUARTER.get(((rotation.a, rotation.b), (a, b)), 0)
    return not (a or b) and (rotation.a or rotation.b) and quarters % QUARTERS != 0


def phases_of(detents: int) -> list[tuple[bool, bool]]:
    """The phases (A, B) that a hand turning by `detents` produces, from rest to rest; for simulators."""
    cycle = [*_CLOCKWISE[1:], _CLOCKWISE[0]]
    if detents < 0:
        cycle = [*reversed(cycle[:-1]), cycle[-1]]
    return cycle * abs(detents)
