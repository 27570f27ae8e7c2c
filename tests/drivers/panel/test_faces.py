"""The clock's faces: drawn dot by dot in `faces.txt` as they were looked at and found right, and what holds for all."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.inputs import Level
from firmware_py.dot_font import MEDIUM, NARROW
from firmware_py.faces import WORDS, ClockFace, blinds_texts, face, fitting, short, time_text, words

GOLDEN = Path(__file__).with_name("faces.txt")

RUNNING = ClockFace(
    now_ms=0, remaining_ms=754_000, running=True, next_break_ms=45 * 60_000, language="en",
    level=Level(100, 200, ante=25, big_blind_ante=200, number=4), next_level=Level(150, 300, number=5),
)  # fmt: skip


def at(**changes):
    return replace(RUNNING, **changes)


H4H = at(hand_for_hand=True, running=False)
LONGEST = Level(100_000, 200_000, big_blind_ante=200_000, number=31)
CASES = [
    (name, clock, modules)
    for modules in (4, 8)
    for name, clock in (
        ("time", RUNNING),
        ("blinds", at(now_ms=6000)),
        ("ante", at(now_ms=10_000 if modules == 4 else 4000)),
        ("next break, in Italian", at(now_ms=46_000 if modules == 4 else 22_000, language="it")),
        ("a hundred minutes and more", at(remaining_ms=7_254_000)),
        ("last minute", at(remaining_ms=37_000)),
        ("last seconds, fuses dark", at(remaining_ms=5_200)),
        ("break", at(on_break=True, remaining_ms=582_000)),
        ("after the break", at(on_break=True, remaining_ms=582_000, now_ms=6000 if modules == 4 else 3000)),
        ("paused", at(running=False)),
        ("paused, in Italian", at(running=False, now_ms=3000 if modules == 4 else 0, language="it")),
        ("hub lost", at(hub_lost_ms=1)),
        ("hub lost, in words", at(hub_lost_ms=1, now_ms=58_000 if modules == 4 else 28_000)),
        ("no clock", ClockFace(now_ms=0)),
        ("longest level", at(level=LONGEST, now_ms=6000 if modules == 4 else 0)),
        ("final table", at(final_table=True, now_ms=58_000 if modules == 4 else 28_000)),
        ("final table, in Italian", at(final_table=True, now_ms=58_000 if modules == 4 else 28_000, language="it")),
        ("hand for hand", H4H),
        ("hand for hand, second page", replace(H4H, now_ms=2000)),
        ("hand for hand, in Italian", replace(H4H, language="it")),
        ("hand for hand, second page in Italian", replace(H4H, now_ms=2000, language="it")),
        ("hand for hand, hub lost", replace(H4H, hub_lost_ms=1)),
        ("color-up", at(on_break=True, color_up=(25,), now_ms=6000 if modules == 4 else 3000)),
        ("second color-up", at(on_break=True, color_up=(25, 100), now_ms=9000 if modules == 4 else 6000)),
        ("color-up, in Italian",
         at(on_break=True, color_up=(500,), now_ms=6000 if modules == 4 else 3000, language="it")),
    )
]
CASES += [
    (name, clock, modules)
    for modules in (12, 16)
    for name, clock in (
        ("time and blinds", RUNNING),
        ("hand for hand", H4H),
        ("color-up", at(on_break=True, color_up=(25,), now_ms=3000)),
        ("final table", at(final_table=True, now_ms=28_000)),
    )
]  # fmt: skip


def drawn(name, clock, modules):
    return f"{name}, {modules} modules\n{face(clock, modules).art()}"


def golden():
    return {block.split("\n", 1)[0]: block for block in GOLDEN.read_text().rstrip("\n").split("\n\n")}


@pytest.mark.parametrize(("name", "clock", "modules"), CASES, ids=[f"{case[0]}-{case[2]}" for case in CASES])
def test_a_face_is_drawn_as_it_was_found_right(name, clock, modules):
    picture = drawn(name, clock, modules)

    assert picture == golden()[picture.split("\n", 1)[0]]


def test_every_golden_picture_is_of_a_case():
    assert len(golden()) == len(CASES)


LEVELS = st.builds(
    lambda small, ratio, ante, bba, number: Level(small, small * ratio, ante, bba, number),
    small=st.integers(1, 2_000_000),
    ratio=st.integers(1, 3),
    ante=st.integers(0, 300_000),
    bba=st.integers(0, 6_000_000),
    number=st.integers(0, 99),
)
CLOCKS = st.builds(
    ClockFace,
    now_ms=st.integers(0, 10**9),
    remaining_ms=st.none() | st.integers(-1000, 10**8),
    running=st.booleans(),
    on_break=st.booleans(),
    level=st.none() | LEVELS,
    next_level=st.none() | LEVELS,
    next_break_ms=st.none() | st.integers(0, 10**8),
    hub_lost_ms=st.none() | st.integers(0, 10**8),
    final_table=st.booleans(),
    language=st.sampled_from(sorted(WORDS)),
    hand_for_hand=st.booleans(),
    color_up=st.lists(st.sampled_from([1, 25, 100, 500, 1000, 5000, 25_000, 100_000]), max_size=2).map(tuple),
)


@given(CLOCKS, st.sampled_from([4, 5, 6, 8, 12]))
def test_every_clock_has_a_face_of_the_chain_s_width(clock, modules):
    picture = face(clock, modules)

    assert picture.width == 8 * modules
    assert any(picture.rows)
    assert words(clock)


@given(CLOCKS)
def test_a_face_is_a_function_of_its_clock(clock):
    assert face(clock, 8) == face(replace(clock), 8)


@given(LEVELS)
def test_the_blinds_of_any_level_fit_a_slim_chain(level):
    assert fitting(blinds_texts(level), 32) is not None


@pytest.mark.parametrize(
    ("small", "big", "text"),
    [(25, 50, "25/50"), (500, 1000, "500/1000"), (1000, 2000, "1K/2K"), (1500, 3000, "1.5K/3K"),
     (12_500, 25_000, "12.5K/25K"), (125_000, 250_000, "125/250K"),
     (100_000, 200_000, "100/200K"), (1_000_000, 2_000_000, "1M/2M")],
)  # fmt: skip
def test_blinds_are_spelled_as_plainly_as_fits_four_modules(small, big, text):
    level = Level(small, big)

    wanted = fitting([text], 32)
    assert fitting(blinds_texts(level), 32) == wanted


@pytest.mark.parametrize(
    ("chips", "text"),
    [(0, "0"), (999, "999"), (1000, "1K"), (1500, "1.5K"), (1530, "1.53K"), (1535, "1535"), (100_000, "100K"),
     (1_000_000, "1M"), (2_500_000, "2.5M"), (1_234_567, "1234567")],
)  # fmt: skip
def test_a_short_amount_is_exact(chips, text):
    assert short(chips) == text


@given(st.integers(0, 10**9))
def test_a_short_amount_can_be_read_back(chips):
    text = short(chips)
    value = float(text.rstrip("KM")) * {"K": 1000, "M": 1_000_000}.get(text[-1], 1)

    assert round(value) == chips


@pytest.mark.parametrize(
    ("remaining_ms", "text"),
    [(None, "--.--"), (0, "0.00"), (-5, "0.00"), (1, "0.01"), (59_001, "1.00"), (60_000, "1.00"), (754_000, "12.34"),
     (5_999_000, "99.59"), (5_999_001, "100'"), (7_254_000, "121'"), (10**9, "999'")],
)  # fmt: skip
def test_the_time_is_rounded_up_and_written_with_a_point(remaining_ms, text):
    assert time_text(remaining_ms) == text


@given(st.integers(0, 10**7), st.integers(0, 5000))
def test_a_running_clock_never_shows_more_than_before(remaining_ms, later_ms):
    def shown(ms):
        text = time_text(ms)
        minutes, _, seconds = text.rstrip("'").partition(".")
        return int(minutes) * 60 + int(seconds or 0)

    assert shown(max(0, remaining_ms - later_ms)) <= shown(remaining_ms)


def test_blinds_come_up_in_every_round_of_pages():
    pages = [face(at(now_ms=second * 1000), 4) for second in range(120)]
    blinds = face(at(now_ms=6000), 4)

    gaps = [second for second, page in enumerate(pages) if page == blinds]
    assert max(later - earlier for earlier, later in pairwise(gaps)) <= 9


def test_tables_turn_their_pages_together():
    here, there = at(now_ms=10_500, hub_lost_ms=None), at(now_ms=10_500, hub_lost_ms=None, remaining_ms=753_600)

    assert face(here, 4) == face(there, 4)


@pytest.mark.parametrize("font", [MEDIUM, NARROW])
def test_every_letter_of_every_word_is_in_the_fonts(font):
    letters = {letter for spoken in WORDS.values() for word in spoken.values() for letter in word}

    assert letters | set("BANTE0123456789/.KM'> ") <= font.keys()


def test_languages_say_the_same_things():
    assert {language: sorted(spoken) for language, spoken in WORDS.items()} == dict.fromkeys(WORDS, sorted(WORDS["en"]))


def test_a_face_can_be_read_as_text():
    assert words(at(hub_lost_ms=5)) == "12.34 · 100/200 · ANTE 25 · BBA 200 · LEV 4 · BREAK 45' · NO HUB"


def test_what_the_whole_room_must_know_is_said_in_text_too():
    assert words(H4H).startswith("12.34 · HAND FOR HAND · 100/200")
    assert words(replace(H4H, language="it")).startswith("12.34 · MANO PER MANO")
    assert "VIA 25 · VIA 100" in words(at(on_break=True, color_up=(25, 100), language="it"))
    assert "TAVOLO FINALE" in words(at(final_table=True, language="it"))


@pytest.mark.parametrize("modules", [4, 8, 12, 16])
def test_hand_for_hand_is_the_one_face_on_a_lit_line_and_comes_up_in_every_round(modules):
    line = (1 << 32) - 1                       # of the rightmost columns, where no time stands

    def on_a_line(clock):
        return face(clock, modules).rows[-1] & line == line

    lit = [second for second in range(120) if on_a_line(replace(H4H, now_ms=second * 1000))]
    others = [at(now_ms=second * 1000, final_table=True, running=second % 2 == 0) for second in range(120)]

    assert max(later - earlier for earlier, later in pairwise(lit)) <= 12
    assert not any(map(on_a_line, others))


def test_three_modules_are_too_few():
    with pytest.raises(ValueError, match="too few"):
        face(RUNNING, 3)
