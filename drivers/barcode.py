"""A barcode scanner at the mouth of a shoe: one line of text for each card. No I/O, no clock.

Line: 9600 8N1 unless the scanner is set otherwise. A card is its code, ended by CR, LF or both; an STX (02) before it,
if the scanner can be made to send one, lets a code be read that noise runs into. A code is what is printed on the card:
by default the card itself ("Ah", "10H", "h10"), else as a table of codes says. The scanner says `NOREAD` (or as in
`NO_READ`) for a card that it could not read. A code that is no card's is a card that does not belong here.

What it proves: nothing. Some codes printed on cards carry a check digit, which the scanner tests; the line has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from drivers.counted_shoe import SpeakingShoe
from drivers.seen import FromShoe
from drivers.shoe_codec import CARDS, FOREIGN_CARD, Caps, Line, card_of

LINE_BYTES = 64
NO_READ = frozenset({"NOREAD", "NO READ", "NR", "ERROR", "NG", "?", "??"})

_ENDS = re.compile(rb"[\r\n]")
_CODE = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{1,23}")


class CodesError(ValueError):
    """The table of codes cannot be used; the text says which line and what is wrong."""


def read_codes(path: Path) -> dict[str, str]:
    """The codes in a file of lines `code,card`. **Raises** CodesError, OSError."""
    codes: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        code, comma, text = (part.strip() for part in line.partition(","))
        card = card_of(text)
        if not comma or not card or not _CODE.fullmatch(code):
            raise CodesError(f"{path}:{number}: {line!r} is no `code,card`; write for example 0010021,Ah")
        if code in codes:
            raise CodesError(f"{path}:{number}: code {code} stands there twice; each code is one card's")
        codes[code] = card
    if missing := sorted(CARDS - set(codes.values())):
        raise CodesError(f"{path}: no code for {' '.join(missing)}; a deck has 52 cards")
    return codes


class Barcode(SpeakingShoe):
    """Satisfies `drivers.shoe_codec.ShoeCodec`."""

    name = "barcode"
    line = Line(9600)
    caps = Caps(has_seq=False, has_crc=False, has_heartbeat=False, can_replay=False, reports_face=False)

    def __init__(self, codes: Mapping[str, str] | None = None) -> None:
        """`codes`: code -> card; None: the card's own text is its code."""
        super().__init__()
        self._codes = codes

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:  # noqa: ARG002 - the protocol's
        """What was read with these bytes. A line that is no code and no `NO_READ` is noise."""
        *lines, self._rest = _ENDS.split(self._rest + data)
        reports = [report for line in lines for report in self._line(line)]
        if len(self._rest) > LINE_BYTES:
            self._is_noise(self._rest)
            self._rest = b"\x00"                     # what is left of this line is no code either
        return reports

    def _line(self, line: bytes) -> list[FromShoe]:
        before, _, code_bytes = line.rpartition(b"\x02")
        self._is_noise(before)
        code = code_bytes.decode("latin-1").strip(" ")
        card = card_of(code) if self._codes is None else self._codes.get(code, "")
        if card:
            reports = self._tally.card(card)
        elif code.upper() in NO_READ:
            reports = self._tally.unread()
        elif code.isascii() and _CODE.fullmatch(code):
            reports = self._tally.unread(FOREIGN_CARD)
        else:
            self._is_noise(code_bytes)
            return []
        self.noise_since_heard = 0
        return reports
