"""A card shoe that is not there: OSP/1 with real bytes, on a pty, and a shoe's misbehaviour on request.

`Osp1Device` is the shoe itself, without a line or a clock; `Osp1Sim` plays it at the far end of a cable. The device
keeps its events until they are acknowledged and sends them again every 500 ms, as a real one does, so a host that is
killed or unplugged finds its cards waiting.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from drivers.faults import Faults
from drivers.osp1 import FrameReader, Osp1, ahead, following, frame, preceding, split
from drivers.pty_line import Cable
from drivers.shoe_codec import UNREAD
from drivers.shoe_sim import Mishap, ShoeDevice, ShoeSim

HEARTBEAT_S = 1.0
RESEND_S = 0.5
KEPT_EVENTS = 512                # OSP/1 asks for at least 256
NEVER_S = 3600.0


class Osp1Device(ShoeDevice):
    """The shoe: what a dealer does with it (`draw`, `push_back`, ...) becomes events; host frames are answered."""

    notices = frozenset(Mishap)
    tells_deck = True

    def __init__(self, now_s: float, *, boot: str = "", deck: Sequence[str] = ()) -> None:
        """`boot`: the power-up's name, drawn if not given; `deck`: the cards that `draw()` takes, top first."""
        super().__init__()
        self.faults = Faults()
        self.stalled = False
        self.boot = boot or os.urandom(4).hex().upper()
        self.seq = 0                                 # the last event
        self.acknowledged = 0
        self.n = 0                                   # cards out since the last load
        self.deck = list(deck)
        self.deck_name = ""
        self.locked = False
        self.uptime_from_s = now_s
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT_EVENTS)
        self._reader = FrameReader()
        self._outgoing: list[bytes] = []
        self._heartbeat_s = now_s + HEARTBEAT_S
        self._resend_s = now_s + NEVER_S

    # --- what the dealer does

    def load(self, cards: Sequence[str]) -> int:
        """A shuffled deck goes in, top card first."""
        self.deck, self.n = list(cards), 0
        return self.event("SF", "RDY", f"{len(cards):03d}")

    def draw(self, card: str = "", face: str = "D", confidence: int = 99) -> int:
        """A card leaves: the top one, or `card` wherever it is. **Raises** IndexError if the deck is used up."""
        card = self._taken(card)
        self.n += 1
        return self.event("CD", f"{self.n:03d}", card, face, f"{confidence:02d}")

    def draw_unreadable(self) -> int:
        """The top card leaves and cannot be read."""
        self.deck.pop(0)
        self.event("ER", "01", "S")
        seq = self.draw(UNREAD, "X", 0)
        self.event("ER", "01", "C")
        return seq

    def draw_foreign(self, card: str) -> int:
        """A card of another deck leaves."""
        self.event("ER", "06", "S")
        seq = self.draw(card)
        self.event("ER", "06", "C")
        return seq

    def draw_two(self) -> int:
        """The top two leave as one: which was first, nobody can say."""
        del self.deck[:2]
        self.event("ER", "02", "S")
        self.draw(UNREAD, "X", 0)
        seq = self.draw(UNREAD, "X", 0)
        self.event("ER", "02", "C")
        return seq

    def push_back(self, card: str) -> int:
        """The last card goes back in, on top."""
        self.deck.insert(0, card)
        self.n -= 1
        return self.event("RV", f"{self.n + 1:03d}")

    def cut(self) -> int:
        """The cut card is reached."""
        return self.event("CU", f"{self.n:03d}")

    def door(self, *, opened: bool) -> int:
        """The door moves."""
        return self.event("DR", "O" if opened else "C")

    def shuffler(self, state: str, count: int) -> int:
        """The shuffler changes."""
        return self.event("SF", state, f"{count:03d}")

    def error(self, code: str, *, on: bool) -> int:
        """An error comes or goes."""
        return self.event("ER", code, "S" if on else "C")

    def reboot(self, now_s: float, *, keeps_count: bool = False) -> None:
        """Power goes and comes: another boot-id, events from 0001, and unless it `keeps_count` no idea of the cards."""
        self.boot = os.urandom(4).hex().upper()
        self.seq = self.acknowledged = 0
        self._kept.clear()
        self.uptime_from_s = now_s
        self.n = self.n if keeps_count else 0
        self._reader = FrameReader()
        self._outgoing = []
        self.faults.forget()
        self._hello()

    def event(self, kind: str, *fields: str) -> int:
        """Something happened: it is kept until acknowledged. Returns its number."""
        self.seq = following(self.seq)
        self._kept.append((self.seq, frame(",".join((kind, f"{self.seq:04X}", *fields)))))
        self._send_event(self._kept[-1][1])
        return self.seq

    @property
    def unacknowledged(self) -> int:
        """How many events the host has not acknowledged."""
        return ahead(self.acknowledged, self.seq)

    # --- the line

    def plugged(self, now_s: float) -> bytes:
        """The cable was put in: say who is here."""
        self._reader = FrameReader()
        self._outgoing = []
        self.faults.forget()
        self._hello()
        return self.tick(now_s)

    def received(self, data: bytes, now_s: float) -> bytes:
        """The host's bytes."""
        for body, _ in self._reader.feed(data):
            kind, number, fields = split(body)
            self._command(kind, number, fields, now_s)
        return self.tick(now_s)

    def tick(self, now_s: float) -> bytes:
        """Heartbeat and re-sends when they are due, and whatever waits to be sent."""
        if self.stalled:
            self._outgoing = []
            return b""
        if not self.unacknowledged:
            self._resend_s = now_s + NEVER_S
        elif self._resend_s > now_s + RESEND_S:
            self._resend_s = now_s + RESEND_S
        if now_s >= self._resend_s:
            self._resend(following(self.acknowledged))
            self._resend_s = now_s + RESEND_S
        if now_s >= self._heartbeat_s:
            self._heartbeat(now_s)
        outgoing, self._outgoing = b"".join(self._outgoing), []
        return outgoing

    def due_s(self) -> float:
        """When the next heartbeat or re-send is due."""
        return min(self._heartbeat_s, self._resend_s) + (NEVER_S if self.stalled else 0.0)

    def _command(self, kind: str, seq: int, fields: list[str], now_s: float) -> None:
        match kind, fields:
            case "AK", [] if ahead(self.acknowledged, seq) > 0 and ahead(seq, self.seq) >= 0:
                self.acknowledged = seq
            case "NK", [_]:
                self._resend(following(self.acknowledged))
            case "RP", [] if seq:
                self._resend(seq)
            case "ID", []:
                self._hello()
                self._resend(following(self.acknowledged))
            case "PI", []:
                self._heartbeat(now_s)
            case "LK", ["L" | "U" as state]:
                self.locked = state == "L"
                self.event("LK", state)
            case "ND", [name]:
                self.deck_name, self.n = name, 0
            case _:
                pass             # an old acknowledgement, or a command of a later version

    def _hello(self) -> None:
        self._outgoing.append(frame(f"HI,0000,1,BOTTONE,OSP1-SIM,1,00000001,{self.boot},{self.acknowledged:04X}"))

    def _heartbeat(self, now_s: float) -> None:
        self._heartbeat_s = now_s + HEARTBEAT_S
        uptime_ms = int((now_s - self.uptime_from_s) * 1000)
        self._outgoing.append(frame(f"HB,{self.seq:04X},{uptime_ms:010d},{self.n:03d},OK"))

    def _resend(self, first: int) -> None:
        for seq, sent in self._kept:
            if ahead(preceding(first), seq) > 0:
                self._send_event(sent)

    def _send_event(self, sent: bytes) -> None:
        if damaged := self.faults.damaged(sent):
            self._outgoing.append(damaged)


