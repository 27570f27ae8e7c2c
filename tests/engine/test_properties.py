"""What holds for every table, every book and every sequence of inputs, sensible or not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine import inputs as inp
from engine import table
from engine.cards import DECK
from engine.events import decode_event, encode_event
from engine.publish import bodies
from engine.refusals import REFUSALS_BY
from engine.rulebook import KEYS, load, names
from engine.state import TableState, decode_state, encode_state
from engine.view import Due
from engine.wire import encode

BOOK = st.sampled_from([load(name) for name in names()])
SEAT = st.integers(0, 7)
CHIPS = st.integers(-50, 3000)
CARD = st.sampled_from([*DECK, *DECK[:8], "??", "10d", "Xx"])
LEVEL = st.builds(
    inp.Level,
    small_blind=st.sampled_from([0, 25, 50]),
    big_blind=st.sampled_from([0, 50, 100]),
    ante=st.sampled_from([0, 0, 10, 25]),
    big_blind_ante=st.sampled_from([0, 0, 100]),
    game=st.sampled_from([inp.Game.NO_LIMIT, inp.Game.NO_LIMIT, inp.Game.POT_LIMIT, inp.Game.FIXED_LIMIT]),
)
MOTION = st.builds(inp.Motion, st.lists(st.sampled_from([5, 25, 100, 500, 1000]), min_size=1, max_size=3).map(tuple),
                   st.booleans())  # fmt: skip
FLOOR = [
    "plays_on", "voids", "binds", "releases", "restores", "redeals", "awards", "holds", "text", "sings",
]  # fmt: skip
UNCITED = {"not_running", "too_early", "too_late", "not_seated", "seat_taken", "below_minimum", "not_in_catalogue"}
"""Refusals that need no article: the input does not fit the moment, or is no number of chips."""

ANYTHING = st.one_of(
    st.builds(inp.SitDown, SEAT, st.just("somebody"), CHIPS, st.just(""), st.sampled_from(inp.Arrival)),
    st.builds(inp.LeaveSeat, SEAT, st.sampled_from(inp.Departure)),
    st.builds(inp.PlaceButton, SEAT, st.none() | SEAT, st.none() | SEAT),
    st.builds(inp.ApplyLevel, LEVEL),
    st.builds(inp.SetStack, SEAT, CHIPS),
    st.builds(inp.HoldPlay, st.booleans()),
    st.sampled_from([inp.Shuffle(), inp.FirstCard(), inp.NextHand(), inp.CallFloor()]),
    st.builds(inp.HoleCardsDealt, st.dictionaries(SEAT, st.tuples(CARD, CARD), max_size=7)),
    st.builds(inp.StreetDealt, st.lists(CARD, max_size=4).map(tuple)),
    st.builds(inp.CardDrawn, CARD, st.sampled_from(inp.Face)),
    st.builds(inp.Fold, SEAT),
    st.builds(inp.Check, SEAT),
    st.builds(inp.Call, SEAT),
    st.builds(inp.Bet, SEAT, CHIPS),
    st.builds(inp.RaiseTo, SEAT, CHIPS),
    st.builds(inp.AllIn, SEAT),
    st.builds(inp.Kill, SEAT, st.sampled_from(inp.KillReason)),
    st.builds(inp.TableCards, SEAT, st.none() | st.tuples(CARD, CARD)),
    st.builds(inp.Muck, SEAT),
    st.builds(inp.AsksToSee, SEAT, SEAT),
    st.builds(inp.AwardPot, st.lists(SEAT, max_size=3).map(tuple)),
    st.builds(inp.Away, SEAT),
    st.builds(inp.Back, SEAT),
    st.builds(inp.Says, SEAT, st.sampled_from(inp.Word), st.none() | CHIPS, st.none() | MOTION),
    st.builds(inp.Puts, SEAT, st.lists(MOTION, min_size=1, max_size=2).map(tuple), st.booleans()),
    st.builds(inp.Noticed, SEAT),
    st.builds(inp.Chooses, SEAT, st.sampled_from(inp.Choice), CHIPS),
    st.builds(inp.ClockCall, SEAT),
    st.sampled_from([inp.GrantClock(), inp.Remind(), inp.TimePassed(), inp.Complain()]),
    st.builds(inp.Revive, SEAT),
    st.builds(inp.Exposes, SEAT),
    st.builds(inp.DealError, st.sampled_from(inp.DealFault), SEAT, st.integers(0, 4)),
    st.builds(inp.Penalise, SEAT, st.sampled_from(inp.Sanction), st.integers(-1, 45)),
    st.builds(inp.Confiscate, SEAT, CHIPS),
    st.builds(inp.DodgedBlinds, SEAT, st.booleans(), st.booleans()),
    st.builds(inp.RaceChips, st.sampled_from([1, 5, 25]), st.sampled_from([25, 100]),
              st.lists(st.lists(st.tuples(SEAT, CARD), max_size=3).map(tuple), max_size=2).map(tuple), SEAT),
    st.builds(inp.FloorDecides, st.sampled_from(FLOOR), st.just(""), st.lists(SEAT, max_size=2).map(tuple), CHIPS),
    st.builds(inp.DeviceTrouble, st.sampled_from(["cards_lost", "duplicate", "card_back", "shoe_down"])),
)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> tuple[TableState, object]:
    """A table of a few players about to play."""
    book = draw(BOOK)
    state = table.new_table(7, draw(st.sampled_from([1, 25])))
    for seat in draw(st.sets(st.integers(1, 7), min_size=2)):
        state, _ = table.apply(state, inp.SitDown(seat, f"p{seat}", draw(st.integers(1, 2500))), book)
    state, _ = table.apply(state, inp.PlaceButton(draw(st.integers(1, 7))), book)
    state, _ = table.apply(state, inp.ApplyLevel(draw(LEVEL)), book)
    return state, book


def sensible(state: TableState, book, draw) -> inp.Input:
    """What a dealer would do next; now and then a card is unknown, a hand mucked, a player all-in."""
    waits_for = table.due(state, book)
    hand = state.hand
    if waits_for in (Due.HOLE_CARDS, Due.BURN, Due.BOARD):
        assert hand is not None
        left = [card for card in DECK if card not in {c for cards in hand.hole for c in cards}
                and card not in hand.board + hand.burns + hand.aside + hand.spare + hand.early]  # fmt: skip
        return inp.CardDrawn(draw(st.sampled_from([*left, "??"])))
    legal = table.legal(state, book)
    if legal is not None:
        choices: list[inp.Input] = [inp.Fold(legal.seat)] * legal.may_fold
        choices += [inp.AllIn(legal.seat)] * table.may(state, inp.AllIn(legal.seat), book)
        choices += [inp.Check(legal.seat)] * 3 if legal.may_check else [inp.Call(legal.seat)] * 4
        if legal.raise_to is not None:
            choices += [inp.RaiseTo(legal.seat, draw(st.integers(*legal.raise_to)))] * 2
        if legal.bet is not None:
            choices += [inp.Bet(legal.seat, draw(st.integers(*legal.bet)))] * 2
        return draw(st.sampled_from(choices))
    if waits_for is Due.SHOW:
        assert hand is not None
        mucks = [inp.Muck(hand.to_act)] * table.may(state, inp.Muck(hand.to_act), book)
        return draw(st.sampled_from([inp.TableCards(hand.to_act), *mucks]))
    if waits_for is Due.AWARD:
        assert hand is not None
        return inp.AwardPot(tuple(draw(st.sets(st.sampled_from(hand.undecided[-1].eligible), min_size=1))))
    if waits_for is Due.FLOOR:
        return inp.FloorDecides(draw(st.sampled_from(["plays_on", "voids"])))
    return {Due.NEXT_HAND: inp.NextHand(), Due.SHUFFLE: inp.Shuffle(), Due.FIRST_CARD: inp.FirstCard()}.get(
        waits_for, inp.HoldPlay(on=False)
    )


# Long games shrink slowly: a failure is reported as it was found, and the replayed seed finds it again.
SETTINGS = {
    "phases": [Phase.explicit, Phase.reuse, Phase.generate],
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}


def replay(state: TableState, log: list[tuple[inp.Input, int]], book) -> TableState:
    """What a unit does after a restart or an undo: the same inputs at the same moments."""
    for what, at_ms in log:
        state, _ = table.apply(state, what, book, at_ms)
    return state


@settings(max_examples=240, **SETTINGS)
@given(start=tables(), data=st.data())
def test_no_sequence_of_inputs_loses_a_chip_or_raises(start, data):
    state, book = start
    log: list[tuple[inp.Input, int]] = []
    first = state
    at_ms = 0

    for _ in range(data.draw(st.integers(5, 70))):
        at_ms += data.draw(st.sampled_from([0, 1000, 31_000, 120_000]))
        wild = data.draw(st.integers(0, 3)) == 0
        what = data.draw(ANYTHING) if wild else sensible(state, book, data.draw)
        before = encode_state(state)
        verdict = table.may(state, what, book, at_ms)
        after, ruling = table.apply(state, what, book, at_ms)

        assert encode_state(state) == before, "the state given was changed"
        assert verdict == (ruling.outcome != "refused")
        assert (ruling.outcome == "refused") == (ruling.refusal is not None)
        if ruling.outcome == "refused":
            assert ruling.events == ()
            assert after is state
            assert isinstance(what, inp.Command), "an observation is never refused"
        assert ruling.articles or ruling.outcome == "ok" or ruling.refusal in UNCITED, (what, ruling)
        assert not (ruling.by in KEYS and (ruling.refusal, ruling.by) not in REFUSALS_BY), (ruling.refusal, ruling.by)
        table.check(after)
        folded = state
        for event in ruling.events:
            folded = table.evolve(folded, decode_event(encode_event(event)))
        assert folded == after
        assert decode_state(encode_state(after)) == after
        for lang in ("en", "it"):
            assert isinstance(ruling.reason(lang), str)
        for body in bodies(state, ruling, after, book):
            encode(body)
        seen = table.view(after, book)
        assert seen.total == after.chips
        middle = sum(pot.amount for pot in seen.pots) + after.carried + seen.withheld
        assert middle + sum(after.stacks) == after.chips
        log.append((what, at_ms))
        state = after

    assert replay(first, log, book) == state
    what, at_ms = log[-1]
    undone = replay(first, log[:-1], book)
    assert table.apply(undone, what, book, at_ms)[0] == state, "undo and the same again is no change"


@settings(max_examples=60, **SETTINGS)
@given(start=tables(), data=st.data())
def test_a_table_that_is_dealt_sensibly_plays_on_until_one_player_is_left(start, data):
    state, book = start
    refused = 0

    for _ in range(400):
        what = sensible(state, book, data.draw)
        if table.due(state, book) is Due.PLAYERS:
            break
        state, ruling = table.apply(state, what, book)
        refused += ruling.outcome == "refused"
        table.check(state)

    assert refused == 0


@pytest.mark.parametrize("kind", inp.Input.__args__)
def test_every_input_is_decided(kind):
    assert kind in table._DECIDE
