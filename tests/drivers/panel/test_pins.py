"""Wiring that cannot be is refused in words the installer can act on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.panel import Panel
from drivers.pin_map import PinMap
from drivers.pins import PanelRefused, open_factory, why_not_rpigpio
from drivers.seen import Key


def test_the_default_wiring_leaves_the_displays_buses_alone():
    pins = PinMap()

    used = {*pins.inputs().values(), *pins.lamps.values(), pins.buzzer}
    assert len(used) == 8 + 8 + 3 + 1
    assert not used & {2, 3, 8, 10, 11}


@pytest.mark.parametrize(
    ("change", "both"),
    [
        ({"knob_a": 5}, ("GPIO 5", "key fold", "knob a")),
        ({"buzzer": 20}, ("GPIO 20", "lamp fold", "buzzer")),
        ({"knob_b": 10}, ("GPIO 10", "SPI0 MOSI", "knob b")),
        ({"knob_push": 2}, ("GPIO 2", "I2C1 SDA", "knob push")),
        ({"lamps": {Key.DEAL: 16}}, ("GPIO 16", "key deal", "lamp deal")),
    ],
)
def test_a_pin_used_twice_is_an_error_that_names_both_users(change, both):
    with pytest.raises(ValueError) as trouble:
        PinMap(**change)

    assert all(name in str(trouble.value) for name in both)


def test_a_number_that_is_no_pin_is_an_error():
    with pytest.raises(ValueError, match=r"knob a is on GPIO 40.*0 to 27"):
        PinMap(knob_a=40)


def test_a_key_without_a_pin_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="floor"):
        PinMap(keys={key: pin for key, pin in PinMap().keys.items() if key is not Key.FLOOR})


def test_a_panel_without_lamps_and_buzzer_may_be():
    PinMap(lamps={}, buzzer=None)


@pytest.mark.parametrize(
    ("model", "kernel", "installed", "word"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "6.1.0", ["RPi.GPIO"], "Raspberry Pi 5"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "6.1.0", ["RPi.GPIO"], "Compute Module 5"),
        ("Raspberry Pi 4 Model B Rev 1.4", "6.6.20+rpt-rpi-v8", ["RPi.GPIO"], "6.6"),
        ("Raspberry Pi 4 Model B Rev 1.4", "6.12.1-v8+", ["RPi.GPIO"], "6.12.1"),
        ("Raspberry Pi 4 Model B Rev 1.4", "6.1.21-v8+", ["RPi.GPIO", "rpi_lgpio"], "rpi-lgpio"),
    ],
)
def test_rpigpio_is_refused_where_it_does_not_work(model, kernel, installed, word):
    reason = why_not_rpigpio(model, kernel, installed)

    assert word in reason
    assert "lgpio" in reason


@pytest.mark.parametrize("kernel", ["5.15.84-v8+", "6.1.21-v8+", "6.5.0"])
def test_rpigpio_is_allowed_on_an_older_pi_with_an_older_kernel(kernel):
    assert why_not_rpigpio("Raspberry Pi 4 Model B Rev 1.4", kernel, ["RPi.GPIO"]) is None


def test_asking_for_rpigpio_on_a_machine_that_is_no_pi_is_refused():
    with pytest.raises(PanelRefused, match="lgpio"):
        open_factory("rpigpio")


def test_only_a_mock_panel_has_a_finger():
    assert Panel(PinMap(), print, "lgpio").mock is None


FAKE_LGPIO = '''
"""Does to the working directory what the real lgpio 0.2.2.0 does when it is imported."""
import os
os.chdir(os.environ["LG_WD"])
open(".lgd-nfy0", "w").close()
SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
class error(Exception): pass
def gpiochip_open(chip): raise error("can not open gpiochip")
'''


def test_importing_lgpio_leaves_the_working_directory_where_it_was(tmp_path):
    (tmp_path / "lgpio.py").write_text(FAKE_LGPIO)
    program = (
        "import os\n"
        "from drivers.panel import Panel; from drivers.pin_map import PinMap\n"
        "panel = Panel(PinMap(), lambda seen, at_ns: print(seen.kind.value, seen.source), 'lgpio', run_dir=RUN)\n"
        "panel.start(); panel.stop(); print(os.getcwd())\n"
    ).replace("RUN", repr(str(tmp_path / "run")))

    done = subprocess.run(
        [sys.executable, "-c", program], cwd="/proc", capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
    )  # fmt: skip

    assert done.stdout.splitlines()[-1] == "/proc"
    assert done.stdout.splitlines()[0].endswith("panel")
    assert (tmp_path / "run" / ".lgd-nfy0").exists()


def test_the_wiring_document_names_the_default_pins():
    document = (Path(__file__).parents[3] / "docs" / "wiring.md").read_text(encoding="utf-8")
    pins = PinMap()

    for key in Key:
        name = {Key.CHECK_CALL: "CHECK/CALL", Key.BET_RAISE: "BET/RAISE", Key.ALL_IN: "ALL-IN"}.get(key, key.upper())
        assert f"| {name} | {pins.keys[key]} | | {pins.lamps[key]} |" in document
    for name, pin in (("phase A", pins.knob_a), ("phase B", pins.knob_b), ("push", pins.knob_push)):
        assert f"| knob, {name} | {pin} |" in document
    assert f"| buzzer | {pins.buzzer} |" in document
