"""Which hand wins: the best five of five to seven cards, as one number that is higher for the better hand.

The cards are laid out as four sets of ranks, one a suit (13 bits each, the ace on top). A few logical ANDs tell which
ranks are paired, tripled or quadrupled, and because the bits are in order of rank, comparing two kicker sets as numbers
compares the kickers from the highest down. A strength is `class << 26 | made ranks << 13 | kickers`.

Suits never break a tie. Articles: lifeclub:7.1 to 7.10, tda:12, tda:19.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import INDEX, RANKS

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
CLASSES = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
    "straight_flush",
)  # fmt: skip

_ACE = 1 << 12
_WHEEL = 0b1111 | _ACE
_SUIT_AND_RANK: dict[str, tuple[int, int]] = {card: (at // 13, 1 << at % 13) for card, at in INDEX.items()}


def strength(cards: Iterable[str]) -> int:
    """How good are the best five of these five to seven cards? Higher wins, equal splits. Raises KeyError on `??`."""
    suits = [0, 0, 0, 0]
    for card in cards:
        suit, rank = _SUIT_AND_RANK[card]
        suits[suit] |= rank
    clubs, diamonds, hearts, spades = suits
    ranks = clubs | diamonds | hearts | spades

    for suited in suits:
        if suited.bit_count() >= 5:
            straight = _straight(suited)
            if straight:
                return STRAIGHT_FLUSH << 26 | straight
            flush = _highest(suited, 5)
            break
    else:
        flush = 0

    minor, major = clubs & diamonds, hearts & spades
    one_minor, one_major = clubs | diamonds, hearts | spades
    paired = minor | major | one_minor & one_major
    if not paired:
        if flush:
            return FLUSH << 26 | flush
        straight = _straight(ranks)
        if straight:
            return STRAIGHT << 26 | straight
        return _highest(ranks, 5)

    quads = minor & major
    if quads:
        return QUADS << 26 | quads << 13 | _highest(ranks ^ quads, 1)
    tripled = minor & one_major | major & one_minor
    if tripled:
        trips = _highest(tripled, 1)
        pair = paired ^ trips
        if pair:
            return FULL_HOUSE << 26 | trips << 13 | _highest(pair, 1)
    if flush:
        return FLUSH << 26 | flush
    straight = _straight(ranks)
    if straight:
        return STRAIGHT << 26 | straight
    if tripled:
        return TRIPS << 26 | tripled << 13 | _highest(ranks ^ tripled, 2)
    pairs = _highest(paired, 2)
    if pairs & (pairs - 1):
        return TWO_PAIR << 26 | pairs << 13 | _highest(ranks ^ pairs, 1)
    return PAIR << 26 | pairs << 13 | _highest(ranks ^ pairs, 3)


def class_of(value: int) -> str:
    """Name of the class of a strength, for example `full_house`."""
    return CLASSES[value >> 26]


def made_ranks(value: int) -> str:
    """The ranks that make the hand, high to low: "AK" for aces full of kings, "T" for a straight to the ten."""
    kind, made, kickers = value >> 26, value >> 13 & 0x1FFF, value & 0x1FFF
    if kind == FULL_HOUSE:
        return _letters(made) + _letters(kickers)
    return _letters(made or kickers)


def _letters(ranks: int) -> str:
    return "".join(RANKS[at] for at in range(12, -1, -1) if ranks >> at & 1)


def _highest(ranks: int, count: int) -> int:
    """The `count` highest of these ranks (all of them if there are fewer)."""
    for _ in range(ranks.bit_count() - count):
        ranks &= ranks - 1
    return ranks


def _straight(ranks: int) -> int:
    """The top rank of the highest straight in these ranks; 0 if there is none. The ace also counts below the two."""
    run = ranks & ranks << 1 & ranks << 2 & ranks << 3 & ranks << 4
    if run:
        return 1 << run.bit_length() - 1
    return 1 << 3 if ranks & _WHEEL == _WHEEL else 0
