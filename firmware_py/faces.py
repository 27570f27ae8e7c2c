"""The faces of the LED clock: pure functions from what the clock says to dots.

A chain of four modules (32 columns) shows one thing at a time and alternates: the time left, the blinds, and one of
level, ante, next break. A chain of eight (64 columns) shows the time always and alternates beside it. Which page is up
depends on `now_ms` alone, so that all tables of a room turn their pages together, and a picture can be tested.

The time is written with a point, never a colon, which on eight rows is two bars that look like a digit. Amounts are
exact or not shown: 1500 may become 1.5K, 1530 may not become 1.5K. The time that is shown is rounded up: it reads 0.01
as long as anything is left.

What the whole room must know is unlike anything else from ten metres: hand for hand stands between lit blocks on a
lit line, chips that leave in a break behind a chip, the final table behind a trophy. (Dark letters on a lit ground were
tried: the light of the ground swallows strokes one dot wide.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from drivers.dots import ROWS, Frame
from engine.clock import ClockReading
from engine.inputs import Level
from firmware_py.dot_font import (
    CHIP,
    CUP,
    EMPTY,
    MEDIUM,
    NARROW,
    PAUSED,
    TALL,
    TROPHY,
    Font,
    Strip,
    beside,
    blank,
    centred,
    frame,
    over,
    solid,
    text,
)

SLIM_COLUMNS = 32        # what a time in tall digits needs, with its edges
TIME_COLUMNS = 30        # the same beside something else
GAP_COLUMNS = 2
WIDE_COLUMNS = 64        # from here on the time stays and the rest alternates beside it
LAST_MINUTE_MS = 60_000
LAST_SECONDS_MS = 10_000
MAX_MINUTES_SHOWN = 100  # longer times are shown in minutes; a break farther off is not shown at all

Page = tuple[int, Strip]  # for how many ms, what


class ClockFace(msgspec.Struct, frozen=True):
    """What the clock says. Times in ms; `remaining_ms` None: no clock is known; `hub_lost_ms` None: the hub is there.

    `level` are the blinds being played (on a break: those before it), `next_level` those that follow. `next_break_ms`:
    until the next break begins, None: no break to come. `color_up`: the chips that leave in this break, smallest first.
    `now_ms` is the tournament's time and only turns the pages.
    """

    now_ms: int
    remaining_ms: int | None = None
    running: bool = False
    on_break: bool = False
    level: Level | None = None
    next_level: Level | None = None
    next_break_ms: int | None = None
    hub_lost_ms: int | None = None
    final_table: bool = False
    language: str = "it"
    hand_for_hand: bool = False
    color_up: tuple[int, ...] = ()


WORDS = {
    "it": {
        "level": "LIV", "break": "PAUSA", "paused": "FERMO", "final": "FINALE", "final_table": "TAVOLO FINALE",
        "no_hub": "NO HUB", "hand": "MANO", "for_hand": "PER MANO", "out": "VIA",
    },
    "en": {
        "level": "LEV", "break": "BREAK", "paused": "PAUSED", "final": "FINAL", "final_table": "FINAL TABLE",
        "no_hub": "NO HUB", "hand": "HAND", "for_hand": "FOR HAND", "out": "OUT",
    },
}  # fmt: skip


def face_of(
    read: ClockReading | None, now_ms: int, language: str, *, hub_lost_ms: int | None = None, level: Level | None = None
) -> ClockFace:
    """What a clock says that was read at `now_ms`; without a reading no more than the `level` being played."""
    if read is None:
        return ClockFace(now_ms, level=level, hub_lost_ms=hub_lost_ms, language=language)
    return ClockFace(
        now_ms=now_ms, remaining_ms=read.remaining_ms, running=read.running, on_break=read.on_break,
        level=read.level, next_level=read.next_level, next_break_ms=read.next_break_ms, hub_lost_ms=hub_lost_ms,
        final_table=read.final_table, language=language, hand_for_hand=read.hand_for_hand, color_up=read.color_up,
    )  # fmt: skip


def face(clock: ClockFace, modules: int) -> Frame:
    """The picture for a chain of `modules` modules (four or more)."""
    columns = 8 * modules
    if columns < SLIM_COLUMNS:
        raise ValueError(f"{modules} modules are too few for a time; use 4 or 8")
    picture = _wide(clock, columns) if columns >= WIDE_COLUMNS else _slim(clock, columns)
    return frame(picture if clock.hub_lost_ms is None else _without_hub(picture, clock.now_ms % 1000 < 500))


def words(clock: ClockFace) -> str:
    """Everything the face says, in one line of text: for screens and for those who cannot see the LEDs."""
    spoken = WORDS[clock.language]
    parts = [time_text(clock.remaining_ms)]
    if clock.on_break:
        parts.append(spoken["break"])
    if clock.remaining_ms is not None and not clock.running and not clock.hand_for_hand:
        parts.append(spoken["paused"])
    if clock.hand_for_hand:
        parts.append(f"{spoken['hand']} {spoken['for_hand']}")
    parts += [f"{spoken['out']} {chip}" for chip in clock.color_up]
    if clock.level is not None:
        parts.append(f"{clock.level.small_blind}/{clock.level.big_blind}")
        parts += [f"{word} {amount}" for word, amount in _antes(clock.level)]
        if clock.level.number:
            parts.append(f"{spoken['level']} {clock.level.number}")
    if (minutes := _minutes_to_break(clock)) is not None:
        parts.append(f"{spoken['break']} {minutes}'")
    if clock.final_table:
        parts.append(spoken["final_table"])
    if clock.hub_lost_ms is not None:
        parts.append(spoken["no_hub"])
    return " · ".join(parts)


def time_text(remaining_ms: int | None) -> str:
    """The time left as it is shown: minutes.seconds, from 100 minutes on in minutes, --.-- when no clock is known."""
    if remaining_ms is None:
        return "--.--"
    seconds = max(0, -(-remaining_ms // 1000))
    minutes = seconds // 60
    return f"{minutes}.{seconds % 60:02d}" if minutes < MAX_MINUTES_SHOWN else f"{min(-(-seconds // 60), 999)}'"


def short(chips: int) -> str:
    """An amount with K or M where that is exact to the chip and shorter."""
    for unit, letter in ((1_000_000, "M"), (1000, "K")):
        if chips >= unit and chips * 100 % unit == 0:
            whole, hundredths = divmod(chips * 100 // unit, 100)
            return f"{whole}.{hundredths:02d}".rstrip("0").rstrip(".") + letter
    return str(chips)


def fitting(candidates: Iterable[str], columns: int) -> Strip | None:
    """The first of the texts that fits, the first of all in the larger letters; None if none does."""
    for words_ in candidates:
        for font in (MEDIUM, NARROW):
            if (strip := text(words_, font)).width <= columns:
                return strip
    return None


def blinds_texts(level: Level) -> Iterator[str]:
    """The blinds, from the plainest spelling to the shortest: 1000/2000, 1K/2K, 1/2K, then the big blind alone."""
    small, big = level.small_blind, level.big_blind
    yield f"{small}/{big}"
    yield f"{short(small)}/{short(big)}"
    if short(small)[-1] == short(big)[-1] and not short(big)[-1].isdigit():
        yield f"{short(small)[:-1]}/{short(big)}"
    yield f"BB {short(big)}"
    yield f"BB {big // 1000}K" if big < 1_000_000 else f"BB {big // 1_000_000}M"


# --- chains


def _slim(clock: ClockFace, columns: int) -> Strip:
    """One thing at a time."""
    if clock.remaining_ms is None:
        pages = [(6000, _time(clock, columns)), *_level_pages(clock, columns)]
    elif clock.on_break and clock.running:
        pages = [(6000, centred(beside(CUP, _medium_time(clock), gap=2), columns))]
        pages += [*_color_up(clock, columns), *_next_blinds(clock, columns)]
    elif clock.hand_for_hand:
        pages = _rounds([*_hand_for_hand(clock, columns), (4000, _time(clock, columns))], clock, columns)
    elif not clock.running:
        pages = [(3000, centred(beside(PAUSED, _medium_time(clock), gap=3), columns)), *_stopped_pages(clock, columns)]
    elif clock.remaining_ms <= LAST_MINUTE_MS:
        pages = [(1000, _time(clock, columns))]
    else:
        pages = _rounds([(6000, _time(clock, columns))], clock, columns)
    return _page_at(pages, clock.now_ms)


def _wide(clock: ClockFace, columns: int) -> Strip:
    """The time on the left, the rest by turns on the right."""
    right = columns - TIME_COLUMNS - GAP_COLUMNS
    if clock.on_break and clock.running:
        pages = [(3000, centred(beside(CUP, text(_word(clock, "break"), NARROW), gap=2), right))]
        pages += [*_color_up(clock, right), *_next_blinds(clock, right)]
    elif clock.hand_for_hand:
        pages = _rounds(_hand_for_hand(clock, right), clock, right)
    elif clock.remaining_ms is not None and not clock.running:
        pages = [(2000, centred(beside(PAUSED, text(_word(clock, "paused"), NARROW), gap=2), right))]
        pages += _stopped_pages(clock, right)[1:]
    elif clock.remaining_ms is not None and clock.remaining_ms <= LAST_MINUTE_MS:
        pages = [*_next_blinds(clock, right)] or _rounds([], clock, right)
    else:
        pages = _rounds([], clock, right)
    beside_it = _page_at(pages, clock.now_ms) if pages else blank(right)
    return beside(_time(clock, TIME_COLUMNS), beside_it, gap=GAP_COLUMNS)


# --- pages


def _rounds(first: list[Page], clock: ClockFace, columns: int) -> list[Page]:
    """Blinds in every round, and one of the other things in each."""
    pages = _level_pages(clock, columns)
    if len(pages) < 2:
        return [*first, *pages]
    blinds, *others = pages
    return [page for other in others for page in (*first, blinds, other)]


def _level_pages(clock: ClockFace, columns: int) -> list[Page]:
    """What is to be said of the level: blinds first."""
    pages: list[Page] = []
    if clock.level is not None:
        pages += _page(4000, blinds_texts(clock.level), columns)
        for word, amount in _antes(clock.level):
            pages += _page(2000, (f"{word} {amount}", f"{word} {short(amount)}"), columns)
        if clock.level.number:
            pages += _page(2000, (f"{_word(clock, 'level')} {clock.level.number}",), columns)
    if (minutes := _minutes_to_break(clock)) is not None:
        pages += _page(2000, (f"{_word(clock, 'break')} {minutes}'",), columns)
    if clock.final_table:
        pages += _page(2000, (_word(clock, "final_table"), _word(clock, "final")), columns, TROPHY)
    if clock.hub_lost_ms is not None:
        pages += _page(2000, (_word(clock, "no_hub"),), columns)
    return pages


def _stopped_pages(clock: ClockFace, columns: int) -> list[Page]:
    """What a stopped clock says beside its time."""
    pages = [*_page(1500, (_word(clock, "paused"),), columns)]
    if clock.level is not None:
        pages += _page(2000, blinds_texts(clock.level), columns)
    pages += _color_up(clock, columns)
    if clock.hub_lost_ms is not None:
        pages += _page(2000, (_word(clock, "no_hub"),), columns)
    return pages


def _hand_for_hand(clock: ClockFace, columns: int) -> list[Page]:
    """That the tables play hand for hand: in one page, or in two where the chain is too short for it."""
    first, second = _word(clock, "hand"), _word(clock, "for_hand")
    if (whole := fitting((f"{first} {second}",), columns)) is not None:
        return [(4000, _between_blocks(whole, columns))]
    halves = (fitting((half,), columns) for half in (first, second))
    return [(2000, _between_blocks(half, columns)) for half in halves if half is not None]


def _between_blocks(strip: Strip, columns: int) -> Strip:
    """On a lit line, and between lit blocks where there is room for them."""
    side = max(0, (columns - strip.width) // 2 - GAP_COLUMNS)
    line = Strip(columns, (*(0,) * (ROWS - 1), (1 << columns) - 1))
    blocks = beside(solid(side), blank(columns - 2 * side), solid(side), gap=0)
    return over(over(centred(strip, columns), blocks), line)


def _color_up(clock: ClockFace, columns: int) -> list[Page]:
    """The chips that leave in this break, a page each."""
    out = _word(clock, "out")
    return [
        page for chip in clock.color_up
        for page in _page(3000, (f"{out} {chip}", f"{out} {short(chip)}"), columns, CHIP)
    ]  # fmt: skip


def _next_blinds(clock: ClockFace, columns: int) -> list[Page]:
    if clock.next_level is None:
        return []
    return _page(3000, (f">{blinds}" for blinds in blinds_texts(clock.next_level)), columns)


def _page(for_ms: int, candidates: Iterable[str], columns: int, sign: Strip = EMPTY) -> list[Page]:
    """A page of the first text that fits behind its sign; none if none does."""
    aside = sign.width + GAP_COLUMNS if sign.width else 0
    strip = fitting(candidates, columns - aside)
    if strip is None:
        return []
    return [(for_ms, centred(beside(sign, strip, gap=GAP_COLUMNS) if aside else strip, columns))]


def _page_at(pages: list[Page], now_ms: int) -> Strip:
    """The page whose turn it is at `now_ms`."""
    at_ms = now_ms % sum(for_ms for for_ms, _ in pages)
    for for_ms, strip in pages:
        if at_ms < for_ms:
            return strip
        at_ms -= for_ms
    return pages[-1][1]


# --- parts


def _time(clock: ClockFace, columns: int) -> Strip:
    """The time in tall digits; in the last minute between two fuses that burn down, blinking at its end."""
    strip = centred(text(time_text(clock.remaining_ms), TALL), columns)
    if clock.remaining_ms is None or not clock.running or not 0 < clock.remaining_ms <= LAST_MINUTE_MS:
        return strip
    if clock.remaining_ms <= LAST_SECONDS_MS and clock.remaining_ms % 500 < 250:
        return strip
    height = -(-ROWS * clock.remaining_ms // LAST_MINUTE_MS)
    fuse = Strip(2, tuple(0b11 if row >= ROWS - height else 0 for row in range(ROWS)))
    return over(strip, beside(fuse, blank(columns - 2 * fuse.width), fuse, gap=0))


def _medium_time(clock: ClockFace) -> Strip:
    """The time in medium digits with a point two dots wide."""
    point = Strip(2, (0, 0, 0, 0, 0, 0b11, 0b11, 0))
    font: Font = {**MEDIUM, ".": point}
    return text(time_text(clock.remaining_ms), font)


def _without_hub(picture: Strip, marked: bool) -> Strip:
    """The picture of a table that has lost the hub: three dots blink in the lower right corner.

    They lie under text; beside tall digits they stand, and the digits make room where they can.
    """
    rows, mark = picture.rows, (0, 0, 0, 0, 0, 0, 0, 0b111)
    if rows[-1] & 0b1111:
        mark = (0, 0, 0, 0, 0, 1, 1, 1)
        if not any(row >> (picture.width - 1) for row in rows):
            rows = tuple(row << 1 for row in rows)
    if marked:
        rows = tuple(row ^ dots for row, dots in zip(rows, mark, strict=True))
    return Strip(picture.width, rows)


def _word(clock: ClockFace, word: str) -> str:
    return WORDS[clock.language][word]


def _antes(level: Level) -> list[tuple[str, int]]:
    antes = (("ANTE", level.ante), ("BBA", level.big_blind_ante))
    return [(word, amount) for word, amount in antes if amount]


def _minutes_to_break(clock: ClockFace) -> int | None:
    """Whole minutes until the break, rounded up; None when there is none near enough to speak of."""
    if clock.on_break or clock.next_break_ms is None:
        return None
    minutes = -(-clock.next_break_ms // 60_000)
    return minutes if minutes < MAX_MINUTES_SHOWN else None
