"""Bet sizes, short all-ins, the right to raise again: the open questions of live no-limit, one line each."""

from __future__ import annotations

import pytest

from engine.inputs import Exposes, Kill, KillReason, Level, Says, Word
from engine.rulebook import load
from tests.engine.tables import BOOKS, LIFECLUB, TDA, Game

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
CARDS = ("2c", "7d", "9h")


def on_the_flop(book, stacks, level=None):
    """Everybody is in for the big blind; seat 1 acts first on the flop, the button is the last seat."""
    level = level or Level(50, 100)
    seats = dict(enumerate(stacks, 1))
    game = Game(book, seats, button=len(seats), level=level).deal()
    for seat in (*range(3, len(seats) + 1), 1):
        game.play(f"{seat} call")
    game.play("2 check")
    game.board(*CARDS)
    return game


@BOTH
@pytest.mark.parametrize(
    ("acts", "raise_to"),
    [
        ("1 bet 300", (600, 9900)),
        ("1 bet 300, 2 raise_to 600", (900, 9900)),
        ("1 bet 300, 2 raise_to 600, 3 raise_to 900", (1200, 9900)),
        ("1 bet 300, 2 raise_to 1000", (1700, 9900)),
        ("1 bet 600, 2 raise_to 1600, 3 raise_to 3600", (5600, 9900)),
    ],
)
def test_a_raise_adds_at_least_the_last_full_one(book, acts, raise_to):
    game = on_the_flop(book, [10000] * 4)

    game.play(acts)

    assert game.raise_to == raise_to


@BOTH
@pytest.mark.parametrize(
    ("stacks", "acts", "may_raise"),
    [
        ([9100, 225, 9100, 300, 9100], "1 bet 100, 2 all_in, 3 call, 4 all_in, 5 call", (300, 9000)),  # faces 100
        ([9100, 225, 9100, 300, 9100], "1 bet 100, 2 all_in, 3 call, 4 all_in, 5 call, 1 call", None),  # 3 faces 75
        ([9100, 600, 750, 900, 9100], "1 bet 300, 2 all_in, 3 all_in, 4 all_in, 5 call", (1100, 9000)),
        ([9100, 250, 300, 320, 9100], "1 bet 100, 2 all_in, 3 all_in, 4 all_in, 5 call", (320, 9000)),  # faces 120
        ([9100, 9100, 160, 9100], "1 check, 2 check, 3 all_in, 4 call", None),                         # faces 60
        ([9100, 254, 9100, 9100], "1 bet 123, 2 all_in, 3 call, 4 call", None),                        # faces 31
    ],
)  # fmt: skip
def test_short_all_ins_add_up_to_a_full_raise_or_they_do_not(book, stacks, acts, may_raise):
    game = on_the_flop(book, stacks)

    game.play(acts)

    assert game.raise_to == may_raise


@BOTH
def test_the_limper_may_not_raise_over_a_short_all_in_unless_the_big_blind_raised(book):
    def table():
        return Game(book, {1: 50000, 2: 50000, 3: 50000, 4: 50000, 5: 7500}, button=5, level=Level(2000, 4000)).deal()

    called, raised = table(), table()
    called.play("3 call, 4 fold, 5 all_in, 1 fold, 2 call")
    raised.play("3 call, 4 fold, 5 all_in, 1 fold, 2 raise_to 11500")

    assert (called.to_act, called.to_call, called.raise_to) == (3, 3500, None)
    assert called.play("3 raise_to 11500").refusal == "cannot_reopen"
    assert called.play("3 all_in").refusal == "cannot_reopen"
    assert called.ruling.articles == book.cite("reopen_rule")
    assert raised.raise_to == (15500, 50000)


@BOTH
def test_a_short_big_blind_lowers_neither_call_nor_raise(book):
    game = Game(book, {1: 5000, 2: 5000, 3: 120, 4: 5000}, button=1, level=Level(100, 200)).deal()

    assert (game.to_act, game.to_call, game.raise_to) == (4, 200, (400, 5000))
    game.play("4 fold, 1 fold, 2 call")

    assert game.stacks == {1: 5000, 2: 4880, 3: 0, 4: 5000}
    assert game.pots == [(240, (2, 3))]


@BOTH
def test_a_small_blind_that_covers_a_short_big_blind_is_not_asked(book):
    game = Game(book, {1: 5000, 2: 5000, 3: 40}, button=1, level=Level(50, 100)).deal(s2="AsAh", s3="KsKh")

    game.play("1 fold")

    assert game.street == "showdown"
    assert game.pots == [(80, (2, 3))]


@pytest.mark.parametrize(("book", "least"), [(LIFECLUB, 200), (TDA, 120)], ids=["lifeclub", "tda"])
def test_over_an_all_in_bet_below_the_minimum_the_books_part(book, least):
    game = on_the_flop(book, [120, 9000, 9000])

    game.play("1 all_in")

    assert game.to_call == 20
    assert game.raise_to == (least, 8900)
    assert game.play(f"2 raise_to {least - 1}").refusal == "below_minimum"
    assert game.ruling.amount == least
    assert game.ruling.articles == book.cite("short_allin_bet_min_raise_to")


