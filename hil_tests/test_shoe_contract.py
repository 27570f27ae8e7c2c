"""What every card shoe, with its driver, must do. One hand's cards, drawn from a shoe on whatever rig."""

import time

import pytest

from drivers.seen import CardOut, CardsLost, InputDown, InputUp, ShoeError
from tests.heard import Heard
from tests.waiting import until

CARDS = ["Ah", "Td", "7s", "2c", "Ks", "Qh", "9d"]


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def start(shoe, heard):
    """Starts the driver on the rig's shoe, from what was stored last; an earlier one is stopped first."""
    drivers = []

    def start(last=None):
        for earlier in drivers:
            earlier.stop()
        drivers.append(shoe.driver(heard, last))
        drivers[-1].start()
        until(lambda: drivers[-1].up, timeout_s=10)
        return drivers[-1]

    yield start
    for earlier in drivers:
        earlier.stop()


def drawn(heard):
    return [record.card for record in heard.all(CardOut)]


def test_it_says_once_that_it_is_there(start, heard):
    start()

    assert [type(record) for record in heard.all(InputUp, InputDown)] == [InputUp]


def test_every_card_comes_once_in_the_order_of_the_draw(shoe, start, heard):
    start()
    for card in CARDS:
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == len(CARDS))

    assert drawn(heard) == CARDS
    assert [record.n for record in heard.all(CardOut)] == list(range(1, len(CARDS) + 1))


def test_a_card_is_stamped_with_the_monotonic_time_of_its_bytes(shoe, start, heard):
    start()
    before_ns = time.monotonic_ns()
    shoe.draw("Ah")
    until(lambda: drawn(heard))

    assert before_ns <= heard.stamps_ns(CardOut)[0] <= time.monotonic_ns()


@pytest.mark.proves("reports_face")
def test_a_boxed_card_is_told_as_such(shoe, start, heard):
    start()
    shoe.draw("7s", face="U")
    until(lambda: drawn(heard))

    assert [(record.card, record.face) for record in heard.all(CardOut)] == [("7s", "U")]


def test_a_card_that_cannot_be_read_takes_its_place(shoe, start, heard):
    start()
    for card in ("Ah", "??", "Td"):
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == 3)

    assert drawn(heard) == ["Ah", "??", "Td"]


def test_a_card_that_comes_twice_is_told_before_the_second(shoe, start, heard):
    start()
    for card in ("Ah", "Td", "7s", "2c", "Ah"):
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == 5)

    assert [type(record) for record in heard.all(CardOut, ShoeError)] == [CardOut] * 4 + [ShoeError, CardOut]
    assert heard.all(ShoeError) == [ShoeError("09", on=True)]


def test_a_new_deck_may_hold_every_card_again(shoe, start, heard):
    driver = start()
    shoe.draw("Ah")
    until(lambda: drawn(heard))
    assert driver.new_deck("D0018")
    for card in ("Td", "7s", "2c", "Ah"):
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == 5)

    assert heard.all(ShoeError) == []


@pytest.mark.proves("can_replay")
def test_a_card_is_kept_by_the_shoe_until_it_is_stored(shoe, start, heard):
    driver = start()
    shoe.draw("Ah")
    until(lambda: drawn(heard))
    assert shoe.unacknowledged() == 1

    card = heard.all(CardOut)[0]
    driver.committed(card.seq, card.boot)
    until(lambda: shoe.unacknowledged() == 0)


@pytest.mark.proves("can_replay")
def test_a_unit_that_starts_again_gets_each_card_that_it_had_not_stored_once(shoe, start, heard):
    start()
    for card in CARDS[:4]:
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == 4)
    stored = heard.all(CardOut)[1]
    heard.clear()

    start(last=(stored.boot, stored.seq))
    shoe.draw(CARDS[4])
    until(lambda: len(drawn(heard)) == 3)
    assert drawn(heard) == CARDS[2:5]


@pytest.mark.proves("can_replay")
def test_noise_on_the_line_costs_no_card(shoe, start, heard):
    start()
    for card in CARDS:
        shoe.noise(40)
        shoe.draw(card)
    until(lambda: len(drawn(heard)) == len(CARDS), timeout_s=10)

    assert drawn(heard) == CARDS
    assert heard.all(CardsLost) == []


def test_noise_on_the_line_makes_no_card(shoe, start, heard):
    start()
    shoe.draw("Ah")
    until(lambda: drawn(heard))
    shoe.noise(400)
    for card in CARDS[1:]:
        shoe.draw(card)
    until(lambda: drawn(heard)[-1] == CARDS[-1], timeout_s=10)

    assert [card for card in CARDS if card in drawn(heard)] == drawn(heard)


@pytest.mark.needs("unplug")
def test_an_unplug_is_seen_within_a_second_and_told_once_with_what_to_do(shoe, start, heard):
    start()
    shoe.unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)

    assert len(heard.all(InputDown)) == 1
    assert shoe.port in heard.all(InputDown)[0].hint


@pytest.mark.needs("unplug")
def test_a_replugged_shoe_comes_back_by_itself(shoe, start, heard):
    start()
    shoe.unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)
    shoe.plug()
    until(lambda: len(heard.all(InputUp)) == 2)
    shoe.draw("Td")
    until(lambda: drawn(heard))

    assert drawn(heard) == ["Td"]
    assert [type(record) for record in heard.all(InputUp, InputDown)] == [InputUp, InputDown, InputUp]


@pytest.mark.needs("unplug")
@pytest.mark.proves("can_replay")
def test_a_replugged_shoe_still_has_the_cards_drawn_meanwhile(shoe, start, heard):
    start()
    shoe.draw("Ah")
    until(lambda: drawn(heard))
    shoe.unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)
    shoe.plug()
    shoe.draw("Td")
    until(lambda: len(drawn(heard)) == 2)

    assert drawn(heard) == ["Ah", "Td"]
    assert [type(record) for record in heard.all(InputUp, InputDown)] == [InputUp, InputDown, InputUp]
