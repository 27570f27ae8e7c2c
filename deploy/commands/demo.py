"""`bottone demo`: a whole evening on this machine."""

from __future__ import annotations

import argparse

from deploy.arguments import within

HELP = "a room on this machine: broker, hub, tables, dealers and players; plays a tournament to the end"

MAX_TABLES = 12
MAX_HANDS = 100_000
DEFAULT_PORT = 8330


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    add = parser.add_argument
    add("--speed", type=within(float, 0.1, 100_000), default=45.0, metavar="N",
        help="tournament seconds in one second, as long as the tables keep up (45)")  # fmt: skip
    add("--tables", type=within(int, 1, MAX_TABLES), default=3, metavar="N",
        help=f"tables of nine, 1 to {MAX_TABLES} (3)")  # fmt: skip
    add("--seed", default="1", help="the same seed plays the same evening (1)")
    add("--hands", type=within(int, 0, MAX_HANDS), default=0, metavar="N",
        help="stop after N hands at each table (0: play to the last player)")  # fmt: skip
    add("--port", type=within(int, 0, 65_535), default=None, metavar="N",
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
