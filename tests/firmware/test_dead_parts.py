"""A thread of the unit that dies of our own mistake: the process ends, saying which and why, and never goes on deaf."""

import logging
import signal
import threading

import pytest

from deploy.commands.table import SOFTWARE, _run_unit
from drivers.badge import BadgeReader
from drivers.bee_tek import BeeTek
from drivers.panel import _Order
from drivers.pty_line import PtyLine
from drivers.rdm6300 import Rdm6300
from drivers.shoe import Shoe
from drivers.wedge import WedgeReader
from firmware_py.config import Config, Pins
from firmware_py.inbox import Stop
from firmware_py.parts import PartStopped
from firmware_py.sd_notify import Notifier
from firmware_py.unit import Unit

DEAF_AFTER_S = 10.0


class WrongShoe(BeeTek):
    """A codec with a mistake in it."""

    def feed(self, data, now_s):
        raise LookupError("no such card")


class WrongBadges(Rdm6300):
    """A codec with a mistake in it."""

    def feed(self, data, now_s):
        raise LookupError("no such badge")


@pytest.fixture
def config(tmp_path):
    return Config(
        unit="table-1", site="club", data_dir=str(tmp_path / "data"), seal_dir=str(tmp_path / "seal"),
        pins=Pins(factory="mock", socket=str(tmp_path / "s")),
    )  # fmt: skip


@pytest.fixture
def unit(config):
    """Asked to stop after a while, so that one that goes on deaf fails the test instead of holding it up."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    unit = Unit(config, Notifier(""))
    limit = threading.Timer(DEAF_AFTER_S, lambda: unit.inbox.post("os", Stop("deaf")))
    limit.start()
    yield unit
    limit.cancel()
    limit.join()
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def port(tmp_path):
    cable = PtyLine(tmp_path / "port", baud=None)
    cable.plug()
    yield str(tmp_path / "port")
    cable.unplug()


def test_of_the_shoes_line(unit, port):
    unit._parts.shoe = Shoe(port, WrongShoe(), unit.inbox.poster("shoe"))

    with pytest.raises(PartStopped, match="thread of the shoe was ended by LookupError: no such card"):
        unit.run()


def test_of_the_badge_readers_line(unit, port):
    unit._parts.badge = BadgeReader(port, WrongBadges(), unit.inbox.poster("badge"))

    with pytest.raises(PartStopped, match="thread of the badge reader was ended by LookupError"):
        unit.run()


def test_of_the_wedge(unit, port):
    def open_source(path):
        raise LookupError(path)

    unit._parts.badge = WedgeReader(port, unit.inbox.poster("badge"), open_source=open_source)

    with pytest.raises(PartStopped, match="thread of the badge reader was ended by LookupError"):
        unit.run()


def test_of_the_panel(unit):
    unit._parts.panel._queue.put(_Order(lambda: {}["lamp"]))

    with pytest.raises(PartStopped, match="thread of the panel was ended by KeyError"):
        unit.run()


def test_of_the_panels_socket(unit):
    unit._parts.socket._accept = lambda: {}["client"]
    unit._parts.socket._woken = unit._parts.socket._accept

    with pytest.raises(PartStopped, match="thread of the panel socket was ended by KeyError"):
        unit.run()


def test_the_process_ends_with_a_status_that_systemd_restarts_and_says_why(config, port, monkeypatch, caplog):
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setattr("firmware_py.devices.shoe", lambda config, post, last: Shoe(port, WrongShoe(), post))

    with caplog.at_level(logging.CRITICAL):
        status = _run_unit(config)

    for number, handler in handlers.items():
        signal.signal(number, handler)
    assert status == SOFTWARE
    assert "thread of the shoe" in caplog.text
