"""An MQTT broker of our own, for one machine: `broker = "auto"`.

A Mosquitto that is installed is started as a child (15 ms, 9 MiB); where there is none, rumqttd out of the wheel
`iotcore`. Both listen on the loopback only and end with us. The protocol above needs nothing of either but delivery
while it runs: what the hub has not acknowledged, the tables keep on disk.

Mosquitto's configuration says what its defaults would spoil (mosquitto.conf(5)):
- `user`: started by root it would drop to a user that cannot read our directory;
- `max_queued_messages 0`: the default of 1000 loses QoS 1 messages silently in a burst;
- `autosave_interval 1` with `autosave_on_changes`: retained messages outlive a killed broker;
- `allow_anonymous`: only because nobody but this machine reaches the listener.
"""

from __future__ import annotations

import contextlib
import getpass
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

from deploy import children
from deploy.errors import WrongUse
from drivers.mqtt_link import Address

Kind = Literal["auto", "mosquitto", "iotcore"]

LOOPBACK = "127.0.0.1"
READY_TIMEOUT_S = 10.0
POLL_S = 0.01
PORT_TRIES = 5               # somebody may take a free port between our look and the broker's bind
UNIX_PATH_BYTES = 107        # unix(7): sun_path, less its final zero

MOSQUITTO_CONF = """\
listener {listener}
user {user}
allow_anonymous true
persistence true
persistence_location {data}/
autosave_interval 1
autosave_on_changes true
max_queued_messages 0
max_inflight_messages 200
max_packet_size 65536
log_dest stderr
log_type error
log_type warning
"""

# rumqttd keeps a commit log for every topic filter; its default of ten segments of 100 MB is not for a small machine.
IOTCORE_CONF = """\
id = 0

[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 4194304
max_segment_count = 10

[v4.1]
name = "loopback"
listen = "127.0.0.1:{port}"
next_connection_delay_ms = 1

[v4.1.connections]
connection_timeout_ms = 60000
max_payload_size = 65536
max_inflight_count = 200
dynamic_filters = true
"""


def answers(address: Address) -> bool:
    """Does somebody accept connections there?"""
    family = socket.AF_UNIX if address.path else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(address.path or (address.host, address.port)) == 0


class Broker:
    """A running broker: `kind`, `address`, `process`. Ends with `close()` or at the end of its `with`."""

    def __init__(self, kind: Literal["mosquitto", "iotcore"], directory: Path, address: Address) -> None:
        """Starts it and returns when it accepts connections.

        Raises:
            WrongUse: it ended instead, or did not answer within READY_TIMEOUT_S; with its own last words.
        """
        self.kind = kind
        self.address = address
        self._log = directory / f"{kind}.log"
        self._command = _mosquitto(directory, address) if kind == "mosquitto" else _iotcore(directory, address)
        self.process = self._start()

    @property
    def url(self) -> str:
        """What clients put into their configuration: `unix:PATH` or `mqtt://127.0.0.1:PORT`."""
        return str(self.address)

    def kill(self) -> None:
        """Ends it as a power cut would, for tests of what survives."""
        children.kill(self.process)

    def restart(self) -> None:
        """Starts it again at the same address after `kill`."""
        self.process = self._start()

    def close(self) -> None:
        """Ends it. Twice is fine."""
        children.end(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[bytes]:
        # A killed broker leaves its socket behind, and bind(2) refuses a path that exists.
        if self.address.path:
            Path(self.address.path).unlink(missing_ok=True)
        elif answers(self.address):
            raise WrongUse(f"port {self.address.port} is taken: name another one, or 0 for any")
        process = children.spawn(self._command, self._log)
        deadline = time.monotonic() + READY_TIMEOUT_S
        while process.poll() is None and time.monotonic() < deadline:
            if answers(self.address):
                return process
            time.sleep(POLL_S)
        children.kill(process)
        raise WrongUse(f"the MQTT broker {self.kind} did not start: {children.tail(self._log) or 'it said nothing'}")


def mosquitto_program() -> str | None:
    """The Mosquitto of this machine. Debian puts it into /usr/sbin, which is not in everybody's PATH."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def choose(kind: Kind) -> Literal["mosquitto", "iotcore"]:
    """Which broker `auto` means here. Raises WrongUse, with what to install, if there is none."""
    mosquitto = mosquitto_program() is not None
    iotcore = importlib.util.find_spec("iotcore") is not None
    if kind != "iotcore" and mosquitto:
        return "mosquitto"
    if kind != "mosquitto" and iotcore:
        return "iotcore"
    missing = "apt-get install mosquitto" if kind != "iotcore" else "pip install -r requirements/run.txt"
    raise WrongUse(f'no MQTT broker on this machine: {missing}, or name one that runs: broker = "mqtt://HOST:PORT"')


@contextlib.contextmanager
def running(directory: Path, kind: Kind = "auto", port: int | None = None) -> Iterator[Broker]:
    """A broker for the length of a `with`. Its files lie in `directory`, which must exist.

    `port`: None leaves the choice (a Unix socket where the broker can, else a free port), 0 asks for a free port of
    the loopback, any other number for that port.
    """
    chosen = choose(kind)
    with contextlib.ExitStack() as stack:
        if chosen == "mosquitto" and port is None:
            broker = Broker(chosen, directory, Address(path=stack.enter_context(_socket_path(directory))))
        else:
            broker = _on_port(chosen, directory, port or 0)
        yield stack.enter_context(broker)


def _on_port(kind: Literal["mosquitto", "iotcore"], directory: Path, port: int) -> Broker:
    tries = 1 if port else PORT_TRIES
    while True:
        tries -= 1
        try:
            return Broker(kind, directory, Address(host=LOOPBACK, port=port or free_port()))
        except WrongUse:
            if tries == 0:
                raise


def free_port(wanted: int = 0) -> int:
    """A port of the loopback that nobody listens on at this moment: the `wanted` one if it is free, else any."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((LOOPBACK, port))
                return int(probe.getsockname()[1])
    raise WrongUse("no free port on the loopback")


@contextlib.contextmanager
def _socket_path(directory: Path) -> Iterator[str]:
    """A path short enough for a Unix socket: in `directory`, or, if that is too deep, in a directory of its own."""
    path = str(directory.resolve() / "mqtt.sock")
    if len(path.encode()) <= UNIX_PATH_BYTES:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="bottone-") as short:
        yield f"{short}/mqtt.sock"


def _mosquitto(directory: Path, address: Address) -> list[str]:
    program = mosquitto_program()
    assert program is not None
    data = directory / "mosquitto"
    data.mkdir(exist_ok=True)
    conf = directory / "mosquitto.conf"
    listener = f"0 {address.path}" if address.path else f"{address.port} 127.0.0.1"
    conf.write_text(MOSQUITTO_CONF.format(listener=listener, user=getpass.getuser(), data=data.resolve()))
    return [program, "-c", str(conf)]


def _iotcore(directory: Path, address: Address) -> list[str]:
    conf = directory / "iotcore.toml"
    conf.write_text(IOTCORE_CONF.format(port=address.port))
    # rumqttd reports every packet as an error: only what stops it is worth a line.
    return [sys.executable, "-P", "-m", "iotcore", "--config", str(conf), "--log-level", "CRITICAL"]
