"""What a light table plays: an endless evening of public events, step by step, the same for the same unit.

Every step is what one press would commit. Seats are refilled by whoever the hub sends. In some hands the dealer takes
something back after an elimination: the hand is told again under a higher revision, and somebody else goes out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import wire
from engine.inputs import Level
from engine.view import SeatView
from firmware_py.journal_records import Out

SEATS = 6
STACK = 1000
LEVEL = Level(50, 100, number=1)


def hand(unit: str, number: int, players: dict[int, str]) -> list[list[Out]]:
    """The steps of one hand: who sits in `players` (seat -> name) when it begins."""
    chance = random.Random(f"{unit}/{number}")
    steps = list(_told(chance, number, 0, players))
    if chance.random() < 0.25:
        again = list(_told(chance, number, 1, players))
        steps += [again[0] + again[1], *again[2:]]  # what an undo publishes anew comes in one transaction
    return steps


def _told(chance: random.Random, number: int, rev: int, players: dict[int, str]) -> Iterator[list[Out]]:
    seats = sorted(players)
    stacks = dict.fromkeys(seats, STACK)
    views = tuple(SeatView(seat, players[seat], players[seat].title(), STACK) for seat in seats)
    yield [Out(number, rev, wire.HandStarted(seats[0], seats[0], seats[-1], LEVEL, views, stacks, 150))]
    for _ in range(chance.randint(3, 8)):
        seat = chance.choice(seats)
        yield [Out(number, rev, wire.Action(seat, "raise_to", chance.randint(100, 900), 500, 900, seats[0], 100))]
    yield [Out(number, rev, wire.StreetOpened("flop", ("Ah", "Kd", "2c"), 900, seats[0]))]
    end = [Out(number, rev, wire.HandEnded(stacks, 0, seats[0], seats[0], seats[-1]))]
    if len(seats) > 2 and chance.random() < 0.7:
        loser = chance.choice(seats)
        end.append(Out(number, rev, wire.Eliminated(loser, players[loser], STACK)))
    yield end
