"""A table unit without panel and rules: the real journal, inbox and uplink around a plan. A process of its own.

`python -m tests.room.light_table SPEC`, SPEC a JSON object as `Spec`. It plays until it is killed or told to stop
(SIGTERM), and goes on where its journal ends. While a file `rest` lies in its directory nobody presses.
"""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path

import msgspec

from drivers.mqtt_link import Address
from drivers.seen import KeyPressed
from engine import wire
from engine.inputs import NextHand
from engine.view import Due, Street, TableView
from firmware_py.inbox import Inbox, LinkAcked, LinkAdopted, LinkCommand, LinkDown, LinkUp, Stop, monotonic_ms
from firmware_py.journal import Journal
from firmware_py.journal_reading import read_lines
from firmware_py.journal_records import Adopted, Happened, Out
from firmware_py.reports import Picture
from firmware_py.sealing import Sealer
from firmware_py.uplink import Uplink, unit_link
from tests.room import plan

REST = "rest"


class Spec(msgspec.Struct):
    """What to play and where."""

    unit: str
    site: str
    broker: str
    directory: str
    every_ms: int = 40
    cap_s: float = 1.0
    command_key: str = ""


class Truth(msgspec.Struct, frozen=True):
    """One public event as the journal keeps it for ever."""

    hand: int
    hand_rev: int
    kind: str
    body: str  # JSON


def truth(directory: str | Path) -> list[Truth]:
    """Every event the journal ever committed for the hub, in order: the n-th has seq n."""
    found: list[Truth] = []
    for line in read_lines(Path(directory) / "journal.sqlite"):
        found += [msgspec.json.decode(happened.event, type=Truth) for happened in line.events]
    return found


class LightTable:
    """Journal, inbox, uplink and a crank. `play` runs the crank in the calling thread."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.journal = Journal(spec.directory, spec.unit, Sealer(bytes(32), kept=False))
        self.inbox = Inbox()
        self.adopt = self.journal.meta("adopt", wire.Adopt)
        link = unit_link(Address.parse(spec.broker), spec.site, spec.unit)
        link.settings = msgspec.structs.replace(link.settings, reconnect_first_s=0.1, reconnect_cap_s=spec.cap_s)
        self.link = link
        self.uplink = Uplink(
            link, self.journal, lambda what: self.inbox.post("hub", what), unit=spec.unit, site=spec.site,
            adopt=self.adopt, command_key=spec.command_key,
        )  # fmt: skip
        self.resting = False  # online, but nobody presses
        self.rest = Path(spec.directory) / REST
        self.players = {seat: f"{spec.unit}-p{seat}" for seat in range(1, plan.SEATS + 1)}
        self.hand = 0
        self.rev = 0
        self.steps: list[list[Out]] = []
        self.news: list[object] = []  # LinkUp and LinkDown, as they came
        self.commands: list[wire.HubCommand] = []
        self._resume()

    def play(self) -> None:
        """Turns the crank until `Stop`."""
        self.uplink.start()
        next_ms = monotonic_ms()
        while True:
            arrived = self.inbox.take(max(0, next_ms - monotonic_ms()) / 1000)
            if arrived is not None and isinstance(arrived.what, Stop):
                break
            if arrived is not None:
                self.heard(arrived.what)
            elif monotonic_ms() >= next_ms:
                next_ms += self.spec.every_ms
                if not (self.resting or self.rest.exists()):
                    self.step()
        self.uplink.stop()
        self.journal.close()

    def step(self) -> None:
        """One press."""
        while not self.steps:
            self.hand += 1
            self.steps = plan.hand(self.spec.unit, self.hand, dict(self.players))
        out = self.steps.pop(0)
        self.commit(out)
        body = out[-1].body
        if isinstance(body, wire.HandStarted):
            view = TableView(
                self.hand, Street.PREFLOP, Due.ACTION, plan.SEATS, "tda", plan.LEVEL, 1, 1, 2, body.seats, (), ()
            )
            self.uplink.told(Picture(self.hand, self.rev, view))

    def commit(self, out: list[Out], result: wire.Result | None = None) -> None:
        """One transaction; the players follow from what was told."""
        for told in out:
            self._follow(told.body)
            self.rev = told.hand_rev
        standing = {"hand": self.hand, "rev": self.rev, "left": [_plain(step) for step in self.steps]}
        events = [Happened(wire.encode(event)) for event in _plain(out)]
        self.journal.commit(
            monotonic_ms(), "panel", NextHand(), events=events, out=out, result=result,
            meta={**standing, "players": self.players},
        )  # fmt: skip
        self.uplink.wake()

    def heard(self, what: object) -> None:
        """What the hub says."""
        match what:
            case KeyPressed():
                self.step()
            case LinkAcked():
                self.journal.acknowledge(what.ep, what.wm)
            case LinkAdopted():
                if self.adopt is None or what.adopt.rev > self.adopt.rev:
                    self.adopt = what.adopt
                    self.journal.commit(
                        monotonic_ms(), "hub", Adopted(what.adopt),
                        meta={"ep": what.adopt.ep, "table_no": what.adopt.table_no, "adopt": what.adopt},
                    )  # fmt: skip
                    self.uplink.adopted(what.adopt)
            case LinkUp() | LinkDown():
                self.news.append(what)
            case LinkCommand():
                self.uplink.result(self._answer(what.command))

    def _answer(self, command: wire.HubCommand) -> wire.Result:
        known = self.journal.result_of(command.id)
        if known is not None:
            return known
        self.commands.append(command)
        if command.when.hand and command.when.hand != self.hand:
            result = wire.Result(command.id, "stale")
            self.journal.note(result=result)
            return result
        body = wire.decode_command(command)
        if not isinstance(body, wire.SeatPlayer):
            result = wire.Result(command.id, "unknown")
            self.journal.note(result=result)
            return result
        if body.seat in self.players or (self.steps and self.steps[0][0].hand_rev != self.rev):
            result = wire.Result(command.id, "refused", "the seat is taken, or the hand is being told again")
            self.journal.note(result=result)
            return result
        result = wire.Result(command.id, "ok")
        came = wire.SeatChanged(body.seat, body.player, body.stack, True, body.why, body.name)
        self.commit([Out(self.hand, self.rev, came, command.id)], result)
        return result

    def _follow(self, body: wire.Body) -> None:
        match body:
            case wire.HandStarted():
                self.players = {seat.seat: seat.player for seat in body.seats}
            case wire.Eliminated():
                self.players.pop(body.seat, None)
            case wire.SeatChanged():
                self.players[body.seat] = body.player
            case _:
                pass

    def _resume(self) -> None:
        """Goes on where the journal ends."""
        self.hand = self.journal.meta("hand", int) or 0
        self.rev = self.journal.meta("rev", int) or 0
        self.players = self.journal.meta("players", dict[int, str]) or self.players
        for step in self.journal.meta("left", list[list[Truth]]) or []:
            self.steps.append(
                [Out(t.hand, t.hand_rev, msgspec.json.decode(t.body, type=wire.BODIES[t.kind])) for t in step]
            )


def _plain(step: list[Out]) -> list[Truth]:
    return [Truth(o.hand, o.hand_rev, wire.kind_of(o.body), wire.encode(o.body).decode()) for o in step]


def main() -> None:
    """The process."""
    logging.basicConfig(level=logging.INFO, format="%(relativeCreated)d %(message)s")
    table = LightTable(msgspec.json.decode(sys.argv[1], type=Spec))
    signal.signal(signal.SIGTERM, lambda *_: table.inbox.post("os", Stop("asked")) and None)
    table.play()


if __name__ == "__main__":
    main()
