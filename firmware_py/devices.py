"""Opening what the configuration names: panel, displays, shoe, badge reader, uplink. One function a device.

What a table does not have is not imported: the graphics libraries behind the displays are most of a unit's memory.
Nothing here waits for a device; one that is not there reports `InputDown` and comes back by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, assert_never

from drivers.seen import Post
from firmware_py.config import Config, ConfigError, Hub

if TYPE_CHECKING:
    from drivers.badge_codec import BadgeCodec
    from drivers.panel import Panel
    from drivers.shoe import Shoe
    from drivers.shoe_codec import ShoeCodec
    from firmware_py.faces import ClockFace
    from firmware_py.inbox import Inbox
    from firmware_py.journal import Journal
    from firmware_py.uplink import Uplink


class Show(Protocol):
    """A display that somebody else draws on; `show` never blocks."""

    def show(self, what: object) -> None:
        """The newest picture; an older one that waits is forgotten."""

    def stop(self) -> None:
        """Ends its thread and gives the bus back."""


class Reader(Protocol):
    """A line that is listened to."""

    def start(self) -> None:
        """Begin to listen."""

    def stop(self) -> None:
        """Stop listening."""

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""


class NoDisplay:
    """Where no display is wired."""

    def show(self, what: object) -> None:
        """Nothing to see."""

    def stop(self) -> None:
        """Nothing to end."""


class _Background:
    """A display behind its own thread."""

    def __init__(self, name: str, show: Callable[[object], None], close: Callable[[], None]) -> None:
        from drivers.background import InBackground

        self._worker = InBackground(name, show)
        self._close = close

    def show(self, what: object) -> None:
        self._worker.show(what)

    def stop(self) -> None:
        self._worker.stop()
        self._close()


def panel(config: Config, post: Post) -> Panel:
    """The keys, knob, lamps and buzzer."""
    from drivers.panel import Panel

    pins = config.pins
    return Panel(pins.wiring(), post, pins.factory, run_dir=config.seal_dir if pins.factory == "lgpio" else None)


def clock_display(config: Config, post: Post) -> Show:
    """The LED clock; shows `ClockFace` records."""
    wired = config.clock_display
    if wired.kind == "none":
        return NoDisplay()
    from drivers.led_clock import Bus, LedClock, spi_bus
    from drivers.recording import RecordingBus
    from firmware_py.digits import bar
    from firmware_py.faces import face

    draw, orientation = (bar, 0) if wired.kind == "seven_segment" else (face, wired.orientation)

    def open_bus() -> Bus:
        if wired.kind == "record":
            return RecordingBus(path=wired.record or None)
        return spi_bus(wired.spi_port, wired.spi_device)

    try:
        clock = LedClock(open_bus, wired.modules, post, orientation=orientation, brightness=wired.brightness)
    except ValueError as trouble:
        raise ConfigError(f"clock_display: {trouble}") from trouble

    def show(what: object) -> None:
        clock.show(draw(_face(what), wired.modules), time.monotonic())

    return _Background("clock-display", show, clock.close)


def _face(what: object) -> ClockFace:
    from firmware_py.faces import ClockFace

    assert isinstance(what, ClockFace)
    return what


def prompt_display(config: Config, post: Post) -> Show:
    """The four lines; shows tuples of strings."""
    wired = config.prompt_display
    if wired.kind == "none":
        return NoDisplay()
    from drivers.prompt_display import Hd44780, PromptDisplay, SmBus, i2c_bus, oled
    from drivers.recording import RecordingBus

    def open_bus() -> SmBus:
        return i2c_bus(wired.i2c_port)

    def open_record() -> SmBus:
        return RecordingBus(path=wired.record or None)

    try:
        if wired.kind == "oled":
            display = PromptDisplay(oled(wired.i2c_port, wired.i2c_address), post)
        elif wired.kind == "record":
            display = PromptDisplay(Hd44780(open_record, wired.i2c_address, settle_s=0.0), post)
        else:
            display = PromptDisplay(Hd44780(open_bus, wired.i2c_address), post)
    except ValueError as trouble:
        raise ConfigError(f"prompt_display: {trouble}") from trouble

    def show(what: object) -> None:
        assert isinstance(what, tuple)
        display.show(what)

    return _Background("prompt-display", show, display.close)


def shoe(config: Config, post: Post, last: tuple[str, int] | None) -> Shoe | None:
    """The card shoe, told which event was stored last. Raises ConfigError for a file of codes or decks that is none."""
    codec = _shoe_codec(config, last)
    if codec is None:
        return None
    from drivers.shoe import Shoe

    return Shoe(config.shoe.port, codec, post, baud=config.shoe.baud)


def _shoe_codec(config: Config, last: tuple[str, int] | None) -> ShoeCodec | None:
    wired = config.shoe
    match wired.protocol:
        case "none":
            return None
        case "osp1":
            from drivers.osp1 import Ledger, Osp1

            return Osp1(Ledger.after(last))
        case "angel_eye_ii_ex":
            from drivers.angel_eye import AngelEye

            return AngelEye()
        case "bee_tek":
            from drivers.bee_tek import BeeTek

            return BeeTek()
        case "barcode":
            from drivers.barcode import Barcode, read_codes

            try:
                return Barcode(read_codes(Path(wired.codes)) if wired.codes else None)
            except (OSError, ValueError) as trouble:
                raise ConfigError(f"shoe.codes: {trouble}") from trouble
        case "rfid_deck":
            from drivers.deck_registry import load
            from drivers.rfid_deck import RfidDeck

            try:
                registry = load(Path(wired.registry))
            except (OSError, ValueError) as trouble:
                raise ConfigError(f"shoe.registry: {trouble}") from trouble
            if not registry.live():
                raise ConfigError(f"shoe.registry: {wired.registry} has no live deck; use `bottone deck register`")
            return RfidDeck(registry.find)
        case _:
            assert_never(wired.protocol)


def badge_reader(config: Config, post: Post) -> Reader | None:
    """The badge reader. Raises ConfigError for a wedge without python-evdev."""
    wired = config.badge
    if wired.protocol == "none":
        return None
    if wired.protocol == "wedge":
        if find_spec("evdev") is None:
            raise ConfigError("badge.protocol: a wedge needs the package evdev; it is in requirements/pi.txt")
        from drivers.wedge import WedgeReader

        return WedgeReader(wired.port, post, digits=wired.digits)
    from drivers.badge import BadgeReader

    return BadgeReader(wired.port, _badge_codec(wired.protocol), post, baud=wired.baud)


def _badge_codec(protocol: Literal["rdm6300", "id12la", "pn532"]) -> BadgeCodec:
    match protocol:
        case "rdm6300" | "id12la":
            from drivers.rdm6300 import Rdm6300

            return Rdm6300()
        case "pn532":
            from drivers.pn532 import Pn532Badges

            return Pn532Badges()
        case _:
            assert_never(protocol)


def uplink(config: Config, journal: Journal, inbox: Inbox, fw: str) -> Uplink | None:
    """The link to the hub; None at a table that plays alone."""
    hub = config.hub
    if hub is None:
        return None
    from drivers.mqtt_link import Address, Tls
    from engine.wire import Adopt
    from firmware_py.uplink import Uplink, unit_link

    tls = Tls(hub.tls.ca, hub.tls.cert, hub.tls.key) if hub.tls else None
    address = Address(host=hub.host, port=hub.port or 1883, path=hub.unix, tls=tls is not None)
    link = unit_link(address, config.site, config.unit, tls=tls, username=hub.username, password=_password(hub))
    return Uplink(
        link,
        journal,
        lambda what: inbox.post("hub", what),
        unit=config.unit,
        site=config.site,
        fw=fw,
        adopt=journal.meta("adopt", Adopt),
        command_key=hub.command_key,
    )


def _password(hub: Hub) -> str:
    if not hub.password_file:
        return ""
    try:
        return Path(hub.password_file).read_text(encoding="utf-8").strip()
    except OSError as trouble:
        raise ConfigError(f"hub.password_file: {hub.password_file}: {trouble.strerror}; give another file") from trouble
