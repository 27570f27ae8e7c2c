"""The hub as a program on the same machine sees it: its public picture, and the director's page.

One kept-alive HTTP connection; a `HubClient` belongs to one thread.
"""

from __future__ import annotations

import http.client
import urllib.parse
from typing import Self

import msgspec

from hub.picture import Picture

TIMEOUT_S = 10.0


class HubGone(Exception):  # noqa: N818 - the hub is, not the program
    """The hub does not answer."""


class HubRefused(Exception):  # noqa: N818 - an answer
    """The hub will not do what was asked; its own words."""


class HubClient:
    """Talks to the hub on a port of the loopback."""

    def __init__(self, port: int) -> None:
        """Nothing is sent before the first question."""
        self._port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
        self._decoder = msgspec.json.Decoder(Picture)

    @property
    def url(self) -> str:
        """Where a browser finds the room."""
        return f"http://127.0.0.1:{self._port}/"

    def picture(self) -> Picture:
        """What everybody may see now. Raises HubGone."""
        _, body = self._ask("GET", "/api/state")
        return self._decoder.decode(body)

    def direct(self, what: str, subject: int = 0, **more: str) -> None:
        """Presses a button of the director's page, with `more` in its form. Raises HubRefused, HubGone."""
        form = urllib.parse.urlencode({"subject": subject} | more)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{self._port}"}
        location, _ = self._ask("POST", f"/director/{what}", form, headers)
        refused = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query).get("refused")
        if refused:
            raise HubRefused(refused[0])

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple[str, bytes]:
        """(where it redirects to or "", body)."""
        try:
            try:
                self._connection.request(method, path, body, headers or {})
                answer = self._connection.getresponse()
            except (ConnectionError, http.client.RemoteDisconnected):
                # A server hangs up on a connection that was idle; it has not seen the question (RFC 9112, 9.3.1).
                self._connection.close()
                self._connection.request(method, path, body, headers or {})
                answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as trouble:
            self._connection.close()         # the next question opens it anew
            raise HubGone(f"the hub at {self.url} does not answer: {trouble}") from trouble
        if answer.status >= http.client.BAD_REQUEST:
            raise HubRefused(content.decode(errors="replace").strip())
        return answer.getheader("location", ""), content
