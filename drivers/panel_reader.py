"""The panel's lines as what the dealer did: contacts and phases in, keys, turns and troubles out. No pins, no threads.

`PanelReader` is told levels (edges as they come, readings when `due_ns` says so) and answers with what to report. It is
the whole of the panel's input logic, so it runs in a test without a clock as it runs on a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from drivers import debounce, knob
from drivers.debounce import Change, Contact, Phase
from drivers.seen import (
    ErrorKind,
    InputDown,
    InputUp,
    Key,
    KeyPressed,
    KeyReleased,
    KeysTogether,
    KnobMissed,
    KnobPushed,
    KnobTurned,
    Seen,
)

EDGE_NS = 5_000_000       # an edge that has happened is delivered within this; a later one is still believed
TOGETHER_NS = 60_000_000  # two keys that go down within this were hit by one finger, or by two at once
STUCK_NS = 20_000_000_000  # nobody holds a key for 20 s: something lies on it, or its wire touches ground


class KnobLine(StrEnum):
    """The knob's three lines."""

    A = "knob_a"
    B = "knob_b"
    PUSH = "knob_push"


Line = Key | KnobLine
LINES: tuple[Line, ...] = (*Key, *KnobLine)
_CONTACTS: tuple[Line, ...] = (*Key, KnobLine.PUSH)
Sighting = tuple[Seen, int]


