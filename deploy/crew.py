"""A table's crew: one simulated dealer and the players, who play hand after hand on a real panel.

A crew sees what people at the table see (`glance()`: the prompt, the lamps, the public picture) and does what they do:
it presses keys and turns the knob on real (mock) pins, taps badges on a serial line and deals the cards out of a shoe
on another. It knows the players' cards because it dealt them; nobody told it. It decides by `deploy.players` and never
by the clock or by chance of its own: the same seed plays the same hands, however fast the machine is.

One thread owns a crew. It waits for the table, never the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from deploy import players
from deploy.players import BetRaise, CheckCall, Fold, Size
from deploy.virtual_table import Glance, VirtualTable
from drivers.seen import Key
from engine.cards import DECK
from engine.ranking import strength
from engine.view import Due, Part, TableView

STEPS_A_HAND = 600           # no hand needs more; a crew that goes on is not being heard
HANDS_A_DEALER = 12          # then the next dealer taps in
# From the least legal amount, which BET/RAISE opens, so many pushes of the knob lead towards each size.
PUSHES = {Size.LEAST: 0, Size.HALF_POT: 1, Size.POT: 2}
SLIPS = 0.01                 # of the actions that are keyed wrong and taken back
SLIP_FROM = 3                # never with so few players in the hand: a fold might end it


class Stuck(Exception):  # noqa: N818 - the table is, not the program
    """The table does not go on: its number, what it waits for and what its prompt says."""


class Cues(Protocol):
    """Where a crew looks up from its table."""

    def go_on(self) -> None:
        """Called before each step; raises what ends the evening."""

    def think(self) -> None:
        """A player thinks. May block."""

    def dealt(self) -> None:
        """All hole cards are out. May block."""


def in_hand(view: TableView) -> list[int]:
    """The seats that can still win the running hand."""
    return [seat.seat for seat in view.seats if seat.part in {Part.LIVE, Part.ALL_IN}]


def hand_runs(view: TableView) -> bool:
    """Is a hand on its way, from the first card to the last pot?"""
    return view.due not in {Due.PLAYERS, Due.HOLD, Due.NEXT_HAND, Due.SHUFFLE}


class Hand:
    """What a crew has in its head during one hand: the deck, who holds which cards, each player's own chance."""

    def __init__(self, seed: str, view: TableView) -> None:
        """`seed` decides the deck and every mood; `view` says who plays."""
        self.deck = list(DECK)
        Random(f"{seed} deck").shuffle(self.deck)
        self.own: dict[int, list[str]] = {}
        self.names = {seat.seat: seat.player for seat in view.seats}
        self.dealt = False
        self.slips = Random(f"{seed} slips")
        self._seed = seed
        self._moods: dict[int, Random] = {}

    def mood(self, seat: int) -> Random:
        """The generator of one player in this hand: nobody's thinking disturbs another's."""
        if seat not in self._moods:
            self._moods[seat] = Random(f"{self._seed} {self.names[seat]}")
        return self._moods[seat]

    def cards(self, seat: int) -> tuple[str, str]:
        """The two cards of a seat, which its player has looked at.

        Before the first card leaves the shoe the table does not say whose it will be (`next_seat` 0); it is the card
        of the one seat that got a single other one.
        """
        first, second = self.own[seat] if len(self.own[seat]) == 2 else (*self.own[0], *self.own[seat])
        return first, second


