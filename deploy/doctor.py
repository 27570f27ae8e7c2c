"""What is wrong with a table unit, looked at from inside: one finding a check, and what to do about it.

Each check is a function from the configuration and the machine to findings; none changes anything but a probe file that
it removes again. Checks that read the system's files take them below `Machine.root`. Lines of shoe and badge reader are
opened exclusively, so the table must be stopped meanwhile; a table that runs shows as "busy".
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import queue
import secrets
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Literal

import msgspec

from deploy.doctor_words import WORDS
from drivers.pins import why_not_rpigpio
from drivers.seen import ErrorKind, InputDown, InputUp, Seen
from firmware_py.config import Config

Verdict = Literal["ok", "warn", "bad"]

HEARD_S = 3.5                    # a shoe's heartbeat comes every second; its driver gives it up after three
HUB_S = 6.0
QUERIES = 8
BOUND_WARN_MS = 50.0             # two displays side by side must not differ by more than an eye sees
FSYNC_WARN_MS = 250.0
FREE_BAD_MB, FREE_WARN_MB = 50, 500
WARM_C, HOT_C = 70, 80           # a Pi slows down from 80 degrees on (raspberrypi.com, "frequency management")
GPIO_GET_CHIPINFO = 0x8044B401   # linux/gpio.h: _IOR(0xB4, 1, struct gpiochip_info): name[32], label[32], lines
I2C_SLAVE = 0x0703               # linux/i2c-dev.h
THROTTLED_NOW, LOW_NOW, EVER = 0b1110, 0b1, 0xF0000  # bits of `vcgencmd get_throttled` (raspberrypi.com, vcgencmd)
UDEV_RULES = Path(__file__).parent / "udev" / "70-bottone.rules"
_RULES = {"rules": str(UDEV_RULES)}
NEEDED = ("msgspec", "pyserial", "gpiozero", "paho-mqtt", "cryptography")


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor. `code` and `values` say what; `said` puts it into words."""

    check: str
    verdict: Verdict
    code: str
    values: dict[str, Any] = {}

    def said(self, language: str) -> tuple[str, str]:
        """What was found, and what to do ("" if nothing)."""
        found, do = WORDS[language][self.code].format(**self.values).rsplit("|", 1)
        return found, do


class Machine(msgspec.Struct, frozen=True):
    """What the checks know of this computer. `packages`: lower-case names with their versions."""

    python: tuple[int, int, int]
    packages: dict[str, str]
    model: str
    kernel: str
    root: Path = Path("/")

    @classmethod
    def this(cls) -> Machine:
        """The one we run on."""
        tree = Path("/proc/device-tree/model")
        model = tree.read_text(errors="replace").rstrip("\0") if tree.exists() else ""
        packages = {str(d.metadata["Name"]).lower().replace("_", "-"): d.version for d in distributions()}
        return cls(sys.version_info[:3], packages, model, os.uname().release)


def examine(config: Config, machine: Machine, ask: Callable[[], None] | None = None) -> Iterator[Finding]:
    """All findings, as they come. `ask`: tells the person to lay a badge down; None: nobody is there to do it."""
    yield from versions(config, machine)
    yield from pins(config, machine)
    yield from displays(config, machine)
    yield from ports(config, machine)
    yield shoe(config)
    yield badge(config, ask)
    yield from hub(config)
    yield disk(Path(config.data_dir))
    yield sealing(Path(config.seal_dir), machine)
    yield power(machine)
    yield temperature(machine)


def versions(config: Config, machine: Machine) -> Iterator[Finding]:
    """Python, packages, and the packages that take each other's place."""
    found = ".".join(str(number) for number in machine.python)
    fine = (3, 11) <= machine.python[:2] < (3, 13)
    yield Finding("python", "ok" if fine else "bad", "python_ok" if fine else "python_bad", {"found": found})
    wanted = {name: name for name in NEEDED}
    if config.pins.factory == "lgpio":
        wanted["lgpio"] = "lgpio==0.2.2.0"
    if config.clock_display.kind in {"max7219", "seven_segment"}:
        wanted |= {"luma.led-matrix": "luma.led_matrix", "spidev": "spidev"}
    if config.prompt_display.kind == "oled":
        wanted["luma.oled"] = "luma.oled"
    if config.badge.protocol == "wedge":
        wanted["evdev" if "evdev" in machine.packages else "evdev-binary"] = "evdev-binary"
    for name, install in wanted.items():
        has = machine.packages.get(name)
        if has is None:
            yield Finding("package", "bad", "package_missing", {"name": name, "install": install})
        elif name == "lgpio" and has == "0.0.0.2":
            yield Finding("package", "bad", "lgpio_empty")
        else:
            yield Finding("package", "ok", "package_ok", {"name": name, "found": has})
    if config.pins.factory == "rpigpio":
        why = why_not_rpigpio(machine.model, machine.kernel, machine.packages)
        if why is not None:
            yield Finding("package", "bad", "rpigpio_no", {"why": why})
    elif {"rpi-lgpio", "rpi.gpio"} <= machine.packages.keys():
        yield Finding("package", "warn", "rpi_lgpio")


