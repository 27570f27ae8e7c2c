"""The director's desk in a hand script: balancing, a chip race, the money. What it is asked has no hand running.

A desk keeps what its lines have told so far, and answers their checks.
"""

from __future__ import annotations

from engine import chip_race
from engine.chip_race import Race
from engine.inputs import RaceChips
from engine.payout import Money, collected, decreasing, paid_places
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.script.lines import Payout, TableRow
from engine.script.messages import LineError, Message
from engine.script.plan import Place, Proposal, plan


class Desk:
    """What the lines about the room have told so far. Methods **raise** ValueError where a line comes too early."""

    def __init__(self, book: Rulebook, small_blind: int) -> None:
        """`small_blind` is that of the last hand, 0 if the script does not say."""
        self.money = Money(0, 0, 0)
        self.paid = 0
        self.race: Race | None = None
        self._book = book
        self._small_blind = small_blind
        self._tables: tuple[TableRow, ...] = ()
        self._proposal: Proposal | None = None
        self._moves_checked = 0
        self._dealt: tuple[tuple[int, str], ...] = ()  # cards of the round that is being dealt
        self._rounds: tuple[tuple[tuple[int, str], ...], ...] = ()

    # --- balancing

    def add_table(self, row: TableRow) -> None:
        """One more table, as its last hand left it."""
        self._tables += (row,)

    def make_plan(self) -> None:
        """What the book proposes for the tables so far."""
        self._proposal = plan(self._tables, self._book)
        self._moves_checked = 0

    @property
    def proposal(self) -> Proposal:
        """What was proposed."""
        if self._proposal is None:
            raise LineError("nothing is proposed yet: a plan line comes before this check")
        return self._proposal

    def next_move(self) -> tuple[Place, ...]:
        """The first move that no line has asked for yet; () when there is none."""
        self._moves_checked += 1
        return next(iter(self.proposal.moves[self._moves_checked - 1 : self._moves_checked]), ())

    def not_checked(self) -> Message | None:
        """Moves were proposed that no line of the script names, though it names others."""
        moves = self._proposal.moves if self._proposal else ()
        if not 0 < self._moves_checked < len(moves):
            return None
        said = "the script names {named} moves, the rules propose {proposed}"
        return Message(said, {"named": self._moves_checked, "proposed": len(moves)})

    # --- the chip race: both lines give the table's input once nothing is left to win

    def begin_race(self, old: int, new: int, stacks: dict[int, int]) -> RaceChips | None:
        """The chips of `old` leave."""
        book = self._book
        self.race = chip_race.begin(
            stacks, old, new, self._small_blind, book.chip_race, book.race_tie, book.race_rest
        )
        self._dealt, self._rounds = (), ()
        return self._over(self.race)

    def draw(self, cards: tuple[tuple[int, str], ...]) -> RaceChips | None:
        """A round of cards; one that is dealt all at once may be told on several lines."""
        if self.race is None:
            raise LineError("there is no race: a race line comes before its draws")
        self._dealt += cards
        if self.race.procedure == "tda" and len(self._dealt) < len(chip_race.due(self.race)):
            return None
        self.race = chip_race.deal(self.race, self._dealt)
        self._rounds += (self._dealt,)
        self._dealt = ()
        return self._over(self.race)

    def _over(self, race: Race) -> RaceChips | None:
        return None if chip_race.to_win(race) else RaceChips(race.old, race.new, self._rounds, self._small_blind)

    @property
    def won(self) -> tuple[tuple[int, int], ...]:
        """Who has won which chip of the race, in order."""
        if self.race is None:
            raise LineError("nothing was won yet: a race line comes before this check")
        return tuple((seat, self.race.new) for seat in self.race.won)

    def check_race_is_over(self) -> None:
        """Says what is missing while a race is on."""
        if self.race is not None:
            chip_race.outcome(self.race)

    # --- the money

    def pay_out(self, payout: Payout) -> Ruling:
        """What the entries bring in, and how many are paid."""
        self.money = collected(payout.entries, payout.prize, payout.fee, payout.jackpot)
        share = self._book.min_paid_share
        self.paid = paid_places(payout.entries, None if share == "none" else share)
        return Ruling("ok", articles=() if share == "none" else self._book.cite("min_paid_share"))

    def share_out(self, percent: tuple[int, ...]) -> Ruling:
        """The shares of the places, from the first. Refuses `not_decreasing` where the book wants them to fall."""
        if not self._book.shares_decreasing:
            return Ruling("ok")
        articles = self._book.cite("shares_decreasing")
        if not decreasing(percent):
            return Ruling("refused", articles=articles, refusal="not_decreasing")
        return Ruling("ok", articles=articles)
