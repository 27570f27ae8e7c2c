"""Real hands (PHH files under `BOTTONE_PHH_DIR`): every one ends with the stacks its file states."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import rulebook
from engine.phh import deal, read, whole_stacks
from engine.replay import RulesTable, play

FOLDER = Path(os.environ["BOTTONE_PHH_DIR"])
FILES = sorted(FOLDER.rglob("*.phh"))
TDA = rulebook.load("tda")
AT_UNITS_TIMEOUT_S = 300


def test_there_are_hands_to_play():
    assert FILES, f"no hand (*.phh) under {FOLDER}: set BOTTONE_PHH_DIR to where they are, or unset it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_the_rules_pay_what_was_paid(path):
    hand = read(path.read_text(encoding="utf-8"))

    stacks = play(hand, deal(hand), RulesTable(hand, TDA))

    assert sum(stacks) == sum(hand.stacks)
    if hand.finishing is not None:
        assert stacks == whole_stacks(hand.finishing)


def test_a_whole_unit_pays_what_was_paid():
    command = [sys.executable, "-m", "deploy", "replay", "--json", *map(str, FILES)]

    done = subprocess.run(command, capture_output=True, text=True, timeout=AT_UNITS_TIMEOUT_S, check=False)

    results = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [f"{result['file']}: {result.get('why')}" for result in results if result["ok"] is False]
    assert not wrong, "\n".join(wrong)
    assert [result["file"] for result in results] == [str(path) for path in FILES]
    assert done.returncode == 0
