"""The room as its tables tell it, event by event."""

from __future__ import annotations

import msgspec

from engine import wire
from engine.inputs import Level
from engine.view import Due, Part, PotPaid, SeatView, Street
from hub.room import Room
from tests.rules.citing import article

LEVEL = Level(50, 100, number=1)


class Told:
    """A room with one table of three, and what it tells."""

    def __init__(self) -> None:
        self.room = Room()
        self.room.add("tbl-1", 1, 9)
        self.seq = 0
        for seat, player in ((1, "a"), (4, "b"), (7, "c")):
            self.tell(wire.SeatChanged(seat, player, 1_000, True, "new", player.upper()), hand=0)

    def tell(self, body: wire.Body, hand: int = 1, rev: int = 0) -> None:
        self.seq += 1
        self.room.apply(
            wire.Envelope(
                unit="tbl-1", ep=1, seq=self.seq, kind=wire.kind_of(body), hand=hand, hand_rev=rev,
                t=wire.Stamp(self.seq, self.seq), body=msgspec.Raw(b""),
            ),
            body,
        )  # fmt: skip

    def start(self, hand: int = 1, rev: int = 0) -> None:
        seats = (
            SeatView(1, "a", "A", 1_000, part=Part.LIVE), SeatView(4, "b", "B", 950, 50, part=Part.LIVE),
            SeatView(7, "c", "C", 900, 100, part=Part.LIVE),
        )  # fmt: skip
        self.tell(wire.HandStarted(1, 4, 7, LEVEL, seats, {1: 1_000, 4: 1_000, 7: 1_000}, 150), hand, rev)
        self.tell(wire.StreetOpened("preflop", (), 150, 1), hand, rev)

    @property
    def table(self):  # type: ignore[no-untyped-def]
        return self.room.tables["tbl-1"]


def test_a_hand_is_followed_from_the_blinds_to_the_pot() -> None:
    told = Told()
    told.start()
    assert (told.table.view.to_act, told.table.view.due, told.table.view.total) == (1, Due.ACTION, 3_000)

    told.tell(wire.Action(1, "raise_to", 300, 700, 450, 4, 250))
    told.tell(wire.Action(4, "fold", 50, 950, 450, 7, 200))
    told.tell(wire.Action(7, "call", 300, 700, 650, 0, 0))
    assert {seat.seat: (seat.stack, seat.bet, seat.part) for seat in told.table.view.seats} == {
        1: (700, 300, Part.LIVE), 4: (950, 50, Part.FOLDED), 7: (700, 300, Part.LIVE),
    }  # fmt: skip
    assert told.table.view.pots[0].eligible == (1, 7)

    told.tell(wire.StreetOpened("flop", ("Ah", "7d", "2c"), 650, 7))
    assert told.table.view.board == ("Ah", "7d", "2c")
    assert all(seat.bet == 0 for seat in told.table.view.seats)

    told.tell(wire.Action(7, "all_in", 700, 0, 1_350, 1, 700))
    told.tell(wire.Action(1, "fold", 0, 700, 1_350, 0, 0))
    told.tell(wire.PotAwarded(1_350, {7: 1_350}))
    told.tell(wire.HandEnded({1: 700, 4: 950, 7: 1_350}, 0, 4, 7, 1))
    assert told.table.view.paid == (PotPaid(1_350, ((7, 1_350),)),)
    assert (told.table.view.street, told.table.running, told.table.next_button) == (Street.OVER, False, 4)
    assert told.table.view.total == 3_000

    told.start(hand=2)
    assert told.table.view.paid == ()


def test_before_its_first_hand_a_table_waits_for_players_until_there_are_two() -> None:
    room = Room()
    room.add("tbl-1", 1, 9)
    due = [room.tables["tbl-1"].view.due]
    for seat, sat in ((1, True), (4, True), (4, False)):
        body = wire.SeatChanged(seat, f"p{seat}", 1_000, sat, "new" if sat else "moved")
        stamp = wire.Stamp(1, 1)
        room.apply(wire.Envelope("tbl-1", 1, 1, wire.kind_of(body), 0, 0, stamp, msgspec.Raw(b"")), body)
        due.append(room.tables["tbl-1"].view.due)

    assert due == [Due.PLAYERS, Due.PLAYERS, Due.SHUFFLE, Due.PLAYERS]


def test_blinds_stay_in_front_when_betting_opens_before_the_flop() -> None:
    told = Told()
    told.start()

    assert [seat.bet for seat in told.table.view.seats] == [0, 50, 100]


def test_chips_of_one_who_left_for_another_table_are_in_transit_until_taken_in() -> None:
    told = Told()
    told.tell(wire.SeatChanged(4, "b", 1_000, False, "moved"))
    assert told.room.where("b") is None
    assert told.room.transit["b"].stack == 1_000
    assert told.room.chips_in_play() == 3_000

    told.tell(wire.SeatChanged(2, "b", 1_000, True, "from_balance", "B"))
    assert told.room.where("b") == ("tbl-1", 2)
    assert not told.room.transit


@article("tda:8-B")
def test_one_who_goes_home_takes_the_chips_along() -> None:
    told = Told()
    told.tell(wire.SeatChanged(4, "b", 1_000, False, "left"))

    assert not told.room.transit
    assert told.room.chips_in_play() == 2_000
    assert told.room.change == -1_000


