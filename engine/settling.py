"""What follows by itself after an input: rounds close, hands are turned up, pots are paid, players go out.

`carry_on` runs until somebody has to do something: the next player, the dealer with a card or an award, the director.
"""

from __future__ import annotations

from engine import betting, phases, pots, showdown
from engine import events as ev
from engine.acting import act, kill
from engine.inputs import Departure
from engine.out_of_turn import decide_held
from engine.seats import SeatSet, alone, in_order, next_seat
from engine.state import HandState
from engine.turn import Turn

BETWEEN_DEAL_AND_AWARD = (phases.ACTION, phases.BURN, phases.BOARD, phases.SHOW)


def carry_on(turn: Turn) -> None:
    """Go on until somebody has to do something: the next player, the dealer with a card, or the director."""
    while True:
        hand = turn.state.hand
        assert hand is not None
        waits_for = hand.due
        if waits_for is phases.ACTION:
            if betting.settled(hand):
                _close_round(turn, hand)
                continue
            seat = hand.to_act
            if hand.held and decide_held(turn, hand, seat):
                continue
            if turn.state.away >> seat & 1:
                _absent_at_turn(turn, hand, seat)
                continue
            return
        if waits_for is phases.SHOW:
            if not hand.show_order:
                _open_showdown(turn)
                continue
            seat = hand.to_act
            if seat and turn.state.away >> seat & 1 and turn.book.absent_can_win and showdown.known(hand, seat):
                turn.happened(ev.HandShown(seat, hand.hole[seat]))   # the dealer turns it up (fipos:32.b)
                continue
            if seat:
                return
            turn.happened(ev.AwardsOpened(pots.pots(hand)))
            continue
        if waits_for is phases.AWARD:
            if not hand.undecided:
                _end(turn)
                return
            which = deciding(turn)
            if not showdown.readable(hand, hand.undecided[which]):
                return
            award(turn, which, showdown.best(hand, hand.undecided[which]))
            continue
        if alone(hand.live):
            turn.happened(ev.AwardsOpened(pots.pots(hand)))
            continue
        if waits_for is phases.BURN and _instead_of_burn(turn, hand):
            continue
        return


def _instead_of_burn(turn: Turn, hand: HandState) -> bool:
    """After a dealing error the street may come without a burn, or with one that lies there already."""
    if hand.reshuffle_at == len(hand.board):
        turn.happened(ev.StubReshuffled())
        turn.cite("premature_card")
        return True
    if hand.spare:
        turn.happened(ev.SpareBurned())
        turn.cite("exposed_becomes")
        return True
    return False


def _absent_at_turn(turn: Turn, hand: HandState, seat: int) -> None:
    """The turn has come to a seat whose player is away: it checks where the book lets it win, else the hand is dead."""
    if turn.book.absent_can_win and hand.price <= hand.bets[seat]:
        turn.cite("absent_can_win")
        if act(turn, hand, seat, "check", 0) is None:
            return
    kill(turn, seat, "absent")
    turn.cite("leaves_in_hand")


def _close_round(turn: Turn, hand: HandState) -> None:
    seat, returned = betting.uncalled(hand)
    betless = hand.street is phases.RIVER and not hand.price
    caller = showdown.last_caller(hand) if hand.street is phases.RIVER else 0
    turn.happened(ev.RoundClosed(seat, returned))
    hand = turn.hand
    if alone(hand.live):
        turn.happened(ev.AwardsOpened(pots.pots(hand)))
    elif hand.street is phases.SHOWDOWN:
        _open_showdown(turn, betless, caller)


def _open_showdown(turn: Turn, betless: bool = False, caller: int = 0) -> None:
    """Hands are due in order; who must lie open does so at once if the table knows the cards."""
    hand, book = turn.hand, turn.book
    face_up = 0
    if book.allin_face_up and hand.all_in:
        face_up = hand.live
        turn.cite("allin_face_up")
    if betless and book.show_all_on_betless_last_round:
        face_up = hand.live
        turn.cite("show_all_on_betless_last_round")
    turn.happened(ev.ShowdownOpened(showdown.order(hand, caller, book), face_up))
    if not face_up:
        return
    for seat in turn.hand.show_order:
        if showdown.known(turn.hand, seat) and not turn.hand.shown >> seat & 1:
            turn.happened(ev.HandShown(seat, turn.hand.hole[seat]))


def deciding(turn: Turn) -> int:
    """Which of the undecided pots is decided now?"""
    return len(turn.hand.undecided) - 1 if turn.book.pot_award_order == "last_formed_first" else 0


def award(turn: Turn, which: int, winners: SeatSet) -> None:
    """Undecided pot `which` is paid to its winners."""
    hand, book = turn.hand, turn.book
    amount = hand.undecided[which].amount
    shares = pots.cut(amount, winners, hand.positions.button, turn.state.chip, book)
    if winners & (winners - 1):
        turn.cite("odd_chip")
    if len(hand.undecided) > 1:
        turn.cite("pot_award_order")
    turn.happened(ev.PotAwarded(which, amount, shares))


def _end(turn: Turn) -> None:
    """All pots are paid: who has nothing left is out, who was to leave leaves."""
    state, hand = turn.state, turn.hand
    waits = {seat for chips in state.withheld for seat in chips.seats}
    out = [
        seat
        for seat in hand.order
        if state.stacks[seat] == 0 and state.players[seat] is not None and seat not in waits
    ]
    out.sort(key=lambda seat: (hand.stacks_before[seat], seat))
    turn.happened(ev.HandEnded(tuple(out)))
    for seat, why in turn.state.leaving:
        leaves(turn, seat, why)


def leaves(turn: Turn, seat: int, why: Departure) -> None:
    """The player of this seat goes, with the chips, and with what is left of a penalty."""
    state = turn.state
    player = state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    misses, until_ms = dict(state.misses).get(seat, 0), dict(state.banned).get(seat, 0)
    banned_ms = max(0, until_ms - turn.at_ms)
    turn.happened(ev.PlayerLeft(seat, player.player, state.stacks[seat], why, misses, banned_ms))


def deal_done(turn: Turn) -> None:
    """The last hole card is out: who is away has a dead hand now (lifeclub:14.5, tda:30); then the betting opens."""
    hand, book = turn.hand, turn.book
    excluded = hand.excluded & hand.live
    absent = excluded if book.absent_can_win else (turn.state.away & hand.live) | excluded
    if absent:
        if absent == turn.hand.live:        # nobody is there: the pot goes to the big blind, or to the last of them
            big_blind = 1 << turn.hand.positions.big_blind
            absent &= ~(big_blind if absent & big_blind else 1 << next_seat(absent, 0))
        for seat in in_order(absent):
            kill(turn, seat, "penalty" if excluded >> seat & 1 else "absent")
        if absent & ~excluded:
            turn.cite("absent_at_deal")
        if absent & excluded:
            turn.cite("deal_to_excluded_seat", "absent_posts")
    if not turn.state.floor:
        carry_on(turn)
