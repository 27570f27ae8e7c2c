"""`bottone replay FILE.phh...`: plays recorded hands and compares the final stacks with what the files state.

By default each hand goes through a whole virtual unit: keys are pressed, amounts dialled on the knob, cards pulled from
the shoe, stacks read from what the table shows. `--engine-only` gives the same inputs to the rules themselves.

One line a file: with `--json` the object `{"file", "stacks", "ok"}`, where `stacks` stand in the file's order of
players and `ok` is true, false, or null when the file states no final stacks. A half chip that a file states (a pot
split by calculation) is met by whole chips, the odd one left of the button. `why` is added where a file could not be
played to its end (`ok` false), is no hand at all, or is of a game that is not played yet (`stacks` and `ok` null).

Exit status: 1 if any `ok` is false; otherwise 2 if a file could not be read or is of a game that is not played; else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from deploy.errors import WrongUse

if TYPE_CHECKING:
    from engine.phh import Hand
    from engine.rulebook import Rulebook

MAX_FILE_BYTES = 1 << 20
UNITS_AT_ONCE = 4  # a unit mostly waits: for its disk, and for its keys to settle
HELP = "play recorded hands (PHH files) and compare the final stacks"

Play = Callable[["Hand"], tuple[int, ...]]


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one file."""

    file: str
    stacks: tuple[int, ...] | None
    ok: bool | None
    why: str = ""

    @property
    def read(self) -> bool:
        """Could the file be played at all?"""
        return self.stacks is not None or self.ok is False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.phh", help="recorded hands")
    parser.add_argument("--json", action="store_true", help="one JSON object a file")
    parser.add_argument("--book", default="tda", help="rulebook: a name or a .toml file (default: tda)")
    parser.add_argument("--engine-only", action="store_true", help="the rules alone, without keys, shoe and journal")


def run(args: argparse.Namespace) -> int:
    """Plays the files and prints a line for each, in their order, as soon as it is known."""
    from engine.rulebook import RulebookError, load

    try:
        book = load(args.book)
    except RulebookError as wrong:
        raise WrongUse(str(wrong)) from wrong
    if args.engine_only:
        from engine.phh import deal
        from engine.replay import RulesTable, play

        def play_one(hand: Hand) -> tuple[int, ...]:
            return play(hand, deal(hand), RulesTable(hand, book))
    else:
        from deploy.unit_replay import play_one_at_a_unit

        # The unit runs in a folder of its own: a house book is named by its whole path.
        at_home = str(Path(args.book).resolve()) if args.book.endswith(".toml") else args.book

        def play_one(hand: Hand) -> tuple[int, ...]:
            return play_one_at_a_unit(hand, at_home)

    results = []
    with ThreadPoolExecutor(1 if args.engine_only else UNITS_AT_ONCE, "replay") as players:
        for result in players.map(lambda path: _result(path, play_one, book), args.files):
            results.append(result)
            print(msgspec.json.encode(result).decode() if args.json else _row(result), flush=True)
    if not args.json:
        print(_count(results), flush=True)
    return _status(results)


def _result(path: Path, play_one: Play, book: Rulebook) -> Result:
    from engine.phh import NotPlayedError, PhhError, read, whole_stacks

    name = str(path)
    try:
        hand = read(_text(path))
        wanted = None if hand.finishing is None else whole_stacks(hand.finishing)
    except OSError as trouble:
        return Result(name, None, None, trouble.strerror or str(trouble))
    except NotPlayedError as other:
        return Result(name, None, None, str(other))
    except PhhError as wrong:
        return Result(name, None, None, f"no hand: {wrong}")
    if hand.players > book.table_max:
        crowd = f"{hand.players} players: {book.id} seats at most {book.table_max} at a table"
        return Result(name, None, None, crowd)
    try:
        stacks = play_one(hand)
    except PhhError as wrong:
        return Result(name, None, False, str(wrong))
    if wanted is None or stacks == wanted:
        return Result(name, stacks, None if wanted is None else True)
    return Result(name, stacks, False, f"the file states {' '.join(map(str, wanted))}")


def _text(path: Path) -> str:
    """What the file says. **Raises** OSError, PhhError."""
    from engine.phh import PhhError

    with path.open("rb") as file:
        raw = file.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise PhhError(f"more than {MAX_FILE_BYTES} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise PhhError(f"no UTF-8 text from byte {wrong.start} on") from wrong


def _row(result: Result) -> str:
    mark = {True: "ok", False: "NO", None: "--"}[result.ok]
    stacks = " ".join(map(str, result.stacks or ()))
    why = result.why or ("(the file states no final stacks)" if result.ok is None else "")
    return f"{mark}  {result.file}: {stacks}{' ' if stacks and why else ''}{why}"


def _count(results: list[Result]) -> str:
    count = "1 hand" if len(results) == 1 else f"{len(results)} hands"
    differ = sum(result.ok is False for result in results)
    silent = sum(result.ok is None for result in results)
    return f"{count}, {differ or 'none'} with a difference" + (f", {silent} with nothing to compare" if silent else "")


def _status(results: list[Result]) -> int:
    if any(result.ok is False for result in results):
        return 1
    unread = sum(not result.read for result in results)
    if unread:
        print(
            f"bottone replay: not played: {unread} of {len(results)}, the first {_first_reason(results)}",
            file=sys.stderr,
        )
    return 2 if unread else 0


def _first_reason(results: list[Result]) -> str:
    result = next(result for result in results if not result.read)
    return f"{result.file}: {result.why}"
