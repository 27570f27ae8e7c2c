"""A deck with a tag in every card, read one by one as it leaves the shoe. No I/O, no clock.

The reader is a PN532 (`drivers.pn532`) with its antenna under the mouth of the shoe; which tag is which card stands in
a registry (`drivers.deck_registry`). A tag that comes into the field is a card that left; it is gone after three
answers without it, for a tag at the edge of the field is missed now and then.

A card counts when its tag was seen twice: one damaged number must not be another card. A known tag that was seen once
and never again is a card that left too fast to be sure of, so it left unknown; the order in which tags came into the
field is kept. A number that no deck has, seen once, is nothing; seen twice, a card that left unknown. Two tags that
came in the same answer are two cards whose order nobody can tell, so both are unknown. The deck in play is that of the
first known card; a tag of another registered deck is a card that does not belong here. What lies on the antenna when
the line is opened has left before.

What it proves. The chip answers all the time, so silence is noticed. The radio link has a CRC (ISO/IEC 14443-3), the
line to the chip a sum, and a number counts twice seen. But a card that is pulled past the antenna too fast leaves no
trace: the dealer is asked to confirm the count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drivers.counted_shoe import CountedShoe
from drivers.pn532 import BAUD, OnPn532, Pn532
from drivers.seen import FromShoe
from drivers.shoe_codec import FOREIGN_CARD, TWO_CARDS, UNREADABLE, Caps, Line, NewDeck, ShoeCommand

MISSES_TO_GO = 3
SEEN_TO_COUNT = 2

Find = Callable[[str], tuple[str, str] | None]
"""Tag number -> (deck, card), None if it is unknown: `Registry.find`."""


@dataclass
class _Tag:
    """A tag in the field. `first`: the answer that saw it first; `told`: its card was reported."""

    first: int
    seen: int = 1
    misses: int = 0
    told: bool = False


class RfidDeck(OnPn532, CountedShoe):
    """Satisfies `drivers.shoe_codec.ShoeCodec`."""

    name = "rfid_deck"
    line = Line(BAUD)
    caps = Caps(has_seq=False, has_crc=True, has_heartbeat=True, can_replay=False, reports_face=False)

    def __init__(self, find: Find) -> None:
        OnPn532.__init__(self, Pn532(every_s=0.0, most=2))
        CountedShoe.__init__(self)
        self._find = find
        self._field: dict[str, _Tag] = {}            # in the order in which they came
        self._answers = 0                            # since the line was opened
        self._deck = ""                              # the deck in play; "" before its first card

    def opened(self, now_s: float) -> bytes:
        """Wake the chip; what lies on the antenna now has left before."""
        self._field = {}
        self._answers = 0
        return super().opened(now_s)

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """Cards that came into the field."""
        return [report for tags in self._chip.feed(data, now_s) for report in self._answer(tags)]

    def encode(self, command: ShoeCommand) -> bytes | None:
        """A new deck may be another one."""
        if isinstance(command, NewDeck):
            self._deck = ""
        return super().encode(command)

    def _answer(self, tags: tuple[str, ...]) -> list[FromShoe]:
        self._answers += 1
        for uid in tags:
            known = self._field.get(uid)
            if known is None:
                self._field[uid] = _Tag(self._answers, told=self._answers == 1)
            else:
                known.seen, known.misses = known.seen + 1, 0
        for uid, tag in self._field.items():
            tag.misses += uid not in tags
        reports = self._told()
        self._field = {uid: tag for uid, tag in self._field.items() if tag.misses < MISSES_TO_GO}
        return reports

    def _told(self) -> list[FromShoe]:
        """The cards that are sure now, and before each those that came earlier and never will be."""
        waiting = {uid: tag for uid, tag in self._field.items() if not tag.told}
        ripe = [tag.first for tag in waiting.values() if tag.seen >= SEEN_TO_COUNT]
        last = max(ripe, default=0)
        reports: list[FromShoe] = []
        for uid, tag in waiting.items():
            sure = tag.seen >= SEEN_TO_COUNT
            if not sure and (self._find(uid) is None or (tag.first >= last and tag.misses < MISSES_TO_GO)):
                continue
            tag.told = True
            if not sure:
                reports += self._tally.unread()
            elif ripe.count(tag.first) > 1:
                reports += self._tally.unread(TWO_CARDS)
            else:
                reports += self._card(uid)
        return reports

    def _card(self, uid: str) -> list[FromShoe]:
        found = self._find(uid)
        if found is None:
            return self._tally.unread(UNREADABLE)
        deck, card = found
        self._deck = self._deck or deck
        return self._tally.card(card) if deck == self._deck else self._tally.unread(FOREIGN_CARD)
