"""The catalogue of articles: whole, in both languages, resolved, cited and shown."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import pytest

from deploy import rules_docs
from engine import catalogue, rulebook
from engine.catalogue import CatalogueError
from engine.script.parse import parse

# Rows of each rulebook: as many as its text has points, bullets and separable rules.
ROWS = {"lifeclub": 174, "y2007": 74, "dalvivo": 135, "cortile": 44, "fipos": 54, "tda": 178}

SHOWN = rules_docs.proofs()
ARTICLES = [article for book in catalogue.BOOKS for article in catalogue.articles(book).values()]

ROW = """
[[article]]
id = "tda:43"
en = "How much to raise."
it = "Quanto si rilancia."
topic = "min-raise"
served = ["enforced"]
"""


def resolves(dotted):
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError as missing:
            if missing.name is None or not ".".join(parts[:count]).startswith(missing.name):
                raise
            continue
        for name in parts[count:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


class TestEveryArticleHasItsRow:
    def test_each_book_is_whole(self):
        assert {book: len(catalogue.articles(book)) for book in catalogue.BOOKS} == ROWS

    def test_no_id_stands_twice(self):
        assert len({article.id for article in ARTICLES}) == len(ARTICLES) == sum(ROWS.values())

    def test_italian_and_english_are_two_texts(self):
        assert [article.id for article in ARTICLES if article.en == article.it] == []

    def test_what_embodies_an_article_exists(self):
        assert [f"{article.id}: {article.by}" for article in ARTICLES if article.by and not resolves(article.by)] == []

    def test_readings_are_numbered_and_name_known_articles(self):
        readings = catalogue.resolutions()

        assert [reading.id for reading in readings] == [f"R-{number}" for number in range(1, len(readings) + 1)]
        assert [cited for reading in readings for cited in reading.articles if catalogue.find(cited) is None] == []


class TestReasonsForTheDirector:
    def test_every_book_offers_reasons_for_rulings_and_penalties(self):
        for book in catalogue.BOOKS:
            assert catalogue.reasons(book, "ruling")
            assert catalogue.reasons(book, "penalty")

    def test_a_book_that_covers_a_part_falls_back_on_its_base(self):
        offered = [article.id for article in catalogue.reasons("cortile", "penalty")]

        assert offered[0] == "cortile:9.6"
        assert "dalvivo:16.2.a" in offered

    def test_a_reason_is_said_in_the_language_of_the_room(self):
        phones = catalogue.find("dalvivo:16.3.k")

        assert (phones.text("it"), phones.text("en")) == (phones.it, phones.en)
        with pytest.raises(KeyError):
            phones.text("fr")


class TestACatalogueThatIsWrong:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('name = "x"\nrules = 1\n' + ROW, "tda.toml: rules: unknown key"),
            ('name = "x"\n' + ROW + "served_by = 1\n", "tda.toml: article 1 (tda:43): Object contains unknown field"),
            ('name = "x"\n' + ROW + ROW, "tda.toml: article 2 (tda:43): this id is taken by article 1"),
            ('name = "x"\n' + ROW.replace('"enforced"', '"obeyed"'), "article 1 (tda:43): Invalid enum value"),
            ('name = "x"\n' + ROW.replace("tda:43", "fipos:43"), "an article of this file begins with tda:"),
            ('name = "x"\n' + ROW + 'reason = "penalty"\n', "only what is recorded or detected can be a reason"),
            ('name = "x"\nbase = "fido"\n' + ROW, "tda.toml: base: there is no book fido"),
            (ROW, "tda.toml: name is missing"),
            ("name = \n", "tda.toml: not TOML"),
        ],
    )
    def test_the_error_names_file_and_row(self, text, said):
        with pytest.raises(CatalogueError) as wrong:
            catalogue.read("tda.toml", text)

        assert said in str(wrong.value)

    def test_a_book_without_catalogue_is_named(self):
        with pytest.raises(CatalogueError, match="fido: no catalogue of this name; there are lifeclub"):
            catalogue.articles("fido")
        assert catalogue.find("my-house:3") is None


def test_the_rules_run_without_the_catalogue():
    code = "import sys, engine.table; sys.exit('engine.catalogue' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestCitations:
    def test_every_value_of_a_rulebook_rests_on_a_known_article(self):
        shelf = rules_docs.ROOT / "engine" / "rulebooks"
        unknown = {
            f"{book.id}: {key}: {citation}"
            for book in (rulebook.load(path.stem) for path in shelf.glob("*.toml"))
            for key in (*rulebook.KEYS, *rulebook.RULES)
            for citation in book.cite(key)
            if catalogue.find(citation) is None
        }

        assert unknown == set()

    def test_the_program_and_its_documents_cite_only_known_articles(self):
        written = re.compile(rf"\b(?:{'|'.join(catalogue.BOOKS)}):[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*")
        unknown = {
            f"{path.relative_to(rules_docs.ROOT)}: {citation}"
            for folder in ("engine", "firmware_py", "hub", "deploy", "drivers", "docs")
            for path in (rules_docs.ROOT / folder).rglob("*")
            if path.suffix in {".py", ".toml", ".md", ".html"}
            for citation in written.findall(path.read_text(encoding="utf-8"))
            if catalogue.find(citation) is None
        }

        assert unknown == set()


class TestWhatShowsAnArticle:
    def test_scripts_and_tests_cite_only_known_articles(self):
        unknown = {
            citation: proofs
            for citation, proofs in SHOWN.items()
            if citation.partition(":")[0] in catalogue.BOOKS and catalogue.find(citation) is None
        }

        assert unknown == {}

    def test_every_enforced_or_detected_article_is_shown_or_listed(self):
        unlisted = set(rules_docs.to_show(SHOWN)) - set(rules_docs.uncovered())

        assert unlisted == set(), "show them by a hand script or by @article in a test"

    def test_what_is_shown_leaves_the_list(self):
        listed = rules_docs.uncovered()

        assert sorted(set(listed) - set(rules_docs.to_show(SHOWN))) == [], "run: make docs"
        assert len(set(listed)) == len(listed)

    def test_the_pages_are_current(self):
        stale = [
            str(path)
            for path, text in rules_docs.pages(SHOWN).items()
            if not (rules_docs.ROOT / path).is_file() or (rules_docs.ROOT / path).read_text(encoding="utf-8") != text
        ]

        assert stale == [], "run: make docs"

    def test_a_point_is_shown_by_its_parts_and_not_by_its_neighbours(self):
        shown = {"lifeclub:13.2.case1": (), "tda:43-A": (), "lifeclub:10.13": ()}

        assert rules_docs.is_shown("lifeclub:13.2", shown)
        assert rules_docs.is_shown("tda:43", shown)
        assert not rules_docs.is_shown("lifeclub:10.1", shown)
        assert not rules_docs.is_shown("tda:4", shown)

    def test_a_plain_test_is_read_by_its_mark(self, tmp_path):
        (tmp_path / "tests" / "rules").mkdir(parents=True)
        (tmp_path / "tests" / "test_seats.py").write_text(
            '@article("tda:7", "tda:10-B")\ndef test_seats_are_drawn(): ...\n',
            encoding="utf-8",
        )

        proof = rules_docs.Proof("tests/test_seats.py", "seats are drawn")
        assert rules_docs.proofs(tmp_path) == {"tda:7": (proof,), "tda:10-B": (proof,)}

    def test_a_script_is_read_by_its_header_and_its_outcomes(self, tmp_path):
        text = "title a raise\nbook tda\narticle tda:32\nbegin\n1 raise_to 3 -> refused:below_minimum [tda:43]\n"
        (tmp_path / "tests" / "rules" / "tda").mkdir(parents=True)
        (tmp_path / "tests" / "rules" / "tda" / "one.hand").write_text(text, encoding="utf-8")

        assert len(parse(text, "one.hand")) == 1
        assert sorted(rules_docs.proofs(tmp_path)) == ["tda:32", "tda:43"]
