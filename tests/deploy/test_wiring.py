"""The drawing of the header: made from the pin map, and the one in the documents is the default's."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from deploy.cli import main
from deploy.wiring import HEADER, uses
from firmware_py.config import load

EXAMPLE = "deploy/examples/table.toml"
ROOT = Path(__file__).parents[2]


def test_the_header_has_each_gpio_once():
    numbers = sorted(int(name) for name in HEADER if name.isdecimal())

    assert len(HEADER) == 40
    assert numbers == list(range(28))
    assert (HEADER.count("GND"), HEADER.count("5 V"), HEADER.count("3.3 V")) == (8, 2, 2)
    assert (HEADER[6], HEADER[11], HEADER[25], HEADER[39]) == ("4", "18", "7", "21")


def test_the_committed_drawing_is_what_the_command_draws(tmp_path):
    out = tmp_path / "wiring.svg"

    assert main(["wiring", "--config", str(ROOT / EXAMPLE), "--out", str(out)]) == 0
    assert out.read_text() == (ROOT / "docs/pictures/wiring.svg").read_text()


def test_every_part_of_a_changed_map_is_on_the_drawing(tmp_path):
    file, out = tmp_path / "table.toml", tmp_path / "wiring.svg"
    file.write_text('unit = "table-1"\nsite = "club"\ndata_dir = "d"\n[pins.keys]\nfold = 9\n')

    assert main(["wiring", "--config", str(file), "--out", str(out)]) == 0
    texts = [element.text or "" for element in ET.fromstring(out.read_text()).iter() if element.tag.endswith("text")]
    drawn = {int(m[2]): m[1] for text in texts if (m := re.fullmatch(r"(.*)  \(GPIO (\d+)\)", text))}
    assert drawn == uses(load(file))
    assert drawn[9] == "key fold"


def test_a_wrong_file_is_wrong_use(tmp_path, capsys):
    assert main(["wiring", "--config", str(tmp_path / "none"), "--out", str(tmp_path / "x.svg")]) == 2
    assert "none" in capsys.readouterr().err
