"""The supervisor of a serial line, on real terminals: opens, loses, opens again, and never joins two halves."""

import errno
import fcntl
import os
import termios
import threading
import time
from pathlib import Path

import pytest
import serial

from drivers.pty_line import PtyLine
from drivers.seen import ErrorKind
from drivers.serial_line import HINTS, WRITE_QUEUE_CHUNKS, SerialLine, hint, kind_of
from tests.waiting import until


class Listener:
    """Keeps what a line tells, one entry for each call."""

    def __init__(self):
        self.sessions = []               # the bytes of each open
        self.losses = []
        self.ticks = 0
        self.greeting = b""
        self.answer = b""
        self.gate = threading.Event()
        self.gate.set()

    def opened(self, at_ns):
        self.sessions.append(b"")
        return self.greeting

    def received(self, data, at_ns):
        self.gate.wait(5)
        self.sessions[-1] += data
        return self.answer

    def tick(self, at_ns):
        self.ticks += 1
        return b""

    def lost(self, kind, text, at_ns):
        self.losses.append((kind, text))


@pytest.fixture
def listener():
    return Listener()


@pytest.fixture
def cable(tmp_path):
    cable = PtyLine(tmp_path / "by-id-shoe", baud=None)
    cable.plug()
    yield cable
    cable.unplug()


@pytest.fixture
def line(cable, listener):
    line = SerialLine(str(cable.link), 115200, listener, "shoe")
    line.start()
    yield line
    line.stop()


def heard_by(cable):
    data = b""

    def read():
        nonlocal data
        data += cable.read()
        return data

    return read


def test_bytes_go_both_ways(cable, listener, line):
    listener.answer = b"answer"
    until(lambda: line.is_open)
    cable.write(b"question")
    read = heard_by(cable)

    until(lambda: read() == b"answer")
    assert listener.sessions == [b"question"]
    assert line.send(b"more")
    until(lambda: read() == b"answermore")


def test_the_greeting_is_sent_at_every_open(cable, listener):
    listener.greeting = b"who are you?"
    line = SerialLine(str(cable.link), 115200, listener, "shoe")
    line.start()
    try:
        for _ in range(3):
            read = heard_by(cable)
            until(lambda read=read: read() == b"who are you?")
            cable.unplug()
            cable.plug()
    finally:
        line.stop()


def test_twenty_unplugs_in_mid_frame_are_each_told_once_and_no_half_is_joined(cable, listener, line):
    for cycle in range(20):
        until(lambda cycle=cycle: len(listener.sessions) == cycle + 1 and line.is_open)
        cable.write(b"half a fra")
        until(lambda: listener.sessions[-1] == b"half a fra")
        cable.unplug()
        until(lambda cycle=cycle: len(listener.losses) == cycle + 1, timeout_s=1.0)
        assert not line.is_open
        cable.plug()
    until(lambda: len(listener.sessions) == 21)

    assert listener.sessions == [b"half a fra"] * 20 + [b""]
    assert {kind for kind, _ in listener.losses} == {ErrorKind.GONE}


def test_a_line_that_is_not_there_is_told_once_and_opened_when_it_comes(tmp_path, listener):
    cable = PtyLine(tmp_path / "late")
    line = SerialLine(str(cable.link), 9600, listener, "badge")
    line.start()
    try:
        until(lambda: line.tries >= 4)
        assert listener.losses == [(ErrorKind.GONE, f"badge: nothing at {cable.link}; plug its cable in")]
        cable.plug()
        until(lambda: line.is_open, timeout_s=1.5)
        assert len(listener.losses) == 1
    finally:
        line.stop()
        cable.unplug()


def test_a_line_that_somebody_else_has_is_busy_until_it_is_free(cable, listener):
    other = serial.Serial(str(cable.link), exclusive=True)
    line = SerialLine(str(cable.link), 115200, listener, "shoe")
    line.start()
    try:
        until(lambda: listener.losses)
        assert listener.losses[0][0] is ErrorKind.BUSY
        other.close()
        until(lambda: line.is_open, timeout_s=1.5)
    finally:
        line.stop()


def test_nobody_else_can_open_it(cable, line):
    until(lambda: line.is_open)

    with pytest.raises(serial.SerialException, match="lock"):
        serial.Serial(str(cable.link), exclusive=True)


def test_the_speed_is_set(cable, listener):
    line = SerialLine(str(cable.link), 9600, listener, "badge")
    line.start()
    try:
        until(lambda: line.is_open)
        with cable.link.open("rb", buffering=0) as terminal:
            assert termios.tcgetattr(terminal)[4:6] == [termios.B9600, termios.B9600]
    finally:
        line.stop()


