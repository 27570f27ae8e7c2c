"""Writes `docs/rules/`: every article of every rulebook, how it is served, and what in the tests shows it.

    python -m deploy.rules_docs            writes the pages and strikes what is shown now from tests/rules/uncovered.txt
    python -m deploy.rules_docs --check    writes nothing; exit status 1 if a page would change

What shows an article is read and never run: the `article` lines and `[book:article]` of the hand scripts, and the
`@article("book:number")` of plain tests (`tests/rules/citing.py`). A point that is divided is shown by what shows one
of its parts. `uncovered.txt` names the enforced and detected articles that nothing shows yet; this command only
strikes lines from it, and `tests/rules/test_catalogue.py` holds it to that.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from engine import catalogue
from engine.catalogue import Article, CatalogueError
from engine.script.parse import parse
from engine.script.words import ScriptError

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path("docs/rules")
TESTS = Path("tests")
SCRIPTS = Path("tests/rules")
UNCOVERED = Path("tests/rules/uncovered.txt")
TITLES_SHOWN = 3  # of one file under one article; the rest are counted
MODES = {
    "enforced": "the rules compute it or refuse the contrary",
    "detected": "devices show it and the table is told",
    "prompted": "the dealer is guided through it",
    "recorded": "the director rules, and gives it as the reason",
}

Shown = Mapping[str, tuple["Proof", ...]]


class Proof(msgspec.Struct, frozen=True, order=True):
    """A hand script or plain test that cites an article: its file, from the root of the repository, and its title."""

    file: str
    title: str


def proofs(root: Path = ROOT) -> Shown:
    """What cites each article, by `book:number`, also numbers that no catalogue knows. **Raises** ScriptError."""
    found: dict[str, set[Proof]] = {}
    for citation, proof in (*_scripts(root), *_plain_tests(root)):
        found.setdefault(citation, set()).add(proof)
    return {citation: tuple(sorted(where)) for citation, where in found.items()}


def _scripts(root: Path) -> Iterator[tuple[str, Proof]]:
    for path in sorted((root / SCRIPTS).rglob("*.hand")):
        file = path.relative_to(root).as_posix()
        for script in parse(path.read_text(encoding="utf-8"), file):
            proof = Proof(file, script.header.title)
            for citation in script.header.articles:
                yield citation, proof
            for line in script.lines:
                if line.outcome.article:
                    yield line.outcome.article, proof


def _plain_tests(root: Path) -> Iterator[tuple[str, Proof]]:
    for path in sorted((root / TESTS).rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "article" not in text:
            continue
        for test in ast.walk(ast.parse(text, str(path))):
            if isinstance(test, ast.FunctionDef | ast.ClassDef):
                for citation in _cited(test):
                    title = re.sub(r"^(test_|Test)", "", test.name).replace("_", " ")
                    yield citation, Proof(path.relative_to(root).as_posix(), title)


def _cited(test: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "article":
            for given in mark.args:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield given.value


def to_show(shown: Shown) -> tuple[str, ...]:
    """The enforced and detected articles that nothing shows, book by book in the order of the text."""
    return tuple(
        article.id
        for book in catalogue.BOOKS
        for article in catalogue.articles(book).values()
        if needs_proof(article) and not is_shown(article.id, shown)
    )


def needs_proof(article: Article) -> bool:
    """Is it a matter of rules and devices, so that a script or a test can show it?"""
    return bool({"enforced", "detected"} & set(article.served))


def is_shown(citation: str, shown: Shown) -> bool:
    """Does something cite the article or one of its parts?"""
    return any(cited == citation or cited.startswith((f"{citation}.", f"{citation}-")) for cited in shown)


def pages(shown: Shown, root: Path = ROOT) -> dict[Path, str]:
    """The text of each page by its path from the root."""
    written = {PAGES / f"{book}.md": _page(book, shown, root) for book in catalogue.BOOKS}
    return {PAGES / "README.md": _index(shown), **written}


def _index(shown: Shown) -> str:
    rows = ["| rulebook | articles | enforced or detected | of these shown |", "|---|---|---|---|"]
    for book in catalogue.BOOKS:
        of_book = catalogue.articles(book).values()
        provable = [article for article in of_book if needs_proof(article)]
        done = sum(is_shown(article.id, shown) for article in provable)
        rows.append(f"| [{book}]({book}.md): {catalogue.name(book)} | {len(of_book)} | {len(provable)} | {done} |")
    return "\n".join((
        "# The rulebooks, article by article",
        "",
        "Written by `make docs` from `engine/catalogue` and from the tests. Each page says in our own words what every",
        "article of a rulebook means, how it is served, which function embodies it and which hand scripts show it. The",
        "rulebook itself decides; where it cannot be followed as printed, the page says how it is read and why.",
        "",
        *rows,
        "",
    ))


def _page(book: str, shown: Shown, root: Path) -> str:
    of_book = tuple(catalogue.articles(book).values())
    base = catalogue.base(book)
    provable = [article for article in of_book if needs_proof(article)]
    done = sum(is_shown(article.id, shown) for article in provable)
    mainly = Counter[str](article.served[0] for article in of_book)
    at_all = Counter[str](mode for article in of_book for mode in article.served)
    reasons = Counter[str](article.reason for article in of_book)
    lines = [
        f"# {book}: {catalogue.name(book)}",
        "",
        f"Written by `make docs` from `engine/catalogue/{book}.toml` and the tests; do not edit. The sentences are our",
        "own and the rulebook decides. Below each article: how it is served, what embodies it, what shows it.",
        *([f"What this book does not cover is taken from [{base}]({base}.md)."] if base else ()),
        "",
        f"{len(of_book)} articles. {len(provable)} are enforced or detected; scripts or tests show {done} of them.",
        f"{reasons['ruling']} can be the reason of a ruling, {reasons['penalty']} of a penalty.",
        "",
        "| served | mainly | at all | meaning |",
        "|---|---|---|---|",
        *(f"| {mode} | {mainly[mode]} | {at_all[mode]} | {meaning} |" for mode, meaning in MODES.items()),
        "",
        *_readings(book),
        "## Articles",
        "",
    ]
    for article in of_book:
        lines += _entry(article, shown, root)
    return "\n".join(lines)


def _readings(book: str) -> list[str]:
    of_book = [
        reading
        for reading in catalogue.resolutions()
        if any(cited.startswith(f"{book}:") for cited in reading.articles)
    ]
    if not of_book:
        return []
    lines = ["## How unclear articles are read", ""]
    for reading in of_book:
        links = ", ".join(_link(citation, book) for citation in reading.articles)
        lines.append(f"- **{reading.id}. {reading.title}** ({links}). {reading.decided} *Why:* {reading.why}")
    return [*lines, ""]


def _entry(article: Article, shown: Shown, root: Path) -> list[str]:
    facts = [" + ".join(article.served), article.topic]
    if article.by:
        facts.append(_source(article.by, root))
    if article.reason:
        facts.append(f"reason of a {article.reason}")
    lines = [
        f'<a id="{_anchor(article.id)}"></a>',
        f"### {article.id}",
        "",
        f"{article.en}  ",
        f"*{article.it}*",
        "",
        " · ".join(facts),
        "",
    ]
    if article.note:
        lines += [f"Note: {article.note}", ""]
    if cited := shown.get(article.id):
        lines += [*_shown_by(cited), ""]
    elif needs_proof(article):
        lines += ["Shown by its parts." if is_shown(article.id, shown) else "Not shown by a script yet.", ""]
    return lines


def _shown_by(cited: tuple[Proof, ...]) -> Iterator[str]:
    files: dict[str, list[str]] = {}
    for proof in cited:
        files.setdefault(proof.file, []).append(proof.title)
    for file, titles in files.items():
        more = len(titles) - TITLES_SHOWN
        said = "; ".join(titles[:TITLES_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        yield f"- [{file.removeprefix('tests/')}](../../{file}): {said}"


def _link(citation: str, here: str) -> str:
    book, _, number = citation.partition(":")
    page = "" if book == here else f"{book}.md"
    return f"[{number if book == here else citation}]({page}#{_anchor(citation)})"


def _anchor(citation: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "-", citation)


def _source(dotted: str, root: Path) -> str:
    """The name of a function or module, linked to its file."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        for path in (Path(*parts[:count]).with_suffix(".py"), Path(*parts[:count]) / "__init__.py"):
            if (root / path).is_file():
                return f"[`{dotted}`](../../{path.as_posix()})"
    return f"`{dotted}`"


