"""A pseudo-terminal as a cable: raw, paced, and pulled out when one likes."""

import os
import time

import pytest

from drivers.pty_line import PtyDevice, PtyLine
from tests.waiting import until


@pytest.fixture
def cable(tmp_path):
    cable = PtyLine(tmp_path / "name", baud=None)
    cable.plug()
    yield cable
    cable.unplug()


def test_every_byte_goes_through_as_it_is_and_none_comes_back(cable):
    every = bytes(range(256))
    near = os.open(cable.link, os.O_RDWR | os.O_NOCTTY)
    try:
        cable.write(every)
        assert os.read(near, 512) == every
        os.write(near, every)
        assert cable.read() == every
        assert cable.read() == b""
    finally:
        os.close(near)


def test_the_name_is_there_only_while_the_cable_is_in(cable):
    assert cable.link.is_char_device()
    cable.unplug()
    assert not cable.plugged
    assert not cable.link.is_symlink()
    cable.plug()
    assert cable.link.is_char_device()


def test_a_name_left_behind_by_a_process_that_was_killed_is_taken_over(tmp_path):
    (tmp_path / "name").symlink_to("/dev/pts/nowhere")
    cable = PtyLine(tmp_path / "name")
    cable.plug()
    assert cable.link.is_char_device()
    cable.unplug()


def test_a_reader_gets_a_hang_up_when_the_cable_is_pulled(cable):
    near = os.open(cable.link, os.O_RDWR | os.O_NOCTTY)
    cable.unplug()
    try:
        with pytest.raises(OSError, match="Input/output error"):
            os.write(near, b"x")
    finally:
        os.close(near)


def test_what_is_written_to_an_unplugged_cable_goes_nowhere(cable):
    cable.unplug()
    cable.write(b"x")

    assert cable.read() == b""


@pytest.mark.parametrize(("baud", "count"), [(115200, 1152), (9600, 96)])
def test_ten_bits_a_byte(tmp_path, baud, count):
    cable = PtyLine(tmp_path / "name", baud)
    cable.plug()
    started_s = time.monotonic()
    cable.write(b"x" * count)
    took_s = time.monotonic() - started_s
    cable.unplug()

    assert took_s >= 0.1


def test_a_reader_that_sleeps_loses_bytes_and_they_are_counted(cable):
    cable.write(b"x" * 100_000)

    assert cable.overrun_bytes > 0


def test_a_mistake_in_the_device_comes_to_whoever_asked(tmp_path):
    device = PtyDevice(PtyLine(tmp_path / "name"), Quiet(), "quiet")
    device.start()
    try:
        with pytest.raises(ZeroDivisionError):
            device.do(lambda: 1 // 0)
        assert device.do(lambda: "still there") == "still there"
    finally:
        device.stop()
    with pytest.raises(RuntimeError, match="not running"):
        device.do(lambda: None)


def test_stop_pulls_the_cable(tmp_path):
    device = PtyDevice(PtyLine(tmp_path / "name"), Quiet(), "quiet")
    device.start()
    device.stop()

    until(lambda: not (tmp_path / "name").is_symlink())


class Quiet:
    """A device that has nothing to say."""

    def plugged(self, now_s):
        return b""

    def received(self, data, now_s):
        return b""

    def tick(self, now_s):
        return b""

    def due_s(self):
        return time.monotonic() + 3600
