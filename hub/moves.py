"""Players who change tables: proposed with the article, confirmed, carried out one command after the other.

**A move** is two commands: the table that gives lets the player go when its hand is over, with the chips
(`seat_changed`, left); the chips are then in transit; the other table takes player and chips in. The first carries the
number of the hand that has just ended as its precondition, so a table that has already begun the next one refuses it as
stale; then the proposal is withdrawn and made anew from what the room has become.

**A proposal** is confirmed by the director, or by the hub itself when `auto_confirm` says so. One at a time: the next
is computed from the room as the last one left it. What the director rejected is not proposed again before one of the
tables concerned has dealt another hand.

Articles: Life Club 8.2 and 16.2 (balance), 8.3 and 16.1 (break).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from engine import balance, wire
from engine.balance import Break, Move
from engine.inputs import Arrival, Departure
from engine.rulebook import Rulebook
from hub.chance import Shuffles
from hub.entries import AnyEntry, Closed, Decided, Proposed
from hub.picture import Leg, ProposalView
from hub.room import Room
from hub.tables import Tables
from hub.wishes import DONE, Wish, Wishes

HUB = "hub"


class Proposal(msgspec.Struct):
    """A proposal and what became of it: open, confirmed, rejected, done, withdrawn."""

    said: Proposed
    state: str = "open"
    who: str = ""


class Moves:
    """The fold of the proposals."""

    def __init__(self, book: Rulebook, tables: Tables, wishes: Wishes, names: Mapping[str, str]) -> None:
        self._book = book
        self._tables = tables
        self._wishes = wishes
        self._names = names
        self._proposals: dict[int, Proposal] = {}
        self._rejected: set[tuple[object, ...]] = set()

    def record(self, entry: Proposed | Decided | Closed) -> None:
        """A proposal was made, decided, or came to its end."""
        match entry:
            case Proposed():
                self._proposals[entry.id] = Proposal(entry)
            case Decided():
                proposal = self._proposals[entry.id]
                proposal.state, proposal.who = "confirmed" if entry.yes else "rejected", entry.who
                if not entry.yes:
                    self._rejected.add(_gist(proposal.said.kind, proposal.said.hands))
            case Closed():
                proposal = self._proposals[entry.id]
                proposal.state = "done" if entry.done else "withdrawn"
                if entry.done and proposal.said.closes:
                    self._tables.closed.add(proposal.said.closes)

    # --- what is

    @property
    def current(self) -> Proposal | None:
        """The proposal that is open or being carried out."""
        return next((each for each in self._proposals.values() if each.state in ("open", "confirmed")), None)

    @property
    def under_way(self) -> bool:
        """Do players change tables now?"""
        return any(each.state == "confirmed" for each in self._proposals.values())

    def is_open(self, number: int) -> bool:
        """Does this proposal wait for a decision?"""
        proposal = self._proposals.get(number)
        return proposal is not None and proposal.state == "open"

    def views(self) -> tuple[ProposalView, ...]:
        """All proposals for the pages, oldest first."""
        return tuple(
            ProposalView(said.id, said.kind, each.state, said.articles, said.legs, said.closes, each.who)
            for each in self._proposals.values()
            for said in (each.said,)
        )

    def promised(self) -> set[tuple[int, int]]:
        """The seats (table, seat) that somebody who moves will take, and all of a table that is to close."""
        current = self.current
        if current is None:
            return set()
        seats = {(leg.to_table, leg.to_seat) for leg in current.said.legs}
        return seats | {(current.said.closes, seat) for seat in range(1, 12)}

    def holds(self, room: Room) -> dict[int, str] | None:
        """The tables that wait because players move, and why; None if nobody moves or is to."""
        current = self.current
        if current is not None:
            return self._others_waiting(room) | dict.fromkeys(current.said.hands, current.said.kind)
        coming = self._coming(room)
        return None if coming is None else self._others_waiting(room) | dict.fromkeys(coming[1], "balance")

    def _others_waiting(self, room: Room) -> dict[int, str]:
        """Tables that neither give nor take and wait all the same: too short, or all of them where the book says so."""
        return dict.fromkeys(balance.waiting(self._tables.pictures(room), True, self._book), "balance")

    # --- what to do next

    def confirm(self) -> Decided | None:
        """The hub's own yes, where it may give it."""
        current = self.current
        return None if current is None or current.state != "open" else Decided(current.said.id, True, HUB)

    def go_on(self, room: Room) -> AnyEntry | Wish | None:
        """Carries a confirmed proposal out, one command after the other; withdraws one that came too late."""
        current = self.current
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
            body = wire.SeatPlayer(
                leg.to_seat, leg.player, leg.name, transit.stack, why, transit.misses, transit.banned_ms
            )
            return self._wishes.ask(f"seat:{said.id}:{leg.player}", leg.to_table, body) or "waiting"
        if room.where(leg.player) != (self._tables.units[leg.from_table], leg.from_seat):
            return "over"                            # arrived; or out, and then there is nobody to move
        table = self._tables.at(room, leg.from_table)
        if table.running:
            return "waiting"
        left = Departure.BROKEN if said.kind == "break" else Departure.MOVED
        unseat = wire.UnseatPlayer(leg.from_seat, leg.player, left)
        key = f"unseat:{said.id}:{leg.player}"
        return self._wishes.ask(key, leg.from_table, unseat, table.view.hand) or "waiting"

    def _too_late(self, said: Proposed, room: Room) -> bool:
        """Has a table that gives dealt another hand before any of its players got up?"""
        if any(
            leg.player in room.transit or self._wishes.rc(f"unseat:{said.id}:{leg.player}") in ("", DONE)
            for leg in said.legs
        ):
            return False
        givers = {leg.from_table for leg in said.legs}
        return any(self._tables.at(room, number).view.hand != said.hands[number] for number in givers)

    def _coming(self, room: Room) -> tuple[Move | Break, dict[int, int]] | None:
        """What the book asks for next, and the last hand of each table that must not deal meanwhile."""
        proposed = balance.propose(self._tables.pictures(room), self._book)
        if not proposed:
            return None
        first = proposed[0]
        involved = (first.table_no,) if isinstance(first, Break) else (first.from_table, first.to_table)
        hands = {number: self._tables.at(room, number).view.hand for number in involved}
        return None if _gist(_kind(first), hands) in self._rejected else (first, hands)

    def propose(self, room: Room, chance: Shuffles) -> Proposed | None:
        """What the book asks for next, once no hand runs at the tables concerned and nobody is on the way."""
        if self.current is not None or room.transit:
            return None
        coming = self._coming(room)
        if coming is None:
            return None
        first, hands = coming
        if not all(self._tables.at(room, table).settled for table in hands):
            return None
        number = len(self._proposals) + 1
        legs = self._broken(first, room, number, chance) if isinstance(first, Break) else self._moved(first)
        closes = first.table_no if isinstance(first, Break) else 0
        return Proposed(number, _kind(first), first.articles, legs, closes, hands)

    def _moved(self, move: Move) -> tuple[Leg, ...]:
        name = self._names.get(move.player, move.player)
        return (Leg(move.player, name, move.from_table, move.from_seat, move.to_table, move.to_seat),)

    def _broken(self, broken: Break, room: Room, number: int, chance: Shuffles) -> tuple[Leg, ...]:
        """The players of a table that closes are drawn into the free seats elsewhere."""
        others = [picture for picture in self._tables.pictures(room) if picture.table_no != broken.table_no]
        seats = [(other.table_no, seat) for other in others for seat in other.free]
        players = chance.shuffled(f"break {number} players", broken.players)
        drawn = balance.draw(players, others, chance.shuffled(f"break {number} seats", seats))
        seat_of = {seat.player: seat.seat for seat in self._tables.at(room, broken.table_no).view.seats}
        return tuple(
            Leg(
                to.player, self._names.get(to.player, to.player), broken.table_no, seat_of[to.player],
                to.table_no, to.seat,
            )
            for to in drawn
        )  # fmt: skip


def _kind(what: Move | Break) -> str:
    return "break" if isinstance(what, Break) else "balance"


def _gist(kind: str, hands: dict[int, int]) -> tuple[object, ...]:
    """What a rejection is about: these tables, before they deal another hand."""
    return kind, *sorted(hands.items())
