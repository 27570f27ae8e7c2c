"""A shoe and a host talk over a bad line in virtual time: every card is stored once and in order, or the loss is told.

Each seed is one evening: frames are dropped, doubled, swapped, damaged and buried in noise in both directions, the line
is opened anew, and the host is killed at any moment and starts again from what it had stored.
"""

from random import Random

import pytest

from drivers.osp1 import Ledger, Osp1
from drivers.osp1_sim import Osp1Device
from drivers.seen import CardOut, CardsLost
from drivers.shoe_codec import CARDS

STEP_S = 0.05
CARDS_DRAWN = 60


class Evening:
    """One shoe, one host with a disk, and the line between them."""

    def __init__(self, seed, chance):
        self.random = Random(seed)
        self.now_s = 0.0
        self.shoe = Osp1Device(0.0, boot=f"{seed:08X}")
        self.shoe.faults.chance = chance
        self.shoe.faults.random = Random(seed + 1)
        self.back = Random(seed + 2)
        self.chance = chance
        self.disk = []                   # the records that were stored, in order
        self.unstored = []               # delivered, and lost if the host is killed now
        self.drawn = []
        self.host = Osp1()

    def step(self):
        self.now_s += STEP_S
        reports = self.host.feed(self.shoe.tick(self.now_s), self.now_s) + self.host.tick(self.now_s)
        self.unstored += reports
        if self.random.random() < 0.5:
            self.store()
        self.send(self.host.to_send(self.now_s))

    def send(self, sent):
        if sent and self.back.random() >= self.chance:
            self.unstored += self.host.feed(self.shoe.received(sent, self.now_s), self.now_s)

    def store(self):
        for record in self.unstored:
            self.disk.append(record)
            self.host.commit(record.seq, record.boot)
        self.unstored = []

    def draw(self):
        card = self.random.choice(sorted(CARDS))
        self.drawn.append((self.shoe.draw(card), card))

    def kill_and_start_again(self):
        self.unstored = []
        stored = [(record.boot, record.seq) for record in self.disk if record.boot]
        self.host = Osp1(Ledger.after(stored[-1] if stored else None))
        self.open_again()

    def open_again(self):
        self.send(self.host.opened(self.now_s))

    def settle(self):
        self.shoe.faults.chance = self.chance = 0.0
        for _ in range(int(4 / STEP_S)):
            self.step()
        self.store()

    def stored(self):
        return [(record.seq, record.card) for record in self.disk if isinstance(record, CardOut)]

    def lost(self):
        return [record for record in self.disk if isinstance(record, CardsLost)]


def in_order_within(some, everything):
    rest = iter(everything)
    return all(item in rest for item in some)


@pytest.mark.parametrize("seed", range(60))
def test_a_bad_line_and_a_host_that_dies_lose_and_double_no_card(seed):
    evening = Evening(seed, chance=0.15)
    evening.step()
    while len(evening.drawn) < CARDS_DRAWN:
        match evening.random.randrange(12):
            case 0:
                evening.kill_and_start_again()
            case 1:
                evening.open_again()
            case 2 | 3 | 4:
                evening.draw()
        evening.step()
    evening.settle()

    assert evening.lost() == []
    assert evening.stored() == evening.drawn
    assert evening.shoe.unacknowledged == 0


@pytest.mark.parametrize("seed", range(60))
def test_a_shoe_that_restarts_too_never_doubles_a_card_and_never_loses_one_in_silence(seed):
    evening = Evening(seed, chance=0.15)
    evening.step()
    while len(evening.drawn) < CARDS_DRAWN:
        match evening.random.randrange(40):
            case 0:
                evening.shoe.reboot(evening.now_s, keeps_count=evening.random.random() < 0.5)
            case 1 | 2:
                evening.kill_and_start_again()
            case 3 | 4:
                evening.open_again()
            case 5 | 6 | 7 | 8 | 9 | 10:
                evening.draw()
        evening.step()
    evening.settle()

    assert in_order_within(evening.stored(), evening.drawn)
    assert evening.lost() or evening.stored() == evening.drawn


@pytest.mark.parametrize("seed", range(20))
def test_a_line_that_damages_half_of_all_frames_still_never_lies(seed):
    evening = Evening(seed, chance=0.5)
    evening.step()
    while len(evening.drawn) < CARDS_DRAWN:
        if evening.random.random() < 0.1:
            evening.draw()
        evening.step()
    evening.settle()

    assert in_order_within(evening.stored(), evening.drawn)
    assert evening.lost() or evening.stored() == evening.drawn
