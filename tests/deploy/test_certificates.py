"""A real Mosquitto as `bottone certificates` sets it up: who gets in, and what each may say and hear."""

from __future__ import annotations

import json
import stat
import threading
import urllib.request
from pathlib import Path

import msgspec
import pytest

from deploy import broker, children
from deploy.certificates import Authority, name_in
from deploy.cli import main
from deploy.wall_clock import WallClock
from drivers.led_clock import LedClock
from drivers.max7219_sim import Max7219Sim
from drivers.mqtt_link import Address, Connected, Disconnected, Message, MqttLink, Settings, Tls
from engine import wire
from firmware_py.uplink import unit_link
from hub.ingest import hub_link
from tests.room.peers import heard
from tests.waiting import until

SITE = "club"
TOPICS = wire.Topics(SITE)
DEBIANS_OWN = "persistence true\npersistence_location {data}/\nlog_dest stderr\nuser root\ninclude_dir {made}\n"


class Site:
    """A broker with the files of the command, included as Debian's Mosquitto includes them, and links to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = folder / "bottone"
        self.port = broker.free_port()
        self.links: list[MqttLink] = []
        self.run("table-1", "table-2", "--host", "127.0.0.1")
        (folder / "data").mkdir()
        (folder / "main.conf").write_text(DEBIANS_OWN.format(data=folder / "data", made=self.made))
        self.start()

    def run(self, *arguments: str) -> None:
        at = ["--dir", str(self.made), "--site", SITE, "--port", str(self.port), "--listen", "127.0.0.1"]
        assert main(["certificates", *at, *arguments]) == 0

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port, tls=True)

    def start(self) -> None:
        program = broker.mosquitto_program()
        assert program is not None
        self.log = self.folder / "mosquitto.log"
        self.process = children.spawn([program, "-c", str(self.folder / "main.conf")], self.log)
        until(lambda: broker.answers(self.address))

    def restart(self) -> None:
        children.end(self.process)
        self.start()

    def tls(self, name: str) -> Tls:
        return Tls(str(self.made / "authority.pem"), str(self.made / f"{name}.pem"), str(self.made / f"{name}.key"))

    def link(self, name: str, *topics: str, client_id: str = "", tls: Tls | None = None) -> MqttLink:
        """A link with the certificate of `name` that hears `topics`; started."""
        return self.started(
            MqttLink(
                Settings(
                    address=self.address, client_id=client_id or name, tls=tls or self.tls(name),
                    subscriptions=tuple((topic, 1) for topic in topics),
                )
            )
        )  # fmt: skip

    def started(self, link: MqttLink) -> MqttLink:
        link.settings = msgspec.structs.replace(link.settings, reconnect_first_s=0.05, reconnect_cap_s=0.5)
        self.links.append(link)
        link.start()
        return link

    def close(self) -> None:
        for link in self.links:
            link.stop()
        children.end(self.process)


@pytest.fixture
def site(tmp_path):
    one = Site(tmp_path)
    yield one
    one.close()


def connected(link):
    heard(link, Connected)
    return link


def say(link, topic, payload, *, retain=False):
    until(lambda: link.publish(topic, payload, 1, retain=retain))


def forge(link, topic):
    """Says what it may not say; Mosquitto 2.0.11 hangs up on it, and it comes back."""
    say(link, topic, b"forged")
    heard(link, Disconnected)
    connected(link)


class TestWhatAUnitMay:
    def test_it_is_heard_under_its_own_name_alone(self, site):
        hub = connected(site.link("hub-club", TOPICS.every_unit("up/ev")))
        unit = connected(site.link("table-1"))

        forge(unit, TOPICS.unit("table-2", "up/ev"))
        say(unit, TOPICS.unit("table-1", "up/ev"), b"own")

        message = heard(hub, Message)
        assert (message.topic, message.payload) == (TOPICS.unit("table-1", "up/ev"), b"own")

    def test_it_cannot_speak_for_the_hub(self, site):
        hub = connected(site.link("hub-club"))
        other = connected(site.link("table-2", TOPICS.unit("table-2", "dn/cmd"), TOPICS.hub("state")))
        unit = connected(site.link("table-1"))

        forge(unit, TOPICS.hub("state"))
        forge(unit, TOPICS.unit("table-2", "dn/cmd"))
        say(hub, TOPICS.hub("state"), b"the hub's own")

        assert heard(other, Message).payload == b"the hub's own"

    def test_it_hears_what_is_meant_for_it_and_for_all(self, site):
        hub = connected(site.link("hub-club"))
        unit = connected(site.link("table-1", "#"))

        say(hub, TOPICS.unit("table-2", "dn/cmd"), b"for the other")
        say(hub, TOPICS.unit("table-2", "dn/want"), b"kept for the other", retain=True)
        say(hub, TOPICS.unit("table-1", "dn/cmd"), b"for it")
        say(hub, TOPICS.hub("clock"), b"for all", retain=True)

        assert [heard(unit, Message).payload for _ in range(2)] == [b"for it", b"for all"]

    def test_it_hears_nothing_of_what_another_unit_says(self, site):
        spy = connected(site.link("table-1", TOPICS.every_unit("up/ev"), TOPICS.unit("table-1", "dn/ack")))
        other = connected(site.link("table-2"))
        hub = connected(site.link("hub-club", TOPICS.every_unit("up/ev")))

        say(other, TOPICS.unit("table-2", "up/ev"), b"secret")
        assert heard(hub, Message).payload == b"secret"
        say(hub, TOPICS.unit("table-1", "dn/ack"), b"after it")

        assert heard(spy, Message).payload == b"after it"

    def test_it_cannot_throw_another_out_by_taking_its_name(self, site):
        first = connected(site.link("table-1", TOPICS.unit("table-1", "dn/ack")))
        connected(site.link("table-2", client_id="table-1"))
        hub = connected(site.link("hub-club"))

        say(hub, TOPICS.unit("table-1", "dn/ack"), b"still there")

        item = first.mailbox.take(5.0)
        assert isinstance(item, Message), item
        assert item.payload == b"still there"


class TestWhoGetsIn:
    def test_nobody_without_a_certificate(self, site):
        link = site.link("table-1", tls=Tls(str(site.made / "authority.pem")))

        assert heard(link, Disconnected).why

    def test_nobody_with_one_of_another_authority(self, site, tmp_path):
        other = tmp_path / "other"
        Authority.at(other, SITE).make_client("table-1")
        tls = Tls(str(site.made / "authority.pem"), str(other / "table-1.pem"), str(other / "table-1.key"))

        assert heard(site.link("table-1", tls=tls), Disconnected).why

    def test_nobody_with_one_that_was_revoked_and_its_successor_does(self, site):
        lost = site.tls("table-1")
        stolen = Tls(lost.ca, str(site.folder / "stolen.pem"), str(site.folder / "stolen.key"))
        Path(stolen.cert).write_bytes(Path(lost.cert).read_bytes())
        Path(stolen.key).write_bytes(Path(lost.key).read_bytes())
        connected(site.link("table-1"))
        site.close()
        site.links.clear()

        site.run("--revoke", "table-1", "table-1")
        site.start()

        assert heard(site.link("table-1", tls=stolen), Disconnected).why
        connected(site.link("table-1"))

    def test_a_broker_of_another_authority_is_not_believed(self, site, tmp_path):
        other = tmp_path / "other"
        Authority.at(other, SITE)
        own = site.tls("table-1")
        link = site.link("table-1", tls=Tls(str(other / "authority.pem"), own.cert, own.key))

        assert "certificate verify failed" in heard(link, Disconnected).why


class TestTheRealThing:
    def test_units_and_hub_have_all_the_topics_they_use(self, site):
        """Everything of the contract goes through: what one side publishes, the other one hears."""
        hub = connected(site.started(hub_link(site.address, SITE, 1, tls=site.tls("hub-club"))))
        unit = connected(site.started(unit_link(site.address, SITE, "table-1", tls=site.tls("table-1"))))

        for channel in wire.UP:
            say(unit, TOPICS.unit("table-1", channel.leaf), channel.leaf.encode())
            assert heard(hub, Message).payload == channel.leaf.encode()
        for channel in wire.DOWN:
            say(hub, TOPICS.unit("table-1", channel.leaf), channel.leaf.encode())
            assert heard(unit, Message).payload == channel.leaf.encode()
        for channel in wire.HUB:
            say(hub, TOPICS.hub(channel.leaf), channel.leaf.encode())
            assert heard(unit, Message).payload == channel.leaf.encode()

    def test_table_wall_clock_and_doctor_reach_a_real_hub(self, site, tmp_path, capsys):
        made, table_file = site.made, tmp_path / "table.toml"
        hub = (Path(__file__).parents[2] / "deploy" / "examples" / "hub.toml").read_text()
        hub = hub.replace('broker = "auto"', f'broker = "mqtts://127.0.0.1:{site.port}"').replace("8080", "0")
        files = f'ca = "{made}/authority.pem"\ncert = "{made}/hub-club.pem"\nkey = "{made}/hub-club.key"\n'
        (tmp_path / "hub.toml").write_text(hub.replace("[http]", f"[tls]\n{files}\n[http]"))
        table_file.write_text(
            f'unit = "table-1"\nsite = "club"\ndata_dir = "{tmp_path}/table"\nseal_dir = "/dev/shm"\n'
            f'[pins]\nfactory = "mock"\n[hub]\nhost = "127.0.0.1"\nport = {site.port}\n'
            f'tls = {{ ca = "{made}/authority.pem", cert = "{made}/table-1.pem", key = "{made}/table-1.key" }}\n'
        )
        log = tmp_path / "hub.log"
        hub_process = children.spawn(children.bottone("hub", "--config", str(tmp_path / "hub.toml")), log)
        table = children.spawn(children.bottone("table", "--config", str(table_file)), tmp_path / "table.log")
        try:
            until(lambda: "hub http" in log.read_text(), 30)
            page = log.read_text().split("hub ", 1)[1].split()[0]
            until(lambda: card_of(page, "table-1")["link"] == "online" and card_of(page, "table-1")["wm"] > 0, 30)

            assert doctors_codes(table_file, capsys) >= {"line_taken"}
            children.end(table)
            assert doctors_codes(table_file, capsys) & {"broker_ok", "hub_ok", "offset_ok", "offset_wide"} >= {
                "broker_ok", "hub_ok",
            }  # fmt: skip

            site.run("wall-1")
            wall_clock_knows_the_time(site, "wall-1")
        finally:
            children.end(table)
            children.end(hub_process)


def card_of(page, unit):
    with urllib.request.urlopen(f"{page}api/state", timeout=5) as answer:
        return next(card for card in json.load(answer)["tables"] if card["unit"] == unit)


def doctors_codes(file, capsys):
    capsys.readouterr()
    main(["doctor", "--config", str(file), "--json"])
    return {json.loads(line)["code"] for line in capsys.readouterr().out.splitlines()}


def wall_clock_knows_the_time(site, name):
    stop, chain = threading.Event(), Max7219Sim(8)
    wall = WallClock(site.address, SITE, LedClock(lambda: chain, 8, lambda *_: None), 8, tls=site.tls(name))
    thread = threading.Thread(target=wall.run, args=(stop.is_set,))
    thread.start()
    try:
        until(lambda: wall._sync.offset is not None, 10)
    finally:
        stop.set()
        thread.join(10)


class TestTheFiles:
    def test_a_second_run_adds_what_is_new_and_keeps_the_rest(self, tmp_path, capsys):
        command = ["certificates", "--dir", str(tmp_path), "--site", SITE]
        assert main([*command, "--host", "bottone.local", "table-1"]) == 0
        before = (tmp_path / "table-1.pem").read_bytes(), (tmp_path / "broker.pem").read_bytes()
        assert main([*command, "table-1", "wall-1"]) == 0

        said = capsys.readouterr().out.splitlines()
        assert [line.split()[1] for line in said if line.startswith(("table-1:", "wall-1:", "broker: kept"))] == [
            "made", "kept", "kept", "made",
        ]  # fmt: skip
        assert ((tmp_path / "table-1.pem").read_bytes(), (tmp_path / "broker.pem").read_bytes()) == before
        assert name_in(tmp_path / "wall-1.pem") == "wall-1"

    def test_a_broker_that_moves_gets_a_new_certificate(self, tmp_path):
        command = ["certificates", "--dir", str(tmp_path), "--site", SITE]
        main([*command, "--host", "bottone.local"])
        before = (tmp_path / "broker.pem").read_bytes()
        main([*command, "--host", "bottone.local", "--host", "192.168.1.10"])

        assert (tmp_path / "broker.pem").read_bytes() != before

    def test_keys_are_the_owners_alone(self, tmp_path):
        main(["certificates", "--dir", str(tmp_path), "--site", SITE, "--host", "bottone.local", "table-1"])

        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*.key")}
        readers = {name: mode & 0o077 for name, mode in modes.items()}
        assert {name for name, others in readers.items() if others} <= {"broker.key"}   # Mosquitto's own group
        assert not readers["broker.key"] & 0o007

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--host", "h", "A/+"], "no unit's name"),
            (["--host", "h", "broker"], "no unit's name"),
            (["--host", "h", "hub-club"], "no unit's name"),
            (["table-1"], "name the broker's machine"),
            (["--host", "h", "--revoke", "table-9"], "no certificate of table-9"),
        ],
    )
    def test_what_cannot_be_is_told(self, tmp_path, capsys, arguments, said):
        assert main(["certificates", "--dir", str(tmp_path), "--site", SITE, *arguments]) == 2
        assert said in capsys.readouterr().err

    def test_a_damaged_authority_is_named(self, tmp_path, capsys):
        command = ["certificates", "--dir", str(tmp_path), "--site", SITE, "--host", "h"]
        main(command)
        (tmp_path / "authority.key").write_text("half")

        assert main(command) == 2
        assert "authority.key: no private key in PEM" in capsys.readouterr().err
