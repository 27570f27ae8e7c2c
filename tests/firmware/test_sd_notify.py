"""What systemd hears of a table: ready when it stands, alive while it turns, stopping when it ends."""

import os
import socket
import subprocess

import pytest

from deploy.children import bottone, end
from deploy.virtual_table import TableFile, VirtualTable
from firmware_py.sd_notify import Notifier

ANSWER_S = 20.0


@pytest.fixture
def systemd(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(ANSWER_S)
        yield listening


def said(systemd):
    return systemd.recv(4096).decode().split("\n")


def test_a_table_says_ready_then_alive_then_stopping(systemd, tmp_path):
    table = VirtualTable(tmp_path / "table", TableFile(shoe="", badge=""))
    table._write_config()
    env = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(bottone("table", "--config", str(table.config)), env=env, stderr=log)
    try:
        assert said(systemd)[0] == "READY=1"
        assert said(systemd) == ["WATCHDOG=1"]
        assert said(systemd) == ["WATCHDOG=1"]
        process.terminate()
        while "STOPPING=1" not in said(systemd):
            pass
        assert process.wait(ANSWER_S) == 0
    finally:
        end(process)


def test_an_abstract_address_is_understood():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0bottone-test-notify")
        listening.settimeout(ANSWER_S)

        Notifier("@bottone-test-notify").say("READY=1", "STATUS=fine")

        assert said(listening) == ["READY=1", "STATUS=fine"]


def test_where_nobody_listens_nothing_happens(tmp_path):
    Notifier("").say("READY=1")
    Notifier(str(tmp_path / "gone")).say("READY=1")
