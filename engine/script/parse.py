"""Reads hand scripts: text in, scripts out, or an error that names file and line.

The whole grammar is read, whether the rules play it yet or not. One table for the header, one for the inputs of the
table, one for the acts of a seat, one for the checks (`forms.CHECKS`): to add a word, add a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.inputs import Level
from engine.script import lines as say
from engine.script.forms import CHECKS
from engine.script.lines import Header, Line, Outcome, Script, Statement
from engine.script.words import ScriptError, Words

GAMES = ("no-limit", "pot-limit", "fixed-limit")
SAID = ("fold", "check", "call", "bet", "raise", "all_in", "pot")
RULED = (
    "call", "raise_to", "bet", "check", "fold", "all_in",
    "misdeal", "replace_card", "burn_card", "redeal_flop", "set_aside", "hand_void", "dead_hand",
)  # fmt: skip
REFUSALS = (
    "not_your_turn", "cannot_reopen", "lost_raise_right", "below_minimum", "above_maximum", "raise_cap_reached",
    "bet_to_call", "no_bet_to_call", "no_chips", "not_in_hand", "not_running", "awaiting_floor", "too_early",
    "too_late", "not_seated", "seat_taken", "between_blind_and_button", "level_closed", "not_in_catalogue",
    "not_decreasing",
)  # fmt: skip
DEAL_ERRORS = {  # how many of seat and n each kind takes
    "hole_exposed": 2, "extra_card": 1, "skipped": 1, "boxed": 1, "flop_extra": 0, "no_burn": 0, "double_burn": 0,
    "early_turn": 0, "early_river": 0, "duplicate": 0, "missing": 0, "wrong_back": 0, "deck_down": 0,
}  # fmt: skip
MOST_SEATS = 22  # 44 hole cards, 5 on the board, 3 burned
MOTIONS = 4  # pushes of chips in one line; a longer string of motions is a mistake of the script


def parse(text: str, file: str) -> tuple[Script, ...]:
    """The scripts of one file, in order. **Raises** ScriptError; `file` is only the name it carries."""
    scripts: list[Script] = []
    draft: _Draft | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        said = raw.partition("#")[0].strip()
        if not said:
            continue
        words = Words(file, number, said.split())
        if words.accept("title"):
            if draft is not None:
                scripts.append(draft.script())
            draft = _Draft(file, number, words.rest() or _missing(words, "the title"))
        elif draft is None:
            raise words.error("a script begins with its title line")
        else:
            draft.read(words, said)
    if draft is None:
        raise ScriptError(file, 1, "no script here: a script begins with a title line")
    return (*scripts, draft.script())


def is_header(text: str) -> bool:
    """Does this line belong before the first input of its script?"""
    return text.partition(" ")[0] in ("title", *_HEADER)


def _missing(words: Words, what: str) -> Any:
    raise words.error("{meaning} is missing at the end of the line", meaning=what)


class _Draft:
    """A script while its lines come in."""

    def __init__(self, file: str, line: int, title: str) -> None:
        self._file = file
        self._line = line
        self._book_line = line
        self._fields: dict[str, Any] = {"title": title}
        self._repeated: dict[str, list[Any]] = {"settings": [], "articles": []}
        self._forced: dict[str, int] = {}
        self._blinds: tuple[int, int] | None = None
        self._lines: list[Line] = []
        self._begun = False

    def read(self, words: Words, text: str) -> None:
        """One more line of this script."""
        key = words.peek()
        if key in _HEADER:
            words.take(key)
            self._header(key, words)
            words.end()
            return
        outcome, words = _split_outcome(words)
        statement = _statement(words)
        words.end()
        if not isinstance(statement, _GIVEN):
            self._begun = True
        if isinstance(statement, say.Check | say.Dealt) and outcome != Outcome():
            raise words.error("a check has no outcome: leave out what stands after ->")
        self._lines.append(Line(words.line, text, statement, outcome))

    def _header(self, key: str, words: Words) -> None:
        if self._begun:
            raise words.error("{word!r} belongs before the first input of its script", word=key)
        field, read = _HEADER[key]
        value = read(words)
        if field in self._repeated:
            self._repeated[field].append(value)
            return
        if field in self._fields or field in self._forced or (field == "blinds" and self._blinds):
            raise words.error("{word!r} is given twice", word=key)
        if field == "blinds":
            self._blinds = value
        elif field in ("ante", "big_blind_ante"):
            self._forced[field] = value
        else:
            self._fields[field] = value
        if field == "book":
            self._book_line = words.line

    def script(self) -> Script:
        """The finished script. **Raises** ScriptError when something it needs is missing."""
        if "book" not in self._fields:
            raise ScriptError(self._file, self._line, "this script names no book: add a line such as: book lifeclub")
        if self._forced and self._blinds is None:
            raise ScriptError(self._file, self._line, "an ante needs a blinds line beside it")
        if self._blinds is not None:
            small, big = self._blinds
            self._fields["level"] = Level(
                small, big, self._forced.get("ante", 0), self._forced.get("big_blind_ante", 0)
            )
        self._check_seats()
        fields = self._fields | {field: tuple(values) for field, values in self._repeated.items()}
        header = Header(**fields)
        return Script(self._file, self._line, self._book_line, header, tuple(self._lines))

    def _check_seats(self) -> None:
        size = self._fields.get("size", say.SIZE)
        seats = dict(self._fields.get("seats", ()))
        for seat in seats:
            if seat > size:
                raise ScriptError(
                    self._file, self._line, "seat {seat} is beyond the table's size {size}", seat=seat, size=size
                )
        for seat in self._fields.get("away", ()):
            if seat not in seats:
                raise ScriptError(self._file, self._line, "seat {seat} is away, but nobody was seated there", seat=seat)


def _split_outcome(words: Words) -> tuple[Outcome, Words]:
    """Cuts `-> outcome` and `[book:article]` off the end. An arrow inside `race` and `= move` is none."""
    left = words.rest().split()
    article = ""
    if left and left[-1].startswith("[") and left[-1].endswith("]"):
        article = left.pop()[1:-1]
        if ":" not in article:
            raise words.error("[{article}] is no article: write it as [book:number]", article=article)
    statement, outcome = left, Outcome(article=article)
    if "->" in left and left[0] != "race" and left[:2] != ["=", "move"]:
        arrow = left.index("->")
        statement = left[:arrow]
        outcome = _outcome(Words(words.file, words.line, left[arrow + 1 :]), article)
    return outcome, Words(words.file, words.line, statement)


def _outcome(words: Words, article: str) -> Outcome:
    kind, colon, word = words.take("outcome after ->").partition(":")
    amount: int | None = None
    if colon and kind == "refused":
        if word not in REFUSALS:
            raise words.error("{word!r} is no refusal: use one of {choices}", word=word, choices=", ".join(REFUSALS))
    elif colon and kind == "ruled":
        if word not in RULED:
            raise words.error("{word!r} is no ruling: use one of {choices}", word=word, choices=", ".join(RULED))
        amount = words.maybe_number()
    elif colon or kind not in ("ok", "out_of_turn", "floor"):
        raise words.error(
            "{word!r} is no outcome: ok, out_of_turn, refused:WORD, ruled:WORD or floor", word=kind + colon + word
        )
    words.end()
    return Outcome(kind, word, amount, article)


def _statement(words: Words) -> Statement:
    word = words.take("statement")
    if word == "=":
        return _check(words)
    if word.isdigit():
        seat = words.as_seat(word)
        verb = words.one_of((*_ACTS, *_SEAT), "act of a seat")
        return say.Act(seat, verb) if verb in _ACTS else _SEAT[verb](seat, words)
    if word in _BARE:
        return _BARE[word]
    if word not in _TABLE:
        raise words.error("{word!r} begins no statement of a hand script", word=word)
    return _TABLE[word](words)


def _check(words: Words) -> say.Check:
    name = words.take("check after =")
    if name not in CHECKS:
        raise words.error("{word!r} is no check: use one of {choices}", word=name, choices=", ".join(CHECKS))
    return say.Check(name, CHECKS[name].read(words))


# --- header


def _cards(words: Words) -> Statement:
    return say.Dealt(say.HoleCards(words.seat(), words.two_cards()))


def _size(words: Words) -> int:
    size = words.number("size")
    if not 2 <= size <= MOST_SEATS:
        raise words.error("a table has 2 to {most} seats", most=MOST_SEATS)
    return size


def _positive(words: Words) -> int:
    number = words.number("chip")
    if number < 1:
        raise words.error("the smallest chip is at least 1")
    return number


_HEADER: dict[str, tuple[str, Callable[[Words], Any]]] = {
    "book": ("book", lambda words: words.take("id of the rulebook")),
    "set": ("settings", lambda words: (words.take("value of the book"), words.rest() or _missing(words, "the value"))),
    "article": ("articles", lambda words: words.take("article")),
    "game": ("game", lambda words: words.one_of(GAMES, "game")),
    "blinds": ("blinds", lambda words: words.pair(words.take("blinds"), "pair of blinds")),
    "ante": ("ante", lambda words: words.number("ante")),
    "bb_ante": ("big_blind_ante", lambda words: words.number("big blind ante")),
    "big_blind_ante": ("big_blind_ante", lambda words: words.number("big blind ante")),
    "bets": ("bets", lambda words: words.pair(words.take("bets"), "pair of bets")),
    "button": ("button", lambda words: words.seat("seat of the button")),
    "small_blind": ("small_blind", lambda words: words.seat_or_nobody("seat of the small blind")),
    "big_blind": ("big_blind", lambda words: words.seat_or_nobody("seat of the big blind")),
    "seats": ("seats", lambda words: words.seat_amounts()),
    "size": ("size", _size),
    "away": ("away", lambda words: words.seats()),
    "chip": ("chip", _positive),
}


# --- acts of a seat


def _motion(words: Words) -> say.Motion:
    described = words.take("chips")
    chips = tuple(words.as_number(chip, "amount of chips") for chip in described.split("+"))
    single = words.accept("single")
    if single and len(chips) > 1:
        raise words.error("{word!r} are several chips, not a single one", word=described)
    return say.Motion(chips, described="+" in described, single=single)


def _puts(seat: int, words: Words) -> Statement:
    motions = [_motion(words)]
    while words.accept("then"):
        motions.append(_motion(words))
        if len(motions) > MOTIONS:
            raise words.error("more than {most} motions in one line", most=MOTIONS)
    return say.Puts(seat, tuple(motions), unnoticed=words.accept("unnoticed"))


def _says(seat: int, words: Words) -> Statement:
    word = words.one_of(SAID, "word a player says")
    amount = words.maybe_number()
    return say.Says(seat, word, amount, _motion(words) if words.accept("puts") else None)


def _chooses(seat: int, words: Words) -> Statement:
    what = words.one_of(("minimum", "correct", "withdraw", "call"), "choice")
    return say.Chooses(seat, what, words.number("amount") if what == "correct" else None)


def _shows(seat: int, words: Words) -> Statement:
    return say.Shows(seat, words.two_cards() if words.left else None)


def _dodges(seat: int, words: Words) -> Statement:
    small_blind = words.accept("small_blind")
    big_blind = words.accept("big_blind")
    if not small_blind and not big_blind:
        raise words.error("which blinds were dodged? Write small_blind, big_blind, or both in this order")
    return say.Dodges(seat, small_blind, big_blind)


_ACTS = ("fold", "check", "call", "all_in")

_SEAT: dict[str, Callable[[int, Words], Statement]] = {
    "bet": lambda seat, words: say.Act(seat, "bet", words.number("amount")),
    "raise_to": lambda seat, words: say.Act(seat, "raise_to", words.number("amount")),
    "says": _says,
    "puts": _puts,
    "chooses": _chooses,
    "away": lambda seat, _: say.Goes(seat, away=True),
    "back": lambda seat, _: say.Goes(seat, away=False),
    "dodges": _dodges,
    "exposes": lambda seat, _: say.Exposes(seat),
    "shows": _shows,
    "mucks": lambda seat, _: say.Mucks(seat),
    "asks": lambda seat, words: say.Asks(seat, words.seat("seat whose hand is asked for")),
}


# --- the table


def _board(words: Words) -> Statement:
    cards = words.each(words.as_card, "card")
    if len(cards) not in (1, 3):
        raise words.error("a street has three cards or one, not {count}", count=len(cards))
    return say.Board(cards)


def _deal_error(words: Words) -> Statement:
    kind = words.one_of(tuple(DEAL_ERRORS), "dealing error")
    wanted = DEAL_ERRORS[kind]
    seat = words.seat() if wanted >= 1 else None
    return say.DealError(kind, seat, words.number("number of the card") if wanted == 2 else None)


def _floor(words: Words) -> Statement:
    word = words.take("ruling of the director")
    if word in ("binds", "releases"):
        return say.Floor(word, (words.seat(),))
    if word in ("restores", "redeals", "plays_on", "voids"):
        return say.Floor(word)
    if word == "holds":
        return say.Floor(word, amount=words.number("amount"))
    if word == "awards":
        return say.Floor(word, words.seats())
    return say.Floor("text", text=f"{word} {words.rest()}".strip())


def _bust(words: Words) -> Statement:
    return say.Bust(() if words.accept("nobody") else words.seats())


def _sit(words: Words) -> Statement:
    seat, stack = words.seat(), words.number("amount of chips")
    arrival = words.one_of(("from_break", "from_balance"), "way to arrive") if words.left else "new"
    return say.Sits(seat, stack, arrival)


def _penalty(words: Words) -> Statement:
    seat = words.seat()
    what = words.one_of(("warning", "rounds", "minutes", "disqualify"), "penalty")
    return say.Penalty(seat, what, words.number(what) if what in ("rounds", "minutes") else None)


def _level(words: Words) -> Statement:
    small, big = words.pair(words.take("blinds"), "pair of blinds")
    given: dict[str, int] = {}
    names = {"ante": "ante", "bb_ante": "big_blind_ante", "big_blind_ante": "big_blind_ante", "number": "number"}
    while words.left:
        field = names[words.one_of(tuple(names), "part of a level")]
        if field in given:
            raise words.error("{word!r} is given twice", word=field)
        given[field] = words.number(field)
    return say.NewLevel(
        Level(small, big, given.get("ante", 0), given.get("big_blind_ante", 0), given.get("number", 0))
    )


def _race(words: Words) -> Statement:
    old = words.number("chip that leaves")
    if not words.accept("->"):
        raise words.error("a race is written as: race 25 -> 100")
    return say.Race(old, words.number("new smallest chip"))


def _draw(words: Words) -> Statement:
    def received(word: str) -> tuple[int, str]:
        seat, colon, card = word.partition(":")
        if not colon:
            raise words.error("{word!r}: write it as seat:card, for example 2:9c", word=word)
        return words.as_seat(seat), words.as_card(card)

    return say.Draw(words.each(received, "seat:card"))


def _table(words: Words) -> Statement:
    name = words.take("name of the table")
    size = _size(words) if words.accept("size") else say.SIZE
    if not words.accept("seats"):
        raise words.error("a table is written as: table A size 9 seats 1 2 4 button 8 small_blind 1 big_blind 2")
    seats: list[int] = []
    while words.peek().isdigit():
        seats.append(words.seat())
    positions = {}
    for position in ("button", "small_blind", "big_blind"):
        if not words.accept(position):
            raise words.error("the {meaning} of table {table} is missing", table=name, meaning=position)
        dead = position == "button" and words.peek().startswith("dead:")
        seat = words.as_seat(words.take(position).removeprefix("dead:")) if dead else words.seat_or_nobody(position)
        positions[position] = seat
    return say.TableRow(name, size, tuple(seats), **positions)


def _payout(words: Words) -> Statement:
    given: dict[str, int] = {}
    while words.left:
        field = words.one_of(("entries", "prize", "fee", "jackpot"), "part of a payout")
        given[field] = words.number(field)
    for field in ("entries", "prize"):
        if field not in given:
            raise words.error("{word} is missing: payout entries 45 prize 9000 fee 1000", word=field)
    return say.Payout(**given)


_BARE: dict[str, Statement] = {
    "begin": say.Begins(),
    "grant": say.Grants(),
    "remind": say.Reminds(),
    "undo": say.Undo(),
    "complain": say.Complains(),
    "next": say.Next(),
    "clock_zero": say.LevelClock("zero"),
    "clock_stop": say.LevelClock("stop"),
    "clock_go": say.LevelClock("go"),
    "shuffle": say.Moment("shuffle"),
    "first_card": say.Moment("first_card"),
    "plan": say.Plan(),
}

_TABLE: dict[str, Callable[[Words], Statement]] = {
    "cards": _cards,
    "board": _board,
    "card": lambda words: say.StrayCard(words.card()),
    "deal_error": _deal_error,
    "noticed": lambda words: say.Noticed(words.seat()),
    "kill": lambda words: say.Kills(words.seat(), words.one_of(("dealer", "thrown", "passed"), "reason")),
    "revive": lambda words: say.Revives(words.seat()),
    "clock_call": lambda words: say.ClockCall(words.seat()),
    "wait": lambda words: say.Waits(words.number("number of seconds")),
    "floor": _floor,
    "award": lambda words: say.Awards(words.seats()),
    "bust": _bust,
    "sit": _sit,
    "leave": lambda words: say.Leaves(words.seat()),
    "count": lambda words: say.Counts(words.seat(), words.number("amount of chips")),
    "penalty": _penalty,
    "confiscate": lambda words: say.Confiscates(words.seat(), words.number("amount of chips")),
    "level": _level,
    "race": _race,
    "draw": _draw,
    "table": _table,
    "payout": _payout,
    "shares": lambda words: say.Shares(words.each(lambda word: words.as_number(word, "percentage"), "percentage")),
}

# What is given rather than happens: header lines may still follow it.
_GIVEN = (say.Dealt, say.Race, say.TableRow, say.Payout)
