"""Frames of RDM6300 and ID-12LA: the worked ones byte by byte, and what noise, cuts and damage do to them."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.rdm6300 import FRAME_BYTES, Rdm6300, checksum, frame

WORKED = [
    # badge, checksum, RDM6300, ID-12LA
    (
        "62E3086CED",
        0x08,
        "02 36 32 45 33 30 38 36 43 45 44 30 38 03",
        "02 36 32 45 33 30 38 36 43 45 44 30 38 0d 0a 03",
    ),
    (
        "0A00123456",
        0x7A,
        "02 30 41 30 30 31 32 33 34 35 36 37 41 03",
        "02 30 41 30 30 31 32 33 34 35 36 37 41 0d 0a 03",
    ),
    (
        "2A0055BC3F",
        0xFC,
        "02 32 41 30 30 35 35 42 43 33 46 46 43 03",
        "02 32 41 30 30 35 35 42 43 33 46 46 43 0d 0a 03",
    ),
]
BADGES = [badge for badge, *_ in WORKED]
STREAM = b"".join(frame(badge) + frame(badge, crlf=True) for badge in BADGES)
NUMBERS = [badge for badge in BADGES for _ in range(2)]


def read(codec, *chunks):
    return [badge for chunk in chunks for badge in codec.feed(chunk, 0.0)]


@pytest.mark.parametrize(("badge", "check", "rdm6300", "id12la"), WORKED)
def test_the_worked_frames_are_written_and_read_as_printed(badge, check, rdm6300, id12la):
    assert checksum(badge) == check
    assert frame(badge) == bytes.fromhex(rdm6300)
    assert frame(badge, crlf=True) == bytes.fromhex(id12la)
    assert read(Rdm6300(), bytes.fromhex(rdm6300), bytes.fromhex(id12la)) == [badge, badge]


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=30))
def test_every_chunking_gives_the_same_badges(cuts):
    edges = [0, *sorted(cuts), len(STREAM)]

    assert read(codec := Rdm6300(), *(STREAM[a:b] for a, b in pairwise(edges))) == NUMBERS
    assert codec.noise == 0


@given(noise=st.binary(max_size=60).map(lambda noise: noise.replace(b"\x02", b"")), step=st.integers(1, 20))
def test_noise_before_between_and_after_costs_no_badge_and_is_counted(noise, step):
    line = noise + noise.join(map(frame, BADGES)) + noise

    assert read(codec := Rdm6300(), *(line[i : i + step] for i in range(0, len(line), step))) == BADGES
    assert codec.noise == len(noise) * (len(BADGES) + 1)


@given(cut=st.integers(0, 13))
def test_a_frame_that_breaks_off_is_never_joined_to_the_next(cut):
    assert read(Rdm6300(), frame("0A00123456")[:cut] + frame("62E3086CED")) == ["62E3086CED"]


def test_a_wrong_checksum_is_noise():
    assert read(codec := Rdm6300(), frame("0A00123456").replace(b"7A", b"7B")) == []
    assert codec.noise == 14


def test_a_megabyte_of_random_bytes_holds_less_than_one_frame_and_raises_nothing():
    random, codec = Random(1), Rdm6300()
    for _ in range(256):
        codec.feed(random.randbytes(4096), 0.0)

        assert len(codec._rest) < FRAME_BYTES
    assert read(codec, STREAM) == NUMBERS


@pytest.mark.parametrize("badge", ["", "0A001234", "0A0012345678", "0A0012345G"])
def test_what_is_no_badge_is_not_sent(badge):
    with pytest.raises(ValueError, match=r"ten hex digits|non-hexadecimal"):
        frame(badge)
