"""`bottone deck register|list|retire`: decks with a tag in every card.

`register` guides a person through the 52 cards at a PN532 reader, then through all of them once more, and writes the
registry; interrupted, it has written nothing. A deck whose card was replaced is registered again under its name. The
table that uses the registry must be stopped meanwhile if the reader is its own; it reads the registry when it starts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.errors import WrongUse

if TYPE_CHECKING:
    from drivers.deck_registry import Registry

HELP = "register, list or retire decks of tagged cards"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    what = parser.add_subparsers(metavar="register|list|retire", required=True, dest="what")
    register = what.add_parser("register", help="read the 52 cards of a deck, guided")
    register.add_argument("--port", required=True, help="the reader's serial port, /dev/serial/by-id/...")
    register.add_argument("--back", default="", help="colour of the backs")
    register.add_argument("--by", required=True, metavar="NAME", help="who registers")
    listing = what.add_parser("list", help="the decks there are")
    listing.add_argument("--json", action="store_true", help="for programs")
    retire = what.add_parser("retire", help="a deck goes out of use")
    for command in (register, retire):
        command.add_argument("deck", metavar="DECK", help="its name: letters, digits, _ or -")
    for command in (register, listing, retire):
        command.add_argument("--registry", required=True, metavar="FILE", help="as [shoe] registry of the table")


def run(args: argparse.Namespace) -> int:
    """Does it; 0 done, 1 the reader cannot be had, 2 no such deck or file."""
    from drivers.deck_registry import RegistryError, load, save

    path = Path(args.registry)
    try:
        registry = load(path)
        if args.what == "list":
            return _list(registry, path, as_json=args.json)
        if args.what == "retire":
            save(path, registry.retired(args.deck))
            print(f"deck {args.deck} is out of use")
            return 0
        return _register(args, path, registry)
    except (RegistryError, OSError) as trouble:
        raise WrongUse(str(trouble)) from trouble


def _register(args: argparse.Namespace, path: Path, registry: Registry) -> int:
    from datetime import UTC, datetime

    from deploy.deck_desk import line_for, register
    from drivers.deck_registry import save
    from drivers.tag_reader import TagReader, TagReaderLost

    reader = TagReader(args.port)
    reader.start()
    try:
        cards = register(reader, registry, args.deck, lambda step: print(line_for(step), flush=True))
    except TagReaderLost as lost:
        print(f"bottone deck: {lost}; nothing was written", file=sys.stderr)
        return 1
    finally:
        reader.stop()
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    written = registry.with_deck(args.deck, args.back, now, args.by, cards)
    save(path, written)
    print(f"deck {args.deck}, generation {written.decks[-1].generation}, is in {path}")
    return 0


def _list(registry: Registry, path: Path, *, as_json: bool) -> int:
    import msgspec

    if as_json:
        print(msgspec.json.encode(registry.decks).decode())
        return 0
    if not registry.decks:
        print(f"bottone deck: no deck in {path} yet; register one: bottone deck register NAME", file=sys.stderr)
    for deck in registry.decks:
        use = "live" if deck.live else "out of use"
        print(f"{deck.deck:16} generation {deck.generation}  {use:10}  {deck.back:10} {deck.registered}  {deck.by}")
    return 0
