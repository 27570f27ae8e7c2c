"""The web application: pages, fragments, the event stream and the JSON that programs read.

A page is cut into named *fragments*: `strip`, `tape`, `places`, `wall`, `table-<no>` and so on, each rendered by one
template. The first answer holds them all; afterwards `/events` sends a fragment's new text whenever it changes, and
`static/live.js` puts it in place of the old one. There is one renderer, on this side, with autoescape: what a browser
shows after an hour is what a reload would show.

An event stream opens with every fragment of its page, so that a browser which reconnects or wakes up is right at once.
Between changes a `pulse` goes out with the ages of the tables' news and the clock's reading: by its absence the browser
notices that the hub is gone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from engine import texts
from hub.directing import DIRECTIONS, NOTHING_MORE, Details
from hub.picture import Picture
from hub.refused import Refused
from hub.seating import Applicant
from hub.web import faces, words
from hub.web.guard import Guard
from hub.web.live import Live, Watcher
from hub.web.stream import frame, streamed

HERE = Path(__file__).parent
PULSE_S = 1.0
"""A stream is never silent for longer. (`static/live.js` speaks of stale news after 15 s.)"""
PULSE_NOT_REAL_S = 0.25
"""The same while the tournament's time is not the browser's: then the browser cannot count on by itself."""

MAX_DIGITS, MAX_FIELD = 9, 500

PAGES: dict[str, tuple[str, ...]] = {
    "room": ("strip", "tables", "table", "tape", "places"),
    "clock": ("wall",),
    "director": ("strip", "desk", "proposals", "calls", "chips", "units", "log"),
}


class Tournament(Protocol):
    """What the pages need of the hub."""

    live: Live

    def picture(self) -> Picture:
        """The present state, exactly; takes in first whatever is due."""

    def recent(self) -> Picture:
        """The present state for people: the same picture for everybody who asks within the blink of an eye."""

    def now_ms(self) -> int:
        """The tournament's time."""

    def direct(self, what: str, subject: int, who: str, more: Details = NOTHING_MORE) -> None:
        """Does what the director asks: see `DIRECTIONS`. Raises Refused."""


def environment() -> Environment:
    """The templates with our filters; every value is escaped unless a template says otherwise, and none does."""
    env = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    env.filters["clock"] = words.clock
    env.globals.update(
        blinds=faces.blinds, card=faces.card, said=faces.said, ante=faces.ante, medal=faces.medal, rank=faces.rank,
        ante_name=faces.ante_name, next_ante=faces.next_ante, way=faces.way, note=faces.note, alarm_text=faces.alarm,
        irregularity=texts.irregularity, hhmm=faces.hhmm, seat_class=faces.seat_class, pot_of=faces.pot_of,
        name_at=faces.name_at,
    )  # fmt: skip
    return env


class Renderer:
    """Fragments as text, each rendered once a revision and language."""

    def __init__(self) -> None:
        self._env = environment()

    def page(self, name: str, picture: Picture, lang: str, **more: Any) -> str:
        """A whole page."""
        return self._env.get_template(f"{name}.html").render(page=name, **self._context(picture, lang), **more)

    def fragment(self, name: str, picture: Picture, lang: str) -> str | None:
        """One fragment; None if there is no such table any more."""
        family, _, number = name.partition("-")
        context = self._context(picture, lang)
        if family == "table":
            cards = [card for card in picture.tables if str(card.table_no) == number]
            if not cards:
                return None
            context["t"] = cards[0]
        return self._env.get_template(f"part_{family}.html").render(**context)

    @staticmethod
    def _context(picture: Picture, lang: str) -> dict[str, Any]:
        def say(key: str) -> str:
            return words.word(lang, key)

        def chips(value: int) -> str:
            return words.number(lang, value)

        def ordinal(place: int) -> str:
            return words.ordinal(lang, place)

        return {
            "p": picture, "lang": lang, "say": say, "chips": chips, "ordinal": ordinal,
            "place_of": {place.player: place for place in picture.places},
        }  # fmt: skip


def language(request: Request) -> str:
    """The language in which this request is answered."""
    return words.choose(request.query_params.get("lang"), request.headers.get("accept-language", ""))


def pulse(picture: Picture) -> dict[str, object]:
    """What a browser needs to keep ages and clock right between changes."""
    return {
        "rev": picture.rev,
        "ages": {str(card.table_no): card.age_ms for card in picture.tables},
        "remaining_ms": picture.clock.remaining_ms,
    }


