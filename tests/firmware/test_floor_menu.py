"""The FLOOR menu: what stands under which page and line, and what it asks before it is wished."""

import pytest

from engine.inputs import (
    Away,
    CallFloor,
    Complain,
    Confiscate,
    DealError,
    DealFault,
    Exposes,
    FloorDecides,
    Fold,
    GrantClock,
    HoldPlay,
    Kill,
    KillReason,
    Motion,
    Penalise,
    Puts,
    Sanction,
    Says,
    SetStack,
    Shuffle,
    Word,
)
from tests.firmware.dealer import (
    BETWEEN,
    CALL,
    DEAL,
    FLOOR,
    FLOP,
    FOLD,
    MINUTES,
    PREFLOP,
    PUSH,
    SHORT,
    UNDO,
    WAITS,
    left,
    right,
    wants,
)

SEQUENCES = (
    # where, what the dealer does, what is wished
    (PREFLOP, [FLOOR, FLOOR, FLOOR, right(10), PUSH], [GrantClock()]),
    (PREFLOP, [FLOOR, PUSH, PUSH], [Kill(1, KillReason.DEALER)]),
    (PREFLOP, [FLOOR, right(), PUSH, right(), PUSH], [Kill(2, KillReason.THROWN)]),
    (PREFLOP, [FLOOR, FLOOR, PUSH, right(2), CALL], [Away(3)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, PUSH], [CallFloor("dealer")]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, FLOOR, FOLD], [Fold(1)]),
    (PREFLOP, [FLOOR, right(4), PUSH, right(), PUSH], [Exposes(2)]),
    (PREFLOP, [FLOOR, FLOOR, right(3), PUSH], [Complain()]),
    (PREFLOP, [FLOOR, FLOOR, right(4), PUSH, PUSH], [Penalise(1, Sanction.WARNING)]),
    (PREFLOP, [FLOOR, FLOOR, right(5), PUSH, PUSH, right(2), PUSH], [Penalise(1, Sanction.ROUNDS, 3)]),
    (PREFLOP, [FLOOR, FLOOR, right(5), PUSH, PUSH, left(), CALL], [Penalise(1, Sanction.ROUNDS, 4)]),
    (PREFLOP, [FLOOR, FLOOR, right(5), PUSH, PUSH, UNDO], []),
    (MINUTES, [FLOOR, FLOOR, right(5), PUSH, right(), PUSH, right(), PUSH], [Penalise(2, Sanction.MINUTES, 10)]),
    (PREFLOP, [FLOOR, FLOOR, right(6), PUSH, right(2), PUSH], [Penalise(3, Sanction.DISQUALIFY)]),
    (PREFLOP, [FLOOR, FLOOR, right(7), PUSH, right(), PUSH, right(3), PUSH], [Confiscate(2, 100)]),
    (SHORT, [FLOOR, FLOOR, right(7), PUSH, PUSH, right(200), PUSH], [Confiscate(1, 137)]),        # all that is there
    (PREFLOP, [FLOOR, FLOOR, right(7), PUSH, PUSH, left(5), CALL], [Confiscate(1, 25)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, PUSH, right(), PUSH], [DealError(DealFault.HOLE_EXPOSED, 2, 1)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, right(), PUSH, PUSH], [DealError(DealFault.HOLE_EXPOSED, 1, 2)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, right(5), PUSH], [DealError(DealFault.FLOP_EXTRA)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, right(8), PUSH], [DealError(DealFault.EARLY_TURN)]),
    (PREFLOP, [FLOOR, FLOOR, FLOOR, FLOOR, right(9), PUSH], [DealError(DealFault.DUPLICATE)]),
    (WAITS, [FLOOR, right(4), PUSH], [FloorDecides("restores")]),
    (WAITS, [FLOOR, right(6), PUSH, PUSH], [FloorDecides("awards", seats=(1,))]),
    (PREFLOP, [FLOOR, FLOOR, right(), PUSH], []),                    # nobody is away: nobody to come back
    (PREFLOP, [FLOOR, UNDO, FOLD], [Fold(1)]),
    (PREFLOP, [FLOOR, left(), PUSH, DEAL], [Puts(1, (Motion((25,)),))]),
    (PREFLOP, [FLOOR, left(), PUSH, right(pushed=True), right(pushed=True), PUSH, DEAL],
     [Puts(1, (Motion((525,), single=True),))]),
    (PREFLOP, [FLOOR, left(), PUSH, PUSH, PUSH, right(), CALL], [Puts(1, (Motion((50,)),))]),
    (PREFLOP, [right(), FLOOR, left(), PUSH, right(3), DEAL], [Puts(2, (Motion((100,)),))]),     # out of turn
    (PREFLOP, [FLOOR, left(2), PUSH, PUSH, DEAL, right(), DEAL],
     [Puts(1, (Motion((25,), single=True), Motion((50,))))]),
    (SHORT, [FLOOR, left(2), PUSH, right(20), DEAL], [Puts(1, (Motion((137,)),))]),              # nothing left
    (PREFLOP, [FLOOR, left(3), PUSH, right(), DEAL], [Says(1, Word.CALL, motion=Motion((50,)))]),
    (PREFLOP, [FLOOR, left(4), PUSH, DEAL], [Says(1, Word.RAISE, motion=Motion((25,)))]),
    (PREFLOP, [FLOOR, left(5), PUSH, right(2), DEAL, PUSH, right(3), DEAL],                      # "250", one chip
     [Says(1, Word.RAISE, 250, Motion((100,), single=True))]),
    (FLOP, [FLOOR, left(5), PUSH, DEAL, DEAL], [Says(2, Word.BET, 100, Motion((25,)))]),
    (PREFLOP, [FLOOR, left(5), PUSH, DEAL, UNDO], []),
    (FLOP, [FLOOR, left(4), PUSH, PUSH, DEAL], [Says(2, Word.BET, motion=Motion((25,), single=True))]),
    (PREFLOP, [FLOOR, left(), PUSH, UNDO], []),
    (PREFLOP, [FLOOR, left(), PUSH, FOLD], []),
    (BETWEEN, [FLOOR, left(), PUSH, DEAL], [Shuffle()]),            # nobody is to act: there is nothing to push for
    (BETWEEN, [FLOOR, FLOOR, right(2), PUSH, PUSH, right(), PUSH], [SetStack(1, 10_025)]),
    (BETWEEN, [FLOOR, FLOOR, FLOOR, right(), PUSH], [HoldPlay(True, "director")]),
    (WAITS, [FLOOR, PUSH], [FloorDecides("plays_on")]),
    (WAITS, [FLOOR, right(), PUSH], [FloorDecides("voids")]),
)  # fmt: skip


@pytest.mark.parametrize(("at", "presses", "wished"), SEQUENCES, ids=range(len(SEQUENCES)))
def test_a_choice_of_the_menu_becomes_what_is_meant(at, presses, wished):
    assert wants(at, *presses) == wished
