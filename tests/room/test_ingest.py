"""What the hub does with whatever a unit sends: the contract of the wire, hub's side, over real brokers."""

import json
import logging

import msgspec
import pytest

from engine import wire
from hub.records import Standing, UnitStatus
from hub.streams import Live
from tests.room.peers import TOPICS, HandUnit, action, started
from tests.waiting import until

DEEP = b'{"x":' + b"[" * 2000 + b"]" * 2000 + b"}"


def test_a_new_unit_is_seen_adopted_with_a_number_and_acknowledged(hub, unit):
    ep = unit.adopted(hub, table_no=4, book="tda", size=9, chip=25)

    unit.send(unit.event(ep, 1, started({1: "anna", 2: "bruno"}), table=4), unit.event(ep, 2, action(), table=4))

    assert unit.acked(2) == wire.Ack(ep, 2, hub.store.epoch)
    want = unit.wait("dn/want")
    assert (want.ep, want.table_no, want.book, want.size, want.chip) == (1, 4, "tda", 9, 25)
    assert [(e.envelope.seq, e.body) for e in hub.log()] == [
        (1, started({1: "anna", 2: "bruno"})), (2, action())
    ]  # fmt: skip
    assert hub.committed == hub.log()


def test_a_repeated_event_counts_once_and_is_acknowledged_again(hub, unit):
    ep = unit.adopted(hub)
    event = unit.event(ep, 1, action())

    unit.send(event)
    unit.acked(1)
    unit.heard.clear()
    unit.send(event)

    unit.acked(1)
    assert [e.envelope.seq for e in hub.log()] == [1]


def test_after_a_gap_the_hub_asks_again_and_takes_the_order_of_the_numbers(hub, unit):
    ep = unit.adopted(hub)

    unit.send(unit.event(ep, 1, action(1)))
    unit.send(unit.event(ep, 3, action(3)))
    unit.send(unit.event(ep, 4, action(4)))
    asked = unit.wait("dn/resync")
    unit.send(unit.event(ep, 2, action(2)))

    assert asked == wire.Resync(ep, 2)
    unit.acked(4)
    assert [e.body.to for e in hub.log()] == [201, 202, 203, 204]


def test_two_different_events_of_one_number_quarantine_the_unit_and_raise_an_alarm(hub, unit, caplog):
    ep = unit.adopted(hub)
    unit.send(unit.event(ep, 1, action(1)))
    unit.acked(1)

    unit.send(unit.event(ep, 1, action(9)))
    until(lambda: hub.store.register.of(unit.unit).status is UnitStatus.QUARANTINED)
    unit.send(unit.event(ep, 2, action(2)))
    unit.say(unit.topic("up/tq"), wire.TimeQuery(1, 0.0), qos=0)
    unit.wait("dn/tr")

    assert [e.envelope.seq for e in hub.log()] == [1]
    assert [(a.unit, a.what) for a in hub.store.troubles.alarms()] == [(unit.unit, "fork")]
    assert "second unit of this name" in caplog.text
    assert hub.store.troubles.kept(unit.unit)[0].reason == "event 1/1 differs from the one committed"


