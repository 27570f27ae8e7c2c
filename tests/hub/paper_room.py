"""A room on paper: tables that obey the tournament's commands and tell what happens, in any order one likes.

No unit, broker or disk: events go straight into a `Room`, entries into a list, answers back to the `Tournament`. It is
the floor (`hub.floor`) without a store, for tests that are about rules and order.
"""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import msgspec

from engine import rulebook, wire
from engine.inputs import Level
from engine.view import Part, SeatView
from hub.chance import Chance
from hub.config import HubConfig, parse
from hub.directing import NOTHING_MORE, Details
from hub.entries import AnyEntry, Commanded
from hub.room import Room
from hub.tournament import Tournament
from hub.wishes import Wish

LEVEL = Level(25, 50, number=1)
STACK = 1_000


def config(players: int = 18, tables: int = 3, **plan: Any) -> HubConfig:
    """A tournament of so many players at nine-seat tables."""
    return parse(
        {
            "site": "test", "data_dir": "unused",
            "tables": [{"no": number, "unit": f"tbl-{number}"} for number in range(1, tables + 1)],
            "tournament": {
                "title": "Test", "book": "lifeclub", "stack": STACK, "draw_seed": 7, "auto_confirm": True,
                "auto_start": True, "players": [f"Player {n}" for n in range(1, players + 1)],
                "schedule": [
                    {"minutes": 10, "small_blind": 25, "big_blind": 50},
                    {"minutes": 10, "small_blind": 50, "big_blind": 100},
                    {"minutes": 5, "pause": True},
                    {"minutes": 10, "small_blind": 100, "big_blind": 200},
                ],
            } | plan,
        },
        "test", Path(),
    )  # fmt: skip


