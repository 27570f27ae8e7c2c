"""Stands whose far end is played by a simulator, over whatever cable."""

from __future__ import annotations

from typing import Self

from drivers import rdm6300, shoe
from drivers.osp1_sim import Osp1Sim
from drivers.rdm6300_sim import Rdm6300Sim


class PlayedShoe:
    """A shoe that a simulator plays; the driver opens `port`."""

    baud = shoe.BAUD

    def __init__(self, sim: Osp1Sim, port: str) -> None:
        self._sim = sim
        self.port = port

    def __enter__(self) -> Self:
        self._sim.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sim.stop()

    def draw(self, card: str, face: str = "D") -> None:
        """This card leaves the shoe."""
        self._sim.draw(card, face)

    def noise(self, count: int) -> None:
        """So many random bytes on the line."""
        self._sim.noise(count)

    def unacknowledged(self) -> int:
        """How many events the shoe still keeps."""
        return self._sim.unacknowledged

    def unplug(self) -> None:
        """Pull the cable out."""
        self._sim.unplug()

    def plug(self) -> None:
        """Put it back in."""
        self._sim.plug()


class PlayedBadge:
    """A badge reader that a simulator plays; the driver opens `port`."""

    baud = rdm6300.BAUD
    badges = ("0A00123456", "62E3086CED")

    def __init__(self, sim: Rdm6300Sim, port: str) -> None:
        self._sim = sim
        self.port = port

    def __enter__(self) -> Self:
        self._sim.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sim.stop()

    def tap(self, badge: str) -> None:
        """Hold a badge to the reader, shortly."""
        self._sim.tap(badge)

    def hold(self, badge: str) -> None:
        """Lay it there."""
        self._sim.hold(badge)

    def lift(self) -> None:
        """Take it away."""
        self._sim.lift()

    def noise(self, count: int) -> None:
        """So many random bytes on the line."""
        self._sim.noise(count)

    def unplug(self) -> None:
        """Pull the cable out."""
        self._sim.unplug()

    def plug(self) -> None:
        """Put it back in."""
        self._sim.plug()
