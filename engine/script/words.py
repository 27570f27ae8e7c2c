"""The words of one line, taken from left to right; what does not fit is an error that names file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.cards import BIT
from engine.inputs import UNKNOWN_CARD
from engine.script.messages import Message

NUMBER = re.compile(r"[0-9]{1,12}")
NOBODY = "-"

T = TypeVar("T")


class ScriptError(Exception):
    """A script that cannot be read. `file` and `line` say where, `message` says why and what was expected."""

    def __init__(self, file: str, line: int, text: str, **values: object) -> None:
        self.file = file
        self.line = line
        self.message = Message(text, values)
        super().__init__(self.said())

    @property
    def what(self) -> str:
        """What is wrong, in English."""
        return self.message.said()

    def said(self, lang: str = "en") -> str:
        """The whole error as one line, in `en` or `it`."""
        return f"{self.file}:{self.line}: {self.message.said(lang)}"


class Words:
    """The words of a line and how far they have been read. Every method **Raises** ScriptError on a misfit."""

    def __init__(self, file: str, line: int, words: Sequence[str]) -> None:
        self.file = file
        self.line = line
        self._words = list(words)
        self._at = 0

    def error(self, text: str, **values: object) -> ScriptError:
        """An error at this line, to be raised; `text` has its places for `values` (`engine.script.messages`)."""
        return ScriptError(self.file, self.line, text, **values)

    @property
    def left(self) -> int:
        """How many words have not been taken."""
        return len(self._words) - self._at

    def peek(self) -> str:
        """The next word, not taken; empty at the end of the line."""
        return self._words[self._at] if self.left else ""

    def take(self, meaning: str) -> str:
        """The next word, whatever it is; `meaning` tells the reader of an error what is missing."""
        if not self.left:
            raise self.error("{meaning} is missing at the end of the line", meaning=meaning)
        self._at += 1
        return self._words[self._at - 1]

    def accept(self, word: str) -> bool:
        """Takes the next word if it is `word`."""
        if self.left and self.peek() == word:
            self._at += 1
            return True
        return False

    def one_of(self, choices: Sequence[str], meaning: str) -> str:
        """The next word, which must be one of `choices`."""
        word = self.take(meaning)
        if word not in choices:
            use = ", ".join(choices)
            raise self.error("{word!r} is no {meaning}: use {choices}", word=word, meaning=meaning, choices=use)
        return word

    def rest(self) -> str:
        """All that is left, as text."""
        text = " ".join(self._words[self._at :])
        self._at = len(self._words)
        return text

    def end(self) -> None:
        """Nothing may be left."""
        if self.left:
            raise self.error("{word!r} was not expected here", word=self.peek())

    def number(self, meaning: str) -> int:
        """A whole number from 0."""
        return self.as_number(self.take(meaning), meaning)

    def maybe_number(self) -> int | None:
        """A whole number if the next word is one."""
        return self.number("number") if NUMBER.fullmatch(self.peek()) else None

    def seat(self, meaning: str = "seat") -> int:
        """A seat, from 1."""
        return self.as_seat(self.take(meaning))

    def seat_or_nobody(self, meaning: str) -> int:
        """A seat, or `-` for nobody: 0."""
        return 0 if self.accept(NOBODY) else self.seat(meaning)

    def seats(self) -> tuple[int, ...]:
        """One or more seats up to the end of the line, none twice."""
        seats = self.each(self.as_seat, "seat")
        if len(set(seats)) < len(seats):
            raise self.error("a seat is named twice")
        return seats

    def each(self, read: Callable[[str], T], meaning: str) -> tuple[T, ...]:
        """One or more words up to the end of the line, each read by `read`."""
        words = [self.take(meaning)]
        while self.left:
            words.append(self.take(meaning))
        return tuple(read(word) for word in words)

    def card(self) -> str:
        """One card, "Ah" or "??"."""
        return self.as_card(self.take("card"))

    def two_cards(self) -> tuple[str, str]:
        """A hand in one word: "AsKs"."""
        word = self.take("hand of two cards")
        if len(word) != 4:
            raise self.error("{word!r} is no hand: two cards in one word, for example AsKs", word=word)
        first, second = self.as_card(word[:2]), self.as_card(word[2:])
        if first == second != UNKNOWN_CARD:
            raise self.error("{word!r} holds the same card twice", word=word)
        return first, second

    def pair(self, word: str, what: str) -> tuple[int, int]:
        """`A/B` as two numbers."""
        first, slash, second = word.partition("/")
        if not slash:
            raise self.error("{word!r} is no {meaning}: write it as 50/100", word=word, meaning=what)
        return self.as_number(first, what), self.as_number(second, what)

    def seat_amount(self, word: str) -> tuple[int, int]:
        """`S:N` as seat and chips."""
        seat, colon, amount = word.partition(":")
        if not colon:
            raise self.error("{word!r}: write it as seat:chips, for example 3:1000", word=word)
        return self.as_seat(seat), self.as_number(amount, "amount of chips")

    def seat_amounts(self) -> tuple[tuple[int, int], ...]:
        """One or more `S:N` up to the end of the line, no seat twice."""
        pairs = self.each(self.seat_amount, "seat:chips")
        if len({seat for seat, _ in pairs}) < len(pairs):
            raise self.error("a seat is named twice")
        return pairs

    def as_number(self, word: str, meaning: str) -> int:
        """`word` as a whole number."""
        if not NUMBER.fullmatch(word):
            raise self.error("{word!r} is no {meaning}: a whole number is expected", word=word, meaning=meaning)
        return int(word)

    def as_seat(self, word: str) -> int:
        """`word` as a seat."""
        if not NUMBER.fullmatch(word) or int(word) == 0:
            raise self.error("{word!r} is no seat: seats are numbers from 1", word=word)
        return int(word)

    def as_card(self, word: str) -> str:
        """`word` as a card; "10d" and lower-case ranks are refused, never guessed at."""
        if word not in BIT:
            raise self.error("{word!r} is no card: rank 23456789TJQKA and suit cdhs, for example Td, or ??", word=word)
        return word
