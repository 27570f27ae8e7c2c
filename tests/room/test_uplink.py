"""What a table says and does when the hub, or somebody who plays the hub, speaks to it: the wire, table's side."""

import logging
import threading
from contextlib import closing

import msgspec
import pytest

from drivers.mqtt_link import Address, Connected, Message
from drivers.seen import Key, KeyPressed
from engine import wire
from firmware_py import hub_presence, reports, sender, uplink
from firmware_py.inbox import LinkDown, LinkUp, Stop
from firmware_py.journal import Journal
from firmware_py.sealing import Sealer
from firmware_py.sender import batches
from hub.signing import Signer
from tests.room.light_table import LightTable, Spec, truth
from tests.room.peers import SITE, HandHub
from tests.waiting import until

UNIT = "tbl-7f3a"


class Table:
    """A light table whose crank runs in a thread; nobody presses but the test."""

    def __init__(self, directory, address, **spec):
        self.spec = Spec(UNIT, SITE, str(address), str(directory / "table"), cap_s=0.2, **spec)
        self.open()

    def open(self):
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,))
        self.thread.start()
        assert ready.wait(5.0)

    def _run(self, ready):
        self.light = LightTable(self.spec)
        self.light.resting = True
        ready.set()
        self.light.play()

    def press(self, times=1):
        for _ in range(times):
            self.light.inbox.post("panel", KeyPressed(Key.DEAL))

    def close(self):
        self.light.inbox.post("os", Stop("test"))
        self.thread.join(10.0)
        assert not self.thread.is_alive()
        assert self.light.uplink.failure is None

    def restart(self):
        self.close()
        self.open()

    @property
    def waiting(self):
        first, last, _ = self.light.journal.outbox_depth()
        return last - first + 1 if first else 0


def test_a_hub_that_is_retained_before_the_news_of_the_connection_is_not_forgotten(tmp_path):
    link = uplink.unit_link(Address(path=str(tmp_path / "nobody.sock")), SITE, UNIT)
    ready = wire.encode(wire.HubState("ready", 3, 0))
    with closing(Journal(tmp_path / "table", UNIT, Sealer(bytes(32), kept=False))) as journal:
        one = uplink.Uplink(link, journal, lambda _: True, unit=UNIT, site=SITE)

        one._take(Message(wire.Topics(SITE).hub("state"), ready, retain=True, at_ns=0))
        one._take(Connected("5"))

        assert (one._hub.ready, one._hub.epoch) == (True, 3)


@pytest.fixture
def table(tmp_path, address):
    one = Table(tmp_path, address)
    yield one
    one.close()


@pytest.fixture
def hub(address):
    one = HandHub(address, UNIT)
    one.signer = Signer(bytes(range(32)))
    yield one
    one.close()


def adopt(hub, table, rev=1, ep=1, table_no=3):
    """The hub is ready and has adopted the table, which has said so."""
    hub.ready()
    want = hub.signer.adoption(UNIT, wire.Adopt(rev, ep, table_no, "T1", "tda", 9, 1))
    hub.say(hub.topic("dn/want"), want, retain=True)
    hub.wait("up/state", lambda s: s.ep == ep and s.cfg_rev == rev)


def command(hub, name, body, n=1, hand=0, exp_ms=2**50):
    plain = wire.HubCommand(name, hub.epoch, n, exp_ms, msgspec.Raw(wire.encode(body)), when=wire.Precondition(hand))
    return hub.signer.command(UNIT, plain)


def seqs(hub):
    return [event.seq for event in hub.events()]


def test_before_its_adoption_a_table_plays_and_sends_nothing(hub, table):
    hub.ready()
    table.press(3)

    born = hub.wait("up/state", lambda s: 0 <= s.last <= 3)  # it may be born between two presses
    hub.wait("up/tq")

    assert born.st == "ready"
    assert born.ep == 0
    assert hub.events() == []
    until(lambda: table.waiting == 3)


