"""What the director asks on the page, and the entry that does it.

Each key has a name (`DIRECTIONS`) and a subject: a proposal, a table or nothing. Some need more, which comes as
`Details`. Whatever cannot be done now is refused with a code for which the pages have words, and nothing has changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from engine import chip_race, wire
from hub.entries import AnyEntry, Decided, HandForHand, Ordered, PlacesPaid, Retried, Ruled, Started
from hub.refused import Refused
from hub.replacing import last_known
from hub.room import Room, Table
from hub.seating import Applicant

if TYPE_CHECKING:
    from hub.chance import Shuffles
    from hub.tournament import Tournament

DIRECTIONS = frozenset(
    {
        "start", "pause", "resume", "add_minute", "confirm", "reject", "plays_on", "voids", "retry", "hand_for_hand",
        "table_by_table", "paid", "enter", "reenter", "race", "dodged", "replace",
    }
)  # fmt: skip
DEALT = re.compile(r"(\d{1,2})\s*[: ]\s*((?:10|[2-9TJQKA])[shdc])", re.IGNORECASE)


class Details(msgspec.Struct, frozen=True):
    """What a key needs beside its subject. `ep` and `wm`: the last event known of the unit that is replaced."""

    applicant: Applicant = Applicant()
    old: int = 0
    new: int = 0
    cards: str = ""
    seat: int = 0
    small_blind: bool = False
    big_blind: bool = False
    unit: str = ""
    ep: int = 0
    wm: int = 0


NOTHING_MORE = Details()


def direct(
    of: Tournament, what: str, subject: int, who: str, room: Room, now_ms: int, more: Details, chance: Shuffles
) -> AnyEntry:
    """The entry that does what the director asks. Raises Refused."""
    match what:
        case "start":
            if of.started:
                raise Refused("started")
            if of.seating.drawn is None or not of.seating.seated(room):
                raise Refused("not_seated")
            return Started(who)
        case "pause" | "resume" | "add_minute":
            if not of.playing:
                raise Refused("not_playing")
            return of.keeper.key(what, who, now_ms)
        case "confirm" | "reject":
            if not of.moves.is_open(subject):
                raise Refused("not_open")
            return Decided(subject, what == "confirm", who)
        case "plays_on" | "voids":
            if not _table(of, subject, room).floor:
                raise Refused("not_waiting")
            return Ruled(subject, what, who)
        case "retry":
            if not of.wishes.given_up(subject):
                raise Refused("nothing_refused")
            return Retried(subject, who)
        case "hand_for_hand" | "table_by_table":
            return _together(of, what == "hand_for_hand", who, room)
        case "paid":
            if not 0 <= subject < len(of.entrants):
                raise Refused("too_many_places")
            return PlacesPaid(subject, who)
        case "enter" | "reenter":
            if of.finished or of.seating.drawn is None:
                raise Refused("not_playing")
            level = of.reading(now_ms).level if of.started else None
            late = level.number if level is not None else 0
            return of.seating.enter(more.applicant, who, late, room, of.moves.promised(), chance)
        case "race":
            return _race(of, subject, who, room, more)
        case "dodged":
            return _dodged(of, subject, who, room, more)
        case "replace":
            return _replace(of, subject, who, room, more)
        case _:
            raise Refused("unknown")


def _table(of: Tournament, number: int, room: Room) -> Table:
    """An open table by its number; the one of a unit that is not in use counts as one that waits for nothing."""
    if number not in of.tables.units:
        raise Refused("no_table")
    return of.tables.at(room, number)


def _open_table(of: Tournament, number: int, room: Room) -> Table:
    if number not in of.tables.drawn or number in of.tables.closed:
        raise Refused("no_table")
    return of.tables.at(room, number)


def _together(of: Tournament, on: bool, who: str, room: Room) -> HandForHand:
    if not of.playing:
        raise Refused("not_playing")
    if on == of.rounds.hand_for_hand:
        raise Refused("hand_for_hand" if on else "table_by_table")
    if on and len(of.tables.open(room)) < 2:
        raise Refused("one_table")
    return HandForHand(on, who, of.left(room))


# --- chips and blinds


def _race(of: Tournament, number: int, who: str, room: Room, more: Details) -> Ordered:
    """The chips of `old` leave a table; the cards of the race, a line for each round: `3 Kh, 5 2c`."""
    table = _open_table(of, number, room)
    if table.running:
        raise Refused("hand_runs")
    rounds = tuple(dealt for line in re.split(r"[\n;]", more.cards) if (dealt := _dealt(line)))
    race = race_of(of, table, more.old, more.new)
    if race is None:
        raise Refused("race_chips")
    try:
        for cards in rounds:
            race = chip_race.deal(race, cards)
    except ValueError:
        raise Refused("race_cards") from None
    if chip_race.to_win(race):
        raise Refused("race_not_over")
    small_blind = table.view.small_blind
    return Ordered(number, "race", wire.RaceChips(more.old, more.new, rounds, small_blind), who)


def race_of(of: Tournament, table: Table, old: int, new: int) -> chip_race.Race | None:
    """The race at this table before any card; None where such chips cannot be changed."""
    book = of.book
    stacks = {seat.seat: seat.stack for seat in table.view.seats}
    small_blind = table.view.small_blind
    try:
        return chip_race.begin(stacks, old, new, small_blind, book.chip_race, book.race_tie, book.race_rest)
    except ValueError:
        return None


def _dealt(line: str) -> tuple[tuple[int, str], ...]:
    """One round as it is typed. Raises Refused for a line in which something else stands."""
    if re.sub(r"[\s,.]+", "", DEALT.sub("", line)):
        raise Refused("race_cards")
    return tuple((int(seat), _card(card)) for seat, card in DEALT.findall(line))


def _card(typed: str) -> str:
    return typed.replace("10", "T")[0].upper() + typed[-1].lower()


def _dodged(of: Tournament, number: int, who: str, room: Room, more: Details) -> Ordered:
    table = _open_table(of, number, room)
    player = table.seated.get(more.seat)
    if player is None:
        raise Refused("no_player")
    if of.book.blind_dodging != "dead_money_and_penalty":
        raise Refused("no_dead_money")
    if not (more.small_blind or more.big_blind):
        raise Refused("no_blind")
    if table.running:
        raise Refused("hand_runs")
    body = wire.DodgedBlinds(more.seat, player.player, more.small_blind, more.big_blind)
    return Ordered(number, "dodged", body, who)


def _replace(of: Tournament, number: int, who: str, room: Room, more: Details) -> AnyEntry:
    table = _table(of, number, room)
    if not wire.UNIT_ID.fullmatch(more.unit):
        raise Refused("no_unit")
    if more.unit in room.tables:
        raise Refused("unit_used")
    return last_known(table, more.unit, who, more.ep, more.wm)
