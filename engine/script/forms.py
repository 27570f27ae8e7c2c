"""The checks of a hand script: how each is written, and its canonical value, so that two values compare with `==`.

Where the order of the seats means something (`shows`, `awards`, `out`, `move`) the value keeps it; elsewhere it is
sorted. The same form writes a value back, so that a difference is reported in the words of the script.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.script.lines import Value
from engine.script.words import NOBODY, Words

STREETS = ("preflop", "flop", "turn", "river", "showdown", "over")
NONE = "none"


class Form(msgspec.Struct, frozen=True):
    """How one check is read from its words and written again."""

    read: Callable[[Words], Value]
    write: Callable[[Any], str]


def _one_number(words: Words) -> Value:
    return (words.number("number"),)


def _to_act(words: Words) -> Value:
    return (words.seat_or_nobody("seat to act"),)


def _range(words: Words) -> Value:
    word = words.take("range")
    if word == NONE:
        return ()
    low, dots, high = word.partition("..")
    if not dots:
        raise words.error("{word!r} is no range: write it as 200..1000, or none", word=word)
    return (words.as_number(low, "range"), words.as_number(high, "range"))


def _seats(words: Words) -> Value:
    return tuple(sorted(_seats_in_order(words)))


def _seats_in_order(words: Words) -> Value:
    if words.accept(NONE) or words.accept(NOBODY):
        return ()
    return words.seats()


def _pots(words: Words) -> Value:
    if words.accept(NONE):
        return ()

    def pot(word: str) -> tuple[int, tuple[int, ...]]:
        amount, colon, seats = word.partition(":")
        if not colon:
            raise words.error("{word!r} is no pot: amount:seats, for example 300:1,2,3", word=word)
        return words.as_number(amount, "pot"), tuple(sorted(words.as_seat(seat) for seat in seats.split(",")))

    return words.each(pot, "pot")


def _awards(words: Words) -> Value:
    if words.accept(NONE):
        return ()

    def award(word: str) -> tuple[int, int]:
        amount, colon, seat = word.partition(":")
        if not colon:
            raise words.error("{word!r} is no award: amount:seat, for example 3600:3", word=word)
        return words.as_number(amount, "award"), words.as_seat(seat)

    return words.each(award, "award")


def _out(words: Words) -> Value:
    if words.accept(NONE) or words.accept(NOBODY):
        return ()
    return words.each(lambda word: tuple(sorted(words.as_seat(seat) for seat in word.split("="))), "seat")


def _stacks(words: Words) -> Value:
    return tuple(sorted(words.seat_amounts()))


def _positions(words: Words) -> Value:
    """`2 small_blind 3 big_blind 4`: (word, seat, seat is empty), 0 for nobody. The blinds may be left out."""
    word = words.take("seat of the button")
    dead = word.startswith("dead:")
    seat = 0 if word == NOBODY else words.as_seat(word.removeprefix("dead:"))
    blinds = [
        (blind, words.seat_or_nobody(blind), False) for blind in ("small_blind", "big_blind") if words.accept(blind)
    ]
    return (("button", seat, dead), *blinds)


def _blinds(words: Words) -> Value:
    return words.pair(words.take("blinds"), "pair of blinds")


def _move(words: Words) -> Value:
    if words.accept(NONE):
        return ()
    origin = words.take("table:seat the player leaves")
    if not words.accept("->"):
        raise words.error("a move is written as B:8 -> A:3")
    return (_place(words, origin), _place(words, words.take("table:seat the player takes")))


def _place(words: Words, word: str) -> tuple[str, int]:
    table, colon, seat = word.partition(":")
    if not colon:
        raise words.error("{word!r} is no place: table:seat, for example B:8", word=word)
    return table, words.as_seat(seat)


def _names(words: Words) -> Value:
    if words.accept(NONE):
        return ()
    return tuple(sorted(words.each(lambda word: word, "table")))


def _write_number(value: Any) -> str:
    return str(value[0])


def _write_to_act(value: Any) -> str:
    return str(value[0] or NOBODY)


def _write_range(value: Any) -> str:
    return f"{value[0]}..{value[1]}" if value else NONE


def _write_seats(value: Any) -> str:
    return " ".join(str(seat) for seat in value) or NONE


def _write_pots(value: Any) -> str:
    return " ".join(f"{amount}:{','.join(str(seat) for seat in seats)}" for amount, seats in value) or NONE


def _write_pairs(value: Any) -> str:
    return " ".join(f"{first}:{second}" for first, second in value) or NONE


def _write_out(value: Any) -> str:
    return " ".join("=".join(str(seat) for seat in place) for place in value) or NONE


def _write_positions(value: Any) -> str:
    (_, button, dead), *blinds = value
    said = [f"dead:{button}" if dead else str(button or NOBODY)]
    return " ".join([*said, *(f"{word} {seat or NOBODY}" for word, seat, _ in blinds)])


def _write_move(value: Any) -> str:
    return " -> ".join(f"{table}:{seat}" for table, seat in value) or NONE


_NUMBER = Form(_one_number, _write_number)
_SEATS = Form(_seats, _write_seats)
_RANGE = Form(_range, _write_range)
_PAIRS = Form(_stacks, _write_pairs)
_NAMES = Form(_names, _write_seats)

CHECKS: dict[str, Form] = {
    "to_act": Form(_to_act, _write_to_act),
    "to_call": _NUMBER,
    "raise_to": _RANGE,
    "bet": _RANGE,
    "street": Form(lambda words: (words.one_of(STREETS, "street"),), _write_number),
    "pots": Form(_pots, _write_pots),
    "awards": Form(_awards, _write_pairs),
    "stacks": _PAIRS,
    "carried": _NUMBER,
    "held": _NUMBER,
    "out": Form(_out, _write_out),
    "shows": Form(_seats_in_order, _write_seats),
    "live": _SEATS,
    "face_up": _SEATS,
    "no_raise": _SEATS,
    "next_card": _NUMBER,
    "hole_cards": _NUMBER,
    "button": Form(_positions, _write_positions),
    "dealt_in": _SEATS,
    "playing": _SEATS,
    "blinds": Form(_blinds, lambda value: f"{value[0]}/{value[1]}"),
    "misses": _PAIRS,
    "chips": _NUMBER,
    # chip race, balancing, payout
    "won": Form(_awards, _write_pairs),
    "move": Form(_move, _write_move),
    "break": _NAMES,
    "hold": _NAMES,
    "pool": _NUMBER,
    "fee": _NUMBER,
    "jackpot": _NUMBER,
    "paid": _NUMBER,
}
