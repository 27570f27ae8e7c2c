"""What follows by itself after an input: rounds close, hands are turned up, pots are paid, players go out.

`carry_on` runs until somebody has to do something: the next player, the dealer with a card or an award, the director.
"""

from __future__ import annotations

from engine import betting, phases, pots, showdown
from engine import events as ev
from engine.acting import kill
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
                kill(turn, seat, "absent")
                turn.cite("leaves_in_hand")
                continue
            return
        if waits_for is phases.SHOW:
            if not hand.show_order:
                _open_showdown(turn)
                continue
            if hand.to_act:
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
        return


def _close_round(turn: Turn, hand: HandState) -> None:
    seat, returned = betting.uncalled(hand)
    turn.happened(ev.RoundClosed(seat, returned))
    hand = turn.hand
    if alone(hand.live):
        turn.happened(ev.AwardsOpened(pots.pots(hand)))
    elif hand.street is phases.SHOWDOWN:
        _open_showdown(turn)


def _open_showdown(turn: Turn) -> None:
    hand = turn.hand
    face_up = hand.live if turn.book.allin_face_up and hand.all_in else 0
    turn.happened(ev.ShowdownOpened(showdown.order(hand), face_up))
    if not face_up:
        return
    turn.cite("allin_face_up")
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
    out = [seat for seat in hand.order if state.stacks[seat] == 0 and state.players[seat] is not None]
    out.sort(key=lambda seat: (hand.stacks_before[seat], seat))
    turn.happened(ev.HandEnded(tuple(out)))
    for seat, why in turn.state.leaving:
        leaves(turn, seat, why)


def leaves(turn: Turn, seat: int, why: Departure) -> None:
    """The player of this seat goes, with the chips."""
    player = turn.state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    turn.happened(ev.PlayerLeft(seat, player.player, turn.state.stacks[seat], why))


def deal_done(turn: Turn) -> None:
    """The last hole card is out: who is away has a dead hand now (lifeclub:14.5, tda:30); then the betting opens."""
    absent = turn.state.away & turn.hand.live
    if absent:
        if absent == turn.hand.live:        # nobody is there: the pot goes to the big blind, or to the last of them
            big_blind = 1 << turn.hand.positions.big_blind
            absent &= ~(big_blind if absent & big_blind else 1 << next_seat(absent, 0))
        for seat in in_order(absent):
            kill(turn, seat, "absent")
        turn.cite("absent_at_deal")
    if not turn.state.floor:
        carry_on(turn)
