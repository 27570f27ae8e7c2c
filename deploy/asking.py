"""How `bottone ask` says an answer: plain lines in English or Italian, several books side by side, or JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.script.ask import Answer
from engine.view import Due, Legal, TableView

WORDS: dict[str, dict[str, str]] = {
    "act": {"en": "seat {seat} to act", "it": "tocca al posto {seat}"},
    "call": {"en": "{amount} to call", "it": "{amount} da vedere"},
    "free": {"en": "nothing to call", "it": "niente da vedere"},
    "bet": {"en": "bet {low} to {high}", "it": "puntata da {low} a {high}"},
    "raise_to": {"en": "raise to {low} up to {high}", "it": "rilancio da {low} a {high}"},
    "bet_only": {"en": "bet {low}", "it": "puntata di {low}"},
    "raise_to_only": {"en": "raise to {low}", "it": "rilancio a {low}"},
    "closed": {"en": "no raise", "it": "nessun rilancio"},
    "agree": {"en": "all {count} books", "it": "tutti i {count} libri"},
    "wrong": {"en": "not understood: {what}", "it": "non capito: {what}"},
    "expected": {"en": "but {what}", "it": "però {what}"},
}
DUE: dict[Due, dict[str, str]] = {
    Due.PLAYERS: {"en": "players, blinds or button missing", "it": "mancano giocatori, bui o bottone"},
    Due.HOLD: {"en": "the next hand is held", "it": "la mano seguente è sospesa"},
    Due.SHUFFLE: {"en": "shuffle: `begin` deals the hand", "it": "si mescola: `begin` dà la mano"},
    Due.FIRST_CARD: {"en": "the first card: `begin` deals the hand", "it": "la prima carta: `begin` dà la mano"},
    Due.HOLE_CARDS: {"en": "the deal goes on", "it": "si distribuisce"},
    Due.ACTION: {"en": "a seat acts", "it": "parla un posto"},
    Due.BURN: {"en": "the {street}: `board ...` deals it", "it": "il {street}: `board ...` lo dà"},
    Due.BOARD: {"en": "the {street} goes on", "it": "il {street} continua"},
    Due.SHOW: {"en": "seat {seat} shows or mucks", "it": "il posto {seat} mostra o butta"},
    Due.AWARD: {"en": "the dealer names who wins: `award S`", "it": "il mazziere dice chi vince: `award S`"},
    Due.FLOOR: {"en": "the director: `floor ...`", "it": "il direttore: `floor ...`"},
    Due.NEXT_HAND: {"en": "the hand is over", "it": "la mano è finita"},
}
HELP: dict[str, str] = {
    "en": """\
A situation first, then what happens, a line at a time (docs/hand-scripts.md has every word):
  seats 1:1000 2:1000 3:1000      blinds 50/100      button 1      cards 1 AsKs
  begin            1 raise_to 300      2 puts 500 single      3 says raise 800      board Ah Kd 2c
  = to_act         what is it now? = to_call  = raise_to  = pots  = stacks  = street  = button ...
  undo             takes the last line back         title ...        begins anew
  book tda         the same under another book      set KEY VALUE    with one value changed
  script           what was said, as a hand script  help, quit""",
    "it": """\
Prima la situazione, poi ciò che succede, una riga alla volta (tutte le parole in docs/hand-scripts.md):
  seats 1:1000 2:1000 3:1000      blinds 50/100      button 1      cards 1 AsKs
  begin            1 raise_to 300      2 puts 500 single      3 says raise 800      board Ah Kd 2c
  = to_act         com'è adesso? = to_call  = raise_to  = pots  = stacks  = street  = button ...
  undo             toglie l'ultima riga             title ...        ricomincia
  book tda         lo stesso con un altro libro     set CHIAVE VALORE  con un valore cambiato
  script           quanto detto, come hand script   help, quit""",
}
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def spoken(answers: tuple[Answer, ...], lang: str, *, bold: bool) -> list[str]:
    """The answers to one line as people read them: one book in full, several side by side."""
    if len(answers) == 1:
        return plain(answers[0], lang)
    return side_by_side(answers, lang, bold=bold) + _state(answers[0], lang)


def plain(answer: Answer, lang: str) -> list[str]:
    """One book's answer: the outcome and why, each article with what it says, and what the table waits for."""
    if answer.error:
        return [_say("wrong", lang, what=answer.error)]
    lines = [_said(answer, lang)]
    if answer.value:
        lines = [f"= {answer.text.removeprefix('=').split()[0]} {answer.value}"]
    lines += [f"  [{article}] {_article(article, lang)}".rstrip() for article in answer.articles]
    if answer.differs:
        lines.append(_say("expected", lang, what=answer.differs))
    return [line for line in (*lines, *_state(answer, lang)) if line.strip()]


