"""The level clock at a table: with the hub, without it, and after a reboot."""

import struct

import pytest

from engine.inputs import Level
from engine.wire import Clock, ClockLevel
from firmware_py.level_clock import ClockFileTime, LevelClock

MINUTE = 60_000
LEVELS = (Level(25, 50, number=1), Level(50, 100, number=2), Level(100, 200, number=3))
SCHEDULE = (ClockLevel(10, LEVELS[0]), ClockLevel(10, LEVELS[1]), ClockLevel(5), ClockLevel(10, LEVELS[2]))


def anchor(rev=1, hub=1, index=0, anchor_ms=0, remain_ms=10 * MINUTE, *, running=True):
    return Clock(hub, rev, index, running, anchor_ms, remain_ms, SCHEDULE)


@pytest.fixture
def clock():
    clock = LevelClock(None, autonomous=True)
    clock.hear(anchor())
    return clock


def test_before_the_first_anchor_nothing_is_known():
    clock = LevelClock(None, autonomous=True)

    assert clock.reading(0, hub_there=True) is None
    assert clock.announced(0, hub_there=True) is None


def test_the_time_left_is_computed_from_the_anchor(clock):
    assert clock.reading(3 * MINUTE, hub_there=True).remaining_ms == 7 * MINUTE


@pytest.mark.parametrize("older", [anchor(rev=1), anchor(rev=0), anchor(hub=0, rev=9)])
def test_an_anchor_that_is_no_newer_is_ignored(clock, older):
    assert not clock.hear(older)


def test_a_new_epoch_of_the_hub_counts_whatever_its_revision(clock):
    assert clock.hear(anchor(hub=2, rev=0))


def test_an_anchor_without_a_schedule_is_ignored(clock):
    assert not clock.hear(Clock(9, 9, 0, True, 0, 0, ()))


WHEN = (
    # minutes since the anchor, is the hub there, may the table go on alone -> level that is announced
    (5, True, True, LEVELS[0]),
    (12, True, True, LEVELS[0]),       # the hub has not said so yet
    (12, False, True, LEVELS[1]),
    (12, False, False, LEVELS[0]),
    (22, False, True, LEVELS[1]),      # the break
    (27, False, True, LEVELS[2]),
    (99, False, True, LEVELS[2]),
)


@pytest.mark.parametrize(("minutes", "hub_there", "autonomous", "level"), WHEN)
def test_who_announces_a_level(minutes, hub_there, autonomous, level):
    clock = LevelClock(None, autonomous=autonomous)
    clock.hear(anchor())

    assert clock.announced(minutes * MINUTE, hub_there=hub_there) == level


def test_a_table_that_may_not_go_on_alone_stops_at_zero():
    clock = LevelClock(None, autonomous=False)
    clock.hear(anchor())

    read = clock.reading(12 * MINUTE, hub_there=False)

    assert (read.index, read.remaining_ms) == (0, 0)


def test_after_a_reboot_without_the_hub_the_stored_time_stands_still():
    before = LevelClock(None, autonomous=True)
    before.hear(anchor())
    stored = before.to_store(13 * MINUTE, hub_there=False)

    after = LevelClock(stored, autonomous=True)
    read = after.reading(None, hub_there=False)

    assert (read.index, read.remaining_ms, read.running) == (1, 7 * MINUTE, False)
    assert after.announced(None, hub_there=False) == LEVELS[0]


def test_after_a_reboot_the_hubs_time_brings_the_clock_back():
    before = LevelClock(None, autonomous=True)
    before.hear(anchor())
    after = LevelClock(before.to_store(2 * MINUTE, hub_there=True), autonomous=True)

    assert after.reading(3 * MINUTE, hub_there=True).remaining_ms == 7 * MINUTE
    assert after.rev == 1


def test_the_clock_is_stored_at_changes_and_every_fifteen_seconds(clock):
    assert clock.to_store(0, hub_there=True) is not None
    assert clock.to_store(14_000, hub_there=True) is None
    assert clock.to_store(15_000, hub_there=True) is not None
    clock.hear(anchor(rev=2, running=False))
    assert clock.to_store(15_001, hub_there=True) is not None


def test_the_face_of_a_paused_clock_does_not_move(clock):
    clock.hear(anchor(rev=2, running=False, remain_ms=4321))

    assert {clock.reading(at, hub_there=True).remaining_ms for at in (0, 9, 99 * MINUTE)} == {4321}


def test_a_conductors_file_is_read_as_it_is_written(tmp_path):
    file = tmp_path / "clock"
    file.write_bytes(struct.pack("<q", 5))
    time = ClockFileTime(file)

    with file.open("r+b") as written:
        written.write(struct.pack("<q", 123_456))

    assert time.now_ms() == 123_456
    time.close()


def test_a_table_without_its_hub_still_knows_which_chips_leave_in_a_break():
    clock = LevelClock(None, autonomous=True)
    lines = (ClockLevel(10, LEVELS[0]), ClockLevel(5, color_up=(25, 50)))
    clock.hear(Clock(1, 1, 0, True, 0, 10 * MINUTE, lines, final_table=True))

    read = clock.reading(12 * MINUTE, hub_there=False)

    assert (read.color_up, read.final_table) == ((25, 50), True)
