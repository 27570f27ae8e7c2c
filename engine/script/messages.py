"""What is wrong with a line of a script, or what came out otherwise, in English and Italian.

The English text, with its places for values, is the key; `ITALIAN` has the same text again. What a word of the grammar
means (`seat`, `amount of chips`) is a value too, and `MEANINGS` has it in Italian with its article.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.rulebook import RulebookError
from engine.ruling import Ruling


class Message(msgspec.Struct, frozen=True):
    """A text with its values; `said` gives it in a language. A ruling among the values is its reason."""

    text: str
    values: dict[str, Any] = {}

    def said(self, lang: str = "en") -> str:
        """The message as a person reads it, in `en` or `it`. Raises KeyError for a text that has no Italian."""
        values = {name: _said(name, value, lang) for name, value in self.values.items()}
        return (self.text if lang == "en" else ITALIAN[self.text]).format(**values)


def _said(name: str, value: Any, lang: str) -> Any:
    if isinstance(value, Ruling):
        return value.reason(lang)
    return MEANINGS.get(value, value) if name == "meaning" and lang == "it" else value


class LineError(ValueError):
    """A line asks for what cannot be; `message` says why."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, values)
        super().__init__(self.message.said())


def message_of(wrong: ValueError) -> Message:
    """Why something cannot be; what another part of the program says of its own is handed on as it is."""
    if isinstance(wrong, RulebookError) and wrong.text in ITALIAN:
        return Message(wrong.text, wrong.values)
    return wrong.message if isinstance(wrong, LineError) else Message("{said}", {"said": str(wrong)})


MEANINGS: dict[str, str] = {
    "act of a seat": "un'azione di un posto",
    "amount": "un importo",
    "amount of chips": "una quantità di chip",
    "ante": "un ante",
    "article": "un articolo",
    "award": "un'assegnazione",
    "bets": "le puntate",
    "big blind ante": "un ante del grande buio",
    "blinds": "i bui",
    "button": "il bottone",
    "big_blind": "il grande buio",
    "small_blind": "il piccolo buio",
    "card": "una carta",
    "check after =": "una domanda dopo =",
    "chip": "una chip",
    "chip that leaves": "la chip che esce",
    "chips": "le chip",
    "choice": "una scelta",
    "dealing error": "un errore di distribuzione",
    "game": "un gioco",
    "hand of two cards": "una mano di due carte",
    "id of the rulebook": "il nome del regolamento",
    "minutes": "i minuti",
    "name of the table": "il nome del tavolo",
    "new smallest chip": "la nuova chip più piccola",
    "number": "un numero",
    "number of seconds": "un numero di secondi",
    "number of the card": "il numero della carta",
    "outcome after ->": "l'esito dopo ->",
    "pair of bets": "una coppia di puntate",
    "pair of blinds": "una coppia di bui",
    "part of a level": "una parte di un livello",
    "part of a payout": "una parte di una ripartizione",
    "penalty": "una sanzione",
    "percentage": "una percentuale",
    "position": "una posizione",
    "pot": "un piatto",
    "range": "un intervallo",
    "reason": "un motivo",
    "rounds": "i giri",
    "ruling of the director": "una decisione del direttore",
    "seat": "un posto",
    "seat of the big blind": "il posto del grande buio",
    "seat of the button": "il posto del bottone",
    "seat of the small blind": "il posto del piccolo buio",
    "seat to act": "il posto che parla",
    "seat whose hand is asked for": "il posto di cui si chiede la mano",
    "seat:card": "posto:carta",
    "seat:chips": "posto:chip",
    "seat:hands": "posto:mani",
    "size": "il numero di posti",
    "statement": "un'istruzione",
    "street": "un giro",
    "table": "un tavolo",
    "table:seat the player leaves": "il tavolo:posto che il giocatore lascia",
    "table:seat the player takes": "il tavolo:posto che il giocatore prende",
    "the title": "il titolo",
    "the value": "il valore",
    "value of the book": "un valore del regolamento",
    "way to arrive": "un modo di arrivare",
    "word a player says": "una parola di un giocatore",
}

