"""What holds for every hand script, sensible or not: it plays, no chip is lost, and what is open is taken."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine import inputs as inp
from engine import table as rules
from engine.cards import DECK
from engine.rulebook import load, names
from engine.script.parse import parse
from engine.script.play import open_book
from engine.script.stage import NotPlayed, Stage
from engine.state import in_the_middle
from engine.view import Due

SEATS = range(1, 6)
GAMES = {"NL": "no-limit", "PL": "pot-limit", "L": "fixed-limit"}
STREETS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}

SEAT = st.sampled_from(SEATS)
CHIPS = st.sampled_from([1, 25, 50, 75, 100, 150, 250, 400, 1000])
PUSHED = st.one_of(
    CHIPS.map(str), st.lists(CHIPS, min_size=2, max_size=3).map(lambda chips: "+".join(map(str, chips)))
)
WORD = st.sampled_from(["fold", "check", "call", "bet", "raise", "all_in"])
CARDS = st.lists(st.sampled_from(DECK), min_size=2, max_size=2, unique=True).map("".join)


def line(*parts) -> st.SearchStrategy[str]:
    """A line of these words and strategies."""
    return st.tuples(*(part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts)).map(
        lambda words: " ".join(str(word) for word in words if word != "")
    )


ANY_LINE = st.one_of(
    line(SEAT, st.sampled_from(["fold", "check", "call", "all_in", "away", "back", "exposes", "mucks"])),
    line(SEAT, st.sampled_from(["bet", "raise_to"]), CHIPS),
    line(SEAT, "says", WORD),
    line(SEAT, "says", WORD, "puts", PUSHED),
    line(SEAT, "puts", PUSHED, st.sampled_from(["", "", "unnoticed"])),
    line(SEAT, "puts", PUSHED, "then", PUSHED),
    line("noticed", SEAT),
    line(SEAT, "chooses", st.sampled_from(["minimum", "correct 300", "withdraw", "call"])),
    line(SEAT, "shows", CARDS),
    line("cards", SEAT, CARDS),
    line("kill", SEAT, st.sampled_from(["dealer", "thrown", "passed"])),
    line("revive", SEAT),
    line("clock_call", SEAT),
    line("wait", st.sampled_from([5, 31, 90])),
    line("card", st.sampled_from(DECK)),
    line("deal_error hole_exposed", SEAT, st.sampled_from([1, 2])),
    line("deal_error", st.sampled_from(["extra_card", "skipped", "boxed"]), SEAT),
    line("deal_error", st.sampled_from([
        "flop_extra", "no_burn", "double_burn", "early_turn", "early_river", "duplicate", "missing", "wrong_back",
        "deck_down",
    ])),
    line("floor", st.sampled_from(["binds", "releases", "awards", "holds"]), SEAT),
    line("award", SEAT),
    line("bust", SEAT),
    line("sit", SEAT, CHIPS, st.sampled_from(["", "from_break", "from_balance"])),
    line("leave", SEAT),
    line("count", SEAT, CHIPS),
    line("confiscate", SEAT, CHIPS),
    line("penalty", SEAT, st.sampled_from(["warning", "rounds 1", "minutes 5", "disqualify"])),
    st.sampled_from([
        "grant", "remind", "undo", "complain", "next", "begin", "shuffle", "first_card", "clock_zero", "board ??",
        "floor restores", "floor redeals", "floor plays_on", "floor voids", "level 100/200 ante 25",
    ]),
)  # fmt: skip


def header(draw: st.DrawFn) -> list[str]:
    """Five seats at most, some of them short, in any book and any game it knows."""
    book = load(draw(st.sampled_from(names())))
    seats = draw(st.sets(SEAT, min_size=2))
    stacks = " ".join(f"{seat}:{draw(st.sampled_from([25, 75, 200, 1000, 3000]))}" for seat in sorted(seats))
    game = draw(st.sampled_from(book.structures))
    return [
        "title any script", f"book {book.id}", f"game {GAMES[game]}", "blinds 50/100", "chip 25",
        f"ante {draw(st.sampled_from([0, 25]))}", "size 6", f"seats {stacks}", f"button {min(seats)}",
    ]  # fmt: skip


def sensible_line(stage: Stage, draw: st.DrawFn) -> str:
    """What a dealer would key in next."""
    legal = rules.legal(stage.state, stage.book)
    if legal is not None:
        seat = legal.seat
        span = legal.raise_to or legal.bet
        more = [f"{seat} {'raise_to' if legal.raise_to else 'bet'} {draw(st.integers(*span))}"] if span else []
        return draw(st.sampled_from([f"{seat} check" if legal.may_check else f"{seat} call"] * 3 + more))
    view = stage.view
    if view.due in (Due.BURN, Due.BOARD):
        left = [card for card in DECK if card not in view.board]
        return "board " + " ".join(left[: 1 if view.board else 3])
    if view.due is Due.AWARD:
        return f"award {view.pots[-1].eligible[0]}"
    return {Due.SHOW: "next", Due.NEXT_HAND: "next", Due.FLOOR: "floor plays_on"}.get(view.due, "begin")


def agree(stage: Stage) -> None:
    """What the rules call open is taken, and one chip more or less than that is not."""
    legal = rules.legal(stage.state, stage.book)
    if legal is None:
        return
    seat, state, book = legal.seat, stage.state, stage.book
    taken = {what: rules.may(state, what(seat), book, stage.at_ms) for what in (inp.Fold, inp.Check, inp.Call)}
    assert taken == {inp.Fold: legal.may_fold, inp.Check: legal.may_check, inp.Call: legal.to_call > 0}
    for act, span in ((inp.Bet, legal.bet), (inp.RaiseTo, legal.raise_to)):
        low, high = span or (legal.all_in_to, legal.all_in_to)
        bounds = [rules.may(state, act(seat, to), book, stage.at_ms) for to in (low - 1, low, high, high + 1)]
        assert bounds == [False, span is not None, span is not None, False], (act, span)


def all_there(stage: Stage) -> None:
    """Every chip is somewhere, and a street has its cards when somebody is to act on it."""
    state, hand = stage.state, stage.state.hand
    middle = 0 if hand is None else in_the_middle(hand)
    assert sum(state.stacks) + middle + state.carried + stage.view.withheld == stage.view.total
    if stage.view.due is Due.ACTION:
        assert len(stage.view.board) == STREETS[stage.view.street.value]


@settings(
    max_examples=60,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_any_lines_play_and_lose_no_chip(data):
    opening = header(data.draw)
    stage = Stage(script := parse("\n".join(opening), "any")[0], open_book(script))

    for _ in range(data.draw(st.integers(10, 60))):
        odd = data.draw(st.integers(0, 3)) == 0
        said = data.draw(ANY_LINE) if odd else sensible_line(stage, data.draw)
        statement = parse("\n".join([*opening, said]), "any")[0].lines[-1].statement
        try:
            stage.do(statement)
        except (ValueError, NotPlayed):
            break                            # what cannot be, a script is told; nothing after it is played
        all_there(stage)
        agree(stage)
