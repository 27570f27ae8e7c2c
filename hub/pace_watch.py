"""Who is slow: an act that drags on at the end of a level, and a player who does not come to the new seat.

Acts are measured by the table's monotonic clock (`engine.pace`) from the events `hand_started`, `street` and `action`;
while a table waits for the director nobody's time runs. Each note is for the director, who looks and decides: it cites
the article of the book and sanctions nothing. It is shown for ten minutes. A book that has no such article gets none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from engine import pace, wire
from engine.pace import Moment, Turn
from engine.rulebook import Rulebook
from hub.picture import Alarm
from hub.room import Table, Transit

SHOWN_MS = 600_000
KEPT_ALARMS = 100
KEPT_ACTS = 200
"""How many acts of a player make his or her pace."""
SEAT_MS = 120_000
"""How long chips may be on their way to a new seat; our own choice, the books say "without delay"."""

STALLING = {
    "lifeclub": ("lifeclub:17.1", "lifeclub:19.3.f", "lifeclub:20.13.a"),
    "y2007": ("y2007:levels.2",),
    "dalvivo": ("dalvivo:16.3.f",),
    "cortile": ("cortile:9.6",),
}


class PaceWatch:
    """Knows each table's turn and each player's pace. Fed in the order of the events' commits."""

    def __init__(self, book: Rulebook) -> None:
        self._stalling = STALLING.get(book.id, ())
        self._slow_to_seat = book.cite("slow_to_seat")
        self._turns: dict[str, tuple[int, Turn]] = {}            # unit -> its boot, whose turn since when
        self._took: dict[str, deque[int]] = {}                   # player -> what the last acts took, in ms
        self._alarms: deque[tuple[int, Alarm]] = deque(maxlen=KEPT_ALARMS)

    def heard(self, table: Table, envelope: wire.Envelope, body: wire.Body, remaining_ms: int | None) -> Alarm | None:
        """Takes in an event of `table` (as it is after it); the note it raises, if any.

        `remaining_ms`: what was left of the level when it happened; None if that is not known or no level ran.
        """
        at_ms = envelope.t.mono
        match body:
            case wire.HandStarted() | wire.FloorCalled(on=True):
                moment = Moment(at_ms, 0)
            case wire.FloorCalled(on=False):
                moment = Moment(at_ms, table.view.to_act)
            case wire.StreetOpened(to_act=to_act):
                moment = Moment(at_ms, to_act)
            case wire.Action(seat=seat, to_act=to_act):
                moment = Moment(at_ms, to_act, seat)
            case _:
                return None
        boot, turn = self._turns.get(envelope.unit, (envelope.boot, Turn()))
        if boot != envelope.boot:
            turn = Turn()                            # another boot, another monotonic clock
        turn, decision = pace.heard(turn, moment)
        self._turns[envelope.unit] = envelope.boot, turn
        player = table.seated.get(moment.seat)
        if decision is None or player is None:
            return None
        before = self._took.setdefault(player.player, deque(maxlen=KEPT_ACTS))
        own = pace.times(before)
        before.append(decision.took_ms)
        if not self._stalling or remaining_ms is None or not pace.slow(decision.took_ms, own, remaining_ms):
            return None
        alarm = Alarm(
            "slow_act", table.table_no, seat=moment.seat, name=player.name or player.player,
            seconds=decision.took_ms // 1000, articles=self._stalling,
        )  # fmt: skip
        self._alarms.append((envelope.t.utc, alarm))
        return alarm

    def times(self, player: str) -> pace.Times | None:
        """The pace of a player so far; None for one who has not acted."""
        return pace.times(self._took.get(player, ()))

    def alarms(self, utc_ms: int) -> list[Alarm]:
        """The slow acts to be shown now, oldest first."""
        return [alarm for at_ms, alarm in self._alarms if utc_ms - at_ms <= SHOWN_MS]

    def late(self, transits: Iterable[Transit], utc_ms: int) -> list[Alarm]:
        """Those who have left one seat and not taken the next for longer than `SEAT_MS`."""
        return [
            Alarm("slow_seat", t.table_no, seat=t.seat, name=t.name, articles=self._slow_to_seat)
            for t in transits
            if utc_ms - t.since_utc_ms > SEAT_MS
        ]
