"""What one press makes of the panel: the next panel, and the wishes that follow. Shared by the modules of its modes."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from engine.view import Due, Part, TableView
from firmware_py.panel_state import AnyMode, Panel, Play, Told, Wish


class Heard(NamedTuple):
    """The panel after one press, and what follows from it."""

    panel: Panel
    wishes: tuple[Wish, ...] = ()


def to_play(panel: Panel, told: Told = Told.NONE) -> Panel:
    """The panel with nothing begun."""
    return msgspec.structs.replace(panel, mode=Play(), told=told)


def with_mode(panel: Panel, mode: AnyMode, told: Told = Told.NONE) -> Panel:
    """The panel in this mode."""
    return msgspec.structs.replace(panel, mode=mode, told=told)


def say(panel: Panel, told: Told) -> Heard:
    """The panel as it is, with an answer to the press."""
    return Heard(msgspec.structs.replace(panel, told=told))


def along(seats: tuple[int, ...], at: int, steps: int) -> int:
    """`steps` places on from `at` round the table."""
    return seats[(seats.index(at) + steps) % len(seats)] if at in seats else seats[0]


def selectable(view: TableView) -> tuple[int, ...]:
    """Seats that could act out of turn: those in the hand with chips behind, while somebody is to act."""
    if view.due is not Due.ACTION:
        return ()
    return tuple(s.seat for s in view.seats if s.part is Part.LIVE)
