"""Players who walk away, acts out of turn, and what the invariants would catch."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import table
from engine.inputs import Away, Back, FloorDecides
from tests.engine.tables import BOOKS, LIFECLUB, TDA, Game

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
FOUR = {1: 1000, 2: 1000, 3: 1000, 4: 1000}


def test_who_walks_away_during_a_hand_has_a_dead_hand_at_once_by_one_book_and_at_the_turn_by_the_other():
    for book, dead_at_once in ((LIFECLUB, True), (TDA, False)):
        game = Game(book, FOUR, button=1).deal()
        game.play("4 call")

        ruling = game.do(Away(2))
        gone = game.state.hand.killed >> 2 & 1
        game.play("1 call")

        assert bool(gone) is dead_at_once
        assert game.state.hand.killed >> 2 & 1
        assert game.to_act == 3
        assert (ruling if dead_at_once else game.ruling).articles == book.cite("leaves_in_hand")


def test_who_is_back_before_the_turn_plays_on():
    game = Game(TDA, FOUR, button=1).deal()

    game.do(Away(2), Back(2))
    game.play("4 call, 1 call")

    assert game.to_act == 2


@pytest.mark.parametrize(
    ("book", "held", "between", "stands"),
    [
        (LIFECLUB, "2 raise_to 600", "4 fold, 1 fold", True),
        (LIFECLUB, "2 raise_to 600", "4 call, 1 fold", False),       # 10.5: an intervening call releases
        (TDA, "2 raise_to 600", "4 call, 1 fold", True),             # 53: a call does not change the action
        (TDA, "2 call", "4 raise_to 300, 1 fold", False),
        (LIFECLUB, "2 call", "4 fold, 1 fold", True),
        (LIFECLUB, "2 fold", "4 raise_to 300, 1 fold", True),        # a fold always stands
        (TDA, "2 fold", "4 raise_to 300, 1 fold", True),
    ],
)
def test_an_act_out_of_turn_is_decided_when_the_turn_comes(book, held, between, stands):
    game = Game(book, FOUR, button=1).deal()

    assert game.play(held).outcome == "out_of_turn"
    game.play(between)

    assert game.ruling.articles[0] == book.cite("oot_binding")[0]
    assert (game.to_act == 3) is stands


def test_a_call_out_of_turn_never_becomes_a_raise_by_one_book_only():
    for book, may_raise in ((LIFECLUB, False), (TDA, True)):
        game = Game(book, FOUR, button=1).deal()
        game.play("2 call, 4 raise_to 300, 1 fold")

        assert (game.raise_to is not None) is may_raise
        assert (game.play("2 raise_to 900").refusal == "lost_raise_right") is not may_raise


@BOTH
@pytest.mark.parametrize(("word", "to_act"), [("binds", 3), ("releases", 2)])
def test_the_director_may_bind_or_release_an_act_out_of_turn(book, word, to_act):
    game = Game(book, FOUR, button=1).deal()
    game.play("2 raise_to 600")

    game.do(FloorDecides(word, seats=(2,)))
    game.play("4 raise_to 200, 1 fold" if word == "binds" else "4 fold, 1 fold")

    assert game.to_act == to_act
    assert game.do(FloorDecides(word, seats=(2,))).refusal == "too_late"


@BOTH
def test_the_second_word_out_of_turn_does_not_replace_the_first_unless_it_is_a_fold(book):
    game = Game(book, FOUR, button=1).deal()

    game.play("2 call, 2 raise_to 600")
    first = game.state.hand.held[0].what
    game.play("2 fold")

    assert first == "call"
    assert game.state.hand.held[0].what == "fold"


def _lost_chip(state):
    return replace(state, stacks=(*state.stacks[:-1], state.stacks[-1] + 1))


def _same_card_twice(state):
    hand = state.hand
    return replace(state, hand=replace(hand, burns=("As",)))


def _forgotten_card(state):
    return replace(state, hand=replace(state.hand, seen=state.hand.seen | 1))


def _nobody_owes(state):
    return replace(state, hand=replace(state.hand, owing=0))


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (_lost_chip, "4001 chips where there must be 4000"),
        (_same_card_twice, "a card is in two places"),
        (_forgotten_card, "a card was lost"),
        (_nobody_owes, "is to act and owes nothing"),
    ],
)
def test_the_invariants_catch_what_must_not_be(harm, says):
    game = Game(TDA, FOUR, button=1).deal(s2="AsAh")

    with pytest.raises(AssertionError, match=says):
        table.check(harm(game.state))
