"""Rulebooks: every value a house may change, typed, with its unit, its article and where it comes from.

A book is one TOML file. Its table `[values]` gives, key by key, `{ value = ..., article = "10.15", source = "text" }`
(several articles as a list, the one that decides first);
`source` is `text` (the rulebook says so), `resolution` (it contradicts itself, this is how we read it), `inference` (it
says so about something near) or `default` (it is silent, this is common practice). A book may extend another one and
then names only what differs; a house book that is no more than a preference may write `key = value` and cites itself.

`Rulebook`'s fields are the schema: a key that is not among them, a value of the wrong type or two values that
contradict each other are errors that name file, line and key. Procedures are code and live where they are used; here
are numbers and choices only.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta

SOURCES = ("text", "resolution", "inference", "default")


class RulebookError(ValueError):
    """A rulebook cannot be used. The text names file, line and key, and says what would be right."""


class Origin(msgspec.Struct, frozen=True):
    """Where a value comes from: the article's number in its book, others that say the same, and one of `SOURCES`."""

    article: str
    source: str
    book: str
    also: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """`book:article`, as rulings cite it."""
        return f"{self.book}:{self.article}"

    @property
    def citations(self) -> tuple[str, ...]:
        """All of them, the first one first."""
        return tuple(f"{self.book}:{article}" for article in (self.article, *self.also))


def _about(text: str, unit: str = "") -> Meta:
    return Meta(description=text, extra={"unit": unit})


class Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook, ready for use. The annotations say what each value means and in which unit it counts."""

    id: str
    name: str
    origins: dict[str, Origin]

    # tables and seats
    table_min: Annotated[int, _about("fewest players with whom a hand is dealt", "players")]
    table_max: Annotated[int, _about("most seats at one table", "seats")]
    balance_trigger: Annotated[int, _about("difference between two tables that orders a move", "players")]
    balance_halt: Annotated[int, _about("difference at which the short table waits", "players")]
    balance_mover: Annotated[Literal["next_big_blind", "right_of_button"], _about("who moves")]
    balance_seat: Annotated[
        Literal["first_free_left_of_bb_not_sb", "worst_position_not_sb", "nearest_to_bb", "same_position"],
        _about("which free seat the moved player takes"),
    ]
    break_condition: Annotated[Literal["free_seats_eq_last_table"], _about("when the last table closes")]
    dead_zone_moved: Annotated[Literal["button_sb", "button_bb"], _about("where a moved player gets no cards yet")]
    dead_zone_new: Annotated[Literal["button_sb", "button_bb"], _about("where a new entrant gets no cards yet")]

    # button, blinds, antes, levels
    button_style: Annotated[Literal["static", "dead"], _about("where the button rests after an elimination")]
    hu_deal_first: Annotated[Literal["small_blind", "big_blind"], _about("first card when two play")]
    short_post_order: Annotated[Literal["ante_first", "blind_first"], _about("what a short stack pays first")]
    bb_ante_order: Annotated[Literal["ante_first", "blind_first"], _about("the same for the big blind ante")]
    short_bb_price: Annotated[Literal["full_bb"], _about("what a call costs when the big blind is short")]
    hand_start_event: Annotated[Literal["shuffle", "first_card"], _about("the moment that fixes a hand's level")]

    # betting
    min_bet: Annotated[Literal["big_blind"], _about("smallest bet")]
    min_raise: Annotated[Literal["last_raise", "big_blind"], _about("smallest raise over the standing bet")]
    short_allin_bet_min_raise_to: Annotated[
        Literal["2xBB", "allin_plus_bb"], _about("smallest raise over an all-in bet that is under the minimum")
    ]
    reopen_rule: Annotated[Literal["full_raise", "half_raise"], _about("what gives the right to raise again")]
    cumulative_short_allins: Annotated[bool, _about("do several short all-ins add up to a full raise?")]
    bb_option: Annotated[bool, _about("do the blinds keep their raise after a short all-in?")]
    oot_binding: Annotated[
        Literal["auto_unless_action_changes", "auto_unless_bet_call_raise", "director_unless_bet_call_raise"],
        _about("when an action out of turn stands"),
    ]
    oot_call_never_raise: Annotated[bool, _about("does a call out of turn cost the right to raise?")]
    oot_fold_binding: Annotated[bool, _about("does a fold out of turn always stand?")]

    # presence and dead hands
    absent_at_deal: Annotated[Literal["dead_hand"], _about("a player who is away at the last hole card")]
    leaves_in_hand: Annotated[Literal["dead_hand", "dead_at_turn"], _about("a player who walks away during a hand")]
    dealer_killed_hand_refund: Annotated[Literal["uncalled_raise", "nothing"], _about("a collected hand gets back")]
    thrown_hand_refund: Annotated[Literal["uncalled_raise", "nothing"], _about("a hand thrown away gets back")]

    # pots and showdown
    pot_award_order: Annotated[Literal["last_formed_first", "first_formed_first"], _about("order of the awards")]
    odd_chip: Annotated[Literal["left_of_button", "carry_next_pot"], _about("where the chip goes that cannot be split")]
    show_first_after_bet: Annotated[Literal["last_aggressor"], _about("who shows first after a bet")]
    show_first_checked: Annotated[Literal["first_after_button"], _about("who shows first after checks")]
    allin_face_up: Annotated[bool, _about("do hands lie open once betting is over with an all-in?")]

    # cards
    duplicate_card: Annotated[Literal["void"], _about("what two identical cards do to a hand")]
    rabbit: Annotated[Literal["forbidden"], _about("cards that would have come")]
    premature_card: Annotated[Literal["set_aside"], _about("a card dealt before its round")]
    boxed_card: Annotated[Literal["replace"], _about("a card found face up in the deck")]

    def cite(self, *keys: str) -> tuple[str, ...]:
        """The articles behind these values, in order, each once."""
        return tuple(dict.fromkeys(article for key in keys for article in self.origins[key].citations))

    def with_value(self, key: str, text: str) -> Rulebook:
        """This book with one value changed, written as text (`3`, `true`, `static`). Raises RulebookError."""
        if key not in KEYS:
            raise RulebookError(f"{self.id}: {key!r} is no key of a rulebook{_near(key)}")
        value: Any = {"true": True, "false": False}.get(text, int(text) if re.fullmatch(r"-?\d+", text) else text)
        changed = {name: getattr(self, name) for name in KEYS} | {key: value}
        origins = self.origins | {key: Origin(key, "text", self.id)}
        return _build(self.id, self.name, changed, origins, lambda name: f"{self.id}: {name}")


_HINTS = get_type_hints(Rulebook, include_extras=True)
KEYS: tuple[str, ...] = tuple(name for name in Rulebook.__struct_fields__ if name not in ("id", "name", "origins"))


def load(name_or_path: str) -> Rulebook:
    """The rulebook of this name (`lifeclub`, `tda`), or the one in this .toml file. Raises RulebookError."""
    ident, name, values, origins, lines = _read(name_or_path, ())
    missing = [key for key in KEYS if key not in values]
    if missing:
        raise RulebookError(f"{name_or_path}: no value for {', '.join(missing)}; give them or extend a book that does")
    return _build(ident, name, values, origins, lambda key: lines.get(key, name_or_path))


def unit_of(key: str) -> str:
    """The unit in which this value counts ("" for a choice)."""
    return str((_meta(key).extra or {}).get("unit", ""))


def meaning_of(key: str) -> str:
    """What this value decides."""
    return _meta(key).description or ""


def _meta(key: str) -> Meta:
    return next(part for part in get_args(_HINTS[key]) if isinstance(part, Meta))


_Parts = tuple[str, str, dict[str, Any], dict[str, Origin], dict[str, str]]


def _read(name_or_path: str, seen: tuple[str, ...]) -> _Parts:
    """A file and what it extends, merged: id, name, values, origins, and `file:line: key` of each key."""
    if name_or_path in seen:
        raise RulebookError(f"{name_or_path}: extends itself by way of {' > '.join(seen)}")
    import tomllib  # a table imports the rules faster than it reads a book, which it does once

    label, text = _text(name_or_path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{label}: not TOML: {error}") from None

    ident, name = content.pop("id", None), content.pop("name", None)
    if not isinstance(ident, str) or not re.fullmatch(r"[a-z0-9_-]+", ident):
        raise RulebookError(f"{label}:1: id: give the book an id of a-z, 0-9, _ and -")
    base = content.pop("extends", None)
    entries = content.pop("values", {})
    if content:
        key = next(iter(content))
        raise RulebookError(f"{label}:{_line(text, key)}: {key}: unknown; a book has id, name, extends and [values]")

    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    lines: dict[str, str] = {}
    if base is not None:
        _, base_name, values, origins, lines = _read(str(base), (*seen, name_or_path))
        name = name or base_name
    for key, entry in entries.items():
        where = f"{label}:{_line(text, key)}: {key}"
        if key not in KEYS:
            raise RulebookError(f"{where}: unknown key{_near(key)}")
        values[key], origins[key] = _entry(entry, ident, key, where)
        lines[key] = where
    return ident, str(name or ident), values, origins, lines


def _text(name_or_path: str) -> tuple[str, str]:
    from importlib import resources
    from pathlib import Path

    if name_or_path.endswith(".toml"):
        try:
            return name_or_path, Path(name_or_path).read_text(encoding="utf-8")
        except OSError as error:
            wrong = error.strerror
            raise RulebookError(f"{name_or_path}: {wrong}; give a rulebook's name or a readable file") from None
    shelf = resources.files("engine") / "rulebooks"
    try:
        return f"{name_or_path}.toml", (shelf / f"{name_or_path}.toml").read_text(encoding="utf-8")
    except OSError:
        known = ", ".join(sorted(book.name.removesuffix(".toml") for book in shelf.iterdir()))
        raise RulebookError(f"{name_or_path}: no such rulebook; there are {known}, or give a .toml file") from None


def _entry(entry: Any, ident: str, key: str, where: str) -> tuple[Any, Origin]:
    if not isinstance(entry, dict):
        return entry, Origin(key, "text", ident)
    extra = set(entry) - {"value", "article", "source"}
    if extra or "value" not in entry:
        raise RulebookError(f'{where}: write {{ value = ..., article = "...", source = "..." }}')
    source = entry.get("source", "text")
    if source not in SOURCES:
        raise RulebookError(f"{where}: source {source!r} is not one of {', '.join(SOURCES)}")
    article = entry.get("article", "default")
    first, *also = article if isinstance(article, list) and article else [article]
    return entry["value"], Origin(str(first), source, ident, tuple(map(str, also)))


def _build(ident: str, name: str, values: dict[str, Any], origins: dict[str, Origin], where: Any) -> Rulebook:
    for key, value in values.items():
        try:
            msgspec.convert(value, type=_HINTS[key])
        except msgspec.ValidationError as error:
            wrong = str(error)[0].lower() + str(error)[1:]
            raise RulebookError(f"{where(key)}: {value!r}: {wrong}{_choices(key)}") from None
    for key, holds, why in _contradictions(values):
        if not holds:
            raise RulebookError(f"{where(key)}: {values[key]!r}: {why}")
    return Rulebook(id=ident, name=name, origins=origins, **values)


def _contradictions(values: dict[str, Any]) -> tuple[tuple[str, bool, str], ...]:
    return (
        ("table_min", values["table_min"] >= 2, "a hand needs two players"),
        ("table_max", values["table_min"] <= values["table_max"] <= 22, "from table_min to 22 (52 cards)"),
        ("balance_trigger", values["balance_trigger"] >= 2, "tables one player apart are balanced already"),
        ("balance_halt", values["balance_halt"] >= values["balance_trigger"], "less than balance_trigger"),
        (
            "dead_zone_new",
            values["dead_zone_moved"] == "button_sb" or values["dead_zone_new"] == "button_bb",
            "a new entrant cannot be better off than a moved player (dead_zone_moved is button_bb)",
        ),
    )


def _choices(key: str) -> str:
    options = get_args(get_args(_HINTS[key])[0])
    return f" (one of {', '.join(map(str, options))})" if options else ""


def _near(key: str) -> str:
    words = set(key.split("_"))
    near = [known for known in KEYS if words & set(known.split("_"))]
    return f"; did you mean {', '.join(near[:3])}?" if near else ""


def _line(text: str, key: str) -> int:
    """The line of a file on which a key is set (tomllib does not tell)."""
    pattern = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(key)}\b")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
