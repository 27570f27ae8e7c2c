"""What the simulated players do: one pure decision, from what a player at the table sees and the two cards they hold.

A player estimates the chance to win by dealing the unknown cards some twenty times, compares it with the price of the
pot, and then follows a temper of their own. Nothing here is clever; it is meant to make hands that look like a club's
evening: folds, limps, raises, bluffs, short stacks that go all in. Every choice comes from the player's own seeded
generator, so the same seed plays the same hands.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random

import msgspec

from engine.cards import DECK
from engine.ranking import strength
from engine.view import Legal, Part, TableView

SAMPLES = 24
SHORT_STACK = 9              # big blinds; with fewer a player pushes or folds
BOARD_CARDS = 5


class Size(StrEnum):
    """How much a player bets or raises to, in the words of the knob."""

    LEAST = "least"
    HALF_POT = "half_pot"
    POT = "pot"
    ALL_IN = "all_in"


class Fold(msgspec.Struct, frozen=True):
    """The player folds."""


class CheckCall(msgspec.Struct, frozen=True):
    """The player checks, or calls what there is to call."""


class BetRaise(msgspec.Struct, frozen=True):
    """The player bets or raises; `more`: smallest chips on top of `size`, for players who like crooked amounts."""

    size: Size
    more: int = 0


Choice = Fold | CheckCall | BetRaise


class Temper(msgspec.Struct, frozen=True):
    """A player's way: `loose` 0 to 1 calls more, `bold` 0 to 1 bets more, `crooked` adds odd chips to a bet."""

    loose: float
    bold: float
    crooked: bool

    @classmethod
    def of(cls, rng: Random) -> Temper:
        """A temper drawn for a new player."""
        return cls(loose=rng.uniform(0.1, 0.6), bold=rng.uniform(0.1, 0.7), crooked=rng.random() < 0.2)


def chance(own: tuple[str, str], board: tuple[str, ...], opponents: int, rng: Random) -> float:
    """The chance to win against `opponents` unknown hands, 0 to 1; sampled, ties count half."""
    unseen = [card for card in DECK if card not in own and card not in board]
    missing = BOARD_CARDS - len(board)
    won = 0.0
    for _ in range(SAMPLES):
        drawn = rng.sample(unseen, missing + 2)
        full = (*board, *drawn[:missing])
        mine, theirs = strength((*own, *full)), strength((*drawn[missing:], *full))
        won += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    # Each further opponent is a little less likely to be beaten than the one before is independent of it.
    return float((won / SAMPLES) ** (1 + 0.7 * (opponents - 1)))


def choose(view: TableView, legal: Legal, own: tuple[str, str], temper: Temper, rng: Random) -> Choice:
    """What the player in `legal.seat` does now."""
    opponents = sum(seat.part in (Part.LIVE, Part.ALL_IN) for seat in view.seats) - 1
    good = chance(own, view.board, max(opponents, 1), rng)
    mood = rng.random()
    price = legal.to_call / (legal.pot + legal.to_call) if legal.to_call else 0.0
    may_raise = legal.bet or legal.raise_to
    if may_raise and _is_short(view, legal) and not view.board:
        return _push_or_fold(legal, good, price, temper, mood)
    if may_raise and good > price + 0.22 and mood < 0.35 + temper.bold / 2:
        return _bet(good, temper, rng)
    if legal.to_call == 0:
        bluffs = may_raise and mood < temper.bold * 0.15
        return BetRaise(Size.HALF_POT) if bluffs else CheckCall()
    if good > price * (1.3 - temper.loose / 2):
        return CheckCall()
    return Fold()


def _is_short(view: TableView, legal: Legal) -> bool:
    big_blind = view.level.big_blind if view.level else 1
    return legal.all_in_to < SHORT_STACK * big_blind


def _push_or_fold(legal: Legal, good: float, price: float, temper: Temper, mood: float) -> Choice:
    if good > 0.36 - temper.bold / 4 or mood < 0.04:
        return BetRaise(Size.ALL_IN)
    if legal.to_call == 0 or good > price:
        return CheckCall()
    return Fold()


def _bet(good: float, temper: Temper, rng: Random) -> BetRaise:
    if good > 0.85 and rng.random() < temper.bold * 0.25:
        return BetRaise(Size.ALL_IN)
    size = rng.choice((Size.LEAST, Size.HALF_POT, Size.HALF_POT, Size.POT))
    return BetRaise(size, rng.randrange(1, 4) if temper.crooked else 0)
