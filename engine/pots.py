"""Pots: how the chips in the middle divide among the seats that can win them, and how a pot is cut.

Chips are sliced at the amounts of the all-in hands, from the lowest up. A seat can win a slice if its hand is in and it
is not all-in for less. Slices with the same seats are one pot; a slice that nobody can win (its contributors folded, or
the floor killed the deepest hand) falls into the pot below, so that chips never vanish. Antes are sliced by themselves,
before the bets: a seat may be all-in for a part of one. Articles: lifeclub:12.10, tda:21.
"""

from __future__ import annotations

from engine.rulebook import Rulebook
from engine.seats import SeatSet, clockwise, in_order
from engine.state import BySeat, HandState, in_the_middle
from engine.view import PotView


def pots(hand: HandState) -> tuple[PotView, ...]:
    """The pots as they lie now, the running street included, main pot first."""
    if hand.undecided:
        return hand.undecided
    if not hand.all_in:                     # nothing to slice: one pot for every hand that is in
        amount = in_the_middle(hand)
        return (PotView(amount, in_order(hand.live)),) if amount else ()
    bets = tuple(map(int.__add__, hand.paid, hand.bets))
    slices: list[tuple[int, SeatSet]] = [(hand.dead, hand.live)]
    if any(hand.antes):
        full = max(hand.antes)
        short = {hand.antes[seat] for seat in in_order(hand.all_in) if hand.antes[seat] < full}
        slices += _slices(hand.antes, short, hand)
    slices += _slices(bets, {bets[seat] for seat in in_order(hand.all_in)}, hand)

    found: list[tuple[int, SeatSet]] = []
    for amount, eligible in slices:
        if not amount:
            continue
        if found and (eligible == found[-1][1] or not eligible):
            found[-1] = (found[-1][0] + amount, found[-1][1])
        elif found and not found[-1][1]:
            found[-1] = (found[-1][0] + amount, eligible)
        else:
            found.append((amount, eligible))
    return tuple(PotView(amount, in_order(eligible)) for amount, eligible in found)


def _slices(paid: BySeat, cuts: set[int], hand: HandState) -> list[tuple[int, SeatSet]]:
    """Chips and winners of each slice of what the seats paid, cut at these amounts, lowest first."""
    slices = []
    below = 0
    for cut in sorted(cuts - {0}):
        capped = 0
        for seat in in_order(hand.all_in):
            if paid[seat] < cut:
                capped |= 1 << seat
        amount = sum(min(part, cut) - min(part, below) for part in paid)
        slices.append((amount, hand.live & ~capped))
        below = cut
    capped = 0
    for seat in in_order(hand.all_in):
        if cuts and paid[seat] <= below:
            capped |= 1 << seat
    slices.append((sum(part - below for part in paid if part > below), hand.live & ~capped))
    return slices


def cut(amount: int, winners: SeatSet, button: int, chip: int, book: Rulebook) -> tuple[tuple[int, int], ...]:
    """How a pot is divided among its winners: (seat, chips), the first left of the button first.

    In whole chips of the smallest denomination in play; the odd ones go one each from the left of the button (tda:20,
    lifeclub:7.b, 12.8) or stay for the next pot. What is no multiple of that chip goes to the first of them.
    """
    seats = clockwise(winners, button)
    if len(seats) == 1:
        return ((seats[0], amount),)
    units, crumbs = divmod(amount, chip)
    each, odd = divmod(units, len(seats))
    if book.odd_chip == "carry_next_pot":
        return tuple((seat, each * chip) for seat in seats)
    return tuple(
        (seat, (each + (place < odd)) * chip + (crumbs if place == 0 else 0)) for place, seat in enumerate(seats)
    )
