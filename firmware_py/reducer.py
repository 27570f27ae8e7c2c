"""Decide, evolve, check, commit: the one place where a table's state changes.

`Reducer` owns the engine's state and the journal. Every deed goes the same way: the rules decide, the events are
folded, the result is checked, the journal commits, and only then the new state becomes the state. A refusal changes
nothing and is not journaled. How a table stands, and what may not be, is `standing.py`; recovery and undo are one
procedure, `replaying.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from engine import publish, table
from engine.events import encode_event
from engine.inputs import Input, Sanction
from engine.penalties import UNITS
from engine.state import TableState
from engine.table import Ruling
from engine.view import Due, Legal, PotView, TableView
from engine.wire import Adopt, DealerOn, Result
from firmware_py.journal import Journal
from firmware_py.journal_records import Adopted, DealerTapped, Deed, Entry, Happened, Out, Struck, TableOpened
from firmware_py.replaying import fold, last_command, replay
from firmware_py.standing import Shelf, Standing, at_rest, book_of, check, hand_of, snapshot_of


class Undone(NamedTuple):
    """What became of an undo: `done`, `nothing`, or `director` when it would cross the end of a hand."""

    what: str
    deed: Deed | None = None


class Reducer:
    """The table's state and its journal. Used by the crank alone."""

    def __init__(self, journal: Journal, *, tells_hub: bool = True) -> None:
        """Stands where the last committed deed left the table; without a hub to tell, the outbox stays empty.

        Raises JournalError, RulebookError, InvariantBroken.
        """
        self._journal = journal
        self._tells_hub = tells_hub
        self._shelf = Shelf()
        kept, entries = journal.history()
        self._standing = replay(self._shelf, kept.state if kept else None, entries).standing
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
        after = self._shelf.opened(opened, self._standing)
        self._journal.commit(at_ms, source, opened, snapshot=snapshot_of(after), meta=meta)
        self._become(after)

    def adopt(self, at_ms: int, adopt: Adopt) -> None:
        """The hub's number for this outbox and this unit's table; committed before anything else is sent.

        The key of the badge hashes is a fact and no deed: who reads an exported journal must not get it.
        """
        meta = {"ep": adopt.ep, "table_no": adopt.table_no, "adopt": adopt}
        self._journal.commit(at_ms, "hub", Adopted(msgspec.structs.replace(adopt, badge_key="")), meta=meta)

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
        book = book_of(before)
        ruling = table.decide(before.state, what, book, at_ms)
        if ruling.outcome == "refused":
            if result is not None:
                result = msgspec.structs.replace(result, rc="refused", why=ruling.refusal or "")
            if result is not None or meta:
                self._journal.note(meta, result)
            return ruling
        after = fold(before, ruling)
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
            snapshot=snapshot_of(after) if ended else None,
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
        target = last_command(entries)
        across = target is None
        if across and not at_rest(self.state):
            return Undone("nothing")
        while kept is not None and hand_of(kept.state) >= hand:  # back to where this hand's story begins
            kept, entries = self._journal.history(before=kept.n)
        target = target or last_command(entries)
        if target is None:
            return Undone("nothing")
        if across and not director:
            return Undone("director")
        snapshot = kept.state if kept else None
        told = replay(self._shelf, snapshot, entries).bodies
        untouched = Struck(target.n, hand, self._standing.rev(hand), since=kept.n if kept else 0)
        struck = msgspec.structs.replace(untouched, rev=untouched.rev + 1)
        this = Entry(self._journal.entries + 1, self._journal.boot, at_ms, source, struck)
        after, tell, happened = replay(self._shelf, snapshot, [*entries, this])
        again = [body for number, body in tell if number == hand]
        if again == [body for number, body in told if number == hand]:
            struck, again = untouched, []  # the hub never heard of what is struck
            after = after._replace(revs=self._standing.revs)
        after_view = table.view(after.state, book_of(after))
        self._journal.commit(
            at_ms,
            source,
            struck,
            seen=_seen(after_view),
            events=happened,
            out=self._told([Out(hand, struck.rev, body) for body in again]),
            snapshot=snapshot_of(after) if at_rest(after.state) else None,
            forget_snapshots_from=target.n if across else None,
        )
        self._become(after)
        return Undone("done", target.deed)

    # --- inside

    def _told(self, out: list[Out]) -> list[Out]:
        return out if self._tells_hub else []

    def _become(self, after: Standing) -> None:
        self._standing = after
        self._refresh()

    def _refresh(self) -> None:
        book = self._standing.book
        self._view = table.view(self._standing.state, book or self._shelf.book("tda"))
        self._legal = table.legal(self._standing.state, book) if book else None


def ruling_text(ruling: Ruling) -> str:
    """A ruling in the words of the hand scripts, with its articles: `ruled:call 100 [tda:42]`."""
    outcome = ruling.outcome
    if ruling.ruled is not None:
        outcome = f"ruled:{ruling.ruled}" + ("" if ruling.amount is None else f" {ruling.amount}")
    return " ".join((outcome, *(f"[{article}]" for article in ruling.articles)))


def _seen(view: TableView) -> frozenset[str]:
    """The cards that lie open on the table."""
    return frozenset(view.board).union(*(seat.shown for seat in view.seats))
