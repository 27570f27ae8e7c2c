"""The shoe's driver against its simulator, on a real terminal: nothing lost, nothing doubled, trouble told once."""

import pytest

from drivers.osp1 import Ledger, Osp1
from drivers.osp1_sim import Osp1Sim
from drivers.seen import CardOut, CardsLost, ErrorKind, FromShoe, InputDown, InputUp, Noise, ShoeError
from drivers.shoe import Shoe
from tests.heard import Heard
from tests.waiting import until

DECK = tuple(rank + suit for suit in "shdc" for rank in "23456789TJQKA")


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def port(tmp_path):
    return tmp_path / "by-id-shoe"


@pytest.fixture
def sim(port):
    sim = Osp1Sim(port, deck=DECK)
    sim.start()
    yield sim
    sim.stop()


@pytest.fixture
def start(sim, port, heard):
    """Starts the driver once more, from what was stored; every driver is stopped in the end."""
    started = []

    def start(last=None):
        for earlier in started:
            earlier.stop()
        started.append(Shoe(str(port), Osp1(Ledger.after(last)), heard))
        started[-1].start()
        return started[-1]

    yield start
    for earlier in started:
        earlier.stop()


@pytest.fixture
def shoe(start, heard):
    shoe = start()
    until(lambda: heard.all(InputUp))
    return shoe


def cards(heard):
    return [record.card for record in heard.all(CardOut)]


def test_cards_come_in_the_order_in_which_they_were_drawn(sim, shoe, heard):
    for _ in range(9):
        sim.draw()
    until(lambda: len(cards(heard)) == 9)

    assert cards(heard) == list(DECK[:9])
    assert [record.seq for record in heard.all(CardOut)] == list(range(1, 10))
    assert {record.boot for record in heard.all(CardOut)} == {sim.device.boot}
    assert shoe.up


def test_the_shoe_forgets_a_card_only_when_it_is_stored(sim, shoe, heard):
    for _ in range(3):
        sim.draw()
    until(lambda: len(cards(heard)) == 3)
    assert sim.unacknowledged == 3

    shoe.committed(2, sim.device.boot)
    until(lambda: sim.unacknowledged == 1)
    shoe.committed(3)
    until(lambda: sim.unacknowledged == 0)
    assert cards(heard) == list(DECK[:3])


def test_an_unplug_in_the_middle_of_a_card_is_told_once_and_the_card_comes_once(sim, shoe, heard):
    sim.draw()
    until(lambda: len(cards(heard)) == 1)
    sim.draw_and_unplug()
    until(lambda: heard.all(InputDown), timeout_s=1.0)
    sim.draw()
    sim.plug()
    until(lambda: len(cards(heard)) == 3)

    assert cards(heard) == list(DECK[:3])
    assert [type(record) for record in heard.all(InputUp, InputDown)] == [InputUp, InputDown, InputUp]
    assert heard.all(InputDown)[0].kind is ErrorKind.GONE
    assert "plug" in heard.all(InputDown)[0].hint


def test_twenty_unplugs_lose_and_double_nothing(sim, shoe, heard):
    for cycle in range(20):
        sim.draw_and_unplug()
        until(lambda cycle=cycle: len(heard.all(InputDown)) == cycle + 1, timeout_s=1.0)
        sim.plug()
        until(lambda cycle=cycle: len(heard.all(InputUp)) == cycle + 2)
    until(lambda: len(cards(heard)) == 20)

    assert cards(heard) == list(DECK[:20])


def test_a_unit_that_starts_again_gets_what_it_had_not_stored_and_nothing_else(sim, start, heard):
    shoe = start()
    for _ in range(5):
        sim.draw()
    until(lambda: len(cards(heard)) == 5)
    shoe.committed(3, sim.device.boot)           # 4 and 5 were heard, and die with the process
    heard.clear()

    start(last=(sim.device.boot, 3))
    sim.draw()
    until(lambda: len(cards(heard)) == 3)
    assert cards(heard) == list(DECK[3:6])


