"""Pots: layers, dead money, odd chips; every chip goes somewhere."""

from __future__ import annotations

import pytest

from engine.inputs import AwardPot, FirstCard, FloorDecides, Kill, Level, Muck, Shuffle, TableCards
from engine.pots import cut
from engine.seats import set_of
from engine.view import Due
from tests.engine.tables import BOOKS, LIFECLUB, TDA, Game

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)


@BOTH
def test_three_all_ins_make_a_main_pot_and_a_side_pot_and_the_rest_goes_back(book):
    game = Game(book, {1: 100, 2: 250, 3: 600}, button=1, level=Level(5, 10)).deal()

    game.play("1 all_in, 2 all_in, 3 all_in")

    assert game.pots == [(300, (1, 2, 3)), (300, (2, 3))]
    assert game.stacks[3] == 350


@BOTH
def test_pots_split_only_at_all_in_amounts_while_a_street_runs(book):
    game = Game(book, {1: 5000, 2: 5000, 3: 5000, 4: 60}, button=1, level=Level(50, 100)).deal()

    game.play("4 all_in, 1 call")

    assert game.pots == [(60 + 50 + 60 + 60, (1, 2, 3, 4)), (40 + 40, (1, 2, 3))]


@BOTH
def test_antes_are_paid_first_and_a_short_one_makes_its_own_pot(book):
    stacks = {1: 9000, 2: 9000, 3: 9000, 4: 9000, 5: 9000, 6: 15}
    game = Game(book, stacks, button=6, level=Level(50, 100, ante=25)).deal()

    assert game.pots == [(90, (1, 2, 3, 4, 5, 6)), (50 + 150, (1, 2, 3, 4, 5))]


@BOTH
def test_a_short_big_blind_pays_the_ante_before_the_blind(book):
    stacks = {1: 9000, 2: 60, 3: 9000, 4: 9000, 5: 9000, 6: 9000}
    game = Game(book, stacks, button=6, level=Level(50, 100, ante=25)).deal()

    game.play("3 call, 4 fold, 5 fold, 6 fold, 1 call")

    assert game.pots == [(255, (1, 2, 3)), (130, (1, 3))]


@pytest.mark.parametrize(
    ("book", "stack", "pots"),
    [
        (TDA, 50, [(150, (1, 2, 3)), (100, (1, 3))]),            # all 50 live
        (LIFECLUB, 50, [(50, (1, 2, 3)), (200, (1, 3))]),        # all 50 dead
        (TDA, 150, [(350, (1, 2, 3))]),                          # 100 live, 50 dead
        (LIFECLUB, 150, [(250, (1, 2, 3)), (100, (1, 3))]),      # 100 dead, 50 live
    ],
)  # fmt: skip
def test_the_big_blind_ante_of_a_short_stack_goes_in_the_order_of_the_book(book, stack, pots):
    game = Game(book, {1: 9000, 2: stack, 3: 9000}, button=3, level=Level(50, 100, big_blind_ante=100)).deal()

    assert game.to_call == 100
    game.play("3 call, 1 call")

    assert game.pots == pots


@BOTH
def test_a_layer_whose_payers_are_all_gone_falls_into_the_one_below(book):
    game = Game(book, {1: 9000, 2: 9000, 3: 300}, button=1).deal(s1="AsAh", s2="KsKh", s3="2c2d")

    game.play("1 raise_to 1000, 2 call, 3 all_in")
    game.do(Kill(1))
    game.board("Qc", "Qd", "Jh")
    game.do(Kill(2))

    assert game.awards == [(1000 + 1000 + 300, {3: 2300})]
    assert game.stacks == {1: 8000, 2: 8000, 3: 2300}


@BOTH
@pytest.mark.parametrize(
    ("amount", "winners", "button", "chip", "shares"),
    [
        (1075, (3, 7), 5, 25, {7: 550, 3: 525}),
        (1000, (1, 4, 8), 4, 25, {8: 350, 1: 325, 4: 325}),
        (1025, (1, 4, 8), 4, 25, {8: 350, 1: 350, 4: 325}),
        (1000, (2, 5, 6), 6, 100, {2: 400, 5: 300, 6: 300}),
        (225, (1, 2), 1, 25, {2: 125, 1: 100}),
        (500, (3, 4), 9, 100, {3: 300, 4: 200}),
        (175, (2, 5), 7, 1, {2: 88, 5: 87}),
        (300, (1, 2), 2, 100, {1: 200, 2: 100}),
        (30300, (1, 2, 3), 1, 1, {2: 10100, 3: 10100, 1: 10100}),
        (90, (6,), 1, 25, {6: 90}),
    ],
)
def test_odd_chips_go_one_each_from_the_left_of_the_button(book, amount, winners, button, chip, shares):
    assert dict(cut(amount, set_of(winners), button, chip, book)) == shares


