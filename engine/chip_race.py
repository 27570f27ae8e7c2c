"""The chip race: small chips leave, and what cannot be changed for bigger ones is raced for.

Every player changes what can be changed. The rest, less than one new chip each, goes into the middle and is changed
there: that makes the chips to win, and what is left below one of them leaves without payment (lifeclub:17.2.c,
tda:24-C) or, where a house has it so, counts as one more when it is half of one or more than half. Nobody wins more
than one chip, and nobody is raced out of the tournament: who would have nothing left is given one new chip.

How the chips are won is the book's:

* `sequential_from_last_sb` (lifeclub:17.2, y2007:levels.3): round after round one card each to everybody who put chips
  in and has not won yet, from the small blind of the last hand, then from the left of the last winner. The highest card
  wins one chip. Suits do not count: of equal ranks the one that was dealt first wins.
* `tda` (tda:24): one card for each small chip, all at once from seat 1. The highest cards win, equal ranks by suit
  (spades, hearts, diamonds, clubs).

A race is a value: `begin` it, `deal` each round, and read the `Outcome`. The chips of the table change by `removed` and
`added` and by nothing else, so that the total stays explained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from engine.cards import INDEX, RANKS, SUITS

Procedure = Literal["sequential_from_last_sb", "tda"]
Ties = Literal["first_received", "suit"]
Rest = Literal["removed", "half_rounds_up", "over_half_rounds_up"]
Dealt = tuple[int, str]
"""One card of a round: who received it, and which."""


class Race(msgspec.Struct, frozen=True):
    """A race between two rounds. Chips by seat; `odd`: what each put in; `prizes`: new chips to win in all.

    `rest`: what is left in the middle below one new chip; negative where the book rounded it up to a whole one.
    """

    procedure: Procedure
    ties: Ties
    old: int
    new: int
    stacks: dict[int, int]
    odd: dict[int, int]
    prizes: int
    rest: int
    start: int                               # the seat that would receive the first card of the next round
    won: tuple[int, ...] = ()                # who won a chip, in order


class Outcome(msgspec.Struct, frozen=True):
    """What a race leaves: `sum(stacks) == before - removed + added`.

    `removed`: small chips that left without payment. `added`: chips that came in beyond equal value, one each for the
    seats of `saved` (who would have had none left) and what rounding up cost.
    """

    stacks: dict[int, int]
    won: tuple[int, ...]
    saved: tuple[int, ...]
    removed: int
    added: int


def begin(
    stacks: Mapping[int, int],
    old: int,
    new: int,
    small_blind: int,
    procedure: Procedure,
    ties: Ties,
    rest_is: Rest = "removed",
) -> Race:
    """The race for chips of `old`, with `new` as the smallest from now on.

    `small_blind` is that of the last hand played. Raises ValueError where chips of `old` cannot make up `new`, or a
    stack is no sum of them.
    """
    if old < 1 or new <= old or new % old:
        raise ValueError(f"chips of {old} cannot be changed for chips of {new}")
    for seat, stack in stacks.items():
        if stack < 1 or stack % old:
            raise ValueError(f"seat {seat} has {stack}: that is no sum of chips of {old}")
    odd = {seat: stack % new for seat, stack in sorted(stacks.items()) if stack % new}
    prizes, rest = divmod(sum(odd.values()), new)
    enough = {"removed": new, "half_rounds_up": (new + 1) // 2, "over_half_rounds_up": new // 2 + 1}[rest_is]
    if rest >= enough:
        prizes, rest = prizes + 1, rest - new
    start = small_blind if procedure == "sequential_from_last_sb" else 1
    return Race(procedure, ties, old, new, dict(stacks), odd, prizes, rest, start)


def to_win(race: Race) -> int:
    """How many chips are still in the middle?"""
    return race.prizes - len(race.won)


def due(race: Race) -> tuple[int, ...]:
    """The seats that receive the cards of the next round, in the order of the deal; none when the race is over."""
    if not to_win(race):
        return ()
    racing = [seat for seat in race.odd if seat not in race.won]
    clockwise = [seat for seat in racing if seat >= race.start] + [seat for seat in racing if seat < race.start]
    if race.procedure == "tda":
        return tuple(seat for seat in clockwise for _ in range(race.odd[seat] // race.old))
    return tuple(clockwise)


def deal(race: Race, cards: Sequence[Dealt]) -> Race:
    """One round: the cards in the order dealt. Raises ValueError where they are not those that are `due`."""
    expected = due(race)
    received = tuple(seat for seat, _ in cards)
    if not expected:
        raise ValueError("no chip is left to race for")
    in_order = race.procedure == "sequential_from_last_sb"
    if received != expected if in_order else Counter(received) != Counter(expected):
        raise ValueError(f"the cards go to {_seats(expected)}, not to {_seats(received)}")
    faces = [card for _, card in cards]
    unread = [card for card in faces if card not in INDEX]
    if unread or len(set(faces)) < len(faces):
        raise ValueError(f"{unread[0]} decides nothing" if unread else "the same card was dealt twice")
    best_first = sorted(range(len(cards)), key=lambda at: _strength(race, cards, at), reverse=True)
    winners = list(dict.fromkeys(received[at] for at in best_first))
    if in_order:
        winner = winners[0]
        return msgspec.structs.replace(race, won=(*race.won, winner), start=winner + 1)
    return msgspec.structs.replace(race, won=tuple(winners[: race.prizes]))


def _strength(race: Race, cards: Sequence[Dealt], at: int) -> tuple[int, int]:
    card = cards[at][1]
    return RANKS.index(card[0]), SUITS.index(card[1]) if race.ties == "suit" else -at


def outcome(race: Race) -> Outcome:
    """The stacks after the race. Raises ValueError while chips are still in the middle."""
    if to_win(race):
        raise ValueError(f"the race is not over: {to_win(race)} chips of {race.new} are in the middle")
    stacks = {
        seat: stack - race.odd.get(seat, 0) + race.won.count(seat) * race.new for seat, stack in race.stacks.items()
    }
    saved = tuple(seat for seat, stack in sorted(stacks.items()) if not stack)
    stacks.update(dict.fromkeys(saved, race.new))
    return Outcome(stacks, race.won, saved, max(0, race.rest), len(saved) * race.new + max(0, -race.rest))


def _seats(seats: Sequence[int]) -> str:
    return f"seats {' '.join(map(str, seats)) or 'none'}"


def colour_ups(payable: Sequence[Sequence[int]], chips: Sequence[int]) -> dict[int, int]:
    """Before which level each kind of chip can leave: the first from which every amount is a multiple of the next kind.

    `payable`: the blinds and antes of each level in order (the first level is 0). A kind that no later level can do
    without stays and is not named. Chips leave from the smallest up: none before a smaller one.
    """
    kinds = sorted(chips)
    leaves: dict[int, int] = {}
    level = 0
    for kind, bigger in pairwise(kinds):
        needs = [at for at, amounts in enumerate(payable) if any(amount % bigger for amount in amounts)]
        level = max(level, needs[-1] + 1 if needs else 0)
        if level >= len(payable):
            break
        leaves[kind] = level
    return leaves
