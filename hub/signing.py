"""The hub's signature: a table obeys nobody else, whoever has got hold of the broker.

Ed25519 (RFC 8032) over every command and adoption. The key is made at the first start and stays in one file that only
the hub's user may read; its public half reaches a table with the first adoption and is kept there.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.wire import Adopt, HubCommand, adoption_to_sign, command_to_sign

KEY_BYTES = 32


class KeyFileError(Exception):
    """The key file cannot be used; the text says what to do."""


class Signer:
    """Signs with one private key. Safe from any thread."""

    def __init__(self, private: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private)

    @classmethod
    def at(cls, path: str | Path) -> Signer:
        """The key in the file at `path`, made there (mode 0600) if there is none.

        Raises KeyFileError when the file is no key, may be read by others, or cannot be written.
        """
        file = Path(path)
        try:
            if not file.exists():
                _create(file)
            if file.stat().st_mode & 0o077:
                raise KeyFileError(f"{file}: others may read the hub's key; chmod 600 it")
            private = file.read_bytes()
        except OSError as trouble:
            raise KeyFileError(f"{file}: {trouble.strerror}; let the hub's user write its data_dir") from trouble
        if len(private) != KEY_BYTES:
            raise KeyFileError(f"{file}: {len(private)} bytes and not {KEY_BYTES}; restore the hub's key from a backup")
        return cls(private)

    @property
    def public(self) -> str:
        """The public key, hexadecimal, as it travels in an adoption."""
        return self._key.public_key().public_bytes_raw().hex()

    def command(self, unit: str, command: HubCommand) -> HubCommand:
        """The command with its signature, valid for `unit` alone."""
        return msgspec.structs.replace(command, sig=self._sign(command_to_sign(unit, command)))

    def adoption(self, unit: str, adopt: Adopt) -> Adopt:
        """The adoption with this hub's public key and signature, valid for `unit` alone."""
        keyed = msgspec.structs.replace(adopt, key=self.public)
        return msgspec.structs.replace(keyed, sig=self._sign(adoption_to_sign(unit, keyed)))

    def _sign(self, text: bytes) -> str:
        return self._key.sign(text).hex()


def _create(file: Path) -> None:
    """A new key, complete on the disk before it has its name."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.new-{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, Ed25519PrivateKey.generate().private_bytes_raw())
        os.fsync(handle)
    finally:
        os.close(handle)
    fresh.rename(file)
