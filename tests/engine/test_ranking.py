"""The best five of seven, compared with an evaluator that counts another way."""

from __future__ import annotations

from random import Random

import pytest
from phevaluator import evaluate_cards

from engine.cards import BIT, DECK, parse
from engine.ranking import CLASSES, class_of, made_ranks, strength
from tests.rules.citing import article


def test_twenty_thousand_hands_rank_as_phevaluator_ranks_them():
    random = Random(7)
    hands = [random.sample(DECK, random.choice((5, 6, 7, 7, 7))) for _ in range(20_000)]

    ours_to_theirs: dict[int, int] = {}
    for hand in hands:
        theirs = evaluate_cards(*hand)
        assert ours_to_theirs.setdefault(strength(hand), theirs) == theirs, hand

    assert [ours_to_theirs[ours] for ours in sorted(ours_to_theirs)] == sorted(ours_to_theirs.values(), reverse=True)


@pytest.mark.parametrize(
    ("cards", "kind", "ranks"),
    [
        ("AhKhQhJhTh2c3d", "straight_flush", "A"),
        ("Ah2h3h4h5hKcKd", "straight_flush", "5"),
        ("9c9d9h9sAdAcAh", "four_of_a_kind", "9"),
        ("AcAdAhKsKdKc2c", "full_house", "AK"),
        ("KcKdAhAs3d3c2c", "two_pair", "AK"),
        ("2c4c6c8cTcAdAh", "flush", "T8642"),
        ("Ac2d3h4s5dKcKd", "straight", "5"),
        ("5c6d7h8s9dTcAd", "straight", "T"),
        ("7c7d7hAsKd3c2c", "three_of_a_kind", "7"),
        ("7c7dAsKdQh3c2c", "pair", "7"),
        ("Ac9d7h5s3d2c", "high_card", "A9753"),
    ],
)
def test_a_hand_has_its_name(cards, kind, ranks):
    value = strength(parse(cards))

    assert class_of(value) == kind
    assert made_ranks(value) == ranks


def test_classes_stand_in_the_order_of_the_books():
    weakest_of_class = [
        "2c3d4h5s7d", "2c2d3h4s5d", "2c2d3h3s4d", "2c2d2h3s4d", "Ac2d3h4s5d", "2c3c4c5c7c", "2c2d2h3s3d",
        "2c2d2h2s3d", "Ac2c3c4c5c",
    ]  # fmt: skip

    values = [strength(parse(cards)) for cards in weakest_of_class]

    assert values == sorted(values)
    assert [class_of(value) for value in values] == list(CLASSES)


def test_suits_never_break_a_tie():
    assert strength(parse("AsKsQdJd9h")) == strength(parse("AcKcQhJh9d"))


@pytest.mark.parametrize("wrong", ["10d", "Xx", "ah", "A", "1h"])
def test_what_is_no_card_is_refused_before_it_is_ranked(wrong):
    with pytest.raises(ValueError, match="is no card"):
        parse("As" + wrong)

    with pytest.raises(KeyError):
        strength((wrong, "As", "Ks", "Qs", "Js"))


@article("lifeclub:0", "dalvivo:0")
def test_each_card_has_a_bit_of_its_own_and_an_unknown_one_has_none():
    assert sum(BIT[card] for card in DECK) == 2**52 - 1
    assert BIT["??"] == 0
