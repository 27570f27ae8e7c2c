"""The tournament on paper tables: draw, start, moves, breaks, places, clock. One room, many orders of news."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import rulebook, wire
from engine.clock import MINUTE_MS
from hub.entries import ClockSet, Closed, Commanded, Decided, Drawn, Finished, Proposed, RoundOver, Started
from hub.refused import Refused
from hub.room import Room
from hub.tournament import Tournament
from tests.hub.paper_room import STACK, PaperRoom, config
from tests.rules.citing import article


def started(**plan: object) -> PaperRoom:
    """A room in which everybody sits and the tables may deal."""
    room = PaperRoom(config(**plan))  # type: ignore[arg-type]
    room.settle()
    return room


def of(room: PaperRoom, kind: type) -> list:  # type: ignore[type-arg]
    return [entry for entry in room.journal if isinstance(entry, kind)]


class TestDraw:
    def test_the_same_seed_draws_the_same_seats(self) -> None:
        first, second = started(), started()

        assert of(first, Drawn) == of(second, Drawn)
        assert of(first, Drawn) != of(started(draw_seed=8), Drawn)

    def test_without_a_seed_the_systems_randomness_draws(self) -> None:
        assert of(started(draw_seed=None), Drawn) != of(started(draw_seed=None), Drawn)

    @article("lifeclub:2.b", "y2007:multi.1", "dalvivo:2.b", "fipos:3", "tda:7")
    def test_tables_start_within_one_player_and_no_table_is_opened_for_nothing(self) -> None:
        assert started(players=19, tables=4).counts() == {1: 7, 2: 6, 3: 6, 4: 0}

    @article("lifeclub:4.b", "dalvivo:3.b")
    def test_the_button_lies_at_a_taken_seat(self) -> None:
        (drawn,) = of(started(), Drawn)

        for number, button in drawn.buttons.items():
            assert any(seat.table_no == number and seat.seat == button for seat in drawn.seats)


class TestStart:
    def test_tables_are_held_until_the_tournament_starts(self) -> None:
        room = started(auto_start=False)
        assert all(table.held for number, table in room.tables.items() if number < 3)
        assert not room.tournament.started

        room.write(room.direct("start", 0))
        room.settle()

        assert not any(table.held for table in room.tables.values())
        assert of(room, Started) == [Started("director")]

    @article("lifeclub:8.1", "dalvivo:7.1")
    def test_nobody_starts_before_everybody_sits(self) -> None:
        room = PaperRoom(config(auto_start=False))
        room.mute = True
        room.settle()

        with pytest.raises(Refused, match="not_seated"):
            room.direct("start", 0)

    def test_nothing_is_left_to_wait_for(self) -> None:
        room = started()

        assert room.tournament.waiting_for(room.room, room.now_ms) == ()
        assert room.tournament.left(room.room) == 18


class TestBalancing:
    def test_a_table_two_short_gets_the_next_big_blind_of_the_fullest(self) -> None:
        room = started(players=18, tables=2, size=10)
        first, *_, last = sorted(room.tables[2].players)
        second = sorted(room.tables[2].players)[1]

        room.round({2: {first: last, second: last}})

        (proposed,) = of(room, Proposed)
        (leg,) = proposed.legs
        assert (proposed.kind, leg.from_table, leg.to_table) == ("balance", 1, 2)
        assert proposed.articles == ("lifeclub:8.2", "lifeclub:16.2")
        assert of(room, Decided) == [Decided(1, True, "hub")]
        assert of(room, Closed) == [Closed(1, True)]
        assert room.counts() == {1: 8, 2: 8}

    @article("lifeclub:20.8", "tda:71-A")
    def test_hands_to_sit_out_move_with_the_player(self) -> None:
        room = started(players=18, tables=2, size=10)
        first, second, *_, last = sorted(room.tables[2].players)
        room.tables[1].misses = dict.fromkeys((player for player, _, _ in room.tables[1].players.values()), 5)

        room.round({2: {first: last, second: last}})

        (proposed,) = of(room, Proposed)
        assert room.tables[2].misses[proposed.legs[0].player] == 5

    def test_chips_are_in_transit_between_the_two_steps(self) -> None:
        room = started(players=18, tables=2, size=10)
        first, second, *_, last = sorted(room.tables[2].players)
        room.tables[1].start_hand()
        room.tables[2].start_hand()
        room.tables[2].end_hand({first: last, second: last})
        room.tables[1].end_hand({})

        seen = set()
        room.steps()
        while room.hear():
            seen.add(len(room.room.transit))
            room.steps()

        assert seen == {0, 1}
        assert room.room.chips_in_play() == 18 * STACK

    @article("y2007:multi.4")
    def test_play_waits_at_both_tables_until_the_move_is_done(self) -> None:
        room = started(players=18, tables=2, size=10, auto_confirm=False)
        first, second, *_, last = sorted(room.tables[2].players)

        room.round({2: {first: last, second: last}})
        assert [table.held for table in room.tables.values()] == [True, True]

        room.write(room.direct("confirm", 1))
        room.settle()
        assert [table.held for table in room.tables.values()] == [False, False]
        assert of(room, Decided) == [Decided(1, True, "director")]

    @article("fipos:5")
    def test_where_the_book_says_so_all_tables_wait_and_the_clock_stands_meanwhile(self) -> None:
        room = started(players=27, tables=3, size=10, book="fipos", auto_confirm=False)
        first, second, *_, last = sorted(room.tables[3].players)

        room.round({3: {first: last, second: last}})
        assert [table.held for table in room.tables.values()] == [True, True, True]
        assert room.tournament.clock.running

        room.write(room.direct("confirm", 1))
        room.settle()
        clocks = [(entry.what, entry.clock.running) for entry in of(room, ClockSet) if entry.who == "hub"]
        assert clocks == [("paused", False), ("resumed", True)]
        assert room.tournament.clock.running
        assert [table.held for table in room.tables.values()] == [False, False, False]
        assert sorted(room.counts().values()) == [8, 8, 9]

    @article("lifeclub:16.2", "tda:11-D")
    def test_a_table_three_short_waits_though_another_one_gives_first(self) -> None:
        room = started(players=27, tables=3, size=10, auto_confirm=False)
        one, two, three, *_, last = sorted(room.tables[3].players)

        room.round({3: {one: last, two: last, three: last}})

        assert room.tables[3].held

    def test_what_the_director_rejects_comes_back_only_after_another_hand(self) -> None:
        room = started(players=18, tables=2, size=10, auto_confirm=False)
        first, second, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last, second: last}})

        room.write(room.direct("reject", 1))
        room.settle()
        assert len(of(room, Proposed)) == 1
        assert not any(table.held for table in room.tables.values())

        room.round()
        assert len(of(room, Proposed)) == 2

    def test_a_table_that_has_dealt_again_refuses_and_the_move_is_made_anew(self) -> None:
        room = started(players=18, tables=2, size=10, auto_confirm=False)
        first, second, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last, second: last}})
        room.tables[1].start_hand()                     # the hub has not heard of it yet
        room.write(room.direct("confirm", 1))

        room.settle()
        assert of(room, Closed) == [Closed(1, False)]
        assert len(of(room, Proposed)) == 1             # not while a hand runs

        room.tables[1].end_hand({})
        room.settle()
        assert [proposed.id for proposed in of(room, Proposed)] == [1, 2]

    def test_a_seat_that_is_refused_again_and_again_is_told_to_the_director(self) -> None:
        room = started(players=18, tables=2, size=10, auto_confirm=False)
        first, second, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last, second: last}})
        (proposed,) = of(room, Proposed)
        room.tables[2].players[proposed.legs[0].to_seat] = ("stranger", "Stranger", 1)
        room.write(room.direct("confirm", 1))

        room.settle()

        (alarm,) = room.tournament.alarms()
        assert (alarm.what, alarm.table_no, alarm.why) == ("no_seat", 2, "seat_taken")
        assert alarm.name == proposed.legs[0].name
        assert room.tournament.waiting_for(room.room, room.now_ms) == ("transit", "moves")

        del room.tables[2].players[proposed.legs[0].to_seat]                     # somebody has looked after it
        room.write(room.direct("retry", 2))
        room.settle()

        assert room.tournament.alarms() == []
        assert room.tournament.waiting_for(room.room, room.now_ms) == ()
        with pytest.raises(Refused, match="nothing_refused"):
            room.direct("retry", 2)


class TestBreaking:
    @article("lifeclub:8.3", "dalvivo:7.3", "tda:10-B")
    def test_the_last_table_breaks_when_there_is_room_and_its_players_are_drawn(self) -> None:
        room = started(players=19, tables=3)
        first, *_, last = sorted(room.tables[1].players)

        room.round({1: {first: last}})

        (proposed,) = of(room, Proposed)
        assert (proposed.kind, proposed.closes, len(proposed.legs)) == ("break", 3, 6)
        assert proposed.articles == ("lifeclub:8.3",)
        assert room.counts() == {1: 9, 2: 9, 3: 0}
        assert room.tournament.closed == {3}
        assert room.chips == 19 * STACK

    def test_a_table_with_one_player_left_is_not_waited_for(self) -> None:
        room = started(players=12, tables=2, in_step=True)
        seats = sorted(room.tables[2].players)

        room.round({2: dict.fromkeys(seats[:-1], seats[-1])})

        assert room.counts() == {1: 7, 2: 0}


class TestPlaces:
    def test_of_one_hand_the_smaller_stack_finishes_lower_and_equal_stacks_tie(self) -> None:
        room = started(players=9, tables=1)
        a, b, c, d, e = sorted(room.tables[1].players)[:5]
        room.round({1: {a: b}})
        room.round({1: {b: e, c: e, d: e}})             # b has twice the stack of c and d

        places = {place.player: (place.place, place.last) for place in room.tournament.places(room.room)}
        assert sorted(places.values()) == [(6, 6), (7, 8), (7, 8), (9, 9)]

    def test_in_step_two_tables_are_one_hand(self) -> None:
        room = started(players=18, tables=2, in_step=True)
        one, two = sorted(room.tables[1].players), sorted(room.tables[2].players)

        room.round({1: {one[0]: one[1]}, 2: {two[0]: two[1]}})

        assert [(place.place, place.last) for place in room.tournament.places(room.room)] == [(17, 18), (17, 18)]

    def test_who_never_entered_has_no_place_and_counts_for_nobody(self) -> None:
        room = started(players=3, tables=1)
        room.tables[1].tell(wire.Eliminated(9, "struck off the list", 1_000))
        room.settle()

        assert room.tournament.left(room.room) == 3
        assert room.tournament.places(room.room) == ()

    @article("lifeclub:8.5", "dalvivo:7.5")
    def test_the_last_player_is_first_and_the_clock_stops(self) -> None:
        room = started(players=3, tables=1)
        a, b, c = sorted(room.tables[1].players)

        room.round({1: {a: c}})
        room.round({1: {b: c}})

        assert [place.place for place in room.tournament.places(room.room)] == [1, 2, 3]
        (finished,) = of(room, Finished)
        assert finished.player == room.tournament.places(room.room)[0].player
        assert not room.tournament.clock.running


class TestClock:
    def test_it_begins_with_the_tournament(self) -> None:
        room = started()

        assert [entry.what for entry in of(room, ClockSet)] == ["started"]
        assert room.tournament.clock.anchor_ms == 1_000

    def test_a_level_is_announced_at_its_planned_end_however_late(self) -> None:
        room = started()
        room.now_ms = 1_000 + 10 * MINUTE_MS + 35_000

        (entry,) = room.steps()

        assert isinstance(entry, ClockSet)
        assert (entry.what, entry.clock.index, entry.clock.announced) == ("announced", 1, 1)
        assert (entry.clock.anchor_ms, entry.clock.remain_ms) == (1_000 + 10 * MINUTE_MS, 10 * MINUTE_MS)

    def test_pause_resume_and_a_minute_more(self) -> None:
        room = started()
        for at, what in ((60_000, "pause"), (90_000, "add_minute"), (200_000, "resume")):
            room.now_ms = 1_000 + at
            room.write(room.direct(what, 0))

        now = room.tournament.reading(1_000 + 260_000)
        assert now.remaining_ms == 10 * MINUTE_MS - 60_000 + 60_000 - 60_000
        with pytest.raises(Refused, match="running"):
            room.direct("resume", 0)

    def test_each_anchor_has_a_higher_rev(self) -> None:
        room = started()
        for minutes in (10, 20, 25):
            room.now_ms = 1_000 + minutes * MINUTE_MS
            room.steps()

        revs = [entry.clock.rev for entry in of(room, ClockSet)]
        assert revs == sorted(set(revs))
        assert [entry.clock.index for entry in of(room, ClockSet)] == [0, 1, 2, 3]


class TestAfterARestart:
    def test_journal_and_events_give_the_same_tournament_and_nothing_is_done_twice(self) -> None:
        room = started(players=19, tables=3)
        first, *_, last = sorted(room.tables[1].players)
        room.round({1: {first: last}})

        again = Tournament(room.config, rulebook.load("lifeclub"))
        for entry in room.journal:
            again.record(entry)
        for entry in room.journal:
            if isinstance(entry, Commanded):
                again.answer(entry.id, "ok", "")

        assert again.closed == room.tournament.closed
        assert again.clock == room.tournament.clock
        assert again.next_step(room.room, room.now_ms, room._chance) is None

    def test_a_move_that_was_cut_in_two_is_finished(self) -> None:
        room = started(players=18, tables=2, size=10)
        first, second, *_, last = sorted(room.tables[2].players)
        room.tables[1].start_hand()
        room.tables[2].start_hand()
        room.tables[2].end_hand({first: last, second: last})
        room.tables[1].end_hand({})
        room.steps()
        while not room.room.transit:
            assert room.hear()
            if not room.room.transit:
                room.steps()

        again = PaperRoom(room.config)
        again.tables, again.room = room.tables, room.room
        again._answers = room._answers
        for entry in room.journal:
            again.journal.append(entry)
            again.tournament.record(entry)
            if isinstance(entry, Commanded):
                again.tournament.answer(entry.id, "ok", "")
        again.settle()

        assert again.counts() == {1: 8, 2: 8}
        assert again.chips == 18 * STACK


def evening(order: int, dealt: int, players: int, tables: int) -> tuple[object, object]:
    """Plays to the end; who loses follows from `dealt`, whose news comes first from `order`."""
    room = PaperRoom(config(players=players, tables=tables, in_step=True), order)
    room.settle()
    for number in range(1, 200):
        if room.tournament.left(room.room) == 1:
            break
        losers: dict[int, dict[int, int]] = {}
        for table_no, table in room.tables.items():
            chance = random.Random(f"{dealt} {number} {table_no}")
            seats = sorted(table.players)
            if len(seats) > 1:
                winner = chance.choice(seats)
                losers[table_no] = {seat: winner for seat in seats if seat != winner and chance.random() < 0.2}
        room.round(losers)
        assert room.chips == players * STACK
        in_play = [count for number, count in room.counts().items() if number not in room.tournament.closed and count]
        assert max(in_play) - min(in_play) <= 1
        assert room.tournament.waiting_for(room.room, room.now_ms) == ()
    decisions = [entry for entry in room.journal if isinstance(entry, (Drawn, RoundOver, Proposed, Finished))]
    return decisions, room.tournament.places(room.room)


@settings(max_examples=25)
@given(
    st.integers(0, 2**16), st.integers(0, 2**16), st.integers(0, 2**16), st.integers(2, 34), st.integers(4, 5)
)
def test_the_same_draw_and_cards_give_the_same_evening_in_whatever_order_the_news_comes(
    order: int, other: int, dealt: int, players: int, tables: int
) -> None:
    assert evening(order, dealt, players, tables) == evening(other, dealt, players, tables)


def test_an_empty_room_asks_for_the_draw_first() -> None:
    room = PaperRoom(config())

    assert isinstance(room.tournament.next_step(Room(), 0, room._chance), Drawn)
