"""What the dealer did, from levels alone: no pins, no threads, a clock that the test holds."""

import bisect
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.debounce import LOCK_NS
from drivers.knob import phases_of
from drivers.panel_reader import EDGE_NS, STUCK_NS, TOGETHER_NS, KnobLine, PanelReader
from drivers.seen import (
    ErrorKind,
    InputDown,
    InputUp,
    Key,
    KeyPressed,
    KeyReleased,
    KeysTogether,
    KnobMissed,
    KnobPushed,
    KnobTurned,
)

MS = 1_000_000


class Hand:
    """Closes and opens lines of a reader, and lets time pass with the re-readings that are due."""

    def __init__(self, levels=None):
        self.now = 0
        self.levels = dict(levels or {})
        self.reader = PanelReader(self.levels, 0)
        self.seen = []

    def set(self, line, closed):
        self.now += MS
        self.levels[line] = closed
        self.seen += [what for what, _ in self.reader.seen(line, closed, self.now)]

    def wait(self, ns):
        end = self.now + ns
        while (due := self.reader.due_ns()) is not None and due <= end:
            self.now = max(self.now, due)
            for line in self.reader.due(self.now):
                self.seen += [what for what, _ in self.reader.read(line, self.levels[line], self.now)]
            self.seen += [what for what, _ in self.reader.stuck(self.now)]
        self.now = end

    def turn(self, detents):
        for a, b in phases_of(detents):
            for line, closed in ((KnobLine.A, a), (KnobLine.B, b)):
                if self.levels.get(line, False) is not closed:
                    self.set(line, closed)


@pytest.fixture
def hand():
    return Hand()


def test_two_keys_at_once_are_two_presses_and_two_releases_and_told(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.DEAL, True)
    hand.set(Key.FOLD, False)
    hand.set(Key.DEAL, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [
        KeyPressed(Key.FOLD), KeyPressed(Key.DEAL), KeysTogether(Key.FOLD, Key.DEAL),
        KeyReleased(Key.FOLD), KeyReleased(Key.DEAL),
    ]  # fmt: skip


def test_a_second_key_while_the_first_is_held_on_purpose_is_a_press_like_any_other(hand):
    hand.set(Key.FOLD, True)
    hand.wait(TOGETHER_NS + MS)
    hand.set(Key.DEAL, True)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyPressed(Key.DEAL)]


@pytest.mark.parametrize(
    "edges",
    [
        [(KnobLine.A, True), (KnobLine.A, False), (KnobLine.B, False)],         # B's closing was not read: no detent
        [(KnobLine.A, True), (KnobLine.B, True), (KnobLine.B, False), (KnobLine.A, False), (KnobLine.A, False)],
        [(KnobLine.B, True), (KnobLine.B, True), (KnobLine.A, True), (KnobLine.A, False), (KnobLine.B, False)],
    ],
)
def test_a_knob_whose_edges_were_missed_is_told(hand, edges):
    for line, closed in edges:
        hand.set(line, closed)

    assert hand.seen == [KnobMissed()]


def test_a_knob_that_was_only_wiggled_is_not(hand):
    for line in (KnobLine.A, KnobLine.B):
        for closed in (True, False):
            hand.set(line, closed)
    hand.turn(1)

    assert hand.seen == [KnobTurned(1)]


