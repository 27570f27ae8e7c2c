"""Scenes for the panel's tests: real tables of the engine at a moment of a hand, as the panel sees them."""

from engine import rulebook, table
from engine.inputs import ApplyLevel, FirstCard, HoleCardsDealt, Level, PlaceButton, SitDown
from engine.view import Due
from firmware_py.panel_state import Scene

BOOK = rulebook.load("tda")
LEVEL = Level(50, 100)


def played(*inputs, stacks=(10_000, 10_000, 10_000), names=("Anna", "Bruno", "Carla"), level=LEVEL):
    """The table after `inputs`; seats 1, 2, ... have `stacks`, the button is at seat 1."""
    state = table.new_table(10, 25)
    seats = [SitDown(i, f"p{i}", stack, name) for i, (stack, name) in enumerate(zip(stacks, names, strict=True), 1)]
    for what in (*seats, ApplyLevel(level), PlaceButton(1), *inputs):
        state, ruling = table.apply(state, what, BOOK)
        assert ruling.outcome != "refused", (what, ruling)
    return state


def dealt(*inputs, **kwargs):
    """The same, with a hand dealt before `inputs`."""
    return played(FirstCard(), HoleCardsDealt(), *inputs, **kwargs)


def scene(state, **kwargs):
    """What the panel knows of a table."""
    view = table.view(state, BOOK)
    pot = view.pots[-1] if view.due is Due.AWARD and view.pots else None
    legal = table.legal(state, BOOK)
    return Scene(
        view, legal, state.chip, pot, books=("lifeclub", "tda"), penalties=BOOK.penalty_values, **kwargs
    )


def empty(**kwargs):
    """A unit on its first start, before there is a table."""
    return Scene(table.view(table.new_table(10, 25), BOOK), None, 25, books=("lifeclub", "tda"), opened=False, **kwargs)
