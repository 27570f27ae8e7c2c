"""What the dealer's keys and knob mean: a pure machine from presses to wishes.

`hear(panel, what, at_ms, scene)` takes one press, detent or badge and what the table looks like, and returns the
panel's next state with the wishes that follow, at most a handful. It never decides whether a wish is legal: the rules
do. What the dealer has begun and not confirmed (an open amount, a chosen seat, a page of the FLOOR menu) lives here;
that much is lost when the power goes, and nothing else.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from drivers.seen import Key, KeyPressed, KeysTogether, KnobMissed, KnobPushed, KnobTurned, Seen
from engine.inputs import (
    UNKNOWN_CARD,
    AllIn,
    AwardPot,
    Bet,
    Call,
    CardDrawn,
    Check,
    ClockCall,
    DeviceTrouble,
    FirstCard,
    Fold,
    HoleCardsDealt,
    Muck,
    RaiseTo,
    Remind,
    Shuffle,
    StreetDealt,
    TableCards,
)
from engine.view import Due, Part
from firmware_py import asking, floor_menu, setting
from firmware_py.amounts import FAST_MS, detents, next_preset, opens, owes, span_of, stepped
from firmware_py.panel_state import (
    DIRECTORS_PAGE,
    PAGES,
    Amount,
    AskDirector,
    Award,
    Badged,
    Beep,
    ConfirmDeal,
    Count,
    Item,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Play,
    Pushed,
    Scene,
    Setting,
    Told,
    Undo,
    Verify,
    Want,
    Wish,
    WithoutShoe,
)
from firmware_py.presses import Heard, along, say, selectable, to_play, with_mode
from firmware_py.shoe_watch import CARDS_MATTER

NO_DEAL = frozenset({Due.PLAYERS, Due.HOLD, Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.NEXT_HAND, Due.FLOOR})

PRESSES = (KeyPressed, KnobPushed, KnobTurned, Badged)


def hear(panel: Panel, what: Seen | Badged, at_ms: int, scene: Scene) -> Heard:
    """What does this press mean now? Anything else, a key let go too, means nothing and leaves the last answer."""
    panel = fitted(panel, scene)
    if isinstance(what, PRESSES):
        panel = msgspec.structs.replace(panel, told=Told.NONE)
    match what:
        case KeyPressed(key):
            return _key(panel, key, at_ms, scene)
        case KnobPushed():
            return _push(panel, scene)
        case KnobTurned(steps, pushed):
            return _turn(panel, steps, pushed, at_ms, scene)
        case Badged():
            return asking.badged(panel, what)
        case KeysTogether():
            return say(panel, Told.TWO_KEYS)
        case KnobMissed():
            return say(panel, Told.TOO_FAST)
        case _:
            return Heard(panel)


def fitted(panel: Panel, scene: Scene) -> Panel:
    """The panel with what it had begun dropped where the table has gone on without it."""
    view, legal, mode = scene.view, scene.legal, panel.mode
    changes: dict[str, object] = {}
    if panel.time_seat and panel.time_seat != view.to_act:
        changes["time_seat"] = 0
    match mode:
        case Setting() if scene.opened:
            changes["mode"] = Play()
        case Amount(seat, _) if legal is None or span_of(scene, seat) is None:
            changes["mode"] = Play()
        case Pushed(_, seat) if seat not in selectable(view):
            changes["mode"] = Play()
        case Play(seat) if seat and (seat == view.to_act or seat not in selectable(view)):
            changes["mode"] = Play()
        case ConfirmDeal() if view.due in NO_DEAL:
            changes["mode"] = Play()
        case Verify() if view.due not in CARDS_MATTER:
            changes["mode"] = Play()
        case WithoutShoe() if scene.shoe_waits is None:
            changes["mode"] = Play()
        case Award() if not award_seats(scene):
            changes["mode"] = Play()
        case Award(at, chosen) if not set(award_seats(scene)).issuperset({at, *chosen}):
            changes["mode"] = Award(award_seats(scene)[0])
        case Play() if award_seats(scene):
            changes["mode"] = Award(award_seats(scene)[0])
        case _:
            pass
    return msgspec.structs.replace(panel, **changes) if changes else panel


def confirm_deal(panel: Panel, scene: Scene) -> Panel:
    """The panel after the last card of a deal that only the shoe counted: the dealer is asked whether it is right."""
    dealt = sum(seat.part is not Part.NONE for seat in scene.view.seats)
    return fitted(with_mode(panel, ConfirmDeal(2 * dealt)), scene)


# --- keys


def _key(panel: Panel, key: Key, at_ms: int, scene: Scene) -> Heard:
    mode = panel.mode
    match mode:
        case Play():
            return _key_in_play(panel, mode, key, at_ms, scene)
        case Amount():
            return _key_in_amount(panel, mode, key, at_ms, scene)
        case Award():
            return _key_in_award(panel, mode, key, at_ms, scene)
        case Menu():
            return floor_menu.key_in_menu(panel, mode, key)
        case Pushed():
            return floor_menu.key_in_pushed(panel, mode, key, scene)
        case PickSeat() | Count() | Penalty():
            if key is Key.CHECK_CALL:
                return _push(panel, scene)
            return Heard(to_play(panel, Told.CANCELLED))
        case ConfirmDeal() | Verify():
            return _key_in_confirm(panel, key)
        case WithoutShoe():
            return _key_in_without_shoe(panel, key, at_ms, scene)
        case AskDirector():
            return asking.key_in_ask(panel, mode, key, at_ms, scene)
        case Setting():
            return setting.key_in_setting(panel, mode, key, scene)
        case _:
            assert_never(mode)


def _key_in_play(panel: Panel, mode: Play, key: Key, at_ms: int, scene: Scene) -> Heard:
    view = scene.view
    match key:
        case Key.DEAL:
            return _deal(panel, scene)
        case Key.UNDO:
            if mode.seat:
                return Heard(to_play(panel, Told.CANCELLED))
            return Heard(to_play(panel), (Wish(Undo()),))
        case Key.TIME:
            if view.due is not Due.ACTION:
                return say(panel, Told.NOT_NOW)
            called = msgspec.structs.replace(panel, time_seat=view.to_act, time_since_ms=at_ms)
            if mode.seat:                       # this seat asks for the clock; without one the dealer urges
                return Heard(to_play(called), (Wish(Beep()), Wish(ClockCall(mode.seat))))
            return Heard(called, (Wish(Beep()), Wish(Remind())))
        case Key.FLOOR:
            page = DIRECTORS_PAGE if view.due is Due.FLOOR else 0
            at = PAGES[page].index(Item.PLAYS_ON) if view.due is Due.FLOOR else 0
            return Heard(with_mode(panel, Menu(page, at, seat=mode.seat)))
        case Key.FOLD | Key.CHECK_CALL if view.due is Due.SHOW:
            seat = view.to_act
            return Heard(panel, (Wish(Muck(seat) if key is Key.FOLD else TableCards(seat)),))
        case Key.FOLD | Key.CHECK_CALL | Key.BET_RAISE | Key.ALL_IN:
            return _act(panel, mode.seat or view.to_act, key, scene)
        case _:
            assert_never(key)


def _act(panel: Panel, seat: int, key: Key, scene: Scene) -> Heard:
    """An action key for `seat`, in turn or not."""
    view, legal = scene.view, scene.legal
    if legal is None or view.due is not Due.ACTION or not seat:
        return say(panel, Told.NOT_NOW)
    if key is Key.BET_RAISE:
        span = span_of(scene, seat)
        return say(panel, Told.NO_RAISE) if span is None else Heard(with_mode(panel, Amount(seat, span[0])))
    done = to_play(panel)
    if key is Key.FOLD:
        return Heard(done, (Wish(Fold(seat)),))
    if key is Key.ALL_IN:
        return Heard(done, (Wish(AllIn(seat)),))
    free = legal.may_check if seat == legal.seat else owes(view, seat) == 0
    return Heard(done, (Wish(Check(seat) if free else Call(seat)),))


def _deal(panel: Panel, scene: Scene) -> Heard:
    """DEAL does what is due: shuffle, first card, the deal, the next street, the next hand."""
    view = scene.view
    if not scene.opened:
        return Heard(with_mode(panel, setting.first_question(scene)))
    if scene.shoe_waits is not None:
        return Heard(with_mode(panel, WithoutShoe()))
    want: Want
    match view.due:
        case Due.PLAYERS | Due.HOLD | Due.SHUFFLE | Due.NEXT_HAND:
            want = Shuffle()
        case Due.FIRST_CARD:
            want = FirstCard()
        case Due.HOLE_CARDS:
            want = HoleCardsDealt()
        case Due.BURN:
            want = StreetDealt((UNKNOWN_CARD,) * (1 if view.board else 3))
        case Due.BOARD:
            return Heard(panel, (Wish(CardDrawn(UNKNOWN_CARD)),) * view.cards_due)
        case Due.ACTION | Due.SHOW | Due.AWARD | Due.FLOOR:
            return say(panel, Told.NOT_NOW)
        case _:
            assert_never(view.due)
    return Heard(panel, (Wish(want),))


def _key_in_amount(panel: Panel, mode: Amount, key: Key, at_ms: int, scene: Scene) -> Heard:
    """BET/RAISE confirms, UNDO and the other acts drop the amount; any other key drops it and counts as itself."""
    if key is Key.BET_RAISE:
        want = Bet(mode.seat, mode.to) if opens(scene, mode.seat) else RaiseTo(mode.seat, mode.to)
        return Heard(to_play(panel), (Wish(want),))
    if key in {Key.UNDO, Key.FOLD, Key.CHECK_CALL, Key.ALL_IN}:
        return Heard(with_mode(panel, Play(0 if mode.seat == scene.view.to_act else mode.seat), Told.CANCELLED))
    return _key_in_play(to_play(panel), Play(), key, at_ms, scene)


def _key_in_award(panel: Panel, mode: Award, key: Key, at_ms: int, scene: Scene) -> Heard:
    if key is Key.DEAL:
        return Heard(to_play(panel), (Wish(AwardPot(mode.chosen or (mode.at,))),))
    if key is Key.UNDO and mode.chosen:
        return Heard(with_mode(panel, Award(mode.at), Told.CANCELLED))
    if key in {Key.UNDO, Key.FLOOR}:
        return _key_in_play(panel, Play(), key, at_ms, scene)
    return say(panel, Told.NOT_NOW)


def _key_in_confirm(panel: Panel, key: Key) -> Heard:
    """DEAL or CHECK/CALL: it is so; FLOOR: it is not, and the director decides; the rest waits."""
    if key in {Key.DEAL, Key.CHECK_CALL}:
        return Heard(to_play(panel))
    if key is Key.FLOOR:
        return Heard(to_play(panel), (Wish(DeviceTrouble("cards_lost", "the dealer counts otherwise")),))
    return say(panel, Told.COUNT_FIRST)


def _key_in_without_shoe(panel: Panel, key: Key, at_ms: int, scene: Scene) -> Heard:
    """DEAL again: what is due is dealt by hand. UNDO: not so. FLOOR opens its menu; the rest waits for the shoe."""
    if key is Key.DEAL:
        return _deal(to_play(panel), scene._replace(shoe_waits=None))
    if key is Key.UNDO:
        return Heard(to_play(panel, Told.CANCELLED))
    if key is Key.FLOOR:
        return _key_in_play(to_play(panel), Play(), key, at_ms, scene)
    return say(panel, Told.NOT_NOW)


# --- the knob


def _turn(panel: Panel, steps: int, pushed: bool, at_ms: int, scene: Scene) -> Heard:
    """The knob turned: an amount, a seat or an entry goes on by as many detents."""
    fast = at_ms - panel.turned_ms <= FAST_MS
    run, chips = detents(panel.run if fast else 0, steps, pushed)
    panel = msgspec.structs.replace(panel, run=run, turned_ms=at_ms)
    mode, view = panel.mode, scene.view
    match mode:
        case Play(seat):
            seats = selectable(view)
            if not seats:
                return say(panel, Told.NOT_NOW)
            chosen = along(seats, seat or view.to_act, steps)
            return Heard(with_mode(panel, Play(0 if chosen == view.to_act else chosen)))
        case Amount(seat, to):
            span = span_of(scene, seat)
            if span is None:
                return Heard(panel)
            return Heard(with_mode(panel, Amount(seat, stepped(to, chips, scene.chip, span))))
        case Award(at, chosen):
            return Heard(with_mode(panel, Award(along(award_seats(scene), at, steps), chosen)))
        case Menu() | PickSeat() | Pushed() | Count() | Penalty():
            return Heard(with_mode(panel, floor_menu.turned(mode, steps, chips, scene)))
        case ConfirmDeal() | Verify() | WithoutShoe() | AskDirector():
            return Heard(panel)
        case Setting():
            return Heard(with_mode(panel, setting.turned(mode, steps, chips, scene)))
        case _:
            assert_never(mode)


def _push(panel: Panel, scene: Scene) -> Heard:
    """The knob was pushed: the next preset, a winner more or less, an entry taken."""
    mode = panel.mode
    match mode:
        case Play() | ConfirmDeal() | Verify():
            return Heard(to_play(panel))
        case WithoutShoe():
            return Heard(to_play(panel, Told.CANCELLED))
        case Amount(seat, to):
            return Heard(with_mode(panel, Amount(seat, next_preset(scene, seat, to))))
        case Award(at, chosen):
            others = tuple(seat for seat in chosen if seat != at)
            return Heard(with_mode(panel, Award(at, others if at in chosen else (*chosen, at))))
        case Menu() | PickSeat() | Pushed() | Count() | Penalty():
            return floor_menu.pushed(panel, mode, scene)
        case AskDirector():
            return Heard(to_play(panel, Told.CANCELLED))
        case Setting():
            return Heard(with_mode(panel, setting.pushed(mode)))
        case _:
            assert_never(mode)


def award_seats(scene: Scene) -> tuple[int, ...]:
    """Seats among which the dealer names the winners of the pot being decided."""
    return scene.pot.eligible if scene.pot else ()
