"""The level clock: a reading follows from the anchor and the moment, and from nothing else."""

from __future__ import annotations

import msgspec
import pytest

from engine import clock
from engine.inputs import Level
from engine.wire import Clock, ClockLevel
from tests.rules.citing import article

ONE, TWO, THREE = Level(25, 50, number=1), Level(50, 100, number=2), Level(100, 200, 0, 200, number=3)
SCHEDULE = (ClockLevel(10, ONE), ClockLevel(10, TWO), ClockLevel(5), ClockLevel(10, THREE))
MIN = clock.MINUTE_MS
RUNNING = Clock(hub=1, rev=1, index=0, running=True, anchor_ms=1_000, remain_ms=10 * MIN, schedule=SCHEDULE)


@pytest.mark.parametrize(
    ("minute", "index", "level", "remaining", "on_break", "next_level", "next_break"),
    [
        (0.0,  0, ONE,   10.0, False, TWO,   20.0),
        (9.5,  0, ONE,    0.5, False, TWO,   10.5),
        (10.0, 1, TWO,   10.0, False, THREE, 10.0),     # the next line begins at the very moment
        (20.0, 2, TWO,    5.0, True,  THREE, None),     # a break has neither blinds nor a number
        (24.0, 2, TWO,    1.0, True,  THREE, None),
        (25.0, 3, THREE, 10.0, False, None,  None),
        (99.0, 3, THREE,  0.0, False, None,  None),     # the last line goes on
    ],
)  # fmt: skip
def test_a_running_clock_goes_through_its_schedule(
    minute: float, index: int, level: Level, remaining: float, on_break: bool,
    next_level: Level | None, next_break: float | None,
) -> None:  # fmt: skip
    said = clock.reading(RUNNING, 1_000 + round(minute * MIN))

    assert (said.index, said.level, said.on_break, said.next_level) == (index, level, on_break, next_level)
    assert said.remaining_ms == round(remaining * MIN)
    assert said.next_break_ms == (None if next_break is None else round(next_break * MIN))
    assert said.over == (minute == 99.0)


def test_a_paused_clock_stands() -> None:
    paused = msgspec.structs.replace(RUNNING, running=False, remain_ms=432_400)

    assert clock.reading(paused, 10**9).remaining_ms == 432_400
    assert not clock.reading(paused, 10**9).running


def test_looking_late_takes_nothing_from_the_next_level() -> None:
    late = clock.reading(RUNNING, 1_000 + 10 * MIN + 35_000)

    assert late.remaining_ms == 10 * MIN - 35_000


@article("fipos:11.b", "fipos:5", "lifeclub:5.4", "dalvivo:4.4")
def test_a_level_is_as_long_as_published_and_a_stop_is_no_part_of_it() -> None:
    stopped = msgspec.structs.replace(
        RUNNING, running=False, anchor_ms=RUNNING.anchor_ms + 6 * MIN + MIN // 2, remain_ms=3 * MIN + MIN // 2
    )
    again = msgspec.structs.replace(stopped, running=True, anchor_ms=RUNNING.anchor_ms + 9 * MIN)
    end_ms = RUNNING.anchor_ms + 12 * MIN + MIN // 2

    assert clock.reading(RUNNING, stopped.anchor_ms).remaining_ms == stopped.remain_ms
    assert clock.reading(stopped, again.anchor_ms).remaining_ms == stopped.remain_ms
    assert clock.reading(again, end_ms - 1).index == 0
    assert clock.reading(again, end_ms).index == 1


@article("tda:RP-8-B", "tda:RP-8-C", "tda:RP-8-D")
@pytest.mark.parametrize(
    ("hands", "hand_s", "index", "remaining"),
    [(1, 120, 0, 8), (4, 120, 0, 2), (5, 120, 1, 10), (2, 600, 0, 4), (0, 120, 0, 10), (12, 120, 2, 1)],
)
def test_hand_for_hand_each_hand_takes_two_minutes_off_and_never_more_than_three(
    hands: int, hand_s: int, index: int, remaining: int
) -> None:
    after = clock.hand_by_hand(msgspec.structs.replace(RUNNING, running=False), hands, hand_s)

    assert (after.index, after.remain_ms) == (index, remaining * MIN)
    assert (after.running, after.rev) == (False, RUNNING.rev + 1)


def test_an_empty_schedule_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one level"):
        clock.reading(msgspec.structs.replace(RUNNING, schedule=()), 0)


def test_a_break_says_which_chips_leave_in_it_and_the_room_s_state_goes_with_every_reading() -> None:
    lines = (ClockLevel(10, Level(25, 50)), ClockLevel(5, color_up=(25,)), ClockLevel(10, Level(100, 200)))
    of = Clock(1, 1, 0, True, 0, 10 * 60_000, lines, hand_for_hand=True, final_table=True)

    read = [clock.reading(of, minutes * 60_000) for minutes in (1, 11, 16)]

    assert [each.color_up for each in read] == [(), (25,), ()]
    assert all(each.hand_for_hand and each.final_table for each in read)
