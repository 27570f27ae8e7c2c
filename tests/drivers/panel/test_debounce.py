"""The debouncer against every way a contact can bounce: one press is one press."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.debounce import LOCK_NS, Change, Phase, at_start, due_ns, seen

MS = 1_000_000
LONGEST_BOUNCE_MS = 20
SHORTEST_GAP_MS = 26       # between two taps: longer than the lock


def run(edges, *, first=False):
    """Tells the edges, re-reading when it is due, as the panel's thread does; returns the changes and their times."""
    contact, level, changes = at_start(first, 0), first, []

    def tell(closed, at_ns):
        nonlocal contact
        contact, change = seen(contact, closed, at_ns)
        if change is not None:
            changes.append((change, at_ns))

    for closed, at_ns in [*edges, (None, 10**15)]:
        while (due := due_ns(contact)) is not None and due <= at_ns:
            tell(level, due)
        if closed is not None:
            level = closed
            tell(closed, at_ns)
    return changes, contact


def bounce(draw, towards, at_ns):
    """Edges of a contact that settles at `towards` within LONGEST_BOUNCE_MS."""
    times = sorted(draw(st.lists(st.integers(0, LONGEST_BOUNCE_MS * MS), max_size=8, unique=True)))
    edges, level = [(towards, at_ns)], towards
    for offset in times:
        level = not level
        edges.append((level, at_ns + 1 + offset))
    if level is not towards:
        edges.append((towards, edges[-1][1] + 1))
    return edges


@st.composite
def taps(draw):
    """Taps of any length, each bouncing on both ways, at least a finger's gap apart."""
    edges, downs, at_ns = [], [], 50 * MS
    for _ in range(draw(st.integers(1, 6))):
        downs.append(at_ns)
        edges += bounce(draw, True, at_ns)
        at_ns = edges[-1][1] + draw(st.integers(1, 200 * MS))
        edges += bounce(draw, False, at_ns)
        at_ns = edges[-1][1] + draw(st.integers(SHORTEST_GAP_MS * MS, 300 * MS))
    return edges, downs


@given(taps())
def test_every_bouncy_tap_is_one_press_at_its_first_edge_and_one_release(case):
    edges, downs = case

    changes, contact = run(edges)

    assert [at_ns for change, at_ns in changes if change is Change.PRESS] == downs
    assert [change for change, _ in changes] == [Change.PRESS, Change.RELEASE] * len(downs)
    assert contact.phase is Phase.OPEN


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40 * MS)), max_size=60))
def test_whatever_the_line_does_presses_and_releases_alternate_and_end_at_the_truth(noise):
    at_ns, edges = 0, []
    for closed, after in noise:
        at_ns += after
        edges.append((closed, at_ns))

    changes, contact = run(edges)

    assert all(change is (Change.PRESS, Change.RELEASE)[i % 2] for i, (change, _) in enumerate(changes))
    assert contact.closed is (edges[-1][0] if edges else False)
    assert bool(len(changes) % 2) is contact.closed


@given(st.lists(st.integers(1, LOCK_NS - 1), min_size=1, max_size=10))
def test_a_table_that_is_hit_while_the_key_is_held_invents_nothing(openings):
    edges, at_ns = [(True, 0)], 100 * MS
    for opening in openings:
        edges += [(False, at_ns), (True, at_ns + opening)]
        at_ns += opening + 1
    edges.append((False, at_ns + MS))

    changes, _ = run(edges)

    assert [change for change, _ in changes] == [Change.PRESS, Change.RELEASE]


def test_a_tap_shorter_than_the_lock_is_a_press_and_a_release():
    changes, _ = run([(True, 0), (False, 2 * MS)])

    assert changes == [(Change.PRESS, 0), (Change.RELEASE, 2 * MS + LOCK_NS)]


def test_a_closing_edge_that_was_lost_in_the_lock_is_found_by_reading_again():
    contact, _ = seen(at_start(False, 0), True, 0)
    contact, _ = seen(contact, False, 5 * MS)

    contact, change = seen(contact, True, due_ns(contact))

    assert change is None
    assert contact.phase is Phase.CLOSED


def test_a_late_edge_older_than_a_reading_is_ignored():
    contact, _ = seen(at_start(False, 0), True, 0)
    contact, _ = seen(contact, False, 1 * MS)
    contact, released = seen(contact, False, due_ns(contact))

    contact, change = seen(contact, True, contact.seen_ns - 1)

    assert released is Change.RELEASE
    assert change is None


def test_a_key_that_lay_down_at_the_start_is_neither_pressed_nor_released():
    changes, contact = run([(False, 9 * MS), (True, 10 * MS), (False, 11 * MS)], first=True)

    assert changes == []
    assert contact.phase is Phase.OPEN
