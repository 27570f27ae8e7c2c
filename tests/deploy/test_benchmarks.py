"""The table that `make bench` prints: what a missed figure looks like, and that the engine's rows can be measured."""

import pytest

from benchmarks import engine_bench
from benchmarks.__main__ import cells, figure, table
from benchmarks.row import Row, per_second_of_each, percentile
from engine.table import view


def test_a_figure_that_is_missed_says_so():
    assert cells(Row("press", 7.0, "ms", limit=5.0))[-1] == "MISSED"
    assert cells(Row("press", 4.0, "ms", limit=5.0, note="300 presses"))[-1] == "300 presses"
    assert cells(Row("hands", 400.0, "hands/s", limit=500.0, better="more"))[-1] == "MISSED"


def test_columns_are_aligned():
    lines = table([Row("a", 1.0, "ms"), Row("a longer name", 12_345.0, "hands/s", "peer", 2.0)]).splitlines()

    assert len({line.index(unit) for line, unit in zip(lines[1:], ("ms", "hands/s"), strict=True)}) == 1


@pytest.mark.parametrize(("value", "shown"), [(None, ""), (0.01234, "0.0123"), (9.87, "9.87"), (123_456.7, "123,457")])
def test_three_digits_count(value, shown):
    assert figure(value) == shown


def test_a_percentile_is_a_measured_value():
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([5.0, 1.0, 3.0], 0.99) == 5.0


def test_of_two_works_the_one_that_does_less_is_the_faster():
    def work(size):
        sum(range(size))
        return 1

    little, much = per_second_of_each(lambda: work(20_000), lambda: work(400_000), runs=3)

    assert little > 2 * much > 0


def test_the_benchmarks_hand_is_played_to_its_end_without_a_refusal():
    before = engine_bench.our_table()
    after = engine_bench.our_hand(before)

    stacks = {seat.seat: seat.stack for seat in view(after, engine_bench.BOOK).seats}
    assert sum(stacks.values()) == engine_bench.SEATS * engine_bench.STACK
    assert stacks[2] == engine_bench.STACK - 50           # the small blind folded
    assert {stacks[3], stacks[4]} == {engine_bench.STACK - 100, engine_bench.STACK + 150}