def test_pushing_the_knob_reports_when_it_is_let_go(hand):
    hand.set(KnobLine.PUSH, True)
    assert hand.seen == []

    hand.set(KnobLine.PUSH, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [KnobPushed()]


def test_turning_the_pushed_knob_is_no_push(hand):
    hand.set(KnobLine.PUSH, True)
    hand.turn(2)
    hand.set(KnobLine.PUSH, False)
    hand.wait(LOCK_NS)
    hand.turn(-1)

    assert hand.seen == [KnobTurned(1, pushed=True), KnobTurned(1, pushed=True), KnobTurned(-1)]


def test_a_push_after_a_pushed_turn_counts_again(hand):
    hand.set(KnobLine.PUSH, True)
    hand.turn(1)
    hand.set(KnobLine.PUSH, False)
    hand.wait(LOCK_NS)
    hand.set(KnobLine.PUSH, True)
    hand.set(KnobLine.PUSH, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [KnobTurned(1, pushed=True), KnobPushed()]


def test_a_key_that_stays_down_is_reported_once_and_again_when_it_is_free(hand):
    hand.set(Key.TIME, True)
    hand.wait(3 * STUCK_NS)
    hand.set(Key.TIME, False)
    hand.wait(LOCK_NS)

    pressed, down, up, released = hand.seen
    assert (pressed, released) == (KeyPressed(Key.TIME), KeyReleased(Key.TIME))
    assert isinstance(down, InputDown)
    assert (down.source, down.kind) == ("panel time", ErrorKind.STUCK)
    assert "time" in down.hint
    assert up == InputUp("panel time")


def test_a_key_that_chatters_without_end_is_stuck_too(hand):
    hand.set(Key.UNDO, True)
    for _ in range(STUCK_NS // (10 * MS)):
        hand.set(Key.UNDO, False)
        hand.wait(4 * MS)
        hand.set(Key.UNDO, True)
        hand.wait(4 * MS)

    assert [type(what) for what in hand.seen] == [KeyPressed, InputDown]


def test_the_other_keys_work_while_one_is_stuck(hand):
    hand.set(Key.TIME, True)
    hand.wait(STUCK_NS)
    hand.set(Key.FOLD, True)

    assert hand.seen[-1] == KeyPressed(Key.FOLD)


def test_a_key_that_is_down_at_the_start_is_not_pressed():
    hand = Hand({Key.ALL_IN: True})

    hand.set(Key.ALL_IN, False)
    hand.wait(LOCK_NS)
    hand.set(Key.ALL_IN, True)

    assert hand.seen == [KeyPressed(Key.ALL_IN)]


# --- a thread that comes late


def test_a_second_tap_counts_though_nobody_has_read_the_release(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    hand.now += LOCK_NS              # and the thread that should have read the level did not run

    hand.set(Key.FOLD, True)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD), KeyPressed(Key.FOLD)]


def test_a_reading_that_comes_before_its_edge_takes_no_tap_away(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    hand.now += LOCK_NS
    pressed_ns = hand.now
    early = hand.reader.read(Key.FOLD, True, hand.now + MS // 2)

    late = hand.reader.seen(Key.FOLD, True, pressed_ns)

    assert early == []
    assert [what for what, _ in late] == [KeyReleased(Key.FOLD), KeyPressed(Key.FOLD)]


def test_a_bounce_whose_edge_comes_after_the_reading_is_nothing(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    bounced_ns = hand.now + LOCK_NS - MS
    early = hand.reader.read(Key.FOLD, True, hand.now + LOCK_NS)

    late = hand.reader.seen(Key.FOLD, True, bounced_ns)

    assert (early, late) == ([], [])
    assert hand.seen == [KeyPressed(Key.FOLD)]


def test_a_bounce_whose_edge_never_comes_is_nothing(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    hand.levels[Key.FOLD] = True     # and no edge was delivered
    hand.wait(LOCK_NS + 2 * EDGE_NS)

    hand.set(Key.FOLD, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)]


def test_a_tap_between_the_last_look_at_the_edges_and_the_reading_is_a_press(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    down_ns = hand.now + LOCK_NS + MS
    # The thread saw no edge waiting, was put to sleep, and read the line when the tap was over.
    hand.now = down_ns + 2 * MS
    hand.seen += [what for what, _ in hand.reader.read(Key.FOLD, False, hand.now)]

    hand.seen += [what for what, _ in hand.reader.seen(Key.FOLD, True, down_ns)]
    hand.seen += [what for what, _ in hand.reader.seen(Key.FOLD, False, down_ns + MS)]
    hand.wait(LOCK_NS)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)] * 2


def test_a_press_whose_edge_comes_long_after_the_reading_counts(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    down_ns = hand.now + LOCK_NS + MS
    hand.levels[Key.FOLD] = True     # the line is closed, and whoever delivers the edge does not run
    hand.wait(LOCK_NS + 4 * EDGE_NS)

    hand.seen += [what for what, _ in hand.reader.seen(Key.FOLD, True, down_ns)]
    hand.set(Key.FOLD, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)] * 2


def test_a_bounce_whose_edge_comes_long_after_the_reading_is_nothing(hand):
    hand.set(Key.FOLD, True)
    hand.set(Key.FOLD, False)
    bounced_ns = hand.now + LOCK_NS - MS
    hand.levels[Key.FOLD] = True
    hand.wait(LOCK_NS + 4 * EDGE_NS)

    hand.seen += [what for what, _ in hand.reader.seen(Key.FOLD, True, bounced_ns)]
    hand.set(Key.FOLD, False)
    hand.wait(LOCK_NS)

    assert hand.seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)]


@st.composite
def bouncy_taps(draw):
    """Edges of one key's taps, each bouncing both ways, at least a finger's gap apart; and when each tap began."""
    edges, downs, at_ns, closed = [], [], 50 * MS, False
    for _ in range(draw(st.integers(1, 3))):
        downs.append(at_ns)
        for settled in (True, False):
            bounces = sorted(draw(st.lists(st.integers(1, 20 * MS), max_size=4, unique=True)))
            if len(bounces) % 2:
                bounces.pop()
            for offset in (0, *bounces):
                closed = not closed
                edges.append((at_ns + offset, closed))
            assert closed is settled
            at_ns = edges[-1][0] + draw(st.integers(1, 90 * MS) if settled else st.integers(26 * MS, 90 * MS))
    return edges, downs


LATE_NS = st.one_of(st.just(0), st.integers(0, 200 * MS))


@given(bouncy_taps(), st.data())
def test_however_late_edges_and_readings_come_every_tap_is_one_press(case, data):
    edges, downs = case
    times = [at_ns for at_ns, _ in edges]
    lateness = (at_ns + data.draw(LATE_NS) for at_ns in times)
    deliveries = list(zip(itertools.accumulate(lateness, max), edges, strict=True))
    reader, seen, now = PanelReader({}, 0), [], 0

    while deliveries or reader.due_ns() is not None:
        due = reader.due_ns()
        if due is not None and (looked := max(due, now) + data.draw(LATE_NS)) < min(
            (delivered for delivered, _ in deliveries[:1]), default=looked + 1
        ):
            now = looked + data.draw(LATE_NS)    # no edge waited when the thread looked; then it was put to sleep
            before = bisect.bisect_right(times, now)
            level = before > 0 and edges[before - 1][1]
            for line in reader.due(now):
                seen += reader.read(line, level, now)
        else:
            delivered, (at_ns, closed) = deliveries.pop(0)
            now = max(now, delivered)
            seen += reader.seen(Key.FOLD, closed, at_ns)

    assert [what for what, _ in seen] == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)] * len(downs)
    assert [at_ns for what, at_ns in seen if isinstance(what, KeyPressed)] == downs


def test_a_turn_after_a_push_is_no_pushed_turn_though_nobody_had_read_the_release_yet(hand):
    hand.set(KnobLine.PUSH, True)
    hand.set(KnobLine.PUSH, False)
    hand.now += LOCK_NS                          # the panel's thread is late: no reading in between
    hand.turn(1)

    assert hand.seen == [KnobPushed(), KnobTurned(1)]
