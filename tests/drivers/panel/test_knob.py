"""The knob: a click of the hand is one step, whatever the contacts do on the way."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.knob import QUARTERS, Rotation, phases_of, turned


def steps_of(phases):
    rotation, found = Rotation(), []
    for a, b in phases:
        rotation, detents = turned(rotation, a, b)
        if detents:
            found.append(detents)
    return found


@given(st.integers(-200, 200))
def test_every_detent_is_one_step_in_its_direction(detents):
    found = steps_of(phases_of(detents))

    assert found == [1 if detents > 0 else -1] * abs(detents)


@given(st.integers(-20, 20), st.lists(st.integers(0, 4 * 20 - 1), max_size=30))
def test_a_bouncing_contact_counts_nothing(detents, bouncing):
    clean = [(False, False), *phases_of(detents)]
    phases = []
    for i, phase in enumerate(clean):
        phases.append(phase)
        if i in bouncing and i + 1 < len(clean):
            phases += [clean[i + 1], phase] * 3

    assert sum(steps_of(phases)) == detents


@given(st.integers(1, 30), st.integers(0, QUARTERS - 2))
def test_one_edge_lost_in_a_detent_costs_nothing(detents, lost):
    phases = [phase for i, phase in enumerate(phases_of(detents)) if i % QUARTERS != lost]

    assert steps_of(phases) == [1] * detents


def test_a_knob_wiggled_between_two_detents_turns_nothing():
    forth = phases_of(1)[:2]

    assert steps_of([*forth, forth[0], (False, False)] * 5) == []


def test_a_rest_that_was_missed_is_made_up_for_at_the_next():
    phases = phases_of(2)
    del phases[QUARTERS - 1]

    assert sum(steps_of(phases)) == 2
