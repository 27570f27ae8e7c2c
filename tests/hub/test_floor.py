"""The floor over a real store: one transaction a turn, and the same evening after a restart. Paper tables answer."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import rulebook, wire
from hub.config import Badges, ConfigError, HubConfig
from hub.floor import Floor
from hub.hubtime import utc_ms
from hub.picture import Alarm, ClockState, Picture
from hub.records import Incoming
from hub.refused import Refused
from hub.store import Store
from tests.hub.paper_room import STACK, PaperTable, config


class Evening:
    """A floor, its store, and the tables on paper. `restart` is what a killed and restarted hub sees."""

    def __init__(self, folder: Path, of: HubConfig) -> None:
        self.of, self.path = of, folder / "hub.sqlite"
        self.tables = {table.unit: PaperTable(table.unit) for table in of.tables}
        self.clocks: list[wire.Clock] = []
        self.restart()

    def restart(self) -> None:
        self.store = Store(self.path)
        self.floor = Floor(self.of, rulebook.load(self.of.tournament.book), self.store)
        self.floor.publish_clock = self.clocks.append
        self.floor.turn()

    def settle(self) -> Picture:
        """Commands are obeyed, events committed, until nothing moves."""
        moved = True
        while moved:
            moved = False
            for command in self.store.commands.open():
                body = msgspec.json.decode(command.body, type=wire.CommandBody)
                rc, why = self.tables[command.unit].obey(body, command.hand)
                self.store.commands.answered(command.unit, wire.Result(command.id, rc, why))
                moved = True
            for table in self.tables.values():
                moved |= self._commit(table)
            self.floor.turn()
        return self.floor.picture()

    def _commit(self, table: PaperTable) -> bool:
        known = self.store.register.of(table.unit)
        assert known is not None
        batch = []
        while table.untold:
            envelope, body = table.untold.popleft()
            told = msgspec.structs.replace(
                envelope, ep=known.ep, table=known.table_no, body=msgspec.Raw(wire.encode(body))
            )
            batch.append(Incoming(told, body, wire.digest(told), wire.encode(told)))
        self.store.commit(batch)
        return bool(batch)

    def round(self, losers: dict[str, dict[int, int]] | None = None) -> Picture:
        for unit, table in self.tables.items():
            if len(table.players) > 1:
                table.start_hand()
                table.end_hand((losers or {}).get(unit, {}))
        return self.settle()

    def close(self) -> None:
        self.store.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = Evening(tmp_path, config(players=19, tables=3, in_step=True))
    running.settle()
    yield running
    running.close()


def timeless(picture: Picture) -> Any:
    """A picture without what differs from start to start."""
    clock = msgspec.structs.replace(picture.clock, now_ms=0, remaining_ms=0, next_break_ms=None)
    return msgspec.structs.replace(picture, rev=0, hub=0, clock=clock)


def test_everybody_sits_and_the_clock_runs(evening: Evening) -> None:
    picture = evening.floor.picture()

    assert picture.quiescent
    assert (picture.stage, picture.clock.state) == ("playing", ClockState.RUNNING)
    assert [len(card.view.seats) for card in picture.tables] == [7, 6, 6]
    assert evening.clocks[-1].running
    assert evening.clocks[-1].hub == evening.store.epoch


def test_a_room_is_not_quiescent_while_a_command_is_unanswered(tmp_path: Path) -> None:
    fresh = Evening(tmp_path, config(players=4, tables=1))

    assert not fresh.floor.picture().quiescent
    assert fresh.floor.picture().waiting_for == ("commands", "seating", "start")
    assert fresh.settle().quiescent
    fresh.close()


def test_a_break_shows_in_the_picture_and_in_the_log(evening: Evening) -> None:
    first, *_, last = sorted(evening.tables["tbl-1"].players)

    picture = evening.round({"tbl-1": {first: last}})

    assert [card.closed for card in picture.tables] == [False, False, True]
    assert [place.place for place in picture.places] == [19]
    assert [note.what for note in picture.log[-3:]] == ["proposed", "confirmed", "done"]
    assert [note.who for note in picture.log[-3:]] == ["hub", "hub", "hub"]
    assert picture.chips == 19 * STACK
    assert picture.alarms == ()


def test_a_restarted_hub_shows_what_the_old_one_showed(evening: Evening) -> None:
    first, *_, last = sorted(evening.tables["tbl-1"].players)
    before = evening.round({"tbl-1": {first: last}})

    evening.close()
    evening.restart()

    after = evening.floor.picture()
    assert timeless(after) == timeless(before)
    assert after.hub == before.hub + 1
    assert not evening.store.commands.open()


def test_a_hub_that_dies_in_a_move_finishes_it_after_the_restart(evening: Evening) -> None:
    first, *_, last = sorted(evening.tables["tbl-1"].players)
    for unit, table in evening.tables.items():
        table.start_hand()
        table.end_hand({first: last} if unit == "tbl-1" else {})
        evening._commit(table)
    evening.floor.turn()
    assert evening.store.commands.open()

    evening.close()
    evening.restart()
    picture = evening.settle()

    assert picture.quiescent
    assert [len(card.view.seats) for card in picture.tables] == [9, 9, 0]
    assert sum(seat.stack for card in picture.tables for seat in card.view.seats) == 19 * STACK


def test_chips_that_do_not_add_up_are_an_alarm(evening: Evening) -> None:
    table = evening.tables["tbl-2"]
    seat, (player, name, stack) = min(table.players.items())
    table.players[seat] = (player, name, stack + 500)
    table.tell(wire.ChipsCounted(seat, player, stack, stack + 500))

    assert evening.settle().alarms == (Alarm("chips", counted=19_500, expected=19_000),)


def test_a_hub_put_back_to_an_old_copy_of_its_file_says_what_it_lacks(evening: Evening) -> None:
    known = evening.store.register.of("tbl-3")
    assert known is not None

    evening.store.register.heard("tbl-3", wire.UnitState("ready", 1, known.ep, known.wm + 40, known.wm + 40))

    assert Alarm("events_lost", name="tbl-3") in evening.floor.picture().alarms


def test_revoked_badges_reach_the_tables_by_a_new_adoption_and_only_when_they_change(evening: Evening) -> None:
    def adopted() -> list[tuple[int, tuple[str, ...]]]:
        wanted = [evening.store.register.adoption(unit) for unit in evening.tables]
        return [(want.rev, want.revoked) for want in wanted if want is not None]

    before = adopted()
    evening.of = msgspec.structs.replace(evening.of, badges=Badges(("0123456789abcdef",)))
    evening.store.close()
    evening.restart()

    assert adopted() == [(rev + 1, ("0123456789abcdef",)) for rev, _ in before]
    after = adopted()
    evening.store.close()
    evening.restart()
    assert adopted() == after


def test_one_badge_at_two_tables_within_a_minute_is_an_alarm_after_a_restart_too(evening: Evening) -> None:
    for unit in ("tbl-1", "tbl-2"):
        table = evening.tables[unit]
        table.tell(wire.DealerOn("0123456789abcdef"))
        envelope, body = table.untold.pop()
        table.untold.append((msgspec.structs.replace(envelope, t=wire.Stamp(0, utc_ms())), body))
    said = evening.settle().alarms
    evening.store.close()
    evening.restart()

    assert said == (Alarm("twice", 2, (1, 2), name="012345"),)
    assert evening.floor.picture().alarms == said


def test_the_director_is_refused_with_a_reason_and_nothing_changes(evening: Evening) -> None:
    before = evening.floor.picture()

    with pytest.raises(Refused, match="not_waiting"):
        evening.floor.direct("voids", 2, "director")

    assert timeless(evening.floor.picture()) == timeless(before)


def test_a_table_that_waits_for_the_floor_is_answered_once(evening: Evening) -> None:
    table = evening.tables["tbl-2"]
    table.start_hand()
    table.tell(wire.FloorCalled("dealer"))
    assert evening.settle().tables[1].floor == "dealer"

    evening.floor.direct("plays_on", 2, "director")
    (command,) = evening.store.commands.open()
    table.tell(wire.FloorCalled("plays_on", on=False))

    assert msgspec.json.decode(command.body, type=wire.CommandBody) == wire.FloorRuling("plays_on")
    assert evening.settle().tables[1].floor == ""


class TestClockFile:
    def test_it_is_the_tournaments_time(self, tmp_path: Path) -> None:
        file = tmp_path / "clock"
        file.write_bytes(struct.pack("<q", 5_000))
        room = Evening(tmp_path, config(players=4, tables=1, clock_file=str(file)))
        room.settle()
        assert not room.floor.picture().clock.real_time

        with file.open("r+b") as writing:
            writing.write(struct.pack("<q", 5_000 + 11 * 60_000))

        picture = room.floor.picture()
        assert (picture.clock.now_ms, picture.clock.level_no, picture.clock.announced) == (665_000, 2, 1)
        assert picture.clock.remaining_ms == 9 * 60_000
        assert room.clocks[-1].index == 1
        room.close()

    @pytest.mark.parametrize("content", [None, b"", b"1234"])
    def test_a_file_that_is_none_is_said(self, tmp_path: Path, content: bytes | None) -> None:
        file = tmp_path / "clock"
        if content is not None:
            file.write_bytes(content)
        store = Store(tmp_path / "hub.sqlite")

        with pytest.raises(ConfigError, match=r"tournament\.clock_file"):
            Floor(config(clock_file=str(file)), rulebook.load("lifeclub"), store)
        store.close()
