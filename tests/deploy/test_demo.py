"""The demonstration as a person runs it: it ends, it repeats itself, and it leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import until

FAST = ["--speed", "100000", "--port", "0"]
LIMIT_S = 240
FINGERPRINT = re.compile(r"^fingerprint ([0-9a-f]{16}) ", re.MULTILINE)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "deploy", "demo", *FAST, *arguments]


def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}


def evening(tmp_path: Path, *arguments: str) -> str:
    """What a demonstration prints from the draw on."""
    done = subprocess.run(
        command(*arguments), env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=LIMIT_S
    )
    assert done.returncode == 0, done.stderr
    return done.stdout[done.stdout.index("The draw:") :]


def left_behind(tmp_path: Path) -> list[str]:
    """Command lines of processes that still mention this evening's folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(tmp_path) in line:
            found.append(line)
    return found


def test_a_tournament_of_two_tables_is_played_to_the_last_player(tmp_path):
    said = evening(tmp_path, "--tables", "2", "--seed", "eighteen")

    places = said[said.index("Final places") :].splitlines()[1:]
    numbers = [int(re.match(r"\s*(\d+)\.", line)[1]) for line in places if re.match(r"\s*\d+\.", line)]
    assert len(numbers) == 18
    assert numbers[0] == 1
    assert "table 1 closes" in said or "table 2 closes" in said
    assert left_behind(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_plays_the_same_evening_and_another_seed_another(tmp_path):
    first = evening(tmp_path, "--tables", "2", "--seed", "again", "--hands", "4")
    second = evening(tmp_path, "--tables", "2", "--seed", "again", "--hands", "4")
    other = evening(tmp_path, "--tables", "1", "--seed", "another", "--hands", "1")

    assert first == second
    assert FINGERPRINT.findall(first) != FINGERPRINT.findall(other)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_stops_cleanly_when_asked(tmp_path, number, status):
    output = tmp_path / "output"
    folder = tmp_path / "folder"
    folder.mkdir()
    with output.open("w") as out:
        demo = subprocess.Popen(command("--tables", "1"), env=environment(folder), stdout=out, stderr=out)
    try:
        until(lambda: "hand   2" in output.read_text(), LIMIT_S)
        demo.send_signal(number)

        assert demo.wait(30) == status
    finally:
        demo.kill()
        demo.wait()
    assert "Traceback" not in output.read_text()
    assert left_behind(folder) == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["--tables", "0"], ["--speed", "fast"], ["--lang", "de"], ["--port", "70000"], ["--tables", "x"]],
)  # fmt: skip
def test_a_wrong_option_is_named(arguments):
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 2
    assert arguments[0] in done.stderr
    assert "_" not in done.stderr.splitlines()[-1]                       # no function's name


def test_a_port_that_is_taken_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(command("--port", port), capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 2
    assert f"port {port} is taken" in done.stderr
