"""The prompt display: what a dealer reads, what goes over the wire, and what happens when it is unplugged."""

import errno
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.device import dummy

from drivers import glyphs
from drivers.charset import COLUMNS, CUT, DRAWN, LINES, code, page, spell
from drivers.hd44780_sim import Hd44780Sim
from drivers.prompt_display import REFRESH_S, RETRY_S, Hd44780, Oled, PromptDisplay, oled
from drivers.recording import RecordingBus
from drivers.seen import ErrorKind, InputDown, InputUp

BLANK = " " * COLUMNS
LINES_SHOWN = ("M27 pref piatto 1000", "Tocca 7 Chloé", "Call 400 min 1000", "però così è €5, già!")


class Desk:
    """A display with its simulator, a clock that the test holds, and what was reported."""

    def __init__(self):
        self.now_s = 0.0
        self.reports = []
        self.sim = Hd44780Sim()
        self.wire = RecordingBus(keep=10_000)
        self.opened = 0
        self.display = PromptDisplay(
            Hd44780(self.open, settle_s=0.0), lambda seen, at_ns: self.reports.append(seen), lambda: self.now_s
        )

    def open(self):
        self.opened += 1
        return self

    def close(self):
        self.opened -= 1
        if self.sim.gone:
            raise OSError(errno.EBADF, "a bus that is gone may not be given back either")

    def write_byte(self, address, value):
        self.sim.write_byte(address, value)
        self.wire.write_byte(address, value)

    def show(self, *lines):
        self.display.show(lines)


@pytest.fixture(scope="module")
def made_once():
    return Desk()


@pytest.fixture
def desk(made_once):
    """One display for all tests of this file, because luma takes 0.6 s to make one; each test starts with it cold."""
    made_once.sim.gone = False
    made_once.sim.power_cycle()
    made_once.sim.clears = 0
    made_once.display.close()
    made_once.opened = 0
    made_once.display._down = False
    made_once.reports.clear()
    made_once.now_s = 0.0
    return made_once


def test_four_lines_are_read_as_they_were_given_accents_and_all(desk):
    desk.show(*LINES_SHOWN)

    assert desk.sim.text() == [line.ljust(COLUMNS) for line in LINES_SHOWN]
    assert desk.sim.backlight


def test_missing_lines_are_blank(desk):
    desk.show(*LINES_SHOWN)
    desk.show("solo")

    assert desk.sim.text() == ["solo".ljust(COLUMNS), BLANK, BLANK, BLANK]


def test_only_the_cells_that_changed_are_sent(desk):
    desk.show("Tocca 7", "Call 400")
    before = desk.wire.transfers
    desk.show("Tocca 8", "Call 400")

    nibbles = 2 * 2                              # the cell's address, the character; three writes each (E up, E down)
    assert desk.wire.transfers - before == 3 * nibbles
    assert desk.sim.text()[0] == "Tocca 8".ljust(COLUMNS)


def test_the_bytes_of_one_changed_cell(desk):
    desk.show("a")
    before = desk.wire.transfers
    desk.show("b")

    sent = [transfer.hex() for transfer in desk.wire.since(before)]
    assert sent == ["88", "8c", "88", "08", "0c", "08", "69", "6d", "69", "29", "2d", "29"]


def test_a_page_that_is_the_same_is_not_sent(desk):
    desk.show("a")
    before = desk.wire.transfers
    desk.show("a")

    assert desk.wire.transfers == before


def test_a_controller_that_lost_its_power_is_set_up_again_without_a_flicker(desk):
    desk.show(*LINES_SHOWN)
    desk.sim.power_cycle()
    desk.now_s = REFRESH_S
    desk.show(*LINES_SHOWN)

    assert desk.sim.text() == [line.ljust(COLUMNS) for line in LINES_SHOWN]
    assert desk.sim.clears == 0


def test_a_controller_that_lost_count_of_its_nibbles_finds_it_again(desk):
    desk.show(*LINES_SHOWN)
    for value in (0x08, 0x0C, 0x08):             # one nibble too many, as a spike on the cable makes it
        desk.sim.write_byte(0x27, value)
    desk.now_s = REFRESH_S
    desk.show(*LINES_SHOWN)

    assert desk.sim.text() == [line.ljust(COLUMNS) for line in LINES_SHOWN]


