"""A picture of dots, eight rows high: what a chain of 8x8 LED modules shows."""

from __future__ import annotations

import msgspec

ROWS = 8


class Frame(msgspec.Struct, frozen=True):
    """`width` columns by eight rows. Each row is an integer whose highest bit is the leftmost dot."""

    width: int
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.rows) != ROWS or any(not 0 <= row < 1 << self.width for row in self.rows):
            raise ValueError(f"a frame is {ROWS} rows of {self.width} dots")

    def lit(self, x: int, y: int) -> bool:
        """Whether the dot in column `x` (from the left) and row `y` (from the top) is lit."""
        return bool(self.rows[y] >> (self.width - 1 - x) & 1)

    def art(self) -> str:
        """The frame as eight lines of `#` and `.`."""
        return "\n".join(f"{row:0{self.width}b}".replace("1", "#").replace("0", ".") for row in self.rows)


def from_art(art: str) -> Frame:
    """The frame drawn in `art`: eight lines of equal length, a lit dot is `#`."""
    lines = art.split("\n")
    return Frame(len(lines[0]), tuple(int("".join("01"[dot == "#"] for dot in line), 2) for line in lines))
