"""Who finished where, from what the tables told: the rules are `engine.places`, this names the hands.

Each table's hand counts by itself, in the order in which the tables told of it. Where tables play together, hand for
hand or in step, a hand of the whole room counts as one hand: two who go out in it at different tables are not ordered
by whose dealer was quicker. They share the place or, in step, are ordered by their stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine import places as rules
from hub.config import Entrant
from hub.picture import Place
from hub.room import Out


def places(
    entrants: Sequence[Entrant],
    outs: Iterable[Out],
    round_of: Callable[[Out], int | None],
    across: rules.Across = "tie",
) -> tuple[Place, ...]:
    """The places decided so far, best first; the last player left is first.

    `round_of` gives the room's hand in which somebody went out; None where his table played for itself: then the
    tables' time counts.
    """
    gone = {out.player: out for out in outs}
    hands: dict[tuple[str, int, int], int] = {}      # the time at which a table's hand was told of
    for out in gone.values():
        key = (out.unit, out.ep, out.hand)
        hands[key] = min(hands.get(key, out.utc_ms), out.utc_ms)

    rounds = {out.player: round_of(out) for out in gone.values()}
    began: dict[int, int] = {}                       # the time at which a round was told of
    for out in gone.values():
        number = rounds[out.player]
        if number is not None:
            began[number] = min(began.get(number, out.utc_ms), out.utc_ms)
    only_rounds = None not in rounds.values()

    def when(out: Out) -> tuple[int, ...]:
        number = rounds[out.player]
        if number is None:
            return hands[out.unit, out.ep, out.hand], out.table_no, out.ep, out.hand
        return (number,) if only_rounds else (began[number], 0, 0, number)

    exits = [rules.Exit(out.player, out.stack_before, out.unit, when(out)) for out in gone.values()]
    names = {entrant.player: entrant.name for entrant in entrants}
    found = []
    for each in rules.places([entrant.player for entrant in entrants], exits, across):
        last_seen = gone.get(each.player)
        table_no, hand = (last_seen.table_no, last_seen.hand) if last_seen else (0, 0)
        found.append(Place(each.best, each.last, each.player, names[each.player], table_no, hand))
    return tuple(found)
