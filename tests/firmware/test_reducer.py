"""Deeds at a table: committed or refused, taken back, and found again after the process has gone."""

import json

import msgspec
import pytest

from engine.inputs import (
    ApplyLevel,
    Call,
    CardDrawn,
    Check,
    FirstCard,
    Fold,
    HoleCardsDealt,
    Level,
    Penalise,
    PlaceButton,
    RaiseTo,
    Sanction,
    SetStack,
    Shuffle,
    SitDown,
    StreetDealt,
)
from engine.state import encode_state
from engine.view import Due, Street
from engine.wire import Adopt, Result
from firmware_py.journal import Journal
from firmware_py.journal_reading import read_lines
from firmware_py.journal_records import Adopted, Struck, TableOpened
from firmware_py.reducer import Reducer
from firmware_py.sealing import Sealer
from firmware_py.standing import InvariantBroken, check

FLOP = StreetDealt(("Ah", "Kd", "2c"))


class Table:
    """A reducer over a journal in a directory, with three players, that can be closed and opened again."""

    def __init__(self, directory):
        self.directory = directory
        self.open()

    def open(self):
        self.journal = Journal(self.directory, "table-1", Sealer(b"k" * 32, kept=True))
        self.reducer = Reducer(self.journal)

    def restart(self):
        self.journal.close()
        self.open()

    def put(self, *deeds, source="panel"):
        return [self.reducer.put(0, source, deed) for deed in deeds][-1]

    def undo(self, *, director=False):
        return self.reducer.undo(0, "panel", director=director)

    def told(self):
        """(hand, revision, kind) of everything the hub is to hear, in order."""
        rows = [json.loads(row) for _, row in self.journal.outbox_after(0, 999)]
        return [(row["hand"], row["hand_rev"], row["kind"]) for row in rows]

    @property
    def view(self):
        return self.reducer.view


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    table.reducer.open_table(0, "setup", TableOpened("tda", 9, 1))
    seats = [SitDown(seat, f"p{seat}", 1000) for seat in (1, 2, 3)]
    table.put(*seats, ApplyLevel(Level(50, 100)), PlaceButton(1), source="setup")
    yield table
    table.journal.close()


@pytest.fixture
def dealt(table):
    table.put(Shuffle(), FirstCard(), HoleCardsDealt())
    return table


def test_a_refusal_changes_nothing_and_is_not_journaled(dealt):
    before, entries = dealt.view, dealt.journal.entries

    ruling = dealt.put(RaiseTo(1, 110))

    assert ruling.refusal == "below_minimum"
    assert (dealt.view, dealt.journal.entries) == (before, entries)


@pytest.mark.parametrize(
    ("book", "unit", "values"),
    [("lifeclub", Sanction.ROUNDS, (1, 2, 3, 4)), ("y2007", Sanction.MINUTES, (5, 10, 20, 30, 40))],
)
def test_the_penalties_that_can_be_keyed_are_those_of_the_book(table, book, unit, values):
    assert table.reducer.penalties == (Sanction.ROUNDS, (1, 2, 3, 4))
    table.reducer.open_table(0, "setup", TableOpened(book, 9, 1))
    table.put(SitDown(3, "anna", 1000), source="setup")

    assert table.reducer.penalties == (unit, values)
    assert [table.put(Penalise(3, unit, n)).outcome for n in values] == ["ok"] * len(values)
    assert table.put(Penalise(3, unit, values[-1] + 1)).refusal == "not_in_catalogue"


def test_a_refused_command_of_the_hub_is_remembered_with_its_answer(dealt):
    dealt.reducer.put(0, "hub", SitDown(1, "x", 5), result=Result("c1", "ok"), meta={"hub_n": (1, 7)})

    dealt.restart()

    assert dealt.journal.result_of("c1") == Result("c1", "refused", "seat_taken")
    assert dealt.journal.meta("hub_n", tuple[int, int]) == (1, 7)


class TestRestart:
    @pytest.mark.parametrize("deeds", [0, 1, 2, 3, 4, 5, 6])
    def test_stands_where_the_last_deed_left_the_table(self, dealt, deeds):
        dealt.put(*[Call(1), Call(2), Check(3), FLOP, Check(2), Fold(3), Check(1)][: deeds + 1])
        state = dealt.reducer.state

        dealt.restart()

        assert dealt.reducer.state == state

    def test_in_the_middle_of_a_deal_from_the_shoe_knows_the_cards(self, table):
        table.put(Shuffle(), CardDrawn("Ah"), CardDrawn("Kd"), CardDrawn("2c"), CardDrawn("As"), source="shoe")
        state = table.reducer.state

        table.restart()

        assert table.reducer.state == state
        assert "As" in encode_state(state).decode()

    def test_between_hands_begins_with_the_snapshot(self, dealt):
        dealt.put(Fold(1), Fold(2))

        kept, entries = dealt.journal.history()

        assert kept is not None
        assert entries == []
        dealt.restart()
        assert dealt.view.due is Due.NEXT_HAND

    def test_remembers_the_dealer(self, dealt):
        dealt.reducer.dealer_on(0, "hash")
        dealt.restart()

        assert dealt.reducer.dealer == "hash"


