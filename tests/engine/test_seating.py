"""Seats, levels and holds: when what was asked for in the middle of a hand takes effect."""

from __future__ import annotations

import pytest

from engine import table
from engine.events import PlayerLeft
from engine.inputs import (
    ApplyLevel,
    Arrival,
    CardDrawn,
    Departure,
    FirstCard,
    Fold,
    HoldPlay,
    HoleCardsDealt,
    Input,
    LeaveSeat,
    Level,
    NextHand,
    Penalise,
    PlaceButton,
    Sanction,
    SetStack,
    Shuffle,
    SitDown,
)  # fmt: skip
from engine.rulebook import load
from tests.engine.tables import BOOKS, LIFECLUB, TDA, Game
from tests.rules.citing import article

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
FOUR = {1: 1000, 2: 1000, 3: 1000, 4: 1000}


def refusal(game: Game, what: Input) -> str | None:
    before = game.state
    ruling = game.do(what)
    assert game.state is before
    return ruling.refusal


@BOTH
def test_a_level_counts_from_the_next_shuffle(book):
    game = Game(book, FOUR, button=1, level=Level(50, 100))

    game.do(Shuffle(), ApplyLevel(Level(100, 200)), FirstCard())
    running = table.view(game.state, book).level
    game.do(HoleCardsDealt())
    game.play("4 fold, 1 fold, 2 fold")
    game.do(NextHand())

    assert running == Level(50, 100)
    assert table.view(game.state, book).level == Level(100, 200)
    assert game.ruling.outcome == "ok"


def test_a_book_may_fix_the_level_at_the_first_card():
    book = TDA.with_value("hand_start_event", "first_card")
    game = Game(book, FOUR, button=1, level=Level(50, 100))

    game.do(Shuffle(), ApplyLevel(Level(100, 200)), FirstCard())

    assert game.state.hand.level == Level(100, 200)


@BOTH
def test_a_player_who_is_moved_plays_the_hand_out_first(book):
    game = Game(book, FOUR, button=1).deal()

    game.do(LeaveSeat(4))
    still_there = game.stacks
    game.play("4 fold, 1 fold, 2 fold")

    assert still_there[4] == 1000
    assert 4 not in game.stacks
    assert game.state.chips == 3000


@BOTH
def test_a_player_may_sit_down_while_a_hand_runs_and_is_dealt_into_the_next(book):
    game = Game(book, FOUR, button=1).deal()

    game.do(SitDown(7, "p7", 500, arrival=Arrival.FROM_BALANCE))

    assert refusal(game, Fold(7)) == "not_in_hand"
    game.play("4 fold, 1 fold, 2 fold")
    game.do(NextHand())
    assert table.coming(game.state, book)[1] >> 7 & 1


@pytest.mark.parametrize(
    ("book", "arrival", "hands"),
    [
        (LIFECLUB, Arrival.FROM_BREAK, 1), (LIFECLUB, Arrival.NEW, 3),
        (TDA, Arrival.FROM_BREAK, 1), (TDA, Arrival.NEW, 1),
    ],
)  # fmt: skip
def test_at_the_vacant_small_blind_only_a_new_entrant_waits_and_only_by_one_book(book, arrival, hands):
    """Hand 0 is 1/3/5, its big blind goes out; somebody sits down at seat 5."""
    game = Game(book, {1: 1000, 3: 1000, 5: 100, 6: 1000, 7: 1000, 8: 1000}, button=1, blinds=(3, 5), size=9)
    game.deal(s3="AsAh", s5="2c7d")
    game.play("6 fold, 7 fold, 8 fold, 1 fold, 3 call")
    game.board("Ac", "Kd", "9h")
    game.board("4s")
    game.board("4d")
    assert game.state.hand.out == (5,)
    game.do(SitDown(5, "q", 1000, arrival=arrival))

    dealt_in = []
    for _ in range(3):
        game.deal()
        dealt_in.append(game.state.hand.dealt >> 5 & 1)
        while game.to_act:
            game.do(Fold(game.to_act))

    assert dealt_in.index(1) + 1 == hands


