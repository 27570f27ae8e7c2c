"""The rig without hardware: the simulators at the far end of pseudo-terminals. It needs nothing and runs everywhere.

Where this user may write to /dev/uinput, a wedge also types through the kernel (protocol `wedge_uinput`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.wedge_sim import UinputWedge, WedgeSim
from hil_tests.rigs.keys import MockKeys
from hil_tests.rigs.played import BADGES, SHOES, PlayedBadge, PlayedShoe, PlayedWedge
from hil_tests.rigs.screens import CLOCKS, PROMPTS, PlayedClock, PlayedPrompt

UINPUT = Path("/dev/uinput")


class VirtualRig:
    """Everything is simulated, down to the bytes on the terminal."""

    has = frozenset({"shoe", "badge", "keys", "clock", "prompt", "unplug"})
    shoes = frozenset(SHOES)
    clocks = frozenset(CLOCKS)
    prompts = frozenset(PROMPTS)
    badges = frozenset({*BADGES, "wedge", *(["wedge_uinput"] if os.access(UINPUT, os.W_OK) else [])})

    def __init__(self, rig_map: Path | None) -> None:
        """No map is needed."""

    @contextmanager
    def shoe(self, folder: Path, protocol: str) -> Iterator[PlayedShoe]:
        """A shoe on a pty."""
        with PlayedShoe(SHOES[protocol], folder / "by-id-shoe", str(folder / "by-id-shoe")) as stand:
            yield stand

    @contextmanager
    def badge(self, folder: Path, protocol: str) -> Iterator[PlayedBadge | PlayedWedge]:
        """A reader on a pty, or a wedge."""
        with self._badge(folder, protocol) as stand:
            yield stand

    @staticmethod
    def _badge(folder: Path, protocol: str) -> PlayedBadge | PlayedWedge:
        if protocol == "wedge":
            sim = WedgeSim()
            return PlayedWedge(sim, lambda: "by-id-wedge", sim.open)
        if protocol == "wedge_uinput":
            kernel = UinputWedge()
            return PlayedWedge(kernel, lambda: kernel.path)
        return PlayedBadge(BADGES[protocol], folder / "by-id-badge", str(folder / "by-id-badge"))

    @contextmanager
    def clock(self, kind: str) -> Iterator[PlayedClock]:
        """A chain or bar on a simulated bus."""
        yield PlayedClock(CLOCKS[kind])

    @contextmanager
    def prompt(self, kind: str) -> Iterator[PlayedPrompt]:
        """A prompt display on a simulated bus."""
        yield PlayedPrompt(PROMPTS[kind])

    @contextmanager
    def keys(self) -> Iterator[MockKeys]:
        """A panel on mock pins."""
        yield MockKeys()
