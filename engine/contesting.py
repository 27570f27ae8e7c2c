"""A contested award: until when, what is set apart, and how the pot is given again.

A pot that was given wrongly is rebuilt from what was bet: the award is taken back and the pot lies undecided again,
with the seats that could win it (lifeclub:20.4, dalvivo:17.4). The window closes with the first shuffle of the next
hand or, where a book says no more, with the start of that hand. Play may go on with a part set apart (lifeclub:20.5).
"""

from __future__ import annotations

from engine import events as ev
from engine import inputs as inp
from engine import phases, pots
from engine.ruling import Ruling
from engine.seats import set_of
from engine.settling import award, carry_on, deciding
from engine.state import HandState
from engine.turn import Turn, running

COMPLAINT = "complaint"


def complain(turn: Turn, _: inp.Complain) -> Ruling:
    """Somebody contests the last award: the director. Refuses `awaiting_floor`, and `too_late` after the window."""
    state, book = turn.state, turn.book
    if state.floor:
        return turn.refuse("awaiting_floor")
    hand = contested(turn)
    closes_at_shuffle = book.ruling_window_ends == "next_shuffle" or book.hand_start_event == "shuffle"
    if hand is None or not hand.awards or (state.shuffled and closes_at_shuffle):
        return turn.refuse("too_late", "ruling_window_ends")
    turn.cite("ruling_window_ends", "wrong_award")
    turn.happened(ev.FloorCalled(COMPLAINT))
    return turn.floor()


def contested(turn: Turn) -> HandState | None:
    """The hand whose award may still be contested, or the one that is being awarded."""
    return turn.state.hand or turn.state.past


def awards(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """The director names who gets the contested pot, the chips set apart, or the pot being decided.

    He may do so without a complaint, as long as no other hand has begun.

    Refuses `not_in_hand` (nobody, or a seat that had no part in it), `not_seated` (its player has gone), `too_late`
    (nothing is contested, or somebody has gone with the chips).
    """
    state, seats = turn.state, set_of(what.seats)
    if state.withheld and state.floor != COMPLAINT:
        return _withheld_awarded(turn, what)
    hand = contested(turn)
    if hand is None:
        return turn.refuse("too_late")
    if not what.seats or any(not 0 < seat <= state.size or not hand.dealt >> seat & 1 for seat in what.seats):
        return turn.refuse("not_in_hand", seat=what.seats[0] if what.seats else 0)
    gone = next((seat for seat in what.seats if _has_gone(turn, hand, seat)), 0)
    if gone:
        return turn.refuse("not_seated", seat=gone)
    if state.floor == COMPLAINT or not running(state):
        if not _may_reopen(turn, hand):
            return turn.refuse("too_late", "wrong_award")
        turn.cite("wrong_award")
        turn.happened(ev.FloorDecided(what.what, what.text))
        _reopen(turn)
    elif hand.due in (phases.SHOW, phases.AWARD):
        if state.floor:
            turn.happened(ev.FloorDecided(what.what, what.text))
        if hand.due is phases.SHOW:
            turn.happened(ev.AwardsOpened(pots.pots(hand)))
    else:
        return turn.refuse("too_late")
    award(turn, deciding(turn), seats)
    carry_on(turn)
    return turn.ok()


def holds(turn: Turn, what: inp.FloorDecides) -> Ruling:
    """Chips of the contested pot are set apart, and play goes on.

    Refuses `too_late` (no pot is contested or being decided) and `above_maximum` (more than there is in it).
    """
    state, hand = turn.state, contested(turn)
    complaint = state.floor == COMPLAINT or not running(state)
    if hand is None or not ((complaint and _may_reopen(turn, hand)) or hand.due in (phases.SHOW, phases.AWARD)):
        return turn.refuse("too_late", "wrong_award")
    pot = hand.awards[-1].amount if complaint else pots.pots(hand)[-1 if _last_first(turn) else 0].amount
    if not 0 < what.amount <= pot:
        return turn.refuse("above_maximum", amount=pot)
    winners = set_of(seat for seat, _ in hand.awards[-1].shares) if complaint else 0
    turn.cite("wrong_award")
    if state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    if complaint:
        _reopen(turn)
    elif hand.due is phases.SHOW:
        turn.happened(ev.AwardsOpened(pots.pots(hand)))
    which, left = deciding(turn), len(turn.hand.undecided)
    seats = turn.hand.undecided[which].eligible
    before = tuple((seat, turn.hand.stacks_before[seat]) for seat in seats)
    turn.happened(ev.ChipsWithheld(which, what.amount, before))
    if winners and len(turn.hand.undecided) == left:
        award(turn, deciding(turn), winners)     # what is not set apart stays with those who had it
    carry_on(turn)
    return turn.ok()


def _last_first(turn: Turn) -> bool:
    return turn.book.pot_award_order == "last_formed_first"


def _may_reopen(turn: Turn, hand: HandState) -> bool:
    """Are the chips of the last award still where it put them?"""
    state = turn.state
    if not hand.awards or (running(state) and hand.due is not phases.AWARD):
        return False
    out = {seat for seat, _ in hand.gone}
    if any(state.players[seat] is not None for seat in out):
        return False
    return all(
        state.players[seat] is not None and not state.fresh >> seat & 1 and state.stacks[seat] >= chips
        for seat, chips in hand.awards[-1].shares
    )


def _has_gone(turn: Turn, hand: HandState, seat: int) -> bool:
    """Did the player who had that hand leave the table since, with chips and not because of it?"""
    state = turn.state
    if state.players[seat] is None:
        return all(seat != out for out, _ in hand.gone)
    return bool(state.fresh >> seat & 1)


def _reopen(turn: Turn) -> None:
    hand = contested(turn)
    assert hand is not None, "no award to take back"
    turn.happened(ev.AwardReopened(len(hand.undecided) if _last_first(turn) else 0))


def _withheld_awarded(turn: Turn, what: inp.FloorDecides) -> Ruling:
    state = turn.state
    chips = state.withheld[0]
    if not what.seats or any(seat not in chips.seats or state.players[seat] is None for seat in what.seats):
        return turn.refuse("not_in_hand", seat=what.seats[0] if what.seats else 0)
    button = state.last.button if state.last is not None else 0
    shares = pots.cut(chips.amount, set_of(what.seats), button, state.chip, turn.book)
    others = {seat for later in state.withheld[1:] for seat in later.seats}
    got = {seat for seat, _ in shares}
    out = tuple(
        (seat, before)
        for seat, before in chips.before
        if seat not in got | others and state.players[seat] is not None and state.stacks[seat] == 0
        and not (running(state) and turn.hand.dealt >> seat & 1)
    )  # fmt: skip
    turn.cite("wrong_award")
    if state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    turn.happened(ev.WithheldAwarded(shares, out))
    return turn.ok()
