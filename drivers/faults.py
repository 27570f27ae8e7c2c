"""What can happen to a frame on its way: damage on request, for every simulator of a serial device."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass
class Faults:
    """Damage to the frames of the next events: each count says how many of them it befalls, the first one first."""

    drop: int = 0                # is never sent (the next re-send may come through)
    corrupt: int = 0             # one to eight bits are flipped
    duplicate: int = 0           # is sent twice
    reorder: int = 0             # is sent after the next one
    noise: int = 0               # is preceded by a burst of random bytes
    chance: float = 0.0          # besides, each frame meets one of the above with this probability
    random: Random = field(default_factory=lambda: Random(1))
    _held: bytes = b""

    def forget(self) -> None:
        """The frame that was held back will not come any more: the shoe or the cable is another one."""
        self._held = b""

    def damaged(self, sent: bytes) -> bytes:
        """What is on the line in place of the frame `sent`."""
        fate = self._fate()
        late, self._held = self._held, b""
        match fate:
            case "drop":
                return late
            case "corrupt":
                return self._flipped(sent) + late
            case "duplicate":
                return sent + sent + late
            case "reorder":
                self._held = sent
                return late
            case "noise":
                return self.random.randbytes(self.random.randint(1, 64)) + sent + late
            case _:
                return sent + late

    def _fate(self) -> str:
        for name in ("drop", "corrupt", "duplicate", "reorder", "noise"):
            if (left := getattr(self, name)) > 0:
                setattr(self, name, left - 1)
                return name
        if self.chance and self.random.random() < self.chance:
            return self.random.choice(("drop", "corrupt", "duplicate", "reorder", "noise"))
        return ""

    def _flipped(self, sent: bytes) -> bytes:
        damaged = bytearray(sent)
        for bit in self.random.sample(range(8 * len(damaged)), self.random.randint(1, 8)):
            damaged[bit // 8] ^= 1 << bit % 8
        return bytes(damaged)
