"""What this unit is and what is wired to it: one TOML file, read once, strictly.

Every trouble becomes one `ConfigError` whose text names the file, the line where it can be told, the key and what to
do about it. Nothing is guessed: an unknown key is a mistake, and a pin that two things claim is one too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from drivers.pin_map import KEY_PINS, LAMP_PINS, PinError, PinMap
from drivers.seen import Key
from engine import strict_toml
from engine.inputs import Game, Level
from engine.wire import UNIT_ID

MAX_CONFIG_BYTES = 65_536


class ConfigError(Exception):
    """The file cannot be used; the text says which file, where, which key and what to do."""


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file. A key that is not declared here is refused."""


class KnobPins(_Section, frozen=True):
    """BCM numbers of the rotary knob: its two phases and its push."""

    a: int = 4
    b: int = 14
    push: int = 15


class Pins(_Section, frozen=True):
    """The panel. The default numbers leave SPI0 (clock display) and I2C1 (prompt display) free.

    GPIO 7 is free for the buzzer with `dtoverlay=spi0-1cs`; 14 and 15 with the serial console off and badge and shoe
    on USB.
    """

    factory: Literal["mock", "lgpio", "rpigpio"] = "lgpio"
    keys: dict[Key, int] = {}   # those that are not wired as in KEY_PINS; each closes to ground
    lamps: dict[Key, int] = {}  # those that are not wired as in LAMP_PINS; high is lit
    knob: KnobPins = KnobPins()
    buzzer: int = 7
    socket: str = ""  # Unix socket through which a crew presses mock pins; only with factory = "mock"

    def wiring(self) -> PinMap:
        """All of it in one map. Raises PinError for pins that cannot be."""
        return PinMap(
            KEY_PINS | self.keys, LAMP_PINS | self.lamps, self.knob.a, self.knob.b, self.knob.push, self.buzzer
        )


class Shoe(_Section, frozen=True):
    """The card shoe. `codes`: file of a barcode deck's codes; `registry`: file of the registered RFID decks."""

    protocol: Literal["osp1", "angel_eye_ii_ex", "bee_tek", "barcode", "rfid_deck", "none"] = "none"
    port: str = ""
    baud: int = 0  # 0: the protocol's own
    codes: str = ""
    registry: str = ""


class Badge(_Section, frozen=True):
    """The badge reader. A wedge's `port` is an input device, /dev/input/by-id/...; `digits`: what it types."""

    protocol: Literal["rdm6300", "id12la", "pn532", "wedge", "none"] = "none"
    port: str = ""
    baud: int = 0  # 0: the protocol's own
    digits: Literal["decimal", "hex"] = "decimal"


class ClockDisplay(_Section, frozen=True):
    """The blind clock: a chain of MAX7219 modules, 7-segment digits, or a file of the last bytes (`record`)."""

    kind: Literal["max7219", "seven_segment", "record", "none"] = "none"
    modules: int = 8  # of 8x8 dots; of seven_segment, 1 or 2 of eight digits
    spi_port: int = 0
    spi_device: int = 0
    orientation: int = -90
    brightness: int = 4
    record: str = ""


class PromptDisplay(_Section, frozen=True):
    """Four lines of twenty characters: an HD44780 behind I2C, an OLED of that text size, or a record of the bytes."""

    kind: Literal["hd44780", "oled", "record", "none"] = "none"
    i2c_port: int = 1
    i2c_address: int = 0x27
    record: str = ""


class Tls(_Section, frozen=True):
    """Files of the unit's certificate; all three or none."""

    ca: str
    cert: str
    key: str


class Hub(_Section, frozen=True):
    """Where the broker listens: `host` and `port`, or the `unix` path of its socket."""

    host: str = ""
    port: int = 0
    unix: str = ""
    tls: Tls | None = None
    username: str = ""
    password_file: str = ""
    command_key: str = ""  # the hub's Ed25519 public key, hexadecimal; empty: as adopted


class Tournament(_Section, frozen=True):
    """Where tournament time comes from. `clock_file`: eight bytes, little-endian virtual ms, shared with the hub."""

    clock_file: str = ""
    autonomous: bool = True  # go on through the schedule when the hub is lost; else stop at 0:00 and call the floor


