"""`bottone journal`: a table's journal printed as hand scripts, verified, or exported; it may be in use meanwhile."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firmware_py.journal_records import Line

HELP = "print, verify or export a table's journal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`print`, `verify` and `export` of one file."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    shown = actions.add_parser("print", help="each hand as a hand script, with tabled cards only")
    shown.add_argument("--hand", type=int, metavar="N", help="this hand alone")
    verified = actions.add_parser("verify", help="is the file whole, and as it was written?")
    exported = actions.add_parser("export", help="every entry, one JSON object a line, without unseen cards")
    for action in (shown, verified, exported):
        action.add_argument("file", metavar="FILE", help="journal.sqlite, or the data_dir it lies in")
    verified.add_argument("--json", action="store_true", help="answer with one JSON object")


def run(args: argparse.Namespace) -> int:
    """Exit status: 0 fine, 1 the journal was changed or damaged or has no such hand, 2 no journal."""
    from deploy.errors import WrongUse
    from firmware_py.journal_reading import verify
    from firmware_py.journal_records import JournalError

    try:
        return {"print": _print, "verify": _verify, "export": _export}[args.action](args)
    except JournalError as trouble:
        raise WrongUse(str(trouble)) from trouble
    except Exception:
        found = verify(args.file)
        if not found.trouble:
            raise                # the file is whole: it is our mistake
        print(f"bottone journal: {args.file}: {found.trouble}; it can be read no further", file=sys.stderr)
        return 1


def _print(args: argparse.Namespace) -> int:
    from firmware_py.journal_reading import beginning, read_lines, unit_of
    from firmware_py.journal_script import scripts

    found = False
    for number, text in scripts(read_lines(args.file), unit_of(args.file), beginning(args.file)):
        if args.hand in {None, number}:
            print(text)
            found = True
    if not found:
        print("# no such hand" if args.hand else "# no hand was played")
    return 0 if found or args.hand is None else 1


def _verify(args: argparse.Namespace) -> int:
    from firmware_py.journal_reading import must_be_journal, verify

    must_be_journal(args.file)

    found = verify(args.file)
    if args.json:
        answer = {"file": args.file, "entries": found.entries, "ok": not found.trouble, "trouble": found.trouble}
        print(json.dumps(answer))
    elif found.trouble:
        fine = f"; {found.entries} entries before that are as they were written" if found.entries else ""
        print(f"{args.file}: {found.trouble}{fine}")
    else:
        print(f"{args.file}: {found.entries} entries, whole and as they were written")
    return 1 if found.trouble else 0


def _export(args: argparse.Namespace) -> int:
    from firmware_py.journal_reading import read_lines

    for line in read_lines(args.file):
        print(json.dumps(_plain(line), ensure_ascii=False))
    return 0


def _plain(line: Line) -> dict[str, Any]:
    import msgspec

    return {
        "n": line.n,
        "boot": line.boot,
        "utc_ms": line.utc_ms,
        "at_ms": line.at_ms,
        "source": line.source,
        "deed": msgspec.to_builtins(line.deed, str_keys=True),
        "ruling": line.ruling,
        "events": [{**json.loads(happened.event), "of": happened.of} for happened in line.events],
    }
