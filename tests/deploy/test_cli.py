"""The `bottone` command: what it lists, how fast it answers, how it says no."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy import cli

HEAVY = {"paho.mqtt.client", "starlette", "uvicorn", "gpiozero", "PIL", "luma.core", "sqlite3", "cryptography"}
BOTTONE = Path(sys.executable).with_name("bottone")


def bottone(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BOTTONE, *arguments], capture_output=True, text=True, check=False, timeout=60)


def test_help_lists_every_command_with_its_line():
    answer = bottone("--help")

    assert answer.returncode == 0
    for name in cli.names():
        assert name in answer.stdout
        assert cli.load(name).HELP


@pytest.mark.parametrize("name", cli.names())
def test_every_command_explains_itself(name):
    answer = bottone(name, "--help")

    assert answer.returncode == 0
    assert answer.stdout.startswith(f"usage: bottone {name}")


def test_help_loads_nothing_heavy():
    code = "import sys; from deploy import cli; cli.parser_for(cli.names()); print(*sys.modules)"
    listing = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert HEAVY.isdisjoint(listing.split())


def test_an_unknown_command_is_wrong_use():
    answer = bottone("shuffle-up-and-deal")

    assert answer.returncode == 2
    assert "shuffle-up-and-deal" in answer.stderr


def test_a_file_that_is_not_there_is_one_line_that_names_it(tmp_path):
    answer = bottone("table", "--config", str(tmp_path / "missing.toml"))

    assert answer.returncode == 2
    assert "missing.toml" in answer.stderr
    assert "Traceback" not in answer.stderr
