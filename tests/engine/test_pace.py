"""How long players take: turns from the moments of events, a player's pace, and what is slow at the end of a level."""

import pytest

from engine.pace import FEWEST, LAST_MS, LONG_MS, TIMES_THE_MEDIAN, Decision, Moment, Times, decisions, slow, times
from tests.rules.citing import article

QUICK = Times(FEWEST, 4_000, 9_000)


def test_a_turn_lasts_from_the_moment_a_seat_is_to_act_to_its_act():
    hand = [Moment(0, 0), Moment(10_000, 3), Moment(14_000, 4, 3), Moment(21_000, 0, 4), Moment(30_000, 1)]

    assert decisions([*hand, Moment(31_500, 2, 1)]) == (Decision(3, 4_000), Decision(4, 7_000), Decision(1, 1_500))


def test_an_act_out_of_turn_is_no_decision_and_does_not_shorten_the_turn_it_breaks_into():
    assert decisions([Moment(0, 1), Moment(2_000, 1, 3), Moment(9_000, 2, 1)]) == (Decision(1, 9_000),)


def test_a_hand_told_again_after_an_undo_took_nobody_time():
    again = [Moment(50_000, 0), Moment(50_000, 1), Moment(50_000, 2, 1), Moment(56_000, 3, 2)]

    assert decisions([Moment(0, 1), Moment(8_000, 2, 1), *again]) == (Decision(1, 8_000), Decision(2, 6_000))


def test_a_pace_is_the_median_and_the_longest():
    assert times((3_000, 30_000, 5_000)) == Times(3, 5_000, 30_000)
    assert times(()) is None


@article("lifeclub:17.1", "y2007:levels.2", "cortile:9.6")
@pytest.mark.parametrize(
    ("took_ms", "own", "remaining_ms", "is_slow"),
    [
        (LONG_MS, QUICK, LAST_MS, True),
        (LONG_MS - 1, QUICK, LAST_MS, False),                                     # not long
        (LONG_MS, QUICK, LAST_MS + 1, False),                                     # the level has time left
        (LONG_MS, QUICK, 0, False),                                               # the last level has no end
        (LONG_MS, Times(FEWEST - 1, 4_000, 9_000), LAST_MS, False),               # nobody knows this player's pace
        (LONG_MS, None, LAST_MS, False),
        (30_000, Times(FEWEST, 10_001, 40_000), LAST_MS, False),                  # always takes that long
        (TIMES_THE_MEDIAN * 10_000, Times(FEWEST, 10_000, 40_000), 60_000, True),
    ],
)
def test_slow_is_long_in_itself_and_for_this_player_at_the_end_of_a_level(took_ms, own, remaining_ms, is_slow):
    assert slow(took_ms, own, remaining_ms) is is_slow