def pins(config: Config, machine: Machine) -> Iterator[Finding]:
    """The GPIO chip of the header, and whether every pin of the panel can be had."""
    if config.pins.factory == "mock":
        yield Finding("pins", "warn" if machine.model.startswith("Raspberry") else "ok", "pins_mock")
        return
    chips = {str(path): label for path in sorted((machine.root / "dev").glob("gpiochip*")) if (label := _label(path))}
    header = next(((path, label) for path, label in chips.items() if label.startswith("pinctrl-")), None)
    if header is None:
        yield Finding("pins", "bad", "chip_none")
        return
    yield Finding("pins", "ok", "chip_ok", {"path": header[0], "label": header[1]})
    from drivers.pins import PanelRefused
    from firmware_py.config import ConfigError
    from firmware_py.devices import panel

    seen: queue.SimpleQueue[Seen] = queue.SimpleQueue()
    try:
        opened = panel(config, lambda what, _: seen.put(what))
        opened.start()
    except (PanelRefused, ConfigError, OSError) as trouble:
        yield Finding("pins", "bad", "pins_bad", {"why": str(trouble)})
        return
    opened.stop()
    down = seen.get_nowait() if not seen.empty() else None
    if isinstance(down, InputDown):
        yield Finding("pins", "bad", "pins_bad", {"why": down.hint})
    else:
        yield Finding("pins", "ok", "pins_ok", {"factory": config.pins.factory})


def _label(chip: Path) -> str:
    """The label of a GPIO chip; "" if it cannot be opened."""
    info = bytearray(68)
    try:
        with chip.open("rb", buffering=0) as device:
            fcntl.ioctl(device, GPIO_GET_CHIPINFO, info)
    except OSError:
        return ""
    label: bytes = struct.unpack("32s32sI", info)[1]
    return label.split(b"\0")[0].decode(errors="replace")


def displays(config: Config, machine: Machine) -> Iterator[Finding]:
    """SPI for the LED clock, I2C for the prompt display."""
    clock, prompt = config.clock_display, config.prompt_display
    if clock.kind in {"max7219", "seven_segment"}:
        path = machine.root / f"dev/spidev{clock.spi_port}.{clock.spi_device}"
        yield _node("spi", path, "dtparam=spi=on", "spi")
    else:
        yield Finding("spi", "ok", "none")
    if prompt.kind not in {"hd44780", "oled"}:
        yield Finding("i2c", "ok", "none")
        return
    path = machine.root / f"dev/i2c-{prompt.i2c_port}"
    node = _node("i2c", path, "dtparam=i2c_arm=on", "i2c")
    yield node
    if node.verdict == "ok":
        where = {"path": str(path), "address": prompt.i2c_address}
        try:
            with path.open("rb", buffering=0) as bus:
                fcntl.ioctl(bus, I2C_SLAVE, prompt.i2c_address)
                bus.read(1)
        except OSError as trouble:
            yield Finding("i2c", "bad", "i2c_silent", {**where, "why": trouble.strerror or str(trouble)})
        else:
            yield Finding("i2c", "ok", "i2c_ok", where)


def _node(check: str, path: Path, setting: str, group: str) -> Finding:
    if not path.exists():
        return Finding(check, "bad", "node_gone", {"path": str(path), "setting": setting})
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding(check, "bad", "node_denied", {"path": str(path), "group": group})
    return Finding(check, "ok", "node_ok", {"path": str(path)})


def ports(config: Config, machine: Machine) -> Iterator[Finding]:
    """Whether the names of the serial ports last: ttyUSB numbers change, and cheap adapters share one by-id name."""
    links = {where: len(list((machine.root / "dev/serial" / where).glob("*"))) for where in ("by-id", "by-path")}
    for wired in (config.shoe, config.badge):
        if wired.protocol == "none":
            continue
        path = {"path": wired.port}
        if wired.port.startswith(("/dev/ttyUSB", "/dev/ttyACM", "/dev/input/event")):
            yield Finding("serial", "warn", "port_moves", path)
        elif "/by-id/" in wired.port and "/serial/" in wired.port and links["by-id"] < links["by-path"]:
            yield Finding("serial", "warn", "port_twin", path)
        else:
            yield Finding("serial", "ok", "port_ok", path)
    wired_serial = any(wired.protocol not in {"none", "wedge"} for wired in (config.shoe, config.badge))
    if wired_serial and (machine.root / "usr/sbin/ModemManager").exists():
        there = (machine.root / "etc/udev/rules.d" / UDEV_RULES.name).exists()
        yield Finding("serial", "ok" if there else "warn", "modem_kept_off" if there else "modem_writes", _RULES)


