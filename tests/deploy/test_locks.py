"""Locks: every package with its hash, and no address of any registry or machine."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
REQUIREMENT = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;]+)", re.IGNORECASE)


def pins(lock: Path) -> dict[str, str]:
    found = (REQUIREMENT.match(line) for line in lock.read_text().splitlines())
    return {match[1]: match[2] for match in found if match}


def test_there_is_a_lock_for_every_goal():
    assert [lock.name for lock in LOCKS] == ["pi.txt", "rpigpio.txt", "run.txt", "test.txt", "uv.txt"]


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


@pytest.mark.parametrize(
    ("lock", "extras"),
    [
        ("run.txt", {"hub"}),
        ("pi.txt", {"hub", "pi", "evdev", "oled"}),
        ("rpigpio.txt", {"hub", "pi", "evdev", "oled", "rpigpio"}),
        ("test.txt", {"hub", "evdev", "oled", "dev"}),
    ],
)
def test_a_lock_holds_all_that_its_extras_ask_for_and_a_version_that_they_allow(lock, extras):
    wanted = [*PROJECT["dependencies"], *(one for extra in extras for one in PROJECT["optional-dependencies"][extra])]
    locked = {canonicalize_name(name): version for name, version in pins(ROOT / "requirements" / lock).items()}

    for text in wanted:
        requirement = Requirement(text)
        assert locked.get(canonicalize_name(requirement.name), "none") in requirement.specifier, text


def test_every_extra_is_locked_somewhere():
    locked = {"hub", "pi", "evdev", "oled", "rpigpio", "dev"}

    assert set(PROJECT["optional-dependencies"]) == locked


def test_lgpio_is_the_one_that_has_something_in_it():
    """lgpio 0.0.0.2 on PyPI is an empty module; a resolver takes it where 0.2.2.0 has no wheel."""
    assert "lgpio==0.2.2.0" in PROJECT["optional-dependencies"]["pi"]
    assert pins(ROOT / "requirements/pi.txt")["lgpio"] == "0.2.2.0"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_the_shim_that_overwrites_rpi_gpio_is_in_no_lock(lock):
    assert "rpi-lgpio" not in {canonicalize_name(name) for name in pins(lock)}


@pytest.mark.parametrize("name", ["pi.txt", "rpigpio.txt", "test.txt"])
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
