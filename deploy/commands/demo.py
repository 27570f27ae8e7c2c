"""`bottone demo`: a whole evening on this machine."""

from __future__ import annotations

import argparse

HELP = "a room on this machine: broker, hub, tables, dealers and players; plays a tournament to the end"

MAX_TABLES = 12
DEFAULT_PORT = 8330


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    add = parser.add_argument
    add("--speed", type=_speed, default=45.0, metavar="N",
        help="tournament seconds in one second, as long as the tables keep up (45)")  # fmt: skip
    add("--tables", type=_tables, default=3, metavar="N", help=f"tables of nine, 1 to {MAX_TABLES} (3)")
    add("--seed", default="1", help="the same seed plays the same evening (1)")
    add("--hands", type=_count, default=0, metavar="N",
        help="stop after N hands at each table (0: play to the last player)")  # fmt: skip
    add("--port", type=_port, default=None, metavar="N",
        help=f"port of the web page on the loopback, 0 for any ({DEFAULT_PORT}, or any if it is taken)")  # fmt: skip
    add("--lang", choices=("en", "it"), default="en", help="language of terminal and panels (en)")


def run(args: argparse.Namespace) -> int:
    """Plays the evening."""
    from deploy.broker import free_port
    from deploy.demo import Plan, play
    from deploy.errors import WrongUse

    port = free_port(DEFAULT_PORT if args.port is None else args.port)
    if args.port and port != args.port:
        raise WrongUse(f"port {args.port} is taken: name another one with --port, or 0 for any")
    return play(Plan(args.tables, seed=args.seed, speed=args.speed, rounds=args.hands, port=port, lang=args.lang))


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 100_000:
        raise argparse.ArgumentTypeError("give 0.1 to 100000")
    return value


def _tables(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not 1 <= value <= MAX_TABLES:
        raise argparse.ArgumentTypeError(f"give 1 to {MAX_TABLES}")
    return value


def _count(text: str) -> int:
    value = int(text) if text.isdecimal() else -1
    if value < 0:
        raise argparse.ArgumentTypeError("give 0 or more")
    return value


def _port(text: str) -> int:
    value = int(text) if text.isdecimal() else -1
    if not 0 <= value < 65536:
        raise argparse.ArgumentTypeError("give 0 to 65535")
    return value
