"""The clock on a bar of 7-segment digits, eight to a MAX7219: the second layout beside the faces in dots.

Eight digits alternate: level and time (`L3  12.34`), then the blinds (`500-1000`, or `b   2000` where both do not fit).
Sixteen show the two side by side. A break begins with `br`, a stopped clock with `P`; while the hub is lost the last
point blinks. A `Frame` is what a driver sends, so a digit is drawn as one: column by column from the right, a segment a
row; bit 7 of a digit is its point, bits 6 to 0 are the segments A to G (MAX7219 datasheet, table 6, no-decode).
"""

from __future__ import annotations

from drivers.dots import ROWS, Frame
from firmware_py.faces import ClockFace

DIGITS = 8
POINT = 0x80
TIME_MS, BLINDS_MS = 6000, 4000
BLINK_MS = 500
MAX_MINUTES = 100
SEGMENTS = {
    " ": 0x00, "-": 0x01, "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B, "6": 0x5F, "7": 0x70,
    "8": 0x7F, "9": 0x7B, "L": 0x0E, "b": 0x1F, "r": 0x05, "P": 0x67,
}  # fmt: skip


def bar(clock: ClockFace, modules: int) -> Frame:
    """What a bar of `modules` times eight digits shows. **Raises** ValueError for other than one or two modules."""
    if modules not in (1, 2):
        raise ValueError(f"{modules} modules of eight digits; use 1 or 2")
    pages = [cells(_time(clock)), cells(_blinds(clock))]
    at_ms = clock.now_ms % (TIME_MS + BLINDS_MS)
    shown = pages[at_ms >= TIME_MS] if modules == 1 else pages[0] + pages[1]
    if clock.hub_lost_ms is not None and clock.now_ms % (2 * BLINK_MS) < BLINK_MS:
        shown = [*shown[:-1], shown[-1] ^ POINT]
    return drawn(shown)


def cells(text: str) -> list[int]:
    """The bytes of a text's digits, a point belonging to the digit before it. **Raises** KeyError for other letters."""
    found: list[int] = []
    for letter in text:
        if letter == "." and found:
            found[-1] |= POINT
        else:
            found.append(SEGMENTS[letter])
    return found


def drawn(digits: list[int]) -> Frame:
    """The frame that puts these bytes into the digit registers, the leftmost digit first."""
    rows = (sum((digit >> row & 1) << place for place, digit in enumerate(digits)) for row in range(ROWS))
    return Frame(len(digits), tuple(rows))


def _time(clock: ClockFace) -> str:
    """Eight digits: what the time is of, and the time."""
    if clock.remaining_ms is None:
        return "    --.--"
    seconds = max(0, -(-clock.remaining_ms // 1000))
    minutes = seconds // 60
    time = f"{minutes:2d}.{seconds % 60:02d}" if minutes < MAX_MINUTES else f"{min(-(-seconds // 60), 9999):4d}"
    number = clock.level.number if clock.level is not None else 0
    head = "P" if not clock.running else "br" if clock.on_break else f"L{number}" if 0 < number < 1000 else ""
    return f"{head:4}{time}"


def _blinds(clock: ClockFace) -> str:
    """Eight digits: both blinds, or the big blind alone; in a break those that follow."""
    level = clock.next_level if clock.on_break and clock.next_level is not None else clock.level
    if level is None:
        return " " * DIGITS
    both = f"{level.small_blind}-{level.big_blind}"
    if len(both) <= DIGITS:
        return f"{both:>{DIGITS}}"
    return f"b{level.big_blind:>{DIGITS - 1}}" if level.big_blind < 10 ** (DIGITS - 1) else "-" * DIGITS
