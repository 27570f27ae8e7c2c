"""Two evenings are the same if they have the same fingerprint.

It covers every public event that the tables sent and the hub committed, in each table's own order: hands, actions,
boards, cards shown, pots, eliminations, moves, levels. It leaves out what differs between two equal evenings: times,
numbers of incarnations, and who dealt (a badge is named by a hash with the site's secret key).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from hub.store import Store

PAGE = 1000
LEFT_OUT = frozenset({"dealer_on"})


def fingerprint(store_path: Path) -> str:
    """Sixteen hexadecimal digits over the hub's store at `store_path`; the hub must have ended."""
    store = Store(store_path)
    try:
        events = []
        cursor = 0
        while page := store.events_after(cursor, PAGE):
            events += [stored.envelope for stored in page]
            cursor = page[-1].cursor
    finally:
        store.close()
    digest = hashlib.sha256()
    for event in sorted(events, key=lambda event: (event.unit, event.ep, event.seq)):
        if event.kind not in LEFT_OUT:
            digest.update(f"{event.unit} {event.kind} {event.hand}.{event.hand_rev} ".encode())
            digest.update(bytes(event.body) + b"\n")
    return digest.hexdigest()[:16]
