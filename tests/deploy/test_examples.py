"""The example files: they are what the programs read, and hub and tables of the quick start find each other."""

import contextlib
import json
import subprocess
import tomllib
from pathlib import Path

import httpx
import pytest

from deploy import at_hub, children
from deploy.broker import free_port
from deploy.errors import WrongUse
from deploy.hub_client import HubClient
from deploy.small_room import HubProcess
from deploy.virtual_page.stand import Badge, Stand, Tap
from deploy.virtual_table import VirtualTable, toml_value
from engine.view import Due
from firmware_py import config as table_config
from firmware_py.english import EN
from hub import config as hub_config
from tests.waiting import until

LIMIT_S = 60.0
EXAMPLES = Path(__file__).parents[2] / "deploy" / "examples"


@pytest.mark.parametrize("text", ['Nicolò "il" Re\\', "\U0001f0a1", "\u202eשלום", "a\tb\x00\x1f\x7f\n", ""], ids=ascii)
def test_a_text_is_written_as_toml_reads_it(text):
    written = toml_value({"name": text, "seats": [{"n": 1, "in": True}, text]})

    assert tomllib.loads(f"a = {written}") == {"a": {"name": text, "seats": [{"n": 1, "in": True}, text]}}


def test_the_tables_example_is_read():
    assert table_config.load(EXAMPLES / "table.toml").unit


def test_the_hubs_example_is_read():
    assert hub_config.load(EXAMPLES / "hub.toml").tournament.entrants


def test_hub_and_table_of_the_examples_belong_together():
    hub = hub_config.load(EXAMPLES / "hub.toml")
    table = table_config.load(EXAMPLES / "table.toml")

    assert table.site == hub.site
    assert table.unit in {at.unit for at in hub.tables}
    assert table.book == hub.tournament.book
    assert (table.size, table.chip) == (hub.tournament.size, hub.tournament.chip)
    assert hub.broker == "auto"
    assert table.hub is not None
    assert table.hub.unix == f"{hub.data_dir}/broker/mqtt.sock"
    assert table.setup is None


def test_every_example_is_toml():
    for example in EXAMPLES.glob("*.toml"):
        tomllib.loads(example.read_text())


def felt(log: Path) -> str:
    """What the page whose address stands in `log` draws of its table."""
    url = log.read_text().split()[-1]
    with httpx.stream("GET", f"{url}events?lang=en", timeout=LIMIT_S) as stream:
        said = next(line for line in stream.iter_lines() if '"html"' in line)
    return str(json.loads(said.removeprefix("data: "))["html"])


def copied(folder: Path, port: int) -> Path:
    """The hub's example in a folder of somebody's own, on a port that is free."""
    file = folder / "hub.toml"
    file.write_text((EXAMPLES / "hub.toml").read_text().replace("port = 8080", f"port = {port}"))
    return file


def test_a_hub_and_two_virtual_tables_play_the_example(tmp_path):
    port = free_port()
    file = copied(tmp_path, port)
    process = HubProcess(tmp_path, port)
    with contextlib.ExitStack() as stack:
        process.start()
        stack.callback(process.stop)
        joined = at_hub.join(str(file), 1, "it")
        table = stack.enter_context(VirtualTable(joined.folder, joined.file))
        log = tmp_path / "page.log"
        page = children.spawn(children.bottone("virtual-table", "--hub", str(file), "--table", "2"), log)
        stack.callback(children.end, page)
        hub = stack.enter_context(HubClient(port))
        until(lambda: hub.picture().quiescent and "http://" in log.read_text(), LIMIT_S)

        hub.direct("start")

        seen = table.wait(lambda seen: seen.view.due is Due.SHUFFLE, "the start")
        assert len(seen.view.seats) == 5
        until(lambda: felt(log).count('<span class="stack">') == 5, LIMIT_S)
        assert "<h2>Table 2</h2>" in felt(log)
        assert (tmp_path / "data" / "table-1" / "data" / "journal.sqlite").exists()


def test_at_a_hub_the_director_s_badge_is_one_and_the_revoked_badge_is_refused(tmp_path):
    port = free_port()
    file = copied(tmp_path, port)
    process = HubProcess(tmp_path, port)
    with contextlib.ExitStack() as stack:
        process.start()
        stack.callback(process.stop)
        joined, other = (at_hub.join(str(file), number, "en") for number in (1, 2))
        stand = Stand(joined.folder, joined.file)
        stand.start()
        stack.enter_context(VirtualTable(other.folder, other.file))
        stack.callback(stand.stop)
        hub = stack.enter_context(HubClient(port))
        until(lambda: hub.picture().quiescent, LIMIT_S)

        stand.do(Tap(Badge.REVOKED))
        stand.table.wait(lambda seen: EN.revoked in " ".join(seen.prompt), "the refusal")
        stand.do(Tap(Badge.DIRECTOR))
        stand.table.wait(lambda seen: seen.mode == "Menu", "the director's menu")


def test_a_hub_that_was_never_started_and_a_table_that_is_not_there_are_named(tmp_path):
    file = copied(tmp_path, 0)

    with pytest.raises(WrongUse, match="first: bottone hub --config"):
        at_hub.join(str(file), 1, "it")
    (tmp_path / "data" / "hub").mkdir(parents=True)
    (tmp_path / "data" / "hub" / hub_config.BROKER_URL).write_text("unix:/nowhere")
    with pytest.raises(WrongUse, match=r"--table 3: .* has the tables 1, 2"):
        at_hub.join(str(file), 3, "it")
    assert at_hub.join(str(file), 1, "it").file.more["badges"] == {"site_key": ""}


@pytest.mark.parametrize(
    ("option", "value"), [("--stack", "0"), ("--stack", "10"), ("--chip", "0"), ("--players", "1")]
)
def test_what_a_virtual_table_cannot_be_is_named_by_its_option(option, value):
    done = subprocess.run(
        children.bottone("virtual-table", option, value), capture_output=True, text=True, check=False, timeout=LIMIT_S
    )

    assert done.returncode == 2
    assert done.stderr.startswith(f"bottone virtual-table: {option} {value}: ")
