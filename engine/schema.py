"""The schema of a rulebook: every value a house may change, its type, what it decides and the unit in which it counts.

Procedures are code and live where they are used; here are numbers and choices only. A choice's words are its
annotation; "none" is the word for a number that a book does not have (no cap, no limit, nothing free). Times are whole
seconds unless the name says minutes, shares are fractions of one.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Structure = Literal["NL", "PL", "L"]
"""No-limit, pot-limit, fixed-limit."""


class Origin(msgspec.Struct, frozen=True):
    """Where a value comes from.

    `citations`: the articles that say it as `book:number`, the one that decides first. `source`: `text`, `resolution`,
    `inference` or `default`. `resolution`: the number of the resolution it rests on (`R-1`), or "".
    """

    citations: tuple[str, ...]
    source: str
    resolution: str = ""

    @property
    def citation(self) -> str:
        """The article that decides, as `book:number`."""
        return self.citations[0]


RULES: dict[str, str] = {
    "turn": "who speaks, and when",
    "binds": "what is said or done in turn stands",
    "check": "one checks while nothing is to be paid",
    "check_to_bet": "who checks facing a bet calls or folds",
    "call": "one calls what was bet",
    "raise": "one raises what was bet, and bets where nothing was",
    "stack": "one plays for what lies before one, and no more",
    "fold": "a hand given up is out",
    "deal": "how cards are dealt",
    "showdown": "cards speak, and the dealer reads them",
    "side_pots": "how pots are made",
    "floor": "the director decides",
    "penalty": "what may be punished, and how",
    "seating": "who gives out the seats",
}
"""Rules that hold in every book and leave a house no choice. A book says only which of its articles they are."""


def _about(text: str, unit: str = "", *, told: bool = False) -> Meta:
    """`told`: people go by it, from what the book shows them; no program looks at it."""
    return Meta(description=text, extra={"unit": unit, "told": told})


class Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook, ready for use. The annotations say what each value means and in which unit it counts."""

    id: str
    name: str
    origins: dict[str, Origin]
    articles: dict[str, tuple[str, ...]]
    """The articles of `RULES`, as `book:number`."""

    # entry, stacks, levels
    reentry: Annotated[Literal["none", "per_event_rebuy_addon"], _about("may a player who is out buy in again?")]
    stack_topup: Annotated[Literal["none", "per_event"], _about("may a stack grow other than through play?")]
    late_entry_last_level: Annotated[int | Literal["none"], _about("entry closes at the end of this level", "level")]
    late_entry_requires: Annotated[
        Literal["none", "reservation", "registered_and_preadvised"], _about("who may enter late")
    ]
    late_entry_cost: Annotated[
        Literal["none", "event_setting_required", "blinded_off"], _about("what entering late costs in chips")
    ]
    starting_stack: Annotated[
        tuple[int, int] | Literal["per_event"], _about("least and most chips to start with", "chips")
    ]
    level_minutes: Annotated[int | Literal["per_event"], _about("length of a level", "minutes")]
    blind_ratio: Annotated[int, _about("big blind as a multiple of the small one", "small blinds", told=True)]
    ante: Annotated[Literal["optional", "none"], _about("may a level have an ante?")]

    # tables and seats
    table_min: Annotated[int, _about("fewest players with whom a hand is dealt", "players")]
    table_form_min: Annotated[int, _about("fewest players at a table when it is formed", "players")]
    table_max: Annotated[int, _about("most seats at one table", "seats")]
    balance_trigger: Annotated[int, _about("difference between two tables that orders a move", "players")]
    balance_halt: Annotated[
        int | Literal["all_tables_wait"],
        _about("difference at which the short table waits, or all tables wait during any move", "players"),
    ]
    balance_mover: Annotated[Literal["next_big_blind", "right_of_button"], _about("who moves")]
    balance_seat: Annotated[
        Literal["first_free_left_of_bb_not_sb", "worst_position_not_sb", "nearest_to_bb", "same_position"],
        _about("which free seat the moved player takes"),
    ]
    balance_timing: Annotated[
        Literal["between_hands", "hold_next_hand", "all_tables_wait"], _about("who waits while a player moves")
    ]
    break_condition: Annotated[Literal["free_seats_eq_last_table"], _about("when the last table closes")]
    break_seats: Annotated[Literal["draw"], _about("how players of a closed table get their seats")]
    dead_zone_moved: Annotated[Literal["button_sb", "button_bb"], _about("where a moved player gets no cards yet")]
    dead_zone_new: Annotated[Literal["button_sb", "button_bb"], _about("where a new entrant gets no cards yet")]
    dead_zone_release: Annotated[
        Literal["button_passed", "outside_zone"], _about("what ends the wait of a player in a dead zone", told=True)
    ]
    blind_dodging: Annotated[
        Literal["sanction", "penalty", "dead_money_and_penalty"], _about("what dodging a blind costs")
    ]
    slow_to_seat: Annotated[Literal["sanction", "penalty"], _about("what dawdling on the way to a new seat costs")]
    hand_for_hand: Annotated[bool, _about("do all tables play hand for hand just before the paid places?")]
    hand_for_hand_s: Annotated[
        int, _about("tournament time one hand takes off the clock hand for hand", "seconds")
    ]
    stop_clock_on_moves: Annotated[bool, _about("does the level clock stop while players move?")]
    places_same_hand: Annotated[
        Literal["bigger_stack_first"], _about("places of players who go out in one hand at one table")
    ]
    places_two_tables: Annotated[
        Literal["tie"], _about("places of players who go out at two tables, hand for hand, in the same hand")
    ]

    # button, blinds, antes, levels
    initial_button: Annotated[Literal["drawn"], _about("where the button begins")]
    button_style: Annotated[Literal["static", "dead"], _about("where the button rests after an elimination")]
    hu_transition: Annotated[Literal["bb_next_live_after_previous_bb"], _about("who pays when three become two")]
    deal_start: Annotated[Literal["small_blind"], _about("who gets the first card")]
    hu_deal_first: Annotated[Literal["small_blind", "big_blind"], _about("first card when two play")]
    short_post_order: Annotated[Literal["ante_first", "blind_first"], _about("what a short stack pays first")]
    bb_ante_order: Annotated[Literal["ante_first", "blind_first"], _about("the same for the big blind ante")]
    short_bb_price: Annotated[Literal["full_bb"], _about("what a call costs when the big blind is short")]
    hand_start_event: Annotated[Literal["shuffle", "first_card"], _about("the moment that fixes a hand's level")]
    level_switch_on: Annotated[Literal["announcement"], _about("what makes a new level count")]

    # betting: how much
    structures: Annotated[tuple[Structure, ...], _about("forms of betting the book has rules for")]
    min_bet: Annotated[Literal["big_blind"], _about("smallest bet")]
    min_raise: Annotated[Literal["last_raise", "big_blind"], _about("smallest raise over the standing bet")]
    short_allin_bet_min_raise_to: Annotated[
        Literal["2xBB", "allin_plus_bb"], _about("smallest raise over an all-in bet that is under the minimum")
    ]
    short_allin_bet_call: Annotated[
        Literal["allin_amount", "full_bb_if_under_blind_else_allin_total"], _about("what calling such an all-in costs")
    ]
    reopen_rule: Annotated[Literal["full_raise", "half_raise"], _about("what gives the right to raise again")]
    half_raise_base: Annotated[
        Literal["last_full_increment", "standing_bet"], _about("of what half a raise is the half")
    ]
    cumulative_short_allins: Annotated[bool, _about("do several short all-ins add up to a full raise?")]
    bb_option: Annotated[bool, _about("do the blinds keep their raise after a short all-in?")]
    no_limit_raise_cap: Annotated[Literal["none"], _about("most raises in a round of no-limit or pot-limit", "raises")]
    limit_raise_cap: Annotated[int | Literal["none"], _about("most raises after the bet, fixed-limit", "raises")]
    limit_cap_off: Annotated[
        Literal["two_in_hand", "two_able_from_round_start", "two_in_event"], _about("when that cap does not hold")
    ]
    limit_reopen_rule: Annotated[
        Literal["half_bet", "full_bet"], _about("all-in that counts as a full bet or raise, fixed-limit")
    ]
    limit_short_allin: Annotated[
        Literal["completed"], _about("what the next may do over an all-in of less, fixed-limit")
    ]
    pot_limit_max: Annotated[Literal["pot_after_call"], _about("most one may raise by, pot-limit")]
    pot_limit_blinds: Annotated[
        Literal["full", "posted"], _about("what a missing or short blind counts in the pot before the flop")
    ]
    pot_said: Annotated[
        Literal["valid_bet"], _about("what betting the pot comes to outside pot-limit: the smallest bet or raise")
    ]
    pot_miscount_high_until: Annotated[
        Literal["street_end"], _about("until when a pot-limit bet that was too high is put right")
    ]
    pot_miscount_low_until: Annotated[
        Literal["substantial_action"], _about("until when a pot-limit bet from a pot counted too low is put right")
    ]

    # betting: what was said and pushed
    words_vs_chips: Annotated[Literal["words", "first"], _about("what counts where words and chips disagree")]
    unclear_amount: Annotated[
        Literal["highest_up_to_pot"], _about("what a number said means that is less than the smallest chip")
    ]
    underraise_threshold: Annotated[
        float | Literal["none"], _about("share from which a short raise is completed", "of the minimum raise")
    ]
    underraise_inclusive: Annotated[bool, _about("is exactly that share enough?")]
    underraise_below: Annotated[Literal["call", "raiser_choice"], _about("what a raise below that share is")]
    underraise_said: Annotated[
        Literal["complete", "raiser_choice"], _about("what becomes of a raise that was said and is too low")
    ]
    raiser_choice_minimum: Annotated[
        Literal["bet_in_force"], _about("the minimum a raiser may choose whose raise was too low")
    ]
    underbet: Annotated[
        Literal["complete", "as_underraise"], _about("what becomes of a first bet in silence below the minimum")
    ]
    underbet_until: Annotated[
        Literal["round_end", "none", "showdown"], _about("until when it is put right (on the last round, for showdown)")
    ]
    undercall: Annotated[
        Literal[
            "complete_until_round_end",
            "complete_no_time_limit",
            "unaware_may_withdraw_or_call_no_raise",
            "full_if_opening_or_heads_up_else_floor",
        ],
        _about("what becomes of too little put in to call"),
    ]
    overchip_preflop: Annotated[
        Literal["call", "by_amount", "raise"], _about("one bigger chip in silence before the flop")
    ]
    overchip_option: Annotated[
        Literal["check", "raise"], _about("one bigger chip in silence from the big blind that may still raise")
    ]
    overchip_postflop_open: Annotated[Literal["bet"], _about("one chip in silence with nothing bet")]
    overchip_postflop_facing: Annotated[
        Literal["call", "by_amount", "raise"], _about("one bigger chip in silence facing a bet")
    ]
    overchip_limit: Annotated[Literal["call"], _about("one bigger chip in silence, fixed-limit")]
    overchip_raise_said: Annotated[
        Literal["chip_value", "lost_without_amount"], _about("'raise' and one bigger chip, no amount")
    ]
    overchip_raise_said_pot_limit: Annotated[Literal["most_within_chip"], _about("the same in pot-limit")]
    silent_multichip_raise: Annotated[Literal["raise"], _about("several chips in silence that make a legal raise")]
    silent_all_needed: Annotated[
        Literal["call", "by_amount"], _about("several chips in silence of which a call needs every one")
    ]
    raise_amount_must_be_said: Annotated[bool, _about("does 'raise' without an amount lose the right to raise?")]
    string_bet: Annotated[Literal["first_motion"], _about("what counts of a bet in several motions")]
    no_raise_state: Annotated[bool, _about("may a player lose the right to raise by what he did?")]
    no_raise_lasts: Annotated[Literal["round", "hand"], _about("how long that lasts")]
    no_raise_exposed_lasts: Annotated[Literal["round", "hand"], _about("how long it lasts for shown cards")]
    no_raise_bars_opening: Annotated[bool, _about("may such a player not open the betting either?")]

    # betting: out of turn, time
    oot_binding: Annotated[
        Literal[
            "auto_unless_action_changes",
            "auto_unless_bet_call_raise",
            "director_unless_bet_call_raise",
            "fold_always_bet_no_raise",
        ],
        _about("when an action out of turn stands"),
    ]
    oot_call_never_raise: Annotated[bool, _about("does a call out of turn cost the right to raise?")]
    oot_fold_binding: Annotated[bool, _about("does a fold out of turn always stand?")]
    oot_heads_up: Annotated[
        Literal["as_others", "passive_only"], _about("what an act out of turn leaves open when two are in the hand")
    ]
    oot_skipped: Annotated[
        Literal["floor_after_substantial_action"], _about("a player passed over who did not speak up")
    ]
    substantial_action: Annotated[
        Literal["three_or_two_with_chips"], _about("acts after which an error stands: any three, or two with chips")
    ]
    think_free_s: Annotated[
        int | Literal["none"], _about("thinking time before anybody may ask for the clock", "seconds")
    ]
    clock_steps_s: Annotated[tuple[int, ...], _about("time given, then counts aloud", "seconds")]
    clock_granted_by: Annotated[Literal["director", "dealer", "automatic"], _about("who grants the clock")]
    clock_request_seated_only: Annotated[bool, _about("must the one who asks for the clock sit?")]
    clock_expiry: Annotated[
        Literal["dead_hand", "fold", "no_raise"], _about("what happens when time is up, facing a bet")
    ]
    clock_expiry_no_bet: Annotated[
        Literal["dead_hand", "fold", "check", "no_raise"], _about("the same with nothing to call")
    ]
    stack_information: Annotated[
        Literal["ask_before_acting", "through_dealer", "facing_all_in"],
        _about("when a stack may be asked about", told=True),
    ]

    # presence and dead hands
    absent_at_deal: Annotated[
        Literal["dead_hand", "dead_hand_posts_kept", "dealt_in_fold_when_facing"],
        _about("a player who is away at the last hole card"),
    ]
    deal_to_absent_seat: Annotated[bool, _about("does an absent player's seat get cards?")]
    deal_to_excluded_seat: Annotated[bool, _about("does a punished player's seat get cards, to be killed?")]
    absent_posts: Annotated[Literal["taken"], _about("blinds and antes of a player who is away or punished")]
    absent_can_win: Annotated[bool, _about("may an absent player's hand win if nobody bets beyond his chips?")]
    absent_all_in: Annotated[
        Literal["dead_hand", "stays_in"], _about("an absent player whose blind or ante took his last chip")
    ]
    leaves_in_hand: Annotated[Literal["dead_hand", "dead_at_turn"], _about("a player who walks away during a hand")]
    dealer_killed_hand_refund: Annotated[
        Literal["uncalled_raise", "nothing", "director"], _about("a collected hand gets back")
    ]
    thrown_hand_refund: Annotated[
        Literal["uncalled_raise", "nothing", "director"], _about("a hand thrown away gets back")
    ]
    passed_hand: Annotated[Literal["dead"], _about("cards handed to another player")]
    retrieval: Annotated[Literal["director"], _about("who may give back a hand thrown away")]
    exposed_by_player_facing_bet: Annotated[
        Literal["dead", "live_penalty", "live_no_raise"], _about("who shows his cards facing a bet, undecided")
    ]
    exposed_by_player_other: Annotated[
        Literal["live_penalty", "live_sanction_next_hand", "live_no_raise"], _about("who shows them at another moment")
    ]

    # pots and showdown
    pot_award_order: Annotated[Literal["last_formed_first", "first_formed_first"], _about("order of the awards")]
    pots_cut_apart: Annotated[bool, _about("is each pot cut by itself?")]
    odd_chip: Annotated[Literal["left_of_button", "carry_next_pot"], _about("where the chip goes that cannot be split")]
    odd_chips_several: Annotated[Literal["one_each", "carry_all"], _about("where several of them go")]
    odd_chip_unit: Annotated[Literal["smallest_chip"], _about("into which chips a pot is broken to be cut")]
    carry_without_successor: Annotated[
        Literal["left_of_button"], _about("where carried chips go when the table plays no other hand")
    ]
    uncalled_bet: Annotated[Literal["returned"], _about("the part of a bet nobody called")]
    show_first_after_bet: Annotated[
        Literal["last_aggressor", "left_of_last_caller"], _about("who shows first after a bet")
    ]
    show_first_checked: Annotated[Literal["first_after_button"], _about("who shows first after checks")]
    allin_face_up: Annotated[bool, _about("do hands lie open once betting is over with an all-in?")]
    muck_at_showdown: Annotated[
        Literal["allowed", "if_beaten", "not_on_betless_last_round"], _about("when a hand may be thrown away unshown")
    ]
    show_to_win: Annotated[
        Literal["both_cards", "both_cards_if_asked", "both_cards_if_called"],
        _about("what the winner must show", told=True),
    ]
    ask_to_see: Annotated[
        Literal["callers_of_river_bet", "showdown_players"], _about("who may have a hand shown at showdown")
    ]
    show_one_show_all: Annotated[
        Literal["by_status", "if_a_player_saw", "director"], _about("who may see cards shown to one", told=True)
    ]
    false_announcement: Annotated[
        Literal["may_lose_pot", "penalty", "director"],
        _about("naming a hand falsely so that a better one is mucked", told=True),
    ]
    fold_on_betless_last_round: Annotated[bool, _about("may one fold on the last round with nothing to call?")]
    show_all_on_betless_last_round: Annotated[bool, _about("are all hands shown after a last round without bets?")]
    wrong_award: Annotated[Literal["rebuild"], _about("how a pot given wrongly is put right")]
    ruling_window_ends: Annotated[
        Literal["next_shuffle", "next_hand_start"], _about("until when who won a pot may be contested")
    ]
    pot_count_window_ends: Annotated[
        Literal["next_shuffle", "next_hand_start", "substantial_action"],
        _about("until when the count or payment of a pot may be contested", told=True),
    ]
    ruling_window_break_s: Annotated[int | Literal["none"], _about("how long at most before a break", "seconds")]

    # dealing errors
    misdeal_first_two: Annotated[bool, _about("is one of the first two cards turned up a misdeal?")]
    misdeal_blind_cards: Annotated[bool, _about("is a blind's card turned up a misdeal?")]
    exposed_max: Annotated[
        int | Literal["none"], _about("most cards turned up by the dealer without a misdeal", "cards")
    ]
    exposed_stays_up: Annotated[bool, _about("does a card turned up by the dealer lie open all hand?")]
    exposed_becomes: Annotated[
        Literal["burn", "no_burn_before_flop"], _about("what a card turned up by the dealer becomes")
    ]
    replacement_card: Annotated[Literal["next_after_deal"], _about("which card replaces it")]
    misdeal_only_if_skipped: Annotated[bool, _about("is a skipped player the only cause to shuffle again?")]
    skipped_seat: Annotated[Literal["misdeal"], _about("a player who got no card, or too few")]
    extra_card: Annotated[Literal["burn"], _about("one card too many for the first player")]
    extra_cards: Annotated[Literal["misdeal", "director"], _about("more than one card too many")]
    button_two_in_row: Annotated[bool, _about("may the button get two cards one after the other?")]
    button_short_of_cards: Annotated[Literal["completed_before_acting"], _about("a button that got too few cards")]
    flop_overdealt: Annotated[Literal["reshuffle_no_burn", "draw_one_as_burn"], _about("a flop of too many cards")]
    burn_error_unseen: Annotated[Literal["director"], _about("no burn or two, flop not seen yet")]
    burn_error_seen: Annotated[Literal["redeal_flop", "draw_one_as_burn", "flop_stands"], _about("the same, flop seen")]
    burn_error_acts: Annotated[int, _about("acts after which that flop stands", "acts")]
    premature_card: Annotated[
        Literal["set_aside", "reshuffle_stub", "director"], _about("a card dealt before its round")
    ]
    duplicate_card: Annotated[Literal["void"], _about("what two identical cards do to a hand")]
    wrong_back: Annotated[Literal["void", "misdeal"], _about("what a card with another back does to a hand")]
    missing_card: Annotated[Literal["void"], _about("what a card missing from the deck does to a hand")]
    boxed_card: Annotated[Literal["replace", "as_exposed"], _about("a card found face up in the deck")]
    boxed_max: Annotated[int | Literal["none"], _about("most such cards without a misdeal", "cards")]
    deck_down: Annotated[Literal["rebuild"], _about("a deck put down or disturbed during a hand")]
    rabbit: Annotated[Literal["forbidden"], _about("cards that would have come")]

    # chip race, penalties, payout
    chip_race: Annotated[Literal["sequential_from_last_sb", "tda"], _about("how leftover small chips are raced for")]
    race_tie: Annotated[Literal["first_received", "suit"], _about("who wins with equal cards")]
    race_max: Annotated[int, _about("most chips one player wins in a race", "chips")]
    race_rest: Annotated[
        Literal["removed", "half_rounds_up", "over_half_rounds_up"], _about("small chips too few for one new chip")
    ]
    race_survival: Annotated[bool, _about("does a player who would be raced out get one chip?")]
    penalty_unit: Annotated[Literal["rounds_of_hands", "minutes"], _about("in what a player sits out a penalty")]
    penalty_values: Annotated[tuple[int, ...], _about("penalties there are", "penalty_unit")]
    penalty_start: Annotated[Literal["next_hand"], _about("when hands begin to be missed")]
    penalty_minutes_from: Annotated[Literal["imposed"], _about("when minutes begin to count")]
    penalty_round_size: Annotated[
        Literal["players_when_imposed"], _about("hands in a round: the players at the table, offender included")
    ]
    disqualified_chips: Annotated[Literal["removed"], _about("the chips of a disqualified player")]
    hidden_chips: Annotated[Literal["director_decides", "confiscate"], _about("chips kept out of sight")]
    phones: Annotated[
        Literal["away_from_table", "forbidden_at_table", "not_with_live_hand"],
        _about("telephones at the table", told=True),
    ]
    min_paid_share: Annotated[float | Literal["none"], _about("share that is paid at least", "of entrants")]
    shares_decreasing: Annotated[bool, _about("must the payout fall from each place to the next?")]

    def __repr__(self) -> str:
        return f"Rulebook({self.id!r})"

    def cite(self, *keys: str) -> tuple[str, ...]:
        """The articles behind these values and rules, in order, each once."""
        found: dict[str, None] = {}
        for key in keys:
            origin = self.origins.get(key)
            found |= dict.fromkeys(self.articles[key] if origin is None else origin.citations)
        return tuple(found)

    def with_value(self, key: str, text: str) -> Rulebook:
        """This book with one value changed, written as text (`3`, `true`, `static`, `25+5`). Raises RulebookError."""
        from engine.rulebook import changed

        return changed(self, key, text)