def test_a_quarantined_unit_that_is_adopted_again_goes_on_under_a_higher_number(hub, unit):
    ep = unit.adopted(hub)
    unit.send(unit.event(ep, 1, action(1)), unit.event(ep, 1, action(2)))
    until(lambda: hub.store.register.of(unit.unit).status is UnitStatus.QUARANTINED)

    adopt = hub.store.register.adopt(unit.unit, 1)
    unit.wait("dn/want", lambda a: a.rev == adopt.rev)
    unit.birth(adopt.ep, cfg_rev=adopt.rev)
    unit.send(unit.event(adopt.ep, 1, action(3)))

    unit.wait("dn/ack", lambda a: (a.ep, a.wm) == (adopt.ep, 1))
    assert adopt.ep > ep
    assert [(e.envelope.ep, e.body.to) for e in hub.log()] == [(ep, 201), (adopt.ep, 203)]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"{this is no JSON", "up/ev: JSON is malformed"),
        (b"\xff\xfe\x00", "up/ev: JSON is malformed"),
        (DEEP, "up/ev: nested more than 100 deep"),
        (b'{"unit":"tbl-7f3a","seq":"one"}', "up/ev: Expected `int`, got `str` - at `$.seq`"),
        (b'{"unit":"tbl-9999","ep":1,"seq":1,"kind":"action","hand":1,"hand_rev":0,"t":{"mono":1,"utc":1},"body":{}}',
         "up/ev: an event of unit 'tbl-9999' on the topic of tbl-7f3a"),
    ],
)  # fmt: skip
def test_a_payload_that_is_no_event_is_kept_with_the_reason_and_holds_nothing_up(hub, unit, payload, reason, caplog):
    ep = unit.adopted(hub)

    for _ in range(3):
        unit.send(payload)
    unit.acked(1)
    unit.send(unit.event(ep, 2, action(2)))

    unit.acked(2)
    kept = hub.store.troubles.kept(unit.unit)
    assert (kept[0].raw, kept[0].times) == (payload, 3)
    assert kept[0].reason.startswith(reason)
    assert reason in caplog.text
    assert [(e.envelope.seq, e.standing) for e in hub.log()] == [(1, Standing.POISON), (2, Standing.OK)]


@pytest.mark.parametrize("field", ["ep", "seq", "hand", "hand_rev", "boot", "mono", "utc"])
def test_a_number_that_no_database_keeps_is_malformed_and_stops_nothing(hub, unit, field):
    ep = unit.adopted(hub)
    event = json.loads(wire.encode(unit.event(ep, 1, action(1))))
    (event["t"] if field in event["t"] else event)[field] = 2**70

    unit.send(json.dumps(event).encode())
    unit.send(unit.event(ep, 1, action(1)))

    unit.acked(1)
    highest = wire.MAX_UTC if field == "utc" else wire.MAX_INT
    assert [q.reason for q in hub.store.troubles.kept(unit.unit)] == [
        f"up/ev: Expected `int` <= {highest} - at `$.{'t.' if field in event['t'] else ''}{field}`"
    ]
    assert [e.standing for e in hub.log()] == [Standing.OK]


@pytest.mark.parametrize("leaf", ["up/tele", "up/tq", "up/res", "up/snap", "up/none", "up"])
@pytest.mark.parametrize(
    "payload", [b"", b"\x00", b"[]", b"null", b'{"id":1e999}', b"[" * 4000, DEEP], ids=lambda raw: repr(raw[:16])
)
def test_whatever_a_topic_carries_the_hub_goes_on(hub, unit, leaf, payload):
    ep = unit.adopted(hub)

    unit.say(unit.topic(leaf), payload)
    unit.send(unit.event(ep, 1, action(1)))

    unit.acked(1)


def test_one_bad_event_in_a_batch_takes_no_place_of_a_good_one(hub, unit):
    ep = unit.adopted(hub)
    good = [wire.encode(unit.event(ep, seq, action(seq))) for seq in (1, 2)]

    for _ in range(5):
        unit.send(b"[" + good[0] + b',{"no":"event"},' + good[1] + b"]")
    unit.acked(1)
    unit.send(unit.event(ep, 2, action(2)))

    unit.acked(2)
    assert [(e.envelope.seq, e.standing) for e in hub.log()] == [(1, Standing.OK), (2, Standing.OK)]


def test_an_unknown_kind_is_stored_acknowledged_and_never_blocks(hub, unit):
    ep = unit.adopted(hub)

    unit.send(unit.event(ep, 1, action(), kind="card_squeezed"), unit.event(ep, 2, action(2)))

    unit.acked(2)
    assert [(e.envelope.kind, e.standing, e.body) for e in hub.log()] == [
        ("card_squeezed", Standing.UNKNOWN, None),
        ("action", Standing.OK, action(2)),
    ]


def test_unknown_fields_are_ignored(hub, unit):
    ep = unit.adopted(hub)
    event = json.loads(wire.encode(unit.event(ep, 1, action())))

    unit.send(json.dumps(event | {"mood": "tense", "body": event["body"] | {"chewing_gum": True}}).encode())

    unit.acked(1)
    assert hub.log()[0].body == action()


