"""Bee-Tek: its lines as they are known, and one card for a card that is told twice."""

import pytest

from drivers.bee_tek import BeeTek
from drivers.seen import CardOut, ShoeError


@pytest.fixture
def codec():
    codec = BeeTek()
    codec.opened(0.0)
    return codec


UNREAD = [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b" [Game]<Card:4S> ", [CardOut(1, "4s", "X", 99)]),
        (b" [Manual Burn Cards]<Card:TH> ", [CardOut(1, "Th", "X", 99)]),
        (b" [Manual Burn Cards]<Card:H3> ", [CardOut(1, "3h", "X", 99)]),
        (b" [Game]<Card:10D> \r\n", [CardOut(1, "Td", "X", 99)]),
        (b" [Game]<Game> ", UNREAD),
        (b" [Manual Burn Cards]<Game> ", UNREAD),
        (b" [Game]<Alarm:E3 Card Not Read> ", UNREAD),
        (b" [Game]<Card:1S> ", UNREAD),
        (b" [GameAlarm]<Alarm:E5 Door> ", [ShoeError("E5", on=True)]),
        (b"<W0x01>", []),
    ],
)
def test_a_line_and_what_it_tells(codec, line, told):
    assert codec.feed(line, 0.0) == told
    assert codec.noise == 0


def test_an_alarm_and_a_report_of_one_unread_card_are_one_card(codec):
    assert codec.feed(b" [Game]<Game>  [Game]<Alarm:E3 Card Not Read> ", 0.0) == UNREAD


def test_two_unread_cards_are_two(codec):
    codec.feed(b" [Game]<Game> ", 0.0)

    assert codec.feed(b" [Game]<Game> ", 0.5)[-1] == CardOut(2, "??", "X", 0)
    assert codec.feed(b" [Game]<Alarm:E3 Card Not Read> ", 2.0)[-1] == CardOut(3, "??", "X", 0)


def test_an_alarm_is_over_with_the_next_card(codec):
    codec.feed(b" [Game]<Alarm:E5 Door> ", 0.0)

    assert codec.feed(b" [Game]<Card:4S> ", 0.1) == [ShoeError("E5", on=False), CardOut(1, "4s", "X", 99)]


@pytest.mark.parametrize("line", [b"[Baccarat]<Card:4S>", b"[Game]<Card:4S", b"[Game]Card:4S>", b"<Card:4S>"])
def test_what_is_no_line_of_the_shoe_is_no_card(codec, line):
    assert codec.feed(line + b"\r\n" + b" " * 100, 0.0) == []
