"""The engine beside pokerkit and texasholdem: hands a second, the legal-actions query, the time to import.

All play one hand at a table of nine: blinds 50/100, the first to act limps, seven fold, the big blind checks, three
streets are checked down, showdown. pokerkit and we are handed every card one by one, burns included, as from a shoe;
texasholdem can only deal by itself, which is less work. Times are the processor's own, so that a busy machine does not
decide who is faster.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from pokerkit import Automation, Mode, NoLimitTexasHoldem, State
from texasholdem import ActionType, TexasHoldEm

from benchmarks.row import RUNS, Row, per_second_of_each
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
TIMES_POKERKIT = 5           # the hands that we promise for each one of pokerkit's
IMPORT_LIMIT_MS, IMPORT_LIMIT_MIB = 120.0, 30.0

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


def the_hand() -> Iterator[Input]:
    """The hand as a shoe and a dealer tell it: like the peers we are handed the acts, and say whether they may be."""
    cards = map(CardDrawn, CARDS)
    yield Shuffle()
    yield FirstCard()
    yield from islice(cards, 2 * SEATS)
    yield Call(4)
    for seat in (5, 6, 7, 8, 9, 1, 2):
        yield Fold(seat)
    yield Check(3)
    for burn_and_board in (4, 2, 2):
        yield from islice(cards, burn_and_board)
        yield Check(3)
        yield Check(4)
    yield TableCards(3)
    yield TableCards(4)


def our_hand(state: TableState) -> TableState:
    """The whole hand, each input decided, folded and held against the invariants, as a table unit does it."""
    for what in the_hand():
        state, ruling = table.apply(state, what, BOOK)
        assert ruling.outcome == "ok", f"{what} was {ruling.outcome}"
        table.check(state)
    assert table.due(state, BOOK) is Due.NEXT_HAND
    return state


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
    hands = (lambda: our_hand(start), pokerkit_hand, texasholdem_hand)
    ours, pokerkit, texasholdem = per_second_of_each(*(_many(hand, HANDS) for hand in hands))
    our_query, their_query = _queries(start)
    modules = ("engine.table", "pokerkit", "texasholdem")
    ms, mib = import_ms(*modules), import_mib(*modules)
    hand, load, size = "hand of nine, told act by act", "import, byte code at hand", "import, memory of the process"
    return [
        Row(hand, ours, "hands/s", "pokerkit", pokerkit, TIMES_POKERKIT * pokerkit, "more", "limit: 5 x pokerkit"),
        Row("the same", ours, "hands/s", "texasholdem, own deal", texasholdem, better="more"),
        Row("what may the seat to act do?", our_query, "us", "pokerkit", their_query, their_query),
        Row(load, ms["engine.table"], "ms", "pokerkit", ms["pokerkit"], IMPORT_LIMIT_MS),
        Row("the same", ms["engine.table"], "ms", "texasholdem", ms["texasholdem"]),
        Row(size, mib["engine.table"], "MiB", "pokerkit", mib["pokerkit"], IMPORT_LIMIT_MIB),
        Row("the same", mib["engine.table"], "MiB", "texasholdem", mib["texasholdem"]),
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

    queries = (lambda: table.legal(state, BOOK), ask_pokerkit)
    ours, pokerkits = per_second_of_each(*(_many(query, QUERIES) for query in queries))
    return 1e6 / ours, 1e6 / pokerkits


def import_ms(*modules: str) -> dict[str, float]:
    """Milliseconds that a fresh interpreter computes for `import MODULE`, less what it does for nothing. In turn.

    As on a machine where it is installed: byte code lies there, of every module alike.
    """
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for module in modules:
            _python(f"import {module}", environment)
        all_of_them = (*modules, "sys")
        runs = [{module: _start_ms(module, environment) for module in all_of_them} for _ in range(RUNS)]
    medians = {module: median(run[module] for run in runs) for module in all_of_them}
    return {module: medians[module] - medians["sys"] for module in modules}


def _start_ms(module: str, environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _python(f"import {module}", environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def import_mib(*modules: str) -> dict[str, float]:
    """The most memory, in MiB, that an interpreter has resident which imports the module; it itself is in it."""
    status = "print(open('/proc/self/status').read())"
    told = {module: _python(f"import {module}; {status}", dict(os.environ)) for module in modules}
    return {module: int(re.findall(r"VmHWM:\s*(\d+) kB", text)[0]) / 1024 for module, text in told.items()}


def _python(code: str, environment: dict[str, str]) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.PIPE, text=True
    ).stdout
