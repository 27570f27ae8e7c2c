"""Serial lines: frames a second, from the byte to the record, and how long an unplug goes unseen.

The peers: pyserial's own `readline()` on the same terminal with the same bytes, which is what most scripts use; and the
8-bit XOR that commercial shoes and badge readers check with, against the same damage.
"""

from __future__ import annotations

import logging
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from functools import reduce
from operator import xor
from pathlib import Path
from random import Random

import serial

from benchmarks.row import Row, per_second, percentile
from drivers.osp1 import FrameReader, Osp1, following, frame
from drivers.pty_line import PtyLine
from drivers.rdm6300 import Rdm6300
from drivers.rdm6300 import frame as badge_frame
from drivers.seen import CardOut, ErrorKind, Seen
from drivers.serial_line import SerialLine
from drivers.shoe import Shoe
from drivers.shoe_codec import CARDS

FRAMES = 20_000
DAMAGED = 200_000
LATENCIES = 500
UNPLUGS = 20
PATIENCE_S = 10.0
HELLO = frame("HI,0000,1,BENCH,BENCH,1,1,BE7C4000,0000")


def card_frames(count: int) -> list[bytes]:
    """So many cards as a shoe sends them, of decks of 52."""
    cards = sorted(CARDS)
    frames, seq = [], 0
    for i in range(count):
        seq = following(seq)
        frames.append(frame(f"CD,{seq:04X},{i % 52 + 1:03d},{cards[i % 52]},D,99"))
    return frames


