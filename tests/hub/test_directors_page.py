"""The director's page in the documents names every key as the page does, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hub.directing import DIRECTIONS
from hub.web.words import LANGUAGES, WORDS

ENGLISH, ITALIAN = (Path(__file__).parents[2] / "docs" / "director.md").read_text().split("# La pagina del direttore\n")


@pytest.mark.parametrize("what", sorted(DIRECTIONS))
def test_every_key_is_named(what: str) -> None:
    it, en = WORDS[what]

    assert LANGUAGES == ("it", "en")
    assert f"**{en}**" in ENGLISH
    assert f"**{it}**" in ITALIAN
