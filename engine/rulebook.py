"""Rulebooks as data: finds a book, checks it, and says of each value what it means and where it comes from.

A book is one TOML file. Its table `[values]` gives, key by key, `{ value = ..., article = "10.15", source = "text" }`
(several articles as a list, the one that decides first; an article of another book as `book:number`). `source` is
`text` (the rulebook says so), `resolution` (it contradicts itself; `resolution = "R-1"` is how we read it),
`inference` (it says so about something near) or `default` (it is silent: this is common practice, and the article is
the rule of the Tournament Directors Association behind it). A book may extend another one and then names only what
differs; a house book that is no more than a preference may write `key = value` and cites itself. Its table `[articles]`
names the articles of the rules that leave no choice (`engine.schema.RULES`).

The fields of `engine.schema.Rulebook` are the schema: a key that is not among them, a value of the wrong type or two
values that contradict each other are errors that name file, line and key.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from engine.consistency import faults
from engine.schema import RULES, Origin, Rulebook

__all__ = ["KEYS", "RULES", "SOURCES", "Origin", "Rulebook", "RulebookError", "load", "meaning_of", "names", "unit_of"]

SOURCES = ("text", "resolution", "inference", "default")
_NO_VALUES = ("id", "name", "origins", "articles")
KEYS: tuple[str, ...] = tuple(name for name in Rulebook.__struct_fields__ if name not in _NO_VALUES)

_ENTRY = ("value", "article", "source", "resolution")
_TOP: dict[str, type] = {"id": str, "name": str, "extends": str, "values": dict, "articles": dict}


class _Book(msgspec.Struct):
    """A book while it is read: what its file and those it extends say, and `file:line: key` of each key."""

    id: str
    name: str
    values: dict[str, Any]
    origins: dict[str, Origin]
    articles: dict[str, tuple[str, ...]]
    lines: dict[str, str]


class RulebookError(ValueError):
    """A rulebook cannot be used. It names file, line and key, and says what would be right.

    `text` has its places for `values`, so that it can be said in another language (`engine.script.messages`).
    """

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text.format(**values) if values else text)
        self.text = text
        self.values = values


def load(name_or_path: str) -> Rulebook:
    """The rulebook of this name (`lifeclub`, `tda`), or the one in this .toml file. Raises RulebookError."""
    book = _read(name_or_path, ())
    missing = [key for key in (*KEYS, *RULES) if key not in book.values and key not in book.articles]
    if missing:
        some = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        raise RulebookError(f'{name_or_path}: nothing on {some}; write it, or extends = "tda" (or another book)')
    ready = _ready(book)
    own = name_or_path if name_or_path.endswith(".toml") else f"{name_or_path}.toml"
    values = {key: getattr(ready, key) for key in KEYS}
    for keys, why in faults(values):
        # The line to mend is what this file sets, rather than what it extends.
        key = next((key for key in keys if book.lines[key].startswith(f"{own}:")), keys[0])
        raise RulebookError(f"{book.lines[key]}: {values[key]!r}: {why}")
    return ready


def _ready(book: _Book) -> Rulebook:
    """The book with every value of its type. All at once, for a table reads its book before it can do anything."""
    whole: dict[str, Any] = {"id": book.id, "name": book.name, "origins": {}, "articles": book.articles, **book.values}
    try:
        return msgspec.structs.replace(msgspec.convert(whole, Rulebook), origins=book.origins)
    except msgspec.ValidationError:
        for key, value in book.values.items():
            _converted(key, value, book.lines[key])
        raise


def names() -> tuple[str, ...]:
    """The rulebooks that come with the program, sorted."""
    from importlib import resources

    shelf = resources.files("engine") / "rulebooks"
    return tuple(sorted(book.name.removesuffix(".toml") for book in shelf.iterdir() if book.name.endswith(".toml")))


def changed(book: Rulebook, key: str, text: str) -> Rulebook:
    """A book with one value changed, written as text: `3`, `0.5`, `true`, `static`; several as
    `25+5`, `25 5` or `[25, 5]`. Raises RulebookError.

    It is for one situation: whether the value goes with the others of the book is not asked.
    """
    if key not in KEYS:
        near = _near(key)
        if near:
            what = "{book}: {key!r} is no key of a rulebook; did you mean {near}?"
            raise RulebookError(what, book=book.id, key=key, near=near)
        raise RulebookError("{book}: {key!r} is no key of a rulebook", book=book.id, key=key)
    values = {name: getattr(book, name) for name in KEYS} | {key: _written(key, text)}
    values[key] = _converted(key, values[key], f"{book.id}: {key}")
    for keys, why in faults(values):
        if keys == (key,):
            raise RulebookError(f"{book.id}: {key}: {values[key]!r}: {why}")
    origins = book.origins | {key: Origin((f"{book.id}:{key}",), "text")}
    return msgspec.structs.replace(book, origins=origins, **{key: values[key]})


def unit_of(key: str) -> str:
    """The unit in which this value counts ("" for a choice)."""
    return str((_meta(key).extra or {}).get("unit", ""))


def meaning_of(key: str) -> str:
    """What this value decides."""
    return _meta(key).description or ""


def is_told(key: str) -> bool:
    """Is this value for people to go by, and no program looks at it?"""
    return bool((_meta(key).extra or {}).get("told"))


def choices_of(key: str) -> tuple[str, ...]:
    """The words this value may be; besides, it may be a number where its type says so."""
    return tuple(str(word) for part in _parts(key) if get_origin(part) is Literal for word in get_args(part))


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Rulebook, include_extras=True)


def _meta(key: str) -> Meta:
    return next(part for part in get_args(_hints()[key]) if isinstance(part, Meta))


def _parts(key: str) -> tuple[Any, ...]:
    """The types this value may have."""
    kind = get_args(_hints()[key])[0]
    return (kind,) if get_origin(kind) in (Literal, tuple) else get_args(kind) or (kind,)


def _written(key: str, text: str) -> Any:
    if any(get_origin(part) is tuple for part in _parts(key)) and text not in choices_of(key):
        return [_number(part) for part in re.findall(r"[\w.]+", text)]
    return {"true": True, "false": False, "null": "none"}.get(text, _number(text))


def _number(text: str) -> int | float | str:
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d+\.\d+", text) else text


def _read(name_or_path: str, seen: tuple[str, ...]) -> _Book:
    """A file and what it extends, merged."""
    if name_or_path in seen:
        raise RulebookError(f"{name_or_path}: extends itself by way of {' > '.join(seen)}")
    import tomllib  # a table imports the rules faster than it reads a book, which it does once

    label, text = _text(name_or_path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{label}: not TOML: {error}") from None
    ident = content.get("id")
    if not isinstance(ident, str) or not re.fullmatch(r"[a-z0-9_-]+", ident):
        raise RulebookError(f"{label}:1: id: give the book an id of a-z, 0-9, _ and -")
    own_file = not name_or_path.endswith(".toml")
    if own_file and ident != name_or_path:
        raise RulebookError(f"{label}:{_line(text, 'id')}: id: {ident!r} must be the file's name, {name_or_path!r}")
    if not own_file and ident in names():
        where = f"{label}:{_line(text, 'id')}: id"
        raise RulebookError(f"{where}: {ident!r} is a book that comes with Bottone; give yours another id")
    for key, value in content.items():
        if key not in _TOP or not isinstance(value, _TOP[key]):
            raise RulebookError(
                f"{label}:{_line(text, key)}: {key}: a book has the texts id, name and extends and the tables [values] "
                "and [articles]"
            )
    base = content.get("extends")
    book = (
        _Book(ident, ident, {}, {}, {}, {})
        if base is None
        else _read(_beside(base, name_or_path), (*seen, name_or_path))
    )
    after = f"{ident}, after {book.name}" if base is not None else ident
    book.id, book.name = ident, content.get("name", after)
    for key, entry in content.get("values", {}).items():
        where = book.lines[key] = f"{label}:{_line(text, key)}: {key}"
        if key not in KEYS:
            near = _near(key)
            raise RulebookError(f"{where}: unknown key" + (f"; did you mean {near}?" if near else ""))
        book.values[key], book.origins[key] = _entry(entry, ident, key, where)
        if not own_file:
            _known(book.origins[key].citations, where)
    for rule, articles in content.get("articles", {}).items():
        if rule not in RULES:
            raise RulebookError(f"{label}:{_line(text, rule)}: {rule}: no such rule; there are {', '.join(RULES)}")
        book.articles[rule] = _citations(articles, ident)
        if not own_file:
            _known(book.articles[rule], f"{label}:{_line(text, rule)}: {rule}")
    return book


def _beside(base: str, name_or_path: str) -> str:
    """The book a file extends: a name, or a file given from where that file lies."""
    from pathlib import Path

    return str(Path(name_or_path).parent / base) if base.endswith(".toml") else base


def _text(name_or_path: str) -> tuple[str, str]:
    from importlib import resources
    from pathlib import Path

    if name_or_path.endswith(".toml"):
        try:
            return name_or_path, Path(name_or_path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise RulebookError(f"{name_or_path}: no UTF-8 text; a rulebook is a TOML file") from None
        except OSError as error:
            wrong = error.strerror
            raise RulebookError(f"{name_or_path}: {wrong}; give a rulebook's name or a readable file") from None
    shelf = resources.files("engine") / "rulebooks"
    try:
        return f"{name_or_path}.toml", (shelf / f"{name_or_path}.toml").read_text(encoding="utf-8")
    except OSError:
        known = ", ".join(names())
        what = "{book}: no such rulebook; there are {known}, or give a .toml file"
        raise RulebookError(what, book=name_or_path, known=known) from None


def _entry(entry: Any, ident: str, key: str, where: str) -> tuple[Any, Origin]:
    if not isinstance(entry, dict):
        return entry, Origin((f"{ident}:{key}",), "text")
    if set(entry) - set(_ENTRY) or "value" not in entry:
        raise RulebookError(f'{where}: write {{ value = ..., article = "...", source = "..." }}')
    source = entry.get("source", "text")
    if source not in SOURCES:
        raise RulebookError(f"{where}: source {source!r} is not one of {', '.join(SOURCES)}")
    citations = _citations(entry.get("article", key), ident)
    return entry["value"], Origin(citations, source, str(entry.get("resolution", "")))


def _citations(articles: Any, ident: str) -> tuple[str, ...]:
    """One article or a list of them as `book:number`."""
    written = [str(article) for article in (articles if isinstance(articles, list) and articles else [articles])]
    return tuple(article if ":" in article else f"{ident}:{article}" for article in written)


def _known(citations: tuple[str, ...], where: str) -> None:
    """A house may cite a book that comes with the program: then that book must have the article."""
    for citation in citations:
        if citation.partition(":")[0] in names():
            from engine.catalogue import find  # the texts: only for a house that cites them

            if find(citation) is None:
                raise RulebookError(f"{where}: there is no article {citation}")


def _converted(key: str, value: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, type=_hints()[key])
    except msgspec.ValidationError as error:
        wrong = str(error)[0].lower() + str(error)[1:]
        words = choices_of(key)
        if not words:
            raise RulebookError("{where}: {value!r}: {wrong}", where=where, value=value, wrong=wrong) from None
        choices = ", ".join(words)
        what = "{where}: {value!r}: {wrong} (one of {choices})"
        if {int, float} & set(_parts(key)):
            what = "{where}: {value!r}: {wrong} (a number, or one of {choices})"
        raise RulebookError(what, where=where, value=value, wrong=wrong, choices=choices) from None


def _near(key: str) -> str:
    words = set(key.split("_"))
    near = [known for known in KEYS if words & set(known.split("_"))]
    return ", ".join(near[:3])


def _line(text: str, key: str) -> int:
    """The line of a file on which a key is set (tomllib does not tell)."""
    pattern = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(key)}\b")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
