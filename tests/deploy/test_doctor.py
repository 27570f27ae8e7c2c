"""The doctor: one line a check, on simulated devices, trees of files, and a real room."""

import fcntl
import json
import re
import string

import pytest

from deploy import doctor
from deploy.cli import main
from deploy.doctor import Machine
from deploy.doctor_words import WORDS
from deploy.small_room import small_room
from drivers.osp1_sim import Osp1Sim
from drivers.rdm6300_sim import Rdm6300Sim
from firmware_py.config import Badge, ClockDisplay, Config, Pins, PromptDisplay, Shoe

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PACKAGES = dict.fromkeys(doctor.NEEDED, "1")


def config(tmp_path, **more):
    return Config(unit="table-1", site="club", data_dir=str(tmp_path), seal_dir="/dev/shm/bottone", **more)


def machine(tmp_path, packages=PACKAGES, model=PI_4, kernel="6.1.21-v8+", python=(3, 11, 2)):
    return Machine(python, packages, model, kernel, tmp_path)


def told(findings):
    return {finding.code: finding.verdict for finding in findings}


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class TestVersions:
    @pytest.mark.parametrize(
        ("factory", "packages", "model", "kernel", "code", "verdict"),
        [
            ("lgpio", {"lgpio": "0.2.2.0"}, PI_4, "6.12.25+rpt", "package_ok", "ok"),
            ("lgpio", {"lgpio": "0.0.0.2"}, PI_4, "6.12.25+rpt", "lgpio_empty", "bad"),
            ("lgpio", {}, PI_4, "6.12.25+rpt", "package_missing", "bad"),
            ("lgpio", {"lgpio": "0.2.2.0", "rpi-lgpio": "0.6", "rpi.gpio": "0.7.1"}, PI_4, "6.1", "rpi_lgpio", "warn"),
            ("rpigpio", {"rpi.gpio": "0.7.1", "rpi-lgpio": "0.6"}, PI_4, "6.1", "rpigpio_no", "bad"),
            ("rpigpio", {"rpi.gpio": "0.7.1"}, PI_4, "6.6.20+rpt", "rpigpio_no", "bad"),
            ("rpigpio", {"rpi.gpio": "0.7.1"}, "Raspberry Pi 5 Model B Rev 1.0", "6.1", "rpigpio_no", "bad"),
        ],
    )
    def test_traps_of_the_pins_libraries(self, tmp_path, factory, packages, model, kernel, code, verdict):
        here = machine(tmp_path, PACKAGES | packages, model, kernel)

        assert told(doctor.versions(config(tmp_path, pins=Pins(factory=factory)), here))[code] == verdict

    def test_rpigpio_on_an_old_kernel_is_fine(self, tmp_path):
        here = machine(tmp_path, PACKAGES | {"rpi.gpio": "0.7.1"})

        assert set(told(doctor.versions(config(tmp_path, pins=Pins(factory="rpigpio")), here)).values()) == {"ok"}

    @pytest.mark.parametrize(
        ("wired", "package"),
        [
            ({"prompt_display": PromptDisplay("oled")}, "luma.oled"),
            ({"badge": Badge("wedge", "/dev/input/by-id/usb-reader")}, "evdev-binary"),
            ({"badge": Badge("wedge", "/dev/input/by-id/usb-reader")}, "evdev"),
            ({"clock_display": ClockDisplay("max7219")}, "spidev"),
        ],
    )
    def test_what_a_wired_device_needs_must_be_installed(self, tmp_path, wired, package):
        wired = config(tmp_path, pins=Pins(factory="mock"), **wired)
        others = {"luma.led-matrix": "1.9.0"}
        bare = list(doctor.versions(wired, machine(tmp_path, PACKAGES | others)))
        full = list(doctor.versions(wired, machine(tmp_path, PACKAGES | others | {package: "1.0"})))

        assert [finding.code for finding in bare if finding.verdict == "bad"] == ["package_missing"]
        assert [finding.code for finding in full if finding.verdict == "bad"] == []

    def test_another_python_is_bad(self, tmp_path):
        findings = doctor.versions(config(tmp_path), machine(tmp_path, python=(3, 9, 2)))

        assert told(findings)["python_bad"] == "bad"


