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


@pytest.mark.parametrize("kind", ["missing", "folder", "empty", "binary"])
@pytest.mark.parametrize(
    "command",
    [
        ("table", "--config"),
        ("hub", "--config"),
        ("script",),
        ("replay",),
        ("replay", "--engine-only"),
        ("replay", "fine.phh", "--book"),
        ("journal", "print"),
        ("journal", "verify"),
        ("journal", "export"),
    ],
    ids=" ".join,
)
def test_a_file_that_is_none_is_named_with_what_to_do_and_exit_status_2(tmp_path, monkeypatch, capsys, command, kind):
    monkeypatch.chdir(tmp_path)
    given = Path(f"{kind}.toml")
    match kind:
        case "folder":
            given.mkdir()
        case "empty":
            given.touch()
        case "binary":
            given.write_bytes(bytes(range(256)))

    status = cli.main([*command, str(given)])

    said = capsys.readouterr().err
    assert status == 2
    assert "Traceback" not in said
    assert said.startswith(f"bottone {command[0]}: ")
    assert given.name in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("option", ["--speed", "--tables", "--hands", "--port"])
@pytest.mark.parametrize("value", ["", "many", "-1", "1e9", "\N{ARABIC-INDIC DIGIT ONE}x"])
def test_a_number_that_is_none_is_told_its_range(option, value, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["demo", option, value])

    assert end.value.code == 2
    assert "give " in capsys.readouterr().err


def test_pictures_go_into_a_folder(tmp_path, capsys):
    (tmp_path / "taken").touch()

    assert cli.main(["pictures", "--out", str(tmp_path / "taken")]) == 2
    assert "taken: no folder; name one with --out" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_one_line_that_names_it(tmp_path):
    answer = bottone("table", "--config", str(tmp_path / "missing.toml"))

    assert answer.returncode == 2
    assert "missing.toml" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_journal_is_found_in_its_folder_and_a_file_that_is_none_is_named_once(tmp_path):
    other = tmp_path / "README.md"
    other.write_text("# no journal")

    assert "journal.sqlite: no such file" in bottone("journal", "print", str(tmp_path)).stderr
    assert bottone("journal", "verify", str(other)).stderr.count("README.md") == 1


def test_a_rulebook_that_is_not_there_is_wrong_use(tmp_path):
    answer = bottone("rulebook", "check", str(tmp_path / "none.toml"))

    assert answer.returncode == 2
    assert "none.toml: no such file" in answer.stderr
