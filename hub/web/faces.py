"""Small questions the templates ask: how a card, a blind, an action or a seat is written. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from engine import texts
from engine.inputs import Level
from engine.view import Due, Part, Presence, SeatView, TableView
from hub.picture import Alarm, Leg, Note, Place
from hub.web.words import WORDS

SUITS = {"s": ("♠", "spades"), "h": ("♥", "hearts"), "d": ("♦", "diamonds"), "c": ("♣", "clubs")}

Say = Callable[[str], str]
Chips = Callable[[int], str]


class CardFace(msgspec.Struct, frozen=True):
    """A card's rank as printed, its suit sign and the suit's name for the style sheet; unknown: a back."""

    rank: str
    sign: str
    suit: str


def card(code: str) -> CardFace:
    """`Th` is 10♥. Anything that is no card shows its back."""
    if len(code) == 2 and code[1] in SUITS and code[0] in "23456789TJQKA":
        sign, suit = SUITS[code[1]]
        return CardFace("10" if code[0] == "T" else code[0], sign, suit)
    return CardFace("", "", "back")


def blinds(level: Level | None, chips: Chips) -> str:
    """`100 / 200`; a dash before the first level."""
    return "–" if level is None else f"{chips(level.small_blind)} / {chips(level.big_blind)}"


def ante(level: Level | None, chips: Chips, say: Say) -> str:
    """The ante of a level, or that there is none."""
    if level is None or not (level.ante or level.big_blind_ante):
        return say("no_ante")
    return chips(level.big_blind_ante or level.ante)


def ante_name(level: Level | None, say: Say) -> str:
    """What kind of ante that is."""
    return say("big_blind_ante" if level is not None and level.big_blind_ante else "ante")


def next_ante(level: Level | None, chips: Chips, say: Say) -> str:
    """`ante 800` of a level to come; nothing where there is none."""
    if level is None or not (level.ante or level.big_blind_ante):
        return ""
    return say("with_ante").format(chips(level.big_blind_ante or level.ante))


def rank(place: Place, ordinal: Chips) -> str:
    """`23º`, or `23–24º` when it is shared."""
    return ordinal(place.place) if place.last == place.place else f"{place.place}–{ordinal(place.last)}"


def way(leg: Leg, say: Say) -> str:
    """Who moves from where to where."""
    return say("way").format(**msgspec.structs.asdict(leg))


def note(line: Note, say: Say) -> str:
    """A line of the hub's log in words."""
    key = f"note_{line.what}"
    if line.what == "ruled":
        key += f"_{line.detail}"
    elif line.detail:
        key += "_with" if f"{key}_with" in WORDS else ""
    ways = "; ".join(way(leg, say) for leg in line.legs)
    cited = ", ".join(line.articles)
    return say(key).format(detail=line.detail, number=line.number, ways=ways, articles=cited, seat=line.seat)


def alarm(what: Alarm, lang: str, chips: Chips, say: Say) -> str:
    """What a person must look at, in words."""
    line = texts.REFUSALS.get(what.why)
    why = what.why if line is None else line[lang].format(seat=what.seat, amount="")
    command = f"command_{what.name}"
    name = say(command) if command in WORDS else what.name
    return say(f"alarm_{what.what}").format(
        table_no=what.table_no, tables=", ".join(map(str, what.tables)), seat=what.seat, name=name, why=why,
        counted=chips(what.counted), expected=chips(what.expected),
        seconds=what.seconds, articles=", ".join(what.articles),
    )  # fmt: skip


def said(last: str, chips: Chips, say: Say) -> str:
    """An action in the room's words: `raise_to 400` is `rilancia a 400`."""
    what, _, amount = last.partition(" ")
    if not what:
        return ""
    text = say(f"act_{what}")
    return f"{text} {chips(int(amount))}" if amount.isdigit() else text


def seat_class(view: TableView, seat: SeatView) -> str:
    """The style classes of a seat: whose turn, folded, all in, dead, away, winner."""
    classes = []
    if view.to_act == seat.seat and view.due in (Due.ACTION, Due.SHOW):
        classes.append("turn")
    if seat.part is Part.FOLDED:
        classes.append("folded")
    if seat.part is Part.DEAD:
        classes.append("dead")
    if seat.part is Part.ALL_IN:
        classes.append("all-in")
    if seat.presence is Presence.AWAY:
        classes.append("away")
    if seat.seat in view.won:
        classes.append("winner")
    return " ".join(classes)


def name_at(view: TableView, seat: int) -> str:
    """Who sits there; the number of the seat when nobody does any more."""
    return next((taken.name or taken.player for taken in view.seats if taken.seat == seat), str(seat))


def pot_of(view: TableView) -> int:
    """Everything in the middle."""
    return sum(pot.amount for pot in view.pots)


def medal(place: int) -> str:
    """The style class of a place: the first three stand out."""
    return {1: "gold", 2: "silver", 3: "bronze"}.get(place, "")


def hhmm(utc_ms: int) -> str:
    """The wall clock of the hub's own time zone; nothing for an event without one."""
    return datetime.fromtimestamp(utc_ms / 1000).astimezone().strftime("%H:%M") if utc_ms > 0 else ""
