"""Enrolling badges: which key a table hashes them with, and the badges that are laid on its reader."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from pathlib import Path

from drivers.seen import BadgeRead, InputDown, Seen
from engine.wire import Adopt
from firmware_py.badges import badge_hash, key_in_force
from firmware_py.config import Config
from firmware_py.devices import badge_reader
from firmware_py.journal_file import FILE_NAME
from firmware_py.journal_reading import fact


class ReaderLost(Exception):  # noqa: N818 - it is what happened
    """The reader cannot be had, or nothing was laid on it; the text says what to do."""


def key_of(config: Config) -> bytes:
    """The key that the table hashes badges with: the hub's, once adopted. **Raises** JournalError, ValueError."""
    journal = Path(config.data_dir) / FILE_NAME
    adopt = fact(journal, "adopt", Adopt) if journal.exists() else None
    return key_in_force(config.badges.site_key, config.site, "" if adopt is None else adopt.badge_key)


def laid(config: Config, count: int, timeout_s: float) -> Iterator[str]:
    """The hashes of the next `count` badges on the table's reader, as they come. **Raises** ReaderLost, ConfigError."""
    key = key_of(config)
    seen: queue.SimpleQueue[Seen] = queue.SimpleQueue()
    reader = badge_reader(config, lambda record, _: seen.put(record))
    if reader is None:
        raise ReaderLost("this table has no badge reader; give [badge] a protocol")
    reader.start()
    try:
        deadline_s = time.monotonic() + timeout_s
        while count > 0:
            try:
                record = seen.get(timeout=max(0.0, deadline_s - time.monotonic()))
            except queue.Empty:
                raise ReaderLost(f"no badge in {timeout_s:g} s; lay one on the reader") from None
            if isinstance(record, InputDown):
                raise ReaderLost(record.hint)
            if isinstance(record, BadgeRead):
                count -= 1
                deadline_s = time.monotonic() + timeout_s
                yield badge_hash(key, record.uid_hex)
    finally:
        reader.stop()
