"""`bust S...` of a hand script: a hand is over and these seats lost all their chips; to whom is not told.

Such a hand is played, not pretended, so that the button and the blinds move by the rules: the seats named go all-in,
one other player calls them all, their hands are killed, and everybody else folds. For the hand each of them keeps one
chip, so that no limit of the game stands in the way, and the others are lent the chips to call; afterwards the others
have what they had, and the one has won the rest: no chip appears or is lost.
"""

from __future__ import annotations

from engine import inputs, wire
from engine import table as rules
from engine.inputs import Input, Level
from engine.publish import bodies
from engine.rulebook import Rulebook
from engine.script.messages import LineError
from engine.state import TableState
from engine.table import Ruling
from engine.view import Due, Part, Presence, TableView

MOST_STEPS = 200
ANY_LEVEL = Level(1, 2)  # of a script that gives no blinds: they mean nothing where nobody asks for a stack


def bust_hand(
    state: TableState, book: Rulebook, busted: tuple[int, ...], at_ms: int
) -> tuple[TableState, list[tuple[int, int]]]:
    """The table about to begin the next hand, and who went out: (stack at the start of the hand, seat).

    **Raises** ValueError when such a hand cannot be: a named seat is not in it, or nobody is left to win.
    """
    return _Bust(state, book, at_ms).play(busted)


class _Bust:
    def __init__(self, state: TableState, book: Rulebook, at_ms: int) -> None:
        self._state = state
        self._book = book
        self._at_ms = at_ms
        self._out: list[int] = []

    def play(self, busted: tuple[int, ...]) -> tuple[TableState, list[tuple[int, int]]]:
        if self._view.due is Due.NEXT_HAND:
            self._must(inputs.NextHand())
        stacks = {seat.seat: seat.stack for seat in self._view.seats}
        away = [seat.seat for seat in self._view.seats if seat.presence is Presence.AWAY]
        for seat in busted:
            if seat in away:
                self._must(inputs.Back(seat))
        if self._view.level is None:
            self._must(inputs.ApplyLevel(ANY_LEVEL))
        self._lend(stacks, busted)
        self._must(inputs.FirstCard())
        self._must(inputs.HoleCardsDealt())
        winner = self._winner(busted)
        self._bet(busted, winner)
        for seat in busted:
            if self._part(seat) not in (Part.LIVE, Part.ALL_IN):
                raise LineError("seat {seat} is not in this hand and cannot lose its chips in it", seat=seat)
            self._must(inputs.Kill(seat))
        if self._view.due is Due.NEXT_HAND and len(stacks) - len(busted) > 1:
            self._must(inputs.NextHand())
        self._take_back(stacks, busted, winner)
        return self._state, [(stacks[seat], seat) for seat in self._out]

    @property
    def _view(self) -> TableView:
        return rules.view(self._state, self._book)

    def _part(self, seat: int) -> Part:
        return next((other.part for other in self._view.seats if other.seat == seat), Part.NONE)

    def _winner(self, busted: tuple[int, ...]) -> int:
        """Who wins the chips: the first player of this hand who can."""
        winners = [seat.seat for seat in self._view.seats if seat.seat not in busted and seat.part is Part.LIVE]
        if not winners:
            raise LineError("bust leaves nobody in the hand who could have won the chips")
        return winners[0]

    def _lend(self, stacks: dict[int, int], busted: tuple[int, ...]) -> None:
        level = self._view.level or ANY_LEVEL
        forced = 2 * (level.big_blind + level.ante + level.big_blind_ante)
        covers = sum(stacks.values()) + forced
        for seat, stack in stacks.items():
            self._must(inputs.SetStack(seat, self._state.chip if seat in busted else stack + covers))

    def _take_back(self, stacks: dict[int, int], busted: tuple[int, ...], winner: int) -> None:
        won = sum(stack for seat, stack in stacks.items() if seat in busted)
        for seat, stack in stacks.items():
            if seat not in busted:
                self._must(inputs.SetStack(seat, stack + (won if seat == winner else 0)))

    def _bet(self, busted: tuple[int, ...], winner: int) -> None:
        for _ in range(MOST_STEPS):
            legal = rules.legal(self._state, self._book)
            if legal is None or self._part(winner) is not Part.LIVE:
                return
            if legal.seat in busted:
                self._must(inputs.AllIn(legal.seat))
            elif legal.seat == winner:
                self._must(inputs.Call(winner) if legal.to_call else inputs.Check(winner))
            else:
                self._must(inputs.Fold(legal.seat))

    def _must(self, given: Input) -> Ruling:
        before = self._state
        self._state, ruling = rules.apply(before, given, self._book, self._at_ms)
        if ruling.outcome == "refused":
            raise LineError("bust: {what} is refused, {reason}", what=type(given).__name__, reason=ruling)
        for body in bodies(before, ruling, self._state, self._book):
            if isinstance(body, wire.Eliminated):
                self._out.append(body.seat)
        return ruling
