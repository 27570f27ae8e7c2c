"""One supervisor for every serial device: opens the line, listens, writes, and comes back after an unplug.

Theory of operation. A `SerialLine` owns one thread and one pyserial port. The thread opens the port (exclusively; DTR
and RTS low, because many boards reset on DTR), tells its `listener`, then waits in poll(2) for bytes, for something to
write, or for the next tick. Whatever goes wrong - pyserial, the kernel and termios each have their own exception for a
cable that is pulled out - the port is closed first, the listener is told what kind of trouble it is, and the thread
tries again after 50 ms, doubling up to 1 s (a line that opens but never gives a byte keeps its place in that sequence).

Paths should be stable names: /dev/serial/by-id/..., /dev/serial/by-path/... or a link made by udev.

Why not `serial.threaded.ReaderThread`: on an unplug while its handler is busy, `in_waiting` raises outside its `try`,
the thread dies and `connection_lost` is never called; and `readline()` costs one system call a byte.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import termios
import threading
import time
from collections import deque
from typing import Protocol

import serial

from drivers.guarded import Listening
from drivers.seen import ErrorKind

log = logging.getLogger(__name__)

BACKOFF_MIN_S = 0.05
BACKOFF_MAX_S = 1.0
TICK_S = 0.1                     # the listener's `tick` comes at least this often while the line is open
WRITE_TIMEOUT_S = 0.5            # a device that takes no byte for so long is treated as lost
WRITE_QUEUE_CHUNKS = 256
READ_CHUNK_BYTES = 4096

# What pyserial 3.5 lets through when a line dies: its own error, the kernel's, termios' (which is no OSError), and the
# TypeError / ValueError of a file descriptor that became None or -1 under its feet.
LINE_ERRORS = (OSError, serial.SerialException, termios.error, TypeError, ValueError)


class LineListener(Protocol):
    """Whoever understands the bytes. All four are called from the line's thread and must not block."""

    def opened(self, at_ns: int) -> bytes:
        """The line is open; what came before is void. Returns what to send first."""
        ...

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Some bytes, cut anywhere. Returns what to answer."""
        ...

    def tick(self, at_ns: int) -> bytes:
        """Time went by. Returns what to send."""
        ...

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:
        """The line cannot be opened, or was lost. Once per outage; `hint` is for the person at the table."""
        ...


class SerialLine(Listening):
    """A serial line that stays up: `start()`, `send()`, `stop()`."""

    def __init__(self, port: str, baud: int, listener: LineListener, name: str) -> None:
        """`port`: path; `baud`: 8N1, no flow control; `name`: the device's, for thread, log and hints."""
        super().__init__(f"{name}-line")
        self._path = port
        self._baud = baud
        self._listener = listener
        self._name = name
        self._outgoing: deque[bytes] = deque()
        self._outgoing_lock = threading.Lock()
        self.tries = 0               # how often the port was opened, or tried to
        self._open = False
        self._proved = False         # the line gave a byte since it was opened: the next outage is a new one

    def send(self, data: bytes) -> bool:
        """Queue `data` for the line, from any thread. False if the line is closed or its queue is full: not sent."""
        with self._outgoing_lock:
            if not self._open or len(self._outgoing) >= WRITE_QUEUE_CHUNKS:
                return False
            self._outgoing.append(data)
            self._wake()
        return True

    @property
    def is_open(self) -> bool:
        """Is the line open at this moment?"""
        return self._open

    # --- the thread

    def _run(self) -> None:
        backoff_s = BACKOFF_MIN_S
        down = False
        while not self._stopping.is_set():
            self.tries += 1
            try:
                port = self._opened_port()
            except LineLostError as lost:
                if not down:
                    self._report(lost)
                    down = True
            else:
                if down:
                    log.info("%s: %s is back", self._name, self._path)
                self._proved = False
                try:
                    self._serve(port)
                    return
                except LineLostError as lost:
                    self._close(port)
                    self._report(lost)
                    down = True
                finally:
                    self._close(port)
                if self._proved:
                    backoff_s = BACKOFF_MIN_S
            self._stopping.wait(backoff_s)
            backoff_s = min(2 * backoff_s, BACKOFF_MAX_S)

    def _report(self, lost: LineLostError) -> None:
        log.warning("%s: %s: %s (%s)", self._name, self._path, lost.kind.value, lost)
        self._listener.lost(lost.kind, hint(lost.kind, self._name, self._path), time.monotonic_ns())

    def _opened_port(self) -> serial.Serial:
        try:
            port = serial.Serial(None, self._baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
            port.port = self._path
            port.dtr = False
            port.rts = False
            port.open()
            _leave_modem_lines(port.fileno())
            port.reset_input_buffer()
        except LINE_ERRORS as error:
            raise LineLostError(error) from error
        return port

    def _close(self, port: serial.Serial) -> None:
        with self._outgoing_lock:
            self._open = False
            self._outgoing.clear()
        try:
            port.close()
        except LINE_ERRORS as error:
            log.debug("%s: close: %s", self._name, error)

    def _serve(self, port: serial.Serial) -> None:
        """Listen until stopped. **Raises** LineLostError; what the listener raises is our mistake, and passes."""
        device = port.fileno()
        poller = select.poll()
        poller.register(device, select.POLLIN)
        poller.register(self._wake_read, select.POLLIN)
        with self._outgoing_lock:
            self._open = True
        self._write(port, self._listener.opened(time.monotonic_ns()))
        next_tick_s = time.monotonic() + TICK_S
        while not self._stopping.is_set():
            wait_s = max(0.0, next_tick_s - time.monotonic())
            ready = [fd for fd, _ in poller.poll(wait_s * 1000)]
            if self._wake_read in ready:
                os.read(self._wake_read, READ_CHUNK_BYTES)
                self._write_queued(port)
            if device in ready:
                self._write(port, self._listener.received(self._read(port), time.monotonic_ns()))
            # A process that was stopped finds its timers over and its line full: first what was said, then the silence.
            if time.monotonic() >= next_tick_s and device not in [fd for fd, _ in poller.poll(0)]:
                self._write(port, self._listener.tick(time.monotonic_ns()))
                next_tick_s = time.monotonic() + TICK_S

    def _read(self, port: serial.Serial) -> bytes:
        try:
            data = port.read(READ_CHUNK_BYTES)
            if not data:
                raise serial.SerialException("hang-up: ready, but not a byte")
        except LINE_ERRORS as error:
            raise LineLostError(error) from error
        self._proved = True
        return data

    def _write_queued(self, port: serial.Serial) -> None:
        with self._outgoing_lock:
            data = b"".join(self._outgoing)
            self._outgoing.clear()
        self._write(port, data)

    @staticmethod
    def _write(port: serial.Serial, data: bytes) -> None:
        if not data:
            return
        try:
            port.write(data)
        except LINE_ERRORS as error:
            raise LineLostError(error) from error


def _leave_modem_lines(device: int) -> None:
    """No hang-up at a close (HUPCL, termios(3)): DTR is what resets many boards with a USB port."""
    settings = termios.tcgetattr(device)
    settings[2] &= ~termios.HUPCL
    termios.tcsetattr(device, termios.TCSANOW, settings)


class LineLostError(Exception):
    """The line cannot be opened or went away; `kind` says how."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.kind = kind_of(cause)


KINDS_BY_ERRNO = {
    errno.EACCES: ErrorKind.DENIED,
    errno.EPERM: ErrorKind.DENIED,
    errno.EBUSY: ErrorKind.BUSY,
    errno.EAGAIN: ErrorKind.BUSY,        # flock: somebody else holds the exclusive lock
    errno.EINVAL: ErrorKind.SETTINGS,
    errno.ENOTTY: ErrorKind.SETTINGS,
}


def kind_of(error: BaseException) -> ErrorKind:
    """Which kind of trouble an exception of the line is."""
    if isinstance(error, serial.SerialTimeoutException):
        return ErrorKind.SILENT
    if isinstance(error, termios.error):
        return KINDS_BY_ERRNO.get(error.args[0] if error.args else 0, ErrorKind.GONE)
    if isinstance(error, OSError) and error.errno is not None:
        return KINDS_BY_ERRNO.get(error.errno, ErrorKind.GONE)
    if isinstance(error.__context__, termios.error):         # pyserial drops the number on its way
        return kind_of(error.__context__)
    return ErrorKind.GONE


HINTS = {
    ErrorKind.GONE: "nothing at {path}; plug its cable in",
    ErrorKind.BUSY: "another program uses {path}; stop it",
    ErrorKind.DENIED: "no right to open {path}; add this user to the group dialout",
    ErrorKind.SETTINGS: "{path} refuses the line's settings; is it a serial port?",
    ErrorKind.SILENT: "{path} is open but the device is silent; is it switched on?",
    ErrorKind.NOISE: "only noise on {path}; check speed, ground wire and device",
}


def hint(kind: ErrorKind, name: str, path: str) -> str:
    """What to do about trouble with a line, for the person who can. **Raises** KeyError for a kind no line has."""
    return f"{name}: " + HINTS[kind].format(path=path)
