"""Which keys are lit: those that would be accepted now, and no others."""

from __future__ import annotations

from typing import assert_never

from drivers.seen import Key
from engine.view import Due
from firmware_py.amounts import span_of
from firmware_py.panel_state import (
    Amount,
    AskDirector,
    Award,
    ConfirmDeal,
    Count,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Play,
    Pushed,
    Scene,
    Setting,
    Verify,
    WithoutShoe,
)

ACTION_KEYS = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN)
DEAL_GOES_ON = frozenset(
    {Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD, Due.NEXT_HAND}
)


def lamps(panel: Panel, scene: Scene) -> frozenset[Key]:
    """The keys that would be accepted now."""
    mode, view, legal = panel.mode, scene.view, scene.legal
    match mode:
        case Amount():
            return frozenset({*ACTION_KEYS, Key.UNDO})
        case Award():
            return frozenset({Key.DEAL, Key.UNDO, Key.FLOOR})
        case Menu():
            return frozenset({Key.FLOOR, Key.UNDO})
        case PickSeat() | Count() | Penalty():
            return frozenset({Key.CHECK_CALL, Key.UNDO})
        case Pushed():
            return frozenset({Key.DEAL, Key.CHECK_CALL, Key.UNDO})
        case ConfirmDeal() | Verify():
            return frozenset({Key.DEAL, Key.CHECK_CALL, Key.FLOOR})
        case WithoutShoe():
            return frozenset({Key.DEAL, Key.UNDO, Key.FLOOR})
        case AskDirector():
            return frozenset(Key)
        case Setting():
            return frozenset({Key.DEAL, Key.UNDO})
        case Play(seat):
            lit = {Key.FLOOR, Key.UNDO} if scene.opened else set()
        case _:
            assert_never(mode)
    if view.due is Due.ACTION and legal is not None:
        lit |= {Key.FOLD, Key.CHECK_CALL, Key.ALL_IN, Key.TIME}
        if span_of(scene, seat or legal.seat) is not None:
            lit.add(Key.BET_RAISE)
    elif view.due is Due.SHOW:
        lit |= {Key.FOLD, Key.CHECK_CALL}
    elif view.due in DEAL_GOES_ON or not scene.opened:
        lit.add(Key.DEAL)
    return frozenset(lit)
