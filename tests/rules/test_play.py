"""How a hand script is judged: what holds, what does not and how that is told, what is not played yet."""

from __future__ import annotations

import pytest

from engine.script.parse import parse
from engine.script.play import play
from engine.script.words import ScriptError

HEAD = """
title   A table of three
book    lifeclub
blinds  50/100
button  1
seats   1:1000 2:1000 3:1000
"""


def judged(body: str, head: str = HEAD):
    (script,) = parse(head + body, "a.hand")
    return play(script)


def difference(body: str, head: str = HEAD) -> str:
    report = judged(body, head)
    assert report.difference is not None, "everything held"
    assert report.findings[-1] is report.difference  # play stops there
    return report.difference.said


class TestDifferences:
    def test_a_script_that_holds_says_so_line_by_line(self):
        report = judged("begin\n1 call\n= to_act 2\n")

        assert report.held
        assert [(finding.line, finding.text) for finding in report.findings] == [
            (7, "begin"),
            (8, "1 call"),
            (9, "= to_act 2"),
        ]

    def test_another_outcome_is_told_with_its_reason(self):
        said = difference("begin\n1 raise_to 150\n1 fold\n")

        assert said == (
            "the script says ok, the rules say refused:below_minimum: The smallest raise is to 200 "
            "[lifeclub:10.15 lifeclub:10.2 lifeclub:10.13 lifeclub:9.bet]"
        )

    def test_a_refusal_that_does_not_come_is_a_difference(self):
        assert "the script says refused:cannot_reopen, the rules say ok" in difference(
            "begin\n1 raise_to 200 -> refused:cannot_reopen\n"
        )

    def test_another_value_is_told_in_the_words_of_the_script(self):
        said = difference("begin\n= pots 100:1,2\n")

        assert said == "the script says pots 100:1,2, the table says 150:1,2,3"

    def test_a_ruling_must_cite_the_article_that_the_line_names(self):
        assert "the script cites lifeclub:10.11" in difference(
            "begin\n1 raise_to 150 -> refused:below_minimum [lifeclub:10.11]\n"
        )

    def test_legal_amounts_need_somebody_to_act(self):
        assert "nobody is to act" in difference("= to_call 50\n")


class TestBooks:
    def test_a_book_that_is_not_there_is_told_at_its_line(self):
        with pytest.raises(ScriptError) as wrong:
            judged("begin\n", HEAD.replace("lifeclub", "hoyle"))

        assert (wrong.value.file, wrong.value.line) == ("a.hand", 3)
        assert "hoyle" in wrong.value.what

    def test_a_value_that_the_book_does_not_have_is_told_there_too(self):
        with pytest.raises(ScriptError, match=r"a\.hand:3: .*colour"):
            judged("begin\n", HEAD + "set colour blue\n")

    def test_a_value_is_set_for_one_script_only(self):
        dead = judged("bust 2\n= button 3 small_blind 3 big_blind 1\n")
        static = judged("bust nobody\n= button 2 small_blind 3 big_blind 1\n", HEAD + "set button_style dead\n")

        assert dead.held
        assert static.held

    def test_a_table_that_cannot_be_is_told_at_the_title(self):
        with pytest.raises(ScriptError, match=r"a\.hand:2: the table cannot be set up"):
            judged("begin\n", HEAD.replace("button  1", "button  19"))


class TestShorthand:
    def test_bust_keeps_the_chips_on_the_table(self):
        assert judged("bust 2\n= chips 3000\nbust nobody\n= chips 3000\n= out none\n").held

    def test_after_bust_stacks_are_unknown(self):
        assert "unknown" in difference("bust 2\n= stacks 1:1000\n")

    def test_bust_ends_a_hand_in_the_middle(self):
        assert judged("begin\n1 call\nbust 3\n= button 2 small_blind 2 big_blind 1\n").held

    def test_bust_is_not_for_a_seat_that_is_empty(self):
        assert "seat 9 is not in this hand" in difference("bust 9\n")

    def test_bust_leaves_somebody(self):
        assert "nobody" in difference("bust 1 2 3\n")

    def test_undo_goes_back_one_command_and_keeps_the_cards(self):
        assert judged(
            "begin\n1 call\n2 call\n3 check\nboard Ah Kd 2c\n2 bet 100\nundo\n= to_act 2\n= bet 100..900\n"
        ).held

    def test_undo_does_not_take_back_a_refusal(self):
        assert judged("begin\n1 call\n2 raise_to 120 -> refused:below_minimum\nundo\n= to_act 1\n").held

    def test_undo_needs_a_command_of_this_hand(self):
        assert "no command of this hand" in difference("begin\nundo\n")

    def test_a_finished_hand_goes_on_to_the_next_by_itself(self):
        assert judged("begin\n1 fold\n2 fold\nbegin\n= button 2 small_blind 3 big_blind 1\n= to_act 2\n").held

    def test_hole_cards_are_for_the_next_hand_only(self):
        body = (
            "cards 1 AsAd\nbegin\n1 fold\n2 fold\ncards 2 KsKd\nbegin\n2 all_in\n3 all_in\n1 fold\n"
            "board 2c 7d 9h\nboard 3s\nboard 4c\n2 shows\n3 shows QsQd\n= awards 2000:2\n"
        )

        assert judged(body).held

    def test_proposed_moves_that_no_line_names_are_a_difference(self):
        head = "title Two tables\nbook lifeclub\n"
        body = (
            "table A size 10 seats 1 2 3 4 5 6 7 8 9 10 button 1 small_blind 2 big_blind 3\n"
            "table B size 10 seats 1 2 3 4 5 6 button 1 small_blind 2 big_blind 3\nplan\n= move A:4 -> B:7\n"
        )

        assert difference(body, head) == "the script names 1 moves, the rules propose 2"
