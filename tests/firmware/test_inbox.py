"""The inbox: everything in the order in which it was heard, bounded, and deaf to nobody."""

import sys
import threading

from drivers.seen import Key, KeyPressed
from firmware_py.inbox import CAPACITY, Arrived, Inbox, Stop
from tests.waiting import until


def test_entries_are_taken_in_the_order_in_which_they_were_heard():
    inbox = Inbox()
    for at_ms, key in enumerate(Key):
        inbox.post("panel", KeyPressed(key), at_ms)

    assert [inbox.take(0) for _ in Key] == [Arrived(at_ms, "panel", KeyPressed(key)) for at_ms, key in enumerate(Key)]
    assert inbox.take(0) is None


def test_an_entry_that_finds_no_room_is_counted_and_the_older_ones_stay():
    inbox = Inbox()
    for at_ms in range(CAPACITY):
        assert inbox.post("panel", KeyPressed(Key.FOLD), at_ms)

    assert not inbox.post("panel", KeyPressed(Key.DEAL), CAPACITY)
    assert (inbox.lost, len(inbox)) == (1, CAPACITY)
    assert inbox.take(0) == Arrived(0, "panel", KeyPressed(Key.FOLD))


def test_a_signal_at_any_point_of_take_neither_locks_the_crank_nor_is_lost():
    inbox = Inbox()
    inbox.post("panel", KeyPressed(Key.FOLD), 1)
    taken, posted, in_handler = [], [], False

    def handler(*_):
        """Posts as a signal's handler does: on the taking thread, wherever it stands."""
        nonlocal in_handler
        if not in_handler:
            in_handler = True
            posted.append(inbox.post("os", Stop("SIGTERM"), 2))
            in_handler = False

    def crank():
        sys.setprofile(handler)
        entry = inbox.take(1)
        sys.setprofile(None)
        taken.append(entry)

    threading.Thread(target=crank, daemon=True).start()
    until(lambda: taken)

    assert taken == [Arrived(1, "panel", KeyPressed(Key.FOLD))]
    assert posted
    assert len(inbox) == len(posted)
