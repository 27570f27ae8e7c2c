"""Cards that nobody at the table has seen, and the text in which they are made unreadable."""

from __future__ import annotations

import re

from engine.inputs import UNKNOWN_CARD

_CARD = re.compile(rb'"[2-9TJQKA][cdhs]"')
_NO_CARDS = (b'{"type":"PlayerSat"', b'{"type":"PlayerLeft"', b'{"type":"SitDown"')  # a name may look like a card
_UNKNOWN = UNKNOWN_CARD.encode()


def veil(whole: bytes, seen: frozenset[str]) -> bytes:
    """A deed or an event in JSON, with every card that does not lie open made "??"."""
    if whole.startswith(_NO_CARDS):
        return whole
    return _CARD.sub(lambda card: card[0] if card[0][1:3].decode() in seen else b'"' + _UNKNOWN + b'"', whole)
