"""Near the money: hand for hand by itself and by hand, what the clock does meanwhile, and who shares the bubble."""

from __future__ import annotations

import random
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import wire
from engine.clock import MINUTE_MS
from hub.entries import AnyEntry, ClockSet, HandForHand, RoundOver
from hub.refused import Refused
from tests.hub.paper_room import STACK, PaperRoom, PaperTable, config
from tests.rules.citing import article

E = TypeVar("E", bound=AnyEntry)


def started(**plan: Any) -> PaperRoom:
    """Eighteen players at two tables of ten, ready to be dealt."""
    room = PaperRoom(config(players=18, tables=2, size=10, **plan))
    room.settle()
    return room


def of(room: PaperRoom, kind: type[E]) -> list[E]:
    return [entry for entry in room.journal if isinstance(entry, kind)]


def held(room: PaperRoom) -> list[bool]:
    return [table.held for table in room.tables.values()]


def on_the_bubble(**plan: Any) -> PaperRoom:
    """Seventeen are left and sixteen places are paid; both tables wait for the first hand of the round."""
    room = started(paid=16, **plan)
    first, *_, last = sorted(room.tables[1].players)
    room.round({1: {first: last}})
    return room


class TestByItself:
    @article("y2007:multi.6", "tda:RP-8")
    def test_it_begins_with_one_player_too_many_and_ends_in_the_money(self) -> None:
        room = on_the_bubble()
        assert [(each.on, each.who, each.left) for each in of(room, HandForHand)] == [(True, "hub", 17)]

        first, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last}})

        assert [(each.on, each.left) for each in of(room, HandForHand)] == [(True, 17), (False, 16)]
        assert held(room) == [False, False]

    @pytest.mark.parametrize("plan", [{"paid": 0}, {"paid": 10}])
    def test_far_from_the_money_or_with_no_places_told_nobody_waits(self, plan: dict[str, int]) -> None:
        room = started(**plan)
        first, *_, last = sorted(room.tables[1].players)

        room.round({1: {first: last}})

        assert of(room, HandForHand) == []

    def test_at_one_table_nobody_is_waited_for(self) -> None:
        room = PaperRoom(config(players=9, tables=1, paid=7))
        room.settle()
        first, *_, last = sorted(room.tables[1].players)

        room.round({1: {first: last}})

        assert of(room, HandForHand) == []

    def test_a_table_is_free_for_one_hand_and_waits_for_the_others_then(self) -> None:
        room = on_the_bubble()
        assert held(room) == [False, False]

        room.tables[1].start_hand()
        room.settle()
        assert held(room) == [True, False]             # the running hand goes on; the next one waits

        room.tables[1].end_hand({})
        room.settle()
        assert held(room) == [True, False]

        room.tables[2].start_hand()
        room.tables[2].end_hand({})
        room.settle()
        assert held(room) == [False, False]
        assert len(of(room, RoundOver)) == 2

    def test_hands_that_run_when_it_begins_are_played_to_their_end_first(self) -> None:
        room = started(paid=16)
        first, *_, last = sorted(room.tables[1].players)
        room.tables[2].start_hand()
        room.tables[1].start_hand()
        room.settle()
        room.tables[1].end_hand({first: last})
        room.settle()

        assert held(room) == [True, True]
        assert of(room, RoundOver) == []

        room.tables[2].end_hand({})
        room.settle()
        assert held(room) == [False, False]

    def test_a_player_who_busts_in_that_last_hand_alone_takes_the_bubble(self) -> None:
        room = started(paid=16)
        one, two = sorted(room.tables[1].players), sorted(room.tables[2].players)
        room.tables[2].start_hand()
        room.tables[1].start_hand()
        room.settle()
        room.tables[1].end_hand({one[0]: one[-1]})
        room.settle()
        room.tables[2].end_hand({two[0]: two[-1]})
        room.settle()

        assert [(place.place, place.last) for place in room.tournament.places(room.room)] == [(17, 17), (18, 18)]
        assert [each.on for each in of(room, HandForHand)] == [True, False]

    def test_an_elimination_that_is_taken_back_ends_it(self) -> None:
        room = on_the_bubble()
        table = room.tables[1]
        (out,) = room.room.outs()
        table.players[out.seat] = (out.player, out.name, STACK)

        table.tell(wire.SeatChanged(out.seat, out.player, STACK, sat=True, why=wire.REINSTATED, name=out.name))
        room.settle()

        assert [each.on for each in of(room, HandForHand)] == [True, False]

    def test_players_move_between_two_rounds_and_never_within_one(self) -> None:
        room = on_the_bubble()                         # 8 and 9 are left
        one, *_, last = sorted(room.tables[1].players)
        room.tables[1].start_hand()
        room.tables[1].end_hand({one: last})           # 7 and 9: a move is due
        room.settle()
        assert room.counts() == {1: 7, 2: 9}
        assert not room.tables[2].held                 # it still has its hand of the round to play

        room.tables[2].start_hand()
        room.tables[2].end_hand({})
        room.settle()

        assert room.counts() == {1: 8, 2: 8}
        assert held(room) == [False, False]


