"""The fold: what a table looks like after an event. No rulebook is needed and nothing can be refused here.

One function an event; `evolve` looks it up by type. Whose turn it is follows from who still owes an answer, so it is
computed here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

from msgspec.structs import replace

from engine import events as ev
from engine import phases
from engine.cards import BIT
from engine.evolve_betting import BETTING, LASTS_THE_HAND
from engine.folding import deal_complete, hand_of, next_to_show, seat_emptied
from engine.inputs import UNKNOWN_CARD
from engine.mending import FOLD
from engine.seats import alone, next_seat, set_of
from engine.state import Award, HandState, Mistake, Player, TableState, by_seat, in_the_middle, put
from engine.view import Street

NEXT_STREET = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}
BOARD_COMPLETE = (3, 4, 5)


def evolve(state: TableState, event: ev.Event) -> TableState:
    """The state after this event. The state given stays as it was."""
    return EVOLVE[type(event)](state, event)


# --- the table


def _player_sat(state: TableState, event: ev.PlayerSat) -> TableState:
    seat = event.seat
    return replace(
        state,
        players=put(state.players, seat, Player(event.player, event.name, event.arrival)),
        stacks=put(state.stacks, seat, event.stack),
        chips=state.chips + event.stack,
        away=state.away & ~(1 << seat),
        fresh=state.fresh | 1 << seat if state.last is not None or _blinds_placed(state) else state.fresh,
        misses=(*state.misses, (seat, event.misses)) if event.misses else state.misses,
        banned=(*state.banned, (seat, event.until_ms)) if event.until_ms else state.banned,
    )


def _blinds_placed(state: TableState) -> bool:
    return state.placed is not None and state.placed.big_blind != 0


def _player_leaves(state: TableState, event: ev.PlayerLeaves) -> TableState:
    return replace(state, leaving=(*state.leaving, (event.seat, event.why)))


def _player_left(state: TableState, event: ev.PlayerLeft) -> TableState:
    state = seat_emptied(state, event.seat)
    return replace(state, chips=state.chips - event.stack)


def _button_placed(state: TableState, event: ev.ButtonPlaced) -> TableState:
    return replace(state, placed=event.positions)


def _level_announced(state: TableState, event: ev.LevelAnnounced) -> TableState:
    return replace(state, announced=event.level)


def _stack_set(state: TableState, event: ev.StackSet) -> TableState:
    change = event.after - event.before
    hand = state.hand
    if hand is not None and hand.dealt >> event.seat & 1:      # what a void hand gives back is corrected too
        before = hand.stacks_before
        hand = replace(hand, stacks_before=put(before, event.seat, before[event.seat] + change))
    return replace(
        state, stacks=put(state.stacks, event.seat, event.after), chips=state.chips + change, hand=hand
    )


def _chips_raced(state: TableState, event: ev.ChipsRaced) -> TableState:
    return replace(state, chip=event.chip, stacks=event.stacks, chips=state.chips - event.removed + event.added)


def _blinds_taken(state: TableState, event: ev.BlindsTaken) -> TableState:
    stacks = put(state.stacks, event.seat, state.stacks[event.seat] - event.chips)
    return replace(state, stacks=stacks, carried=state.carried + event.chips)


def _play_held(state: TableState, event: ev.PlayHeld) -> TableState:
    return replace(state, hold=event.on, hold_why=event.why)


def _went_away(state: TableState, event: ev.WentAway) -> TableState:
    return replace(state, away=state.away | 1 << event.seat)


def _came_back(state: TableState, event: ev.CameBack) -> TableState:
    return replace(state, away=state.away & ~(1 << event.seat))


def _floor_called(state: TableState, event: ev.FloorCalled) -> TableState:
    return replace(state, floor=event.why)


def _floor_decided(state: TableState, _: ev.FloorDecided) -> TableState:
    return replace(state, floor="")


def _irregular(state: TableState, _: ev.Irregular) -> TableState:
    return state


# --- the run of a hand


def _shuffled(state: TableState, event: ev.Shuffled) -> TableState:
    if event.level is None:
        return replace(state, shuffled=True)
    announced = None if state.announced == event.level else state.announced
    return replace(state, shuffled=True, level=event.level, announced=announced)


def _hand_began(state: TableState, event: ev.HandBegan) -> TableState:
    stacks = tuple(map(sub, map(sub, state.stacks, event.antes), event.blinds))
    big_blind = event.positions.big_blind
    if event.dead:
        stacks = put(stacks, big_blind, stacks[big_blind] - event.dead)
    dealt = event.dealt
    all_in = set_of(seat for seat in event.order if stacks[seat] == 0)
    nothing = by_seat(state.size)
    price = event.level.big_blind
    hand = HandState(
        positions=event.positions,
        level=event.level,
        order=event.order,
        dealt=dealt,
        live=dealt,
        killed=0,
        all_in=all_in,
        stacks_before=state.stacks,
        carried_before=state.carried,
        street=phases.PREFLOP,
        due=phases.HOLE_CARDS,
        to_act=0,
        bets=event.blinds,
        paid=nothing,
        antes=event.antes,
        dead=event.dead + state.carried,
        price=price,
        increment=price,
        full=price,
        wagers=1,
        owing=dealt & ~all_in,
        acted=by_seat(state.size, -1),
        last=(("", 0),) * (state.size + 1),
        hole=((),) * (state.size + 1),
        excluded=event.excluded,
    )
    return replace(
        state,
        hand=hand,
        past=None,
        hand_no=state.hand_no + 1,
        stacks=stacks,
        level=event.level,
        announced=None if state.announced == event.level else state.announced,
        last=event.positions,
        placed=None,
        redeal=0,
        fresh=state.fresh & ~dealt,
        carried=0,
        shuffled=False,
    )


def _hole_card_dealt(state: TableState, event: ev.HoleCardDealt) -> TableState:
    hand = state.hand
    assert hand is not None
    seat, card = event.seat, event.card
    given = hand.given + 1
    hole = put(hand.hole, seat, (*hand.hole[seat], card))
    seen = hand.seen | BIT[card]
    if given < 2 * len(hand.order) or hand.owed or hand.owed_round:
        return replace(state, hand=replace(hand, hole=hole, seen=seen, given=given))
    return replace(state, hand=deal_complete(hand, hole, seen, event.at_ms))


def _hole_cards_read(state: TableState, event: ev.HoleCardsRead) -> TableState:
    hand = hand_of(state)
    seen = hand.seen
    for cards in event.hole:
        for card in cards:
            seen |= BIT[card]
    return replace(state, hand=deal_complete(replace(hand, told=True), event.hole, seen, event.at_ms))


def _hand_killed(state: TableState, event: ev.HandKilled) -> TableState:
    hand = hand_of(state)
    seat, mine = event.seat, 1 << event.seat
    live = hand.live & ~mine
    owing = hand.owing & ~mine
    bets, stacks = hand.bets, state.stacks
    if event.returned:
        bets = put(bets, seat, bets[seat] - event.returned)
        stacks = put(stacks, seat, stacks[seat] + event.returned)
        owing = set_of(
            other
            for other in hand.order
            if owing >> other & 1 and (hand.acted[other] < 0 or bets[other] < event.price)
        )
    to_act = hand.to_act
    if hand.due is phases.ACTION and not owing >> to_act & 1:
        to_act = next_seat(owing, to_act)
    turned = to_act != hand.to_act
    changed = replace(
        hand,
        live=live,
        killed=hand.killed | mine,
        passed=hand.passed | mine if event.why == "passed" else hand.passed,
        all_in=hand.all_in & ~mine,
        owing=owing,
        bets=bets,
        price=event.price,
        increment=event.increment,
        full=event.full,
        wagers=hand.wagers - (hand.full > event.full == hand.before_raise[2]),
        said_raise=0 if turned else hand.said_raise,
        turn_ms=event.at_ms if turned else hand.turn_ms,
        clock=None if turned else hand.clock,
        to_act=to_act,
        face_up=hand.face_up & ~mine,
        held=tuple(held for held in hand.held if held.seat != seat),
    )
    if hand.due is phases.SHOW:
        changed = next_to_show(changed)
    return replace(state, stacks=stacks, hand=changed)


def _round_closed(state: TableState, event: ev.RoundClosed) -> TableState:
    hand = hand_of(state)
    bets, stacks, all_in = hand.bets, state.stacks, hand.all_in
    if event.returned:
        bets = put(bets, event.seat, bets[event.seat] - event.returned)
        stacks = put(stacks, event.seat, stacks[event.seat] + event.returned)
        all_in &= ~(1 << event.seat)
    can_bet = hand.live & ~all_in
    big_blind = hand.level.big_blind
    street, due, aggressor = hand.street, phases.AWARD, hand.aggressor
    if not alone(hand.live):
        over = street is phases.RIVER or not can_bet or alone(can_bet)
        due = (phases.BOARD if hand.burned else phases.BURN) if len(hand.board) < 5 else phases.SHOW
        if street is not phases.RIVER:
            aggressor = 0
        street = phases.SHOWDOWN if over else NEXT_STREET[street]
    lost = hand.lost and tuple(entry for entry in hand.lost if entry[1] in LASTS_THE_HAND)
    return replace(
        state,
        stacks=stacks,
        hand=replace(
            hand,
            street=street,
            due=due,
            to_act=0,
            owing=0,
            all_in=all_in,
            paid=tuple(map(add, hand.paid, bets)),
            bets=by_seat(state.size),
            price=0,
            increment=big_blind,
            full=0,
            before_raise=(0, 0, 0),
            aggressor=aggressor,
            acted=by_seat(state.size, -1),
            last=(("", 0),) * (state.size + 1),
            wagers=0,
            no_raise=set_of(seat for seat, _ in lost) if lost else 0,
            lost=lost,
            street_after="",
            held=(),
            said_raise=0,
            may_withdraw=(),
            mistakes=hand.mistakes and tuple(mistake for mistake in hand.mistakes if _still_lies(hand, mistake)),
            actor=0,
            clock=None,
        ),
    )


def _still_lies(hand: HandState, mistake: Mistake) -> bool:
    """Is a mistake there when the round closes? What was raised or added to since has nothing wrong in it any more."""
    if mistake.street is not hand.street:
        return True
    same = hand.bets[mistake.seat] == mistake.to
    return same and (mistake.kind == "undercall" or hand.price == mistake.to)


def _card_burned(state: TableState, event: ev.CardBurned) -> TableState:
    hand = hand_of(state)
    return replace(
        state,
        hand=replace(
            hand,
            burns=(*hand.burns, event.card),
            seen=hand.seen | BIT[event.card],
            burned=True,
            street_after="",
            due=phases.BOARD if hand.due is phases.BURN else hand.due,
        ),
    )


def _board_dealt(state: TableState, event: ev.BoardDealt) -> TableState:
    hand = hand_of(state)
    board = hand.board + event.cards
    seen = hand.seen
    for card in event.cards:
        seen |= BIT[card]
    if len(board) not in BOARD_COMPLETE:
        return replace(state, hand=replace(hand, board=board, seen=seen, due=phases.BOARD))
    if hand.street is phases.SHOWDOWN:
        changed = replace(hand, board=board, seen=seen, burned=False, due=phases.BURN)
        return replace(state, hand=next_to_show(changed) if len(board) == 5 else changed)
    owing = hand.live & ~hand.all_in
    changed = replace(
        hand,
        board=board,
        seen=seen,
        burned=False,
        due=phases.ACTION,
        owing=owing,
        able=owing,
        to_act=next_seat(owing, hand.positions.button),
        turn_ms=event.at_ms,
    )
    return replace(state, hand=changed)


def _card_set_aside(state: TableState, event: ev.CardSetAside) -> TableState:
    hand = hand_of(state)
    seen = hand.seen | BIT[event.card]
    if event.why == "premature":         # the burn before it is spent (lifeclub:15.7)
        return replace(state, hand=replace(hand, early=(*hand.early, event.card), seen=seen, burned=False))
    return replace(state, hand=replace(hand, aside=(*hand.aside, event.card), seen=seen))


def _showdown_opened(state: TableState, event: ev.ShowdownOpened) -> TableState:
    hand = hand_of(state)
    hand = replace(hand, show_order=event.order, face_up=event.face_up | hand.face_up & hand.live)
    return replace(state, hand=next_to_show(hand) if hand.due is phases.SHOW else hand)


def _hand_shown(state: TableState, event: ev.HandShown) -> TableState:
    hand = hand_of(state)
    seen = hand.seen
    for card in event.cards:
        seen |= BIT[card]
    changed = replace(
        hand, hole=put(hand.hole, event.seat, event.cards), seen=seen, shown=hand.shown | 1 << event.seat
    )
    return replace(state, hand=next_to_show(changed) if hand.due is phases.SHOW else changed)


def _hand_asked(state: TableState, event: ev.HandAsked) -> TableState:
    hand = hand_of(state)
    changed = replace(hand, asked=hand.asked | 1 << event.seat)
    return replace(state, hand=next_to_show(changed) if hand.due is phases.SHOW else changed)


def _hand_mucked(state: TableState, event: ev.HandMucked) -> TableState:
    hand = hand_of(state)
    mine = 1 << event.seat
    changed = replace(hand, live=hand.live & ~mine, all_in=hand.all_in & ~mine, face_up=hand.face_up & ~mine)
    return replace(state, hand=next_to_show(changed) if hand.due is phases.SHOW else changed)


def _awards_opened(state: TableState, event: ev.AwardsOpened) -> TableState:
    hand = hand_of(state)
    nothing = by_seat(state.size)
    return replace(
        state,
        hand=replace(
            hand,
            due=phases.AWARD,
            to_act=0,
            owing=0,
            undecided=event.pots,
            bets=nothing,
            paid=nothing,
            antes=nothing,
            dead=0,
        ),
    )


def _pot_awarded(state: TableState, event: ev.PotAwarded) -> TableState:
    hand = hand_of(state)
    stacks = list(state.stacks)
    rest = event.amount
    for seat, chips in event.shares:
        stacks[seat] += chips
        rest -= chips
    undecided = hand.undecided[: event.which] + hand.undecided[event.which + 1 :]
    award = Award(event.amount, event.shares, hand.undecided[event.which].eligible)
    changed = replace(hand, undecided=undecided, awards=(*hand.awards, award))
    return replace(state, stacks=tuple(stacks), carried=state.carried + rest, hand=changed)


def _hand_ended(state: TableState, event: ev.HandEnded) -> TableState:
    hand = hand_of(state)
    hole = tuple(cards if hand.shown >> seat & 1 else () for seat, cards in enumerate(hand.hole))
    ended = replace(
        hand,
        street=phases.OVER,
        due=phases.NEXT_HAND,
        to_act=0,
        owing=0,
        hole=hole,
        burns=(),
        aside=(),
        spare=(),
        early=(),
        seen=0,
        held=(),
        out=event.out,
        gone=tuple((seat, player) for seat in event.out if (player := state.players[seat]) is not None),
    )
    sat_out = hand.excluded
    misses = state.misses and tuple(
        (seat, hands - (sat_out >> seat & 1)) for seat, hands in state.misses if hands > (sat_out >> seat & 1)
    )
    state = replace(state, hand=ended, floor="", misses=misses)
    for seat in event.out:
        state = seat_emptied(state, seat)
    return state


def _hand_voided(state: TableState, _: ev.HandVoided) -> TableState:
    hand = hand_of(state)
    stacks = tuple(
        before if hand.dealt >> seat & 1 else now
        for seat, (before, now) in enumerate(zip(hand.stacks_before, state.stacks, strict=True))
    )
    players = list(state.players)
    for seat, player in hand.gone:       # the hand was over, and they out
        players[seat] = player
    return replace(
        state,
        hand=None,
        players=tuple(players),
        stacks=stacks,
        withheld=tuple(chips for chips in state.withheld if chips.hand_no != state.hand_no),
        carried=hand.carried_before,
        placed=hand.positions,
        redeal=hand.dealt,
        level=hand.level,
        shuffled=False,
        floor="",
    )


def _table_cleared(state: TableState, _: ev.TableCleared) -> TableState:
    return replace(state, hand=None, past=state.hand)


def check(state: TableState) -> None:
    """Does everything hold that must hold at any moment? Raises AssertionError that says what does not.

    Chips are all accounted for, none is negative, each known card is in exactly one place, and the phase of the hand
    fits what it waits for. The unit asks at every turn of its crank: a failure is our own mistake and stops the table.
    """
    stacks, hand = state.stacks, state.hand
    assert min(stacks) >= 0, f"negative stack: {stacks}"
    chips = sum(stacks) + state.carried
    if hand is not None:
        chips += in_the_middle(hand)
    if state.withheld:
        chips += sum(withheld.amount for withheld in state.withheld)
    assert chips == state.chips, f"{chips} chips where there must be {state.chips}"
    if hand is None:
        return
    live, due = hand.live, hand.due
    assert not live & (hand.killed | ~hand.dealt), "a live hand that was killed or never dealt"
    assert not hand.all_in & ~live, "an all-in hand that is not live"
    if due is phases.NEXT_HAND:
        assert in_the_middle(hand) == 0, "chips in the middle of a hand that is over"
        return
    assert live, "nobody has a hand"
    apart = hand.board + hand.burns + hand.aside + hand.spare + hand.early
    cards = sum(hand.hole, apart)
    places = set(cards)
    known = len(cards)
    if UNKNOWN_CARD in places:
        places.discard(UNKNOWN_CARD)
        known -= cards.count(UNKNOWN_CARD)
    assert len(places) == known, f"a card is in two places: {sorted(cards)}"
    assert known == hand.seen.bit_count(), "a card was lost"
    if due is phases.ACTION and (hand.owing or not state.floor):  # with the director called, the round closes later
        assert hand.owing >> hand.to_act & 1, f"seat {hand.to_act} is to act and owes nothing"
        assert not hand.owing & ~(live & ~hand.all_in), "a seat owes an action and cannot act"
        assert max(hand.bets) <= hand.price, "a bet above the price"


_ORDERLY: dict[type[ev.Event], Callable[[TableState, Any], TableState]] = {
    ev.PlayerSat: _player_sat,
    ev.PlayerLeaves: _player_leaves,
    ev.PlayerLeft: _player_left,
    ev.ButtonPlaced: _button_placed,
    ev.LevelAnnounced: _level_announced,
    ev.StackSet: _stack_set,
    ev.ChipsRaced: _chips_raced,
    ev.BlindsTaken: _blinds_taken,
    ev.PlayHeld: _play_held,
    ev.WentAway: _went_away,
    ev.CameBack: _came_back,
    ev.FloorCalled: _floor_called,
    ev.FloorDecided: _floor_decided,
    ev.Irregular: _irregular,
    ev.Shuffled: _shuffled,
    ev.HandBegan: _hand_began,
    ev.HoleCardDealt: _hole_card_dealt,
    ev.HoleCardsRead: _hole_cards_read,
    **BETTING,
    ev.HandKilled: _hand_killed,
    ev.RoundClosed: _round_closed,
    ev.CardBurned: _card_burned,
    ev.BoardDealt: _board_dealt,
    ev.CardSetAside: _card_set_aside,
    ev.ShowdownOpened: _showdown_opened,
    ev.HandShown: _hand_shown,
    ev.HandAsked: _hand_asked,
    ev.HandMucked: _hand_mucked,
    ev.AwardsOpened: _awards_opened,
    ev.PotAwarded: _pot_awarded,
    ev.HandEnded: _hand_ended,
    ev.HandVoided: _hand_voided,
    ev.TableCleared: _table_cleared,
}
EVOLVE = {**_ORDERLY, **FOLD}
