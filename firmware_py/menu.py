"""The FLOOR menu: what each entry wishes, and for which seats it can be meant. Pure functions."""

from __future__ import annotations

from engine.inputs import (
    Away,
    Back,
    CallFloor,
    Complain,
    DealError,
    DealFault,
    Exposes,
    FloorDecides,
    GrantClock,
    HoldPlay,
    Input,
    Kill,
    Motion,
    Penalise,
    Puts,
    Revive,
    Sanction,
    Says,
    Word,
)
from engine.view import Part, Presence, Street, TableView
from firmware_py.amounts import opens
from firmware_py.panel_state import KILLS, OUT_OF_TURN, SANCTIONS, Item, Pushed, Scene

IN_HAND = frozenset({Part.LIVE, Part.ALL_IN})
DEALT_IN = IN_HAND | {Part.FOLDED, Part.DEAD}

CARD_OF_SEAT = {
    Item.EXPOSED_FIRST: (DealFault.HOLE_EXPOSED, 1),
    Item.EXPOSED_SECOND: (DealFault.HOLE_EXPOSED, 2),
    Item.EXTRA_CARD: (DealFault.EXTRA_CARD, 0),
    Item.SKIPPED: (DealFault.SKIPPED, 0),
    Item.BOXED: (DealFault.BOXED, 0),
}
"""Dealing errors that are about one seat, and which of its cards."""

DEAL_FAULTS = {
    Item.FLOP_EXTRA: DealFault.FLOP_EXTRA,
    Item.NO_BURN: DealFault.NO_BURN,
    Item.DOUBLE_BURN: DealFault.DOUBLE_BURN,
    Item.DUPLICATE: DealFault.DUPLICATE,
    Item.MISSING: DealFault.MISSING,
    Item.WRONG_BACK: DealFault.WRONG_BACK,
    Item.DECK_DOWN: DealFault.DECK_DOWN,
}

OF_A_SEAT = frozenset(
    {*KILLS, *OUT_OF_TURN, *CARD_OF_SEAT, Item.REVIVE, Item.EXPOSES, Item.AWAY, Item.BACK, Item.COUNT, Item.AWARDS,
     *SANCTIONS}
)  # fmt: skip
"""Entries after which a seat is chosen."""


def seats_for(item: Item, view: TableView) -> tuple[int, ...]:
    """Seats to which an entry may apply."""
    if item in KILLS or item in OUT_OF_TURN or item is Item.EXPOSES:
        return tuple(s.seat for s in view.seats if s.part in IN_HAND)
    if item is Item.REVIVE:
        return tuple(s.seat for s in view.seats if s.part in DEALT_IN - IN_HAND)
    if item in CARD_OF_SEAT or item is Item.AWARDS:
        return tuple(s.seat for s in view.seats if s.part in DEALT_IN)
    if item is Item.AWAY:
        return tuple(s.seat for s in view.seats if s.presence is Presence.HERE)
    if item is Item.CONFISCATE:
        return tuple(s.seat for s in view.seats if s.stack)
    if item is Item.BACK:
        return tuple(s.seat for s in view.seats if s.presence is Presence.AWAY)
    return tuple(s.seat for s in view.seats)


def for_seat(item: Item, seat: int) -> Input:
    """What an entry of `OF_A_SEAT` wishes for this seat, but for those that ask for a number first."""
    if item in KILLS:
        return Kill(seat, KILLS[item])
    if item in CARD_OF_SEAT:
        fault, n = CARD_OF_SEAT[item]
        return DealError(fault, seat, n)
    if item in OUT_OF_TURN or item is Item.AWARDS:
        return FloorDecides(item.value, seats=(seat,))
    if item is Item.REVIVE:
        return Revive(seat)
    if item is Item.EXPOSES:
        return Exposes(seat)
    if item in (Item.WARNING, Item.DISQUALIFY):
        return Penalise(seat, Sanction(item.value))
    return Away(seat) if item is Item.AWAY else Back(seat)


def for_table(item: Item, view: TableView) -> Input:
    """What any other entry wishes."""
    if item is Item.CALL:
        return CallFloor("dealer")
    if item is Item.COMPLAIN:
        return Complain()
    if item is Item.GRANT:
        return GrantClock()
    if item in (Item.HOLD, Item.GO_ON):
        return HoldPlay(item is Item.HOLD, "director")
    if item is Item.EARLY_CARD:
        return DealError(DealFault.EARLY_RIVER if view.street is Street.TURN else DealFault.EARLY_TURN)
    if item in DEAL_FAULTS:
        return DealError(DEAL_FAULTS[item])
    return FloorDecides(item.value)


def for_chips(pushed: Pushed, scene: Scene) -> Input:
    """What the chips wish that were pushed; `raise` is said for a bet where nothing was bet."""
    motion = Motion((pushed.amount,), single=pushed.single)
    if pushed.item is Item.SAID_AMOUNT:
        return Says(pushed.seat, _raise_word(pushed, scene), pushed.said, motion)
    if pushed.item is Item.SAID_CALL:
        return Says(pushed.seat, Word.CALL, motion=motion)
    if pushed.item is Item.SAID_RAISE:
        return Says(pushed.seat, _raise_word(pushed, scene), motion=motion)
    return Puts(pushed.seat, (motion,) if pushed.first is None else (pushed.first, motion))


def _raise_word(pushed: Pushed, scene: Scene) -> Word:
    return Word.BET if opens(scene, pushed.seat) else Word.RAISE
