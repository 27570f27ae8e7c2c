"""A badge reader that pretends to be a USB keyboard ("wedge"): it types the badge's number and Enter.

Theory of operation. The reader is an input device of the kernel. It is grabbed, or the digits would be typed into
whatever console has the focus, and nobody else reads it. One thread waits for its events, `WedgeDecoder` makes lines of
them, and a line is a badge. USB checks what it carries, so one line counts; a badge that is held and typed again is one
presence. A lost device is opened again after 50 ms, doubling up to 1 s.

Most of these readers print the 32-bit number of an EM4100 badge as ten decimal digits; some print eight, some
hexadecimal ones, some in another order. So a badge has another number here than at an RDM6300, and is enrolled at the
reader at which it will be used. `digits` says how what is typed is read.

Needs the extra `evdev` (python-evdev). The name should be stable: /dev/input/by-id/... or by-path/...
"""

from __future__ import annotations

import contextlib
import logging
import select
import time
from collections.abc import Callable, Iterable
from typing import Literal, Protocol

from drivers.badge import Presence
from drivers.guarded import Listening
from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp, Noise, Post
from drivers.serial_line import BACKOFF_MAX_S, BACKOFF_MIN_S, kind_of

log = logging.getLogger(__name__)

Digits = Literal["decimal", "hex"]

EV_KEY = 1                       # linux/input-event-codes.h, as are the codes below
KEY_DOWN = 1
ENTERS = frozenset({28, 96})     # Enter, and Enter of the keypad
CHARACTERS = {
    2: "1", 3: "2", 4: "3", 5: "4", 6: "5", 7: "6", 8: "7", 9: "8", 10: "9", 11: "0",
    71: "7", 72: "8", 73: "9", 75: "4", 76: "5", 77: "6", 79: "1", 80: "2", 81: "3", 82: "0",
    30: "A", 48: "B", 46: "C", 32: "D", 18: "E", 33: "F",
}  # fmt: skip
SILENT_KEYS = frozenset({42, 54, 69})        # shifts and NumLock, which some readers press around a digit
LINE_CHARACTERS = 20
LINE_WITHIN_S = 1.0              # a reader types a number in a few hundredths of a second
TECHNOLOGY = "wedge"
HINTS = {
    ErrorKind.GONE: "nothing at {path}; plug the reader in",
    ErrorKind.BUSY: "another program has grabbed {path}; stop it",
    ErrorKind.DENIED: "no right to open {path}; add this user to the group input",
    ErrorKind.SETTINGS: "{path} cannot be grabbed; is it an input device?",
}


class KeyEvent(Protocol):
    """An event as python-evdev's `InputEvent` has it."""

    @property
    def type(self) -> int:
        """EV_KEY is 1."""
        ...

    @property
    def code(self) -> int:
        """Which key."""
        ...

    @property
    def value(self) -> int:
        """0 up, 1 down, 2 repeated by the kernel."""
        ...


class EventSource(Protocol):
    """An input device as python-evdev's `InputDevice` is one."""

    def fileno(self) -> int:
        """For poll(2)."""
        ...

    def grab(self) -> None:
        """Nobody else gets its events. **Raises** OSError if somebody else has it."""
        ...

    def read(self) -> Iterable[KeyEvent]:
        """The events that wait. **Raises** OSError when the device is gone."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...


def open_evdev(path: str) -> EventSource:
    """The kernel's input device at `path`. **Raises** OSError, and ImportError without the extra `evdev`."""
    from evdev import InputDevice

    device: EventSource = InputDevice(path)
    return device


