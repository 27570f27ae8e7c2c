"""Seats: the draw, keeping tables level, closing the last one. Tables are aligned, the outcome stands last."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import balance, rulebook
from engine.balance import Break, Move, TablePicture
from tests.rules.citing import article

BOOK = rulebook.load("lifeclub")
TDA = rulebook.load("tda")


def table(
    number: int, seats: tuple[int, ...] | int, size: int = 9, big_blind: int = 0, button: int = 0
) -> TablePicture:
    """A table with players named after their seats; a plain number takes the first seats."""
    taken = tuple(range(1, seats + 1)) if isinstance(seats, int) else seats
    return TablePicture(number, size, {seat: f"t{number}s{seat}" for seat in taken}, big_blind, button)


def counts_after(tables: tuple[TablePicture, ...]) -> tuple[list[int], int]:
    """Players at each table once everything proposed is done, and how many moved."""
    counts = {each.table_no: len(each.players) for each in tables}
    moves = balance.propose(tables, BOOK)
    for move in moves:
        assert isinstance(move, Move)
        counts[move.from_table] -= 1
        counts[move.to_table] += 1
    return [counts[each.table_no] for each in tables], len(moves)


@pytest.mark.parametrize(
    ("players", "size", "after", "moved"),
    [
        ((9, 9, 8, 7), 10, [8, 9, 8, 8], 1),
        ((8, 8, 5), 9, [7, 7, 7], 2),           # largest and smallest are found anew after each move
        ((9, 8, 8), 9, [9, 8, 8], 0),           # one apart is level
        ((9, 9, 9), 9, [9, 9, 9], 0),
        ((9, 2), 9, [6, 5], 3),
    ],
)  # fmt: skip
def test_tables_stay_within_one_player(players: tuple[int, ...], size: int, after: list[int], moved: int) -> None:
    tables = tuple(table(number, count, size) for number, count in enumerate(players, 1))

    assert counts_after(tables) == (after, moved)


@pytest.mark.parametrize(
    ("last_big_blind", "taken", "mover"),
    [
        (6, (1, 2, 3, 4, 5, 6, 7, 8, 9), 7),    # the next big blind
        (6, (1, 2, 3, 4, 5, 6, 8, 9), 8),       # seat 7 is empty, or busted in that hand
        (9, (1, 2, 3, 4, 5, 6, 7, 8, 9), 1),
    ],
)  # fmt: skip
def test_the_next_big_blind_moves(last_big_blind: int, taken: tuple[int, ...], mover: int) -> None:
    assert balance.mover_of(table(1, taken, big_blind=last_big_blind), TDA) == mover


@pytest.mark.parametrize(
    ("taken", "button", "big_blind", "seat"),
    [
        ((1, 2, 4, 5, 7, 8), 1, 2, 3),          # 3 is big blind at once; 6 in two hands; 9 in four
        ((1, 2, 3, 5, 6, 8, 9), 3, 4, 7),       # the big blind of seat 4 busted: 4 would be the small blind
        ((1, 2, 3, 4, 5, 6, 7, 8), 1, 9, 0),    # only the small blind's seat is free
        ((1, 3, 4, 5, 6, 7, 8), 1, 3, 9),       # seat 2, between button and small blind, is not dealt in
        ((1, 3, 4, 5, 6, 7, 8, 9), 1, 3, 2),    # but it is better than none
    ],
)  # fmt: skip
def test_the_moved_player_takes_the_worst_seat_but_never_the_small_blind(
    taken: tuple[int, ...], button: int, big_blind: int, seat: int
) -> None:
    assert balance.seat_for(table(1, taken, big_blind=big_blind, button=button), TDA) == seat


@pytest.mark.parametrize(
    ("players", "closes"),
    [
        ((7, 7, 7, 6), 4),                      # 27 of four nine-seat tables: 9, 9, 9
        ((7, 7, 7, 7), None),                   # 28: one too many
        ((9, 1), None),
        ((8, 1), 2),
        ((1, 8), 2),                            # tables are furniture: the last one closes, not the shortest
    ],
)  # fmt: skip
def test_the_last_table_closes_when_the_free_seats_elsewhere_suffice(
    players: tuple[int, ...], closes: int | None
) -> None:
    proposed = balance.propose(tuple(table(number, count) for number, count in enumerate(players, 1)), BOOK)

    assert [each.table_no for each in proposed if isinstance(each, Break)] == ([closes] if closes else [])


def test_the_article_is_cited() -> None:
    (broken,) = balance.propose((table(1, 5), table(2, 4)), BOOK)

    assert broken.articles == ("lifeclub:8.3",)


@article("tda:11-C", "lifeclub:16.2")
def test_of_equal_tables_the_lowest_number_gives_and_takes_first() -> None:
    moves = balance.propose((table(2, 9), table(1, 9), table(4, 7), table(3, 7)), BOOK)

    assert [(move.from_table, move.to_table) for move in moves if isinstance(move, Move)] == [(1, 3), (2, 4)]


def test_a_single_table_is_left_alone() -> None:
    assert balance.propose((table(1, 1),), BOOK) == ()


def test_too_many_players_are_refused_with_the_way_out() -> None:
    with pytest.raises(ValueError, match="19 players and 18 seats: open another table"):
        balance.tables_needed(19, (9, 9))


@article("lifeclub:2.b", "y2007:multi.1", "dalvivo:2.b", "tda:7", "fipos:3")
@given(st.integers(2, 99), st.integers(2, 11), st.integers(0, 2**32))
def test_everybody_gets_one_seat_and_tables_are_level(players: int, size: int, seed: int) -> None:
    chance = random.Random(seed)
    needed = balance.tables_needed(players, [size] * players)
    tables = [TablePicture(number, size, {}) for number in range(1, needed + 1)]
    seats = [(each.table_no, seat) for each in tables for seat in each.free]
    chance.shuffle(seats)

    drawn = balance.draw([f"p{n}" for n in range(players)], tables, seats)

    counts = [sum(seat.table_no == each.table_no for seat in drawn) for each in tables]
    assert len({(seat.table_no, seat.seat) for seat in drawn}) == len({seat.player for seat in drawn}) == players
    assert max(counts) - min(counts) <= 1


@given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_after_all_moves_no_table_has_two_more_than_another(counts: list[int], chance: random.Random) -> None:
    tables = []
    for number, count in enumerate(counts, 1):
        taken = tuple(sorted(chance.sample(range(1, 11), count)))
        tables.append(table(number, taken, 10, chance.choice(taken), chance.choice(taken)))

    proposed = balance.propose(tables, BOOK)

    if not any(isinstance(each, Break) for each in proposed):
        after, _ = counts_after(tuple(tables))
        assert max(after) - min(after) <= 1


FIPOS = rulebook.load("fipos")
Y2007 = rulebook.load("y2007")


@article("fipos:6")
@pytest.mark.parametrize(
    ("button", "taken", "mover"),
    [(4, (1, 2, 3, 4, 5, 6, 7), 3), (4, (1, 2, 4, 5, 6), 2), (1, (1, 2, 3, 7), 7), (4, (4,), 4)],
)
def test_a_federation_moves_who_sits_right_of_the_button(button: int, taken: tuple[int, ...], mover: int) -> None:
    picture = TablePicture(1, 9, {seat: f"p{seat}" for seat in taken}, last_big_blind=6, last_button=button)

    assert balance.mover_of(picture, FIPOS) == mover


@article("fipos:6")
@pytest.mark.parametrize(
    ("button", "free", "seat"),
    [(5, (4, 9), 4), (5, (3, 9), 3), (5, (7, 9), 9), (1, (3, 8), 8), (5, (5,), 5), (5, (), 0)],
)
def test_and_seats_him_there_again_or_next_to_it(button: int, free: tuple[int, ...], seat: int) -> None:
    taken = {other: f"p{other}" for other in range(1, 10) if other not in free}

    assert balance.seat_for(TablePicture(1, 9, taken, last_big_blind=7, last_button=button), FIPOS) == seat


@article("fipos:5", "tda:11-D")
def test_short_tables_wait_or_everybody_does() -> None:
    tables = (table(1, 9), table(2, 8), table(3, 6))

    assert balance.waiting(tables, True, BOOK) == (3,)
    assert balance.waiting(tables, True, FIPOS) == (1, 2, 3)
    assert balance.waiting(tables, False, FIPOS) == ()
    assert balance.waiting((table(1, 9), table(2, 8), table(3, 7)), True, BOOK) == ()


@article("y2007:multi.6", "tda:RP-8")
class TestHandForHand:
    def test_it_begins_with_one_player_too_many(self) -> None:
        assert [balance.hand_for_hand(left, 10, Y2007) for left in (12, 11, 10)] == [False, True, False]
        assert not balance.hand_for_hand(11, 10, Y2007.with_value("hand_for_hand", "false"))

    def test_tables_that_have_finished_are_locked_until_all_have(self) -> None:
        assert balance.locked({1: False, 2: True, 3: False}) == (1, 3)
        assert balance.locked({1: False, 2: False, 3: False}) == ()

    def test_a_table_with_one_player_is_not_waited_for(self) -> None:
        one_player_left = False                     # it cannot deal, so it is not busy

        assert balance.locked({1: one_player_left, 2: True}) == (1,)
        assert balance.locked({1: one_player_left, 2: False}) == ()


@article("lifeclub:16.2", "dalvivo:7.2")
@pytest.mark.parametrize("name", ["lifeclub", "y2007", "dalvivo", "cortile", "tda"])
def test_the_nearest_free_seat_left_of_the_big_blind_is_big_blind_at_once_in_every_book(name: str) -> None:
    picture = table(1, (1, 2, 4, 5, 7, 8, 9), big_blind=5, button=4)

    assert balance.seat_for(picture, rulebook.load(name)) == 6
