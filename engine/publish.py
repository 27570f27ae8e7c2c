"""What a decision tells the world: public event bodies from the private events, and nothing that lies face down.

The bodies are made by folding the events one by one from the state before, so that each shows stacks, pot and turn as
they were at that moment. No private record goes into a body: cards leave only by way of `CardsShown` and the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine import events as ev
from engine import wire
from engine.evolve import evolve
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.seats import in_order
from engine.state import HandState, TableState, in_the_middle
from engine.table import coming, seat_view
from engine.view import Due


def bodies(before: TableState, ruling: Ruling, after: TableState, book: Rulebook) -> tuple[wire.Body, ...]:
    """The public bodies of a ruling, in the order in which things happened; none for a refusal."""
    state = before
    told: list[wire.Body] = []
    for event in ruling.events:
        was, state = state, evolve(state, event)
        tell = _TELL.get(type(event))
        if tell is not None:
            told += tell(event, was, state, ruling, book)
    return tuple(told)


def _hand(state: TableState) -> HandState:
    assert state.hand is not None, "an event of a hand without a hand"
    return state.hand


def _to_act(state: TableState) -> int:
    hand = state.hand
    return hand.to_act if hand is not None and hand.due is Due.ACTION else 0


def _to_call(state: TableState) -> int:
    seat = _to_act(state)
    if not seat:
        return 0
    hand = _hand(state)
    return max(0, min(hand.price - hand.bets[seat], state.stacks[seat]))


def _hand_began(
    event: ev.HandBegan, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    hand = _hand(now)
    if was.announced == event.level or was.hand_no == 0:
        yield wire.LevelApplied(event.level)
    yield wire.HandStarted(
        button=event.positions.button,
        small_blind=event.positions.small_blind if event.positions.posts else 0,
        big_blind=event.positions.big_blind,
        level=event.level,
        seats=tuple(seat_view(now, seat) for seat in range(1, now.size + 1) if now.players[seat] is not None),
        stacks_before={seat: was.stacks[seat] for seat in in_order(event.dealt)},
        pot=in_the_middle(hand),
    )


def _shuffled(
    event: ev.Shuffled, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    if event.level is not None and was.announced == event.level and was.hand_no:
        yield wire.LevelApplied(event.level)


def _dealt(
    event: ev.HoleCardDealt | ev.HoleCardsRead, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    """With the last hole card betting opens; no card is told."""
    hand = _hand(now)
    if _hand(was).due is Due.HOLE_CARDS and hand.due is not Due.HOLE_CARDS:
        yield wire.StreetOpened("preflop", (), in_the_middle(hand), _to_act(now))


def _acted(event: ev.Acted, was: TableState, now: TableState, ruling: Ruling, book: Rulebook) -> Iterator[wire.Body]:
    yield wire.Action(
        seat=event.seat,
        what=event.what,
        to=event.to,
        stack=now.stacks[event.seat],
        pot=in_the_middle(_hand(now)),
        to_act=_to_act(now),
        to_call=_to_call(now),
        articles=ruling.articles,
    )


def _hand_killed(
    event: ev.HandKilled, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.Action(
        seat=event.seat,
        what="kill",
        to=_hand(now).bets[event.seat],
        stack=now.stacks[event.seat],
        pot=in_the_middle(_hand(now)),
        to_act=_to_act(now),
        to_call=_to_call(now),
        articles=ruling.articles,
    )


def _board_dealt(
    event: ev.BoardDealt, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    hand = _hand(now)
    if len(hand.board) in _STREETS:
        yield wire.StreetOpened(_STREETS[len(hand.board)], hand.board, in_the_middle(hand), _to_act(now))


_STREETS = {3: "flop", 4: "turn", 5: "river"}


def _hand_shown(
    event: ev.HandShown, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    if len(event.cards) == 2:
        yield wire.CardsShown(event.seat, (event.cards[0], event.cards[1]))


def _pot_awarded(
    event: ev.PotAwarded, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.PotAwarded(event.amount, dict(event.shares), ruling.articles)


def _hand_ended(
    event: ev.HandEnded, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    for seat in event.out:
        player = was.players[seat]
        assert player is not None, f"seat {seat} was empty"
        yield wire.Eliminated(seat, player.player, _hand(was).stacks_before[seat])
    yield _ended(now, book)


def _ended(now: TableState, book: Rulebook) -> wire.HandEnded:
    plan = coming(now, book)
    places = None if plan is None else plan[0]
    return wire.HandEnded(
        stacks={seat: now.stacks[seat] for seat, player in enumerate(now.players) if player is not None},
        carried=now.carried,
        next_button=0 if places is None else places.button,
        next_small_blind=0 if places is None or not places.posts else places.small_blind,
        next_big_blind=0 if places is None else places.big_blind,
    )


def _hand_voided(
    event: ev.HandVoided, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.Irregularity("hand_void", 0, ruling.articles)
    yield _ended(now, book)


def _player_sat(
    event: ev.PlayerSat, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.SeatChanged(event.seat, event.player, event.stack, True, event.arrival.value, event.name)


def _player_left(
    event: ev.PlayerLeft, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    player = was.players[event.seat]
    yield wire.SeatChanged(
        event.seat, event.player, event.stack, False, event.why.value, "" if player is None else player.name
    )


def _stack_set(
    event: ev.StackSet, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    player = was.players[event.seat]
    yield wire.ChipsCounted(event.seat, "" if player is None else player.player, event.before, event.after)


def _irregular(
    event: ev.Irregular, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.Irregularity(event.what, event.seat, ruling.articles)


def _acted_out_of_turn(
    event: ev.ActedOutOfTurn, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.Irregularity("out_of_turn", event.seat, ruling.articles)


def _floor_called(
    event: ev.FloorCalled, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.FloorCalled(event.why)


def _floor_decided(
    event: ev.FloorDecided, was: TableState, now: TableState, ruling: Ruling, book: Rulebook
) -> Iterator[wire.Body]:
    yield wire.FloorCalled(event.what, on=False)


_TELL: dict[type[ev.Event], Callable[[Any, TableState, TableState, Ruling, Rulebook], Iterator[wire.Body]]] = {
    ev.Shuffled: _shuffled,
    ev.HandBegan: _hand_began,
    ev.HoleCardDealt: _dealt,
    ev.HoleCardsRead: _dealt,
    ev.Acted: _acted,
    ev.HandKilled: _hand_killed,
    ev.BoardDealt: _board_dealt,
    ev.HandShown: _hand_shown,
    ev.PotAwarded: _pot_awarded,
    ev.HandEnded: _hand_ended,
    ev.HandVoided: _hand_voided,
    ev.PlayerSat: _player_sat,
    ev.PlayerLeft: _player_left,
    ev.StackSet: _stack_set,
    ev.Irregular: _irregular,
    ev.ActedOutOfTurn: _acted_out_of_turn,
    ev.FloorCalled: _floor_called,
    ev.FloorDecided: _floor_decided,
}