def test_an_open_and_a_close_leave_the_modem_lines_of_the_device_alone(cable, listener):
    far = os.open(os.path.realpath(cable.link), os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(far)
    settings[2] |= termios.HUPCL
    termios.tcsetattr(far, termios.TCSANOW, settings)
    line = SerialLine(str(cable.link), 115200, listener, "shoe")

    port = line._opened_port()
    port.close()

    assert (port.dtr, port.rts) == (False, False)            # low before the open: github.com/pyserial/pyserial #124
    assert not termios.tcgetattr(far)[2] & termios.HUPCL
    os.close(far)


def test_a_file_that_is_no_serial_port_is_told_as_such(tmp_path, listener):
    plain = tmp_path / "file"
    plain.write_bytes(b"not a terminal")
    line = SerialLine(str(plain), 115200, listener, "shoe")
    line.start()
    try:
        until(lambda: listener.losses)
        assert listener.losses[0][0] is ErrorKind.SETTINGS
    finally:
        line.stop()


def test_time_is_told_while_nothing_comes(listener, line):
    until(lambda: listener.ticks >= 3, timeout_s=1.0)


def test_a_closed_line_takes_nothing(cable, listener, line):
    until(lambda: line.is_open)
    cable.unplug()
    until(lambda: listener.losses)

    assert not line.send(b"into nothing")


def test_a_full_queue_refuses_instead_of_growing(cable, listener, line):
    until(lambda: line.is_open)
    listener.gate.clear()
    cable.write(b"x")                            # the line's thread now waits in the listener
    taken = sum(line.send(b"y") for _ in range(WRITE_QUEUE_CHUNKS + 50))
    listener.gate.set()

    assert WRITE_QUEUE_CHUNKS <= taken < WRITE_QUEUE_CHUNKS + 50
    read = heard_by(cable)
    until(lambda: read() == b"y" * taken)


def test_a_device_that_takes_no_byte_is_lost_in_half_a_second(cable, listener, line):
    until(lambda: line.is_open)
    started_s = time.monotonic()
    for _ in range(64):
        line.send(b"z" * 1024)                   # a pty holds 16 KiB or less, and nobody reads

    until(lambda: listener.losses, timeout_s=3.0)
    assert listener.losses[0][0] is ErrorKind.SILENT
    assert time.monotonic() - started_s < 2.0


def test_stop_joins_the_thread_and_frees_the_line(cable, listener):
    line = SerialLine(str(cable.link), 115200, listener, "shoe")
    line.start()
    until(lambda: line.is_open)
    line.stop()
    line.stop()

    assert not any(thread.name == "shoe-line" for thread in threading.enumerate())
    serial.Serial(str(cable.link), exclusive=True).close()
    line.start()
    until(lambda: line.is_open)
    line.stop()


def test_it_cannot_be_started_twice(line):
    with pytest.raises(RuntimeError, match="running"):
        line.start()


def test_no_descriptor_is_left_behind(cable, listener):
    before = descriptors()
    for _ in range(5):
        line = SerialLine(str(cable.link), 115200, listener, "shoe")
        line.start()
        until(lambda line=line: line.is_open)
        line.stop()

    assert descriptors() <= before


def descriptors():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (serial.SerialException(errno.ENOENT, "could not open port"), ErrorKind.GONE),
        (serial.SerialException(errno.EACCES, "could not open port"), ErrorKind.DENIED),
        (serial.SerialException(errno.EBUSY, "could not open port"), ErrorKind.BUSY),
        (serial.SerialException(errno.EWOULDBLOCK, "could not lock"), ErrorKind.BUSY),
        (serial.SerialException("readiness to read"), ErrorKind.GONE),
        (serial.SerialTimeoutException("write"), ErrorKind.SILENT),
        (OSError(errno.EIO, "unplugged"), ErrorKind.GONE),
        (termios.error(errno.EIO, "unplugged"), ErrorKind.GONE),
        (termios.error(errno.EINVAL, "seven bits on a pty"), ErrorKind.SETTINGS),
        (TypeError("a descriptor that became None"), ErrorKind.GONE),
        (ValueError("a descriptor that became -1"), ErrorKind.GONE),
    ],
)
def test_every_way_in_which_a_line_dies_is_of_a_kind_with_a_hint(error, kind):
    assert kind_of(error) is kind
    assert "/dev/serial/by-id/x" in hint(kind, "shoe", "/dev/serial/by-id/x")
    assert kind in HINTS


def test_the_lock_is_the_kernel_s(cable, line):
    until(lambda: line.is_open)
    with cable.link.open("rb", buffering=0) as terminal, pytest.raises(BlockingIOError):
        fcntl.flock(terminal, fcntl.LOCK_EX | fcntl.LOCK_NB)