@BOTH
def test_a_held_table_finishes_its_hand_and_begins_no_other(book):
    game = Game(book, FOUR, button=1).deal()

    game.do(HoldPlay(on=True, why="hand for hand"))
    game.play("4 fold, 1 fold, 2 fold")
    game.do(NextHand())

    assert table.due(game.state, book) == "hold"
    assert refusal(game, Shuffle()) == "awaiting_floor"
    game.do(CardDrawn("As"))
    assert game.state.hand is None
    game.do(HoldPlay(on=False))
    assert table.due(game.state, book) == "shuffle"


@BOTH
def test_the_director_counts_a_stack(book):
    game = Game(book, FOUR, button=1)

    game.do(SetStack(2, 1250))
    game.deal()
    game.do(SetStack(3, 1900))

    assert game.stacks[2] == 1200
    assert game.state.chips == 4000 + 250 + 1000
    assert refusal(game, SetStack(3, 0)) == "too_early"
    assert refusal(game, SetStack(9, 100)) == "not_seated"
    assert refusal(game, SetStack(3, -1)) == "below_minimum"


@BOTH
def test_what_cannot_be_now_is_refused_with_a_word(book):
    game = Game(book, {1: 1000}, button=1)

    assert table.due(game.state, book) == "players"
    assert refusal(game, Shuffle()) == "too_early"
    assert refusal(game, SitDown(1, "x", 10)) == "seat_taken"
    assert refusal(game, SitDown(99, "x", 10)) == "not_seated"
    assert refusal(game, SitDown(2, "x", 0)) == "below_minimum"
    assert refusal(game, LeaveSeat(5, Departure.LEFT)) == "not_seated"
    assert refusal(game, NextHand()) == "too_late"
    assert refusal(game, PlaceButton(0)) == "not_seated"
    assert refusal(game, ApplyLevel(Level(0, 0))) == "below_minimum"
    game.do(SitDown(2, "x", 1000))
    game.deal()
    assert refusal(game, Shuffle()) == "too_early"
    assert refusal(game, NextHand()) == "too_early"
    assert refusal(game, PlaceButton(2)) == "too_early"


def test_a_table_has_a_size_and_a_chip():
    for size, chip in ((1, 1), (23, 1), (9, 0)):
        with pytest.raises(ValueError, match="2 to 22 seats"):
            table.new_table(size, chip)


@article("lifeclub:20.8", "tda:71-A")
def test_what_is_left_of_a_penalty_goes_with_a_player_who_moves():
    game = Game(TDA, FOUR, button=1)
    game.do(Penalise(3, Sanction.ROUNDS, 1))

    game.do(LeaveSeat(3, Departure.BROKEN))
    (left,) = [event for event in game.ruling.events if isinstance(event, PlayerLeft)]
    assert (left.misses, left.banned_ms) == (4, 0)

    game.do(SitDown(5, "p3", 1000, arrival=Arrival.FROM_BREAK, misses=left.misses))
    assert {seat.seat: seat.misses for seat in table.view(game.state, TDA).seats} == {1: 0, 2: 0, 4: 0, 5: 4}


@article("y2007:pen.1")
def test_minutes_to_sit_out_go_on_at_the_new_table_from_the_moment_of_sitting_down():
    book = load("y2007")
    state = table.new_table(9, 25)
    for what, at_ms in (
        (SitDown(1, "p1", 1000), 0), (SitDown(2, "p2", 1000), 0), (Penalise(2, Sanction.MINUTES, 5), 60_000),
    ):  # fmt: skip
        state, _ = table.apply(state, what, book, at_ms)

    _, ruling = table.apply(state, LeaveSeat(2, Departure.MOVED), book, 180_000)
    (left,) = [event for event in ruling.events if isinstance(event, PlayerLeft)]
    assert left.banned_ms == 3 * 60_000

    there = table.new_table(9, 25)
    there, _ = table.apply(there, SitDown(7, "p2", 1000, banned_ms=left.banned_ms), book, 9_000_000)
    assert there.banned == ((7, 9_000_000 + 3 * 60_000),)
