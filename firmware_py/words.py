"""What the prompt display says, in Italian and in English.

One `Words` for each language; a new language is one more, and a field left out is an error of types. A line has
twenty characters; which letters a display can show is said in `drivers.charset`. `{}` takes a seat, a name, an amount
or a count.
"""

from __future__ import annotations

from typing import NamedTuple

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
    pushed_keys: str
    dealt: str
    dealt_right: str
    dealt_keys: str
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


IT = Words(
    lang="it",
    hand="M{}",
    first_hand="Prima mano",
    pot="pot {}",
    no_table="Nessun tavolo",
    wait_hub="Attendo l'hub",
    or_deal="o DEAL: a mano",
    players="Mancano giocatori",
    players_more="o il bottone",
    hold="Fermi: aspetta",
    hold_more="il direttore",
    shuffle="Mescola, poi DEAL",
    button="Bottone {}",
    next_blinds="B{} PB{} GB{}",
    blinds="Bui {}/{}",
    first_card="DEAL: prima carta",
    card_to="Carta al posto {}",
    all_dealt="DEAL: date tutte",
    burn="Brucia una carta",
    then_deal="{}: sabot o DEAL",
    board="{}: mancano {}",
    by_hand="DEAL: date a mano",
    turn_of="Tocca {} {}",
    out_of_turn="FUORI TURNO {} {}",
    check="Check",
    call="Call {}",
    minimum="min {}",
    all_in_only="o all-in {}",
    bet_to="{} punta {}",
    raise_to="{} rilancia {}",
    amount_keys="BET/RAISE conferma",
    preset_keys="UNDO annulla",
    show="Mostra {} {}",
    show_keys="CHECK sì, FOLD muck",
    award="Vince {} {}",
    award_pot="Piatto {}: {}",
    award_keys="Premi: +1, DEAL paga",
    floor="Chiama il direttore",
    floor_keys="FLOOR: decisione",
    over="Mano finita",
    over_keys="DEAL: prossima mano",
    menu_keys="Premi ok FLOOR altro",
    pick_seat="Posto {} {}",
    pick_keys="Premi: ok UNDO: no",
    counted="Posto {}: {}",
    one_chip="1 chip",
    some_chips="chip",
    pushed_before="dopo {}",
    pushed_keys="DEAL ok Premi:1 chip",
    dealt="Il sabot dice {}",
    dealt_right="carte date: giusto?",
    dealt_keys="DEAL sì, FLOOR no",
    ask_director="Serve il direttore",
    ask_pin="Badge o PIN: {}",
    pin_keys="Manopola: annulla",
    setup="Tavolo senza hub",
    setup_keys="DEAL avanti",
    setup_seats="{} posti, premi",
    seat_taken="{} occupato",
    seat_free="{} libero",
    time="Tempo posto {}: {} s",
    recorded="Segnato fuori turno",
    ruled="È {}",
    floor_called="Decide il direttore",
    undone="Annullato",
    nothing_to_undo="Niente da annullare",
    dealer="Mazziere {}",
    revoked="Badge revocato",
    tap_in="Badge del mazziere",
    streets={
        Street.PREFLOP: "preflop",
        Street.FLOP: "flop",
        Street.TURN: "turn",
        Street.RIVER: "river",
        Street.SHOWDOWN: "showdown",
        Street.OVER: "fine",
    },
    items={
        Item.KILL_DEALER: "Mano presa: morta",
        Item.KILL_THROWN: "Mano buttata: morta",
        Item.KILL_PASSED: "Mano passata: morta",
        Item.AWAY: "Via dal tavolo",
        Item.BACK: "Tornato al tavolo",
        Item.COUNT: "Conta lo stack",
        Item.CALL: "Chiama il direttore",
        Item.HOLD: "Ferma dopo la mano",
        Item.GO_ON: "Si riprende",
        Item.PLAYS_ON: "La mano continua",
        Item.VOIDS: "Mano annullata",
        Item.BINDS: "Fuori turno: vale",
        Item.RELEASES: "Fuori turno: libero",
        Item.REVIVE: "Mano di nuovo viva",
        Item.EXPOSES: "Mostra le sue carte",
        Item.SAID_RAISE: "Detto raise + chip",
        Item.SAID_CALL: "Detto call + chip",
        Item.TWO_MOTIONS: "Due movimenti",
        Item.CHIPS: "Chip in silenzio",
        Item.COMPLAIN: "Piatto contestato",
        Item.WARNING: "Ammonizione",
        Item.RESTORES: "Carte in ordine",
        Item.REDEALS: "Si ridistribuisce",
        Item.AWARDS: "Piatto al posto...",
        Item.EXPOSED_FIRST: "Scoperta: 1a carta",
        Item.EXPOSED_SECOND: "Scoperta: 2a carta",
        Item.EXTRA_CARD: "Una carta in più",
        Item.SKIPPED: "Posto saltato",
        Item.BOXED: "Carta girata",
        Item.FLOP_EXTRA: "Flop di 4 carte",
        Item.NO_BURN: "Non bruciata",
        Item.DOUBLE_BURN: "Bruciate due",
        Item.EARLY_CARD: "Carta in anticipo",
        Item.DUPLICATE: "Due carte uguali",
        Item.MISSING: "Mancano carte",
        Item.WRONG_BACK: "Altro mazzo",
        Item.DECK_DOWN: "Mazzo deposto",
        Item.GRANT: "Concede il tempo",
    },
    steps={
        Step.BOOK: "Regole {}",
        Step.SMALL_BLIND: "Piccolo buio {}",
        Step.BIG_BLIND: "Grande buio {}",
        Step.ANTE: "Ante {}",
        Step.STACK: "Stack {}",
        Step.SEATS: "Posto {}",
        Step.BUTTON: "Bottone al posto {}",
    },
    told={
        Told.NONE: "",
        Told.NOT_NOW: "Ora no",
        Told.NO_RAISE: "Niente rilancio",
        Told.NO_SEAT: "Nessun posto",
        Told.CANCELLED: "Lasciato",
        Told.NOT_DIRECTOR: "Non è direttore",
        Told.WRONG_PIN: "PIN sbagliato",
        Told.PIN_LOCKED: "PIN fermo: badge",
        Told.COUNT_FIRST: "Prima conta le carte",
    },
    refusals={
        "not_your_turn": "Non è il suo turno",
        "cannot_reopen": "Non si può rialzare",
        "lost_raise_right": "Ha perso il rilancio",
        "below_minimum": "Sotto il minimo",
        "above_maximum": "Oltre il massimo",
        "raise_cap_reached": "Rilanci finiti",
        "bet_to_call": "C'è da chiamare",
        "no_bet_to_call": "Niente da chiamare",
        "no_chips": "Già all-in",
        "not_in_hand": "Non è in mano",
        "not_running": "Mano non in corso",
        "awaiting_floor": "Decide il direttore",
        "too_early": "Troppo presto",
        "too_late": "Troppo tardi",
        "not_seated": "Posto vuoto",
        "seat_taken": "Posto occupato",
        "between_blind_and_button": "Tra bui e bottone",
        "level_closed": "Livello chiuso",
        "not_in_catalogue": "Non previsto",
        "not_decreasing": "Deve scendere",
    },
    rulings={
        "call": "call {}",
        "raise_to": "rilancio {}",
        "bet": "puntata {}",
        "check": "check",
        "fold": "fold",
        "all_in": "all-in {}",
        "misdeal": "mano da rifare",
        "replace_card": "cambia la carta",
        "burn_card": "carta da bruciare",
        "redeal_flop": "flop da rifare",
        "set_aside": "carta da parte",
        "hand_void": "mano annullata",
        "dead_hand": "mano morta",
    },
    troubles={
        "shoe": "Sabot: cavo? o DEAL",
        "badge": "Lettore: cavo?",
        "panel": "Tasti: premi a lungo",
        "panel_stuck": "Tasto bloccato",
        "hub": "Senza hub: si gioca",
        "outbox": "Hub indietro: {}",
        "journal": "Memoria persa: FLOOR",
        "lost": "Premi di nuovo",
        "cards_lost": "Carte perse: FLOOR",
        "door": "Sabot aperto",
        "shoe_error": "Errore sabot {}",
        "clock_display": "Orologio: cavo?",
    },
)

