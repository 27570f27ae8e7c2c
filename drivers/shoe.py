"""The card shoe on a serial line: what it reports, each event once and in order, across unplugs and restarts.

Theory of operation. The line's thread feeds bytes to the codec (`drivers.shoe_codec`: one for each protocol) and posts
what comes out. Where the shoe keeps its events, one is acknowledged only when `committed` is called, that is when it is
on disk; a shoe re-sends what is not acknowledged, so an event that was read but never stored comes again after a
restart, and one that was stored does not. What a shoe cannot prove is in `caps`, for whoever must ask a person instead.

A shoe is *up* when its codec says that it is heard; where there is no heartbeat, when its line is open. `InputDown` and
`InputUp` come in turns: once when the shoe is lost, for whatever reason, and once when it is back.
"""

from __future__ import annotations

import threading
import time

from drivers.seen import ErrorKind, InputDown, InputUp, Noise, Post, Seen
from drivers.serial_line import SerialLine, hint
from drivers.shoe_codec import Caps, Lock, NewDeck, ShoeCodec, ShoeCommand

SILENT_S = 3.0                   # a shoe that was not heard for so long is lost
NOISE_EVERY_S = 1.0              # at most one report of noise in so long


class Shoe:
    """A card shoe: `start()`, then `post` gets the records of `drivers.seen` that derive from FromShoe."""

    def __init__(self, port: str, codec: ShoeCodec, post: Post, *, baud: int = 0, name: str = "shoe") -> None:
        """`port`: a stable path; `baud`: 0 is the protocol's own."""
        self._port = port
        self._post = post
        self._name = name
        self._codec = codec
        self._codec_lock = threading.Lock()          # the codec is fed by the line's thread and told by the storing one
        self._open = False
        self._up: bool | None = None                 # None: nothing was posted yet
        self._opened_s = 0.0
        self._noise_told = 0                         # bytes of noise on this open line that were posted
        self._noise_next_s = 0.0
        self._line = SerialLine(port, baud or codec.line.baud, self, name)

    @property
    def caps(self) -> Caps:
        """What the shoe can prove."""
        return self._codec.caps

    def start(self) -> None:
        """Begin to listen."""
        self._line.start()

    def stop(self) -> None:
        """Close the line; nothing is posted afterwards."""
        self._line.stop()

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

    @property
    def up(self) -> bool:
        """Is the shoe there, and heard?"""
        return self._up is True

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._line.failure

    def _command(self, command: ShoeCommand) -> bool:
        with self._codec_lock:
            data = self._codec.encode(command)
            if data is None or not self._open:
                return False
            return not data or self._line.send(data)

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """A new conversation: half a frame from before never meets half a frame from after."""
        now_s = at_ns / 1e9
        with self._codec_lock:
            self._open = True
            self._opened_s, self._noise_told, self._noise_next_s = now_s, 0, now_s
            first = self._codec.opened(now_s)
        return first + self._turn(b"", at_ns)

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Bytes of the shoe."""
        return self._turn(data, at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Silence, at least every 100 ms."""
        return self._turn(b"", at_ns)

    def _turn(self, data: bytes, at_ns: int) -> bytes:
        """Feed the codec, then post outside of the lock: whoever stores may wait for it in `committed`."""
        now_s, codec = at_ns / 1e9, self._codec
        with self._codec_lock:
            reports: list[Seen] = [*codec.feed(data, now_s), *codec.tick(now_s)]
            answer = codec.to_send(now_s)
            alive, noise, noise_since_heard = codec.alive, codec.noise, codec.noise_since_heard
        if alive and self._up is not True:
            self._up = True
            self._post(InputUp(self._name), at_ns)
        for report in reports:
            self._post(report, at_ns)
        if not alive and now_s - self._opened_s > SILENT_S:
            kind = ErrorKind.NOISE if noise_since_heard else ErrorKind.SILENT
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
            self._open = False
        self._lose(kind, hint, at_ns)

    def _lose(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        if self._up is not False:
            self._up = False
            self._post(InputDown(self._name, kind, hint), at_ns)
