"""What every prompt display, with its driver, must do, on whatever rig: four lines to letters, and again when lost."""

import pytest

from drivers.charset import COLUMNS
from drivers.prompt_display import REFRESH_S, RETRY_S
from drivers.seen import InputDown, InputUp
from tests.heard import Heard

LINES = ("M27 pref piatto 1000", "Tocca 7 Chloé", "Call 400 min 1000", "però così è, già!")


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def driver(prompt, heard):
    driver = prompt.driver(heard)
    yield driver
    driver.close()


def padded(*lines):
    return [line.ljust(COLUMNS) for line in (*lines, "", "", "")][:4]


def test_four_lines_are_read_as_they_were_given_accents_and_all(prompt, driver, heard):
    driver.show(LINES)

    assert prompt.text() == padded(*LINES)
    assert heard.all() == []


def test_a_shorter_page_leaves_nothing_of_the_one_before(prompt, driver):
    driver.show(LINES)
    driver.show(["solo"])

    assert prompt.text() == padded("solo")


@pytest.mark.needs("unplug")
def test_a_controller_that_lost_its_supply_is_set_up_again_by_itself(prompt, driver):
    driver.show(LINES)
    prompt.power_cycle()
    assert prompt.text() != padded(*LINES)

    prompt.now_s += REFRESH_S
    driver.show(LINES)

    assert prompt.text() == padded(*LINES)


@pytest.mark.needs("unplug")
def test_an_unplug_is_told_once_with_what_to_do_and_a_replug_shows_the_newest_page(prompt, driver, heard):
    driver.show(LINES)
    prompt.unplug()
    for second in range(1, 4):
        prompt.now_s = float(second)
        driver.show([f"page {second}"])
    prompt.plug()
    prompt.now_s = 1.0 + RETRY_S
    driver.show(["newest"])

    assert [type(record) for record in heard.all()] == [InputDown, InputUp]
    assert "cable" in heard.all(InputDown)[0].hint
    assert prompt.text() == padded("newest")
