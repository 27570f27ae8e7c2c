"""Late entry, tables and stacks: who comes in, at what cost, and how many fit."""

from __future__ import annotations

import pytest

from engine import entry, rulebook
from engine.entry import Latecomer
from engine.rulebook import RulebookError
from tests.rules.citing import article

LIFECLUB = rulebook.load("lifeclub")
FIPOS = rulebook.load("fipos")
DALVIVO = rulebook.load("dalvivo")
TDA = rulebook.load("tda")


class TestLateEntry:
    @article("lifeclub:3.a", "lifeclub:3.c")
    def test_who_reserved_by_phone_comes_in_in_level_three_and_pays_what_the_event_says(self) -> None:
        answer = entry.may_enter(Latecomer(3, reserved=True), LIFECLUB)

        assert answer.outcome == "ok"
        assert "lifeclub:3.c" in answer.articles
        assert entry.entry_cost(10_000, 450, LIFECLUB, event_penalty=1_000) == 1_000
        assert entry.entry_cost(10_000, 450, LIFECLUB) == 450       # the event has named none: the blinds missed
        assert entry.entry_cost(300, 450, LIFECLUB) == 300

    @article("lifeclub:3.b")
    def test_nobody_comes_in_once_level_four_is_announced(self) -> None:
        answer = entry.may_enter(Latecomer(4, reserved=True), LIFECLUB)

        assert (answer.outcome, answer.refusal, answer.articles) == ("refused", "level_closed", ("lifeclub:3.b",))

    @article("lifeclub:3.c", "lifeclub:1.b")
    def test_who_reserved_nothing_or_was_in_before_stays_out(self) -> None:
        unreserved = entry.may_enter(Latecomer(1), LIFECLUB)
        out = entry.may_enter(Latecomer(2, reserved=True, was_out=True), LIFECLUB, event_allows_reentry=True)

        assert (unreserved.refusal, out.refusal) == ("level_closed", "level_closed")
        assert unreserved.articles == ("lifeclub:3.c",)
        assert "lifeclub:1.b" in out.articles

    @article("fipos:32.a", "fipos:32.d")
    def test_who_gave_notice_was_blinded_off_and_takes_over_what_is_left(self) -> None:
        late = Latecomer(4, registered=True, gave_notice=True)

        assert entry.may_enter(late, FIPOS).outcome == "ok"
        assert entry.may_enter(Latecomer(4, registered=True), FIPOS).refusal == "level_closed"
        assert entry.entry_cost(8_850, 150, FIPOS) == 0             # the stack has paid already

    @article("fipos:34", "fipos:32.d")
    def test_who_is_out_buys_in_again_where_the_event_sells_stacks(self) -> None:
        out = Latecomer(2, was_out=True)

        assert entry.may_enter(out, FIPOS, event_allows_reentry=True).outcome == "ok"
        assert entry.may_enter(out, FIPOS).refusal == "level_closed"

    @article("tda:8-A")
    def test_common_practice_gives_a_full_stack_to_anybody_while_entry_is_open(self) -> None:
        assert entry.may_enter(Latecomer(1), TDA).outcome == "ok"
        assert entry.entry_cost(10_000, 450, TDA) == 0

    def test_before_the_start_anybody_may_enter(self) -> None:
        assert entry.may_enter(Latecomer(0), LIFECLUB).outcome == "ok"


class TestTablesAndStacks:
    @article("lifeclub:1.a", "dalvivo:1.a", "fipos:32.d")
    def test_chips_are_won_and_not_bought_save_where_an_event_sells_them(self) -> None:
        assert entry.may_top_up(LIFECLUB, event_sells_chips=True).refusal == "not_in_catalogue"
        assert entry.may_top_up(LIFECLUB).articles == ("lifeclub:1.a",)
        assert entry.may_top_up(DALVIVO, event_sells_chips=True).articles == ("dalvivo:1.a",)
        assert entry.may_top_up(FIPOS, event_sells_chips=True).outcome == "ok"
        assert entry.may_top_up(FIPOS).refusal == "not_in_catalogue"

    @article("fipos:3")
    @pytest.mark.parametrize(
        ("players", "refusal", "bound"),
        [(5, "below_minimum", 6), (6, None, None), (10, None, None), (11, "above_maximum", 10)],
    )
    def test_a_table_is_formed_within_the_books_bounds(
        self, players: int, refusal: str | None, bound: int | None
    ) -> None:
        answer = entry.may_form(players, FIPOS)

        assert (answer.refusal, answer.amount) == (refusal, bound)
        assert "fipos:3" in answer.articles

    @article("fipos:3")
    def test_a_table_goes_on_below_that_as_players_go_out(self) -> None:
        assert entry.may_seat(5, FIPOS).outcome == "ok"
        assert entry.may_seat(1, FIPOS).refusal == "below_minimum"

    @article("lifeclub:2.a")
    def test_eleven_seats_and_not_twelve(self) -> None:
        assert entry.may_seat(11, LIFECLUB).outcome == "ok"
        assert entry.may_seat(12, LIFECLUB).refusal == "above_maximum"

    @article("dalvivo:2.a")
    def test_the_director_may_go_to_as_many_as_the_deck_serves(self) -> None:
        assert entry.may_seat(11, DALVIVO).refusal == "above_maximum"
        assert entry.may_seat(22, DALVIVO.with_value("table_max", "22")).outcome == "ok"
        with pytest.raises(RulebookError, match="22"):
            DALVIVO.with_value("table_max", "23")

    @article("fipos:25")
    @pytest.mark.parametrize(
        ("stack", "refusal"), [(5_500, "below_minimum"), (6_000, None), (9_000, None), (9_500, "above_maximum")]
    )
    def test_a_stack_to_start_with(self, stack: int, refusal: str | None) -> None:
        assert entry.may_start_with(stack, FIPOS).refusal == refusal
        assert entry.may_start_with(stack, LIFECLUB).outcome == "ok"
