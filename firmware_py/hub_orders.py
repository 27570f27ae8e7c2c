"""What the hub wants of the table: its adoption, and commands, each done once however often it comes.

A command is checked (its number, the hand it was meant for, whether it can be meant for this table), put through the
same rules as a press, and its result is on disk together with what it did. A repeat is answered with that result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum, auto

from engine import wire
from engine.inputs import (
    Arrival,
    Departure,
    DodgedBlinds,
    FloorDecides,
    HoldPlay,
    Input,
    LeaveSeat,
    PlaceButton,
    RaceChips,
    SitDown,
)
from engine.rulebook import RulebookError
from engine.wire import (
    Adopt,
    CommandBody,
    FloorRuling,
    Hold,
    HubCommand,
    Result,
    SeatPlayer,
    SetButton,
    UnseatPlayer,
    decode_command,
)
from firmware_py.journal import Journal
from firmware_py.journal_records import TableOpened, kept_name
from firmware_py.reducer import Reducer
from firmware_py.standing import at_rest

log = logging.getLogger(__name__)


class Adoption(Enum):
    """What an adoption made of the table."""

    KNOWN = auto()      # it is the one in force, or an older one
    OPENED = auto()     # the table was opened as the hub wants it
    KEPT = auto()       # the table is as the hub wants it, or players sit at another one
    BAD_BOOK = auto()   # the hub wants a rulebook that this table cannot use


class HubOrders:
    """Obeys the hub. `put(at_ms, source, input, ...)` has one engine input decided, written and shown."""

    def __init__(self, reducer: Reducer, journal: Journal, put: Callable[..., object]) -> None:
        self._reducer = reducer
        self._journal = journal
        self._put = put

    def adopt(self, at_ms: int, adopt: Adopt) -> Adoption:
        """The hub's number for the outbox, and the table it wants; an open table with players is left as it is."""
        known = self._journal.meta("adopt", Adopt)
        if known is not None and adopt.rev <= known.rev:
            return Adoption.KNOWN
        self._reducer.adopt(at_ms, adopt)
        state = self._reducer.state
        same = (self._reducer.book_name, state.size, state.chip) == (adopt.book, adopt.size, adopt.chip)
        if not self._reducer.opened or (not same and not self._reducer.view.seats and at_rest(state)):
            try:
                self._reducer.open_table(at_ms, "hub", TableOpened(adopt.book, adopt.size, adopt.chip))
            except RulebookError as trouble:
                log.error("the hub wants a rulebook this table cannot use: %s", trouble)  # noqa: TRY400 - for people
                return Adoption.BAD_BOOK
            return Adoption.OPENED
        if not same:
            log.warning(
                "the hub wants %s with %d seats and chips of %d, but players sit at a table of %s with %d seats and "
                "chips of %d: play that to its end, or stop this unit, move its data_dir away and start it again",
                adopt.book, adopt.size, adopt.chip, self._reducer.book_name, state.size, state.chip,
            )  # fmt: skip
        return Adoption.KEPT

    def obey(self, at_ms: int, command: HubCommand) -> Result:
        """The answer to a command: done once, answered as often as it comes."""
        return self._journal.result_of(command.id) or self._done(at_ms, command)

    def _done(self, at_ms: int, command: HubCommand) -> Result:
        """Do it or say why not; the result is on disk when this returns."""
        last = self._journal.meta("hub_n", tuple[int, int]) or (0, 0)
        order = {"hub_n": (command.hub, command.n)}
        body = decode_command(command)
        hand = self._reducer.view.hand
        if (command.hub, command.n) <= last:
            refused = Result(command.id, "stale", f"command {command.n} after {last[1]}")
        elif command.when.hand and command.when.hand != hand:
            refused = Result(command.id, "stale", f"hand {hand}, not {command.when.hand}")
        elif body is None:
            refused = Result(command.id, "unknown")
        elif not self._reducer.opened:
            refused = Result(command.id, "refused", "not_running")
        elif (fault := self._fault_of(body)) != "":
            refused = Result(command.id, "refused", fault)
        else:
            self._put(
                at_ms, "hub", _input_of(body), cause=command.id, result=Result(command.id, "ok"), meta=order
            )
            done = self._journal.result_of(command.id)
            assert done is not None, "a command without a result"
            return done
        self._journal.note(order if refused.rc != "stale" else None, refused)
        return refused

    def _fault_of(self, body: CommandBody) -> str:
        """Why a command cannot be meant for this table as it is; "" if it can."""
        if isinstance(body, UnseatPlayer | wire.DodgedBlinds):
            here = {seat.seat: seat.player for seat in self._reducer.view.seats}
            return "" if here.get(body.seat) == body.player else "not_seated"
        return ""


def _input_of(body: CommandBody) -> Input:
    """The engine's input for a command of the hub."""
    match body:
        case SeatPlayer(seat, player, name, stack, why, misses, banned_ms):
            arrival = Arrival(why) if why in set(Arrival) else Arrival.NEW
            return SitDown(seat, player, stack, kept_name(name), arrival, misses, banned_ms)
        case UnseatPlayer(seat, _, why):
            return LeaveSeat(seat, Departure(why) if why in set(Departure) else Departure.MOVED)
        case SetButton(seat, small_blind, big_blind):
            return PlaceButton(seat, small_blind, big_blind)
        case Hold(on, why):
            return HoldPlay(on, why)
        case FloorRuling(what, text):
            return FloorDecides(what, text)
        case wire.RaceChips(old, new, rounds, small_blind):
            return RaceChips(old, new, rounds, small_blind)
        case wire.DodgedBlinds(seat, _, small_blind, big_blind):
            return DodgedBlinds(seat, small_blind, big_blind)
