"""What the dealer must do with his hands to put an error right, step by step: read off the state, nothing is kept.

Words of `engine.texts.STEPS`, in the order of doing; a number behind a word is the seat it is about ("replace 5").
"""

from __future__ import annotations

from engine import phases
from engine.seats import in_order
from engine.showdown import lies_open
from engine.state import HandState, TableState

COMPLETE = (0, 3, 4)
"""Board cards between two streets."""

BEFORE_STREET = {
    "reshuffle": ("back_in_deck", "shuffle", "cut", "no_burn"),
    "spare": ("burn_lies_there",),
}
"""By `HandState.street_after`: what the coming street needs instead of a burn."""

FLOOR = {
    "no_burn": ("order_cards", "or_reshuffle"),
    "double_burn": ("order_cards", "or_reshuffle"),
    "flop_extra": ("order_cards", "or_reshuffle"),
    "extra_card": ("keep_cards",),
    "skipped": ("keep_cards",),
    "premature": ("card_apart", "keep_cards"),
    "duplicate": ("show_both", "keep_cards"),
    "cards_lost": ("keep_cards",),
    "card_back": ("keep_cards",),
    "two_cards": ("keep_cards",),
    "wrong_back": ("card_apart", "keep_cards"),
    "complaint": ("keep_cards", "rebuild_pot"),
}
"""What to keep as it lies until the director comes."""


def steps(state: TableState) -> tuple[str, ...]:
    """What is to be done now; () when everything is in order."""
    if state.floor:
        return FLOOR.get(state.floor, ())
    hand = state.hand
    if hand is None:
        return ("collect", "shuffle", "cut", "same_button") if state.redeal else ()
    waits_for = hand.due
    if waits_for is phases.HOLE_CARDS:
        return _replacements(hand)
    if waits_for is phases.BOARD and len(hand.board) in COMPLETE:
        return BEFORE_STREET.get(hand.street_after, ())
    if waits_for in (phases.SHOW, phases.AWARD) and not all(lies_open(hand, seat) for seat in asked(hand)):
        return ("show_both",)
    if waits_for is phases.ACTION and hand.early:
        return ("card_apart", "finish_bets")
    if waits_for is phases.ACTION and hand.spare:
        return ("keep_as_burn",)
    return ()


def asked(hand: HandState) -> tuple[int, ...]:
    """Whose hand somebody has asked to see, and can still win."""
    return in_order(hand.asked & hand.live)


def _replacements(hand: HandState) -> tuple[str, ...]:
    """The seats that get another card, after the round or the deal that goes first (lifeclub:15.1.c, 18.4)."""
    size, given = len(hand.order), hand.given
    todo: tuple[str, ...] = ()
    if hand.owed_round:
        todo += () if given and not given % size else ("finish_round",)
        todo += tuple(f"replace {seat}" for seat in hand.owed_round)
    if hand.owed:
        todo += () if given == 2 * size else ("finish_deal",)
        todo += tuple(f"replace {seat}" for seat in hand.owed)
    return todo
