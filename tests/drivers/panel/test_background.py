"""A display that hangs holds nobody up; what is shown at last is the newest picture."""

import logging
import threading

from drivers.background import InBackground


def test_the_newest_picture_is_shown_and_older_ones_are_forgotten():
    shown, gate, begun = [], threading.Event(), threading.Event()

    def show(picture):
        begun.set()
        gate.wait(5)
        shown.append(picture)

    background = InBackground("slow", show)
    background.show(0)
    begun.wait(5)
    for picture in range(1, 100):
        background.show(picture)
    gate.set()

    assert background.flush(5)
    assert shown == [0, 99]
    background.stop()


def test_flush_tells_when_a_display_hangs():
    gate = threading.Event()
    background = InBackground("hung", lambda: gate.wait(5))
    background.show()

    assert not background.flush(0.05)
    gate.set()
    background.stop()


def test_a_picture_that_cannot_be_drawn_does_not_end_the_thread(caplog):
    caplog.set_level(logging.CRITICAL, logger="drivers.background")
    shown = []

    def show(picture):
        if picture is None:
            raise TypeError("no picture")
        shown.append(picture)

    background = InBackground("display", show)
    background.show(None)
    background.flush(5)
    background.show(7)
    background.stop()

    assert shown == [7]