@BOTH
@pytest.mark.parametrize(
    ("act", "refusal"),
    [
        ("1 check", "bet_to_call"),
        ("1 bet 300", "bet_to_call"),
        ("1 raise_to 150", "below_minimum"),
        ("1 raise_to 100", "below_minimum"),
        ("1 raise_to 9001", "above_maximum"),
        ("2 all_in", "no_chips"),
        ("5 call", "not_in_hand"),
        ("7 call", "not_in_hand"),
    ],
)
def test_an_act_that_is_not_legal_changes_nothing(book, act, refusal):
    stacks = {1: 9000, 2: 30, 3: 9000, 4: 9000, 5: 9000}
    game = Game(book, stacks, button=1, level=Level(50, 100)).deal()
    game.play("4 call, 5 fold")
    before = game.state

    ruling = game.play(act)

    assert ruling.refusal == refusal
    assert ruling.events == ()
    assert game.state is before


@BOTH
def test_with_nothing_bet_there_is_nothing_to_call_or_raise(book):
    game = on_the_flop(book, [9000, 9000, 9000])

    assert game.play("1 call").refusal == "no_bet_to_call"
    assert game.play("1 raise_to 400").refusal == "no_bet_to_call"
    assert game.play("1 bet 99").refusal == "below_minimum"
    assert game.bet == (100, 8900)
    assert game.play("1 fold").outcome == "ok"


@BOTH
def test_who_has_less_than_a_minimum_raise_may_still_push_it_in(book):
    game = on_the_flop(book, [9100, 9100, 270])

    game.play("1 bet 100, 2 call")

    assert game.raise_to == (170, 170)
    assert game.play("3 raise_to 170").outcome == "ok"


@BOTH
def test_when_all_others_are_all_in_pushing_everything_is_a_call(book):
    game = Game(book, {1: 590, 2: 5000}, button=1, level=Level(50, 100)).deal()

    game.play("1 all_in")

    assert game.raise_to is None
    assert game.play("2 raise_to 1200").refusal == "above_maximum"
    ruling = game.play("2 all_in")
    assert (ruling.outcome, ruling.ruled, ruling.amount) == ("ruled", "call", 590)
    assert game.stacks == {1: 0, 2: 4410}


@BOTH
def test_a_raise_over_stacks_that_cannot_call_it_comes_back(book):
    stacks = {1: 600, 2: 560, 3: 1880, 4: 600, 5: 9375}
    game = Game(book, stacks, button=5, level=Level(200, 400, ante=80)).deal()

    game.play("3 all_in, 4 all_in, 5 raise_to 9295, 1 call, 2 call")

    assert game.street == "showdown"
    assert game.stacks[5] == 9375 - 1880
    assert sum(amount for amount, _ in game.pots) == 600 + 560 + 1880 + 600 + 1880


@BOTH
def test_a_collected_hand_gets_back_the_raise_nobody_called(book):
    game = on_the_flop(book, [9100] * 4)

    game.play("1 bet 300, 2 raise_to 900")
    game.do(Kill(2, KillReason.DEALER))

    assert game.stacks[2] == 9000 - 300
    assert (game.to_act, game.to_call, game.raise_to) == (3, 300, (600, 9000))
    assert game.ruling.articles == book.cite("dealer_killed_hand_refund")


@BOTH
def test_a_collected_hand_whose_raise_was_called_loses_it(book):
    game = on_the_flop(book, [9100] * 4)

    game.play("1 bet 300, 2 raise_to 900, 3 call")
    game.do(Kill(2, KillReason.DEALER))

    assert game.stacks[2] == 9000 - 900
    assert (game.to_act, game.to_call) == (4, 900)


@pytest.mark.parametrize(
    ("book", "articles"),
    [
        ("lifeclub", ("lifeclub:10.13",)),
        ("y2007", ("tda:43-A",)),
        ("dalvivo", ("dalvivo:11.5",)),
        ("cortile", ("cortile:11.2",)),
        ("fipos", ("fipos:34", "fipos:28.c")),
        ("tda", ("tda:43-A",)),
    ],
)
def test_an_all_in_that_opens_for_less_than_the_smallest_bet_cites_no_article_about_raises(book, articles):
    game = on_the_flop(load(book), [120, 1000, 1000])

    game.play("1 all_in")

    assert game.ruling.articles == articles


def test_own_cards_shown_cite_the_article_about_it_and_no_other_way_to_lose_the_raise():
    game = on_the_flop(load("fipos"), [1000, 1000, 1000])

    shown = game.do(Exposes(1))

    assert shown.articles == ("fipos:24",)


def test_a_check_facing_a_bet_cites_no_other_way_to_lose_the_raise():
    game = on_the_flop(load("fipos"), [1000, 1000, 1000])

    game.play("1 bet 100")
    game.do(Says(2, Word.CHECK))

    assert game.play("2 raise_to 300").articles == ("tda:55",)