class WedgeDecoder:
    """Makes badge numbers of key events. Holds less than one line."""

    def __init__(self, digits: Digits = "decimal") -> None:
        self._digits = digits
        self._line = ""
        self._beyond = 0         # characters of this line that no number has: it is none, to its end
        self._begun_s = 0.0
        self.noise = 0           # keys so far that belong to no number

    def key(self, event: KeyEvent, now_s: float) -> str:
        """The number (upper-case hex) that this event completes, else "". A line takes a second at most."""
        if event.type != EV_KEY or event.value != KEY_DOWN or event.code in SILENT_KEYS:
            return ""
        if self._line and now_s - self._begun_s > LINE_WITHIN_S:
            self._drop()
        if event.code in ENTERS:
            number = "" if self._beyond else _number(self._line, self._digits)
            if number:
                self._line = ""
            else:
                self._drop()
                self.noise += 1
            return number
        if event.code not in CHARACTERS:
            self._drop()
            self.noise += 1
            return ""
        if not self._line:
            self._begun_s = now_s
        if len(self._line) < LINE_CHARACTERS:
            self._line += CHARACTERS[event.code]
        else:
            self._beyond += 1
            self.noise += 1
        return ""

    def _drop(self) -> None:
        self.noise += len(self._line)
        self._line, self._beyond = "", 0


def _number(line: str, digits: Digits) -> str:
    """What was typed, as upper-case hex of whole bytes; "" if it is no badge's number (at least 32 bits, 8 digits)."""
    if digits == "hex":
        return line if len(line) >= 8 and len(line) % 2 == 0 else ""
    if not line.isdigit() or len(line) < 8:
        return ""
    number = int(line)
    return number.to_bytes(max(4, (number.bit_length() + 7) // 8)).hex().upper()


class WedgeReader(Listening):
    """A wedge: `start()`, then `post` gets BadgeRead, InputDown, InputUp, Noise."""

    def __init__(
        self,
        path: str,
        post: Post,
        *,
        digits: Digits = "decimal",
        name: str = "badge",
        open_source: Callable[[str], EventSource] = open_evdev,
    ) -> None:
        """`path`: a stable name; `open_source`: how its events are got."""
        super().__init__(f"{name}-wedge")
        self._path = path
        self._post = post
        self._digits: Digits = digits
        self._name = name
        self._open_source = open_source
        self._presence = Presence(twice=False)
        self._up: bool | None = None                 # None: nothing was posted yet

    @property
    def up(self) -> bool:
        """Is the reader there?"""
        return self._up is True

    # --- the thread

    def _run(self) -> None:
        backoff_s = BACKOFF_MIN_S
        while not self._stopping.is_set():
            try:
                source = self._open_source(self._path)
            except OSError as trouble:
                self._lose(trouble)
            else:
                try:
                    source.grab()
                    backoff_s = BACKOFF_MIN_S
                    self._serve(source)
                except OSError as trouble:
                    self._lose(trouble)
                finally:
                    with contextlib.suppress(OSError):
                        source.close()
            self._stopping.wait(backoff_s)
            backoff_s = min(2 * backoff_s, BACKOFF_MAX_S)

    def _serve(self, source: EventSource) -> None:
        """Listen until stopped. **Raises** OSError when the device is gone."""
        if self._up is not True:
            self._up = True
            self._post(InputUp(self._name), time.monotonic_ns())
        decoder = WedgeDecoder(self._digits)
        noise_told = 0
        poller = select.poll()
        poller.register(source.fileno(), select.POLLIN)
        poller.register(self._wake_read, select.POLLIN)
        while not self._stopping.is_set():
            poller.poll()
            if self._stopping.is_set():
                return
            for event in source.read():
                at_ns = time.monotonic_ns()
                number = decoder.key(event, at_ns / 1e9)
                if number and self._presence.frame(number, at_ns / 1e9):
                    self._post(BadgeRead(self._name, number, TECHNOLOGY), at_ns)
            if decoder.noise > noise_told:
                self._post(Noise(self._name, decoder.noise - noise_told), time.monotonic_ns())
                noise_told = decoder.noise

    def _lose(self, trouble: OSError) -> None:
        if self._up is not False:
            self._up = False
            kind = kind_of(trouble)
            log.warning("%s: %s: %s (%s)", self._name, self._path, kind.value, trouble)
            words = HINTS.get(kind, HINTS[ErrorKind.GONE]).format(path=self._path)
            self._post(InputDown(self._name, kind, f"{self._name}: {words}"), time.monotonic_ns())
