"""Cards from a shoe, one by one: each goes where it is due, and what goes wrong loses nothing."""

from __future__ import annotations

import pytest

from engine import table
from engine.inputs import (
    AwardPot,
    Away,
    Back,
    CallFloor,
    CardDrawn,
    Check,
    DeviceTrouble,
    Face,
    FirstCard,
    FloorDecides,
    Fold,
    HoleCardsDealt,
    NextHand,
    Shuffle,
    StreetDealt,
    TableCards,
)  # fmt: skip
from engine.state import encode_state
from tests.engine.tables import BOOKS, LIFECLUB, TDA, Game

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
THREE = {1: 1000, 2: 1000, 3: 1000}


def draw(game, text):
    for card in text.split():
        game.do(CardDrawn(card))
    return game


def dealt(book, cards="As Ks Qs Ah Kh Qh"):
    """Three players, button at seat 1: the first card goes to seat 2."""
    return draw(Game(book, THREE, button=1), cards)


@BOTH
def test_the_first_card_begins_the_hand_and_cards_go_round_from_the_small_blind(book):
    game = dealt(book)

    assert game.state.hand.hole[1:4] == (("Qs", "Qh"), ("As", "Ah"), ("Ks", "Kh"))
    assert (game.to_act, game.state.hand.due) == (1, "action")


@pytest.mark.parametrize(("book", "first"), [(LIFECLUB, 1), (TDA, 2)], ids=["lifeclub", "tda"])
def test_heads_up_the_first_card_goes_where_the_book_says(book, first):
    game = draw(Game(book, {1: 1000, 2: 1000}, button=1), "As Ks Ah Kh")

    assert game.state.hand.hole[first] == ("As", "Ah")
    assert game.to_act == 1


@BOTH
def test_one_is_burned_and_three_make_the_flop(book):
    game = dealt(book)
    game.play("1 call, 2 call, 3 check")

    draw(game, "2c 3c 4c")
    waits = table.view(game.state, book)
    draw(game, "5c")

    assert (waits.due, waits.cards_due) == ("board", 1)
    assert game.state.hand.burns == ("2c",)
    assert game.state.hand.board == ("3c", "4c", "5c")
    assert game.to_act == 2


@BOTH
def test_a_burn_that_comes_before_the_last_press_is_the_burn(book):
    game = dealt(book)
    game.play("1 call, 2 call")

    draw(game, "2c")
    game.do(Check(3))
    draw(game, "3c 4c 5c")

    assert game.state.hand.board == ("3c", "4c", "5c")


@BOTH
def test_a_flop_card_before_the_end_of_the_betting_goes_back_and_the_flop_comes_without_a_burn(book):
    game = dealt(book)
    game.play("1 call, 2 call")

    draw(game, "2c 9c")

    assert (game.ruling.outcome, game.ruling.ruled) == ("ruled", "set_aside")
    assert game.ruling.articles == book.cite("premature_card")
    assert game.state.hand.early == ("9c",)
    game.do(Check(3))
    draw(game, "3c 4c 9c")
    assert game.state.hand.board == ("3c", "4c", "9c")
    assert game.state.hand.burns == ("2c",)


@BOTH
@pytest.mark.parametrize("at", ["deal", "burn", "board"])
def test_the_same_card_twice_calls_the_director_and_voiding_gives_every_chip_back(book, at):
    game = dealt(book, "As Ks Qs Ah Kh" if at == "deal" else "As Ks Qs Ah Kh Qh")
    if at != "deal":
        game.play("1 raise_to 300, 2 fold, 3 call")
    if at == "board":
        draw(game, "2c")

    draw(game, "As")

    assert game.ruling.outcome == "floor"
    assert game.ruling.articles == book.cite("duplicate_card")
    assert table.due(game.state, book) == "floor"
    assert game.do(Fold(1)).refusal == "awaiting_floor"
    draw(game, "3c")                                              # the next card is still recorded
    ruling = game.do(FloorDecides("voids"))
    assert (ruling.outcome, ruling.ruled) == ("ruled", "hand_void")
    assert game.stacks == THREE
    plan = table.coming(game.state, book)
    assert (plan[0].button, plan[0].big_blind) == (1, 3)
    assert table.due(game.state, book) == "shuffle"


@BOTH
def test_after_a_wrong_reading_play_goes_on_and_the_dealer_awards(book):
    game = dealt(book)
    game.play("1 all_in, 2 fold, 3 all_in")
    draw(game, "2c 3c 4c As")
    game.do(FloorDecides("plays_on"))
    draw(game, "2d 3d 2h 3h")

    assert table.due(game.state, book) == "award"
    game.do(AwardPot((3,)))

    assert game.stacks == {2: 950, 3: 2050}


@BOTH
@pytest.mark.parametrize("card", ["10d", "Xx", "", "ah"])
def test_what_is_no_card_is_an_unknown_card(book, card):
    game = dealt(book, "As Ks")

    ruling = game.do(CardDrawn(card))

    assert ruling.outcome == "ok"
    assert game.state.hand.hole[1] == ("??",)


