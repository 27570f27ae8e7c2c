"""`bottone wiring`: a drawing of the 40-pin header from a unit's own pin map."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "draw which pin goes where, from a table's file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--config", required=True, metavar="FILE", help="the table's file")
    parser.add_argument("--out", type=Path, default=Path("wiring.svg"), metavar="FILE", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    """Writes the drawing and prints its path; 2 for a wrong file."""
    from deploy.errors import WrongUse
    from deploy.wiring import drawing
    from firmware_py.config import ConfigError, load

    try:
        config = load(args.config)
    except ConfigError as trouble:
        raise WrongUse(str(trouble)) from trouble
    args.out.write_text(drawing(config), encoding="utf-8")
    print(args.out)
    return 0
