"""The `bottone` command.

Each module of `deploy/commands/` is one command: `HELP` is its line in `bottone --help`, `add_arguments(parser)` its
options, `run(args)` its work. `run` returns the exit status: 0 fine, 1 the answer is no, 2 wrong use. A command imports
what is heavy inside `run`, so that `bottone --help` answers at once; and a named command loads no other.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import FrameType
from typing import Any, Protocol, cast

from deploy import commands
from deploy.errors import WrongUse

INTERRUPTED = 128 + 2        # the shell's own status for a program ended by Ctrl-C


class Parser(argparse.ArgumentParser):
    """A parser that says itself what it does not know; argparse leaves that to the outermost one, with its usage."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        """As argparse does it, but what is not known ends the program."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown


class Command(Protocol):
    """What a module of `deploy/commands/` offers."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""

    def run(self, args: argparse.Namespace) -> int:
        """Does the work and returns the exit status."""


def names() -> list[str]:
    """Every command, as it is typed: `virtual_table.py` is `virtual-table`."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__))


def load(name: str) -> Command:
    """The module of one command."""
    return cast("Command", importlib.import_module(f"deploy.commands.{name.replace('-', '_')}"))


def parser_for(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """A parser that knows the `wanted` commands."""
    parser = Parser(
        prog="bottone",
        description="Runs live Texas Hold'em tournaments: table units, hub, and what tests them.",
        epilog="exit status: 0 fine, 1 the answer is no, 2 wrong use",
    )
    parser.add_argument("--version", action="version", version=f"bottone {version('bottone')}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, dest="command")
    for name in wanted:
        command = load(name)
        subparser = subparsers.add_parser(name, help=command.HELP, description=command.HELP)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. Trouble that a person can mend is one line on stderr, never a traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    known = names()
    wanted = arguments[:1] if arguments and arguments[0] in known else known
    args = parser_for(wanted).parse_args(arguments)
    before = signal.signal(signal.SIGTERM, _end)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough. Python would complain once more while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except WrongUse as trouble:
        print(f"bottone {args.command}: {trouble}", file=sys.stderr)
        return 2
    except OSError as trouble:
        where = f"{trouble.filename}: " if trouble.filename else ""
        print(f"bottone {args.command}: {where}{trouble.strerror or trouble}", file=sys.stderr)
        return 2
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: FrameType | None) -> None:
    """Ends a command that has no way of its own to end: what it opened is closed, what it started is ended."""
    sys.exit(128 + number)
