"""What the checks of a hand script look at, and how a difference is told.

Each check computes the actual value in the canonical form of `forms.CHECKS`; the two are then compared as they stand.
Three checks look only at what the script names: `stacks` and `misses` at their seats, `button` at its positions.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from engine import table as rules
from engine.script.forms import CHECKS
from engine.script.lines import Check, Value
from engine.script.messages import LineError, Message
from engine.script.stage import Stage
from engine.seats import in_order
from engine.view import Part, Presence

COMPLETES_SHOWDOWN = ("stacks", "out", "carried", "awards", "shows")
IN = (Part.LIVE, Part.ALL_IN)


def difference(stage: Stage, check: Check) -> Message | None:
    """What the table shows instead of what `check` says; None if it holds. **Raises** ValueError: cannot be told."""
    if check.name not in _ACTUAL:
        return Message("not played yet: {what}", {"what": f"= {check.name}"})
    if check.name in COMPLETES_SHOWDOWN:
        stage.complete_showdown()
    actual = _ACTUAL[check.name](stage, check.value)
    if actual == check.value:
        return None
    write = CHECKS[check.name].write
    values = {"name": check.name, "wanted": write(check.value), "actual": write(actual)}
    return Message("the script says {name} {wanted}, the table says {actual}", values)


def actual(stage: Stage, name: str) -> str:
    """What the check `name` finds now, as a script writes it. **Raises** ValueError: it cannot be told."""
    if name not in _ACTUAL:
        raise LineError("not played yet: {what}", what=f"= {name}")
    if name in COMPLETES_SHOWDOWN:
        stage.complete_showdown()
    return CHECKS[name].write(_ACTUAL[name](stage, _asked(stage, name)))


def _asked(stage: Stage, name: str) -> Value:
    """What a script would name of the two checks that look only at what is named: every seat, every position."""
    if name == "stacks":
        return tuple((seat.seat, 0) for seat in stage.view.seats)
    return (("button",), ("small_blind",), ("big_blind",)) if name == "button" else ()


def _to_call(stage: Stage, _: Value) -> Value:
    legal = rules.legal(stage.state, stage.book)
    if legal is None:
        waits_for = stage.view.due.value
        raise LineError("nobody is to act, so there is nothing to call: the table waits for {due}", due=waits_for)
    return (legal.to_call,)


def _raise_to(stage: Stage, _: Value) -> Value:
    legal = rules.legal(stage.state, stage.book)
    return (legal.raise_to if legal else None) or ()


def _bet(stage: Stage, _: Value) -> Value:
    legal = rules.legal(stage.state, stage.book)
    return (legal.bet if legal else None) or ()


def _to_act(stage: Stage, _: Value) -> Value:
    legal = rules.legal(stage.state, stage.book)
    return (legal.seat if legal else 0,)


def _pots(stage: Stage, _: Value) -> Value:
    return tuple((pot.amount, tuple(sorted(pot.eligible))) for pot in stage.view.pots)


def _awards(stage: Stage, wanted: Value) -> Value:
    """Pots in the order paid; within one pot the shares in the script's order, if they are the same shares."""
    actual: list[tuple[int, int]] = []
    for pot in stage.awards:
        said = wanted[len(actual) : len(actual) + len(pot)]
        actual += said if sorted(said) == sorted(pot) else pot
    return tuple(actual)


def _stacks(stage: Stage, wanted: Value) -> Value:
    stage.desk.check_race_is_over()
    if not stage.stacks_known:
        raise LineError("after bust the stacks of the other seats are unknown: this script cannot ask for them")
    stacks = {seat.seat: seat.stack for seat in stage.view.seats}
    return tuple((seat, stacks.get(seat, 0)) for seat, _ in wanted)


def _out(stage: Stage, _: Value) -> Value:
    """Fewer chips at the start of the hand: a lower place. The same: the place is shared."""
    places = groupby(sorted(stage.out), key=lambda entry: entry[0])
    return tuple(tuple(seat for _, seat in shared) for _, shared in places)


def _parts(stage: Stage, wanted: tuple[Part, ...]) -> Value:
    return tuple(sorted(seat.seat for seat in stage.view.seats if seat.part in wanted))


def _face_up(stage: Stage, _: Value) -> Value:
    """Hands that lie open, and those that must because betting is over with an all-in, read or not."""
    hand = stage.state.hand
    must = hand.face_up if hand else 0
    return tuple(
        sorted(seat.seat for seat in stage.view.seats if seat.part in IN and (seat.shown or must >> seat.seat & 1))
    )


def _positions(stage: Stage, wanted: Value) -> Value:
    view = stage.next_hand()
    taken = {seat.seat for seat in view.seats if seat.presence is not Presence.EMPTY}
    at = {"button": view.button, "small_blind": view.small_blind, "big_blind": view.big_blind}
    names = [str(position[0]) for position in wanted]
    return tuple((name, at[name], name == "button" and at[name] not in {0, *taken}) for name in names)


def _misses(stage: Stage, wanted: Value) -> Value:
    misses = dict(stage.state.misses)
    return tuple((seat, misses.get(seat, 0)) for seat, _ in wanted)


def _dealt_in(stage: Stage, _: Value) -> Value:
    return tuple(sorted(seat.seat for seat in stage.next_deal().seats if seat.part is not Part.NONE))


def _playing(stage: Stage, _: Value) -> Value:
    if rules.view(stage.state, stage.book).street != "over":
        return stage.playing
    return tuple(sorted(seat.seat for seat in stage.next_deal().seats if seat.part in IN))


def _blinds(stage: Stage, _: Value) -> Value:
    level = stage.next_hand().level
    return (level.small_blind, level.big_blind) if level else (0, 0)


def _hole_cards(stage: Stage, _: Value) -> Value:
    return (2 * len(_dealt_in(stage, ())),)


_ACTUAL: dict[str, Callable[[Stage, Value], Value]] = {
    "to_act": _to_act,
    "to_call": _to_call,
    "raise_to": _raise_to,
    "bet": _bet,
    "street": lambda stage, _: (stage.view.street.value,),
    "pots": _pots,
    "awards": _awards,
    "stacks": _stacks,
    "carried": lambda stage, _: (stage.carried,),
    "held": lambda stage, _: (stage.view.withheld,),
    "misses": _misses,
    "out": _out,
    "shows": lambda stage, _: stage.state.hand.show_order if stage.state.hand else (),
    "live": lambda stage, _: _parts(stage, IN),
    "face_up": _face_up,
    "no_raise": lambda stage, _: in_order(stage.state.hand.no_raise) if stage.state.hand else (),
    "next_card": lambda stage, _: (stage.cards_off + 1,),
    "hole_cards": _hole_cards,
    "button": _positions,
    "dealt_in": _dealt_in,
    "playing": _playing,
    "blinds": _blinds,
    "chips": lambda stage, _: (stage.view.total,),
    "move": lambda stage, _: stage.desk.next_move(),
    "break": lambda stage, _: tuple(sorted(stage.desk.proposal.breaks)),
    "hold": lambda stage, _: tuple(sorted(stage.desk.proposal.holds)),
    "won": lambda stage, _: stage.desk.won,
    "pool": lambda stage, _: (stage.desk.money.pool,),
    "fee": lambda stage, _: (stage.desk.money.fee,),
    "jackpot": lambda stage, _: (stage.desk.money.jackpot,),
    "paid": lambda stage, _: (stage.desk.paid,),
}