def side_by_side(answers: tuple[Answer, ...], lang: str, *, bold: bool) -> list[str]:
    """What several books make of one line: a line a book, `*` (and bold) before those that are not with the most."""
    found = [_found(answer) for answer in answers]
    common, count = Counter(found).most_common(1)[0]
    width = max(len(answer.book) for answer in answers)
    if count == len(answers):
        cited = dict.fromkeys(article for answer in answers for article in answer.articles[:1])
        behind = f" [{' '.join(cited)}]" if cited else ""
        return [f"  {_say('agree', lang, count=count)}: {_said(answers[0], lang)}{behind}"]
    lines = []
    for answer, what in zip(answers, found, strict=True):
        line = f"{' ' if what == common else '*'} {answer.book:<{width}}  {_said(answer, lang)}"
        line += f" [{' '.join(answer.articles)}]" if answer.articles else ""
        lines.append(f"{_BOLD}{line}{_PLAIN}" if bold and what != common else line)
    return lines


def _state(answer: Answer, lang: str) -> list[str]:
    """What the table waits for after an input; a race, a plan or a payout has no hand that could begin."""
    if answer.view is None or answer.value or (answer.view.due is Due.PLAYERS and answer.outcome == "ok"):
        return []
    return [f"  {waits_for(answer.view, answer.legal, lang)}"]


def waits_for(view: TableView, legal: Legal | None, lang: str) -> str:
    """The one thing the table waits for, with what the seat to act may do."""
    if legal is None:
        said = DUE[view.due][lang].format(street=view.coming.value, seat=view.to_act)
        return f"... {said}"
    parts = [_say("act", lang, seat=legal.seat)]
    parts.append(_say("call", lang, amount=legal.to_call) if legal.to_call else _say("free", lang))
    for word, span in (("bet", legal.bet), ("raise_to", legal.raise_to)):
        if span:
            low, high = span
            parts.append(_say(word if low < high else f"{word}_only", lang, low=low, high=high))
    if not legal.bet and not legal.raise_to:
        parts.append(_say("closed", lang))
    return f"... {', '.join(parts)}"


def record(answers: tuple[Answer, ...], lang: str) -> dict[str, Any]:
    """The answers to one line for a program: one object, `books` by name; `differ` where they do not agree."""
    import msgspec

    books = {answer.book: _plain_record(answer, lang) for answer in answers}
    first = answers[0]
    state = None if first.view is None else msgspec.to_builtins({"view": first.view, "legal": first.legal})
    differ = len({_found(answer) for answer in answers}) > 1
    return {"line": first.text, "books": books, "differ": differ, "state": state}


def _plain_record(answer: Answer, lang: str) -> dict[str, Any]:
    return {
        "outcome": answer.outcome,
        "read": answer.read,
        "articles": answer.articles,
        "reason": answer.reason(lang),
        "value": answer.value,
        "differs": answer.differs,
        "error": answer.error,
    }


def _found(answer: Answer) -> str:
    """What two books must have in common to agree; the reasons may be different ones."""
    return answer.error or answer.value or f"{answer.outcome} {answer.read}"


def _said(answer: Answer, lang: str) -> str:
    if answer.error:
        return _say("wrong", lang, what=answer.error)
    return ": ".join(part for part in (answer.value or answer.outcome, answer.read or answer.reason(lang)) if part)


def _article(citation: str, lang: str) -> str:
    from engine import catalogue

    article = catalogue.find(citation)
    return article.text(lang) if article else ""


def _say(word: str, lang: str, **values: object) -> str:
    return WORDS[word][lang].format(**values)
