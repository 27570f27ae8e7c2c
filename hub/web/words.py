"""What the pages say, in Italian and in English.

A page's language is `?lang=` if given, else the browser's first wish that we speak, else Italian: it is the club's.
"""

from __future__ import annotations

from hub.web.desk_words import DESK

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
} | DESK


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
