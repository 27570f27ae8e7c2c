"""The same with the real programs: tables whose keys are pressed, the hub that moves players, everything killed."""

import random
import threading
from collections import Counter

import pytest

from deploy import children
from firmware_py.journal_reading import verify
from hub.records import Standing
from tests.room.real_room import STACK, RealRoom
from tests.waiting import until


@pytest.fixture
def room(tmp_path):
    one = RealRoom(tmp_path, tables=3, players=21, seed=11)
    yield one
    one.close()


def test_a_tournament_loses_and_doubles_no_player_and_no_chip_while_everything_is_killed(room):
    room.start()
    kill_at_random(room, random.Random(11))

    for dealer in room.dealers:
        dealer.finish()
    for dealer in room.dealers:
        dealer.wait(30)
    assert [trouble for dealer in room.dealers for trouble in dealer.trouble] == []
    until(room.settled, 30)
    picture = room.picture()
    glances = {table.file.unit: table.glance() for table in room.tables}
    statuses = [table.stop() for table in room.tables]
    statuses.append(children.end(room.hub))

    assert statuses == [0, 0, 0, 0]
    for card in picture.tables:
        assert seats(card.view) == seats(glances[card.unit].view)
    assert sum(seat.stack for glance in glances.values() for seat in glance.view.seats) == room.players * STACK
    store = room.store()
    try:
        compare(room, store, glances)
    finally:
        store.close()


def seats(view):
    return {seat.seat: (seat.player, seat.stack) for seat in view.seats}


def kill_at_random(room, chance):
    victims = ["broker"] * 3 + ["hub"] * 3 + room.units * 3
    chance.shuffle(victims)
    pause = threading.Event()
    for who in victims:
        pause.wait(chance.uniform(0.2, 1.2))
        room.kill(who)
        pause.wait(chance.uniform(0.0, 0.4))
        room.restart(who)
    pause.wait(1.0)


def compare(room, store, glances):
    """The hub's log and derived rows against the journals."""
    logged = Counter()
    cursor = 0
    while events := store.events_after(cursor):
        cursor = events[-1].cursor
        for event in events:
            logged[event.envelope.unit] += 1
            assert event.envelope.seq == logged[event.envelope.unit]
            assert event.standing is Standing.OK
    assert store.troubles.alarms() == []
    assert store.troubles.kept() == []
    out = []
    for unit in room.units:
        assert verify(room.directory / unit / "data" / "journal.sqlite").trouble == ""
        assert logged[unit] == room.events_ever(unit)
        went_out, changes = room.truth(unit)
        assert Counter((e.seat, e.player) for e in store.eliminations() if e.unit == unit) == went_out
        assert Counter((c.seat, c.player, c.stack, c.sat) for c in store.seat_changes() if c.unit == unit) == changes
        out += [player for _, player in went_out.elements()]
    seated = [seat.player for glance in glances.values() for seat in glance.view.seats]
    assert sorted(out + seated) == sorted(f"p{number}" for number in range(1, room.players + 1))
    assert len(out) > 3
