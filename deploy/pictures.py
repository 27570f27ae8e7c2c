"""Pictures of a table's displays for documents, drawn from the very bytes that go to the hardware.

A face is sent by the real driver to the simulated chain (drivers/max7219_sim.py), and what the chain would light is
drawn as light-emitting dots or as segments; a prompt goes through the real driver to the simulated HD44780 and is drawn
cell by cell. So a picture shows what a table shows, and changes when that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from drivers import glyphs
from drivers.charset import COLUMNS, DRAWN, LINES
from drivers.dots import ROWS, Frame
from drivers.hd44780_sim import Hd44780Sim
from drivers.led_clock import LedClock
from drivers.max7219_sim import Max7219Sim
from drivers.prompt_display import Hd44780, PromptDisplay
from drivers.seen import Seen
from engine.inputs import Level
from engine.view import Due, Legal, Part, PotView, SeatView, Street, TableView
from firmware_py import prompts
from firmware_py.digits import BLINDS_MS, TIME_MS, bar
from firmware_py.faces import ClockFace, face
from firmware_py.languages import LANGUAGES
from firmware_py.panel_state import Amount, Panel, Scene

Colour = tuple[int, int, int]
MODULES = (4, 8)          # beside each other on the sheet for newcomers
CHAINS = (4, 8, 12, 16)   # each with a sheet of all faces
BARS = (1, 2)             # modules of eight 7-segment digits
SCALE = 3                 # everything is drawn this much larger and made smaller, for round edges

PITCH, DOT = 13, 9        # of an LED, in pixels of the finished picture
LED_MARGIN = 14
HOUSING: Colour = (12, 12, 14)
MODULE: Colour = (20, 19, 21)
DARK: Colour = (50, 14, 12)
LIT: Colour = (255, 62, 28)
CORE: Colour = (255, 176, 140)

DIGIT_WIDE, DIGIT_HIGH, DIGIT_STEP, STROKE = 34, 62, 52, 7    # of a 7-segment digit, in pixels
DARK_SEGMENT: Colour = (34, 12, 11)

CELL, CELL_GAP, LCD_MARGIN = 4, 4, 26    # a dot of the prompt display, the gap between characters, the rim
GLASS: Colour = (23, 62, 196)
LCD_OFF: Colour = (30, 74, 210)
LCD_ON: Colour = (236, 244, 255)

PAPER: Colour = (247, 246, 242)
INK: Colour = (46, 44, 42)
GAP = 26
CAPTION = 32
SHEET = {
    "time", "ante", "last-minute", "break", "color-up", "paused", "hand-for-hand", "final-table", "hub-lost",
    "last-level",
}  # fmt: skip

LEVEL = Level(small_blind=100, big_blind=200, big_blind_ante=200, number=4)
NEXT = Level(small_blind=150, big_blind=300, big_blind_ante=300, number=5)
SHORT = Level(small_blind=50, big_blind=100, number=2)
LAST = Level(small_blind=100_000, big_blind=200_000, big_blind_ante=200_000, number=31)
RUNNING = ClockFace(
    now_ms=0, remaining_ms=754_000, running=True, level=LEVEL, next_level=NEXT, next_break_ms=45 * 60_000, language="en"
)


class Shot(NamedTuple):
    """One face to be drawn: its name, what the sheet says of it, and the clock (when it differs: wide)."""

    name: str
    caption: str
    clock: ClockFace
    wide: ClockFace | None = None


def _at(clock: ClockFace, **changes: object) -> ClockFace:
    return replace(clock, **changes)


FACES = (
    Shot("time", "a level runs", RUNNING),
    Shot("blinds", "blinds", _at(RUNNING, now_ms=6000), RUNNING),
    Shot("ante", "big blind ante", _at(RUNNING, now_ms=10_000), _at(RUNNING, now_ms=4000)),
    Shot("level", "level", _at(RUNNING, now_ms=22_000), _at(RUNNING, now_ms=10_000)),
    Shot("next-break", "minutes to the break", _at(RUNNING, now_ms=34_000), _at(RUNNING, now_ms=16_000)),
    Shot("last-minute", "last minute: fuses burn down", _at(RUNNING, remaining_ms=37_000)),
    Shot("break", "break", _at(RUNNING, remaining_ms=582_000, on_break=True)),
    Shot(
        "after-break", "what comes after it",
        _at(RUNNING, remaining_ms=582_000, on_break=True, now_ms=6000),
        _at(RUNNING, remaining_ms=582_000, on_break=True, now_ms=3000),
    ),
    Shot(
        "color-up", "color-up: chips of 25 leave in this break",
        _at(RUNNING, remaining_ms=582_000, on_break=True, color_up=(25,), now_ms=6000),
        _at(RUNNING, remaining_ms=582_000, on_break=True, color_up=(25,), now_ms=3000),
    ),
    Shot("paused", "stopped", _at(RUNNING, running=False)),
    Shot("hand-for-hand", "hand for hand", _at(RUNNING, running=False, hand_for_hand=True)),
    Shot("for-hand", "hand for hand, a moment later", _at(RUNNING, running=False, hand_for_hand=True, now_ms=2000)),
    Shot(
        "mano-per-mano", "hand for hand, in Italian",
        _at(RUNNING, running=False, hand_for_hand=True, now_ms=2000, language="it"),
    ),
    Shot(
        "hub-lost", "hub lost: a mark in the corner, and in words",
        _at(RUNNING, hub_lost_ms=9000, now_ms=46_000), _at(RUNNING, hub_lost_ms=9000, now_ms=22_000),
    ),
    Shot("no-clock", "no clock is known", ClockFace(now_ms=0, language="en")),
    Shot(
        "last-level", "the longest level",
        _at(RUNNING, level=LAST, now_ms=6000), _at(RUNNING, level=LAST),
    ),
    Shot(
        "final-table", "final table, in Italian",
        _at(RUNNING, language="it", final_table=True, now_ms=46_000),
        _at(RUNNING, language="it", final_table=True, now_ms=22_000),
    ),
)  # fmt: skip
DIGIT_FACES = (
    Shot("time", "a level runs", RUNNING),
    Shot("blinds", "both blinds where they fit", _at(RUNNING, level=SHORT, now_ms=TIME_MS)),
    Shot("big-blind", "else the big blind", _at(RUNNING, level=LAST, now_ms=TIME_MS)),
    Shot("break", "break", _at(RUNNING, on_break=True, remaining_ms=582_000)),
    Shot(
        "color-up", "color-up: chips of 25 leave in this break",
        _at(RUNNING, on_break=True, remaining_ms=582_000, color_up=(25,), now_ms=TIME_MS + BLINDS_MS),
        _at(RUNNING, on_break=True, remaining_ms=582_000, color_up=(25,), now_ms=BLINDS_MS),
    ),
    Shot("paused", "stopped", _at(RUNNING, running=False)),
    Shot("hand-for-hand", "hand for hand", _at(RUNNING, running=False, hand_for_hand=True)),
    Shot(
        "final-table", "final table, in Italian",
        _at(RUNNING, language="it", final_table=True, now_ms=TIME_MS + BLINDS_MS),
        _at(RUNNING, language="it", final_table=True, now_ms=BLINDS_MS),
    ),
    Shot("hub-lost", "hub lost: the last point blinks", _at(RUNNING, hub_lost_ms=9000)),
    Shot("no-clock", "no clock is known", ClockFace(now_ms=0, language="en")),
)  # fmt: skip

SEATS = (
    SeatView(1, "p1", "Nicolò", 8200, bet=200, part=Part.LIVE, last="call"),
    SeatView(4, "p4", "José", 11_400, bet=600, part=Part.LIVE, last="raise_to 600"),
    SeatView(7, "p7", "Chloé", 9050, part=Part.LIVE),
)
VIEW = TableView(
    hand=27, street=Street.PREFLOP, due=Due.ACTION, size=9, book="tda", level=LEVEL,
    button=1, small_blind=4, big_blind=7, seats=SEATS, board=(), pots=(PotView(1000, (1, 4, 7)),),
    to_act=7, to_call=400, total=29_450,
)  # fmt: skip
LEGAL = Legal(
    seat=7, may_fold=True, may_check=False, to_call=400, bet=None, raise_to=(1000, 9250), all_in_to=9250, pot=1000
)
PROMPTS = (
    ("turn", "it", Panel(), VIEW, LEGAL),
    ("amount", "it", Panel(mode=Amount(7, 1800)), VIEW, LEGAL),
    ("flop", "en", Panel(), replace(VIEW, street=Street.FLOP, due=Due.BURN, to_act=0, to_call=0), None),
)  # fmt: skip


def draw_all(folder: Path) -> list[Path]:
    """Draws every picture into `folder`, which is made if missing; answers the files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    shots = [shot for shot in FACES if shot.name in SHEET]
    written = [_save(folder / "led-faces.png", sheet(shots, MODULES, _face))]
    written += [_save(folder / f"faces-{chain}.png", sheet(FACES, (chain,), _face)) for chain in CHAINS]
    written.append(_save(folder / "digits.png", sheet(DIGIT_FACES, BARS, _digits)))
    for name, language, panel, view, legal in PROMPTS:
        lines = prompts.prompt(LANGUAGES[language], panel, Scene(view, legal, chip=25), prompts.NOTHING, (), 0)
        written.append(_save(folder / f"prompt-{name}.png", lcd(lines)))
    return written


