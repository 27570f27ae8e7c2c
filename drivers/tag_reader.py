"""A PN532 on a serial line that tells whatever lies on it: for registering decks and enrolling badges by hand."""

from __future__ import annotations

import queue

from drivers.pn532 import BAUD, Pn532
from drivers.seen import ErrorKind
from drivers.serial_line import SerialLine

EVERY_S = 0.05
ANSWERS_WAITING = 256            # nobody looks for so many: the oldest are forgotten


class TagReaderLost(Exception):  # noqa: N818 - it is what happened
    """The reader cannot be had; the text says what to do."""


class TagReader:
    """A reader: `start()`, then `next()` gives each answer in turn; `stop()`."""

    def __init__(self, port: str, *, baud: int = BAUD) -> None:
        """`port`: a serial port."""
        self._chip = Pn532(every_s=EVERY_S, most=2)
        self._answers: queue.SimpleQueue[tuple[str, ...] | TagReaderLost] = queue.SimpleQueue()
        self._line = SerialLine(port, baud, self, "tag-reader")

    def start(self) -> None:
        """Begin to listen."""
        self._line.start()

    def stop(self) -> None:
        """Close the line."""
        self._line.stop()

    def next(self, timeout_s: float) -> tuple[str, ...] | None:
        """The numbers of the tags in the next answer, none or one or two; None if there was no answer in time.

        **Raises** TagReaderLost when the line cannot be opened or went away.
        """
        try:
            answer = self._answers.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if isinstance(answer, TagReaderLost):
            raise answer
        return answer

    # --- the line's thread

    def opened(self, at_ns: int) -> bytes:
        """Wake the chip."""
        self._chip.opened(at_ns / 1e9)
        return self._chip.to_send(at_ns / 1e9)

    def received(self, data: bytes, at_ns: int) -> bytes:
        """Answers of the chip."""
        for tags in self._chip.feed(data, at_ns / 1e9):
            while self._answers.qsize() >= ANSWERS_WAITING:
                self._answers.get()
            self._answers.put(tags)
        return self._chip.to_send(at_ns / 1e9)

    def tick(self, at_ns: int) -> bytes:
        """The next question."""
        return self._chip.to_send(at_ns / 1e9)

    def lost(self, kind: ErrorKind, hint: str, at_ns: int) -> None:  # noqa: ARG002 - the protocol's
        """The line is gone."""
        self._answers.put(TagReaderLost(hint))
