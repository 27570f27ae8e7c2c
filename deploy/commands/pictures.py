"""`bottone pictures --out FOLDER`: what the LED clock and the prompt display show, as PNG, from their real bytes."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "draw what a table's displays show, for documents"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    folder = Path("docs/pictures")
    parser.add_argument("--out", type=Path, default=folder, metavar="FOLDER", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    """Draws all pictures and prints their paths."""
    from deploy.errors import WrongUse

    if args.out.exists() and not args.out.is_dir():
        raise WrongUse(f"{args.out}: no folder; name one with --out")

    from deploy.pictures import draw_all

    for path in draw_all(args.out):
        print(path)
    return 0
