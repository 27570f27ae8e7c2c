"""A director at the panel of a real unit: what is dialled there is decided, journaled and shown, on his word alone."""

from __future__ import annotations

import pytest

from drivers.seen import Key, KeyPressed, KnobPushed, KnobTurned
from engine.inputs import Confiscate, Penalise, Sanction, SetStack
from firmware_py.badges import pin_hash
from firmware_py.config import Badges, Config, Pins, SeatAtStart, Setup
from firmware_py.inbox import Arrived
from firmware_py.journal_reading import read_lines
from firmware_py.sd_notify import Notifier
from firmware_py.unit import Unit

PIN = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.FLOOR)   # 1238
PENALTY, DISQUALIFY, CONFISCATE, COUNT = 5, 6, 7, 2          # detents on the second page of the menu


class Table:
    """A unit without a hub, its crank turned by the test; three players with 5000 each."""

    def __init__(self, directory, book):
        seats = tuple(SeatAtStart(seat, 5000, name=name) for seat, name in ((1, "Anna"), (2, "Bruno"), (3, "Carla")))
        config = Config(
            unit="table-1", site="club", data_dir=str(directory / "data"), seal_dir=str(directory / "seal"), book=book,
            chip=25, pins=Pins(factory="mock"), badges=Badges(director_pin=pin_hash("1238")),
            setup=Setup(25, 50, seats, button=1),
        )  # fmt: skip
        self.unit = Unit(config, Notifier(""))
        self.unit._start()
        self.at_ms = 0

    def do(self, *what):
        for one in what:
            heard = KeyPressed(one) if isinstance(one, Key) else one
            self.at_ms += 1000     # a slow hand
            self.unit._turn(Arrived(self.at_ms, "panel", heard))

    def choose(self, entry, seat):
        """The entry of the second page, the PIN it asks for, and the seat."""
        self.do(Key.FLOOR, Key.FLOOR, KnobTurned(entry), KnobPushed())
        self.do(*PIN, KnobTurned(seat - 1), KnobPushed())

    @property
    def stacks(self):
        return {seat.seat: seat.stack for seat in self.unit._reducer.view.seats}

    def directed(self):
        """What stands in the journal on the director's word."""
        return [(line.deed, line.source) for line in read_lines(self.unit._journal.path) if "director" in line.source]


@pytest.fixture
def table(request, tmp_path):
    one = Table(tmp_path, getattr(request, "param", "lifeclub"))
    yield one
    one.unit._stop()


def test_a_penalty_in_rounds_is_as_many_hands_as_there_are_players_for_each(table):
    table.choose(PENALTY, 2)
    table.do(KnobTurned(1), KnobPushed())

    assert table.directed() == [(Penalise(2, Sanction.ROUNDS, 2), "director:pin")]
    assert {seat.seat: seat.misses for seat in table.unit._reducer.view.seats} == {1: 0, 2: 6, 3: 0}


@pytest.mark.parametrize("table", ["y2007"], indirect=True)
def test_a_book_that_counts_in_minutes_offers_its_minutes(table):
    table.choose(PENALTY, 3)
    table.do(KnobTurned(2), KnobPushed())

    assert table.directed() == [(Penalise(3, Sanction.MINUTES, 20), "director:pin")]


def test_a_disqualified_player_leaves_with_his_chips(table):
    table.choose(DISQUALIFY, 1)

    assert table.directed() == [(Penalise(1, Sanction.DISQUALIFY), "director:pin")]
    assert table.stacks == {2: 5000, 3: 5000}
    assert table.unit._reducer.view.total == 10_000


def test_confiscated_chips_leave_the_tournament(table):
    table.choose(CONFISCATE, 3)
    table.do(KnobTurned(3), KnobPushed())

    assert table.directed() == [(Confiscate(3, 100), "director:pin")]
    assert table.stacks == {1: 5000, 2: 5000, 3: 4900}


def test_a_stack_is_put_right_by_what_was_counted(table):
    table.choose(COUNT, 2)
    table.do(KnobTurned(2), KnobPushed())

    assert table.directed() == [(SetStack(2, 5050), "director:pin")]
    assert table.stacks == {1: 5000, 2: 5050, 3: 5000}


def test_without_the_pin_nothing_happens(table):
    table.do(Key.FLOOR, Key.FLOOR, KnobTurned(DISQUALIFY), KnobPushed(), *(Key.FOLD,) * 4, KnobPushed())

    assert table.directed() == []
    assert table.stacks == {1: 5000, 2: 5000, 3: 5000}
