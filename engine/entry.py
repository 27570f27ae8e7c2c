"""Who may still come in, with what, and how many fit at a table.

Pure answers from the book; the director's desk asks them. A refusal cites the article, as at a table.

Articles: lifeclub:1.b, 2.a, 3.a to 3.c; fipos:3, 25, 32; tda:8; dalvivo:2.a.
"""

from __future__ import annotations

import msgspec

from engine.rulebook import Rulebook
from engine.ruling import Ruling


class Latecomer(msgspec.Struct, frozen=True):
    """Somebody who wants to come in. `level`: the number of the level announced last, 0 before the start."""

    level: int
    reserved: bool = False                   # a place was reserved, by mail or by phone
    registered: bool = False                 # entered before the start
    gave_notice: bool = False                # said beforehand that he would be late
    was_out: bool = False                    # was in this tournament and lost all chips


def may_enter(who: Latecomer, book: Rulebook, event_allows_reentry: bool = False) -> Ruling:
    """May this player take a seat now? Refuses `level_closed`.

    `event_allows_reentry`: the event sells new stacks to players who are out, where the book leaves that to the event.
    """
    if who.was_out:
        allowed = book.reentry != "none" and event_allows_reentry
        return Ruling("ok", articles=book.cite("reentry")) if allowed else _closed(book, "reentry")
    if not who.level:
        return Ruling("ok")
    last = book.late_entry_last_level
    if last != "none" and who.level > last:
        return _closed(book, "late_entry_last_level")
    fit = {
        "none": True,
        "reservation": who.reserved,
        "registered_and_preadvised": who.registered and who.gave_notice,
    }[book.late_entry_requires]
    if not fit:
        return _closed(book, "late_entry_requires")
    return Ruling("ok", articles=book.cite("late_entry_last_level", "late_entry_requires"))


def entry_cost(stack: int, missed: int, book: Rulebook, event_penalty: int | None = None) -> int:
    """The chips that a late player gives up on sitting down, at most `stack`.

    `missed`: blinds and antes of the hands missed, which count where the book wants a penalty and the event has not
    named one (lifeclub:3.a). Where an absent player is dealt in and blinded off (fipos:32) the stack has paid already.
    """
    if book.late_entry_cost != "event_setting_required":
        return 0
    return min(stack, missed if event_penalty is None else event_penalty)


def may_top_up(book: Rulebook, event_sells_chips: bool = False) -> Ruling:
    """May a player who is still in get chips other than by winning them? Refuses `not_in_catalogue`.

    `event_sells_chips`: the event has rebuys or an add-on, where the book leaves that to the event.
    """
    if book.stack_topup == "per_event" and event_sells_chips:
        return Ruling("ok", articles=book.cite("stack_topup"))
    return Ruling("refused", articles=book.cite("stack_topup"), refusal="not_in_catalogue")


def may_form(players: int, book: Rulebook) -> Ruling:
    """May a table begin with so many? Refuses `below_minimum`, `above_maximum`, with the bound."""
    return _within(players, book.table_form_min, book.table_max, book, "table_form_min", "table_max")


def may_seat(players: int, book: Rulebook) -> Ruling:
    """May a table go on with so many, where some have gone out or come in? Refuses as `may_form`."""
    return _within(players, book.table_min, book.table_max, book, "table_min", "table_max")


def may_start_with(stack: int, book: Rulebook) -> Ruling:
    """May a tournament give out stacks of so many chips? Refuses as `may_form`."""
    if book.starting_stack == "per_event":
        return _within(stack, 1, stack, book, "starting_stack", "starting_stack")
    least, most = book.starting_stack
    return _within(stack, least, most, book, "starting_stack", "starting_stack")


def _closed(book: Rulebook, key: str) -> Ruling:
    return Ruling("refused", articles=book.cite(key), refusal="level_closed", by=key)


def _within(number: int, least: int, most: int, book: Rulebook, low: str, high: str) -> Ruling:
    if number < least:
        return Ruling("refused", articles=book.cite(low), refusal="below_minimum", amount=least, by=low)
    if number > most:
        return Ruling("refused", articles=book.cite(high), refusal="above_maximum", amount=most, by=high)
    return Ruling("ok", articles=book.cite(low, high))
