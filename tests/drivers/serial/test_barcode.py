"""Barcode lines: cards, codes, no-reads, strangers, and a table of codes that is checked."""

import pytest

from drivers.barcode import Barcode, CodesError, read_codes
from drivers.seen import CardOut, ShoeError
from drivers.shoe_codec import CARDS

CODES = {f"00{number:05d}": card for number, card in enumerate(sorted(CARDS), 10)}


def opened(codes=None):
    codec = Barcode(codes)
    codec.opened(0.0)
    return codec


@pytest.mark.parametrize("line", [b"Ah\r\n", b"AH\r", b"ah\n", b"\x02hA\r\n", b" Ah \r\n", b"\r\n\r\nAh\r"])
def test_a_line_is_a_card_however_it_ends(line):
    codec = opened()

    assert codec.feed(line, 0.0) == [CardOut(1, "Ah", "X", 99)]
    assert codec.noise == 0


@pytest.mark.parametrize("line", [b"NOREAD\r", b"noread\r\n", b"??\r", b"\x02NG\r"])
def test_a_card_that_the_scanner_could_not_read_left_unknown(line):
    assert opened().feed(line, 0.0) == [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]


def test_a_code_that_is_no_card_s_does_not_belong_here():
    assert opened().feed(b"4006381333931\r", 0.0) == [ShoeError("06", on=True), CardOut(1, "??", "X", 0)]


def test_codes_are_read_by_their_table_and_a_card_s_text_is_then_a_stranger():
    codec = opened(CODES)
    code = next(code for code, card in CODES.items() if card == "Td")

    assert codec.feed(code.encode() + b"\r", 0.0) == [CardOut(1, "Td", "X", 99)]
    assert codec.feed(b"Td\r", 0.0)[0] == ShoeError("06", on=True)


def test_noise_that_runs_into_a_line_costs_it_unless_the_scanner_sends_an_stx():
    assert opened().feed(b"\xff\x80Ah\r", 0.0) == []
    assert opened().feed(b"\xff\x80\x02Ah\r", 0.0) == [CardOut(1, "Ah", "X", 99)]


def test_a_line_that_does_not_end_is_noise_to_its_end():
    codec = opened()

    assert codec.feed(b"A" * 100, 0.0) == []
    assert codec.feed(b"h\rTd\r", 0.0) == [CardOut(1, "Td", "X", 99)]


class TestCodes:
    def written(self, tmp_path, text):
        path = tmp_path / "codes.csv"
        path.write_text(text)
        return path

    def test_a_whole_deck_is_read(self, tmp_path):
        text = "# our cards\n\n" + "".join(f"{code},{card}\n" for code, card in CODES.items())

        assert read_codes(self.written(tmp_path, text)) == CODES

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("0010021,Ah\n", "no code for"),
            ("0010021\n", "code,card"),
            ("0010021,Zz\n", "code,card"),
            ("0010021,Ah\n0010021,Ad\n", "twice"),
        ],
    )
    def test_a_table_that_is_wrong_is_refused_with_its_line(self, tmp_path, text, says):
        with pytest.raises(CodesError, match=says):
            read_codes(self.written(tmp_path, text))
