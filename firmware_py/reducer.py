"""Decide, evolve, check, commit: the one place where a table's state changes.

`Reducer` owns the engine's state and the journal. Every deed goes the same way: the rules decide, the events are
folded, the result is checked, the journal commits, and only then the new state becomes the state. A refusal changes
nothing and is not journaled. Recovery and undo are one procedure, `_replay`: the last snapshot, then every entry that
was not struck.

A broken invariant is our own mistake: `InvariantBroken` ends the process before anything was written, and the restart
begins from what was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from engine import evolve, publish, rulebook, table
from engine.events import encode_event
from engine.inputs import Command, FloorDecides, Input, LeaveSeat, Sanction, SetStack, SitDown
from engine.penalties import UNITS
from engine.rulebook import Rulebook
from engine.state import TableState, decode_state, encode_state
from engine.table import Ruling
from engine.view import Due, Legal, PotView, TableView
from engine.wire import Adopt, Body, DealerOn, Result
from firmware_py.journal import Journal
from firmware_py.journal_records import Adopted, DealerTapped, Deed, Entry, Happened, Out, Struck, TableOpened

PANEL = "panel"          # source of what the dealer keys; a director's word is `director:...`


class InvariantBroken(Exception):  # noqa: N818 - what it is, not what it does
    """The rules produced a table that cannot be. Nothing was written. Never caught: the process ends and restarts."""


class Snapshot(msgspec.Struct, frozen=True):
    """What is kept at the end of a hand: the engine's state and what the unit itself must remember."""

    book: str
    state: msgspec.Raw
    dealer: str
    revs: dict[int, int]


class Standing(NamedTuple):
    """A table as it stands. `revs`: hand -> revision, for hands that were taken back into."""

    book: Rulebook | None
    book_name: str
    state: TableState
    dealer: str = ""
    revs: tuple[tuple[int, int], ...] = ()

    def rev(self, hand: int) -> int:
        """The revision under which `hand` is told to the hub."""
        return dict(self.revs).get(hand, 0)


class Undone(NamedTuple):
    """What became of an undo: `done`, `nothing`, or `director` when it would cross the end of a hand."""

    what: str
    deed: Deed | None = None


class Replayed(NamedTuple):
    """What a replay came to: the standing, the public events as (hand, body), and the private ones."""

    standing: Standing
    bodies: list[tuple[int, Body]]
    happened: list[Happened]


EMPTY = Standing(None, "", table.new_table(10))


