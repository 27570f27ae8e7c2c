"""The dealer's page of the documents says of the keys what the panel does."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_py.languages import LANGUAGES
from firmware_py.panel_state import PIN_KEYS

PAGE = Path(__file__).parents[2] / "docs" / "at-the-table.md"


@pytest.mark.parametrize(("language", "part", "word"), [("en", 0, "is"), ("it", 1, "è")])
def test_every_key_stands_there_with_its_digit_of_the_pin(language, part, word):
    text = " ".join(PAGE.read_text(encoding="utf-8").split("# Al tavolo")[part].split())
    names = {key: key.value.upper().replace("_", "-" if key.value == "all_in" else "/") for key in PIN_KEYS}

    first, *others = (f"{names[key]} {{}}{digit}" for key, digit in PIN_KEYS.items())
    assert f"({first.format(f'{word} ')}, {', '.join(other.format('') for other in others)})" in text
    assert f"`{LANGUAGES[language].told['cancelled']}`" in text
