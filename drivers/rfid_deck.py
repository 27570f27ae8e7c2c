"""A deck with a tag in every card, read one by one as it leaves the shoe. No I/O, no clock.

The reader is a PN532 (`drivers.pn532`) with its antenna under the mouth of the shoe; which tag is which card stands in
a registry (`drivers.deck_registry`). A tag that comes into the field is a card that left; it is gone after three
answers without it, for a tag at the edge of the field is missed now and then.

The deck in play is that of the first known card. A tag of another registered deck is a card that does not belong here;
a number that no deck has counts when it was read twice. Both are cards that left unknown. Two new tags in one answer
are two cards whose order nobody can tell, so both are unknown. What lies on the antenna when the line is opened has
left before.

What it proves. The chip answers all the time, so silence is noticed. The radio link has a CRC (ISO/IEC 14443-3) and
the line to the chip a sum; a damaged number is none of this deck's and never another card. But a card that is pulled
past the antenna too fast leaves no trace: the dealer is asked to confirm the count.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.pn532 import BAUD, Pn532
from drivers.seen import FromShoe
from drivers.shoe_codec import FOREIGN_CARD, TWO_CARDS, UNREADABLE, Caps, Line, Lock, NewDeck, ShoeCommand, Tally

MISSES_TO_GO = 3

Find = Callable[[str], tuple[str, str] | None]
"""Tag number -> (deck, card), None if it is unknown: `Registry.find`."""


class RfidDeck:
    """Satisfies `drivers.shoe_codec.ShoeCodec`."""

    name = "rfid_deck"
    line = Line(BAUD)
    caps = Caps(has_seq=False, has_crc=True, has_heartbeat=True, can_replay=False, reports_face=False)

    def __init__(self, find: Find) -> None:
        self._find = find
        self._reader = Pn532(every_s=0.0, most=2)
        self._tally = Tally()
        self._misses: dict[str, int] | None = None   # tag in the field -> answers without it; None: not known yet
        self._candidates: frozenset[str] = frozenset()               # unknown numbers of the last answer
        self._deck = ""                              # the deck in play; "" before its first card

    @property
    def alive(self) -> bool:
        """Does the chip answer?"""
        return self._reader.alive

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        return self._reader.noise

    @property
    def noise_since_heard(self) -> int:
        """Bytes of noise since the last good frame."""
        return self._reader.noise_since_heard

    def opened(self, now_s: float) -> bytes:
        """Wake the chip."""
        self._reader.opened(now_s)
        self._misses = None
        self._candidates = frozenset()
        return self._reader.to_send(now_s)

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """Cards that came into the field."""
        return [report for tags in self._reader.feed(data, now_s) for report in self._answer(tags)]

    def tick(self, now_s: float) -> list[FromShoe]:  # noqa: ARG002 - the protocol's
        """Nothing happens by itself."""
        return []

    def to_send(self, now_s: float) -> bytes:
        """The next question to the chip."""
        return self._reader.to_send(now_s)

    def commit(self, seq: int, boot: str = "") -> None:
        """Nothing can be acknowledged."""

    def encode(self, command: ShoeCommand) -> bytes | None:
        """A new deck is a matter of our own count; there is nothing to lock."""
        match command:
            case NewDeck():
                self._tally.new_deck()
                self._deck = ""
                return b""
            case Lock():
                return None

    def _answer(self, tags: tuple[str, ...]) -> list[FromShoe]:
        if self._misses is None:
            self._misses = dict.fromkeys(tags, 0)
            return []
        there = self._misses
        unknown = frozenset(uid for uid in tags if uid not in there and self._find(uid) is None)
        new = [uid for uid in tags if uid not in there and (uid not in unknown or uid in self._candidates)]
        self._candidates = unknown
        missed = {uid: misses + 1 for uid, misses in there.items() if uid not in tags and misses + 1 < MISSES_TO_GO}
        self._misses = {**missed, **dict.fromkeys([*(uid for uid in tags if uid in there), *new], 0)}
        if len(new) > 1:
            return [report for _ in new for report in self._tally.unread(TWO_CARDS)]
        return self._card(new[0]) if new else []

    def _card(self, uid: str) -> list[FromShoe]:
        found = self._find(uid)
        if found is None:
            return self._tally.unread(UNREADABLE)
        deck, card = found
        self._deck = self._deck or deck
        return self._tally.card(card) if deck == self._deck else self._tally.unread(FOREIGN_CARD)
