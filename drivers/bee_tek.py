"""Bee-Tek (USPC): an optical shoe that sends text once and forgets it. No I/O, no clock.

Line: RS-232, 9600 8N1, no flow control. What a poker table needs of it:

    [Game]<Card:4S>   [Manual Burn Cards]<Card:H3>    a card left; rank first or suit first, ten as T or 10
    [Manual Burn Cards]<Game>                         a card left that could not be read
    [Game]<Alarm:E3 Card Not Read>                    the same as an alarm; other alarms have other numbers
    <W0x01>                                           a warning of the shoe's own

Set the shoe to its diagnostic mode *Manual Burn Cards*: then every draw is reported, without the order of baccarat.

What it proves: nothing. There is no number, no checksum and no repeat; a flipped bit may turn one card into another,
and a report that was lost is lost. So the dealer is asked to confirm the count, and a card that comes twice is told.
"""

from __future__ import annotations

import re

from drivers.seen import FromShoe
from drivers.shoe_codec import Caps, Line, Lock, NewDeck, ShoeCommand, Tally, card_of

SAME_CARD_S = 1.0                # an alarm and a report of one unread card are not further apart
FRAME_BYTES = 80
NOT_READ = b"E3"

_FRAME = re.compile(
    rb"\[(?:Game|GameAlarm|Manual Burn Cards)\]"
    rb"<(?:Card:(?P<card>[0-9A-Za-z]{2,3})|(?P<unread>Game)|Alarm:(?P<alarm>E[0-9]{1,2})[^<>\[\]]{0,40})>"
    rb"|<W0x[0-9A-Fa-f]{1,4}>"
)


class BeeTek:
    """Satisfies `drivers.shoe_codec.ShoeCodec`."""

    name = "bee_tek"
    line = Line(9600)
    caps = Caps(has_seq=False, has_crc=False, has_heartbeat=False, can_replay=False, reports_face=False)

    def __init__(self) -> None:
        self.alive = False
        self.noise = 0
        self.noise_since_heard = 0
        self._rest = b""
        self._tally = Tally()
        self._unread: tuple[str, float] | None = None                # how the last unread card was told, and when

    def opened(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """An open line is all that can be known."""
        self.alive = True
        self.noise = self.noise_since_heard = 0
        self._rest = b""
        return b""

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """What was reported with these bytes; spaces and line ends between reports are no noise."""
        buffer = self._rest + data
        end = 0
        reports: list[FromShoe] = []
        for match in _FRAME.finditer(buffer):
            self._count(buffer[end : match.start()])
            end = match.end()
            self.noise_since_heard = 0
            if match["card"]:
                card = card_of(match["card"].decode("ascii"))
                self._unread = None
                reports += self._tally.card(card) if card else self._tally.unread()
            elif match["unread"] or match["alarm"] == NOT_READ:
                reports += self._not_read("report" if match["unread"] else "alarm", now_s)
            elif match["alarm"]:
                reports += self._tally.fault(match["alarm"].decode("ascii"))
        tail = max(buffer.rfind(b"[", end), buffer.rfind(b"<W", end))
        if tail < 0 or len(buffer) - tail >= FRAME_BYTES:
            tail = len(buffer) - 1 if buffer.endswith(b"<", end) else len(buffer)
        self._count(buffer[end:tail])
        self._rest = buffer[tail:]
        return reports

    def tick(self, now_s: float) -> list[FromShoe]:  # noqa: ARG002 - the protocol's
        """Silence says nothing."""
        return []

    def to_send(self, now_s: float) -> bytes:  # noqa: ARG002 - the protocol's
        """The shoe takes nothing."""
        return b""

    def commit(self, seq: int, boot: str = "") -> None:
        """Nothing can be acknowledged."""

    def encode(self, command: ShoeCommand) -> bytes | None:
        """A new deck is a matter of our own count; the shoe cannot be locked."""
        match command:
            case NewDeck():
                self._tally.new_deck()
                return b""
            case Lock():
                return None

    def _count(self, noise: bytes) -> None:
        self.noise += len(noise.strip())
        self.noise_since_heard += len(noise.strip())

    def _not_read(self, told: str, now_s: float) -> list[FromShoe]:
        """One card, though it may be told by a report and by an alarm."""
        known = self._unread
        if known is not None and known[0] != told and now_s - known[1] <= SAME_CARD_S:
            self._unread = None
            return []
        self._unread = (told, now_s)
        return self._tally.unread()
