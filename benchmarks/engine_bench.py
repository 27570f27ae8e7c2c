"""The engine beside pokerkit and texasholdem: hands a second, the legal-actions query, the time to import.

All play one hand at a table of nine: blinds 50/100, the first to act limps, seven fold, the big blind checks, three
streets are checked down, showdown. pokerkit and we are handed every card one by one, burns included, as from a shoe;
texasholdem can only deal by itself, which is less work.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median

from pokerkit import Automation, Mode, NoLimitTexasHoldem, State
from texasholdem import ActionType, TexasHoldEm

from benchmarks.row import RUNS, Row, per_second
from engine import rulebook, table
from engine.cards import DECK
from engine.inputs import (
    ApplyLevel,
    Call,
    CardDrawn,
    Check,
    FirstCard,
    Fold,
    Input,
    Level,
    PlaceButton,
    Shuffle,
    SitDown,
    TableCards,
)
from engine.state import TableState
from engine.view import Due

SEATS = 9
STACK = 10_000
CARDS = tuple(Random(1).sample(DECK, len(DECK)))
HANDS = 40                   # in one run
QUERIES = 2_000
BOOK = rulebook.load("tda")

# pokerkit does by itself what our engine does: posting, collecting, showing, pushing and pulling chips. Cards are ours.
BY_ITSELF = (
    Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING, Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)  # fmt: skip


def our_table() -> TableState:
    """Nine players at a table, nothing dealt."""
    state = table.new_table(SEATS)
    for seat in range(1, SEATS + 1):
        state, _ = table.apply(state, SitDown(seat, f"p{seat}", STACK), BOOK)
    state, _ = table.apply(state, ApplyLevel(Level(50, 100, number=1)), BOOK)
    state, _ = table.apply(state, PlaceButton(1), BOOK)
    return state


def our_hand(state: TableState) -> TableState:
    """The whole hand, each input decided, folded and held against the invariants, as a table unit does it.

    Every refusal would show in the final stacks, which `rows` checks.
    """
    cards = iter(CARDS)
    state = _put(_put(state, Shuffle()), FirstCard())
    limped = False
    while True:
        match table.due(state, BOOK):
            case Due.HOLE_CARDS | Due.BURN | Due.BOARD:
                state = _put(state, CardDrawn(next(cards)))
            case Due.ACTION:
                options = table.legal(state, BOOK)
                assert options is not None, "somebody is to act"
                if options.to_call == 0:
                    state = _put(state, Check(options.seat))
                elif not limped:
                    limped = True
                    state = _put(state, Call(options.seat))
                else:
                    state = _put(state, Fold(options.seat))
            case Due.SHOW:
                assert state.hand is not None, "a hand is running"
                state = _put(state, TableCards(state.hand.to_act))
            case _:
                return state


def _put(state: TableState, what: Input) -> TableState:
    after, _ = table.apply(state, what, BOOK)
    table.check(after)
    return after


def pokerkit_to_the_flop() -> tuple[State, Callable[[], str]]:
    """Pokerkit's hand when the flop lies, and the rest of the cards."""
    state = NoLimitTexasHoldem.create_state(
        BY_ITSELF, True, 0, (50, 100), 100, [STACK] * SEATS, SEATS, mode=Mode.TOURNAMENT
    )  # fmt: skip
    cards = iter(CARDS)
    for _ in range(2 * SEATS):
        state.deal_hole(next(cards))
    state.check_or_call()
    for _ in range(SEATS - 2):
        state.fold()
    state.check_or_call()
    state.burn_card(next(cards))
    for _ in range(3):
        state.deal_board(next(cards))
    return state, lambda: next(cards)


def pokerkit_hand() -> None:
    """The same hand in pokerkit."""
    state, card = pokerkit_to_the_flop()
    for street in range(3):
        if street:
            state.burn_card(card())
            state.deal_board(card())
        state.check_or_call()
        state.check_or_call()
    assert not state.status


def texasholdem_hand() -> None:
    """The same hand in texasholdem, with its own cards."""
    game = TexasHoldEm(buyin=STACK, big_blind=100, small_blind=50, max_players=SEATS)
    game.start_hand()
    game.take_action(ActionType.CALL)
    for _ in range(SEATS - 2):
        game.take_action(ActionType.FOLD)
    while game.is_hand_running():
        game.take_action(ActionType.CHECK)


def rows() -> list[Row]:
    """All lines of the engine."""
    start = our_table()
    end = our_hand(start)
    assert sum(seat.stack for seat in table.view(end, BOOK).seats) == SEATS * STACK
    ours = per_second(_many(lambda: our_hand(start), HANDS))
    pokerkit = per_second(_many(pokerkit_hand, HANDS))
    texasholdem = per_second(_many(texasholdem_hand, HANDS))
    our_query, their_query = _queries(start)
    imports = import_ms("engine.table", "pokerkit", "texasholdem")
    return [
        Row("hand of nine, cards one by one", ours, "hands/s", "pokerkit", pokerkit, pokerkit, "more"),
        Row("the same", ours, "hands/s", "texasholdem, own deal", texasholdem, better="more"),
        Row("what may the seat to act do?", our_query, "us", "pokerkit", their_query, their_query),
        Row("import", imports["engine.table"], "ms", "pokerkit", imports["pokerkit"], imports["pokerkit"]),
        Row("the same", imports["engine.table"], "ms", "texasholdem", imports["texasholdem"]),
    ]


def _many(work: Callable[[], object], count: int) -> Callable[[], int]:
    def run() -> int:
        for _ in range(count):
            work()
        return count

    return run


def _queries(start: TableState) -> tuple[float, float]:
    """Microseconds for one legal-actions query on the flop, ours and pokerkit's five methods that ask the same."""
    state, _ = table.apply(start, Shuffle(), BOOK)
    cards = iter(CARDS)
    while table.view(state, BOOK).due is not Due.ACTION:
        state, _ = table.apply(state, CardDrawn(next(cards)), BOOK)
    theirs, _ = pokerkit_to_the_flop()

    def ask_pokerkit() -> None:
        theirs.can_fold()
        theirs.can_check_or_call()
        theirs.can_complete_bet_or_raise_to()
        _ = theirs.checking_or_calling_amount
        _ = theirs.min_completion_betting_or_raising_to_amount

    ours = per_second(_many(lambda: table.legal(state, BOOK), QUERIES))
    return 1e6 / ours, 1e6 / per_second(_many(ask_pokerkit, QUERIES))


def import_ms(*modules: str) -> dict[str, float]:
    """Milliseconds that a fresh interpreter spends on `import MODULE`, less what it spends on nothing. In turn."""
    runs = [{module: _start_ms(f"import {module}") for module in (*modules, "sys")} for _ in range(RUNS)]
    medians = {module: median(run[module] for run in runs) for module in runs[0]}
    return {module: medians[module] - medians["sys"] for module in modules}


def _start_ms(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter() - start) * 1000
