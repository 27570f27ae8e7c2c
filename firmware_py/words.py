"""What the prompt display says: the texts that every language has.

One `Words` for each language (`italian.py`, `english.py`); a field left out is an error of types. A line has
twenty characters; which letters a display can show is said in `drivers.charset`. `{}` takes a seat, a name, an amount
or a count.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.inputs import Sanction
from engine.view import Street
from firmware_py.panel_state import Item, Step, Told


class Words(NamedTuple):
    """Every text of one language. Names say where a text stands; `street_*` and the maps follow the records."""

    lang: str
    hand: str
    first_hand: str
    pot: str
    no_table: str
    wait_hub: str
    or_deal: str
    players: str
    players_more: str
    hold: str
    hold_more: str
    shuffle: str
    button: str
    next_blinds: str
    blinds: str
    first_card: str
    card_to: str
    all_dealt: str
    burn: str
    then_deal: str
    board: str
    by_hand: str
    turn_of: str
    out_of_turn: str
    check: str
    call: str
    minimum: str
    all_in_only: str
    bet_to: str
    raise_to: str
    amount_keys: str
    preset_keys: str
    show: str
    show_keys: str
    award: str
    award_pot: str
    award_keys: str
    floor: str
    floor_keys: str
    over: str
    over_keys: str
    menu_keys: str
    pick_seat: str
    pick_keys: str
    counted: str
    one_chip: str
    some_chips: str
    pushed_before: str
    pushed_said: str
    pushed_keys: str
    said: str
    said_keys: str
    chips_out: str
    of_stack: str
    penalties: dict[Sanction, str]
    penalty_hands: str
    dealt: str
    dealt_right: str
    dealt_keys: str
    shoe_was_away: str
    next_card_right: str
    board_right: str
    without_shoe: str
    without_key: str
    without_keys: str
    ask_director: str
    ask_pin: str
    pin_keys: str
    setup: str
    setup_keys: str
    setup_seats: str
    seat_taken: str
    seat_free: str
    time: str
    recorded: str
    ruled: str
    floor_called: str
    undone: str
    nothing_to_undo: str
    dealer: str
    revoked: str
    tap_in: str
    streets: dict[Street, str]
    items: dict[Item, str]
    steps: dict[Step, str]
    told: dict[Told, str]
    refusals: dict[str, str]
    rulings: dict[str, str]
    troubles: dict[str, str]
    shoe_do: dict[str, str]
