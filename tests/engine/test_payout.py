"""Money: paid places, shares, shared places, deals. Figures in cents unless said."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import payout
from tests.rules.citing import article


@article("dalvivo:8.b")
@pytest.mark.parametrize(
    ("entries", "share", "paid"),
    [
        (45, 0.1, 5), (40, 0.1, 4), (41, 0.1, 5), (9, 0.1, 1), (70, 0.1, 7), (30, 0.1, 3), (1, 0.1, 1), (0, 0.1, 0),
        (9, 0.15, 2), (18, 0.15, 3), (27, 0.15, 5), (137, 0.15, 21), (100, None, 1), (63, Fraction(1, 3), 21),
    ],
)  # fmt: skip
def test_paid_places_are_rounded_up_and_never_none(entries: int, share: float | None, paid: int) -> None:
    assert payout.paid_places(entries, share) == paid


@article("dalvivo:8.a")
@pytest.mark.parametrize(
    ("shares", "falls"), [((50, 25, 15, 10), True), ((50, 20, 25, 5), False), ((40, 30, 30), False), ((100,), True)]
)
def test_shares_fall_from_each_place_to_the_next(shares: tuple[int, ...], falls: bool) -> None:
    assert payout.decreasing(shares) is falls


def test_what_rounding_leaves_goes_to_the_first() -> None:
    assert payout.prizes(405_000, (50, 25, 15, 10)) == (202_500, 101_250, 60_750, 40_500)
    assert payout.prizes(100_01, (50, 30, 20)) == (5001, 3000, 2000)
    assert payout.prizes(333_33, (65, 35), unit=100) == (21733, 11600)
    with pytest.raises(ValueError, match="shares of 90 per cent"):
        payout.prizes(1000, (50, 40))


@given(st.integers(0, 10**8), st.lists(st.integers(0, 50), min_size=2, max_size=2), st.sampled_from([1, 100, 500]))
def test_prizes_are_the_pool(pool: int, rest: list[int], unit: int) -> None:
    shares = (100 - sum(rest), *rest)

    assert sum(payout.prizes(pool, shares, unit)) == pool


@given(st.lists(st.integers(0, 10**6), max_size=6), st.integers(1, 6), st.integers(0, 3), st.sampled_from([1, 100]))
def test_shared_places_share_their_prizes_and_lose_none(prizes: list[int], best: int, more: int, unit: int) -> None:
    parts = payout.split(prizes, best, best + more, unit)

    assert len(parts) == more + 1
    assert sum(parts) == sum(prizes[best - 1 : best + more])
    assert max(parts) - min(parts) < 2 * unit


def test_three_out_for_two_prizes_share_them() -> None:
    assert payout.split((10_000, 5_000), 1, 3) == (5_000, 5_000, 5_000)


class TestDeals:
    """Malmuth and Harville's model against the plain division by chips. Stacks, prizes in whole units."""

    @pytest.mark.parametrize(
        ("stacks", "prizes", "exact", "cents", "units", "by_chips"),
        [
            ((5_000, 3_000, 2_000), (50, 30, 20), ("1075/28", "131/4", "202/7"),
             (38_39, 32_75, 28_86), (38, 33, 29), (40, 32, 28)),
            ((60_000, 25_000, 15_000), (1000, 600, 400), ("13960/17", "10775/17", "545"),
             (821_18, 633_82, 545_00), (821, 634, 545), (880, 600, 520)),
        ],
    )  # fmt: skip
    def test_worked(
        self, stacks: tuple[int, ...], prizes: tuple[int, ...], exact: tuple[str, ...], cents: tuple[int, ...],
        units: tuple[int, ...], by_chips: tuple[int, ...],
    ) -> None:  # fmt: skip
        worth = payout.worth(stacks, prizes)

        assert worth == tuple(map(Fraction, exact))
        assert payout.rounded([value * 100 for value in worth]) == cents
        assert payout.rounded(worth) == units
        assert payout.by_chips(stacks, prizes) == by_chips

    def test_fewer_prizes_than_players(self) -> None:
        worth = payout.worth((50, 30, 20), (70, 30))

        assert [round(float(value), 2) for value in worth] == [45.18, 32.25, 22.57]
        assert payout.by_chips((50, 30, 20), (70, 30)) == (50, 30, 20)

    @given(st.lists(st.integers(1, 10**6), min_size=1, max_size=6), st.lists(st.integers(0, 10**5), max_size=6))
    def test_a_deal_gives_away_the_prizes_and_nothing_else(self, stacks: list[int], prizes: list[int]) -> None:
        left = sorted(prizes, reverse=True)
        worth = payout.worth(stacks, left)

        assert sum(worth) == sum(left[: len(stacks)])
        assert sum(payout.rounded(worth)) == sum(left[: len(stacks)])
        assert sum(payout.by_chips(stacks, left)) == sum(left[: len(stacks)])

    def test_who_has_no_chips_is_out(self) -> None:
        with pytest.raises(ValueError, match="everybody in a deal has chips"):
            payout.worth((10, 0), (5,))
        with pytest.raises(ValueError, match="everybody in a deal has chips"):
            payout.by_chips((), ())
        with pytest.raises(ValueError, match="no whole number"):
            payout.rounded((Fraction(1, 3),))
