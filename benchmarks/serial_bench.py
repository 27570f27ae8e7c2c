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
from drivers import angel_eye, pn532
from drivers.angel_eye import AngelEye
from drivers.barcode import Barcode
from drivers.bee_tek import BeeTek
from drivers.osp1 import FrameReader, Osp1, following, frame
from drivers.pty_line import PtyLine
from drivers.rdm6300 import Rdm6300
from drivers.rdm6300 import frame as badge_frame
from drivers.rfid_deck import RfidDeck
from drivers.seen import CardOut, CardsLost, ErrorKind, Seen
from drivers.serial_line import SerialLine
from drivers.shoe import Shoe
from drivers.shoe_codec import CARDS, ShoeCodec
from drivers.wedge import WedgeDecoder
from drivers.wedge_sim import typed

FRAMES = 20_000
DAMAGED = 200_000
LATENCIES = 500
UNPLUGS = 20
PATIENCE_S = 10.0
HELLO = frame("HI,0000,1,BENCH,BENCH,1,1,BE7C4000,0000")

CHIP_READY = (pn532.frame(b"\xd5\x15"), pn532.frame(b"\xd5\x33"), pn532.frame(b"\xd5\x4b\x00"))


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


def shoe_streams(count: int) -> dict[str, tuple[Callable[[], ShoeCodec], list[bytes], bytes]]:
    """For each protocol: how to make its codec, what it must hear first, and the frames of so many cards in a row."""
    cards = sorted(CARDS)
    names = [cards[i % 52] for i in range(count)]
    tags = {f"04{number:02X}A1B2C3D480": card for number, card in enumerate(cards)}
    uids = {card: uid for uid, card in tags.items()}
    find = {uid: ("D0017", card) for uid, card in tags.items()}.get
    return {
        "osp1": (Osp1, [HELLO], b"".join(card_frames(count))),
        "angel_eye_ii_ex": (
            AngelEye,
            [],
            b"".join(angel_eye.report(str(i % 10), angel_eye.card_data(card)) for i, card in enumerate(names)),
        ),
        "bee_tek": (BeeTek, [], b"".join(f" [Game]<Card:{card.upper()}> \r\n".encode() for card in names)),
        "barcode": (Barcode, [], b"".join(f"{card}\r\n".encode() for card in names)),
        "rfid_deck": (
            lambda: RfidDeck(find),
            list(CHIP_READY),
            b"".join(2 * pn532.frame(pn532.tags_answer((uids[card],))) for card in names),
        ),
    }


def decoding() -> list[Row]:
    """Frames a second, from the byte to the record, in the pieces in which a terminal gives them."""
    rows = []
    for name, (make, first, stream) in shoe_streams(FRAMES).items():

        def shoe(make: Callable[[], ShoeCodec] = make, first: list[bytes] = first, stream: bytes = stream) -> int:
            return decoded(make(), first, stream)

        note = "frame to record" if name == "osp1" else "seen twice each" if name == "rfid_deck" else ""
        rate = per_second(shoe, 3)
        rows.append(Row(f"shoe frames decoded, {name}", rate, "/s", limit=10_000, better="more", note=note))
    badges = {"rdm6300": badge_frame("0A00123456"), "id12la": badge_frame("0A00123456", crlf=True)}
    for name, sent in badges.items():

        def badge(stream: bytes = sent * FRAMES) -> int:
            codec = Rdm6300()
            return sum(len(codec.feed(stream[i : i + 256], 0.0)) for i in range(0, len(stream), 256))

        rows.append(Row(f"badge frames decoded, {name}", per_second(badge, 3), "/s", limit=10_000, better="more"))

    def chip() -> int:
        reader, stream = pn532.FrameReader(), pn532.frame(pn532.tags_answer(("04A1B2C3",))) * FRAMES
        pieces = (stream[i : i + 256] for i in range(0, len(stream), 256))
        return sum(bool(pn532.tags_in(data)) for piece in pieces for data in reader.feed(piece))

    rows.append(Row("badge frames decoded, pn532", per_second(chip, 3), "/s", limit=10_000, better="more"))

    def wedge() -> int:
        decoder, events = WedgeDecoder(), typed("0001193046") * FRAMES
        return sum(bool(decoder.key(event, 0.0)) for event in events)

    rows.append(Row("badges decoded, wedge", per_second(wedge, 3), "/s", limit=1_000, better="more"))
    return rows


