"""The link to a broker: up when it is up, down when it only looks up, and back by itself."""

import signal
import socket
import subprocess
import threading

import pytest

from deploy import broker
from deploy.certificates import Authority
from drivers.mqtt_link import (
    Address,
    Connected,
    Disconnected,
    Mailbox,
    Message,
    MqttLink,
    Publication,
    Settings,
    Tls,
    _Session,
    tls_context,
)
from tests.room.peers import heard
from tests.room.scripted_broker import CONNACK_5, CONNACK_311, CONNECT, REFUSED_311, SUBSCRIBE, ScriptedBroker
from tests.waiting import until

QUICK = {"reconnect_first_s": 0.05, "reconnect_cap_s": 0.2, "probe_after_s": 0.2, "stall_s": 1.0}


@pytest.fixture
def link(request):
    """Makes links and closes them."""
    made = []

    def make(address, mailbox=None, **settings):
        one = MqttLink(
            Settings(**({"address": address, "client_id": "one", "subscriptions": (("a/+", 1),)} | QUICK | settings)),
            mailbox,
        )
        made.append(one)
        return one

    yield make
    for one in made:
        one.stop()


def test_it_speaks_the_newest_protocol_the_broker_has(running, link):
    one = link(running.address)

    one.start()

    assert heard(one, Connected).protocol == {"mosquitto": "5", "iotcore": "3.1.1"}[running.kind]


def test_at_the_news_of_the_connection_it_can_be_published(running, link, monkeypatch):
    """However late the supervisor's thread gets its turn after the network thread was started."""
    published = threading.Event()
    open_session = _Session.open

    def open_slowly(session):
        open_session(session)
        until(lambda: published.is_set() or session.over.is_set(), 10)  # over: a broker that speaks 3.1.1 only

    monkeypatch.setattr(_Session, "open", open_slowly)
    one = link(running.address)
    one.start()
    heard(one, Connected)

    try:
        assert one.publish("a/1", b"hello")
    finally:
        published.set()


def test_what_is_published_arrives_and_the_retained_flag_tells_news_from_memory(running, link):
    one = link(running.address)
    one.start()
    heard(one, Connected)

    assert one.publish("a/1", b"news", retain=True)
    first = heard(one, Message)
    late = link(running.address, client_id="two")
    late.start()
    second = heard(late, Message)

    assert (first.topic, first.payload, first.retain) == ("a/1", b"news", False)
    assert (second.payload, second.retain) == (b"news", True)


def test_without_a_broker_it_says_so_once_and_connects_when_there_is_one(running, link):
    running.kill()
    one = link(running.address)
    one.start()
    assert one.publish("a/1", b"x") is False
    why = heard(one, Disconnected).why

    running.restart()

    heard(one, Connected)
    assert f"no broker at {running.address}" in why
    assert "is it running?" in why


def test_after_a_broker_dies_and_returns_it_hears_again(running, link):
    one = link(running.address)
    one.start()
    heard(one, Connected)

    running.kill()
    heard(one, Disconnected)
    running.restart()
    heard(one, Connected)

    until(lambda: one.publish("a/1", b"again"))
    assert heard(one, Message).payload == b"again"


def test_a_broker_that_stands_still_is_found_out_though_the_connection_is_open(running, link):
    one = link(running.address)
    one.start()
    heard(one, Connected)

    running.process.send_signal(signal.SIGSTOP)
    try:
        assert "no sign of life" in heard(one, Disconnected).why
    finally:
        running.process.send_signal(signal.SIGCONT)

    heard(one, Connected)


def test_silence_alone_ends_no_session(running, link):
    one = link(running.address)
    one.start()
    heard(one, Connected)

    assert one.mailbox.take(2 * QUICK["stall_s"]) is None
    assert (one.up, one.sessions) == (True, 1)


def test_an_owner_that_sees_no_progress_gets_a_new_session(running, link):
    one = link(running.address)
    one.start()
    heard(one, Connected)

    one.restart("nothing is acknowledged")

    assert heard(one, Disconnected).why == "nothing is acknowledged"
    heard(one, Connected)
    until(lambda: one.sessions == 2)


def test_the_will_is_published_when_a_session_dies_and_the_farewell_when_it_ends(running, link):
    witness = link(running.address, client_id="witness")
    witness.start()
    heard(witness, Connected)
    one = link(running.address, will_delay_s=0)
    one.set_will(Publication("a/will", b"lost"))
    one.start()
    heard(one, Connected)
    one._session.client.socket().shutdown(socket.SHUT_RDWR)  # as a killed process does
    assert heard(witness, Message).payload == b"lost"
    heard(one, Disconnected)
    heard(one, Connected)

    one.stop([Publication("a/state", b"off")])

    assert heard(witness, Message).payload == b"off"


def test_two_clients_with_one_id_throw_each_other_out_and_are_named(running, link, caplog):
    one, other = link(running.address), link(running.address)
    one.start()
    heard(one, Connected)

    other.start()

    until(lambda: "does another client use the id 'one' too?" in caplog.text, 30.0)
    assert one.thrown_out or other.thrown_out


