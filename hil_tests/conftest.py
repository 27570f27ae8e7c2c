"""Chooses the rigs: each contract is collected once for every rig there is, and those not asked for are deselected."""

from pathlib import Path

import pytest

from hil_tests.rigs import RIGS
from hil_tests.rigs.played import BADGES, SHOES
from hil_tests.rigs.screens import CLOCKS, PROMPTS
from hil_tests.rigs.virtual import VirtualRig

ASKED = pytest.StashKey()
KINDS = {"shoe", "badge", "keys", "clock", "prompt"}  # each is a fixture below, and a name in a rig's `has`
BADGE_PROTOCOLS = sorted({*BADGES, *VirtualRig.badges})


def pytest_addoption(parser):
    group = parser.getgroup("rig", "hardware in the loop")
    group.addoption(
        "--rig", action="append", choices=sorted(RIGS), help="where the devices are; may be repeated (default: virtual)"
    )
    group.addoption("--rig-map", type=Path, metavar="FILE", help="TOML file that says which port is which on that rig")


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*what): what the rig must have besides the device: unplug")
    config.addinivalue_line("markers", "proves(*what): what the shoe's protocol must be able to prove: fields of Caps")
    asked = config.getoption("--rig", default=None) or ["virtual"]
    rig_map = config.getoption("--rig-map", default=None)
    try:
        config.stash[ASKED] = {name: RIGS[name](rig_map) for name in asked}
    except (OSError, ValueError) as trouble:
        raise pytest.UsageError(str(trouble)) from trouble


def pytest_generate_tests(metafunc):
    if "rig" in metafunc.fixturenames:
        metafunc.parametrize("rig", sorted(RIGS), indirect=True)
    if "shoe" in metafunc.fixturenames:
        metafunc.parametrize("shoe", sorted(SHOES), indirect=True)
    if "badge" in metafunc.fixturenames:
        metafunc.parametrize("badge", BADGE_PROTOCOLS, indirect=True)
    if "clock" in metafunc.fixturenames:
        metafunc.parametrize("clock", sorted(CLOCKS), indirect=True)
    if "prompt" in metafunc.fixturenames:
        metafunc.parametrize("prompt", sorted(PROMPTS), indirect=True)


def pytest_collection_modifyitems(config, items):
    """Deselect, never skip: a skip would say that something that was asked for could not be done."""
    wanted, unwanted = [], []
    for item in items:
        (wanted if runs_here(config, item) else unwanted).append(item)
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = wanted


def runs_here(config, item):
    """Was the item's rig asked for, and has it what the item needs? An item without a rig runs everywhere."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    if params.get("rig") not in RIGS:
        return True
    rig = config.stash[ASKED].get(params["rig"])
    needs = {what for marker in item.iter_markers("needs") for what in marker.args}
    if rig is None or not needs | (KINDS & set(item.fixturenames)) <= rig.has:
        return False
    if "shoe" in params:
        proves = [what for marker in item.iter_markers("proves") for what in marker.args]
        return params["shoe"] in rig.shoes and all(getattr(SHOES[params["shoe"]].caps, what) for what in proves)
    kinds = {"badge": rig.badges, "clock": rig.clocks, "prompt": rig.prompts}
    return all(params[kind] in there for kind, there in kinds.items() if kind in params)


@pytest.fixture
def rig(request, pytestconfig):
    """The rig on which this test runs."""
    return pytestconfig.stash[ASKED][request.param]


@pytest.fixture
def shoe(rig, tmp_path, request):
    """A shoe, freshly switched on."""
    with rig.shoe(tmp_path, request.param) as stand:
        yield stand


@pytest.fixture
def keys(rig):
    """A panel of keys with a finger on it."""
    with rig.keys() as stand:
        yield stand


@pytest.fixture
def clock(rig, request):
    """An LED clock that was never told anything."""
    with rig.clock(request.param) as stand:
        yield stand


@pytest.fixture
def prompt(rig, request):
    """A prompt display that was never told anything."""
    with rig.prompt(request.param) as stand:
        yield stand


@pytest.fixture
def badge(rig, tmp_path, request):
    """A badge reader with no badge on it."""
    with rig.badge(tmp_path, request.param) as stand:
        yield stand
