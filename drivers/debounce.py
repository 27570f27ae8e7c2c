"""Bouncing contacts as a pure function of level and time: no press and no release lost, none invented.

A press counts at its first edge: the dealer must not wait for a spring to calm down. A release counts once the line has
stayed open for `LOCK_NS`; an opening that closes again before that was the contact bouncing (or the table being hit
while a finger lay on the key) and is nothing. So bounce on the way down, bounce on the way up and a shaken key give
exactly one press and one release, and a tap shorter than the lock gives both.

Everything is told through `seen(contact, closed, at_ns)`, edges as they come and the level as it is read again at
`due_ns(contact)`, where a missed edge is found. What is older than the last sample is ignored, because an edge may
reach us after the reading that already saw its outcome (lgpio holds edges back for half a millisecond and polls every
half millisecond).

Not the back ends' own `bounce_time`: lgpio delays every edge by it and loses shorter taps, RPi.GPIO goes deaf and loses
the release, gpiozero's mock ignores it (github.com/gpiozero/gpiozero/issues/1039, /issues/550).
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

LOCK_NS = 25_000_000  # tactile keys bounce for up to 10 ms, worn ones for 20; a finger needs 35 ms between two taps


class Phase(Enum):
    """What the contact does."""

    OPEN = "open"
    CLOSED = "closed"
    OPENING = "opening"  # open, but not for long enough to call it a release


class Change(Enum):
    """What the finger did."""

    PRESS = "press"
    RELEASE = "release"


class Contact(NamedTuple):
    """One contact: when it first closed, last opened, was last seen; `told`: its press was reported."""

    phase: Phase
    closed_ns: int
    opened_ns: int
    seen_ns: int
    told: bool

    @property
    def closed(self) -> bool:
        """The level that was last seen."""
        return self.phase is Phase.CLOSED


def at_start(closed: bool, at_ns: int) -> Contact:
    """A contact first looked at. One that is closed already was not pressed for us: it stays silent until it opens."""
    return Contact(Phase.CLOSED if closed else Phase.OPEN, at_ns, at_ns, at_ns, told=False)


def seen(contact: Contact, closed: bool, at_ns: int, lock_ns: int = LOCK_NS) -> tuple[Contact, Change | None]:
    """The contact after its level was `closed` at `at_ns` (edge or reading), and what that means."""
    if at_ns < contact.seen_ns:
        return contact, None
    contact = contact._replace(seen_ns=at_ns)
    match contact.phase, closed:
        case Phase.OPEN, True:
            return contact._replace(phase=Phase.CLOSED, closed_ns=at_ns, told=True), Change.PRESS
        case Phase.CLOSED, False:
            return contact._replace(phase=Phase.OPENING, opened_ns=at_ns), None
        case Phase.OPENING, True:
            return contact._replace(phase=Phase.CLOSED), None
        case Phase.OPENING, False if at_ns - contact.opened_ns >= lock_ns:
            return contact._replace(phase=Phase.OPEN, told=False), Change.RELEASE if contact.told else None
    return contact, None


def due_ns(contact: Contact, lock_ns: int = LOCK_NS) -> int | None:
    """When the level must be read again; None while only an edge can change anything."""
    return contact.opened_ns + lock_ns if contact.phase is Phase.OPENING else None