def shoe(config: Config) -> Finding:
    """Whether the shoe is heard on its line."""
    from firmware_py.config import ConfigError
    from firmware_py.devices import shoe as opened_shoe

    seen: queue.SimpleQueue[Seen] = queue.SimpleQueue()
    try:
        device = opened_shoe(config, lambda what, _: seen.put(what), None)
    except ConfigError as trouble:
        return Finding("shoe", "bad", "config_bad", {"why": str(trouble)})
    if device is None:
        return Finding("shoe", "ok", "none")
    return _listened("shoe", config.shoe.port, device, seen, heartbeat=device.caps.has_heartbeat)


def badge(config: Config, ask: Callable[[], None] | None) -> Finding:
    """Whether the badge reader is there; with somebody to lay a badge down, whether it reads."""
    from deploy.enrolment import ReaderLost, laid
    from firmware_py.config import ConfigError
    from firmware_py.devices import badge_reader
    from firmware_py.journal_records import JournalError

    seen: queue.SimpleQueue[Seen] = queue.SimpleQueue()
    try:
        device = badge_reader(config, lambda what, _: seen.put(what))
        if device is None:
            return Finding("badge", "ok", "none")
        if ask is None:
            return _listened("badge", config.badge.port, device, seen, heartbeat=config.badge.protocol == "pn532")
        ask()
        read = next(laid(config, 1, TAP_S))
    except ReaderLost as lost:
        return Finding("badge", "bad", "untapped", {"why": str(lost)})
    except (ConfigError, JournalError, ValueError) as trouble:
        return Finding("badge", "bad", "config_bad", {"why": str(trouble)})
    return Finding("badge", "ok", "tapped", {"badge": read[:6]})


TAP_S = 20.0
KINDS = {ErrorKind.GONE, ErrorKind.BUSY, ErrorKind.DENIED, ErrorKind.SETTINGS, ErrorKind.SILENT, ErrorKind.NOISE}


def _listened(check: str, path: str, device: Any, seen: queue.SimpleQueue[Seen], *, heartbeat: bool) -> Finding:
    began = time.monotonic()
    device.start()
    try:
        while (left := began + HEARD_S - time.monotonic()) > 0:
            try:
                what = seen.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(what, InputDown):
                code = what.kind.value if what.kind in KINDS else "other"
                return Finding(check, "bad", code, {"path": path, "why": what.hint})
            if isinstance(what, InputUp):
                if heartbeat:
                    return Finding(check, "ok", "heard", {"path": path, "ms": round(1000 * (time.monotonic() - began))})
                return Finding(check, "ok", "open", {"path": path})
    finally:
        device.stop()
    return Finding(check, "bad", "silent", {"path": path})


def hub(config: Config) -> Iterator[Finding]:
    """Whether the broker takes us, the hub is ready, and how well its clock is known from here."""
    if config.hub is None:
        yield Finding("hub", "ok", "alone")
        return
    from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Settings, Tls
    from engine import wire
    from firmware_py.journal_file import is_held
    from firmware_py.timesync import TimeSync

    wired, topics = config.hub, wire.Topics(config.site)
    if wired.tls and is_held(Path(config.data_dir)):
        yield Finding("hub", "warn", "line_taken")
        return
    name = config.unit if wired.tls else f"doctor-{secrets.token_hex(4)}"  # the certificate is the unit's
    address = Address(wired.host, wired.port or 1883, wired.unix, tls=wired.tls is not None)
    tls = Tls(wired.tls.ca, wired.tls.cert, wired.tls.key) if wired.tls else None
    try:
        password = Path(wired.password_file).read_text(encoding="utf-8").strip() if wired.password_file else ""
        link = MqttLink(
            Settings(
                address=address, client_id=name, tls=tls, username=wired.username, password=password,
                subscriptions=((topics.hub("state"), 1), (topics.unit(name, "dn/tr"), 0)),
            )
        )  # fmt: skip
        link.start()
    except (OSError, ValueError) as trouble:
        yield Finding("hub", "bad", "broker_bad", {"why": f"{address}: {trouble}"})
        return
    why, asked, answered, state, sync, connected = f"{address}: no answer", 0, 0, None, TimeSync(), False
    deadline_s = time.monotonic() + HUB_S
    try:
        while (left := deadline_s - time.monotonic()) > 0 and answered < QUERIES:
            item = link.mailbox.take(min(left, 0.25))
            if isinstance(item, Disconnected):
                why = item.why
                if not connected:
                    break
            elif isinstance(item, Connected):
                connected = True
                yield Finding("hub", "ok", "broker_ok", {"where": str(address), "protocol": item.protocol})
            elif isinstance(item, Message) and item.payload:
                with contextlib.suppress(msgspec.DecodeError):
                    if item.topic == topics.hub("state"):
                        state = wire.decode(item.payload, wire.HubState)
                    else:
                        reply = wire.decode(item.payload, wire.TimeReply)
                        sync.answered(reply.hub, reply.t1, reply.t2, reply.t3, item.at_ns / 1e6)
                        answered += 1
            if connected and asked <= answered:
                asked += 1
                query = wire.TimeQuery(asked, time.monotonic_ns() / 1e6)
                link.publish(topics.unit(name, "up/tq"), wire.encode(query), 0)
    finally:
        link.stop()
    if not connected:
        yield Finding("hub", "bad", "broker_bad", {"why": why})
        return
    if state is None or state.st != "ready":
        yield Finding("hub", "bad", "hub_bad", {"why": "silent" if state is None else state.st})
    else:
        yield Finding("hub", "ok", "hub_ok", {"epoch": state.hub})
    offset, now_ms = sync.offset, time.monotonic_ns() / 1e6
    if offset is None:
        yield Finding("clock", "bad", "offset_none")
        return
    bound = offset.error_at(now_ms)
    values = {"offset": round(offset.at(now_ms)), "bound": round(bound, 1)}
    wide = bound > BOUND_WARN_MS
    yield Finding("clock", "warn" if wide else "ok", "offset_wide" if wide else "offset_ok", values)


