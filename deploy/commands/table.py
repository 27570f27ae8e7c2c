"""`bottone table`: one table's process, and the small things an installer asks of it."""

from __future__ import annotations

import argparse
import getpass
import logging
import sys

HELP = "run one table unit"

SOFTWARE = 70  # sysexits.h EX_SOFTWARE: our own mistake; systemd starts the unit again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--config` runs the table; `--check` and the two `--hash` options look or print, and end."""
    parser.add_argument("--config", metavar="FILE", help="the table's file; deploy/examples/table.toml is one")
    parser.add_argument("--check", action="store_true", help="read the file, say what is wrong with it, and end")
    parser.add_argument("--hash-badge", metavar="UID", help="print the hash of a badge, for [badges] directors")
    parser.add_argument("--hash-pin", action="store_true", help="ask for a director's PIN and print its hash")
    parser.add_argument("--verbose", action="store_true", help="say more on stderr")


def run(args: argparse.Namespace) -> int:
    """Exit status: 0 after SIGTERM or SIGINT, 2 for a file or journal that cannot be used, 70 for our own mistakes."""
    from deploy.errors import WrongUse
    from firmware_py.badges import badge_hash, pin_hash
    from firmware_py.config import ConfigError, load

    if args.hash_pin:
        print(pin_hash(_asked_pin()))
        return 0
    if not args.config:
        raise WrongUse("--config FILE is missing; deploy/examples/table.toml is an example")
    try:
        config = load(args.config)
    except ConfigError as trouble:
        raise WrongUse(str(trouble)) from trouble
    if args.hash_badge:
        from deploy.enrolment import key_of

        print(badge_hash(key_of(config), args.hash_badge))
        return 0
    if args.check:
        print(f"{args.config}: fine")
        return 0
    level = logging.DEBUG if args.verbose else logging.INFO
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    return _run_unit(config)


def _run_unit(config: object) -> int:
    from deploy.errors import WrongUse
    from drivers.pins import PanelRefused
    from engine.rulebook import RulebookError
    from firmware_py.config import Config, ConfigError
    from firmware_py.journal_records import JournalError
    from firmware_py.sd_notify import Notifier
    from firmware_py.unit import Unit

    assert isinstance(config, Config)
    notifier = Notifier.from_environment()
    try:
        return Unit(config, notifier).run()
    except (ConfigError, JournalError, RulebookError, PanelRefused) as trouble:
        notifier.say(f"STATUS={trouble}")
        raise WrongUse(str(trouble)) from trouble
    except Exception as mistake:
        logging.getLogger("bottone").critical(
            "this is a mistake of the program, not yours; the table starts again where the last press left it",
            exc_info=mistake,
        )
        notifier.say(f"STATUS=stopped by {type(mistake).__name__}: {mistake}")
        return SOFTWARE


def _asked_pin() -> str:
    """Four of the digits 1 to 8, typed without showing them. Raises WrongUse."""
    from deploy.errors import WrongUse

    pin = getpass.getpass("PIN (four digits, 1 to 8): ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    if len(pin) != 4 or set(pin) - set("12345678"):
        raise WrongUse("a PIN has four digits from 1 to 8: the panel has eight keys")
    return pin