@pytest.mark.parametrize("body", [b'{"seat":"one"}', b"[]", b'{"seat":1,"what":"' + b"x" * wire.MAX_BYTES + b'"}'])
def test_a_body_that_does_not_fit_is_kept_raw_and_acknowledged(hub, unit, body):
    ep = unit.adopted(hub)

    unit.send(msgspec.structs.replace(unit.event(ep, 1, action()), body=msgspec.Raw(body)))

    unit.acked(1)
    assert [e.standing for e in hub.log()] == [Standing.MALFORMED]
    assert [q.reason for q in hub.store.troubles.kept()] == ["event 1: malformed"]


def test_a_retained_event_is_no_news(hub, unit, address):
    ep = unit.adopted(hub)
    event = unit.event(ep, 1, action())
    unit.say(unit.topic("up/ev"), event, retain=True)
    unit.acked(1)

    hub.restart()  # it connects anew and gets what the broker retained

    until(lambda: hub.ingest.figures.quarantined)
    assert "retained" in hub.store.troubles.kept()[0].reason
    assert [e.envelope.seq for e in hub.log()] == [1]


def test_a_message_on_a_topic_of_no_unit_is_set_aside(hub, unit, caplog):
    unit.say("bottone/1/s1/u/NOT A UNIT/up/ev", b"{}")

    until(lambda: hub.ingest.figures.quarantined)
    assert "no unit id" in caplog.text


def test_an_unreadable_birth_or_result_is_set_aside_and_the_unit_is_heard_afterwards(hub, unit):
    unit.say(unit.topic("up/state"), b"ready!")
    unit.say(unit.topic("up/res"), b'{"id":7}')
    unit.say(unit.topic("up/tele"), b"[]")

    ep = unit.adopted(hub)

    unit.send(unit.event(ep, 1, action()))
    unit.acked(1)
    assert [q.reason.split(":")[0] for q in hub.store.troubles.kept()] == ["up/state", "up/res", "up/tele"]


def test_an_event_that_names_another_table_is_kept_raw(hub, unit):
    ep = unit.adopted(hub, table_no=3)
    out = wire.Eliminated(1, "anna", 1000)

    unit.send(unit.event(ep, 1, out, table=8), unit.event(ep, 2, out, table=3))

    unit.acked(2)
    assert [e.standing for e in hub.log()] == [Standing.OTHER_TABLE, Standing.OK]
    assert [e.cursor for e in hub.store.eliminations()] == [hub.log()[1].cursor]


def test_events_from_before_a_change_of_table_still_count_for_the_old_one(hub, unit):
    ep = unit.adopted(hub, table_no=3)
    hub.store.register.adopt(unit.unit, 5)

    unit.send(unit.event(ep, 1, wire.Eliminated(1, "anna", 1000), table=3))

    unit.acked(1)
    assert [(e.player, e.table_no) for e in hub.store.eliminations()] == [("anna", 3)]


def test_a_hand_told_again_replaces_what_was_known_of_it(hub, unit):
    ep = unit.adopted(hub)
    players = {1: "anna", 2: "bruno", 3: "carla"}
    unit.send(
        unit.event(ep, 1, started(players)),
        unit.event(ep, 2, wire.Eliminated(1, "anna", 1000)),
        unit.event(ep, 3, wire.SeatChanged(3, "carla", 1000, False, "moved")),
    )
    unit.acked(3)
    before = [e.player for e in hub.store.eliminations()], [s.player for s in hub.store.seats()]

    unit.send(
        unit.event(ep, 4, started(players), rev=1),
        unit.event(ep, 5, wire.HandEnded({1: 2000, 2: 0, 3: 1000}, 0, 2, 2, 3), rev=1),
        unit.event(ep, 6, wire.Eliminated(2, "bruno", 1000), rev=1),
    )
    unit.acked(6)

    assert before == (["anna"], ["bruno"])
    assert [e.player for e in hub.store.eliminations()] == ["bruno"]
    assert hub.store.seat_changes() == []
    assert [(s.player, s.stack) for s in hub.store.seats()] == [("anna", 2000), ("carla", 1000)]
    assert hub.store.hand(unit.unit) == (1, 1)
    assert len(hub.log()) == 6


