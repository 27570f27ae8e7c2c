"""The panel on gpiozero's mock pins: real pins' callbacks, the real thread, the real debouncer."""

import logging
import threading
import time

import pytest
from gpiozero.pins.mock import MockPin

from drivers.panel import Panel
from drivers.panel_reader import KnobLine
from drivers.pin_map import PinMap
from drivers.seen import ErrorKind, InputDown, InputUp, Key, KeyPressed, KeyReleased, KnobPushed, KnobTurned
from tests.waiting import until

LOCK_MS = 5


class Room:
    """A started panel and what it posted."""

    def __init__(self, **settings):
        self.seen, self.stamps = [], []
        self.angry = False
        self.panel = Panel(PinMap(), self._post, lock_ms=LOCK_MS, **settings)
        self.finger = self.panel.mock

    def _post(self, what, at_ns):
        if self.angry:
            raise RuntimeError("the inbox is on fire")
        self.seen.append(what)
        self.stamps.append(at_ns)

    def count(self, kind):
        return sum(isinstance(what, kind) for what in self.seen)

    def pin(self, line) -> MockPin:
        return self.panel._factory.pin(PinMap().inputs()[line])


@pytest.fixture
def room():
    room = Room()
    room.panel.start()
    yield room
    room.panel.stop()


def test_every_key_is_heard_under_its_name(room):
    for key in Key:
        room.finger.press(key)
    until(lambda: len(room.seen) == 16)

    assert [what.key for what in room.seen if isinstance(what, KeyPressed)] == list(Key)
    assert {what.key for what in room.seen if isinstance(what, KeyReleased)} == set(Key)


def test_bouncing_presses_are_heard_once_each(room):
    for _ in range(20):
        room.finger.press(Key.FOLD, bounces=5)
    until(lambda: len(room.seen) == 40)

    assert room.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)] * 20


def test_a_press_is_stamped_with_its_edge_not_with_its_hearing(room):
    before = time.monotonic_ns()
    room.finger.down(Key.DEAL)
    after = time.monotonic_ns()
    until(lambda: room.seen)

    assert before <= room.stamps[0] <= after


def test_two_keys_held_together_are_both_heard(room):
    room.finger.down(Key.UNDO)
    room.finger.down(Key.FLOOR)
    room.finger.up(Key.UNDO)
    room.finger.up(Key.FLOOR)
    until(lambda: room.count(KeyReleased) == 2)

    assert room.seen[:2] == [KeyPressed(Key.UNDO), KeyPressed(Key.FLOOR)]


def test_a_knob_spun_fast_loses_no_detent(room):
    room.finger.turn(1000)
    room.finger.turn(-400)
    until(lambda: room.count(KnobTurned) == 1400)

    assert sum(what.steps for what in room.seen) == 600


def test_more_edges_than_the_queue_holds_still_end_at_the_truth():
    room = Room()
    room.panel._try_open()                      # pins are open, the thread does not take edges yet
    room.finger.turn(5000)
    room.finger.down(Key.ALL_IN)
    room.panel._thread.start()
    until(lambda: room.count(KeyPressed))
    room.panel.stop()

    assert KeyPressed(Key.ALL_IN) in room.seen


def test_the_knob_pushed_turned_and_pushed_again(room):
    room.finger.turn(3, pushed=True)
    room.finger.push()
    until(lambda: len(room.seen) == 4)

    assert room.seen == [KnobTurned(1, pushed=True)] * 3 + [KnobPushed()]


def test_a_turn_right_after_a_push_is_a_turn(room):
    for _ in range(10):
        room.finger.push()
        room.finger.turn(1)
    until(lambda: len(room.seen) == 20)

    assert room.seen == [KnobPushed(), KnobTurned(1)] * 10


def test_lamps_show_exactly_the_keys_that_are_lit(room):
    room.panel.light({Key.FOLD, Key.CHECK_CALL})
    until(lambda: room.finger.lit() == {Key.FOLD, Key.CHECK_CALL})

    room.panel.light({Key.DEAL})
    until(lambda: room.finger.lit() == {Key.DEAL})


def test_a_heard_key_s_lamp_blinks_whether_it_was_lit_or_not(room):
    room.panel.light({Key.FOLD})
    until(lambda: room.finger.lit() == {Key.FOLD})

    room.panel.blink(Key.FOLD)
    room.panel.blink(Key.DEAL)
    until(lambda: room.finger.lit() == {Key.DEAL})
    until(lambda: room.finger.lit() == {Key.FOLD})


def test_the_buzzer_sounds_and_falls_silent(room):
    room.panel.buzz(30)
    until(room.finger.buzzing)
    until(lambda: not room.finger.buzzing())


def test_an_exception_in_the_receiver_kills_nothing(room, caplog):
    caplog.set_level(logging.CRITICAL, logger="drivers.panel")
    room.angry = True
    for key in Key:
        room.finger.press(key)
    room.finger.turn(5)
    room.finger.press(Key.FOLD)
    room.angry = False

    room.finger.press(Key.DEAL)
    until(lambda: KeyPressed(Key.DEAL) in room.seen)
    assert room.panel.alive()


def test_a_stuck_key_is_reported_with_what_to_do():
    room = Room(stuck_s=0.05)
    room.panel.start()
    room.finger.down(Key.TIME)
    until(lambda: room.count(InputDown))
    room.finger.up(Key.TIME)
    until(lambda: room.count(InputUp))
    room.panel.stop()

    down = next(what for what in room.seen if isinstance(what, InputDown))
    assert (down.source, down.kind) == ("panel time", ErrorKind.STUCK)
    assert "free it" in down.hint


def test_keys_go_on_working_when_edges_are_no_longer_delivered(room):
    for line in (*Key, *KnobLine):
        room.pin(line).when_changed = None      # as if the back end's dispatcher had died

    room.finger.down(Key.FOLD)
    until(lambda: KeyPressed(Key.FOLD) in room.seen)
    room.finger.up(Key.FOLD)
    until(lambda: KeyReleased(Key.FOLD) in room.seen)

    down = room.seen[0]
    assert (down.source, down.kind) == ("panel", ErrorKind.SILENT)
    assert "restart" in down.hint
    assert not room.panel.alive()


def test_an_edge_that_arrives_again_ends_the_alarm(room):
    callback = room.pin(Key.FOLD).when_changed
    room.pin(Key.FOLD).when_changed = None
    room.finger.down(Key.FOLD)
    until(lambda: room.count(InputDown))
    room.pin(Key.FOLD).when_changed = callback
    room.finger.up(Key.FOLD)
    until(lambda: room.count(InputUp))

    assert room.panel.alive()


def test_pins_that_somebody_else_holds_are_reported_not_raised():
    first = Room()
    first.panel.start()
    second = Room()
    second.panel._factory = first.panel._factory
    second.panel.start()
    second.panel.stop()
    first.panel.stop()

    assert [what.kind for what in second.seen] == [ErrorKind.BUSY]


def test_a_stopped_panel_leaves_no_thread():
    room = Room()
    room.panel.start()
    room.panel.stop()

    assert not room.panel.alive()
    assert "panel" not in {thread.name for thread in threading.enumerate() if thread is room.panel._thread}
