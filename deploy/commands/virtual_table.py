"""`bottone virtual-table`: a table to try in a browser, with its real process and simulated devices."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from deploy.arguments import within

if TYPE_CHECKING:
    from deploy.virtual_table import TableFile

HELP = "try a table in the browser: keys, knob, badges, a shoe to stack or spoil, the displays' real bytes"
SHOES = ("osp1", "angel_eye_ii_ex", "bee_tek", "barcode", "rfid_deck")
READERS = ("rdm6300", "id12la", "pn532", "wedge")
NAMES = ("Ada", "Bruno", "Carla", "Dino", "Elena", "Fabio", "Gina", "Ugo", "Irma", "Leo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Players, stacks and blinds; without players the table asks for them on its display."""
    parser.add_argument("--players", type=int, default=6, metavar="N", help="seats and players, to 10 (default: 6)")
    parser.add_argument("--stack", type=int, default=10_000, metavar="CHIPS", help="of each player (default: 10000)")
    parser.add_argument("--chip", type=int, default=25, metavar="CHIPS", help="smallest chip (default: 25)")
    parser.add_argument("--book", default="lifeclub", help="rulebook: a name or a .toml file (default: lifeclub)")
    parser.add_argument("--lang", "--language", choices=("it", "en"), default="en",
                        help="of the table's display (default: en)")  # fmt: skip
    parser.add_argument("--shoe", choices=(*SHOES, "none"), default="osp1", help="which is simulated (default: osp1)")
    parser.add_argument("--badge", choices=(*READERS, "none"), default="rdm6300", help="reader (default: rdm6300)")
    parser.add_argument("--hub", metavar="FILE", help="a running hub's file: the table joins it, the hub seats players")
    parser.add_argument("--table", type=int, metavar="N", help="with --hub: which table (default: 1)")
    parser.add_argument("--port", type=within(int, 0, 65_535), default=0, metavar="N",
                        help="of the page, on this machine only (default: a free one)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C or SIGTERM. Exit status 0; 2 if the table cannot be as asked."""
    import asyncio
    import contextlib
    import tempfile
    from pathlib import Path

    import msgspec

    from deploy import at_hub
    from deploy.errors import WrongUse
    from deploy.virtual_page.serve import serve
    from deploy.virtual_page.stand import Stand
    from deploy.virtual_table import TableSilent
    from hub.config import ConfigError

    number = 1 if args.table is None else args.table
    with contextlib.ExitStack() as stack:
        if args.hub:
            file, folder = at_hub.join(args.hub, number, args.lang)
        else:
            file = _alone(args)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bottone-table-")))
        try:
            devices = {"shoe": args.shoe.replace("none", ""), "badge": args.badge.replace("none", "")}
            stand = Stand(folder, msgspec.structs.replace(file, **devices), number)
            asyncio.run(serve(stand, args.port, lambda address: print(f"virtual table {address}", flush=True)))
        except (TableSilent, ConfigError) as trouble:
            raise WrongUse(str(trouble)) from trouble
    return 0


def _alone(args: argparse.Namespace) -> TableFile:
    """A table without a hub. Raises WrongUse where it could not be played, naming the option."""
    from deploy.errors import WrongUse
    from deploy.virtual_table import TableFile

    if args.table is not None:
        raise WrongUse(f"--table {args.table}: a table's number is a hub's; give its file with --hub")
    if not 0 <= args.players <= len(NAMES) or args.players == 1:
        raise WrongUse(f"--players {args.players}: a table has 2 to 10 players, or 0 to be asked for them")
    if args.chip < 1:
        raise WrongUse(f"--chip {args.chip}: the smallest chip is at least 1")
    if args.stack < 1 or args.stack % args.chip:
        raise WrongUse(f"--stack {args.stack}: give a multiple of the smallest chip, {args.chip}")
    setup = {
        "small_blind": 2 * args.chip, "big_blind": 4 * args.chip, "button": 1,
        "seats": [{"seat": seat, "stack": args.stack, "name": NAMES[seat - 1]} for seat in range(1, args.players + 1)],
    }  # fmt: skip
    return TableFile(
        book=args.book, language=args.lang, chip=args.chip, size=args.players or len(NAMES),
        more={"setup": setup} if args.players else {},
    )  # fmt: skip
