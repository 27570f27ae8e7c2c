"""Angel Eye II-EX: the worked report byte by byte, its copies, its errors, and what damage does to it."""

import pytest

from drivers.angel_eye import AngelEye, bcc, card_data, card_in, report
from drivers.seen import CardOut, CardsLost, CutCard, ShoeError
from drivers.shoe_codec import CARDS

ACE_OF_HEARTS = bytes.fromhex("05 31 44 80 c1 03 33 37")


@pytest.fixture
def codec():
    codec = AngelEye()
    codec.opened(0.0)
    return codec


def heard(codec, *data, seq=1):
    """What is told of these reports, each with the next number."""
    return [told for i, each in enumerate(data) for told in codec.feed(report(str((seq + i) % 10), each), 0.0)]


def test_the_worked_report_is_written_and_read_as_described(codec):
    assert report("1", card_data("Ah")) == ACE_OF_HEARTS
    assert bcc(ACE_OF_HEARTS[1:-2]) == 0x37
    assert codec.feed(ACE_OF_HEARTS, 0.0) == [CardOut(1, "Ah", "X", 99)]
    assert codec.to_send(9.0) == b""


def test_the_worked_command_of_a_host_is_a_frame_and_no_noise(codec):
    assert codec.feed(bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42"), 0.0) == []
    assert codec.noise == 0


@pytest.mark.parametrize("card", sorted(CARDS))
def test_every_card_is_written_and_read(card):
    assert card_in(card_data(card, b"d", target=7, index=15)) == card


@pytest.mark.parametrize(
    "data", [b"D", b"D\x80", b"D\x80\x80", b"D\x80\xd1", b"D\x80\xce", b"D\x80\x41", b"D\x80\xc1\x80"]
)
def test_a_card_whose_bytes_name_none_left_unknown(codec, data):
    assert heard(codec, data) == [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]


def test_three_copies_are_one_card_and_the_next_number_another(codec):
    copies = 3 * ACE_OF_HEARTS + 3 * report("2", card_data("Td"))

    assert codec.feed(copies, 0.0) == [CardOut(1, "Ah", "X", 99), CardOut(2, "Td", "X", 99)]


def test_a_number_that_comes_round_again_is_a_new_report(codec):
    codec.feed(ACE_OF_HEARTS, 0.0)

    assert codec.feed(report("1", card_data("Td")), 2.5) == [CardOut(2, "Td", "X", 99)]


def test_copies_that_differ_are_a_card_in_doubt(codec):
    codec.feed(ACE_OF_HEARTS, 0.0)

    assert codec.feed(report("1", card_data("Ad")), 0.2) == [CardsLost(0, 0, "copies")]
    assert codec.feed(ACE_OF_HEARTS, 0.4) == []


def test_a_wrong_bcc_is_noise_and_the_next_copy_counts(codec):
    assert codec.feed(ACE_OF_HEARTS[:-1] + b"6", 0.0) == []
    assert codec.noise == 8
    assert codec.feed(ACE_OF_HEARTS, 0.2) == [CardOut(1, "Ah", "X", 99)]


def test_a_card_sent_again_on_request_is_not_another_one(codec):
    again = b"R" + card_data("Ah")[1:]

    assert heard(codec, card_data("Ah"), again) == [CardOut(1, "Ah", "X", 99)]
    assert heard(codec, b"R" + card_data("Td")[1:], seq=3) == [CardOut(2, "Td", "X", 99)]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"C", [CutCard(0)]),
        (b"E1", [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]),
        (b"E6", [ShoeError("06", on=True), CardOut(1, "??", "X", 0)]),
        (b"E4", [ShoeError("04", on=True)]),
        (b"E05", [ShoeError("05", on=True)]),
        (b"E7", [ShoeError("07", on=True)]),
        (b"E2", []),
        (b"E3", []),
        (b"e4", []),
        (b"S", []), (b"P", []), (b"G12", []), (b"M", []), (b"L1", []), (b"z", []),
    ],
)  # fmt: skip
def test_what_else_a_shoe_reports(codec, data, told):
    assert heard(codec, data) == told


def test_an_error_that_ends(codec):
    assert heard(codec, b"E4", b"e4") == [ShoeError("04", on=True), ShoeError("04", on=False)]
    assert heard(codec, b"E5", b"e", seq=3) == [ShoeError("05", on=True), ShoeError("05", on=False)]


@pytest.mark.parametrize(("code", "why"), [("02", "BCC"), ("21", "busy"), ("99", "unknown")])
def test_a_refusal_to_some_other_host_is_understood_and_told_to_nobody(codec, code, why):
    assert codec.feed(b"\x15" + code.encode() + b"\x06", 0.0) == []
    assert codec.refused == why
    assert codec.noise == 0
