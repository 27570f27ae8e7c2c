"""`bottone badge`: the hashes of badges laid on a table's reader, for [badges] directors and revoked.

A badge has another number at another kind of reader, so it is read where it will be used. The table must be stopped
meanwhile: one program at a time has the reader. The number itself is shown nowhere.
"""

from __future__ import annotations

import argparse

HELP = "read badges at a table's reader and print their hashes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--config", required=True, metavar="FILE", help="the table's file")
    parser.add_argument("--count", type=int, default=1, help="so many badges, one after another (default 1)")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS", help="for each badge (default 30)")


def run(args: argparse.Namespace) -> int:
    """Prints a line for each badge; 0 all were read, 1 the reader or a badge is missing, 2 a wrong file."""
    import sys

    from deploy.enrolment import ReaderLost, laid
    from deploy.errors import WrongUse
    from firmware_py.config import ConfigError, load
    from firmware_py.journal_records import JournalError

    try:
        for badge in laid(load(args.config), args.count, args.timeout):
            print(badge, flush=True)
    except ReaderLost as lost:
        print(f"bottone badge: {lost}", file=sys.stderr)
        return 1
    except (ConfigError, JournalError, ValueError) as trouble:
        raise WrongUse(str(trouble)) from trouble
    return 0
