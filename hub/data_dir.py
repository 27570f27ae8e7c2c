"""One hub for one `data_dir`: the lock that a hub holds before it touches anything else.

Two hubs over the same folder would take each other's broker and answer the tables in turns. The lock is the kernel's
(flock(2)): it is gone with the process that held it, however that ended.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hub.records import StoreError


@contextmanager
def held(data_dir: str | Path) -> Iterator[Path]:
    """The folder, made if need be, for this process alone. Raises StoreError if another hub has it."""
    folder = Path(data_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("ab")
    except OSError as trouble:
        raise StoreError(f"{folder}: {trouble.strerror}; let the hub's user write its data_dir") from trouble
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{folder}: another hub runs here; stop it, or give this one another data_dir") from None
        yield folder
