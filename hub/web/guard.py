"""What a request must be before a page answers it.

- The Host header must be one of ours (a page elsewhere that points its own name at this address is refused: DNS
  rebinding).
- An unsafe method must come from our own page: Sec-Fetch-Site says `same-origin`, or, from a browser that does not send
  it, Origin is our own (OWASP, Cross-Site Request Forgery Prevention, "Fetch Metadata headers").
- The director's pages answer the machine they run on and nobody else (the loopback, or the address asked).

Every answer carries a content security policy without inline script or style, and is not stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"127.0.0.1", "::1"})
DIRECTOR = "/director"

SECURITY = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case."""
    return (urlsplit(f"//{host}").hostname or "").lower()


def from_our_page(headers: Headers) -> bool:
    """Was an unsafe request made by a page of this very server?"""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _on_this_machine(client: str, server: tuple[str, int | None] | None) -> bool:
    """Linux drops what comes from outside and claims one of our own addresses as its source (RFC 1812, 5.3.8)."""
    return client in LOOPBACK or (server is not None and client == server[0])


class Guard:
    """ASGI middleware that holds the rules above."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, or passes on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await (refusal or self._app)(scope, receive, secured)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        try:
            name = host_name(headers.get("host", ""))
        except ValueError:
            name = ""
        if name not in self._names:
            return PlainTextResponse(
                "This hub does not answer to that name. Add it to [http] names in its configuration.\n", 421
            )
        path: str = scope["path"]
        client = scope.get("client")
        if path.startswith(DIRECTOR) and (client is None or not _on_this_machine(client[0], scope.get("server"))):
            return PlainTextResponse("The director's page is open on the hub's own machine only.\n", 403)
        if scope["method"] not in SAFE_METHODS and not from_our_page(headers):
            return PlainTextResponse("Refused: the request does not come from this hub's own page.\n", 403)
        return None