@article("lifeclub:17.2.c", "tda:24-C")
def test_what_a_chip_race_changes_is_known_and_no_mistake() -> None:
    told = Told()
    before = told.room.chips_in_play()
    stacks = {seat.seat: seat.stack for seat in told.room.tables["tbl-1"].view.seats}
    first, second, *_ = stacks

    told.tell(wire.ChipsRaced(100, stacks | {first: stacks[first] + 100, second: stacks[second] - 75}, 75, 100))

    assert told.room.chips_in_play() == before + 25
    assert told.room.change == 25


@article("y2007:multi.5")
def test_blinds_that_were_dodged_lie_in_the_middle() -> None:
    told = Told()
    before = told.room.chips_in_play()
    seat = told.room.tables["tbl-1"].view.seats[0]

    told.tell(wire.BlindsTaken(seat.seat, seat.player, 200, 200))

    assert told.room.tables["tbl-1"].seated[seat.seat].stack == seat.stack - 200
    assert told.room.chips_in_play() == before


def test_a_hand_told_again_takes_its_eliminations_back() -> None:
    told = Told()
    told.start()
    told.tell(wire.Eliminated(4, "b", 1_000))
    told.tell(wire.HandEnded({1: 2_000, 7: 1_000}, 0, 1, 7, 1))
    assert [out.player for out in told.room.outs()] == ["b"]

    told.start(hand=1, rev=1)

    assert told.room.outs() == []
    assert [line.what for line in told.room.tape] == ["sat", "sat", "sat"]
    assert told.room.where("b") == ("tbl-1", 4)


def test_a_hand_told_again_takes_back_what_left_the_tournament_in_it_and_after_it() -> None:
    told = Told()
    told.tell(wire.ChipsCounted(1, "a", 1_000, 900, confiscated=True), hand=0)
    told.start()
    told.tell(wire.HandEnded({1: 900, 4: 1_000, 7: 1_000}, 0, 1, 7, 1))
    told.tell(wire.SeatChanged(4, "b", 1_000, False, "disqualified"))
    assert told.room.change == -1_100

    told.start(hand=1, rev=1)

    assert told.room.change == -100


def test_a_table_is_settled_only_when_everybody_without_chips_has_left_the_picture() -> None:
    told = Told()
    told.start()
    told.tell(wire.HandEnded({1: 2_000, 4: 0, 7: 1_000}, 0, 1, 7, 1))
    assert not told.table.settled

    told.tell(wire.Eliminated(4, "b", 1_000))
    assert told.table.settled


def test_news_of_a_unit_that_has_no_table_is_nothing() -> None:
    told = Told()
    stranger = wire.Envelope("tbl-9", 1, 1, "floor_called", 0, 0, wire.Stamp(0, 0), msgspec.Raw(b""))

    told.room.apply(stranger, wire.FloorCalled("dealer"))

    assert len(told.room.tape) == 3


def test_a_player_whose_wrong_award_is_taken_back_is_out_no_more() -> None:
    told = Told()
    told.start()
    told.tell(wire.PotAwarded(2_000, {7: 2_000}))
    told.tell(wire.Eliminated(1, "a", 1_000))
    told.tell(wire.HandEnded({4: 950, 7: 2_050}, 0, 4, 7, 4))

    told.tell(wire.Irregularity("award_corrected", 0))
    told.tell(wire.SeatChanged(1, "a", 0, True, wire.REINSTATED, "A"))
    told.tell(wire.PotAwarded(2_000, {1: 2_000}))
    told.tell(wire.HandEnded({1: 2_000, 4: 950, 7: 50}, 0, 4, 7, 1))

    assert told.table.view.paid == (PotPaid(2_000, ((1, 2_000),)),)
    assert told.room.outs() == []
    assert all(line.what != "out" for line in told.room.tape)
    assert {seat.seat: seat.stack for seat in told.table.view.seats} == {1: 2_000, 4: 950, 7: 50}


@article("y2007:chips.1")
def test_confiscated_chips_are_out_of_the_tournament_and_a_count_changes_nothing_of_what_was_given_out() -> None:
    told = Told()
    told.tell(wire.ChipsCounted(1, "a", 1_000, 900), hand=0)
    assert told.room.change == 0

    told.tell(wire.ChipsCounted(4, "b", 1_000, 700, confiscated=True), hand=0)
    assert told.room.change == -300
    assert told.room.chips_in_play() == 2_600


@article("lifeclub:20.8", "tda:71-A")
def test_hands_to_sit_out_are_on_the_way_with_the_player() -> None:
    told = Told()
    seat = told.room.tables["tbl-1"].view.seats[0]

    told.tell(wire.SeatChanged(seat.seat, seat.player, seat.stack, sat=False, why="moved", misses=6, banned_ms=5))

    assert (told.room.transit[seat.player].misses, told.room.transit[seat.player].banned_ms) == (6, 5)


def test_a_unit_that_was_replaced_is_heard_up_to_its_last_event_and_nobody_sits_there() -> None:
    told = Told()
    before = told.room.chips_in_play()
    seat = told.room.tables["tbl-1"].view.seats[0]
    told.room.retire("tbl-1", 1, told.seq)

    told.tell(wire.ChipsCounted(seat.seat, seat.player, seat.stack, 1))

    assert told.room.tables["tbl-1"].view.seats[0].stack == seat.stack
    assert told.room.where(seat.player) is None
    assert told.room.chips_in_play() < before
