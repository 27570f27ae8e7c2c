"""A PN532 that is not there: frames with real bytes on a pty, with tags that come and go in its field.

`Pn532Sim` is a badge reader. `RfidShoeSim` is the same chip under the mouth of a shoe: cards pass it one after another.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from drivers.far_end import NEVER_S, FarEnd
from drivers.faults import Faults
from drivers.pn532 import ACK, BAUD, FrameReader, frame, tags_answer
from drivers.pty_line import Cable
from drivers.shoe_codec import UNREAD
from drivers.shoe_sim import Mishap, ShoeDevice, ShoeSim

ANSWER_S = 0.004                 # what the chip takes to look for a tag
TAP_ANSWERS = 4
PASS_ANSWERS = 3                 # a card that is drawn past the antenna is seen so often
GAP_ANSWERS = 1
STAYS = 1_000_000
UNKNOWN_UID = "08DEC0DE"         # of a card that nobody registered


class Pn532Device:
    """The chip: asleep until it is woken, then it answers. What lies in its field goes on by one with each answer."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.stalled = False
        self.awake = False
        self._field: deque[tuple[tuple[str, ...], int]] = deque()    # tags, and how many answers see them
        self._reader = FrameReader()
        self._due: deque[tuple[float, bytes]] = deque()

    # --- what passes

    def lay(self, tags: tuple[str, ...], answers: int) -> None:
        """These tags come into the field, after what passes already, for so many answers."""
        self._field.append((tags, answers))

    def clear(self) -> None:
        """Whatever lies there is taken away."""
        self._field.clear()

    @property
    def reading(self) -> bool:
        """Is something in the field, or to come?"""
        return bool(self._field)

    def power_cycle(self) -> None:
        """The chip loses its power and gets it back: it sleeps."""
        self.awake = False
        self._due.clear()

    # --- the line

    def plugged(self, now_s: float) -> bytes:  # noqa: ARG002 - it sleeps
        """The cable was put in, and with it the power."""
        self.power_cycle()
        self.faults.forget()
        self._reader = FrameReader()
        return b""

    def received(self, data: bytes, now_s: float) -> bytes:
        """The host's bytes."""
        self.awake = self.awake or b"\x55" in data
        for content in self._reader.feed(data):
            if content and self.awake and not self.stalled:
                self._due.append((now_s, ACK))
                self._due.append((now_s + ANSWER_S, frame(self._answer(content))))
        return self.tick(now_s)

    def tick(self, now_s: float) -> bytes:
        """Answers that are due."""
        sent = b""
        while self._due and self._due[0][0] <= now_s:
            sent += self.faults.damaged(self._due.popleft()[1])
        return b"" if self.stalled else sent

    def due_s(self) -> float:
        """When the next answer is due."""
        return self._due[0][0] if self._due else time.monotonic() + NEVER_S

    def _answer(self, content: bytes) -> bytes:
        if content[:2] == b"\xd4\x4a" and len(content) == 4:
            return tags_answer(self._seen()[: content[2]])
        if content[:2] in {b"\xd4\x14", b"\xd4\x32"}:
            return b"\xd5" + bytes([content[1] + 1])
        return b"\x7f"                               # an error frame: unknown command

    def _seen(self) -> tuple[str, ...]:
        if not self._field:
            return ()
        tags, answers = self._field.popleft()
        if answers > 1:
            self._field.appendleft((tags, answers - 1))
        return tags


class Pn532Sim(FarEnd[Pn532Device]):
    """The chip as a badge reader, at the far end of a cable."""

    def __init__(self, cable: Path | Cable, name: str = "badge") -> None:
        super().__init__(cable, BAUD, Pn532Device(), name)

    def tap(self, uid_hex: str, frames: int = TAP_ANSWERS) -> None:
        """A badge is held to the reader, for so many answers."""

        def act(chip: Pn532Device) -> None:
            chip.clear()
            chip.lay((uid_hex,), frames)

        self.do(act)

    def hold(self, uid_hex: str) -> None:
        """A badge is laid on the reader and stays."""
        self.tap(uid_hex, STAYS)

    def graze(self, uid_hex: str) -> None:
        """A badge that was pulled away too early: the chip saw it once."""
        self.tap(uid_hex, 1)

    def lift(self) -> None:
        """The badge is taken away."""
        self.do(lambda chip: chip.clear())


class RfidShoeDevice(Pn532Device, ShoeDevice):
    """The chip under the mouth of a shoe. `uids`: card -> its tag's number; `foreign`: the same of another deck."""

    notices = frozenset({Mishap.UNREADABLE, Mishap.FOREIGN, Mishap.TWO})

    def __init__(self, uids: Mapping[str, str], foreign: Mapping[str, str] | None = None) -> None:
        Pn532Device.__init__(self)
        ShoeDevice.__init__(self)
        self._uids = dict(uids)
        self._foreign = dict(foreign or {})

    def report(self, card: str) -> None:
        """A card passes the antenna; `??` is one that nobody registered."""
        self.pass_by((UNKNOWN_UID if card == UNREAD else self._uids[card],))

    def draw_foreign(self, card: str) -> None:
        """A card of another registered deck, or of one that is not registered."""
        self._taken(card)
        self.pass_by((self._foreign.get(card, UNKNOWN_UID),))

    def draw_two(self) -> None:
        """The top two pass the antenna together."""
        two, self.deck = self.deck[:2], self.deck[2:]
        self.pass_by(tuple(self._uids[card] for card in two))

    def pass_by(self, uids: tuple[str, ...]) -> None:
        """These tags pass the antenna together."""
        self.lay(uids, PASS_ANSWERS)
        self.lay((), GAP_ANSWERS)

    def plugged(self, now_s: float) -> bytes:
        """What passed while there was no power has left unseen."""
        self.clear()
        return super().plugged(now_s)

    def reboot(self, now_s: float) -> None:
        """The chip loses its power and gets it back."""
        self.plugged(now_s)


class RfidShoeSim(ShoeSim[RfidShoeDevice]):
    """Such a shoe at the far end of a cable."""

    def __init__(
        self, cable: Path | Cable, uids: Mapping[str, str], name: str = "shoe", foreign: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(cable, BAUD, RfidShoeDevice(uids, foreign), name)

    def pass_by(self, uids: tuple[str, ...]) -> None:
        """These tags pass the antenna together."""
        self.do(lambda shoe: shoe.pass_by(uids))
