"""The fold of the betting: acts in and out of turn, lost rights, mistakes and how they are put right, the clock.

Part of `engine.evolve`, which holds the table, the deal and the showdown. No rulebook is needed here either.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

from msgspec.structs import replace

from engine import events as ev
from engine.seats import next_seat, set_of
from engine.state import BySeat, Clock, HandState, Held, Lost, TableState, put

LASTS_THE_HAND = (Lost.EXPOSED,)   # the other ways to lose the right to raise last for the round (fipos:20, 24)


def _hand(state: TableState) -> HandState:
    assert state.hand is not None, "an event of a hand without a hand"
    return state.hand


def _acted(state: TableState, event: ev.Acted) -> TableState:
    hand = state.hand
    assert hand is not None
    seat, what, to, price = event.seat, event.what, event.to, event.price
    mine = 1 << seat
    last = put(hand.last, seat, (what, to))
    acted = put(hand.acted, seat, price)
    held = hand.held and tuple(held for held in hand.held if held.seat != seat)
    may_withdraw = hand.may_withdraw and tuple(entry for entry in hand.may_withdraw if entry[0] != seat)
    live = hand.live & ~mine if what == "fold" else hand.live
    chips = to - hand.bets[seat]
    if not chips:
        owing = hand.owing & ~mine
        changed = replace(
            hand, last=last, acted=acted, held=held, live=live, owing=owing, to_act=next_seat(owing, seat),
            acts=hand.acts + 1, actor=seat, may_withdraw=may_withdraw, said_raise=0, turn_ms=event.at_ms, clock=None,
        )  # fmt: skip
        return replace(state, hand=changed)

    stack = state.stacks[seat] - chips
    all_in = hand.all_in if stack else hand.all_in | mine
    bets = put(hand.bets, seat, to)
    if price <= hand.price:
        owing = hand.owing & ~mine
        changed = replace(
            hand, last=last, acted=acted, held=held, live=live, bets=bets, all_in=all_in & live, owing=owing,
            to_act=next_seat(owing, seat), acts=hand.acts + 1, chip_acts=hand.chip_acts + 1, actor=seat,
            may_withdraw=may_withdraw, said_raise=0, turn_ms=event.at_ms, clock=None,
        )  # fmt: skip
    else:
        owing = hand.live & ~all_in & ~mine
        changed = replace(
            hand, last=last, acted=acted, held=held, bets=bets, all_in=all_in, owing=owing,
            to_act=next_seat(owing, seat), price=price, increment=event.increment, full=event.full,
            wagers=hand.wagers + (event.full != hand.full), aggressor=seat,
            before_raise=(hand.price, hand.increment, hand.full), acts=hand.acts + 1, chip_acts=hand.chip_acts + 1,
            actor=seat, may_withdraw=may_withdraw, said_raise=0, turn_ms=event.at_ms, clock=None,
        )  # fmt: skip
    return replace(state, stacks=put(state.stacks, seat, stack), hand=changed)


# --- out of turn, lost rights


def _acted_out_of_turn(state: TableState, event: ev.ActedOutOfTurn) -> TableState:
    hand = _hand(state)
    held = Held(event.seat, event.what, event.to, hand.price, hand.chip_acts)
    others = tuple(other for other in hand.held if other.seat != event.seat)
    return replace(state, hand=replace(hand, held=(*others, held)))


def _out_of_turn_released(state: TableState, event: ev.OutOfTurnReleased) -> TableState:
    hand = _hand(state)
    hand = replace(hand, held=tuple(other for other in hand.held if other.seat != event.seat))
    return replace(state, hand=_without_raise(hand, event.seat, Lost.OUT_OF_TURN) if event.lost_raise else hand)


def _out_of_turn_ruled(state: TableState, event: ev.OutOfTurnRuled) -> TableState:
    hand = _hand(state)
    held = tuple(replace(held, ruled=event.what) if held.seat == event.seat else held for held in hand.held)
    return replace(state, hand=replace(hand, held=held))


def _raise_lost(state: TableState, event: ev.RaiseLost) -> TableState:
    return replace(state, hand=_without_raise(_hand(state), event.seat, event.how))


def _without_raise(hand: HandState, seat: int, how: Lost) -> HandState:
    lost = (*(entry for entry in hand.lost if entry[0] != seat), (seat, how))
    return replace(hand, no_raise=hand.no_raise | 1 << seat, lost=lost)


# --- words without an amount, mistakes


def _raise_said(state: TableState, event: ev.RaiseSaid) -> TableState:
    return replace(state, hand=replace(_hand(state), said_raise=event.seat))


def _may_withdraw(state: TableState, event: ev.MayWithdraw) -> TableState:
    hand = _hand(state)
    return replace(state, hand=replace(hand, may_withdraw=(*hand.may_withdraw, (event.seat, 0))))


def _mistake_made(state: TableState, event: ev.MistakeMade) -> TableState:
    hand = _hand(state)
    return replace(state, hand=replace(hand, mistakes=(*hand.mistakes, event.mistake)))


def _mistake_noticed(state: TableState, event: ev.MistakeNoticed) -> TableState:
    hand = _hand(state)
    mistakes = tuple(
        replace(mistake, choosing=True) if mistake.seat == event.seat else mistake for mistake in hand.mistakes
    )
    return replace(state, hand=replace(hand, mistakes=mistakes))


def _put_right(state: TableState, event: ev.PutRight) -> TableState:
    hand = _hand(state)
    mistake = next(mistake for mistake in reversed(hand.mistakes) if mistake.seat == event.seat)
    mistakes = tuple(other for other in hand.mistakes if other is not mistake)
    if event.late:
        before: BySeat = hand.paid
        hand = replace(hand, mistakes=mistakes, paid=event.bets)
    else:
        before = hand.bets
        turned = next_seat(event.owing, event.seat)
        hand = replace(
            hand,
            mistakes=mistakes,
            bets=event.bets,
            price=event.price,
            increment=event.increment,
            full=event.full,
            wagers=hand.wagers + (event.full > mistake.before[2]) - (hand.full > mistake.before[2]),
            acted=_acted_again(hand, event),
            owing=event.owing,
            to_act=turned,
            may_withdraw=event.choosing,
            last=tuple((what, event.bets[seat] if to else to) for seat, (what, to) in enumerate(hand.last)),
            turn_ms=event.at_ms,
            clock=None,
        )
        for seat, _ in event.choosing:
            hand = _without_raise(hand, seat, Lost.PAID_WRONG_RAISE)
    stacks = tuple(map(add, state.stacks, map(sub, before, event.bets)))
    broke = set_of(seat for seat in hand.order if hand.live >> seat & 1 and not stacks[seat])
    owing = hand.owing & ~broke
    to_act = hand.to_act if owing >> hand.to_act & 1 else next_seat(owing, hand.to_act)
    return replace(state, stacks=stacks, hand=replace(hand, all_in=broke, owing=owing, to_act=to_act))


def _acted_again(hand: HandState, event: ev.PutRight) -> BySeat:
    """Who paid the wrong price has acted on the right one now."""
    choosing = dict(event.choosing)
    return tuple(
        event.price if acted == hand.price and seat not in choosing else min(acted, event.price)
        for seat, acted in enumerate(hand.acted)
    )


def _withdrew(state: TableState, event: ev.Withdrew) -> TableState:
    hand = _hand(state)
    seat, mine = event.seat, 1 << event.seat
    owing = hand.owing & ~mine
    to = hand.bets[seat] - event.returned
    changed = replace(
        hand, bets=put(hand.bets, seat, to), live=hand.live & ~mine, all_in=hand.all_in & ~mine, owing=owing,
        to_act=next_seat(owing, seat) if hand.to_act == seat else hand.to_act, last=put(hand.last, seat, ("fold", to)),
        may_withdraw=tuple(entry for entry in hand.may_withdraw if entry[0] != seat),
        acts=hand.acts + 1, actor=seat, said_raise=0, turn_ms=event.at_ms,
        clock=None,
    )  # fmt: skip
    return replace(state, stacks=put(state.stacks, seat, state.stacks[seat] + event.returned), hand=changed)


# --- thinking time


def _clock_called(state: TableState, event: ev.ClockCalled) -> TableState:
    return replace(state, hand=replace(_hand(state), clock=Clock(event.seat, event.by, event.ends)))


def _clock_stepped(state: TableState, _: ev.ClockStepped) -> TableState:
    hand = _hand(state)
    assert hand.clock is not None, "a step of a clock that does not run"
    return replace(state, hand=replace(hand, clock=replace(hand.clock, ends=hand.clock.ends[1:])))


def _time_up(state: TableState, _: ev.TimeUp) -> TableState:
    return replace(state, hand=replace(_hand(state), clock=None))


BETTING: dict[type[ev.Event], Callable[[TableState, Any], TableState]] = {
    ev.Acted: _acted,
    ev.ActedOutOfTurn: _acted_out_of_turn,
    ev.OutOfTurnReleased: _out_of_turn_released,
    ev.OutOfTurnRuled: _out_of_turn_ruled,
    ev.RaiseLost: _raise_lost,
    ev.RaiseSaid: _raise_said,
    ev.MayWithdraw: _may_withdraw,
    ev.MistakeMade: _mistake_made,
    ev.MistakeNoticed: _mistake_noticed,
    ev.PutRight: _put_right,
    ev.Withdrew: _withdrew,
    ev.ClockCalled: _clock_called,
    ev.ClockStepped: _clock_stepped,
    ev.TimeUp: _time_up,
}
