"""Inputs about the table and its players: seats, stacks, button, level, presence, and whether play is held."""

from __future__ import annotations

from engine import chip_race, phases
from engine import events as ev
from engine import inputs as inp
from engine.acting import kill
from engine.betting import game_of
from engine.button import coming, place, seated
from engine.inputs import Arrival, Departure
from engine.ruling import Ruling
from engine.seats import in_order, next_seat
from engine.settling import BETWEEN_DEAL_AND_AWARD, carry_on, leaves
from engine.turn import Turn, next_level, running, seat_fault


def sit_down(turn: Turn, what: inp.SitDown) -> Ruling:
    """A player takes a seat, in a running hand too.

    Refuses `not_seated` (no such chair), `seat_taken`, `level_closed` (a new entrant after the last level that takes
    them), `between_blind_and_button` (nobody is moved to the small blind to keep tables level).
    """
    state, seat = turn.state, what.seat
    if not 1 <= seat <= min(state.size, turn.book.table_max):
        return turn.refuse("not_seated", "table_max", seat=seat)
    if what.stack < 1:
        return turn.refuse("below_minimum", amount=1, seat=seat)
    hand = state.hand
    if state.players[seat] is not None or (running(state) and hand is not None and hand.dealt >> seat & 1):
        return turn.refuse("seat_taken", seat=seat)
    if what.arrival is Arrival.NEW and _entry_closed(turn):
        return turn.refuse("level_closed", "late_entry_last_level", seat=seat)
    if what.arrival is Arrival.FROM_BALANCE and _small_blind_vacant_at(turn, seat):
        return turn.refuse("between_blind_and_button", "balance_seat", seat=seat)
    until_ms = turn.at_ms + what.banned_ms if what.banned_ms > 0 else 0
    misses = max(0, what.misses)
    turn.happened(ev.PlayerSat(seat, what.player, what.name, what.stack, what.arrival, misses, until_ms))
    return turn.ok()


def _entry_closed(turn: Turn) -> bool:
    """Has a level been announced that takes no new entrants any more? (lifeclub:3.b)."""
    last, level = turn.book.late_entry_last_level, next_level(turn.state)
    return last != "none" and level is not None and level.number > last


def _small_blind_vacant_at(turn: Turn, seat: int) -> bool:
    """Would this free seat be the small blind of the coming hand? (lifeclub:16.2, tda:11-A)."""
    state, book = turn.state, turn.book
    if running(state) or book.balance_seat == "same_position":
        return False
    plan = coming(state, book)
    return plan is not None and not plan[0].posts and plan[0].small_blind == seat


def leave_seat(turn: Turn, what: inp.LeaveSeat) -> Ruling:
    """A player goes, when the hand is over if the seat was dealt in. Refuses `not_seated`."""
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand = turn.state.hand
    if hand is not None and hand.due is not phases.NEXT_HAND and hand.dealt >> what.seat & 1:
        if all(seat != what.seat for seat, _ in turn.state.leaving):
            turn.happened(ev.PlayerLeaves(what.seat, what.why))
    else:
        if turn.state.carried and what.why is Departure.BROKEN:
            _carried_stays(turn)
        leaves(turn, what.seat, what.why)
    return turn.ok()


def _carried_stays(turn: Turn) -> None:
    """The table closes: what was carried for a next pot goes to the first player left of the button (fipos:15)."""
    state = turn.state
    turn.happened(ev.CarriedAwarded(next_seat(seated(state), state.last.button if state.last else 0)))
    turn.cite("carry_without_successor")


def place_button(turn: Turn, what: inp.PlaceButton) -> Ruling:
    """The button of the next hand. Refuses `too_early` (a hand runs) and `not_seated`."""
    state = turn.state
    if running(state):
        return turn.refuse("too_early")
    named = (what.seat, what.small_blind or 0, what.big_blind or 0)
    if any(not 0 <= seat <= state.size for seat in named) or not what.seat:
        return turn.refuse("not_seated", seat=what.seat)
    players = seated(state)
    if what.big_blind is not None and not players >> what.big_blind & 1:
        return turn.refuse("not_seated", seat=what.big_blind)
    turn.happened(ev.ButtonPlaced(place(what.seat, what.small_blind, what.big_blind, players, state.size)))
    return turn.ok()


