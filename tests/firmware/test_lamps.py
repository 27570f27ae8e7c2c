"""Which lamps are lit."""

import pytest

from firmware_py.lamps import lamps
from firmware_py.panel_state import Amount, Count, Item, Menu, Panel, Penalty, PickSeat, Pushed
from tests.firmware.dealer import BETWEEN, PREFLOP, SHOW, WAITS
from tests.firmware.scenes import empty


class TestLamps:
    @pytest.mark.parametrize(
        ("at", "panel", "lit"),
        [
            (PREFLOP, Panel(), {"fold", "check_call", "bet_raise", "all_in", "time", "floor", "undo"}),
            (BETWEEN, Panel(), {"deal", "floor", "undo"}),
            (SHOW, Panel(), {"fold", "check_call", "floor", "undo"}),
            (WAITS, Panel(), {"floor", "undo"}),
            (empty(), Panel(), {"deal"}),
            (PREFLOP, Panel(mode=Amount(1, 200)), {"fold", "check_call", "bet_raise", "all_in", "undo"}),
            (PREFLOP, Panel(mode=Menu()), {"floor", "undo"}),
            (PREFLOP, Panel(mode=Pushed(Item.CHIPS, 1, 25)), {"deal", "check_call", "undo"}),
            (PREFLOP, Panel(mode=PickSeat("away", 1)), {"check_call", "undo"}),
            (PREFLOP, Panel(mode=Count(1, 5)), {"check_call", "undo"}),
            (PREFLOP, Panel(mode=Penalty(1, 2)), {"check_call", "undo"}),
        ],
    )
    def test_are_lit_where_the_key_would_be_accepted(self, at, panel, lit):
        assert {key.value for key in lamps(panel, at)} == lit