class TestPlaces:
    @article("tda:RP-8")
    def test_two_who_bust_at_two_tables_in_one_round_share_the_places(self) -> None:
        room = on_the_bubble()
        one, two = sorted(room.tables[1].players), sorted(room.tables[2].players)

        room.round({1: {one[0]: one[-1]}, 2: {two[0]: two[-1]}})

        shared = [(place.place, place.last) for place in room.tournament.places(room.room)]
        assert shared == [(16, 17), (16, 17), (18, 18)]

    def test_of_one_table_the_smaller_stack_still_finishes_lower(self) -> None:
        room = on_the_bubble()
        seats = sorted(room.tables[2].players)
        player, name, stack = room.tables[2].players[seats[0]]
        room.tables[2].players[seats[0]] = (player, name, stack - 1)

        room.round({2: {seats[0]: seats[-1], seats[1]: seats[-1]}})

        assert [place.place for place in room.tournament.places(room.room)] == [16, 17, 18]
        assert room.tournament.places(room.room)[1].player == player


class TestClock:
    @article("tda:RP-8-B", "tda:RP-8-C")
    def test_it_stands_and_each_round_takes_two_minutes_off(self) -> None:
        room = started(paid=16)
        room.now_ms += 3 * MINUTE_MS
        first, *_, last = sorted(room.tables[1].players)
        room.round({1: {first: last}})
        assert not room.tournament.clock.running
        assert room.tournament.clock.hand_for_hand

        for _ in range(2):
            room.now_ms += 9 * MINUTE_MS               # however long the hands take
            room.round()

        assert room.tournament.reading(room.now_ms).remaining_ms == (10 - 3 - 2 * 2) * MINUTE_MS

    def test_a_level_that_ends_so_is_announced_and_a_break_runs_by_the_wall(self) -> None:
        room = on_the_bubble()                         # levels of ten minutes, a break of five after two of them
        for _ in range(5):
            room.round()
        assert (room.tournament.clock.announced, room.tournament.clock.running) == (1, False)

        for _ in range(5):
            room.round()
        assert room.tournament.reading(room.now_ms).on_break
        assert room.tournament.clock.running

        room.now_ms += 6 * MINUTE_MS
        room.settle()
        now = room.tournament.reading(room.now_ms)
        assert (now.index, now.running, now.hand_for_hand) == (3, False, True)

    def test_it_goes_on_when_it_is_over_and_every_display_is_told(self) -> None:
        room = on_the_bubble()
        first, *_, last = sorted(room.tables[2].players)

        room.round({2: {first: last}})

        assert room.tournament.clock.running
        assert not room.tournament.clock.hand_for_hand
        revs = [entry.clock.rev for entry in of(room, ClockSet)]
        assert revs == sorted(set(revs))

    def test_what_the_director_has_stopped_stays_stopped(self) -> None:
        room = started(paid=16)
        room.write(room.direct("pause", 0))
        first, *_, last = sorted(room.tables[1].players)
        room.round({1: {first: last}})
        first, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last}})

        assert not room.tournament.clock.running

    def test_the_director_may_let_it_run(self) -> None:
        room = on_the_bubble()

        room.write(room.direct("resume", 0))
        room.round()

        assert room.tournament.clock.running

    def test_the_final_table_is_told(self) -> None:
        room = PaperRoom(config(players=10, tables=2))
        room.settle()
        assert not room.tournament.clock.final_table
        first, *_, last = sorted(room.tables[1].players)

        room.round({1: {first: last}})

        assert room.counts() == {1: 9, 2: 0}
        assert room.tournament.clock.final_table


