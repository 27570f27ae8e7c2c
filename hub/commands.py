"""Commands on their way to the tables: the hub's own outbox."""

from __future__ import annotations

import secrets

from engine import wire
from hub.database import Database
from hub.hubtime import NowMs
from hub.records import CommandStatus

KEPT_COMMANDS = 50_000


class CommandOutbox:
    """Each unit gets its commands one at a time, in order, until it answers or the command expires."""

    def __init__(self, database: Database, now_ms: NowMs) -> None:
        self._database = database
        self._now_ms = now_ms

    def send(
        self,
        unit: str,
        body: wire.CommandBody,
        when: wire.Precondition = wire.Precondition(),  # noqa: B008 - frozen
        expires_ms: int = 30_000,
    ) -> str:
        """Puts a command for `unit` into the hub's own outbox and gives its id.

        Each unit gets its commands one at a time, in this order, each repeated until it answers or `expires_ms` of hub
        time have passed. Inside `transaction` it is sent only if that commits.
        """
        with self._database.transaction() as db:
            command = f"c-{self._database.epoch}-{secrets.token_hex(6)}"
            k = db.execute(
                "INSERT INTO commands(id, unit, hand, exp_ms, body) VALUES(?,?,?,?,?)",
                (command, unit, when.hand, int(self._now_ms()) + expires_ms, wire.encode(body)),
            ).lastrowid
            db.execute("DELETE FROM commands WHERE rc<>'' AND k<=?", ((k or 0) - KEPT_COMMANDS,))
        self._database.tell_outgoing()
        return command

    def status(self, command: str) -> CommandStatus | None:
        """The fate of one command."""
        row = self._database.read().execute(
            "SELECT id, unit, hand, exp_ms, body, rc, why, tries FROM commands WHERE id=?", (command,)
        ).fetchone()
        return None if row is None else CommandStatus(*row)

    def open(self) -> list[CommandStatus]:
        """The oldest unanswered command of each unit."""
        rows = self._database.read().execute(
            "SELECT id, unit, hand, exp_ms, body, rc, why, tries FROM commands"
            " WHERE k IN (SELECT min(k) FROM commands WHERE rc='' GROUP BY unit)"
        )
        return [CommandStatus(*row) for row in rows]

    def tried(self, command: str) -> None:
        """Notes that a command was sent (again)."""
        with self._database.transaction() as db:
            db.execute("UPDATE commands SET tries=tries+1 WHERE id=?", (command,))

    def answered(self, unit: str, result: wire.Result) -> CommandStatus | None:
        """Notes a command's result; None if it is no open command of this unit."""
        with self._database.transaction() as db:
            row = db.execute(
                "UPDATE commands SET rc=?, why=? WHERE id=? AND unit=? AND rc=''"
                " RETURNING id, unit, hand, exp_ms, body, rc, why, tries",
                (result.rc or "refused", result.why, result.id, unit),
            ).fetchone()
        return None if row is None else CommandStatus(*row)
