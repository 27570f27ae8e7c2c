"""A journal printed as hand scripts: what stands, what was tabled, and a check that holds."""

import contextlib
import sqlite3
import subprocess

import pytest

from deploy import cli
from deploy.children import bottone
from engine.inputs import (
    AllIn,
    ApplyLevel,
    AwardPot,
    Away,
    Bet,
    Call,
    CallFloor,
    CardDrawn,
    Check,
    ClockCall,
    FirstCard,
    FloorDecides,
    Fold,
    GrantClock,
    HoleCardsDealt,
    Kill,
    Level,
    Motion,
    Muck,
    NextHand,
    PlaceButton,
    Puts,
    RaiseTo,
    Remind,
    Says,
    SetStack,
    Shuffle,
    SitDown,
    StreetDealt,
    TableCards,
    TimePassed,
    Word,
)
from firmware_py import journal as journals
from firmware_py.journal import Journal
from firmware_py.journal_reading import beginning, read_lines, verify
from firmware_py.journal_records import TableOpened
from firmware_py.journal_script import scripts
from firmware_py.reducer import Reducer
from firmware_py.sealing import Sealer

UNKNOWN = "??"
HAND = (Shuffle(), FirstCard(), HoleCardsDealt())
CHECKED = (Check(2), Check(3), Check(1))


@pytest.fixture
def played(tmp_path):
    """Plays deeds at a table of three and gives the journal's file."""
    journal = Journal(tmp_path, "table-1", Sealer(b"k" * 32, kept=True))
    reducer = Reducer(journal)
    reducer.open_table(0, "setup", TableOpened("tda", 9, 1))
    seats = [SitDown(seat, f"p{seat}", 1000) for seat in (1, 2, 3)]
    for deed in (*seats, ApplyLevel(Level(50, 100)), PlaceButton(1)):
        reducer.put(0, "setup", deed)

    def play(*deeds):
        """Plays them at once; an integer is so many milliseconds that go by."""
        now_ms = 0
        for deed in deeds:
            if isinstance(deed, int):
                now_ms += deed
            elif deed == "undo":
                assert reducer.undo(now_ms, "panel", director=True).what == "done"
            else:
                assert reducer.put(now_ms, "panel", deed).outcome != "refused", deed
        return journal.path

    yield play
    journal.close()


def printed(path):
    return [text for _, text in scripts(read_lines(path), "table-1", beginning(path))]


HANDS = {
    "folded": [*HAND, Fold(1), Fold(2)],
    "bet and called": [*HAND, RaiseTo(1, 300), Call(2), Fold(3), StreetDealt(("Ah", "Kd", "2c")), Bet(2, 100), Fold(1)],
    "shown by hand": [
        *HAND, Call(1), Call(2), Check(3), StreetDealt(("Ah", "Kd", "2c")), *CHECKED, StreetDealt(("3d",)), *CHECKED,
        StreetDealt(("4s",)), *CHECKED, TableCards(2, ("As", "Ac")), Muck(3), Muck(1),
    ],
    "unknown cards": [
        *HAND, Call(1), Call(2), Check(3), StreetDealt((UNKNOWN,) * 3), *CHECKED, StreetDealt((UNKNOWN,)), *CHECKED,
        StreetDealt((UNKNOWN,)), *CHECKED, TableCards(2), TableCards(3), Muck(1), AwardPot((2, 3)),
    ],
    "all in from the shoe": [
        Shuffle(), *map(CardDrawn, ("As", "Kd", "7c", "Ad", "Ks", "2h")), AllIn(1), AllIn(2), Fold(3),
        *map(CardDrawn, ("3c", "Ah", "9d", "8c", "4c", "5s", "6h", "Jd")),
    ],
    "killed": [*HAND, Kill(1), Fold(2)],
    "away": [Away(3), *HAND, Call(1), Fold(2)],
    "out of turn": [*HAND, Fold(3), Fold(1), Call(2)],
    "voided": [*HAND, CallFloor(), FloorDecides("voids")],
    "undone": [*HAND, Fold(1), "undo", Call(1), Fold(2), "undo", "undo", Fold(1), Fold(2)],
    "undone over the end": [*HAND, Fold(1), Fold(2), "undo", Call(2), Check(3), StreetDealt(("Ah", "Kd", "2c")),
                            Check(2), Bet(3, 100), Fold(2)],
    "one chip, two motions, words": [
        *HAND, Puts(1, (Motion((500,), single=True),)), Puts(2, (Motion((50,)), Motion((500,)))),
        Says(3, Word.RAISE, motion=Motion((300,))), Says(1, Word.CALL, motion=Motion((500,))), Fold(2),
    ],
    "time ran out": [
        *HAND, 12_700, Remind(), 3_000, ClockCall(3), 1_900, GrantClock(), 25_040, TimePassed(), 5_010, TimePassed(),
        Fold(2),
    ],
    "time was enough": [*HAND, 900, ClockCall(2), 400, GrantClock(), 25_999, TimePassed(), 3_000, Fold(1), 200,
                        ClockCall(3), 100, GrantClock(), 24_000, Fold(2)],
    "two hands": [*HAND, Fold(1), Fold(2), NextHand(), SetStack(1, 900), *HAND, Fold(2), Fold(3)],
}  # fmt: skip


