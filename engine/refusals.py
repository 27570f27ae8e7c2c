"""Why something is refused, by what decided: one line for each refusal and each value or rule of a book behind it.

`REFUSALS` of `engine.texts` says it where nothing nearer is known. A line may name `{seat}` and `{amount}`.
"""

from __future__ import annotations

Line = dict[str, str]

REFUSALS_BY: dict[tuple[str, str], Line] = {
    # the right to raise, lost by something done
    ("lost_raise_right", "oot_call_never_raise"): {
        "en": "Seat {seat} acted out of turn: no raise now",
        "it": "Il posto {seat} ha parlato fuori turno: non rilancia",
    },
    ("lost_raise_right", "oot_skipped"): {
        "en": "Seat {seat} let itself be passed over: no raise",
        "it": "Il posto {seat} si è lasciato saltare: non rilancia",
    },
    ("lost_raise_right", "exposed_by_player_other"): {
        "en": "Seat {seat} showed its cards: no raise this hand",
        "it": "Il posto {seat} ha mostrato le carte: non rilancia",
    },
    ("lost_raise_right", "clock_expiry"): {
        "en": "Seat {seat} took too long: no raise this round",
        "it": "Il posto {seat} ha tardato: non rilancia in questo giro",
    },
    ("lost_raise_right", "raise_amount_must_be_said"): {
        "en": "Seat {seat} named no amount: it is a call",
        "it": "Il posto {seat} non ha detto la cifra: è un call",
    },
    ("lost_raise_right", "undercall"): {
        "en": "Seat {seat} had missed the raise: call or fold",
        "it": "Il posto {seat} non aveva sentito il rilancio: call o fold",
    },
    ("lost_raise_right", "underraise_below"): {
        "en": "Seat {seat} paid the wrong raise: no raise now",
        "it": "Il posto {seat} ha pagato il rilancio errato: non rilancia",
    },
    ("lost_raise_right", "check_to_bet"): {
        "en": "Seat {seat} checked facing a bet: no raise",
        "it": "Il posto {seat} ha fatto check su una puntata: non rilancia",
    },
    ("cannot_reopen", "reopen_rule"): {
        "en": "No full raise since seat {seat} acted: call or fold",
        "it": "Nessun rilancio pieno dopo il posto {seat}: call o fold",
    },
    ("cannot_reopen", "limit_reopen_rule"): {
        "en": "Less than half a bet since seat {seat} acted: call or fold",
        "it": "Meno di mezza puntata dopo il posto {seat}: call o fold",
    },
    ("raise_cap_reached", "limit_raise_cap"): {
        "en": "The last raise of this round is made",
        "it": "L'ultimo rilancio del giro è fatto",
    },
    # how much
    ("below_minimum", "min_bet"): {
        "en": "The smallest bet is {amount}",
        "it": "La puntata minima è {amount}",
    },
    ("below_minimum", "min_raise"): {
        "en": "The smallest raise is to {amount}",
        "it": "Il rilancio minimo è a {amount}",
    },
    ("below_minimum", "short_allin_bet_min_raise_to"): {
        "en": "Over a short all-in the smallest raise is to {amount}",
        "it": "Sopra un all-in corto il rilancio minimo è a {amount}",
    },
    ("below_minimum", "limit_short_allin"): {
        "en": "A short all-in is completed to {amount}",
        "it": "Un all-in corto si completa a {amount}",
    },
    ("below_minimum", "table_form_min"): {
        "en": "A table begins with {amount} players at least",
        "it": "Un tavolo comincia con almeno {amount} giocatori",
    },
    ("below_minimum", "table_min"): {
        "en": "A table needs {amount} players at least",
        "it": "A un tavolo servono almeno {amount} giocatori",
    },
    ("below_minimum", "starting_stack"): {
        "en": "Stacks begin with {amount} chips at least",
        "it": "Si comincia con almeno {amount} chip",
    },
    ("above_maximum", "stack"): {
        "en": "Seat {seat} cannot go beyond {amount}",
        "it": "Il posto {seat} non può andare oltre {amount}",
    },
    ("above_maximum", "uncalled_bet"): {
        "en": "Nobody can call more than {amount}",
        "it": "Nessuno può chiamare più di {amount}",
    },
    ("above_maximum", "pot_limit_max"): {
        "en": "The pot allows {amount} at most",
        "it": "Il piatto permette al massimo {amount}",
    },
    ("above_maximum", "limit_raise_cap"): {
        "en": "Fixed-limit: it is {amount}, no more",
        "it": "Limit: è {amount}, non di più",
    },
    ("above_maximum", "table_max"): {
        "en": "A table has {amount} seats at most",
        "it": "Un tavolo ha al massimo {amount} posti",
    },
    ("above_maximum", "starting_stack"): {
        "en": "Stacks begin with {amount} chips at most",
        "it": "Si comincia con al massimo {amount} chip",
    },
    ("above_maximum", "hidden_chips"): {
        "en": "Seat {seat} has only {amount}",
        "it": "Il posto {seat} ha solo {amount}",
    },
    # act against act
    ("bet_to_call", "check"): {
        "en": "There is a bet of {amount} to call",
        "it": "C'è una puntata di {amount} da chiamare",
    },
    ("no_bet_to_call", "call"): {
        "en": "Nothing to call: check or bet",
        "it": "Niente da chiamare: check o puntata",
    },
    ("no_bet_to_call", "fold_on_betless_last_round"): {
        "en": "Nothing was bet on the last round: check and show",
        "it": "Ultimo giro senza puntate: check e si mostra",
    },
    ("no_chips", "stack"): {
        "en": "Seat {seat} is all-in",
        "it": "Il posto {seat} è all-in",
    },
    ("not_in_hand", "fold"): {
        "en": "Seat {seat} has no hand",
        "it": "Il posto {seat} non è nella mano",
    },
    ("not_your_turn", "turn"): {
        "en": "Not now: seat {seat} is not due",
        "it": "Non ora: non tocca al posto {seat}",
    },
    ("not_your_turn", "underraise_below"): {
        "en": "Seat {seat} has no raise to put right",
        "it": "Il posto {seat} non ha rilanci da correggere",
    },
    ("not_your_turn", "no_raise_state"): {
        "en": "Seat {seat} has nothing to choose",
        "it": "Il posto {seat} non ha scelte da fare",
    },
    # time
    ("not_seated", "clock_request_seated_only"): {
        "en": "Only who sits at the table may ask for time",
        "it": "Il tempo lo chiede solo chi è seduto al tavolo",
    },
    ("too_early", "think_free_s"): {
        "en": "Seat {seat} may still think",
        "it": "Il posto {seat} può ancora pensare",
    },
    ("too_early", "clock_granted_by"): {
        "en": "Nobody has asked for time",
        "it": "Nessuno ha chiesto il tempo",
    },
    ("too_late", "clock_steps_s"): {
        "en": "The clock runs already",
        "it": "Il tempo corre già",
    },
    # showdown and awards
    ("too_early", "showdown"): {
        "en": "The cards themselves tell who wins",
        "it": "Chi vince lo dicono le carte",
    },
    ("too_late", "allin_face_up"): {
        "en": "The hand of seat {seat} lies open",
        "it": "La mano del posto {seat} è scoperta",
    },
    ("too_early", "muck_at_showdown"): {
        "en": "No open hand beats seat {seat}: it must show",
        "it": "Nessuna mano mostrata batte il posto {seat}: mostri",
    },
    ("too_early", "ask_to_see"): {
        "en": "Seat {seat} was asked: both cards first",
        "it": "Al posto {seat} è stato chiesto: prima le due carte",
    },
    ("too_late", "ask_to_see"): {
        "en": "A caller asked to see seat {seat}: it must show",
        "it": "Chi ha visto chiede la mano del posto {seat}: mostri",
    },
    ("not_in_hand", "ask_to_see"): {
        "en": "Seat {seat} may not ask to see a hand",
        "it": "Il posto {seat} non può chiedere di vedere",
    },
    ("too_late", "muck_at_showdown"): {
        "en": "Seat {seat} must show its hand",
        "it": "Il posto {seat} deve mostrare la mano",
    },
    ("too_late", "ruling_window_ends"): {
        "en": "Too late: the next hand has begun",
        "it": "Troppo tardi: la mano dopo è iniziata",
    },
    ("too_late", "wrong_award"): {
        "en": "No award is contested",
        "it": "Nessun piatto è contestato",
    },
    ("too_late", "undercall"): {
        "en": "Too late to put that call right",
        "it": "Troppo tardi per correggere il call",
    },
    ("too_late", "underbet_until"): {
        "en": "Too late to put that bet right",
        "it": "Troppo tardi per correggere la puntata",
    },
    ("too_late", "duplicate_card"): {
        "en": "Too late: somebody has left with the chips of that hand",
        "it": "Troppo tardi: qualcuno se n'è andato con le chips di quella mano",
    },
    ("too_late", "missing_card"): {
        "en": "Too late: somebody has left with the chips of that hand",
        "it": "Troppo tardi: qualcuno se n'è andato con le chips di quella mano",
    },
    ("too_late", "wrong_back"): {
        "en": "Too late: somebody has left with the chips of that hand",
        "it": "Troppo tardi: qualcuno se n'è andato con le chips di quella mano",
    },
    # the table and the tournament
    ("awaiting_floor", "floor"): {
        "en": "Wait for the director",
        "it": "Si attende il direttore",
    },
    ("too_late", "floor"): {
        "en": "Nothing waits for the director",
        "it": "Nulla attende il direttore",
    },
    ("too_early", "deal"): {
        "en": "Blinds or button are missing",
        "it": "Mancano i bui o il bottone",
    },
    ("too_early", "table_min"): {
        "en": "Too few players for a hand",
        "it": "Troppo pochi giocatori per una mano",
    },
    ("not_seated", "table_max"): {
        "en": "There is no seat {seat} at this table",
        "it": "A questo tavolo non c'è il posto {seat}",
    },
    ("between_blind_and_button", "balance_seat"): {
        "en": "Nobody is moved to the small blind's seat",
        "it": "Nessuno si sposta al posto del piccolo buio",
    },
    ("too_early", "chip_race"): {
        "en": "The race is not over: {amount} chips to win",
        "it": "La gara non è finita: {amount} chip da vincere",
    },
    ("not_in_catalogue", "chip_race"): {
        "en": "The book does not race chips like that",
        "it": "Il regolamento non cambia le chip così",
    },
    ("not_in_catalogue", "structures"): {
        "en": "The book has no rules for that game",
        "it": "Il regolamento non prevede questo gioco",
    },
    ("not_in_catalogue", "blind_dodging"): {
        "en": "The book takes no blinds that were dodged",
        "it": "Il regolamento non preleva i bui evitati",
    },
    ("not_in_catalogue", "passed_hand"): {
        "en": "A hand passed on stays dead",
        "it": "Una mano passata ad altri resta morta",
    },
    ("not_in_catalogue", "penalty_start"): {
        "en": "A hand given up to a penalty stays dead",
        "it": "La mano di un punito resta morta",
    },
    ("not_in_catalogue", "penalty_unit"): {
        "en": "The book punishes in another unit",
        "it": "Il regolamento punisce in un'altra misura",
    },
    ("not_in_catalogue", "penalty_values"): {
        "en": "The book has no such penalty",
        "it": "Il regolamento non ha questa sanzione",
    },
    ("level_closed", "reentry"): {
        "en": "Who is out does not come back",
        "it": "Chi è eliminato non rientra",
    },
    ("level_closed", "late_entry_last_level"): {
        "en": "Entries are closed at this level",
        "it": "A questo livello le iscrizioni sono chiuse",
    },
    ("level_closed", "late_entry_requires"): {
        "en": "Late entry is for those who announced it",
        "it": "Entra in ritardo solo chi si è annunciato",
    },
    ("level_closed", "late_entry_cost"): {
        "en": "Set first what entering late costs",
        "it": "Fissare prima quanto costa entrare in ritardo",
    },
    ("not_decreasing", "shares_decreasing"): {
        "en": "Each place gets less than the one before",
        "it": "Ogni posto riceve meno del precedente",
    },
    ("no_chips", "blind_dodging"): {
        "en": "Seat {seat} has a single chip left: it stays",
        "it": "Al posto {seat} resta una sola chip: la tiene",
    },
}

BEHIND: dict[str, str] = {
    "bet_to_call": "check",
    "no_bet_to_call": "call",
    "above_maximum": "stack",
    "no_chips": "stack",
    "not_in_hand": "fold",
    "not_your_turn": "turn",
    "awaiting_floor": "floor",
}
"""The rule behind a refusal that no value of the book decided."""
