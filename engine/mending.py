"""The fold of what goes wrong: dealing errors and their remedies, contested awards, sanctions.

`engine.evolve` has the events of an orderly hand and looks these up beside them. Where each card of an irregular deal
lies: a card turned up or one too many is `spare` until it serves as a burn, one dealt before its time is `early` until
it goes back into the deck, a boxed one is `aside`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import Any

from msgspec.structs import replace

from engine import events as ev
from engine import phases
from engine.cards import BIT
from engine.evolve_betting import LASTS_THE_HAND
from engine.folding import deal_complete, hand_of, next_to_show, seat_emptied
from engine.inputs import UNKNOWN_CARD
from engine.seats import next_seat, set_of
from engine.state import Award, Cards, HandState, TableState, Withheld, by_seat, put
from engine.view import PotView, Street

PAUSED = phases.HOLE_CARDS


def bits(cards: Cards) -> int:
    """The known ones of these cards as bits."""
    found = 0
    for card in cards:
        found |= BIT[card]
    return found


def without(cards: Cards, card: str) -> Cards:
    """These cards without the last one of that name; all of them if there is none."""
    at = len(cards) - 1 - cards[::-1].index(card) if card in cards else len(cards)
    return cards[:at] + cards[at + 1 :]


# --- the deal


def _card_exposed(state: TableState, event: ev.CardExposed) -> TableState:
    hand = hand_of(state)
    hole = put(hand.hole, event.seat, without(hand.hole[event.seat], event.card))
    taken = len(hole[event.seat]) < len(hand.hole[event.seat])
    changed = replace(
        hand,
        hole=hole,
        spare=(*hand.spare, event.card),
        exposed=hand.exposed + 1,
        owed=(*hand.owed, event.seat) if taken else hand.owed,
        due=PAUSED if taken else hand.due,
    )
    return replace(state, hand=changed)


def _card_boxed(state: TableState, event: ev.CardBoxed) -> TableState:
    hand = hand_of(state)
    seat, card = event.seat, event.card
    hand = replace(hand, boxed=hand.boxed + 1, seen=hand.seen | BIT[card], due=PAUSED)
    if event.dealt:
        hand = replace(hand, hole=put(hand.hole, seat, without(hand.hole[seat], card)))
    else:
        hand = replace(hand, given=hand.given + 1)
    if event.as_burn:
        hand = replace(hand, spare=(*hand.spare, card), owed=(*hand.owed, seat))
    else:
        hand = replace(hand, aside=(*hand.aside, card), owed_round=(*hand.owed_round, seat))
    return replace(state, hand=hand)


def _card_replaced(state: TableState, event: ev.CardReplaced) -> TableState:
    hand = hand_of(state)
    seat, card = event.seat, event.card
    hole = put(hand.hole, seat, (*hand.hole[seat], card))
    seen = hand.seen | BIT[card]
    owed, owed_round = hand.owed, hand.owed_round
    if owed_round:
        owed_round = owed_round[1:]
    else:
        owed = owed[1:]
    if hand.given < 2 * len(hand.order) or owed or owed_round:
        return replace(state, hand=replace(hand, hole=hole, seen=seen, owed=owed, owed_round=owed_round))
    return replace(state, hand=deal_complete(hand, hole, seen, event.at_ms))


def _card_spared(state: TableState, event: ev.CardSpared) -> TableState:
    hand = hand_of(state)
    spare = (*hand.spare, event.card)
    extra = hand.extra + event.extra
    return replace(state, hand=replace(hand, spare=spare, seen=hand.seen | BIT[event.card], extra=extra))


# --- burns, flop, turn and river


def _spare_burned(state: TableState, _: ev.SpareBurned) -> TableState:
    hand = hand_of(state)
    changed = replace(
        hand,
        burns=(*hand.burns, hand.spare[0]),
        spare=hand.spare[1:],
        burned=True,
        due=phases.BOARD,
        street_after="spare",
    )
    return replace(state, hand=changed)


def _flop_taken_up(state: TableState, event: ev.FlopTakenUp) -> TableState:
    hand = hand_of(state)
    folded = set_of(seat for seat in hand.order if hand.last[seat][0] == "fold")
    came_back = set_of(seat for seat in hand.order if hand.bets[seat])
    missing = event.out - len(hand.burns)
    lost = tuple(entry for entry in hand.lost if entry[1] in LASTS_THE_HAND)
    changed = replace(
        hand,
        street=Street.FLOP if hand.street is Street.TURN else hand.street,     # its betting is done again
        board=(),
        seen=hand.seen & ~bits(hand.board + hand.burns[event.out :]),
        burns=hand.burns[: event.out] + (UNKNOWN_CARD,) * missing,
        burned=True,
        due=phases.BOARD,
        street_after="reshuffle",
        to_act=0,
        owing=0,
        live=hand.live | folded,
        all_in=hand.all_in & ~came_back,
        bets=by_seat(state.size),
        price=0,
        increment=hand.level.big_blind,
        full=0,
        before_raise=(0, 0, 0),
        aggressor=0,
        acted=by_seat(state.size, -1),
        last=(("", 0),) * (state.size + 1),
        wagers=0,
        no_raise=set_of(seat for seat, _ in lost),
        lost=lost,
        held=(),
        actor=0,
        said_raise=0,
        may_withdraw=(),
        mistakes=tuple(mistake for mistake in hand.mistakes if mistake.street is not hand.street),
        clock=None,
    )
    return replace(state, stacks=tuple(map(add, state.stacks, hand.bets)), hand=changed)


def _flop_drawn(state: TableState, event: ev.FlopDrawn) -> TableState:
    hand = hand_of(state)
    burns = without(hand.burns, hand.burns[-1])
    return replace(
        state, hand=replace(hand, board=event.board, burns=burns, burned=False, spare=(*hand.spare, event.burn))
    )


def _reshuffle_due(state: TableState, event: ev.ReshuffleDue) -> TableState:
    return replace(state, hand=replace(hand_of(state), reshuffle_at=event.board))


def _stub_reshuffled(state: TableState, _: ev.StubReshuffled) -> TableState:
    hand = hand_of(state)
    seen = hand.seen & ~bits(hand.early)
    changed = replace(
        hand, early=(), seen=seen, burned=True, due=phases.BOARD, reshuffle_at=-1, street_after="reshuffle"
    )
    return replace(state, hand=changed)


# --- hands


def _hand_exposed(state: TableState, event: ev.HandExposed) -> TableState:
    hand = hand_of(state)
    return replace(state, hand=replace(hand, face_up=hand.face_up | 1 << event.seat))


def _hand_revived(state: TableState, event: ev.HandRevived) -> TableState:
    hand, mine = hand_of(state), 1 << event.seat
    all_in = hand.all_in if state.stacks[event.seat] else hand.all_in | mine
    owing = hand.owing | mine if event.owes else hand.owing
    hand = replace(hand, live=hand.live | mine, killed=hand.killed & ~mine, all_in=all_in, owing=owing)
    if event.first:
        hand = replace(hand, to_act=event.seat)
    elif hand.due is phases.ACTION and not hand.to_act:
        hand = replace(hand, to_act=next_seat(owing, event.seat))
    elif hand.due is phases.SHOW:
        last = () if event.seat in hand.show_order else (event.seat,)      # a mucked hand keeps its place
        hand = next_to_show(replace(hand, show_order=(*hand.show_order, *last)))
    return replace(state, hand=hand)


# --- contested awards


def _award_reopened(state: TableState, event: ev.AwardReopened) -> TableState:
    hand = state.hand or state.past
    assert hand is not None, "an award of no hand"
    award: Award = hand.awards[-1]
    stacks, players = list(state.stacks), list(state.players)
    for seat, chips in award.shares:
        stacks[seat] -= chips
    for seat, player in hand.gone:
        players[seat] = player
    rest = award.amount - sum(chips for _, chips in award.shares)
    pot = PotView(award.amount, award.eligible)
    undecided = (*hand.undecided[: event.which], pot, *hand.undecided[event.which :])
    reopened = replace(
        hand,
        street=Street.SHOWDOWN,
        due=phases.AWARD,
        undecided=undecided,
        awards=hand.awards[:-1],
        out=(),
        gone=(),
        excluded=0,
    )
    return replace(
        state,
        stacks=tuple(stacks),
        players=tuple(players),
        carried=state.carried - rest,
        hand=reopened,
        past=None,
    )


def _chips_withheld(state: TableState, event: ev.ChipsWithheld) -> TableState:
    hand = hand_of(state)
    pot = hand.undecided[event.which]
    left = pot.amount - event.amount
    kept = (PotView(left, pot.eligible),) if left else ()
    undecided = (*hand.undecided[: event.which], *kept, *hand.undecided[event.which + 1 :])
    withheld = Withheld(event.amount, state.hand_no, event.before)
    return replace(state, withheld=(*state.withheld, withheld), hand=replace(hand, undecided=undecided))


def _withheld_awarded(state: TableState, event: ev.WithheldAwarded) -> TableState:
    chips, hand = state.withheld[0], state.hand
    stacks = list(state.stacks)
    for seat, share in event.shares:
        stacks[seat] += share
    rest = chips.amount - sum(share for _, share in event.shares)
    if hand is not None and chips.hand_no != state.hand_no:      # of an earlier hand: the later one gives them back too
        before = list(hand.stacks_before)
        for seat, share in event.shares:
            before[seat] += share
        hand = replace(hand, stacks_before=tuple(before), carried_before=hand.carried_before + rest)
    state = replace(
        state, stacks=tuple(stacks), withheld=state.withheld[1:], carried=state.carried + rest, hand=hand
    )
    for seat, _ in event.out:
        state = seat_emptied(state, seat)
    return state


def _carried_awarded(state: TableState, event: ev.CarriedAwarded) -> TableState:
    return replace(
        state, stacks=put(state.stacks, event.seat, state.stacks[event.seat] + state.carried), carried=0
    )


# --- sanctions


def _penalised(state: TableState, event: ev.Penalised) -> TableState:
    seat = event.seat
    if event.hands:
        others = tuple(entry for entry in state.misses if entry[0] != seat)
        hands = dict(state.misses).get(seat, 0) + event.hands
        return replace(state, misses=(*others, (seat, hands)))
    if event.until_ms:
        others = tuple(entry for entry in state.banned if entry[0] != seat)
        until = max(dict(state.banned).get(seat, 0), event.until_ms)
        return replace(state, banned=(*others, (seat, until)))
    return state


def _disqualified(state: TableState, event: ev.Disqualified) -> TableState:
    seat = event.seat
    state = replace(state, chips=state.chips - event.stack, stacks=put(state.stacks, seat, 0))
    if event.at_once:
        return seat_emptied(state, seat)
    hand: HandState = hand_of(state)
    before = put(hand.stacks_before, seat, hand.stacks_before[seat] - event.stack)
    return replace(state, hand=replace(hand, stacks_before=before))


FOLD: dict[type[ev.Event], Callable[[TableState, Any], TableState]] = {
    ev.CardExposed: _card_exposed,
    ev.CardBoxed: _card_boxed,
    ev.CardReplaced: _card_replaced,
    ev.CardSpared: _card_spared,
    ev.SpareBurned: _spare_burned,
    ev.FlopTakenUp: _flop_taken_up,
    ev.FlopDrawn: _flop_drawn,
    ev.ReshuffleDue: _reshuffle_due,
    ev.StubReshuffled: _stub_reshuffled,
    ev.HandExposed: _hand_exposed,
    ev.HandRevived: _hand_revived,
    ev.AwardReopened: _award_reopened,
    ev.ChipsWithheld: _chips_withheld,
    ev.WithheldAwarded: _withheld_awarded,
    ev.CarriedAwarded: _carried_awarded,
    ev.Penalised: _penalised,
    ev.Disqualified: _disqualified,
}
"""The fold of each event here, looked up by type."""
