"""PN532 over UART: frames byte by byte, the conversation by the clock, and a chip that sleeps, hangs and damages."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.badge import BadgeReader
from drivers.pn532 import ACK, FrameReader, Pn532, Pn532Badges, frame, tags_answer, tags_in
from drivers.pn532_sim import Pn532Sim
from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp
from tests.heard import Heard
from tests.waiting import until

SAM = bytes.fromhex("55 55 0000000000000000000000000000 0000ff03fdd414011700")
RETRIES = frame(bytes.fromhex("d432 05 ff 01 01"))
LIST = bytes.fromhex("0000ff04fcd44a0100e100")
ANSWER = bytes.fromhex("0000ff0cf4d54b010100040804 04a1b2c3 b400")
EMPTY = frame(b"\xd5\x4b\x00")
MARTA, LUIGI = "04A1B2C3", "04112233445566"


def chip(most=1, every_s=0.1):
    """A conversation that is set up, at time 0: the first list is asked for."""
    chip = Pn532(every_s=every_s, most=most)
    assert chip.to_send(0.0) == SAM
    assert chip.feed(ACK + frame(b"\xd5\x15"), 0.0) == []
    assert chip.to_send(0.0) == RETRIES
    assert chip.feed(ACK + frame(b"\xd5\x33"), 0.0) == []
    chip.to_send(0.0)
    return chip


class TestFrames:
    def test_the_worked_frames_are_written_as_in_the_manual(self):
        assert frame(bytes.fromhex("d44a0100")) == LIST
        assert frame(tags_answer((MARTA,))) == ANSWER

    def test_the_worked_answer_names_its_tag(self):
        assert [tags_in(content) for content in FrameReader().feed(ANSWER)] == [(MARTA,)]

    def test_two_tags_a_long_one_and_one_with_an_answer_to_select(self):
        content = bytes.fromhex("d54b02 01 0344 20 07 04112233445566 06 7577810280 02 0004 08 04 04a1b2c3")

        assert tags_in(content) == (LUIGI, MARTA)

    @pytest.mark.parametrize("cut", range(3, 12))
    def test_an_answer_that_is_cut_short_names_none(self, cut):
        assert tags_in(tags_answer((MARTA,))[:cut]) is None

    @pytest.mark.parametrize("content", ["", "d515", "d54b03", "d54b01 01 0004 08 03 010203"])
    def test_what_is_no_list_names_none(self, content):
        assert tags_in(bytes.fromhex(content)) is None

    @given(step=st.integers(1, 40))
    def test_every_chunking_gives_the_same_tags(self, step):
        stream, reader = ACK + ACK.join([ANSWER] * 5), FrameReader()
        heard = [content for i in range(0, len(stream), step) for content in reader.feed(stream[i : i + step])]

        assert [tags_in(content) for content in heard if content] == [(MARTA,)] * 5
        assert reader.noise == 0

    def test_an_acknowledgement_is_an_empty_frame(self):
        assert FrameReader().feed(ACK) == [b""]

    @pytest.mark.parametrize("at", range(2, 18))
    def test_one_wrong_byte_is_no_frame_and_the_next_frame_is_read(self, at):
        wrong = bytearray(ANSWER)
        wrong[at] ^= 0x10
        reader = FrameReader()
        good = [tags_in(content) for content in reader.feed(bytes(wrong) + bytes(120) + ANSWER) if content]

        assert good == [(MARTA,)]
        assert reader.noise > 0

    def test_a_megabyte_of_random_bytes_raises_nothing_and_holds_less_than_two_frames(self):
        random, reader = Random(5), FrameReader()
        for _ in range(256):
            reader.feed(random.randbytes(4096))

            assert len(reader._rest) < 200
        assert [tags_in(content) for content in reader.feed(bytes(200) + ANSWER) if content] == [(MARTA,)]

    @pytest.mark.parametrize("most", [0, 3])
    def test_the_chip_lists_one_tag_or_two(self, most):
        with pytest.raises(ValueError, match="one or two"):
            Pn532(every_s=0.1, most=most)


class TestConversation:
    def test_a_chip_is_woken_set_up_and_asked(self):
        conversation = Pn532(every_s=0.1)
        conversation.to_send(0.0)
        conversation.feed(frame(b"\xd5\x15"), 0.0)
        conversation.to_send(0.0)
        conversation.feed(frame(b"\xd5\x33"), 0.0)

        assert conversation.to_send(0.0) == LIST
        assert not conversation.alive
        assert conversation.feed(ANSWER, 0.01) == [(MARTA,)]
        assert conversation.alive

    def test_it_is_asked_again_after_the_interval_and_not_before_it_answered(self):
        conversation = chip()

        assert conversation.to_send(0.5) == b""
        conversation.feed(EMPTY, 0.5)
        assert conversation.to_send(0.5) == LIST
        conversation.feed(EMPTY, 0.51)
        assert conversation.to_send(0.55) == b""
        assert conversation.to_send(0.61) == LIST

    def test_two_tags_are_asked_for_where_two_are_wanted(self):
        conversation = chip(most=2)
        conversation.feed(EMPTY, 0.0)

        assert conversation.to_send(0.1) == frame(bytes.fromhex("d44a0200"))

    def test_a_chip_that_does_not_answer_is_woken_after_a_second_and_dead_after_three(self):
        conversation = chip()
        conversation.feed(EMPTY, 0.0)
        conversation.to_send(0.1)

        assert conversation.to_send(1.2) == SAM
        assert conversation.alive
        conversation.to_send(3.1)
        assert not conversation.alive

    def test_a_late_answer_to_another_question_means_nothing(self):
        conversation = chip()
        conversation.to_send(1.1)

        assert conversation.feed(ANSWER, 1.2) == []


class TestReader:
    @pytest.fixture
    def heard(self):
        return Heard()

    @pytest.fixture
    def sim(self, tmp_path):
        sim = Pn532Sim(tmp_path / "by-id-badge")
        sim.start()
        yield sim
        sim.stop()

    @pytest.fixture
    def reader(self, sim, tmp_path, heard):
        reader = BadgeReader(str(tmp_path / "by-id-badge"), Pn532Badges(), heard)
        reader.start()
        until(lambda: heard.all(InputUp))
        yield reader
        reader.stop()

    def test_a_chip_that_hangs_is_silent_after_three_seconds_and_comes_back_by_itself(self, sim, reader, heard):
        sim.stall()
        until(lambda: heard.all(InputDown), timeout_s=5.0)
        assert heard.all(InputDown)[0].kind is ErrorKind.SILENT
        sim.resume()
        until(lambda: len(heard.all(InputUp)) == 2, timeout_s=3.0)
        sim.tap(MARTA)
        until(lambda: heard.all(BadgeRead))

        assert heard.all(BadgeRead) == [BadgeRead("badge", MARTA, "iso14443a")]

    def test_a_chip_that_lost_its_power_is_woken_again(self, sim, reader, heard):
        sim.do(lambda chip: chip.power_cycle())
        sim.tap(LUIGI)
        until(lambda: heard.all(BadgeRead), timeout_s=4.0)

        assert [record.uid_hex for record in heard.all(BadgeRead)] == [LUIGI]
        assert heard.all(InputDown) == []

    @pytest.mark.parametrize("fault", ["drop", "corrupt", "duplicate", "reorder", "noise"])
    def test_a_bad_line_costs_time_and_makes_no_badge(self, sim, reader, heard, fault):
        sim.do(lambda chip: setattr(chip.faults, fault, 3))
        sim.hold(MARTA)
        until(lambda: heard.all(BadgeRead), timeout_s=6.0)

        assert [record.uid_hex for record in heard.all(BadgeRead)] == [MARTA]
