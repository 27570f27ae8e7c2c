"""What every panel of keys, with its driver, must do, on whatever rig: edges of copper to presses, turns and pushes."""

import pytest

from drivers.seen import Key, KeyPressed, KeyReleased, KnobPushed, KnobTurned
from tests.heard import Heard
from tests.waiting import until


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def panel(keys, heard):
    panel = keys.open(heard)
    panel.start()
    yield panel
    panel.stop()


def test_a_press_is_one_press_and_one_release(keys, panel, heard):
    keys.finger.press(Key.FOLD)
    until(lambda: len(heard.all()) == 2)

    assert heard.all() == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)]


def test_twenty_bouncing_presses_are_twenty_presses(keys, panel, heard):
    finger = keys.finger
    for _ in range(20):
        finger.press(Key.DEAL, bounces=4)
    until(lambda: len(heard.all(KeyReleased)) == 20, timeout_s=10)

    assert heard.all() == [KeyPressed(Key.DEAL), KeyReleased(Key.DEAL)] * 20


def test_two_keys_at_once_are_both_heard(keys, panel, heard):
    finger = keys.finger
    finger.down(Key.FOLD)
    finger.down(Key.DEAL)
    finger.up(Key.DEAL)
    finger.up(Key.FOLD)
    until(lambda: len(heard.all(KeyReleased)) == 2)

    assert heard.all(KeyPressed) == [KeyPressed(Key.FOLD), KeyPressed(Key.DEAL)]


def test_the_knob_turns_both_ways_a_step_a_detent(keys, panel, heard):
    keys.finger.turn(12)
    keys.finger.turn(-5)
    until(lambda: len(heard.all(KnobTurned)) == 17)

    assert [turn.steps for turn in heard.all(KnobTurned)] == [1] * 12 + [-1] * 5


def test_the_knob_is_pushed_or_turned_pushed_never_both(keys, panel, heard):
    finger = keys.finger
    finger.turn(3, pushed=True)
    finger.push()
    until(lambda: heard.all(KnobPushed))

    assert heard.all() == [KnobTurned(1, pushed=True)] * 3 + [KnobPushed()]


def test_presses_are_stamped_in_the_order_of_their_edges(keys, panel, heard):
    finger = keys.finger
    for _ in range(5):
        finger.press(Key.FOLD)
        finger.press(Key.DEAL)
    until(lambda: len(heard.all(KeyPressed)) == 10, timeout_s=10)

    stamps = heard.stamps_ns(KeyPressed)
    assert stamps == sorted(stamps)
    assert [press.key for press in heard.all(KeyPressed)] == [Key.FOLD, Key.DEAL] * 5


def test_a_healthy_panel_is_alive(keys, panel):
    keys.finger.press(Key.FOLD)

    assert panel.alive()
