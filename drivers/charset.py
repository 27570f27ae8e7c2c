"""Text for small character displays: lines that fit, and the codes of an HD44780's character ROM.

The common ROM (A00) knows ASCII but for backslash and tilde, and a few Latin letters; it lacks the accented vowels of
Italian. Those, the euro sign and the mark of a cut line are drawn into the eight characters that the chip lets us draw
(HD44780U datasheet, tables 4 and 5). Everything else loses its accent, and what is left becomes a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = 20
LINES = 4
CUT = "…"

DRAWN = {
    "à": (".#...", "..#..", ".###.", "....#", ".####", "#...#", ".####", "....."),
    "è": (".#...", "..#..", ".###.", "#...#", "#####", "#....", ".###.", "....."),
    "é": ("...#.", "..#..", ".###.", "#...#", "#####", "#....", ".###.", "....."),
    "ì": (".#...", "..#..", ".....", ".##..", "..#..", "..#..", ".###.", "....."),
    "ò": (".#...", "..#..", ".....", ".###.", "#...#", "#...#", ".###.", "....."),
    "ù": (".#...", "..#..", ".....", "#...#", "#...#", "#..##", ".##.#", "....."),
    "€": ("..##.", ".#..#", "###..", ".#...", "###..", ".#..#", "..##.", "....."),
    CUT: (".....", ".....", ".....", ".....", ".....", ".....", "#.#.#", "....."),
}  # code 0, 1, ... in this order
_ROM_A00 = {
    "¥": 0x5C, "→": 0x7E, "←": 0x7F, "·": 0xA5, "ä": 0xE1, "ß": 0xE2, "µ": 0xE4, "ö": 0xEF, "ü": 0xF5, "ñ": 0xEE,
    "÷": 0xFD, "°": 0xDF, "¢": 0xEC, "£": 0xED, "√": 0xE8, "∞": 0xF3, "Σ": 0xF6, "π": 0xF7,
}  # fmt: skip
_SPELLED = {
    "\\": "/", "~": "-", "–": "-", "—": "-", "−": "-", "×": "x", "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"',
    "»": '"', "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
    "♠": "s", "♥": "h", "♦": "d", "♣": "c", "\t": " ", "\n": " ", "\u00a0": " ",
}  # fmt: skip
_DRAWN_CODES = {character: code for code, character in enumerate(DRAWN)}


class Page(NamedTuple):
    """What the display shows: four rows of twenty characters of its set, and which of them had to be cut."""

    rows: tuple[str, ...]
    cut: tuple[int, ...]


def page(lines: Sequence[str]) -> Page:
    """`lines` as the display can show them. A line that is too long ends in "…".

    A word with a digit in it is shown whole or not at all: half an amount reads like another amount. Raises ValueError
    on more than four lines.
    """
    if len(lines) > LINES:
        raise ValueError(f"{len(lines)} lines for a display of {LINES}")
    spelled = [spell(line) for line in lines]
    rows = [_fit(line) for line in spelled] + [" " * COLUMNS] * (LINES - len(lines))
    return Page(tuple(rows), tuple(i for i, line in enumerate(spelled) if len(line) > COLUMNS))


def spell(text: str) -> str:
    """`text` with every character replaced by one (or two) that the display has."""
    return "".join(_spell(character) for character in unicodedata.normalize("NFC", text))


def code(character: str) -> int:
    """The display's code of a character that `spell` may give."""
    if character in _DRAWN_CODES:
        return _DRAWN_CODES[character]
    return _ROM_A00.get(character) or ord(character)


def drawn_rows(character: str) -> list[int]:
    """The eight bytes that draw a character of `DRAWN`, five dots each."""
    return [int(row.replace("#", "1").replace(".", "0"), 2) for row in DRAWN[character]]


def _spell(character: str) -> str:
    if character in DRAWN or character in _ROM_A00:
        return character
    if character in _SPELLED:
        return _SPELLED[character]
    if " " <= character <= "}":
        return character
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if " " <= c <= "}" and c not in _SPELLED)
    return plain or ("" if unicodedata.combining(character) else "?")


def _fit(line: str) -> str:
    if len(line) <= COLUMNS:
        return line.ljust(COLUMNS)
    end = COLUMNS - 1
    start = line.rfind(" ", 0, end) + 1
    word = line[start:].split(" ", 1)[0]
    if start + len(word) > end and any(character.isdigit() for character in word):
        end = start
    return (line[:end].rstrip() + CUT).ljust(COLUMNS)
