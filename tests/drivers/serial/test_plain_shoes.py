"""Shoes that send once and forget, on a real terminal, with everything that can happen to them on request."""

import pytest

from drivers.angel_eye import AngelEye
from drivers.angel_eye_sim import COPIES, AngelEyeSim
from drivers.barcode import Barcode
from drivers.barcode_sim import BarcodeSim
from drivers.bee_tek import BeeTek
from drivers.bee_tek_sim import BeeTekSim
from drivers.seen import CardOut, CardsLost, CutCard, InputUp, ShoeError
from drivers.shoe import Shoe
from tests.heard import Heard
from tests.waiting import until

DECK = ("Ah", "Td", "7s", "2c", "Ks", "Qh")
KINDS = {"angel_eye_ii_ex": (AngelEye, AngelEyeSim), "bee_tek": (BeeTek, BeeTekSim), "barcode": (Barcode, BarcodeSim)}


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    return request.param


@pytest.fixture
def sim(kind, tmp_path):
    sim = KINDS[kind][1](tmp_path / "by-id-shoe")
    sim.start()
    sim.load(DECK)
    yield sim
    sim.stop()


@pytest.fixture
def shoe(kind, sim, tmp_path, heard):
    shoe = Shoe(str(tmp_path / "by-id-shoe"), KINDS[kind][0](), heard)
    shoe.start()
    until(lambda: heard.all(InputUp))
    yield shoe
    shoe.stop()


def cards(heard):
    return [record.card for record in heard.all(CardOut)]


def test_the_deck_comes_from_the_top(sim, shoe, heard):
    for _ in DECK:
        sim.draw()
    until(lambda: len(cards(heard)) == len(DECK))

    assert cards(heard) == list(DECK)


def test_a_report_that_is_dropped_is_lost_unless_it_comes_more_than_once(kind, sim, shoe, heard):
    sim.do(lambda device: setattr(device.faults, "drop", 1))
    sim.draw()
    sim.draw()
    until(lambda: DECK[1] in cards(heard))

    assert shoe.caps.proves_count is False
    if kind == "angel_eye_ii_ex":
        until(lambda: set(cards(heard)) == set(DECK[:2]))
    else:
        assert cards(heard) == [DECK[1]]


def test_a_report_that_the_line_doubles_is_a_card_twice_unless_it_is_numbered(kind, sim, shoe, heard):
    sim.do(lambda device: setattr(device.faults, "duplicate", 1))
    sim.draw()
    sim.draw()
    until(lambda: DECK[1] in cards(heard))

    twice = [record.code for record in heard.all(ShoeError) if record.on]
    assert twice == ([] if kind == "angel_eye_ii_ex" else ["09"])


def test_noise_before_a_report_makes_no_other_card(sim, shoe, heard):
    sim.do(lambda device: setattr(device.faults, "noise", 3))
    for _ in DECK:
        sim.draw()
    until(lambda: cards(heard) and cards(heard)[-1] == DECK[-1])

    assert set(cards(heard)) <= set(DECK)


def test_a_shoe_that_hangs_forgets_what_it_saw(sim, shoe, heard):
    sim.stall()
    sim.draw()
    sim.resume()
    sim.draw()
    until(lambda: cards(heard))

    assert cards(heard) == [DECK[1]]


def test_nothing_is_ever_sent_to_it(sim, shoe):
    shoe.committed(1)

    assert shoe.new_deck("D1")
    assert not shoe.lock(locked=True)
    assert sim.line.read() == b""


class TestAngelEye:
    @pytest.fixture
    def kind(self):
        return "angel_eye_ii_ex"

    def test_copies_of_which_some_are_lost_or_torn_are_one_card(self, sim, shoe, heard):
        sim.do(lambda device: setattr(device.faults, "drop", COPIES - 1))
        sim.draw()
        until(lambda: cards(heard))

        assert cards(heard) == [DECK[0]]
        assert heard.all(CardsLost) == []

    def test_the_cut_card_and_errors_come_and_go(self, sim, shoe, heard):
        sim.do(lambda device: device.cut())
        sim.do(lambda device: device.error("04", on=True))
        sim.do(lambda device: device.error("04", on=False))
        until(lambda: len(heard.all(ShoeError)) == 2)

        assert heard.all(CutCard) == [CutCard(0)]
        assert heard.all(ShoeError) == [ShoeError("04", on=True), ShoeError("04", on=False)]


class TestBeeTek:
    @pytest.fixture
    def kind(self):
        return "bee_tek"

    def test_a_firmware_that_writes_the_suit_first(self, sim, shoe, heard):
        sim.do(lambda device: setattr(device, "suit_first", True))
        for _ in DECK:
            sim.draw()
        until(lambda: len(cards(heard)) == len(DECK))

        assert cards(heard) == list(DECK)
