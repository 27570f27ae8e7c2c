"""Angel Eye II-EX (Angel Playing Cards): an optical baccarat shoe, listened to only. No I/O, no clock.

Line: RS-232, 4800 8N1, no flow control. A report is

    05 | seq | data | 03 | BCC          seq: one character; BCC: two hex digits, the XOR of seq to 03

and is sent up to three times with the same seq. `data` begins with a letter:

    S P G M L   game begins, stand-by, result, preset changed, lock: nothing that concerns a poker table
    D d R       a card in a game, outside of one, sent again; two bytes follow: 1ttt iiii (target and index in
                baccarat) and 1sss vvvv (suit 1 diamond, 2 club, 3 spade, 4 heart; value 1 ace .. 13 king)
    C           the cut card
    E e         an error begins, ends; its number follows

The shoe also answers a host: 06 (done), 15 and two digits (refused: 01 line, 02 BCC, 03 no 03, 11 length, 12 address,
13 command, 14 type, 21 busy, 22 writing), or 02 ... 03 BCC. We send nothing: whether the BCC of a command includes its
first byte is described one way and shown in another, and a shoe that took a wrong command for a right one would be
worse than one that cannot be locked. So reports are not acknowledged either, and come three times.

What it proves. The seq tells a repeated report from a new one; it is one character, goes round soon, and nothing can be
asked for again, so lost reports are not noticed. The BCC lets about one damage in 400 through, but a damaged copy
differs from its two fellows: then the card is in doubt, and `CardsLost` says so. The shoe cannot see a boxed card.

Errors 1 (cannot read) and 6 (card code) are taken for a card that left unknown: it has its place in the deal. Errors
2 (overdraw) and 3 (button) are baccarat's.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import xor

from drivers.counted_shoe import FramedShoe
from drivers.seen import CardsLost, CutCard, FromShoe
from drivers.shoe_codec import (
    DRAW_TIMEOUT,
    FOREIGN_CARD,
    REVERSED_AT_EXIT,
    REVERSED_MIDWAY,
    UNREAD,
    UNREADABLE,
    Caps,
    Line,
)

COPIES_WITHIN_S = 2.0            # the copies of one report are not further apart
COPIES_KEPT = 8                  # reports whose copies may still come
FRAME_BYTES = 37                 # 02, 1..32 bytes, 03, BCC is the longest
SUITS = "dcsh"                   # 1 diamond, 2 club, 3 spade, 4 heart
RANKS = "A23456789TJQK"
ERRORS = {
    "1": UNREADABLE,
    "4": REVERSED_AT_EXIT,
    "5": REVERSED_MIDWAY,
    "6": FOREIGN_CARD,
    "7": DRAW_TIMEOUT,
}
CARD_LEFT = frozenset({UNREADABLE, FOREIGN_CARD})
REFUSALS = {
    "01": "line error", "02": "BCC", "03": "no ETX", "11": "length", "12": "address", "13": "command", "14": "type",
    "21": "busy", "22": "writing",
}  # fmt: skip

_FRAME = re.compile(
    rb"\x05(?P<report>(?P<seq>[ -~])(?P<data>[^\x00-\x1f]{1,16})\x03)(?P<bcc>[0-9A-Fa-f]{2})"
    rb"|\x02[^\x00-\x1f]{1,32}\x03[0-9A-Fa-f]{2}"
    rb"|\x15(?P<refused>[0-9]{2})"
    rb"|\x06"
)
_STARTS = re.compile(rb"[\x02\x05\x15]")


def bcc(data: bytes) -> int:
    """XOR of `data`: from seq to 03, both included."""
    return reduce(xor, data, 0)


def report(seq: str, data: bytes) -> bytes:
    """The bytes of one report."""
    body = seq.encode("ascii") + data + b"\x03"
    return b"\x05%b%02X" % (body, bcc(body))


def card_data(card: str, kind: bytes = b"D", target: int = 0, index: int = 0) -> bytes:
    """The data of a card's report. **Raises** ValueError if `card` is none."""
    return kind + bytes([0x80 | target << 4 | index, 0x80 | SUITS.index(card[1]) + 1 << 4 | RANKS.index(card[0]) + 1])


def card_in(data: bytes) -> str:
    """The card of a D, d or R report; `??` if its bytes name none."""
    if len(data) != 3 or data[1] < 0x80 or data[2] < 0x80:
        return UNREAD
    suit, value = data[2] >> 4 & 7, data[2] & 15
    return RANKS[value - 1] + SUITS[suit - 1] if 1 <= suit <= 4 and 1 <= value <= 13 else UNREAD


class AngelEye(FramedShoe):
    """Satisfies `drivers.shoe_codec.ShoeCodec`. A 05 inside a report begins a new one."""

    name = "angel_eye_ii_ex"
    line = Line(4800)
    caps = Caps(has_seq=True, has_crc=False, has_heartbeat=False, can_replay=False, reports_face=False)
    frames = _FRAME

    def __init__(self) -> None:
        super().__init__()
        self.refused: str | None = None              # why the shoe refused the last command of some other host
        self._copies: dict[bytes, tuple[bytes, float]] = {}          # seq -> data, when heard last
        self._last_card = b""

    def opened(self, now_s: float) -> bytes:
        """A new conversation: what comes now is no copy of what came before."""
        self._copies.clear()
        return super().opened(now_s)

    def _reported(self, frame: re.Match[bytes], now_s: float) -> list[FromShoe]:
        if frame["refused"]:
            self.refused = REFUSALS.get(frame["refused"].decode("ascii"), "unknown")
        if not frame["report"]:
            return []
        if bcc(frame["report"]) != int(frame["bcc"], 16):
            self._is_noise(frame[0])
            return []
        self.noise_since_heard = 0
        return self._report(frame["seq"], frame["data"], now_s)

    def _begun(self, buffer: bytes, end: int) -> int:
        starts = [start.start() for start in _STARTS.finditer(buffer, end)]
        return starts[-1] if starts and len(buffer) - starts[-1] < FRAME_BYTES else len(buffer)

    def _report(self, seq: bytes, data: bytes, now_s: float) -> list[FromShoe]:
        copy = self._copies.pop(seq, None)
        if copy is not None and now_s - copy[1] <= COPIES_WITHIN_S:
            self._copies[seq] = (copy[0], now_s)
            return [] if copy[0] == data else [CardsLost(0, 0, "copies")]
        self._copies[seq] = (data, now_s)
        if len(self._copies) > COPIES_KEPT:
            del self._copies[next(iter(self._copies))]
        return self._event(data)

    def _event(self, data: bytes) -> list[FromShoe]:
        kind, rest = data[:1], data[1:].decode("latin-1").strip().lstrip("0")
        if kind in {b"D", b"d"} or (kind == b"R" and data[1:] != self._last_card):
            self._last_card = data[1:]
            card = card_in(data)
            return self._tally.unread() if card == UNREAD else self._tally.card(card)
        if kind == b"C":
            return [CutCard(self._tally.n)]
        code = ERRORS.get(rest)
        if kind == b"E" and code is not None:
            return self._tally.unread(code) if code in CARD_LEFT else self._tally.fault(code)
        if kind == b"e":
            return self._tally.all_over() if code is None else self._tally.over(code)
        return []
