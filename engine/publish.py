"""What a decision tells the world: public event bodies from the private events, and nothing that lies face down.

The bodies are made by folding the events one by one from the state before, so that each shows stacks, pot and turn as
they were at that moment. No private record goes into a body: cards leave only by way of `CardsShown` and the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine import wire
from engine.evolve import BOARD_COMPLETE, evolve
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.seats import in_order
from engine.state import HandState, Player, TableState, in_the_middle
from engine.table import coming, seat_view
from engine.view import Due

STREETS = dict(zip(BOARD_COMPLETE, ("flop", "turn", "river"), strict=True))


def bodies(before: TableState, ruling: Ruling, after: TableState, book: Rulebook) -> tuple[wire.Body, ...]:
    """The public bodies of a ruling, in the order in which things happened; none for a refusal.

    `after` must be what the ruling's events make of `before`. Raises AssertionError if it is not.
    """
    state = before
    told: list[wire.Body] = []
    for event in ruling.events:
        was, state = state, evolve(state, event)
        told += _told(event, was, state, ruling.articles, book)
    assert state.chips == after.chips, "these events do not lead from one state to the other"
    return tuple(told)


def _told(
    event: ev.Event, was: TableState, now: TableState, articles: tuple[str, ...], book: Rulebook
) -> Iterator[wire.Body]:
    """What one event tells, seen from the states before and after it."""
    match event:
        case ev.Shuffled(level):
            if level is not None and was.announced == level and was.hand_no:
                yield wire.LevelApplied(level)
        case ev.HandBegan():
            yield from _hand_began(event, was, now)
        case ev.HoleCardDealt() | ev.HoleCardsRead():
            hand = _hand(now)
            if hand.due is not Due.HOLE_CARDS and _hand(was).due is Due.HOLE_CARDS:
                yield wire.StreetOpened("preflop", (), in_the_middle(hand), _to_act(now))
        case ev.Acted(seat, what, to):
            yield _action(now, seat, what, to, articles)
        case ev.PutRight():
            for seat, (what, to) in enumerate(_hand(now).last):
                if now.stacks[seat] != was.stacks[seat]:
                    yield _action(now, seat, what, to, articles)
        case ev.Withdrew(seat):
            yield _action(now, seat, "fold", _hand(now).bets[seat], articles)
        case ev.HandKilled(seat):
            yield _action(now, seat, "kill", _hand(now).bets[seat], articles)
        case ev.BoardDealt():
            hand = _hand(now)
            if len(hand.board) in STREETS:
                yield wire.StreetOpened(STREETS[len(hand.board)], hand.board, in_the_middle(hand), _to_act(now))
        case ev.HandShown(seat, (first, second)):
            yield wire.CardsShown(seat, (first, second))
        case ev.PotAwarded(_, amount, shares):
            yield wire.PotAwarded(amount, dict(shares), articles)
        case ev.HandEnded(out):
            for seat in out:
                yield wire.Eliminated(seat, _player(was, seat).player, _hand(was).stacks_before[seat])
            yield _hand_ended(now, book)
        case ev.HandVoided(why):
            yield from _back(was, now)
            yield wire.Irregularity("misdeal" if why == "misdeal" else "hand_void", 0, articles)
            yield _hand_ended(now, book)
        case ev.PlayerSat(seat, player, name, stack, arrival, misses):
            yield wire.SeatChanged(seat, player, stack, sat=True, why=arrival.value, name=name, misses=misses)
        case ev.PlayerLeft(seat, player, stack, why, misses, banned_ms):
            name = _player(was, seat).name
            yield wire.SeatChanged(
                seat, player, stack, sat=False, why=why.value, name=name, misses=misses, banned_ms=banned_ms
            )
        case ev.StackSet(seat, had, has, confiscated):
            yield wire.ChipsCounted(seat, _player(was, seat).player, had, has, confiscated)
        case ev.ChipsRaced(chip, stacks, removed, added):
            left = {seat: stacks[seat] for seat, player in enumerate(now.players) if player is not None}
            yield wire.ChipsRaced(chip, left, removed, added)
        case ev.BlindsTaken(seat, chips):
            yield wire.BlindsTaken(seat, _player(was, seat).player, chips, now.carried)
        case ev.Irregular(what, seat):
            yield wire.Irregularity(what, seat, articles)
        case ev.ActedOutOfTurn(seat):
            yield wire.Irregularity("out_of_turn", seat, articles)
        case ev.AwardReopened():
            yield wire.Irregularity("award_corrected", 0, articles)
            yield from _back(was, now)
        case ev.WithheldAwarded(shares, out):
            for seat, chips in shares:
                had = was.stacks[seat]
                yield wire.ChipsCounted(seat, _player(was, seat).player, had, had + chips)
            for seat, before in out:
                yield wire.Eliminated(seat, _player(was, seat).player, before)
        case ev.CarriedAwarded(seat):
            yield wire.ChipsCounted(seat, _player(was, seat).player, was.stacks[seat], now.stacks[seat])
        case ev.Penalised(seat, what):
            yield wire.Irregularity(f"penalty_{what}", seat, articles)
        case ev.Disqualified(seat, stack, at_once):
            yield wire.ChipsCounted(seat, _player(was, seat).player, stack, 0)
            if at_once:
                yield wire.Eliminated(seat, _player(was, seat).player, stack)
        case ev.HandRevived(seat):
            yield wire.Irregularity("revived", seat, articles)
        case ev.FloorCalled(why):
            yield wire.FloorCalled(why)
        case ev.FloorDecided(what):
            yield wire.FloorCalled(what, on=False)
        case _:
            pass                                # nothing that anybody away from the table needs to know


def _back(was: TableState, now: TableState) -> Iterator[wire.Body]:
    """Players who were out and are not, because what put them out was undone."""
    for seat, player in enumerate(now.players):
        if player is not None and was.players[seat] is None:
            stack = now.stacks[seat]
            yield wire.SeatChanged(seat, player.player, stack, sat=True, why=wire.REINSTATED, name=player.name)


def _hand_began(event: ev.HandBegan, was: TableState, now: TableState) -> Iterator[wire.Body]:
    if was.announced == event.level or not was.hand_no:
        yield wire.LevelApplied(event.level)
    yield wire.HandStarted(
        button=event.positions.button,
        small_blind=event.positions.small_blind if event.positions.posts else 0,
        big_blind=event.positions.big_blind,
        level=event.level,
        seats=tuple(seat_view(now, seat) for seat, player in enumerate(now.players) if player is not None),
        stacks_before={seat: was.stacks[seat] for seat in in_order(event.dealt)},
        pot=in_the_middle(_hand(now)),
    )


def _action(now: TableState, seat: int, what: str, to: int, articles: tuple[str, ...]) -> wire.Action:
    hand = _hand(now)
    to_act = _to_act(now)
    to_call = max(0, min(hand.price - hand.bets[to_act], now.stacks[to_act])) if to_act else 0
    return wire.Action(seat, what, to, now.stacks[seat], in_the_middle(hand), to_act, to_call, articles)


def _hand_ended(now: TableState, book: Rulebook) -> wire.HandEnded:
    plan = coming(now, book)
    places = None if plan is None else plan[0]
    return wire.HandEnded(
        stacks={seat: now.stacks[seat] for seat, player in enumerate(now.players) if player is not None},
        carried=now.carried,
        next_button=0 if places is None else places.button,
        next_small_blind=0 if places is None or not places.posts else places.small_blind,
        next_big_blind=0 if places is None else places.big_blind,
    )


def _hand(state: TableState) -> HandState:
    assert state.hand is not None, "an event of a hand without a hand"
    return state.hand


def _player(state: TableState, seat: int) -> Player:
    player = state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    return player


def _to_act(state: TableState) -> int:
    hand = state.hand
    return hand.to_act if hand is not None and hand.due is Due.ACTION else 0
