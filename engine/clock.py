"""What a level clock says at a moment: a reading is computed from the anchor, never counted.

The schedule is a list of lines: levels, and breaks that have neither blinds nor a number. When a line's time is up the
next one begins at that very moment, however late somebody looks; the last line never ends by itself.
"""

from __future__ import annotations

import msgspec

from engine.inputs import Level
from engine.wire import Clock, ClockLevel

SECOND_MS, MINUTE_MS = 1_000, 60_000
MOST_HAND_S = 180
"""What a hand may take off the clock at most, hand for hand (TDA 2024, RP-8-B)."""


class ClockReading(msgspec.Struct, frozen=True):
    """A clock as read at one moment. Times in ms.

    `index`: the line of the schedule that is running. `level`: the level that counts, in a break the one before it.
    `next_level`: the next one to come (None: there is none). `next_break_ms`: until the next break begins, None if no
    more comes. `over`: the last line's time is up and its level goes on. `color_up`: the chips that leave in the break
    that is on. `hand_for_hand` and `final_table` are the room's, as the anchor has them.
    """

    index: int
    level: Level | None
    remaining_ms: int
    running: bool
    on_break: bool
    next_level: Level | None
    next_break_ms: int | None
    over: bool
    color_up: tuple[int, ...] = ()
    hand_for_hand: bool = False
    final_table: bool = False


def duration_ms(line: ClockLevel) -> int:
    """How long a line of the schedule lasts."""
    return round(line.minutes * MINUTE_MS)


def anchored(clock: Clock, now_ms: int) -> tuple[int, int]:
    """The running line and what is left of it in ms; 0 and not less on the last line."""
    index = min(clock.index, len(clock.schedule) - 1)
    remaining = clock.remain_ms - (now_ms - clock.anchor_ms if clock.running else 0)
    while remaining <= 0 and index + 1 < len(clock.schedule) and clock.running:
        index += 1
        remaining += duration_ms(clock.schedule[index])
    return index, max(0, remaining)


def hand_by_hand(clock: Clock, hands: int, hand_s: int) -> Clock:
    """A clock that stood still while `hands` were played hand for hand: each takes `hand_s` seconds off, however long.

    At most `MOST_HAND_S` whatever the house says. Levels go on by that time. The clock that comes back stands, one
    revision on, and is to be published.

    Article: TDA 2024, RP-8 B to D.
    """
    played_ms = hands * min(hand_s, MOST_HAND_S) * SECOND_MS
    running = msgspec.structs.replace(clock, running=True)
    index, remaining = anchored(running, clock.anchor_ms + played_ms)
    return msgspec.structs.replace(clock, rev=clock.rev + 1, running=False, index=index, remain_ms=remaining)


def reading(clock: Clock, now_ms: int) -> ClockReading:
    """What `clock` says at `now_ms`. Raises ValueError for an empty schedule."""
    if not clock.schedule:
        raise ValueError("a clock needs a schedule of at least one level")
    index, remaining = anchored(clock, now_ms)
    lines = clock.schedule
    level = next((line.level for line in reversed(lines[: index + 1]) if line.level is not None), None)
    to_break, until = None, remaining
    for line in lines[index + 1 :]:
        if line.level is None:
            to_break = until
            break
        until += duration_ms(line)
    return ClockReading(
        index=index,
        level=level,
        remaining_ms=remaining,
        running=clock.running,
        on_break=lines[index].level is None,
        next_level=next((line.level for line in lines[index + 1 :] if line.level is not None), None),
        next_break_ms=to_break,
        over=remaining == 0 and index + 1 == len(lines),
        color_up=lines[index].color_up,
        hand_for_hand=clock.hand_for_hand,
        final_table=clock.final_table,
    )
