"""Recorded hands: reads the Poker Hand History format (PHH, one TOML file a hand), and what each line asks of a table.

The format is described by its authors (Kim 2023, "Recording and describing poker hands", and the documentation of
pokerkit, https://pokerkit.readthedocs.io). What matters here:

- Player 1 is the first seat left of the button; with two players, player 1 is the big blind and player 2 the button.
  Blinds and antes are listed small blind first, so with two players their lists run the other way round.
- Amounts of bets and raises (`cbr`) are totals for the street. `cc` checks or calls, `f` folds, `sm` shows or mucks.
- `????` is a hand nobody knows. The format has no burn cards, no button and no out-of-turn action.

Players are seated 1..n in the file's order, so the button is always at seat n.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from typing import Any, TypeGuard

import msgspec

from engine import inputs
from engine.cards import BIT, DECK
from engine.inputs import UNKNOWN_CARD, Game, Input, Level
from engine.view import Legal, Part, TableView

HOLDEM = {"NT": Game.NO_LIMIT, "FT": Game.FIXED_LIMIT}  # the format's codes for Texas hold'em
STREET_CARDS = (3, 1, 1)
MAX_PLAYERS = 22
MAX_CHIPS = 2**53 - 1  # what every JSON reader keeps exactly (RFC 7493, 2.2)

_NUMBER = re.compile(r"[+-]?\d[\d_]{0,19}(?:\.[\d_]{1,20})?(?:[eE][+-]?\d{1,2})?")  # nobody counts 1e999999999 chips
_ACTION = re.compile(
    r"(?:d dh p(?P<dealt>\d+) (?P<hole>\S{4})"
    r"|d db (?P<board>(?:\S\S){1,3})"
    r"|p(?P<player>\d+) (?P<verb>f|cc|sm|cbr)(?: (?P<what>\S+))?)"
)


class PhhError(Exception):
    """A file that is no hand this reader understands; the text says what is wrong and where."""


class NotPlayedError(PhhError):
    """A good file of a game that is not played here: another variant than hold'em."""


class Act(msgspec.Struct, frozen=True):
    """What a player did: `verb` f, cc or cbr, with the street total `to` for cbr."""

    player: int
    verb: str
    to: int = 0


class Hand(msgspec.Struct, frozen=True):
    """One recorded hand. Tuples run over players 1..n; `hole`, `acts` and `shown` keep the file's facts.

    `board` holds the community cards in order, `shown` for each `sm` line the player and whether the hand was tabled.
    `finishing` are the stated stacks, halves kept, or None.
    """

    level: Level
    posts_small_blind: bool
    stacks: tuple[int, ...]
    hole: dict[int, tuple[str, str]]
    acts: tuple[Act, ...]
    board: tuple[str, ...]
    shown: dict[int, bool]
    finishing: tuple[Fraction, ...] | None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.stacks)

    @property
    def button(self) -> int:
        """The seat of the button: the last player of the file's order, with two players too."""
        return len(self.stacks)

    @property
    def small_blind(self) -> int:
        """The seat that posts the small blind; 0: nobody."""
        if not self.posts_small_blind:
            return 0
        return 2 if self.players == 2 else 1

    @property
    def big_blind(self) -> int:
        """The seat that posts the big blind."""
        return 1 if self.players == 2 else 2


def read(text: str) -> Hand:
    """The hand of one file. **Raises** NotPlayedError for another game, PhhError for a file that is no hand."""
    try:
        raw = tomllib.loads(text, parse_float=_number)
    except (tomllib.TOMLDecodeError, ValueError) as wrong:
        raise PhhError(f"no TOML: {wrong}") from wrong
    except RecursionError as wrong:
        raise PhhError("no hand is nested so deeply") from wrong
    variant = raw.get("variant")
    if variant is None:
        raise PhhError("it names no variant: a hand of no-limit hold'em says variant = \"NT\"")
    if not isinstance(variant, str) or variant not in HOLDEM:
        raise NotPlayedError(f"variant {variant!r} is not played: only {', '.join(HOLDEM)} (Texas hold'em) are")
    stacks = _chips(raw, "starting_stacks")
    if not all(stacks):
        raise PhhError(f"starting_stacks holds {list(stacks)}: who plays has at least 1 chip")
    if not 2 <= len(stacks) <= MAX_PLAYERS:
        raise PhhError(f"starting_stacks names {len(stacks)} players: 2 to {MAX_PLAYERS} can play")
    level, posts_small_blind = _level(raw, len(stacks))
    if HOLDEM[variant] is Game.FIXED_LIMIT:
        small_bet, big_bet = _whole(raw.get("small_bet"), "small_bet"), _whole(raw.get("big_bet"), "big_bet")
        level = msgspec.structs.replace(level, game=Game.FIXED_LIMIT, small_bet=small_bet, big_bet=big_bet)
    hole, acts, board, shown = _actions(raw, len(stacks))
    finishing = _finishing(raw, len(stacks))
    return Hand(level, posts_small_blind, stacks, hole, acts, board, shown, finishing)


