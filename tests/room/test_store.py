"""The hub's file: one transaction for an event, its watermark and what follows from it."""

import sqlite3
import threading

import msgspec
import pytest

from engine import wire
from hub.records import Incoming, StoreError, UnitStatus
from hub.store import Store
from tests.room.peers import action, started

UNIT = "tbl-7f3a"


@pytest.fixture
def store(tmp_path):
    one = Store(tmp_path / "hub.sqlite", lambda: 5000.0)
    yield one
    one.close()


def incoming(seq, body, *, ep=1, hand=1, rev=0, table=0, unit=UNIT):
    envelope = wire.Envelope(
        unit, ep, seq, wire.kind_of(body), hand, rev, wire.Stamp(seq, seq), msgspec.Raw(wire.encode(body)), table=table
    )
    return Incoming(envelope, body, wire.digest(envelope), wire.encode(envelope))


def test_events_are_read_behind_a_cursor_in_the_order_of_commit(store):
    store.register.adopt(UNIT, 1)
    store.commit([incoming(1, action(1)), incoming(2, action(2))])
    store.commit([incoming(3, action(3))])

    first = store.events_after(0, limit=2)
    rest = store.events_after(first[-1].cursor)

    assert [e.body.to for e in first + rest] == [201, 202, 203]
    assert store.events_after(rest[-1].cursor) == []
    assert store.last_cursor() == rest[-1].cursor
    assert first[0].at_ms == 5000


@pytest.mark.parametrize(
    "wrong", [incoming(2, action()), incoming(1, action(), ep=2), incoming(1, action(), unit="x-1")]
)
def test_a_batch_that_does_not_follow_the_watermark_is_refused_as_a_whole(store, wrong):
    store.register.adopt(UNIT, 1)

    with pytest.raises(StoreError, match="does not follow"):
        store.commit([wrong])

    assert store.events_after(0) == []
    assert store.register.of(UNIT).wm == 0


def test_when_a_batch_fails_nothing_of_it_stays(store):
    store.register.adopt(UNIT, 1)

    with pytest.raises(StoreError):
        store.commit([incoming(1, wire.Eliminated(1, "anna", 100)), incoming(3, action())])
    store.commit([incoming(1, started({1: "anna", 2: "bruno"}))])

    assert store.eliminations() == []
    assert [seat.player for seat in store.seats()] == ["anna", "bruno"]


def test_a_seat_that_is_told_twice_is_taken_once(store):
    store.register.adopt(UNIT, 1)
    twice = msgspec.structs.replace(started({1: "anna"}), seats=started({1: "anna"}).seats * 2)

    store.commit([incoming(1, twice)])

    assert [seat.player for seat in store.seats()] == ["anna"]


def test_a_closed_file_knows_everything_again_and_its_epoch_is_higher(tmp_path):
    first = Store(tmp_path / "hub.sqlite")
    adopt = first.register.adopt(UNIT, 4, tournament="T1", book="tda", size=9, chip=25)
    first.commit([incoming(1, started({1: "anna", 2: "bruno"}), hand=3, rev=2)])
    sent = first.commands.send(UNIT, wire.Hold(True))
    first.close()

    again = Store(tmp_path / "hub.sqlite")
    try:
        assert again.epoch == first.epoch + 1
        assert again.register.adoption(UNIT) == adopt
        assert again.hand(UNIT) == (3, 2)
        assert (again.register.of(UNIT).wm, again.register.at(4).unit) == (1, UNIT)
        assert [c.id for c in again.commands.open()] == [sent]
    finally:
        again.close()


def test_a_file_of_another_version_or_kind_is_refused_with_its_name(tmp_path):
    path = tmp_path / "hub.sqlite"
    Store(path).close()
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE meta SET value='99' WHERE key='schema'")
    db.close()
    with pytest.raises(StoreError, match=r"hub\.sqlite: made by another version"):
        Store(path)

    path.write_bytes(b"no database at all, but long enough to look like one" * 50)
    with pytest.raises(StoreError, match=r"hub\.sqlite"):
        Store(path)


def test_a_seat_change_and_a_count_change_the_seats(store):
    store.register.adopt(UNIT, 1)
    store.commit(
        [
            incoming(1, started({1: "anna", 2: "bruno"})),
            incoming(2, wire.SeatChanged(3, "carla", 700, True, "from_balance", "Carla")),
            incoming(3, wire.SeatChanged(1, "anna", 900, False, "moved")),
            incoming(4, wire.ChipsCounted(2, "bruno", 1000, 950)),
        ]
    )

    assert [(s.seat, s.player, s.stack) for s in store.seats(UNIT)] == [(2, "bruno", 950), (3, "carla", 700)]
    assert [(c.player, c.sat, c.why) for c in store.seat_changes()] == [
        ("carla", True, "from_balance"),
        ("anna", False, "moved"),
    ]


def test_readers_in_other_threads_see_what_is_committed_and_nothing_else(store):
    store.register.adopt(UNIT, 1)
    inside, looked = threading.Event(), threading.Event()
    seen = []

    def read():
        inside.wait(5)
        seen.append(len(store.events_after(0)))
        looked.set()

    reader = threading.Thread(target=read)
    reader.start()
    with store.transaction():
        store.commit([incoming(1, action())])
        mine = len(store.events_after(0))
        inside.set()
        assert looked.wait(5)
    reader.join()

    assert (mine, seen, len(store.events_after(0))) == (1, [0], 1)


def test_writers_in_many_threads_take_turns(store):
    units = [f"tbl-{n}" for n in range(8)]
    for number, unit in enumerate(units, 1):
        store.register.adopt(unit, number)

    def write(unit):
        for seq in range(1, 21):
            store.commit([incoming(seq, action(seq), unit=unit)])
            store.commands.send(unit, wire.Hold(True))

    threads = [threading.Thread(target=write, args=(unit,)) for unit in units]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {unit.wm for unit in store.register.all()} == {20}
    assert len(store.events_after(0)) == 160


def test_a_second_table_of_the_same_number_retires_the_first(store):
    store.register.adopt("tbl-old", 3)
    store.commit([incoming(1, started({1: "anna"}), unit="tbl-old")])

    store.register.adopt("tbl-new", 3)

    assert [(u.unit, u.status, u.table_no) for u in store.register.all()] == [
        ("tbl-old", UnitStatus.RETIRED, 0),
        ("tbl-new", UnitStatus.ADOPTED, 3),
    ]
    assert store.seats() == []
    assert store.register.adoption("tbl-old") is None


def test_the_number_of_an_outbox_only_ever_rises(store):
    first = store.register.adopt(UNIT, 1).ep
    births = [("ready", 1, 1, 5), ("ready", 2, 0, 9), ("ready", 3, 7, 9, 4)]  # known, a new journal, another hub's

    eps = [store.register.heard(UNIT, wire.UnitState(*said)).ep for said in births]

    assert [first, *eps] == [1, 1, 2, 8]
    assert store.register.of(UNIT).wm == 4


def test_the_quarantine_counts_repeats_and_keeps_the_beginning_of_what_is_long(store):
    long = b"x" * 100_000

    times = [store.troubles.keep(UNIT, "too long", long) for _ in range(3)]

    assert times == [1, 2, 3]
    kept = store.troubles.kept(UNIT)[0]
    assert (kept.times, len(kept.raw)) == (3, 8192)


def test_a_bad_unit_id_gets_no_table(store):
    with pytest.raises(ValueError, match="use 3 to 32"):
        store.register.adopt("Table #1", 1)
