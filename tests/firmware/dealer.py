"""A dealer at a panel without a unit: keys, knob and badges, and the moments of a hand in which they are used."""

from drivers.seen import Key, KeyPressed, KnobPushed, KnobTurned
from engine.inputs import Call, CallFloor, CardDrawn, Check, FirstCard, Muck, Sanction, Shuffle, StreetDealt, TableCards
from firmware_py.panel_logic import hear
from firmware_py.panel_state import Badged, Panel
from tests.firmware.scenes import dealt, played, scene

FOLD, CALL, RAISE, ALL_IN, DEAL, UNDO, TIME, FLOOR = map(KeyPressed, Key)
PUSH = KnobPushed()
SLOW_MS = 1000
DIRECTOR = Badged("d1", director=True)
DEALER = Badged("m1", director=False)


def right(steps=1, *, pushed=False):
    return KnobTurned(steps, pushed)


def left(steps=1):
    return KnobTurned(-steps)


def do(at, *presses, panel=None, every_ms=SLOW_MS):
    """(panel, wishes) after the presses, one each second unless they come faster; the table stays as it is."""
    panel, wishes = panel or Panel(), ()
    for number, press in enumerate(presses):
        panel, new = hear(panel, press, number * every_ms, at)
        wishes += new
    return panel, wishes


def wants(at, *presses, **kwargs):
    return [wish.want for wish in do(at, *presses, **kwargs)[1]]


PREFLOP = scene(dealt())                                            # button 1, blinds 2 and 3: seat 1 faces 100
FLOP = scene(dealt(Call(1), Call(2), Check(3), StreetDealt(("??",) * 3)))   # seat 2 is first
SHORT = scene(dealt(stacks=(137, 10_000, 10_000)))                  # seat 1 has less than a minimum raise
BETWEEN = scene(played())
SHUFFLED = scene(played(Shuffle()))
DEALING = scene(played(FirstCard()))
BURN = scene(dealt(Call(1), Call(2), Check(3)))
HALF_A_FLOP = scene(dealt(Call(1), Call(2), Check(3), CardDrawn("2c"), CardDrawn("3c")))
CHECKED = (Check(2), Check(3), Check(1))
RIVER_DONE = dealt(
    Call(1), Call(2), Check(3), StreetDealt(("??",) * 3), *CHECKED, StreetDealt(("??",)), *CHECKED,
    StreetDealt(("??",)), *CHECKED,
)  # fmt: skip
SHOW = scene(RIVER_DONE)
AWARD = scene(
    dealt(
        Call(1), Call(2), Check(3), StreetDealt(("??",) * 3), *CHECKED, StreetDealt(("??",)), *CHECKED,
        StreetDealt(("??",)), *CHECKED, TableCards(2), TableCards(3), Muck(1),
    )
)  # fmt: skip
WAITS = scene(dealt(CallFloor()))
MINUTES = PREFLOP._replace(sanction=Sanction.MINUTES, penalties=(5, 10, 20))
