"""Recorded hands: what the reader takes from a file, what it refuses, and how a hand of our own is played."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine import rulebook
from engine.inputs import Game, Level
from engine.phh import DECK, Act, NotPlayedError, PhhError, deal, read, tables, whole_stacks
from engine.replay import RulesTable, play

TDA = rulebook.load("tda")
HAND = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 600]
actions = [
  'd dh p1 ????', 'd dh p2 AhKc', 'd dh p3 AsKd  # the button',
  'p3 cbr 300', 'p1 f', 'p2 cc',
  'd db QcJd2h', 'p2 cc', 'p3 cbr 300', 'p2 cc', 'p2 sm AhKc', 'p3 sm AsKd', 'd db 5s', 'd db 9c',
]
finishing_stacks = [950, 1025, 625]
"""
HEADS_UP = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
starting_stacks = [1000, 800]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cc', 'p1 cbr 250', 'p2 f']
finishing_stacks = [1100, 700]
"""


def changed(old: str, new: str) -> str:
    assert old in HAND
    return HAND.replace(old, new)


class TestReading:
    def test_a_hand(self):
        hand = read(HAND)

        assert hand.level == Level(50, 100)
        assert hand.stacks == (1000, 1000, 600)
        assert (hand.button, hand.small_blind, hand.big_blind) == (3, 1, 2)
        assert hand.hole == {1: ("??", "??"), 2: ("Ah", "Kc"), 3: ("As", "Kd")}
        assert hand.board == ("Qc", "Jd", "2h", "5s", "9c")
        assert hand.acts[0] == Act(3, "cbr", 300)
        assert len(hand.acts) == 6
        assert hand.shown == {2: True, 3: True}
        assert hand.finishing == (950, 1025, 625)

    def test_with_two_players_the_first_is_the_big_blind(self):
        hand = read(HEADS_UP)

        assert (hand.button, hand.small_blind, hand.big_blind) == (2, 2, 1)

    def test_a_big_blind_ante_is_the_ante_of_the_big_blind_alone(self):
        assert read(changed("antes = [0, 0, 0]", "antes = [0, 100, 0]")).level == Level(50, 100, big_blind_ante=100)
        assert read(changed("antes = [0, 0, 0]", "antes = [10, 10, 10]")).level == Level(50, 100, ante=10)

    def test_nobody_posts_a_small_blind_of_nothing(self):
        assert read(changed("[50, 100, 0]", "[0, 100, 0]")).small_blind == 0
        assert read(changed("[50, 100, 0]", "[0, 1, 0]")).level == Level(1, 1)

    def test_fixed_limit_has_its_bets(self):
        level = read(changed("variant = 'NT'", "variant = 'FT'\nsmall_bet = 100\nbig_bet = 200")).level

        assert (level.game, level.small_bet, level.big_bet) == (Game.FIXED_LIMIT, 100, 200)

    def test_fixed_limit_without_bets_says_so(self):
        with pytest.raises(PhhError, match="small_bet"):
            read(changed("variant = 'NT'", "variant = 'FT'"))

    def test_muck_and_silence_at_showdown(self):
        hand = read(changed("'p3 sm AsKd'", "'p3 sm'"))

        assert (tables(hand, 2), tables(hand, 3), tables(hand, 1)) == (True, False, False)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("variant = 'NT'", "variant = 'PO'", "'PO' is not played"),
            ("variant = 'NT'", "variant = ['NT']", "['NT'] is not played"),
            ("[50, 100, 0]", "[50, 100, 200]", "straddles"),
            ("antes = [0, 0, 0]", "antes = [0, 0, 100]", "antes [0, 0, 100]"),
        ],
    )
    def test_another_game_is_not_played_and_says_so(self, old, new, words):
        with pytest.raises(NotPlayedError) as wrong:
            read(changed(old, new))

        assert words in str(wrong.value)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("variant", "variant =", "no TOML"),
            ("[1000, 1000, 600]", "[1000, 1000.5, 600]", "whole chips"),
            ("[1000, 1000, 600]", "[1000, -5, 600]", "whole chips"),
            ("[1000, 1000, 600]", "[1000]", "1 players"),
            ("antes = [0, 0, 0]", "antes = [0, 0]", "one entry for each player"),
            ("[50, 100, 0]", "[100, 50, 0]", "blinds 100/50"),
            ("'p1 f'", "'p1 folds'", "action 5 'p1 folds'"),
            ("'p1 f'", "'p4 f'", "not there"),
            ("'p1 f'", "'p1 f 100'", "f and cc have none"),
            ("'p3 cbr 300'", "'p3 cbr'", "needs an amount"),
            ("'p3 cbr 300'", "'p3 cbr lots'", "no amount"),
            ("QcJd2h", "QcJd10h", "no action"),
            ("QcJd2h", "QcJdxh", "no card"),
            ("QcJd2h", "QcJdAh", "Ah is in this hand twice"),
            ("'d db 9c'", "'d db 9c', 'd db 8c'", "6 cards"),
            ("[950, 1025, 625]", "[950, 1025]", "one entry for each player"),
            ("[950, 1025, 625]", "[true, 1025, 625]", "no number of chips"),
            ("[950, 1025, 625]", "[1e999999999, 1025, 625]", "no number of chips"),
            ("[1000, 1000, 600]", "[0, 1000, 600]", "at least 1 chip"),
            ("[1000, 1000, 600]", "[inf, 1000, 600]", "no number of chips"),
            ("[1000, 1000, 600]", f"[{2**53}, 1000, 600]", "no number of chips"),
            ("[1000, 1000, 600]", f"[0x{'F' * 5000}, 1000, 600]", "no number of chips"),
            ("'p3 cbr 300'", "'p3 cbr 1/0'", "no amount"),
            ("'p3 cbr 300'", "'p3 cbr 1e999999999'", "no amount"),
            ("min_bet = 100", f"min_bet = {'[' * 5000}", "nested so deeply"),
        ],
    )
    def test_what_is_no_hand_says_why(self, old, new, words):
        with pytest.raises(PhhError) as wrong:
            read(changed(old, new))

        assert words in str(wrong.value)
        assert not isinstance(wrong.value, NotPlayedError)


class TestDeal:
    def test_unknown_cards_come_from_the_rest_of_the_deck_the_same_each_time(self):
        hand = read(HAND)

        cards = deal(hand)

        all_cards = [*cards.board, *cards.burns, *(card for two in cards.hole.values() for card in two)]
        assert cards == deal(hand)
        assert len(all_cards) == len(set(all_cards)) == 3 * 2 + 5 + 3
        assert set(all_cards) <= set(DECK)
        assert cards.hole[2] == ("Ah", "Kc")


class TestHalfChips:
    def test_the_odd_chip_lies_left_of_the_button(self):
        assert whole_stacks((Fraction("9950.5"), Fraction(100), Fraction("49.5"))) == (9951, 100, 49)

    def test_two_thirds_are_two_odd_chips(self):
        third = Fraction(1, 3)

        assert whole_stacks((56 + 2 * third, 56 + 2 * third, 56 + 2 * third)) == (57, 57, 56)

    def test_what_does_not_add_up_is_refused(self):
        with pytest.raises(PhhError):
            whole_stacks((Fraction("10.5"), Fraction(1)))


class TestPlay:
    def test_a_hand_comes_out_as_its_file_says(self):
        hand = read(HAND)

        assert play(hand, deal(hand), RulesTable(hand, TDA)) == (950, 1025, 625)

    def test_heads_up(self):
        hand = read(HEADS_UP)

        assert play(hand, deal(hand), RulesTable(hand, TDA)) == (1100, 700)

    def test_a_fold_of_an_all_in_blind_is_a_killed_hand(self):
        text = HAND.replace("starting_stacks = [1000, 1000, 600]", "starting_stacks = [1000, 60, 600]")
        text = (
            text[: text.index("actions")] + "actions = ['p3 cc', 'p1 cc', 'p2 f', 'd db QcJd2h', 'p1 cbr 100', 'p3 f']"
        )
        hand = read(text)

        assert play(hand, deal(hand), RulesTable(hand, TDA)) == (1160, 0, 500)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            (
                "'p1 f', 'p2 cc',",
                "'p2 cc', 'p1 f',",
                "player 2 acts in the file, but the table waits for action (seat 1)",
            ),
            ("'p3 cbr 300', 'p1 f'", "'p3 cbr 150', 'p1 f'", "RaiseTo is refused"),
            ("'p3 cbr 300', 'p2 cc', 'p2 sm", "'p2 sm", "the file ends, but the table waits for action of seat 3"),
        ],
    )
    def test_where_file_and_table_part_it_is_told(self, old, new, words):
        hand = read(changed(old, new))

        with pytest.raises(PhhError) as wrong:
            play(hand, deal(hand), RulesTable(hand, TDA))

        assert words in str(wrong.value)
