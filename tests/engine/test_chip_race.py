"""The chip race beside its hand scripts: what the total owes to it, what it refuses, and when chips can leave."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chip_race, rulebook, table
from engine.cards import DECK
from engine.inputs import FirstCard, NextHand, RaceChips
from tests.engine.tables import Game
from tests.rules.citing import article

SEQUENTIAL = ("sequential_from_last_sb", "first_received")
TDA = ("tda", "suit")


def raced(stacks: dict[int, int], procedure: tuple[str, str], seed: int, small_blind: int = 1) -> chip_race.Outcome:
    """A race from 25 to 100 with cards dealt at random."""
    race = chip_race.begin(stacks, 25, 100, small_blind, *procedure)
    chance = random.Random(seed)
    while seats := chip_race.due(race):
        race = chip_race.deal(race, list(zip(seats, chance.sample(DECK, len(seats)), strict=True)))
    return chip_race.outcome(race)


@given(
    st.dictionaries(st.integers(1, 11), st.integers(1, 400).map(lambda chips: chips * 25), min_size=1, max_size=11),
    st.sampled_from([SEQUENTIAL, TDA]),
    st.integers(0, 2**32),
)
def test_the_total_is_explained_and_nobody_is_raced_out(
    stacks: dict[int, int], procedure: tuple[str, str], seed: int
) -> None:
    after = raced(stacks, procedure, seed)

    assert sum(after.stacks.values()) == sum(stacks.values()) - after.removed + after.added
    assert after.added == 100 * len(after.saved)
    assert after.removed < 100
    assert min(after.stacks.values()) >= 100
    assert all(stack % 100 == 0 for stack in after.stacks.values())
    assert len(set(after.won)) == len(after.won)
    assert all(-100 < after.stacks[seat] - stack < 100 for seat, stack in stacks.items())


@article("tda:24-A", "tda:24-C")
def test_whether_a_single_chip_comes_out_of_the_race_or_on_top_is_recorded() -> None:
    race = chip_race.begin({1: 100, 2: 400}, 100, 500, 1, *TDA)
    for winner, loser in ((1, 2), (2, 1)):
        cards = [(1, "Ah" if winner == 1 else "2h"), (2, "Kd"), (2, "9d"), (2, "8d"), (2, "7d")]
        after = chip_race.outcome(chip_race.deal(race, cards))

        assert after.won == (winner,)
        assert after.saved == (loser,)
        assert (after.stacks, after.removed, after.added) == ({1: 500, 2: 500}, 0, 500)


@pytest.mark.parametrize(
    ("rest", "prizes", "removed", "added"),
    [("removed", 2, 50, 0), ("half_rounds_up", 3, 0, 50), ("over_half_rounds_up", 2, 50, 0)],
)
def test_the_last_half_chip_leaves_or_is_rounded_up_and_both_are_told(
    rest: chip_race.Rest, prizes: int, removed: int, added: int
) -> None:
    stacks = {1: 1075, 2: 1050, 3: 1025, 4: 1075, 5: 1025}
    race = chip_race.begin(stacks, 25, 100, 1, *TDA, rest)
    after = chip_race.outcome(chip_race.deal(race, list(zip(chip_race.due(race), DECK, strict=False))))

    assert chip_race.to_win(race) == prizes
    assert (after.removed, after.added) == (removed, added)
    assert sum(after.stacks.values()) == sum(stacks.values()) - removed + added


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ([(2, "9c"), (3, "8c")], "the cards go to seats 1 2 3, not to seats 2 3"),
        ([(2, "9c"), (3, "8c"), (1, "7c")], "the cards go to seats 1 2 3, not to seats 2 3 1"),
        ([(1, "9c"), (2, "9c"), (3, "7c")], "the same card was dealt twice"),
        ([(1, "9c"), (2, "??"), (3, "7c")], r"\?\? decides nothing"),
    ],
)
def test_cards_that_are_not_those_of_the_race_are_told(cards: list[tuple[int, str]], said: str) -> None:
    race = chip_race.begin({1: 75, 2: 75, 3: 75}, 25, 100, 1, *SEQUENTIAL)

    with pytest.raises(ValueError, match=said):
        chip_race.deal(race, cards)
    with pytest.raises(ValueError, match="not over: 2 chips of 100"):
        chip_race.outcome(race)


@pytest.mark.parametrize(
    ("stacks", "old", "new", "said"),
    [
        ({1: 100}, 100, 100, "chips of 100 cannot be changed for chips of 100"),
        ({1: 100}, 25, 60, "chips of 25 cannot be changed for chips of 60"),
        ({1: 110}, 25, 100, "seat 1 has 110: that is no sum of chips of 25"),
    ],
)
def test_chips_that_cannot_be_changed_are_refused(stacks: dict[int, int], old: int, new: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        chip_race.begin(stacks, old, new, 1, *SEQUENTIAL)


class TestAtTheTable:
    def test_the_smallest_chip_and_the_stacks_change_between_hands(self) -> None:
        game = Game(rulebook.load("lifeclub"), {1: 1075, 2: 1075, 3: 1050}, 1, chip=25)

        ruling = game.do(RaceChips(25, 100, (((2, "9c"), (3, "Kd"), (1, "Ks")), ((1, "2c"), (2, "3c"))), 2))

        assert ruling.outcome == "ok"
        assert ruling.articles[:1] == ("lifeclub:17.2",)
        assert game.state.stacks[1:4] == (1000, 1100, 1100)
        assert (game.state.chip, game.state.chips) == (100, 3200)

    def test_a_race_waits_for_the_hand_and_for_its_last_chip(self) -> None:
        game = Game(rulebook.load("lifeclub"), {1: 1075, 2: 1075, 3: 1050}, 1, chip=25)

        assert game.do(RaceChips(25, 100)).refusal == "too_early"
        assert game.ruling.amount == 2
        assert game.do(RaceChips(25, 100, (((1, "9c"),),))).refusal == "not_in_catalogue"
        assert game.do(RaceChips(25, 60)).refusal == "not_in_catalogue"
        game.do(FirstCard())
        assert game.do(RaceChips(25, 100)).refusal == "too_early"
        assert game.do(NextHand()).refusal == "too_early"
        assert table.view(game.state, game.book).total == 3200


SHEET = (
    (25, 50), (50, 100), (75, 150), (100, 200, 200), (150, 300, 300), (200, 400, 400), (300, 600, 600),
    (400, 800, 800), (500, 1_000, 1_000), (600, 1_200, 1_200), (800, 1_600, 1_600), (1_000, 2_000, 2_000),
    (1_500, 3_000, 3_000), (2_000, 4_000, 4_000), (3_000, 6_000, 6_000), (4_000, 8_000, 8_000), (5_000, 10_000, 10_000),
)  # fmt: skip
"""Blinds 25/50 to 5,000/10,000, with a big blind ante from level 4."""


def test_a_chip_leaves_before_the_first_level_that_never_needs_it_again() -> None:
    leaves = chip_race.colour_ups(SHEET, (25, 100, 500, 1_000, 5_000))

    assert {chip: level + 1 for chip, level in leaves.items()} == {25: 6, 100: 12, 500: 14, 1_000: 17}


def test_a_chip_that_the_last_level_needs_stays() -> None:
    assert chip_race.colour_ups(((25, 50), (75, 150)), (25, 100)) == {}
