"""`bottone script FILE.hand...`: does the rulebook make of these situations what the scripts say?

Every line that held is printed with a mark before it; at the first line that did not, the difference is told in plain
words and the rest of that script is left. All files are read before anything is played, so that a mistyped line in the
last file costs no time. With `--json`, one object a script on a line of its own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.errors import WrongUse

if TYPE_CHECKING:
    from engine.script.lines import Script
    from engine.script.play import Report

HELP = "play hand scripts and say line by line what held"
MARKS = {True: "  ok ", False: "  NO "}
WORDS = {
    "en": {
        "scripts": ("1 script", "{count} scripts"),
        "differ": ("{scripts}, none with a difference", "{scripts}, {failed} with a difference"),
        "left": ("({count} line after it was not played)", "({count} lines after it were not played)"),
        "no_text": ("{where}: no UTF-8 text: save the script as UTF-8",) * 2,
    },
    "it": {
        "scripts": ("1 script", "{count} script"),
        "differ": ("{scripts}, nessuno con differenze", "{scripts}, {failed} con differenze"),
        "left": ("({count} riga dopo non è stata giocata)", "({count} righe dopo non sono state giocate)"),
        "no_text": ("{where}: non è testo UTF-8: lo script si salva come UTF-8",) * 2,
    },
}
"""What the command says of its own: for one or none, and for several."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.hand", help="hand scripts (docs/hand-scripts.md)")
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language of the differences (default en)")
    parser.add_argument("--json", action="store_true", help="one JSON object a script")
    parser.add_argument("--quiet", action="store_true", help="only what did not hold, and the count")


def run(args: argparse.Namespace) -> int:
    """Plays the scripts; 0 all held, 1 something did not, 2 a file could not be read (file and line are named)."""
    from engine.script.parse import parse
    from engine.script.play import play
    from engine.script.words import ScriptError

    try:
        scripts = [script for path in args.files for script in parse(_text(path, args.lang), str(path))]
        reports = [_say(play(script, args.lang), script, args) for script in scripts]
    except ScriptError as wrong:
        raise WrongUse(wrong.said(args.lang)) from wrong
    failed = sum(not report.held for report in reports)
    if not args.json:
        scripts_played = _words(args.lang, "scripts", len(reports) != 1, count=len(reports))
        print(_words(args.lang, "differ", failed > 0, scripts=scripts_played, failed=failed))
    return 1 if failed else 0


def _words(lang: str, what: str, several: bool = False, **values: object) -> str:
    return WORDS[lang][what][several].format(**values)


def _text(path: Path, lang: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = path.read_bytes()[: wrong.start].count(b"\n") + 1
        raise WrongUse(_words(lang, "no_text", where=f"{path}:{line}")) from wrong


def _say(report: Report, script: Script, args: argparse.Namespace) -> Report:
    if args.json:
        _say_json(report)
    elif not args.quiet or not report.held:
        _say_plainly(report, script, args.lang)
    sys.stdout.flush()
    return report


def _say_json(report: Report) -> None:
    import msgspec

    plain = msgspec.to_builtins(report) | {"held": report.held, "difference": msgspec.to_builtins(report.difference)}
    print(msgspec.json.encode(plain).decode())


def _say_plainly(report: Report, script: Script, lang: str) -> None:
    print(f"{report.file}:{report.line}: {report.title} [{report.book}]")
    for finding in report.findings:
        print(f"{MARKS[finding.held]}{finding.line:5}  {finding.text}")
        if not finding.held:
            print(f"       {finding.said}")
    left = len(script.lines) - len(report.findings)
    if left:
        print(f"       {_words(lang, 'left', left > 1, count=left)}")
