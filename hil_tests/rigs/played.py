"""Stands whose far end is played by a simulator, over whatever cable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from drivers.angel_eye import AngelEye
from drivers.angel_eye_sim import AngelEyeSim
from drivers.badge import BadgeReader
from drivers.badge_codec import BadgeCodec
from drivers.barcode import Barcode
from drivers.barcode_sim import BarcodeSim
from drivers.bee_tek import BeeTek
from drivers.bee_tek_sim import BeeTekSim
from drivers.osp1 import Ledger, Osp1
from drivers.osp1_sim import Osp1Sim
from drivers.pn532 import Pn532Badges
from drivers.pn532_sim import Pn532Sim, RfidShoeSim
from drivers.pty_line import Cable
from drivers.rdm6300 import Rdm6300
from drivers.rdm6300_sim import Rdm6300Sim
from drivers.rfid_deck import RfidDeck
from drivers.seen import Post
from drivers.shoe import Shoe
from drivers.shoe_codec import CARDS, Caps, Line, ShoeCodec
from drivers.wedge import EventSource, WedgeReader, open_evdev

UIDS: Mapping[str, str] = {card: f"04{number:02X}A1B2C3D480" for number, card in enumerate(sorted(CARDS))}
CARD_OF: Mapping[str, tuple[str, str]] = {uid: ("D0017", card) for card, uid in UIDS.items()}


class ShoeSim(Protocol):
    """What every simulated shoe can do."""

    def start(self) -> None:
        """Plug in."""
        ...

    def stop(self) -> None:
        """Unplug."""
        ...

    def plug(self) -> None:
        """Put the cable in."""
        ...

    def unplug(self) -> None:
        """Pull it out."""
        ...

    def draw(self, card: str = "", face: str = "D") -> Any:
        """A card leaves."""
        ...

    def noise(self, count: int, seed: int = 1) -> None:
        """Random bytes on the line."""
        ...


class ShoeKind(NamedTuple):
    """One protocol: its line, what it can prove, its codec (told what was stored last) and its simulator."""

    line: Line
    caps: Caps
    codec: Callable[[tuple[str, int] | None], ShoeCodec]
    sim: Callable[[Path | Cable], ShoeSim]


class BadgeKind(NamedTuple):
    """One protocol: its line, its codec, its simulator, and two badges as its readers number them."""

    line: Line
    codec: Callable[[], BadgeCodec]
    sim: Callable[[Path | Cable], Rdm6300Sim | Pn532Sim]
    badges: tuple[str, str]


EM4100_BADGES = ("0A00123456", "62E3086CED")

SHOES: dict[str, ShoeKind] = {
    "osp1": ShoeKind(Osp1.line, Osp1.caps, lambda last: Osp1(Ledger.after(last)), Osp1Sim),
    "angel_eye_ii_ex": ShoeKind(AngelEye.line, AngelEye.caps, lambda _: AngelEye(), AngelEyeSim),
    "bee_tek": ShoeKind(BeeTek.line, BeeTek.caps, lambda _: BeeTek(), BeeTekSim),
    "barcode": ShoeKind(Barcode.line, Barcode.caps, lambda _: Barcode(), BarcodeSim),
    "rfid_deck": ShoeKind(
        RfidDeck.line, RfidDeck.caps, lambda _: RfidDeck(CARD_OF.get), lambda cable: RfidShoeSim(cable, UIDS)
    ),
}
BADGES: dict[str, BadgeKind] = {
    "rdm6300": BadgeKind(Rdm6300.line, Rdm6300, Rdm6300Sim, EM4100_BADGES),
    "id12la": BadgeKind(Rdm6300.line, Rdm6300, lambda cable: Rdm6300Sim(cable, crlf=True), EM4100_BADGES),
    "pn532": BadgeKind(Pn532Badges.line, Pn532Badges, Pn532Sim, ("04A1B2C3", "04112233445566")),
}


class PlayedShoe:
    """A shoe that a simulator plays; the driver opens `port`."""

    def __init__(self, kind: ShoeKind, cable: Path | Cable, port: str) -> None:
        self._kind = kind
        self._sim = kind.sim(cable)
        self.port = port
        self.caps = kind.caps

    def __enter__(self) -> Self:
        self._sim.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sim.stop()

    def driver(self, post: Post, last: tuple[str, int] | None = None) -> Shoe:
        """The driver, not yet started."""
        return Shoe(self.port, self._kind.codec(last), post)

    def draw(self, card: str, face: str = "D") -> None:
        """This card leaves the shoe."""
        self._sim.draw(card, face)

    def noise(self, count: int) -> None:
        """So many random bytes on the line."""
        self._sim.noise(count)

    def unacknowledged(self) -> int:
        """How many events the shoe still keeps (shoes that can replay)."""
        assert isinstance(self._sim, Osp1Sim)
        return self._sim.unacknowledged

    def unplug(self) -> None:
        """Pull the cable out."""
        self._sim.unplug()

    def plug(self) -> None:
        """Put it back in."""
        self._sim.plug()


class PlayedBadge:
    """A badge reader that a simulator plays; the driver opens `port`."""

    def __init__(self, kind: BadgeKind, cable: Path | Cable, port: str) -> None:
        self._kind = kind
        self._sim = kind.sim(cable)
        self.port = port
        self.badges = kind.badges

    def __enter__(self) -> Self:
        self._sim.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sim.stop()

    def driver(self, post: Post) -> BadgeReader:
        """The driver, not yet started."""
        return BadgeReader(self.port, self._kind.codec(), post)

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


class TypingSim(Protocol):
    """A simulated wedge."""

    def start(self) -> None:
        """Plug in."""
        ...

    def stop(self) -> None:
        """Unplug."""
        ...

    def tap(self, text: str) -> None:
        """Type this and Enter."""
        ...


class PlayedWedge:
    """A wedge that a simulator plays. It types a badge once, however long it lies there."""

    badges = ("00123456", "E3086CED")

    def __init__(
        self, sim: TypingSim, path: Callable[[], str], open_source: Callable[[str], EventSource] = open_evdev
    ) -> None:
        """`path`: what the driver opens, known when the simulator has started."""
        self._sim = sim
        self._path = path
        self._open_source = open_source

    def __enter__(self) -> Self:
        self._sim.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sim.stop()

    def driver(self, post: Post) -> WedgeReader:
        """The driver, not yet started."""
        return WedgeReader(self._path(), post, open_source=self._open_source)

    def tap(self, badge: str) -> None:
        """Hold a badge to the reader: it prints ten decimal digits."""
        self._sim.tap(f"{int(badge, 16):010d}")

    def hold(self, badge: str) -> None:
        """Lay it there."""
        self.tap(badge)

    def lift(self) -> None:
        """Take it away."""

    def noise(self, count: int) -> None:
        """So many digits that are no number: one line too long."""
        self._sim.tap("7" * count)

    def unplug(self) -> None:
        """Pull the plug out."""
        self._sim.stop()

    def plug(self) -> None:
        """Put it back in."""
        self._sim.start()
