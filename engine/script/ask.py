"""A conversation with the rules: a hand script that grows line by line, each line answered as it is typed.

An `Asking` keeps the lines, not the table: for every answer the script is played again from its first line. So a header
line, the book or a line struck out may change at any moment and everything after it follows; and the same lines can be
played under several books at once. Questions (`=` lines) are answered and not kept, for they change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine import rulebook
from engine import table as rules
from engine.ruling import Ruling
from engine.script import checks
from engine.script.forms import CHECKS
from engine.script.lines import Check, Line, Outcome, Script
from engine.script.messages import Message, message_of
from engine.script.parse import is_header, parse
from engine.script.play import compare, open_book, spoken
from engine.script.stage import Stage
from engine.script.words import ScriptError
from engine.view import Legal, TableView

MOST_LINES = 1000  # lines of one conversation: each answer plays all of them again
_REPEATS = ("set", "article")  # header words that may stand more than once
_TITLE = "A question"


class Answer(msgspec.Struct, frozen=True):
    """What one book makes of one line.

    `outcome` is in the words of the grammar ("" for a line that is no input), `read` the act that words or chips were
    read as where they stand as they were, `value` what a question found, `error`
    what is wrong with the line, `differs` what the line itself expected otherwise. `view` and `legal` are the table
    after it, None where there is none yet.
    """

    book: str
    text: str
    outcome: str = ""
    read: str = ""
    articles: tuple[str, ...] = ()
    value: str = ""
    error: str = ""
    differs: str = ""
    ruling: Ruling | None = None
    view: TableView | None = None
    legal: Legal | None = None

    def reason(self, lang: str = "en") -> str:
        """Why it was ruled so, in one line; "" when there is nothing to explain."""
        return self.ruling.reason(lang) if self.ruling else ""


class Asking:
    """The lines so far, and the books that answer. The first book is the one whose errors keep a line out."""

    def __init__(self, books: Sequence[str], lang: str = "en") -> None:
        """Begins a conversation under these books, each a name or a .toml file. **Raises** RulebookError.

        `lang`: the language in which it says what is wrong with a line, `en` or `it`.
        """
        for book in books:
            rulebook.load(book)
        self.books = tuple(books)
        self.lang = lang
        self._header: list[str] = []
        self._body: list[str] = []

    def ask(self, text: str) -> tuple[Answer, ...]:
        """The answers to one line, one from each book; nothing to a blank line or a comment.

        A line that cannot be read, or that the first book cannot play, is an answer with its `error` and is forgotten.
        """
        said = text.partition("#")[0].strip()
        if not said:
            return ()
        if said == "undo":
            return self._undo()
        if said.startswith("="):
            return self._question(said)
        if len(self._body) >= MOST_LINES:
            enough = "{most} lines are enough for one question: begin anew with a title line"
            return (self._wrong(said, Message(enough, {"most": MOST_LINES})),)
        return self._header_line(said) if is_header(said) else self._line(said)

    def script(self) -> str:
        """The conversation as a hand script, with the outcomes the first book gives now: a test of what was found.

        A line that this book cannot play at all is left out.
        """
        book = self.books[0]
        return "\n".join([*self._opening(book, self._header), *self._with_outcomes(book)]) + "\n"

    # --- header lines

    def _header_line(self, said: str) -> tuple[Answer, ...]:
        word, _, rest = said.partition(" ")
        if word == "book":
            return self._book(said, rest.strip())
        if word == "title":
            self._header, self._body = [said], []
            return (Answer(self.books[0], said),)
        same = " ".join(said.split()[:2]) if word in _REPEATS else word
        header = [line for line in self._header if not f"{line} ".startswith(f"{same} ")] + [said]
        try:
            open_book(self._parsed(self.books[0], header, ()))
        except ScriptError as wrong:
            return (self._wrong(said, wrong.message),)
        if self._body:
            answers = self._played(self._body, header)
            if answers[0].error:
                return (Answer(self.books[0], said, error=answers[0].error),)
            self._header = header
            return tuple(msgspec.structs.replace(answer, text=said) for answer in answers)
        self._header = header
        return (Answer(self.books[0], said),)

    def _book(self, said: str, name: str) -> tuple[Answer, ...]:
        try:
            rulebook.load(name)
        except rulebook.RulebookError as wrong:
            return (self._wrong(said, message_of(wrong)),)
        beside = self.books if len(self.books) > 1 else ()
        self.books = (name, *(book for book in beside if book != name))
        return self._again() if self._body else (Answer(name, said),)

    # --- inputs

    def _line(self, said: str) -> tuple[Answer, ...]:
        answers = self._played([*self._body, said], self._header)
        if not answers[0].error:
            arrow = "" if said.startswith("race ") else " -> "
            self._body.append(said.partition(arrow)[0] if arrow else said)
        return answers

    def _undo(self) -> tuple[Answer, ...]:
        """As the dealer's UNDO where the hand has a command to take back; the last line typed is struck otherwise."""
        answers = self._line("undo")
        if not answers[0].error:
            return answers
        for lines in (self._body, self._header):
            if lines:
                lines.pop()
                return self._again("undo")
        return (self._wrong("undo", Message("there is nothing to take back")),)

    def _again(self, said: str = "") -> tuple[Answer, ...]:
        answers = self._played(self._body, self._header) if self._body else ()
        return tuple(msgspec.structs.replace(answer, text=said or answer.text) for answer in answers) or (
            Answer(self.books[0], said),
        )

    def _question(self, said: str) -> tuple[Answer, ...]:
        word = said.removeprefix("=").strip()
        if word in CHECKS:
            return self._played(self._body, self._header, asked=word)
        return self._played([*self._body, said], self._header)

    # --- playing

    def _played(self, body: Iterable[str], header: Sequence[str], asked: str = "") -> tuple[Answer, ...]:
        lines = tuple(body)
        return tuple(self._answer(book, header, lines, asked) for book in self.books)

    def _answer(self, book: str, header: Sequence[str], body: tuple[str, ...], asked: str) -> Answer:
        text = f"= {asked}" if asked else body[-1]
        try:
            script = self._parsed(book, header, body)
            stage = Stage(script, open_book(script))
            answer = Answer(book, text)
            for number, line in enumerate(script.lines, 1):
                answer = _answered(book, stage, line, self.lang, last=number == len(script.lines) and not asked)
            if asked:
                answer = Answer(book, text, value=checks.actual(stage, asked))
        except ScriptError as wrong:
            return Answer(book, text, error=wrong.message.said(self.lang))
        except ValueError as wrong:
            return Answer(book, text, error=message_of(wrong).said(self.lang))
        view, legal = rules.view(stage.state, stage.book), rules.legal(stage.state, stage.book)
        return msgspec.structs.replace(answer, view=view, legal=legal)

    def _with_outcomes(self, book: str) -> list[str]:
        """The inputs so far as a script writes them, each with its outcome."""
        if not self._body:
            return []
        script = self._parsed(book, self._header, self._body)
        stage = Stage(script, open_book(script))
        answers = (_answered(book, stage, line, self.lang, last=False) for line in script.lines)
        return [answer.text + _arrow(answer.outcome) for answer in answers if answer.outcome]

    def _parsed(self, book: str, header: Sequence[str], body: Sequence[str]) -> Script:
        return parse("\n".join([*self._opening(book, header), *body]), "question")[0]

    @staticmethod
    def _opening(book: str, header: Sequence[str]) -> list[str]:
        title = [line for line in header if line.startswith("title ")] or [f"title {_TITLE}"]
        return [*title, f"book {book}", *(line for line in header if not line.startswith("title "))]

    def _wrong(self, said: str, what: Message) -> Answer:
        return Answer(self.books[0], said, error=what.said(self.lang))