class PaperTable:
    """One table: who sits there with what, and its events not yet told."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.players: dict[int, tuple[str, str, int]] = {}
        self.hand = 0
        self.big_blind = 0
        self.running = False
        self.held = False
        self.refuses = ""
        self.button: wire.SetButton | None = None
        self.untold: deque[tuple[wire.Envelope, wire.Body]] = deque()
        self.misses: dict[str, int] = {}                 # player -> hands to sit out
        self.orders: list[wire.CommandBody] = []         # what the director asked of this table
        self._seq = 0
        self._late: list[wire.UnseatPlayer] = []

    def obey(self, body: wire.CommandBody, hand: int) -> tuple[str, str]:
        """Does a command and gives its result code and reason."""
        if hand and hand != self.hand:
            return "stale", f"hand {self.hand}"
        match body:
            case wire.SeatPlayer():
                if body.seat in self.players:
                    return "refused", "seat_taken"
                self.players[body.seat] = (body.player, body.name, body.stack)
                self.misses[body.player] = body.misses
                self.tell(wire.SeatChanged(body.seat, body.player, body.stack, True, body.why, body.name))
            case wire.UnseatPlayer():
                if self.players.get(body.seat, ("",))[0] != body.player:
                    return "refused", "not_seated"
                if self.running:
                    self._late.append(body)
                else:
                    self._unseat(body)
            case wire.Hold():
                self.held = body.on
            case wire.RaceChips() | wire.DodgedBlinds():
                self.orders.append(body)
                if self.refuses:
                    return "refused", self.refuses
            case wire.SetButton():
                self.button = body
            case _:
                pass
        return "ok", ""

    def _unseat(self, body: wire.UnseatPlayer) -> None:
        player, _, stack = self.players.pop(body.seat)
        self.tell(wire.SeatChanged(body.seat, player, stack, False, body.why, misses=self.misses.get(player, 0)))

    def start_hand(self) -> None:
        """Deals, the big blind going on to the next taken seat."""
        self.hand += 1
        self.running = True
        behind = [seat for seat in sorted(self.players) if seat > self.big_blind]
        self.big_blind = (behind or sorted(self.players))[0]
        seats = tuple(
            SeatView(seat, player, name, stack, part=Part.LIVE)
            for seat, (player, name, stack) in sorted(self.players.items())
        )
        stacks = {seat: stack for seat, (_, _, stack) in self.players.items()}
        self.tell(wire.HandStarted(self.big_blind, 0, self.big_blind, LEVEL, seats, stacks, 0))

    def end_hand(self, losers: dict[int, int]) -> None:
        """`losers`: seat -> seat that wins everything the loser has."""
        before = {seat: stack for seat, (_, _, stack) in self.players.items()}
        for loser, winner in losers.items():
            player, name, stack = self.players[winner]
            self.players[winner] = (player, name, stack + self.players[loser][2])
            self.players[loser] = (*self.players[loser][:2], 0)
        for loser in losers:
            self.tell(wire.Eliminated(loser, self.players.pop(loser)[0], before[loser]))
        self.running = False
        stacks = {seat: stack for seat, (_, _, stack) in self.players.items()}
        self.tell(wire.HandEnded(stacks, 0, self.big_blind, 0, 0))
        for body in self._late:
            if body.seat in self.players:
                self._unseat(body)
        self._late.clear()

    def tell(self, body: wire.Body) -> None:
        """One event more in the outbox."""
        self._seq += 1
        envelope = wire.Envelope(
            unit=self.unit, ep=1, seq=self._seq, kind=wire.kind_of(body), hand=self.hand, hand_rev=0,
            t=wire.Stamp(0, 1_000 * self.hand + self._seq), body=msgspec.Raw(b"{}"),
        )  # fmt: skip
        self.untold.append((envelope, body))


class PaperRoom:
    """All tables and the hub's side. `order` chooses whose news comes next; `journal` is what was written down."""

    def __init__(self, of: HubConfig, order: int = 0) -> None:
        self.config = of
        self.now_ms = 1_000
        self.tables = {table.no: PaperTable(table.unit) for table in of.tables}
        self.room = Room()
        for table in of.tables:
            self.room.add(table.unit, table.no, of.tournament.size)
        self.tournament = Tournament(of, rulebook.load(of.tournament.book))
        self.journal: list[AnyEntry] = []
        self._order = random.Random(order)
        self._chance = Chance(of.tournament.draw_seed)
        self._answers: deque[tuple[str, str, str]] = deque()
        self.mute = False

    def direct(self, what: str, subject: int, more: Details = NOTHING_MORE) -> AnyEntry:
        """What the director's key would write down. Raises Refused."""
        return self.tournament.direct(what, subject, "director", self.room, self.now_ms, self._chance, more)

    def steps(self) -> list[AnyEntry]:
        """Does what is due now and gives the entries it wrote."""
        before = len(self.journal)
        while (step := self.tournament.next_step(self.room, self.now_ms, self._chance)) is not None:
            self.write(step)
            assert len(self.journal) - before < 500, f"no end of steps: {step}"
        return self.journal[before:]

    def write(self, step: AnyEntry | Wish) -> None:
        """Writes one step down; a command is obeyed at once and answered later."""
        if isinstance(step, Wish):
            entry: AnyEntry = Commanded(step.key, f"c{len(self.journal)}", step.table_no, step.body, step.hand)
        else:
            entry = step
        self.journal.append(entry)
        self.tournament.record(entry)
        if isinstance(entry, Commanded) and not self.mute:
            self._answers.append((entry.id, *self.tables[entry.table_no].obey(entry.body, entry.hand)))

    def hear(self) -> bool:
        """One piece of news: an event of some table, or an answer."""
        choices: list[Any] = [table.untold for table in self.tables.values() if table.untold]
        if self._answers:
            choices.append(None)
        if not choices:
            return False
        chosen = self._order.choice(choices)
        if chosen is None:
            self.tournament.answer(*self._answers.popleft())
        else:
            self.room.apply(*chosen.popleft())
        return True

    def settle(self) -> None:
        """Everything is heard and done."""
        self.steps()
        while self.hear():
            self.steps()

    def round(self, losers: dict[int, dict[int, int]] | None = None) -> None:
        """Every open table with two players plays one hand; news is heard in between, in some order."""
        playing = [
            table for number, table in self.tables.items()
            if len(table.players) > 1 and number not in self.tournament.closed
        ]  # fmt: skip
        ends = list(playing)
        self._order.shuffle(ends)
        for table in playing:
            table.start_hand()
        for table in ends:
            for _ in range(self._order.randrange(4)):
                self.hear()
                self.steps()
            number = next(no for no, each in self.tables.items() if each is table)
            table.end_hand((losers or {}).get(number, {}))
        self.settle()

    @property
    def chips(self) -> int:
        """All chips there are."""
        return sum(stack for table in self.tables.values() for _, _, stack in table.players.values())

    def counts(self) -> dict[int, int]:
        """Players at each table."""
        return {number: len(table.players) for number, table in self.tables.items()}