def test_an_older_revision_that_comes_late_is_kept_raw(hub, unit):
    ep = unit.adopted(hub)

    unit.send(
        unit.event(ep, 1, started({1: "anna", 2: "bruno"}), hand=7, rev=1),
        unit.event(ep, 2, wire.Eliminated(1, "anna", 1000), hand=7, rev=0),
        unit.event(ep, 3, wire.Eliminated(2, "bruno", 1000), hand=6, rev=0),
    )
    unit.acked(3)

    assert [e.standing for e in hub.log()] == [Standing.OK, Standing.OLD_HAND, Standing.OLD_HAND]
    assert hub.store.eliminations() == []


def test_an_undo_across_the_end_of_a_hand_strikes_the_hands_after_it(hub, unit):
    ep = unit.adopted(hub)
    players = {1: "anna", 2: "bruno", 3: "carla"}
    unit.send(
        unit.event(ep, 1, started(players), hand=1),
        unit.event(ep, 2, wire.Eliminated(1, "anna", 1000), hand=1),
        unit.event(ep, 3, started({2: "bruno", 3: "carla"}), hand=2),
        unit.event(ep, 4, wire.Eliminated(2, "bruno", 1000), hand=2),
        unit.event(ep, 5, started(players), hand=1, rev=1),
        unit.event(ep, 6, wire.Eliminated(3, "carla", 1000), hand=1, rev=1),
        unit.event(ep, 7, started({1: "anna", 2: "bruno"}), hand=2),
    )

    unit.acked(7)

    assert {e.standing for e in hub.log()} == {Standing.OK}
    assert [(e.hand, e.player) for e in hub.store.eliminations()] == [(1, "carla")]
    assert [s.player for s in hub.store.seats()] == ["anna", "bruno"]


def test_a_hub_that_starts_again_has_a_higher_epoch_and_goes_on_at_its_watermark(hub, unit):
    ep = unit.adopted(hub)
    unit.send(unit.event(ep, 1, action(1)))
    unit.acked(1)
    first = hub.store.epoch

    hub.restart()
    unit.wait("hub/state", lambda s: s.st == "ready" and s.hub > first)
    unit.birth(ep, last=2, acked=1, cfg_rev=1)

    unit.wait("dn/ack", lambda a: a.hub > first and a.wm == 1)
    unit.send(unit.event(ep, 1, action(1)), unit.event(ep, 2, action(2)))
    unit.acked(2)
    assert [e.envelope.seq for e in hub.log()] == [1, 2]


def test_a_hub_that_goes_says_off(hub, unit):
    unit.wait("hub/state", lambda s: s.st == "ready")

    hub.restart()

    unit.wait("hub/state", lambda s: s.st == "off")


def test_events_under_another_outbox_number_stay_with_their_unit(hub, unit):
    ep = unit.adopted(hub)
    unit.heard.clear()

    unit.send(unit.event(ep + 5, 1, action()))

    assert unit.wait("dn/want").ep == ep
    assert hub.log() == []


def test_a_unit_whose_journal_was_lost_gets_a_higher_number(hub, unit):
    ep = unit.adopted(hub)
    unit.send(unit.event(ep, 1, action(1)))
    unit.acked(1)

    unit.birth(ep=0, last=3)
    want = unit.wait("dn/want", lambda a: a.ep > ep)
    unit.birth(want.ep, last=3, cfg_rev=want.rev)
    unit.send(*(unit.event(want.ep, seq, action(seq)) for seq in (1, 2, 3)))

    unit.wait("dn/ack", lambda a: (a.ep, a.wm) == (want.ep, 3))
    assert len(hub.log()) == 4


def test_a_hub_whose_file_is_new_takes_a_unit_on_where_its_outbox_begins(hub, unit):
    unit.birth(ep=5, last=1002, acked=1000, cfg_rev=9)
    until(lambda: hub.store.register.of(unit.unit))

    adopt = hub.store.register.adopt(unit.unit, 1)
    unit.wait("dn/want", lambda a: a.rev == adopt.rev)
    unit.birth(adopt.ep, last=1002, acked=1000, cfg_rev=adopt.rev)
    unit.send(*(unit.event(adopt.ep, seq, action(seq)) for seq in (1001, 1002)))

    unit.acked(1002)
    assert adopt.ep == 6
    assert adopt.rev > 9