class TestByHand:
    def test_the_director_begins_it_earlier_and_it_ends_in_the_money(self) -> None:
        room = started(paid=16)

        room.write(room.direct("hand_for_hand", 0))
        room.settle()
        room.round()
        assert [(each.on, each.who) for each in of(room, HandForHand)] == [(True, "director")]

        one, two = sorted(room.tables[1].players), sorted(room.tables[2].players)
        room.round({1: {one[0]: one[-1]}, 2: {two[0]: two[-1]}})
        assert [(each.on, each.who) for each in of(room, HandForHand)][1:] == [(False, "hub")]

    def test_what_the_director_ended_is_not_begun_again_before_somebody_goes_out(self) -> None:
        room = on_the_bubble()

        room.write(room.direct("table_by_table", 0))
        room.settle()
        room.round()

        assert [(each.on, each.who) for each in of(room, HandForHand)][1:] == [(False, "director")]
        assert room.tournament.clock.running

    def test_the_number_of_paid_places_can_be_told_in_the_evening(self) -> None:
        room = started()

        room.write(room.direct("paid", 17))
        room.settle()

        assert [each.left for each in of(room, HandForHand)] == [18]
        with pytest.raises(Refused, match="too_many_places"):
            room.direct("paid", 18)

    @pytest.mark.parametrize(
        ("what", "players", "tables", "why"),
        [("table_by_table", 18, 2, "table_by_table"), ("hand_for_hand", 9, 1, "one_table")],
    )
    def test_what_makes_no_sense_is_refused(self, what: str, players: int, tables: int, why: str) -> None:
        room = PaperRoom(config(players=players, tables=tables))
        room.settle()

        with pytest.raises(Refused, match=why):
            room.direct(what, 0)

    def test_twice_is_once(self) -> None:
        room = on_the_bubble()

        with pytest.raises(Refused, match="hand_for_hand"):
            room.direct("hand_for_hand", 0)


def test_in_step_the_tables_are_somebody_elses_and_it_is_only_told() -> None:
    room = started(paid=16, in_step=True)
    first, *_, last = sorted(room.tables[1].players)

    room.round({1: {first: last}})

    assert [each.on for each in of(room, HandForHand)] == [True]
    assert room.tournament.clock.hand_for_hand
    assert room.tournament.clock.running
    assert held(room) == [False, False]


def test_after_a_restart_it_is_the_same_round() -> None:
    room = on_the_bubble()
    room.tables[1].start_hand()
    room.settle()

    again = PaperRoom(room.config)
    for entry in room.journal:
        again.tournament.record(entry)

    tables = again.tournament.tables.open(room.room)
    assert again.tournament.rounds.held(tables) == [1]
    assert again.tournament.clock == room.tournament.clock


class Evening:
    """An evening in which no table waits unless the hub holds it; whose turn it is and who loses is drawn."""

    def __init__(self, seed: int, players: int, tables: int, paid: int, book: str) -> None:
        self.chance = random.Random(seed)
        self.room = PaperRoom(config(players=players, tables=tables, paid=paid, book=book), order=seed)
        self.room.settle()

    def playing(self) -> list[PaperTable]:
        open_ = [table for number, table in self.room.tables.items() if number not in self.room.tournament.closed]
        return [table for table in open_ if table.running or (len(table.players) > 1 and not table.held)]

    def step(self) -> None:
        """Somebody's hand begins or ends, and a little of the news is heard."""
        table = self.chance.choice(self.playing())
        if not table.running:
            table.start_hand()
        else:
            seats = sorted(table.players)
            winner = self.chance.choice(seats)
            table.end_hand({seat: winner for seat in seats if seat != winner and self.chance.random() < 0.15})
        for _ in range(self.chance.randrange(6)):
            self.room.hear()
            self.room.steps()


@settings(max_examples=25)
@given(
    st.integers(0, 2**16), st.integers(8, 30), st.integers(2, 4), st.integers(0, 7),
    st.sampled_from(["lifeclub", "tda", "y2007", "fipos"]),
)  # fmt: skip
def test_whatever_the_news_order_no_evening_stops_and_every_place_is_given_once(
    seed: int, players: int, tables: int, paid: int, book: str
) -> None:
    evening = Evening(seed, min(players, 9 * tables), tables, paid, book)
    room = evening.room
    entrants = len(room.tournament.entrants)
    for _ in range(3_000):
        if not evening.playing():
            room.settle()
        if room.tournament.finished:
            break
        assert evening.playing(), room.tournament.waiting_for(room.room, room.now_ms)
        evening.step()
    room.settle()

    assert room.tournament.finished
    taken = sorted(number for place in room.tournament.places(room.room) for number in {place.place, place.last})
    assert taken[0] == 1
    assert taken[-1] == entrants
    assert len(room.tournament.places(room.room)) == entrants
    assert not room.tournament.rounds.hand_for_hand
    assert room.chips == entrants * STACK