def test_a_unit_that_stored_a_card_but_died_before_it_said_so_does_not_get_it_twice(sim, start, heard):
    start()
    sim.draw()
    until(lambda: len(cards(heard)) == 1)
    heard.clear()

    start(last=(sim.device.boot, 1))
    sim.draw()
    until(lambda: cards(heard))
    assert cards(heard) == [DECK[1]]
    until(lambda: sim.unacknowledged == 1)


def test_cards_drawn_while_no_unit_listens_wait_in_the_shoe(sim, start, heard):
    for _ in range(4):
        sim.draw()
    start()

    until(lambda: len(cards(heard)) == 4)
    assert cards(heard) == list(DECK[:4])


@pytest.mark.parametrize("fault", ["drop", "corrupt", "duplicate", "reorder", "noise"])
def test_a_bad_line_costs_time_and_no_card(sim, shoe, heard, fault):
    sim.draw()
    sim.do(lambda device: setattr(device.faults, fault, 2))
    for _ in range(5):
        sim.draw()
    until(lambda: len(cards(heard)) == 6)

    assert cards(heard) == list(DECK[:6])
    assert heard.all(CardsLost) == []
    shoe.committed(6)
    until(lambda: sim.unacknowledged == 0)


def test_noise_is_counted_and_told(sim, shoe, heard):
    sim.noise(500)
    sim.draw()
    until(lambda: cards(heard))
    until(lambda: sum(record.count for record in heard.all(Noise)) >= 450, timeout_s=3.0)

    assert cards(heard) == [DECK[0]]
    assert {record.source for record in heard.all(Noise)} == {"shoe"}


def test_a_wrong_crc_is_no_card_until_it_comes_right(sim, shoe, heard):
    sim.do(lambda device: setattr(device.faults, "corrupt", 1))
    sim.draw("As")
    until(lambda: cards(heard))

    assert cards(heard) == ["As"]


def test_a_card_seen_twice_is_told_before_the_second_one(sim, shoe, heard):
    sim.draw("As")
    sim.draw("As")
    until(lambda: len(cards(heard)) == 2)

    assert [type(record) for record in heard.all(FromShoe)] == [CardOut, ShoeError, CardOut]
    assert heard.all(ShoeError) == [ShoeError("09", True)]


def test_a_new_deck_may_hold_every_card_again(sim, shoe, heard):
    sim.draw("As")
    until(lambda: cards(heard))

    assert shoe.new_deck("D0017")
    until(lambda: sim.do(lambda device: device.deck_name) == "D0017")
    sim.draw("As")
    until(lambda: len(cards(heard)) == 2)
    assert heard.all(ShoeError) == []


def test_a_new_deck_cannot_be_told_to_a_shoe_that_is_gone(sim, shoe, heard):
    sim.unplug()
    until(lambda: heard.all(InputDown))

    assert not shoe.new_deck("D0017")


def test_an_unreadable_a_boxed_and_a_foreign_card_take_their_places(sim, shoe, heard):
    sim.do(lambda device: device.draw_unreadable())
    sim.draw(face="U")
    sim.do(lambda device: device.draw_foreign("Ah"))
    until(lambda: len(cards(heard)) == 3)

    assert [(record.card, record.face) for record in heard.all(CardOut)] == [("??", "X"), (DECK[1], "U"), ("Ah", "D")]
    assert [record.code for record in heard.all(ShoeError)][:3] == ["01", "01", "06"]


def test_a_shoe_that_hangs_is_silent_after_three_seconds_and_its_cards_come_later(sim, shoe, heard):
    sim.stall()
    sim.draw()
    until(lambda: heard.all(InputDown), timeout_s=4.0)
    assert heard.all(InputDown)[0].kind is ErrorKind.SILENT
    sim.resume()
    until(lambda: cards(heard), timeout_s=3.0)

    assert cards(heard) == [DECK[0]]
    assert len(heard.all(InputUp)) == 2


