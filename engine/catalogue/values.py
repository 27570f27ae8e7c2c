"""A rulebook's values in words: section, meaning, unit and source, English and Italian, for whoever reads a book."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec

from engine.rulebook import KEYS, is_told, meaning_of, unit_of


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A title in `en` and `it`; the section begins at the value `first`."""

    first: str
    en: str
    it: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: tuple[Section, ...]
    meaning: dict[str, str]
    unit: dict[str, str]
    source: dict[str, str]


def sections(lang: str = "en") -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The values of a book by section, in order: (title, keys)."""
    starts = [KEYS.index(section.first) for section in _italian().section]
    titles = [section.it if lang == "it" else section.en for section in _italian().section]
    ends = [*starts[1:], len(KEYS)]
    return tuple((title, KEYS[start:end]) for title, start, end in zip(titles, starts, ends, strict=True))


def meaning(key: str, lang: str = "en") -> str:
    """What the value decides. **Raises** KeyError for a key there is not."""
    return _italian().meaning[key] if lang == "it" else meaning_of(key)


def unit(key: str, lang: str = "en") -> str:
    """In what it counts, or "" for a choice."""
    english = unit_of(key)
    return _italian().unit[english] if english and lang == "it" else english


def mark(key: str, lang: str = "en") -> str:
    """What a value that no program looks at is marked with; "" for the others."""
    if not is_told(key):
        return ""
    return "(per le persone)" if lang == "it" else "(for people)"


def source(word: str, lang: str = "en") -> str:
    """`text`, `resolution`, `inference` or `default`, in that language."""
    return _italian().source[word] if lang == "it" else word


def written(value: object) -> str:
    """A value as a rulebook file and a `set` line of a hand script spell it: `true`, `0.5`, `25+5`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "+".join(map(written, value))
    return str(value)


@cache
def _italian() -> _File:
    text = (resources.files("engine.catalogue") / "values.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _File)
