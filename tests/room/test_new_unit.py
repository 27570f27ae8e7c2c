"""A real table's process dies for good in the middle of a hand; a spare unit takes its place with one button."""

from __future__ import annotations

from pathlib import Path

from deploy.small_room import SITE, small_room
from deploy.virtual_table import TableFile, VirtualTable
from drivers.seen import Key
from engine.view import Due, Street
from hub.picture import Picture
from tests.waiting import until

LIMIT_S = 30.0


def seats(picture: Picture) -> dict[int, tuple[str, int]]:
    return {seat.seat: (seat.player, seat.stack) for card in picture.tables for seat in card.view.seats}


def test_a_spare_unit_takes_over_where_the_broken_one_left_the_table(tmp_path: Path) -> None:
    with small_room(tmp_path) as room:
        room.deal()
        while room.table.glance().view.due is Due.ACTION:
            room.table.press(Key.FOLD)
        until(lambda: room.hub.picture().tables[0].view.street is Street.OVER, LIMIT_S)
        before = seats(room.hub.picture())
        room.deal()
        room.table.press(Key.ALL_IN)                       # of a hand that nobody will finish
        button = room.table.glance().view.button
        until(lambda: room.hub.picture().tables[0].view.hand == 2, LIMIT_S)
        room.table.kill9()

        file = TableFile(unit="spare-1", site=SITE, size=9, shoe="", badge="", more=room.table.file.more)
        with VirtualTable(tmp_path / "spare-1", file) as spare:
            until(lambda: room.hub.picture().spares == ("spare-1",), LIMIT_S)
            room.hub.direct("replace", 1, unit="spare-1")
            until(lambda: room.hub.picture().quiescent, LIMIT_S)
            spare.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the table's players")

            after = room.hub.picture()
            assert seats(after) == before
            assert [card.unit for card in after.tables] == ["spare-1"]
            assert after.alarms == ()

            while spare.glance().view.due is not Due.ACTION:
                spare.press(Key.DEAL)
            view = spare.glance().view
            assert view.button == button
            assert sum(seat.stack + seat.bet for seat in view.seats) == sum(stack for _, stack in before.values())
            assert view.level == room.hub.picture().clock.level
