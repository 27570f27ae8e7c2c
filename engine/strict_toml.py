"""A TOML text as a record, strictly: what is wrong is told in one line, with file, line, key and what to do.

Nothing is guessed: a key that the record does not declare is a mistake. tomllib does not tell lines; the line of a key
is found again in the text.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`(?: - at `\$\.?(?P<at>[^`]*)`)?")
_WRONG_KEY = re.compile(r"Invalid enum value '(?P<name>[^']*)' - at `key` in `\$\.?(?P<at>[^`]*)`")
_MISSING = re.compile(r"Object missing required field `(?P<name>[^`]*)`(?: - at `\$\.?(?P<at>[^`]*)`)?")
_AT = re.compile(r"^(?P<what>.*?) - at `\$\.?(?P<at>[^`]*)`$")


class TomlError(ValueError):
    """The text cannot be used; the message says which file, where, which key and what to do."""


def loaded(label: str, raw: bytes) -> tuple[str, dict[str, Any]]:
    """(text, its tables). `label` is the file's name. Raises TomlError where it is no TOML."""
    try:
        text = raw.decode()
        return text, tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as trouble:
        raise TomlError(f"{label}: not TOML: {trouble}; correct that line") from None


def converted(label: str, text: str, content: dict[str, Any], kind: type[T]) -> T:
    """The tables of `text` as a record whose structs forbid unknown fields. Raises TomlError."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as trouble:
        raise TomlError(_explained(label, text, str(trouble))) from None


def place(label: str, text: str, where: str) -> str:
    """`file:line: key`, the line left out where the key is not written in the text."""
    line = _line_of(text, where)
    return f"{label}:{line}: {where}" if line else f"{label}: {where}"


def _explained(label: str, text: str, trouble: str) -> str:
    """Msgspec's words about a wrong key or type, for whoever wrote the file."""
    if unknown := _UNKNOWN.search(trouble) or _WRONG_KEY.search(trouble):
        where = _join(unknown["at"], unknown["name"])
        return f"{place(label, text, where)}: unknown key; remove it or correct its spelling"
    if missing := _MISSING.search(trouble):
        return f"{label}: {_join(missing['at'], missing['name'])} is missing; add it"
    if wrong := _AT.search(trouble):
        return f"{place(label, text, wrong['at'])}: {wrong['what'].lower()}; correct the value"
    return f"{label}: {trouble}"


def _join(at: str | None, name: str) -> str:
    return f"{at}.{name}" if at else name


def _line_of(text: str, where: str) -> int:
    """Line on which the key `where` (dotted) is assigned; 0 when it cannot be told."""
    *path, key = re.sub(r"\[[^]]*\]", "", where).split(".")
    section: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*([\w.\-]+)\s*\]+", line):
            section = header[1].split(".")
            if section == [*path, key]:
                return number
        elif (assigned := re.match(r"\s*([\w.\-]+)\s*=", line)) and [*section, *assigned[1].split(".")] == [*path, key]:
            return number
    return _line_of(text, ".".join(path)) if path else 0
