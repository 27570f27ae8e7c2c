"""A table's file: what it may say, and what it is told when it says something else."""

from pathlib import Path

import pytest

from firmware_py.config import ConfigError, load

GOOD = 'unit = "table-1"\nsite = "club"\ndata_dir = "data"\n'
EXAMPLE = Path(__file__).parents[2] / "deploy" / "examples" / "table.toml"


def written(tmp_path, text):
    file = tmp_path / "table.toml"
    file.write_text(text)
    return file


def test_the_example_is_fine():
    config = load(EXAMPLE)

    assert config.unit == "table-1"
    assert config.hub is not None


def test_the_examples_table_that_plays_alone_is_fine_too(tmp_path):
    before, hub, rest = EXAMPLE.read_text().partition("[hub]")
    joins, setup, alone = rest.partition("# [setup]")
    uncommented = "\n".join(line.removeprefix("# ") for line in (setup + alone).splitlines())

    config = load(written(tmp_path, before + "# " + hub + joins.replace("unix =", "# unix =") + uncommented))

    assert config.setup is not None
    assert [place.name for place in config.setup.seats] == ["Anna", "Bruno", "Carla"]


def test_paths_are_those_of_the_files_folder(tmp_path):
    config = load(written(tmp_path, GOOD))

    assert config.data_dir == str(tmp_path / "data")


WRONG = (
    # what is added to a good file, and what the error says
    ('colour = "red"\n', ("table.toml:4: colour: unknown key", "remove it")),
    ("[pins]\nspeed = 3\n", ("table.toml:5: pins.speed: unknown key",)),
    ("[pins.keys]\nfold = 6\n", ("pins.keys.check_call: GPIO 6 is used twice: key fold and key check_call",)),
    ("[pins.keys]\nbluff = 6\n", ("table.toml:5: pins.keys.bluff: unknown key",)),
    ("[pins]\nbuzzer = 20\n", ("table.toml:5: pins.buzzer: GPIO 20 is used twice: lamp fold and buzzer",)),
    ("[pins.keys]\nfold = 40\n", ("table.toml:5: pins.keys.fold: key fold is on GPIO 40, which does not exist",)),
    ("[pins.knob]\na = 2\n", ("table.toml:5: pins.knob.a: GPIO 2 is used twice: I2C1 SDA and knob a",)),
    ("[pins.lamps]\ndeal = 14\n", ("pins.knob.b: GPIO 14 is used twice: lamp deal and knob b",)),
    ('[pins]\nfactory = "RPi"\n', ("table.toml:5: pins.factory: invalid enum value 'rpi'", "correct the value")),
    ('[pins]\nsocket = "x"\n', ("table.toml:5: pins.socket", 'only with factory = "mock"')),
    ('size = "ten"\n', ("table.toml:4: size: expected `int`, got `str`",)),
    ("size = 99\n", ("table.toml:4: size: 99 seats",)),
    ("chip = 0\n", ("table.toml:4: chip", "at least 1")),
    ('[shoe]\nprotocol = "osp1"\n', ("shoe.port", "give the serial port")),
    ('[shoe]\nprotocol = "angel_eye"\n', ("shoe.protocol", "invalid enum value")),
    ('[shoe]\nprotocol = "rfid_deck"\nport = "/dev/a"\n', ("shoe.registry", "bottone deck register")),
    ('[shoe]\nprotocol = "osp1"\nport = "/dev/a"\ncodes = "c.csv"\n', ("shoe.codes", "remove it")),
    ("[badges]\ndealer_required = true\n", ("badges.dealer_required", "needs a badge reader")),
    ('[badge]\nprotocol = "wedge"\n', ("badge.port", "/dev/input/by-id")),
    ('[badge]\nprotocol = "pn532"\nport = "/dev/a"\nbaud = -1\n', ("badge.baud", "leave it out")),
    ('[hub]\nhost = "h"\nunix = "u"\n', ("table.toml:4: hub", "one of them")),
    ('[hub]\nhost = "h"\nport = 70000\n', ("table.toml:6: hub.port", "no port")),
    ('[setup]\nsmall_blind = 1\nbig_blind = 2\nbutton = 1\nseats = []\n[hub]\nunix = "u"\n',
     ("table.toml:4: setup: the hub seats the players", "remove [setup]")),
    ("[setup]\nsmall_blind = 1\n", ("is missing", "add it")),
    ("[setup]\nsmall_blind = 1\nbig_blind = 2\nbutton = 1\nseats = [{seat = 1, stack = 5}, {seat = 1, stack = 5}]\n",
     ("setup.seats: seat 1 is taken twice",)),
    ("[setup]\nsmall_blind = 5\nbig_blind = 2\nbutton = 1\nseats = []\n", ("setup.small_blind: 5/2",)),
    ("this is no toml\n", ("not TOML", "line 4")),
)  # fmt: skip


@pytest.mark.parametrize(("added", "said"), WRONG, ids=[added.split("\n")[-2] for added, _ in WRONG])
def test_a_mistake_is_named_with_file_key_and_what_to_do(tmp_path, added, said):
    file = written(tmp_path, GOOD + added)

    with pytest.raises(ConfigError) as error:
        load(file)

    assert "\n" not in str(error.value)
    for part in said:
        assert part in str(error.value).replace("'RPi'", "'rpi'")


def test_a_missing_key_is_named(tmp_path):
    with pytest.raises(ConfigError, match="site is missing; add it"):
        load(written(tmp_path, 'unit = "table-1"\ndata_dir = "d"\n'))


def test_a_missing_file_is_named_with_an_example(tmp_path):
    with pytest.raises(ConfigError, match=r"none.toml: No such file.*deploy/examples/table.toml"):
        load(tmp_path / "none.toml")


@pytest.mark.parametrize("name", ["T1", "a", "table/1", "table+1"])
def test_a_units_name_is_safe_in_a_topic(tmp_path, name):
    with pytest.raises(ConfigError, match="no unit's name"):
        load(written(tmp_path, GOOD.replace("table-1", name)))