class Crew:
    """Dealer and players of one table. `seed` and the number of the round decide everything they do."""

    def __init__(self, table: VirtualTable, table_no: int, seed: str, dealers: Sequence[str]) -> None:
        """`dealers`: their badges, taken in turn."""
        self.table = table
        self.table_no = table_no
        self._seed = seed
        self._dealers = dealers
        self._hands = 0
        self._tempers: dict[str, players.Temper] = {}

    def play_hand(self, number: int, cues: Cues) -> None:
        """Plays one hand, from the riffle to the last pot. `number` counts the room's rounds.

        Raises:
            Stuck: the table waits for something that a crew cannot give.
        """
        self._change_dealer()
        hand = Hand(f"{self._seed} table {self.table_no} round {number}", self.table.glance().view)
        self.table.press(Key.DEAL)
        for _ in range(STEPS_A_HAND):
            cues.go_on()
            seen = self.table.glance()
            if not hand_runs(seen.view):
                return
            if not hand.dealt and seen.view.due not in {Due.FIRST_CARD, Due.HOLE_CARDS}:
                hand.dealt = True
                cues.dealt()
            if seen.view.due is Due.ACTION:
                cues.think()
            self._step(seen, hand)
        raise self._stuck("a hand without end")

    def _step(self, seen: Glance, hand: Hand) -> None:
        view = seen.view
        match view.due:
            case Due.FIRST_CARD | Due.HOLE_CARDS:
                card = self._draw(hand)
                hand.own.setdefault(view.next_seat, []).append(card)
            case Due.BURN | Due.BOARD:
                self._draw(hand)
            case Due.ACTION:
                self._act(seen, hand)
            case Due.SHOW:
                self._show(view, hand)
            case _:
                raise self._stuck(f"waits for {view.due}" + (f" ({seen.floor})" if seen.floor else ""))

    # --- the dealer's hands

    def _change_dealer(self) -> None:
        if self._hands % HANDS_A_DEALER == 0:
            self.table.tap(self._dealers[self._hands // HANDS_A_DEALER % len(self._dealers)])
        self._hands += 1

    def _draw(self, hand: Hand) -> str:
        card = hand.deck.pop()
        self.table.draw(card)
        return card

    def _act(self, seen: Glance, hand: Hand) -> None:
        choice = self._choice(seen, hand)
        if not isinstance(choice, Fold) and len(in_hand(seen.view)) > SLIP_FROM and hand.slips.random() < SLIPS:
            self._slip(seen)
        match choice:
            case Fold():
                self.table.press(Key.FOLD)
            case CheckCall():
                self.table.press(Key.CHECK_CALL)
            case BetRaise(size=Size.ALL_IN):
                self.table.press(Key.ALL_IN)
            case BetRaise(size=size, more=more):
                self.table.press(Key.BET_RAISE)
                for _ in range(PUSHES[size]):
                    self.table.push()
                if more:
                    self._dial_up(more, seen)
                self.table.press(Key.BET_RAISE)

    def _slip(self, seen: Glance) -> None:
        """The dealer's finger lands on FOLD; the player protests, and UNDO takes it back."""
        self.table.press(Key.FOLD)
        self.table.press(Key.UNDO)
        if self.table.glance().legal != seen.legal:
            raise self._stuck("UNDO did not take the fold back")

    def _dial_up(self, more: int, seen: Glance) -> None:
        """Turns the knob until the amount stands `more` smallest chips higher, or at everything the seat has."""
        opened, chip = self.table.glance().amount, self.table.file.chip
        if opened is None or seen.legal is None:
            raise self._stuck("BET/RAISE opened no amount")
        self.table.dial(min((opened // chip + more) * chip, seen.legal.all_in_to))

    def _show(self, view: TableView, hand: Hand) -> None:
        """A player shows what wins or ties what lies open and mucks the rest; a hand that must be shown is shown."""
        mine = strength((*hand.cards(view.to_act), *view.board))
        best = max((strength((*seat.shown, *view.board)) for seat in view.seats if len(seat.shown) == 2), default=0)
        if mine < best:
            self.table.press(Key.FOLD)
        now = self.table.glance().view
        if (now.due, now.to_act) == (Due.SHOW, view.to_act):
            self.table.press(Key.CHECK_CALL)

    # --- what the players think

    def _choice(self, seen: Glance, hand: Hand) -> players.Choice:
        legal = seen.legal
        if legal is None:
            raise self._stuck("somebody must act, and nothing is legal")
        seat = legal.seat
        return players.choose(seen.view, legal, hand.cards(seat), self._temper(hand.names[seat]), hand.mood(seat))

    def _temper(self, player: str) -> players.Temper:
        if player not in self._tempers:
            self._tempers[player] = players.Temper.of(Random(f"{self._seed} temper of {player}"))
        return self._tempers[player]

    def _stuck(self, why: str) -> Stuck:
        prompt = " / ".join(line.strip() for line in self.table.glance().prompt if line.strip())
        return Stuck(f"table {self.table_no}: {why}; its prompt says: {prompt}")