class Osp1Sim(ShoeSim[Osp1Device]):
    """The shoe at the far end of a cable."""

    def __init__(self, cable: Path | Cable, *, boot: str = "", deck: Sequence[str] = (), name: str = "shoe") -> None:
        """`cable`: the name that a driver will open (a pty at 115200 baud is put there), or another far end."""
        super().__init__(cable, Osp1.line.baud, Osp1Device(time.monotonic(), boot=boot, deck=deck), name)

    def load(self, cards: Sequence[str]) -> int:
        """A shuffled deck goes in, top card first. The event's number."""
        return self.do(lambda shoe: shoe.load(cards))

    def draw(self, card: str = "", face: str = "D") -> int:
        """A card leaves the shoe. The event's number."""
        return self.do(lambda shoe: shoe.draw(card, face))

    def draw_and_unplug(self, card: str = "") -> int:
        """A card leaves, and the cable is pulled out in the middle of its frame. The event's number."""
        return self.tear(lambda shoe: shoe.draw(card))

    def reboot(self, *, keeps_count: bool = False) -> None:
        """The shoe loses its power and gets it back, with the cable in."""
        self.do(lambda shoe: shoe.reboot(time.monotonic(), keeps_count=keeps_count))

    @property
    def unacknowledged(self) -> int:
        """How many events the host has not acknowledged."""
        return self.do(lambda shoe: shoe.unacknowledged)
