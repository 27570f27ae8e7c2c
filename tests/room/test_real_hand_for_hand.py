"""Two real tables near the money: each plays one hand and waits for the other, and every clock in the room says so."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from deploy import broker
from deploy.hub_client import HubClient
from deploy.small_room import HubProcess
from deploy.virtual_table import TableFile, VirtualTable, toml_value
from deploy.wall_clock import WallClock
from drivers.led_clock import LedClock
from drivers.max7219_sim import Max7219Sim
from drivers.mqtt_link import Address
from drivers.seen import Key
from engine.view import Due
from firmware_py.faces import face
from tests.waiting import until

LIMIT_S = 60.0
SITE = "bubble"
MODULES = 12
WAITS = {Due.NEXT_HAND, Due.HOLD}


class Bubble(NamedTuple):
    """Four players at two tables, three places paid."""

    hub: HubClient
    tables: tuple[VirtualTable, VirtualTable]
    broker: Address


@pytest.fixture
def bubble(tmp_path: Path) -> Iterator[Bubble]:
    port = broker.free_port()
    with contextlib.ExitStack() as stack:
        mqtt = stack.enter_context(broker.running(tmp_path))
        (tmp_path / "hub.toml").write_text(
            f"site = '{SITE}'\ndata_dir = {toml_value(str(tmp_path / 'hub'))}\nbroker = {toml_value(mqtt.url)}\n"
            f"http = {{ port = {port} }}\ntables = [{{ no = 1, unit = 'two-1' }}, {{ no = 2, unit = 'two-2' }}]\n"
            "[tournament]\ntitle = 'Bubble'\nbook = 'tda'\nstack = 1000\nsize = 2\npaid = 3\nauto_start = true\n"
            "players = ['Ada', 'Bruno', 'Carla', 'Dino']\n"
            "schedule = [{ minutes = 600, small_blind = 25, big_blind = 50 }]\n"
        )
        process = HubProcess(tmp_path, port)
        stack.callback(process.stop)
        process.start()
        more = {"hub": {"unix": mqtt.address.path} if mqtt.address.path else
                       {"host": mqtt.address.host, "port": mqtt.address.port}}  # fmt: skip
        first, second = (
            stack.enter_context(
                VirtualTable(
                    tmp_path / f"two-{n}",
                    TableFile(unit=f"two-{n}", site=SITE, size=2, shoe="", badge="", more=more),
                )
            )
            for n in (1, 2)
        )
        hub = stack.enter_context(HubClient(port))
        until(lambda: hub.picture().quiescent and hub.picture().clock.hand_for_hand, LIMIT_S)
        yield Bubble(hub, (first, second), mqtt.address)


def play(bubble: Bubble, number: int) -> None:
    """One hand, folded as soon as the hub knows of it: no dealer deals one faster than a message travels."""
    table = bubble.tables[number - 1]
    while table.glance().view.due is not Due.ACTION:
        table.press(Key.DEAL)

    def known() -> bool:
        picture = bubble.hub.picture()
        return picture.tables[number - 1].running and "commands" not in picture.waiting_for

    until(known, LIMIT_S)
    table.press(Key.FOLD)


def test_a_table_that_has_played_its_hand_waits_until_the_other_has(bubble: Bubble) -> None:
    first, _ = bubble.tables
    for table in bubble.tables:
        table.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the round", LIMIT_S)
    before_ms = bubble.hub.picture().clock.remaining_ms

    play(bubble, 1)
    assert first.press(Key.DEAL).view.due in WAITS         # the dealer would go on
    assert first.press(Key.DEAL).view.due in WAITS

    play(bubble, 2)
    until(lambda: first.press(Key.DEAL).view.due not in WAITS, LIMIT_S)
    until(lambda: bubble.hub.picture().clock.remaining_ms <= before_ms - 120_000, LIMIT_S)
    assert bubble.hub.picture().clock.remaining_ms == before_ms - 120_000


def test_tables_and_wall_say_it_until_the_director_ends_it(bubble: Bubble) -> None:
    chain, stop = Max7219Sim(MODULES), threading.Event()
    wall = WallClock(bubble.broker, SITE, LedClock(lambda: chain, MODULES, lambda *_: None), MODULES, language="en")
    thread = threading.Thread(target=wall.run, args=(stop.is_set,))
    thread.start()
    try:
        until(lambda: wall.seen.hand_for_hand, LIMIT_S)
        until(lambda: chain.frame() == face(wall.seen, MODULES), LIMIT_S)
        for table in bubble.tables:
            table.wait(lambda seen: "HAND FOR HAND" in seen.face, "the face", LIMIT_S)

        bubble.hub.direct("table_by_table")

        until(lambda: not wall.seen.hand_for_hand, LIMIT_S)
        for table in bubble.tables:
            table.wait(lambda seen: "HAND FOR HAND" not in seen.face, "the face", LIMIT_S)
            table.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the next hand", LIMIT_S)
        assert bubble.hub.picture().clock.state == "running"
    finally:
        stop.set()
        thread.join()
