"""The rigs themselves: that they are chosen as asked, and that the bench rig plays over two real terminals."""

import os
import select
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from drivers.pty_line import PtyLine
from drivers.seen import BadgeRead, CardOut
from hil_tests.rigs.pi import PiRig
from hil_tests.rigs.played import BADGES
from tests.heard import Heard
from tests.waiting import until

HERE = Path(__file__).parent


class NullModem:
    """Two terminals joined crosswise, as two serial ports of a bench machine are by a cable."""

    def __init__(self, folder):
        self.ends = [PtyLine(folder / name, baud=None) for name in ("near", "far")]
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(target=self._carry, name="null-modem")

    def __enter__(self):
        for end in self.ends:
            end.plug()
        self._thread.start()
        return self

    def __exit__(self, *_):
        os.write(self._stop_write, b"x")
        self._thread.join()
        for end in self.ends:
            end.unplug()
        os.close(self._stop_read)
        os.close(self._stop_write)

    def _carry(self):
        near, far = self.ends
        while True:
            ready, _, _ = select.select([near, far, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            far.write(near.read())
            near.write(far.read())


@pytest.fixture
def cable(tmp_path):
    with NullModem(tmp_path) as cable:
        yield cable


def bench(tmp_path, kind):
    rig_map = tmp_path / "bench.toml"
    rig_map.write_text(f'[{kind}]\nport = "{tmp_path / "near"}"\nfar_end = "{tmp_path / "far"}"\n')
    return PiRig(rig_map)


def test_the_bench_rig_plays_a_shoe_on_a_second_port(cable, tmp_path):
    heard = Heard()
    rig = bench(tmp_path, "shoe")
    with rig.shoe(tmp_path, "osp1") as stand:
        driver = stand.driver(heard)
        driver.start()
        stand.draw("Ah")
        until(lambda: heard.all(CardOut))
        driver.committed(heard.all(CardOut)[0].seq)
        until(lambda: stand.unacknowledged() == 0)
        driver.stop()

    assert rig.has == {"shoe"}
    assert [record.card for record in heard.all(CardOut)] == ["Ah"]


@pytest.mark.parametrize("protocol", sorted(BADGES))
def test_the_bench_rig_plays_a_badge_reader_on_a_second_port(cable, tmp_path, protocol):
    heard = Heard()
    with bench(tmp_path, "badge").badge(tmp_path, protocol) as stand:
        driver = stand.driver(heard)
        driver.start()
        until(lambda: driver.up)
        stand.tap(stand.badges[0])
        until(lambda: heard.all(BadgeRead))
        driver.stop()


@pytest.mark.parametrize(
    "rig_map",
    ["[shoe]\nport = '/dev/ttyUSB0'\n", "[shoes]\nport = 'a'\nfar_end = 'b'\n", "shoe = 1\n", "[shoe"],
    ids=["one end only", "no such kind", "no table", "no TOML"],
)
def test_a_map_that_is_wrong_is_refused(tmp_path, rig_map):
    (tmp_path / "bench.toml").write_text(rig_map)

    with pytest.raises(ValueError, match=r"shoe, badge|at line|Expected"):
        PiRig(tmp_path / "bench.toml")


def collected(*options):
    """Runs pytest's collection in a process of its own: (status, what it printed)."""
    command = [sys.executable, "-m", "pytest", str(HERE / "test_shoe_contract.py"), "--collect-only", *options]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_virtual_rig_is_the_default_and_the_others_are_deselected():
    status, printed = collected()

    assert status == 0
    assert "[virtual-osp1]" in printed
    assert "[pi-" not in printed
    assert "deselected" in printed
    assert "skipped" not in printed


def test_a_rig_that_was_asked_for_and_has_no_map_is_a_wrong_use_that_says_what_to_do():
    status, printed = collected("--rig", "pi")

    assert status == pytest.ExitCode.USAGE_ERROR
    assert "--rig-map" in printed


def test_what_a_rig_does_not_have_is_deselected(tmp_path):
    rig_map = tmp_path / "bench.toml"
    rig_map.write_text('[shoe]\nport = "/dev/a"\nfar_end = "/dev/b"\n')
    status, printed = collected("--rig", "pi", "--rig-map", str(rig_map))

    assert status == 0
    assert "[pi-osp1]" in printed
    assert "unplug" not in printed
