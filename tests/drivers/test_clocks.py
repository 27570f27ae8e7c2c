"""Drivers and the table's process measure with the monotonic clock: a network time server may step the other one.

A Pi has no clock of its own over a power cut; it starts with a time of yesterday and jumps when the network answers
(raspberrypi/linux #1751). Whatever counts by it fires at once, or never.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WALL = {("time", "time"), ("time", "time_ns"), ("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today")}
MAY = {
    "journal.py": "each deed carries the wall's time beside the monotonic one, for people",
    "wedge_sim.py": "the kernel stamps its input events so",
}


@pytest.mark.parametrize("folder", ["drivers", "firmware_py"])
def test_nobody_asks_the_wall_for_a_duration(folder):
    asking = [
        f"{path.name}:{node.lineno}"
        for path in sorted((ROOT / folder).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if path.name not in MAY and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in WALL
    ]  # fmt: skip

    assert asking == []
