"""The questions of a first start without a hub."""

from engine.inputs import Level
from firmware_py.panel_state import Begin, Panel, Play, Step, Told
from firmware_py.setting import first_question
from tests.firmware.dealer import DEAL, PUSH, UNDO, do, left, right
from tests.firmware.scenes import empty


class TestFirstStart:
    AT = empty()

    def test_five_answers_and_two_seats_make_a_table(self):
        asked = Panel(mode=first_question(self.AT))
        answers = [
            right(), DEAL,                    # tda
            right(), DEAL,                    # small blind 50
            DEAL, DEAL,                       # big blind 100, no ante
            left(2), DEAL,                    # stack
            PUSH, right(2), PUSH, DEAL,       # seats 1 and 3
            right(), DEAL,                    # button at 3
        ]  # fmt: skip

        panel, wishes = do(self.AT, *answers, panel=asked)

        level = Level(50, 100, 0, number=1)
        assert [wish.want for wish in wishes] == [Begin("tda", level, {1: 9950, 3: 9950}, 3)]
        assert panel.mode == Play()

    def test_undo_goes_back_a_question(self):
        panel, _ = do(self.AT, DEAL, DEAL, UNDO, panel=Panel(mode=first_question(self.AT)))

        assert panel.mode.step is Step.SMALL_BLIND

    def test_one_player_is_no_table(self):
        asked = Panel(mode=first_question(self.AT))

        panel, wishes = do(self.AT, *[DEAL] * 5, PUSH, DEAL, panel=asked)

        assert (panel.mode.step, panel.told, wishes) == (Step.SEATS, Told.NO_SEAT, ())

    def test_a_unit_that_waits_for_its_hub_can_be_set_up_by_hand(self):
        assert do(self.AT, DEAL)[0].mode == first_question(self.AT)
