"""The articles of every rulebook in our own words, English and Italian: what rulings cite and a director picks from.

One TOML file for each book, one row for each article: `[[article]]` with the fields of `Article`. A book may name a
`base` to which it goes for what it does not cover. `resolutions.toml` holds the places where a text cannot be followed
as printed. Values that the rules compute with are not here but in `engine.rulebooks`; nothing of the rules imports this
module, so that a table unit pays for the texts only when somebody asks for them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

BOOKS = ("lifeclub", "y2007", "dalvivo", "cortile", "fipos", "tda")

Mode = Literal["enforced", "detected", "prompted", "recorded"]
Kind = Literal["ruling", "penalty"]
_Said = Annotated[str, Meta(min_length=1, max_length=240, pattern=r"^[^\n]+$")]
_Slug = Annotated[str, Meta(pattern=r"^[a-z][a-z-]*$")]


class CatalogueError(ValueError):
    """A catalogue cannot be used. The text names file and row, and what is wrong there."""


class Article(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One article of a rulebook.

    `id` is `book:number`, as rulings cite it. `served`: what the software does for it, the main way first. `by`: the
    function or module that embodies it, dotted ("" while there is none). `reason`: a director may give it as the reason
    of a ruling or a penalty ("" if of neither). `note`: how an unclear text is read.
    """

    id: Annotated[str, Meta(pattern=r"^[a-z0-9]+:[0-9A-Za-z.-]+$")]
    en: _Said
    it: _Said
    topic: _Slug
    served: Annotated[tuple[Mode, ...], Meta(min_length=1)]
    by: Annotated[str, Meta(pattern=r"^([a-z_]+(\.\w+)+)?$")] = ""
    reason: Literal["ruling", "penalty", ""] = ""
    note: str = ""

    def text(self, lang: str = "en") -> str:
        """What it says, in `en` or `it`. Raises KeyError for a language there is not."""
        return {"en": self.en, "it": self.it}[lang]


class Resolution(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How articles that contradict each other, or half say something, are read: what was decided and why."""

    id: Annotated[str, Meta(pattern=r"^R-[1-9][0-9]*$")]
    title: _Said
    articles: Annotated[tuple[str, ...], Meta(min_length=1)]
    decided: Annotated[str, Meta(min_length=1)]
    why: Annotated[str, Meta(min_length=1)]


class Catalogue(msgspec.Struct, frozen=True):
    """One book: its title, the book it goes to for what it does not cover (or ""), its articles by their ids."""

    name: str
    base: str
    articles: Mapping[str, Article]


Row = TypeVar("Row", Article, Resolution)


def name(book: str) -> str:
    """The rulebook's own title. **Raises** CatalogueError for a book there is not."""
    return _catalogue(book).name


def base(book: str) -> str:
    """The book to which this one goes for what it does not cover, or "". **Raises** CatalogueError."""
    return _catalogue(book).base


def articles(book: str) -> Mapping[str, Article]:
    """The articles of a book by their ids, in the order of the text. **Raises** CatalogueError."""
    return _catalogue(book).articles


def find(citation: str) -> Article | None:
    """The article that a ruling cites as `book:number`; None if no catalogue has it (a house book has none)."""
    book = citation.partition(":")[0]
    return articles(book).get(citation) if book in BOOKS else None


def reasons(book: str, kind: Kind) -> tuple[Article, ...]:
    """What a director may give as the reason of a ruling or a penalty: the book's own articles, then its base's."""
    catalogue = _catalogue(book)
    own = tuple(article for article in catalogue.articles.values() if article.reason == kind)
    return own + (reasons(catalogue.base, kind) if catalogue.base else ())


@cache
def resolutions() -> tuple[Resolution, ...]:
    """How the texts are read where they cannot be followed as printed, by number. **Raises** CatalogueError."""
    label = "resolutions.toml"
    content = _parsed(label, _text(label))
    rows = tuple(_rows(content, "resolution", Resolution, label))
    _only(content, (), label)
    return rows


@cache
def _catalogue(book: str) -> Catalogue:
    if book not in BOOKS:
        raise CatalogueError(f"{book}: no catalogue of this name; there are {', '.join(BOOKS)}")
    return read(f"{book}.toml", _text(f"{book}.toml"))


def read(label: str, text: str) -> Catalogue:
    """A catalogue from the text of its file, `book.toml`. **Raises** CatalogueError."""
    content = _parsed(label, text)
    book = label.removesuffix(".toml")
    found: dict[str, Article] = {}
    for number, article in enumerate(_rows(content, "article", Article, label), 1):
        where = f"{label}: article {number} ({article.id})"
        if not article.id.startswith(f"{book}:"):
            raise CatalogueError(f"{where}: an article of this file begins with {book}:")
        if article.reason and not {"recorded", "detected"} & set(article.served):
            raise CatalogueError(f"{where}: reason: only what is recorded or detected can be a reason")
        found[article.id] = article
    titles = _only(content, ("name", "base"), label)
    if not titles["name"]:
        raise CatalogueError(f"{label}: name is missing")
    if titles["base"] not in ("", *BOOKS):
        raise CatalogueError(f"{label}: base: there is no book {titles['base']}")
    return Catalogue(titles["name"], titles["base"], MappingProxyType(found))


def _rows(content: dict[str, Any], key: str, kind: type[Row], label: str) -> Iterator[Row]:
    seen: dict[str, int] = {}
    for number, raw in enumerate(content.pop(key, ()), 1):
        where = f"{label}: {key} {number} ({raw.get('id', 'no id')})"
        try:
            row = msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            raise CatalogueError(f"{where}: {error}") from None
        if row.id in seen:
            raise CatalogueError(f"{where}: this id is taken by {key} {seen[row.id]}")
        seen[row.id] = number
        yield row


def _only(content: dict[str, Any], keys: tuple[str, ...], label: str) -> dict[str, str]:
    """The texts under `keys` ("" where one is missing); nothing else may be left in the file."""
    for key, value in content.items():
        if key not in keys:
            raise CatalogueError(f"{label}: {key}: unknown key")
        if not isinstance(value, str):
            raise CatalogueError(f"{label}: {key}: write a text")
    return {key: content.get(key, "") for key in keys}


def _text(label: str) -> str:
    return (resources.files("engine.catalogue") / label).read_text(encoding="utf-8")


def _parsed(label: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{label}: not TOML: {error}") from None
