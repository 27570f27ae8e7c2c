"""A table that is killed anywhere in a hand stands, when it starts again, where the last committed press left it.

The ground truth is a model beside the table: the same inputs through the rules, one state for each entry of the
journal. A press is sent, the process is killed some milliseconds later, and what the restarted process shows must be
the model's state for the number of entries it has: the one before the press or the one after it, and nothing else.
"""

import random
import threading
from typing import NamedTuple

from deploy.virtual_table import TableFile, VirtualTable
from drivers.seen import Key
from engine import rulebook, table
from engine.cards import DECK
from engine.inputs import (
    ApplyLevel,
    Call,
    CardDrawn,
    Check,
    Fold,
    Level,
    PlaceButton,
    RaiseTo,
    Shuffle,
    SitDown,
    TableCards,
)
from engine.view import Due
from firmware_py.journal_reading import verify

KILLS = 50
SEED = 20_251_129
STACK = 100_000
PLAYERS = 5
MOST_STEPS_BETWEEN = 5
LATEST_KILL_S = 0.012          # a press is on disk a few milliseconds after the finger
BOOK = rulebook.load("tda")
SETUP = {
    "setup": {
        "small_blind": 50, "big_blind": 100, "button": 1,
        "seats": [{"seat": seat, "stack": STACK, "player": f"p{seat}"} for seat in range(1, PLAYERS + 1)],
    }
}  # fmt: skip


class Step(NamedTuple):
    """What the dealer does next: the keys to press or the card to draw, and the input it must become (None: undo)."""

    keys: tuple = ()
    card: str = ""
    input: object = None


class Model:
    """What must be on the table, entry by entry."""

    def __init__(self):
        state = table.new_table(10, 1)
        seats = [SitDown(seat, f"p{seat}", STACK) for seat in range(1, PLAYERS + 1)]
        for what in (*seats, ApplyLevel(Level(50, 100, number=1)), PlaceButton(1)):
            state, _ = table.apply(state, what, BOOK)
        self.entries = 1 + PLAYERS + 2          # the table was opened, players, level, button
        self.state = state
        self.may_undo = []                      # states before commands that nothing followed

    @property
    def view(self):
        return table.view(self.state, BOOK)

    def after(self, step):
        if step.input is None:
            return self.may_undo[-1]
        state, ruling = table.apply(self.state, step.input, BOOK)
        assert ruling.outcome != "refused", (step, ruling)
        return state

    def do(self, step):
        before, self.state = self.state, self.after(step)
        self.entries += 1
        if step.input is None:
            self.may_undo.pop()
        elif step.keys and self.view.due is not Due.NEXT_HAND and not isinstance(step.input, Shuffle):
            self.may_undo.append(before)
        else:
            self.may_undo.clear()

    def next_step(self, chance, deck):
        """Something a dealer might do now."""
        view, legal = self.view, table.legal(self.state, BOOK)
        if self.may_undo and chance.random() < 0.1:
            return Step(keys=(Key.UNDO,))
        match view.due:
            case Due.SHUFFLE | Due.NEXT_HAND:
                deck[:] = chance.sample(DECK, len(DECK))
                return Step(keys=(Key.DEAL,), input=Shuffle())
            case Due.FIRST_CARD | Due.HOLE_CARDS | Due.BURN | Due.BOARD:
                card = deck.pop()
                return Step(card=card, input=CardDrawn(card))
            case Due.SHOW:
                return Step(keys=(Key.CHECK_CALL,), input=TableCards(view.to_act))
            case Due.ACTION:
                pass
            case _:
                raise AssertionError(f"the hand waits for {view.due}")
        seat, luck = legal.seat, chance.random()
        if luck < 0.15:
            return Step(keys=(Key.FOLD,), input=Fold(seat))
        if luck < 0.3 and legal.raise_to:
            return Step(keys=(Key.BET_RAISE, Key.BET_RAISE), input=RaiseTo(seat, legal.raise_to[0]))
        return Step(keys=(Key.CHECK_CALL,), input=Check(seat) if legal.may_check else Call(seat))


def do(virtual, step):
    """The dealer does it and waits until it is done."""
    if step.card:
        virtual.draw(step.card)
    for key in step.keys:
        virtual.press(key)


def begin(virtual, step):
    """The dealer begins it and the table is killed before anybody knows what became of it. The shoe's event, if any."""
    if step.card:
        return virtual.shoe.draw(step.card)
    for key in step.keys[:-1]:
        virtual.press(key)
    virtual.send({"press": step.keys[-1].value})
    return None


def test_fifty_kills_at_random_moments_lose_no_committed_press(tmp_path):
    chance, model, deck, pause = random.Random(SEED), Model(), [], threading.Event()
    kept = lost = 0

    with VirtualTable(tmp_path, TableFile(badge="", more=SETUP)) as virtual:
        assert virtual.glance().entries == model.entries
        for kill in range(KILLS):
            for _ in range(chance.randint(0, MOST_STEPS_BETWEEN)):
                step = model.next_step(chance, deck)
                do(virtual, step)
                model.do(step)
                assert (virtual.glance().entries, virtual.glance().view) == (model.entries, model.view)

            step = model.next_step(chance, deck)
            event = begin(virtual, step)
            pause.wait(chance.uniform(0, LATEST_KILL_S))
            virtual.kill9()
            virtual.restart()

            if event is not None:               # the shoe keeps what was not acknowledged and says it again
                virtual.wait(lambda seen, mark=event: bool(seen.shoe) and seen.shoe[1] == mark, "the shoe's last card")
            seen = virtual.glance()
            assert seen.entries in {model.entries, model.entries + 1}, f"kill {kill}"
            committed = seen.entries > model.entries
            kept, lost = kept + committed, lost + (not committed)
            if committed:
                model.do(step)
            assert seen.view == model.view, f"kill {kill}, {step}"
            assert seen.legal == table.legal(model.state, BOOK), f"kill {kill}"
            if not committed:
                do(virtual, step)
                model.do(step)
                assert virtual.glance().view == model.view, f"after kill {kill}"

    assert kept, "no kill came after a commit"
    assert lost, "no kill came before a commit"
    assert model.view.hand > 1
    assert verify(virtual.journal).trouble == ""
