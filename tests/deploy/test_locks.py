"""Locks: every package with its hash, and no address of any registry or machine."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
REQUIREMENT = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;]+)", re.IGNORECASE)


def pins(lock: Path) -> dict[str, str]:
    found = (REQUIREMENT.match(line) for line in lock.read_text().splitlines())
    return {match[1]: match[2] for match in found if match}


def test_there_is_a_lock_for_every_goal():
    assert [lock.name for lock in LOCKS] == ["pi.txt", "run.txt", "test.txt", "uv.txt"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_host(lock):
    text = lock.read_text()

    assert "://" not in text
    assert not re.search(r"^\s*(-[if]\b|--(extra-|default-)?index|--find-links|--trusted-host)", text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_of_a_lock_has_a_hash(lock):
    blocks = re.split(r"\n(?=\S)", lock.read_text().strip())

    assert blocks
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", ["pi.txt", "test.txt"])
def test_all_locks_agree_on_the_versions_they_share(name):
    run, other = pins(ROOT / "requirements/run.txt"), pins(ROOT / "requirements" / name)

    assert {package: (run[package], other[package]) for package in run if other.get(package) != run[package]} == {}


def test_the_build_backend_is_the_locked_one():
    required = re.search(r"^requires = \[(.*)\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

    assert required is not None
    locked = pins(ROOT / "requirements/uv.txt")
    assert dict(item.split("==") for item in re.findall(r'"([^"]+)"', required[1])) == {
        package: locked[package] for package in ("hatchling", "editables")
    }


def test_no_uv_lock_is_kept():
    listing = ["git", "ls-files", "uv.lock", "pylock.toml"]

    assert subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout == ""
