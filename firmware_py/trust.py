"""Does this really come from our hub? Signatures of commands and adoptions, checked at the table.

The table keeps the public key of the first hub that adopted it (or the one its configuration names) and obeys no other.
A key that must change, because the hub's was lost, is changed at the table, by whoever can open its case.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.wire import Adopt, HubCommand, adoption_to_sign, command_to_sign


def command_is_signed(unit: str, key: str, command: HubCommand) -> bool:
    """True if the hub with this public `key` (hexadecimal) signed it for `unit`. With no key nothing is believed."""
    return _verify(key, command.sig, command_to_sign(unit, command))


def adoption_is_signed(unit: str, key: str, adopt: Adopt) -> bool:
    """True if the hub with this public `key` signed the adoption; with no key yet, the adoption's own key counts."""
    return _verify(key or adopt.key, adopt.sig, adoption_to_sign(unit, adopt))


def _verify(key: str, signature: str, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True
