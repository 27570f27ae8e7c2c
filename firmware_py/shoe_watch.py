"""What the shoe's troubles mean at the table: what stands on the prompt, what the deal waits for, what is verified.

Pure functions from what the shoe reported to a small record, which the unit keeps on disk: a door that stands open is
open after a restart too. Three kinds of trouble:

- The director is called: cards of another deck, two at once, one pushed back in, cards lost (`deed_of`).
- The deal waits until the shoe is put right (`waits_for`), or until the dealer says that he deals without it.
- The rest is said on the prompt and stops nothing (`said_of`).

A shoe that keeps nothing and was away in a hand may have given cards that nobody saw: when it is back the dealer is
asked whether the deal stands where the table believes (`CARDS_MATTER`).
"""

from __future__ import annotations

import msgspec

from drivers.seen import CardBack, CardsLost, FromShoe, ShoeDoor, ShoeError, ShoeShuffled
from drivers.shoe_codec import FOREIGN_CARD, SAME_CARD_TWICE, TWO_CARDS, UNREADABLE
from engine.inputs import DeviceTrouble
from engine.view import Due

JAM, REVERSED_AT_EXIT, REVERSED_MIDWAY, DRAW_TIMEOUT, DIRTY, EVENTS_LOST = "03", "04", "05", "07", "08", "0F"
OF_CARDS = frozenset({UNREADABLE, TWO_CARDS, FOREIGN_CARD, SAME_CARD_TWICE})  # over when another deck is shuffled
MERELY_SAID = frozenset({*OF_CARDS, DRAW_TIMEOUT, DIRTY, EVENTS_LOST})
KNOWN = frozenset({*MERELY_SAID, JAM, REVERSED_AT_EXIT, REVERSED_MIDWAY})
FIRST = (FOREIGN_CARD, SAME_CARD_TWICE, TWO_CARDS, JAM, REVERSED_MIDWAY, REVERSED_AT_EXIT)  # what is said first
MAX_ERRORS = 16                  # a shoe of another maker may have codes of its own, but not endlessly many
DEALING = frozenset({Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD})
CARDS_MATTER = frozenset({Due.HOLE_CARDS, Due.ACTION, Due.BURN, Due.BOARD})
CALLS = {TWO_CARDS: "two_cards", FOREIGN_CARD: "wrong_back"}

Said = tuple[str, str]
"""A key of `Words.troubles`, and what its text names."""


class ShoeState(msgspec.Struct, frozen=True):
    """What is known of the shoe besides its cards. `boot`: its power-up; `errors`: codes, the oldest first."""

    boot: str = ""
    door: bool = False
    errors: tuple[str, ...] = ()


def reported(state: ShoeState, what: FromShoe) -> ShoeState:
    """The state after this report. A shoe that began anew has none of its old troubles."""
    if what.boot and what.boot != state.boot:
        state = ShoeState(what.boot)
    match what:
        case ShoeDoor(is_open):
            return msgspec.structs.replace(state, door=is_open)
        case ShoeError(code, on):
            others = tuple(known for known in state.errors if known != code)
            return msgspec.structs.replace(state, errors=(*others, code)[-MAX_ERRORS:] if on else others)
        case ShoeShuffled("RDY"):
            return new_deck(state)
        case _:
            return state


def new_deck(state: ShoeState) -> ShoeState:
    """Another deck: what was wrong with the last one's cards is over."""
    return msgspec.structs.replace(state, errors=tuple(code for code in state.errors if code not in OF_CARDS))


def deed_of(what: FromShoe) -> DeviceTrouble | None:
    """What a report of trouble means to a running hand; None: nothing."""
    match what:
        case CardsLost(first, last, why):
            return DeviceTrouble("cards_lost", f"{why} {first}-{last}")
        case CardBack(n):
            return DeviceTrouble("card_back", str(n))
        case ShoeDoor(True):
            return DeviceTrouble("door_open")
        case ShoeError(code, True) if code in CALLS:
            return DeviceTrouble(CALLS[code], code)
        case _:
            return None


def said_of(state: ShoeState) -> Said | None:
    """The trouble that the prompt names; None: there is none."""
    if state.door:
        return ("door", "")
    if not state.errors:
        return None
    code = next((code for code in FIRST if code in state.errors), state.errors[-1])
    return _said(code)


def waits_for(state: ShoeState, due: Due) -> Said | None:
    """What must be put right before the deal goes on; None: nothing, or no card is due."""
    if due not in DEALING:
        return None
    if state.door:
        return ("door", "")
    code = next((code for code in reversed(state.errors) if code not in MERELY_SAID), None)
    return None if code is None else _said(code)


def _said(code: str) -> Said:
    return (f"shoe_{code}", "") if code in KNOWN else ("shoe_error", code)
