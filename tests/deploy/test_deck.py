"""Registering a tagged deck at a reader, from the laid card to the registry."""

import json
import subprocess
from pathlib import Path

import pytest

from deploy.children import bottone
from deploy.cli import main
from deploy.deck_desk import line_for, register, spoken
from drivers.deck_registry import ORDER, Fault, Phase, Registry, Step, load, save
from drivers.pn532_sim import Pn532Sim
from drivers.tag_reader import TagReader, TagReaderLost

UIDS = {card: f"04{number:02X}A1B2C3D480" for number, card in enumerate(ORDER)}


@pytest.fixture
def sim(tmp_path):
    sim = Pn532Sim(tmp_path / "by-id-reader", "reader")
    sim.start()
    yield sim
    sim.stop()


class Hand:
    """Lays the card that is asked for and takes it away; once all are read, all of them again."""

    def __init__(self, sim):
        self.sim = sim
        self.steps = []

    def __call__(self, step):
        self.steps.append(step)
        if step.fault:
            return
        if step.phase is Phase.LAY:
            self.sim.hold(UIDS[step.card])
        elif step.phase is Phase.LIFT:
            self.sim.lift()
        elif step.phase is Phase.VERIFY and step.left:
            self.sim.hold(UIDS[ORDER[step.left - 1]])


def test_a_deck_is_registered_card_by_card_and_proved(sim, tmp_path):
    hand, reader = Hand(sim), TagReader(str(tmp_path / "by-id-reader"))
    reader.start()
    try:
        cards = register(reader, Registry(), "D1", hand)
    finally:
        reader.stop()

    assert cards == {uid: card for card, uid in UIDS.items()}
    assert [step.card for step in hand.steps if step.phase is Phase.LAY] == list(ORDER)
    assert hand.steps[-1].phase is Phase.DONE


def test_a_reader_that_is_unplugged_ends_it(sim, tmp_path):
    reader = TagReader(str(tmp_path / "by-id-reader"))
    reader.start()
    try:
        with pytest.raises(TagReaderLost, match="plug its cable in"):
            register(reader, Registry(), "D1", lambda _: sim.unplug())
    finally:
        reader.stop()


def test_a_reader_that_says_nothing_ends_it(sim, tmp_path):
    sim.stall()
    reader = TagReader(str(tmp_path / "by-id-reader"))
    reader.start()
    try:
        with pytest.raises(TagReaderLost, match="does not answer"):
            register(reader, Registry(), "D1", lambda _: None)
    finally:
        reader.stop()


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (Step(Phase.LAY, "As", 52), " 1/52  lay the ace of spades on the reader"),
        (Step(Phase.LIFT, "As", 51), "read; take it away"),
        (Step(Phase.VERIFY, "", 52), "once more"),
        (Step(Phase.VERIFY, "Td", 3), "10 of diamonds; 3 to go"),
        (Step(Phase.DONE, "2c", 0), "all 52"),
        (Step(Phase.LAY, "As", 52, Fault.TWO_TAGS), "two cards"),
        (Step(Phase.LAY, "Ks", 51, Fault.TWICE, "As"), "ace of spades, already read: lay the king of spades"),
        (Step(Phase.LAY, "Ks", 51, Fault.OTHER_DECK, "Qh D2"), "queen of hearts of deck D2"),
        (Step(Phase.VERIFY, "As", 51, Fault.NOT_OURS, "0411"), "not of this deck"),
    ],
)
def test_what_the_person_is_told(step, line):
    assert line in line_for(step)
    assert spoken("2c") == "2 of clubs"


class TestCommand:
    @pytest.fixture
    def registry(self, tmp_path):
        path = tmp_path / "decks.json"
        cards = {uid: card for card, uid in UIDS.items()}
        save(path, Registry().with_deck("D1", "blue", "2026-11-29T20:00:00Z", "Marta", cards))
        return path

    def test_decks_are_listed(self, registry, capsys):
        assert main(["deck", "list", "--registry", str(registry)]) == 0
        assert "D1" in capsys.readouterr().out
        assert main(["deck", "list", "--json", "--registry", str(registry)]) == 0
        assert json.loads(capsys.readouterr().out)[0]["generation"] == 1

    def test_without_a_deck_it_says_so(self, tmp_path, capsys):
        assert main(["deck", "list", "--registry", str(tmp_path / "none.json")]) == 0
        assert "no deck" in capsys.readouterr().err

    def test_a_deck_is_retired_once(self, registry, capsys):
        assert main(["deck", "retire", "D1", "--registry", str(registry)]) == 0
        assert load(registry).live() == ()
        assert main(["deck", "retire", "D1", "--registry", str(registry)]) == 2
        assert "no live deck" in capsys.readouterr().err

    def test_a_reader_that_is_not_there_is_said_and_nothing_is_written(self, tmp_path):
        command = bottone("deck", "register", "D1", "--by", "Marta", "--port", str(tmp_path / "none"), "--registry",
                          str(tmp_path / "decks.json"))  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

        assert done.returncode == 1
        assert "nothing was written" in done.stderr
        assert not Path(tmp_path / "decks.json").exists()
