"""A table that begins without a hub: what its configuration or its panel said, done once, also across a kill."""

from __future__ import annotations

from collections.abc import Callable

from engine.inputs import ApplyLevel, PlaceButton, SitDown
from firmware_py.config import Config
from firmware_py.journal import Journal
from firmware_py.journal_records import TableOpened, kept_name
from firmware_py.panel_state import Begin
from firmware_py.reducer import Reducer


def wanted(journal: Journal, config: Config, *, opened: bool) -> Begin | None:
    """What a first start must still set up: something begun before a kill, or the file's [setup]."""
    kept = journal.meta("begin", Begin)
    if journal.meta("begun", bool) or (opened and kept is None):
        return None
    setup = config.setup
    if kept is not None or setup is None or config.hub is not None:
        return kept
    stacks = {place.seat: place.stack for place in setup.seats}
    names = {place.seat: (place.player, place.name) for place in setup.seats}
    blinds = (setup.first_small_blind, setup.first_big_blind)
    return Begin(config.book, setup.level, stacks, setup.button, names, blinds)


def set_up(begin: Begin, reducer: Reducer, config: Config, at_ms: int, put: Callable[..., object]) -> None:
    """Open the table and seat the players; interrupted anywhere, it goes on where it was.

    `put(at_ms, source, input, meta=...)` has one engine input decided and shown.
    """
    if not reducer.opened:
        opened = TableOpened(begin.book, config.size, config.chip)
        reducer.open_table(at_ms, "setup", opened, meta={"begin": begin})
    seated = {seat.seat for seat in reducer.view.seats}
    for seat, stack in begin.stacks.items():
        if seat not in seated:
            player, name = begin.names.get(seat, ("", ""))
            who = player or name or f"seat-{seat}"
            put(at_ms, "setup", SitDown(seat, kept_name(who), stack, kept_name(name)))
    put(at_ms, "setup", ApplyLevel(begin.level), meta={"level": begin.level})
    put(at_ms, "setup", PlaceButton(begin.button, *begin.blinds), meta={"begun": True})
