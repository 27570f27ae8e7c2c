"""One event for each time a badge is laid on the reader, whatever the reader repeats. Time is an argument."""

from drivers.badge import Presence

MARTA, LUIGI = "0A00123456", "62E3086CED"


def events(*frames):
    """(badge, at_s) of each presence that these frames make."""
    presence = Presence()
    return [(badge, at_s) for badge, at_s in frames if presence.frame(badge, at_s)]


def test_one_frame_is_no_badge():
    assert events((MARTA, 0.0)) == []


def test_the_second_frame_within_300_ms_counts():
    assert events((MARTA, 0.0), (MARTA, 0.3)) == [(MARTA, 0.3)]


def test_the_second_frame_later_than_300_ms_is_a_first_one_again():
    assert events((MARTA, 0.0), (MARTA, 0.31), (MARTA, 0.4)) == [(MARTA, 0.4)]


def test_a_held_badge_is_one_presence():
    assert events(*((MARTA, tick / 10) for tick in range(600))) == [(MARTA, 0.1)]


def test_a_few_missed_frames_do_not_end_a_presence():
    assert events((MARTA, 0.0), (MARTA, 0.1), (MARTA, 1.1), (MARTA, 1.2)) == [(MARTA, 0.1)]


def test_a_second_without_a_frame_ends_it():
    assert events((MARTA, 0.0), (MARTA, 0.1), (MARTA, 1.11), (MARTA, 1.2)) == [(MARTA, 0.1), (MARTA, 1.2)]


def test_another_badge_ends_it_at_once():
    frames = [(MARTA, 0.0), (MARTA, 0.1), (LUIGI, 0.2), (LUIGI, 0.3), (MARTA, 0.4), (MARTA, 0.5)]

    assert events(*frames) == [(MARTA, 0.1), (LUIGI, 0.3), (MARTA, 0.5)]


def test_one_damaged_frame_that_looks_like_another_badge_ends_nothing():
    assert events((MARTA, 0.0), (MARTA, 0.1), (LUIGI, 0.2), (MARTA, 0.3), (MARTA, 0.4)) == [(MARTA, 0.1)]
