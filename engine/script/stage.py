"""The table a hand script plays at: each statement becomes the inputs it stands for.

A stage keeps the state of the table and what a reader of the script would remember of the running hand: the hole cards
given, what was paid and to whom, who is out, who showed, how many cards have left the deck. Everything else is asked of
the rules when somebody wants to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatchmethod

import msgspec

from engine import inputs, wire
from engine import table as rules
from engine.evolve import check
from engine.inputs import UNKNOWN_CARD, Arrival, DealFault, Game, Input, KillReason, Level, Sanction
from engine.publish import bodies
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.script import lines as say
from engine.script.bust import ANY_LEVEL, bust_hand
from engine.script.desk import Desk
from engine.script.lines import Script, Statement
from engine.script.messages import LineError
from engine.script.words import ScriptError
from engine.state import TableState, cards_off
from engine.view import Due, Part, Street, TableView

MOST_STEPS = 200  # inputs that one line may need: a bound, far above 22 hands to show and 5 board cards
SECOND_MS = 1000
STREET_CARDS = 3  # of the flop; the other streets have one


class NotPlayed(LineError):  # noqa: N818  it is no error of the script
    """The grammar knows this line, the rules do not play it."""


class Stage:
    """The table a script plays at, and what a reader of the script would remember of the running hand."""

    def __init__(self, script: Script, book: Rulebook) -> None:
        self.script = script
        self.book = book
        self.state: TableState = rules.new_table(script.header.size, script.header.chip)
        self.at_ms = 0
        self.hole: dict[int, tuple[str, str]] = {}  # of the running hand, as far as the script gives them
        self.awards: list[tuple[tuple[int, int], ...]] = []  # one entry a pot: (chips, seat) in the order paid
        self.out: list[tuple[int, int]] = []  # (stack at the hand's start, seat)
        self.carried = 0
        self.playing: tuple[int, ...] = ()
        self.cards_off = 0  # cards that have left the deck in the hand that runs or ran last
        self.stacks_known = True
        self.desk = Desk(book, script.header.small_blind or 0)
        self._coming: dict[int, tuple[str, str]] = {}  # hole cards for the next `begin`
        self._before_hand = self.state
        self._since: list[tuple[int, Input]] = []  # moments and inputs since the hand began, for `undo` and `bust`
        self._sat = 0
        self._set_up()

    # --- what checks read

    @property
    def view(self) -> TableView:
        """The public picture now."""
        return rules.view(self.state, self.book)

    def next_hand(self) -> TableView:
        """The picture of the hand that has begun or, between hands, of the one about to begin."""
        return rules.view(self._between_hands(), self.book)

    def next_deal(self) -> TableView:
        """The picture with the hole cards dealt: of the running hand, or as the next one would begin."""
        state = self._between_hands()
        if rules.view(state, self.book).street is not Street.OVER:
            return rules.view(state, self.book)
        any_level = () if self.view.level else (inputs.ApplyLevel(ANY_LEVEL),)
        for step in (*any_level, inputs.FirstCard(), inputs.HoleCardsDealt()):
            state, ruling = rules.apply(state, step, self.book, self.at_ms)
            if ruling.outcome == "refused":
                raise LineError("no hand can begin: {reason}", reason=ruling)
        return rules.view(state, self.book)

    def _between_hands(self) -> TableState:
        if self.view.due is not Due.NEXT_HAND:
            return self.state
        return rules.apply(self.state, inputs.NextHand(), self.book, self.at_ms)[0]

    # --- inputs

    def apply(self, given: Input) -> Ruling:
        """Gives one input to the rules and remembers what it paid and eliminated. Every chip is counted each time."""
        before = self.state
        self.state, ruling = rules.apply(before, given, self.book, self.at_ms)
        check(self.state)
        if (hand := self.state.hand) is not None and hand.due is not Due.NEXT_HAND:
            self.cards_off = cards_off(hand)
        elif self.state.redeal:
            self.cards_off = 0
        if ruling.outcome != "refused":
            self._since.append((self.at_ms, given))
        self._remember(bodies(before, ruling, self.state, self.book))
        return ruling

    def _remember(self, happened: Iterable[wire.Body]) -> None:
        for body in happened:
            match body:
                case wire.PotAwarded(shares=shares):
                    self.awards.append(tuple((chips, seat) for seat, chips in shares.items()))
                case wire.Eliminated(seat=seat, stack_before=stack):
                    self.out.append((stack, seat))
                case wire.SeatChanged(seat=seat, sat=True):  # out no more, if it was: the award was taken back
                    self.out = [entry for entry in self.out if entry[1] != seat]
                case wire.Irregularity(what="award_corrected"):
                    del self.awards[-1:]  # after `bust` nobody has told what was paid
                case wire.HandEnded(carried=carried):
                    self.carried = carried
                case _:
                    pass

    def _set_up(self) -> None:
        header = self.script.header
        steps: list[Input] = [self._sit(seat, stack, Arrival.NEW) for seat, stack in header.seats]
        if header.level is not None:
            steps.append(inputs.ApplyLevel(self._in_this_game(header.level, header.bets)))
        if header.button is not None:
            steps.append(inputs.PlaceButton(header.button, header.small_blind, header.big_blind))
        steps += [inputs.Away(seat) for seat in header.away]
        for step in steps:
            ruling = self.apply(step)
            if ruling.outcome != "ok":
                raise ScriptError(
                    self.script.file, self.script.line, "the table cannot be set up: {what} is refused: {reason}",
                    what=type(step).__name__, reason=ruling,
                )  # fmt: skip
        self._hand_starts_here()

    def _in_this_game(self, level: Level, bets: tuple[int, int] | None) -> Level:
        """The level with the game of the header; its bets, where they are not said, follow the blinds."""
        small, big = bets or (0, 0)
        return msgspec.structs.replace(level, game=Game(self.script.header.game), small_bet=small, big_bet=big)

    def _hand_starts_here(self) -> None:
        self._before_hand = self.state
        self._since = []

    def _sit(self, seat: int, stack: int, arrival: Arrival) -> Input:
        self._sat += 1
        return inputs.SitDown(seat, f"player-{self._sat}", stack, arrival=arrival)

    # --- lines: each gives the rulings it caused

    @singledispatchmethod
    def do(self, statement: Statement) -> tuple[Ruling, ...]:
        """Plays one statement. **Raises** NotPlayed, or ValueError when the script asks for what cannot be."""
        raise NotPlayed(
            "{what} is beyond what the rules of {book} play here", what=_name(statement), book=self.book.id
        )

    @do.register
    def _(self, act: say.Act) -> tuple[Ruling, ...]:
        return (self.apply(_ACTS[act.what](act.seat, act.to or 0)),)

    @do.register
    def _(self, dealt: say.Dealt) -> tuple[Ruling, ...]:
        self._coming[dealt.hole_cards.seat] = dealt.hole_cards.cards
        return ()

    @do.register
    def _(self, _: say.Begins) -> tuple[Ruling, ...]:
        rulings = [*self._leave_finished_hand()]
        if self.view.due is not Due.HOLE_CARDS:
            rulings += self._first_card()
        if rulings and rulings[-1].outcome == "refused":
            return tuple(rulings)
        self.hole, self._coming = self._coming, {}
        known = {seat: cards for seat, cards in self.hole.items() if UNKNOWN_CARD not in cards}
        rulings.append(self.apply(inputs.HoleCardsDealt(known)))
        parts = {seat.seat: seat.part for seat in self.view.seats}
        self.playing = tuple(seat for seat, part in sorted(parts.items()) if part in (Part.LIVE, Part.ALL_IN))
        return tuple(rulings)

    def _first_card(self) -> list[Ruling]:
        if not rules.may(self.state, inputs.FirstCard(), self.book, self.at_ms):
            return [self.apply(inputs.FirstCard())]      # nothing changes: the last hand is what it was
        self.awards, self.out, self.carried = [], [], 0
        self._hand_starts_here()
        return [self.apply(inputs.FirstCard())]

    def _leave_finished_hand(self) -> tuple[Ruling, ...]:
        self.complete_showdown()
        return (self._next(),) if self.view.due is Due.NEXT_HAND else ()

    def _next(self) -> Ruling:
        ruling = self.apply(inputs.NextHand())
        if ruling.outcome == "ok":
            self._hand_starts_here()
        return ruling

    @do.register
    def _(self, moment: say.Moment) -> tuple[Ruling, ...]:
        left = self._leave_finished_hand()
        if moment.what == "first_card":
            return (*left, *self._first_card())
        return (*left, self.apply(inputs.Shuffle()))

    @do.register
    def _(self, board: say.Board) -> tuple[Ruling, ...]:
        cards = board.cards
        if cards == (UNKNOWN_CARD,) and not self.view.board:
            cards *= STREET_CARDS
        return (self.apply(inputs.StreetDealt(cards)),)

    @do.register
    def _(self, stray: say.StrayCard) -> tuple[Ruling, ...]:
        return (self.apply(inputs.CardDrawn(stray.card)),)

    @do.register
    def _(self, goes: say.Goes) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Away(goes.seat) if goes.away else inputs.Back(goes.seat)),)

    @do.register
    def _(self, shows: say.Shows) -> tuple[Ruling, ...]:
        if shows.cards:
            self.hole[shows.seat] = shows.cards
        return (self.apply(inputs.TableCards(shows.seat, shows.cards)),)

    @do.register
    def _(self, mucks: say.Mucks) -> tuple[Ruling, ...]:
        return (self._muck(mucks.seat),)

    @do.register
    def _(self, asks: say.Asks) -> tuple[Ruling, ...]:
        return (self.apply(inputs.AsksToSee(asks.seat, asks.of)),)

    @do.register
    def _(self, kills: say.Kills) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Kill(kills.seat, KillReason(kills.why))),)

    @do.register
    def _(self, says: say.Says) -> tuple[Ruling, ...]:
        motion = None if says.motion is None else _motion(says.motion)
        return (self.apply(inputs.Says(says.seat, inputs.Word(says.word), says.amount, motion)),)

    @do.register
    def _(self, puts: say.Puts) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Puts(puts.seat, tuple(_motion(motion) for motion in puts.motions), puts.unnoticed)),)

    @do.register
    def _(self, found: say.Noticed) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Noticed(found.seat)),)

    @do.register
    def _(self, chooses: say.Chooses) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Chooses(chooses.seat, inputs.Choice(chooses.what), chooses.to or 0)),)

    @do.register
    def _(self, asks: say.ClockCall) -> tuple[Ruling, ...]:
        return (self.apply(inputs.ClockCall(asks.seat)),)

    @do.register
    def _(self, _: say.Grants) -> tuple[Ruling, ...]:
        return (self.apply(inputs.GrantClock()),)

    @do.register
    def _(self, _: say.Reminds) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Remind()),)

    @do.register
    def _(self, revives: say.Revives) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Revive(revives.seat)),)

    @do.register
    def _(self, exposes: say.Exposes) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Exposes(exposes.seat)),)

    @do.register
    def _(self, error: say.DealError) -> tuple[Ruling, ...]:
        return (self.apply(inputs.DealError(DealFault(error.kind), error.seat or 0, error.n or 0)),)

    @do.register
    def _(self, _: say.Complains) -> tuple[Ruling, ...]:
        self.complete_showdown()
        return (self.apply(inputs.Complain()),)

    @do.register
    def _(self, penalty: say.Penalty) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Penalise(penalty.seat, Sanction(penalty.what), penalty.n or 0)),)

    @do.register
    def _(self, confiscates: say.Confiscates) -> tuple[Ruling, ...]:
        return (self.apply(inputs.Confiscate(confiscates.seat, confiscates.amount)),)

    @do.register
    def _(self, waits: say.Waits) -> tuple[Ruling, ...]:
        """Time passes; the table is told of each deadline at its moment, as a unit's timer would."""
        until, rulings = self.at_ms + waits.seconds * SECOND_MS, []
        while (deadline := rules.next_deadline_ms(self.state)) is not None and deadline <= until:
            self.at_ms = deadline
            rulings.append(self.apply(inputs.TimePassed()))
        self.at_ms = until
        return tuple(rulings)

    @do.register
    def _(self, awards: say.Awards) -> tuple[Ruling, ...]:
        self._complete_board()
        self.complete_showdown()
        return (self.apply(inputs.AwardPot(awards.seats)),)

    @do.register
    def _(self, floor: say.Floor) -> tuple[Ruling, ...]:
        if floor.word in ("awards", "holds"):
            self._complete_board()
            self.complete_showdown()
        return (self.apply(inputs.FloorDecides(floor.word, floor.text, floor.seats, floor.amount or 0)),)

    @do.register
    def _(self, _: say.Next) -> tuple[Ruling, ...]:
        self.complete_showdown()
        return (self._next(),)

    @do.register
    def _(self, bust: say.Bust) -> tuple[Ruling, ...]:
        if self.view.due is Due.NEXT_HAND:
            self._next()
        state, begun, after = self._before_hand, False, []
        for _, given in self._since:
            begun = begun or isinstance(given, inputs.FirstCard)
            if begun and isinstance(given, _PUNISHES):
                after.append(given)
            elif isinstance(given, _OUTLIVES_A_HAND):
                state = rules.apply(state, given, self.book, self.at_ms)[0]
        self.state, eliminated = bust_hand(state, self.book, bust.seats, self.at_ms)
        for given in after:
            self.state = rules.apply(self.state, given, self.book, self.at_ms)[0]
        self.out = [*eliminated]
        self.awards, self.stacks_known = [], False
        self._hand_starts_here()
        return ()

    @do.register
    def _(self, _: say.Undo) -> tuple[Ruling, ...]:
        commands = [at for at, (_, given) in enumerate(self._since) if isinstance(given, inputs.Command)]
        if not commands or isinstance(self._since[commands[-1]][1], inputs.FirstCard):
            raise LineError("there is no command of this hand to take back")
        again = self._since[: commands[-1]] + self._since[commands[-1] + 1 :]
        self.state = self._before_hand
        self.awards, self.out, self.carried = [], [], 0
        self._since = []
        now = self.at_ms
        for self.at_ms, given in again:
            self.apply(given)
        self.at_ms = now
        return ()

    @do.register
    def _(self, sits: say.Sits) -> tuple[Ruling, ...]:
        return (self.apply(self._sit(sits.seat, sits.stack, Arrival(sits.arrival))),)

    @do.register
    def _(self, leaves: say.Leaves) -> tuple[Ruling, ...]:
        return (self.apply(inputs.LeaveSeat(leaves.seat)),)

    @do.register
    def _(self, counts: say.Counts) -> tuple[Ruling, ...]:
        return (self.apply(inputs.SetStack(counts.seat, counts.stack)),)

    @do.register
    def _(self, new: say.NewLevel) -> tuple[Ruling, ...]:
        return (self.apply(inputs.ApplyLevel(self._in_this_game(new.level, None))),)

    @do.register
    def _(self, _: say.LevelClock) -> tuple[Ruling, ...]:
        return ()  # the level that counts is the announced one; a clock announces nothing

    @do.register
    def _(self, dodges: say.Dodges) -> tuple[Ruling, ...]:
        return (self.apply(inputs.DodgedBlinds(dodges.seat, dodges.small_blind, dodges.big_blind)),)

    @do.register
    def _(self, row: say.TableRow) -> tuple[Ruling, ...]:
        self.desk.add_table(row)
        return ()

    @do.register
    def _(self, _: say.Plan) -> tuple[Ruling, ...]:
        self.desk.make_plan()
        return ()

    @do.register
    def _(self, race: say.Race) -> tuple[Ruling, ...]:
        stacks = {seat.seat: seat.stack for seat in self.view.seats}
        over = self.desk.begin_race(race.old, race.new, stacks)
        return (self.apply(over),) if over is not None else ()

    @do.register
    def _(self, draw: say.Draw) -> tuple[Ruling, ...]:
        over = self.desk.draw(draw.cards)
        return (self.apply(over),) if over is not None else ()

    @do.register
    def _(self, payout: say.Payout) -> tuple[Ruling, ...]:
        return (self.desk.pay_out(payout),)

    @do.register
    def _(self, shares: say.Shares) -> tuple[Ruling, ...]:
        return (self.desk.share_out(shares.percent),)

    # --- showdown

    def complete_showdown(self) -> None:
        """Shows and mucks in order, once the board is out, as far as that goes without a word of the dealer."""
        for _ in range(MOST_STEPS):
            if self.view.due is not Due.SHOW:
                return
            self._show_or_muck(self.view)

    def _complete_board(self) -> None:
        """The dealer names a winner: the streets that are missing were dealt, and nobody has told which cards."""
        while self.view.due is Due.BURN and self.view.street is Street.SHOWDOWN:
            missing = 1 if self.view.board else STREET_CARDS
            self.apply(inputs.StreetDealt((UNKNOWN_CARD,) * missing))

    def _show_or_muck(self, view: TableView) -> Ruling:
        """A hand the script knows is shown; an unknown one is mucked if somebody can show a known one."""
        seat = view.to_act
        if self._knows(seat) or not any(self._knows(other.seat) for other in view.seats if _in(other.part)):
            return self.apply(inputs.TableCards(seat))
        mucked = self._muck(seat)
        if mucked.outcome != "refused":
            return mucked
        known = [other.seat for other in view.seats if _in(other.part) and self._knows(other.seat) and not other.shown]
        if mucked.refusal == "too_early" and known:
            return self.apply(inputs.TableCards(known[0]))  # first a hand that may beat it
        return self.apply(inputs.Kill(seat))  # where no hand may be mucked, one nobody knows must still give way

    def _muck(self, seat: int) -> Ruling:
        """A hand is mucked; where it must be beaten first, those before it show what the script gives them."""
        hand = self.state.hand
        if hand is not None and self.view.due is Due.SHOW and self.book.muck_at_showdown == "if_beaten":
            before = hand.show_order[: hand.show_order.index(seat)] if seat in hand.show_order else ()
            for other in before:
                if self._knows(other) and (hand.live & ~hand.shown) >> other & 1:
                    self.apply(inputs.TableCards(other))
        return self.apply(inputs.Muck(seat))

    def _knows(self, seat: int) -> bool:
        return UNKNOWN_CARD not in self.hole.get(seat, (UNKNOWN_CARD,))


def _motion(motion: say.Motion) -> inputs.Motion:
    return inputs.Motion(motion.chips, single=motion.single)


def _in(part: Part) -> bool:
    return part in (Part.LIVE, Part.ALL_IN)


def _name(statement: Statement) -> str:
    return type(statement).__name__.lower()


_ACTS: dict[str, Callable[[int, int], Input]] = {
    "fold": lambda seat, _: inputs.Fold(seat),
    "check": lambda seat, _: inputs.Check(seat),
    "call": lambda seat, _: inputs.Call(seat),
    "bet": inputs.Bet,
    "raise_to": inputs.RaiseTo,
    "all_in": lambda seat, _: inputs.AllIn(seat),
}

_PUNISHES = (inputs.Penalise, inputs.Confiscate)
"""What is imposed during a hand counts from the next one."""

_OUTLIVES_A_HAND = (
    inputs.SitDown, inputs.LeaveSeat, inputs.PlaceButton, inputs.ApplyLevel, inputs.SetStack, inputs.HoldPlay,
    inputs.RaceChips, inputs.DodgedBlinds, inputs.Away, inputs.Back, inputs.Shuffle, *_PUNISHES,
)  # fmt: skip