def disk(data_dir: Path) -> Finding:
    """Whether the journal's folder takes a write, how long that takes to be safe, and what room is left."""
    folder = next(path for path in (data_dir, *data_dir.resolve().parents) if path.is_dir())
    try:
        probe = folder / f".doctor-{os.getpid()}"
        began = time.monotonic()
        try:
            with probe.open("wb") as file:
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
            ms = round(1000 * (time.monotonic() - began), 1)
        finally:
            probe.unlink(missing_ok=True)
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as trouble:
        if trouble.errno == errno.EROFS:
            return Finding("disk", "bad", "disk_read_only", {"path": str(data_dir)})
        return Finding("disk", "bad", "disk_bad", {"path": str(data_dir), "why": trouble.strerror or str(trouble)})
    values = {"path": str(data_dir), "ms": ms, "free": free}
    if free < FREE_WARN_MB:
        return Finding("disk", "bad" if free < FREE_BAD_MB else "warn", "disk_full", values)
    slow = ms > FSYNC_WARN_MS
    return Finding("disk", "warn" if slow else "ok", "disk_slow" if slow else "disk_ok", values)


def sealing(seal_dir: Path, machine: Machine) -> Finding:
    """Whether the key of unseen cards lies in RAM."""
    where = seal_dir.resolve()
    best, kind = "", "?"
    for line in (machine.root / "proc/self/mounts").read_text(encoding="utf-8").splitlines():
        _, point, mounted, *_ = line.split()
        point = point.encode().decode("unicode_escape")
        if where.is_relative_to(point) and len(point) >= len(best):
            best, kind = point, mounted
    values = {"path": str(where), "kind": kind}
    fine = kind in {"tmpfs", "ramfs"}
    return Finding("seal", "ok" if fine else "bad", "seal_ok" if fine else "seal_disk", values)


def power(machine: Machine) -> Finding:
    """Undervoltage and throttling, by the firmware's own word or the kernel's hwmon `rpi_volt`."""
    bits = _throttled()
    if bits is not None:
        return power_of(bits)
    for name in (machine.root / "sys/class/hwmon").glob("hwmon*/name"):
        if name.read_text().strip() == "rpi_volt":
            return power_of(int((name.parent / "in0_lcrit_alarm").read_text()) & LOW_NOW)
    return Finding("power", "ok", "power_unknown")


def power_of(bits: int) -> Finding:
    """What the firmware's bits say."""
    if bits & LOW_NOW:
        return Finding("power", "bad", "power_low")
    if bits & THROTTLED_NOW:
        return Finding("power", "warn", "power_throttled", {"bits": bits})
    return Finding("power", "warn", "power_was", {"bits": bits}) if bits & EVER else Finding("power", "ok", "power_ok")


def _throttled() -> int | None:
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        said = subprocess.run([program, "get_throttled"], capture_output=True, text=True, check=True, timeout=5).stdout
        return int(said.partition("=")[2], 16)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def temperature(machine: Machine) -> Finding:
    """How warm the processor is."""
    try:
        celsius = int((machine.root / "sys/class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return Finding("heat", "ok", "heat_unknown")
    values = {"celsius": round(celsius)}
    if celsius >= HOT_C:
        return Finding("heat", "bad", "heat_bad", values)
    warm = celsius >= WARM_C
    return Finding("heat", "warn" if warm else "ok", "heat_warm" if warm else "heat_ok", values)
