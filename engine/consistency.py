"""Values of a rulebook that cannot stand beside each other: what a house may not combine, and why.

Each check that fails gives the keys it looked at and one line that says what would be right. A number out of its range
is told here as well, since the type alone cannot say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Fault = tuple[tuple[str, ...], str]

_NEEDS_NO_RAISE = (
    ("raise_amount_must_be_said", True),
    ("clock_expiry", "no_raise"),
    ("undercall", "unaware_may_withdraw_or_call_no_raise"),
    ("exposed_by_player_facing_bet", "live_no_raise"),
    ("exposed_by_player_other", "live_no_raise"),
    ("oot_binding", "fold_always_bet_no_raise"),
)
_SHUFFLES_AGAIN = (
    ("misdeal_first_two", True),
    ("misdeal_blind_cards", True),
    ("extra_cards", "misdeal"),
    ("flop_overdealt", "reshuffle_no_burn"),
    ("burn_error_seen", "redeal_flop"),
    ("premature_card", "reshuffle_stub"),
)
TOGETHER = (  # if one of the pair holds so must the other
    (("odd_chip", "carry_next_pot"), ("odd_chips_several", "carry_all")),
    (("underraise_threshold", "none"), ("underraise_below", "raiser_choice")),
    (("overchip_raise_said", "lost_without_amount"), ("raise_amount_must_be_said", True)),
    (("clock_expiry", "no_raise"), ("clock_expiry_no_bet", "no_raise")),
    (("show_all_on_betless_last_round", True), ("muck_at_showdown", "not_on_betless_last_round")),
    (("absent_at_deal", "dealt_in_fold_when_facing"), ("absent_can_win", True)),
    (("balance_halt", "all_tables_wait"), ("balance_timing", "all_tables_wait")),
)
_AT_LEAST = (
    ("table_min", 2, "a hand needs two players"),
    ("balance_trigger", 2, "tables one player apart are balanced already"),
    ("late_entry_last_level", 1, "levels are counted from 1"),
    ("level_minutes", 1, "a level lasts a minute at least"),
    ("blind_ratio", 1, "the big blind is no less than the small one"),
    ("hand_for_hand_s", 1, "a hand takes time"),
    ("limit_raise_cap", 1, 'write "none" where there is no cap, a number from 1 otherwise'),
    ("think_free_s", 0, "no time is less than none"),
    ("exposed_max", 0, "a number of cards"),
    ("boxed_max", 0, "a number of cards"),
    ("burn_error_acts", 1, "acts are counted from 1"),
    ("ruling_window_break_s", 1, 'write "none" where there is no such limit'),
)
PLAYED = {
    "bb_option": True, "deal_to_absent_seat": True, "pots_cut_apart": True, "button_two_in_row": True,
    "race_survival": True, "race_max": 1, "no_raise_lasts": "round",
}  # fmt: skip
"""Values that every rulebook there is has in common: a house may not write another one, for nothing would follow it."""
MOST_SEATS = 22  # 44 hole cards, 5 on the board, 3 burned: 52


def faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with these values together; nothing if they are a rulebook."""
    yield from _ranges(values)
    yield from _tables(values)
    yield from _rights(values)
    yield from _cards(values)


def _ranges(values: Mapping[str, Any]) -> Iterator[Fault]:
    for key, least, why in _AT_LEAST:
        if isinstance(values[key], int) and values[key] < least:
            yield (key,), why
    for key, played in PLAYED.items():
        if values[key] != played:
            yield (key,), f"only {_written(played)} is played"
    for key in ("underraise_threshold", "min_paid_share"):
        if values[key] != "none" and not 0 < values[key] <= 1:
            yield (key,), "a share lies above 0 and is 1 at most"
    stack = values["starting_stack"]
    if not isinstance(stack, str) and not 0 < stack[0] <= stack[1]:
        yield ("starting_stack",), "the least comes before the most"
    for key in ("clock_steps_s", "penalty_values"):
        if not values[key] or min(values[key]) < 1:
            yield (key,), "one number at least, each from 1"
    if list(values["penalty_values"]) != sorted(set(values["penalty_values"])):
        yield ("penalty_values",), "from the mildest to the hardest, none twice"
    if not values["structures"] or len(set(values["structures"])) < len(values["structures"]):
        yield ("structures",), "one form of betting at least, none twice"


def _tables(values: Mapping[str, Any]) -> Iterator[Fault]:
    least, formed, most = values["table_min"], values["table_form_min"], values["table_max"]
    if most > MOST_SEATS:
        yield ("table_max",), f"{MOST_SEATS} at most: their hole cards, the board and the burns are 52 cards"
    if least > most:
        yield ("table_max", "table_min"), "less than table_min"
    if not least <= formed <= most:
        yield ("table_form_min", "table_min", "table_max"), "from table_min to table_max"
    halt = values["balance_halt"]
    if isinstance(halt, int) and halt < values["balance_trigger"]:
        yield ("balance_halt", "balance_trigger"), "less than balance_trigger"
    if values["dead_zone_moved"] == "button_bb" and values["dead_zone_new"] == "button_sb":
        why = "a new entrant cannot be better off than a moved player (dead_zone_moved is button_bb)"
        yield ("dead_zone_new", "dead_zone_moved"), why


def _rights(values: Mapping[str, Any]) -> Iterator[Fault]:
    for (one, this), (other, that) in TOGETHER:
        if (values[one] == this) != (values[other] == that):
            yield (one, other), f"{one} is {_written(this)} exactly where {other} is {_written(that)}"
    if not values["no_raise_state"]:
        for key, value in _NEEDS_NO_RAISE:
            if values[key] == value:
                yield (key, "no_raise_state"), "takes the right to raise, but no_raise_state is false"
    if values["oot_binding"] == "fold_always_bet_no_raise" and not values["oot_fold_binding"]:
        yield ("oot_fold_binding", "oot_binding"), "oot_binding says that a fold always stands"
    if not values["fold_on_betless_last_round"] and not values["show_all_on_betless_last_round"]:
        why = "who may not fold on the last round shows: show_all_on_betless_last_round must be true"
        yield ("fold_on_betless_last_round", "show_all_on_betless_last_round"), why
    if values["absent_can_win"] and not values["deal_to_absent_seat"]:
        yield ("deal_to_absent_seat", "absent_can_win"), "a hand that may win must be dealt (absent_can_win is true)"
    if values["absent_all_in"] == "stays_in" and not values["absent_can_win"]:
        yield ("absent_all_in", "absent_can_win"), "a dead hand does not stay in (absent_can_win is false)"


def _cards(values: Mapping[str, Any]) -> Iterator[Fault]:
    if values["misdeal_only_if_skipped"]:
        for key, value in _SHUFFLES_AGAIN:
            if values[key] == value:
                yield (
                    (key, "misdeal_only_if_skipped"),
                    "cards are shuffled again only where misdeal_only_if_skipped is false",
                )
        for key in ("exposed_max", "boxed_max"):
            if values[key] != "none":
                yield (
                    (key, "misdeal_only_if_skipped"),
                    'must be "none": misdeal_only_if_skipped leaves no other misdeal',
                )


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
