"""From key to input: what each press means, as tables of keys and the wishes they end in."""

import pytest

from drivers.seen import CutCard, Key, KeyReleased, KeysTogether, KnobMissed
from engine.inputs import (
    AllIn,
    AwardPot,
    Bet,
    Call,
    CardDrawn,
    Check,
    ClockCall,
    FirstCard,
    Fold,
    HoleCardsDealt,
    Muck,
    RaiseTo,
    Remind,
    Shuffle,
    StreetDealt,
    TableCards,
)
from firmware_py.panel_logic import hear
from firmware_py.panel_state import Amount, Beep, DealerComes, Panel, Play, Told, Undo
from tests.firmware.dealer import (
    ALL_IN,
    AWARD,
    BETWEEN,
    BURN,
    CALL,
    DEAL,
    DEALER,
    DEALING,
    FLOOR,
    FLOP,
    FOLD,
    HALF_A_FLOP,
    PREFLOP,
    PUSH,
    RAISE,
    SHORT,
    SHOW,
    SHUFFLED,
    TIME,
    UNDO,
    do,
    left,
    right,
    wants,
)
from tests.firmware.scenes import dealt, scene

SEQUENCES = (
    # where, what the dealer does, what is wished
    (PREFLOP, [FOLD], [Fold(1)]),
    (PREFLOP, [CALL], [Call(1)]),
    (PREFLOP, [ALL_IN], [AllIn(1)]),
    (FLOP, [CALL], [Check(2)]),
    (PREFLOP, [RAISE, RAISE], [RaiseTo(1, 200)]),
    (FLOP, [RAISE, RAISE], [Bet(2, 100)]),
    (SHORT, [RAISE, RAISE], [RaiseTo(1, 137)]),
    (PREFLOP, [RAISE, right(), RAISE], [RaiseTo(1, 225)]),
    (PREFLOP, [RAISE, right(), right(), left(), RAISE], [RaiseTo(1, 225)]),
    (PREFLOP, [RAISE, right(pushed=True), RAISE], [RaiseTo(1, 450)]),
    (PREFLOP, [RAISE, left(), left(), RAISE], [RaiseTo(1, 200)]),
    (PREFLOP, [RAISE, PUSH, RAISE], [RaiseTo(1, 225)]),              # half of 250 above the call
    (PREFLOP, [RAISE, PUSH, PUSH, RAISE], [RaiseTo(1, 350)]),        # the pot
    (PREFLOP, [RAISE, PUSH, PUSH, PUSH, RAISE], [RaiseTo(1, 10_000)]),
    (PREFLOP, [RAISE, PUSH, PUSH, PUSH, PUSH, RAISE], [RaiseTo(1, 200)]),
    (PREFLOP, [RAISE, CALL], []),
    (PREFLOP, [RAISE, CALL, CALL], [Call(1)]),
    (PREFLOP, [RAISE, FOLD, FOLD], [Fold(1)]),
    (PREFLOP, [RAISE, UNDO], []),
    (PREFLOP, [UNDO], [Undo()]),
    (PREFLOP, [right(), FOLD], [Fold(2)]),                           # out of turn
    (PREFLOP, [right(), right(), CALL], [Check(3)]),
    (PREFLOP, [left(), ALL_IN], [AllIn(3)]),
    (PREFLOP, [right(), RAISE, RAISE], [RaiseTo(2, 200)]),
    (FLOP, [right(), RAISE, right(), RAISE], [Bet(3, 125)]),
    (PREFLOP, [right(), UNDO, FOLD], [Fold(1)]),
    (PREFLOP, [right(), PUSH, FOLD], [Fold(1)]),
    (PREFLOP, [right(), right(), right(), FOLD], [Fold(1)]),         # once round the table
    (PREFLOP, [DEAL], []),
    (PREFLOP, [TIME], [Beep(), Remind()]),
    (PREFLOP, [right(), TIME], [Beep(), ClockCall(2)]),
    (BETWEEN, [DEAL], [Shuffle()]),
    (BETWEEN, [FOLD], []),
    (BETWEEN, [TIME], []),
    (BETWEEN, [right()], []),
    (SHUFFLED, [DEAL], [FirstCard()]),
    (DEALING, [DEAL], [HoleCardsDealt()]),
    (BURN, [DEAL], [StreetDealt(("??", "??", "??"))]),
    (HALF_A_FLOP, [DEAL], [CardDrawn("??"), CardDrawn("??")]),
    (SHOW, [CALL], [TableCards(2)]),
    (SHOW, [FOLD], [Muck(2)]),
    (SHOW, [RAISE], []),
    (AWARD, [DEAL], [AwardPot((2,))]),
    (AWARD, [right(), DEAL], [AwardPot((3,))]),
    (AWARD, [PUSH, right(), PUSH, DEAL], [AwardPot((2, 3))]),
    (AWARD, [PUSH, PUSH, right(), DEAL], [AwardPot((3,))]),
    (AWARD, [PUSH, UNDO, DEAL], [AwardPot((2,))]),
    (AWARD, [UNDO], [Undo()]),
    (AWARD, [CALL], []),
    (PREFLOP, [DEALER], [DealerComes("m1")]),
    (PREFLOP, [KeyReleased(Key.FOLD), CutCard(12)], []),
)  # fmt: skip