def test_an_unplugged_display_is_reported_once_and_shows_the_newest_page_when_it_is_back(desk):
    desk.show("before")
    desk.sim.gone = True
    for second in range(1, 5):
        desk.now_s = float(second)
        desk.show(f"while away {second}")
    desk.sim.gone = False
    desk.sim.power_cycle()
    desk.now_s = 1.0 + RETRY_S
    desk.show("after")

    down, up = desk.reports
    assert isinstance(down, InputDown)
    assert (down.source, down.kind) == ("prompt_display", ErrorKind.GONE)
    assert "cable" in down.hint
    assert up == InputUp("prompt_display")
    assert desk.sim.text()[0] == "after".ljust(COLUMNS)


def test_a_display_that_is_not_there_keeps_no_bus_open_however_often_it_is_tried(desk):
    desk.sim.gone = True
    for attempt in range(20):
        desk.now_s = attempt * RETRY_S
        desk.show("anybody?")

    assert desk.opened == 0
    assert len(desk.reports) == 1


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("rilancio minimo a 120000", f"rilancio minimo a{CUT}"),
        ("all-in di Bartolomeo", "all-in di Bartolomeo"),
        ("all-in di Massimiliano", f"all-in di Massimili{CUT}"),
        ("Seat 7 raises to 1200, seat 3", f"Seat 7 raises to{CUT}"),
        ("pot 1000 + side 250 + 75", f"pot 1000 + side 250{CUT}"),
    ],
)
def test_a_line_too_long_says_so_and_never_ends_in_half_a_number(line, shown):
    cut = page([line])

    assert cut.rows[0].rstrip() == shown
    assert cut.cut == ((0,) if len(line) > COLUMNS else ())


@given(st.lists(st.text(max_size=60), max_size=LINES))
def test_any_text_becomes_four_rows_of_twenty_characters_that_the_display_has(lines):
    rows = page(lines).rows

    assert [len(row) for row in rows] == [COLUMNS] * LINES
    assert all(0 <= code(character) <= 0xFF for row in rows for character in row)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=8))
def test_no_number_is_ever_shown_in_part(amounts):
    line = " ".join(str(amount) for amount in amounts)

    shown = page([line]).rows[0].rstrip(f"{CUT} ").split()

    assert shown == [str(amount) for amount in amounts][: len(shown)]


@pytest.mark.parametrize(
    ("text", "spelled"),
    [("Nicolò è già lì, perché più?", "Nicolò è già lì, perché più?"), ("Żółć Łukasz", "Zolc Lukasz"),
     ("François Müller Ñandú", "Francois Müller Nandu"), ("A♥ T♦", "Ah Td"), ("李 wins", "? wins"), ("È", "E")],
)  # fmt: skip
def test_characters_that_the_rom_lacks_are_drawn_or_spelled_plainly(text, spelled):
    assert spell(text) == spelled


def test_more_than_four_lines_are_a_mistake():
    with pytest.raises(ValueError, match="5 lines"):
        page(["x"] * 5)


@pytest.mark.parametrize("character", [*DRAWN, "A", "g", "7", "ü", "→"])
def test_every_character_has_dots(character):
    assert any(glyphs.of_code(code(character)))


def test_an_oled_shows_the_same_letters():
    device = dummy(width=128, height=64, mode="1")
    reports = []
    PromptDisplay(Oled(lambda: (device, list)), lambda seen, at_ns: reports.append(seen)).show(LINES_SHOWN)

    left = (128 - COLUMNS * 6) // 2
    assert _cell(device.image, left + 0 * 6, 0) == glyphs.of_code(code("M"))
    assert _cell(device.image, left + 3 * 6, 48) == glyphs.of_code(code("ò"))
    assert reports == []


def test_an_oled_without_its_library_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "luma.oled", None)

    with pytest.raises(ValueError, match=r"requirements/pi\.txt"):
        oled()


def _cell(image, x, y):
    """The glyph drawn at a cell, its doubled rows taken once."""
    dots = [[bool(image.getpixel((x + dx, y + 2 * dy))) for dx in range(5)] for dy in range(8)]
    return tuple(sum(lit << (4 - dx) for dx, lit in enumerate(row)) for row in dots)