class TestBuses:
    def test_no_gpio_chip_is_bad(self, tmp_path):
        written(tmp_path / "dev/gpiochip0", "a file is no chip")

        assert told(doctor.pins(config(tmp_path), machine(tmp_path))) == {"chip_none": "bad"}

    def test_a_bus_that_is_off_says_which_line_of_config_txt(self, tmp_path):
        wired = config(tmp_path, clock_display=ClockDisplay("max7219"), prompt_display=PromptDisplay("hd44780"))

        found = list(doctor.displays(wired, machine(tmp_path)))

        assert [finding.verdict for finding in found] == ["bad", "bad"]
        assert "dtparam=spi=on" in found[0].said("en")[1]
        assert "dtparam=i2c_arm=on" in found[1].said("it")[1]

    def test_an_i2c_bus_on_which_nothing_answers_is_bad(self, tmp_path):
        written(tmp_path / "dev/i2c-1", "")
        wired = config(tmp_path, prompt_display=PromptDisplay("hd44780"))

        assert told(doctor.displays(wired, machine(tmp_path))) == {"none": "ok", "node_ok": "ok", "i2c_silent": "bad"}

    @pytest.mark.parametrize(
        ("port", "by_id", "code"),
        [
            ("/dev/serial/by-id/usb-shoe", ["usb-shoe", "usb-badge"], "port_ok"),
            ("/dev/serial/by-id/usb-shoe", ["usb-shoe"], "port_twin"),
            ("/dev/serial/by-path/1", ["usb-shoe"], "port_ok"),
            ("/dev/ttyUSB0", ["usb-shoe", "usb-badge"], "port_moves"),
        ],
    )
    def test_names_of_ports_that_do_not_last(self, tmp_path, port, by_id, code):
        for name in by_id:
            written(tmp_path / "dev/serial/by-id" / name, "")
        for name in "12":
            written(tmp_path / "dev/serial/by-path" / name, "")

        assert list(told(doctor.ports(config(tmp_path, shoe=Shoe("osp1", port)), machine(tmp_path)))) == [code]


    @pytest.mark.parametrize(("rules", "code"), [(True, "modem_kept_off"), (False, "modem_writes")])
    def test_modem_manager_must_leave_the_ports_alone(self, tmp_path, rules, code):
        written(tmp_path / "usr/sbin/ModemManager", "")
        if rules:
            written(tmp_path / "etc/udev/rules.d/70-bottone.rules", "")
        wired = config(tmp_path, shoe=Shoe("osp1", "/dev/serial/by-path/1"))

        found = told(doctor.ports(wired, machine(tmp_path)))

        assert found[code] == ("ok" if rules else "warn")
        assert list(told(doctor.ports(config(tmp_path), machine(tmp_path)))) == []

    def test_the_rules_that_keep_it_off_are_shipped_and_each_line_is_a_rule(self):
        lines = [line for line in doctor.UDEV_RULES.read_text().splitlines() if line and not line.startswith("#")]
        pair = r'[A-Z]+(\{\w+\})?(==|!=|=)"[^"]+"'

        assert [line for line in lines if not re.fullmatch(rf"{pair}(, {pair})*", line)] == []
        assert any("ID_MM_PORT_IGNORE" in line for line in lines)
        assert any('ATTR{latency_timer}="1"' in line for line in lines)


class TestLines:
    def test_a_shoe_that_beats_is_heard(self, tmp_path):
        shoe = Osp1Sim(tmp_path / "shoe")
        shoe.start()
        try:
            found = doctor.shoe(config(tmp_path, shoe=Shoe("osp1", str(tmp_path / "shoe"))))
        finally:
            shoe.stop()

        assert (found.verdict, found.code) == ("ok", "heard")

    def test_a_silent_shoe_is_bad(self, tmp_path):
        shoe = Osp1Sim(tmp_path / "shoe")
        shoe.start()
        try:
            shoe.stall()
            found = doctor.shoe(config(tmp_path, shoe=Shoe("osp1", str(tmp_path / "shoe"))))
        finally:
            shoe.stop()

        assert (found.verdict, found.code) == ("bad", "silent")

    def test_a_port_that_the_table_holds_is_busy(self, tmp_path):
        shoe = Osp1Sim(tmp_path / "shoe")
        shoe.start()
        try:
            with (tmp_path / "shoe").open("rb+", buffering=0) as table:
                fcntl.flock(table, fcntl.LOCK_EX)
                found = doctor.shoe(config(tmp_path, shoe=Shoe("osp1", str(tmp_path / "shoe"))))
        finally:
            shoe.stop()

        assert (found.verdict, found.code) == ("bad", "busy")

    def test_a_missing_port_is_bad(self, tmp_path):
        found = doctor.badge(config(tmp_path, badge=Badge("rdm6300", str(tmp_path / "badge"))), None)

        assert (found.verdict, found.code) == ("bad", "gone")

    def test_a_badge_that_is_laid_down_when_asked_for_is_read(self, tmp_path):
        reader = Rdm6300Sim(tmp_path / "badge")
        reader.start()
        try:
            found = doctor.badge(
                config(tmp_path, badge=Badge("rdm6300", str(tmp_path / "badge"))), lambda: reader.hold("1A2B3C4D5E")
            )
        finally:
            reader.stop()

        assert (found.verdict, found.code) == ("ok", "tapped")
        assert "2B3C4D5E" not in found.said("en")[0]


