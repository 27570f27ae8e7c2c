"""Tables that play their hands together: in step, and hand for hand near the money.

A *round* is one hand at every open table that can deal (two players or more). Its end is written down (`RoundOver`),
and two who go out in one round at different tables have gone out together.

* **Hand for hand** begins when one player too many is left for the paid places (`engine.balance.hand_for_hand`), and
  ends when a round leaves no more players than places, or one table. The director may begin and end it at any time;
  what the director ended is not begun again before somebody else goes out. A table is free for one hand: it is held
  again from the moment that hand is heard of, which does not touch the hand itself. When hand for hand begins, the
  hands that are running are played to their end first.
* **In step** (`in_step`) somebody else holds and frees the tables, a demonstration for example. Then rounds only are
  noticed, and hand for hand is only said.

Articles: y2007 multi.6; TDA 2024, RP-8.
"""

from __future__ import annotations

import msgspec

from engine import balance
from engine.rulebook import Rulebook
from hub.entries import HandForHand, RoundOver
from hub.room import Out, Table
from hub.tables import at_rest

HUB = "hub"


class Span(msgspec.Struct):
    """One time of playing together. `ends`: unit -> hand, at the end of each round; the first stands for the start."""

    ends: list[dict[str, int]]
    over: bool = False


class Rounds:
    """The fold of the rounds."""

    def __init__(self, book: Rulebook, paid: int, in_step: bool) -> None:
        self.paid = paid
        self.hand_for_hand = False
        self._book = book
        self._in_step = in_step
        self._spans: list[Span] = [Span([{}])] if in_step else []
        self._by_director = False
        self._ended_at = 0                           # players left when the director ended it

    def record(self, entry: RoundOver | HandForHand) -> None:
        """A round is over; or hand for hand begins or ends."""
        match entry:
            case RoundOver():
                self._spans[-1].ends.append(entry.hands)
            case HandForHand():
                self.hand_for_hand = entry.on
                self._by_director = entry.on and entry.who != HUB
                self._ended_at = 0 if entry.on or entry.who == HUB else entry.left
                if entry.on and not self._in_step:
                    self._spans.append(Span([]))
                elif self._spans and not self._in_step:
                    self._spans[-1].over = True

    @property
    def together(self) -> bool:
        """Do the tables wait for each other now?"""
        return self._in_step or self.hand_for_hand

    @property
    def played(self) -> int:
        """How many rounds of this hand for hand are over."""
        return max(0, len(self._spans[-1].ends) - 1) if self.hand_for_hand else 0

    def round_over(self, tables: list[Table]) -> RoundOver | None:
        """Has every table that can deal finished its hand of this round?"""
        if not self.together or not at_rest(tables):
            return None
        over = self._gathering or any(map(self._has_begun, tables))
        if not over or any(self._dealing(tables).values()):
            return None
        return RoundOver({table.unit: table.view.hand for table in tables})

    @property
    def _gathering(self) -> bool:
        """Are the hands that ran when hand for hand began still to be finished?"""
        return not self._spans[-1].ends

    def _dealing(self, tables: list[Table]) -> dict[int, bool]:
        """Table -> has it still to finish its hand of this round? One that cannot deal has not."""
        return {table.table_no: not table.settled or self._to_come(table) for table in tables}

    def _to_come(self, table: Table) -> bool:
        return not self._gathering and len(table.view.seats) >= 2 and not self._has_begun(table)

    def between(self, tables: list[Table]) -> bool:
        """Is it the moment between two rounds? Always, where nobody waits for anybody."""
        if not self.together:
            return True
        return not self._gathering and at_rest(tables) and not any(map(self._has_begun, tables))

    def _has_begun(self, table: Table) -> bool:
        """Has this table begun its hand of the round that is being played?"""
        return table.view.hand > self._spans[-1].ends[-1].get(table.unit, 0)

    def held(self, tables: list[Table]) -> list[int]:
        """The tables whose next hand waits for the others, hand for hand: those that have finished, those that play.

        Between two rounds all may deal.
        """
        if not self.hand_for_hand or self._in_step or self.between(tables):
            return []
        finished = balance.locked(self._dealing(tables))
        running = [table.table_no for table in tables if table.running]
        return [table.table_no for table in tables if table.table_no in finished or table.table_no in running]

    def turn(self, left: int, tables: list[Table]) -> HandForHand | None:
        """Begins hand for hand near the money and ends it in the money, between two rounds."""
        near = balance.hand_for_hand(left, self.paid, self._book) and len(tables) > 1
        if not self.hand_for_hand:
            return HandForHand(True, HUB, left) if near and self.paid and left != self._ended_at else None
        too_early = left > self.paid + 1 and not self._by_director   # somebody who was out is in again
        if len(tables) > 1 and not (self.paid and left <= self.paid) and not too_early:
            return None
        return HandForHand(False, HUB, left) if self._gathering_or_between(tables) else None

    def _gathering_or_between(self, tables: list[Table]) -> bool:
        return at_rest(tables) and (self._in_step or self._gathering or self.between(tables))

    def round_of(self, out: Out) -> int | None:
        """In which round a player went out, counted through the evening; None if his table played for itself."""
        number = 0
        for span in self._spans:
            for at, before in enumerate(span.ends):
                number += 1
                last = at + 1 == len(span.ends)
                if last and span.over:
                    continue
                until = None if last else span.ends[at + 1].get(out.unit)
                begun = out.hand > before.get(out.unit, 0) and (self._in_step or out.unit in before)
                if begun and (last or (until is not None and out.hand <= until)):
                    return number
        return None
