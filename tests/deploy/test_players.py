"""Simulated players: the same seed decides alike, and what they decide is poker."""

from random import Random

import pytest

from deploy import players
from deploy.players import BetRaise, CheckCall, Fold, Size
from engine.inputs import Level
from engine.view import Due, Legal, Part, SeatView, Street, TableView

CALM = players.Temper(loose=0.3, bold=0.3, crooked=False)


def situation(*, stack: int = 5000, to_call: int = 100, pot: int = 150, board: tuple[str, ...] = (), hands: int = 2):
    seats = tuple(SeatView(seat, f"p{seat}", "", stack, part=Part.LIVE) for seat in range(1, hands + 1))
    view = TableView(
        hand=1, street=Street.FLOP if board else Street.PREFLOP, due=Due.ACTION, size=9, book="tda",
        level=Level(50, 100), button=1, small_blind=1, big_blind=2, seats=seats, board=board, pots=(), to_act=1,
        to_call=to_call,
    )  # fmt: skip
    legal = Legal(
        seat=1, may_fold=True, may_check=to_call == 0, to_call=to_call, bet=None if to_call else (100, stack),
        raise_to=(200, stack) if to_call else None, all_in_to=stack, pot=pot,
    )  # fmt: skip
    return view, legal


def choices(own, runs=60, temper=CALM, **kwargs):
    view, legal = situation(**kwargs)
    return [players.choose(view, legal, own, temper, Random(f"choices {n}")) for n in range(runs)]


def test_the_same_seed_decides_alike():
    assert choices(("Ah", "7d")) == choices(("Ah", "7d"))


def test_aces_are_never_folded_before_the_flop():
    assert not any(isinstance(choice, Fold) for choice in choices(("As", "Ah")))


def test_seven_deuce_is_mostly_folded_to_a_large_raise_against_many():
    folded = [isinstance(choice, Fold) for choice in choices(("7s", "2h"), to_call=1000, pot=1500, hands=6)]

    assert sum(folded) > 50


def test_nobody_folds_what_may_be_checked():
    assert not any(isinstance(choice, Fold) for choice in choices(("7s", "2h"), to_call=0, board=("Ah", "Kh", "Qh")))


def test_a_short_stack_pushes_or_gives_up():
    for choice in choices(("As", "Kh"), stack=600):
        assert choice == BetRaise(Size.ALL_IN) or isinstance(choice, CheckCall | Fold)


def test_a_made_hand_is_bet_more_often_than_air():
    board = ("Ah", "Kd", "7c")

    def bets(own):
        return sum(isinstance(choice, BetRaise) for choice in choices(own, to_call=0, board=board))

    assert bets(("Ac", "As")) > 3 * bets(("3s", "2d"))


@pytest.mark.parametrize(("own", "low", "high"), [(("As", "Ah"), 0.7, 1.0), (("7s", "2h"), 0.1, 0.55)])
def test_the_chance_before_the_flop_is_plausible(own, low, high):
    sampled = [players.chance(own, (), 1, Random(n)) for n in range(20)]

    assert low < sum(sampled) / len(sampled) < high


def test_the_nuts_always_win():
    assert players.chance(("Ah", "Kh"), ("Qh", "Jh", "Th", "2c", "2d"), 3, Random(1)) == 1.0