class TestBoard:
    def test_a_folder_that_takes_no_write_is_bad(self, tmp_path):
        found = doctor.disk(doctor.Path("/proc/self"))

        assert found.verdict == "bad"

    def test_the_probe_leaves_nothing_behind(self, tmp_path):
        found = doctor.disk(tmp_path / "not" / "yet")

        assert found.verdict in {"ok", "warn"}
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(("kind", "verdict"), [("tmpfs", "ok"), ("ext4", "bad")])
    def test_the_key_of_unseen_cards_lies_in_ram_only(self, tmp_path, kind, verdict):
        mounts = f"/dev/root / ext4 rw 0 0\nx /run {kind} rw 0 0\n/dev/sda /run2 ext4 rw 0 0\n"
        written(tmp_path / "proc/self/mounts", mounts)

        assert doctor.sealing(doctor.Path("/run/bottone"), machine(tmp_path)).verdict == verdict

    @pytest.mark.parametrize(
        ("bits", "code"),
        [(0, "power_ok"), (0x50005, "power_low"), (0x50000, "power_was"), (0x4, "power_throttled")],
    )
    def test_the_firmwares_word_on_the_supply(self, bits, code):
        assert doctor.power_of(bits).code == code

    @pytest.mark.parametrize(("alarm", "verdict"), [("0", "ok"), ("1", "bad")])
    def test_the_kernels_word_on_the_supply(self, tmp_path, alarm, verdict):
        written(tmp_path / "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
        written(tmp_path / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")

        assert doctor.power(machine(tmp_path)).verdict == verdict

    def test_what_is_not_measured_off_a_pi_is_said_and_not_bad(self, tmp_path):
        here = machine(tmp_path)

        assert [doctor.power(here).verdict, doctor.temperature(here).verdict] == ["ok", "ok"]

    @pytest.mark.parametrize(("celsius", "verdict"), [(55, "ok"), (72, "warn"), (81, "bad")])
    def test_warmth(self, tmp_path, celsius, verdict):
        written(tmp_path / "sys/class/thermal/thermal_zone0/temp", f"{celsius}000\n")

        assert doctor.temperature(machine(tmp_path)).verdict == verdict


def test_both_languages_say_everything_with_the_same_values():
    def fields(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert WORDS["it"].keys() == WORDS["en"].keys()
    for code, english in WORDS["en"].items():
        assert fields(english) == fields(WORDS["it"][code])
        assert code == "tap" or english.count("|") == WORDS["it"][code].count("|") == 1


def test_a_real_room_answers_and_its_clock_is_known(tmp_path, capsys):
    with small_room(tmp_path) as room:
        main(["doctor", "--config", str(room.table.config), "--json"])
        alive = {line["code"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
        room.hub_process.stop()
        main(["doctor", "--config", str(room.table.config), "--json"])
        dead = {line["code"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}

    assert {code: alive[code]["verdict"] for code in ("config_ok", "broker_ok", "hub_ok")} == {
        "config_ok": "ok", "broker_ok": "ok", "hub_ok": "ok",
    }  # fmt: skip
    assert "offset_ok" in alive or "offset_wide" in alive
    assert dead["hub_bad"]["verdict"] == dead["offset_none"]["verdict"] == "bad"
    assert "bottone hub" in dead["hub_bad"]["do"]


def test_exit_status_and_language(tmp_path, capsys):
    file = tmp_path / "table.toml"
    top = f'unit = "table-1"\nsite = "club"\ndata_dir = "{tmp_path}"\nseal_dir = "/dev/shm"\n'
    file.write_text(f'{top}[pins]\nfactory = "mock"\n')
    assert main(["doctor", "--config", str(file), "--lang", "it"]) == 0
    assert "gioca da solo" in capsys.readouterr().out

    file.write_text(f"{top}wrong = 1\n")
    assert main(["doctor", "--config", str(file)]) == 1
    assert "BAD" in capsys.readouterr().out
    assert main(["doctor", "--config", str(tmp_path / "none.toml")]) == 2