def sent(clock: ClockFace, modules: int) -> Frame:
    """What a chain lights after the driver has sent this clock's face."""
    chain = Max7219Sim(modules)
    LedClock(lambda: chain, modules, _no_trouble).show(face(clock, modules), 0.0)
    return chain.frame()


def sent_bar(clock: ClockFace, modules: int) -> Frame:
    """The same for a bar of `modules` times eight digits."""
    chain = Max7219Sim(modules, orientation=0)
    LedClock(lambda: chain, modules, _no_trouble, orientation=0).show(bar(clock, modules), 0.0)
    return chain.frame()


def seven_segment(frame: Frame) -> Image.Image:
    """A bar of 7-segment digits. A column of the frame is a digit, the first on the right (firmware_py.digits)."""
    size = (frame.width * DIGIT_STEP + 2 * LED_MARGIN, DIGIT_HIGH + 2 * LED_MARGIN)
    base, glow = _canvas(size, PAPER), _canvas(size, (0, 0, 0))
    drawn, glowing = ImageDraw.Draw(base), ImageDraw.Draw(glow)
    drawn.rounded_rectangle((0, 0, base.width - 1, base.height - 1), 8 * SCALE, fill=HOUSING)
    for place in range(frame.width):
        left = LED_MARGIN + place * DIGIT_STEP + (DIGIT_STEP - DIGIT_WIDE) / 2 - 3
        for bit, box in enumerate(_segments(left, LED_MARGIN)):
            lit = frame.lit(frame.width - 1 - place, bit)
            drawn.rounded_rectangle(_scaled(*box), STROKE * SCALE // 2, fill=LIT if lit else DARK_SEGMENT)
            if lit:
                glowing.rounded_rectangle(_scaled(*box), STROKE * SCALE // 2, fill=LIT)
    return _glowing(base, glow, size)


def _segments(left: float, top: float) -> tuple[tuple[float, float, float, float], ...]:
    """Where the segments of a digit lie: G, F, E, D, C, B, A and the point, as bits 0 to 7 have them."""
    right, middle, bottom = left + DIGIT_WIDE, top + DIGIT_HIGH / 2, top + DIGIT_HIGH
    high, low = (top + STROKE / 2 + 1, middle - 1), (middle + 1, bottom - STROKE / 2 - 1)

    def across(y: float) -> tuple[float, float, float, float]:
        return left + STROKE - 1, y - STROKE / 2, right - STROKE + 1, y + STROKE / 2

    def upright(x: float, span: tuple[float, float]) -> tuple[float, float, float, float]:
        return x, span[0], x + STROKE, span[1]

    return (
        across(middle), upright(left, high), upright(left, low), across(bottom - STROKE / 2),
        upright(right - STROKE, low), upright(right - STROKE, high), across(top + STROKE / 2),
        (right + 3, bottom - STROKE, right + 3 + STROKE, bottom),
    )  # fmt: skip


def led(frame: Frame) -> Image.Image:
    """A chain of LED modules."""
    size = (frame.width * PITCH + 2 * LED_MARGIN, ROWS * PITCH + 2 * LED_MARGIN)
    base, glow = _canvas(size, PAPER), _canvas(size, (0, 0, 0))
    drawn, glowing = ImageDraw.Draw(base), ImageDraw.Draw(glow)
    drawn.rounded_rectangle((0, 0, base.width - 1, base.height - 1), 8 * SCALE, fill=HOUSING)
    for module in range(frame.width // ROWS):
        left = LED_MARGIN + module * ROWS * PITCH + 1
        box = (left, LED_MARGIN + 1, left + ROWS * PITCH - 2, LED_MARGIN + ROWS * PITCH - 1)
        drawn.rounded_rectangle(_scaled(*box), 3 * SCALE, fill=MODULE)
    for y in range(ROWS):
        for x in range(frame.width):
            middle = (LED_MARGIN + (x + 0.5) * PITCH, LED_MARGIN + (y + 0.5) * PITCH)
            if frame.lit(x, y):
                _dot(drawn, middle, DOT / 2, LIT)
                _dot(drawn, middle, DOT / 4, CORE)
                _dot(glowing, middle, DOT / 2 + 2, LIT)
            else:
                _dot(drawn, middle, DOT / 2, DARK)
    return _glowing(base, glow, size)


def _glowing(base: Image.Image, glow: Image.Image, size: tuple[int, int]) -> Image.Image:
    halo = glow.filter(ImageFilter.GaussianBlur(7 * SCALE)).point(lambda value: value * 6 // 10)
    return _finished(ImageChops.composite(ImageChops.add(base, halo), base, _inside(base.size, 8)), size)


def lcd(lines: Iterable[str]) -> Image.Image:
    """The prompt display, as its simulator holds it after the driver has sent these lines."""
    display = Hd44780Sim()
    PromptDisplay(Hd44780(lambda: display, settle_s=0.0), _no_trouble).show(list(lines))
    step_x, step_y = 5 * CELL + CELL_GAP, 8 * CELL + CELL_GAP + 4
    size = (COLUMNS * step_x - CELL_GAP + 2 * LCD_MARGIN, (LINES - 1) * step_y + 7 * CELL + 2 * LCD_MARGIN)
    picture = _canvas(size, PAPER)
    drawn = ImageDraw.Draw(picture)
    drawn.rounded_rectangle((0, 0, picture.width - 1, picture.height - 1), 8 * SCALE, fill=HOUSING)
    drawn.rounded_rectangle(_scaled(12, 12, size[0] - 12, size[1] - 12), 5 * SCALE, fill=GLASS)
    for y, row in enumerate(display.codes()):
        for x, code in enumerate(row):
            shape = display.glyph(code) if code < len(DRAWN) else glyphs.of_code(code)
            for dy, line in enumerate(shape):
                for dx in range(5):
                    left, top = LCD_MARGIN + x * step_x + dx * CELL, LCD_MARGIN + y * step_y + dy * CELL
                    box = _scaled(left, top, left + CELL - 0.7, top + CELL - 0.7)
                    drawn.rectangle(box, fill=LCD_ON if line >> (4 - dx) & 1 else LCD_OFF)
    return _finished(picture, size)


def sheet(shots: Iterable[Shot], chains: Sequence[int], draw: Callable[[Shot, int], Image.Image]) -> Image.Image:
    """A row with its caption for each shot, drawn for each length of chain from left to right."""
    shots = list(shots)
    rows = [[draw(shot, modules) for modules in chains] for shot in shots]
    step = rows[0][0].height + CAPTION + GAP
    width = GAP + sum(picture.width + GAP for picture in rows[0])
    paper = Image.new("RGB", (width, GAP + step * len(rows)), PAPER)
    drawn = ImageDraw.Draw(paper)
    font = ImageFont.load_default(22)
    for i, (shot, pictures) in enumerate(zip(shots, rows, strict=True)):
        top = GAP + i * step
        drawn.text((GAP, top), shot.caption, fill=INK, font=font)
        left = GAP
        for picture in pictures:
            paper.paste(picture, (left, top + CAPTION))
            left += picture.width + GAP
    return paper.resize((paper.width * 3 // 4, paper.height * 3 // 4), Image.Resampling.LANCZOS)


def _face(shot: Shot, modules: int) -> Image.Image:
    return led(sent(_clock(shot, modules > MODULES[0]), modules))


def _digits(shot: Shot, modules: int) -> Image.Image:
    return seven_segment(sent_bar(_clock(shot, modules > BARS[0]), modules))


def _clock(shot: Shot, wide: bool) -> ClockFace:
    return shot.wide if shot.wide is not None and wide else shot.clock


def _no_trouble(seen: Seen, at_ns: int) -> None:
    raise AssertionError(f"a simulated display is never lost: {seen} at {at_ns}")


def _canvas(size: tuple[int, int], colour: Colour) -> Image.Image:
    return Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), colour)


def _scaled(*values: float) -> tuple[float, ...]:
    return tuple(value * SCALE for value in values)


def _dot(drawn: ImageDraw.ImageDraw, middle: tuple[float, float], radius: float, colour: Colour) -> None:
    x, y = middle
    drawn.ellipse(_scaled(x - radius, y - radius, x + radius, y + radius), fill=colour)


def _inside(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius * SCALE, fill=255)
    return mask


def _finished(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    return picture.resize(size, Image.Resampling.LANCZOS)


def _save(path: Path, picture: Image.Image) -> Path:
    picture.quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    return path
