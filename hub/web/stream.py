"""Server-sent events (HTML standard, section 9.2): what every page that is live without a reload has in common."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress

from starlette.responses import PlainTextResponse, Response, StreamingResponse

from hub.web.live import Live, TooManyWatchers, Watcher

RETRY_MS = 1000              # a browser whose stream broke asks again after this


def frame(event: str, data: object, number: int | None = None) -> str:
    """One event, as it is sent."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def streamed(live: Live, names: Iterable[str], frames: Callable[[Watcher], AsyncIterator[str]]) -> Response:
    """The answer that sends the `frames` of a watcher of `names`; 503 when every place is taken."""
    try:
        watcher = live.watch(names)
    except TooManyWatchers:
        return PlainTextResponse("Too many pages are open.\n", 503, {"retry-after": "5"})
    return StreamingResponse(
        _seated(watcher, frames), media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )  # fmt: skip


async def _seated(watcher: Watcher, frames: Callable[[Watcher], AsyncIterator[str]]) -> AsyncIterator[str]:
    with suppress(TooManyWatchers), watcher:     # the answer has begun: all that can be done is to end it
        yield f"retry: {RETRY_MS}\n\n"
        async for text in frames(watcher):
            yield text
