"""What every LED clock, with its driver, must do, on whatever rig: a picture to lights, and again when they go out."""

import pytest

from drivers.dots import Frame
from drivers.led_clock import REFRESH_S, RETRY_S
from drivers.seen import InputDown, InputUp
from tests.heard import Heard


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def driver(clock, heard):
    driver = clock.driver(heard)
    yield driver
    driver.close()


def picture(clock, seed=37):
    width = 8 * clock.modules
    return Frame(width, tuple((0b10110111 * seed**row) % (1 << width) for row in range(8)))


def test_what_is_shown_is_lit_dot_for_dot(clock, driver, heard):
    for at_s, seed in enumerate((37, 41, 43)):
        driver.show(picture(clock, seed), float(at_s))
        assert clock.lit() == picture(clock, seed)

    assert heard.all() == []


@pytest.mark.needs("unplug")
def test_what_browned_out_is_lit_again_within_ten_seconds(clock, driver):
    driver.show(picture(clock), 0.0)
    clock.brown_out()
    assert clock.lit() != picture(clock)

    driver.show(picture(clock), REFRESH_S)

    assert REFRESH_S <= 10.0
    assert clock.lit() == picture(clock)


@pytest.mark.needs("unplug")
def test_an_unplug_is_told_once_and_a_replug_shows_the_newest_picture(clock, driver, heard):
    driver.show(picture(clock), 0.0)
    clock.unplug()
    for second in range(1, 4):
        driver.show(picture(clock, second), float(second))
    clock.plug()
    driver.show(picture(clock, 41), 1.0 + RETRY_S)

    assert [type(record) for record in heard.all()] == [InputDown, InputUp]
    assert clock.lit() == picture(clock, 41)


def test_a_closed_clock_is_dark(clock, heard):
    driver = clock.driver(heard)
    driver.show(picture(clock), 0.0)
    driver.close()

    assert not any(clock.lit().rows)