class SeatAtStart(_Section, frozen=True):
    """A player who sits from the start."""

    seat: int
    stack: int
    player: str = ""
    name: str = ""


class Setup(_Section, frozen=True):
    """A table that plays without a hub: blinds, players and button, used when the journal is new.

    `small_bet` and `big_bet` are for fixed-limit; 0 stands for the big blind and for twice the small bet.
    """

    small_blind: int
    big_blind: int
    seats: tuple[SeatAtStart, ...]
    button: int
    ante: int = 0
    big_blind_ante: int = 0
    game: Game = Game.NO_LIMIT
    small_bet: int = 0
    big_bet: int = 0
    first_small_blind: int | None = None
    first_big_blind: int | None = None

    @property
    def level(self) -> Level:
        """The blinds as the engine takes them."""
        return Level(
            self.small_blind, self.big_blind, self.ante, self.big_blind_ante, 1, self.game, self.small_bet, self.big_bet
        )


class Badges(_Section, frozen=True):
    """Whose badge may what. Badges are known by a keyed hash only: `bottone table --hash-badge UID` prints it."""

    site_key: str = ""                # hexadecimal; empty: derived from the site's name
    directors: tuple[str, ...] = ()
    revoked: tuple[str, ...] = ()     # refused at this table, whoever taps them
    director_pin: str = ""            # `bottone table --hash-pin` prints it; empty: no PIN
    dealer_required: bool = False     # DEAL begins no hand until a dealer has tapped in (FIPOS, article 7)


class Config(_Section, frozen=True):
    """A table unit's configuration."""

    unit: str
    site: str
    data_dir: str
    language: Literal["it", "en"] = "it"
    book: str = "lifeclub"
    size: int = 10
    chip: int = 1
    seal_dir: str = "/run/bottone"
    pins: Pins = Pins()
    shoe: Shoe = Shoe()
    badge: Badge = Badge()
    clock_display: ClockDisplay = ClockDisplay()
    prompt_display: PromptDisplay = PromptDisplay()
    hub: Hub | None = None
    tournament: Tournament = Tournament()
    setup: Setup | None = None
    badges: Badges = Badges()


def load(path: str | Path) -> Config:
    """The configuration in the file at `path`. Raises ConfigError; paths inside it become absolute (its folder)."""
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as trouble:
        raise ConfigError(
            f"{file}: {trouble.strerror}; give the path of a table's file, deploy/examples/table.toml is one"
        ) from trouble
    if len(raw) > MAX_CONFIG_BYTES:
        raise ConfigError(f"{file}: {len(raw)} bytes, at most {MAX_CONFIG_BYTES}; this is no configuration of a table")
    try:
        text, content = strict_toml.loaded(str(file), raw)
        if "tables" in content and "unit" not in content:
            raise ConfigError(f"{file}: this is a hub's file; start that with bottone hub --config {file}")
        config = strict_toml.converted(str(file), text, content, Config)
    except strict_toml.TomlError as trouble:
        raise ConfigError(str(trouble)) from trouble
    for where, what in _contradictions(config):
        raise ConfigError(f"{strict_toml.place(str(file), text, where)}: {what}")
    return _absolute(config, file.resolve().parent)