def _answered(book: str, stage: Stage, line: Line, lang: str, *, last: bool) -> Answer:
    """Plays one line. What an earlier line could not do under this book is left out; only the last one says so."""
    try:
        if isinstance(line.statement, Check):
            if not last:
                return Answer(book, line.text)
            differs = checks.difference(stage, line.statement)
            said = "" if differs is None else differs.said(lang)
            return Answer(book, line.text, value=checks.actual(stage, line.statement.name), differs=said)
        rulings = stage.do(line.statement)
    except ValueError:
        if last:
            raise
        return Answer(book, line.text)
    ruling = spoken(rulings)
    outcome = Outcome() if ruling is None else _outcome(ruling)
    articles = tuple(dict.fromkeys(article for each in rulings for article in each.articles))
    read = _read_as(ruling) if ruling is not None and ruling.outcome == "ok" else ""
    said = compare(line, rulings, lang) if "->" in line.text or line.outcome.article else ""
    return Answer(book, line.text, str(outcome), read, articles, differs=said, ruling=ruling)


def _outcome(ruling: Ruling) -> Outcome:
    if ruling.outcome == "ok":
        return Outcome()
    return Outcome(ruling.outcome, ruling.refusal or ruling.ruled or "", ruling.amount if ruling.ruled else None)


def _read_as(ruling: Ruling) -> str:
    """The act that stands, as a script writes it, where the rules had words or chips to read."""
    if ruling.ruled is None:
        return ""
    return ruling.ruled if ruling.amount is None else f"{ruling.ruled} {ruling.amount}"


def _arrow(outcome: str) -> str:
    return "" if outcome == "ok" else f" -> {outcome}"