def uncovered(root: Path = ROOT) -> tuple[str, ...]:
    """The articles that `uncovered.txt` lists, in its order."""
    lines = (root / UNCOVERED).read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def uncovered_text(listed: tuple[str, ...]) -> str:
    """`uncovered.txt` with these articles."""
    return "\n".join((
        "# Enforced and detected articles that no hand script or test shows yet. The list only shrinks: show an",
        "# article, run `make docs`, and its line goes.",
        *listed,
        "",
    ))


def main(arguments: list[str] | None = None) -> int:
    """Writes the pages, or with `--check` says which are out of date. Exit status 0, 1 out of date, 2 unreadable."""
    parser = argparse.ArgumentParser(prog="python -m deploy.rules_docs", description="pages of the rulebooks")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a page would change")
    check = parser.parse_args(arguments).check
    try:
        shown = proofs()
        wanted = pages(shown)
        still = set(to_show(shown))
    except (ScriptError, CatalogueError) as error:
        print(error, file=sys.stderr)
        return 2
    wanted[UNCOVERED] = uncovered_text(tuple(citation for citation in uncovered() if citation in still))
    stale = [path for path, text in wanted.items() if not _is_current(ROOT / path, text)]
    for path in stale:
        print(f"{path}: {'out of date; run make docs' if check else 'written'}")
        if not check:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(wanted[path], encoding="utf-8")
    return 1 if check and stale else 0


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