def _contradictions(config: Config) -> Iterator[tuple[str, str]]:
    """(key, what is wrong and what to do) of values that are well formed and cannot be."""
    if not UNIT_ID.fullmatch(config.unit):
        yield "unit", f"{config.unit!r} is no unit's name; use 3 to 32 of a-z, 0-9 and -"
    if not re.fullmatch(r"[a-z0-9-]{1,32}", config.site):
        yield "site", f"{config.site!r} is no site's name; use up to 32 of a-z, 0-9 and -"
    if not 2 <= config.size <= 12:
        yield "size", f"{config.size} seats; a table has 2 to 12"
    if config.chip < 1:
        yield "chip", f"the smallest chip is {config.chip}; give its value, at least 1"
    yield from _pins_wrong(config.pins)
    if config.pins.socket and config.pins.factory != "mock":
        yield "pins.socket", 'keys are pressed through a socket only with factory = "mock"; remove it'
    if config.shoe.protocol != "none" and not config.shoe.port:
        yield "shoe.port", "is missing; give the serial port, for example /dev/serial/by-id/..."
    if config.shoe.protocol == "rfid_deck" and not config.shoe.registry:
        yield "shoe.registry", "is missing; give the file that `bottone deck register` writes"
    if config.shoe.codes and config.shoe.protocol != "barcode":
        yield "shoe.codes", 'belongs to protocol = "barcode"; remove it'
    if config.badge.protocol != "none" and not config.badge.port:
        yield "badge.port", "is missing; give its port, for example /dev/serial/by-id/... or /dev/input/by-id/..."
    if config.badges.dealer_required and config.badge.protocol == "none":
        yield "badges.dealer_required", "needs a badge reader; give [badge] its protocol and port, or leave it out"
    for name, baud in (("shoe", config.shoe.baud), ("badge", config.badge.baud)):
        if baud < 0:
            yield f"{name}.baud", f"{baud} is no speed; leave it out for the protocol's own"
    if config.clock_display.kind == "seven_segment" and config.clock_display.modules not in (1, 2):
        yield "clock_display.modules", f"{config.clock_display.modules}; 7-segment digits have 1 (8 digits) or 2"
    if config.shoe.port and config.shoe.port == config.badge.port:
        yield "badge.port", "is the shoe's port too; give each device a port of its own"
    if config.hub and bool(config.hub.host) == bool(config.hub.unix):
        yield "hub", "give host and port, or unix, one of them"
    if config.hub and config.hub.host and not 0 < config.hub.port < 65536:
        yield "hub.port", f"{config.hub.port} is no port; MQTT's are 1883 and, with TLS, 8883"
    if config.setup and config.hub:
        yield "setup", "the hub seats the players; remove [setup], or [hub] for a table that plays alone"
    if config.setup:
        yield from _impossible_setup(config, config.setup)


def _pins_wrong(pins: Pins) -> Iterator[tuple[str, str]]:
    try:
        pins.wiring()
    except PinError as fault:
        part, _, of = fault.user.partition(" ")
        yield f"pins.{part}{'s' if part in {'key', 'lamp'} else ''}{of and f'.{of}'}", str(fault)


def _impossible_setup(config: Config, setup: Setup) -> Iterator[tuple[str, str]]:
    taken: set[int] = set()
    for place in setup.seats:
        if not 1 <= place.seat <= config.size:
            yield "setup.seats", f"seat {place.seat} does not exist at a table of {config.size}"
        if place.seat in taken:
            yield "setup.seats", f"seat {place.seat} is taken twice; give each player a seat of their own"
        if place.stack < 1:
            yield "setup.seats", f"seat {place.seat} has {place.stack} chips; give at least 1 or leave the seat out"
        taken.add(place.seat)
    if not 1 <= setup.button <= config.size:
        yield "setup.button", f"seat {setup.button} does not exist at a table of {config.size}"
    if not 0 < setup.small_blind <= setup.big_blind:
        yield "setup.small_blind", f"{setup.small_blind}/{setup.big_blind}; the small blind is 1 to the big blind"


def _absolute(config: Config, folder: Path) -> Config:
    """The same with every path made absolute: the process may change its working directory (lgpio does)."""

    def at(path: str) -> str:
        return str(folder / path) if path else ""

    replace = msgspec.structs.replace
    hub = config.hub
    if hub is not None:
        tls = hub.tls and Tls(at(hub.tls.ca), at(hub.tls.cert), at(hub.tls.key))
        hub = replace(hub, unix=at(hub.unix), tls=tls, password_file=at(hub.password_file))
    return replace(
        config,
        data_dir=at(config.data_dir),
        seal_dir=at(config.seal_dir),
        book=at(config.book) if config.book.endswith(".toml") else config.book,
        pins=replace(config.pins, socket=at(config.pins.socket)),
        shoe=replace(config.shoe, codes=at(config.shoe.codes), registry=at(config.shoe.registry)),
        clock_display=replace(config.clock_display, record=at(config.clock_display.record)),
        prompt_display=replace(config.prompt_display, record=at(config.prompt_display.record)),
        tournament=replace(config.tournament, clock_file=at(config.tournament.clock_file)),
        hub=hub,
    )
