"""The hub's configuration: one TOML file, read strictly; every trouble names the key and says what to do."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from engine import rulebook, strict_toml
from engine.chip_race import colour_ups
from engine.inputs import Game, Level
from engine.wire import MAX_INT, UNIT_ID, ClockLevel

SITE = re.compile(r"[a-z0-9-]{1,32}")
MAX_ID_BYTES = 32    # twelve ids and names travel in one message of wire.MAX_BYTES
MAX_NAME = 120       # characters; a table keeps half of a long one
MAX_MINUTES = 1_000_000
MAX_REVOKED = 150    # they travel in one message of wire.MAX_BYTES
BADGE_HASH = re.compile(r"[0-9a-f]{16}")
STORE = "hub.sqlite"
"""The file in `data_dir` that the hub keeps everything in."""
BROKER_URL = "broker.url"
"""The file in `data_dir` that says where a hub's own broker listens."""


class ConfigError(ValueError):
    """The file cannot be used. The text names file and key and says what would be right."""


class Http(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are. `names` are further host names under which browsers may call; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()


class TableAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which unit serves which table."""

    no: int
    unit: str


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A registered player: `player` is the id that travels, `name` what the pages show."""

    player: str
    name: str


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the schedule as it is written: a level, or `pause = true` with minutes alone.

    `small_bet` and `big_bet` are for fixed-limit; 0 stands for the big blind and for twice the small bet.
    """

    minutes: float
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    big_blind_ante: int = 0
    game: Game = Game.NO_LIMIT
    small_bet: int = 0
    big_bet: int = 0
    pause: bool = False


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[tournament]`. A `stack` is dealt in chips of `chip`; the draw uses `draw_seed`, or the system's randomness.

    `auto_confirm`: the hub confirms its own proposals and the log says so. `auto_start`: it starts as soon as everybody
    sits. `in_step`: somebody (hand-for-hand, a demonstration) keeps the tables in step; see `hub.tournament`.
    `clock_file`: eight bytes, a little-endian count of milliseconds, which is then the tournament's time.

    `paid`: how many places are paid; with one player more the hub has the tables play hand for hand (0: never by
    itself). `chips`: the kinds in play; then a break says which of them can leave in it. `late_entry_until`: the last
    level in which the event takes entries (0: none late); left out, as the book says. `late_entry_cost`: the chips that
    lateness costs, where the book leaves that to the event. `reentry`: who is out may buy a new stack, where the book
    leaves it to the event.
    """

    title: str
    book: str
    stack: int
    schedule: tuple[Line, ...]
    players: tuple[str | Entrant, ...]
    size: int = 9
    chip: int = 1
    draw_seed: int | None = None
    auto_confirm: bool = False
    auto_start: bool = False
    in_step: bool = False
    clock_file: str = ""
    paid: int = 0
    chips: tuple[int, ...] = ()
    late_entry_until: int | None = None
    late_entry_cost: int | None = None
    reentry: bool = False

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The players with their ids; one who is only a name gets the place in the list as id."""
        return tuple(
            player if isinstance(player, Entrant) else Entrant(f"p{number}", player)
            for number, player in enumerate(self.players, 1)
        )

    @property
    def lines(self) -> tuple[ClockLevel, ...]:
        """The schedule as the clock has it: levels are numbered, breaks are not, and say which chips leave in them."""
        lines: list[ClockLevel] = []
        number = 0
        leaves = colour_ups([_amounts(line) for line in self.schedule if not line.pause], self.chips)
        for line in self.schedule:
            level: Level | None = None
            color_up: tuple[int, ...] = ()
            if not line.pause:
                number += 1
                level = Level(
                    line.small_blind, line.big_blind, line.ante, line.big_blind_ante, number, line.game,
                    line.small_bet, line.big_bet,
                )  # fmt: skip
            else:
                color_up = tuple(chip for chip, before in leaves.items() if before <= number)
                leaves = {chip: before for chip, before in leaves.items() if chip not in color_up}
            lines.append(ClockLevel(line.minutes, level, color_up))
        return tuple(lines)


class Badges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dealers' badges by their keyed hashes. `revoked`: refused at every table, and an alarm when one is tapped."""

    revoked: tuple[str, ...] = ()


class Tls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """PEM files for an `mqtts` broker: the authority, the hub's certificate and its key. docs/broker.md makes them."""

    ca: str
    cert: str
    key: str


class HubConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `broker`: `auto`, or where one runs: `mqtt://host:port`, `mqtts://host:port`, `unix:/path`.

    `data_dir` is made if need be.
    """

    site: str
    data_dir: str
    tables: tuple[TableAt, ...]
    tournament: Plan
    broker: str = "auto"
    tls: Tls | None = None
    http: Http = Http()
    badges: Badges = Badges()


def load(path: str | Path) -> HubConfig:
    """Reads and checks a file; paths inside it become absolute (its folder). Raises ConfigError."""
    file = Path(path)
    try:
        text, content = strict_toml.loaded(str(file), file.read_bytes())
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}; see deploy/examples/hub.toml") from None
    except strict_toml.TomlError as error:
        raise ConfigError(str(error)) from None
    if "unit" in content and "tables" not in content:
        raise ConfigError(f"{file}: this is a table's file; start that with bottone table --config {file}")
    return parse(content, str(file), file.resolve().parent, text)


def parse(content: dict[str, Any], label: str, folder: Path, text: str = "") -> HubConfig:
    """The same from what a file in `folder` holds; `text`, where lines are told. Raises ConfigError."""
    try:
        config = strict_toml.converted(label, text, content, HubConfig)
    except strict_toml.TomlError as error:
        raise ConfigError(f"{error}; see deploy/examples/hub.toml") from None
    for key, wrong, right in _checks(config):
        if wrong:
            raise ConfigError(f"{strict_toml.place(label, text, key)}: {right}")
    config = _absolute(config, folder)
    try:
        rulebook.load(config.tournament.book)
    except rulebook.RulebookError as error:
        raise ConfigError(f"{strict_toml.place(label, text, 'tournament.book')}: {error}") from None
    return config


def _absolute(config: HubConfig, folder: Path) -> HubConfig:
    """The same with every path made absolute, so that the hub may be started from anywhere."""
    plan, tls, replace = config.tournament, config.tls, msgspec.structs.replace
    return replace(
        config,
        tls=tls and Tls(str(folder / tls.ca), str(folder / tls.cert), str(folder / tls.key)),
        data_dir=str(folder / config.data_dir),
        tournament=replace(
            plan,
            book=str(folder / plan.book) if plan.book.endswith(".toml") else plan.book,
            clock_file=str(folder / plan.clock_file) if plan.clock_file else "",
        ),
    )


def _amounts(line: Line) -> tuple[int, ...]:
    """What must be payable in chips at this level."""
    return line.small_blind, line.big_blind, line.ante, line.big_blind_ante, line.small_bet, line.big_bet


def _price(line: Line) -> tuple[int, int]:
    return line.big_blind, line.ante + line.big_blind_ante


def _stakes(line: Line) -> tuple[int, ...]:
    return line.big_blind, line.ante, line.big_blind_ante, line.small_bet, line.big_bet


def _checks(config: HubConfig) -> list[tuple[str, bool, str]]:
    plan = config.tournament
    numbers = [table.no for table in config.tables]
    units = [table.unit for table in config.tables]
    ids = [entrant.player for entrant in plan.entrants]
    levels = [line for line in plan.schedule if not line.pause]
    seats = len(config.tables) * plan.size
    return [
        ("site", not SITE.fullmatch(config.site), "1 to 32 of a-z, 0-9 and -"),
        ("tls", config.broker.startswith("mqtts:") and config.tls is None, "give ca, cert and key for an mqtts broker"),
        ("tls", config.tls is not None and not config.broker.startswith("mqtts:"), "is for a broker of mqtts:// alone"),
        ("tables", not config.tables, 'name at least one table: [[tables]] no = 1, unit = "tbl-1"'),
        ("tables.no", len(set(numbers)) != len(numbers) or min(numbers, default=1) < 1, "each number once, from 1 on"),
        ("tables.unit", len(set(units)) != len(units), "each unit serves one table"),
        ("tables.unit", any(not UNIT_ID.fullmatch(unit) for unit in units), "3 to 32 of a-z, 0-9 and -"),
        ("tournament.size", not 2 <= plan.size <= 11, "2 to 11 seats"),
        ("tournament.chip", plan.chip < 1, "the smallest chip is at least 1"),
        ("tournament.stack", plan.stack < 1 or plan.stack % max(1, plan.chip) != 0, "a positive multiple of the chip"),
        ("tournament.players", len(ids) < 2, "register at least two players"),
        ("tournament.players", len(set(ids)) != len(ids), "each id once"),
        ("tournament.players", len(ids) > seats, f"{len(ids)} players and {seats} seats; add a table"),
        ("tournament.schedule", not levels or plan.schedule[0].pause, "begin with a level"),
        ("tournament.players", any(not 1 <= len(each.player.encode()) <= MAX_ID_BYTES for each in plan.entrants),
         f"ids of 1 to {MAX_ID_BYTES} bytes"),
        ("tournament.players", any(not 1 <= len(each.name) <= MAX_NAME for each in plan.entrants),
         f"names of 1 to {MAX_NAME} characters"),
        ("tournament.stack", plan.stack * len(ids) > MAX_INT, f"all together at most {MAX_INT} chips"),
        ("tournament.schedule", any(not 0 < line.minutes <= MAX_MINUTES for line in plan.schedule),
         f"minutes above 0, at most {MAX_MINUTES}"),
        ("tournament.schedule", any(max(_stakes(line)) > MAX_INT for line in levels), f"amounts of at most {MAX_INT}"),
        ("tournament.schedule", any(line.big_blind < line.small_blind or line.small_blind < 1 for line in levels),
         "0 < small_blind <= big_blind"),
        ("tournament.schedule", any(_price(line) <= _price(last) for last, line in pairwise(levels)),
         "each level costs more than the one before: a higher big blind, or the same with a higher ante"),
        ("tournament.paid", not 0 <= plan.paid < len(ids), "at least 0, and fewer than players"),
        ("tournament.chips", bool(plan.chips) and plan.chips[0] != plan.chip, "begin with the smallest chip, `chip`"),
        ("tournament.chips", any(big <= small or big % small for small, big in pairwise(plan.chips) if small > 0),
         "from the smallest up, each a multiple of the one before"),
        ("tournament.late_entry_until", (plan.late_entry_until or 0) < 0, "a level's number, or 0"),
        ("tournament.late_entry_cost", (plan.late_entry_cost or 0) < 0, "chips, or 0"),
        ("badges.revoked", any(not BADGE_HASH.fullmatch(badge) for badge in config.badges.revoked),
         "hashes of 16 hexadecimal digits, as a table's --hash-badge prints them"),
        ("badges.revoked", len(config.badges.revoked) > MAX_REVOKED, f"at most {MAX_REVOKED} badges"),
        ("http.port", not 0 <= config.http.port <= 65535, "0 to 65535; 0 takes a free one"),
    ]  # fmt: skip
