"""Plays a hand script: gives each line to the rules and compares what they say with what the script says.

A line of the script becomes one or more inputs; its outcome is the first that is not "ok". A check reads the public
picture of the table, or what this hand has paid and eliminated. Play stops at the first difference: what follows a
wrong state says nothing. What the grammar can say and the rules do not play yet is a difference too, never a success.
"""

from __future__ import annotations

import msgspec

from engine import rulebook
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.script import checks
from engine.script import lines as say
from engine.script.lines import Check, Line, Outcome, Script
from engine.script.messages import Message, message_of
from engine.script.stage import Stage
from engine.script.words import ScriptError

NOT_AN_ACT = (
    say.Begins, say.Board, say.Waits, say.NewLevel, say.Moment, say.Sits, say.Leaves, say.Bust, say.Floor,
)  # fmt: skip
"""Lines that are ok whatever they bring about, unless they are refused."""


class Finding(msgspec.Struct, frozen=True):
    """What became of one line. `said` tells the difference in plain words, and is empty where the line held."""

    line: int
    text: str
    held: bool
    said: str = ""


class Report(msgspec.Struct, frozen=True):
    """What became of a script: a finding a line up to the first difference; `lines` is how many there are."""

    file: str
    line: int
    title: str
    book: str
    articles: tuple[str, ...]
    lines: int
    findings: tuple[Finding, ...]

    @property
    def difference(self) -> Finding | None:
        """The first line that did not hold."""
        return next((finding for finding in self.findings if not finding.held), None)

    @property
    def held(self) -> bool:
        """Did everything hold?"""
        return self.difference is None


def open_book(script: Script) -> Rulebook:
    """The rulebook of a script with its `set` lines. **Raises** ScriptError at the `book` line."""
    header = script.header
    try:
        book = rulebook.load(header.book)
        for name, value in header.settings:
            book = book.with_value(name, value)
    except rulebook.RulebookError as wrong:
        told = message_of(wrong)
        raise ScriptError(script.file, script.book_line, told.text, **told.values) from wrong
    return book


def play(script: Script, lang: str = "en") -> Report:
    """Plays a script from its first line to the first difference. **Raises** ScriptError if it cannot be set up.

    `lang`: the language in which a difference is told, `en` or `it`.
    """
    header = script.header
    book = open_book(script)
    findings = _findings(Stage(script, book), script, lang)
    return Report(
        script.file, script.line, header.title, header.book, header.articles, len(script.lines), tuple(findings)
    )


def _findings(stage: Stage, script: Script, lang: str) -> list[Finding]:
    findings: list[Finding] = []
    for line in script.lines:
        said = _difference(stage, line, lang)
        findings.append(Finding(line.number, line.text, not said, said))
        if said:
            return findings
    if findings and (left := stage.desk.not_checked()):
        findings[-1] = msgspec.structs.replace(findings[-1], held=False, said=left.said(lang))
    return findings


def _difference(stage: Stage, line: Line, lang: str) -> str:
    """What the rules say otherwise than `line`; empty if it held."""
    try:
        if isinstance(line.statement, Check):
            differs = checks.difference(stage, line.statement)
            return "" if differs is None else differs.said(lang)
        rulings = stage.do(line.statement)
    except ValueError as wrong:
        return message_of(wrong).said(lang)
    return compare(line, rulings, lang)


def spoken(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """The ruling that answers a line: the first that is not "ok", else the last; None if the rules were not asked."""
    return next((ruling for ruling in rulings if ruling.outcome != "ok"), rulings[-1] if rulings else None)


def compare(line: Line, rulings: tuple[Ruling, ...], lang: str = "en") -> str:
    """What the rules say otherwise than the line's outcome and citation; empty if it held."""
    spoke = spoken(rulings)
    actual = Outcome() if spoke is None else _outcome(spoke)
    wanted = line.outcome
    if isinstance(line.statement, NOT_AN_ACT) and wanted.kind == "ok" and actual.kind != "refused":
        actual = Outcome()
    if wanted.kind == "ok" and _nobody_can_answer(line, actual):
        actual = Outcome()
    if wanted.kind == "ruled" and spoke is not None and wanted.word in (spoke.ruled, spoke.also):
        # what a player said or pushed may be told as it stands, and his last chip as all-in or as what it was
        actual = Outcome("ruled", wanted.word, spoke.amount)
    same = (wanted.kind, wanted.word) == (actual.kind, actual.word)
    if not same or wanted.amount not in (None, actual.amount):
        differs = Message("the script says {wanted}, the rules say {actual}", {"wanted": wanted, "actual": actual})
        return differs.said(lang) + _why(spoke, lang)
    cited = [article for ruling in rulings for article in ruling.articles]
    if wanted.article and not any(_within(article, wanted.article) for article in cited):
        what = "the script cites {wanted}, the rules cite {actual}"
        if not cited:
            what = "the script cites {wanted}, the rules cite no article"
        return Message(what, {"wanted": wanted.article, "actual": ", ".join(cited)}).said(lang)
    return ""


def _nobody_can_answer(line: Line, actual: Outcome) -> bool:
    """Was an all-in keyed that could be no more than the call? It may be told as it was keyed: the rest comes back."""
    keyed = isinstance(line.statement, say.Act) and line.statement.what == "all_in"
    return keyed and (actual.kind, actual.word) == ("ruled", "call")


def _within(article: str, whole: str) -> bool:
    """Is it that article or a point of it (`tda:43-A` of `tda:43`, `lifeclub:13.2.a` of `lifeclub:13.2`)?"""
    return article == whole or article.startswith((f"{whole}.", f"{whole}-"))


def _why(ruling: Ruling | None, lang: str) -> str:
    """The reason in a dealer's words and the articles behind it."""
    if ruling is None:
        return ""
    reason = ruling.reason(lang)
    return (f": {reason}" if reason else "") + (f" [{' '.join(ruling.articles)}]" if ruling.articles else "")


def _outcome(ruling: Ruling) -> Outcome:
    if ruling.outcome == "ok":
        return Outcome()
    return Outcome(ruling.outcome, ruling.refusal or ruling.ruled or "", ruling.amount if ruling.ruled else None)
