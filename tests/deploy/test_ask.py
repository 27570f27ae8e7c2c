"""`bottone ask`: a situation typed line by line, and what each rulebook makes of it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from deploy.asking import DUE, HELP, WORDS
from deploy.cli import main
from engine.script.parse import parse
from engine.script.play import play
from engine.view import Due

ROOT = Path(__file__).parents[2]
TABLE = "seats 1:120 2:1000 3:1000\nblinds 50/100\nbutton 3\nbegin\n"
SHORT_ALL_IN = TABLE + "3 call\n1 call\n2 check\nboard ??\n1 all_in\n"


@pytest.fixture
def ask(capsys, monkeypatch):
    def asked(typed: str, *options: str, status: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["ask", *options]) == status
        return capsys.readouterr().out

    return asked


@pytest.fixture
def records(ask):
    def asked(typed: str, *options: str) -> list[dict]:
        return [json.loads(line) for line in ask(typed, "--json", *options).splitlines()]

    return asked


class TestOneBook:
    def test_a_refusal_comes_with_its_reason_its_article_and_what_is_open(self, ask):
        said = ask(SHORT_ALL_IN + "2 raise_to 199\n").partition("> 2 raise_to 199\n")[2].splitlines()

        assert said[0] == "refused:below_minimum: Over a short all-in the smallest raise is to 200"
        assert said[1].startswith("  [lifeclub:10.13] The big blind is the smallest bet in every round")
        assert said[-1] == "  ... seat 2 to act, 20 to call, raise to 200 up to 900"

    def test_it_speaks_italian(self, ask):
        said = ask(SHORT_ALL_IN + "2 raise_to 199\n", "--lang", "it").partition("> 2 raise_to 199\n")[2].splitlines()

        assert said[0] == "refused:below_minimum: Sopra un all-in corto il rilancio minimo è a 200"
        assert said[-1] == "  ... tocca al posto 2, 20 da vedere, rilancio da 200 a 900"

    def test_with_everybody_all_in_it_names_the_street_that_is_dealt_next(self, ask):
        said = ask(TABLE + "3 all_in\n1 all_in\n2 all_in\nboard ??\n").splitlines()

        assert said[-4:] == [
            "  ... the flop: `board ...` deals it", "> board ??", "ok", "  ... the turn: `board ...` deals it",
        ]  # fmt: skip

    def test_a_question_is_answered_with_and_without_a_value(self, records):
        asked, right, wrong, call = records(SHORT_ALL_IN + "= to_act\n= to_act 2\n= to_act 3\n2 call\n")[-4:]

        assert asked["books"]["lifeclub"]["value"] == "2"
        assert right["books"]["lifeclub"]["differs"] == ""
        assert wrong["books"]["lifeclub"]["differs"] == "the script says to_act 3, the table says 2"
        assert call["books"]["lifeclub"]["outcome"] == "ok"

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("foo bar", "'foo' begins no statement of a hand script"),
            ("2 jump", "'jump' is no act of a seat"),
            ("2 raise_to much", "'much' is no amount"),
            ("= mood", "'mood' is no check"),
            ("board 10d", "'10d' is no card"),
            ("set colour red", "'colour' is no key of a rulebook"),
            ("set min_raise soon", "invalid enum value 'soon' (one of last_raise, big_blind)"),
            ("book monopoly", "monopoly: no such rulebook"),
            ("size 40", "a table has 2 to 22 seats"),
        ],
    )
    def test_a_wrong_line_is_explained_and_the_session_goes_on(self, records, line, says):
        *_, wrong, after = records(SHORT_ALL_IN + line + "\n= to_call\n")

        assert says in wrong["books"]["lifeclub"]["error"]
        assert after["books"]["lifeclub"]["value"] == "20"

    def test_a_hand_that_cannot_begin_says_what_is_missing(self, ask):
        assert "players, blinds or button missing" in ask("begin\n")

    def test_undo_takes_the_last_command_back(self, records):
        assert records(SHORT_ALL_IN + "2 call\n= to_act\nundo\n= to_act\n")[-1]["books"]["lifeclub"]["value"] == "2"

    def test_undo_strikes_a_line_that_was_no_command(self, records):
        *_, struck, after = records(TABLE.replace("begin\n", "") + "undo\nbutton 2\nbegin\nundo\n= street\n")

        assert struck["books"]["lifeclub"]["error"] == ""
        assert after["books"]["lifeclub"]["value"] == "over"
        assert records("undo\n")[0]["books"]["lifeclub"]["error"] == "there is nothing to take back"

    def test_what_was_typed_is_played_again_under_another_book(self, records):
        lifeclub, tda = (records(SHORT_ALL_IN + f"book {book}\n= raise_to\n")[-1] for book in ("lifeclub", "tda"))

        assert lifeclub["books"]["lifeclub"]["value"] == "200..900"
        assert tda["books"]["tda"]["value"] == "120..900"

    def test_one_value_of_the_book_may_be_changed_in_the_middle(self, records):
        said = records(SHORT_ALL_IN + "set short_allin_bet_min_raise_to allin_plus_bb\n= raise_to\n")[-1]

        assert said["books"]["lifeclub"]["value"] == "120..900"

    def test_a_title_begins_anew(self, records):
        assert "blinds" not in records(SHORT_ALL_IN + "title Again\nscript\n")[-1]["script"]

    def test_what_was_said_is_a_script_that_holds(self, records):
        text = records(SHORT_ALL_IN + "2 raise_to 199\n2 call\n3 fold\n= to_act\nscript\n")[-1]["script"]

        assert "2 raise_to 199 -> refused:below_minimum\n" in text
        assert play(parse(text, "asked.hand")[0]).held

    @pytest.mark.parametrize("later", ["button 3", "book tda", "set short_allin_bet_min_raise_to allin_plus_bb"])
    def test_what_was_said_before_the_situation_changed_is_a_script_that_holds(self, records, later):
        first = "\n".join(line for line in SHORT_ALL_IN.splitlines() if line != later) + "\n2 raise_to 199\n"
        text = records(f"{first}{later}\nscript\n")[-1]["script"]

        assert play(parse(text, "asked.hand")[0]).held

    def test_a_director_for_whom_nothing_waits_is_told_so(self, records):
        said = records(TABLE + "floor plays_on\n")[-1]["books"]["lifeclub"]

        assert (said["outcome"], said["reason"]) == ("refused:too_late", "Nothing waits for the director")

    def test_a_hand_without_a_button_is_not_short_of_players(self, records):
        said = records("seats 1:120 2:1000 3:1000\nblinds 50/100\nbegin\n")[-1]["books"]["lifeclub"]

        assert (said["outcome"], said["reason"]) == ("refused:too_early", "Blinds or button are missing")

    @pytest.mark.parametrize(("book", "articles"), [("dalvivo", ["dalvivo:8.b", "dalvivo:8.a"]), ("y2007", [])])
    def test_a_payout_cites_what_the_book_says_of_it_and_nothing_where_it_is_silent(self, records, book, articles):
        said = records("payout entries 45 prize 9000 fee 1000\nshares 50 30 20\n", "--book", book)

        assert [article for answer in said for article in answer["books"][book]["articles"]] == articles

    def test_an_expectation_that_fails_is_told(self, ask):
        assert "but the script says refused:bet_to_call, the rules say ok" in ask(
            SHORT_ALL_IN + "2 call -> refused:bet_to_call\n"
        )

    def test_help_and_quit(self, ask):
        for lang in ("en", "it"):
            assert ask("help\nquit\nbegin\n", "--lang", lang) == HELP[lang] + "\n"

    def test_a_house_book_answers_too(self, records, tmp_path):
        house = tmp_path / "house.toml"
        house.write_text('id = "house"\nextends = "tda"\n[values]\nshort_allin_bet_min_raise_to = "2xBB"\n')

        assert (
            records(SHORT_ALL_IN + "= raise_to\n", "--book", str(house))[-1]["books"][str(house)]["value"] == "200..900"
        )

    def test_no_such_book_is_wrong_use(self, ask):
        assert ask("begin\n", "--book", "monopoly", status=2) == ""


class TestAllBooks:
    def test_books_that_agree_are_one_line(self, ask):
        assert "> board ??\n  all 6 books: ok\n" in ask(SHORT_ALL_IN, "--all-books")

    def test_books_that_differ_are_marked(self, ask):
        said = ask(SHORT_ALL_IN + "2 raise_to 199\n", "--all-books").partition("> 2 raise_to 199\n")[2].splitlines()

        assert [line[:10].strip() for line in said[:6]] == [
            "lifeclub",
            "* y2007",
            "dalvivo",
            "cortile",
            "fipos",
            "* tda",
        ]
        assert said[0].startswith("  lifeclub  refused:below_minimum: Over a short all-in")
        assert said[0].endswith(" is to 200 [lifeclub:10.13]")

    def test_another_book_comes_first_and_none_is_lost(self, records):
        said = records("book tda\n" + TABLE, "--all-books")[-1]

        assert list(said["books"]) == ["tda", "lifeclub", "y2007", "dalvivo", "cortile", "fipos"]

    def test_a_program_gets_all_of_them(self, records):
        said = records(SHORT_ALL_IN + "= raise_to\n", "--all-books", "--book", "tda")[-1]

        assert next(iter(said["books"])) == "tda"
        assert said["differ"]
        assert {book: row["value"] for book, row in said["books"].items()} == {
            "tda": "120..900", "y2007": "120..900", "lifeclub": "200..900", "dalvivo": "200..900",
            "cortile": "200..900", "fipos": "200..900",
        }  # fmt: skip
        assert said["state"]["view"]["to_act"] == 2


def test_the_manual_shows_what_is_answered(ask):
    text = (ROOT / "docs" / "rules-at-the-table.md").read_text(encoding="utf-8")
    one, several, *_ = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    typed = "".join(f"{line}\n" for line in re.findall(r"^> (.*)", one, re.MULTILINE))
    last = several.splitlines()[0].removeprefix("> ")

    said = f"$ bottone ask --book lifeclub\n{ask(typed)}"
    beside = ask(typed.partition(last)[0] + last, "--all-books")

    assert one.split() == said.split()
    assert " ".join(several.split()) in " ".join(beside.split())


def test_every_word_is_said_in_both_languages():
    assert set(DUE) == set(Due)
    for said in (*WORDS.values(), *DUE.values()):
        assert set(said) == {"en", "it"}