def _number(text: str) -> Fraction:
    """A number as it is written. **Raises** ValueError for one that cannot be counted, such as inf or 1e999999999."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no number of chips")
    return Fraction(text)


def _chips(raw: dict[str, Any], field: str) -> tuple[int, ...]:
    values = raw.get(field)
    if not isinstance(values, list):
        raise PhhError(f"{field} is missing, or no list")
    return tuple(_whole(value, field) for value in values)


def _whole(value: object, field: str) -> int:
    if not _counts(value) or value != int(value) or value < 0:
        held = value if _counts(value) else "no number of chips"
        raise PhhError(f"{field} holds {held}: whole chips from 0 to {MAX_CHIPS} are expected")
    return int(value)


def _counts(value: object) -> TypeGuard[int | Fraction]:
    return isinstance(value, int | Fraction) and not isinstance(value, bool) and -MAX_CHIPS <= value <= MAX_CHIPS


def _level(raw: dict[str, Any], players: int) -> tuple[Level, bool]:
    """The level, and whether anybody posts the small blind."""
    blinds = _chips(raw, "blinds_or_straddles")
    antes = _chips(raw, "antes")
    if len(blinds) != players or len(antes) != players:
        raise PhhError("antes and blinds_or_straddles need one entry for each player")
    small, big, *straddles = blinds
    if any(straddles):
        raise NotPlayedError("straddles are not played")
    if not big or small > big:
        raise PhhError(f"blinds {small}/{big}: a big blind is needed, and the small one is not above it")
    half = max(1, big // 2)  # where nobody posts the small blind, it is nowhere stated
    if len(set(antes)) == 1:
        return Level(small or half, big, ante=antes[0]), small > 0
    if antes[1] and not any(antes[:1] + antes[2:]):
        return Level(small or half, big, big_blind_ante=antes[1]), small > 0
    raise NotPlayedError(f"antes {list(antes)}: either everybody pays the same, or the big blind alone")


def _actions(
    raw: dict[str, Any], players: int
) -> tuple[dict[int, tuple[str, str]], tuple[Act, ...], tuple[str, ...], dict[int, bool]]:
    hole: dict[int, tuple[str, str]] = {}
    acts: list[Act] = []
    board: list[str] = []
    shown: dict[int, bool] = {}
    lines = raw.get("actions")
    if not isinstance(lines, list):
        raise PhhError("actions is missing, or no list")
    for number, line in enumerate(lines, start=1):
        said = str(line).partition("#")[0].strip()
        if not said:
            continue
        match = _ACTION.fullmatch(said)
        where = f"action {number} {said!r}"
        if match is None:
            raise PhhError(f"{where} is no action of hold'em")
        player = int(match["dealt"] or match["player"] or 1)
        if not 1 <= player <= players:
            raise PhhError(f"{where} names a player who is not there")
        if match["board"]:
            board += _cards(match["board"], where)
        elif match["dealt"]:
            first, second = _cards(match["hole"], where)
            hole[player] = (first, second)
        elif match["verb"] == "sm":
            shown[player] = match["what"] is not None and UNKNOWN_CARD not in match["what"]
            if shown[player]:
                first, second = _cards(match["what"], where)
                hole[player] = (first, second)
        else:
            acts.append(Act(player, match["verb"], _amount(match, where)))
    _no_card_twice(hole, board)
    return hole, tuple(acts), tuple(board), shown


def _amount(match: re.Match[str], where: str) -> int:
    what = match["what"]
    if (match["verb"] == "cbr") != (what is not None):
        raise PhhError(f"{where}: cbr needs an amount, f and cc have none")
    if what is None:
        return 0
    try:
        return _whole(_number(what), where)
    except ValueError as wrong:
        raise PhhError(f"{where}: {what!r} is no amount") from wrong


def _cards(word: str, where: str) -> list[str]:
    cards = [word[at : at + 2] for at in range(0, len(word), 2)]
    for card in cards:
        if card not in BIT:
            raise PhhError(f"{where}: {card!r} is no card")
    return cards


def _no_card_twice(hole: dict[int, tuple[str, str]], board: list[str]) -> None:
    known = [card for cards in (*hole.values(), board) for card in cards if card != UNKNOWN_CARD]
    twice = sorted({card for card in known if known.count(card) > 1})
    if twice:
        raise PhhError(f"{', '.join(twice)} is in this hand twice")
    if len(board) > sum(STREET_CARDS):
        raise PhhError(f"the board has {len(board)} cards")


def _finishing(raw: dict[str, Any], players: int) -> tuple[Fraction, ...] | None:
    values = raw.get("finishing_stacks")
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != players:
        raise PhhError("finishing_stacks needs one entry for each player")
    if not all(_counts(value) for value in values):
        raise PhhError("finishing_stacks holds something that is no number of chips")
    return tuple(Fraction(value) for value in values)


# --- what the file leaves open


class Deal(msgspec.Struct, frozen=True):
    """Every card of the hand: two for each player, five for the board, one burn a street; none is unknown."""

    hole: dict[int, tuple[str, str]]
    board: tuple[str, ...]
    burns: tuple[str, ...]


def deal(hand: Hand) -> Deal:
    """Fills what the file does not know from the rest of the deck, in the deck's order: same file, same cards."""
    known = {card for cards in (*hand.hole.values(), hand.board) for card in cards}
    rest = iter(card for card in DECK if card not in known)

    def filled(card: str) -> str:
        return next(rest) if card == UNKNOWN_CARD else card

    unknown = (UNKNOWN_CARD, UNKNOWN_CARD)
    hole = {}
    for player in range(1, hand.players + 1):
        first, second = hand.hole.get(player, unknown)
        hole[player] = (filled(first), filled(second))
    missing = (UNKNOWN_CARD,) * (sum(STREET_CARDS) - len(hand.board))
    board = tuple(filled(card) for card in hand.board + missing)
    return Deal(hole, board, tuple(filled(UNKNOWN_CARD) for _ in STREET_CARDS))