def test_after_its_adoption_everything_from_the_first_event_on_goes_out_in_order(hub, table):
    table.press(5)
    until(lambda: table.waiting == 5)

    adopt(hub, table, ep=4)

    until(lambda: seqs(hub)[:5] == [1, 2, 3, 4, 5])
    assert {e.ep for e in hub.events()} == {4}
    assert hub.events()[0].kind == "hand_started"


def test_only_a_watermark_of_its_own_number_lets_it_forget(hub, table):
    adopt(hub, table)
    table.press(4)
    until(lambda: set(seqs(hub)) == {1, 2, 3, 4})

    hub.ack(ep=9, wm=4)
    hub.ack(ep=1, wm=2)
    until(lambda: table.waiting == 2)
    hub.ack(ep=1, wm=40)  # more than it ever had
    hub.ack(ep=1, wm=4)

    until(lambda: table.waiting == 0)


def test_never_more_than_the_window_is_under_way(hub, table):
    adopt(hub, table)
    table.press(100)
    until(lambda: table.waiting > wire.WINDOW + 20)

    until(lambda: max(seqs(hub), default=0) == wire.WINDOW)
    hub.ack(1, 10)

    until(lambda: max(seqs(hub)) == wire.WINDOW + 10)


def test_without_progress_it_goes_back_and_then_sends_one_by_one(hub, table, monkeypatch):
    monkeypatch.setattr(sender, "STALL_S", 0.1)
    adopt(hub, table)
    table.press(5)

    until(lambda: seqs(hub).count(1) >= 5)

    assert isinstance(hub.all("up/ev")[-1], wire.Envelope)
    until(lambda: seqs(hub)[-5:] == [1, 2, 3, 4, 5])


def test_it_sends_again_from_where_the_hub_asks(hub, table):
    adopt(hub, table)
    table.press(6)
    until(lambda: set(seqs(hub)) == {1, 2, 3, 4, 5, 6})
    hub.ack(1, 2)
    until(lambda: table.waiting == 4)
    before = len(seqs(hub))

    hub.say(hub.topic("dn/resync"), wire.Resync(1, 4))

    until(lambda: seqs(hub)[before : before + 3] == [4, 5, 6])


def test_a_new_epoch_of_the_hub_gets_a_birth_and_everything_unacknowledged(hub, table):
    adopt(hub, table)
    table.press(3)
    until(lambda: set(seqs(hub)) == {1, 2, 3})
    births = len(hub.all("up/state"))
    before = len(seqs(hub))

    hub.ready(epoch=2)

    until(lambda: seqs(hub)[before : before + 3] == [1, 2, 3])
    until(lambda: len(hub.all("up/state")) > births)


def test_nothing_is_sent_while_the_hub_is_away(hub, table):
    adopt(hub, table)
    until(lambda: table.light.news)
    hub.ready(st="off")
    until(lambda: isinstance(table.light.news[-1], LinkDown))
    table.press(3)
    until(lambda: table.waiting == 3)
    assert hub.events() == []

    hub.ready(epoch=2)

    until(lambda: set(seqs(hub)) == {1, 2, 3})
    assert table.light.news[-1] == LinkUp(2)


def test_a_silent_hub_is_lost_and_found_again(hub, table, monkeypatch):
    monkeypatch.setattr(hub_presence, "HUB_SILENT_S", 0.3)
    adopt(hub, table)

    until(lambda: isinstance(table.light.news[-1:][0:1] and table.light.news[-1], LinkDown))
    hub.ack(1, 0)

    until(lambda: isinstance(table.light.news[-1], LinkUp))


def test_it_dies_with_its_will_and_leaves_with_a_goodbye(hub, table):
    adopt(hub, table)

    table.restart()

    hub.wait("up/state", lambda s: s.st == "off")
    born = hub.wait("up/state", lambda s: s.boot == 2)
    assert (born.st, born.ep, born.cfg_rev) == ("ready", 1, 1)


