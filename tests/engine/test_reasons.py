"""Reasons in a dealer's words: no refusal, ruling or call without a line in English and Italian."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine import refusals, texts
from engine.rulebook import KEYS, RULES, load, names
from engine.ruling import Ruling
from engine.script.parse import REFUSALS, RULED

ENGINE = Path(texts.__file__).parent
LONGEST = 80  # characters of a line on a screen


def refused_for() -> set[tuple[str, str]]:
    """Every refusal that the program's text gives together with the value or rule that decides it."""
    calls = (
        node
        for path in ENGINE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "refuse" and len(node.args) > 1
    )
    words = ([arg.value for arg in call.args[:2] if isinstance(arg, ast.Constant)] for call in calls)
    return {(said[0], said[1]) for said in words if len(said) == 2}


def test_every_refusal_of_the_grammar_has_a_line():
    assert set(texts.REFUSALS) == set(REFUSALS)


def test_every_ruling_of_the_grammar_has_a_line():
    assert set(texts.RULINGS) == set(RULED)


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_whatever_decides_a_refusal_it_is_told_in_one_line(lang):
    for word in REFUSALS:
        for by in (*KEYS, *RULES, ""):
            line = Ruling("refused", refusal=word, by=by, seat=10, amount=100_000).reason(lang)
            assert line, (word, by)
            assert "\n" not in line
            assert len(line) <= LONGEST


def test_a_refusal_that_a_value_decides_says_so_in_its_own_line():
    assert refused_for() - set(refusals.REFUSALS_BY) == set()
    assert len(refused_for()) > 10


def test_such_a_line_speaks_of_a_refusal_and_of_what_a_book_has():
    for word, by in refusals.REFUSALS_BY:
        assert word in REFUSALS
        assert by in (*KEYS, *RULES)
    for word, rule in refusals.BEHIND.items():
        assert word in REFUSALS
        assert rule in (*KEYS, *RULES)


@pytest.mark.parametrize(
    "table",
    [
        texts.REFUSALS, texts.RULINGS, texts.OUTCOMES, texts.IRREGULARITIES, refusals.REFUSALS_BY,
    ],
    ids=["refusals", "rulings", "outcomes", "irregularities", "refusals by value"],
)  # fmt: skip
def test_no_line_is_missing_in_a_language(table):
    for word, line in table.items():
        assert set(line) == set(texts.LANGUAGES), word
        assert line["en"] != line["it"], word


@pytest.mark.parametrize("name", names())
def test_every_rule_of_every_book_has_an_article(name):
    book = load(name)

    assert set(book.articles) == set(RULES)
    for rule in RULES:
        assert book.cite(rule) == book.articles[rule]
        assert all(":" in article for article in book.cite(rule))