def tables(hand: Hand, player: int) -> bool:
    """Does `player` show at showdown? As the file says; where it is silent, a hand it knows is shown."""
    return hand.shown.get(player, UNKNOWN_CARD not in hand.hole.get(player, (UNKNOWN_CARD,)))


# --- what a line asks of a table


def kills(act: Act, view: TableView) -> bool:
    """Is this the fold of a seat that is all-in, which no turn will come to?"""
    return act.verb == "f" and any(other.seat == act.player and other.part is Part.ALL_IN for other in view.seats)


def wanted(act: Act, view: TableView, legal: Legal | None) -> Input:
    """The input that does what `act` says, at a table in this state.

    A fold by a seat that cannot fold (all-in on a blind or an ante, its player away) is a killed hand. A raise where
    only a call is left, because nobody could answer it, is that call: what nobody can match comes back. A raise to more
    than the stack is all of it. **Raises** PhhError when it is another seat's turn.
    """
    seat = act.player
    if legal is None or legal.seat != seat:
        if kills(act, view):
            return inputs.Kill(seat)
        raise PhhError(f"player {seat} acts in the file, but {_waits_for(view)}")
    if act.verb == "f":
        return inputs.Fold(seat)
    if act.verb == "cc":
        return inputs.Call(seat) if legal.to_call else inputs.Check(seat)
    open_range = legal.bet or legal.raise_to
    if open_range is None:
        return inputs.Call(seat)
    if act.to >= legal.all_in_to:
        return inputs.AllIn(seat)
    return inputs.Bet(seat, act.to) if legal.bet else inputs.RaiseTo(seat, act.to)


def _waits_for(view: TableView) -> str:
    who = f" (seat {view.to_act})" if view.to_act else ""
    return f"the table waits for {view.due.value}{who}"


# --- what the file states at the end


def whole_stacks(finishing: tuple[Fraction, ...]) -> tuple[int, ...]:
    """The stated stacks in whole chips: halves (thirds...) go, one chip each, to those first left of the button.

    Players stand in that order already. **Raises** PhhError if what is broken does not add up to whole chips.
    """
    broken = sum((stack - int(stack) for stack in finishing), Fraction(0))
    if broken != int(broken):
        raise PhhError("finishing_stacks does not add up to whole chips")
    odd, whole = int(broken), []
    for stack in finishing:
        gets = stack != int(stack) and odd > 0
        whole.append(int(stack) + gets)
        odd -= gets
    return tuple(whole)
