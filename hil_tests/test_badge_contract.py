"""What every badge reader, with its driver, must do, on whatever rig."""

import pytest

from drivers.seen import BadgeRead, InputDown, InputUp
from tests.heard import Heard
from tests.waiting import until


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def reader(badge, heard):
    reader = badge.driver(heard)
    reader.start()
    until(lambda: heard.all(InputUp), timeout_s=10)
    yield reader
    reader.stop()


def read(heard):
    return [record.uid_hex for record in heard.all(BadgeRead)]


def test_a_tap_is_one_badge_however_often_the_reader_repeats_it(badge, reader, heard):
    marta, luigi = badge.badges
    badge.tap(marta)
    until(lambda: read(heard))
    badge.tap(luigi)
    until(lambda: len(read(heard)) == 2)

    assert read(heard) == [marta, luigi]


def test_a_number_has_upper_case_hex_digits_and_the_reader_s_name(badge, reader, heard):
    badge.tap(badge.badges[0])
    until(lambda: read(heard))
    seen = heard.all(BadgeRead)[0]

    assert seen.reader == "badge"
    assert seen.uid_hex == seen.uid_hex.upper()
    assert bytes.fromhex(seen.uid_hex)


def test_another_badge_ends_a_presence_at_once(badge, reader, heard):
    marta, luigi = badge.badges
    badge.hold(marta)
    until(lambda: read(heard) == [marta])
    badge.hold(luigi)
    until(lambda: read(heard) == [marta, luigi])
    badge.hold(marta)
    until(lambda: read(heard) == [marta, luigi, marta])
    badge.lift()


def test_noise_is_no_badge(badge, reader, heard):
    badge.noise(300)
    badge.tap(badge.badges[0])
    until(lambda: read(heard))

    assert read(heard) == [badge.badges[0]]


@pytest.mark.needs("unplug")
def test_an_unplug_is_seen_within_a_second_and_a_replug_comes_back_by_itself(badge, reader, heard):
    badge.unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)
    badge.plug()
    until(lambda: len(heard.all(InputUp)) == 2)
    badge.tap(badge.badges[1])
    until(lambda: read(heard))

    assert [type(record) for record in heard.all(InputUp, InputDown)] == [InputUp, InputDown, InputUp]
    assert read(heard) == [badge.badges[1]]
