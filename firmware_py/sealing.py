"""Cards that nobody at the table has seen, on a disk that anybody may steal.

What names such a card is sealed with ChaCha20-Poly1305 (RFC 8439) under a key that lives in RAM only: a file in a
directory of `/run`, which a restarted process of the same boot finds again, and which is gone after a power cut. Where
that directory is not ours to write, the key lives in the process and dies with it. Each seal is bound to its place
(`where`), so that a sealed card cannot be moved to another entry.
"""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEY_BYTES = 32
NONCE_BYTES = 12


class Sealer:
    """Seals and opens with one key. `kept` tells whether a restarted process will find the key again."""

    def __init__(self, key: bytes, *, kept: bool) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self.kept = kept

    @classmethod
    def in_directory(cls, directory: str | Path, unit: str) -> Sealer:
        """The key of this boot for `unit`, made if there is none; in memory alone if `directory` cannot be written."""
        try:
            return cls(_key_file(Path(directory), unit), kept=True)
        except OSError:
            return cls(os.urandom(KEY_BYTES), kept=False)

    def seal(self, plain: bytes, where: bytes) -> bytes:
        """`plain`, unreadable without the key; nonce first."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, where)

    def open(self, sealed: bytes, where: bytes) -> bytes | None:
        """What was sealed at `where`; None with another key, another place, or after tampering."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], where)
        except InvalidTag:
            return None


def _key_file(directory: Path, unit: str) -> bytes:
    """The bytes of the key file, created whole and readable by us alone. Raises OSError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / f"{unit}.key"
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) == KEY_BYTES:
        return key
    key = os.urandom(KEY_BYTES)
    fresh = directory / f".{unit}.key.{os.getpid()}"
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, key)
        os.fsync(handle)
    finally:
        os.close(handle)
    fresh.replace(path)
    return key
