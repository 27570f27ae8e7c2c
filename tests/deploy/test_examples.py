"""The example files: they are what the programs read, and hub and table of the quick start find each other."""

import tomllib
from pathlib import Path

from firmware_py import config as table_config
from hub import config as hub_config

EXAMPLES = Path(__file__).parents[2] / "deploy" / "examples"


def test_the_tables_example_is_read():
    assert table_config.load(EXAMPLES / "table.toml").unit


def test_the_hubs_example_is_read():
    assert hub_config.load(EXAMPLES / "hub.toml").tournament.entrants


def test_hub_and_table_of_the_examples_belong_together():
    hub = hub_config.load(EXAMPLES / "hub.toml")
    table = table_config.load(EXAMPLES / "table.toml")

    assert table.site == hub.site
    assert table.unit in {at.unit for at in hub.tables}
    assert table.book == hub.tournament.book


def test_every_example_is_toml():
    for example in EXAMPLES.glob("*.toml"):
        tomllib.loads(example.read_text())
