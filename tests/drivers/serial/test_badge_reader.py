"""The badge reader's driver against its simulator, on a real terminal."""

import pytest

from drivers.badge import BadgeReader
from drivers.rdm6300 import Rdm6300
from drivers.rdm6300_sim import Rdm6300Sim
from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp, Noise
from tests.heard import Heard
from tests.waiting import until

MARTA, LUIGI = "0A00123456", "62E3086CED"


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def port(tmp_path):
    return tmp_path / "by-id-badge"


@pytest.fixture(params=[False, True], ids=["RDM6300", "ID-12LA"])
def sim(request, port):
    sim = Rdm6300Sim(port, crlf=request.param)
    sim.start()
    yield sim
    sim.stop()


@pytest.fixture
def reader(sim, port, heard):
    reader = BadgeReader(str(port), Rdm6300(), heard)
    reader.start()
    until(lambda: heard.all(InputUp))
    yield reader
    reader.stop()


def badges(heard):
    return [record.uid_hex for record in heard.all(BadgeRead)]


def test_a_tap_is_one_badge(sim, reader, heard):
    sim.tap(MARTA)
    until(lambda: badges(heard))
    until(lambda: not sim.device.reading)

    assert heard.all(BadgeRead) == [BadgeRead("badge", MARTA, "em4100")]


def test_another_badge_counts_at_once(sim, reader, heard):
    sim.hold(MARTA)
    until(lambda: badges(heard) == [MARTA])
    sim.tap(LUIGI)
    until(lambda: badges(heard) == [MARTA, LUIGI])


def test_noise_and_half_frames_are_no_badge_and_are_told(sim, reader, heard):
    sim.noise(200)
    sim.graze(LUIGI)
    sim.tap(MARTA)
    until(lambda: badges(heard))
    until(lambda: heard.all(Noise))

    assert badges(heard) == [MARTA]


def test_a_damaged_frame_that_passes_its_checksum_is_no_badge_for_it_does_not_come_twice(sim, reader, heard):
    sim.do(lambda reader: reader.lay("0A00123457", 1))
    sim.tap(MARTA, frames=4)
    until(lambda: badges(heard))

    assert badges(heard) == [MARTA]


def test_unplug_and_replug_are_told_once(sim, reader, heard):
    sim.unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)
    sim.plug()
    until(lambda: len(heard.all(InputUp)) == 2)
    sim.tap(MARTA)
    until(lambda: badges(heard))

    assert len(heard.all(InputDown)) == 1
    assert heard.all(InputDown)[0].kind is ErrorKind.GONE
