"""The card shoe on a serial line: what it reports, each event once and in order, across unplugs and restarts.

Theory of operation. The line's thread feeds bytes to the codec (`drivers.shoe_codec`: one for each protocol) and posts
what comes out. Where the shoe keeps its events, one is acknowledged only when `committed` is called, that is when it is
on disk; a shoe re-sends what is not acknowledged, so an event that was read but never stored comes again after a
restart, and one that was stored does not. What a shoe cannot prove is in `caps`, for whoever must ask a person instead.
"""

from __future__ import annotations

import threading
import time

from drivers.line_device import LineDevice
from drivers.seen import ErrorKind, Post, Seen
from drivers.shoe_codec import Caps, Lock, NewDeck, ShoeCodec, ShoeCommand


class Shoe(LineDevice):
    """A card shoe: `start()`, then `post` gets the records of `drivers.seen` that derive from FromShoe."""

    def __init__(self, port: str, codec: ShoeCodec, post: Post, *, baud: int = 0, name: str = "shoe") -> None:
        """`port`: a stable path; `baud`: 0 is the protocol's own."""
        super().__init__(port, baud or codec.line.baud, post, name)
        self._codec = codec
        self._codec_lock = threading.Lock()          # the codec is fed by the line's thread and told by the storing one
        self._open = False

    @property
    def caps(self) -> Caps:
        """What the shoe can prove."""
        return self._codec.caps

    def committed(self, seq: int, boot: str = "") -> None:
        """Event `seq` of power-up `boot` and all before it are on disk: the shoe may forget them. From any thread."""
        with self._codec_lock:
            self._codec.commit(seq, boot)
            if self._open and (data := self._codec.to_send(time.monotonic())):
                self._line.send(data)

    def new_deck(self, deck: str) -> bool:
        """Another deck, named by 1..32 letters, digits, `_` or `-`, goes into the shoe: every card may come again.

        From any thread. False if the shoe could not be told. **Raises** ValueError for another name.
        """
        return self._command(NewDeck(deck))

    def lock(self, *, locked: bool) -> bool:
        """Lock or unlock the shoe. From any thread. False if it could not be told, or cannot do it."""
        return self._command(Lock(locked))

    def _command(self, command: ShoeCommand) -> bool:
        with self._codec_lock:
            data = self._codec.encode(command)
            if data is None or not self._open:
                return False
            return not data or self._line.send(data)

    # --- the line's thread

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line is gone, and with it what the codec had half read."""
        with self._codec_lock:
            self._open = False
        super().lost(kind, hint, at_ns)

    def _greeting(self, now_s: float) -> bytes:
        with self._codec_lock:
            self._open = True
            return self._codec.opened(now_s)

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        """Feed the codec, then post outside of the lock: whoever stores may wait for it in `committed`."""
        now_s, codec = at_ns / 1e9, self._codec
        with self._codec_lock:
            reports: list[Seen] = [*codec.feed(data, now_s), *codec.tick(now_s)]
            answer = codec.to_send(now_s)
            alive, noise, noise_since_heard = codec.alive, codec.noise, codec.noise_since_heard
        self._heard(alive, at_ns)
        for report in reports:
            self._post(report, at_ns)
        if not alive:
            self._not_heard(ErrorKind.NOISE if noise_since_heard else ErrorKind.SILENT, at_ns)
        self._tell_noise(noise, at_ns)
        return answer
