"""`bottone ask`: a director tries a situation and sees at each line what the rulebook makes of it.

It reads hand-script lines from a terminal or from a pipe and answers each: the outcome, the reason, the articles with
what they say, and what the table waits for. A line it cannot read costs nothing but its own answer. `--all-books` shows
what each of the six rulebooks makes of the line, those that differ marked; `--json` is one object a line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deploy.errors import WrongUse

if TYPE_CHECKING:
    from engine.script.ask import Asking

HELP = "try a situation line by line and see each ruling with its articles"
PROMPT = "> "
LEAVING = ("quit", "exit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--book", default="lifeclub", help="a rulebook's name or .toml file (default lifeclub)")
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language of the answers (default en)")
    parser.add_argument("--all-books", action="store_true", help="what each rulebook makes of it, side by side")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Answers until the input ends; 0, also after lines that were wrong; 2 if there is no such book."""
    from engine.catalogue import BOOKS
    from engine.rulebook import RulebookError
    from engine.script.ask import Asking

    others = [book for book in BOOKS if book != args.book] if args.all_books else []
    try:
        asking = Asking([args.book, *others], args.lang)
    except RulebookError as wrong:
        raise WrongUse(str(wrong)) from wrong
    for line in _lines():
        if line.strip() in LEAVING:
            break
        _answer(asking, line, args)
        sys.stdout.flush()
    return 0


def _lines() -> Iterator[str]:
    """Lines from the terminal, with history and editing where there is one, or from a pipe."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    import contextlib

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  input() edits its line with it
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            print()
            return


def _answer(asking: Asking, line: str, args: argparse.Namespace) -> None:
    from deploy import asking as say

    word = line.strip()
    if word in ("help", "script"):
        text = say.HELP[args.lang] if word == "help" else asking.script().rstrip()
        print(_json({word: text}) if args.json else text)
        return
    answers = asking.ask(line)
    if not answers:
        return
    if args.json:
        print(_json(say.record(answers, args.lang)))
        return
    if not sys.stdin.isatty():
        print(f"{PROMPT}{word}")
    for said in say.spoken(answers, args.lang, bold=sys.stdout.isatty()):
        print(said)


def _json(what: object) -> str:
    import msgspec

    return msgspec.json.encode(what).decode()
