"""The questions of a first start without a hub: book, blinds, stacks, seats and button, each with a proposal."""

from __future__ import annotations

from typing import assert_never

import msgspec

from drivers.seen import Key
from engine.inputs import Level
from firmware_py.amounts import MAX_CHIPS, stepped
from firmware_py.panel_state import STEPS, Begin, Panel, Scene, Setting, Step, Told, Wish
from firmware_py.presses import Heard, along, say, to_play, with_mode


def first_question(scene: Scene) -> Setting:
    """The first question of a first start, with amounts a club game would begin with."""
    small = scene.chip
    return Setting(small_blind=small, big_blind=2 * small, stack=200 * small)


def key_in_setting(panel: Panel, mode: Setting, key: Key, scene: Scene) -> Heard:
    """DEAL goes on, UNDO goes back, the rest means nothing here."""
    at = STEPS.index(mode.step)
    if key is Key.UNDO:
        return Heard(with_mode(panel, _entered(mode, STEPS[max(0, at - 1)], scene)))
    if key is not Key.DEAL:
        return say(panel, Told.NOT_NOW)
    if mode.step is Step.SEATS and len(mode.seats) < 2:
        return say(panel, Told.NO_SEAT)
    if at + 1 < len(STEPS):
        return Heard(with_mode(panel, _entered(mode, STEPS[at + 1], scene)))
    level = Level(mode.small_blind, mode.big_blind, mode.ante, number=1)
    begin = Begin(scene.books[mode.book], level, dict.fromkeys(mode.seats, mode.stack), mode.at)
    return Heard(to_play(panel), (Wish(begin),))


def turned(mode: Setting, steps: int, chips: int, scene: Scene) -> Setting:
    """The answer that stands open, moved by the knob."""
    replace, chip = msgspec.structs.replace, scene.chip
    match mode.step:
        case Step.BOOK:
            return replace(mode, book=(mode.book + steps) % len(scene.books))
        case Step.SMALL_BLIND:
            return replace(mode, small_blind=stepped(mode.small_blind, chips, chip, (chip, MAX_CHIPS)))
        case Step.BIG_BLIND:
            return replace(mode, big_blind=stepped(mode.big_blind, chips, chip, (mode.small_blind, MAX_CHIPS)))
        case Step.ANTE:
            return replace(mode, ante=stepped(mode.ante, chips, chip, (0, mode.big_blind)))
        case Step.STACK:
            return replace(mode, stack=stepped(mode.stack, chips, chip, (chip, MAX_CHIPS)))
        case Step.SEATS:
            return replace(mode, at=along(tuple(range(1, scene.view.size + 1)), mode.at, steps))
        case Step.BUTTON:
            return replace(mode, at=along(mode.seats, mode.at, steps))
        case _:
            assert_never(mode.step)


def _entered(mode: Setting, step: Step, scene: Scene) -> Setting:
    """The questions at another step, its answer proposed from those before."""
    replace = msgspec.structs.replace
    match step:
        case Step.BIG_BLIND:
            return replace(mode, step=step, big_blind=max(mode.big_blind, 2 * mode.small_blind))
        case Step.STACK:
            return replace(mode, step=step, stack=max(mode.stack, 100 * mode.big_blind))
        case Step.BUTTON if mode.seats:
            return replace(mode, step=step, at=mode.seats[0])
        case Step.SEATS:
            return replace(mode, step=step, at=min(mode.at, scene.view.size))
        case _:
            return replace(mode, step=step)


def pushed(mode: Setting) -> Setting:
    """The knob was pushed: the seat under it is taken or free; elsewhere a push means nothing."""
    if mode.step is not Step.SEATS:
        return mode
    others = tuple(seat for seat in mode.seats if seat != mode.at)
    seats = others if mode.at in mode.seats else tuple(sorted((*mode.seats, mode.at)))
    return msgspec.structs.replace(mode, seats=seats)