def test_a_hub_whose_file_was_lost_says_what_it_misses_and_goes_on(hub, unit):
    ep = unit.adopted(hub)

    unit.birth(ep, last=20, acked=15, cfg_rev=1)
    want = unit.wait("dn/want", lambda a: a.ep > ep)
    unit.birth(want.ep, last=20, acked=15, cfg_rev=want.rev)
    unit.send(*(unit.event(want.ep, seq, action(seq)) for seq in range(16, 21)))

    unit.acked(20)
    assert "events 1 to 15 went to another hub" in hub.store.troubles.alarms()[0].text
    assert len(hub.log()) == 5


@pytest.mark.parametrize("said", [{"ep": 2, "last": 1}, {"ep": 1, "last": 900}])
def test_a_card_restored_from_an_old_copy_is_an_alarm_at_its_birth(hub, unit, said):
    ep = unit.adopted(hub)
    hub.store.register.quarantine(unit.unit, "test")
    hub.store.register.adopt(unit.unit, 1)
    unit.birth(ep + 1, last=0, cfg_rev=2)
    unit.send(*(unit.event(ep + 1, seq, action(seq)) for seq in (1, 2)))
    unit.acked(2)

    unit.birth(**said, cfg_rev=2)

    until(lambda: hub.store.register.of(unit.unit).status is UnitStatus.QUARANTINED)
    assert "an old card" in hub.store.troubles.alarms()[-1].text


def test_another_unit_takes_over_the_table_and_the_old_one_may_still_deliver(hub, unit, address):
    ep = unit.adopted(hub, table_no=1)
    spare = HandUnit(address, "tbl-spare")
    try:
        spare_ep = spare.adopted(hub, table_no=1)
        spare.send(spare.event(spare_ep, 1, started({1: "anna", 2: "bruno"})))
        unit.send(unit.event(ep, 1, wire.Eliminated(3, "carla", 500)))

        spare.acked(1)
        unit.acked(1)
    finally:
        spare.close()
    assert hub.store.register.at(1).unit == "tbl-spare"
    assert hub.store.register.of(unit.unit).status is UnitStatus.RETIRED
    assert [e.player for e in hub.store.eliminations()] == ["carla"]
    assert [s.player for s in hub.store.seats()] == ["anna", "bruno"]


class TestLiveness:
    def live(self, hub, unit):
        return next((u.live for u in hub.ingest.units() if u.unit == unit.unit), None)

    def test_a_birth_makes_live_a_goodbye_off_and_a_will_lost(self, hub, unit):
        unit.birth()
        until(lambda: self.live(hub, unit) is Live.READY)

        unit.birth(st="off")
        until(lambda: self.live(hub, unit) is Live.OFF)

        unit.birth()
        unit.birth(st="lost")
        until(lambda: self.live(hub, unit) is Live.LOST)

    def test_the_late_will_of_an_earlier_boot_changes_nothing(self, hub, unit):
        unit.boot = 5
        unit.birth()
        until(lambda: self.live(hub, unit) is Live.READY)

        unit.boot = 4
        unit.birth(st="lost")
        unit.say(unit.topic("up/tq"), wire.TimeQuery(1, 0.0))
        unit.wait("dn/tr")

        assert self.live(hub, unit) is Live.READY

    def test_a_heartbeat_brings_a_lost_unit_back(self, hub, unit):
        unit.birth()
        unit.birth(st="lost")
        until(lambda: self.live(hub, unit) is Live.LOST)

        unit.say(unit.topic("up/tele"), wire.Telemetry(1, 5, 0, 1, outbox=3, oldest_ms=40))

        until(lambda: self.live(hub, unit) is Live.READY)
        assert hub.ingest.units()[0].outbox == 3

    def test_what_the_broker_retained_proves_no_life(self, hub, unit):
        unit.say(unit.topic("up/state"), wire.UnitState("ready", 1, 0, 0), retain=True)
        until(lambda: self.live(hub, unit) is Live.READY)

        hub.restart()

        until(lambda: hub.store.register.of(unit.unit) and hub.ingest.units())
        assert self.live(hub, unit) is Live.LOST