class TestByTheClock:
    """Time as the line tells it: the driver is called as its line would, and no line is open."""

    @pytest.fixture
    def unplugged(self, heard):
        shoe = Shoe("/dev/shoe", Osp1(), heard)
        shoe.opened(0)
        return shoe

    def test_a_line_on_which_nobody_speaks_is_silent_after_three_seconds(self, unplugged, heard):
        unplugged.tick(3_000_000_000)
        assert heard.all() == []

        unplugged.tick(3_100_000_000)
        unplugged.tick(9_000_000_000)
        assert [record.kind for record in heard.all()] == [ErrorKind.SILENT]

    def test_a_line_with_nothing_but_noise_is_told_as_noise(self, unplugged, heard):
        unplugged.received(b"\x00\xfe\x80", 2_000_000_000)
        unplugged.tick(3_100_000_000)

        assert [record.kind for record in heard.all(InputDown)] == [ErrorKind.NOISE]
        assert heard.all(Noise) == [Noise("shoe", 3)]
        assert not unplugged.up

    def test_noise_is_told_once_a_second(self, unplugged, heard):
        for tenth in range(25):
            unplugged.received(b"\x00\xff", tenth * 100_000_000)

        assert [record.count for record in heard.all(Noise)] == [2, 20, 20]

    def test_whatever_goes_wrong_first_is_told_and_the_rest_of_the_outage_is_not(self, unplugged, heard):
        unplugged.lost(ErrorKind.GONE, "gone", 1_000_000_000)
        unplugged.opened(2_000_000_000)
        unplugged.tick(6_000_000_000)

        assert [record.kind for record in heard.all()] == [ErrorKind.GONE]


def test_the_shoe_can_be_locked(sim, shoe):
    assert shoe.lock(locked=True)

    until(lambda: sim.do(lambda device: device.locked))


def test_a_restarted_shoe_that_lost_count_is_lost_cards(sim, shoe, heard):
    sim.draw()
    until(lambda: cards(heard))
    sim.reboot()
    until(lambda: heard.all(CardsLost), timeout_s=2.0)

    assert heard.all(CardsLost)[0].why == "restart"


def test_a_restarted_shoe_that_counts_on_goes_on(sim, shoe, heard):
    sim.draw()
    until(lambda: cards(heard))
    sim.reboot(keeps_count=True)
    sim.draw()
    until(lambda: len(cards(heard)) == 2)

    assert cards(heard) == list(DECK[:2])
    assert heard.all(CardsLost) == []


def test_cards_that_the_shoe_cannot_send_again_are_lost_after_two_seconds(sim, shoe, heard):
    sim.draw()
    until(lambda: cards(heard))

    def forget(device):
        device.faults.drop = 1
        device.draw()
        device._kept.pop()

    sim.do(forget)
    sim.draw()
    until(lambda: len(cards(heard)) == 2, timeout_s=4.0)

    assert heard.all(CardsLost) == [CardsLost(2, 2, "gap", seq=2, boot=sim.device.boot)]
    assert cards(heard) == [DECK[0], DECK[2]]


def test_after_stop_nothing_is_posted(sim, start, heard):
    shoe = start()
    until(lambda: heard.all(InputUp))
    shoe.stop()
    heard.clear()
    sim.draw()
    shoe.committed(1)

    assert heard.all() == []


def test_whoever_stores_may_do_it_while_the_card_is_being_posted(sim, port):
    posted = []

    def post(record, at_ns):
        posted.append(record)
        if isinstance(record, FromShoe):
            shoe.committed(record.seq, record.boot)

    shoe = Shoe(str(port), Osp1(), post)
    shoe.start()
    try:
        for _ in range(20):
            sim.draw()
        until(lambda: sim.unacknowledged == 0 and len(posted) >= 21)
        assert [record.card for record in posted if isinstance(record, CardOut)] == list(DECK[:20])
    finally:
        shoe.stop()
