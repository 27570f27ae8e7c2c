"""Random hands, no-limit and fixed-limit, at our table and in pokerkit side by side: legal ranges, pots, final stacks.

Both are handed the same cards and the same actions. Where the two differ, the difference must be one of those named in
`Difference`, each decided against the peer by the rulebook it cites, and it must be one of the situations it describes:
that is worked out from the bets alone. A hand that a named difference touches is played on with an action that both
allow, so that pots and stacks still compare.

The tests play some thousand hands. For more of them, by hand:
`python -m tests.engine.against_pokerkit --hands 200000 --seed 1`
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from random import Random

from pokerkit import Automation, FixedLimitTexasHoldem, Mode, NoLimitTexasHoldem, StandardHighHand

from engine import inputs, rulebook
from engine import table as rules
from engine.cards import DECK
from engine.inputs import Game, Level
from engine.view import Due, Part

BOOK = rulebook.load("tda")
SMALL, BIG = 50, 100
CAP = 4  # a bet and three raises, fixed-limit (the book's limit_raise_cap)
SHORT = 25  # per cent of stacks that are near the blinds
MOST_STEPS = 400  # of one hand, far above what nine players can do

# pokerkit posts, collects, shows, pushes and pulls by itself; the cards are handed to it.
BY_ITSELF = (
    Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING, Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)  # fmt: skip


_ranked = StandardHighHand.from_game  # pokerkit's own evaluator


@lru_cache(maxsize=64)
def _ranked_once(hole, board):
    return _ranked(hole, board)


class RankedOnce(StandardHighHand):
    """Pokerkit ranks the same cards again at every step of a hand, three quarters of its time: it is kept instead."""

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        return _ranked_once(tuple(hole_cards), tuple(board_cards))


class NoLimit(NoLimitTexasHoldem):
    hand_types = (RankedOnce,)


class FixedLimit(FixedLimitTexasHoldem):
    hand_types = (RankedOnce,)


class Difference(StrEnum):
    """Where pokerkit 0.7.7 and the rules part, and the article that decides."""

    SHORT_ALL_IN = (
        "tda:47 after all-ins below a full raise, a raise is open to who faces a full raise, and to nobody else"
    )
    COVERED = "tda:47 a raise is open as long as another hand is not all-in, even if that hand cannot call it all"
    ODD_CHIPS = "tda:20 odd chips go one each from left of the button, not all to the first"
    SIDE_POTS = "tda:21 each side pot is split by itself; pokerkit first merges those that the same hands win"
    HALF_BET = "tda:47-B in fixed-limit an all-in of half a bet is a raise, and one of less may be completed"
    CAP = "tda:48 in fixed-limit there are a bet and three raises, and no last one when two are left"
    LAST_CHECK = "tda:16 betting is over when only one hand could bet; pokerkit asks the big blind for a check"
    SHORT_BLIND = "tda:43 a short big blind does not lower the call: the price is the full big blind"


@dataclass
class Street:
    """The bets of one street, remembered apart from both engines. `fixed`: the bet of fixed-limit; 0 in no-limit."""

    fixed: int = 0
    price: int = 0
    increment: int = BIG
    full: int = 0  # the price after the last full bet or raise
    wagers: int = 0  # full bets and raises so far
    bets: dict[int, int] = field(default_factory=dict)
    acted: dict[int, int] = field(default_factory=dict)  # seat -> the price when it last acted
    short_all_in: bool = False

    def act(self, seat: int, to: int) -> None:
        self.bets[seat] = max(to, self.bets.get(seat, 0))
        if to > self.price:
            if self._is_full(to):
                self.increment = to - self.price
                self.full = to
                self.wagers += 1
            if to < self.price + self.increment or (self.fixed and to != self.fixed * self.wagers):
                self.short_all_in = True
            self.price = to
        self.acted[seat] = self.price

    def _is_full(self, to: int) -> bool:
        return 2 * (to - self.full) >= self.fixed if self.fixed else to - self.price >= self.increment

    def may_raise(self, seat: int) -> bool:
        if seat not in self.acted:
            return True
        faced = self.price - self.acted[seat]
        return 2 * faced >= self.fixed if self.fixed else faced >= self.increment

    def capped(self, players: int) -> bool:
        return bool(self.fixed) and self.wagers >= CAP and players > 2

    def open_range(self, seat: int, top: int, players: int) -> tuple[int, int] | None:
        """What the rules open to a seat that has `top` in all, if somebody else can answer."""
        if top <= self.price or self.capped(players) or not self.may_raise(seat):
            return None
        if self.fixed:
            to = min(self.full + self.fixed, top)
            return to, to
        return min(self.price + self.increment if self.price else BIG, top), top


class Pair:
    """One hand at both tables."""

    def __init__(self, random: Random, stacks: list[int] | None = None, game: Game = Game.NO_LIMIT) -> None:
        self.random = random
        self.fixed_limit = game is Game.FIXED_LIMIT
        self.level = Level(SMALL, BIG, game=game)
        self.ante, self.big_blind_ante = random.choice([(0, 0), (0, 0), (10, 0), (25, 0), (0, 100)])
        if stacks:
            self.ante = self.big_blind_ante = 0
        self.stacks = stacks or [self._stack() for _ in range(random.randint(2, 10))]
        self.count = len(self.stacks)
        deck = random.sample(DECK, len(DECK))
        self.hole = {seat: (deck.pop(), deck.pop()) for seat in range(1, self.count + 1)}
        self.deck = deck
        self.seen: Counter[Difference] = Counter()
        self.ours = self._our_table()
        self.theirs = self._their_table()
        self.street = self._blinds()

    def _stack(self) -> int:
        forced = BIG + max(self.ante, self.big_blind_ante)
        if self.random.randrange(100) < SHORT:
            return self.random.randint(forced, 5 * BIG)
        return self.random.randint(forced, 60 * BIG)

    def _our_table(self):
        state = rules.new_table(self.count)
        first = 2 if self.count == 2 else 1
        steps = [inputs.SitDown(seat, f"p{seat}", stack) for seat, stack in enumerate(self.stacks, 1)]
        steps += [
            inputs.ApplyLevel(
                Level(SMALL, BIG, ante=self.ante, big_blind_ante=self.big_blind_ante, game=self.level.game)
            ),
            inputs.PlaceButton(self.count, first, 3 - first),
            inputs.FirstCard(),
            inputs.HoleCardsDealt(self.hole),
        ]
        for step in steps:
            state, ruling = rules.apply(state, step, BOOK)
            assert ruling.outcome == "ok", (step, ruling)
        return state

    def _their_table(self):
        """Antes and blinds are listed small blind first; with two players pokerkit turns the lists round."""
        antes = {1: self.big_blind_ante} if self.big_blind_ante else self.ante
        forced = (BY_ITSELF, not self.big_blind_ante, antes, (SMALL, BIG))
        if self.fixed_limit:
            state = FixedLimit.create_state(
                *forced, BIG, 2 * BIG, self.stacks, self.count, mode=Mode.TOURNAMENT
            )
        else:
            state = NoLimit.create_state(*forced, BIG, self.stacks, self.count, mode=Mode.TOURNAMENT)
        for cards in self.hole.values():
            state.deal_hole("".join(cards))
        return state

    def _blinds(self) -> Street:
        small, big = (2, 1) if self.count == 2 else (1, 2)
        return Street(BIG if self.fixed_limit else 0, BIG, BIG, BIG, 1, {small: SMALL, big: BIG})

    # --- one step

    @property
    def view(self):
        return rules.view(self.ours, BOOK)

    def play(self) -> None:
        for _ in range(MOST_STEPS):
            due = self.view.due
            if due is Due.ACTION:
                self._act()
            elif due is Due.BURN:
                self._deal()
            elif due is Due.SHOW:
                self._apply(inputs.TableCards(self.view.to_act))
            else:
                assert due is Due.NEXT_HAND, due
                return
        raise AssertionError("the hand does not end")

    def _apply(self, step) -> None:
        self.ours, ruling = rules.apply(self.ours, step, BOOK)
        assert ruling.outcome == "ok", (step, ruling)

    def _act(self) -> None:
        legal = rules.legal(self.ours, BOOK)
        state, seat = self.theirs, legal.seat
        assert state.actor_index == seat - 1
        assert state.checking_or_calling_amount == legal.to_call
        open_range = legal.bet or legal.raise_to
        peer_range = None
        if state.can_complete_bet_or_raise_to():
            peer_range = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
        if open_range != peer_range:
            self.seen[self._explain(seat, open_range, peer_range)] += 1
        self._choose(seat, legal, open_range if open_range == peer_range else None)

    def _explain(self, seat: int, ours, theirs) -> Difference:
        """Which named difference is this? None fits: the test fails with both ranges."""
        view, street = self.view, self.street
        others = [other for other in view.seats if other.seat != seat and other.part is Part.LIVE]
        mine = next(other for other in view.seats if other.seat == seat)
        right = street.open_range(seat, mine.stack + mine.bet, self.count) if others else None
        assert ours == right, f"seat {seat} at {street}: ours {ours}, by the bets alone {right}"
        if theirs is None and ours is not None and all(other.stack + other.bet <= street.price for other in others):
            return Difference.COVERED
        if street.short_all_in:
            return Difference.HALF_BET if self.fixed_limit else Difference.SHORT_ALL_IN
        if self.fixed_limit and (street.wagers >= CAP):
            return Difference.CAP
        raise AssertionError(f"seat {seat} at {street}: ours {ours}, pokerkit {theirs}, nothing explains it")

    def _choose(self, seat: int, legal, both) -> None:
        """Some action that both allow; all-ins and smallest raises often."""
        dice = self.random.random()
        mine = self.street.bets.get(seat, 0)
        if both and dice < 0.4:
            low, high = both
            to = self.random.choice([low, low, high, self.random.randint(low, high)])
            self._apply(inputs.Bet(seat, to) if legal.bet else inputs.RaiseTo(seat, to))
            self.theirs.complete_bet_or_raise_to(to)
            self.street.act(seat, to)
        elif legal.to_call and dice > 0.8:
            self._apply(inputs.Fold(seat))
            self.theirs.fold()
        else:
            self._apply(inputs.Call(seat) if legal.to_call else inputs.Check(seat))
            self.theirs.check_or_call()
            self.street.act(seat, mine + legal.to_call)

    def _deal(self) -> None:
        if self.theirs.can_check_or_call():
            assert self.theirs.checking_or_calling_amount == 0
            assert not self.theirs.can_complete_bet_or_raise_to()
            self.seen[Difference.LAST_CHECK] += 1
            self.theirs.check_or_call()
        self._compare_pots()
        count = 1 if self.view.board else 3
        burn, cards = self.deck.pop(), [self.deck.pop() for _ in range(count)]
        self._apply(inputs.StreetDealt(tuple(cards)))
        self.theirs.burn_card(burn)
        self.theirs.deal_board("".join(cards))
        self.street = Street((BIG if count > 1 or len(self.view.board) < 4 else 2 * BIG) if self.fixed_limit else 0)

    def _compare_pots(self) -> None:
        ours = [(pot.amount, tuple(pot.eligible)) for pot in self.view.pots]
        theirs = [(pot.amount, tuple(player + 1 for player in pot.player_indices)) for pot in self.theirs.pots]
        assert ours == theirs

    # --- the end

    def compare_stacks(self) -> None:
        assert not self.theirs.status
        stacks = {seat.seat: seat.stack for seat in self.view.seats}
        ours = [stacks.get(seat, 0) for seat in range(1, self.count + 1)]
        theirs = list(self.theirs.stacks)
        assert sum(ours) == sum(theirs) == sum(self.stacks)
        if ours != theirs:
            self.seen[self._explain_odd_chips(ours, theirs)] += 1

    def _explain_odd_chips(self, ours: list[int], theirs: list[int]) -> Difference:
        """Each of our pots is cut as evenly as can be, and only chips that cannot be cut lie elsewhere in pokerkit."""
        awards = self.ours.hand.awards
        for award in awards:
            chips = [share for _, share in award.shares]
            assert chips == sorted(chips, reverse=True)  # the shares stand in order from left of the button
            assert max(chips) - min(chips) <= 1
        odd = [award.amount % len(award.shares) for award in awards]
        assert sum(abs(our - their) for our, their in zip(ours, theirs, strict=True)) <= 2 * sum(odd)
        return Difference.ODD_CHIPS if max(odd) > 1 else Difference.SIDE_POTS


def play_hands(hands: int, seed: int) -> Counter[Difference]:
    """Plays so many hands, every other one fixed-limit; which differences were met, and how often.

    **Raises** AssertionError at the first difference that nothing explains.
    """
    random = Random(seed)
    seen: Counter[Difference] = Counter()
    for number in range(hands):
        pair = Pair(random, game=Game.FIXED_LIMIT if number % 2 else Game.NO_LIMIT)
        pair.play()
        pair.compare_stacks()
        seen += pair.seen
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="plays random hands here and in pokerkit, and compares them")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    met = [f"{times:8}  {difference}" for difference, times in play_hands(asked.hands, asked.seed).most_common()]
    met += [f"{asked.hands:8}  hands from seed {asked.seed}: the same ranges, pots and stacks but for the above"]
    sys.stdout.write("\n".join(met) + "\n")
