"""Slow acts at the end of a level, and players who do not come to their new seat, as notes for the director."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from engine import wire
from engine.pace import Times
from hub.hubtime import utc_ms
from hub.pace_watch import SEAT_MS, SHOWN_MS
from hub.picture import Alarm
from hub.web.faces import alarm as alarm_text
from hub.web.words import word
from tests.hub.paper_room import PaperTable, config
from tests.hub.test_floor import Evening
from tests.rules.citing import article

SOON_OVER = [{"minutes": 2, "small_blind": 25, "big_blind": 50}, {"minutes": 10, "small_blind": 50, "big_blind": 100}]
SLOW_S, QUICK_S = 40, 4


class Table:
    """A paper table of two whose events have the times one gives them."""

    def __init__(self, table: PaperTable) -> None:
        self.paper = table
        self.mono_ms = 0
        self.boot = 1

    def tell(self, body: wire.Body, after_s: int = 0, ago_ms: int = 0) -> None:
        """An event so long after the last one, that happened so long ago by the wall."""
        self.mono_ms += 1_000 * after_s
        self.paper.tell(body)
        self._stamp(ago_ms)

    def _stamp(self, ago_ms: int = 0) -> None:
        envelope, body = self.paper.untold.pop()
        stamp = wire.Stamp(self.mono_ms, utc_ms() + 1_000 - ago_ms)
        self.paper.untold.append((msgspec.structs.replace(envelope, t=stamp, boot=self.boot), body))

    def start(self) -> None:
        self.paper.players = dict(enumerate(self.paper.players.values(), 1))
        self.paper.start_hand()
        self._stamp()
        self.tell(wire.StreetOpened("preflop", (), 75, 1), after_s=10)

    def act(self, seat: int, after_s: int) -> None:
        self.tell(wire.Action(seat, "check", 0, 1_000, 75, 3 - seat, 0), after_s)

    def rounds(self, count: int = 5) -> None:
        """Both act quickly, and seat 1 is to act."""
        for _ in range(count):
            self.act(1, QUICK_S)
            self.act(2, QUICK_S)


def room(folder: Path, book: str = "lifeclub", **plan: object) -> Evening:
    evening = Evening(folder, config(**{"players": 2, "tables": 1, "schedule": SOON_OVER, "book": book} | plan))
    evening.settle()
    return evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = room(tmp_path)
    yield running
    running.close()


@pytest.fixture
def table(evening: Evening) -> Table:
    return Table(evening.tables["tbl-1"])


def note(evening: Evening, *articles: str) -> Alarm:
    name = evening.tables["tbl-1"].players[1][1]
    return Alarm("slow_act", 1, seat=1, name=name, seconds=SLOW_S, articles=articles)


@article("lifeclub:17.1", "lifeclub:19.3.f", "lifeclub:20.13.a")
def test_a_slow_act_at_the_end_of_a_level_is_noted_with_the_articles(evening: Evening, table: Table) -> None:
    table.start()
    table.rounds()
    assert evening.settle().alarms == ()
    table.act(1, SLOW_S)

    said = note(evening, "lifeclub:17.1", "lifeclub:19.3.f", "lifeclub:20.13.a")
    assert evening.settle().alarms == (said,)
    assert evening.floor.pace.times(evening.tables["tbl-1"].players[1][0]) == Times(6, 4_000, 40_000)
    assert evening.floor.pace.alarms(utc_ms() + SHOWN_MS + 2_000) == []


@pytest.mark.parametrize(
    ("book", "cited"),
    [("y2007", ("y2007:levels.2",)), ("dalvivo", ("dalvivo:16.3.f",)), ("cortile", ("cortile:9.6",)), ("tda", ())],
)
@article("y2007:levels.2", "dalvivo:16.3.f", "cortile:9.6")
def test_each_book_cites_its_own_article_and_one_without_notes_nothing(
    tmp_path: Path, book: str, cited: tuple[str, ...]
) -> None:
    evening = room(tmp_path, book)
    table = Table(evening.tables["tbl-1"])
    table.start()
    table.rounds()
    table.act(1, SLOW_S)

    assert evening.settle().alarms == ((note(evening, *cited),) if cited else ())
    evening.close()


def test_far_from_the_end_of_a_level_nothing_is_noted(tmp_path: Path) -> None:
    evening = room(tmp_path, schedule=[{"minutes": 20, "small_blind": 10, "big_blind": 20}, *SOON_OVER])
    table = Table(evening.tables["tbl-1"])
    table.start()
    table.rounds()
    table.act(1, SLOW_S)

    assert evening.settle().alarms == ()
    evening.close()


def test_the_last_level_has_no_end_to_wait_for(tmp_path: Path) -> None:
    evening = room(tmp_path, schedule=SOON_OVER[:1])
    table = Table(evening.tables["tbl-1"])
    table.start()
    table.rounds()
    table.act(1, SLOW_S)

    assert evening.settle().alarms == ()
    evening.close()


def test_a_note_is_still_there_after_a_restart(evening: Evening, table: Table) -> None:
    table.start()
    table.rounds()
    table.act(1, SLOW_S)
    said = evening.settle().alarms
    evening.store.close()
    evening.restart()

    assert len(said) == 1
    assert evening.floor.picture().alarms == said


def test_time_with_the_director_is_not_the_players(evening: Evening, table: Table) -> None:
    table.start()
    table.rounds()
    evening.settle()
    table.tell(wire.FloorCalled("dealer"), after_s=1)
    table.tell(wire.FloorCalled("plays_on", on=False), after_s=60)
    table.act(1, QUICK_S)

    assert evening.settle().alarms == ()


def test_a_unit_that_started_again_measures_anew(evening: Evening, table: Table) -> None:
    table.start()
    table.rounds()
    table.boot += 1
    table.act(1, SLOW_S)

    assert evening.settle().alarms == ()


@pytest.mark.parametrize(("book", "cited"), [("lifeclub", "lifeclub:8.4"), ("dalvivo", "dalvivo:7.4")])
@article("lifeclub:8.4", "dalvivo:7.4")
def test_who_lingers_on_the_way_to_a_new_seat_is_noted_until_seated(tmp_path: Path, book: str, cited: str) -> None:
    evening = room(tmp_path, book, players=4)
    table = Table(evening.tables["tbl-1"])
    seat, (player, name, stack) = min(table.paper.players.items())
    table.tell(wire.SeatChanged(seat, player, stack, False, "moved"), ago_ms=SEAT_MS)
    assert evening.settle().alarms == ()
    table.tell(wire.SeatChanged(seat, player, stack, True, "from_balance", name))
    table.tell(wire.SeatChanged(seat, player, stack, False, "moved"), ago_ms=SEAT_MS + 2_000)

    assert evening.settle().alarms == (Alarm("slow_seat", 1, seat=seat, name=name, articles=(cited,)),)
    rev = evening.floor.rev
    evening.floor.tick()
    assert evening.floor.rev == rev + 1

    table.tell(wire.SeatChanged(seat, player, stack, True, "from_balance", name))
    assert evening.settle().alarms == ()


def test_the_notes_are_said_in_both_languages() -> None:
    said = Alarm("slow_act", 3, seat=4, name="Ada", seconds=40, articles=("lifeclub:17.1",))
    late = Alarm("slow_seat", 3, seat=4, name="Ada", articles=("lifeclub:8.4",))

    assert alarm_text(said, "en", str, partial(word, "en")) == (
        "Table 3, seat 4: Ada took 40 s at the end of a level; have a look (lifeclub:17.1)."
    )
    assert alarm_text(said, "it", str, partial(word, "it")).startswith("Tavolo 3, posto 4: Ada ha impiegato 40 s")
    assert "(lifeclub:8.4)" in alarm_text(late, "it", str, partial(word, "it"))
    assert alarm_text(late, "en", str, partial(word, "en")).startswith("Ada left table 3, seat 4")
