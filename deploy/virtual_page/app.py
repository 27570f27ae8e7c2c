"""The page's web application: one page, one stream of what changed, one place that takes acts.

`/events` sends named parts (`clock`, `prompt`, `panel`, `shoe`, `table`, `hint`), each complete and only when it
changed; `POST /act` takes one act as JSON and answers when the table has and when that was looked at, with what could
not be done in words; the `acted` that follows on the stream tells a page that it shows what came of it. Pages of other
sites can neither read nor act: the hub's guard (hub/web/guard.py) stands before everything.

The table from above is the hub's own drawing of it, `hub/web/templates/part_table.html`, over the unit's public view.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from deploy.virtual_page import hints
from deploy.virtual_page.stand import LASTING, UIDS, AnyAct, Cannot, FrameFault, Look, Stand
from deploy.virtual_page.words import word
from drivers import simulators
from drivers.seen import Key
from drivers.shoe_sim import Mishap
from engine import texts
from engine.cards import DECK
from engine.view import Due, Part, TableView
from hub.picture import Link, TableCard
from hub.web import faces
from hub.web import words as hub_words
from hub.web.app import environment, language
from hub.web.guard import Guard
from hub.web.live import Live, Watcher
from hub.web.stream import frame, streamed

HERE = Path(__file__).parent
HUB = Path(faces.__file__).parent
LOOK_EVERY_S = 0.04              # an eye sees no faster
PULSE_S = 2.0                    # a stream is never silent for longer; static/table.js gives up after three of them
MAX_ACT_BYTES = 1024
PARTS = ("clock", "prompt", "panel", "shoe", "table", "hint", "acted")
NAMES = ("127.0.0.1", "localhost", "::1")
KEY_NAMES = {
    Key.FOLD: "FOLD", Key.CHECK_CALL: "CHECK\nCALL", Key.BET_RAISE: "BET\nRAISE", Key.ALL_IN: "ALL-IN",
    Key.DEAL: "DEAL", Key.UNDO: "UNDO", Key.TIME: "TIME", Key.FLOOR: "FLOOR",
}  # fmt: skip
"""As they are engraved, in every language."""


class Page:
    """The request handlers, over one stand. Acts run in `hands`, an executor of one thread; looks in another."""

    def __init__(self, stand: Stand, hands: Executor) -> None:
        self.live = Live()
        self._stand = stand
        self._hands = hands
        self._look: Look | None = None
        self._looks = 0                  # begun so far; `_look` is the newest that ended
        self._looked = asyncio.Condition()
        self._env = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._env.globals.update(card=faces.card)
        self._table = environment().get_template("part_table.html")

    async def watch(self) -> None:
        """Looks at the table until the pages are closed, and wakes who sees something new."""
        while not self.live.closed:
            self._looks += 1
            look = await asyncio.to_thread(self._stand.look)
            before, self._look = self._look, look
            self.live.touch(*(PARTS if before is None else _changed(before, look)))
            async with self._looked:
                self._looked.notify_all()
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look_again(self) -> int:
        """Waits for a look that began after now; its number."""
        after = self._looks
        async with self._looked:
            await self._looked.wait()            # the end of one that was under way, or of the next
            while self._looks == after and not self.live.closed:
                await self._looked.wait()
        return self._looks

    async def page(self, request: Request) -> Response:
        """The page."""
        lang = language(request)
        html = self._env.get_template("table.html").render(
            lang=lang, say=_say(lang), keys=KEY_NAMES, deck=[card for suit in "shdc" for card in _suit(suit)],
            badges=tuple(UIDS), frames=tuple(FrameFault), mishaps=tuple(Mishap), lasting=LASTING,
            shoes=(*simulators.SHOES, ""), readers=(*simulators.badge_readers(), ""),
        )  # fmt: skip
        return Response(html, media_type="text/html", headers={"vary": "accept-language"})

    async def events(self, request: Request) -> Response:
        """The stream, in the page's language."""
        return streamed(self.live, PARTS, partial(self._frames, lang=language(request)))

    async def _frames(self, watcher: Watcher, lang: str) -> AsyncIterator[str]:
        while not self.live.closed:
            names = await watcher.changed(PULSE_S)
            if (look := self._look) is not None:
                for name in names:
                    yield frame(name, self._part(name, look, lang))
            yield frame("pulse", {})

    def _part(self, name: str, look: Look, lang: str) -> Any:
        match name:
            case "clock":
                return {**_plain(look.clock), "says": look.glance.face if look.glance else ""}
            case "prompt":
                return _plain(look.prompt)
            case "shoe":
                return {**_plain(look.shoe), "seed": look.seed, "reader": _plain(look.reader)}
            case "panel":
                lamps = look.glance.lamps if look.glance else ()
                on = look.glance is not None
                return {"on": on, "lamps": lamps, "held": look.held, "bouncing": look.bouncing}
            case "acted":
                return {"look": self._looks}
            case "table":
                view = look.glance.view if look.glance else None
                return {
                    "html": self._felt(look, lang), "next": view.next_seat if view else 0,
                    "hidden": _with_hidden_cards(view) if view else (),
                }  # fmt: skip
            case _:
                hint = hints.hint(look)
                chips = {name: hub_words.number(lang, value) for name, value in hint.values.items()}
                steps = look.glance.view.steps if look.glance else ()
                return {
                    "say": word(lang, hint.say).format_map(chips), "at": hint.at,
                    "steps": [texts.step(step, lang) for step in steps],
                }  # fmt: skip

    def _felt(self, look: Look, lang: str) -> str:
        glance = look.glance
        if glance is None:
            return ""
        card = TableCard(
            self._stand.number, self._stand.table.file.unit, glance.view, Link.ONLINE, None, glance.floor, running=True
        )
        return self._table.render(
            t=card, lang=lang, say=lambda key: hub_words.word(lang, key), chips=lambda n: hub_words.number(lang, n)
        )

    async def act(self, request: Request) -> Response:
        """One act. 200 when it is done, 409 when it cannot be, and `said` says why; 400 when it is none."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_ACT_BYTES:
                return PlainTextResponse(f"an act has at most {MAX_ACT_BYTES} bytes\n", 413)
        try:
            act = msgspec.json.decode(body, type=AnyAct)
        except msgspec.MsgspecError as trouble:
            return PlainTextResponse(f"no act: {trouble}\n", 400)
        why = ""
        try:
            await asyncio.get_running_loop().run_in_executor(self._hands, self._stand.do, act)
        except Cannot as cannot:
            why = word(language(request), cannot.why)
        look = await self._look_again()
        self.live.touch("acted")
        return JSONResponse({"said": why, "look": look}, 409 if why else 200)

    def app(self) -> Starlette:
        """The ASGI application; it answers to the machine's own names only."""
        return Starlette(
            routes=[
                Route("/", self.page),
                Route("/events", self.events),
                Route("/act", self.act, methods=["POST"]),
                Mount("/static/hub", StaticFiles(directory=HUB / "static")),
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            middleware=[Middleware(Guard, names=NAMES)],
        )


def _suit(suit: str) -> list[str]:
    return sorted((card for card in DECK if card[1] == suit), key=lambda card: -"23456789TJQKA".index(card[0]))


def _with_hidden_cards(view: TableView) -> tuple[int, ...]:
    """Seats with cards that nobody has seen, once all have theirs."""
    if view.due in {Due.SHUFFLE, Due.FIRST_CARD, Due.HOLE_CARDS, Due.NEXT_HAND}:
        return ()
    return tuple(seat.seat for seat in view.seats if seat.part in {Part.LIVE, Part.ALL_IN} and not seat.shown)


def _changed(before: Look, after: Look) -> list[str]:
    """The parts that look different."""
    was, now = before.glance, after.glance
    changed = {
        "clock": before.clock != after.clock,
        "prompt": before.prompt != after.prompt,
        "shoe": (before.shoe, before.seed, before.reader) != (after.shoe, after.seed, after.reader),
        "panel": _panel(before) != _panel(after),
        "table": (was and (was.view, was.floor)) != (now and (now.view, now.floor)),
    }
    changed["hint"] = was != now or changed["shoe"]
    return [name for name, differs in changed.items() if differs]


def _panel(look: Look) -> object:
    return (look.glance and look.glance.lamps, look.glance is None, look.held, look.bouncing)


def _plain(record: msgspec.Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(record)
    return plain


def _say(lang: str) -> Callable[[str], str]:
    return lambda key: word(lang, key)
