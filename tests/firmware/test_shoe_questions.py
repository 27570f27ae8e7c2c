"""What the panel asks the dealer where a shoe cannot prove it: the count, where the deal stands, whether to go on."""

import pytest

from drivers.seen import Key
from engine.inputs import DeviceTrouble
from firmware_py.lamps import lamps
from firmware_py.panel_logic import confirm_deal
from firmware_py.panel_state import ConfirmDeal, Menu, Panel, Play, Told, Verify, WithoutShoe
from tests.firmware.dealer import (
    ALL_IN,
    BETWEEN,
    CALL,
    DEAL,
    DEALING,
    FLOOR,
    FOLD,
    PREFLOP,
    PUSH,
    RAISE,
    TIME,
    UNDO,
    WAITS,
    do,
    right,
    wants,
)


class TestCountOfTheDeal:
    """A shoe that cannot prove how many cards left it: the dealer is asked when the deal is over."""

    ASKED = confirm_deal(Panel(), PREFLOP)

    def test_the_cards_of_the_seats_in_the_hand_are_asked_for(self):
        assert self.ASKED.mode == ConfirmDeal(6)
        assert lamps(self.ASKED, PREFLOP) == {Key.DEAL, Key.CHECK_CALL, Key.FLOOR}

    @pytest.mark.parametrize("yes", [DEAL, CALL, PUSH])
    def test_a_yes_goes_on(self, yes):
        panel, wishes = do(PREFLOP, yes, panel=self.ASKED)

        assert (panel.mode, wishes) == (Play(), ())

    def test_a_no_is_for_the_director(self):
        assert wants(PREFLOP, FLOOR, panel=self.ASKED) == [DeviceTrouble("cards_lost", "the dealer counts otherwise")]

    @pytest.mark.parametrize("press", [FOLD, RAISE, ALL_IN, UNDO, TIME, right()])
    def test_nothing_else_is_done_before(self, press):
        panel, wishes = do(PREFLOP, press, panel=self.ASKED)

        assert (panel.mode, wishes) == (ConfirmDeal(6), ())

    @pytest.mark.parametrize("at", [BETWEEN, WAITS, DEALING], ids=["between hands", "the floor", "the deal again"])
    def test_a_table_that_went_on_without_it_asks_no_more(self, at):
        assert do(at, right(), panel=self.ASKED)[0].mode == Play()


class TestWhereTheDealStands:
    """A shoe that keeps nothing was away in the hand: the dealer verifies."""

    ASKED = Panel(mode=Verify())

    @pytest.mark.parametrize("at", [DEALING, PREFLOP], ids=["dealing", "preflop"])
    def test_a_yes_goes_on_and_a_no_is_for_the_director(self, at):
        assert do(at, DEAL, panel=self.ASKED) == (Panel(), ())
        assert wants(at, FLOOR, panel=self.ASKED) == [DeviceTrouble("cards_lost", "the dealer counts otherwise")]
        assert lamps(self.ASKED, at) == {Key.DEAL, Key.CHECK_CALL, Key.FLOOR}

    @pytest.mark.parametrize("press", [FOLD, RAISE, ALL_IN, UNDO, TIME])
    def test_nothing_else_is_done_before(self, press):
        panel, wishes = do(PREFLOP, press, panel=self.ASKED)

        assert (panel.mode, panel.told, wishes) == (Verify(), Told.COUNT_FIRST, ())

    @pytest.mark.parametrize("at", [BETWEEN, WAITS], ids=["between hands", "the floor"])
    def test_where_no_card_can_be_missing_nobody_is_asked(self, at):
        assert do(at, right(), panel=self.ASKED)[0].mode == Play()


class TestShoeToBePutRight:
    """The deal waits for a shoe whose door is open or whose cards stick, or is dealt by hand."""

    AT = DEALING._replace(shoe_waits=("door", ""))

    def test_deal_asks_and_deal_again_deals_by_hand(self):
        asked, wishes = do(self.AT, DEAL)

        assert (asked.mode, wishes) == (WithoutShoe(), ())
        assert lamps(asked, self.AT) == {Key.DEAL, Key.UNDO, Key.FLOOR}
        assert wants(self.AT, DEAL, DEAL) == wants(DEALING, DEAL) != []

    @pytest.mark.parametrize("press", [UNDO, PUSH])
    def test_a_no_waits_on(self, press):
        panel, wishes = do(self.AT, DEAL, press)

        assert (panel.mode, panel.told, wishes) == (Play(), Told.CANCELLED, ())

    def test_the_floor_menu_opens_from_the_question(self):
        assert do(self.AT, DEAL, FLOOR)[0].mode == Menu(0, 0)

    @pytest.mark.parametrize("press", [FOLD, CALL, RAISE, ALL_IN, TIME, right()])
    def test_the_rest_waits(self, press):
        panel, wishes = do(self.AT, DEAL, press)

        assert (panel.mode, wishes) == (WithoutShoe(), ())

    def test_a_shoe_that_was_put_right_is_asked_of_no_more(self):
        asked, _ = do(self.AT, DEAL)

        assert do(DEALING, right(), panel=asked)[0].mode == Play()