def number_in(fields: Mapping[str, str], name: str) -> int:
    """The number in a field of a form; 0 for an empty one. Raises ValueError."""
    value = fields.get(name, "").strip() or "0"
    if not value.isascii() or not value.isdigit() or len(value) > MAX_DIGITS:
        raise ValueError(f"{name}: a number of at most {MAX_DIGITS} digits")
    return int(value)


def details(fields: Mapping[str, str]) -> Details:
    """What a form says beside its subject. Raises ValueError."""
    if any(len(value) > MAX_FIELD for value in fields.values()):
        raise ValueError(f"at most {MAX_FIELD} letters in a field")
    applicant = Applicant(
        name=fields.get("name", ""), player=fields.get("player", ""), reserved="reserved" in fields,
        registered="registered" in fields, gave_notice="gave_notice" in fields,
        cost=number_in(fields, "cost") if fields.get("cost", "").strip() else None,
    )  # fmt: skip
    return Details(
        applicant, number_in(fields, "old"), number_in(fields, "new"), fields.get("cards", ""),
        number_in(fields, "seat"), "small_blind" in fields, "big_blind" in fields, fields.get("unit", ""),
    )  # fmt: skip


class Site:
    """The request handlers."""

    def __init__(self, tournament: Tournament) -> None:
        self._hub = tournament
        self._renderer = Renderer()

    def _page(self, name: str) -> Callable[[Request], Any]:
        async def handler(request: Request) -> Response:
            lang = language(request)
            code = f"refused_{request.query_params.get('refused', '')}"
            refused = words.word(lang, code) if name == "director" and code in words.WORDS else ""
            html = self._renderer.page(name, self._hub.recent(), lang, refused=refused)
            return Response(html, media_type="text/html", headers={"vary": "accept-language"})

        return handler

    async def events(self, request: Request) -> Response:
        """The stream of one page: `?page=room|clock|director&lang=..`."""
        page = request.query_params.get("page", "room")
        if page not in PAGES:
            return PlainTextResponse(f"page: one of {', '.join(PAGES)}\n", 404)
        return streamed(self._hub.live, PAGES[page], partial(self._frames, lang=language(request)))

    async def _frames(self, watcher: Watcher, lang: str) -> AsyncIterator[str]:
        while not self._hub.live.closed:
            real = self._hub.recent().clock.real_time
            names = await watcher.changed(PULSE_S if real else PULSE_NOT_REAL_S)
            picture = self._hub.recent()
            for name in names:
                if name == "table":              # a family by itself is drawn by the fragment that holds it
                    continue
                html = self._renderer.fragment(name, picture, lang)
                if html is not None:
                    yield frame("fragment", {"id": name, "html": html}, picture.rev)
            yield frame("pulse", pulse(picture))

    async def state(self, _: Request) -> Response:
        """Everything as JSON; `quiescent` is exact at the moment of the answer."""
        return Response(msgspec.json.encode(self._hub.picture()), media_type="application/json")

    async def time(self, _: Request) -> Response:
        """The tournament's time, for a browser that finds its offset."""
        return Response(msgspec.json.encode({"now_ms": self._hub.now_ms()}), media_type="application/json")

    async def direct(self, request: Request) -> Response:
        """A form of the director's page. `/director/<what>`, the subject (proposal or table) in `subject`, and more."""
        what = request.path_params["what"]
        if what not in DIRECTIONS:
            return PlainTextResponse(f"what: one of {', '.join(sorted(DIRECTIONS))}\n", 404)
        form = await request.form()
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        try:
            subject, more = number_in(fields, "subject"), details(fields)
        except ValueError as wrong:
            return PlainTextResponse(f"{wrong}\n", 400)
        lang = f"lang={language(request)}"
        try:
            self._hub.direct(what, subject, who="director", more=more)
        except Refused as refused:
            target = request.url_for("director").include_query_params(lang=language(request), refused=str(refused))
            return RedirectResponse(f"{target.path}?{target.query}", 303)
        return RedirectResponse(f"/director?{lang}", 303)

    def app(self, names: tuple[str, ...]) -> Starlette:
        """The ASGI application; it answers only to `names` (of hosts)."""
        return Starlette(
            routes=[
                Route("/", self._page("room"), name="room"),
                Route("/clock", self._page("clock"), name="clock"),
                Route("/director", self._page("director"), name="director"),
                Route("/director/{what}", self.direct, methods=["POST"]),
                Route("/events", self.events),
                Route("/api/state", self.state),
                Route("/api/time", self.time),
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            middleware=[Middleware(Guard, names=names)],
        )


def application(tournament: Tournament, names: tuple[str, ...]) -> Starlette:
    """The hub's pages over `tournament`."""
    return Site(tournament).app(names)
