"""Random hands here and in pokerkit: the same ranges, pots and stacks, but for the differences that have a name."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from engine import table as rules
from tests.engine.against_pokerkit import BOOK, Difference, Pair, play_hands

HANDS = 10_000
SEEDS = range(10)  # HANDS / len(SEEDS) hands each, as many at a time as there are cores


def test_both_allow_the_same_and_pay_the_same():
    each = HANDS // len(SEEDS)

    with ProcessPoolExecutor() as pool:
        seen = sum(pool.map(play_hands, [each] * len(SEEDS), SEEDS), Counter())

    # every blind is posted in full here; all the other differences are met
    assert set(seen) == set(Difference) - {Difference.SHORT_BLIND}


def test_a_short_big_blind_does_not_lower_the_call():
    """`Difference.SHORT_BLIND`: to us the price is 100; pokerkit takes the 70 that were posted."""
    pair = Pair(Random(1), stacks=[1000, 70, 1000, 1000])

    ours, theirs = rules.legal(pair.ours, BOOK), pair.theirs

    assert (ours.seat, ours.to_call, ours.raise_to) == (3, 100, (200, 1000))
    assert (theirs.actor_index + 1, theirs.checking_or_calling_amount) == (3, 70), str(Difference.SHORT_BLIND)
