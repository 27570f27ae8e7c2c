"""A journal as hand scripts: what was played, in the words a dealer reads and `bottone script` plays again.

The events of a journal fold without a rulebook, and unseen cards in them are "??", so nothing here opens a seal: only
tabled cards are printed. What was taken back is left out. Each hand ends with its stacks as a check, so that the print
of a disputed hand is a test of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from engine import events as ev
from engine.events import AnyEvent, decode_event
from engine.evolve import evolve
from engine.inputs import (
    UNKNOWN_CARD,
    AllIn,
    ApplyLevel,
    Arrival,
    AwardPot,
    Away,
    Back,
    Bet,
    Call,
    Check,
    Choice,
    Chooses,
    ClockCall,
    Complain,
    Confiscate,
    DealError,
    Exposes,
    FloorDecides,
    Fold,
    Game,
    GrantClock,
    Kill,
    LeaveSeat,
    Level,
    Motion,
    Noticed,
    Penalise,
    Puts,
    RaiseTo,
    Remind,
    Revive,
    Says,
    SetStack,
    SitDown,
    TimePassed,
)
from engine.state import TableState, decode_state
from engine.table import new_table
from firmware_py.journal_records import Deed, Kept, Line, Struck, TableOpened
from firmware_py.standing import Snapshot

BOARDS = (3, 4, 5)
SECOND_MS = 1000


@dataclass
class _Item:
    """One entry that stands, with the table before it."""

    line: Line
    before: TableState
    events: list[AnyEvent]


@dataclass
class _Hand:
    """The lines of one script under way."""

    number: int
    text: list[str] = field(default_factory=list)


@dataclass
class _Waits:
    """Whole seconds that went by since a turn began, or since time was asked for: what a script has to wait.

    Free time and the steps of a clock are whole seconds from these moments, so that seconds rounded down are on the
    same side of each of them.
    """

    turn_ms: int = -1
    since_ms: int = 0
    told_s: int = 0

    def until(self, at_ms: int, before: TableState) -> int:
        """Seconds more that have gone by at `at_ms`."""
        turn_ms = before.hand.turn_ms if before.hand is not None else at_ms
        if turn_ms != self.turn_ms:
            self.turn_ms = self.since_ms = turn_ms
            self.told_s = 0
        more = max(0, (at_ms - self.since_ms) // SECOND_MS - self.told_s)
        self.told_s += more
        return more

    def asked(self, at_ms: int) -> None:
        """Time runs from here."""
        self.since_ms, self.told_s = at_ms, 0


def scripts(lines: Iterable[Line], unit: str, start: Kept | None = None) -> Iterator[tuple[int, str]]:
    """(hand, script) of every hand that began, in order; the last one may still be running.

    `start`: the state before the first line, None for an empty table.
    """
    hand: _Hand | None = None
    waits = _Waits()
    state, book = new_table(2), ""
    if start is not None:
        kept = msgspec.json.decode(start.state, type=Snapshot)
        state, book = decode_state(bytes(kept.state)), kept.book
    for item in _standing(lines, state):
        if isinstance(item.line.deed, TableOpened):
            book = item.line.deed.book
        state = item.before
        told = _line_of(item.line.deed, item.line.ruling)
        timely = isinstance(item.line.deed, ClockCall | GrantClock | Remind | TimePassed)
        if hand is not None and timely and not state.floor:      # no time passes at a table that waits
            seconds = waits.until(item.line.at_ms, state)
            timed = isinstance(item.line.deed, TimePassed)
            if seconds:
                hand.text.append(f"wait {seconds}" + (_outcome(item.line.ruling) if timed else ""))
        if hand is not None and told:
            hand.text.append(told)
        for event in item.events:
            if isinstance(event, ev.ClockCalled):
                waits.asked(item.line.at_ms)
            if isinstance(event, ev.HandBegan):
                if hand is not None:
                    yield hand.number, "\n".join(hand.text) + "\n"
                hand = _Hand(state.hand_no + 1, _header(state, event, item.line, book, unit))
            before, state = state, evolve(state, event)
            if hand is not None:
                hand.text += _consequence(before, event, state)
    if hand is not None:
        yield hand.number, "\n".join(hand.text) + "\n"


def _standing(lines: Iterable[Line], state: TableState) -> list[_Item]:
    """The entries that were not taken back, each with the events that stand for it; `state` is before the first."""
    items: list[_Item] = []
    for line in lines:
        if isinstance(line.deed, Struck):
            state = _take_back(items, line, line.deed, state)
            continue
        if isinstance(line.deed, TableOpened):
            opened = new_table(line.deed.size, line.deed.chip)
            state = _numbered_on(opened, state)
        item = _Item(line, state, [decode_event(happened.event) for happened in line.events])
        items.append(item)
        state = _fold(state, item.events)
    return items


def _take_back(items: list[_Item], line: Line, struck: Struck, state: TableState) -> TableState:
    """Removes the struck entry; gives those after `since` the events they have without it. The table after that."""
    again: dict[int, list[AnyEvent]] = {}
    for happened in line.events:
        again.setdefault(happened.of, []).append(decode_event(happened.event))
    first = next((i for i, item in enumerate(items) if item.line.n > struck.since), len(items))
    if first == len(items):
        return state
    state = items[first].before
    kept = [item for item in items[first:] if item.line.n != struck.n]
    for item in kept:
        item.before, item.events = state, again.get(item.line.n, [])
        state = _fold(state, item.events)
    items[first:] = kept
    return state


def _fold(state: TableState, events: Iterable[AnyEvent]) -> TableState:
    for event in events:
        state = evolve(state, event)
    return state


def _numbered_on(opened: TableState, before: TableState) -> TableState:
    return msgspec.structs.replace(opened, hand_no=before.hand_no)


def _header(state: TableState, began: ev.HandBegan, line: Line, book: str, unit: str) -> list[str]:
    level, places = began.level, began.positions
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(line.utc_ms / 1000))
    seats = [(seat, state.stacks[seat]) for seat in range(1, state.size + 1) if state.players[seat] is not None]
    header = [
        f"title       {unit}, hand {state.hand_no + 1}, {when} UTC",
        f"book        {book}",
        f"size        {state.size}",
        f"chip        {state.chip}",
        f"blinds      {level.small_blind}/{level.big_blind}",
    ]
    if level.game is not Game.NO_LIMIT:
        header.append(f"game        {level.game.value}")
    if level.game is Game.FIXED_LIMIT and level.small_bet:
        header.append(f"bets        {level.small_bet}/{level.big_bet or 2 * level.small_bet}")
    if level.ante:
        header.append(f"ante        {level.ante}")
    if level.big_blind_ante:
        header.append(f"bb_ante     {level.big_blind_ante}")
    header += [
        f"button      {places.button}",
        f"small_blind {places.small_blind if places.posts else '-'}",
        f"big_blind   {places.big_blind}",
        "seats       " + " ".join(f"{seat}:{stack}" for seat, stack in seats),
    ]
    away = [str(seat) for seat, _ in seats if state.away >> seat & 1]
    if away:
        header.append(f"away        {' '.join(away)}")
    return [*header, "", "begin"]


def _line_of(deed: Deed, ruling: str) -> str:
    """The script's line for a deed; "" for one that needs none (cards tell themselves by what follows)."""
    match deed:
        case Fold(seat) | Check(seat) | Call(seat) | AllIn(seat):
            text = f"{seat} {_WORDS[type(deed)]}"
        case Bet(seat, to) | RaiseTo(seat, to):
            text = f"{seat} {_WORDS[type(deed)]} {to}"
        case Kill(seat, why):
            text = f"kill {seat} {why.value}"
        case Says(seat, word, amount, motion):
            said = f" {amount}" if amount is not None else ""
            text = f"{seat} says {word.value}{said}" + (f" puts {_chips(motion)}" if motion else "")
        case Puts(seat, motions, unnoticed):
            text = f"{seat} puts {' then '.join(map(_chips, motions))}" + (" unnoticed" if unnoticed else "")
        case Noticed(seat):
            text = f"noticed {seat}"
        case Chooses(seat, what, to):
            text = f"{seat} chooses {what.value}" + (f" {to}" if what is Choice.CORRECT else "")
        case AwardPot(seats):
            text = f"award {' '.join(map(str, seats))}"
        case Away(seat):
            text = f"{seat} away"
        case Back(seat):
            text = f"{seat} back"
        case FloorDecides("text", said):
            text = f"floor {said}"
        case FloorDecides("holds", _, _, amount):
            text = f"floor holds {amount}"
        case FloorDecides(what, _, seats):
            text = " ".join(("floor", what, *map(str, seats)))
        case ClockCall(seat):
            text = f"clock_call {seat}"
        case GrantClock():
            text = "grant"
        case Remind():
            text = "remind"
        case Revive(seat):
            text = f"revive {seat}"
        case Exposes(seat):
            text = f"{seat} exposes"
        case DealError(fault, seat, n):
            of_seat = (str(seat),) if seat else ()
            text = " ".join(("deal_error", fault.value, *of_seat, *((str(n),) if seat and n else ())))
        case Complain():
            text = "complain"
        case Penalise(seat, sanction, n):
            text = f"penalty {seat} {sanction.value}" + (f" {n}" if n else "")
        case Confiscate(seat, amount):
            text = f"confiscate {seat} {amount}"
        case SetStack(seat, stack):
            text = f"count {seat} {stack}"
        case LeaveSeat(seat, _):
            text = f"leave {seat}"
        case SitDown(seat, _, stack, _, arrival):
            text = f"sit {seat} {stack}" + ("" if arrival is Arrival.NEW else f" {arrival.value}")
        case ApplyLevel(level):
            text = _level(level)
        case _:
            return ""
    return text + _outcome(ruling)