EN = Words(
    lang="en",
    hand="H{}",
    first_hand="First hand",
    pot="pot {}",
    no_table="No table yet",
    wait_hub="Waiting for the hub",
    or_deal="or DEAL: set up here",
    players="Players are missing",
    players_more="or the button",
    hold="On hold: wait for",
    hold_more="the director",
    shuffle="Shuffle, then DEAL",
    button="Button {}",
    next_blinds="B{} SB{} BB{}",
    blinds="Blinds {}/{}",
    first_card="DEAL: first card",
    card_to="Card to seat {}",
    all_dealt="DEAL: all are dealt",
    burn="Burn one card",
    then_deal="{}: shoe or DEAL",
    board="{}: {} to come",
    by_hand="DEAL: dealt by hand",
    turn_of="Turn {} {}",
    out_of_turn="OUT OF TURN {} {}",
    check="Check",
    call="Call {}",
    minimum="min {}",
    all_in_only="or all-in {}",
    bet_to="{} bets {}",
    raise_to="{} raises to {}",
    amount_keys="BET/RAISE confirms",
    preset_keys="UNDO cancels",
    show="Show {} {}",
    show_keys="CHECK show FOLD muck",
    award="Winner {} {}",
    award_pot="Pot {}: {}",
    award_keys="Push: +1, DEAL pays",
    floor="Call the director",
    floor_keys="FLOOR: the decision",
    over="Hand is over",
    over_keys="DEAL: next hand",
    menu_keys="Push: ok FLOOR: more",
    pick_seat="Seat {} {}",
    pick_keys="Push: ok  UNDO: no",
    counted="Seat {}: {}",
    one_chip="1 chip",
    some_chips="chips",
    pushed_before="after {}",
    pushed_keys="DEAL ok Push: 1 chip",
    dealt="The shoe counts {}",
    dealt_right="cards dealt: right?",
    dealt_keys="DEAL yes, FLOOR no",
    ask_director="Director needed",
    ask_pin="Badge or PIN: {}",
    pin_keys="Knob push: cancel",
    setup="Table without a hub",
    setup_keys="DEAL goes on",
    setup_seats="{} seats, push",
    seat_taken="{} taken",
    seat_free="{} free",
    time="Time seat {}: {} s",
    recorded="Noted out of turn",
    ruled="Is {}",
    floor_called="Director decides",
    undone="Taken back",
    nothing_to_undo="Nothing to take back",
    dealer="Dealer {}",
    revoked="Badge is revoked",
    tap_in="Tap dealer badge",
    streets={
        Street.PREFLOP: "preflop",
        Street.FLOP: "flop",
        Street.TURN: "turn",
        Street.RIVER: "river",
        Street.SHOWDOWN: "showdown",
        Street.OVER: "over",
    },
    items={
        Item.KILL_DEALER: "Taken in: dead hand",
        Item.KILL_THROWN: "Thrown: dead hand",
        Item.KILL_PASSED: "Passed: dead hand",
        Item.AWAY: "Away from table",
        Item.BACK: "Back at the table",
        Item.COUNT: "Count a stack",
        Item.CALL: "Call the director",
        Item.HOLD: "Hold after the hand",
        Item.GO_ON: "Go on",
        Item.PLAYS_ON: "The hand goes on",
        Item.VOIDS: "The hand is void",
        Item.BINDS: "Out of turn: binds",
        Item.RELEASES: "Out of turn: free",
        Item.REVIVE: "Hand lives again",
        Item.EXPOSES: "Shows his cards",
        Item.SAID_RAISE: "Said raise + chips",
        Item.SAID_CALL: "Said call + chips",
        Item.TWO_MOTIONS: "Two motions",
        Item.CHIPS: "Chips pushed",
        Item.COMPLAIN: "Award contested",
        Item.WARNING: "Warning",
        Item.RESTORES: "Cards in order",
        Item.REDEALS: "Deal it again",
        Item.AWARDS: "Pot goes to seat",
        Item.EXPOSED_FIRST: "1st card turned up",
        Item.EXPOSED_SECOND: "2nd card turned up",
        Item.EXTRA_CARD: "A card too many",
        Item.SKIPPED: "Seat skipped",
        Item.BOXED: "Boxed card",
        Item.FLOP_EXTRA: "Flop of four",
        Item.NO_BURN: "No burn",
        Item.DOUBLE_BURN: "Two burned",
        Item.EARLY_CARD: "Card too early",
        Item.DUPLICATE: "Two cards alike",
        Item.MISSING: "Cards missing",
        Item.WRONG_BACK: "Other deck",
        Item.DECK_DOWN: "Deck put down",
        Item.GRANT: "Grant the time",
    },
    steps={
        Step.BOOK: "Rules {}",
        Step.SMALL_BLIND: "Small blind {}",
        Step.BIG_BLIND: "Big blind {}",
        Step.ANTE: "Ante {}",
        Step.STACK: "Stack {}",
        Step.SEATS: "Seat {}",
        Step.BUTTON: "Button at seat {}",
    },
    told={
        Told.NONE: "",
        Told.NOT_NOW: "Not now",
        Told.NO_RAISE: "No raise here",
        Told.NO_SEAT: "No such seat",
        Told.CANCELLED: "Dropped",
        Told.NOT_DIRECTOR: "Not a director",
        Told.WRONG_PIN: "Wrong PIN",
        Told.PIN_LOCKED: "PIN locked: badge",
        Told.COUNT_FIRST: "Count the cards",
    },
    refusals={
        "not_your_turn": "Not its turn",
        "cannot_reopen": "Cannot re-raise",
        "lost_raise_right": "Lost its raise",
        "below_minimum": "Below the minimum",
        "above_maximum": "Above the maximum",
        "raise_cap_reached": "No more raises",
        "bet_to_call": "There is a bet",
        "no_bet_to_call": "Nothing to call",
        "no_chips": "Already all-in",
        "not_in_hand": "Not in the hand",
        "not_running": "No hand is running",
        "awaiting_floor": "Director decides",
        "too_early": "Too early",
        "too_late": "Too late",
        "not_seated": "Seat is empty",
        "seat_taken": "Seat is taken",
        "between_blind_and_button": "Blinds and button",
        "level_closed": "Level is closed",
        "not_in_catalogue": "Not provided for",
        "not_decreasing": "Must decrease",
    },
    rulings={
        "call": "a call {}",
        "raise_to": "a raise {}",
        "bet": "a bet {}",
        "check": "a check",
        "fold": "a fold",
        "all_in": "all-in {}",
        "misdeal": "a misdeal",
        "replace_card": "replaced",
        "burn_card": "the burn",
        "redeal_flop": "a new flop",
        "set_aside": "set aside",
        "hand_void": "a void hand",
        "dead_hand": "a dead hand",
    },
    troubles={
        "shoe": "Shoe: cable? or DEAL",
        "badge": "Reader: check cable",
        "panel": "Keys: press longer",
        "panel_stuck": "A key is stuck",
        "hub": "No hub: play on",
        "outbox": "Hub is behind: {}",
        "journal": "Memory lost: FLOOR",
        "lost": "Press again",
        "cards_lost": "Cards lost: FLOOR",
        "door": "Shoe is open",
        "shoe_error": "Shoe error {}",
        "clock_display": "Clock: check cable",
    },
)

LANGUAGES = {"it": IT, "en": EN}