class TestUndo:
    def test_takes_the_last_command_back(self, dealt):
        before = dealt.view
        dealt.put(Fold(1))

        assert dealt.undo().deed == Fold(1)
        assert dealt.view == before

    def test_goes_back_one_command_each_time(self, dealt):
        before = dealt.view
        dealt.put(Call(1), Call(2))

        assert [dealt.undo().deed, dealt.undo().deed] == [Call(2), Call(1)]
        assert dealt.view == before

    def test_leaves_what_was_seen_and_decides_it_again(self, dealt):
        dealt.put(Call(1), Call(2), Check(3), FLOP)

        dealt.undo()

        assert dealt.view.due is Due.ACTION
        assert dealt.view.to_act == 3
        assert dealt.view.street is Street.PREFLOP
        dealt.put(Check(3))
        assert dealt.view.street is Street.FLOP

    def test_leaves_what_the_hub_asked(self, dealt):
        dealt.put(Call(1))
        dealt.put(SitDown(5, "p5", 700), source="hub")

        assert dealt.undo().deed == Call(1)
        assert [seat.seat for seat in dealt.view.seats] == [1, 2, 3, 5]

    def test_tells_the_hub_the_hand_again_as_a_new_revision(self, dealt):
        dealt.put(Call(1), Fold(2))

        dealt.undo()
        dealt.put(Call(2))

        first = [(1, 0, kind) for kind in ("hand_started", "action", "action")]
        again = [(1, 1, kind) for kind in ("hand_started", "action", "action")]
        assert [told for told in dealt.told() if told[2] in {"hand_started", "action"}] == first + again

    def test_of_something_the_hub_never_heard_tells_nothing(self, table):
        table.put(Shuffle())
        told = table.told()

        table.undo()

        assert table.view.due is Due.SHUFFLE
        assert table.told() == told

    def test_over_the_hands_end_needs_the_director(self, dealt):
        dealt.put(Fold(1), Fold(2))
        ended = dealt.view

        assert dealt.undo().what == "director"
        assert dealt.view == ended

        assert dealt.undo(director=True).deed == Fold(2)
        assert dealt.view.to_act == 2
        assert (1, 1, "hand_started") in dealt.told()

    def test_over_the_hands_end_survives_a_restart(self, dealt):
        dealt.put(Fold(1), Fold(2))
        dealt.undo(director=True)
        state = dealt.reducer.state

        dealt.restart()

        assert dealt.reducer.state == state
        assert dealt.reducer.hand_rev == 1

    def test_of_the_next_shuffle_needs_nobody_and_leaves_the_last_hand_alone(self, dealt):
        dealt.put(Fold(1), Fold(2), Shuffle())

        assert dealt.undo().deed == Shuffle()
        assert dealt.view.due is Due.NEXT_HAND
        assert all(rev == 0 for _, rev, _ in dealt.told())

    def test_of_a_count_after_the_hand_tells_that_hand_whole(self, dealt):
        dealt.put(Fold(1), Fold(2), SetStack(1, 999))

        dealt.undo()

        again = [kind for hand, rev, kind in dealt.told() if (hand, rev) == (1, 1)]
        assert {"hand_started", "hand_ended"} <= set(again)
        assert "chips_counted" not in again

    def test_finds_nothing_where_nothing_was_keyed(self, table):
        assert table.undo(director=True).what == "nothing"

    def test_stays_in_the_journal(self, dealt):
        dealt.put(Fold(1))
        dealt.undo()

        deeds = [line.deed for line in read_lines(dealt.journal.path)]

        assert Fold(1) in deeds
        assert isinstance(deeds[-1], Struck)

    def test_of_an_undone_and_repeated_hand_replays_to_the_same(self, dealt):
        dealt.put(Call(1), Call(2))
        dealt.undo()
        dealt.undo()
        dealt.put(Fold(1), Call(2), Check(3), FLOP)
        dealt.undo()
        state = dealt.reducer.state

        dealt.restart()

        assert dealt.reducer.state == state


class TestInvariants:
    def test_a_table_that_lost_a_chip_stops_the_process(self, dealt):
        state = dealt.reducer.state
        broken = msgspec.structs.replace(state, chips=state.chips + 1)

        with pytest.raises(InvariantBroken, match="Fold"):
            check(state, Fold(1), broken)

    def test_a_broken_table_is_described_without_its_cards(self, table):
        table.put(Shuffle(), CardDrawn("Ah"), CardDrawn("Kd"), source="shoe")
        state = table.reducer.state
        broken = msgspec.structs.replace(state, hand=msgspec.structs.replace(state.hand, burns=("Ah",)))

        with pytest.raises(InvariantBroken) as error:
            check(state, CardDrawn("Kd"), broken)

        assert "Ah" not in str(error.value)


def test_who_reads_the_journal_does_not_get_the_key_of_the_badges(table):
    adopt = Adopt(1, 1, 7, "sunday", "lifeclub", 9, 1, key="aa", badge_key="5ec2e7", sig="bb")

    table.reducer.adopt(0, adopt)

    [deed] = [line.deed for line in read_lines(table.journal.path) if isinstance(line.deed, Adopted)]
    assert deed.adopt == msgspec.structs.replace(adopt, badge_key="")
    assert table.journal.meta("adopt", Adopt) == adopt


def test_a_snapshot_names_no_card_that_nobody_saw(tmp_path, table):
    deck = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9h", "Th", "Jh"]
    table.put(Shuffle(), *(CardDrawn(card) for card in deck[:6]), source="shoe")
    table.put(Call(1), Call(2), Check(3))
    table.put(*(CardDrawn(card) for card in deck[6:]), source="shoe")
    table.put(Fold(2), Fold(3))

    kept, _ = table.journal.history()

    assert kept is not None
    assert not [card for card in deck[:7] if card.encode() in kept.state]
    assert json.loads(kept.state)["state"]["hand"]["seen"] == 0
