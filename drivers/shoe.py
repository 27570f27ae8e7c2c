"""The card shoe on a serial line: what it reports, each event once and in order, across unplugs and restarts.

Theory of operation. The line's thread feeds bytes to the codec and posts what comes out. An event is acknowledged to
the shoe only when `committed` is called, that is when it is on disk; a shoe re-sends what is not acknowledged, so an
event that was read but never stored comes again after a restart, and one that was stored does not.

A shoe is *up* when it has said who it is and its heartbeat is heard. `InputDown` and `InputUp` come in turns: once when
the shoe is lost, for whatever reason, and once when it is back.
"""

from __future__ import annotations

import threading
import time

from drivers.osp1 import HEARTBEAT_LOST_S, Ledger, Osp1
from drivers.seen import ErrorKind, InputDown, InputUp, Noise, Post, Seen
from drivers.serial_line import SerialLine, hint

BAUD = 115200
NOISE_EVERY_S = 1.0              # at most one report of noise in so long


class Shoe:
    """A card shoe: `start()`, then `post` gets the records of `drivers.seen` that derive from FromShoe."""

    def __init__(
        self, port: str, post: Post, last: tuple[str, int] | None = None, *, baud: int = BAUD, name: str = "shoe"
    ) -> None:
        """`last`: the (boot-id, seq) that was stored last, from an earlier run; None if nothing was ever stored."""
        self._port = port
        self._post = post
        self._name = name
        self._ledger = Ledger.after(last)
        self._codec: Osp1 | None = None              # None while the line is closed
        self._codec_lock = threading.Lock()          # the codec is fed by the line's thread and told by the storing one
        self._up: bool | None = None                 # None: nothing was posted yet
        self._opened_s = 0.0
        self._noise_told = 0                         # bytes of noise on this open line that were posted
        self._noise_next_s = 0.0
        self._line = SerialLine(port, baud, self, name)

    def start(self) -> None:
        """Begin to listen."""
        self._line.start()

    def stop(self) -> None:
        """Close the line; nothing is posted afterwards."""
        self._line.stop()

    def committed(self, seq: int, boot: str = "") -> None:
        """Event `seq` of power-up `boot` and all before it are on disk: the shoe may forget them. From any thread."""
        with self._codec_lock:
            if self._codec is None:
                self._ledger.commit(seq, boot)
            else:
                self._codec.commit(seq, boot)
                self._flush(self._codec)

    def new_deck(self, deck: str) -> bool:
        """Another deck, named by 1..32 letters, digits, `_` or `-`, goes into the shoe: every card may come again.

        From any thread. False if the shoe could not be told. **Raises** ValueError for another name.
        """
        with self._codec_lock:
            if self._codec is None:
                self._ledger.forget_cards(None)
                return False
            self._codec.new_deck(deck)
            return self._flush(self._codec)

    def lock(self, *, locked: bool) -> bool:
        """Lock or unlock the shoe. From any thread. False if it could not be told."""
        with self._codec_lock:
            if self._codec is None:
                return False
            self._codec.lock(locked=locked)
            return self._flush(self._codec)

    @property
    def up(self) -> bool:
        """Is the shoe there, and heard?"""
        return self._up is True

    def _flush(self, codec: Osp1) -> bool:
        data = codec.to_send(time.monotonic())
        return not data or self._line.send(data)

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """A new codec over the same ledger: half a frame from before never meets half a frame from after."""
        now_s = at_ns / 1e9
        with self._codec_lock:
            self._codec = Osp1(self._ledger, now_s)
            self._opened_s, self._noise_told, self._noise_next_s = now_s, 0, now_s
            return self._codec.to_send(now_s)

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Bytes of the shoe."""
        return self._turn(data, at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Silence, at least every 100 ms."""
        return self._turn(b"", at_ns)

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        """Feed the codec, then post outside of the lock: whoever stores may wait for it in `committed`."""
        now_s = at_ns / 1e9
        with self._codec_lock:
            codec = self._codec
            if codec is None:
                return b""
            reports: list[Seen] = [*codec.feed(data, now_s), *codec.tick(now_s)]
            answer = codec.to_send(now_s)
            alive, noise = codec.alive, codec.reader.noise
        if alive and self._up is not True:
            self._up = True
            self._post(InputUp(self._name), at_ns)
        for report in reports:
            self._post(report, at_ns)
        if not alive and now_s - self._opened_s > HEARTBEAT_LOST_S:
            kind = ErrorKind.NOISE if codec.noise_since_heard else ErrorKind.SILENT
            self._lose(kind, hint(kind, self._name, self._port), at_ns)
        self._tell_noise(noise, now_s, at_ns)
        return answer

    def _tell_noise(self, noise: int, now_s: float, at_ns: int) -> None:
        if noise > self._noise_told and now_s >= self._noise_next_s:
            self._post(Noise(self._name, noise - self._noise_told), at_ns)
            self._noise_told, self._noise_next_s = noise, now_s + NOISE_EVERY_S

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line is gone, and with it what the codec had half read."""
        with self._codec_lock:
            self._codec = None
        self._lose(kind, hint, at_ns)

    def _lose(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        if self._up is not False:
            self._up = False
            self._post(InputDown(self._name, kind, hint), at_ns)
