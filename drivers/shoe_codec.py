"""The seam between a card shoe's driver and its protocol: what every shoe's codec does, and what it can prove.

A codec has no I/O, no clock and no thread: it is given bytes and the time, and says what the shoe reported and what to
write. `drivers.shoe` drives any of them. Shoes differ in what they can prove: some number their events and keep them
until they are acknowledged, others send a line of text once and forget it. `Caps` says which, so that whoever cannot
rely on the shoe asks the dealer.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from drivers.seen import CardOut, FromShoe, ShoeError

UNREAD = "??"
CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "shdc")

# Error codes of OSP/1 (docs/osp1.md), used for every shoe. A shoe's own code stands where OSP/1 has none.
UNREADABLE = "01"
TWO_CARDS = "02"
REVERSED_AT_EXIT = "04"
REVERSED_MIDWAY = "05"
FOREIGN_CARD = "06"
DRAW_TIMEOUT = "07"
SAME_CARD_TWICE = "09"

_CARD_TEXT = re.compile(
    r"(?P<rank>10|[2-9TJQKA])(?P<suit>[SHDC])|(?P<suit_first>[SHDC])(?P<rank_last>10|[2-9TJQKA])", re.IGNORECASE
)


class Line(NamedTuple):
    """The settings of a serial line; 8 bits, no parity, 1 stop bit, no flow control for every device there is."""

    baud: int


class Caps(NamedTuple):
    """What a shoe's protocol can prove.

    `has_seq`: events carry a number, so that a repeated one is known. `has_crc`: a damaged frame is not believed.
    `has_heartbeat`: a shoe that fell silent is noticed. `can_replay`: what was not acknowledged is sent again.
    `reports_face`: a card that lies face up (boxed) is told.
    """

    has_seq: bool
    has_crc: bool
    has_heartbeat: bool
    can_replay: bool
    reports_face: bool

    @property
    def proves_count(self) -> bool:
        """Can no card be lost, doubled or changed on the line without being noticed? Else a person must count."""
        return self.has_seq and self.has_crc and self.can_replay


class NewDeck(NamedTuple):
    """Another deck goes into the shoe, named by 1..32 letters, digits, `_` or `-`: every card may come again."""

    deck: str


class Lock(NamedTuple):
    """Lock or unlock the shoe."""

    locked: bool


ShoeCommand = NewDeck | Lock


class ShoeCodec(Protocol):
    """One protocol, for one shoe. Lives as long as the driver; `opened` begins a new conversation.

    `now_s` is any clock that does not go back. Not for several threads at once.
    """

    @property
    def name(self) -> str:
        """As in the configuration."""
        ...

    @property
    def line(self) -> Line:
        """How the shoe's line is set."""
        ...

    @property
    def caps(self) -> Caps:
        """What it can prove."""
        ...

    @property
    def alive(self) -> bool:
        """Is the shoe heard? Without a heartbeat an open line is all that can be known."""
        ...

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        ...

    @property
    def noise_since_heard(self) -> int:
        """Bytes of noise since the last good frame."""
        ...

    def opened(self, now_s: float) -> bytes:
        """The line is open anew: half a frame from before is void. Returns what to send first."""
        ...

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """What the shoe reported with these bytes, which may be cut anywhere; in order, each event once."""
        ...

    def tick(self, now_s: float) -> list[FromShoe]:
        """What follows from silence."""
        ...

    def to_send(self, now_s: float) -> bytes:
        """What to write to the line now."""
        ...

    def commit(self, seq: int, boot: str = "") -> None:
        """Event `seq` of power-up `boot` and all before it are on disk."""
        ...

    def encode(self, command: ShoeCommand) -> bytes | None:
        """The bytes of a command; b"" if nothing need be said, None if this shoe cannot do it."""
        ...


def card_of(text: str) -> str:
    """The card that `text` names, rank first or suit first ("4S", "h3", "10D"), as "4s"; "" if it names none."""
    match = _CARD_TEXT.fullmatch(text)
    if match is None:
        return ""
    rank, suit = match["rank"] or match["rank_last"], match["suit"] or match["suit_first"]
    return rank.upper().replace("10", "T") + suit.lower()


class Tally:
    """Counts the cards of a shoe that does not: their number since the deck was new, and whether one comes twice.

    It also ends an error that its shoe only begins: with the next card it is over.
    """

    def __init__(self) -> None:
        self.n = 0               # cards since the deck was new
        self._out: set[str] = set()
        self._faults: list[str] = []

    def new_deck(self) -> None:
        """Every card may come again."""
        self.n = 0
        self._out.clear()

    def fault(self, code: str) -> list[FromShoe]:
        """The shoe has a fault until the next card leaves; told once."""
        if code in self._faults:
            return []
        self._faults.append(code)
        return [ShoeError(code, on=True)]

    def over(self, code: str) -> list[FromShoe]:
        """The shoe says that a fault is over."""
        if code not in self._faults:
            return []
        self._faults.remove(code)
        return [ShoeError(code, on=False)]

    def all_over(self) -> list[FromShoe]:
        """Every fault is over."""
        reports: list[FromShoe] = [ShoeError(code, on=False) for code in self._faults]
        self._faults.clear()
        return reports

    def card(self, card: str, face: str = "X") -> list[FromShoe]:
        """A card left: `card` may be `??`. An earlier fault is over; a card that is out already is told first."""
        reports = self.all_over()
        if card in self._out:
            reports += self.fault(SAME_CARD_TWICE)
        self.n += 1
        if card != UNREAD:
            self._out.add(card)
        reports.append(CardOut(self.n, card, face, 0 if card == UNREAD else 99))
        return reports

    def unread(self, code: str = UNREADABLE) -> list[FromShoe]:
        """A card left and nobody can say which; `code` says why."""
        card = self.card(UNREAD)
        return [*card[:-1], *self.fault(code), card[-1]]