class TestCommands:
    def test_a_command_is_signed_for_its_unit_and_its_answer_is_kept(self, hub, unit):
        unit.adopted(hub)

        sent = hub.store.commands.send(unit.unit, wire.Hold(True, "balancing"), wire.Precondition(hand=7))
        command = unit.wait("dn/cmd")
        unit.say(unit.topic("up/res"), wire.Result(sent, "ok"))

        until(lambda: hub.results)
        assert (command.id, command.hub, command.when.hand) == (sent, hub.store.epoch, 7)
        assert wire.decode_command(command) == wire.Hold(True, "balancing")
        assert hub.signer.command(unit.unit, command) == command
        assert hub.store.commands.status(sent).rc == hub.results[0].rc == "ok"

    def test_without_an_answer_it_is_repeated_under_the_same_id_with_a_higher_counter(self, hub, unit):
        unit.adopted(hub)

        sent = hub.store.commands.send(unit.unit, wire.Hold(True))

        until(lambda: len(unit.all("dn/cmd")) >= 2)
        first, second = unit.all("dn/cmd")[:2]
        assert first.id == second.id == sent
        assert second.n > first.n

    def test_one_command_at_a_time_in_the_order_of_sending(self, hub, unit):
        unit.adopted(hub)

        ids = [hub.store.commands.send(unit.unit, wire.SetButton(seat)) for seat in (1, 2, 3)]
        for command in ids:
            unit.wait("dn/cmd", lambda c, command=command: c.id == command)
            unit.say(unit.topic("up/res"), wire.Result(command, "ok"))
        until(lambda: len(hub.results) == 3)

        assert list(dict.fromkeys(c.id for c in unit.all("dn/cmd"))) == ids

    def test_a_command_nobody_answers_expires_and_the_next_one_goes_out(self, hub, unit):
        unit.adopted(hub)

        late = hub.store.commands.send(unit.unit, wire.Hold(True), expires_ms=100)
        following = hub.store.commands.send(unit.unit, wire.Hold(False))

        unit.wait("dn/cmd", lambda c: c.id == following)
        assert hub.store.commands.status(late).rc == "expired"

    def test_a_hub_that_starts_again_sends_what_is_open_signed_under_its_new_epoch(self, hub, unit):
        unit.adopted(hub)
        sent = hub.store.commands.send(unit.unit, wire.Hold(True))
        first = unit.wait("dn/cmd")

        hub.restart()

        again = unit.wait("dn/cmd", lambda c: c.hub > first.hub)
        assert again.id == sent

    def test_a_command_of_a_transaction_that_fails_is_never_sent(self, hub, unit):
        unit.adopted(hub)

        with pytest.raises(TypeError), hub.store.transaction():
            assert hub.store.commands.send(unit.unit, wire.Hold(True)) / 0
        sent = hub.store.commands.send(unit.unit, wire.Hold(False))

        assert unit.wait("dn/cmd").id == sent


def test_a_time_query_is_answered_with_the_hubs_time(hub, unit):
    unit.say(unit.topic("up/tq"), wire.TimeQuery(3, 17.5), qos=0)

    reply = unit.wait("dn/tr")
    assert (reply.n, reply.t1, reply.hub) == (3, 17.5, hub.store.epoch)
    assert reply.t2 <= reply.t3 <= hub.store.now_ms()


def test_the_clock_is_retained_and_published_again_when_the_broker_has_forgotten_it(hub, unit, running, caplog):
    caplog.set_level(logging.CRITICAL)
    clock = wire.Clock(1, 3, 0, True, 0, 60_000, ())
    hub.ingest.publish_clock(clock)
    unit.wait("hub/clock")
    unit.heard.clear()

    running.kill()
    running.restart()

    assert unit.wait("hub/clock", timeout_s=10) == clock
    assert TOPICS.hub("clock") == "bottone/1/s1/hub/clock"


def test_a_snapshot_is_asked_for_and_kept(hub, unit):
    ep = unit.adopted(hub)
    from hub.following import empty_view

    hub.ingest.ask_snapshot(unit.unit)
    assert unit.wait("dn/resync").snap
    snapshot = wire.Snapshot(ep, 0, 1, 0, empty_view(9))
    unit.say(unit.topic("up/snap"), snapshot)

    until(lambda: hub.store.snapshot(unit.unit) == snapshot)
