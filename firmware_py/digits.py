"""The clock on a bar of 7-segment digits, eight to a MAX7219: the second layout beside the faces in dots.

Eight digits alternate: level and time (`L3  12.34`), then the blinds (`500-1000`, or `b 2000` where both do not fit).
Sixteen show the time always and the rest by turns beside it. A break begins with `br`, a stopped clock with `P`, hand
for hand with `H-H`; the final table (`FInAL`, `FInALE`) and the chips that leave in a break (`out 25`, `UIA 25`) have
a turn of their own. While the hub is lost the last point blinks. A `Frame` is what a driver sends, so a digit is drawn
as one: column by column from the right, a segment a row; bit 7 of a digit is its point, bits 6 to 0 are the segments A
to G (MAX7219 datasheet, table 6, no-decode).
"""

from __future__ import annotations

from drivers.dots import ROWS, Frame
from firmware_py.faces import ClockFace

DIGITS = 8
POINT = 0x80
TIME_MS, BLINDS_MS, WORD_MS = 6000, 4000, 3000
BLINK_MS = 500
MAX_MINUTES = 100
MAX_CHIP = 100_000       # what five digits beside a word hold
SEGMENTS = {
    " ": 0x00, "-": 0x01, "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B, "6": 0x5F, "7": 0x70,
    "8": 0x7F, "9": 0x7B, "L": 0x0E, "b": 0x1F, "r": 0x05, "P": 0x67, "A": 0x77, "E": 0x4F, "F": 0x47, "H": 0x37,
    "I": 0x30, "n": 0x15, "o": 0x1D, "t": 0x0F, "u": 0x1C, "U": 0x3E,
}  # fmt: skip
WORDS = {"it": {"final": "FInALE", "out": "UIA"}, "en": {"final": "FInAL", "out": "out"}}


def bar(clock: ClockFace, modules: int) -> Frame:
    """What a bar of `modules` times eight digits shows. **Raises** ValueError for other than one or two modules."""
    if modules not in (1, 2):
        raise ValueError(f"{modules} modules of eight digits; use 1 or 2")
    time, others = _time(clock), _others(clock)
    if modules == 1:
        shown = cells(_page_at([(TIME_MS, time), *others], clock.now_ms))
    else:
        shown = cells(time) + cells(_page_at(others, clock.now_ms))
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
    if clock.on_break and clock.running:
        head = "br"
    elif clock.hand_for_hand:
        head = "H-H"
    elif not clock.running:
        head = "P"
    else:
        head = f"L{number}" if 0 < number < 1000 else ""
    return f"{head:4}{time}"


def _others(clock: ClockFace) -> list[tuple[int, str]]:
    """What takes turns with the time: for how many ms, and eight digits."""
    words = WORDS[clock.language]
    pages = [(BLINDS_MS, _blinds(clock))]
    pages += [(WORD_MS, _right(words["out"], chip)) for chip in clock.color_up if chip < MAX_CHIP]
    if clock.final_table:
        pages.append((WORD_MS, f"{words['final']:>{DIGITS}}"))
    return pages


def _right(word: str, number: int) -> str:
    """Eight digits that end with a word and its number, so that on sixteen a gap is left behind the time."""
    text = f"{word} {number}"
    return f"{text:>{DIGITS}}" if len(text) <= DIGITS else f"{word}{number}"


def _page_at(pages: list[tuple[int, str]], now_ms: int) -> str:
    at_ms = now_ms % sum(for_ms for for_ms, _ in pages)
    for for_ms, text in pages:
        if at_ms < for_ms:
            return text
        at_ms -= for_ms
    return pages[-1][1]


def _blinds(clock: ClockFace) -> str:
    """Eight digits: both blinds, or the big blind alone; in a break those that follow."""
    level = clock.next_level if clock.on_break and clock.next_level is not None else clock.level
    if level is None:
        return " " * DIGITS
    both = f"{level.small_blind}-{level.big_blind}"
    if len(both) <= DIGITS:
        return f"{both:>{DIGITS}}"
    return _right("b", level.big_blind) if level.big_blind < 10 ** (DIGITS - 1) else "-" * DIGITS