def apply_level(turn: Turn, what: inp.ApplyLevel) -> Ruling:
    """A level is announced for the next start of a hand.

    Refuses `below_minimum` (no big blind, or a negative amount), `not_in_catalogue` (no rules for that game).
    """
    level = what.level
    amounts = (level.small_blind, level.ante, level.big_blind_ante, level.small_bet, level.big_bet)
    if level.big_blind < 1 or min(amounts) < 0:
        return turn.refuse("below_minimum", amount=1)
    if game_of(level) not in turn.book.structures:
        return turn.refuse("not_in_catalogue", "structures")
    turn.happened(ev.LevelAnnounced(level))
    turn.cite("hand_start_event")
    return turn.ok()


def set_stack(turn: Turn, what: inp.SetStack) -> Ruling:
    """A counted stack. Refuses `not_seated`, `below_minimum`, and `too_early` where it would make or undo an all-in."""
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    if what.stack < 0:
        return turn.refuse("below_minimum", amount=0, seat=what.seat)
    hand = turn.state.hand
    live = hand is not None and running(turn.state) and hand.live >> what.seat & 1
    if live and (what.stack == 0 or turn.hand.all_in >> what.seat & 1):
        return turn.refuse("too_early", seat=what.seat)
    turn.happened(ev.StackSet(what.seat, turn.state.stacks[what.seat], what.stack))
    return turn.ok()


def race_chips(turn: Turn, what: inp.RaceChips) -> Ruling:
    """The smallest chips leave. Refuses `too_early` (a hand runs; chips are still to be won), `not_in_catalogue`.

    The latter where the cards told are not those of a race by this book, or the chips cannot be changed.
    """
    state, book = turn.state, turn.book
    if running(state):
        return turn.refuse("too_early")
    small_blind = what.small_blind or (state.last.small_blind if state.last is not None else 0)
    try:
        race = chip_race.begin(
            {seat: state.stacks[seat] for seat in in_order(seated(state))},
            what.old, what.new, small_blind, book.chip_race, book.race_tie, book.race_rest,
        )  # fmt: skip
        for cards in what.rounds:
            race = chip_race.deal(race, cards)
    except ValueError:
        return turn.refuse("not_in_catalogue", "chip_race")
    left = chip_race.to_win(race)
    if left:
        return turn.refuse("too_early", "chip_race", amount=left)
    after = chip_race.outcome(race)
    stacks = tuple(after.stacks.get(seat, 0) for seat in range(state.size + 1))
    turn.happened(ev.ChipsRaced(what.new, stacks, after.removed, after.added))
    turn.cite("chip_race")
    if len(after.won) > 1 or any(len(cards) > 1 for cards in what.rounds):
        turn.cite("race_tie")
    return turn.ok()


def dodged_blinds(turn: Turn, what: inp.DodgedBlinds) -> Ruling:
    """Blinds that a player dodged by coming late from another table go into the next pot as dead money.

    Nobody goes out without a hand: the last chip stays. Refuses `not_seated`; `too_early` while a hand runs or no level
    is known; `no_chips` where nothing can be taken; `not_in_catalogue` where the book only punishes it.
    """
    state, book = turn.state, turn.book
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    if book.blind_dodging != "dead_money_and_penalty":
        return turn.refuse("not_in_catalogue", "blind_dodging", seat=what.seat)
    level = next_level(state)
    if running(state) or level is None:
        return turn.refuse("too_early")
    due = level.small_blind * what.small_blind + level.big_blind * what.big_blind
    chips = min(due, state.stacks[what.seat] - state.chip)
    if chips < 1:
        return turn.refuse("no_chips", "blind_dodging", seat=what.seat)
    turn.happened(ev.BlindsTaken(what.seat, chips))
    turn.cite("blind_dodging")
    return turn.ok()


def hold_play(turn: Turn, what: inp.HoldPlay) -> Ruling:
    """The next hand waits, or waits no longer. Never refused."""
    turn.happened(ev.PlayHeld(what.on, what.why))
    return turn.ok()


def away(turn: Turn, what: inp.Away) -> Ruling:
    """A player walks away; a live hand goes as the book says (lifeclub:14.4, tda:31). Refuses `not_seated`."""
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    turn.happened(ev.WentAway(what.seat))
    hand = turn.state.hand
    if hand is not None and hand.due in BETWEEN_DEAL_AND_AWARD and hand.live >> what.seat & 1:
        if turn.book.leaves_in_hand == "dead_hand":
            kill(turn, what.seat, "absent")
            turn.cite("leaves_in_hand")
        if not turn.state.floor:
            carry_on(turn)
    return turn.ok()


def back(turn: Turn, what: inp.Back) -> Ruling:
    """A player is back. Refuses `not_seated`."""
    fault = seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    turn.happened(ev.CameBack(what.seat))
    return turn.ok()
