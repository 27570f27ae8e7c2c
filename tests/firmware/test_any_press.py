"""Whatever is pressed, turned, tapped and dealt, in any order: the unit goes on, and stands there after a restart."""

from __future__ import annotations

import random

import pytest

from drivers.seen import (
    BadgeRead,
    CardBack,
    CardOut,
    CardsLost,
    CutCard,
    Key,
    KeyPressed,
    KeyReleased,
    KnobPushed,
    KnobTurned,
    ShoeDoor,
    ShoeError,
    ShoeShuffled,
)
from engine.rulebook import names
from engine.state import encode_state
from firmware_py.badges import badge_hash, site_key
from firmware_py.config import Badges, Config, Pins, SeatAtStart, Setup
from firmware_py.inbox import Arrived
from firmware_py.journal_reading import verify
from firmware_py.sd_notify import Notifier
from firmware_py.unit import Unit

DIRECTOR = "0F00AB12CD"
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
ENTRIES = 400


def unit_in(directory, book):
    seats = tuple(SeatAtStart(seat, 1000) for seat in (1, 2, 3, 5, 8))
    badges = Badges(directors=(badge_hash(site_key("", "club"), DIRECTOR),))
    unit = Unit(
        Config(
            unit="table-1", site="club", data_dir=str(directory / "data"), seal_dir=str(directory / "seal"), book=book,
            chip=25, pins=Pins(factory="mock"), badges=badges, setup=Setup(25, 50, seats, button=1),
        ),
        Notifier(""),
    )  # fmt: skip
    unit._start()
    return unit


def hand_of_somebody(chance):
    """(source, what was heard): mostly the keys that bring a hand on, now and then anything."""
    drawn = chance.random()
    if drawn < 0.6:
        return "panel", KeyPressed(chance.choice((Key.DEAL,) * 4 + (Key.CHECK_CALL,) * 4 + tuple(Key)))
    if drawn < 0.8:
        return "panel", KnobTurned(chance.choice((-30, -3, -1, 1, 2, 5, 40)), chance.random() < 0.2)
    if drawn < 0.93:
        return "panel", KnobPushed()
    if drawn < 0.97:
        return "badge", BadgeRead("badge", DIRECTOR, "em4100")
    return "panel", KeyReleased(Key.FOLD)


def shoe_that_means_it_badly(chance, deck):
    """(source, what was heard): cards, sometimes twice or unreadable, and the shoe's troubles."""
    drawn = chance.random()
    if drawn < 0.9:
        if not deck:
            deck[:] = chance.sample(DECK, len(DECK))
        card = deck.pop() if chance.random() < 0.95 else chance.choice(("??", "As", "2c"))
        return "shoe", CardOut(52 - len(deck), card, chance.choice("DDDDDDDDDDUX"), 99)
    if drawn < 0.95:
        deck.clear()
        return "shoe", ShoeShuffled(chance.choice(("RDY", "JAM", "IDLE")), 52)
    troubles = (CardBack(3), CardsLost(1, 2, "gap"), ShoeDoor(True), ShoeDoor(False), ShoeError("03", True),
                ShoeError("03", False), CutCard(9))  # fmt: skip
    return "shoe", chance.choice(troubles)


@pytest.mark.parametrize("cards", [0.0, 0.4], ids=["by hand", "with a shoe"])
@pytest.mark.parametrize("book", sorted(names()))
def test_the_unit_goes_on_and_a_restarted_one_stands_where_it_was(tmp_path, book, cards):
    chance, deck, at_ms = random.Random(f"{book} {cards}"), [], 0
    unit = unit_in(tmp_path, book)
    try:
        for _ in range(ENTRIES):
            at_ms += chance.choice((20, 300, 5_000, 40_000))
            shoe = chance.random() < cards
            source, what = shoe_that_means_it_badly(chance, deck) if shoe else hand_of_somebody(chance)
            unit._turn(Arrived(at_ms, source, what))
        stood, entries = encode_state(unit._reducer.state), unit._journal.entries
    finally:
        unit._stop()

    again = unit_in(tmp_path, book)
    try:
        assert encode_state(again._reducer.state) == stood
        assert (again._journal.entries, verify(again._journal.path).trouble) == (entries, "")
        assert entries > ENTRIES // 10
    finally:
        again._stop()