@pytest.mark.parametrize(("at", "presses", "wished"), SEQUENCES, ids=range(len(SEQUENCES)))
def test_keys_become_what_the_dealer_wants(at, presses, wished):
    assert wants(at, *presses) == wished


class TestAnswer:
    def test_stands_when_the_key_is_let_go(self):
        told, _ = hear(Panel(), DEAL, 0, PREFLOP)
        assert told.told is Told.NOT_NOW

        assert hear(told, KeyReleased(Key.DEAL), 100, PREFLOP).panel.told is Told.NOT_NOW
        assert hear(told, CALL, 200, PREFLOP).panel.told is Told.NONE

    @pytest.mark.parametrize(
        ("what", "told"), [(KeysTogether(Key.FOLD, Key.CHECK_CALL), Told.TWO_KEYS), (KnobMissed(), Told.TOO_FAST)]
    )
    def test_a_hand_that_slipped_is_told_and_nothing_else_follows(self, what, told):
        panel, wishes = hear(Panel(mode=Amount(1, 200)), what, 0, PREFLOP)

        assert (panel.mode, panel.told, wishes) == (Amount(1, 200), told, ())


class TestKnob:
    def test_a_fast_run_takes_longer_and_longer_steps(self):
        panel, _ = do(PREFLOP, RAISE, *[right()] * 8, every_ms=20)

        assert panel.mode == Amount(1, 200 + 25 * (3 * 1 + 3 * 5 + 2 * 25))

    def test_a_slow_hand_moves_by_single_chips_however_long_it_turns(self):
        panel, _ = do(PREFLOP, RAISE, *[right()] * 8)

        assert panel.mode == Amount(1, 200 + 25 * 8)

    def test_turning_back_begins_again_with_single_chips(self):
        panel, _ = do(PREFLOP, RAISE, *[right()] * 4, left(), every_ms=20)

        assert panel.mode == Amount(1, 200 + 25 * (3 + 5 - 1))

    def test_detents_in_one_report_count_like_detents_at_one_moment(self):
        together, _ = do(PREFLOP, RAISE, right(5), every_ms=20)
        apart, _ = do(PREFLOP, RAISE, *[right()] * 5, every_ms=20)

        assert together.mode == apart.mode

    def test_an_amount_never_leaves_what_the_rules_allow(self):
        highest, _ = do(PREFLOP, RAISE, right(500), every_ms=1)
        lowest, _ = do(PREFLOP, RAISE, right(500), left(500), every_ms=1)

        assert (highest.mode.to, lowest.mode.to) == (10_000, 200)

    def test_coming_down_from_an_all_in_lands_on_whole_chips(self):
        odd = scene(dealt(stacks=(1010, 5000, 5000)))

        panel, _ = do(odd, RAISE, PUSH, PUSH, PUSH, left())

        assert panel.mode == Amount(1, 1000)


class TestWrongKeys:
    @pytest.mark.parametrize(
        ("at", "press", "told"),
        [
            (PREFLOP, DEAL, Told.NOT_NOW),
            (BETWEEN, CALL, Told.NOT_NOW),
            (AWARD, FOLD, Told.NOT_NOW),
            (scene(dealt(AllIn(1), AllIn(2), stacks=(500, 800, 400))), RAISE, Told.NO_RAISE),
        ],
    )
    def test_are_answered_and_lose_nothing(self, at, press, told):
        before, _ = hear(Panel(), KeyReleased(Key.FOLD), 0, at)

        after, wishes = hear(before, press, 1, at)

        assert (after.told, wishes, after.mode) == (told, (), before.mode)

    def test_while_an_amount_is_open_drop_it_and_say_so(self):
        panel, wishes = do(PREFLOP, RAISE, CALL)

        assert (panel.mode, panel.told, wishes) == (Play(), Told.CANCELLED, ())

    def test_the_next_press_takes_the_answer_away(self):
        panel, _ = do(BETWEEN, CALL, KeyReleased(Key.CHECK_CALL))

        assert panel.told is Told.NOT_NOW
        assert do(BETWEEN, CALL, DEAL)[0].told is Told.NONE


class TestTableGoesOn:
    def test_an_open_amount_falls_when_nobody_is_to_act_any_more(self):
        panel, _ = do(PREFLOP, RAISE)

        assert hear(panel, RAISE, 9, BETWEEN).wishes == ()

    def test_pushed_chips_fall_when_the_seat_has_acted(self):
        panel, _ = do(PREFLOP, FLOOR, left(), PUSH)
        assert wants(scene(dealt(Fold(1))), FOLD, panel=panel) == [Fold(2)]

    def test_a_chosen_seat_falls_when_its_turn_comes(self):
        panel, _ = do(PREFLOP, right())

        panel, _ = hear(panel, KeyReleased(Key.FOLD), 9, scene(dealt(Fold(1))))

        assert panel.mode == Play()

    def test_the_called_time_ends_when_the_player_has_acted(self):
        panel, _ = do(PREFLOP, TIME)
        assert panel.time_seat == 1

        panel, _ = hear(panel, KeyReleased(Key.FOLD), 9, scene(dealt(Fold(1))))

        assert panel.time_seat == 0
