"""Amounts under the knob: how far a detent goes, between which totals, and where a push lands.

One detent is one smallest chip, ten of them pushed in. Detents that follow each other within `FAST_MS` in one direction
form a run, and a run grows its steps by `RUN_FACTORS`; turning back starts a new run with single steps. An amount off
the grid of the smallest chip (an all-in, a short minimum) is reached only at the ends of its range.
"""

from __future__ import annotations

from engine.view import SeatView, Street, TableView
from firmware_py.panel_state import Scene

FAST_MS = 60                                          # detents closer than this belong to one run
RUN_FACTORS = ((3, 1), (6, 5), (12, 25), (24, 100))   # (up to this detent of a run, step in smallest chips)
RUN_FACTOR_MAX = 500
PUSHED_FACTOR = 10
MAX_CHIPS = 100_000_000                               # of one stack or bet that can be dialled


def factor(run: int) -> int:
    """Step of the `run`-th detent of a run, in smallest chips."""
    return next((step for upto, step in RUN_FACTORS if abs(run) <= upto), RUN_FACTOR_MAX)


def detents(run: int, steps: int, pushed: bool) -> tuple[int, int]:
    """(the run after `steps` more detents, smallest chips they move). A run is signed like its direction."""
    sign = 1 if steps > 0 else -1
    run, chips = (run if run * sign > 0 else 0), 0
    for _ in range(abs(steps)):
        run += sign
        chips += sign * factor(run) * (PUSHED_FACTOR if pushed else 1)
    return run, chips


def stepped(amount: int, chips: int, chip: int, span: tuple[int, int]) -> int:
    """`amount` moved by `chips` smallest chips on the grid of `chip`, kept within `span`."""
    low, high = span
    if chips > 0:
        return min(high, amount // chip * chip + chips * chip)
    return max(low, -(-amount // chip) * chip + chips * chip)


def seat_of(view: TableView, seat: int) -> SeatView:
    """The occupied seat of that number; StopIteration if nobody sits there."""
    return next(s for s in view.seats if s.seat == seat)


def owes(view: TableView, seat: int) -> int:
    """Chips `seat` would add to call now, were it its turn."""
    place = seat_of(view, seat)
    price = seat_of(view, view.to_act).bet + view.to_call
    return min(place.stack, max(0, price - place.bet))


def opens(scene: Scene, seat: int) -> bool:
    """Whether an amount of `seat` is a bet (nothing was bet before) and not a raise."""
    legal = scene.legal
    if legal is not None and legal.seat == seat:
        return legal.bet is not None
    return scene.view.street is not Street.PREFLOP and all(s.bet == 0 for s in scene.view.seats)


def span_of(scene: Scene, seat: int) -> tuple[int, int] | None:
    """Lowest and highest total `seat` may bet or raise to; out of turn, with the price of the seat to act."""
    legal = scene.legal
    if legal is None:
        return None
    span = legal.bet or legal.raise_to
    if legal.seat == seat:
        return span
    place = seat_of(scene.view, seat)
    most = place.bet + place.stack
    return (min(span[0], most) if span else most, most)


def presets(scene: Scene, seat: int) -> tuple[int, ...]:
    """Minimum, half pot, pot and all-in for `seat`, ascending, each once. A pot raise counts the call as made first."""
    legal, span = scene.legal, span_of(scene, seat)
    if legal is None or span is None:
        return ()
    price = legal.to_call if legal.seat == seat else owes(scene.view, seat)
    called, pot = seat_of(scene.view, seat).bet + price, legal.pot + price
    low, high = span
    amounts = {low, high}
    for amount in (called + pot // 2, called + pot):
        amounts.add(min(high, max(low, amount // scene.chip * scene.chip)))
    return tuple(sorted(amounts))


def next_preset(scene: Scene, seat: int, amount: int) -> int:
    """The preset above `amount`; after the highest, the lowest."""
    steps = presets(scene, seat)
    return next((step for step in steps if step > amount), steps[0]) if steps else amount
