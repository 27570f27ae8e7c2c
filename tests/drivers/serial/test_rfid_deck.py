"""A tagged deck in the shoe: presence by answers, strangers, two at once, decks that take turns."""

import pytest

from drivers.pn532 import frame, tags_answer
from drivers.pn532_sim import RfidShoeSim
from drivers.rfid_deck import RfidDeck
from drivers.seen import CardOut, ErrorKind, InputDown, InputUp, ShoeError
from drivers.shoe import Shoe
from drivers.shoe_codec import NewDeck
from tests.heard import Heard
from tests.waiting import until

ACE, TEN, FOREIGN, STRANGER = "04AA0000000001", "04AA0000000002", "04BB0000000001", "08DEC0DE"
FIND = {ACE: ("D1", "Ah"), TEN: ("D1", "Td"), FOREIGN: ("D2", "Ah")}.get


class Mouth:
    """The codec, set up, with its antenna empty unless `lying`."""

    def __init__(self, lying=()):
        self.codec = RfidDeck(FIND)
        self.codec.opened(0.0)
        for answer in (b"\xd5\x15", b"\xd5\x33", tags_answer(lying)):
            self.codec.feed(frame(answer), 0.0)

    def sees(self, *answers):
        """What is told when the chip answers with these tags, one answer after another."""
        return [told for tags in answers for told in self.codec.feed(frame(tags_answer(tags)), 0.0)]

    def cards(self, *answers):
        return [record.card for record in self.sees(*answers) if isinstance(record, CardOut)]


NOTHING = ()
GONE = (NOTHING, NOTHING, NOTHING)


def test_a_tag_that_comes_into_the_field_is_one_card_however_long_it_stays():
    assert Mouth().sees((ACE,), (ACE,), (ACE,), NOTHING, (TEN,), (TEN,)) == [
        CardOut(1, "Ah", "X", 99), CardOut(2, "Td", "X", 99),
    ]  # fmt: skip


def test_two_missed_answers_do_not_make_a_second_card_and_three_do():
    mouth = Mouth()

    assert mouth.sees((ACE,), (ACE,), NOTHING, NOTHING, (ACE,), (ACE,)) == [CardOut(1, "Ah", "X", 99)]
    assert mouth.sees(*GONE, (ACE,), (ACE,)) == [ShoeError("09", on=True), CardOut(2, "Ah", "X", 99)]


def test_a_tag_at_the_edge_of_the_field_is_seen_twice_with_a_miss_between():
    assert Mouth().cards((ACE,), NOTHING, (ACE,)) == ["Ah"]


def test_a_known_card_that_was_seen_once_left_unknown():
    assert Mouth().sees((ACE,), *GONE) == [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]


def test_a_card_seen_once_keeps_its_place_before_the_next_and_is_not_told_again():
    assert Mouth().cards((ACE,), (TEN,), (TEN,), (ACE,), (ACE,)) == ["??", "Td"]


def test_what_lies_there_when_the_line_is_opened_left_before():
    assert Mouth(lying=(ACE,)).cards((ACE,), (ACE, TEN), (TEN,)) == ["Td"]


def test_a_number_that_no_deck_has_counts_when_it_was_read_twice():
    assert Mouth().sees((STRANGER,), *GONE, (STRANGER,), *GONE) == []
    assert Mouth().sees((STRANGER,), (STRANGER,)) == [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]


def test_a_card_of_another_registered_deck_left_unknown_and_is_told_as_such():
    mouth = Mouth()
    mouth.sees((ACE,), (ACE,))

    assert mouth.sees((FOREIGN,), (FOREIGN,)) == [ShoeError("06", on=True), CardOut(2, "??", "X", 0)]


def test_with_a_new_deck_the_other_one_may_be_in_play():
    mouth = Mouth()
    mouth.sees((ACE,), (ACE,))
    mouth.codec.encode(NewDeck("H2"))

    assert mouth.sees((FOREIGN,), (FOREIGN,)) == [CardOut(1, "Ah", "X", 99)]


def test_two_cards_at_once_are_two_unknown_ones_for_nobody_saw_which_was_first():
    told = Mouth().sees((ACE, TEN), (ACE, TEN))

    assert [record.card for record in told if isinstance(record, CardOut)] == ["??", "??"]
    assert ShoeError("02", on=True) in told


def test_a_second_tag_beside_one_that_is_known_is_a_card_of_its_own():
    assert Mouth().cards((ACE,), (ACE, TEN), (ACE, TEN)) == ["Ah", "Td"]


class TestLine:
    @pytest.fixture
    def heard(self):
        return Heard()

    @pytest.fixture
    def sim(self, tmp_path):
        sim = RfidShoeSim(tmp_path / "by-id-shoe", {"Ah": ACE, "Td": TEN})
        sim.start()
        yield sim
        sim.stop()

    @pytest.fixture
    def shoe(self, sim, tmp_path, heard):
        shoe = Shoe(str(tmp_path / "by-id-shoe"), RfidDeck(FIND), heard)
        shoe.start()
        until(lambda: heard.all(InputUp))
        yield shoe
        shoe.stop()

    def test_two_cards_that_pass_together_are_told(self, sim, shoe, heard):
        sim.pass_by((ACE, TEN))
        until(lambda: len(heard.all(CardOut)) == 2)

        assert ShoeError("02", on=True) in heard.all(ShoeError)

    def test_a_chip_that_hangs_is_a_shoe_that_is_lost(self, sim, shoe, heard):
        sim.stall()
        until(lambda: heard.all(InputDown), timeout_s=5.0)

        assert heard.all(InputDown)[0].kind is ErrorKind.SILENT
        assert not shoe.lock(locked=True)
