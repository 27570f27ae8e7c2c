"""What waits for the director: the badge, or the PIN on the keys, and what becomes of wrong ones."""

import msgspec
import pytest

from engine.inputs import HoldPlay, SetStack
from firmware_py.asking import WrongPins, remembered, typed_pin, wrong_pins
from firmware_py.panel_logic import hear
from firmware_py.panel_state import AskDirector, Menu, Panel, Penalty, Play, Told, Undo, Wish
from tests.firmware.dealer import BETWEEN, CALL, DEALER, DIRECTOR, FLOOR, FOLD, PUSH, RAISE, do, right


class TestDirector:
    AT = BETWEEN._replace(directors=True)

    def test_a_counted_stack_waits_for_the_directors_badge(self):
        panel, wishes = do(self.AT, FLOOR, FLOOR, right(2), PUSH)
        assert isinstance(panel.mode, AskDirector)
        assert wishes == ()

        panel, wishes = do(self.AT, DIRECTOR, PUSH, right(), PUSH, panel=panel)

        assert wishes == (Wish(SetStack(1, 10_025), "director:d1"),)

    def test_a_dealers_badge_is_not_enough(self):
        panel, _ = do(self.AT, FLOOR, FLOOR, right(2), PUSH, DEALER)

        assert panel.told is Told.NOT_DIRECTOR
        assert isinstance(panel.mode, AskDirector)

    def test_a_director_who_taps_first_is_not_asked_again(self):
        _, wishes = do(self.AT, DIRECTOR, right(), PUSH)

        assert wishes == (Wish(HoldPlay(True, "director"), "director:d1"),)

    @pytest.mark.parametrize("entry", [5, 6, 7], ids=["penalty", "disqualification", "confiscation"])
    def test_a_sanction_waits_for_the_directors_badge(self, entry):
        panel, wishes = do(self.AT, FLOOR, FLOOR, right(entry), PUSH)
        assert (type(panel.mode), wishes) == (AskDirector, ())

        panel, wishes = do(self.AT, DIRECTOR, PUSH, PUSH, panel=panel)

        assert {wish.by for wish in wishes} <= {"director:d1"}
        assert isinstance(panel.mode, Play) == bool(wishes)

    def test_a_badge_laid_on_while_a_penalty_is_dialled_stands_behind_it(self):
        panel, _ = do(BETWEEN, FLOOR, FLOOR, right(5), PUSH, PUSH, DIRECTOR)

        assert panel.mode == Penalty(1, 1, "director:d1")

    def test_a_directors_menu_begins_again_after_its_last_page(self):
        panel, _ = do(self.AT, DIRECTOR, FLOOR, FLOOR, FLOOR)

        assert panel.mode == Menu(1, 0, "director:d1")

    def test_an_undo_that_waited_goes_over_the_hands_end(self):
        _, wishes = do(self.AT, DIRECTOR, panel=Panel(mode=AskDirector(Undo())))

        assert wishes == (Wish(Undo(director=True), "director:d1"),)

    def test_a_forgotten_badge_is_replaced_by_the_pin_on_the_keys(self):
        panel, _ = do(self.AT, FOLD, CALL, RAISE, panel=Panel(mode=AskDirector(Undo())))
        assert typed_pin(panel, FLOOR, 9) == "1238"

        _, wishes = hear(panel, FLOOR, 9, self.AT._replace(pin_is="pin"))

        assert wishes == (Wish(Undo(director=True), "director:pin"),)

    def test_a_wrong_pin_ends_the_asking(self):
        panel, wishes = do(self.AT, FOLD, FOLD, FOLD, FOLD, panel=Panel(mode=AskDirector(Undo())))

        assert (panel.mode, panel.told, wishes) == (Play(), Told.WRONG_PIN, ())

    def test_after_three_wrong_pins_none_is_looked_at_for_a_minute_and_the_badge_still_counts(self):
        ask = AskDirector(Undo())
        panel = Panel()
        for _ in range(3):
            panel, _ = do(self.AT, FOLD, FOLD, FOLD, FOLD, panel=msgspec.structs.replace(panel, mode=ask), every_ms=1)
        panel = msgspec.structs.replace(panel, mode=ask)
        locked, wishes = hear(panel, FOLD, 60_000, self.AT)

        assert (locked.mode, locked.told, wishes) == (ask, Told.PIN_LOCKED, ())
        typed = msgspec.structs.replace(panel, mode=AskDirector(Undo(), digits="123"))
        assert typed_pin(typed, FLOOR, 60_000) == ""
        assert typed_pin(typed, FLOOR, 60_003) == "1238"
        assert hear(panel, DIRECTOR, 9, self.AT).wishes == (Wish(Undo(director=True), "director:d1"),)

    @pytest.mark.parametrize(
        ("wrong", "wait_ms"), [(1, 0), (2, 0), (3, 60_000), (4, 0), (6, 120_000), (9, 240_000), (300, 3_600_000)]
    )
    def test_each_further_lock_is_twice_as_long(self, wrong, wait_ms):
        panel = Panel(mode=AskDirector(Undo(), digits="123"), wrong_pins=wrong - 1)
        panel, _ = hear(panel, FLOOR, 0, self.AT)

        assert panel.wrong_pins == wrong
        assert max(0, panel.pin_free_ms) == wait_ms

    def test_a_right_pin_forgets_the_wrong_ones(self):
        panel = Panel(mode=AskDirector(Undo(), digits="123"), wrong_pins=2)

        assert hear(panel, FLOOR, 0, self.AT._replace(pin_is="pin")).panel.wrong_pins == 0

    def test_the_knob_ends_the_asking(self):
        assert do(self.AT, PUSH, panel=Panel(mode=AskDirector(Undo())))[0].mode == Play()


class TestWrongPinsOverAStart:
    @pytest.mark.parametrize(
        ("kept", "now_ms", "free_ms"),
        [
            (None, 5_000, -1_000_000),
            (WrongPins(2, -1_000_000), 5_000, -1_000_000),      # two wrong ones: the third locks
            (WrongPins(3, 70_000), 20_000, 70_000),             # the same power-up: 50 s are left
            (WrongPins(3, 9_000_000), 20_000, 80_000),          # another one: a whole wait, and no more
            (WrongPins(6, 9_000_000), 20_000, 140_000),         # twice as long for the sixth
            (WrongPins(3, 70_000), 90_000, 70_000),             # it is over
        ],
    )
    def test_no_start_shortens_a_wait_or_gives_another_try(self, kept, now_ms, free_ms):
        panel = remembered(Panel(), kept, now_ms)

        assert (panel.pin_free_ms, panel.wrong_pins) == (free_ms, kept.wrong if kept else 0)
        assert kept is None or wrong_pins(panel).wrong == kept.wrong
