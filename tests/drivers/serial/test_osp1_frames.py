"""Frames of OSP/1: the worked ones byte by byte, and what noise, cuts and damage do to them."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.osp1 import FRAME_BYTES, FrameReader, ahead, crc, following, frame, preceding
from drivers.shoe_codec import CARDS

WORKED = """\
HI,0000,1,ACME,SH-100,1.4.2,0007A31C,5F3A91C2*BD95
CD,0001,001,Ah,D,99*C4BB
CD,0002,002,Td,D,97*82AB
CD,0003,003,??,X,00*F902
CD,0004,004,7s,U,99*62C8
CU,0005,210*121A
DR,0006,O*2135
DR,0007,C*D789
LK,0008,L*4715
SF,0009,SHUF,052*AE94
SF,000A,RDY,052*1508
ER,000B,03,S*28AD
ER,000C,03,C*7F3C
RV,000D,004*84A3
HB,000D,0001234567,004,OK*AA81
AK,0004*2460
NK,0004,01*D7DD
RP,0003*6258
ID,0000*324A
LK,0000,L*EEB4
ND,0000,D0017*06DB
PI,0000*60BE""".splitlines()
BODIES = [worked.split("*")[0] for worked in WORKED]
STREAM = b"".join(map(frame, BODIES))
# Noise that holds no `$`, so that it cannot begin a frame and swallow the start of the next.
QUIET_NOISE = st.binary(max_size=40).map(lambda noise: noise.replace(b"$", b""))


def bodies(reader, *chunks):
    return [body for chunk in chunks for body, _ in reader.feed(chunk)]


def test_the_check_value_of_crc_16_ibm_3740():
    assert crc(b"123456789") == 0x29B1


@pytest.mark.parametrize("worked", WORKED)
def test_a_worked_frame_is_written_and_read_as_printed(worked):
    sent = b"$" + worked.encode() + b"\r\n"

    assert frame(worked.split("*")[0]) == sent
    assert bodies(FrameReader(), sent) == [worked.split("*")[0]]


def test_the_published_description_shows_the_same_frames():
    text = (Path(__file__).parents[3] / "docs" / "osp1.md").read_text(encoding="utf-8")

    assert [line[1:] for line in text.splitlines() if line.startswith("$")] == WORKED


def test_the_ace_of_hearts_in_bytes():
    assert frame("CD,0001,001,Ah,D,99") == bytes.fromhex(
        "24 43 44 2c 30 30 30 31 2c 30 30 31 2c 41 68 2c 44 2c 39 39 2a 43 34 42 42 0d 0a"
    )


@pytest.mark.parametrize("body", ["", "a$b", "a*b", "x" * 97, "a\nb"])
def test_a_body_that_no_reader_would_take_is_not_written(body):
    with pytest.raises(ValueError, match="not a body"):
        frame(body)


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=30))
def test_every_chunking_gives_the_same_frames(cuts):
    edges = [0, *sorted(cuts), len(STREAM)]

    read = bodies(reader := FrameReader(), *(STREAM[a:b] for a, b in pairwise(edges)))

    assert read == BODIES
    assert reader.noise == 0


def test_byte_by_byte_gives_the_same_frames():
    assert bodies(FrameReader(), *(bytes([byte]) for byte in STREAM)) == BODIES


@given(noises=st.lists(QUIET_NOISE, min_size=len(BODIES) + 1, max_size=len(BODIES) + 1), step=st.integers(1, 64))
def test_noise_before_between_and_after_costs_no_frame_and_is_counted(noises, step):
    line = b"".join(noise + frame(body) for noise, body in zip(noises, BODIES, strict=False)) + noises[-1]

    read = bodies(reader := FrameReader(), *(line[i : i + step] for i in range(0, len(line), step)))

    assert read == BODIES
    assert reader.noise == sum(map(len, noises))


@given(cut=st.integers(0, 26))
def test_a_frame_that_breaks_off_is_never_joined_to_the_next(cut):
    first, second = frame("CD,0001,001,Ah,D,99"), frame("CD,0002,002,Td,D,97")

    assert bodies(FrameReader(), first[:cut] + second) == ["CD,0002,002,Td,D,97"]


def test_one_to_eight_flipped_bits_never_give_another_card():
    random = Random(6300)
    cards = sorted(CARDS)
    accepted = []
    for case in range(5_000):
        body = f"CD,{random.randint(1, 0xFFFF):04X},{random.randint(1, 52):03d},{random.choice(cards)},D,99"
        damaged = bytearray(frame(body))
        for bit in random.sample(range(8 * len(damaged)), case % 8 + 1):
            damaged[bit // 8] ^= 1 << bit % 8
        accepted += [read for read in bodies(FrameReader(), bytes(damaged)) if read != body]

    assert accepted == []


def test_a_megabyte_of_random_bytes_holds_less_than_one_frame_and_raises_nothing():
    random, reader = Random(1), FrameReader()
    for _ in range(256):
        reader.feed(random.randbytes(4096))

        assert len(reader._rest) < FRAME_BYTES
    assert bodies(reader, b"\n", STREAM) == BODIES


def test_a_megabyte_of_dollars_holds_less_than_one_frame():
    reader = FrameReader()
    for _ in range(256):
        reader.feed(b"$" * 4096)

    assert len(reader._rest) < FRAME_BYTES
    assert reader.noise >= 255 * 4096


@pytest.mark.parametrize(
    ("base", "seq", "distance"),
    [
        (0, 1, 1),
        (1, 1, 0),
        (5, 3, -2),
        (0xFFFE, 0xFFFF, 1),
        (0xFFFF, 1, 1),
        (1, 0xFFFF, -1),
        (0xFFFE, 2, 3),
    ],
)
def test_the_numbers_of_events_lie_on_a_ring_without_0000(base, seq, distance):
    assert ahead(base, seq) == distance


def test_ffff_is_followed_by_0001():
    assert following(0xFFFF) == 1
    assert preceding(1) == 0xFFFF
