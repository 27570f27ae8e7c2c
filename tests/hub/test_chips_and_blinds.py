"""What the director asks of one table between two hands: a chip race, dodged blinds."""

from __future__ import annotations

from typing import Any

import pytest

from engine import wire
from hub.directing import Details
from hub.refused import Refused
from tests.hub.paper_room import PaperRoom, config
from tests.rules.citing import article


def started(**plan: Any) -> PaperRoom:
    """Three players at one table with 1075, 1050 and 875 chips."""
    room = PaperRoom(config(players=3, tables=1, chip=25, **plan))
    room.settle()
    table = room.tables[1]
    for (seat, (player, name, _)), stack in zip(sorted(table.players.items()), (1_075, 1_050, 875), strict=True):
        table.tell(wire.ChipsCounted(seat, player, 1_000, stack))
        table.players[seat] = (player, name, stack)
    room.settle()
    return room


def order(room: PaperRoom, what: str, **details: Any) -> None:
    room.write(room.direct(what, 1, Details(**details)))
    room.settle()


class TestRace:
    @article("tda:24")
    def test_the_cards_go_to_the_table_as_they_were_dealt(self) -> None:
        room = started(book="tda")
        a, b, c = sorted(room.tables[1].players)
        typed = f"{a} Kh, {a} 3c {a} 9d {b} 10s,{b}:qs, {c} 2h, {c} 4h, {c} 5h"

        order(room, "race", old=25, new=100, cards=typed)

        dealt = ((a, "Kh"), (a, "3c"), (a, "9d"), (b, "Ts"), (b, "Qs"), (c, "2h"), (c, "4h"), (c, "5h"))
        assert room.tables[1].orders == [wire.RaceChips(25, 100, (dealt,), 0)]

    @article("lifeclub:17.2")
    def test_round_after_round_a_line_each(self) -> None:
        room = started()
        a, b, c = sorted(room.tables[1].players)

        order(room, "race", old=25, new=100, cards=f"{a} Kh, {b} 3c, {c} 9d\n{b} 2s, {c} 2h")

        (asked,) = room.tables[1].orders
        assert isinstance(asked, wire.RaceChips)
        assert [len(cards) for cards in asked.rounds] == [3, 2]

    @pytest.mark.parametrize(
        ("old", "new", "cards", "why"),
        [
            (25, 100, "", "race_not_over"),
            (25, 100, "A Kh", "race_cards"),
            (25, 100, "all for seat 3", "race_cards"),
            (25, 60, "", "race_chips"),
            (0, 0, "", "race_chips"),
            (50, 100, "", "race_chips"),
        ],
    )
    def test_what_cannot_be_is_refused_before_the_table_hears_of_it(
        self, old: int, new: int, cards: str, why: str
    ) -> None:
        room = started()

        with pytest.raises(Refused, match=why):
            order(room, "race", old=old, new=new, cards=cards)
        assert room.tables[1].orders == []

    def test_not_while_a_hand_runs_and_not_at_a_table_that_is_none(self) -> None:
        room = started()
        room.tables[1].start_hand()
        room.settle()

        with pytest.raises(Refused, match="hand_runs"):
            order(room, "race", old=25, new=100)
        with pytest.raises(Refused, match="no_table"):
            room.direct("race", 2, Details(old=25, new=100))


class TestDodged:
    @article("y2007:multi.5")
    def test_the_blinds_of_the_player_in_that_seat(self) -> None:
        room = started(book="y2007")
        seat, (player, _, _) = min(room.tables[1].players.items())

        order(room, "dodged", seat=seat, big_blind=True)

        assert room.tables[1].orders == [wire.DodgedBlinds(seat, player, False, True)]

    @pytest.mark.parametrize(
        ("book", "seat", "big", "why"),
        [("lifeclub", 0, True, "no_player"), ("lifeclub", 1, True, "no_dead_money"), ("y2007", 1, False, "no_blind")],
    )
    def test_what_cannot_be_is_refused(self, book: str, seat: int, big: bool, why: str) -> None:
        room = started(book=book)
        taken = sorted(room.tables[1].players)[seat - 1] if seat else 0

        with pytest.raises(Refused, match=why):
            order(room, "dodged", seat=taken, big_blind=big)


def test_a_table_that_refuses_is_asked_once_and_the_director_is_told_why() -> None:
    room = started(book="y2007")
    room.tables[1].refuses = "no_chips"
    seat = min(room.tables[1].players)

    order(room, "dodged", seat=seat, big_blind=True)

    assert len(room.tables[1].orders) == 1
    (alarm,) = room.tournament.alarms()
    assert (alarm.what, alarm.table_no, alarm.name, alarm.why) == ("refused", 1, "DodgedBlinds", "no_chips")

    room.write(room.direct("retry", 1))
    room.settle()
    assert len(room.tables[1].orders) == 2

    room.tables[1].refuses = ""
    order(room, "dodged", seat=seat, big_blind=True)
    assert room.tournament.alarms() == []
