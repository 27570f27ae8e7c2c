"""The host's side of OSP/1: each event once and in order, and never a card that nobody saw. Time is an argument."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.osp1 import FINGERPRINTS, Ledger, Osp1, following, frame
from drivers.osp1_sim import Osp1Device
from drivers.seen import CardBack, CardOut, CardsLost, CutCard, ShoeDoor, ShoeError, ShoeShuffled
from drivers.shoe_codec import Lock, NewDeck

BOOT = "5F3A91C2"
ACE = CardOut(1, "Ah", "D", 99, seq=1, boot=BOOT)
TEN = CardOut(2, "Td", "D", 97, seq=2, boot=BOOT)
UNREAD = CardOut(3, "??", "X", 0, seq=3, boot=BOOT)
BOXED = CardOut(4, "7s", "U", 99, seq=4, boot=BOOT)

HELLO = frame(f"HI,0000,1,ACME,SH-100,1.4.2,0007A31C,{BOOT}")
CD1 = frame("CD,0001,001,Ah,D,99")
CD2 = frame("CD,0002,002,Td,D,97")
CD3 = frame("CD,0003,003,??,X,00")
CD4 = frame("CD,0004,004,7s,U,99")


def heartbeat(seq, n=0, uptime_ms=1000):
    return frame(f"HB,{seq:04X},{uptime_ms:010d},{n:03d},OK")


def card(seq, n=None, face="D", name="Ah"):
    return frame(f"CD,{seq:04X},{seq if n is None else n:03d},{name},{face},99")


def fresh(last=None, *, heard=None):
    """A codec with nothing left to send; the shoe has said who it is and, if it is new, that nothing happened yet."""
    codec = Osp1(Ledger.after(last))
    assert codec.opened(0.0) == frame("ID,0000")
    if heard is None:
        heard = HELLO + heartbeat(last[1] if last else 0, uptime_ms=0)
    assert codec.feed(heard, 0.0) == []
    codec.to_send(0.0)
    return codec


FIELD = st.one_of(
    st.sampled_from(["", "1", "001", "9" * 40, "Ah", "??", "D", "U", "O", "C", "RDY", "S", BOOT, "FFFF", "0000"]),
    st.text("0123456789ABCDEFx-. ", max_size=12),
)
KINDS = ["HI", "CD", "RV", "CU", "DR", "LK", "SF", "ER", "HB", "AK", "NK", "RP", "ID", "PI", "ND", "??", ""]
BODY = st.builds(
    lambda kind, seq, fields: ",".join([kind, seq, *fields])[:96],
    st.sampled_from(KINDS),
    st.one_of(st.integers(0, 0xFFFF).map("{:04X}".format), st.sampled_from(["0001", "0002", "", "xyz"])),
    st.lists(FIELD, max_size=7),
).filter(bool)


@given(bodies=st.lists(BODY, max_size=40))
def test_whatever_stands_in_a_good_frame_neither_side_stumbles_and_every_report_can_be_stored(bodies):
    codec, shoe = fresh(), Osp1Device(0.0)
    for now_s, body in enumerate(bodies):
        for report in codec.feed(frame(body), now_s) + codec.tick(now_s):
            assert msgspec.json.decode(msgspec.json.encode(report), type=type(report)) == report
        codec.to_send(now_s)
        shoe.received(frame(body), now_s)


class TestReports:
    def test_the_worked_cards(self):
        assert fresh().feed(CD1 + CD2 + CD3 + CD4, 0.1) == [ACE, TEN, UNREAD, BOXED]

    @pytest.mark.parametrize(
        ("body", "report"),
        [
            ("RV,0001,004", CardBack(4, seq=1, boot=BOOT)),
            ("CU,0001,210", CutCard(210, seq=1, boot=BOOT)),
            ("DR,0001,O", ShoeDoor(True, seq=1, boot=BOOT)),
            ("DR,0001,C", ShoeDoor(False, seq=1, boot=BOOT)),
            ("SF,0001,SHUF,052", ShoeShuffled("SHUF", 52, seq=1, boot=BOOT)),
            ("ER,0001,03,S", ShoeError("03", True, seq=1, boot=BOOT)),
            ("ER,0001,03,C", ShoeError("03", False, seq=1, boot=BOOT)),
        ],
    )
    def test_every_other_event(self, body, report):
        assert fresh().feed(frame(body), 0.1) == [report]

    @pytest.mark.parametrize("body", ["CD,0001,001,1h,D,99", "CD,0001,001,Ah,Z,99", "CD,0001,xx,Ah,D,99", "CD,0001"])
    def test_a_card_that_makes_no_sense_still_takes_its_place_with_an_unknown_face(self, body):
        assert fresh().feed(frame(body), 0.1) == [CardOut(1, "??", "X", 0, seq=1, boot=BOOT)]

    def test_an_event_of_a_later_version_takes_its_number(self):
        codec = fresh()

        assert codec.feed(frame("ZZ,0001,whatever") + card(2), 0.1) == [CardOut(2, "Ah", "D", 99, seq=2, boot=BOOT)]
        codec.commit(2, BOOT)
        assert codec.to_send(0.1) == frame("AK,0002")

    def test_an_event_of_a_later_version_is_acknowledged_by_itself(self):
        codec = fresh()

        assert codec.feed(frame("ZZ,0001,whatever"), 0.1) == []
        assert codec.to_send(0.1) == frame("AK,0001")

    def test_our_own_frames_echoed_by_the_line_are_noise(self):
        codec = fresh()

        assert codec.feed(frame("AK,0001") + frame("RP,0001") + CD1, 0.1) == [ACE]
        assert codec.reader.noise > 0


class TestAcknowledgement:
    def test_nothing_is_acknowledged_before_it_is_stored(self):
        codec = fresh()
        codec.feed(CD1 + CD2, 0.1)

        assert codec.to_send(0.1) == b""

    def test_it_is_cumulative(self):
        codec = fresh()
        codec.feed(CD1 + CD2 + CD3, 0.1)
        codec.commit(2, BOOT)

        assert codec.to_send(0.2) == frame("AK,0002")

    def test_a_repeated_event_is_dropped_and_acknowledged_again_once_stored(self):
        codec = fresh()
        codec.feed(CD1, 0.1)

        assert codec.feed(CD1, 0.2) == []
        assert codec.to_send(0.2) == b""
        codec.commit(1, BOOT)
        assert codec.to_send(0.3) == frame("AK,0001")
        assert codec.feed(CD1, 0.4) == []
        assert codec.to_send(0.4) == frame("AK,0001")

    def test_what_nobody_stores_is_safe_as_soon_as_what_came_before_is(self):
        codec = fresh()
        codec.feed(CD1 + frame("LK,0002,L"), 0.1)
        codec.commit(1, BOOT)

        assert codec.to_send(0.2) == frame("AK,0002")

    @pytest.mark.parametrize(("seq", "boot"), [(9, BOOT), (0, BOOT), (1, "ANOTHER1")])
    def test_what_was_never_delivered_is_not_acknowledged(self, seq, boot):
        codec = fresh()
        codec.feed(CD1, 0.1)
        codec.commit(seq, boot)

        assert codec.to_send(0.2) == b""


class TestGaps:
    def test_a_gap_asks_for_the_first_missing_event(self):
        codec = fresh()
        codec.feed(CD1, 0.1)

        assert codec.feed(CD3, 0.2) == []
        assert codec.to_send(0.2) == frame("RP,0002")
        assert codec.feed(CD2 + CD3, 0.3) == [TEN, UNREAD]

    def test_it_asks_again_every_half_second(self):
        codec = fresh()
        codec.feed(CD2, 0.0)

        asked = [t / 10 for t in range(20) if codec.tick(t / 10) == [] and codec.to_send(t / 10) == frame("RP,0001")]

        assert asked == [0.0, 0.5, 1.0, 1.5]

    def test_events_swapped_on_the_way_come_in_order(self):
        codec = fresh()

        assert codec.feed(CD2 + CD1, 0.1) == [ACE]
        assert codec.to_send(0.1) == frame("RP,0002")
        assert codec.feed(CD2, 0.2) == [TEN]
        assert codec.tick(5.0) == []

    def test_a_gap_that_is_not_filled_in_two_seconds_is_lost_cards_and_the_next_one_is_asked_for(self):
        codec = fresh()
        codec.feed(CD1 + CD4, 0.1)
        codec.to_send(0.1)

        assert codec.tick(2.0) == []
        assert codec.tick(2.1) == [CardsLost(2, 3, "gap", seq=3, boot=BOOT)]
        assert codec.to_send(2.1) == frame("RP,0004")
        assert codec.feed(CD4, 2.2) == [BOXED]
        assert codec.tick(9.0) == []

    def test_lost_cards_can_be_stored_and_acknowledged_like_others(self):
        codec = fresh()
        codec.feed(CD2, 0.0)
        lost = codec.tick(2.0)
        codec.commit(lost[0].seq, lost[0].boot)

        assert lost == [CardsLost(1, 1, "gap", seq=1, boot=BOOT)]
        assert frame("AK,0001") in codec.to_send(2.1)

    def test_a_heartbeat_ahead_of_us_is_a_lost_event_although_no_gap_was_seen(self):
        codec = fresh()
        codec.feed(CD1, 0.1)

        assert codec.feed(heartbeat(2, n=2), 0.2) == []
        assert codec.to_send(0.2) == frame("RP,0002")
        assert codec.tick(2.3) == [CardsLost(2, 2, "gap", seq=2, boot=BOOT)]

    def test_each_event_that_comes_gives_the_rest_two_seconds_more(self):
        codec = fresh()
        codec.feed(heartbeat(3), 0.0)

        assert codec.feed(CD1, 1.9) == [ACE]
        assert codec.tick(3.8) == []
        assert codec.feed(CD2 + CD3, 3.85) == [TEN, UNREAD]
        assert codec.tick(9.0) == []


class TestWrap:
    def test_ffff_is_followed_by_0001(self):
        codec = fresh((BOOT, 0xFFFD))
        sent = b"".join(card(seq, n) for n, seq in enumerate((0xFFFE, 0xFFFF, 1, 2), start=1))

        assert [report.seq for report in codec.feed(sent, 0.1) if isinstance(report, CardOut)] == [0xFFFE, 0xFFFF, 1, 2]

    def test_a_gap_across_the_wrap_is_filled(self):
        codec = fresh((BOOT, 0xFFFE))

        assert codec.feed(card(1, 2, name="Td"), 0.1) == []
        assert codec.to_send(0.1) == frame("RP,FFFF")
        assert len(codec.feed(card(0xFFFF, 1) + card(1, 2, name="Td"), 0.2)) == 2

    def test_an_acknowledgement_across_the_wrap(self):
        codec = fresh((BOOT, 0xFFFE))
        codec.feed(card(0xFFFF, 1) + card(1, 2, name="Td"), 0.1)
        codec.commit(1, BOOT)

        assert codec.to_send(0.2) == frame("AK,0001")

    def test_a_whole_turn_of_the_ring_loses_and_doubles_nothing(self):
        codec, seq, got = fresh(), 0, 0
        for _ in range(70_000):
            seq = following(seq)
            got += len(codec.feed(frame(f"CU,{seq:04X},001"), 0.1))
            codec.commit(seq, BOOT)

        assert got == 70_000
        assert len(codec.ledger.fingerprints) == FINGERPRINTS


class TestIdentity:
    def test_nothing_is_accepted_before_the_shoe_said_who_it_is(self):
        codec = fresh(heard=b"")

        assert codec.feed(CD1 + heartbeat(1), 0.1) == []
        assert not codec.alive
        assert codec.feed(HELLO + CD1, 0.2) == [ACE]
        assert codec.alive

    def test_it_is_asked_every_half_second(self):
        codec = fresh(heard=b"")

        asked = [t / 10 for t in range(1, 21) if codec.to_send(t / 10) == frame("ID,0000")]

        assert asked == [0.5, 1.0, 1.5, 2.0]

    def test_another_version_of_the_protocol_is_not_spoken(self):
        codec = fresh(heard=b"")

        assert codec.feed(HELLO.replace(b",1,ACME", b",2,ACME") + frame(f"HI,0000,2,A,B,C,D,{BOOT}") + CD1, 0.1) == []
        assert not codec.alive

    def test_a_host_that_starts_again_goes_on_behind_what_it_stored(self):
        codec = Osp1(Ledger.after((BOOT, 2)))
        codec.feed(HELLO, 0.0)

        assert codec.to_send(0.0) == frame("RP,0003")
        assert codec.feed(CD1 + CD2 + CD3, 0.1) == [UNREAD]
        assert codec.to_send(0.1) == frame("AK,0002")

    def test_a_shoe_that_counts_on_over_its_restart_has_lost_nothing(self):
        codec = fresh()
        codec.feed(CD1 + CD2, 0.1)
        again = frame("HI,0000,1,ACME,SH-100,1.4.2,0007A31C,00000002")

        assert codec.feed(again, 0.2) == []
        assert codec.feed(card(1, n=3, name="7s"), 0.3) == [CardOut(3, "7s", "D", 99, seq=1, boot="00000002")]

    def test_a_shoe_that_shows_the_same_count_in_its_heartbeat_has_lost_nothing(self):
        codec = fresh()
        codec.feed(CD1 + CD2 + frame("HI,0000,1,A,B,C,D,00000002"), 0.1)

        assert codec.feed(heartbeat(0, n=2), 0.2) == []

    @pytest.mark.parametrize("first", [card(1, n=1, name="7s"), heartbeat(0, n=0), frame("SF,0001,RDY,052")])
    def test_a_shoe_that_has_lost_count_has_lost_cards(self, first):
        codec = fresh()
        codec.feed(CD1 + CD2 + frame("HI,0000,1,A,B,C,D,00000002"), 0.1)

        assert codec.feed(first, 0.2)[0] == CardsLost(0, 0, "restart", boot="00000002")

    def test_a_restart_while_we_were_away_is_lost_cards_for_the_count_is_not_known(self):
        codec = Osp1(Ledger.after(("0LD", 7)))

        assert codec.feed(HELLO, 0.0) == [CardsLost(0, 0, "restart", boot=BOOT)]
        assert codec.feed(CD1, 0.1) == [ACE]

    @pytest.mark.parametrize(
        "sign",
        [card(1, n=3, name="7s"), heartbeat(0, n=2, uptime_ms=99), heartbeat(2, n=2, uptime_ms=99)],
        ids=["a number again with another card", "a heartbeat behind us", "an uptime that went back"],
    )
    def test_a_restart_whose_greeting_was_lost_is_noticed_and_no_card_is_acknowledged(self, sign):
        codec = fresh()
        codec.feed(CD1 + CD2 + heartbeat(2, n=2, uptime_ms=50_000), 0.1)
        codec.commit(2, BOOT)
        codec.to_send(0.1)

        assert codec.feed(sign, 0.2) == []
        assert codec.to_send(0.2) == frame("ID,0000")
        assert codec.feed(frame("HI,0000,1,A,B,C,D,00000002"), 0.3) == []
        assert codec.to_send(0.3) == frame("RP,0001")
        assert codec.feed(card(1, n=3, name="7s"), 0.4) == [CardOut(3, "7s", "D", 99, seq=1, boot="00000002")]


class TestFirstContact:
    def test_a_shoe_that_has_been_running_begins_at_the_oldest_event_it_re_sends(self):
        codec = fresh(heard=HELLO)

        assert codec.feed(heartbeat(9) + card(8) + card(7) + card(9), 0.1) == []
        assert codec.tick(0.7) == []
        assert codec.to_send(0.7) == frame("RP,0007")
        reports = codec.feed(card(7) + card(8, name="Td") + card(9, name="7s"), 0.8)
        assert [report.seq for report in reports] == [7, 8, 9]

    def test_a_shoe_that_re_sends_nothing_begins_behind_its_heartbeat(self):
        codec = fresh(heard=HELLO)
        codec.feed(heartbeat(9), 0.1)
        codec.tick(0.7)

        assert codec.feed(card(9), 0.8) == []
        assert [report.seq for report in codec.feed(card(10), 0.9)] == [10]


class TestDeck:
    def test_the_same_card_twice_is_told_before_the_second_one(self):
        codec = fresh()
        again = CardOut(2, "Ah", "D", 99, seq=2, boot=BOOT)

        assert codec.feed(CD1 + card(2), 0.1) == [ACE, ShoeError("09", True), again]

    def test_unread_cards_are_not_the_same_card(self):
        assert len(fresh().feed(card(1, name="??") + card(2, name="??"), 0.1)) == 2

    def test_a_card_that_was_pushed_back_may_come_again(self):
        assert len(fresh().feed(CD1 + frame("RV,0002,001") + card(3, n=1), 0.1)) == 3

    def test_a_new_deck_from_the_shuffler_may_hold_the_card_again(self):
        assert len(fresh().feed(CD1 + frame("SF,0002,RDY,052") + card(3, n=1), 0.1)) == 3

    def test_a_new_deck_that_the_host_declares_may_hold_the_card_again(self):
        codec = fresh()
        codec.feed(CD1, 0.1)

        assert codec.encode(NewDeck("D0017")) == frame("ND,0000,D0017")
        assert len(codec.feed(card(2), 0.3)) == 1

    @pytest.mark.parametrize("name", ["", "a,b", "x" * 33, "a$"])
    def test_a_deck_whose_name_would_not_fit_the_frame(self, name):
        with pytest.raises(ValueError, match="not a deck's name"):
            fresh().encode(NewDeck(name))

    def test_the_shoe_can_be_locked(self):
        assert fresh().encode(Lock(locked=True)) == frame("LK,0000,L")
        assert fresh().encode(Lock(locked=False)) == frame("LK,0000,U")


class TestHeartbeat:
    def test_a_shoe_that_is_silent_for_three_seconds_is_not_there_until_it_is_heard_again(self):
        codec = fresh()
        codec.tick(3.0)

        assert codec.alive
        codec.tick(3.1)
        assert not codec.alive
        codec.feed(heartbeat(0), 3.2)
        assert codec.alive

    def test_noise_is_no_heartbeat_and_is_told_apart_from_silence(self):
        codec = fresh()
        for t in range(40):
            codec.feed(b"\x00\xff", t / 10)
            codec.tick(t / 10)

        assert not codec.alive
        assert codec.noise_since_heard == 80