@BOTH
def test_a_boxed_card_counts_for_nothing_and_the_next_one_replaces_it(book):
    game = dealt(book, "As Ks")

    ruling = game.do(CardDrawn("7d", Face.UP), CardDrawn("Qs"))
    aside = game.state.hand.aside

    assert ruling.outcome == "ok"
    assert aside == ("7d",)
    assert game.state.hand.hole[1] == ("Qs",)


@BOTH
def test_a_card_after_the_hand_is_noted_and_starts_nothing(book):
    game = dealt(book)
    game.play("1 fold, 2 fold")

    ruling = game.do(CardDrawn("7d"))

    assert ruling.articles == book.cite("rabbit")
    assert table.due(game.state, book) == "next_hand"
    assert b"7d" not in encode_state(game.state)


@BOTH
def test_between_hands_no_untabled_card_is_left(book):
    game = dealt(book)
    game.play("1 call, 2 fold, 3 check")
    draw(game, "2c 3c 4d 5h")
    game.play("3 bet 100, 1 fold")

    kept = encode_state(game.state).decode()

    assert not any(card in kept for card in ("As", "Ah", "Ks", "Kh", "Qs", "Qh", "2c"))
    assert "3c" in kept


@BOTH
def test_a_street_told_as_a_whole_joins_what_the_shoe_saw(book):
    game = dealt(book)
    game.play("1 call, 2 call, 3 check")

    draw(game, "2c 3c")
    ruling = game.do(StreetDealt(("4c", "5c")))

    assert ruling.outcome == "ok"
    assert game.state.hand.board == ("3c", "4c", "5c")
    assert game.state.hand.burns == ("2c",)


@BOTH
def test_a_flop_of_four_calls_the_director(book):
    game = dealt(book)
    game.play("1 call, 2 call, 3 check")

    ruling = game.do(StreetDealt(("4c", "5c", "6c", "7c")))

    assert ruling.outcome == "floor"
    assert game.state.hand.board == ()


@BOTH
def test_a_hand_without_a_shoe_needs_no_card(book):
    game = Game(book, THREE, button=1)

    game.do(Shuffle(), FirstCard(), HoleCardsDealt())
    game.play("1 call, 2 fold, 3 check")
    for cards in (("??",) * 3, ("??",), ("??",)):
        game.do(StreetDealt(cards))
        game.play("3 check, 1 check")
    game.do(TableCards(3), TableCards(1))

    assert table.due(game.state, book) == "award"
    game.do(AwardPot((1, 3)))
    assert game.stacks == {1: 1025, 2: 950, 3: 1025}


@BOTH
def test_other_cards_than_were_dealt_call_the_director(book):
    game = dealt(book)
    game.play("1 all_in, 2 fold, 3 call")
    assert game.state.hand.shown == 0b1010                        # all-in: known hands lie open at once

    ruling = game.do(TableCards(1, ("2h", "2d")))

    assert ruling.outcome == "floor"


@BOTH
@pytest.mark.parametrize("what", ["duplicate", "wrong_back", "two_cards", "card_back"])
def test_cards_that_nobody_can_place_call_the_director_while_a_hand_runs(book, what):
    between, game = Game(book, THREE, button=1), dealt(book)

    assert between.do(DeviceTrouble(what)).outcome == "ok"
    assert game.do(DeviceTrouble(what)).outcome == "floor"
    assert game.do(Fold(1)).refusal == "awaiting_floor"


@BOTH
def test_cards_lost_call_the_director_and_a_silent_shoe_does_not(book):
    game = dealt(book)

    assert game.do(DeviceTrouble("shoe_down")).outcome == "ok"
    assert game.do(DeviceTrouble("cards_lost", "3 to 5")).outcome == "floor"
    assert game.do(CallFloor()).refusal == "awaiting_floor"
    assert game.do(FloorDecides("plays_on")).outcome == "ok"
    assert game.do(FloorDecides("plays_on")).refusal == "too_late"
    assert game.do(FloorDecides("sings")).refusal == "not_in_catalogue"


@BOTH
def test_who_is_away_at_the_last_card_has_a_dead_hand_and_loses_what_was_posted(book):
    game = Game(book, THREE, button=1)
    game.do(Away(3))

    draw(game, "As Ks Qs Ah Kh Qh")

    assert game.ruling.articles == book.cite("absent_at_deal")
    assert game.state.hand.live == 0b0110
    game.play("1 fold")
    assert game.stacks == {1: 1000, 2: 1100, 3: 900}


@BOTH
def test_when_nobody_is_at_the_table_the_big_blind_takes_the_pot(book):
    game = Game(book, THREE, button=1)
    game.do(Away(1), Away(2), Away(3))

    draw(game, "As Ks Qs Ah Kh Qh")

    assert game.stacks == {1: 1000, 2: 950, 3: 1050}
    assert game.do(NextHand(), Back(1)).outcome == "ok"
