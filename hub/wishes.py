"""What the hub has told its tables to do, and what they answered.

A command is known by its key, which says what it is for (`seat:p7`, `hold:3`); under one key the newest counts. It is
asked for with `ask`, which gives a `Wish` as long as there is something to send: not while it is under way, not once it
is done. One that was refused is sent anew up to `MAX_REFUSALS` times; then it is given up and a person must look
(`alarms`). One that is about a hand that is over is stale, and waits for another hand.

An *order* is what the director asked of one table, once: when the table refuses it nobody tries again, the director is
told why.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from engine import wire
from hub.entries import Commanded
from hub.picture import Alarm

MAX_REFUSALS = 3
"""How often a command is sent anew after a table refused it, before the director is told."""

DONE = "ok"
RULING, ORDER = "floor:", "order:"


class Wish(msgspec.Struct, frozen=True):
    """A command that should go to a table; `hand` is its precondition (0: any)."""

    key: str
    table_no: int
    body: wire.CommandBody
    hand: int = 0


class Sent(msgspec.Struct):
    """The newest command under one key. `rc` is empty until the table answered."""

    id: str
    key: str
    table_no: int
    hand: int
    body: wire.CommandBody
    rc: str = ""
    why: str = ""
    refusals: int = 0

    @property
    def given_up(self) -> bool:
        """Refused so often that it is not sent again."""
        return self.rc == "refused" and (self.refusals >= MAX_REFUSALS or self.key.startswith(ORDER))


class Wishes:
    """All commands of a tournament."""

    def __init__(self) -> None:
        self._sent: dict[str, Sent] = {}
        self._key_of: dict[str, str] = {}
        self._held: dict[int, bool] = {}

    def record(self, entry: Commanded) -> None:
        """A command was given to the hub's outbox."""
        before = self._sent.get(entry.key)
        refusals = before.refusals + (before.rc == "refused") if before else 0
        self._sent[entry.key] = Sent(entry.id, entry.key, entry.table_no, entry.hand, entry.body, refusals=refusals)
        self._key_of[entry.id] = entry.key
        if isinstance(entry.body, wire.Hold):
            self._held[entry.table_no] = entry.body.on

    def retry(self, table_no: int) -> None:
        """What was given up at this table is sent anew."""
        for sent in self.given_up(table_no):
            sent.refusals = 0
            if sent.key.startswith(ORDER):
                sent.rc = "expired"

    def forget(self, table_no: int) -> None:
        """Another unit serves this table now and knows of nothing: what it needs is asked anew.

        What the director decided for the old one is not: the hand it was about is void.
        """
        self._held.pop(table_no, None)
        for key, sent in list(self._sent.items()):
            if sent.table_no != table_no:
                continue
            if key.startswith((RULING, ORDER)):
                sent.rc = DONE
            else:
                del self._key_of[self._sent.pop(key).id]

    def answer(self, command_id: str, rc: str, why: str) -> None:
        """A table answered a command (or its time ran out: `expired`). Unknown ids and old repetitions are nothing."""
        key = self._key_of.get(command_id)
        if key is None or not rc or self._sent[key].id != command_id:
            return
        sent = self._sent[key]
        again = rc == "expired" or (rc == "stale" and sent.hand)
        sent.rc, sent.why = rc if again or rc == DONE else "refused", why or rc
        if isinstance(sent.body, wire.Hold) and rc != DONE:
            self._held.pop(sent.table_no, None)      # what it does now is unknown: say it again

    def ask(self, key: str, table_no: int, body: wire.CommandBody, hand: int = 0) -> Wish | None:
        """A command, unless it is under way, done, or refused too often. A stale one waits for another hand."""
        sent = self._sent.get(key)
        if sent is not None and (
            sent.rc in ("", DONE) or sent.given_up or (sent.rc == "stale" and sent.hand == hand)
        ):
            return None
        return Wish(key, table_no, body, hand)

    def hold(self, table_no: int, why: str) -> Wish | None:
        """Keeps a table held (because of `why`), or free; nothing if it is so already or the last word is under way."""
        key = f"hold:{table_no}"
        sent = self._sent.get(key)
        if self._held.get(table_no, None if sent else False) == bool(why):
            return None
        if sent is not None and (not sent.rc or sent.given_up):
            return None                              # one word at a time; or the director was told
        return Wish(key, table_no, wire.Hold(bool(why), why))

    def rc(self, key: str) -> str | None:
        """What became of the newest command under this key: None, never sent; empty, under way; else the answer."""
        sent = self._sent.get(key)
        return None if sent is None else sent.rc

    def unanswered(self) -> list[str]:
        """Ids of the commands that still wait for their table's word."""
        return [sent.id for sent in self._sent.values() if not sent.rc]

    def given_up(self, table_no: int = 0) -> list[Sent]:
        """What a table (0: any) keeps refusing. Of the director's orders only the last one to each table counts."""
        orders = {sent.table_no: sent for sent in self._sent.values() if sent.key.startswith(ORDER)}
        return [
            sent for sent in self._sent.values()
            if sent.given_up and table_no in (0, sent.table_no)
            and (not sent.key.startswith(ORDER) or orders[sent.table_no] is sent)
        ]  # fmt: skip

    def alarms(self, names: Mapping[str, str]) -> list[Alarm]:
        """What a person must look at; `names`: player -> name."""
        return [_alarm(sent, names) for sent in self.given_up()]


def _alarm(sent: Sent, names: Mapping[str, str]) -> Alarm:
    why = sent.why or sent.rc
    match sent.body:
        case wire.SeatPlayer(seat=seat, name=name, player=player):
            return Alarm("no_seat", sent.table_no, seat=seat, name=name or player, why=why)
        case wire.UnseatPlayer(seat=seat, player=player):
            return Alarm("no_leave", sent.table_no, seat=seat, name=names.get(player, player), why=why)
        case _:
            return Alarm("refused", sent.table_no, name=type(sent.body).__name__, why=why)