def decoded(codec: ShoeCodec, first: list[bytes], stream: bytes) -> int:
    """Feeds it all to a new codec; how many cards were told."""
    codec.opened(0.0)
    for piece in first:
        codec.feed(piece, 0.0)
    pieces = range(0, len(stream), 256)
    cards = sum(isinstance(report, CardOut) for i in pieces for report in codec.feed(stream[i : i + 256], i))
    if cards != FRAMES:
        raise ValueError(f"{codec.name}: {cards} of {FRAMES}")
    return cards


def damage() -> list[Row]:
    """One to eight flipped bits in 200,000 frames of each protocol: how many are taken for another card or badge?"""
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
    rows = [Row("cards invented by damage, osp1", crc_taken, unit, "8-bit XOR", xor_taken, limit=0, note=note)]
    plain: tuple[tuple[ShoeCodec, Callable[[str], bytes]], ...] = (
        (AngelEye(), lambda card: angel_eye.report("1", angel_eye.card_data(card))),
        (BeeTek(), lambda card: f" [Game]<Card:{card.upper()}> ".encode()),
        (Barcode(), lambda card: f"{card}\r\n".encode()),
    )
    for codec, sent in plain:
        taken = sum(bool(another(codec, sent, case, cards, random)) for case in range(DAMAGED))
        rows.append(Row(f"cards invented by damage, {codec.name}", taken, unit, note="no CRC: the dealer counts"))
    unnoticed = sum(copies_unnoticed(case, cards, random) for case in range(DAMAGED))
    rows.insert(2, Row("  that its two copies do not betray", unnoticed, unit, note="one card too many, so counted"))
    return [*rows, *tag_damage(random)]


def another(
    codec: ShoeCodec, sent: Callable[[str], bytes], case: int, cards: list[str], random: Random
) -> list[CardOut]:
    """The reports that name another card than the one that was sent."""
    card = random.choice(cards)
    codec.opened(0.0)
    reports = codec.feed(flipped(sent(card), case % 8 + 1, random), 0.0)
    return [report for report in reports if isinstance(report, CardOut) and report.card not in {card, "??"}]


def copies_unnoticed(case: int, cards: list[str], random: Random) -> bool:
    """An Angel Eye report whose first copy is damaged and whose others are not: is another card told, and no doubt?"""
    card, codec = random.choice(cards), AngelEye()
    codec.opened(0.0)
    sent = angel_eye.report("1", angel_eye.card_data(card))
    reports = codec.feed(flipped(sent, case % 8 + 1, random) + sent + sent, 0.0)
    told = {report.card for report in reports if isinstance(report, CardOut)}
    return bool(told - {card, "??"}) and not any(isinstance(report, CardsLost) for report in reports)


def tag_damage(random: Random) -> list[Row]:
    """The same for tags and badges: a number that is another card of the deck, and any other number."""
    tags = {f"04{number:02X}A1B2C3D480": ("D0017", card) for number, card in enumerate(sorted(CARDS))}
    deck = sorted(tags)
    cards = numbers = badges = 0
    for case in range(DAMAGED):
        uid, flips = random.choice(deck), case % 8 + 1
        reader = pn532.FrameReader()
        sent = pn532.frame(pn532.tags_answer((uid,)))
        damaged = flipped(sent, flips, random)
        numbers += any(set(pn532.tags_in(content) or ()) - {uid} for content in reader.feed(damaged))
        codec = RfidDeck(tags.get)
        for answer in (*CHIP_READY, damaged, sent, sent, *[CHIP_READY[-1]] * 3):
            reports = codec.feed(answer, 0.0)
            cards += any(isinstance(told, CardOut) and told.card not in {tags[uid][1], "??"} for told in reports)
        read = Rdm6300().feed(flipped(badge_frame("0A00123456"), flips, random), 0.0)
        badges += any(number != "0A00123456" for number in read)
    unit = f"of {DAMAGED:,}"
    return [
        Row("cards invented by damage, rfid_deck", cards, unit, limit=0, note="a tag counts when seen twice"),
        Row("numbers invented by damage, pn532", numbers, unit, note="one frame; a badge counts at its second"),
        Row("numbers invented by damage, rdm6300", badges, unit, note="one frame; a badge counts at its second"),
    ]


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