ITALIAN: dict[str, str] = {
    "{said}": "{said}",
    # words of a line
    "{meaning} is missing at the end of the line": "in fondo alla riga manca: {meaning}",
    "{word!r} is no {meaning}: use {choices}": "{word!r} non è {meaning}: si usa {choices}",
    "{word!r} was not expected here": "{word!r} qui non ci va",
    "a seat is named twice": "un posto è detto due volte",
    "{word!r} is no hand: two cards in one word, for example AsKs":
        "{word!r} non è una mano: due carte in una parola, per esempio AsKs",
    "{word!r} holds the same card twice": "in {word!r} c'è due volte la stessa carta",
    "{word!r} is no {meaning}: write it as 50/100": "{word!r} non è {meaning}: si scrive 50/100",
    "{word!r}: write it as seat:chips, for example 3:1000": "{word!r}: si scrive posto:chip, per esempio 3:1000",
    "{word!r}: write it as seat:card, for example 2:9c": "{word!r}: si scrive posto:carta, per esempio 2:9c",
    "{word!r} is no {meaning}: a whole number is expected": "{word!r} non è {meaning}: serve un numero intero",
    "{word!r} is no seat: seats are numbers from 1": "{word!r} non è un posto: i posti sono numeri da 1 in su",
    "{word!r} is no card: rank 23456789TJQKA and suit cdhs, for example Td, or ??":
        "{word!r} non è una carta: valore 23456789TJQKA e seme cdhs, per esempio Td, oppure ??",
    # the header
    "a script begins with its title line": "uno script comincia con la riga title",
    "no script here: a script begins with a title line": "qui non c'è uno script: comincia con una riga title",
    "this script names no book: add a line such as: book lifeclub":
        "questo script non nomina un regolamento: serve una riga come: book lifeclub",
    "an ante needs a blinds line beside it": "un ante vuole accanto una riga blinds",
    "{word!r} belongs before the first input of its script": "{word!r} va prima della prima azione dello script",
    "{word!r} is given twice": "{word!r} è detto due volte",
    "seat {seat} is beyond the table's size {size}": "il posto {seat} non c'è: il tavolo ne ha {size}",
    "seat {seat} is away, but nobody was seated there": "il posto {seat} è assente, ma nessuno vi siede",
    "a table has 2 to {most} seats": "un tavolo ha da 2 a {most} posti",
    "the smallest chip is at least 1": "la chip più piccola vale almeno 1",
    "the table cannot be set up: {what} is refused: {reason}": "il tavolo non si può preparare: {what}: {reason}",
    "{book}: no such rulebook; there are {known}, or give a .toml file":
        "{book}: non c'è questo regolamento; ci sono {known}, oppure un file .toml",
    "{book}: {key!r} is no key of a rulebook": "{book}: {key!r} non è un valore di un regolamento",
    "{book}: {key!r} is no key of a rulebook; did you mean {near}?":
        "{book}: {key!r} non è un valore di un regolamento; forse {near}?",
    "{where}: {value!r}: {wrong}": "{where}: {value!r} non va bene: {wrong}",
    "{where}: {value!r}: {wrong} (a number, or one of {choices})":
        "{where}: {value!r} non va bene: {wrong} (un numero, o uno fra {choices})",
    "{where}: {value!r}: {wrong} (one of {choices})": "{where}: {value!r} non va bene: {wrong} (uno fra {choices})",
    # outcomes and statements
    "a check has no outcome: leave out what stands after ->": "una domanda non ha esito: via ciò che segue ->",
    "[{article}] is no article: write it as [book:number]":
        "[{article}] non è un articolo: si scrive [regolamento:numero]",
    "{word!r} is no refusal: use one of {choices}": "{word!r} non è un rifiuto: si usa {choices}",
    "{word!r} is no ruling: use one of {choices}": "{word!r} non è una decisione: si usa {choices}",
    "{word!r} is no outcome: ok, out_of_turn, refused:WORD, ruled:WORD or floor":
        "{word!r} non è un esito: ok, out_of_turn, refused:PAROLA, ruled:PAROLA o floor",
    "{word!r} begins no statement of a hand script": "nessuna riga di uno script comincia con {word!r}",
    "{word!r} is no check: use one of {choices}": "{word!r} non è una domanda: si usa {choices}",
    "{word!r} are several chips, not a single one": "{word!r} sono più chip, non una sola",
    "more than {most} motions in one line": "più di {most} movimenti in una riga",
    "which blinds were dodged? Write small_blind, big_blind, or both in this order":
        "quali bui ha evitato? Si scrive small_blind, big_blind, o tutti e due in quest'ordine",
    "a street has three cards or one, not {count}": "un giro ha tre carte o una, non {count}",
    "a race is written as: race 25 -> 100": "una gara si scrive: race 25 -> 100",
    "a table is written as: table A size 9 seats 1 2 4 button 8 small_blind 1 big_blind 2":
        "un tavolo si scrive: table A size 9 seats 1 2 4 button 8 small_blind 1 big_blind 2",
    "the {meaning} of table {table} is missing": "del tavolo {table} manca: {meaning}",
    "{word} is missing: payout entries 45 prize 9000 fee 1000": "manca {word}: payout entries 45 prize 9000 fee 1000",
    # checks
    "{word!r} is no range: write it as 200..1000, or none":
        "{word!r} non è un intervallo: si scrive 200..1000, oppure none",
    "{word!r} is no pot: amount:seats, for example 300:1,2,3":
        "{word!r} non è un piatto: importo:posti, per esempio 300:1,2,3",
    "{word!r} is no award: amount:seat, for example 3600:3":
        "{word!r} non è un'assegnazione: importo:posto, per esempio 3600:3",
    "a move is written as B:8 -> A:3": "uno spostamento si scrive B:8 -> A:3",
    "{word!r} is no place: table:seat, for example B:8": "{word!r} non è un posto: tavolo:posto, per esempio B:8",
    # what cannot be
    "not played yet: {what}": "non ancora giocato: {what}",
    "{what} is beyond what the rules of {book} play here": "{what}: le regole di {book} qui non lo giocano",
    "seat {seat} is not in this hand and cannot lose its chips in it":
        "il posto {seat} non è in questa mano e non può perdervi le chip",
    "bust leaves nobody in the hand who could have won the chips":
        "bust non lascia nella mano nessuno che abbia vinto le chip",
    "bust: {what} is refused, {reason}": "bust: {what}: {reason}",
    "nobody is to act, so there is nothing to call: the table waits for {due}":
        "non tocca a nessuno, niente da vedere: il tavolo aspetta {due}",
    "after bust the stacks of the other seats are unknown: this script cannot ask for them":
        "dopo bust gli stack degli altri posti non si sanno: lo script non può chiederli",
    "nothing is proposed yet: a plan line comes before this check":
        "non c'è ancora una proposta: prima serve una riga plan",
    "there is no race: a race line comes before its draws": "non c'è una gara: prima serve una riga race",
    "nothing was won yet: a race line comes before this check": "non si è ancora vinto niente: prima una riga race",
    "no hand can begin: {reason}": "nessuna mano può cominciare: {reason}",
    "there is no command of this hand to take back": "in questa mano non c'è niente da annullare",
    "there is nothing to take back": "non c'è niente da annullare",
    "{most} lines are enough for one question: begin anew with a title line":
        "{most} righe bastano per una domanda: si ricomincia con una riga title",
    # differences
    "the script says {name} {wanted}, the table says {actual}": "lo script dice {name} {wanted}, il tavolo {actual}",
    "the script says {wanted}, the rules say {actual}": "lo script dice {wanted}, le regole {actual}",
    "the script cites {wanted}, the rules cite {actual}": "lo script cita {wanted}, le regole {actual}",
    "the script cites {wanted}, the rules cite no article": "lo script cita {wanted}, le regole nessun articolo",
    "the script names {named} moves, the rules propose {proposed}":
        "lo script dice {named} spostamenti, le regole ne propongono {proposed}",
}
