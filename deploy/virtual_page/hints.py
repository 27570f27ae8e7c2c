"""What to do next, for somebody who never stood at this table: a pure function of what can be seen.

A hint names a sentence and the page's controls that it speaks of, the easiest first; pressing that one again and again
plays a hand to its end. It knows nothing that display and lamps do not say too.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from deploy.virtual_page.stand import Look, ReaderLook, ShoeLook
from deploy.virtual_table import Glance
from drivers.seen import Key
from drivers.shoe_sim import Mishap
from engine.cards import DECK
from engine.view import Due
from firmware_py.languages import LANGUAGES
from firmware_py.panel_state import DIRECTORS_PAGE, PAGES, Item


class Hint(msgspec.Struct, frozen=True):
    """`say`: a key of the page's words; `at`: names of controls, the easiest first; `values`: what the words take."""

    say: str
    at: tuple[str, ...] = ()
    values: dict[str, int] = {}


DEAL, CHECK, FOLD, RAISE, FLOOR = (
    f"key-{key.value}" for key in (Key.DEAL, Key.CHECK_CALL, Key.FOLD, Key.BET_RAISE, Key.FLOOR)
)
PUSH, RIGHT = "push", "knob-right"


def hint(look: Look) -> Hint:
    """What to do next."""
    glance, shoe = look.glance, look.shoe
    if glance is None:
        return Hint("hint_power", ("power",))
    begun = _begun(glance, look.reader)
    if begun is not None:
        return begun
    if glance.view.due in _WANTS_SHOE and not shoe.kind:
        return Hint("hint_by_hand", (DEAL,))
    if glance.view.due in _WANTS_SHOE and (broken := _broken(shoe)) is not None:
        return broken
    if glance.view.due is Due.FLOOR and not _reads(look.reader):
        return Hint("hint_floor_pin", (FLOOR,))
    return _due(glance, shoe)


def _reads(reader: ReaderLook) -> bool:
    """Would a badge be read that is laid there now?"""
    return bool(reader.kind) and reader.plugged and not reader.stalled


_WANTS_SHOE = frozenset({Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD, Due.NEXT_HAND})


_DECISIONS = frozenset(
    f">{words.items[item]}" for words in LANGUAGES.values() for item in (Item.PLAYS_ON, Item.VOIDS)
)  # fmt: skip

_DIRECTORS = frozenset(f">{words.items[item]}" for words in LANGUAGES.values() for item in PAGES[DIRECTORS_PAGE])

_FREE = tuple(words.seat_free.format("") for words in LANGUAGES.values())


def _begun(glance: Glance, reader: ReaderLook) -> Hint | None:
    """What the panel is in the middle of; None while it is in nothing."""
    match glance.mode:
        case "Play":
            return None
        case "Amount":
            return Hint("hint_amount", (RAISE, RIGHT))
        case "Award":
            return Hint("hint_award", (DEAL, RIGHT, PUSH))
        case "Menu" if glance.view.due is Due.FLOOR and glance.prompt[1].strip() not in _DECISIONS:
            there = glance.prompt[1].strip() in _DIRECTORS
            return Hint("hint_decide", (RIGHT, PUSH)) if there else Hint("hint_page", (FLOOR,))
        case "Menu":
            return Hint("hint_menu", (PUSH, RIGHT))
        case "ConfirmDeal":
            return Hint("hint_confirm", (CHECK, FLOOR))
        case "Verify":
            return Hint("hint_verify", (CHECK, FLOOR))
        case "WithoutShoe":
            return Hint("hint_without_shoe", (DEAL, f"key-{Key.UNDO.value}"))
        case "PickSeat" | "Count":
            return Hint("hint_pick", (PUSH, RIGHT))
        case "AskDirector" if not _reads(reader):
            return Hint("hint_pin", (FOLD,))
        case "AskDirector":
            return Hint("hint_ask", ("badge-director",))
        case "Setting":
            return Hint("hint_setting", _answer(glance))
        case _:
            return Hint("hint_display", tuple(f"key-{key.value}" for key in glance.lamps))


def _answer(glance: Glance) -> tuple[str, ...]:
    """Where to answer a question of a first start: two seats must be taken before DEAL goes on."""
    taken = glance.prompt[2].split(maxsplit=1)[:1]           # `1 seats, push`: at the question of seats alone
    if not taken or not taken[0].isdigit() or int(taken[0]) >= 2:
        return (DEAL, RIGHT, PUSH)
    return (PUSH, RIGHT) if glance.prompt[1].rstrip().endswith(_FREE) else (RIGHT, PUSH)


def _broken(shoe: ShoeLook) -> Hint | None:
    """What keeps the shoe from giving cards."""
    if not shoe.plugged:
        return Hint("hint_plug", ("shoe-cable", DEAL))
    if shoe.stalled:
        return Hint("hint_resume", ("shoe-stall",))
    if Mishap.DOOR in shoe.wrong:
        return Hint("hint_door", ("card-door",))
    return Hint("hint_mend", tuple(f"card-{what}" for what in shoe.wrong)) if shoe.wrong else None


def _due(glance: Glance, shoe: ShoeLook) -> Hint:
    view = glance.view
    match view.due:
        case Due.PLAYERS | Due.HOLD if glance.hub:
            return Hint("hint_hub")
        case Due.PLAYERS:
            return Hint("hint_players") if view.seats else Hint("hint_setup", (DEAL,))
        case Due.HOLD:
            return Hint("hint_hold", ("badge-director",))
        case Due.SHUFFLE | Due.NEXT_HAND if not shoe.tells_deck and len(shoe.deck) == len(DECK):
            return Hint("hint_shuffled", (DEAL,))
        case Due.SHUFFLE | Due.NEXT_HAND:
            return Hint("hint_shuffle", ("shuffle", "deal"))
        case Due.FIRST_CARD if not shoe.deck:
            return Hint("hint_shuffle", ("shuffle", "deal"))
        case Due.FIRST_CARD:
            return Hint("hint_first", ("deal", "draw"))
        case Due.HOLE_CARDS:
            return Hint("hint_hole", ("deal", "draw"), {"seat": view.next_seat})
        case Due.ACTION:
            owed = glance.legal.to_call if glance.legal is not None else 0
            return Hint("hint_call" if owed else "hint_check", (CHECK,), {"seat": view.to_act, "amount": owed})
        case Due.BURN:
            return Hint("hint_burn", ("deal", "draw"))
        case Due.BOARD:
            return Hint("hint_board", ("deal", "draw"), {"count": view.cards_due})
        case Due.SHOW:
            return Hint("hint_show", (CHECK, FOLD), {"seat": view.to_act})
        case Due.AWARD:
            return Hint("hint_award", (DEAL, RIGHT, PUSH))
        case Due.FLOOR:
            return Hint("hint_floor", ("badge-director",))
        case _:
            assert_never(view.due)