class Reducer:
    """The table's state and its journal. Used by the crank alone."""

    def __init__(self, journal: Journal, *, tells_hub: bool = True) -> None:
        """Stands where the last committed deed left the table; without a hub to tell, the outbox stays empty.

        Raises JournalError, RulebookError, InvariantBroken.
        """
        self._journal = journal
        self._tells_hub = tells_hub
        self._books: dict[str, Rulebook] = {}
        kept, entries = journal.history()
        self._standing = self._replay(kept.state if kept else None, entries).standing
        self._refresh()

    # --- what others may look at

    @property
    def opened(self) -> bool:
        """Whether a table was opened: it has a book, a size and a smallest chip."""
        return self._standing.book is not None

    @property
    def view(self) -> TableView:
        """The public picture."""
        return self._view

    @property
    def legal(self) -> Legal | None:
        """What the seat to act may do."""
        return self._legal

    @property
    def state(self) -> TableState:
        """The private state; it never leaves this process."""
        return self._standing.state

    @property
    def pot(self) -> PotView | None:
        """The pot whose winner the dealer must name now; None while there is none."""
        pots, book = self._view.pots, self._standing.book
        if self._view.due is not Due.AWARD or not pots or book is None:
            return None
        return pots[-1] if book.pot_award_order == "last_formed_first" else pots[0]

    @property
    def dealer(self) -> str:
        """The hash of the dealer who is on; "" if nobody tapped in."""
        return self._standing.dealer

    @property
    def penalties(self) -> tuple[Sanction, tuple[int, ...]]:
        """In what the table's book counts a penalty, and how many of them there may be."""
        book = self._standing.book
        if book is None:
            return Sanction.ROUNDS, ()
        unit = next(sanction for sanction, name in UNITS.items() if name == book.penalty_unit)
        return unit, book.penalty_values

    @property
    def book_name(self) -> str:
        """The rulebook the table was opened with, as it was named."""
        return self._standing.book_name

    @property
    def hand_rev(self) -> int:
        """The revision of the newest hand."""
        return self._standing.rev(self.state.hand_no)

    # --- deeds

    def open_table(self, at_ms: int, source: str, opened: TableOpened, meta: dict[str, Any] | None = None) -> None:
        """A new, empty table. Raises RulebookError if there is no such book. Hands are numbered on."""
        after = self._open(opened)
        self._journal.commit(at_ms, source, opened, snapshot=_snapshot(after), meta=meta)
        self._become(after)

    def adopt(self, at_ms: int, adopt: Adopt) -> None:
        """The hub's number for this outbox and this unit's table; committed before anything else is sent."""
        meta = {"ep": adopt.ep, "table_no": adopt.table_no, "adopt": adopt}
        self._journal.commit(at_ms, "hub", Adopted(adopt), meta=meta)

    def dealer_on(self, at_ms: int, dealer: str, *, with_pin: bool = False) -> None:
        """A dealer tapped in; the hub hears of it."""
        deed = DealerTapped(dealer, with_pin)
        out = Out(self.state.hand_no, self.hand_rev, DealerOn(dealer, with_pin))
        self._journal.commit(at_ms, "badge", deed, out=self._told([out]))
        self._become(self._standing._replace(dealer=dealer))

    def put(
        self,
        at_ms: int,
        source: str,
        what: Input,
        *,
        cause: str = "",
        result: Result | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Ruling:
        """Ask the rules; if anything follows, write it and let it be. A refusal writes nothing but `result` and `meta`.

        `cause` is the hub's command, `result` what it will be told (its `rc` is made `refused` when the rules refuse),
        `meta` small facts that must be written with the deed or not at all.
        """
        before = self._standing
        book = _book(before)
        ruling = table.decide(before.state, what, book, at_ms)
        if ruling.outcome == "refused":
            if result is not None:
                result = msgspec.structs.replace(result, rc="refused", why=ruling.refusal or "")
            if result is not None or meta:
                self._journal.note(meta, result)
            return ruling
        after = _fold(before, ruling)
        after_view = table.view(after.state, book)
        check(before.state, what, after.state)
        ended = at_rest(after.state) and not at_rest(before.state)
        bodies = publish.bodies(before.state, ruling, after.state, book)
        self._journal.commit(
            at_ms,
            source,
            what,
            ruling=ruling_text(ruling),
            seen=_seen(after_view),
            events=[Happened(encode_event(event)) for event in ruling.events],
            out=self._told(
                [Out(after.state.hand_no, after.rev(after.state.hand_no), body, cause) for body in bodies]
            ),
            snapshot=_snapshot(after) if ended else None,
            result=result,
            meta=meta,
        )
        self._become(after)
        return ruling

    def undo(self, at_ms: int, source: str, *, director: bool) -> Undone:
        """Strike the last command the panel gave in this hand, decide everything after it again, tell the hub anew.

        With `director`, also the last command of the hand that has just ended; without, that answers `director`. What
        the devices saw and what the hub asked stays. Article: none of the books speaks of a mispressed key; a struck
        command stays in the journal.
        """
        hand = self.state.hand_no
        kept, entries = self._journal.history()
        target = _last_command(entries)
        across = target is None
        if across and not at_rest(self.state):
            return Undone("nothing")
        while kept is not None and _hand_of(kept.state) >= hand:  # back to where this hand's story begins
            kept, entries = self._journal.history(before=kept.n)
        target = target or _last_command(entries)
        if target is None:
            return Undone("nothing")
        if across and not director:
            return Undone("director")
        snapshot = kept.state if kept else None
        told = self._replay(snapshot, entries).bodies
        untouched = Struck(target.n, hand, self._standing.rev(hand), since=kept.n if kept else 0)
        struck = msgspec.structs.replace(untouched, rev=untouched.rev + 1)
        this = Entry(self._journal.entries + 1, self._journal.boot, at_ms, source, struck)
        after, tell, happened = self._replay(snapshot, [*entries, this])
        again = [body for number, body in tell if number == hand]
        if again == [body for number, body in told if number == hand]:
            struck, again = untouched, []  # the hub never heard of what is struck
            after = after._replace(revs=self._standing.revs)
        after_view = table.view(after.state, _book(after))
        self._journal.commit(
            at_ms,
            source,
            struck,
            seen=_seen(after_view),
            events=happened,
            out=self._told([Out(hand, struck.rev, body) for body in again]),
            snapshot=_snapshot(after) if at_rest(after.state) else None,
            forget_snapshots_from=target.n if across else None,
        )
        self._become(after)
        return Undone("done", target.deed)

    # --- inside

    def _told(self, out: list[Out]) -> list[Out]:
        return out if self._tells_hub else []

    def _replay(self, snapshot: bytes | None, entries: Iterable[Entry]) -> Replayed:
        """The standing after `entries`, struck ones left out, and what happened on the way."""
        entries = list(entries)
        struck = {entry.deed.n for entry in entries if isinstance(entry.deed, Struck)}
        standing = self._restore(snapshot)
        bodies: list[tuple[int, Body]] = []
        happened: list[Happened] = []
        for entry in entries:
            if entry.n in struck:
                continue
            match entry.deed:
                case TableOpened():
                    standing = self._open(entry.deed, standing)
                case Struck(_, hand, rev):
                    standing = standing._replace(revs=_with_rev(standing.revs, hand, rev))
                case DealerTapped(dealer, with_pin):
                    standing = standing._replace(dealer=dealer)
                    bodies.append((standing.state.hand_no, DealerOn(dealer, with_pin)))
                case Adopted():
                    pass
                case _:
                    standing, told, events = self._redo(standing, entry)
                    bodies += told
                    happened += events
        return Replayed(standing, bodies, happened)

    def _redo(self, before: Standing, entry: Entry) -> Replayed:
        """One engine input decided again. What is refused now, because what it stood on was struck, falls away."""
        what: Input = entry.deed  # type: ignore[assignment]
        book = _book(before)
        ruling = table.decide(before.state, what, book, entry.at_ms)
        if ruling.outcome == "refused":
            return Replayed(before, [], [])
        after = _fold(before, ruling)
        check(before.state, what, after.state)
        bodies = publish.bodies(before.state, ruling, after.state, book)
        events = [Happened(encode_event(event), entry.n) for event in ruling.events]
        return Replayed(after, [(after.state.hand_no, body) for body in bodies], events)

    def _restore(self, snapshot: bytes | None) -> Standing:
        if snapshot is None:
            return EMPTY
        kept = msgspec.json.decode(snapshot, type=Snapshot)
        revs = tuple(sorted(kept.revs.items()))
        return Standing(self._load(kept.book), kept.book, decode_state(bytes(kept.state)), kept.dealer, revs)

    def _open(self, opened: TableOpened, before: Standing | None = None) -> Standing:
        before = before or self._standing
        fresh = msgspec.structs.replace(table.new_table(opened.size, opened.chip), hand_no=before.state.hand_no)
        return Standing(self._load(opened.book), opened.book, fresh, before.dealer, before.revs)

    def _load(self, name: str) -> Rulebook:
        if name not in self._books:
            self._books[name] = rulebook.load(name)
        return self._books[name]

    def _become(self, after: Standing) -> None:
        self._standing = after
        self._refresh()

    def _refresh(self) -> None:
        book = self._standing.book
        self._view = table.view(self._standing.state, book or self._load("tda"))
        self._legal = table.legal(self._standing.state, book) if book else None


def _book(standing: Standing) -> Rulebook:
    if standing.book is None:
        raise InvariantBroken("a deed before the table was opened")
    return standing.book


def _fold(before: Standing, ruling: Ruling) -> Standing:
    state = before.state
    for event in ruling.events:
        state = table.evolve(state, event)
    return before._replace(state=state)


def _last_command(entries: Iterable[Entry]) -> Entry | None:
    """The newest command that a person gave at the panel and nobody took back."""
    entries = list(entries)
    struck = {entry.deed.n for entry in entries if isinstance(entry.deed, Struck)}
    given = (
        entry
        for entry in reversed(entries)
        if isinstance(entry.deed, Command) and entry.n not in struck and entry.source.startswith((PANEL, "director"))
    )
    return next(given, None)


def _with_rev(revs: tuple[tuple[int, int], ...], hand: int, rev: int) -> tuple[tuple[int, int], ...]:
    """`revs` with one hand's revision; only the last two hands can still be taken back into."""
    return tuple(sorted({**dict(revs), hand: rev}.items()))[-2:]


def ruling_text(ruling: Ruling) -> str:
    """A ruling in the words of the hand scripts, with its articles: `ruled:call 100 [tda:42]`."""
    outcome = ruling.outcome
    if ruling.ruled is not None:
        outcome = f"ruled:{ruling.ruled}" + ("" if ruling.amount is None else f" {ruling.amount}")
    return " ".join((outcome, *(f"[{article}]" for article in ruling.articles)))


def at_rest(state: TableState) -> bool:
    """Whether no hand is running."""
    return state.hand is None or state.hand.due is Due.NEXT_HAND


def _snapshot(standing: Standing) -> bytes | None:
    """The standing for the journal; None while it names a card that nobody has seen (one drawn after the hand)."""
    hand = standing.state.hand
    if hand is not None and (hand.burns or hand.aside):
        return None
    state = msgspec.Raw(encode_state(standing.state))
    return msgspec.json.encode(Snapshot(standing.book_name, state, standing.dealer, dict(standing.revs)))


def _seen(view: TableView) -> frozenset[str]:
    """The cards that lie open on the table."""
    return frozenset(view.board).union(*(seat.shown for seat in view.seats))


def _hand_of(snapshot: bytes) -> int:
    """The number of the hand a snapshot was taken after."""
    return decode_state(bytes(msgspec.json.decode(snapshot, type=Snapshot).state)).hand_no


# --- invariants

MOVES_CHIPS_IN_OR_OUT = (SitDown, LeaveSeat, SetStack, FloorDecides)
_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def check(before: TableState, what: Input, after: TableState) -> None:
    """Can the table be like this after `what`? Raises InvariantBroken with the deed's kind, never with its cards."""
    kind = type(what).__name__
    try:
        evolve.check(after)
    except AssertionError as broken:
        raise InvariantBroken(f"{kind}: {_CARD.sub('??', str(broken))}") from None
    if after.chips != before.chips and not before.leaving and not isinstance(what, MOVES_CHIPS_IN_OR_OUT):
        raise InvariantBroken(f"{kind}: {before.chips} chips became {after.chips} and nobody came or went")
    if after.hand_no < before.hand_no:
        raise InvariantBroken(f"{kind}: hand {before.hand_no} became hand {after.hand_no}")
