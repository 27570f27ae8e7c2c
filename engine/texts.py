"""Reasons in a dealer's words, in English and Italian: one line for each refusal, ruling and call for the director.

Rendered only when somebody reads them. A language is one column of the tables here; `tests/engine` holds that none has
a gap.
"""

from __future__ import annotations

from engine.refusals import REFUSALS_BY
from engine.ruling import Ruling

LANGUAGES = ("en", "it")

REFUSALS: dict[str, dict[str, str]] = {
    "not_your_turn": {"en": "Not now: seat {seat} is not due", "it": "Non ora: non tocca al posto {seat}"},
    "cannot_reopen": {
        "en": "No full raise since seat {seat} acted: call or fold",
        "it": "Nessun rilancio pieno dopo il posto {seat}: call o fold",
    },
    "lost_raise_right": {
        "en": "Seat {seat} has lost the right to raise",
        "it": "Il posto {seat} ha perso il diritto di rilancio",
    },
    "below_minimum": {"en": "The minimum is {amount}", "it": "Il minimo è {amount}"},
    "above_maximum": {"en": "The maximum is {amount}", "it": "Il massimo è {amount}"},
    "raise_cap_reached": {"en": "No more raises on this street", "it": "Niente più rilanci in questo giro"},
    "bet_to_call": {"en": "There is a bet of {amount} to call", "it": "C'è una puntata di {amount}"},
    "no_bet_to_call": {"en": "Nothing to call: check or bet", "it": "Niente da chiamare: check o puntata"},
    "no_chips": {"en": "Seat {seat} is all-in", "it": "Il posto {seat} è all-in"},
    "not_in_hand": {"en": "Seat {seat} has no hand", "it": "Il posto {seat} non è nella mano"},
    "not_running": {"en": "No betting now", "it": "Ora non si punta"},
    "awaiting_floor": {"en": "Wait for the director", "it": "Si attende il direttore"},
    "too_early": {"en": "Too early for that", "it": "È troppo presto"},
    "too_late": {"en": "Too late for that", "it": "È troppo tardi"},
    "not_seated": {"en": "Nobody sits at seat {seat}", "it": "Nessuno siede al posto {seat}"},
    "seat_taken": {"en": "Seat {seat} is taken", "it": "Il posto {seat} è occupato"},
    "between_blind_and_button": {
        "en": "Nobody is moved to the small blind: not seat {seat}",
        "it": "Nessuno si sposta sul piccolo buio: non il {seat}",
    },
    "level_closed": {"en": "Entries are closed", "it": "Le iscrizioni sono chiuse"},
    "not_in_catalogue": {"en": "The book has no such ruling", "it": "Il regolamento non la prevede"},
    "not_decreasing": {"en": "Shares must decrease", "it": "Le quote devono decrescere"},
}

RULINGS: dict[str, dict[str, str]] = {
    "check": {"en": "It is a check", "it": "È un check"},
    "fold": {"en": "It is a fold", "it": "È un fold"},
    "call": {"en": "It is a call of {amount}", "it": "È un call a {amount}"},
    "bet": {"en": "It is a bet of {amount}", "it": "È una puntata di {amount}"},
    "raise_to": {"en": "It is a raise to {amount}", "it": "È un rilancio a {amount}"},
    "all_in": {"en": "All-in for {amount}", "it": "All-in a {amount}"},
    "set_aside": {"en": "Lay that card aside, face up", "it": "Carta da parte, scoperta"},
    "hand_void": {"en": "Hand void: every chip goes back", "it": "Mano nulla: tornano le chip"},
    "misdeal": {"en": "Misdeal: same button, deal again", "it": "Mano da rifare, stesso bottone"},
    "replace_card": {"en": "Replace that card", "it": "Si sostituisce la carta"},
    "burn_card": {"en": "That card is the burn", "it": "Quella è la carta bruciata"},
    "redeal_flop": {"en": "Deal the flop again", "it": "Si rifà il flop"},
    "dead_hand": {"en": "The hand is dead", "it": "La mano è nulla"},
}

OUTCOMES: dict[str, dict[str, str]] = {
    "out_of_turn": {
        "en": "Seat {seat} acted out of turn: kept for its turn",
        "it": "Posto {seat} fuori turno: vale al suo turno",
    },
    "floor": {"en": "Call the director", "it": "Chiamare il direttore"},
}

