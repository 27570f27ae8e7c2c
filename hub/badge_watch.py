"""Badges that cannot be where they are: one at two tables within a minute, or one that was revoked.

A badge's number is a name and no proof; anybody can copy it. Two taps at two tables, closer together than a dealer can
walk and be relieved, are two badges or a lent one. The time is the tables' own wall clock, so that news that comes late
(a table that was without its hub) is judged by when it happened. An alarm is shown for ten minutes, and proves nothing:
a person must look.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from hub.picture import Alarm

WITHIN_MS = 60_000
SHOWN_MS = 600_000
KEPT_ALARMS = 100


class Tap(NamedTuple):
    """A dealer's badge at a table. `badge` is its keyed hash; `utc_ms` as the table stamped it."""

    badge: str
    table_no: int
    utc_ms: int


class BadgeWatch:
    """Knows where each badge was tapped last at each table. Fed in the order of the events' commits."""

    def __init__(self, revoked: tuple[str, ...] = ()) -> None:
        """`revoked`: hashes of badges that may not be used."""
        self._revoked = frozenset(revoked)
        self._taps: dict[str, dict[int, int]] = {}               # badge -> table -> when it was tapped there last
        self._alarms: deque[tuple[int, Alarm]] = deque(maxlen=KEPT_ALARMS)

    def tapped(self, tap: Tap) -> Alarm | None:
        """Takes in a tap; the alarm it raises, if any."""
        at_tables = self._taps.setdefault(tap.badge, {})
        near = sorted(no for no, ms in at_tables.items() if no != tap.table_no and abs(tap.utc_ms - ms) <= WITHIN_MS)
        at_tables[tap.table_no] = max(tap.utc_ms, at_tables.get(tap.table_no, tap.utc_ms))
        if tap.badge in self._revoked:
            alarm = Alarm("revoked", tap.table_no, name=tap.badge[:6])
        elif near:
            alarm = Alarm("twice", tap.table_no, tuple(sorted([*near, tap.table_no])), name=tap.badge[:6])
        else:
            return None
        self._alarms.append((tap.utc_ms, alarm))
        return alarm

    def alarms(self, utc_ms: int) -> list[Alarm]:
        """What is to be shown now, oldest first."""
        return [alarm for at_ms, alarm in self._alarms if utc_ms - at_ms <= SHOWN_MS]
