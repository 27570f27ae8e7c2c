"""`bottone script` and `bottone replay`: what they print and how they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.commands.replay import MAX_FILE_BYTES
from tests.waiting import until

BOTTONE = Path(sys.executable).with_name("bottone")
HOLDS = "title It holds\nbook tda\nblinds 50/100\nbutton 1\nseats 1:1000 2:1000 3:1000\nbegin\n1 call\n= to_act 2\n"
DIFFERS = HOLDS.replace("It holds", "It does not").replace("to_act 2", "to_act 3") + "2 call\n"
HAND = """
variant = 'NT'
antes = [5, 5, 5]
blinds_or_straddles = [50, 100, 0]
starting_stacks = [1000, 80, 600]
actions = [
  'd dh p1 AhKc', 'd dh p2 ????', 'd dh p3 AsKd', 'p3 cbr 325', 'p1 cc', 'p2 f',
  'd db QcJd2h', 'p1 cbr 123', 'p3 cbr 270', 'p1 cc', 'd db 5s', 'd db 9c', 'p1 sm AhKc', 'p3 sm AsKd',
]
finishing_stacks = [1040, 0, 640]
"""


def bottone(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(BOTTONE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def file(tmp_path):
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


class TestScript:
    def test_what_held_is_said_line_by_line(self, file):
        done = bottone("script", file("a.hand", HOLDS))

        assert done.returncode == 0
        assert "ok     7  1 call" in done.stdout
        assert done.stdout.endswith("1 script, none with a difference\n")

    def test_a_file_as_windows_saves_it(self, tmp_path):
        (tmp_path / "w.hand").write_bytes(b"\xef\xbb\xbf" + HOLDS.replace("\n", "\r\n").encode())
        assert bottone("script", tmp_path / "w.hand").returncode == 0

    def test_a_difference_ends_with_1_and_is_told(self, file):
        done = bottone("script", file("a.hand", HOLDS), file("b.hand", DIFFERS))

        assert done.returncode == 1
        assert "the script says to_act 3, the table says 2" in done.stdout
        assert "(1 line after it was not played)" in done.stdout

    def test_it_speaks_italian(self, file):
        differs = bottone("script", "--lang", "it", file("a.hand", DIFFERS))
        unread = bottone("script", "--lang", "it", file("b.hand", HOLDS + "9 salta\n"))

        assert "lo script dice to_act 3, il tavolo 2\n       (1 riga dopo non è stata giocata)" in differs.stdout
        assert "1 script, 1 con differenze" in differs.stdout
        assert "'salta' non è un'azione di un posto" in unread.stderr

    def test_json_is_one_object_a_script(self, file):
        done = bottone("script", "--json", file("a.hand", HOLDS + DIFFERS))

        first, second = map(json.loads, done.stdout.splitlines())
        assert (first["title"], first["held"], first["difference"]) == ("It holds", True, None)
        assert (second["held"], second["difference"]["line"]) == (False, 16)

    @pytest.mark.parametrize(
        ("text", "where"),
        [(HOLDS + "2 limps\n", ":9: "), (HOLDS.replace("tda", "hoyle"), ":2: "), ("", ":1: ")],
    )
    def test_a_file_that_cannot_be_read_ends_with_2_and_its_line(self, file, text, where):
        path = file("a.hand", text)

        done = bottone("script", path)

        assert done.returncode == 2
        assert f"{path}{where}" in done.stderr

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path):
        (tmp_path / "b.hand").write_bytes(b"title T\nbook tda\n\xff\xfe\n")

        assert bottone("script", tmp_path / "a.hand").returncode == 2
        done = bottone("script", tmp_path / "b.hand")
        assert done.returncode == 2
        assert "b.hand:3" in done.stderr


class TestReplay:
    def test_the_hand_that_comes_along_is_paid_as_it_says(self):
        done = bottone("replay", "--engine-only", "--json", str(Path(__file__).parents[2] / "deploy/examples/hand.phh"))

        assert done.returncode == 0
        assert '"ok":true' in done.stdout

    @pytest.mark.parametrize("way", [["--engine-only"], []], ids=["the rules alone", "a whole unit"])
    def test_a_hand_comes_out_as_its_file_says(self, file, way):
        path = file("a.phh", HAND)

        done = bottone("replay", "--json", *way, path)

        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout) == {"file": str(path), "stacks": [1040, 0, 640], "ok": True}

    @pytest.mark.parametrize("way", [["--engine-only"], []], ids=["the rules alone", "a whole unit"])
    def test_other_stacks_end_with_1(self, file, way):
        path = file("a.phh", HAND.replace("[1040, 0, 640]", "[1041, 0, 639]"))

        done = bottone("replay", "--json", *way, path)

        result = json.loads(done.stdout)
        assert done.returncode == 1
        assert (result["stacks"], result["ok"]) == ([1040, 0, 640], False)

    def test_no_stated_stacks_are_no_answer(self, file):
        done = bottone("replay", "--engine-only", "--json", file("a.phh", HAND.partition("finishing")[0]))

        assert done.returncode == 0
        assert json.loads(done.stdout)["ok"] is None

    def test_a_hand_that_the_table_refuses_is_not_right(self, file):
        done = bottone("replay", "--json", file("a.phh", HAND.replace("'p3 cbr 325'", "'p3 cbr 150'")))

        result = json.loads(done.stdout)
        assert done.returncode == 1
        assert (result["stacks"], result["ok"]) == (None, False)
        assert result["why"]

    def test_another_game_is_named_and_ends_with_2(self, file):
        good, other = file("a.phh", HAND), file("b.phh", HAND.replace("'NT'", "'PO'"))

        done = bottone("replay", "--engine-only", "--json", good, other)

        first, second = map(json.loads, done.stdout.splitlines())
        assert done.returncode == 2
        assert first["ok"] is True
        assert (second["stacks"], second["ok"]) == (None, None)
        assert "variant 'PO' is not played" in second["why"]
        assert "variant 'PO' is not played" in done.stderr

    def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(self, file, tmp_path):
        (tmp_path / "w.phh").write_bytes(b"\xef\xbb\xbf" + HAND.replace("\n", "\r\n").encode())
        (tmp_path / "b.phh").write_bytes(b"variant = \xff")
        (tmp_path / "d.phh").mkdir()
        long = file("l.phh", "#" * (MAX_FILE_BYTES + 1))
        crowd = file("c.phh", "\n".join(f"{line} = [{'1,' * 11}]" for line in ("antes", "starting_stacks"))
                     + f"\nvariant = 'NT'\nblinds_or_straddles = [1, 2,{'0,' * 9}]\nactions = []")  # fmt: skip
        files = [tmp_path / name for name in ("missing.phh", "b.phh", "d.phh")] + [long, crowd, tmp_path / "w.phh"]

        done = bottone("replay", "--engine-only", "--json", *files)

        *others, windows = map(json.loads, done.stdout.splitlines())
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert {(other["stacks"], other["ok"]) for other in others} == {(None, None)}
        assert [other["why"] for other in others] == [
            "No such file or directory", "no hand: no UTF-8 text from byte 10 on", "Is a directory",
            "no hand: more than 1048576 bytes", "11 players: tda seats at most 10 at a table",
        ]  # fmt: skip
        assert windows["ok"] is True

    def test_asked_to_end_it_leaves_nothing_behind(self, file, tmp_path):
        room = tmp_path / "temporary"
        room.mkdir()
        environment = os.environ | {"TMPDIR": str(room)}
        replay = subprocess.Popen([str(BOTTONE), "replay", str(file("a.phh", HAND))], env=environment)
        until(lambda: list(room.glob("*/*/table.toml")) + list(room.glob("*/table.toml")), 20)

        replay.terminate()

        assert replay.wait(20) == 128 + signal.SIGTERM
        assert not list(room.iterdir())

    def test_a_house_book_decides_at_a_unit_too(self, file, tmp_path):
        file("house.toml", 'id = "house"\nextends = "tda"\n')

        command = [str(BOTTONE), "replay", "--json", "--book", "house.toml", str(file("a.phh", HAND))]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path)

        assert json.loads(done.stdout)["ok"] is True

    def test_a_file_that_is_missing_keeps_no_other_from_being_played(self, file):
        done = bottone("replay", "--engine-only", "missing.phh", file("a.phh", HAND), file("b.phh", "no hand"))

        first, second, third, count = done.stdout.splitlines()
        assert done.returncode == 2
        assert first == "--  missing.phh: No such file or directory"
        assert second.startswith("ok  ")
        assert third.startswith("--  ")
        assert count == "3 hands, none with a difference, 2 with nothing to compare"
        assert "not played: 2 of 3, the first missing.phh: No such file or directory" in done.stderr

    def test_stacks_that_have_nothing_to_be_compared_with_say_so(self, file):
        done = bottone("replay", "--engine-only", file("a.phh", HAND.partition("finishing")[0]))

        assert done.returncode == 0
        assert done.stdout.splitlines()[0].endswith(" (the file states no final stacks)")
        assert done.stdout.endswith("1 hand, none with a difference, 1 with nothing to compare\n")

    def test_wrong_use(self, file):
        assert bottone("replay", "--engine-only", file("a.phh", "no hand")).returncode == 2
        assert bottone("replay", "--book", "hoyle", file("b.phh", HAND)).returncode == 2
        assert bottone("replay", "missing.phh").returncode == 2
