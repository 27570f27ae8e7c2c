"""From key to input: what each press means, as tables of keys and the wishes they end in."""

import msgspec
import pytest

from drivers.seen import CutCard, Key, KeyPressed, KeyReleased, KeysTogether, KnobMissed, KnobPushed, KnobTurned
from engine.inputs import (
    AllIn,
    AwardPot,
    Away,
    Bet,
    Call,
    CallFloor,
    CardDrawn,
    Check,
    ClockCall,
    Complain,
    Confiscate,
    DealError,
    DealFault,
    DeviceTrouble,
    Exposes,
    FirstCard,
    FloorDecides,
    Fold,
    GrantClock,
    HoldPlay,
    HoleCardsDealt,
    Kill,
    KillReason,
    Level,
    Motion,
    Muck,
    Penalise,
    Puts,
    RaiseTo,
    Remind,
    Sanction,
    Says,
    SetStack,
    Shuffle,
    StreetDealt,
    TableCards,
    Word,
)
from firmware_py.asking import WrongPins, remembered, typed_pin, wrong_pins
from firmware_py.lamps import lamps
from firmware_py.panel_logic import confirm_deal, hear
from firmware_py.panel_state import (
    Amount,
    AskDirector,
    Badged,
    Beep,
    Begin,
    ConfirmDeal,
    Count,
    DealerComes,
    Item,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Play,
    Pushed,
    Step,
    Told,
    Undo,
    Verify,
    Wish,
    WithoutShoe,
)
from firmware_py.setting import first_question
from tests.firmware.scenes import dealt, empty, played, scene

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
    (PREFLOP, [FLOOR, FLOOR, FLOOR, right(10), PUSH], [GrantClock()]),
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
