"""What the rules make of an input: the answer, the events that follow from it, and the articles that say so."""

from __future__ import annotations

import msgspec

from engine.events import Event


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """An answer. Anything but `refused` stands, and `events` are what happened; a refusal has none and changes nothing.

    `outcome`: `ok` it stands as declared; `out_of_turn` it is kept until the turn comes; `ruled` it was read as
    something else (`ruled`, with `amount` the seat's total for the street); `floor` play waits for the director;
    `refused` for the reason in `refusal` (`amount` is then the bound that was missed, if there is one).

    What a player said or pushed is named in `ruled` also where it stands as it was (`ok`); where it takes the last chip
    it is `all_in`, and `also` says whether that is a call, a bet or a raise. `by` is the value or rule of the book that
    decided a refusal, "" where none did.
    """

    outcome: str
    events: tuple[Event, ...] = ()
    articles: tuple[str, ...] = ()
    refusal: str | None = None
    ruled: str | None = None
    amount: int | None = None
    seat: int = 0
    also: str | None = None
    by: str = ""

    def reason(self, lang: str = "en") -> str:
        """One line a dealer understands, in `en` or `it`; "" when there is nothing to explain."""
        from engine.texts import reason  # rendered when read: most rulings never are

        return reason(self, lang)
