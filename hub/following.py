"""A table's public picture, followed from event to event. Pure: each function gives the picture after one."""

from __future__ import annotations

import msgspec

from engine import wire
from engine.view import Due, Part, PotPaid, PotView, Street, TableView


def empty_view(size: int, book: str = "") -> TableView:
    """The picture of a table of `size` seats at which nobody sits yet."""
    return TableView(
        hand=0, street=Street.OVER, due=Due.PLAYERS, size=size, book=book, level=None, button=0, small_blind=0,
        big_blind=0, seats=(), board=(), pots=(),
    )  # fmt: skip


def started(view: TableView, hand: int, body: wire.HandStarted) -> TableView:
    """A hand began: blinds and antes lie in front."""
    live = tuple(seat.seat for seat in body.seats if seat.part in (Part.LIVE, Part.ALL_IN))
    return counted(
        msgspec.structs.replace(
            view, hand=hand, street=Street.PREFLOP, due=Due.HOLE_CARDS, level=body.level, button=body.button,
            small_blind=body.small_blind, big_blind=body.big_blind, seats=body.seats, board=(),
            pots=(PotView(body.pot, live),), to_act=0, to_call=0, paid=(),
        )
    )  # fmt: skip


def acted(view: TableView, body: wire.Action) -> TableView:
    """A seat acted. One that is not in the picture changes nothing."""
    old = next((seat for seat in view.seats if seat.seat == body.seat), None)
    if old is None:
        return view
    match body.what:
        case "fold":
            part = Part.FOLDED
        case "kill":
            part = Part.DEAD
        case _:
            part = Part.ALL_IN if body.stack == 0 else old.part
    said = f"{body.what} {body.to}" if body.what in ("bet", "raise_to", "all_in") else body.what
    bet = old.bet if body.what in ("fold", "kill", "check") else body.to
    view = seat_with(view, body.seat, stack=body.stack, bet=bet, part=part, last=said)
    out = part in (Part.FOLDED, Part.DEAD)
    pots = tuple(
        PotView(body.pot, tuple(s for s in pot.eligible if not (out and s == body.seat))) for pot in view.pots[:1]
    )
    due = Due.ACTION if body.to_act else Due.BURN
    return counted(
        msgspec.structs.replace(view, pots=pots, to_act=body.to_act, to_call=body.to_call, due=due)
    )


def opened(view: TableView, body: wire.StreetOpened) -> TableView:
    """Betting opens on a street; before the flop the blinds stay in front."""
    seats = view.seats
    if body.street != Street.PREFLOP:                # before the flop the blinds lie in front
        seats = tuple(
            msgspec.structs.replace(seat, bet=0, last=seat.last if seat.part is not Part.LIVE else "")
            for seat in seats
        )
    eligible = view.pots[0].eligible if view.pots else ()
    return counted(
        msgspec.structs.replace(
            view, street=Street(body.street), board=body.board, seats=seats, pots=(PotView(body.pot, eligible),),
            to_act=body.to_act, to_call=0, due=Due.ACTION if body.to_act else Due.BURN,
        )
    )  # fmt: skip


def awarded(view: TableView, body: wire.PotAwarded) -> TableView:
    """A pot went to its winners."""
    seats = tuple(
        msgspec.structs.replace(seat, bet=0, stack=seat.stack + body.shares.get(seat.seat, 0)) for seat in view.seats
    )
    left = max(0, sum(pot.amount for pot in view.pots) - body.amount)
    pots = (PotView(left, view.pots[0].eligible),) if left and view.pots else ()
    paid = (*view.paid, PotPaid(body.amount, tuple(body.shares.items())))
    return counted(
        msgspec.structs.replace(view, street=Street.SHOWDOWN, seats=seats, pots=pots, to_act=0, paid=paid)
    )


def ended(view: TableView, body: wire.HandEnded, void: bool) -> TableView:
    """The hand is over; who sat it out has a hand less to sit out, unless it was `void`."""
    seats = tuple(
        msgspec.structs.replace(
            seat, stack=body.stacks.get(seat.seat, seat.stack), bet=0,
            misses=seat.misses if void or seat.part is Part.NONE else max(0, seat.misses - 1),
        )
        for seat in view.seats
    )  # fmt: skip
    pots = (PotView(body.carried, ()),) if body.carried else ()
    return counted(
        msgspec.structs.replace(view, street=Street.OVER, due=Due.NEXT_HAND, seats=seats, pots=pots, to_act=0)
    )


def with_stacks(view: TableView, stacks: dict[int, int]) -> TableView:
    """Other stacks, by seat; who is not named keeps his."""
    seats = tuple(msgspec.structs.replace(seat, stack=stacks.get(seat.seat, seat.stack)) for seat in view.seats)
    return counted(msgspec.structs.replace(view, seats=seats))


def seat_with(view: TableView, seat: int, **changes: object) -> TableView:
    """One seat changed."""
    seats = tuple(msgspec.structs.replace(old, **changes) if old.seat == seat else old for old in view.seats)
    return msgspec.structs.replace(view, seats=seats)


def without(view: TableView, seat: int) -> TableView:
    """Nobody in this seat any more."""
    return msgspec.structs.replace(view, seats=tuple(old for old in view.seats if old.seat != seat))


def counted(view: TableView) -> TableView:
    """Counts the table's chips again. A pot on the wire is everything in the middle, the bets in front included."""
    total = sum(seat.stack for seat in view.seats) + sum(pot.amount for pot in view.pots)
    return msgspec.structs.replace(view, total=total)