@pytest.mark.parametrize("deeds", HANDS.values(), ids=HANDS)
def test_the_print_of_a_hand_is_a_script_that_holds(played, tmp_path, deeds):
    path = played(*deeds)
    script = tmp_path / "print.hand"
    script.write_text("\n".join(printed(path)))

    held = subprocess.run(bottone("script", str(script)), capture_output=True, check=False)

    assert held.returncode == 0, held.stdout.decode() + script.read_text()


def test_what_was_taken_back_is_not_printed(played):
    (script,) = printed(played(*HANDS["undone"]))

    assert script.count("fold") == 2
    assert "call" not in script


def test_time_is_printed_as_it_was_called_granted_and_ran_out(played):
    (script,) = printed(played(*HANDS["time ran out"]))

    told = [line for line in script.splitlines() if line.startswith(("remind", "wait", "clock_call", "grant"))]
    assert told[:-1] == ["wait 12", "remind", "wait 3", "clock_call 3", "wait 1", "grant", "wait 25"]
    assert told[-1].startswith("wait 5 -> ruled:dead_hand")


def test_only_tabled_cards_are_printed(played):
    (script,) = printed(played(*HANDS["all in from the shoe"]))

    assert "2 shows AsAd" in script
    assert "KdKs" not in script


def test_one_hand_can_be_asked_for(played):
    path = played(*HANDS["two hands"])

    second = subprocess.run(bottone("journal", "print", str(path), "--hand", "2"), capture_output=True, check=False)
    third = subprocess.run(bottone("journal", "print", str(path), "--hand", "3"), capture_output=True, check=False)

    assert second.stdout.count(b"title") == 1
    assert (second.returncode, third.returncode) == (0, 1)


def test_a_long_journal_drops_its_beginning_and_still_prints_and_verifies(played, monkeypatch):
    monkeypatch.setattr(journals, "KEPT_ENTRIES", 30)
    monkeypatch.setattr(journals, "CHECKPOINT_EVERY", 10)
    order = ((1, 2), (2, 3), (3, 1))
    for hand in range(12):
        first, second = order[hand % 3]
        path = played(*HAND, Fold(first), Fold(second))

    numbers = [line.n for line in read_lines(path)]
    texts = printed(path)

    assert 30 <= len(numbers) < 60
    assert numbers[0] > 1
    assert verify(path) == (len(numbers), "")
    assert f"hand {12}" in texts[-1]
    assert 6 <= len(texts) < 12


@pytest.mark.parametrize("action", ["print", "export", "verify"])
@pytest.mark.parametrize("body", ["{", b"\xff", '{"type":"Gone"}'])
def test_a_journal_that_was_changed_is_one_line_and_exit_status_1(played, capsys, action, body):
    path = played(*HANDS["two hands"])
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entries SET body=? WHERE n=5", (body,))

    status = cli.main(["journal", action, str(path)])

    said = capsys.readouterr()
    assert status == 1
    assert "entry 5 was changed" in said.out + said.err


def test_a_file_that_is_no_journal_is_exit_status_2(tmp_path):
    said = subprocess.run(bottone("journal", "verify", str(tmp_path / "x")), capture_output=True, check=False)
    shown = subprocess.run(bottone("journal", "print", str(tmp_path / "x")), capture_output=True, check=False)

    assert (said.returncode, shown.returncode) == (2, 2)
    assert b"no such file" in said.stderr
    assert b"no such file" in shown.stderr
