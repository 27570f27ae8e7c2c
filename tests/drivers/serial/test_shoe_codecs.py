"""What every shoe's codec does, whatever its protocol: bytes cut anywhere, noise, broken ends, a flood of nonsense."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import angel_eye, osp1, pn532
from drivers.angel_eye import AngelEye
from drivers.barcode import Barcode
from drivers.bee_tek import BeeTek
from drivers.osp1 import Osp1
from drivers.rfid_deck import RfidDeck
from drivers.seen import CardOut, ShoeError
from drivers.shoe_codec import Caps, Lock, NewDeck, Tally, card_of

CARDS = ["Ah", "Td", "7s", "2c"]
UIDS = {card: f"04A1B2C3D4E5{number:02X}" for number, card in enumerate(CARDS)}
FIND = {uid: ("D0017", card) for card, uid in UIDS.items()}.get
HELLO = osp1.frame("HI,0000,1,ACME,SH-100,1.4.2,0007A31C,5F3A91C2,0000")
SET_UP = [pn532.frame(b"\xd5\x15"), pn532.frame(b"\xd5\x33"), pn532.frame(b"\xd5\x4b\x00")]

# name -> (a codec, what is heard before the first card, the frames of a card)
KINDS = {
    "osp1": (Osp1, [HELLO], lambda n, card: osp1.frame(f"CD,{n:04X},{n:03d},{card},D,99")),
    "angel_eye_ii_ex": (AngelEye, [], lambda n, card: 3 * angel_eye.report(str(n), angel_eye.card_data(card))),
    "bee_tek": (BeeTek, [], lambda _, card: f" [Manual Burn Cards]<Card:{card.upper()}> \r\n".encode()),
    "barcode": (Barcode, [], lambda _, card: b"\x02" + card.encode() + b"\r\n"),
    "rfid_deck": (
        lambda: RfidDeck(FIND),
        SET_UP,
        lambda _, card: 2 * (pn532.ACK + pn532.frame(pn532.tags_answer((UIDS[card],)))),
    ),
}
ALLOWED = {"barcode": 12}                # cards in a megabyte of random bytes: two letters between line ends are one


class Line:
    """An opened codec that has heard what it must hear first."""

    def __init__(self, kind):
        make, hello, self.frames = KINDS[kind]
        self.codec = make()
        self.codec.opened(0.0)
        for piece in hello:
            self.feed(piece)

    def feed(self, data):
        return self.codec.feed(data, 0.0)

    def stream(self):
        return b"".join(self.frames(n, card) for n, card in enumerate(CARDS, 1))


def cards(reports):
    return [report.card for report in reports if isinstance(report, CardOut)]


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    return request.param


def test_a_card_is_told_once_in_order_with_its_count(kind):
    line = Line(kind)
    heard = [report for n, card in enumerate(CARDS, 1) for report in line.feed(line.frames(n, card))]

    assert [(report.n, report.card) for report in heard] == list(enumerate(CARDS, 1))
    assert line.codec.noise == 0


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data())
def test_every_chunking_gives_the_same_cards(kind, data):
    line = Line(kind)
    stream = line.stream()
    edges = [0, *sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=30))), len(stream)]

    assert cards(report for a, b in pairwise(edges) for report in line.feed(stream[a:b])) == CARDS


@given(cut=st.integers(1, 200))
def test_a_frame_that_breaks_off_is_never_joined_to_the_next(cut):
    for kind in KINDS:
        line = Line(kind)
        first, second = line.frames(1, "Ah"), line.frames(2, "Td")
        heard = cards(line.feed(first[: min(cut, len(first) - 1)] + b"\r\n" + second))

        assert [card for card in heard if card not in {"Ah", "Td", "??"}] == [], kind
        assert heard.count("Td") <= 1


def test_what_was_half_read_is_void_when_the_line_is_opened_again(kind):
    line = Line(kind)
    whole = line.frames(1, "Ah")
    half = len(whole) // 2
    line.feed(whole[:half])
    line.codec.opened(1.0)

    assert cards(line.codec.feed(whole[half : half + 4], 1.0)) == []


def test_random_bytes_raise_nothing_hold_little_and_are_counted(kind):
    random, line = Random(4), Line(kind)
    named = [card for _ in range(256) for card in cards(line.feed(random.randbytes(4096))) if card != "??"]

    assert len(named) <= ALLOWED.get(kind, 0)
    assert len(getattr(line.codec, "_rest", b"")) < 256
    assert line.codec.noise > 900_000


def test_a_new_deck_needs_no_leave_and_may_hold_every_card_again(kind):
    line = Line(kind)
    line.feed(line.frames(1, "Ah"))
    if kind == "rfid_deck":
        for _ in range(3):
            line.feed(pn532.frame(b"\xd5\x4b\x00"))

    assert line.codec.encode(NewDeck("D0018")) is not None
    assert [type(report) for report in line.feed(line.frames(2, "Ah"))] == [CardOut]


def test_only_a_shoe_that_takes_commands_can_be_locked(kind):
    assert (Line(kind).codec.encode(Lock(locked=True)) is not None) == (kind == "osp1")


def test_only_osp1_proves_the_count_by_itself():
    proving = [kind for kind in KINDS if Line(kind).codec.caps.proves_count]

    assert proving == ["osp1"]
    assert not Caps(True, False, True, True, True).proves_count


@pytest.mark.parametrize(
    ("text", "card"),
    [("4S", "4s"), ("H3", "3h"), ("10D", "Td"), ("d10", "Td"), ("TH", "Th"), ("ah", "Ah"), ("C10", "Tc")],
)
def test_a_card_is_read_rank_first_or_suit_first(text, card):
    assert card_of(text) == card


@pytest.mark.parametrize("text", ["", "1S", "11S", "SS", "AA", "Ahh", "??", "0D"])
def test_what_is_no_card_is_none(text):
    assert card_of(text) == ""


class TestTally:
    def test_an_error_that_only_begins_ends_with_the_next_card(self):
        tally = Tally()

        assert tally.fault("07") == [ShoeError("07", on=True)]
        assert tally.fault("07") == []
        assert tally.card("Ah") == [ShoeError("07", on=False), CardOut(1, "Ah", "X", 99)]

    def test_an_unread_card_has_its_place_and_its_reason(self):
        assert Tally().unread() == [ShoeError("01", on=True), CardOut(1, "??", "X", 0)]

    def test_unread_cards_are_not_the_same_card_twice(self):
        tally = Tally()
        tally.unread()

        assert tally.unread() == [ShoeError("01", on=False), ShoeError("01", on=True), CardOut(2, "??", "X", 0)]

    def test_the_shoe_may_end_an_error_itself(self):
        tally = Tally()
        tally.fault("04")

        assert tally.over("05") == []
        assert tally.over("04") == [ShoeError("04", on=False)]
        assert tally.all_over() == []
