"""The far end of a serial cable with a simulated device on it: what all simulators of serial devices share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

from drivers.faults import Faults
from drivers.pty_line import Cable, Device, PtyDevice, PtyLine

NEVER_S = 3600.0

D = TypeVar("D", bound=Device)
T = TypeVar("T")


class FarEnd(Generic[D]):
    """A device at the far end of a cable: `start()`, `do(...)`, `unplug()`, `plug()`, `stop()`; from any thread."""

    def __init__(self, cable: Path | Cable, baud: int, device: D, name: str) -> None:
        """`cable`: the name that a driver will open (a pty at `baud` is put there), or another far end."""
        self.line = PtyLine(cable, baud) if isinstance(cable, Path) else cable
        self.device = device
        self._pty = PtyDevice(self.line, device, name)

    def start(self) -> None:
        """Plug in and play; the name can be opened when this returns."""
        self._pty.start()

    def stop(self) -> None:
        """Unplug and end."""
        self._pty.stop()

    def plug(self) -> None:
        """Put the cable in."""
        self._pty.plug()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._pty.unplug()

    def do(self, act: Callable[[D], T]) -> T:
        """Do something with the device. What it sends is sent before the next `do`."""
        return self._pty.do(lambda: act(self.device))

    def noise(self, count: int, seed: int = 1) -> None:
        """Random bytes on the line."""
        self._pty.do(lambda: self.line.write(Random(seed).randbytes(count)))


class Speaker:
    """A device that talks and does not listen: what it says goes out when it is due, damaged as asked."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.stalled = False                         # its processor hangs: it says nothing, and forgets it
        self._due: list[tuple[float, bytes]] = []

    def say(self, sent: bytes, after_s: float = 0.0) -> None:
        """Send this, now or so much later."""
        if not self.stalled:
            self._due.append((time.monotonic() + after_s, sent))

    def plugged(self, now_s: float) -> bytes:  # noqa: ARG002 - such a device says nothing by itself
        """The cable was put in: what was not sent is lost."""
        self._due.clear()
        self.faults.forget()
        return b""

    def received(self, data: bytes, now_s: float) -> bytes:  # noqa: ARG002 - such a device takes nothing
        """The host's bytes fall into nothing."""
        return b""

    def tick(self, now_s: float) -> bytes:
        """What is due."""
        due = [sent for at_s, sent in self._due if at_s <= now_s]
        self._due = [waiting for waiting in self._due if waiting[0] > now_s]
        return b"".join(self.faults.damaged(sent) for sent in due)

    def due_s(self) -> float:
        """When something is to be sent."""
        return min((at_s for at_s, _ in self._due), default=time.monotonic() + NEVER_S)


class PlainShoe(Speaker):
    """A shoe that reports a card once, or a few times alike, and forgets it. Its bytes are its subclass's."""

    def __init__(self) -> None:
        super().__init__()
        self.deck: list[str] = []                    # top card first

    def load(self, cards: tuple[str, ...]) -> None:
        """A shuffled deck goes in."""
        self.deck = list(cards)

    def draw(self, card: str = "", face: str = "D") -> None:  # noqa: ARG002 - such a shoe does not see the face
        """A card leaves: the top one, or `card` wherever it is; `??` cannot be read. **Raises** IndexError if empty."""
        if not card:
            card = self.deck.pop(0)
        elif card in self.deck:
            self.deck.remove(card)
        self.report(card)

    def report(self, card: str) -> None:
        """Send what such a shoe sends for a card."""
        raise NotImplementedError


S = TypeVar("S", bound=PlainShoe)


class PlainShoeSim(FarEnd[S]):
    """Such a shoe at the far end of a cable."""

    def load(self, cards: tuple[str, ...]) -> None:
        """A shuffled deck goes in, top card first."""
        self.do(lambda shoe: shoe.load(cards))

    def draw(self, card: str = "", face: str = "D") -> None:
        """A card leaves the shoe."""
        self.do(lambda shoe: shoe.draw(card, face))

    def stall(self) -> None:
        """The shoe's processor hangs."""
        self.do(lambda shoe: setattr(shoe, "stalled", True))

    def resume(self) -> None:
        """It goes on; what happened meanwhile is lost."""
        self.do(lambda shoe: setattr(shoe, "stalled", False))