def test_the_same_event_has_the_same_bytes_after_a_restart(hub, table):
    adopt(hub, table)
    table.press(1)
    until(hub.events)

    table.restart()

    until(lambda: len(hub.events()) >= 2)
    first, again = hub.events()[0], hub.events()[-1]
    assert wire.digest(first) == wire.digest(again)
    assert (again.boot, again.seq) == (1, 1)


class TestCommands:
    def test_a_signed_command_is_done_once_and_a_repeat_gets_the_stored_result(self, hub, table):
        adopt(hub, table)
        table.press(1)
        until(lambda: table.waiting == 1)
        table.light.players.pop(6)
        asked = command(hub, "c1", wire.SeatPlayer(6, "gina", "Gina", 900, "new"))

        hub.say(hub.topic("dn/cmd"), asked)
        until(lambda: len(hub.all("up/res")) == 1)
        table.restart()
        hub.wait("up/state", lambda s: s.boot == 2)
        hub.say(hub.topic("dn/cmd"), command(hub, "c1", wire.SeatPlayer(6, "gina", "Gina", 900, "new"), n=2))
        until(lambda: len(hub.all("up/res")) == 2)

        assert hub.all("up/res") == [wire.Result("c1", "ok"), wire.Result("c1", "ok")]
        assert [t.kind for t in truth(table.spec.directory)].count("seat_changed") == 1

    def test_a_retained_command_is_ignored(self, hub, table, caplog):
        adopt(hub, table)
        hub.say(hub.topic("dn/cmd"), command(hub, "c1", wire.Hold(True)), retain=True)
        until(lambda: hub.all("up/res"))  # news to a table that is there: the flag is for those who come later
        hub.heard.clear()

        table.restart()
        hub.wait("up/state", lambda s: s.boot == 2)
        hub.say(hub.topic("dn/cmd"), command(hub, "c2", wire.Hold(True), n=2))

        until(lambda: hub.all("up/res"))
        assert [result.id for result in hub.all("up/res")] == ["c2"]
        assert "a retained message" in caplog.text

    @pytest.mark.parametrize(
        "forge",
        [
            lambda hub, c: msgspec.structs.replace(c, sig=""),
            lambda hub, c: msgspec.structs.replace(c, exp_ms=c.exp_ms + 1),
            lambda hub, c: msgspec.structs.replace(c, n=99),
            lambda hub, c: msgspec.structs.replace(c, body=msgspec.Raw(b'{"type":"hold","on":false}')),
            lambda hub, c: msgspec.structs.replace(c, when=wire.Precondition(9)),
            lambda hub, c: Signer(bytes(32)).command(UNIT, c),
            lambda hub, c: hub.signer.command("tbl-other", c),
        ],
    )
    def test_a_command_that_is_not_signed_by_this_hub_for_this_table_is_refused(self, hub, table, forge):
        adopt(hub, table)

        hub.say(hub.topic("dn/cmd"), forge(hub, command(hub, "c1", wire.Hold(True))))

        assert hub.wait("up/res") == wire.Result("c1", "bad_signature")
        assert table.light.commands == []

    def test_an_expired_command_is_refused(self, hub, table):
        adopt(hub, table)
        query = hub.wait("up/tq")
        hub.say(hub.topic("dn/tr"), wire.TimeReply(query.n, query.t1, 1_000_000.0, 1_000_000.0, hub.epoch))
        until(lambda: table.light.uplink.offset)

        hub.say(hub.topic("dn/cmd"), command(hub, "c1", wire.Hold(True), exp_ms=900_000))

        assert hub.wait("up/res") == wire.Result("c1", "expired")
        assert table.light.commands == []

    def test_a_command_for_another_hand_is_stale(self, hub, table):
        adopt(hub, table)

        hub.say(hub.topic("dn/cmd"), command(hub, "c1", wire.Hold(True), hand=12))

        assert hub.wait("up/res") == wire.Result("c1", "stale")