def test_a_book_may_leave_odd_chips_for_the_next_pot():
    book = LIFECLUB.with_value("odd_chip", "carry_next_pot")
    game = Game(book, {1: 1000, 2: 1000, 3: 1000}, button=1, level=Level(25, 50), chip=25)
    game.deal(s1="AsKs", s2="AhKh", s3="2c3d")

    game.play("1 raise_to 100, 2 call, 3 fold")
    game.board("Ac", "Kd", "9h")
    game.play("2 check, 1 check")
    game.board("5s")
    game.play("2 check, 1 check")
    game.board("6s")
    game.play("2 check, 1 check")
    game.do(TableCards(2), TableCards(1))

    assert game.awards == [(250, {2: 125, 1: 125})]
    game = Game(book, {1: 1000, 2: 1000, 3: 1000}, button=1, level=Level(25, 75), chip=25)
    game.deal(s1="AsKs", s2="AhKh", s3="2c3d")
    game.play("1 raise_to 150, 2 call, 3 fold")
    game.board("Ac", "Kd", "9h")
    for street in ("5s", "6s", None):
        game.play("2 check, 1 check")
        if street:
            game.board(street)
    game.do(TableCards(2), TableCards(1))
    assert game.awards == [(375, {2: 175, 1: 175})]
    assert game.state.carried == 25
    game.deal()
    assert game.pots[0][0] == 25 + 25 + 75


@BOTH
def test_each_pot_is_decided_alone_and_the_last_one_first(book):
    stacks = {1: 500, 2: 1200, 3: 3000, 4: 3000}
    game = Game(book, stacks, button=4, level=Level(5, 10))
    game.deal(s1="AsAh", s2="KsKh", s3="QsQh", s4="JsJh")

    game.play("3 all_in, 4 all_in, 1 all_in, 2 all_in")
    game.board("2c", "3d", "7h")
    game.board("8s")
    game.board("9c")

    assert game.awards == [(3600, {3: 3600}), (2100, {2: 2100}), (2000, {1: 2000})]
    assert game.state.hand.out == (4,)


@BOTH
def test_the_dealer_awards_each_pot_whose_hands_nobody_knows(book):
    game = Game(book, {1: 300, 2: 3000, 3: 3000}, button=3, level=Level(50, 100)).deal()
    game.play("3 raise_to 600, 1 all_in, 2 call")
    game.board("??", "??", "??")
    game.play("2 bet 300, 3 call")
    game.board("??")
    game.play("2 check, 3 check")
    game.board("??")
    game.play("2 check, 3 check")

    assert game.do(AwardPot((1,))).refusal == "not_in_hand"      # the side pot is first, and not seat 1's
    game.do(AwardPot((2,)))
    game.do(AwardPot((1, 3)))

    assert game.awards == [(1200, {2: 1200}), (900, {1: 450, 3: 450})]


@BOTH
def test_when_all_the_others_muck_the_last_hand_wins_unseen(book):
    game = Game(book, {1: 3000, 2: 3000}, button=1).deal(s1="AsAh", s2="KsKh")
    game.play("1 call, 2 check")
    game.board("2c", "3d", "7h")
    game.play("2 check, 1 check")
    game.board("8s")
    game.play("2 check, 1 check")
    game.board("9c")
    game.play("2 check, 1 check")

    game.do(Muck(2))

    assert game.awards == [(200, {1: 200})]
    assert game.state.hand.shown == 0


@BOTH
def test_who_won_each_pot_is_to_be_seen_until_the_next_hand_begins(book):
    game = Game(book, {1: 100, 2: 250, 3: 600}, button=1, level=Level(5, 10)).deal(s1="AsAd", s2="KsKd", s3="2c7d")
    game.play("1 all_in, 2 all_in, 3 call")
    game.board("Ah", "9c", "4d")
    game.board("5s")
    assert game.view.paid == ()

    game.board("Jh")
    assert game.view.due is Due.NEXT_HAND
    assert {(pot.amount, pot.shares) for pot in game.view.paid} == {(300, ((1, 300),)), (300, ((2, 300),))}
    assert game.view.won == {1: 300, 2: 300}

    game.do(Shuffle())
    game.do(FirstCard())
    assert game.view.paid == ()


@BOTH
def test_a_pot_won_without_a_showdown_is_told_like_any_other(book):
    game = Game(book, {1: 1000, 2: 1000, 3: 1000}, button=1, level=Level(50, 100)).deal()

    game.play("1 fold, 2 fold")

    assert game.view.won == {3: 100}


@BOTH
def test_the_director_gives_a_pot_to_somebody(book):
    game = Game(book, {1: 1000, 2: 1000, 3: 1000}, button=1).deal()
    game.play("1 fold, 2 fold")

    ruling = game.do(FloorDecides("awards", seats=()))

    assert ruling.refusal == "not_in_hand"
    assert game.stacks[3] == 1050