IRREGULARITIES: dict[str, dict[str, str]] = {
    "premature": {"en": "A card came before its round", "it": "Carta data in anticipo"},
    "boxed": {"en": "A card lay face up in the deck", "it": "Carta scoperta nel mazzo"},
    "duplicate": {"en": "The same card twice", "it": "La stessa carta due volte"},
    "rabbit": {"en": "A card after the last one", "it": "Carta oltre l'ultima"},
    "unreadable": {"en": "A card was not read", "it": "Carta non letta"},
    "unexpected_cards": {"en": "Cards without a hand", "it": "Carte senza una mano"},
    "wrong_number": {"en": "Wrong number of cards", "it": "Numero di carte errato"},
    "other_cards_shown": {"en": "Not the cards that were dealt", "it": "Non sono le carte date"},
    "cards_lost": {"en": "Cards left the shoe unread", "it": "Carte uscite senza lettura"},
    "two_cards": {"en": "Two cards left as one", "it": "Due carte uscite insieme"},
    "card_back": {"en": "A card went back into the shoe", "it": "Una carta rimessa nel sabot"},
    "door_open": {"en": "The shoe was opened in a hand", "it": "Sabot aperto durante la mano"},
    "shoe_down": {"en": "The shoe was away in a hand", "it": "Sabot assente durante la mano"},
    "out_of_turn": {"en": "An act out of turn", "it": "Azione fuori turno"},
    "hand_void": {"en": "The hand was void", "it": "Mano annullata"},
    "dealer": {"en": "The dealer calls", "it": "Chiama il mazziere"},
    "misdeal": {"en": "Misdeal", "it": "Mano da rifare"},
    "hole_exposed": {"en": "The dealer turned a card up", "it": "Il mazziere ha scoperto una carta"},
    "extra_card": {"en": "A card too many was dealt", "it": "Una carta in più"},
    "skipped": {"en": "A seat was passed over", "it": "Un posto saltato"},
    "flop_extra": {"en": "A flop of too many cards", "it": "Flop con troppe carte"},
    "no_burn": {"en": "No card was burned", "it": "Nessuna carta bruciata"},
    "double_burn": {"en": "Two cards were burned", "it": "Due carte bruciate"},
    "missing": {"en": "The deck is short of cards", "it": "Mancano carte nel mazzo"},
    "wrong_back": {"en": "A card of another deck", "it": "Carta di un altro mazzo"},
    "deck_down": {"en": "The deck was put down early", "it": "Mazzo deposto in anticipo"},
    "exposes": {"en": "A player showed his cards", "it": "Un giocatore ha mostrato le carte"},
    "revived": {"en": "A dead hand lives again", "it": "Una mano torna viva"},
    "refund": {"en": "A dead hand had raised", "it": "La mano morta aveva rilanciato"},
    "ask_to_see": {"en": "A player asks to see a hand", "it": "Chiesto di vedere una mano"},
    "complaint": {"en": "An award is contested", "it": "Piatto contestato"},
    "award_contradicts": {"en": "The cards say otherwise", "it": "Le carte dicono altro"},
    "award_corrected": {"en": "A pot was given again", "it": "Piatto riassegnato"},
    "floor": {"en": "The director had it dealt again", "it": "Ridistribuita dal direttore"},
    "penalty_warning": {"en": "Warning", "it": "Ammonizione"},
    "penalty_rounds": {"en": "Rounds to sit out", "it": "Giri di esclusione"},
    "penalty_minutes": {"en": "Minutes to sit out", "it": "Minuti di esclusione"},
    "penalty_disqualify": {"en": "Disqualified", "it": "Squalifica"},
}

STEPS: dict[str, dict[str, str]] = {
    "collect": {"en": "Take all cards back", "it": "Ritira le carte"},
    "shuffle": {"en": "Shuffle", "it": "Mescola"},
    "cut": {"en": "Cut", "it": "Taglia"},
    "same_button": {"en": "Same button, seats", "it": "Stesso bottone"},
    "finish_round": {"en": "Finish this round", "it": "Finisci questo giro"},
    "finish_deal": {"en": "Finish the deal", "it": "Finisci di dare"},
    "replace": {"en": "One card to seat {seat}", "it": "Una carta al {seat}"},
    "keep_as_burn": {"en": "Keep it as the burn", "it": "Tienila: si brucia"},
    "burn_lies_there": {"en": "Burn the card kept", "it": "Brucia quella tenuta"},
    "card_apart": {"en": "That card face up", "it": "La carta da parte"},
    "finish_bets": {"en": "Finish the betting", "it": "Finisci le puntate"},
    "back_in_deck": {"en": "Card back, no burns", "it": "Carta nel mazzo"},
    "no_burn": {"en": "Deal without a burn", "it": "Dai senza bruciare"},
    "order_cards": {"en": "Put burn, flop right", "it": "Sistema burn e flop"},
    "or_reshuffle": {"en": "or shuffle, new flop", "it": "o rimescola, rifai"},
    "keep_cards": {"en": "Touch no card", "it": "Non toccare le carte"},
    "show_both": {"en": "Show both cards", "it": "Mostra le due carte"},
    "rebuild_pot": {"en": "Rebuild the pot", "it": "Ricostruisci piatto"},
}
"""What the dealer does to put an error right, one display line each (20 columns); `{seat}` is the seat it is about."""


def reason(ruling: Ruling, lang: str = "en") -> str:
    """Why it was ruled so, in one line; "" for what stands as declared. Raises KeyError for a language there is not."""
    if ruling.outcome == "refused":
        word = ruling.refusal or "too_early"
        line = REFUSALS_BY.get((word, ruling.by)) or REFUSALS[word]
    elif ruling.outcome == "ruled":
        line = RULINGS[ruling.ruled or "check"]
    elif ruling.outcome in OUTCOMES:
        line = OUTCOMES[ruling.outcome]
    else:
        return ""
    return line[lang].format(seat=ruling.seat, amount=ruling.amount)


def irregularity(word: str, lang: str = "en") -> str:
    """What went wrong, in one line; the word itself where there is no better one."""
    return IRREGULARITIES.get(word, {}).get(lang, word)


def step(words: str, lang: str = "en") -> str:
    """One step of `engine.steps`, such as `shuffle` or `replace 5`, as one line of at most twenty characters."""
    word, _, seat = words.partition(" ")
    return STEPS[word][lang].format(seat=seat)