class TestRefusals:
    def test_a_refused_subscription_is_no_connection(self, link):
        def answer(kind, level, packet_id):
            if kind == CONNECT:
                return CONNACK_311 if level == 4 else None
            return b"\x90\x03" + packet_id + b"\x80"

        with ScriptedBroker(answer) as scripted:
            one = link(scripted.address)
            one.start()

            why = heard(one, Disconnected).why

            assert "refuses to subscribe a/+; check its access list" in why
            assert one.sessions == 0
            one.stop()

    def test_a_refused_connection_says_what_to_check(self, link):
        def answer(kind, level, _):
            return REFUSED_311 if kind == CONNECT and level == 4 else None

        with ScriptedBroker(answer) as scripted:
            one = link(scripted.address)
            one.start()

            assert "Not authorized; check its log, the credentials" in heard(one, Disconnected).why
            one.stop()

    def test_a_broker_that_hangs_up_on_mqtt_5_is_asked_in_3_1_1(self, link):
        def answer(kind, level, packet_id):
            if level == 5:
                return None
            return CONNACK_311 if kind == CONNECT else b"\x90\x03" + packet_id + b"\x01"

        with ScriptedBroker(answer) as scripted:
            one = link(scripted.address)
            one.start()

            assert heard(one, Connected).protocol == "3.1.1"
            assert scripted.connects[:2] == [5, 4]
            one.stop()

    def test_a_broker_that_answers_mqtt_5_in_the_words_of_3_1_1_too(self, link):
        def answer(kind, level, packet_id):
            if kind == CONNECT:
                return b"\x20\x02\x00\x01" if level == 5 else CONNACK_311  # unacceptable protocol version
            return b"\x90\x03" + packet_id + b"\x01"

        with ScriptedBroker(answer) as scripted:
            one = link(scripted.address)
            one.start()

            assert heard(one, Connected).protocol == "3.1.1"
            one.stop()

    def test_a_broker_that_confirms_no_subscription_is_deaf_and_left(self, link, monkeypatch):
        monkeypatch.setattr("drivers.mqtt_link.CONNECT_TIMEOUT_S", 0.3)
        asked = []

        def answer(kind, level, _):
            asked.append(kind)
            return (CONNACK_5 if level == 5 else CONNACK_311) if kind == CONNECT else b""

        with ScriptedBroker(answer) as scripted:
            one = link(scripted.address)
            one.start()

            assert "does not answer the handshake" in heard(one, Disconnected).why
            until(lambda: len(scripted.connects) >= 2)
            assert SUBSCRIBE in asked
            one.stop()


class TestMailbox:
    def test_a_full_one_drops_messages_and_keeps_news(self):
        mailbox = Mailbox(limit=2)
        message = Message("a", b"", False, 0)

        kept = [mailbox.put(item) for item in (message, message, message, Disconnected("x"))]

        assert kept == [True, True, False, True]
        assert mailbox.dropped == 1
        assert len(mailbox) == 3

    def test_an_owner_that_fails_does_not_kill_the_network_thread(self, running, link, caplog):
        class Failing(Mailbox):
            failures = 1

            def put(self, item):
                if isinstance(item, Message) and self.failures:
                    self.failures -= 1
                    raise RuntimeError("out of order")
                return super().put(item)

        one = link(running.address, Failing())
        one.start()
        heard(one, Connected)

        for payload in (b"1", b"2"):
            one.publish("a/1", payload)

        assert heard(one, Message).payload == b"2"
        assert "a callback failed" in caplog.text


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mqtt://10.0.0.1", Address("10.0.0.1", 1883)),
        ("mqtt://hub.local:1884", Address("hub.local", 1884)),
        ("mqtts://hub.local", Address("hub.local", 8883, tls=True)),
        ("unix:/run/bottone/mqtt.sock", Address(path="/run/bottone/mqtt.sock")),
    ],
)
def test_an_address_is_written_as_a_url(url, address):
    assert Address.parse(url) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize("url", ["hub.local", "http://hub", "unix:", "mqtt://", ""])
def test_a_wrong_address_says_what_to_write(url):
    with pytest.raises(ValueError, match=r"write mqtt://host:port"):
        Address.parse(url)


class TestTls:
    @pytest.fixture
    def secured(self, tmp_path):
        """A Mosquitto that wants TLS 1.3 and a certificate of our authority; its address and two clients' files."""
        authority = Authority.at(tmp_path, "s1")
        authority.make_broker(["127.0.0.1"])
        authority.make_client("tbl-7f3a")
        port = broker.free_port()
        (tmp_path / "m.conf").write_text(
            f"listener {port} 127.0.0.1\ncafile {tmp_path}/authority.pem\ncertfile {tmp_path}/broker.pem\n"
            f"keyfile {tmp_path}/broker.key\nrequire_certificate true\nuse_identity_as_username true\n"
            f"tls_version tlsv1.3\nallow_anonymous false\nuser root\n"
        )
        process = subprocess.Popen([broker.mosquitto_program(), "-c", str(tmp_path / "m.conf")], stderr=subprocess.PIPE)
        address = Address("127.0.0.1", port, tls=True)
        until(lambda: broker.answers(address))
        yield address, tmp_path
        process.kill()
        process.communicate()

    def test_with_a_certificate_it_connects(self, secured, link):
        address, files = secured
        tls = Tls(f"{files}/authority.pem", f"{files}/tbl-7f3a.pem", f"{files}/tbl-7f3a.key")
        one = link(address, tls=tls, client_id="tbl-7f3a")

        one.start()

        heard(one, Connected)

    def test_a_broker_of_another_authority_is_not_believed(self, secured, link, tmp_path):
        address, files = secured
        Authority.at(tmp_path / "other", "s1")
        tls = Tls(f"{tmp_path}/other/authority.pem", f"{files}/tbl-7f3a.pem", f"{files}/tbl-7f3a.key")
        one = link(address, tls=tls)

        one.start()

        assert "certificate verify failed" in heard(one, Disconnected).why

    def test_a_missing_file_is_told_at_once(self):
        with pytest.raises(OSError, match="No such file"):
            tls_context(Tls("/nowhere/ca.pem"))
