"""`bottone virtual-table`: a table to try by hand, with its real process and simulated devices.

The display and the lamps are printed at every change; a line of letters presses keys, turns the knob and deals cards.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deploy.virtual_table import Glance, TableFile, VirtualTable

HELP = "try a table by hand: keys, knob and shoe from the terminal"
KEYS = "f FOLD  c CHECK/CALL  r BET/RAISE  a ALL-IN  d DEAL  u UNDO  t TIME  o FLOOR"
MORE = "+ - turn the knob  * / pushed in  p push it  s shuffled deck into the shoe  n next card  q quit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Players, stacks and blinds; without players the table asks for them on its display."""
    parser.add_argument("--players", type=int, default=6, metavar="N", help="seats taken, 0 to 10 (default: 6)")
    parser.add_argument("--stack", type=int, default=10_000, metavar="CHIPS", help="each player's chips")
    parser.add_argument("--chip", type=int, default=25, metavar="CHIPS", help="smallest chip (default: 25)")
    parser.add_argument("--book", default="lifeclub", help="rulebook: a name or a .toml file (default: lifeclub)")
    parser.add_argument("--lang", "--language", choices=("it", "en"), default="en", help="of the display")
    parser.add_argument("--hub", metavar="FILE", help="a running hub's file: the table joins it, the hub seats players")
    parser.add_argument("--table", type=int, default=1, metavar="N", help="with --hub: which table (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Plays until `q` or the end of the input. Exit status 0; 2 if the table cannot be as asked."""
    import tempfile
    from pathlib import Path

    from deploy import at_hub
    from deploy.errors import WrongUse
    from deploy.virtual_table import TableSilent, VirtualTable

    print(f"{KEYS}\n{MORE}\n")
    try:
        if args.hub:
            file, folder = at_hub.join(args.hub, args.table, args.lang)
            with VirtualTable(folder, file) as table:
                _play(table)
            return 0
        with tempfile.TemporaryDirectory(prefix="bottone-table-") as name:
            with VirtualTable(Path(name), _alone(args)) as table:
                _play(table)
            print(f"journal: {table.journal} (gone with this command)")
    except TableSilent as trouble:
        raise WrongUse(str(trouble)) from trouble
    return 0


def _alone(args: argparse.Namespace) -> TableFile:
    """A table without a hub. Raises WrongUse where it could not be played, naming the option."""
    from deploy.errors import WrongUse
    from deploy.virtual_table import TableFile

    if not 0 <= args.players <= 10 or args.players == 1:
        raise WrongUse(f"--players {args.players}: a table has 2 to 10 players, or 0 to be asked for them")
    if args.chip < 1:
        raise WrongUse(f"--chip {args.chip}: the smallest chip is at least 1")
    if args.stack < 1 or args.stack % args.chip:
        raise WrongUse(f"--stack {args.stack}: give a multiple of the smallest chip, {args.chip}")
    setup = {
        "small_blind": 2 * args.chip, "big_blind": 4 * args.chip, "button": 1,
        "seats": [{"seat": seat, "stack": args.stack, "name": f"Player {seat}"} for seat in range(1, args.players + 1)],
    }  # fmt: skip
    return TableFile(book=args.book, language=args.lang, chip=args.chip, more={"setup": setup} if args.players else {})


def _play(table: VirtualTable) -> None:
    shown = table.glance()
    print(_picture(shown))
    for line in sys.stdin:
        for letter in line.strip():
            if letter == "q":
                return
            _do(table, letter)
        if (seen := table.glance()) != shown:
            shown = seen
            print(_picture(shown))


def _do(table: VirtualTable, letter: str) -> None:
    import random

    from drivers.seen import Key
    from engine.cards import DECK

    keys = dict(zip("fcradut", Key, strict=False)) | {"o": Key.FLOOR}
    if letter in keys:
        table.press(keys[letter])
    elif letter in "+-*/":
        table.turn(1 if letter in "+*" else -1, pushed=letter in "*/")
    elif letter == "p":
        table.push()
    elif letter == "s":
        deck = list(DECK)
        random.shuffle(deck)
        table.shuffle(deck)
    elif letter == "n" and table.shoe is not None and table.shoe.device.deck:
        table.draw()
    elif not letter.isspace():
        print(f"{letter!r}: {KEYS}  {MORE}")


def _picture(seen: Glance) -> str:
    """Display, lamps and clock, as four lines in a frame."""
    lines = [f"  |{line}|" for line in seen.prompt]
    lines[0] += f"  {seen.face}"
    lines[1] += f"  board {' '.join(seen.view.board) or '-'}"
    bets = {seat.seat: f"({seat.bet})" if seat.bet else "" for seat in seen.view.seats}
    lines[2] += "  " + " ".join(f"{seat.seat}:{seat.stack}{bets[seat.seat]}" for seat in seen.view.seats)
    lines[3] += f"  lit: {' '.join(key.value for key in seen.lamps)}"
    return "\n".join(lines) + "\n"
