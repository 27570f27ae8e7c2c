"""The outbox on its way: which events are sent, which the hub has, and when to go back.

Events go out in order of their `seq`, at most `wire.WINDOW` above the hub's watermark. Only a watermark of the own
outbox number (`ep`) counts; a broker's PUBACK proves nothing. The sender goes back to the watermark on connect, on a
new hub epoch, when the hub asks and after `STALL_S` without progress; going back twice in a row, it sends one event a
message, so that a bad one is told from its neighbours. For the uplink's thread alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Protocol

from engine import wire

log = logging.getLogger(__name__)

STALL_S = 2.0  # without progress of the watermark: go back
REBUILD_S = 15.0  # the hub answers time queries and acknowledges nothing: the connection is built anew
REBUILD_EVERY_S = 60.0


class Outbox(Protocol):
    """What the uplink reads of the journal, from its own thread."""

    boot: int
    ep: int

    def outbox_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """(seq, envelope) of up to `limit` unacknowledged events above `seq`."""

    def outbox_depth(self) -> tuple[int, int, int]:
        """(first unacknowledged seq or 0, last seq ever given, age of the first in ms)."""


class Sender:
    """Sends what `outbox` holds. `publish(payload)` puts a message on its way, False: not now. Times are monotonic.

    `sent` is the newest seq under way, `acked` the hub's watermark.
    """

    def __init__(self, outbox: Outbox, publish: Callable[[bytes], bool]) -> None:
        self._outbox = outbox
        self._publish = publish
        self.ep = 0
        self.acked = 0
        self.sent = 0
        self._progress_s = 0.0  # of the watermark, or the last going back
        self._acked_s = 0.0
        self._backs = 0  # times gone back without progress
        self._rebuilt_s = 0.0

    def renewed(self, now_s: float) -> bool:
        """The outbox has got its number, or a new one: begin at its first event. False: it has the one it had."""
        if self._outbox.ep == self.ep:
            return False
        first, last, _ = self._outbox.outbox_depth()
        self.ep = self._outbox.ep
        self.acked = self.sent = first - 1 if first else last
        self._progress_s = self._acked_s = now_s
        self._backs, self._rebuilt_s = 0, 0.0
        return True

    def go_back(self, now_s: float) -> None:
        """Send again from the watermark on."""
        self.sent = self.acked
        self._progress_s = now_s

    def acknowledged(self, ack: wire.Ack, now_s: float) -> bool:
        """The hub has everything up to this watermark. False: it means another outbox, or events that are not here."""
        if ack.ep != self.ep or not self.ep:
            return False
        _, last, _ = self._outbox.outbox_depth()
        if ack.wm > last:
            log.error("uplink: the hub has event %d, this outbox ends at %d: is this an old card?", ack.wm, last)
            return False
        if ack.wm > self.acked:
            self.acked, self.sent, self._backs = ack.wm, max(self.sent, ack.wm), 0
            self._progress_s = self._acked_s = now_s
        return True

    def asked_again(self, asked: wire.Resync, now_s: float) -> None:
        """The hub misses events from there on."""
        if asked.ep == self.ep and self.acked < asked.since <= self.sent:
            self.sent = asked.since - 1
            self._progress_s = now_s

    def stalls_at_s(self) -> float:
        """When the sender will go back if nothing moves; infinity while nothing is under way."""
        return self._progress_s + STALL_S if self.sent > self.acked else float("inf")

    def pump(self, now_s: float) -> bool:
        """Sends what the window allows; goes back when nothing has moved.

        False: the hub is there and has acknowledged nothing for `REBUILD_S`; the connection should be built anew.
        """
        if not self.ep:
            return True
        if self.sent > self.acked and now_s - self._progress_s > STALL_S:
            self._backs += 1
            self.go_back(now_s)
            if now_s - self._acked_s > REBUILD_S and now_s - self._rebuilt_s > REBUILD_EVERY_S:
                self._rebuilt_s = now_s
                return False
        room = self.acked + wire.WINDOW - self.sent
        if room <= 0:
            return True
        if self.sent == self.acked:
            self._progress_s = now_s
            self._acked_s = max(self._acked_s, now_s) if not self._backs else self._acked_s
        rows = self._outbox.outbox_after(self.sent, room)
        for batch in batches(rows, 1 if self._backs > 1 else wire.MAX_BATCH):
            payload = batch[0][1] if len(batch) == 1 else b"[" + b",".join(row for _, row in batch) + b"]"
            if not self._publish(payload):
                break
            self.sent = batch[-1][0]
        return True


def batches(rows: list[tuple[int, bytes]], most: int) -> Iterator[list[tuple[int, bytes]]]:
    """The rows in order, cut so that a message holds at most `most` events and `wire.MAX_BATCH_BYTES`."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for row in rows:
        if batch and (len(batch) == most or size + len(row[1]) > wire.MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += len(row[1]) + 1
    if batch:
        yield batch
