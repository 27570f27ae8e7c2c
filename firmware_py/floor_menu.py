"""Going through the FLOOR menu: pages and entries, then the seat, the chips pushed or the stack counted."""

from __future__ import annotations

import msgspec

from drivers.seen import Key
from engine.inputs import Confiscate, Motion, Penalise, SetStack
from firmware_py import menu
from firmware_py.amounts import MAX_CHIPS, seat_of, span_of, stepped
from firmware_py.panel_state import (
    FOR_DIRECTORS,
    PAGES,
    PUSHED,
    AskDirector,
    Count,
    Item,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Pushed,
    Scene,
    Told,
    Wish,
)
from firmware_py.presses import Heard, along, selectable, to_play, with_mode

FloorMode = Menu | PickSeat | Pushed | Count | Penalty


def key_in_menu(panel: Panel, mode: Menu, key: Key) -> Heard:
    """FLOOR turns the page; after the last one it closes the menu, a director's begins again. Other keys close it."""
    if key is Key.FLOOR and (mode.by or mode.page + 1 < len(PAGES)):
        return Heard(with_mode(panel, msgspec.structs.replace(mode, page=(mode.page + 1) % len(PAGES), at=0)))
    if key is Key.FLOOR:
        return Heard(to_play(panel))
    return Heard(to_play(panel, Told.CANCELLED))


def key_in_pushed(panel: Panel, mode: Pushed, key: Key, scene: Scene) -> Heard:
    """DEAL or CHECK/CALL: that much was said or pushed; what is still to be dialled is asked for. The rest drops it."""
    if key not in {Key.DEAL, Key.CHECK_CALL}:
        return Heard(to_play(panel, Told.CANCELLED))
    if mode.asks_words:
        chips = _pushing(mode.item, mode.seat, mode.by, scene, said=mode.amount)
        return Heard(with_mode(panel, chips))
    if mode.item is Item.TWO_MOTIONS and mode.first is None:
        first = Motion((mode.amount,), single=mode.single)
        if mode.amount < seat_of(scene.view, mode.seat).stack:      # with nothing left there is no second one
            return Heard(with_mode(panel, _pushing(mode.item, mode.seat, mode.by, scene, first)))
    return Heard(to_play(panel), (Wish(menu.for_chips(mode, scene), mode.by or "panel"),))


def turned(mode: FloorMode, steps: int, chips: int, scene: Scene) -> FloorMode:
    """The knob turned: the entry, the seat, or an amount by so many smallest chips."""
    match mode:
        case Menu(page, at):
            return msgspec.structs.replace(mode, at=(at + steps) % len(PAGES[page]))
        case PickSeat(item, at):
            return msgspec.structs.replace(mode, at=along(menu.seats_for(item, scene.view), at, steps))
        case Pushed(amount=amount):
            return msgspec.structs.replace(mode, amount=stepped(amount, chips, scene.chip, _pushable(mode, scene)))
        case Count(seat, stack, item=Item.CONFISCATE):
            behind = seat_of(scene.view, seat).stack
            taken = stepped(stack, chips, scene.chip, (min(scene.chip, behind), behind))
            return msgspec.structs.replace(mode, stack=taken)
        case Count(stack=stack):
            return msgspec.structs.replace(mode, stack=stepped(stack, chips, scene.chip, (0, MAX_CHIPS)))
        case Penalty(n=n):
            return msgspec.structs.replace(mode, n=along(scene.penalties, n, steps))


def pushed(panel: Panel, mode: FloorMode, scene: Scene) -> Heard:
    """The knob was pushed: the entry is taken, the seat or the stack confirmed, one chip or several pushed."""
    match mode:
        case Menu():
            return _enter(panel, mode, scene)
        case PickSeat(Item.COUNT, at, by):
            return Heard(with_mode(panel, Count(at, seat_of(scene.view, at).stack, by)))
        case PickSeat(Item.CONFISCATE, at, by):
            least = min(scene.chip, seat_of(scene.view, at).stack)
            return Heard(with_mode(panel, Count(at, least, by, Item.CONFISCATE)))
        case PickSeat(Item.PENALTY, at, by):
            return Heard(with_mode(panel, Penalty(at, scene.penalties[0], by)))
        case PickSeat(item, at, by):
            return Heard(to_play(panel), (Wish(menu.for_seat(item, at), by or "panel"),))
        case Pushed():
            return Heard(with_mode(panel, msgspec.structs.replace(mode, single=not mode.single)))
        case Count(seat, stack, by, item):
            want = Confiscate(seat, stack) if item is Item.CONFISCATE else SetStack(seat, stack)
            return Heard(to_play(panel), (Wish(want, by or "panel"),))
        case Penalty(seat, n, by):
            return Heard(to_play(panel), (Wish(Penalise(seat, scene.sanction, n), by or "panel"),))


def _enter(panel: Panel, mode: Menu, scene: Scene) -> Heard:
    """An entry of the FLOOR menu is taken; what needs a director waits for the badge."""
    item = PAGES[mode.page][mode.at]
    needs = item in FOR_DIRECTORS and scene.directors and not mode.by
    if item in PUSHED:
        seat = mode.seat or scene.view.to_act
        if seat not in selectable(scene.view):
            return Heard(to_play(panel, Told.NOT_NOW))
        return Heard(with_mode(panel, _pushing(item, seat, mode.by, scene)))
    if item in menu.OF_A_SEAT:
        seats = menu.seats_for(item, scene.view)
        if not seats:
            return Heard(to_play(panel, Told.NO_SEAT))
        pick = PickSeat(item, scene.view.to_act if scene.view.to_act in seats else seats[0], mode.by)
        return Heard(with_mode(panel, AskDirector(None, then=pick) if needs else pick))
    want = menu.for_table(item, scene.view)
    if needs:
        return Heard(with_mode(panel, AskDirector(want)))
    return Heard(to_play(panel), (Wish(want, mode.by or "panel"),))


def _pushing(
    item: Item, seat: int, by: str, scene: Scene, first: Motion | None = None, said: int | None = None
) -> Pushed:
    """The question how much was pushed, or what was said before, at the least that it can be."""
    asked = Pushed(item, seat, 0, first=first, by=by, said=said)
    return msgspec.structs.replace(asked, amount=_pushable(asked, scene)[0])


def _pushable(mode: Pushed, scene: Scene) -> tuple[int, int]:
    """From the smallest chip to all that the seat has behind; what was said has no end, and begins with a raise."""
    if mode.asks_words:
        span = span_of(scene, mode.seat)
        return (scene.chip if span is None else span[0]), MAX_CHIPS
    behind = seat_of(scene.view, mode.seat).stack - (mode.first.amount if mode.first else 0)
    return min(scene.chip, behind), behind
