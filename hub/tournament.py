"""What the tournament does next: the draw, the start, levels, balancing, breaking, moves, the end.

Theory of operation. A `Tournament` is a fold over the hub's journal (`hub.entries`); the room (`hub.room`) is a fold
over the tables' events. `next_step` looks at both and at the time and names one thing to do: an entry to write down, or
a `Wish` (a command to a table). Whoever runs it writes that down, folds it in and asks again until nothing is left to
do. It decides nothing from what it did not write down, so a hub that was killed goes on where the journal ends. Nothing
here waits, sends or stores.

**Chance** comes in as shuffled lists and is written down as an outcome (the seats), not as a seed to be trusted.

**A move** is two commands: the table that gives lets the player go when its hand is over, with the chips
(`seat_changed`, left); the chips are then in transit; the other table takes player and chips in. The first carries the
number of the hand that has just ended as its precondition, so a table that has already begun the next one refuses it as
stale; then the proposal is withdrawn and made anew from what the room has become.

**When seats are decided.** Never while a hand runs at a table that gives or takes (for a break: at the table that
closes). Tables that have to change hold the next hand until it is done. With `in_step` the rule is stricter, and makes
the evening a function of the draw and of what each table dealt, whatever order the news came in: nothing is decided
before *every* open table that can deal (two players or more) has finished its hand of the round; that moment is written
down (`RoundOver`). Whoever keeps the tables in step waits for `quiescent` between two rounds.

**A proposal** cites its article and is confirmed by the director, or by the hub itself when `auto_confirm` says so; the
journal says who. One proposal at a time: the next is computed from the room as the last one left it. What the director
rejected is not proposed again before one of the tables concerned has dealt another hand.

**The clock** is an anchor. A level that ends is announced by a new anchor at the planned end, however late it was
noticed. `announced` is the line of the schedule announced last.

Articles: Life Club 2.b (draw), 8.1 (start), 8.2 and 16.2 (balance), 8.3 and 16.1 (break), 8.5 (end), 13.4 (levels).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar, assert_never

import msgspec

from engine import balance, wire
from engine.balance import Break, Move, TablePicture
from engine.clock import MINUTE_MS, ClockReading, duration_ms, reading
from engine.inputs import Arrival, Departure
from engine.rulebook import Rulebook
from hub.config import HubConfig
from hub.entries import (
    AnyEntry,
    ClockSet,
    Closed,
    Commanded,
    Decided,
    Drawn,
    Finished,
    Proposed,
    Retried,
    RoundOver,
    Ruled,
    Started,
)
from hub.picture import Alarm, Leg, Place, ProposalView
from hub.places import places
from hub.room import Out, Room, Table

MAX_REFUSALS = 3
"""How often a command is sent anew after a table refused it, before the director is told."""

HUB, CLOCK = "hub", "clock"
ANSWERED_FOR_GOOD = "ok"

T = TypeVar("T")


class Chance(Protocol):
    """Where shuffled lists come from."""

    def shuffled(self, purpose: str, items: Sequence[T]) -> list[T]:
        """The items in a drawn order. The same purpose may give the same order again."""


class Wish(msgspec.Struct, frozen=True):
    """A command that should go to a table; `hand` is its precondition (0: any)."""

    key: str
    table_no: int
    body: wire.CommandBody
    hand: int = 0


class Refused(Exception):  # noqa: N818 - an answer to a person, not an error
    """What the director asked cannot be done now. Its text is a code; the pages have words for each (`refused_...`)."""


class _Sent(msgspec.Struct):
    """The newest command under one key. `rc` is empty until the table answered."""

    id: str
    table_no: int
    hand: int
    body: wire.CommandBody
    rc: str = ""
    why: str = ""
    refusals: int = 0


class _Proposal(msgspec.Struct):
    """A proposal and what became of it."""

    said: Proposed
    state: str = "open"
    who: str = ""


class Tournament:
    """The fold. `record` takes entries in; everything else only looks."""

    def __init__(self, config: HubConfig, book: Rulebook) -> None:
        self.plan = config.tournament
        self.book = book
        self.units = {table.no: table.unit for table in config.tables}
        self.entrants = self.plan.entrants
        self.names = {entrant.player: entrant.name for entrant in self.entrants}
        self.drawn: Drawn | None = None
        self.clock = wire.Clock(0, 0, 0, False, 0, duration_ms(self.plan.lines[0]), self.plan.lines)
        self.started = False
        self.finished = ""
        self.proposals: dict[int, _Proposal] = {}
        self.rounds: list[RoundOver] = []
        self.closed: set[int] = set()
        self._sent: dict[str, _Sent] = {}
        self._key_of: dict[str, str] = {}
        self._held: dict[int, bool] = {}
        self._holds = 0
        self._stopped = False                        # the clock stands because players move
        self._rulings: list[Ruled] = []
        self._rejected: set[tuple[object, ...]] = set()

    # --- the fold

    def record(self, entry: AnyEntry) -> None:
        """Takes in one journal entry."""
        match entry:
            case Drawn():
                self.drawn = entry
            case ClockSet():
                self.clock = entry.clock
                self._stopped = entry.what == "paused" and entry.who == HUB
            case Started():
                self.started = True
            case RoundOver():
                self.rounds.append(entry)
            case Proposed():
                self.proposals[entry.id] = _Proposal(entry)
            case Decided():
                proposal = self.proposals[entry.id]
                proposal.state, proposal.who = "confirmed" if entry.yes else "rejected", entry.who
                if not entry.yes:
                    self._rejected.add(_gist(proposal.said.kind, proposal.said.hands))
            case Closed():
                proposal = self.proposals[entry.id]
                proposal.state = "done" if entry.done else "withdrawn"
                if entry.done and proposal.said.closes:
                    self.closed.add(proposal.said.closes)
            case Commanded():
                self._commanded(entry)
            case Ruled():
                self._rulings.append(entry)
            case Retried():
                for sent in self._given_up(entry.table_no):
                    sent.refusals = 0
            case Finished():
                self.finished = entry.player
            case _:
                assert_never(entry)

    def _commanded(self, entry: Commanded) -> None:
        before = self._sent.get(entry.key)
        refusals = before.refusals + (before.rc == "refused") if before else 0
        self._sent[entry.key] = _Sent(entry.id, entry.table_no, entry.hand, entry.body, refusals=refusals)
        self._key_of[entry.id] = entry.key
        if isinstance(entry.body, wire.Hold):
            self._held[entry.table_no] = entry.body.on
            self._holds += 1

    def answer(self, command_id: str, rc: str, why: str) -> None:
        """A table answered a command (or its time ran out: `expired`). Unknown ids and old repetitions are nothing."""
        key = self._key_of.get(command_id)
        if key is None or not rc or self._sent[key].id != command_id:
            return
        sent = self._sent[key]
        again = rc == "expired" or (rc == "stale" and sent.hand)
        sent.rc, sent.why = rc if again or rc == ANSWERED_FOR_GOOD else "refused", why or rc
        if key.startswith("hold:") and rc != ANSWERED_FOR_GOOD:
            self._held.pop(sent.table_no, None)      # what it does now is unknown: say it again

    def unanswered(self) -> list[str]:
        """Ids of the commands that still wait for their table's word."""
        return [sent.id for sent in self._sent.values() if not sent.rc]

    def alarms(self) -> list[Alarm]:
        """Commands that a table keeps refusing: a person must look."""
        return [self._alarm(sent) for sent in self._given_up()]

    def _given_up(self, table_no: int = 0) -> list[_Sent]:
        return [
            sent for sent in self._sent.values()
            if sent.rc == "refused" and sent.refusals >= MAX_REFUSALS and table_no in (0, sent.table_no)
        ]  # fmt: skip

    def _alarm(self, sent: _Sent) -> Alarm:
        why = sent.why or sent.rc
        match sent.body:
            case wire.SeatPlayer(seat=seat, name=name, player=player):
                return Alarm("no_seat", sent.table_no, seat=seat, name=name or player, why=why)
            case wire.UnseatPlayer(seat=seat, player=player):
                return Alarm("no_leave", sent.table_no, seat=seat, name=self.names.get(player, player), why=why)
            case _:
                return Alarm("refused", sent.table_no, name=type(sent.body).__name__, why=why)

    # --- what is

    def in_use(self, room: Room) -> list[Table]:
        """The tables that the draw opened, closed ones included, by number."""
        numbers = () if self.drawn is None else self.drawn.buttons
        return [room.tables[self.units[number]] for number in sorted(numbers)]

    def open_tables(self, room: Room) -> list[Table]:
        """The tables that the draw opened and nothing has closed, by number."""
        return [table for table in self.in_use(room) if table.table_no not in self.closed]

    def left(self, room: Room) -> int:
        """Players still in."""
        return len(self.entrants) - len({out.player for out in self._outs(room)})

    def _outs(self, room: Room) -> list[Out]:
        """Who is out, of those who entered: a table may tell of a player whom a changed list no longer names."""
        entered = {entrant.player for entrant in self.entrants}
        return [out for out in room.outs() if out.player in entered]

    def places(self, room: Room) -> tuple[Place, ...]:
        """The places decided so far."""
        if not self.started:
            return ()
        return places(self.entrants, self._outs(room), self._round_of if self.plan.in_step else None)

    def reading(self, now_ms: int) -> ClockReading:
        """The level clock at this moment."""
        return reading(self.clock, now_ms)

    def proposal_views(self) -> tuple[ProposalView, ...]:
        """All proposals for the pages, oldest first."""
        return tuple(
            ProposalView(said.id, said.kind, each.state, said.articles, said.legs, said.closes, each.who)
            for each in self.proposals.values()
            for said in (each.said,)
        )

    def waiting_for(self, room: Room, now_ms: int) -> tuple[str, ...]:
        """What must still happen before the room is quiescent, apart from news that has not been looked at.

        A proposal that only the director can decide does not count: nothing moves until a person says so.
        """
        waits = []
        if self.unanswered():
            waits.append("commands")
        if room.transit:
            waits.append("transit")
        if self.drawn is None or any(seat.player not in room.sat for seat in self.drawn.seats):
            waits.append("seating")
        if any(each.state == "confirmed" for each in self.proposals.values()):
            waits.append("moves")
        if self.plan.auto_start and not self.started:
            waits.append("start")
        if self.clock.running and self.reading(now_ms).index > self.clock.index:
            waits.append("clock")
        return tuple(waits)

    # --- what the director asks

    def direct(self, what: str, subject: int, who: str, room: Room, now_ms: int) -> AnyEntry:
        """The entry that does what the director asks. Raises Refused; nothing has changed then."""
        match what:
            case "start":
                if self.started:
                    raise Refused("started")
                if not self._seated(room):
                    raise Refused("not_seated")
                return Started(who)
            case "pause" | "resume" | "add_minute":
                return self._clock_key(what, who, now_ms)
            case "confirm" | "reject":
                proposal = self.proposals.get(subject)
                if proposal is None or proposal.state != "open":
                    raise Refused("not_open")
                return Decided(subject, what == "confirm", who)
            case "plays_on" | "voids":
                unit = self.units.get(subject)
                if unit is None or not room.tables[unit].floor:
                    raise Refused("not_waiting")
                return Ruled(subject, what, who)
            case "retry":
                if not self._given_up(subject):
                    raise Refused("nothing_refused")
                return Retried(subject, who)
            case _:
                raise Refused("unknown")

    def _clock_key(self, what: str, who: str, now_ms: int) -> ClockSet:
        if not self.started or self.finished:
            raise Refused("not_playing")
        now = self.reading(now_ms)
        if what == "pause" and not self.clock.running:
            raise Refused("stopped")
        if what == "resume" and self.clock.running:
            raise Refused("running")
        remain_ms = now.remaining_ms + (MINUTE_MS if what == "add_minute" else 0)
        running = {"pause": False, "resume": True}.get(what, self.clock.running)
        said = {"pause": "paused", "resume": "resumed", "add_minute": "minute"}[what]
        return ClockSet(said, self._anchor(now.index, running, now_ms, remain_ms), who)

    # --- what to do next

    def next_step(self, room: Room, now_ms: int, chance: Chance) -> AnyEntry | Wish | None:
        """The next thing to do, or None when there is nothing until somebody speaks or time passes."""
        if self.drawn is None:
            return self._draw(chance)
        looks: tuple[Callable[[], AnyEntry | Wish | None], ...] = (
            lambda: self._announce(now_ms),
            lambda: self._round_over(room),
            lambda: self._finish(room),
            lambda: self._start(room, now_ms),
            lambda: self._stop_clock(now_ms),
            self._rule,
            lambda: self._hold(room),
            self._seat_everybody if not self.started else _nothing,
            self._confirm,
            lambda: self._go_on(room),
            lambda: self._propose(room, chance),
            lambda: self._restart_clock(now_ms),
        )
        return next((step for look in looks if (step := look()) is not None), None)

    def _draw(self, chance: Chance) -> Drawn:
        needed = balance.tables_needed(len(self.entrants), [self.plan.size] * len(self.units))
        tables = [TablePicture(number, self.plan.size, {}) for number in sorted(self.units)[:needed]]
        seats = [(table.table_no, seat) for table in tables for seat in table.free]
        players = chance.shuffled("players", [entrant.player for entrant in self.entrants])
        drawn = balance.draw(players, tables, chance.shuffled("seats", seats))
        buttons = {
            table.table_no: chance.shuffled(
                f"button {table.table_no}", [seat.seat for seat in drawn if seat.table_no == table.table_no]
            )[0]
            for table in tables
        }
        return Drawn(self.plan.draw_seed, drawn, buttons)

    def _seat_everybody(self) -> Wish | None:
        """Each table in turn: hold play, everybody to the drawn seat, the button."""
        assert self.drawn is not None
        for number, button in sorted(self.drawn.buttons.items()):
            for seat in self.drawn.seats:
                if seat.table_no == number:
                    body = wire.SeatPlayer(
                        seat.seat, seat.player, self.names[seat.player], self.plan.stack, Arrival.NEW
                    )
                    if (wish := self._ask(f"seat:{seat.player}", number, body)) is not None:
                        return wish
            if (wish := self._ask(f"button:{number}", number, wire.SetButton(button))) is not None:
                return wish
        return None

    def _seated(self, room: Room) -> bool:
        assert self.drawn is not None
        return all(seat.player in room.sat for seat in self.drawn.seats) and all(
            (sent := self._sent.get(f"button:{number}")) is not None and sent.rc == ANSWERED_FOR_GOOD
            for number in self.drawn.buttons
        )

    def _start(self, room: Room, now_ms: int) -> AnyEntry | None:
        if not self.started:
            return Started(HUB) if self.plan.auto_start and self._seated(room) else None
        if not self.clock.rev:
            return ClockSet("started", self._anchor(0, True, now_ms, duration_ms(self.plan.lines[0])), CLOCK)
        return None

    def _stop_clock(self, now_ms: int) -> ClockSet | None:
        """Where the book says so (fipos:5) the clock stands while players move."""
        current = self._current()
        moving = current is not None and current.state == "confirmed"
        if not moving or not self.book.stop_clock_on_moves or not self.clock.running:
            return None
        now = self.reading(now_ms)
        return ClockSet("paused", self._anchor(now.index, False, now_ms, now.remaining_ms), HUB)

    def _restart_clock(self, now_ms: int) -> ClockSet | None:
        """It goes on once nobody has to move any more; what the director has stopped stays stopped."""
        if not self._stopped or self._current() is not None or self.finished:
            return None
        now = self.reading(now_ms)
        return ClockSet("resumed", self._anchor(now.index, True, now_ms, now.remaining_ms), HUB)

    def _announce(self, now_ms: int) -> ClockSet | None:
        now = self.reading(now_ms)
        if not self.clock.running or now.index == self.clock.index:
            return None
        full_ms = duration_ms(self.clock.schedule[now.index])
        planned_ms = now_ms - (full_ms - now.remaining_ms)
        return ClockSet("announced", self._anchor(now.index, True, planned_ms, full_ms), CLOCK)

    def _anchor(self, index: int, running: bool, anchor_ms: int, remain_ms: int) -> wire.Clock:
        clock = self.clock
        return wire.Clock(
            clock.hub, clock.rev + 1, index, running, anchor_ms, remain_ms, clock.schedule, announced=index
        )

    def _round_over(self, room: Room) -> RoundOver | None:
        """In step: has every table that can deal finished its hand of this round?"""
        if not self.plan.in_step or not self.started:
            return None
        tables = self.open_tables(room)
        before = self.rounds[-1].hands if self.rounds else {}
        advanced = {table.unit for table in tables if table.view.hand > before.get(table.unit, 0)}
        waited_for = [table for table in tables if table.unit not in advanced and len(table.view.seats) >= 2]
        if not advanced or waited_for or not all(table.settled for table in tables):
            return None
        return RoundOver({table.unit: table.view.hand for table in tables})

    def _round_of(self, out: Out) -> int:
        done = (number for number, each in enumerate(self.rounds) if each.hands.get(out.unit, 0) >= out.hand)
        return next(done, len(self.rounds))

    def _finish(self, room: Room) -> AnyEntry | None:
        if self.finished:
            if not self.clock.running:
                return None
            now = self.clock
            return ClockSet("stopped", self._anchor(now.index, False, now.anchor_ms, now.remain_ms), CLOCK)
        if not self.started or self.left(room) != 1 or not all(table.settled for table in self.open_tables(room)):
            return None
        gone = {out.player for out in self._outs(room)}
        return Finished(next(entrant.player for entrant in self.entrants if entrant.player not in gone))

    def _rule(self) -> Wish | None:
        for number, ruled in enumerate(self._rulings):
            wish = self._ask(f"floor:{number}", ruled.table_no, wire.FloorRuling(ruled.what))
            if wish is not None:
                return wish
        return None

    def _hold(self, room: Room) -> Wish | None:
        """Keeps every table held or free as it should be."""
        wanted = self._tables_to_hold(room)
        for table in self.open_tables(room):
            number, why = table.table_no, wanted.get(table.table_no, "")
            sent = self._sent.get(f"hold:{number}")
            if self._held.get(number, None if sent else False) == bool(why):
                continue
            if sent is not None and not sent.rc:
                continue                             # one word at a time
            if sent is not None and sent.rc == "refused" and sent.refusals >= MAX_REFUSALS:
                continue                             # the director was told
            return Wish(f"hold:{number}", number, wire.Hold(bool(why), why))
        return None

    def _tables_to_hold(self, room: Room) -> dict[int, str]:
        if not self.started:
            return {table.table_no: "start" for table in self.open_tables(room)}
        if self.plan.in_step or self.finished:
            return {}                                # in step, whoever keeps the step holds the tables
        current = self._current()
        if current is not None:
            return self._others_waiting(room) | dict.fromkeys(current.said.hands, current.said.kind)
        coming = self._coming(room)
        return {} if coming is None else self._others_waiting(room) | dict.fromkeys(coming[1], "balance")

    def _others_waiting(self, room: Room) -> dict[int, str]:
        """Tables that neither give nor take and wait all the same: too short, or all of them where the book says so."""
        return dict.fromkeys(balance.waiting(self._pictures(room), True, self.book), "balance")

    def _confirm(self) -> Decided | None:
        current = self._current()
        if not self.plan.auto_confirm or current is None or current.state != "open":
            return None
        return Decided(current.said.id, True, HUB)

    def _current(self) -> _Proposal | None:
        return next((each for each in self.proposals.values() if each.state in ("open", "confirmed")), None)

    def _go_on(self, room: Room) -> AnyEntry | Wish | None:
        """Carries a confirmed proposal out, one command after the other; withdraws one that came too late."""
        current = self._current()
        if current is None:
            return None
        said = current.said
        if self._too_late(said, room):
            return Closed(said.id, done=False)
        if current.state != "confirmed":
            return None
        steps = [self._leg(said, leg, room) for leg in said.legs]
        if all(step == "over" for step in steps):
            return Closed(said.id, done=True)
        return next((step for step in steps if isinstance(step, Wish)), None)

    def _leg(self, said: Proposed, leg: Leg, room: Room) -> Wish | str:
        """The next command of one move; `waiting`, or `over`."""
        transit = room.transit.get(leg.player)
        if transit is not None:
            why = Arrival.FROM_BREAK if said.kind == "break" else Arrival.FROM_BALANCE
            body = wire.SeatPlayer(leg.to_seat, leg.player, leg.name, transit.stack, why)
            return self._ask(f"seat:{said.id}:{leg.player}", leg.to_table, body) or "waiting"
        if room.where(leg.player) != (self.units[leg.from_table], leg.from_seat):
            return "over"                            # arrived; or out, and then there is nobody to move
        table = room.tables[self.units[leg.from_table]]
        if table.running:
            return "waiting"
        left = Departure.BROKEN if said.kind == "break" else Departure.MOVED
        unseat = wire.UnseatPlayer(leg.from_seat, leg.player, left)
        return self._ask(f"unseat:{said.id}:{leg.player}", leg.from_table, unseat, table.view.hand) or "waiting"

    def _too_late(self, said: Proposed, room: Room) -> bool:
        """Has a table that gives dealt another hand before any of its players got up?"""
        for leg in said.legs:
            sent = self._sent.get(f"unseat:{said.id}:{leg.player}")
            if sent is not None and sent.rc in ("", ANSWERED_FOR_GOOD):
                return False
        givers = {leg.from_table for leg in said.legs}
        return any(room.tables[self.units[number]].view.hand != said.hands[number] for number in givers)

    def _coming(self, room: Room) -> tuple[Move | Break, dict[int, int]] | None:
        """What the book asks for next, and the last hand of each table that must not deal meanwhile."""
        if self.left(room) < 2:
            return None
        proposed = balance.propose(self._pictures(room), self.book)
        if not proposed:
            return None
        first = proposed[0]
        involved = (first.table_no,) if isinstance(first, Break) else (first.from_table, first.to_table)
        hands = {number: room.tables[self.units[number]].view.hand for number in involved}
        return None if _gist(_kind(first), hands) in self._rejected else (first, hands)

    def _propose(self, room: Room, chance: Chance) -> Proposed | None:
        if not self.started or self.finished or self._current() is not None or room.transit:
            return None
        if self.plan.in_step and not self._between_rounds(self.open_tables(room)):
            return None
        coming = self._coming(room)
        if coming is None:
            return None
        first, hands = coming
        if not all(room.tables[self.units[table]].settled for table in hands):
            return None
        number = len(self.proposals) + 1
        legs = self._broken(first, room, number, chance) if isinstance(first, Break) else self._moved(first)
        closes = first.table_no if isinstance(first, Break) else 0
        return Proposed(number, _kind(first), first.articles, legs, closes, hands)

    def _between_rounds(self, tables: Iterable[Table]) -> bool:
        before = self.rounds[-1].hands if self.rounds else {}
        return all(table.view.hand == before.get(table.unit, 0) and table.settled for table in tables)

    def _pictures(self, room: Room) -> tuple[TablePicture, ...]:
        return tuple(
            TablePicture(
                table.table_no, table.view.size, {seat.seat: seat.player for seat in table.view.seats},
                table.view.big_blind, table.next_button, table.view.button,
            )
            for table in self.open_tables(room)
        )  # fmt: skip

    def _moved(self, move: Move) -> tuple[Leg, ...]:
        name = self.names.get(move.player, move.player)
        return (Leg(move.player, name, move.from_table, move.from_seat, move.to_table, move.to_seat),)

    def _broken(self, broken: Break, room: Room, number: int, chance: Chance) -> tuple[Leg, ...]:
        """The players of a table that closes are drawn into the free seats elsewhere."""
        others = [picture for picture in self._pictures(room) if picture.table_no != broken.table_no]
        seats = [(other.table_no, seat) for other in others for seat in other.free]
        players = chance.shuffled(f"break {number} players", broken.players)
        drawn = balance.draw(players, others, chance.shuffled(f"break {number} seats", seats))
        seat_of = {seat.player: seat.seat for seat in room.tables[self.units[broken.table_no]].view.seats}
        return tuple(
            Leg(
                to.player, self.names.get(to.player, to.player), broken.table_no, seat_of[to.player],
                to.table_no, to.seat,
            )
            for to in drawn
        )  # fmt: skip

    def _ask(self, key: str, table_no: int, body: wire.CommandBody, hand: int = 0) -> Wish | None:
        """A command, unless it is under way, done, or refused too often. A stale one waits for another hand."""
        sent = self._sent.get(key)
        if sent is not None:
            if sent.rc in ("", ANSWERED_FOR_GOOD) or (sent.rc == "stale" and sent.hand == hand):
                return None
            if sent.rc == "refused" and sent.refusals >= MAX_REFUSALS:
                return None
        return Wish(key, table_no, body, hand)


def _nothing() -> None:
    return None


def _kind(what: Move | Break) -> str:
    return "break" if isinstance(what, Break) else "balance"


def _gist(kind: str, hands: dict[int, int]) -> tuple[object, ...]:
    """What a rejection is about: these tables, before they deal another hand."""
    return kind, *sorted(hands.items())
