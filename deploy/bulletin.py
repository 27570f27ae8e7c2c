"""What the demonstration says in the terminal: lines made from the hub's public picture, and from nothing else.

The lines depend on the evening alone, not on the machine's speed: two evenings of the same seed print the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.inputs import Level
from hub.picture import Picture, Place

_WORDS = {
    "en": {
        "draw": "The draw: {players} players at {tables} tables",
        "seat": "  table {table} seat {seat}: {name}",
        "round": "hand {round:>3}  {level:<22} {left:>2} left, average {average}",
        "out": "          {place} {name} (table {table})",
        "move": "          {name}: from table {from_table} to table {to_table}, seat {to_seat}",
        "closes": "          table {table} closes",
        "places": "Final places",
        "still": "Still in, after {rounds} hands",
        "place": "  {place} {name}",
        "stack": "  {chips:>9} {name} (table {table}, seat {seat})",
        "level": "level {number}: {blinds}",
        "no_level": "before the first level",
    },
    "it": {
        "draw": "Il sorteggio: {players} giocatori a {tables} tavoli",
        "seat": "  tavolo {table} posto {seat}: {name}",
        "round": "mano {round:>3}  {level:<22} {left:>2} in gioco, media {average}",
        "out": "          {place} {name} (tavolo {table})",
        "move": "          {name}: dal tavolo {from_table} al tavolo {to_table}, posto {to_seat}",
        "closes": "          il tavolo {table} si scioglie",
        "places": "Classifica finale",
        "still": "Ancora in gioco, dopo {rounds} mani",
        "place": "  {place} {name}",
        "stack": "  {chips:>9} {name} (tavolo {table}, posto {seat})",
        "level": "livello {number}: {blinds}",
        "no_level": "prima del primo livello",
    },
}  # fmt: skip
LANGUAGES = tuple(_WORDS)


class Bulletin:
    """Remembers what it has said."""

    def __init__(self, lang: str) -> None:
        """`lang`: one of LANGUAGES."""
        self._say = _WORDS[lang]
        self._out: set[str] = set()
        self._moves: set[int] = set()

    def draw(self, picture: Picture) -> Iterator[str]:
        """Who was drawn to which seat."""
        tables = sorted(picture.tables, key=lambda card: card.table_no)
        yield self._say["draw"].format(players=picture.entrants, tables=len(tables))
        for card in tables:
            for seat in card.view.seats:
                yield self._say["seat"].format(table=card.table_no, seat=seat.seat, name=seat.name)

    def after_round(self, number: int, picture: Picture) -> Iterator[str]:
        """One line for the hand that all tables have played, and what changed in the room since the last."""
        average = f"{picture.average_stack:,}"
        level = self._level(picture.clock.level, picture.clock.level_no)
        yield self._say["round"].format(round=number, level=level, left=picture.players_left, average=average)
        for place in sorted(picture.places, key=lambda place: -place.place):
            if place.player not in self._out and place.place > 1:
                self._out.add(place.player)
                yield self._say["out"].format(place=ordinal(place), name=place.name, table=place.table_no)
        for proposal in picture.proposals:
            if proposal.state == "done" and proposal.id not in self._moves:
                self._moves.add(proposal.id)
                if proposal.closes:
                    yield self._say["closes"].format(table=proposal.closes)
                for leg in proposal.legs:
                    yield self._say["move"].format(
                        name=leg.name, from_table=leg.from_table, to_table=leg.to_table, to_seat=leg.to_seat
                    )

    def result(self, rounds: int, picture: Picture) -> Iterator[str]:
        """Who is still in, if anybody is besides the winner, and all places so far."""
        if picture.players_left > 1:
            yield self._say["still"].format(rounds=rounds)
            standing = [(seat.stack, seat.name, card.table_no, seat.seat) for card in picture.tables
                        for seat in card.view.seats if seat.stack]  # fmt: skip
            for chips, name, table, seat_no in sorted(standing, key=lambda row: (-row[0], row[2:])):
                yield self._say["stack"].format(chips=f"{chips:,}", name=name, table=table, seat=seat_no)
        yield self._say["places"]
        for place in sorted(picture.places, key=lambda place: (place.place, place.name)):
            yield self._say["place"].format(place=ordinal(place), name=place.name)

    def _level(self, level: Level | None, number: int) -> str:
        if level is None:
            return self._say["no_level"]
        ante = level.ante or level.big_blind_ante
        blinds = f"{level.small_blind}/{level.big_blind}" + (f"/{ante}" if ante else "")
        return self._say["level"].format(number=number, blinds=blinds)


def ordinal(place: Place) -> str:
    """A place as it is printed: `25.`, or `25.-26.` when it is shared."""
    shared = f"-{place.last}." if place.last > place.place else ""
    return f"{place.place:>2}.{shared}"
