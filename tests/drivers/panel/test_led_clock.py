"""The MAX7219 chain: the bytes on the wire, what they light, and what happens when the wire is gone."""

import errno
import sys

import pytest

from drivers.dots import Frame, from_art
from drivers.led_clock import REFRESH_S, RETRY_S, LedClock, spi_bus
from drivers.max7219_sim import Max7219Sim
from drivers.recording import RecordingBus
from drivers.seen import ErrorKind, InputDown, InputUp

CORNERS = from_art("\n".join(["#" + "." * 30 + "#", *["." * 32] * 6, "#" + "." * 31]))
NOTHING = Frame(32, (0,) * 8)
FULL = Frame(32, (0xFFFFFFFF,) * 8)

REGISTERS = ["0b07" * 4, "0900" * 4, "0f00" * 4, "0a04" * 4]      # scan limit 7, no decode, no test, intensity 4
AWAKE = ["0c01" * 4]
# The module at the far end is sent first. Each module's digits are its columns from the right, turned by the board.
CORNERS_DIGITS = [
    "0100010001000101", "0200020002000200", "0300030003000300", "0400040004000400",
    "0500050005000500", "0600060006000600", "0700070007000700", "0880080008000801",
]  # fmt: skip


@pytest.fixture
def reports():
    return []


@pytest.fixture
def bus():
    return RecordingBus()


@pytest.fixture
def clock(bus, reports):
    return LedClock(lambda: bus, 4, lambda seen, at_ns: reports.append(seen))


def sent(bus, since=0):
    return [transfer.hex() for transfer in bus.since(since)]


def test_the_first_picture_goes_out_behind_its_registers_and_lights_last(clock, bus):
    clock.show(CORNERS, 0.0)

    assert sent(bus) == REGISTERS + CORNERS_DIGITS + AWAKE


def test_the_same_picture_is_not_sent_twice(clock, bus):
    clock.show(CORNERS, 0.0)
    before = bus.transfers
    clock.show(CORNERS, 1.0)

    assert bus.transfers == before


def test_a_new_picture_is_eight_transfers_and_nothing_else(clock, bus):
    clock.show(NOTHING, 0.0)
    before = bus.transfers
    clock.show(CORNERS, 1.0)

    assert sent(bus, before) == CORNERS_DIGITS


def test_every_ten_seconds_registers_and_picture_are_sent_again(clock, bus):
    clock.show(CORNERS, 0.0)
    before = bus.transfers
    clock.show(CORNERS, REFRESH_S)

    assert sent(bus, before) == REGISTERS + CORNERS_DIGITS + AWAKE


@pytest.mark.parametrize("orientation", [0, 90, -90, 180])
@pytest.mark.parametrize("modules", [1, 4, 8])
def test_what_is_sent_is_what_is_lit_however_the_modules_are_turned(orientation, modules, reports):
    chain = Max7219Sim(modules, orientation)
    picture = Frame(8 * modules, tuple((0b10110111 * 37**row) % (1 << 8 * modules) for row in range(8)))

    LedClock(lambda: chain, modules, reports.append, orientation=orientation).show(picture, 0.0)

    assert chain.frame() == picture


def test_a_module_that_browned_out_comes_back_within_ten_seconds(reports):
    chain = Max7219Sim(4)
    clock = LedClock(lambda: chain, 4, reports.append, brightness=9)
    clock.show(FULL, 0.0)
    chain.brown_out(2)
    assert chain.frame() != FULL

    clock.show(FULL, REFRESH_S)

    assert chain.frame() == FULL
    assert chain.intensities() == [9] * 4


def test_a_lost_display_is_reported_once_tried_again_and_reported_back(clock, bus, reports):
    clock.show(NOTHING, 0.0)
    bus.fails = OSError(errno.ENODEV, "No such device")
    for second in range(1, 5):
        clock.show(CORNERS, float(second))
    bus.fails = None
    before = bus.transfers
    clock.show(CORNERS, 1.0 + RETRY_S)

    down, up = reports
    assert isinstance(down, InputDown)
    assert (down.source, down.kind) == ("led_clock", ErrorKind.GONE)
    assert "cable" in down.hint
    assert up == InputUp("led_clock")
    assert sent(bus, before) == REGISTERS + CORNERS_DIGITS + AWAKE


def test_a_bus_that_cannot_even_be_given_back_is_reported_like_any_other(reports):
    class Dead(RecordingBus):
        def cleanup(self):
            raise OSError(errno.EBADF, "Bad file descriptor")

    bus = Dead()
    bus.fails = OSError(errno.ENODEV, "No such device")
    clock = LedClock(lambda: bus, 4, lambda seen, at_ns: reports.append(seen))
    clock.show(CORNERS, 0.0)
    bus.fails = None
    clock.show(CORNERS, RETRY_S)
    clock.close()

    assert [type(report) for report in reports] == [InputDown, InputUp]


def test_a_dead_display_is_tried_only_every_five_seconds(reports):
    attempts = []

    def open_bus():
        attempts.append(1)
        raise PermissionError(errno.EACCES, "Permission denied", "/dev/spidev0.0")

    clock = LedClock(open_bus, 4, lambda seen, at_ns: reports.append(seen))
    for tenth in range(100):
        clock.show(CORNERS, tenth / 10)

    assert len(attempts) == 2
    assert [down.kind for down in reports] == [ErrorKind.DENIED]


def test_a_machine_without_spidev_says_which_package_is_missing(reports, monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)  # Python's own way to say: not installed
    clock = LedClock(spi_bus, 4, lambda seen, at_ns: reports.append(seen))

    clock.show(CORNERS, 0.0)

    assert [down.kind for down in reports] == [ErrorKind.GONE]
    assert "the package spidev is missing; it is in requirements/pi.txt" in reports[0].hint


def test_closing_darkens_the_chain(reports):
    chain = Max7219Sim(4)
    clock = LedClock(lambda: chain, 4, reports.append)
    clock.show(FULL, 0.0)

    clock.close()

    assert chain.frame() == NOTHING


@pytest.mark.parametrize(
    "settings", [{"modules": 0}, {"modules": 17}, {"modules": 4, "brightness": 16}, {"modules": 4, "orientation": 45}]
)
def test_settings_that_cannot_be_are_refused(settings, bus):
    with pytest.raises(ValueError):
        LedClock(lambda: bus, post=print, **settings)


def test_a_picture_for_another_chain_is_a_mistake(clock):
    with pytest.raises(ValueError, match="64 dots wide for 4 modules"):
        clock.show(Frame(64, (0,) * 8), 0.0)
