"""A unit breaks in the middle of the tournament and another takes its place: nobody loses a seat, a chip or a place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine import wire
from hub.config import TableAt
from hub.directing import Details
from hub.records import UnitStatus
from hub.refused import Refused
from tests.hub.paper_room import STACK, PaperTable, config
from tests.hub.test_floor import Evening, timeless


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = Evening(tmp_path, config(players=16, tables=2))
    running.settle()
    first, *_, last = sorted(running.tables["tbl-2"].players)
    running.round({"tbl-2": {first: last}})
    yield running
    running.close()


def plugged_in(evening: Evening, unit: str = "spare-1") -> PaperTable:
    """A spare unit is switched on."""
    evening.store.register.heard(unit, wire.UnitState("ready", 1, 0, 0))
    evening.tables[unit] = PaperTable(unit)
    return evening.tables[unit]


def replace(evening: Evening, table_no: int = 2, unit: str = "spare-1") -> None:
    evening.floor.direct("replace", table_no, "director", Details(unit=unit))


def test_everybody_sits_where_he_sat_with_what_he_had_and_the_button_goes_on(evening: Evening) -> None:
    old = evening.tables["tbl-2"]
    new = plugged_in(evening)

    replace(evening)
    assert evening.floor.picture().waiting_for == ("commands", "replaced")
    picture = evening.settle()

    assert new.players == old.players
    assert picture.quiescent
    assert [card.unit for card in picture.tables] == ["tbl-1", "spare-1"]
    assert picture.chips == sum(seat.stack for card in picture.tables for seat in card.view.seats) == 16 * STACK
    assert [place.place for place in picture.places] == [16]
    assert picture.alarms == ()
    assert new.button is not None
    assert new.button.seat == evening.floor.room.tables["tbl-2"].next_button
    assert not new.held
    assert picture.log[-1].what == "replaced"


def test_a_hand_that_was_running_is_dealt_again_with_everybodys_chips_as_before(evening: Evening) -> None:
    old = evening.tables["tbl-2"]
    old.start_hand()
    seat = old.big_blind
    player, name, stack = old.players[seat]
    old.tell(wire.Action(seat, "bet", 300, stack - 300, 300, 0, 0))
    evening.settle()
    new = plugged_in(evening)

    replace(evening)
    evening.settle()

    assert new.players == {**old.players, seat: (player, name, stack)}
    assert new.button == wire.SetButton(seat, 0, seat)             # as in the hand that is void


def test_the_table_is_held_before_anybody_sits_there(evening: Evening) -> None:
    plugged_in(evening)

    replace(evening)

    commands = [command for command in evening.store.commands.open() if command.unit == "spare-1"]
    assert [msgspec.json.decode(each.body, type=wire.CommandBody) for each in commands] == [wire.Hold(True, "replaced")]


def test_what_the_old_unit_still_has_to_say_is_nothing(evening: Evening) -> None:
    old = evening.tables["tbl-2"]
    first, *_, last = sorted(old.players)
    plugged_in(evening)
    replace(evening)
    evening.settle()

    old.start_hand()
    old.end_hand({first: last})
    picture = evening.settle()

    assert len(picture.places) == 1
    assert picture.players_left == 15
    retired = evening.store.register.of("tbl-2")
    assert retired is not None
    assert retired.status is UnitStatus.RETIRED


def test_after_a_restart_the_new_unit_is_still_the_tables(evening: Evening) -> None:
    plugged_in(evening)
    replace(evening)
    before = evening.settle()

    evening.close()
    evening.restart()

    assert timeless(evening.settle()) == timeless(before)
    assert not evening.store.commands.open()
    assert evening.floor.room.chips_in_play() == 16 * STACK


def test_a_hub_that_dies_in_the_middle_seats_the_rest(evening: Evening) -> None:
    new = plugged_in(evening)
    replace(evening)
    while len(new.players) < 3:
        for command in evening.store.commands.open():
            body = msgspec.json.decode(command.body, type=wire.CommandBody)
            rc, why = evening.tables[command.unit].obey(body, command.hand)
            evening.store.commands.answered(command.unit, wire.Result(command.id, rc, why))
        evening._commit(new)
        evening.floor.turn()

    evening.close()
    evening.restart()
    evening.settle()

    assert new.players == evening.tables["tbl-2"].players


def test_the_file_may_name_the_new_unit_instead(evening: Evening) -> None:
    new = plugged_in(evening)
    evening.close()
    evening.of = msgspec.structs.replace(evening.of, tables=(TableAt(1, "tbl-1"), TableAt(2, "spare-1")))

    evening.restart()
    picture = evening.settle()

    assert new.players == evening.tables["tbl-2"].players
    assert [note.who for note in picture.log if note.what == "replaced"] == ["config"]
    assert picture.quiescent

    evening.close()
    evening.restart()
    assert len([note for note in evening.settle().log if note.what == "replaced"]) == 1


def test_play_and_balancing_go_on_with_the_new_unit(evening: Evening) -> None:
    new = plugged_in(evening)
    replace(evening)
    evening.settle()
    old = evening.tables.pop("tbl-2")
    one, two, *_, last = sorted(new.players)

    picture = evening.round({"spare-1": {one: last, two: last}})

    assert [len(card.view.seats) for card in picture.tables] == [7, 6]
    assert len(picture.places) == 3
    assert picture.chips == 16 * STACK
    assert len(old.players) == 7


def test_a_spare_unit_is_offered_and_one_that_has_served_is_not(evening: Evening) -> None:
    with pytest.raises(Refused, match="unit_used"):
        replace(evening, unit="tbl-1")
    with pytest.raises(Refused, match="no_unit"):
        replace(evening, unit="not a unit")
    with pytest.raises(Refused, match="no_table"):
        replace(evening, table_no=9)


def broken_in_the_break(tmp_path: Path, answered: int, told: int) -> Evening:
    """Table 2 breaks; its unit answers so many commands and tells of so many departures, and dies."""
    evening = Evening(tmp_path, config(players=11, tables=2))
    evening.settle()
    one, two = evening.tables["tbl-1"], evening.tables["tbl-2"]
    a, b, *_, last = sorted(one.players)
    one.start_hand()
    one.end_hand({a: last, b: last})
    evening._commit(one)
    evening.floor.turn()                              # nine are left: table 2 breaks
    for count in range(answered):
        for command in evening.store.commands.open():
            if command.unit == "tbl-1":               # holds and seats at the table that takes
                body = msgspec.json.decode(command.body, type=wire.CommandBody)
                rc, why = one.obey(body, command.hand)
                evening.store.commands.answered("tbl-1", wire.Result(command.id, rc, why))
                evening._commit(one)
        (command,) = [each for each in evening.store.commands.open() if each.unit == "tbl-2"][:1]
        body = msgspec.json.decode(command.body, type=wire.CommandBody)
        two.obey(body, command.hand)
        evening.store.commands.answered("tbl-2", wire.Result(command.id, "ok"))
        if count < told:
            evening._commit(two)
        else:
            two.untold.clear()                        # it went down with the unit
        evening.floor.turn()
    return evening


@pytest.mark.parametrize(("answered", "told"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 1), (5, 5)])
def test_a_unit_that_dies_while_its_table_breaks_keeps_nobody_on_the_way(
    tmp_path: Path, answered: int, told: int
) -> None:
    evening = broken_in_the_break(tmp_path, answered, told)
    plugged_in(evening)

    replace(evening)
    while dead := [each for each in evening.store.commands.open() if each.unit == "tbl-2"]:
        evening.store.commands.answered("tbl-2", wire.Result(dead[0].id, "expired"))
    picture = evening.settle()

    assert picture.quiescent, picture.waiting_for
    assert [(card.closed, len(card.view.seats)) for card in picture.tables] == [(False, 9), (True, 0)]
    assert picture.chips == sum(seat.stack for card in picture.tables for seat in card.view.seats) == 11 * STACK
    assert picture.alarms == ()
    evening.close()


def test_what_the_director_had_decided_is_not_decided_again(evening: Evening) -> None:
    old = evening.tables["tbl-2"]
    old.start_hand()
    old.tell(wire.FloorCalled("dealer"))
    evening.settle()
    evening.floor.direct("plays_on", 2, "director")
    plugged_in(evening)

    replace(evening)
    evening.floor.turn()

    sent = [msgspec.json.decode(each.body, type=wire.CommandBody) for each in evening.store.commands.open()
            if each.unit == "spare-1"]  # fmt: skip
    assert not any(isinstance(body, wire.FloorRuling) for body in sent)


@pytest.mark.parametrize("told", [False, True])
def test_a_unit_that_dies_as_a_player_arrives_keeps_nobody_on_the_way(tmp_path: Path, told: bool) -> None:
    evening = Evening(tmp_path, config(players=18, tables=2, size=10))
    evening.settle()
    taker = evening.tables["tbl-2"]
    first, second, *_, last = sorted(taker.players)
    taker.start_hand()
    taker.end_hand({first: last, second: last})
    while not evening.floor.room.transit:             # one is to come from table 1, and is on the way
        for command in evening.store.commands.open():
            body = msgspec.json.decode(command.body, type=wire.CommandBody)
            rc, why = evening.tables[command.unit].obey(body, command.hand)
            evening.store.commands.answered(command.unit, wire.Result(command.id, rc, why))
        for table in evening.tables.values():
            evening._commit(table)
        evening.floor.turn()
    for command in evening.store.commands.open():
        body = msgspec.json.decode(command.body, type=wire.CommandBody)
        taker.obey(body, command.hand)                # he sits down, and says so
        evening.store.commands.answered(command.unit, wire.Result(command.id, "ok"))
    if told:
        evening._commit(taker)
    taker.untold.clear()
    evening.floor.turn()
    new = plugged_in(evening)

    replace(evening)
    while dead := [each for each in evening.store.commands.open() if each.unit == "tbl-2"]:
        evening.store.commands.answered("tbl-2", wire.Result(dead[0].id, "expired"))
    picture = evening.settle()

    assert picture.quiescent, picture.waiting_for
    assert len(new.players) == 8
    assert picture.chips == sum(seat.stack for card in picture.tables for seat in card.view.seats) == 18 * STACK
    assert picture.alarms == ()
    evening.close()
