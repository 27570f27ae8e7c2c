"""Enrolling a badge: read where it will be used, hashed with the key that the table uses."""

import pytest

from deploy.cli import main
from drivers.rdm6300_sim import Rdm6300Sim
from engine.wire import Adopt
from firmware_py.badges import badge_hash, site_key
from firmware_py.journal import Journal
from firmware_py.sealing import Sealer

MARTA = "0A00123456"
KEY = "8f" * 32


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(
        'unit = "table-1"\nsite = "club"\ndata_dir = "data"\n'
        f'[badge]\nprotocol = "rdm6300"\nport = "{tmp_path / "by-id-badge"}"\n'
    )
    return path


@pytest.fixture
def reader(tmp_path):
    sim = Rdm6300Sim(tmp_path / "by-id-badge")
    sim.start()
    sim.hold(MARTA)
    yield sim
    sim.stop()


def test_a_badge_on_the_reader_is_printed_by_its_hash_and_never_by_its_number(config, reader, capsys):
    assert main(["badge", "--config", str(config)]) == 0

    printed = capsys.readouterr().out
    assert printed.strip() == badge_hash(site_key("", "club"), MARTA)
    assert MARTA not in printed


def test_a_table_that_a_hub_has_adopted_knows_badges_by_the_hub_s_key(config, reader, tmp_path, capsys):
    journal = Journal(tmp_path / "data", "table-1", Sealer.in_directory(tmp_path / "seal", "table-1"))
    journal.note({"adopt": Adopt(1, 1, 1, "T", "tda", 9, 25, badge_key=KEY)})
    journal.close()

    assert main(["badge", "--config", str(config)]) == 0
    assert main(["table", "--config", str(config), "--hash-badge", MARTA]) == 0
    assert capsys.readouterr().out.split() == [badge_hash(bytes.fromhex(KEY), MARTA)] * 2


def test_a_reader_that_is_not_there_is_said(config, capsys):
    assert main(["badge", "--config", str(config)]) == 1
    assert "plug its cable in" in capsys.readouterr().err


def test_a_reader_without_a_badge_is_said(config, reader, capsys):
    reader.lift()

    assert main(["badge", "--config", str(config), "--timeout", "0.2"]) == 1
    assert "lay one on the reader" in capsys.readouterr().err


def test_a_table_without_a_reader_is_said(config, capsys):
    config.write_text('unit = "table-1"\nsite = "club"\ndata_dir = "data"\n')

    assert main(["badge", "--config", str(config)]) == 1
    assert "no badge reader" in capsys.readouterr().err
