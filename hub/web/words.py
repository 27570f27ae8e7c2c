"""What the pages say, in Italian and in English.

A page's language is `?lang=` if given, else the browser's first wish that we speak, else Italian: it is the club's.
"""

from __future__ import annotations

LANGUAGES = ("it", "en")

WORDS: dict[str, tuple[str, str]] = {
    # page furniture
    "room": ("Sala", "Room"),
    "clock": ("Orologio", "Clock"),
    "director": ("Direzione", "Director"),
    "table": ("Tavolo", "Table"),
    "hand": ("Mano", "Hand"),
    "seat": ("posto", "seat"),
    "level": ("Livello", "Level"),
    "blinds": ("Bui", "Blinds"),
    "ante": ("Ante", "Ante"),
    "no_ante": ("senza ante", "no ante"),
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
    "in_transit": ("chip in viaggio", "chips in transit"),
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
    "due_players": ("In attesa di giocatori", "Waiting for players"),
    "due_hold": ("In attesa della direzione", "Held by the director"),
    "floor_waits": ("Chiamata la direzione", "Floor called"),
    "closed": ("Chiuso", "Closed"),
    "away": ("assente", "away"),
    "button": ("bottone", "button"),
    # actions
    "act_fold": ("passa", "folds"),
    "act_check": ("bussa", "checks"),
    "act_call": ("vede", "calls"),
    "act_bet": ("punta", "bets"),
    "act_raise_to": ("rilancia a", "raises to"),
    "act_all_in": ("all-in", "all-in"),
    "act_kill": ("mano morta", "dead hand"),
    "act_wins": ("vince", "wins"),
    # the running list
    "line_out": ("eliminato", "is out"),
    "line_place": ("posto", "place"),
    "line_sat": ("si siede", "sits down"),
    "line_left": ("lascia il posto", "leaves the seat"),
    "line_floor": ("chiama la direzione", "calls the floor"),
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
    "clock_paused": ("In pausa", "Paused"),
    "clock_break": ("Intervallo", "Break"),
    "clock_over": ("Fine", "The end"),
    "last_minute": ("Ultimo minuto", "Last minute"),
    "break": ("intervallo", "break"),
    "now": ("ora", "now"),
    "winner": ("Vince", "Winner"),
    # the director
    "start": ("Avvia il torneo", "Start the tournament"),
    "pause": ("Pausa", "Pause"),
    "resume": ("Riprendi", "Resume"),
    "add_minute": ("Aggiungi un minuto", "Add a minute"),
    "confirm": ("Conferma", "Confirm"),
    "reject": ("Rifiuta", "Reject"),
    "proposals": ("Proposte", "Proposals"),
    "no_proposals": ("Nessuna proposta aperta.", "No open proposal."),
    "floor_calls": ("Tavoli che aspettano la direzione", "Tables waiting for the floor"),
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
    "by": ("da", "by"),
    "who_hub": ("hub, da solo", "the hub itself"),
    "who_director": ("direzione", "director"),
    "who_clock": ("orologio", "clock"),
    "note_drawn": ("posti sorteggiati", "seats drawn"),
    "note_started": ("torneo avviato", "tournament started"),
    "note_finished": ("torneo finito", "tournament over"),
    "note_clock": ("orologio", "clock"),
    "note_proposed": ("proposta", "proposed"),
    "note_confirmed": ("proposta confermata", "proposal confirmed"),
    "note_rejected": ("proposta rifiutata", "proposal rejected"),
    "note_withdrawn": ("proposta ritirata", "proposal withdrawn"),
    "note_done": ("proposta eseguita", "proposal done"),
    "note_ruled": ("decisione della direzione", "floor decision"),
    "note_announced": ("livello annunciato", "level announced"),
    "note_paused": ("orologio in pausa", "clock paused"),
    "note_resumed": ("orologio ripreso", "clock resumed"),
    "note_minute": ("aggiunto un minuto", "a minute added"),
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
