"""An evening at several tables, in step: the conductor of the demonstration.

All tables play their hands at the same time, a *round* at a time, each crew in a thread of its own. So that the same
seed gives the same evening on any machine, tournament time (a file that the conductor turns) stands until every table
has dealt, runs smoothly at `speed` through the round's fixed length, and waits at the round's end for the slowest
table. The next round begins when the hub is quiescent, moved players sit, and every table shows the newest level. The
hub, told that its tables are in step, judges a round as a whole, so nothing hangs on whose dealer was quicker.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from deploy.clock_file import ClockFile
from deploy.crew import Crew, Stuck
from deploy.hub_client import HubClient
from engine.view import TableView
from hub.picture import ClockState, Picture

ROUND_MS = 120_000           # tournament time of one hand
THINK_MS = 4_000             # tournament time of one decision; a slow hand ends without thinking
TICK_S = 0.02                # between two moves of the clock
POLL_S = 0.01
STEP_TIMEOUT_S = 60.0        # for the room to come to rest, or for one table to wait for another


class Stopped(Exception):  # noqa: N818 - it was asked for
    """Somebody ended the evening."""


class WaitedInVain(Stuck):
    """A table stands still because another one does."""


class Round:
    """One hand at each table; time runs from the moment when all have dealt."""

    def __init__(self, crews: int, clock: ClockFile, stop: threading.Event) -> None:
        """`crews`: how many play; `stop`: the evening is to end."""
        self.began = threading.Event()
        self.end_ms = clock.now_ms + ROUND_MS
        self._clock = clock
        self._stop = stop
        self._barrier = threading.Barrier(crews, action=self.began.set)

    def play(self, crew: Crew, number: int) -> None:
        """One table's part."""
        try:
            crew.play_hand(number, self)
        except BaseException:
            self._barrier.abort()            # nobody waits for a table that is stuck
            raise

    def go_on(self) -> None:
        """Raises Stopped when the evening is to end."""
        if self._stop.is_set():
            raise Stopped

    def think(self) -> None:
        """Waits for as long as a player thinks, or until the round's time is over."""
        until_ms = min(self._clock.now_ms + THINK_MS, self.end_ms)
        while self._clock.now_ms < until_ms and not self._stop.wait(POLL_S):
            pass

    def dealt(self) -> None:
        """Waits until every table has dealt."""
        try:
            self._barrier.wait(STEP_TIMEOUT_S)
        except threading.BrokenBarrierError:
            self.go_on()
            raise WaitedInVain("another table did not deal") from None


def wait_for(holds: Callable[[], bool], otherwise: str, stop: threading.Event) -> None:
    """Polls until `holds()`. Raises Stuck, saying `otherwise`, after STEP_TIMEOUT_S; Stopped when asked to stop."""
    deadline = time.monotonic() + STEP_TIMEOUT_S
    while not holds():
        if time.monotonic() > deadline:
            raise Stuck(otherwise)
        if stop.wait(POLL_S):
            raise Stopped


class Evening:
    """Plays round after round, from the draw to the last player."""

    def __init__(
        self, crews: Sequence[Crew], hub: HubClient, clock: ClockFile, speed: float, stop: threading.Event
    ) -> None:
        """`speed`: tournament seconds in one real second; `stop` ends the evening when set."""
        self._crews = {crew.table_no: crew for crew in crews}
        self._hub, self._clock, self._speed, self._stop = hub, clock, speed, stop

    def play(self, rounds: int = 0) -> Iterator[tuple[int, Picture]]:
        """Each round's number and the room at rest after it; ends with the last player, or after so many `rounds`.

        Raises Stuck, deploy.virtual_table.TableSilent, deploy.hub_client.HubGone, Stopped.
        """
        number = 0
        picture = self.settle()
        while picture.players_left > 1 and not (rounds and number == rounds):
            if picture.clock.state is ClockState.BREAK:
                self._sit_through(picture)
                picture = self.settle()
            else:
                number += 1
                self._play_round(number, picture)
                picture = self.settle()
                yield number, picture

    def settle(self) -> Picture:
        """The picture of a room at rest: no message under way, no proposal open, every table at the newest level."""
        seen: list[Picture] = []

        def at_rest() -> bool:
            # The tables first: what they have nothing more to say about is in the picture that is asked for then.
            glances = {no: crew.table.glance() for no, crew in self._crews.items()}
            if any(glance.outbox for glance in glances.values()):
                return False
            picture = self._hub.picture()
            seen[:] = [picture]
            return picture.quiescent and not picture.in_transit and all(
                glances[card.table_no].hub and glances[card.table_no].clock_rev == picture.clock.rev
                for card in picture.tables if not card.closed
            )  # fmt: skip

        wait_for(at_rest, "the room does not come to rest", self._stop)
        return seen[0]

    def _play_round(self, number: int, picture: Picture) -> None:
        playing = [self._crews[card.table_no] for card in picture.tables if _can_play(card.view) and not card.closed]
        if not playing:
            raise Stuck("no table has two players")
        of = Round(len(playing), self._clock, self._stop)
        with ThreadPoolExecutor(len(playing), thread_name_prefix="crew") as pool:
            hands = [pool.submit(of.play, crew, number) for crew in playing]
            self._run_clock(of, hands)
        # A table that was waiting for a stuck one is stuck too; the cause comes first.
        for trouble in sorted((hand.exception() for hand in hands), key=lambda error: isinstance(error, WaitedInVain)):
            if trouble is not None:
                raise trouble

    def _run_clock(self, of: Round, hands: Sequence[Future[None]]) -> None:
        """Moves time to the round's end, beginning when all have dealt; returns when all have ended their hands too."""
        start_ms, began_at = self._clock.now_ms, 0.0
        while self._clock.now_ms < of.end_ms or not all(hand.done() for hand in hands):
            if any(hand.done() and hand.exception() for hand in hands):
                return
            if self._stop.wait(TICK_S):
                raise Stopped
            if of.began.is_set():
                began_at = began_at or time.monotonic()
                self._advance(start_ms, began_at, of.end_ms)

    def _sit_through(self, picture: Picture) -> None:
        """Lets a break pass."""
        start_ms, began_at = self._clock.now_ms, time.monotonic()
        end_ms = start_ms + picture.clock.remaining_ms
        while self._clock.now_ms < end_ms:
            if self._stop.wait(TICK_S):
                raise Stopped
            self._advance(start_ms, began_at, end_ms)

    def _advance(self, start_ms: int, began_at: float, end_ms: int) -> None:
        passed_ms = int((time.monotonic() - began_at) * 1000 * self._speed)
        self._clock.set(min(end_ms, start_ms + passed_ms))


def _can_play(view: TableView) -> bool:
    return sum(seat.stack > 0 for seat in view.seats) > 1
