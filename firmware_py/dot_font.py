"""Letters made of dots for the LED clock, drawn for being read from ten metres.

Three sizes: `TALL` digits fill all eight rows with strokes two dots wide, for the time; `MEDIUM` and `NARROW` are seven
rows high, for blinds and words. Only the letters that the faces use are there. A `Strip` is a piece of picture as wide
as it needs to be; strips are put side by side and then onto a frame.
"""

from __future__ import annotations

from typing import NamedTuple

from drivers.dots import ROWS, Frame


class Strip(NamedTuple):
    """A picture `width` dots wide and eight rows high; in each row the highest bit is the leftmost dot."""

    width: int
    rows: tuple[int, ...]


EMPTY = Strip(0, (0,) * ROWS)
Font = dict[str, Strip]


def blank(width: int) -> Strip:
    """`width` dark columns."""
    return Strip(width, EMPTY.rows)


def beside(*strips: Strip, gap: int = 1) -> Strip:
    """The strips from left to right with `gap` dark columns between them."""
    width, rows = 0, EMPTY.rows
    for i, strip in enumerate(strips):
        step = strip.width + (gap if i else 0)
        rows = tuple(old << step | new for old, new in zip(rows, strip.rows, strict=True))
        width += step
    return Strip(width, rows)


def over(below: Strip, above: Strip) -> Strip:
    """Two strips of the same width on each other."""
    return Strip(below.width, tuple(a | b for a, b in zip(below.rows, above.rows, strict=True)))


def centred(strip: Strip, width: int) -> Strip:
    """The strip in the middle of `width` columns, an odd one more to the right. Raises ValueError when it is wider."""
    left, right = (width - strip.width + 1) // 2, (width - strip.width) // 2
    if left < 0:
        raise ValueError(f"{strip.width} columns do not fit into {width}")
    return beside(blank(left), strip, blank(right), gap=0)


def solid(width: int) -> Strip:
    """`width` lit columns."""
    return Strip(width, ((1 << width) - 1,) * ROWS)


def text(words: str, font: Font) -> Strip:
    """`words` in `font`. Raises KeyError for a letter that the font has not."""
    return beside(*(font[letter] for letter in words))


def frame(strip: Strip) -> Frame:
    """The strip as a whole picture."""
    return Frame(strip.width, strip.rows)


def _drawn(art: str) -> Strip:
    """A strip from eight (or seven: the last stays dark) rows of `#` and `.`."""
    lines = art.split()
    lines += ["." * len(lines[0])] * (ROWS - len(lines))
    return Strip(len(lines[0]), tuple(int(line.replace("#", "1").replace(".", "0"), 2) for line in lines))


def _font(letters: str, art: str) -> Font:
    """A font from a block of art: rows of glyphs side by side, in the order of `letters`, blocks under each other."""
    glyphs: list[Strip] = []
    for block in art.strip("\n").split("\n\n"):
        rows = [line.split() for line in block.strip("\n").split("\n")]
        glyphs += [_drawn("\n".join(glyph)) for glyph in zip(*rows, strict=True)]
    return dict(zip(letters, glyphs, strict=True))


TALL = _font("0123456789-.'", """
.####. ..##. .####. .####. ...### ###### ..###. ###### .####. .####.
##..## .###. ##..## ##..## ..#### ##.... .##... ....## ##..## ##..##
##..## ####. ....## ....## .##.## ##.... ##.... ....## ##..## ##..##
##..## ..##. ...##. ..###. ##..## #####. #####. ...##. .####. ##..##
##..## ..##. ..##.. ....## ###### ....## ##..## ..##.. ##..## .#####
##..## ..##. .##... ....## ....## ....## ##..## ..##.. ##..## ....##
##..## ..##. ##.... ##..## ....## ##..## ##..## ..##.. ##..## ...##.
.####. ..##. ###### .####. ....## .####. .####. ..##.. .####. .###..

...... .. ##
...... .. ##
...... .. ##
.####. .. ..
.####. .. ..
...... .. ..
...... ## ..
...... ## ..
""")  # fmt: skip

MEDIUM = _font("0123456789/.'->ABDEFHIKLMNOPRSTUV ", """
.##. .#. .##. ###. #..# #### .##. #### .##. .##.
#..# ##. #..# ...# #..# #... #... ...# #..# #..#
#..# .#. ...# ...# #..# #... #... ...# #..# #..#
#..# .#. ..#. .##. #### ###. ###. ..#. .##. .###
#..# .#. .#.. ...# ...# ...# #..# ..#. #..# ...#
#..# .#. #... ...# ...# ...# #..# .#.. #..# ...#
.##. ### #### ###. ...# ###. .##. .#.. .##. .##.

.# . # ... #... .##. ###. ###. #### #### #..# ### #..# #...
.# . # ... ##.. #..# #..# #..# #... #... #..# .#. #..# #...
.# . . ... ###. #..# #..# #..# #... #... #..# .#. #.#. #...
.# . . ### #### #### ###. #..# ###. ###. #### .#. ##.. #...
#. . . ... ###. #..# #..# #..# #... #... #..# .#. #.#. #...
#. . . ... ##.. #..# #..# #..# #... #... #..# .#. #..# #...
#. # . ... #... #..# ###. ###. #### #... #..# ### #..# ####

#...# #..# .##. ###. ###. .### ### #..# #...# ..
##.## ##.# #..# #..# #..# #... .#. #..# #...# ..
#.#.# ##.# #..# #..# #..# #... .#. #..# #...# ..
#.#.# #.## #..# ###. ###. .##. .#. #..# #...# ..
#...# #.## #..# #... #.#. ...# .#. #..# .#.#. ..
#...# #..# #..# #... #..# ...# .#. #..# .#.#. ..
#...# #..# .##. #... #..# ###. .#. .##. ..#.. ..
""")  # fmt: skip

NARROW = _font("0123456789/.'->ABDEFHIKLMNOPRSTUV ", """
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### .## ### ### ### ..# ### ###
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
### ### ### ### ..# ### ### .#. ### ###

.# . # .. #.. .#. ##. ##. ### ### #.# # #.# #..
.# . # .. ##. #.# #.# #.# #.. #.. #.# # #.# #..
.# . . .. ##. #.# #.# #.# #.. #.. #.# # ##. #..
.# . . ## ### ### ##. #.# ##. ##. ### # ##. #..
#. . . .. ##. #.# #.# #.# #.. #.. #.# # #.# #..
#. . . .. ##. #.# #.# #.# #.. #.. #.# # #.# #..
#. # . .. #.. #.# ##. ##. ### #.. #.# # #.# ###

#...# #..# .#. ##. ##. .## ### #.# #.# .
##.## ##.# #.# #.# #.# #.. .#. #.# #.# .
#.#.# ##.# #.# #.# #.# #.. .#. #.# #.# .
#...# #.## #.# ##. ##. .#. .#. #.# #.# .
#...# #.## #.# #.. #.# ..# .#. #.# #.# .
#...# #..# #.# #.. #.# ..# .#. #.# .#. .
#...# #..# .#. #.. #.# ##. .#. ### .#. .
""")  # fmt: skip

PAUSED = _drawn("""
##.##
##.##
##.##
##.##
##.##
##.##
##.##
""")

CUP = _drawn("""
.#..#...
..#..#..
........
######..
########
######.#
########
.####...
""")

CHIP = _drawn("""
..###..
.#.#.#.
##...##
#.....#
##...##
.#.#.#.
..###..
""")

TROPHY = _drawn("""
######
#.##.#
######
.####.
..##..
..##..
.####.
""")
