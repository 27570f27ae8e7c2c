"""The rules of a table: `decide` what an input means, `evolve` the state by what happened, ask what is legal.

Everything is a fold (`engine.evolve`): `decide` answers with a `Ruling` whose events, folded one by one, give the next
state. It never changes what it was given, reads no clock and draws no card. `apply` does both. One function an input
decides it; what follows by itself (a round closes, an absent player's hand is killed, a pot is paid, somebody is out)
is decided by `engine.settling`, until somebody has to do something.

Commands may be refused, and a refusal changes nothing. Observations never are: the card is on the felt. While the
director is awaited, commands of play are refused and observations go on being recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import (
    betting,
    contesting,
    deadhands,
    dealing,
    directing,
    misdeals,
    penalties,
    phases,
    playing,
    pots,
    saying,
    seating,
    showing,
    timing,
)
from engine import inputs as inp
from engine.button import coming
from engine.dealing import board_due
from engine.evolve import check, evolve
from engine.inputs import Input
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.state import Positions, TableState, by_seat, in_the_middle
from engine.steps import steps
from engine.timing import next_deadline_ms
from engine.turn import Turn, next_level
from engine.view import Due, Legal, Part, PotPaid, Presence, SeatView, TableView

__all__ = [
    "Ruling", "apply", "check", "coming", "decide", "due", "evolve", "legal", "may", "new_table",
    "next_deadline_ms", "view",
]  # fmt: skip



def new_table(size: int, chip: int = 1) -> TableState:
    """An empty table with `size` seats; `chip` is the smallest chip in play."""
    if not 2 <= size <= 22 or chip < 1:
        raise ValueError(f"a table has 2 to 22 seats and a smallest chip of at least 1, not {size} and {chip}")
    return TableState(size=size, chip=chip, players=(None,) * (size + 1), stacks=by_seat(size))


def decide(state: TableState, what: Input, book: Rulebook, at_ms: int = 0) -> Ruling:
    """What do the rules make of this input, at the moment `at_ms`? The state stays as it is.

    The moment matters to thinking time and to penalties in minutes: it is compared with others of the same clock.
    """
    return _DECIDE[type(what)](Turn(state, book, at_ms), what)


def apply(
    state: TableState, what: Input, book: Rulebook, at_ms: int = 0
) -> tuple[TableState, Ruling]:
    """Decide, and fold what happened: the next state (the same one after a refusal) and the ruling."""
    turn = Turn(state, book, at_ms)
    ruling = _DECIDE[type(what)](turn, what)
    return (state if ruling.outcome == "refused" else turn.state), ruling


def may(state: TableState, what: Input, book: Rulebook, at_ms: int = 0) -> bool:
    """Would `decide` take this input?"""
    return decide(state, what, book, at_ms).outcome != "refused"


def due(state: TableState, book: Rulebook) -> Due:
    """The one thing the table waits for."""
    if state.floor:
        return phases.FLOOR
    if state.hand is not None:
        return state.hand.due
    if state.hold:
        return Due.HOLD
    if next_level(state) is None or coming(state, book) is None:
        return Due.PLAYERS
    return Due.FIRST_CARD if state.shuffled else Due.SHUFFLE


def legal(state: TableState, book: Rulebook) -> Legal | None:
    """What may the seat to act do? None when nobody is to act."""
    hand = state.hand
    if hand is None or hand.due is not phases.ACTION or state.floor:
        return None
    seat = hand.to_act
    return betting.options(hand, seat, state.stacks[seat], in_the_middle(hand), book)


def view(state: TableState, book: Rulebook) -> TableView:
    """The public picture: nothing in it that a player at the table could not see.

    Between hands button and blinds are those of the hand about to begin; 0 stands for nobody.
    """
    hand = state.hand
    if hand is None:
        plan = coming(state, book)
        places = plan[0] if plan is not None else state.placed or state.last or Positions(0, 0, 0, posts=False)
        fixed = state.shuffled and book.hand_start_event == "shuffle"
        level = state.level if fixed else next_level(state)
    else:
        places, level = hand.positions, hand.level
    waits_for = due(state, book)
    to_act = hand.to_act if hand is not None and waits_for in (phases.ACTION, phases.SHOW) else 0
    to_call = cards_due = next_card_for = 0
    if hand is not None:
        if waits_for is phases.ACTION:
            to_call = max(0, min(hand.price - hand.bets[to_act], state.stacks[to_act]))
        elif waits_for is phases.HOLE_CARDS:
            cards_due = 2 * len(hand.order) - hand.given + len(hand.owed) + len(hand.owed_round)
            next_card_for = dealing.next_due(hand)[0]
        elif waits_for in (phases.BURN, phases.BOARD):
            cards_due = board_due(hand)
    return TableView(
        hand=state.hand_no,
        street=phases.OVER if hand is None else hand.street,
        due=waits_for,
        size=state.size,
        book=book.id,
        level=level,
        button=places.button,
        small_blind=places.small_blind if places.posts else 0,
        big_blind=places.big_blind,
        seats=tuple(seat_view(state, seat) for seat in range(1, state.size + 1) if state.players[seat] is not None),
        board=() if hand is None else hand.board,
        pots=() if hand is None or hand.due is phases.NEXT_HAND else pots.pots(hand),
        to_act=to_act,
        to_call=to_call,
        next_seat=next_card_for,
        cards_due=cards_due,
        total=state.chips,
        withheld=sum(chips.amount for chips in state.withheld),
        steps=steps(state),
        paid=() if hand is None else tuple(PotPaid(award.amount, award.shares) for award in hand.awards),
    )


def seat_view(state: TableState, seat: int) -> SeatView:
    """One occupied seat as anybody may see it."""
    player = state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    hand = state.hand
    bet, part, last = 0, Part.NONE, ""
    shown: tuple[str, ...] = ()
    if hand is not None:
        bet = hand.bets[seat]
        mine = 1 << seat
        if hand.killed & mine:
            part = Part.DEAD
        elif hand.dealt & mine and not hand.live & mine:
            part = Part.FOLDED
        elif hand.all_in & mine:
            part = Part.ALL_IN
        elif hand.live & mine:
            part = Part.LIVE
        if hand.shown & mine:
            shown = hand.hole[seat]
        what, to = hand.last[seat]
        last = f"{what} {to}" if what in ("call", "bet", "raise_to", "all_in") else what
    return SeatView(
        seat=seat,
        player=player.player,
        name=player.name,
        stack=state.stacks[seat],
        bet=bet,
        presence=Presence.AWAY if state.away >> seat & 1 else Presence.HERE,
        part=part,
        shown=shown,
        last=last,
        misses=dict(state.misses).get(seat, 0) if state.misses else 0,
    )

# --- deciding: one function an input


_DECIDE: dict[type[Any], Callable[[Turn, Any], Ruling]] = {
    inp.SitDown: seating.sit_down,
    inp.LeaveSeat: seating.leave_seat,
    inp.PlaceButton: seating.place_button,
    inp.ApplyLevel: seating.apply_level,
    inp.SetStack: seating.set_stack,
    inp.RaceChips: seating.race_chips,
    inp.DodgedBlinds: seating.dodged_blinds,
    inp.HoldPlay: seating.hold_play,
    inp.Away: seating.away,
    inp.Back: seating.back,
    inp.Shuffle: dealing.shuffle,
    inp.FirstCard: dealing.first_card,
    inp.NextHand: dealing.next_hand,
    inp.HoleCardsDealt: dealing.hole_cards_dealt,
    inp.StreetDealt: dealing.street_dealt,
    inp.CardDrawn: dealing.card_drawn,
    inp.Fold: playing.action("fold"),
    inp.Check: playing.action("check"),
    inp.Call: playing.action("call"),
    inp.Bet: playing.action("bet"),
    inp.RaiseTo: playing.action("raise_to"),
    inp.AllIn: playing.action("all_in"),
    inp.Says: saying.says,
    inp.Puts: saying.puts,
    inp.Noticed: saying.noticed,
    inp.Chooses: saying.chooses,
    inp.ClockCall: timing.clock_call,
    inp.GrantClock: timing.grant,
    inp.Remind: timing.remind,
    inp.TimePassed: timing.time_passed,
    inp.Kill: playing.kill_command,
    inp.Revive: deadhands.revive,
    inp.Exposes: deadhands.exposes,
    inp.DealError: misdeals.deal_error,
    inp.Complain: contesting.complain,
    inp.Penalise: penalties.penalise,
    inp.Confiscate: penalties.confiscate,
    inp.TableCards: showing.table_cards,
    inp.Muck: showing.muck,
    inp.AsksToSee: showing.asks_to_see,
    inp.AwardPot: playing.award_pot,
    inp.CallFloor: directing.call_floor,
    inp.FloorDecides: directing.floor_decides,
    inp.DeviceTrouble: directing.device_trouble,
}
