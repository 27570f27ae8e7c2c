"""What the pages say, in Italian and in English.

A page's language is `?lang=` if given, else the browser's first wish that we speak, else Italian: it is the club's.
"""

from __future__ import annotations

LANGUAGES = ("it", "en")

WORDS: dict[str, tuple[str, str]] = {
    # page furniture
    "room": ("Sala", "Room"),
    "clock": ("Orologio", "Clock"),
    "director": ("Direttore", "Director"),
    "table": ("Tavolo", "Table"),
    "hand": ("Mano", "Hand"),
    "seat": ("posto", "seat"),
    "level": ("Livello", "Level"),
    "blinds": ("Bui", "Blinds"),
    "ante": ("Ante", "Ante"),
    "no_ante": ("senza ante", "no ante"),
    "big_blind_ante": ("Ante del grande buio", "Big blind ante"),
    "with_ante": ("ante {}", "ante {}"),
    "next_level": ("Prossimo livello", "Next level"),
    "next_break": ("Prossima pausa", "Next break"),
    "no_break": ("nessuna", "none"),
    "players_left": ("In gioco", "Players"),
    "average_stack": ("Stack medio", "Average stack"),
    "of": ("di", "of"),
    "pot": ("Piatto", "Pot"),
    "news": ("Ultime notizie", "As it happens"),
    "places": ("Classifica", "Places"),
    "nothing_yet": ("Ancora niente da raccontare.", "Nothing to tell yet."),
    "nobody_out": ("Nessun eliminato.", "Nobody is out."),
    "no_tables": ("Nessun tavolo aperto: la sala aspetta.", "No table is open: the room is waiting."),
    "not_live": ("Pagina non aggiornata dalle", "Not live since"),
    "in_transit": ("chip in transito", "chips in transit"),
    # a table's link
    "link_online": ("in linea", "online"),
    "link_late": ("in ritardo", "late"),
    "link_lost": ("non risponde", "lost"),
    "link_never": ("mai sentito", "not heard yet"),
    "hub_ok": ("hub in linea", "hub online"),
    "hub_no_broker": ("broker assente", "no broker"),
    # streets and waits
    "street_preflop": ("Preflop", "Preflop"),
    "street_flop": ("Flop", "Flop"),
    "street_turn": ("Turn", "Turn"),
    "street_river": ("River", "River"),
    "street_showdown": ("Showdown", "Showdown"),
    "street_over": ("Tra due mani", "Between hands"),
    "first_hand": ("Prima mano", "First hand"),
    "due_players": ("In attesa di giocatori", "Waiting for players"),
    "due_hold": ("In attesa del direttore", "Held by the director"),
    "floor_waits": ("Chiamato il direttore", "Director called"),
    "closed": ("Chiuso", "Closed"),
    "away": ("assente", "away"),
    "button": ("bottone", "button"),
    # actions
    "act_fold": ("fold", "folds"),
    "act_check": ("check", "checks"),
    "act_call": ("call", "calls"),
    "act_bet": ("punta", "bets"),
    "act_raise_to": ("rilancia a", "raises to"),
    "act_all_in": ("all-in", "all-in"),
    "act_kill": ("mano morta", "dead hand"),
    "act_wins": ("vince", "wins"),
    # the running list
    "line_out": ("è fuori", "is out"),
    "line_out_place": ("esce", "is out"),
    "line_sat": ("si siede", "sits down"),
    "line_left": ("lascia il posto", "leaves the seat"),
    "line_floor": ("chiama il direttore", "calls the director"),
    "line_irregularity": ("irregolarità", "irregularity"),
    "line_counted": ("chip contate", "chips counted"),
    "why_new": ("sorteggio", "seat draw"),
    "why_from_break": ("dal tavolo chiuso", "from the broken table"),
    "why_from_balance": ("bilanciamento", "balancing"),
    "why_moved": ("bilanciamento", "balancing"),
    "why_broken": ("rottura del tavolo", "table breaks"),
    "why_left": ("va via", "goes away"),
    # the clock
    "clock_before": ("Si comincia tra poco", "Starting soon"),
    "clock_running": ("", ""),
    "clock_paused": ("Orologio fermo", "Clock stopped"),
    "clock_break": ("Pausa", "Break"),
    "clock_over": ("Fine", "The end"),
    "last_minute": ("Ultimo minuto", "Last minute"),
    "break": ("pausa", "break"),
    "now": ("ora", "now"),
    "winner": ("Vince", "Winner"),
    # the director
    "start": ("Avvia il torneo", "Start the tournament"),
    "pause": ("Ferma l’orologio", "Stop the clock"),
    "resume": ("Fai ripartire l’orologio", "Restart the clock"),
    "add_minute": ("Aggiungi un minuto", "Add a minute"),
    "confirm": ("Conferma", "Confirm"),
    "reject": ("Rifiuta", "Reject"),
    "proposals": ("Proposte", "Proposals"),
    "no_proposals": ("Nessuna proposta aperta.", "No open proposal."),
    "floor_calls": ("Tavoli che aspettano il direttore", "Tables waiting for the director"),
    "no_floor_calls": ("Nessun tavolo aspetta.", "No table is waiting."),
    "plays_on": ("Si gioca", "Play on"),
    "voids": ("Mano annullata", "Void the hand"),
    "log": ("Registro", "Log"),
    "alarms": ("Avvisi", "Alarms"),
    "balance": ("Bilanciamento", "Balance"),
    "break_table": ("Rottura del tavolo", "Break table"),
    "state_open": ("da decidere", "to decide"),
    "state_confirmed": ("in corso", "under way"),
    "state_done": ("eseguita", "done"),
    "state_rejected": ("rifiutata", "rejected"),
    "state_withdrawn": ("ritirata", "withdrawn"),
    "who_hub": ("automaticamente", "by itself"),
    "who_director": ("dal direttore", "by the director"),
    "who_config": ("dal file", "from the file"),
    "who_clock": ("", ""),
    "way": (
        "{name} dal tavolo {from_table}, posto {from_seat}, al tavolo {to_table}, posto {to_seat}",
        "{name} from table {from_table}, seat {from_seat}, to table {to_table}, seat {to_seat}",
    ),
    "retry": ("Riprova", "Try again"),
    "tables_play": ("I tavoli", "The tables"),
    "hand_for_hand_on": ("Mano per mano", "Hand for hand"),
    "hand_for_hand": ("Mano per mano", "Hand for hand"),
    "table_by_table": ("Ogni tavolo per sé", "Each table for itself"),
    "final_table": ("Tavolo finale", "Final table"),
    "color_up": ("Cambio chip: escono", "Color-up: these leave"),
    "entries": ("Iscrizioni e premi", "Entries and prizes"),
    "name": ("Nome", "Name"),
    "entry_cost": ("Chip in meno per il ritardo", "Chips the lateness costs"),
    "reserved": ("aveva prenotato", "had reserved"),
    "registered": ("era iscritto", "was registered"),
    "gave_notice": ("aveva avvisato", "gave notice"),
    "enter": ("Fai entrare", "Let in"),
    "who_is_out": ("Eliminato", "Out"),
    "reenter": ("Nuovo stack", "New stack"),
    "no_reentry": ("Il regolamento o l’evento non vendono nuovi stack.", "Book or event sell no new stacks."),
    "paid_places": ("Posti a premio", "Paid places"),
    "paid": ("Imposta i premi", "Set the prizes"),
    "are_paid": ("{} a premio", "{} paid"),
    "chips_and_blinds": ("Chip e bui", "Chips and blinds"),
    "race": ("Cambia le chip", "Race the chips off"),
    "race_old": ("escono le chip da", "chips that leave"),
    "race_new": ("la più piccola diventa", "smallest from now on"),
    "race_cards": ("Carte della chip race, un giro per riga", "Cards of the race, a line for each round"),
    "race_due": (
        "Tavolo {table_no}: {to_win} chip da {new} in palio per quelle da {old}; le carte vanno ai posti {seats}",
        "Table {table_no}: {to_win} chips of {new} to win for those of {old}; the cards go to seats {seats}",
    ),
    "small_blind": ("piccolo buio", "small blind"),
    "big_blind": ("grande buio", "big blind"),
    "dodged": ("Bui evitati nel piatto", "Dodged blinds into the pot"),
    "no_dead_money": (
        "Questo regolamento i bui evitati li punisce, non li prende.",
        "This book punishes dodged blinds, it takes none.",
    ),
    "units": ("Unità dei tavoli", "The tables’ units"),
    "units_what": (
        ("Un’unità si è rotta? Accendere quella di riserva con lo stesso sito e lo stesso hub nella configurazione: "
         "appare qui. Il tavolo rimette ciascuno al suo posto con le ultime chip note; la mano in corso si rigioca."),
        ("Has a unit broken? Switch on the spare one with the same site and hub in its configuration: it appears here. "
         "Everybody is put back into the seat with the chips known last; a running hand is dealt again."),
    ),
    "new_unit": ("Nuova unità", "New unit"),
    "no_spares": ("Nessuna unità di riserva in linea.", "No spare unit is online."),
    "replace": ("Sostituisci", "Replace"),
    # the log: {} takes what the note names
    "note_drawn": ("posti sorteggiati", "seats drawn"),
    "note_drawn_with": ("posti sorteggiati (seme {detail})", "seats drawn (seed {detail})"),
    "note_started": ("torneo avviato", "tournament started"),
    "note_finished": ("torneo finito", "tournament over"),
    "note_clock": ("orologio avviato", "clock started"),
    "note_clock_with": ("orologio avviato, bui {detail}", "clock started, blinds {detail}"),
    "note_proposed": ("proposta {number}: {ways} ({articles})", "proposal {number}: {ways} ({articles})"),
    "note_confirmed": ("proposta {number} confermata", "proposal {number} confirmed"),
    "note_rejected": ("proposta {number} rifiutata", "proposal {number} rejected"),
    "note_withdrawn": ("proposta {number} ritirata", "proposal {number} withdrawn"),
    "note_done": ("proposta {number} eseguita", "proposal {number} done"),
    "note_ruled_plays_on": ("tavolo {number}: si gioca", "table {number}: play on"),
    "note_ruled_voids": ("tavolo {number}: mano annullata", "table {number}: hand void"),
    "note_race": ("tavolo {number}: chip race", "table {number}: chip race"),
    "note_dodged": ("tavolo {number}: bui evitati nel piatto", "table {number}: dodged blinds into the pot"),
    "note_hand_for_hand": ("mano per mano, {number} in gioco", "hand for hand, {number} players left"),
    "note_table_by_table": ("fine della mano per mano, {number} in gioco", "hand for hand is over, {number} left"),
    "note_paid": ("posti a premio: {number}", "paid places: {number}"),
    "note_entered_with": (
        "{detail} entra al tavolo {number}, posto {seat} ({articles})",
        "{detail} comes in at table {number}, seat {seat} ({articles})",
    ),
    "note_entered_again_with": (
        "{detail} rientra al tavolo {number}, posto {seat} ({articles})",
        "{detail} comes back at table {number}, seat {seat} ({articles})",
    ),
    "note_replaced_with": (
        "tavolo {number}: ora c’è l’unità {detail}", "table {number}: now served by unit {detail}",
    ),
    "note_retried": ("tavolo {number}: nuovo tentativo", "table {number}: tried again"),
    "note_announced": ("inizia la pausa", "a break begins"),
    "note_announced_with": ("nuovo livello, bui {detail}", "new level, blinds {detail}"),
    "note_paused": ("orologio fermato", "clock stopped"),
    "note_resumed": ("orologio ripartito", "clock restarted"),
    "note_minute": ("aggiunto un minuto", "a minute added"),
    "note_stopped": ("orologio fermo", "clock stopped for good"),
    # why the director's key did nothing
    "refused_started": ("Il torneo è già cominciato.", "The tournament has started already."),
    "refused_not_seated": (
        "Non tutti hanno già un posto: accendere i tavoli e attendere che siano in linea.",
        "Not everybody has a seat yet: switch the tables on and wait until they are online.",
    ),
    "refused_not_open": ("La proposta non è più aperta.", "This proposal is no longer open."),
    "refused_not_waiting": ("Il tavolo non aspetta il direttore.", "This table does not wait for the director."),
    "refused_not_playing": (
        "L’orologio si comanda solo a torneo in corso.", "The clock belongs to a running tournament.",
    ),
    "refused_stopped": ("L’orologio è già fermo.", "The clock is stopped already."),
    "refused_running": ("L’orologio cammina già.", "The clock is running already."),
    "refused_nothing_refused": ("Il tavolo non ha rifiutato niente.", "This table has refused nothing."),
    "refused_hand_for_hand": ("Si gioca già mano per mano.", "The tables play hand for hand already."),
    "refused_table_by_table": ("Ogni tavolo gioca già per sé.", "Each table plays for itself already."),
    "refused_one_table": ("C’è un solo tavolo.", "There is one table only."),
    "refused_too_many_places": ("Meno posti a premio che giocatori.", "Fewer paid places than players."),
    "refused_no_table": ("Nessun tavolo aperto con questo numero.", "No open table has this number."),
    "refused_hand_runs": ("Attendere la fine della mano.", "Wait until the hand is over."),
    "refused_race_chips": (
        "Queste chip non si possono cambiare a questo tavolo: controllare i due valori e gli stack.",
        "These chips cannot be changed at this table: check the two values and the stacks.",
    ),
    "refused_race_cards": (
        ("Le carte non sono quelle della chip race: un giro per riga, posto e carta, per esempio 3 Kh, 5 2c, "
         "nell’ordine in cui sono date."),
        ("These are not the cards of the race: a line for each round, seat and card, for example 3 Kh, 5 2c, "
         "in the order of the deal."),
    ),
    "refused_race_not_over": (
        "Restano chip in palio: scrivere anche gli altri giri.",
        "Chips are still to be won: write the other rounds too.",
    ),
    "refused_no_player": ("A quel posto non siede nessuno.", "Nobody sits there."),
    "refused_no_dead_money": (
        "Questo regolamento i bui evitati li punisce, non li prende.",
        "This book punishes dodged blinds, it takes none.",
    ),
    "refused_no_blind": ("Scegliere quale buio.", "Choose which blind."),
    "refused_no_unit": ("Scegliere la nuova unità.", "Choose the new unit."),
    "refused_unit_used": (
        "Questa unità ha già servito un tavolo in questo torneo.", "This unit has served a table of this tournament.",
    ),
    "refused_entry_closed": ("Le iscrizioni sono chiuse.", "Entry is closed."),
    "refused_entry_reserved": (
        "In ritardo entra solo chi aveva prenotato, o era iscritto e aveva avvisato.",
        "Only who had reserved, or was registered and gave notice, comes in late.",
    ),
    "refused_entry_name": ("Scrivere un nome, al massimo 60 lettere.", "Write a name, at most 60 letters."),
    "refused_entry_cost": (
        "Scrivere quante chip costa il ritardo (0 per nessuna), o late_entry_cost in hub.toml.",
        "Write how many chips the lateness costs (0 for none), or late_entry_cost in hub.toml.",
    ),
    "refused_no_reentry": (
        "Il regolamento o l’evento non vendono nuovi stack.", "Book or event sell no new stacks.",
    ),
    "refused_not_out": ("Questo giocatore non è eliminato.", "This player is not out."),
    "refused_too_many_chips": ("Non si possono contare tante chip.", "Nobody can count so many chips."),
    "refused_no_free_seat": ("Non ci sono posti liberi.", "There is no free seat."),
    "refused_unknown": ("Comando sconosciuto.", "Nobody can do that."),
    # what a person must look at
    "alarm_no_seat": (
        ("Tavolo {table_no}: {name} non può sedersi al posto {seat} ({why}). Se il tavolo giocava da solo: spegnerlo, "
         "mettere da parte la sua data_dir, riaccenderlo, poi Riprova."),
        ("Table {table_no}: {name} cannot sit down at seat {seat} ({why}). If the table was playing alone: switch it "
         "off, move its data_dir away, switch it on, then Try again."),
    ),
    "alarm_no_leave": (
        "Tavolo {table_no}: {name} non può lasciare il posto {seat} ({why}).",
        "Table {table_no}: {name} cannot leave seat {seat} ({why}).",
    ),
    "alarm_refused": (
        "Tavolo {table_no}: l’unità rifiuta {name} ({why}).", "Table {table_no}: the unit refuses {name} ({why}).",
    ),
    "command_RaceChips": ("la chip race", "the chip race"),
    "command_DodgedBlinds": ("i bui evitati", "the dodged blinds"),
    "command_SetButton": ("il bottone", "the button"),
    "command_Hold": ("di aspettare", "to wait"),
    "command_FloorRuling": ("la decisione", "the ruling"),
    "alarm_revoked": (
        "Tavolo {table_no}: il badge {name} è revocato; ritirarlo.",
        "Table {table_no}: badge {name} is revoked; take it away.",
    ),
    "alarm_twice": (
        "Badge {name} ai tavoli {tables} entro un minuto: chi lo ha?",
        "Badge {name} at tables {tables} within a minute; who has it?",
    ),
    "alarm_quarantined": (
        "Unità {name} in quarantena: c’è una seconda con questo nome, o una scheda vecchia? Sostituirla. ({why})",
        "Unit {name} is quarantined: is there a second one of this name, or an old card? Replace it. ({why})",
    ),
    "alarm_events_lost": (
        "Unità {name}: una parte di ciò che ha inviato manca all’hub; contare le chip e confrontare gli eliminati.",
        "Unit {name}: the hub lacks a part of what it sent; count the chips and compare who is out.",
    ),
    "alarm_unit_lost": (
        "Tavolo {table_no}: l’unità {name} non risponde. Se è rotta, sostituirla più sotto.",
        "Table {table_no}: unit {name} does not answer. If it is broken, replace it below.",
    ),
    "alarm_chips": (
        "Ai tavoli ci sono {counted} chip, ne sono state date {expected}.",
        "{counted} chips are on the tables, {expected} were given out.",
    ),
    "alarm_slow_act": (
        "Tavolo {table_no}, posto {seat}: {name} ha impiegato {seconds} s a fine livello; da guardare ({articles}).",
        "Table {table_no}, seat {seat}: {name} took {seconds} s at the end of a level; have a look ({articles}).",
    ),
    "alarm_slow_seat": (
        "{name} ha lasciato il tavolo {table_no}, posto {seat}, e non è ancora al nuovo posto ({articles}).",
        "{name} left table {table_no}, seat {seat}, and has not taken the new seat yet ({articles}).",
    ),
}


