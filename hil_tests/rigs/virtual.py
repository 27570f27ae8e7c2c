"""The rig without hardware: the simulators at the far end of pseudo-terminals. It needs nothing and runs everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.osp1_sim import Osp1Sim
from drivers.rdm6300_sim import Rdm6300Sim
from hil_tests.rigs.keys import MockKeys
from hil_tests.rigs.played import PlayedBadge, PlayedShoe


class VirtualRig:
    """Everything is simulated, down to the bytes on the terminal."""

    has = frozenset({"shoe", "badge", "keys", "unplug"})

    def __init__(self, rig_map: Path | None) -> None:
        """No map is needed."""

    @contextmanager
    def shoe(self, folder: Path) -> Iterator[PlayedShoe]:
        """A shoe on a pty."""
        with PlayedShoe(Osp1Sim(folder / "by-id-shoe"), str(folder / "by-id-shoe")) as stand:
            yield stand

    @contextmanager
    def badge(self, folder: Path) -> Iterator[PlayedBadge]:
        """A reader on a pty."""
        with PlayedBadge(Rdm6300Sim(folder / "by-id-badge"), str(folder / "by-id-badge")) as stand:
            yield stand

    @contextmanager
    def keys(self) -> Iterator[MockKeys]:
        """A panel on mock pins."""
        yield MockKeys()
