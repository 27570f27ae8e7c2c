"""Registering a deck of tagged cards: a reader's answers go to the registration, its steps to a person."""

from __future__ import annotations

from collections.abc import Callable

from drivers.deck_registry import Fault, Phase, Registration, Registry, Step
from drivers.tag_reader import TagReader, TagReaderLost

SILENT_S = 3.0                   # a chip that says nothing for so long is not there
HANDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}


def register(reader: TagReader, registry: Registry, deck: str, say: Callable[[Step], None]) -> dict[str, str]:
    """Guides through `deck` at a started reader; the finished deck, tag number -> card.

    `say` gets each new step. **Raises** TagReaderLost.
    """
    registration = Registration(registry, deck)
    said: Step | None = None
    while registration.step.phase is not Phase.DONE:
        if registration.step != said:
            said = registration.step
            say(said)
        tags = reader.next(SILENT_S)
        if tags is None:
            raise TagReaderLost("the reader does not answer; is it a PN532, switched to UART?")
        registration.read(tags)
    say(registration.step)
    return registration.cards


def spoken(card: str) -> str:
    """A card in words: "ace of spades"."""
    return f"{RANKS.get(card[0], card[0])} of {HANDS[card[1]]}"


def line_for(step: Step) -> str:
    """What the person is told."""
    match step.fault:
        case Fault.TWO_TAGS:
            return "two cards at once: take one away"
        case Fault.TWICE:
            return f"that is the {spoken(step.detail)}, already read: lay the {spoken(step.card)}"
        case Fault.OTHER_DECK:
            card, deck = step.detail.split(" ", 1)
            return f"that is the {spoken(card)} of deck {deck}: take it out of here"
        case Fault.NOT_OURS:
            return "that card is not of this deck: take it out of here"
        case Fault.NONE:
            pass
    match step.phase:
        case Phase.LAY:
            return f"{53 - step.left:2}/52  lay the {spoken(step.card)} on the reader"
        case Phase.LIFT:
            return "       read; take it away"
        case Phase.VERIFY if not step.card:
            return "once more, all of them, in any order"
        case Phase.VERIFY:
            return f"       {spoken(step.card)}; {step.left} to go"
        case Phase.DONE:
            return "all 52 cards are read and proved"
