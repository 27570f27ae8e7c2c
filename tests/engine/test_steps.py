"""What the dealer must do to put an error right, as the panel shows it."""

from __future__ import annotations

import pytest

from engine import table
from engine.inputs import CardDrawn, DealError, DealFault, Face, FirstCard, FloorDecides, HoleCardsDealt
from engine.rulebook import load, names
from engine.steps import BEFORE_STREET, FLOOR
from engine.texts import IRREGULARITIES, STEPS, step
from tests.engine.tables import Game

COLUMNS = 20


def steps_of(game):
    return table.view(game.state, game.book).steps


def dealt(book):
    game = Game(load(book), {1: 1000, 2: 1000, 3: 1000}, button=1)
    game.do(FirstCard(), HoleCardsDealt())
    return game


@pytest.mark.parametrize("word", STEPS)
@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_step_fits_on_a_line_of_the_display(word, lang):
    assert 0 < len(step(f"{word} 11", lang)) <= COLUMNS


def test_every_step_and_every_error_has_its_text():
    used = {word for group in (*FLOOR.values(), *BEFORE_STREET.values()) for word in group}

    assert used - set(STEPS) == set()
    assert {fault.value for fault in DealFault} - set(IRREGULARITIES) - {"early_turn", "early_river"} == set()


def test_after_a_misdeal_the_deck_is_collected_and_the_same_hand_dealt():
    game = dealt("lifeclub")

    game.do(DealError(DealFault.SKIPPED, 3))

    assert steps_of(game) == ("collect", "shuffle", "cut", "same_button")
    game.do(FirstCard())
    assert steps_of(game) == ()


def test_a_card_turned_up_is_replaced_when_the_shoe_has_dealt_to_everybody():
    game = Game(load("dalvivo"), {1: 1000, 2: 1000, 3: 1000}, button=1)
    game.do(FirstCard())
    for card in ("As", "Ks", "Qs", "Ah"):
        game.do(CardDrawn(card))

    ruling = game.do(DealError(DealFault.HOLE_EXPOSED, 1, 1))
    assert (ruling.ruled, steps_of(game)) == ("replace_card", ("finish_deal", "replace 1"))
    assert table.view(game.state, game.book).cards_due == 3
    for card in ("Kh", "Qh"):
        game.do(CardDrawn(card))
    assert (steps_of(game), table.view(game.state, game.book).next_seat) == (("replace 1",), 1)
    game.do(CardDrawn("2d"))

    assert game.state.hand.hole[1] == ("Qh", "2d")
    assert steps_of(game) == ("keep_as_burn",)
    game.play("1 call, 2 call, 3 check")
    assert game.state.hand.burns == ("Qs",)
    assert steps_of(game) == ("burn_lies_there",)


def test_the_replacement_after_the_deal_gives_the_turn_back_to_whom_it_was():
    game = Game(load("dalvivo"), {1: 1000, 2: 1000, 3: 1000}, button=1)
    game.do(FirstCard())
    for card in ("As", "Ks", "Qs", "Ah", "Kh", "Qh"):
        game.do(CardDrawn(card))
    game.play("1 call")

    game.do(DealError(DealFault.HOLE_EXPOSED, 1, 1))
    waits = table.view(game.state, game.book)
    game.do(CardDrawn("2d"))

    assert (waits.due, waits.next_seat) == ("hole_cards", 1)
    assert game.to_act == 2


@pytest.mark.parametrize(("book", "seat"), [("lifeclub", 3), ("dalvivo", 3), ("tda", 3)])
def test_a_boxed_card_is_replaced_when_its_round_of_cards_is_over(book, seat):
    game = Game(load(book), {1: 1000, 2: 1000, 3: 1000}, button=1)
    game.do(FirstCard(), CardDrawn("As"))

    ruling = game.do(CardDrawn("7d", Face.UP))
    meanwhile = steps_of(game)
    game.do(CardDrawn("Ks"))
    now, replaces = steps_of(game), table.view(game.state, game.book).next_seat
    game.do(CardDrawn("Qs"))

    assert ruling.ruled == "replace_card"
    assert (meanwhile, now) == (("finish_round", "replace 3"), ("replace 3",))
    assert replaces == seat
    assert [len(cards) for cards in game.state.hand.hole[1:4]] == [1, 1, 1]
    assert game.state.hand.aside == ("7d",)


@pytest.mark.parametrize("book", ["y2007", "fipos"])
def test_where_a_boxed_card_counts_as_turned_up_it_is_replaced_after_the_deal(book):
    game = Game(load(book), {1: 1000, 2: 1000, 3: 1000}, button=1)
    game.do(FirstCard(), CardDrawn("As"), CardDrawn("7d", Face.UP))
    for card in ("Ks", "Qs", "Ah", "Kh"):
        game.do(CardDrawn(card))

    assert table.view(game.state, game.book).next_seat == 3
    game.do(CardDrawn("2c"))
    assert game.state.hand.hole[3] == ("Ah", "2c")
    assert game.state.hand.spare == ("7d",)


def test_an_early_turn_lies_apart_and_goes_back_into_the_deck_before_the_river():
    game = dealt("lifeclub")
    game.play("1 call, 2 call, 3 check")
    for card in ("2c", "3c", "4c", "5c"):
        game.do(CardDrawn(card))

    game.do(CardDrawn("6c"), CardDrawn("7c"))
    early = steps_of(game)
    game.play("2 check, 3 check, 1 check")
    for card in ("8c", "9c"):
        game.do(CardDrawn(card))
    game.play("2 check, 3 check, 1 check")
    before_river = steps_of(game)
    game.do(CardDrawn("7c"))

    assert early == ("card_apart", "finish_bets")
    assert before_river == ("back_in_deck", "shuffle", "cut", "no_burn")
    assert game.state.hand.board == ("3c", "4c", "5c", "9c", "7c")


def test_of_a_flop_of_four_the_director_names_the_card_that_was_drawn():
    game = dealt("tda")
    game.play("1 call, 2 call, 3 check")
    for card in ("2c", "3c", "4c", "5c", "6c"):
        game.do(CardDrawn(card))

    ruling = game.do(DealError(DealFault.FLOP_EXTRA, n=2))
    game.play("2 check, 3 check, 1 check")
    game.do(CardDrawn("7c"))

    assert ruling.ruled == "burn_card"
    assert game.state.hand.burns == ("2c", "4c")
    assert game.state.hand.board == ("3c", "5c", "6c", "7c")


@pytest.mark.parametrize("book", names())
def test_while_the_director_is_awaited_nothing_is_touched(book):
    game = dealt(book)
    game.play("1 call, 2 call, 3 check")

    game.do(DealError(DealFault.NO_BURN))

    assert steps_of(game) == ("order_cards", "or_reshuffle")
    game.do(FloorDecides("redeals"))
    assert steps_of(game) == ("back_in_deck", "shuffle", "cut", "no_burn")
