"""What the dealer's keys and knob mean: a pure machine from presses to wishes.

`hear(panel, what, at_ms, scene)` takes one press, detent or badge and what the table looks like, and returns the
panel's next state with the wishes that follow, at most a handful. It never decides whether a wish is legal: the rules
do. What the dealer has begun and not confirmed (an open amount, a chosen seat, a page of the FLOOR menu) lives here;
that much is lost when the power goes, and nothing else.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

import msgspec

from drivers.seen import Key, KeyPressed, KnobPushed, KnobTurned, Seen
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
    Level,
    Motion,
    Muck,
    RaiseTo,
    Remind,
    SetStack,
    Shuffle,
    StreetDealt,
    TableCards,
)
from engine.view import Due, Part, TableView
from firmware_py import menu
from firmware_py.amounts import FAST_MS, detents, next_preset, opens, owes, seat_of, span_of, stepped
from firmware_py.panel_state import (
    DIRECTORS_PAGE,
    FOR_DIRECTORS,
    PAGES,
    PIN_DIGITS,
    PIN_KEYS,
    PIN_TRIES,
    PIN_WAIT_MAX_MS,
    PIN_WAIT_MS,
    PUSHED,
    STEPS,
    Amount,
    AnyMode,
    AskDirector,
    Award,
    Badged,
    Beep,
    Begin,
    ConfirmDeal,
    Count,
    DealerComes,
    Item,
    Menu,
    Panel,
    PickSeat,
    Play,
    Pushed,
    Scene,
    Setting,
    Step,
    Told,
    Undo,
    Want,
    Wish,
)

MAX_CHIPS = 100_000_000
DEAL_GOES_ON = frozenset(
    {Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD, Due.NEXT_HAND}
)
NO_DEAL = frozenset({Due.PLAYERS, Due.HOLD, Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.NEXT_HAND, Due.FLOOR})
ACTION_KEYS = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN)


class Heard(NamedTuple):
    """The panel after one press, and what follows from it."""

    panel: Panel
    wishes: tuple[Wish, ...] = ()


def hear(panel: Panel, what: Seen | Badged, at_ms: int, scene: Scene) -> Heard:
    """What does this press mean now? Anything that is no press of the panel means nothing."""
    panel = msgspec.structs.replace(fitted(panel, scene), told=Told.NONE)
    match what:
        case KeyPressed(key):
            return _key(panel, key, at_ms, scene)
        case KnobPushed():
            return _push(panel, scene)
        case KnobTurned(steps, pushed):
            return _turn(panel, steps, pushed, at_ms, scene)
        case Badged():
            return _badge(panel, what)
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
        case Pushed(_, seat) if seat not in _selectable(view):
            changes["mode"] = Play()
        case Play(seat) if seat and (seat == view.to_act or seat not in _selectable(view)):
            changes["mode"] = Play()
        case ConfirmDeal() if view.due in NO_DEAL:
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


def to_play(panel: Panel, told: Told = Told.NONE) -> Panel:
    """The panel with nothing begun."""
    return msgspec.structs.replace(panel, mode=Play(), told=told)


def confirm_deal(panel: Panel, scene: Scene) -> Panel:
    """The panel after the last card of a deal that only the shoe counted: the dealer is asked whether it is right."""
    dealt = sum(seat.part is not Part.NONE for seat in scene.view.seats)
    return fitted(_with(panel, ConfirmDeal(2 * dealt)), scene)


def _with(panel: Panel, mode: AnyMode, told: Told = Told.NONE) -> Panel:
    return msgspec.structs.replace(panel, mode=mode, told=told)


def _say(panel: Panel, told: Told) -> Heard:
    return Heard(msgspec.structs.replace(panel, told=told))


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
            return _key_in_menu(panel, mode, key)
        case Pushed():
            return _key_in_pushed(panel, mode, key, scene)
        case PickSeat() | Count():
            if key is Key.CHECK_CALL:
                return _push(panel, scene)
            return Heard(to_play(panel, Told.CANCELLED))
        case ConfirmDeal():
            return _key_in_confirm(panel, key)
        case AskDirector():
            return _key_in_ask(panel, mode, key, at_ms, scene)
        case Setting():
            return _key_in_setting(panel, mode, key, scene)
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
                return _say(panel, Told.NOT_NOW)
            called = msgspec.structs.replace(panel, time_seat=view.to_act, time_since_ms=at_ms)
            if mode.seat:                       # this seat asks for the clock; without one the dealer urges
                return Heard(to_play(called), (Wish(Beep()), Wish(ClockCall(mode.seat))))
            return Heard(called, (Wish(Beep()), Wish(Remind())))
        case Key.FLOOR:
            page = DIRECTORS_PAGE if view.due is Due.FLOOR else 0
            at = PAGES[page].index(Item.PLAYS_ON) if view.due is Due.FLOOR else 0
            return Heard(_with(panel, Menu(page, at, seat=mode.seat)))
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
        return _say(panel, Told.NOT_NOW)
    if key is Key.BET_RAISE:
        span = span_of(scene, seat)
        return _say(panel, Told.NO_RAISE) if span is None else Heard(_with(panel, Amount(seat, span[0])))
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
        return Heard(_with(panel, first_question(scene)))
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
            return _say(panel, Told.NOT_NOW)
        case _:
            assert_never(view.due)
    return Heard(panel, (Wish(want),))


def _key_in_amount(panel: Panel, mode: Amount, key: Key, at_ms: int, scene: Scene) -> Heard:
    """BET/RAISE confirms, UNDO drops the amount; any other key drops it and counts as itself."""
    if key is Key.BET_RAISE:
        want = Bet(mode.seat, mode.to) if opens(scene, mode.seat) else RaiseTo(mode.seat, mode.to)
        return Heard(to_play(panel), (Wish(want),))
    if key in {Key.UNDO, Key.FOLD, Key.CHECK_CALL, Key.ALL_IN}:
        return Heard(_with(panel, Play(0 if mode.seat == scene.view.to_act else mode.seat), Told.CANCELLED))
    return _key_in_play(to_play(panel), Play(), key, at_ms, scene)


def _key_in_award(panel: Panel, mode: Award, key: Key, at_ms: int, scene: Scene) -> Heard:
    if key is Key.DEAL:
        return Heard(to_play(panel), (Wish(AwardPot(mode.chosen or (mode.at,))),))
    if key is Key.UNDO and mode.chosen:
        return Heard(_with(panel, Award(mode.at), Told.CANCELLED))
    if key in {Key.UNDO, Key.FLOOR}:
        return _key_in_play(panel, Play(), key, at_ms, scene)
    return _say(panel, Told.NOT_NOW)


def _key_in_menu(panel: Panel, mode: Menu, key: Key) -> Heard:
    if key is Key.FLOOR:
        page = mode.page + 1
        turned = msgspec.structs.replace(mode, page=page, at=0)
        return Heard(_with(panel, turned) if page < len(PAGES) else to_play(panel))
    return Heard(to_play(panel, Told.CANCELLED))


def _key_in_pushed(panel: Panel, mode: Pushed, key: Key, scene: Scene) -> Heard:
    """DEAL or CHECK/CALL: that much was pushed; the first of two motions asks for the second. The rest drops it."""
    if key not in {Key.DEAL, Key.CHECK_CALL}:
        return Heard(to_play(panel, Told.CANCELLED))
    if mode.item is Item.TWO_MOTIONS and mode.first is None:
        first = Motion((mode.amount,), single=mode.single)
        if mode.amount < seat_of(scene.view, mode.seat).stack:      # with nothing left there is no second one
            return Heard(_with(panel, _pushing(mode.item, mode.seat, mode.by, scene, first)))
    return Heard(to_play(panel), (Wish(menu.for_chips(mode, scene), mode.by or "panel"),))


def _pushing(item: Item, seat: int, by: str, scene: Scene, first: Motion | None = None) -> Pushed:
    """The question how much was pushed, at the smallest chip."""
    asked = Pushed(item, seat, 0, first=first, by=by)
    return msgspec.structs.replace(asked, amount=_pushable(asked, scene)[0])


def _pushable(mode: Pushed, scene: Scene) -> tuple[int, int]:
    """From the smallest chip to all that the seat has behind."""
    behind = seat_of(scene.view, mode.seat).stack - (mode.first.amount if mode.first else 0)
    return min(scene.chip, behind), behind


def _key_in_confirm(panel: Panel, key: Key) -> Heard:
    """DEAL or CHECK/CALL: the number is right; FLOOR: it is not, and the director decides; the rest waits."""
    if key in {Key.DEAL, Key.CHECK_CALL}:
        return Heard(to_play(panel))
    if key is Key.FLOOR:
        return Heard(to_play(panel), (Wish(DeviceTrouble("cards_lost", "the dealer counts otherwise")),))
    return _say(panel, Told.COUNT_FIRST)


def _key_in_ask(panel: Panel, mode: AskDirector, key: Key, at_ms: int, scene: Scene) -> Heard:
    """Keys are digits of the PIN; the unit looks at `typed_pin` and says in the scene whose it was."""
    if at_ms < panel.pin_free_ms:
        return _say(panel, Told.PIN_LOCKED)
    digits = mode.digits + PIN_KEYS[key]
    if len(digits) < PIN_DIGITS:
        return Heard(_with(panel, msgspec.structs.replace(mode, digits=digits)))
    if not scene.pin_is:
        return Heard(to_play(_wrong_pin(panel, at_ms), Told.WRONG_PIN))
    panel = msgspec.structs.replace(panel, wrong_pins=0)
    return _granted(panel, mode, f"director:{scene.pin_is}")


def _wrong_pin(panel: Panel, at_ms: int) -> Panel:
    """One more wrong PIN: after every third, no PIN is looked at for a while, each time twice as long."""
    wrong = panel.wrong_pins + 1
    if wrong % PIN_TRIES:
        return msgspec.structs.replace(panel, wrong_pins=wrong)
    wait_ms = min(PIN_WAIT_MS << min(wrong // PIN_TRIES - 1, 16), PIN_WAIT_MAX_MS)
    return msgspec.structs.replace(panel, wrong_pins=wrong, pin_free_ms=at_ms + wait_ms)


def typed_pin(panel: Panel, what: Seen | Badged, at_ms: int) -> str:
    """The four digits that this press completes, else "". None while PINs are not looked at."""
    if at_ms < panel.pin_free_ms:
        return ""
    if isinstance(panel.mode, AskDirector) and isinstance(what, KeyPressed):
        digits = panel.mode.digits + PIN_KEYS[what.key]
        return digits if len(digits) == PIN_DIGITS else ""
    return ""


def _granted(panel: Panel, mode: AskDirector, by: str) -> Heard:
    """A director stands behind what was asked."""
    if mode.then is not None:
        return Heard(_with(panel, msgspec.structs.replace(mode.then, by=by)))
    want = Undo(director=True) if isinstance(mode.want, Undo) else mode.want
    return Heard(to_play(panel), () if want is None else (Wish(want, by),))


def _badge(panel: Panel, badge: Badged) -> Heard:
    mode = panel.mode
    if not badge.director:
        told = Told.NOT_DIRECTOR if isinstance(mode, AskDirector) else Told.NONE
        return Heard(msgspec.structs.replace(panel, told=told), (Wish(DealerComes(badge.badge)),))
    by = f"director:{badge.badge}"
    if isinstance(mode, AskDirector):
        return _granted(panel, mode, by)
    if isinstance(mode, Menu | Pushed | PickSeat | Count):
        return Heard(_with(panel, msgspec.structs.replace(mode, by=by)))
    if isinstance(mode, Setting):
        return Heard(panel)
    return Heard(_with(panel, Menu(DIRECTORS_PAGE, 0, by)))


def _key_in_setting(panel: Panel, mode: Setting, key: Key, scene: Scene) -> Heard:
    """DEAL goes on, UNDO goes back, the rest means nothing here."""
    at = STEPS.index(mode.step)
    if key is Key.UNDO:
        return Heard(_with(panel, _entered(mode, STEPS[max(0, at - 1)], scene)))
    if key is not Key.DEAL:
        return _say(panel, Told.NOT_NOW)
    if mode.step is Step.SEATS and len(mode.seats) < 2:
        return _say(panel, Told.NO_SEAT)
    if at + 1 < len(STEPS):
        return Heard(_with(panel, _entered(mode, STEPS[at + 1], scene)))
    level = Level(mode.small_blind, mode.big_blind, mode.ante, number=1)
    begin = Begin(scene.books[mode.book], level, dict.fromkeys(mode.seats, mode.stack), mode.at)
    return Heard(to_play(panel), (Wish(begin),))


def first_question(scene: Scene) -> Setting:
    """The first question of a first start, with amounts a club game would begin with."""
    small = scene.chip
    return Setting(small_blind=small, big_blind=2 * small, stack=200 * small)


def _entered(mode: Setting, step: Step, scene: Scene) -> Setting:
    """The questions at another step, its answer proposed from those before."""
    replace = msgspec.structs.replace
    match step:
        case Step.BIG_BLIND:
            return replace(mode, step=step, big_blind=max(mode.big_blind, 2 * mode.small_blind))
        case Step.STACK:
            return replace(mode, step=step, stack=max(mode.stack, 100 * mode.big_blind))
        case Step.BUTTON if mode.seats:
            return replace(mode, step=step, at=mode.seats[0])
        case Step.SEATS:
            return replace(mode, step=step, at=min(mode.at, scene.view.size))
        case _:
            return replace(mode, step=step)


# --- the knob


def _turn(panel: Panel, steps: int, pushed: bool, at_ms: int, scene: Scene) -> Heard:
    """The knob turned: an amount, a seat or an entry goes on by as many detents."""
    fast = at_ms - panel.turned_ms <= FAST_MS
    run, chips = detents(panel.run if fast else 0, steps, pushed)
    panel = msgspec.structs.replace(panel, run=run, turned_ms=at_ms)
    mode, view = panel.mode, scene.view
    match mode:
        case Play(seat):
            seats = _selectable(view)
            if not seats:
                return _say(panel, Told.NOT_NOW)
            chosen = _along(seats, seat or view.to_act, steps)
            return Heard(_with(panel, Play(0 if chosen == view.to_act else chosen)))
        case Amount(seat, to):
            span = span_of(scene, seat)
            return Heard(panel if span is None else _with(panel, Amount(seat, stepped(to, chips, scene.chip, span))))
        case Award(at, chosen):
            return Heard(_with(panel, Award(_along(award_seats(scene), at, steps), chosen)))
        case Menu(page, at):
            return Heard(_with(panel, msgspec.structs.replace(mode, at=(at + steps) % len(PAGES[page]))))
        case Pushed(amount=amount):
            amount = stepped(amount, chips, scene.chip, _pushable(mode, scene))
            return Heard(_with(panel, msgspec.structs.replace(mode, amount=amount)))
        case PickSeat(item, at, by):
            return Heard(_with(panel, PickSeat(item, _along(menu.seats_for(item, view), at, steps), by)))
        case Count(seat, stack, by):
            return Heard(_with(panel, Count(seat, stepped(stack, chips, scene.chip, (0, MAX_CHIPS)), by)))
        case ConfirmDeal() | AskDirector():
            return Heard(panel)
        case Setting():
            return Heard(_with(panel, _set(mode, steps, chips, scene)))
        case _:
            assert_never(mode)


def _set(mode: Setting, steps: int, chips: int, scene: Scene) -> Setting:
    replace, chip = msgspec.structs.replace, scene.chip
    match mode.step:
        case Step.BOOK:
            return replace(mode, book=(mode.book + steps) % len(scene.books))
        case Step.SMALL_BLIND:
            return replace(mode, small_blind=stepped(mode.small_blind, chips, chip, (chip, MAX_CHIPS)))
        case Step.BIG_BLIND:
            return replace(mode, big_blind=stepped(mode.big_blind, chips, chip, (mode.small_blind, MAX_CHIPS)))
        case Step.ANTE:
            return replace(mode, ante=stepped(mode.ante, chips, chip, (0, mode.big_blind)))
        case Step.STACK:
            return replace(mode, stack=stepped(mode.stack, chips, chip, (chip, MAX_CHIPS)))
        case Step.SEATS:
            return replace(mode, at=_along(tuple(range(1, scene.view.size + 1)), mode.at, steps))
        case Step.BUTTON:
            return replace(mode, at=_along(mode.seats, mode.at, steps))
        case _:
            assert_never(mode.step)


def _push(panel: Panel, scene: Scene) -> Heard:
    """The knob was pushed: the next preset, a winner more or less, an entry taken."""
    mode, view = panel.mode, scene.view
    match mode:
        case Play() | ConfirmDeal():
            return Heard(to_play(panel))
        case Amount(seat, to):
            return Heard(_with(panel, Amount(seat, next_preset(scene, seat, to))))
        case Award(at, chosen):
            others = tuple(seat for seat in chosen if seat != at)
            return Heard(_with(panel, Award(at, others if at in chosen else (*chosen, at))))
        case Menu():
            return _enter(panel, mode, scene)
        case Pushed():
            return Heard(_with(panel, msgspec.structs.replace(mode, single=not mode.single)))
        case PickSeat(Item.COUNT, at, by):
            return Heard(_with(panel, Count(at, seat_of(view, at).stack, by)))
        case PickSeat(item, at, by):
            return Heard(to_play(panel), (Wish(menu.for_seat(item, at), by or "panel"),))
        case Count(seat, stack, by):
            return Heard(to_play(panel), (Wish(SetStack(seat, stack), by or "panel"),))
        case AskDirector():
            return Heard(to_play(panel, Told.CANCELLED))
        case Setting(step=Step.SEATS):
            others = tuple(seat for seat in mode.seats if seat != mode.at)
            seats = others if mode.at in mode.seats else tuple(sorted((*mode.seats, mode.at)))
            return Heard(_with(panel, msgspec.structs.replace(mode, seats=seats)))
        case Setting():
            return Heard(panel)
        case _:
            assert_never(mode)


def _enter(panel: Panel, mode: Menu, scene: Scene) -> Heard:
    """An entry of the FLOOR menu is taken; what needs a director waits for the badge."""
    item = PAGES[mode.page][mode.at]
    needs = item in FOR_DIRECTORS and scene.directors and not mode.by
    if item in PUSHED:
        seat = mode.seat or scene.view.to_act
        if seat not in _selectable(scene.view):
            return Heard(to_play(panel, Told.NOT_NOW))
        return Heard(_with(panel, _pushing(item, seat, mode.by, scene)))
    if item in menu.OF_A_SEAT:
        seats = menu.seats_for(item, scene.view)
        if not seats:
            return Heard(to_play(panel, Told.NO_SEAT))
        pick = PickSeat(item, scene.view.to_act if scene.view.to_act in seats else seats[0], mode.by)
        return Heard(_with(panel, AskDirector(None, then=pick) if needs else pick))
    want = menu.for_table(item, scene.view)
    if needs:
        return Heard(_with(panel, AskDirector(want)))
    return Heard(to_play(panel), (Wish(want, mode.by or "panel"),))


# --- seats


def _along(seats: tuple[int, ...], at: int, steps: int) -> int:
    """`steps` places on from `at` round the table."""
    return seats[(seats.index(at) + steps) % len(seats)] if at in seats else seats[0]


def _selectable(view: TableView) -> tuple[int, ...]:
    """Seats that could act out of turn: those in the hand with chips behind, while somebody is to act."""
    if view.due is not Due.ACTION:
        return ()
    return tuple(s.seat for s in view.seats if s.part is Part.LIVE)


def award_seats(scene: Scene) -> tuple[int, ...]:
    """Seats among which the dealer names the winners of the pot being decided."""
    return scene.pot.eligible if scene.pot else ()


# --- lamps


def lamps(panel: Panel, scene: Scene) -> frozenset[Key]:
    """The keys that would be accepted now."""
    mode, view, legal = panel.mode, scene.view, scene.legal
    match mode:
        case Amount():
            return frozenset({*ACTION_KEYS, Key.UNDO})
        case Award():
            return frozenset({Key.DEAL, Key.UNDO, Key.FLOOR})
        case Menu():
            return frozenset({Key.FLOOR, Key.UNDO})
        case PickSeat() | Count():
            return frozenset({Key.CHECK_CALL, Key.UNDO})
        case Pushed():
            return frozenset({Key.DEAL, Key.CHECK_CALL, Key.UNDO})
        case ConfirmDeal():
            return frozenset({Key.DEAL, Key.CHECK_CALL, Key.FLOOR})
        case AskDirector():
            return frozenset(Key)
        case Setting():
            return frozenset({Key.DEAL, Key.UNDO})
        case Play(seat):
            lit = {Key.FLOOR, Key.UNDO} if scene.opened else set()
        case _:
            assert_never(mode)
    if view.due is Due.ACTION and legal is not None:
        lit |= {Key.FOLD, Key.CHECK_CALL, Key.ALL_IN, Key.TIME}
        if span_of(scene, seat or legal.seat) is not None:
            lit.add(Key.BET_RAISE)
    elif view.due is Due.SHOW:
        lit |= {Key.FOLD, Key.CHECK_CALL}
    elif view.due in DEAL_GOES_ON or not scene.opened:
        lit.add(Key.DEAL)
    return frozenset(lit)