def choose(wanted: str | None, accept: str) -> str:
    """The language of a page from `?lang=` and the Accept-Language header."""
    if wanted in LANGUAGES:
        return wanted
    wishes: list[tuple[float, int, str]] = []
    for order, part in enumerate(accept.split(",")[:10]):
        name, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        wishes.append((-weight, order, name.split("-")[0].lower()))
    return next((name for _, _, name in sorted(wishes) if name in LANGUAGES), LANGUAGES[0])


def word(lang: str, key: str) -> str:
    """What `key` says in `lang`; the key itself when nobody translated it, so that a gap is seen and nothing breaks."""
    both = WORDS.get(key)
    return key if both is None else both[LANGUAGES.index(lang)]


def number(lang: str, value: int) -> str:
    """Chips with the language's thousands sign: 12.500 and 12,500."""
    text = f"{value:,}"
    return text.replace(",", ".") if lang == "it" else text


def ordinal(lang: str, place: int) -> str:
    """A place as it is said: 21º, 21st."""
    if lang == "it":
        return f"{place}º"
    teens = place % 100 in (11, 12, 13)
    return f"{place}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def clock(ms: int) -> str:
    """`m:ss`, or `h:mm:ss` from one hour on. A clock counts down: it shows 0:01 until the very end."""
    seconds = -(-max(0, ms) // 1000)
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
