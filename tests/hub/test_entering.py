"""Late entries and new stacks: what the book lets in, the seat that is drawn, and the chips that are counted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.clock import MINUTE_MS
from engine.wire import MAX_INT
from hub.directing import Details
from hub.entries import Entered
from hub.refused import Refused
from hub.seating import Applicant
from tests.hub.paper_room import STACK, PaperRoom, config
from tests.rules.citing import article


def started(players: int = 13, tables: int = 2, **plan: Any) -> PaperRoom:
    room = PaperRoom(config(players=players, tables=tables, **plan))
    room.settle()
    return room


def asks(**applicant: Any) -> Details:
    return Details(Applicant(**applicant))


def enter(room: PaperRoom, what: str = "enter", **applicant: Any) -> Entered:
    entry = room.direct(what, 0, asks(**applicant))
    assert isinstance(entry, Entered)
    room.write(entry)
    room.settle()
    return entry


def at_level(room: PaperRoom, number: int) -> None:
    """Lets the clock come to this level (ten minutes each, a break of five after the second)."""
    room.now_ms += {1: 0, 2: 11, 3: 26}[number] * MINUTE_MS
    room.steps()


class TestLate:
    @article("tda:8")
    def test_a_late_player_is_drawn_to_the_shortest_table_and_is_one_more(self) -> None:
        room = started(book="tda")
        assert room.counts() == {1: 7, 2: 6}

        entry = enter(room, name="  Zoe   Late ")

        assert (entry.name, entry.table_no, entry.stack) == ("Zoe Late", 2, STACK)
        assert room.tables[2].players[entry.seat] == (entry.player, "Zoe Late", STACK)
        assert room.tournament.left(room.room) == 14
        assert room.tournament.seating.chips == room.chips == 14 * STACK

    def test_several_at_once_get_seats_of_their_own(self) -> None:
        room = started(book="tda")
        room.mute = True
        entries = []
        for name in ("Ada", "Bea", "Cio"):
            entry = room.direct("enter", 0, asks(name=name))
            room.write(entry)
            entries.append(entry)

        places = {(entry.table_no, entry.seat) for entry in entries}
        taken = {(number, seat) for number, table in room.tables.items() for seat in table.players}
        assert len(places) == 3
        assert not places & taken

    def test_the_seat_of_a_player_who_is_moving_is_not_given_away(self) -> None:
        room = started(players=18, tables=2, size=10, auto_confirm=False, book="tda")
        first, second, *_, last = sorted(room.tables[2].players)
        room.round({2: {first: last, second: last}})
        promised = room.tournament.moves.promised()
        assert promised

        for number in range(3):
            entry = room.direct("enter", 0, asks(name=f"Late {number}"))
            assert isinstance(entry, Entered)
            room.write(entry)
            assert (entry.table_no, entry.seat) not in promised

    @article("lifeclub:3.c")
    def test_the_book_may_ask_for_a_reservation(self) -> None:
        room = started(late_entry_cost=0)

        with pytest.raises(Refused, match="entry_reserved"):
            room.direct("enter", 0, asks(name="Zoe"))
        assert enter(room, name="Zoe", reserved=True).articles == ("lifeclub:3.b", "lifeclub:3.c")

    @article("lifeclub:3.b")
    def test_after_the_books_last_level_nobody_comes_in(self) -> None:
        room = started(book="lifeclub", late_entry_cost=0, schedule=[
            {"minutes": 1, "small_blind": 25 * n, "big_blind": 50 * n} for n in range(1, 6)
        ])  # fmt: skip
        room.now_ms += 3 * MINUTE_MS + 1
        room.steps()

        with pytest.raises(Refused, match="entry_closed"):
            room.direct("enter", 0, asks(name="Zoe", reserved=True))

    @pytest.mark.parametrize(("until", "level", "open_"), [(2, 2, True), (2, 3, False), (0, 1, False), (None, 3, True)])
    def test_the_event_may_close_earlier_than_the_book(self, until: int | None, level: int, open_: bool) -> None:
        room = started(book="tda", late_entry_until=until)
        at_level(room, level)

        if open_:
            assert enter(room, name="Zoe").name == "Zoe"
        else:
            with pytest.raises(Refused, match="entry_closed"):
                room.direct("enter", 0, asks(name="Zoe"))

    @article("lifeclub:3.a")
    def test_what_lateness_costs_is_the_events_or_the_directors_word(self) -> None:
        room = started()
        with pytest.raises(Refused, match="entry_cost"):
            room.direct("enter", 0, asks(name="Zoe", reserved=True))

        entry = enter(room, name="Zoe", reserved=True, cost=150)

        assert entry.stack == STACK - 150
        assert room.tournament.seating.chips == 14 * STACK - 150 == room.chips
        assert enter(started(late_entry_cost=200), name="Zoe", reserved=True).stack == STACK - 200
        with pytest.raises(Refused, match="entry_cost"):
            room.direct("enter", 0, asks(name="Ugo", reserved=True, cost=STACK))

    @pytest.mark.parametrize("name", ["", "   ", "x" * 61])
    def test_everybody_has_a_name(self, name: str) -> None:
        with pytest.raises(Refused, match="entry_name"):
            started(book="tda").direct("enter", 0, asks(name=name))

    def test_where_every_seat_is_taken_nobody_comes_in(self) -> None:
        with pytest.raises(Refused, match="no_free_seat"):
            started(players=18, book="tda").direct("enter", 0, asks(name="Zoe"))


class TestAgain:
    @article("lifeclub:1.b", "dalvivo:1.b")
    @pytest.mark.parametrize(("book", "reentry"), [("lifeclub", True), ("dalvivo", True), ("tda", False)])
    def test_book_and_event_must_both_sell_new_stacks(self, book: str, reentry: bool) -> None:
        room = started(book=book, reentry=reentry)
        first, *_, last = sorted(room.tables[1].players)
        gone = room.tables[1].players[first][0]
        room.round({1: {first: last}})

        with pytest.raises(Refused, match="no_reentry"):
            room.direct("reenter", 0, asks(player=gone))

    @article("tda:8")
    def test_who_comes_back_is_in_under_the_same_name_and_each_exit_counts(self) -> None:
        room = started(book="tda", reentry=True)
        first, *_, last = sorted(room.tables[1].players)
        gone, name, _ = room.tables[1].players[first]
        room.round({1: {first: last}})

        entry = enter(room, "reenter", player=gone)
        assert (entry.name, entry.again) == (name, gone)
        assert entry.player != gone
        assert room.tournament.left(room.room) == 13

        at = room.tables[entry.table_no]
        other = next(seat for seat in at.players if seat != entry.seat)
        room.round({entry.table_no: {entry.seat: other}})

        places = {place.player: (place.place, place.name) for place in room.tournament.places(room.room)}
        assert places == {gone: (14, name), entry.player: (13, name)}
        assert enter(room, "reenter", player=entry.player).player not in (gone, entry.player)

    def test_who_is_still_in_cannot(self) -> None:
        room = started(book="tda", reentry=True)

        with pytest.raises(Refused, match="not_out"):
            room.direct("reenter", 0, asks(player="p1"))


def test_the_longest_id_stays_one_that_travels() -> None:
    longest = "ż" * 16
    plan = config(players=13, tables=2, book="tda", reentry=True)
    first, *rest = plan.tournament.entrants
    renamed = msgspec.structs.replace(plan.tournament, players=(msgspec.structs.replace(first, player=longest), *rest))
    room = PaperRoom(msgspec.structs.replace(plan, tournament=renamed))
    room.settle()

    for _ in range(2):
        number, seat = next(
            (number, seat) for number, table in room.tables.items()
            for seat, (player, _, _) in table.players.items() if player.startswith(longest[:14])
        )  # fmt: skip
        player = room.tables[number].players[seat][0]
        room.round({number: {seat: next(other for other in room.tables[number].players if other != seat)}})
        assert len(enter(room, "reenter", player=player).player.encode()) <= 32


def test_more_chips_than_can_be_counted_are_not_given_out() -> None:
    room = started(players=4, tables=1, book="tda", stack=MAX_INT // 4)

    with pytest.raises(Refused, match="too_many_chips"):
        room.direct("enter", 0, asks(name="Zoe"))


def test_after_a_restart_everybody_who_came_in_is_in() -> None:
    room = started(book="tda")
    enter(room, name="Zoe")

    again = PaperRoom(room.config)
    for entry in room.journal:
        again.tournament.record(entry)

    assert again.tournament.left(room.room) == 14
    assert [entrant.name for entrant in again.tournament.entrants][-1] == "Zoe"
