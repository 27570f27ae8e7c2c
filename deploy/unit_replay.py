"""A recorded hand at a whole virtual unit: keys, knob, FLOOR menu and shoe instead of calls to the rules.

Nothing is told to the unit but what a dealer's hands do, and nothing read from it but what people at the table see.
Seats, stacks, blinds and button stand in its configuration file, as for a table that plays without a hub.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from deploy.virtual_table import Glance, TableFile, TableSilent, VirtualTable
from drivers.seen import Key
from engine import inputs
from engine.inputs import Input
from engine.phh import Deal, Hand, PhhError, deal
from engine.replay import play
from engine.view import Legal, Part, TableView

KEYS: dict[type[Input], Key] = {
    inputs.Fold: Key.FOLD,
    inputs.Check: Key.CHECK_CALL,
    inputs.Call: Key.CHECK_CALL,
    inputs.AllIn: Key.ALL_IN,
    inputs.TableCards: Key.CHECK_CALL,
    inputs.Muck: Key.FOLD,
}


class UnitTable:
    """`engine.replay.Table` in front of a virtual unit."""

    def __init__(self, table: VirtualTable, cards: Deal) -> None:
        """A shuffled deck goes into the shoe and the deal begins: blinds are posted."""
        self._table = table
        dealt = [card for hand in cards.hole.values() for card in hand]
        table.shuffle([*dealt, *cards.burns, *cards.board])
        self._press(Key.DEAL)

    @property
    def view(self) -> TableView:
        """The public picture on the table's displays."""
        return self._table.glance().view

    @property
    def legal(self) -> Legal | None:
        """What the keys that are lit stand for."""
        return self._table.glance().legal

    def draw(self, card: str) -> None:
        """A card leaves the shoe."""
        self._table.draw(card)

    def do(self, given: Input) -> None:
        """Makes the presses that mean `given`. **Raises** PhhError when the unit does not take it."""
        match given:
            case inputs.Bet(to=to) | inputs.RaiseTo(to=to):
                self._table.press(Key.BET_RAISE)
                self._table.dial(to)
                self._press(Key.BET_RAISE)
            case inputs.Kill(seat=seat):
                self._kill(seat)
            case _:
                self._press(KEYS[type(given)])

    def _press(self, key: Key) -> None:
        before = self._table.glance().entries
        self._taken(self._table.press(key), before, f"key {key.value}")

    def _kill(self, seat: int) -> None:
        """FLOOR opens its first page at "collected by the dealer"; the knob goes round the seats that have a hand."""
        before = self._table.glance()
        seats = [other.seat for other in before.view.seats if other.part in (Part.LIVE, Part.ALL_IN)]
        self._table.press(Key.FLOOR)
        self._table.push()
        at = before.view.to_act if before.view.to_act in seats else seats[0]
        steps = seats.index(seat) - seats.index(at)
        if steps:
            self._table.turn(steps)
        self._taken(self._table.push(), before.entries, f"kill of seat {seat}")

    @staticmethod
    def _taken(after: Glance, entries: int, what: str) -> None:
        if after.entries == entries:
            raise PhhError(f"{what} is not taken: {' / '.join(after.prompt)}")


def play_one_at_a_unit(hand: Hand, book: str) -> tuple[int, ...]:
    """Starts a unit for this hand, plays it and ends the unit; final stacks in the file's order of players.

    **Raises** PhhError when the unit refuses something or falls silent.
    """
    file = TableFile(unit="replay", book=book, size=hand.players, more={"setup": _setup(hand)})
    cards = deal(hand)
    with tempfile.TemporaryDirectory(prefix="bottone-replay-") as folder:
        try:
            with VirtualTable(Path(folder), file) as table:
                return play(hand, cards, UnitTable(table, cards))
        except TableSilent as silent:
            raise PhhError(str(silent)) from silent


def _setup(hand: Hand) -> dict[str, object]:
    level = hand.level
    return {
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "ante": level.ante,
        "big_blind_ante": level.big_blind_ante,
        "game": level.game.value,
        "small_bet": level.small_bet,
        "big_bet": level.big_bet,
        "button": hand.button,
        "first_small_blind": hand.small_blind,
        "first_big_blind": hand.big_blind,
        "seats": [{"seat": seat, "stack": stack} for seat, stack in enumerate(hand.stacks, start=1)],
    }