class TestAdoption:
    def test_a_table_obeys_the_hub_that_adopted_it_first_and_no_other(self, hub, table, caplog):
        adopt(hub, table)

        stranger = Signer(bytes(32)).adoption(UNIT, wire.Adopt(2, 2, 9, "T2", "tda", 9, 1))
        hub.say(hub.topic("dn/want"), stranger, retain=True)
        until(lambda: "not signed by this table's hub" in caplog.text)
        adopt(hub, table, rev=3, table_no=5)

        assert table.light.adopt.table_no == 5

    def test_an_older_adoption_that_comes_late_changes_nothing(self, hub, table):
        adopt(hub, table, rev=5, table_no=5)

        hub.say(hub.topic("dn/want"), hub.signer.adoption(UNIT, wire.Adopt(4, 7, 4, "T1", "tda", 9, 1)), retain=True)
        adopt(hub, table, rev=6, table_no=6)

        assert [s.ep for s in hub.all("up/state")][-1] == 1
        assert table.light.adopt.table_no == 6

    def test_a_configured_key_counts_and_not_the_first_that_comes(self, hub, tmp_path, address, caplog):
        table = Table(tmp_path, address, command_key=hub.signer.public)
        try:
            hub.ready()
            stranger = Signer(bytes(32)).adoption(UNIT, wire.Adopt(1, 1, 9, "T2", "tda", 9, 1))
            hub.say(hub.topic("dn/want"), stranger, retain=True)
            until(lambda: "not signed" in caplog.text)
            adopt(hub, table, rev=2)
        finally:
            table.close()


@pytest.mark.parametrize("leaf", [channel.leaf for channel in wire.DOWN])
@pytest.mark.parametrize("payload", [b"{", b"\xff", b"[]", b'{"ep":"x"}', b"null", b'{"x":' + b"[" * 9_999])
def test_a_malformed_message_is_named_in_the_log_and_changes_nothing(hub, table, leaf, payload, caplog):
    adopt(hub, table)

    hub.say(hub.topic(leaf), payload)
    table.press(1)

    until(lambda: seqs(hub) == [1])
    until(lambda: f"{hub.topic(leaf)} is ignored, it cannot be read" in caplog.text)


def test_a_snapshot_goes_out_when_the_hub_comes_and_when_it_asks(hub, table):
    table.press(1)
    until(lambda: table.waiting == 1)
    adopt(hub, table)
    first = hub.wait("up/snap")
    table.press(1)
    until(lambda: set(seqs(hub)) == {1, 2})

    hub.say(hub.topic("dn/resync"), wire.Resync(1, 0, snap=True))

    until(lambda: len(hub.all("up/snap")) >= 2)
    assert (first.ep, first.hand, len(first.view.seats)) == (1, 1, 6)
    assert hub.all("up/snap")[-1].seq == 2


def test_heartbeat_and_depth_of_the_outbox_are_told(hub, table, monkeypatch):
    monkeypatch.setattr(reports, "TELEMETRY_S", 0.1)
    table.press(2)
    adopt(hub, table)

    told = hub.wait("up/tele", lambda t: t.outbox == 2)

    assert (told.boot, told.err) == (1, -1)


def test_a_broker_that_dies_and_comes_back_costs_nothing(hub, table, running, caplog):
    caplog.set_level(logging.CRITICAL)
    adopt(hub, table)
    table.press(2)
    until(lambda: set(seqs(hub)) == {1, 2})

    running.kill()
    table.press(2)
    running.restart()
    until(lambda: hub.link.up)
    hub.ready()

    until(lambda: seqs(hub)[-4:] == [1, 2, 3, 4], 10.0)


def test_batches_keep_order_number_and_size():
    rows = [(seq, b"x" * 1000) for seq in range(1, 60)]

    cut = list(batches(rows, wire.MAX_BATCH))

    assert [row for batch in cut for row in batch] == rows
    assert max(len(batch) for batch in cut) <= wire.MAX_BATCH
    assert max(sum(len(row) for _, row in batch) for batch in cut) <= wire.MAX_BATCH_BYTES
    assert [len(batch) for batch in batches(rows, 1)] == [1] * 59
    assert list(batches([], 32)) == []
