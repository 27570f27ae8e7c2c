"""The clock on 7-segment digits: the bytes of every digit register, points included, beside luma's own."""

import pytest
from luma.core.virtual import sevensegment
from luma.led_matrix.device import max7219

from drivers.led_clock import LedClock
from drivers.recording import RecordingBus
from engine.inputs import Level
from firmware_py.config import ConfigError, load
from firmware_py.digits import BLINDS_MS, TIME_MS, WORD_MS, bar, cells
from firmware_py.faces import ClockFace

LEVEL = Level(500, 1000, number=3)
NEXT = Level(1000, 2000, number=4)
REGISTERS = range(1, 9)


def digits(clock, modules=1):
    """What lies in the digit registers of the chips after the driver has sent this clock, left to right."""
    bus = RecordingBus()
    LedClock(lambda: bus, modules, lambda *_: None, orientation=0).show(bar(clock, modules), 0.0)
    chips = [{} for _ in range(modules)]
    for transfer in bus.last:
        for chip, register, byte in zip(chips, transfer[::2], transfer[1::2], strict=True):
            chip[register] = byte
    return bytes(chip[register] for chip in chips for register in reversed(REGISTERS))


def by_luma(text, modules=1):
    bus = RecordingBus()
    segments = sevensegment(max7219(serial_interface=bus, cascaded=modules))
    before = bus.transfers
    segments.text = text
    sent = bus.since(before)
    return bytes(transfer[2 * chip + 1] for chip in range(modules) for transfer in reversed(sent))


def clock(now_ms=0, remaining_ms=754_000, running=True, level=LEVEL, **more):
    return ClockFace(now_ms, remaining_ms, running, level=level, **more)


@pytest.mark.parametrize(
    ("face", "text"),
    [
        (clock(), "L3  12.34"),
        (clock(remaining_ms=500), "L3   0.01"),
        (clock(remaining_ms=5_999_000), "L3  99.59"),
        (clock(remaining_ms=36_000_000), "L3   600"),
        (clock(level=Level(500, 1000, number=12)), "L12 12.34"),
        (clock(running=False), "P   12.34"),
        (clock(on_break=True), "br  12.34"),
        (clock(remaining_ms=None), "    --.--"),
        (clock(TIME_MS), "500-1000"),
        (clock(TIME_MS, level=Level(25, 50)), "   25-50"),
        (clock(TIME_MS, level=NEXT), "  b 2000"),
        (clock(TIME_MS, level=Level(250_000, 500_000)), "b 500000"),
        (clock(TIME_MS, on_break=True, next_level=NEXT), "  b 2000"),
        (clock(TIME_MS + BLINDS_MS), "L3  12.34"),
        (clock(running=False, hand_for_hand=True), "H-H 12.34"),
        (clock(hand_for_hand=True), "H-H 12.34"),
        (clock(on_break=True, hand_for_hand=True), "br  12.34"),
        (clock(TIME_MS + BLINDS_MS, on_break=True, color_up=(25, 100), language="en"), "  out 25"),
        (clock(TIME_MS + BLINDS_MS + WORD_MS, on_break=True, color_up=(25, 100), language="en"), " out 100"),
        (clock(TIME_MS + BLINDS_MS, on_break=True, color_up=(10_000,)), "UIA10000"),
        (clock(TIME_MS + BLINDS_MS, final_table=True), "  FInALE"),
        (clock(TIME_MS + BLINDS_MS, final_table=True, language="en"), "   FInAL"),
    ],
)
def test_eight_digits_are_those_that_luma_sends(face, text):
    own = text.lstrip()[0] in "PHFU"                    # letters that luma draws otherwise, or has not

    if own:
        assert digits(face)[-2:] == by_luma(text)[-2:]
    assert digits(face) == (bytes(cells(text)) if own else by_luma(text))


def test_golden_bytes_with_the_point_in_bit_seven():
    assert digits(clock()).hex(" ") == "0e 79 00 00 30 ed 79 33"
    assert digits(clock(running=False)).hex(" ") == "67 00 00 00 30 ed 79 33"
    assert digits(clock(hand_for_hand=True)).hex(" ") == "37 01 37 00 30 ed 79 33"
    assert digits(clock(TIME_MS + BLINDS_MS, final_table=True)).hex(" ") == "00 00 47 30 15 77 0e 4f"
    later = clock(TIME_MS + BLINDS_MS, on_break=True, color_up=(25,))
    assert digits(later).hex(" ") == "00 00 3e 30 77 00 6d 5b"


def test_sixteen_digits_show_both_at_once():
    assert digits(clock(), 2) == by_luma("L3  12.34500-1000", 2)


def test_sixteen_digits_keep_the_time_and_turn_the_rest():
    last = clock(BLINDS_MS, final_table=True, language="en")

    assert digits(last, 2) == by_luma("L3  12.34") + bytes(cells("   FInAL"))


def test_without_the_hub_the_last_point_blinks():
    assert digits(clock(0, hub_lost_ms=1))[-1] == digits(clock())[-1] | 0x80
    assert digits(clock(500, hub_lost_ms=1)) == digits(clock())


def test_an_amount_is_never_cut():
    shown = digits(clock(TIME_MS, level=Level(1_000_000, 2_000_000)))

    assert shown == by_luma("b2000000")


def test_a_bar_of_another_length_is_refused(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text('unit = "table-1"\nsite = "club"\ndata_dir = "d"\n[clock_display]\nkind = "seven_segment"\n')

    with pytest.raises(ConfigError, match=r"clock_display.*1 \(8 digits\) or 2"):
        load(file)
