"""A pseudo-terminal as a cable: a stable name, a far end for a simulator, and a plug that can be pulled.

The name is a symbolic link, as udev's /dev/serial/by-id is: it is gone while the cable is unplugged, and leads to
another device after the next plug. The terminal is raw (else it would echo the sender's own bytes back). A pty has no
speed of its own, so the writer paces itself: ten bits a byte (start, eight, stop) at the given baud.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
import tty
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol, TypeVar

BITS_PER_BYTE = 10
PACE_CHUNK_S = 0.001             # bytes go out in pieces of about this length
STALLED_READER_S = 0.5           # a reader that takes nothing for so long loses the bytes, as on a real line
READ_CHUNK_BYTES = 4096
JOIN_S = 2.0

T = TypeVar("T")


class Cable(Protocol):
    """The far end of a serial line, of whatever kind. For one thread."""

    @property
    def plugged(self) -> bool:
        """Is the cable in?"""
        ...

    def plug(self) -> None:
        """Put the cable in."""
        ...

    def unplug(self) -> None:
        """Pull the cable out."""
        ...

    def fileno(self) -> int:
        """For poll(2); -1 while unplugged."""
        ...

    def read(self) -> bytes:
        """What has come so far, perhaps nothing."""
        ...

    def write(self, data: bytes) -> None:
        """Send; returns when the last byte is out."""
        ...


class PtyLine:
    """A pseudo-terminal as a cable."""

    def __init__(self, link: Path, baud: int | None = 115200) -> None:
        """`link`: the name that a driver opens; `baud`: the pace of what is written, None as fast as it goes."""
        self.link = Path(link)
        self.baud = baud
        self.overrun_bytes = 0                       # bytes lost because nobody read
        self._master = self._slave = -1
        self._free_s = 0.0                           # when the line will have sent what was written

    @property
    def plugged(self) -> bool:
        """Is the cable in?"""
        return self._master >= 0

    def plug(self) -> None:
        """Put the cable in: from now on the name can be opened."""
        if self.plugged:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._unlink()
        self.link.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Pull the cable out, in the middle of a frame if need be: a reader gets a hang-up at once."""
        if not self.plugged:
            return
        self._unlink()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1

    def fileno(self) -> int:
        """The far end, for poll(2); -1 while unplugged."""
        return self._master

    def read(self) -> bytes:
        """What has come so far, perhaps nothing."""
        try:
            return os.read(self._master, READ_CHUNK_BYTES) if self.plugged else b""
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Send at the line's pace; returns when the last byte is out. Bytes written while unplugged go nowhere."""
        if self.baud is None:
            self._put(data)
            return
        byte_s = BITS_PER_BYTE / self.baud
        step = max(1, int(PACE_CHUNK_S / byte_s))
        for start in range(0, len(data), step):
            piece = data[start : start + step]
            self._free_s = max(self._free_s, time.monotonic()) + len(piece) * byte_s
            time.sleep(max(0.0, self._free_s - time.monotonic()))
            self._put(piece)

    def _put(self, data: bytes) -> None:
        while data and self.plugged:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                poller = select.poll()
                poller.register(self._master, select.POLLOUT)
                if not poller.poll(STALLED_READER_S * 1000):
                    self.overrun_bytes += len(data)
                    return

    def _unlink(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.link.unlink()


class Device(Protocol):
    """What sits at the far end. Called from the device's thread; time is any clock that does not go back."""

    def plugged(self, now_s: float) -> bytes:
        """The cable was put in."""
        ...

    def received(self, data: bytes, now_s: float) -> bytes:
        """Bytes of the host. Returns what to send."""
        ...

    def tick(self, now_s: float) -> bytes:
        """Time went by. Returns what to send."""
        ...

    def due_s(self) -> float:
        """When the next tick is wanted, at the latest."""
        ...


class PtyDevice:
    """A thread that plays a `Device` at the far end of a cable. All methods may be called from any other thread."""

    def __init__(self, line: Cable, device: Device, name: str) -> None:
        self.line = line
        self._device = device
        self._name = name
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._stopping = False
        self._wake_read, self._wake_write = -1, -1
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Plug the cable in and play. The name can be opened when this returns."""
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"{self._name}-pty", daemon=True)
        self._thread.start()
        self.plug()

    def stop(self) -> None:
        """Pull the cable out and join the thread. May be called twice. **Raises** RuntimeError if it takes over 2 s."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping = True
        self._wake()
        thread.join(JOIN_S)
        if thread.is_alive():
            raise RuntimeError(f"{self._name} does not stop: it is still sending")
        os.close(self._wake_read)
        os.close(self._wake_write)

    def do(self, act: Callable[[], T]) -> T:
        """Run `act` in the device's thread; return or raise what it does. **Raises** RuntimeError if not running."""
        if self._thread is None:
            raise RuntimeError(f"{self._name} is not running")
        done: Future[T] = Future()

        def call() -> None:
            try:
                done.set_result(act())
            except BaseException as error:  # noqa: BLE001 - it is the caller's, and is raised there
                done.set_exception(error)

        self._calls.put(call)
        self._wake()
        return done.result(JOIN_S)

    def plug(self) -> None:
        """Put the cable in."""
        self.do(self._plug)

    def unplug(self) -> None:
        """Pull the cable out."""
        self.do(self.line.unplug)

    def _plug(self) -> None:
        self.line.plug()
        self.line.write(self._device.plugged(time.monotonic()))

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"w")

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._turn()
        finally:
            self.line.unplug()

    def _turn(self) -> None:
        poller = select.poll()
        poller.register(self._wake_read, select.POLLIN)
        if self.line.plugged:
            poller.register(self.line, select.POLLIN)
        wait_s = max(0.0, self._device.due_s() - time.monotonic())
        for fd, _ in poller.poll(wait_s * 1000 + 1):
            if fd == self._wake_read:
                os.read(self._wake_read, READ_CHUNK_BYTES)
        with contextlib.suppress(Empty):
            while True:
                self._calls.get_nowait()()
        now_s = time.monotonic()
        if data := self.line.read():
            self.line.write(self._device.received(data, now_s))
        self.line.write(self._device.tick(now_s))
