"""Every hand script of every rulebook is a test; its id is its title."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.script.parse import parse
from engine.script.play import play

HERE = Path(__file__).parent
SCRIPTS = [
    pytest.param(script, id=f"{script.header.book}: {script.header.title}")
    for path in sorted(HERE.glob("*/*.hand"))
    for script in parse(path.read_text(encoding="utf-8"), str(path.relative_to(HERE)))
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_rules_make_of_it_what_the_script_says(script):
    report = play(script)

    difference = report.difference
    assert difference is None, f"{report.file}:{difference.line}: {difference.text}: {difference.said}"
    assert len(report.findings) == report.lines > 0


def test_titles_are_told_apart_within_a_book():
    ids = [param.id for param in SCRIPTS]

    assert len(set(ids)) == len(ids)
