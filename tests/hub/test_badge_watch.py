"""One badge at two tables within a minute, or a revoked one: a person must look."""

import pytest

from hub.badge_watch import SHOWN_MS, BadgeWatch, Tap
from hub.picture import Alarm

MARTA, LUIGI = "aaaaaa0000000000", "bbbbbb0000000000"


def alarms(*taps, revoked=()):
    """What each of these (badge, table, at_s) raises."""
    watch = BadgeWatch(revoked)
    return [watch.tapped(Tap(badge, table_no, at_s * 1000)) for badge, table_no, at_s in taps]


@pytest.mark.parametrize(
    ("taps", "raises"),
    [
        ([(MARTA, 1, 0), (MARTA, 2, 60)], True),
        ([(MARTA, 1, 0), (MARTA, 2, 61)], False),
        ([(MARTA, 1, 0), (MARTA, 1, 5)], False),
        ([(MARTA, 1, 0), (LUIGI, 2, 5)], False),
        ([(MARTA, 1, 100), (MARTA, 2, 50)], True),       # the news of table 2 came late
        ([(MARTA, 1, 0), (MARTA, 1, 100), (MARTA, 2, 30)], False),
        ([(MARTA, 1, 0), (MARTA, 2, 100), (MARTA, 1, 130)], True),
    ],
)
def test_two_tables_within_a_minute(taps, raises):
    assert bool(alarms(*taps)[-1]) is raises


def test_an_alarm_names_the_tables_and_no_more_of_the_badge_than_its_beginning():
    assert alarms((MARTA, 7, 0), (MARTA, 2, 5))[-1] == Alarm("twice", 2, (2, 7), name="aaaaaa")


def test_a_revoked_badge_is_an_alarm_at_any_table():
    assert alarms((MARTA, 3, 0), revoked=(MARTA,)) == [Alarm("revoked", 3, name="aaaaaa")]


def test_an_alarm_is_shown_for_ten_minutes():
    watch = BadgeWatch((MARTA,))
    watch.tapped(Tap(MARTA, 3, 1_000))

    assert len(watch.alarms(1_000 + SHOWN_MS)) == 1
    assert watch.alarms(1_001 + SHOWN_MS) == []
