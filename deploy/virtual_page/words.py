"""What the virtual table's page says, in Italian and in English; the table's own display has its words elsewhere.

`{}` takes a seat, an amount or a key, by name.
"""

from __future__ import annotations

from hub.web.words import LANGUAGES

WORDS: dict[str, tuple[str, str]] = {
    "title": ("Tavolo virtuale", "Virtual table"),
    "banner": (
        "Tavolo virtuale: il programma è quello vero, tutto ciò che vi è attaccato è simulato.",
        "Virtual table: the program is the real one, everything plugged into it is simulated.",
    ),
    "next": ("Adesso", "Now"),
    "lost": ("Il tavolo virtuale non risponde più: è stato chiuso?", "The virtual table is gone: was it stopped?"),
    # the dealer's box
    "box": ("La cassetta del dealer", "The dealer's box"),
    "clock": ("Orologio", "Clock"),
    "prompt": ("Display", "Display"),
    "keys": ("Tasti", "Keys"),
    "knob": ("Manopola", "Knob"),
    "knob_how": ("rotella, trascina o clicca; Maiusc: premuta", "wheel, drag or click; Shift: pushed in"),
    "knob_left": ("un passo indietro", "one step back"),
    "knob_right": ("un passo avanti", "one step on"),
    "knob_left_pushed": ("premuta, un passo indietro", "pushed in, one step back"),
    "knob_right_pushed": ("premuta, un passo avanti", "pushed in, one step on"),
    "push": ("Premi", "Push"),
    # the shoe
    "shoe": ("Sabot", "Shoe"),
    "shoe_kind": ("Quale sabot", "Which shoe"),
    "shoe_osp1": ("OSP/1: dimostra tutto", "OSP/1: proves everything"),
    "shoe_angel_eye_ii_ex": ("Angel Eye II-EX", "Angel Eye II-EX"),
    "shoe_bee_tek": ("Bee-Tek", "Bee-Tek"),
    "shoe_barcode": ("codice a barre", "barcode"),
    "shoe_rfid_deck": ("mazzo con etichette RFID", "deck with RFID tags"),
    "shoe_": ("nessuno: si dà a mano", "none: dealt by hand"),
    "unseen": ("Questo sabot non se ne accorge.", "This shoe does not notice it."),
    "cannot": ("Questo sabot non può farlo.", "This shoe has no such thing."),
    "shuffle": ("Mescola un mazzo", "Shuffle a deck"),
    "seed": ("seme", "seed"),
    "draw": ("Una carta", "One card"),
    "deal": ("Dai tutto", "Deal what is due"),
    "coming": ("Le prossime", "Next to come"),
    "choose": ("Scegli le prossime: clicca", "Choose the next cards: click"),
    "only_here": ("Solo questa pagina vede il mazzo.", "Only this page sees the deck."),
    "empty": ("Il sabot è vuoto.", "The shoe is empty."),
    # badges
    "reader_kind": ("Quale lettore", "Which reader"),
    "reader_rdm6300": ("RDM6300 (125 kHz)", "RDM6300 (125 kHz)"),
    "reader_id12la": ("ID-12LA (125 kHz)", "ID-12LA (125 kHz)"),
    "reader_pn532": ("PN532 (13,56 MHz)", "PN532 (13.56 MHz)"),
    "reader_wedge": ("lettore USB a tastiera", "USB reader that types"),
    "reader_": ("nessuno", "none"),
    "badges": ("Badge", "Badges"),
    "badge_dealer": ("Mazziere", "Dealer"),
    "badge_director": ("Direttore", "Director"),
    "badge_revoked": ("Revocato", "Revoked"),
    "badge_stranger": ("Estraneo", "Stranger"),
    # faults
    "faults": ("Guasti", "Faults"),
    "faults_cards": ("Carta successiva", "The next card"),
    "faults_frames": ("Messaggio successivo", "The next message"),
    "faults_shoe": ("Il sabot", "The shoe"),
    "faults_reader": ("Il lettore di badge", "The badge reader"),
    "faults_badge_frames": ("Messaggio successivo del lettore", "The reader's next message"),
    "faults_keys": ("I tasti", "The keys"),
    "faults_panel": ("Tasto bloccato", "A stuck key"),
    "bounce": ("tasti consumati: rimbalzano", "worn keys: they bounce"),
    "together": ("due insieme: FOLD e CHECK", "two at once: FOLD, CHECK"),
    "bounce_off": ("tasti nuovi", "new keys"),
    "faults_table": ("Il tavolo", "The table"),
    "boxed": ("scoperta nel mazzo", "boxed"),
    "unreadable": ("illeggibile", "unreadable"),
    "twice": ("doppia", "the same again"),
    "foreign": ("di un altro mazzo", "of another deck"),
    "back": ("rimetti l'ultima", "push the last back"),
    "two": ("due insieme", "two at once"),
    "cut": ("carta di taglio", "cut card"),
    "reversed": ("carta al contrario", "card reversed"),
    "reversed_off": ("raddrizza la carta", "turn the card right"),
    "jam": ("si inceppa", "jams"),
    "jam_off": ("libera le carte", "clear the jam"),
    "drop": ("perso", "lost"),
    "corrupt": ("rovinato", "damaged"),
    "duplicate": ("doppio", "doubled"),
    "reorder": ("in ritardo", "late"),
    "noise": ("con disturbi", "with noise"),
    "noise_now": ("disturbi sulla linea", "noise on the line"),
    "unplug": ("stacca il cavo", "unplug"),
    "plug": ("attacca il cavo", "plug in"),
    "torn": ("stacca a metà carta", "unplug in mid-card"),
    "stall": ("si blocca", "hangs"),
    "resume": ("riparte", "goes on"),
    "reboot": ("riavvia", "reboots"),
    "door": ("apri lo sportello", "open the door"),
    "door_off": ("chiudi lo sportello", "close the door"),
    "half": ("badge tolto troppo presto", "badge pulled away early"),
    "power_off": ("togli la corrente", "pull the power"),
    "power_on": ("ridai la corrente", "power on"),
    # what is to be done
    "hint_power": (
        "Il tavolo è senza corrente. Ridagliela: riprende da dove era.",
        "The table has no power. Switch it on: it goes on where it stood.",
    ),
    "hint_plug": (
        "Il cavo del sabot è staccato. Riattaccalo (o dai a mano con DEAL).",
        "The shoe's cable is out. Plug it in again (or deal by hand with DEAL).",
    ),
    "hint_resume": (
        "Il sabot si è bloccato. Fallo ripartire, o riavvialo.",
        "The shoe hangs. Let it go on, or reboot it.",
    ),
    "hint_door": ("Lo sportello del sabot è aperto: chiudilo.", "The shoe's door is open: close it."),
    "hint_mend": ("Il sabot ha un guasto: rimettilo a posto.", "The shoe has a fault: put it right."),
    "hint_by_hand": (
        "Non c'è sabot: mescola e dai a mano. DEAL dice che è fatto.",
        "There is no shoe: shuffle and deal by hand. DEAL says that it is done.",
    ),
    "hint_shuffled": (
        "Questo sabot non dice di essere pieno: DEAL dice che il mazzo è mescolato.",
        "This shoe does not say that it was filled: DEAL says that the deck is shuffled.",
    ),
    "hint_setup": (
        "Premi DEAL: il tavolo chiede regole, bui e posti.",
        "Press DEAL: the table asks for rules, blinds and seats.",
    ),
    "hint_setting": (
        "Rispondi con la manopola (premila a ogni posto occupato), conferma con DEAL.",
        "Answer with the knob (push it at each seat that is taken), confirm with DEAL.",
    ),
    "hint_shuffle": (
        "Una nuova mano: metti un mazzo mescolato nel sabot.",
        "A new hand: put a shuffled deck into the shoe.",
    ),
    "hint_first": ("Il mazzo è pronto: dai le carte.", "The deck is ready: deal the cards."),
    "hint_hole": (
        "La prossima carta va al posto {seat}. Una alla volta, o tutte insieme.",
        "The next card goes to seat {seat}. One at a time, or all of them.",
    ),
    "hint_check": (
        "Tocca al posto {seat}. CHECK, o un altro dei tasti accesi.",
        "Seat {seat} is to act. CHECK, or any other key that is lit.",
    ),
    "hint_call": (
        "Tocca al posto {seat}, che paga {amount} per vedere. CHECK/CALL, o un altro dei tasti accesi.",
        "Seat {seat} is to act and pays {amount} to call. CHECK/CALL, or any other key that is lit.",
    ),
    "hint_amount": (
        "Gira la manopola fino alla cifra (premerla: la prossima proposta), poi BET/RAISE di nuovo. UNDO annulla.",
        "Turn the knob to the amount (a push: the next preset), then BET/RAISE again. UNDO drops it.",
    ),
    "hint_burn": ("Brucia una carta e scopri le altre.", "Burn a card, then deal the board."),
    "hint_board": ("Carte scoperte: ne mancano {count}.", "The board: {count} to come."),
    "hint_show": (
        "Il posto {seat} mostra: CHECK/CALL se scopre, FOLD se butta.",
        "Seat {seat} shows: CHECK/CALL when the cards are tabled, FOLD when they are mucked.",
    ),
    "hint_award": (
        "Chi vince? Gira la manopola fino al posto, poi DEAL paga. Divisione: premi la manopola su ognuno.",
        "Who wins? Turn the knob to the seat, DEAL pays. A split: push the knob at each of them.",
    ),
    "hint_floor": (
        "Irregolarità: decide il direttore. Appoggia il suo badge.",
        "An irregularity: the director decides. Lay the director's badge on the reader.",
    ),
    "hint_floor_pin": (
        "Irregolarità: decide il direttore. Nessun lettore legge il suo badge: FLOOR, e il PIN.",
        "An irregularity: the director decides. No reader reads the director's badge: FLOOR, and the PIN.",
    ),
    "hint_menu": (
        "Gira la manopola fino alla voce, premila per scegliere. Altre pagine: FLOOR.",
        "Turn the knob to the entry, push it to choose. More pages: FLOOR.",
    ),
    "hint_decide": (
        "Gira la manopola fino alla decisione: la mano continua, o è annullata.",
        "Turn the knob to the decision: the hand goes on, or it is void.",
    ),
    "hint_page": (
        "FLOOR volta pagina: fino a quella del direttore.",
        "FLOOR turns the page: on to the director's.",
    ),
    "hint_confirm": (
        "Il mazziere conta le carte date: CHECK/CALL se sono giuste, FLOOR se no.",
        "The dealer counts the cards that were dealt: CHECK/CALL if they are right, FLOOR if not.",
    ),
    "hint_verify": (
        "Il sabot mancava e non dice che cosa ha dato. Il display ha ragione? CHECK/CALL sì, FLOOR no.",
        "The shoe was away and does not say what it gave. Is the display right? CHECK/CALL yes, FLOOR no.",
    ),
    "hint_without_shoe": (
        "Il sabot va rimesso a posto. DEAL dà a mano lo stesso, UNDO aspetta.",
        "The shoe must be put right. DEAL deals by hand all the same, UNDO waits.",
    ),
    "hint_pick": (
        "Gira la manopola, premila per confermare. UNDO lascia stare.",
        "Turn the knob, push it to confirm. UNDO drops it.",
    ),
    "hint_ask": ("Serve il badge del direttore.", "This needs the director's badge."),
    "hint_pin": (
        "Serve il PIN del direttore: qui è FOLD, quattro volte.",
        "This needs the director's PIN: here it is FOLD, four times.",
    ),
    "hint_hub": (
        "L'hub dà i posti e dice quando si comincia: si avvia dalla sua pagina, /director.",
        "The hub seats the players and says when play begins: start it on its own page, /director.",
    ),
    "hint_hold": (
        "Il direttore ha fermato il tavolo: il suo badge, poi «Si riprende».",
        "The director holds the table: the director's badge, then \"Go on\".",
    ),
    "hint_players": ("Mancano giocatori: si gioca almeno in due.", "Players are missing: it takes two."),
    "hint_display": ("Segui il display: i tasti accesi valgono.", "Follow the display: keys that are lit count."),
    # what cannot be done
    "no_power": ("Il tavolo è senza corrente.", "The table has no power."),
    "no_answer": ("Il tavolo non ha risposto.", "The table did not answer."),
    "no_deck": ("Il sabot è vuoto: mescola un mazzo.", "The shoe is empty: shuffle a deck."),
    "not_in_deck": ("Questa carta è già uscita.", "This card is out already."),
    "nothing_out": ("Nessuna carta è ancora uscita.", "No card is out yet."),
    "nothing_due": ("Ora non c'è niente da dare.", "Nothing is to be dealt now."),
    "no_shoe": ("Questo tavolo non ha sabot.", "This table has no shoe."),
    "no_reader": ("Questo tavolo non ha lettore di badge.", "This table has no badge reader."),
    "no_line": ("Questo lettore scrive come una tastiera.", "This reader types like a keyboard."),
    "no_such_device": ("Qui non si può simulare.", "It cannot be simulated here."),
    "not_that_shoe": ("Questo sabot non può farlo.", "This shoe has no such thing."),
    "shoe_not_heard": ("Il tavolo non sente il sabot.", "The table does not hear the shoe."),
}  # fmt: skip


def word(lang: str, key: str) -> str:
    """What `key` says in `lang`. **Raises** KeyError where nobody translated it."""
    return WORDS[key][LANGUAGES.index(lang)]
