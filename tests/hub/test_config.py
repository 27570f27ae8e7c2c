"""The hub's file: what is wrong is named, with what would be right."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hub.config import ConfigError, load, parse
from tests.hub.paper_room import config

EXAMPLE = Path(__file__).parents[2] / "deploy" / "examples" / "hub.toml"


def test_the_example_is_a_good_file() -> None:
    config = load(EXAMPLE)

    assert config.broker == "auto"
    assert len(config.tournament.entrants) == 10
    assert config.tournament.entrants[0].player == "p1"
    assert config.tournament.entrants[7].player == "lc-0042"
    assert [line.level.number if line.level else None for line in config.tournament.lines][:5] == [1, 2, 3, None, 4]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("siet",), "x", "hub.toml: siet: unknown key"),
        (("site",), "Circolo!", "site: 1 to 32 of a-z"),
        (("http", "port"), 70_000, "http.port: 0 to 65535"),
        (("http", "prot"), 1, "hub.toml: http.prot: unknown key"),
        (("badges",), {"revoked": ["0A00123456"]}, "badges.revoked: hashes of 16 hexadecimal digits"),
        (("tables",), [], "tables: name at least one table"),
        (("tables", 1, "no"), 1, "tables.no: each number once"),
        (("tables", 1, "unit"), "table-1", "tables.unit: each unit serves one table"),
        (("tables", 0, "unit"), "A/+", "tables.unit: 3 to 32"),
        (("tournament", "book"), "monopoly", "tournament.book: monopoly: no such rulebook"),
        (("tournament", "size"), 12, "tournament.size: 2 to 11 seats"),
        (("tournament", "stack"), 10_010, "a positive multiple of the chip"),
        (("tournament", "players"), ["Ada"], "at least two players"),
        (("tournament", "players"), [f"P{n}" for n in range(19)], "19 players and 18 seats; add a table"),
        (("tournament", "players"), [{"player": "p2", "name": "x"}, "y"], "each id once"),
        (("tournament", "players"), [{"player": "p" * 33, "name": "x"}, "y"], "ids of 1 to 32 bytes"),
        (("tournament", "players"), ["x" * 121, "y"], "names of 1 to 120 characters"),
        (("tournament", "players"), ["", "y"], "names of 1 to 120 characters"),
        (("tournament", "stack"), 25 * 10**15, "all together at most 9007199254740991 chips"),
        (("tournament", "schedule"), [{"minutes": 5, "pause": True}], "begin with a level"),
        (("tournament", "schedule", 0, "minutes"), float("inf"), "minutes above 0, at most 1000000"),
        (("tournament", "schedule", 0, "minutes"), float("nan"), "minutes above 0, at most 1000000"),
        (("tournament", "schedule", 2, "big_blind"), 2**53, "amounts of at most 9007199254740991"),
        (("tournament", "schedule", 0, "minutes"), 0, "minutes above 0"),
        (("tournament", "schedule", 1, "big_blind"), 50, "each level costs more than the one before"),
        (("tournament", "schedule", 0, "small_blind"), 75, "0 < small_blind <= big_blind"),
    ],
)
def test_what_is_wrong_is_named(path: tuple[Any, ...], value: Any, said: str) -> None:
    content: Any = copy.deepcopy(tomllib.loads(EXAMPLE.read_text()))
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    with pytest.raises(ConfigError) as caught:
        parse(content, "hub.toml", EXAMPLE.parent)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_is_no_toml(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"see deploy/examples/hub\.toml"):
        load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("site = ")
    with pytest.raises(ConfigError, match="not TOML"):
        load(tmp_path / "bad.toml")


def test_paths_are_relative_to_the_file_wherever_the_hub_is_started(tmp_path: Path, monkeypatch) -> None:
    content = EXAMPLE.read_text().replace('book = "lifeclub"', 'book = "house.toml"')
    (tmp_path / "hub.toml").write_text(content)
    (tmp_path / "house.toml").write_text('extends = "tda"\nid = "house"\nname = "House"\n[values]\n')
    monkeypatch.chdir("/")

    config = load(tmp_path / "hub.toml")

    assert config.data_dir == str(tmp_path / "data" / "hub")
    assert config.tournament.book == str(tmp_path / "house.toml")


def test_an_unknown_key_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "hub.toml").write_text(EXAMPLE.read_text().replace("size = 9", "seats = 9"))

    with pytest.raises(ConfigError, match=r"hub\.toml:\d+: tournament\.seats: unknown key") as caught:
        load(tmp_path / "hub.toml")

    number = int(str(caught.value).split(":")[1])
    assert (tmp_path / "hub.toml").read_text().splitlines()[number - 1].startswith("seats")


def test_a_value_that_cannot_be_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "hub.toml").write_text(EXAMPLE.read_text().replace("size = 9", "size = 12"))

    with pytest.raises(ConfigError, match=r"hub\.toml:\d+: tournament\.size: 2 to 11 seats") as caught:
        load(tmp_path / "hub.toml")

    number = int(str(caught.value).split(":")[1])
    assert (tmp_path / "hub.toml").read_text().splitlines()[number - 1].startswith("size = 12")


def test_a_tables_file_is_called_one() -> None:
    with pytest.raises(ConfigError, match="this is a table's file; start that with bottone table"):
        load(EXAMPLE.with_name("table.toml"))


def test_a_break_says_which_chips_can_leave_in_it() -> None:
    schedule = [
        {"minutes": 20, "small_blind": 25, "big_blind": 50},
        {"minutes": 10, "pause": True},
        {"minutes": 20, "small_blind": 75, "big_blind": 150},
        {"minutes": 10, "pause": True},
        {"minutes": 20, "small_blind": 500, "big_blind": 1_000},
        {"minutes": 10, "pause": True},
        {"minutes": 20, "small_blind": 1_000, "big_blind": 2_000},
    ]

    lines = config(players=9, tables=1, chip=25, chips=[25, 100, 500, 1_000], schedule=schedule).tournament.lines

    assert [line.color_up for line in lines if line.level is None] == [(), (25, 100), (500,)]
    assert all(not line.color_up for line in lines if line.level is not None)


@pytest.mark.parametrize(
    ("chips", "said"),
    [([100, 500], "smallest chip"), ([25, 25], "each a multiple"), ([25, 60], "each a multiple")],
)
def test_chips_are_named_from_the_smallest_up(chips: list[int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        config(players=9, tables=1, chip=25, chips=chips)
