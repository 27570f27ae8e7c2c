"""What the demonstration says in the terminal: lines made from the hub's public picture, and from nothing else.

The lines depend on the evening alone, not on the machine's speed: two evenings of the same seed print the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.inputs import Level
from hub.picture import Picture, Place
from hub.web.words import number

_WORDS = {
    "en": {
        "where": "The room      {url}\nOn the wall   {url}clock\nThe director  {url}director\n(broker: {broker})",
        "stopped": "stopped",
        "fingerprint": "fingerprint {fingerprint} (the same seed plays the same evening and ends with the same one)",
        "draw": "The draw: {players} players at {tables}",
        "seat": "  table {table} seat {seat}: {name}",
        "round": "hand {round:>3}  {level:<34} {left:>2} left, average {average}",
        "out": "          {place} {name} (table {table})",
        "move": "          {name}: from table {from_table} to table {to_table}, seat {to_seat}",
        "closes": "          table {table} closes",
        "places": "Final places",
        "so_far": "Places so far",
        "still": "Still in, after {hands}",
        "place": "  {place} {name}",
        "stack": "  {chips:>9} {name} (table {table}, seat {seat})",
        "level": "level {number}: {blinds}",
        "ante": ", ante {ante}",
        "no_level": "before the first level",
    },
    "it": {
        "where": "La sala       {url}\nA parete      {url}clock\nIl direttore  {url}director\n(broker: {broker})",
        "stopped": "interrotto",
        "fingerprint": "impronta {fingerprint} (lo stesso seme gioca la stessa serata e finisce con la stessa)",
        "draw": "Il sorteggio: {players} giocatori a {tables}",
        "seat": "  tavolo {table} posto {seat}: {name}",
        "round": "mano {round:>3}  {level:<34} {left:>2} in gioco, media {average}",
        "out": "          {place} {name} (tavolo {table})",
        "move": "          {name}: dal tavolo {from_table} al tavolo {to_table}, posto {to_seat}",
        "closes": "          si rompe il tavolo {table}",
        "places": "Classifica finale",
        "so_far": "Classifica finora",
        "still": "Ancora in gioco, dopo {hands}",
        "place": "  {place} {name}",
        "stack": "  {chips:>9} {name} (tavolo {table}, posto {seat})",
        "level": "livello {number}: {blinds}",
        "ante": ", ante {ante}",
        "no_level": "prima del primo livello",
    },
}  # fmt: skip
_COUNTED = {
    "en": {"tables": ("{} table", "{} tables"), "hands": ("{} hand", "{} hands")},
    "it": {"tables": ("{} tavolo", "{} tavoli"), "hands": ("{} mano", "{} mani")},
}
LANGUAGES = tuple(_WORDS)


class Bulletin:
    """Remembers what it has said."""

    def __init__(self, lang: str) -> None:
        """`lang`: one of LANGUAGES."""
        self._lang, self._say = lang, _WORDS[lang]
        self._out: set[str] = set()
        self._moves: set[int] = set()

    def where(self, url: str, broker: str) -> str:
        """Where a browser finds the pages; the first lines."""
        return self._say["where"].format(url=url, broker=broker)

    def stopped(self) -> str:
        """Somebody ended the evening."""
        return self._say["stopped"]

    def fingerprint(self, fingerprint: str) -> str:
        """The last line, with what it is good for."""
        return self._say["fingerprint"].format(fingerprint=fingerprint)

    def draw(self, picture: Picture) -> Iterator[str]:
        """Who was drawn to which seat."""
        tables = sorted(picture.tables, key=lambda card: card.table_no)
        yield self._say["draw"].format(players=picture.entrants, tables=self._count("tables", len(tables)))
        for card in tables:
            for seat in card.view.seats:
                yield self._say["seat"].format(table=card.table_no, seat=seat.seat, name=seat.name)

    def after_round(self, rounds: int, picture: Picture) -> Iterator[str]:
        """One line for the hand that all tables have played, and what changed in the room since the last."""
        average = number(self._lang, picture.average_stack)
        level = self._level(picture.clock.level, picture.clock.level_no)
        yield self._say["round"].format(round=rounds, level=level, left=picture.players_left, average=average)
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
            yield self._say["still"].format(hands=self._count("hands", rounds))
            standing = [(seat.stack, seat.name, card.table_no, seat.seat) for card in picture.tables
                        for seat in card.view.seats if seat.stack]  # fmt: skip
            for chips, name, table, seat_no in sorted(standing, key=lambda row: (-row[0], row[2:])):
                yield self._say["stack"].format(chips=number(self._lang, chips), name=name, table=table, seat=seat_no)
        if not picture.places:
            return
        yield self._say["so_far" if picture.players_left > 1 else "places"]
        for place in sorted(picture.places, key=lambda place: (place.place, place.name)):
            yield self._say["place"].format(place=ordinal(place), name=place.name)

    def _count(self, what: str, count: int) -> str:
        one, more = _COUNTED[self._lang][what]
        return (one if count == 1 else more).format(count)

    def _level(self, level: Level | None, level_no: int) -> str:
        if level is None:
            return self._say["no_level"]
        ante = level.ante or level.big_blind_ante
        blinds = f"{number(self._lang, level.small_blind)}/{number(self._lang, level.big_blind)}"
        text = self._say["level"].format(number=level_no, blinds=blinds)
        return text + self._say["ante"].format(ante=number(self._lang, ante)) if ante else text


def ordinal(place: Place) -> str:
    """A place as it is printed: `25.`, or `25.-26.` when it is shared."""
    shared = f"-{place.last}." if place.last > place.place else ""
    return f"{place.place:>2}.{shared}"
