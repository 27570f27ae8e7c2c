"""`bottone rulebook show|diff|check`: what a rulebook says, where two differ, whether a house book is right.

A book is a name (`lifeclub`) or a .toml file. `show` prints every value with its unit, the article behind it, where it
comes from (text, resolution, inference, default) and what it decides; `diff` the values in which two books differ;
`check` names file, line and key of the first mistake of each file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deploy.errors import WrongUse

if TYPE_CHECKING:
    from engine.rulebook import Rulebook

HELP = "show a rulebook's values, compare two, check a house book"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    what = parser.add_subparsers(metavar="show|diff|check", required=True, dest="what")
    show = what.add_parser("show", help="every value with unit, article, source and meaning")
    show.add_argument("book", help="lifeclub, y2007, dalvivo, cortile, fipos, tda or a .toml file")
    diff = what.add_parser("diff", help="the values in which two books differ; exit status 1 if there are any")
    diff.add_argument("books", nargs=2, metavar="BOOK", help="a name or a .toml file")
    check = what.add_parser("check", help="is each file a rulebook? exit status 1 if one is not")
    check.add_argument("files", nargs="+", metavar="FILE", help="a .toml file, or a name")
    for command in (show, diff):
        command.add_argument("--lang", choices=("en", "it"), default="en", help="language of the meanings (default en)")
    for command in (show, diff, check):
        command.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    """Shows, compares or checks; 0 fine, 1 they differ or a file is wrong, 2 no such book."""
    if args.what == "check":
        return _check(args)
    return _show(args) if args.what == "show" else _diff(args)


def _load(name: str) -> Rulebook:
    from engine.rulebook import RulebookError, load

    try:
        return load(name)
    except RulebookError as wrong:
        raise WrongUse(str(wrong)) from wrong


def _rows(book: Rulebook, lang: str) -> dict[str, dict[str, Any]]:
    """Everything there is to say about each value of a book, by key."""
    from engine.catalogue import values
    from engine.rulebook import KEYS

    return {
        key: {
            "value": getattr(book, key),
            "unit": values.unit(key, lang),
            "articles": book.origins[key].citations,
            "source": book.origins[key].source,
            "resolution": book.origins[key].resolution,
            "meaning": values.meaning(key, lang),
            "told": values.mark(key, lang) != "",
        }
        for key in KEYS
    }


def _show(args: argparse.Namespace) -> int:
    from engine.catalogue import values

    book = _load(args.book)
    rows = _rows(book, args.lang)
    if args.json:
        _print_json({"id": book.id, "name": book.name, "values": rows})
        return 0
    print(f"{book.id}: {book.name}")
    for title, keys in values.sections(args.lang):
        print(f"\n{title}")
        for key in keys:
            print(_line(key, rows[key], args.lang))
    return 0


def _line(key: str, row: dict[str, Any], lang: str) -> str:
    from engine.catalogue import values

    value = values.written(row["value"])
    counted = f"{value} {row['unit']}" if row["unit"] and any(map(str.isdigit, value)) else value
    source = values.source(row["source"], lang)
    behind = f"{source} {row['resolution']}" if row["resolution"] else source
    meaning = f"{row['meaning']} {values.mark(key, lang)}".rstrip()
    return f"  {key:<30} {counted:<34} [{' '.join(row['articles'])}] {behind}: {meaning}"


def _diff(args: argparse.Namespace) -> int:
    from engine.catalogue import values

    one, two = (_load(name) for name in args.books)
    rows = [_rows(book, args.lang) for book in (one, two)]
    differ = [key for key in rows[0] if rows[0][key]["value"] != rows[1][key]["value"]]
    if args.json:
        _print_json({"books": (one.id, two.id), "differ": {key: [part[key] for part in rows] for key in differ}})
        return 1 if differ else 0
    for title, keys in values.sections(args.lang):
        here = [key for key in keys if key in differ]
        if here:
            print(title)
        for key in here:
            print(f"  {key}: {rows[0][key]['meaning']}")
            for book, part in zip((one, two), rows, strict=True):
                cited = " ".join(part[key]["articles"])
                print(f"    {book.id:<12} {values.written(part[key]['value']):<40} [{cited}]")
    print("1 value differs" if len(differ) == 1 else f"{len(differ) or 'no'} values differ")
    return 1 if differ else 0


def _check(args: argparse.Namespace) -> int:
    from engine.rulebook import KEYS, RulebookError, load

    found: list[dict[str, Any]] = []
    missing: list[str] = []
    for name in args.files:
        if name.endswith(".toml") and not Path(name).is_file():
            missing.append(name)
            continue
        try:
            book = load(name)
        except RulebookError as wrong:
            found.append({"file": name, "ok": False, "wrong": str(wrong)})
            continue
        own = sum(origin.citation.startswith(f"{book.id}:") for origin in book.origins.values())
        found.append({"file": name, "ok": True, "id": book.id, "values": len(KEYS), "own": own})
    if args.json:
        _print_json(found)
    else:
        for row in found:
            print(_found(row) if row["ok"] else row["wrong"])
    if missing:
        raise WrongUse(f"{', '.join(missing)}: no such file")
    return 0 if all(row["ok"] for row in found) else 1


def _found(row: dict[str, Any]) -> str:
    return f"{row['file']}: {row['id']}, {row['values']} values, {row['own']} by its own articles"


def _print_json(what: Any) -> None:
    import msgspec

    print(msgspec.json.encode(what).decode())
