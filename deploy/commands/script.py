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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.hand", help="hand scripts (docs/hand-scripts.md)")
    parser.add_argument("--json", action="store_true", help="one JSON object a script")
    parser.add_argument("--quiet", action="store_true", help="only what did not hold, and the count")


def run(args: argparse.Namespace) -> int:
    """Plays the scripts; 0 all held, 1 something did not, 2 a file could not be read (file and line are named)."""
    from engine.script.parse import parse
    from engine.script.play import play
    from engine.script.words import ScriptError

    try:
        scripts = [script for path in args.files for script in parse(_text(path), str(path))]
        reports = [_say(play(script), script, args) for script in scripts]
    except ScriptError as wrong:
        raise WrongUse(str(wrong)) from wrong
    failed = sum(not report.held for report in reports)
    if not args.json:
        count = "1 script" if len(reports) == 1 else f"{len(reports)} scripts"
        print(f"{count}, {failed or 'none'} with a difference")
    return 1 if failed else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = path.read_bytes()[: wrong.start].count(b"\n") + 1
        raise WrongUse(f"{path}:{line}: no UTF-8 text: save the script as UTF-8") from wrong


def _say(report: Report, script: Script, args: argparse.Namespace) -> Report:
    if args.json:
        _say_json(report)
    elif not args.quiet or not report.held:
        _say_plainly(report, script)
    sys.stdout.flush()
    return report


def _say_json(report: Report) -> None:
    import msgspec

    plain = msgspec.to_builtins(report) | {"held": report.held, "difference": msgspec.to_builtins(report.difference)}
    print(msgspec.json.encode(plain).decode())


def _say_plainly(report: Report, script: Script) -> None:
    print(f"{report.file}:{report.line}: {report.title} [{report.book}]")
    for finding in report.findings:
        print(f"{MARKS[finding.held]}{finding.line:5}  {finding.text}")
        if not finding.held:
            print(f"       {finding.said}")
    left = len(script.lines) - len(report.findings)
    if left:
        print(f"       ({left} {'line after it was' if left == 1 else 'lines after it were'} not played)")
