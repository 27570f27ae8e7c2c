"""A hub without tournament and pages: the real store and ingest. A process of its own.

`python -m tests.room.light_hub SPEC`, SPEC a JSON object as `Spec`. It adopts every unit it hears of, and for every
player who is out it sends a new one to the same seat. The event, the command and the place it has read up to are one
transaction, so that each elimination is followed exactly once.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from pathlib import Path

import msgspec

from drivers.mqtt_link import Address
from engine import wire
from hub.ingest import Ingest, hub_link
from hub.records import Standing, StoredEvent, UnitStatus
from hub.signing import Signer
from hub.store import Store


class Spec(msgspec.Struct):
    """Where it keeps what, and where its broker is."""

    site: str
    broker: str
    directory: str
    refill: bool = True


class LightHub:
    """Store and ingest. `close` ends both."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.store = Store(Path(spec.directory) / "hub.sqlite")
        self.link = hub_link(Address.parse(spec.broker), spec.site, self.store.epoch)
        self.link.settings = msgspec.structs.replace(self.link.settings, reconnect_first_s=0.1, reconnect_cap_s=1.0)
        self.ingest = Ingest(
            self.store, self.link, self._committed, site=spec.site, signer=Signer.at(Path(spec.directory) / "hub.key"),
            on_unit=self._unit,
        )  # fmt: skip
        with self.store.transaction() as db:
            db.execute("CREATE TABLE IF NOT EXISTS followed(k INTEGER PRIMARY KEY, cursor INTEGER)")
            db.execute("INSERT OR IGNORE INTO followed VALUES(1, 0)")
        self._committed([])  # what was committed and not followed before the last end

    def start(self) -> None:
        self.ingest.start()

    def close(self) -> None:
        self.ingest.stop()
        self.store.close()

    def _unit(self, unit: str) -> None:
        known = self.store.register.of(unit)
        if known is not None and known.status is UnitStatus.SEEN:
            self.store.register.adopt(unit, 1 + len([u for u in self.store.register.all() if u.table_no]))

    def _committed(self, _: list[StoredEvent]) -> None:
        with self.store.transaction() as db:
            (cursor,) = db.execute("SELECT cursor FROM followed").fetchone()
            while events := self.store.events_after(cursor):
                for event in events:
                    if self.spec.refill and event.standing is Standing.OK and isinstance(event.body, wire.Eliminated):
                        self._refill(event, event.body)
                cursor = events[-1].cursor
            db.execute("UPDATE followed SET cursor=?", (cursor,))

    def _refill(self, event: StoredEvent, out: wire.Eliminated) -> None:
        new = f"{event.envelope.unit}-n{event.cursor}"
        self.store.commands.send(
            event.envelope.unit, wire.SeatPlayer(out.seat, new, new.title(), 1000, "new"), expires_ms=600_000
        )


def main() -> None:
    """The process."""
    logging.basicConfig(level=logging.INFO, format="%(relativeCreated)d %(message)s")
    hub = LightHub(msgspec.json.decode(sys.argv[1], type=Spec))
    asked = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked.set())
    hub.start()
    while not asked.wait(0.1):
        if not hub.ingest.alive:
            sys.exit(1)
    hub.close()


if __name__ == "__main__":
    main()
