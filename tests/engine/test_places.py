"""Places: who went out when, with how many chips, and who shares."""

from __future__ import annotations

import pytest

from engine.payout import split
from engine.places import Exit, Finish, places
from tests.rules.citing import article

PLAYERS = ("ada", "bea", "cio", "dan", "eva", "fil")


def ranges(exits: list[Exit], across: str = "tie") -> dict[str, tuple[int, int]]:
    return {each.player: (each.best, each.last) for each in places(PLAYERS, exits, across)}


@article("lifeclub:1.b", "fipos:26")
def test_the_earlier_hand_finishes_lower_and_who_is_left_is_first() -> None:
    exits = [Exit(player, 1000, "1", (hand,)) for hand, player in enumerate(PLAYERS[:5])]

    assert [each.player for each in places(PLAYERS, exits)] == ["fil", "eva", "dan", "cio", "bea", "ada"]


def test_out_of_one_hand_fewer_chips_at_its_start_finish_lower_and_equal_chips_share() -> None:
    exits = [Exit("ada", 500, "1", (7,)), Exit("bea", 900, "1", (7,)), Exit("cio", 500, "1", (7,))]

    assert ranges(exits) == {"bea": (4, 4), "ada": (5, 6), "cio": (5, 6)}


@article("tda:RP-8-A")
class TestHandForHand:
    def test_at_two_tables_the_place_is_shared(self) -> None:
        exits = [Exit("ada", 500, "1", (7,)), Exit("bea", 900, "2", (7,))]

        assert ranges(exits) == {"ada": (5, 6), "bea": (5, 6)}

    def test_at_one_table_more_chips_finish_higher(self) -> None:
        exits = [Exit("ada", 500, "1", (7,)), Exit("bea", 900, "1", (7,))]

        assert ranges(exits) == {"bea": (5, 5), "ada": (6, 6)}

    def test_the_best_of_each_table_share_before_the_second_of_one(self) -> None:
        exits = [Exit("ada", 500, "1", (7,)), Exit("bea", 900, "1", (7,)), Exit("cio", 10, "2", (7,))]

        assert ranges(exits) == {"bea": (4, 5), "cio": (4, 5), "ada": (6, 6)}

    def test_online_rooms_rank_by_chips_across_tables(self) -> None:
        exits = [Exit("ada", 500, "1", (7,)), Exit("bea", 900, "2", (7,)), Exit("cio", 500, "3", (7,))]

        assert ranges(exits, "stacks") == {"bea": (4, 4), "ada": (5, 6), "cio": (5, 6)}

    def test_185_left_184_paid_8350_each(self) -> None:
        entrants = [f"p{number}" for number in range(1, 186)]
        prizes = [835_000] * 184
        bubble = [Exit("p1", 9_000, "A", (1,)), Exit("p2", 4_000, "B", (1,))]

        two_tables = {each.player: each for each in places(entrants, bubble)}
        assert two_tables["p1"] == Finish(184, 185, "p1")
        assert split(prizes, 184, 185) == (417_500, 417_500)

        one_table = places(entrants, [Exit("p1", 9_000, "A", (1,)), Exit("p2", 4_000, "A", (1,))])
        assert {each.player: split(prizes, each.best, each.last) for each in one_table} == {
            "p1": (835_000,), "p2": (0,),
        }  # fmt: skip


@pytest.mark.parametrize("exits", [[Exit("zoe", 1)], [Exit("ada", 1), Exit("ada", 2)]])
def test_only_who_entered_goes_out_and_only_once(exits: list[Exit]) -> None:
    with pytest.raises(ValueError, match="everybody goes out once"):
        places(PLAYERS, exits)
