"""Badges and PINs as a table knows them: by keyed hashes, never by number.

An EM4100 number has 40 bits and can be guessed through, so the hash is keyed (BLAKE2b, RFC 7693, section 2.5) with a
key of the site: one badge has the same hash at all of a site's tables and another one elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
from collections.abc import Iterable

from engine.wire import Adopt

log = logging.getLogger(__name__)

HASH_BYTES = 8
PIN_ROUNDS = 50_000
PIN_SALT_BYTES = 8


def site_key(configured_hex: str, site: str) -> bytes:
    """The site's key: as configured, else made from the site's name (then it is no secret)."""
    if configured_hex:
        return bytes.fromhex(configured_hex)
    return hashlib.blake2b(site.encode(), person=b"bottone-site").digest()[:32]


def key_in_force(configured_hex: str, site: str, adopted_hex: str) -> bytes:
    """The key by which this table knows badges: the one the hub gave for the site, else as `site_key`.

    **Raises** ValueError for a key that is not hexadecimal.
    """
    return bytes.fromhex(adopted_hex) if adopted_hex else site_key(configured_hex, site)


def badge_hash(key: bytes, uid_hex: str) -> str:
    """What is kept and sent of a badge: 16 hexadecimal digits."""
    return hashlib.blake2b(uid_hex.upper().encode(), key=key[:64], digest_size=HASH_BYTES).hexdigest()


def pin_hash(pin: str, salt: bytes | None = None) -> str:
    """What is written into the configuration for a director's PIN."""
    salt = salt or os.urandom(PIN_SALT_BYTES)
    return f"{salt.hex()}:{hashlib.pbkdf2_hmac('sha256', pin.encode(), salt, PIN_ROUNDS).hex()}"


def pin_matches(pin: str, hashed: str) -> bool:
    """Whether this is the PIN behind `hashed`; never with an empty or malformed `hashed`."""
    try:
        salt = bytes.fromhex(hashed.split(":", 1)[0])
    except ValueError:
        return False
    return bool(salt) and hmac.compare_digest(pin_hash(pin, salt), hashed)


class KnownBadges:
    """Badges as this table knows them now: under which key, and which are refused.

    `key_hex` and `revoked` are the table's own, from its configuration; the hub's come with each adoption.
    """

    def __init__(self, key_hex: str, site: str, revoked: Iterable[str], adopt: Adopt | None) -> None:
        self._key_hex = key_hex
        self._site = site
        self._own_revoked = frozenset(revoked)
        self.adopted(adopt)

    def adopted(self, adopt: Adopt | None) -> None:
        """The hub has spoken. A key of its that cannot be read is none, and that is said."""
        self._revoked = self._own_revoked | frozenset(() if adopt is None else adopt.revoked)
        try:
            self._key = key_in_force(self._key_hex, self._site, "" if adopt is None else adopt.badge_key)
        except ValueError as trouble:
            log.error(  # noqa: TRY400 - for people
                "the hub's key for badges cannot be used: %s; badges are known by this table's own", trouble
            )
            self._key = site_key(self._key_hex, self._site)

    def hash_of(self, uid_hex: str) -> str:
        """What is kept and sent of the badge with this number."""
        return badge_hash(self._key, uid_hex)

    def is_revoked(self, badge: str) -> bool:
        """Whether a badge (by its hash) is refused, by this table's own list or by the hub's."""
        return badge in self._revoked
