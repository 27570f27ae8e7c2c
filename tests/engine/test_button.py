"""Button and blinds over many hands with players going out and coming in. The cases one by one are hand scripts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import rulebook, table
from engine.button import coming, deal_order
from engine.inputs import Arrival, FirstCard, LeaveSeat, PlaceButton, SitDown
from engine.seats import in_order, next_seat
from engine.state import Positions, TableState
from tests.engine.tables import Game
from tests.rules.citing import article

BOOKS = [rulebook.load(name) for name in ("lifeclub", "y2007", "dalvivo", "cortile", "fipos", "tda")]


def after_the_hand(state: TableState, positions: Positions, dealt: int) -> TableState:
    """As if this hand had been played."""
    return replace(state, last=positions, placed=None, fresh=state.fresh & ~dealt)


def with_others(state: TableState, dealt: int, book: rulebook.Rulebook, chance: random.Random) -> TableState:
    """Some go, some come: at most two each."""
    for seat in chance.sample(in_order(dealt), min(chance.choice([0, 0, 0, 1, 1, 2]), dealt.bit_count() - 1)):
        state, _ = table.apply(state, LeaveSeat(seat), book)
    free = [seat for seat in range(1, state.size + 1) if state.players[seat] is None]
    for seat in chance.sample(free, min(len(free), chance.choice([0, 0, 0, 1, 1, 2]))):
        state, _ = table.apply(state, SitDown(seat, f"new {seat}", 1000, arrival=chance.choice(list(Arrival))), book)
    return state


@article("lifeclub:4.a", "lifeclub:4.c", "dalvivo:3.a", "dalvivo:3.c", "tda:32")
@article("lifeclub:13.2.a", "lifeclub:13.2.b", "y2007:blinds.7", "dalvivo:9.2.a", "cortile:9.2.a")
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@given(seed=st.integers(0, 2**32))
def test_the_big_blind_goes_round_whoever_comes_and_goes(book: rulebook.Rulebook, seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(3, 9)
    state = table.new_table(size)
    seats = chance.sample(range(1, size + 1), chance.randint(2, size))
    for seat in seats:
        state, _ = table.apply(state, SitDown(seat, f"p{seat}", 1000), book)
    state, _ = table.apply(state, PlaceButton(seats[0]), book)

    before = None
    for _ in range(12):
        plan = coming(state, book)
        if plan is None:
            assert sum(player is not None for player in state.players) < 2
            return
        now, dealt = plan
        if before is not None:
            assert now.big_blind == next_seat(dealt, before.big_blind)      # nobody twice, nobody left out
        if dealt.bit_count() == 2:
            assert now.button == now.small_blind != now.big_blind
        else:
            assert now.button != now.big_blind
            assert (now.small_blind - now.button) % size < (now.big_blind - now.button) % size
            assert now.posts == bool(dealt >> now.small_blind & 1)
        assert set(deal_order(now, dealt, book)) == set(in_order(dealt))
        before, state = now, with_others(after_the_hand(state, now, dealt), dealt, book, chance)


@article("lifeclub:6.1", "dalvivo:5.1")
@pytest.mark.parametrize(
    ("name", "first"), [("lifeclub", 1), ("dalvivo", 1), ("cortile", 1), ("y2007", 2), ("fipos", 2), ("tda", 2)]
)
def test_who_gets_the_first_card_of_two(name: str, first: int) -> None:
    game = Game(rulebook.load(name), {1: 1000, 2: 1000}, button=1)      # the button is the small blind

    game.do(FirstCard())

    assert game.state.hand is not None
    assert game.state.hand.order[0] == first


@article("lifeclub:6.1.b", "dalvivo:5.1.b", "fipos:12.a")
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_the_first_card_goes_to_the_small_blind_or_if_none_to_the_big_blind(book: rulebook.Rulebook) -> None:
    both = Game(book, dict.fromkeys(range(1, 7), 1000), button=1)
    big_blind_alone = Game(book, {1: 1000, 3: 1000, 4: 1000, 5: 1000}, button=1, blinds=(0, 3))

    both.do(FirstCard())
    big_blind_alone.do(FirstCard())

    assert both.state.hand is not None
    assert both.state.hand.order == (2, 3, 4, 5, 6, 1)
    assert big_blind_alone.state.hand is not None
    assert big_blind_alone.state.hand.order == (3, 4, 5, 1)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_nobody_waits_where_there_would_be_no_hand_without_him(book: rulebook.Rulebook) -> None:
    game = Game(book, {1: 1000, 6: 1000}, button=1)
    state = after_the_hand(game.state, Positions(1, 1, 6), 1 << 1 | 1 << 6)
    for what in (LeaveSeat(6), SitDown(2, "two", 1000, arrival=Arrival.FROM_BREAK), SitDown(4, "four", 1000)):
        state, _ = table.apply(state, what, book)

    plan = coming(state, book)

    assert plan is not None
    assert in_order(plan[1]) == (1, 2, 4)
    assert plan[0] == Positions(4, 6, 1, posts=False)                   # the puck does not stay behind the big blind


@article("lifeclub:13.7", "lifeclub:13.2", "tda:34-B")
def test_what_decided_who_is_dealt_in_is_cited() -> None:
    lifeclub, tda = BOOKS[0], BOOKS[-1]
    waits = Game(lifeclub, {1: 1000, 3: 1000, 4: 1000}, button=1)
    waits.state = after_the_hand(waits.state, Positions(4, 1, 3), 0b11010)
    waits.do(SitDown(2, "two", 1000), FirstCard())

    assert "lifeclub:13.7" in waits.ruling.articles
    assert "tda:34-B" in Game(tda, {1: 1000, 2: 1000}, button=1).do(FirstCard()).articles
    assert Game(tda, {1: 1000, 2: 1000, 3: 1000}, button=1).do(FirstCard()).articles == ()
