"""The 52 cards of one French deck, spelled with two characters: rank `23456789TJQKA`, then suit `cdhs`.

A card that left the shoe unread is `??` (`engine.inputs.UNKNOWN_CARD`): it is somewhere, but it ranks nowhere. Nothing
else is a card: "10d", "ah" or "Xx" are refused here, before anything could rank them.
"""

from __future__ import annotations

from engine.inputs import UNKNOWN_CARD

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX: dict[str, int] = {card: number for number, card in enumerate(DECK)}
BIT: dict[str, int] = {card: 1 << number for card, number in INDEX.items()} | {UNKNOWN_CARD: 0}
"""One bit a card, none for `??`: a set of known cards is an int, and a duplicate shows in one `&`."""


def parse(text: str) -> tuple[str, ...]:
    """The cards of a text such as "AsKd" or "As ??", in order. Raises ValueError that names the wrong one."""
    text = text.replace(" ", "")
    cards = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    for card in cards:
        if card not in BIT:
            raise ValueError(f"{card!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, or {UNKNOWN_CARD}")
    return cards
