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


@pytest.mark.parametrize(
    ("given", "usage"),
    [
        (("demo", "--bogus"), "usage: bottone demo "),
        (("rulebook", "show", "tda", "cortile"), "usage: bottone rulebook show "),
    ],
)
def test_what_a_command_does_not_know_is_answered_with_its_own_usage(given, usage, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(given)

    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.startswith(usage)
    assert f"unrecognized arguments: {given[-1]}" in said


@pytest.mark.parametrize(
    ("command", "example", "says"),
    [
        ("table", "hub.toml", "this is a hub's file; start that with bottone hub"),
        ("hub", "table.toml", "this is a table's file; start that with bottone table"),
    ],
)
def test_a_file_of_the_other_kind_is_told_what_it_is(command, example, says, capsys):
    file = Path(__file__).parents[2] / "deploy" / "examples" / example

    assert cli.main([command, "--config", str(file)]) == 2
    assert f"{file}: {says} --config {file}" in capsys.readouterr().err


def test_a_tables_number_without_a_hub_is_wrong_use(capsys):
    assert cli.main(["virtual-table", "--table", "2"]) == 2
    assert "--table 2: a table's number is a hub's; give its file with --hub" in capsys.readouterr().err


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


def test_no_port_beyond_the_last_one_for_a_virtual_table(capsys):
    with pytest.raises(SystemExit):
        cli.main(["virtual-table", "--port", "65536"])

    assert "argument --port: 65536: give 0 to 65535" in capsys.readouterr().err


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
    answer = bottone("rulebook", "check", str(tmp_path / "none.toml"), "lifeclub")

    assert answer.returncode == 2
    assert answer.stdout.startswith("lifeclub: lifeclub, ")
    assert "none.toml: no such file" in answer.stderr
