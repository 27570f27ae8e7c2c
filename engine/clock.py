"""What a level clock says at a moment: a reading is computed from the anchor, never counted.

The schedule is a list of lines: levels, and breaks that have neither blinds nor a number. When a line's time is up the
next one begins at that very moment, however late somebody looks; the last line never ends by itself.
"""

from __future__ import annotations

import msgspec

from engine.inputs import Level
from engine.wire import Clock, ClockLevel

MINUTE_MS = 60_000


class ClockReading(msgspec.Struct, frozen=True):
    """A clock as read at one moment. Times in ms.

    `index`: the line of the schedule that is running. `level`: the level that counts, in a break the one before it.
    `next_level`: the next one to come (None: there is none). `next_break_ms`: until the next break begins, None if no
    more comes. `over`: the last line's time is up and its level goes on.
    """

    index: int
    level: Level | None
    remaining_ms: int
    running: bool
    on_break: bool
    next_level: Level | None
    next_break_ms: int | None
    over: bool


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
    )