def _outcome(ruling: str) -> str:
    """The end of a line whose outcome is not just ok."""
    outcome, *articles = ruling.split(" [")
    arrow = "" if outcome == "ok" else f" -> {outcome}"
    return arrow + (f" [{articles[0]}" if articles and arrow else "")


_WORDS: dict[type[object], str] = {
    Fold: "fold", Check: "check", Call: "call", AllIn: "all_in", Bet: "bet", RaiseTo: "raise_to",
}  # fmt: skip


def _chips(motion: Motion) -> str:
    return "+".join(map(str, motion.chips)) + (" single" if motion.single else "")


def _level(level: Level) -> str:
    text = f"level {level.small_blind}/{level.big_blind}"
    if level.ante:
        text += f" ante {level.ante}"
    if level.big_blind_ante:
        text += f" bb_ante {level.big_blind_ante}"
    return text + (f" number {level.number}" if level.number else "")


def _consequence(before: TableState, event: AnyEvent, after: TableState) -> list[str]:
    """Lines for what happened: the board, hands shown and mucked, and at the end the stacks."""
    match event:
        case ev.BoardDealt():
            return _board(before, after)
        case ev.HandShown(seat, cards) if UNKNOWN_CARD not in cards and len(cards) == 2:
            return [f"{seat} shows {''.join(cards)}"]
        case ev.HandMucked(seat):
            return [f"{seat} mucks"]
        case ev.HandEnded():
            played = before.hand.order if before.hand is not None else ()
            stacks = " ".join(f"{seat}:{before.stacks[seat]}" for seat in sorted(played))
            return [f"= stacks {stacks}"]
        case _:
            return []


def _board(before: TableState, after: TableState) -> list[str]:
    """The street's line, once its last card is there."""
    was = len(before.hand.board) if before.hand is not None else 0
    board = after.hand.board if after.hand is not None else ()
    if len(board) not in BOARDS or len(board) == was:
        return []
    street = board[: BOARDS[0]] if len(board) == BOARDS[0] else board[-1:]
    return [f"board {' '.join(street)}"]
