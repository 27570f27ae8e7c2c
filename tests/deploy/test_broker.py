"""The broker that `auto` starts: it delivers, it stays on the loopback, and it never outlives us."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest

from deploy import broker
from deploy.errors import WrongUse
from drivers.mqtt_link import Address
from tests.waiting import until

LIMIT_S = 10.0
BURST = 1_200                            # Mosquitto's own max_queued_messages is 1000
LISTEN, LOOPBACK = "0A", "0100007F"      # as /proc/net/tcp writes them, proc(5)


class Client:
    """A plain MQTT client that keeps what it hears under `room/#`."""

    def __init__(self, address: Address) -> None:
        self.heard: list[bytes] = []
        self.subscribed = False
        self.paho = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, transport="unix" if address.path else "tcp")
        self.paho.on_subscribe = self._on_subscribe
        self.paho.on_message = lambda _client, _data, message: self.heard.append(message.payload)
        self.paho.on_connect = lambda client, *_: client.subscribe("room/#", 1)
        self.paho.connect(address.path or address.host, address.port)

    def _on_subscribe(self, *_):
        self.subscribed = True

    def hears(self, count: int) -> bool:
        self.paho.loop(0.01)
        return len(self.heard) >= count

    def ready(self) -> bool:
        self.paho.loop(0.01)
        return self.subscribed


KINDS = {"mosquitto-unix": ("mosquitto", None), "mosquitto-tcp": ("mosquitto", 0), "iotcore": ("iotcore", None)}


@pytest.fixture(params=KINDS.values(), ids=KINDS.keys())
def running(request, tmp_path):
    kind, port = request.param
    with broker.running(tmp_path, kind, port) as started:
        yield started


def test_a_message_of_the_largest_event_size_is_delivered(running):
    client = Client(running.address)
    until(client.ready, LIMIT_S)

    client.paho.publish("room/table", b"x" * 4096, qos=1)

    until(lambda: client.hears(1), LIMIT_S)
    assert client.heard == [b"x" * 4096]
    client.paho.disconnect()


def test_a_burst_beyond_the_usual_queue_arrives_whole(running):
    client = Client(running.address)
    until(client.ready, LIMIT_S)

    for n in range(BURST):
        client.paho.publish("room/table", str(n).encode(), qos=1)

    until(lambda: client.hears(BURST), 30.0)
    assert [int(payload) for payload in client.heard] == list(range(BURST))
    client.paho.disconnect()


def test_it_listens_on_the_loopback_only(running):
    inodes = {str(fd.readlink()) for fd in Path(f"/proc/{running.process.pid}/fd").iterdir()}
    listening = []
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTEN and f"socket:[{fields[9]}]" in inodes:
                listening.append(fields[1])

    assert all(where.split(":")[0] == LOOPBACK for where in listening)
    assert bool(listening) != bool(running.address.path)


def test_it_is_gone_after_its_with(tmp_path):
    with broker.running(tmp_path) as started:
        assert broker.answers(started.address)

    assert started.process.poll() is not None
    assert not broker.answers(started.address)


def test_it_comes_back_at_the_same_address_after_a_kill(running):
    address = running.address
    running.kill()
    assert not broker.answers(address)

    running.restart()

    assert running.address == address
    assert broker.answers(address)


def test_it_ends_when_its_starter_is_killed(tmp_path):
    code = (
        "import pathlib, signal, sys\n"
        "from deploy import broker\n"
        "with broker.running(pathlib.Path(sys.argv[1])) as started:\n"
        "    print(started.process.pid, flush=True)\n"
        "    signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        starter.send_signal(signal.SIGKILL)

    until(lambda: gone(pid), LIMIT_S)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(WrongUse, match=f"port {port} is taken"), broker.running(tmp_path, port=port):
            pass


def test_without_any_broker_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(broker, "mosquitto_program", lambda: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    with pytest.raises(WrongUse, match="apt-get install mosquitto"), broker.running(tmp_path):
        pass


def test_without_mosquitto_auto_takes_the_wheel(monkeypatch):
    monkeypatch.setattr(broker, "mosquitto_program", lambda: None)

    assert broker.choose("auto") == "iotcore"


def test_a_path_too_deep_for_a_socket_is_shortened(tmp_path):
    deep = tmp_path / ("d" * 100)
    deep.mkdir()

    with broker.running(deep, "mosquitto") as started:
        assert len(started.address.path) <= broker.UNIX_PATH_BYTES
        assert broker.answers(started.address)
