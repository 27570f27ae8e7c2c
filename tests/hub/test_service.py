"""`bottone hub` as a process: it starts, it stops in order and quickly, and it says what is wrong in one line."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from deploy import broker, children
from deploy.small_room import configuration
from drivers.mqtt_link import Address
from tests.waiting import until

STOP_S = 3.0
START_S = 20.0
NAMES = ("Ada", "Bruno")


@contextmanager
def hub(folder: Path, broker_url: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A running hub and the address of its pages, or "" if it ended instead."""
    folder.mkdir(exist_ok=True)
    config, log = folder / "hub.toml", folder / "hub.log"
    config.write_text(configuration(folder, broker_url, NAMES, port))
    log.unlink(missing_ok=True)
    process = children.spawn(children.bottone("hub", "--config", str(config)), log)
    try:
        until(lambda: process.poll() is not None or "hub http" in log.read_text(), START_S)
        found = re.search(r"hub (http://\S+)/", log.read_text())
        yield process, found[1] if found else ""
    finally:
        children.end(process)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_order_with_a_browser_open(tmp_path: Path, number: signal.Signals) -> None:
    with broker.running(tmp_path) as mqtt, hub(tmp_path / "hub", mqtt.url) as (process, url):
        with httpx.stream("GET", f"{url}/events?page=room") as stream:
            next(stream.iter_lines())
            began = time.monotonic()
            process.send_signal(number)
            assert process.wait(STOP_S) == 0

        assert time.monotonic() - began < STOP_S


def test_without_a_broker_the_pages_are_there_and_say_so(tmp_path: Path) -> None:
    with hub(tmp_path / "hub", f"unix:{tmp_path}/nobody.sock") as (process, url):
        assert not httpx.get(f"{url}/api/state").json()["broker"]
        assert "broker assente" in httpx.get(f"{url}/").text
        began = time.monotonic()
        process.terminate()
        assert process.wait(STOP_S) == 0
        assert time.monotonic() - began < STOP_S


def test_a_second_start_draws_nothing_anew(tmp_path: Path) -> None:
    with broker.running(tmp_path) as mqtt:
        logs = []
        for _ in range(2):
            with hub(tmp_path / "hub", mqtt.url) as (_, url):
                logs.append(httpx.get(f"{url}/api/state").json()["log"])

    assert logs[0] == logs[1]
    assert [note["what"] for note in logs[0]] == ["drawn"]


def test_a_second_hub_in_the_same_folder_leaves_the_first_one_alone(tmp_path: Path) -> None:
    with hub(tmp_path, "auto") as (_, url):
        mqtt = Address.parse((tmp_path / "hub" / "broker.url").read_text())
        second = subprocess.run(
            children.bottone("hub", "--config", str(tmp_path / "hub.toml")),
            capture_output=True, text=True, check=False, timeout=START_S,
        )  # fmt: skip

        assert (second.returncode, second.stderr.count("\n")) == (2, 1)
        assert "another hub runs here" in second.stderr
        assert broker.answers(mqtt)
        assert httpx.get(f"{url}/api/state").json()["broker"]


def test_it_says_where_room_and_director_are(tmp_path: Path) -> None:
    with hub(tmp_path, f"unix:{tmp_path}/nobody.sock") as (_, url):
        director = re.search(r"director (http://\S+?/director)", (tmp_path / "hub.log").read_text())
        assert director is not None
        assert director[1] == f"{url}/director"
        assert httpx.get(director[1]).status_code == 200


@pytest.mark.parametrize(
    ("broker_url", "said"),
    [
        ("mqtt//nowhere", "broker 'mqtt//nowhere': write mqtt://host:port"),
        ("TAKEN", "choose another, or 0 for a free one"),
    ],
)
def test_what_is_wrong_is_one_line_and_status_2(tmp_path: Path, broker_url: str, said: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1] if broker_url == "TAKEN" else 0
        url = f"unix:{tmp_path}/nobody.sock" if broker_url == "TAKEN" else broker_url
        with hub(tmp_path / "hub", url, port) as (process, _):
            assert process.wait(5) == 2

    text = (tmp_path / "hub" / "hub.log").read_text()
    assert said in text
    assert text.count("\n") == 1