class PanelReader:
    """Turns levels into sightings. Not thread-safe: one thread owns it. Times in monotonic ns."""

    def __init__(
        self, levels: Mapping[Line, bool], at_ns: int, lock_ns: int = debounce.LOCK_NS, stuck_ns: int = STUCK_NS
    ) -> None:
        self._lock_ns = lock_ns
        self._stuck_ns = stuck_ns
        self._contacts: dict[Line, Contact] = {
            line: debounce.at_start(levels.get(line, False), at_ns) for line in _CONTACTS
        }
        self._phases: dict[Line, bool] = {line: levels.get(line, False) for line in (KnobLine.A, KnobLine.B)}
        self._rotation = knob.Rotation(self._phases[KnobLine.A], self._phases[KnobLine.B])
        self._repeats = 0                    # edges of the knob since it rested that told no change: one was missed
        self._turned_while_pushed = False
        self._stuck: set[Line] = set()
        self._waiting: dict[Line, int] = {}  # line -> until when the edge behind a surprising reading may come
        self._presumed: dict[Line, Contact] = {}  # line -> what it was before a reading ended its lock

    def level(self, line: Line) -> bool:
        """Whether `line` was closed when it was last seen."""
        contact = self._contacts.get(line)
        return contact.closed if contact else self._phases[line]

    def seen(self, line: Line, closed: bool, at_ns: int) -> list[Sighting]:
        """What an edge of `line` means. Edges come in the order in which they happened."""
        if line in self._phases:
            self._repeats += self._phases[line] is closed
            return self._overdue(KnobLine.PUSH, at_ns) + self._phase(line, closed, at_ns)
        before = self._presumed.pop(line, None)
        if before is not None and closed:
            self._contacts[line] = before  # the edge knows better than the reading whether it fell into the lock
        return self._overdue(line, at_ns) + self._judge(line, closed, at_ns)

    def read(self, line: Line, closed: bool, at_ns: int) -> list[Sighting]:
        """What a reading of `line` means. At the lock's end it is believed until the next edge, which knows better.

        Found open, the key was released at the lock's end: a tap since, of which the reading saw nothing, is told by
        its edges. Found closed, it waits for the edge that says whether the contact bounced or was pressed again;
        without one it bounced.
        """
        if line in self._phases:
            return self._phase(line, closed, at_ns)
        contact = self._contacts[line]
        if contact.phase is not Phase.OPENING:
            self._presumed.pop(line, None)
            return self._judge(line, closed, at_ns)
        if not closed:
            found = self._overdue(line, at_ns)
            if self._contacts[line].phase is Phase.OPEN:
                self._presumed[line] = contact._replace(told=False)  # its release is told
            return found
        if at_ns < self._waiting.setdefault(line, at_ns + EDGE_NS):
            return []
        self._presumed[line] = contact
        return self._judge(line, closed, at_ns)

    def _overdue(self, line: Line, at_ns: int) -> list[Sighting]:
        """A release that was due by `at_ns` and is not read yet: the line was open, or an edge had said otherwise."""
        due = self._due_ns(self._contacts[line])
        return [] if due is None or due > at_ns else self._judge(line, closed=False, at_ns=due)

    def _judge(self, line: Line, closed: bool, at_ns: int) -> list[Sighting]:
        contact, change = debounce.seen(self._contacts[line], closed, at_ns, self._lock_ns)
        self._contacts[line] = contact
        if contact.phase is not Phase.OPENING:
            self._waiting.pop(line, None)
        found: list[Sighting] = []
        if contact.phase is Phase.OPEN and line in self._stuck:
            self._stuck.discard(line)
            found.append((InputUp(f"panel {line}"), at_ns))
        if change is not None:
            found += [(what, at_ns) for what in self._meaning(line, change)]
        if change is Change.PRESS and isinstance(line, Key):
            found += [(KeysTogether(other, line), at_ns) for other in self._beside(line, at_ns)]
        return found

    def _beside(self, key: Key, at_ns: int) -> list[Key]:
        """The other key that went down a blink ago and is down still, if there is one."""
        down = {other: self._contacts[other] for other in Key if other is not key}
        return [
            other for other, contact in down.items()
            if contact.phase is Phase.CLOSED and at_ns - contact.closed_ns <= TOGETHER_NS
        ][:1]  # fmt: skip

    def due_ns(self) -> int | None:
        """When `due` will next name a line, or a key may be stuck; None while nothing is pressed."""
        times = [due for line in self._contacts if (due := self._read_ns(line)) is not None]
        times += [
            contact.closed_ns + self._stuck_ns
            for line, contact in self._contacts.items()
            if contact.phase is Phase.CLOSED and line not in self._stuck
        ]
        return min(times, default=None)

    def due(self, now_ns: int) -> list[Line]:
        """The lines whose level must be read now and told through `read`; only while no edge waits to be told."""
        return [line for line in self._contacts if (due := self._read_ns(line)) is not None and due <= now_ns]

    def stuck(self, now_ns: int) -> Iterable[Sighting]:
        """Keys that have been down for too long, each once."""
        for line, contact in self._contacts.items():
            held = contact.phase is Phase.CLOSED and now_ns - contact.closed_ns >= self._stuck_ns
            if held and line not in self._stuck:
                self._stuck.add(line)
                hint = f"{line} is stuck down: free it; if nothing lies on it, its wire touches ground"
                yield InputDown(f"panel {line}", ErrorKind.STUCK, hint), now_ns

    def _read_ns(self, line: Line) -> int | None:
        return self._waiting.get(line, self._due_ns(self._contacts[line]))

    def _due_ns(self, contact: Contact) -> int | None:
        return debounce.due_ns(contact, self._lock_ns)

    def _phase(self, line: Line, closed: bool, at_ns: int) -> list[Sighting]:
        self._phases[line] = closed
        missed = knob.missed(self._rotation, self._phases[KnobLine.A], self._phases[KnobLine.B])
        self._rotation, detents = knob.turned(self._rotation, self._phases[KnobLine.A], self._phases[KnobLine.B])
        told: list[Sighting] = []
        if not any(self._phases.values()):
            told = [(KnobMissed(), at_ns)] if missed or (self._repeats and not detents) else []
            self._repeats = 0
        if not detents:
            return told
        pushed = self._contacts[KnobLine.PUSH].phase is not Phase.OPEN
        self._turned_while_pushed |= pushed
        return [(KnobTurned(detents, pushed), at_ns), *told]

    def _meaning(self, line: Line, change: Change) -> Iterable[Seen]:
        if isinstance(line, Key):
            yield KeyPressed(line) if change is Change.PRESS else KeyReleased(line)
        elif change is Change.PRESS:
            self._turned_while_pushed = False
        elif not self._turned_while_pushed:
            yield KnobPushed()
