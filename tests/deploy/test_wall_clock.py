"""The wall clock in a real room: the hub's clock on a long chain, and what it shows when the hub is gone."""

import threading

import pytest

from deploy import children
from deploy.cli import main
from deploy.small_room import SITE, small_room
from deploy.wall_clock import WallClock
from drivers.led_clock import LedClock
from drivers.max7219_sim import Max7219Sim
from drivers.mqtt_link import Address
from drivers.recording import read_record
from engine.inputs import Level
from firmware_py.faces import face
from tests.waiting import until


@pytest.fixture
def stop():
    return threading.Event()


@pytest.mark.parametrize("modules", [8, 16])
def test_shows_the_hubs_clock_and_says_when_the_hub_is_lost(tmp_path, stop, modules):
    chain = Max7219Sim(modules)
    with small_room(tmp_path) as room:
        url = Address(path=room_broker(room))
        wall = WallClock(url, SITE, LedClock(lambda: chain, modules, lambda *_: None), modules)
        thread = threading.Thread(target=wall.run, args=(stop.is_set,))
        thread.start()
        try:
            until(lambda: wall.seen.running and wall.seen.hub_lost_ms is None, 10)
            shown = wall.seen
            until(lambda: chain.frame() == face(wall.seen, modules), 10)
            room.hub_process.kill9()
            until(lambda: wall.seen.hub_lost_ms is not None, 20)
            lost = wall.seen
        finally:
            stop.set()
            thread.join()

    assert shown.level == Level(25, 50, number=1)
    assert 595 * 60_000 < shown.remaining_ms <= 600 * 60_000
    assert lost.running
    assert lost.remaining_ms <= shown.remaining_ms


def test_the_command_records_the_bytes_of_its_chain_and_ends_when_asked(tmp_path):
    record = tmp_path / "wall.record"
    with small_room(tmp_path) as room:
        command = ("wallclock", "--broker", f"unix:{room_broker(room)}", "--site", SITE, "--record", str(record))
        process = children.spawn(children.bottone(*command), tmp_path / "wall.log")
        try:
            until(lambda: record.exists() and read_record(record).bytes_sent > 12 * 16, 20)
        finally:
            status = children.end(process)

    assert status == 0


@pytest.mark.parametrize(
    "wrong", [("--broker", "http://x"), ("--spi", "x"), ("--brightness", "16")], ids=["broker", "spi", "brightness"]
)
def test_wrong_use_is_said(wrong, capsys):
    assert main(["wallclock", "--site", "club", "--broker", "unix:/x", *wrong]) == 2
    assert capsys.readouterr().err


def test_tls_files_that_are_not_there_are_named(tmp_path, capsys):
    record, missing = str(tmp_path / "wall.record"), str(tmp_path / "ca.pem")
    command = ["wallclock", "--site", "club", "--broker", "mqtts://127.0.0.1:1", "--record", record]

    assert main([*command, "--tls", missing, missing, missing]) == 2
    assert f"bottone wallclock: {missing}: No such file or directory" in capsys.readouterr().err


def room_broker(room):
    """The path of the broker's socket, as the table has it."""
    line = next(line for line in room.table.config.read_text().splitlines() if line.startswith("unix"))
    return line.split('"')[1]
