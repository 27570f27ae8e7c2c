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

from drivers.counted_shoe import FramedShoe
from drivers.seen import FromShoe
from drivers.shoe_codec import Caps, Line, card_of

SAME_CARD_S = 1.0                # an alarm and a report of one unread card are not further apart
FRAME_BYTES = 80
NOT_READ = b"E3"

_FRAME = re.compile(
    rb"\[(?:Game|GameAlarm|Manual Burn Cards)\]"
    rb"<(?:Card:(?P<card>[0-9A-Za-z]{2,3})|(?P<unread>Game)|Alarm:(?P<alarm>E[0-9]{1,2})[^<>\[\]]{0,40})>"
    rb"|<W0x[0-9A-Fa-f]{1,4}>"
)


class BeeTek(FramedShoe):
    """Satisfies `drivers.shoe_codec.ShoeCodec`. Spaces and line ends between reports are no noise."""

    name = "bee_tek"
    line = Line(9600)
    caps = Caps(has_seq=False, has_crc=False, has_heartbeat=False, can_replay=False, reports_face=False)
    frames = _FRAME

    def __init__(self) -> None:
        super().__init__()
        self._unread: tuple[str, float] | None = None                # how the last unread card was told, and when

    def _reported(self, frame: re.Match[bytes], now_s: float) -> list[FromShoe]:
        self.noise_since_heard = 0
        if frame["card"]:
            card = card_of(frame["card"].decode("ascii"))
            self._unread = None
            return self._tally.card(card) if card else self._tally.unread()
        if frame["unread"] or frame["alarm"] == NOT_READ:
            return self._not_read("report" if frame["unread"] else "alarm", now_s)
        return self._tally.fault(frame["alarm"].decode("ascii")) if frame["alarm"] else []

    def _begun(self, buffer: bytes, end: int) -> int:
        begun = max(buffer.rfind(b"[", end), buffer.rfind(b"<W", end))
        if begun >= 0 and len(buffer) - begun < FRAME_BYTES:
            return begun
        return len(buffer) - 1 if buffer.endswith(b"<", end) else len(buffer)

    def _is_noise(self, data: bytes) -> None:
        super()._is_noise(data.strip())

    def _not_read(self, told: str, now_s: float) -> list[FromShoe]:
        """One card, though it may be told by a report and by an alarm."""
        known = self._unread
        if known is not None and known[0] != told and now_s - known[1] <= SAME_CARD_S:
            self._unread = None
            return []
        self._unread = (told, now_s)
        return self._tally.unread()
