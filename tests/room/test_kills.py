"""Broker, hub and tables are killed with -9 at random moments; afterwards the hub has what the journals have.

Real processes around a real Mosquitto; the seeds fix who is killed when. The ground truth is what each journal keeps
for ever, not the outbox, which forgets.
"""

import json
import random
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from deploy import broker, children
from hub.records import Standing, UnitStatus
from hub.store import Store
from tests.room import light_table
from tests.room.light_table import Truth
from tests.waiting import until

UNITS = ("tbl-0a", "tbl-1b", "tbl-2c", "tbl-3d")
SETTLE_S = 30.0


class Room:
    """The processes of a room, by name; each can be killed and started again."""

    def __init__(self, directory: Path, running: broker.Broker):
        self.directory = directory
        self.broker = running
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        place = self.directory / name
        place.mkdir(exist_ok=True)
        module = "light_hub" if name == "hub" else "light_table"
        spec = {"site": "s1", "broker": self.broker.url, "directory": str(place)}
        if name != "hub":
            spec |= {"unit": name, "every_ms": 30}
        command = [sys.executable, "-m", f"tests.room.{module}", json.dumps(spec)]
        self.processes[name] = children.spawn(command, self.directory / f"{name}.log")

    def kill(self, name: str) -> None:
        if name == "broker":
            self.broker.kill()
        else:
            children.kill(self.processes[name])

    def restart(self, name: str) -> None:
        if name == "broker":
            self.broker.restart()
        else:
            self.start(name)

    def logs(self) -> str:
        return "\n".join(log.read_text() for log in self.directory.glob("*.log"))


@pytest.fixture
def room(tmp_path):
    with broker.running(tmp_path, "mosquitto") as running:
        room = Room(tmp_path, running)
        for name in ("hub", *UNITS):
            room.start(name)
        yield room
        for process in room.processes.values():
            children.kill(process)


@pytest.mark.parametrize("seed", [7, 2026])
def test_nothing_is_lost_and_nothing_doubled_when_everything_is_killed_at_random(room, seed):
    kill_at_random(room, random.Random(seed))

    for unit in UNITS:
        (room.directory / unit / light_table.REST).touch()
    until(lambda: all(waiting(room.directory / unit) == 0 for unit in UNITS), SETTLE_S)
    ended = [children.end(room.processes[name]) for name in (*UNITS, "hub")]

    assert ended == [0] * (len(UNITS) + 1), room.logs()
    store = Store(room.directory / "hub" / "hub.sqlite")
    try:
        compare(store, {unit: light_table.truth(room.directory / unit) for unit in UNITS})
    finally:
        store.close()


def kill_at_random(room: Room, chance: random.Random) -> None:
    """One after the other, in a shuffled order: kill, wait a little, start again."""
    victims = ["broker", "hub"] * 4 + list(UNITS) * 2
    chance.shuffle(victims)
    pause = threading.Event()
    pause.wait(2.0)
    for name in victims:
        pause.wait(chance.uniform(0.05, 1.0))
        room.kill(name)
        pause.wait(chance.uniform(0.0, 0.6))
        room.restart(name)
    pause.wait(1.0)


def waiting(directory: Path) -> int:
    """Events that the journal in `directory` still keeps for the hub."""
    db = sqlite3.connect(f"file:{directory / 'journal.sqlite'}?mode=ro", uri=True, timeout=5)
    try:
        return int(db.execute("SELECT count(*) FROM outbox").fetchone()[0])
    finally:
        db.close()


def compare(store: Store, truths: dict[str, list[Truth]]) -> None:
    """The hub's log, its derived rows and its commands against the journals."""
    stored = {unit: [] for unit in truths}
    cursor = 0
    while events := store.events_after(cursor):
        cursor = events[-1].cursor
        for event in events:
            stored[event.envelope.unit].append(event)
    assert {unit: u.status for unit, u in ((u.unit, u) for u in store.register.all())} == dict.fromkeys(
        truths, UnitStatus.ADOPTED
    )
    assert store.troubles.alarms() == []
    assert store.troubles.kept() == []
    for unit, truth in truths.items():
        assert len(truth) > 100, f"{unit} hardly played"
        assert [e.envelope.seq for e in stored[unit]] == list(range(1, len(truth) + 1))
        assert {e.standing for e in stored[unit]} == {Standing.OK}
        told = [
            Truth(e.envelope.hand, e.envelope.hand_rev, e.envelope.kind, bytes(e.envelope.body).decode())
            for e in stored[unit]
        ]
        assert told == truth
    assert_effects(store, truths)


def assert_effects(store: Store, truths: dict[str, list[Truth]]) -> None:
    """Eliminations and seat changes count once, by the highest revision; commands took effect once."""
    want_out, want_sat, ever_out, ever_sat = Counter(), Counter(), 0, []
    for unit, truth in truths.items():
        newest: dict[int, int] = {}
        for event in truth:
            newest[event.hand] = max(newest.get(event.hand, 0), event.hand_rev)
        for event in truth:
            counts = event.hand_rev == newest[event.hand]
            body = json.loads(event.body)
            if event.kind == "eliminated":
                ever_out += 1
                want_out[unit, event.hand, body["seat"], body["player"]] += counts
            if event.kind == "seat_changed":
                ever_sat.append(body["player"])
                want_sat[unit, event.hand, body["seat"], body["player"]] += counts
    assert Counter((e.unit, e.hand, e.seat, e.player) for e in store.eliminations()) == +want_out
    assert Counter((c.unit, c.hand, c.seat, c.player) for c in store.seat_changes()) == +want_sat
    assert set(want_out.values()) <= {0, 1}
    with store.transaction() as db:
        commands = db.execute("SELECT rc, body FROM commands").fetchall()
    sent = {json.loads(body)["player"]: rc for rc, body in commands}
    assert len(commands) == len(sent) == ever_out > 10
    assert sorted(ever_sat) == sorted(player for player, rc in sent.items() if rc == "ok")
    assert set(sent.values()) <= {"ok", "refused"}
