"""`bottone rulebook`: what a book says, where two differ, what is wrong with a house's own."""

from __future__ import annotations

import json

import pytest

from deploy.cli import main
from engine.catalogue import BOOKS, values
from engine.rulebook import KEYS, load, unit_of

HOUSE = 'id = "cellar"\nextends = "dalvivo"\n\n[values]\n{line}\n'


@pytest.fixture
def house(tmp_path):
    def write(line: str) -> str:
        path = tmp_path / "cellar.toml"
        path.write_text(HOUSE.format(line=line))
        return str(path)

    return write


class TestShow:
    @pytest.mark.parametrize("book", BOOKS)
    def test_every_value_has_a_line(self, capsys, book):
        assert main(["rulebook", "show", book]) == 0

        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines if line.startswith("  ")] == list(KEYS)

    def test_a_line_says_value_unit_article_source_and_meaning(self, capsys):
        main(["rulebook", "show", "lifeclub"])

        line = next(line for line in capsys.readouterr().out.splitlines() if "balance_trigger" in line)
        assert " ".join(line.split()) == (
            "balance_trigger 2 players [lifeclub:8.2 lifeclub:16.2] resolution R-2: "
            "difference between two tables that orders a move"
        )

    def test_it_speaks_italian(self, capsys):
        main(["rulebook", "show", "tda", "--lang", "it"])

        said = capsys.readouterr().out
        assert "Tavoli e posti" in said
        assert "2 giocatori" in said
        assert "dove sta il bottone dopo un'eliminazione" in said

    def test_a_program_gets_every_value_with_its_article(self, capsys):
        main(["rulebook", "show", "fipos", "--json"])

        said = json.loads(capsys.readouterr().out)
        assert list(said["values"]) == list(KEYS)
        assert said["values"]["starting_stack"] == {
            "value": [6000, 9000], "unit": "chips", "articles": ["fipos:25"], "source": "text", "resolution": "",
            "meaning": "least and most chips to start with", "told": False,
        }  # fmt: skip

    def test_no_such_book_is_wrong_use(self, capsys):
        assert main(["rulebook", "show", "monopoly"]) == 2

        assert "monopoly: no such rulebook; there are cortile" in capsys.readouterr().err


class TestDiff:
    def test_what_differs_is_told_with_both_articles(self, capsys):
        assert main(["rulebook", "diff", "lifeclub", "tda"]) == 1

        said = " ".join(capsys.readouterr().out.split())
        assert (
            "button_style: where the button rests after an elimination lifeclub static [lifeclub:13.2] tda dead" in said
        )
        assert "min_raise:" not in said

    def test_a_book_does_not_differ_from_itself(self, capsys):
        assert main(["rulebook", "diff", "tda", "tda"]) == 0

        assert capsys.readouterr().out == "no values differ\n"

    def test_a_house_book_differs_where_it_says_so(self, capsys, house):
        assert main(["rulebook", "diff", "dalvivo", house("think_free_s = 45"), "--json"]) == 1

        said = json.loads(capsys.readouterr().out)
        assert said["books"] == ["dalvivo", "cellar"]
        assert list(said["differ"]) == ["think_free_s"]
        assert said["differ"]["think_free_s"][1]["articles"] == ["cellar:think_free_s"]


class TestCheck:
    def test_a_right_one_is_counted(self, capsys, house):
        assert main(["rulebook", "check", house("think_free_s = 45"), *BOOKS]) == 0

        assert f"cellar, {len(KEYS)} values, 1 by its own articles" in capsys.readouterr().out

    def test_a_mistake_names_file_line_and_key(self, capsys, house):
        path = house('odd_chip = "carry_next_pot"')

        assert main(["rulebook", "check", "tda", path]) == 1

        assert f"{path}:5: odd_chip: 'carry_next_pot': odd_chip is carry_next_pot exactly" in capsys.readouterr().out

    def test_a_program_is_told_which(self, capsys, house):
        assert main(["rulebook", "check", "--json", house("colour = 3"), "tda"]) == 1

        assert [row["ok"] for row in json.loads(capsys.readouterr().out)] == [False, True]


def test_every_value_has_words_in_both_languages():
    assert [key for _, keys in values.sections() for key in keys] == list(KEYS)
    for key in KEYS:
        assert values.meaning(key, "it") != values.meaning(key, "en")
        assert not unit_of(key) or values.unit(key, "it")
    for source in ("text", "resolution", "inference", "default"):
        assert values.source(source, "it")


@pytest.mark.parametrize("book", BOOKS)
def test_a_value_is_spelt_as_set_lines_spell_it(book):
    loaded = load(book)

    for key in KEYS:
        assert getattr(loaded.with_value(key, values.written(getattr(loaded, key))), key) == getattr(loaded, key)