def wait_for(done: Callable[[], bool]) -> None:
    """**Raises** TimeoutError if it is not done in 10 s."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > deadline_s:
            raise TimeoutError("the line did not do it in 10 s")
        time.sleep(0.0002)


# --- the codecs alone


def decoding() -> list[Row]:
    """Frames a second, in the pieces in which a terminal gives them."""
    stream = b"".join(card_frames(FRAMES))
    pieces = [stream[i : i + 256] for i in range(0, len(stream), 256)]
    badges = badge_frame("0A00123456") * FRAMES

    def shoe() -> int:
        codec = Osp1()
        codec.feed(HELLO, 0.0)
        return sum(isinstance(report, CardOut) for piece in pieces for report in codec.feed(piece, 0.0))

    def badge() -> int:
        codec = Rdm6300()
        return sum(len(codec.feed(badges[i : i + 256], 0.0)) for i in range(0, len(badges), 256))

    return [
        Row("shoe frames decoded", per_second(shoe), "/s", limit=10_000, better="more", note="frame to record"),
        Row("badge frames decoded", per_second(badge), "/s", limit=10_000, better="more"),
    ]


def damage() -> list[Row]:
    """One to eight flipped bits in 200,000 card frames: how many are taken for another card?"""
    random, cards = Random(1021), sorted(CARDS)
    crc_taken = xor_taken = 0
    for case in range(DAMAGED):
        card, flips = random.choice(cards), case % 8 + 1
        body = f"CD,{random.randint(1, 0xFFFF):04X},{random.randint(1, 52):03d},{card},D,99"
        read = FrameReader().feed(flipped(frame(body), flips, random))
        crc_taken += any(is_another(text, card) for text, _ in read)
        text = xor_read(flipped(body.encode() + b"%02X" % reduce(xor, body.encode()), flips, random))
        xor_taken += is_another(text, card)
    unit, note = f"of {DAMAGED:,}", "1-8 bits flipped"
    return [Row("cards invented by damage", crc_taken, unit, "8-bit XOR", xor_taken, limit=0, note=note)]


def is_another(body: str, card: str) -> bool:
    """Does `body` name a card, and another one than `card`?"""
    fields = body.split(",")
    return len(fields) == 6 and fields[3] in CARDS and fields[3] != card


def flipped(sent: bytes, count: int, random: Random) -> bytes:
    """`sent` with so many of its bits turned."""
    damaged = bytearray(sent)
    for bit in random.sample(range(8 * len(sent)), count):
        damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


def xor_read(received: bytes) -> str:
    """The text whose 8-bit XOR follows it in two hex digits; "" if it does not."""
    text, check = received[:-2], received[-2:]
    return text.decode("latin-1") if check == b"%02X" % reduce(xor, text) else ""


# --- through a terminal


def throughput(folder: Path) -> Row:
    """Frames a second from one end of a terminal to records at the other."""
    stream = b"".join(card_frames(FRAMES))

    def ours() -> int:
        cards = 0

        def post(record: Seen, _: int) -> None:
            nonlocal cards
            cards += isinstance(record, CardOut)

        cable = plugged(folder)
        shoe = Shoe(str(cable.link), Osp1(), post)
        shoe.start()
        greet(cable, shoe)
        cable.write(stream)
        wait_for(lambda: cards == FRAMES)
        shoe.stop()
        cable.unplug()
        return cards

    def readline() -> int:
        cable = plugged(folder)
        with serial.Serial(str(cable.link), 115200, timeout=1) as port:
            writer = threading.Thread(target=cable.write, args=(stream,))
            writer.start()
            lines = sum(port.readline().endswith(b"\n") for _ in range(FRAMES))
            writer.join()
        cable.unplug()
        return lines

    return Row(
        "shoe frames through a terminal", per_second(ours, 3), "/s", "pyserial readline()", per_second(readline, 1),
        limit=5_000, better="more", note="115200 baud is 427/s",
    )  # fmt: skip


def latency(folder: Path) -> list[Row]:
    """From the last byte written to the record posted."""
    posted_ns: list[int] = []

    def post(record: Seen, _: int) -> None:
        if isinstance(record, CardOut):
            posted_ns.append(time.monotonic_ns())

    cable = plugged(folder)
    shoe = Shoe(str(cable.link), Osp1(), post)
    shoe.start()
    greet(cable, shoe)
    took_us = []
    for count, sent in enumerate(card_frames(LATENCIES), start=1):
        before_ns = time.monotonic_ns()
        cable.write(sent)
        wait_for(lambda count=count: len(posted_ns) == count)  # type: ignore[misc]
        took_us.append((posted_ns[-1] - before_ns) / 1000)
    shoe.stop()
    cable.unplug()
    return [
        Row("shoe frame to record, median", statistics.median(took_us), "us"),
        Row("shoe frame to record, p99", percentile(took_us, 0.99), "us", limit=5_000),
    ]


class Plug:
    """A listener that notes when its line went and came."""

    def __init__(self) -> None:
        self.opened_s: list[float] = []
        self.lost_s: list[float] = []
        self.bytes_in = 0

    def opened(self, at_ns: int) -> bytes:
        """Notes it."""
        self.opened_s.append(at_ns / 1e9)
        return b""

    def received(self, data: bytes, at_ns: int) -> bytes:  # noqa: ARG002 - the protocol's
        """Counts."""
        self.bytes_in += len(data)
        return b""

    def tick(self, at_ns: int) -> bytes:  # noqa: ARG002 - the protocol's
        """Nothing to do."""
        return b""

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:  # noqa: ARG002 - the protocol's
        """Notes it."""
        self.lost_s.append(at_ns / 1e9)


def unplugging(folder: Path) -> list[Row]:
    """The cable is pulled in the middle of a frame and put back, twenty times."""
    logging.getLogger("drivers.serial_line").setLevel(logging.ERROR)         # each pull is a warning
    cable, plug = plugged(folder), Plug()
    line = SerialLine(str(cable.link), 115200, plug, "bench")
    line.start()
    seen_ms, back_ms = [], []
    for cycle in range(1, UNPLUGS + 1):
        wait_for(lambda cycle=cycle: len(plug.opened_s) == cycle and line.is_open)  # type: ignore[misc]
        had = plug.bytes_in
        cable.write(b"$CD,0001,0")
        wait_for(lambda had=had: plug.bytes_in == had + 10)  # type: ignore[misc]
        pulled_s = time.monotonic()
        cable.unplug()
        wait_for(lambda cycle=cycle: len(plug.lost_s) == cycle)  # type: ignore[misc]
        seen_ms.append((plug.lost_s[-1] - pulled_s) * 1000)
        put_s = time.monotonic()
        cable.plug()
        wait_for(lambda cycle=cycle: len(plug.opened_s) == cycle + 1)  # type: ignore[misc]
        back_ms.append((plug.opened_s[-1] - put_s) * 1000)
    line.stop()
    cable.unplug()
    seen, back = statistics.median(seen_ms), statistics.median(back_ms)
    return [
        Row("unplug seen, worst of 20", max(seen_ms), "ms", limit=1_000, note=f"median {seen:.2f}"),
        Row("replug to open, worst of 20", max(back_ms), "ms", limit=1_000, note=f"median {back:.1f}"),
    ]


def plugged(folder: Path) -> PtyLine:
    """A cable without a pace, plugged in."""
    cable = PtyLine(folder / "line", baud=None)
    cable.plug()
    return cable


def greet(cable: PtyLine, shoe: Shoe) -> None:
    """Says that a shoe is there, until the driver has heard it: bytes sent before its open are void."""

    def heard() -> bool:
        cable.write(HELLO)
        return shoe.up

    wait_for(heard)


def rows() -> list[Row]:
    """All of the above."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            *decoding(),
            throughput(Path(folder)),
            *latency(Path(folder)),
            *unplugging(Path(folder)),
            *damage(),
        ]
