"""A Unix socket through which a crew in another process presses the mock pins and reads what the table can see.

JSON lines. In: `{"press":"fold"}` (down and up; with `"bounces":4` the contact bounces so often each way),
`{"down":"fold"}`, `{"up":"fold"}`, `{"turn":-3,"pushed":false}`, `{"push":true}`. Out, once on connecting and then at
every change: the object last given to `show`; and `{"error":"..."}` to whoever sent a line that is none of these.

Only mock pins can be pressed by a program; on real ones a socket would be a way to play somebody else's hand. The
socket's file is the owner's alone (mode 0600).
"""

from __future__ import annotations

import errno
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from drivers.guarded import GuardedThread
from drivers.panel import MockPanel
from drivers.seen import Key

MAX_LINE_BYTES = 4096
MAX_QUEUED = 64        # states a slow client may be behind; the oldest are dropped, each state is complete in itself
MAX_TURN = 10_000      # detents in one message
MAX_BOUNCES = 100      # in one press, each way
MAX_CLIENTS = 32
BACKLOG = 128          # who connects faster than this thread accepts


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    press: Key | None = None
    bounces: int = 0
    down: Key | None = None
    up: Key | None = None
    turn: int | None = None
    pushed: bool = False
    push: bool = False


class _Client:
    """One connection: bytes of an unfinished line that came in, and lines that wait to go out."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.inbound = b""
        self.outbound: deque[bytes] = deque(maxlen=MAX_QUEUED)
        self.sending = b""


class PanelSocket:
    """Serves one panel's mock pins at `path`. Raises ValueError without mock pins (`Panel.mock` is None)."""

    def __init__(self, path: str | Path, mock: MockPanel | None) -> None:
        if mock is None:
            raise ValueError('keys are pressed through a socket only with factory = "mock"')
        self._path = Path(path)
        self._mock = mock
        self._latest = b""      # what `show` was given last
        self._shown = b""       # what was sent to the clients last; the serving thread's own
        self._lock = threading.Lock()
        self._clients: dict[socket.socket, _Client] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_out, self._wake_in = socket.socketpair()
        self._listener: socket.socket | None = None
        self._ended = False
        self._thread = GuardedThread(self._serve, "panel-socket")

    def start(self) -> None:
        """Listens. A file that a killed unit left is replaced; raises OSError when `path` is in use or no good."""
        if self._path.is_socket():
            if _answers(self._path):
                raise OSError(errno.EADDRINUSE, "another unit listens here", str(self._path))
            self._path.unlink()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(str(self._path))
            self._path.chmod(0o600)
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            raise
        listener.setblocking(False)
        self._listener = listener
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._selector.register(self._wake_out, selectors.EVENT_READ, self._woken)
        self._thread.start()

    def show(self, state: dict[str, Any]) -> None:
        """What the table can see now. Goes to every client if it is not what it was. Never blocks."""
        line = msgspec.json.encode(state) + b"\n"
        with self._lock:
            if line == self._latest:
                return
            self._latest = line
        self._wake()

    def stop(self) -> None:
        """Sends what it can without waiting, hangs up and removes the file."""
        self._ended = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        if self._listener is not None:
            self._listener.close()
            self._path.unlink(missing_ok=True)
        self._wake_in.close()
        self._wake_out.close()
        self._selector.close()

    @property
    def failure(self) -> BaseException | None:
        """The mistake of ours that ended the thread; None: there was none."""
        return self._thread.failure

    def _wake(self) -> None:
        try:
            self._wake_in.send(b"!")
        except OSError:
            return  # a full pipe wakes as well; a closed one belongs to a socket that has ended

    def _serve(self) -> None:
        while not self._ended:
            for key, _ in self._selector.select():
                key.data()
            with self._lock:
                latest = self._latest
            if latest != self._shown:
                self._shown = latest
                for client in list(self._clients.values()):
                    self._queue(client, latest)
        for client in list(self._clients.values()):
            self._drop(client)

    def _woken(self) -> None:
        self._wake_out.recv(4096)

    def _accept(self) -> None:
        assert self._listener is not None
        connection, _ = self._listener.accept()
        if len(self._clients) >= MAX_CLIENTS:
            connection.close()
            return
        connection.setblocking(False)
        client = _Client(connection)
        self._clients[connection] = client
        self._selector.register(connection, selectors.EVENT_READ, self._serving(client))
        if self._shown:
            self._queue(client, self._shown)

    def _serving(self, client: _Client) -> Callable[[], None]:
        def serve() -> None:
            self._flush(client)
            self._read(client)

        return serve

    def _read(self, client: _Client) -> None:
        try:
            received = client.connection.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._drop(client)
            return
        *lines, client.inbound = (client.inbound + received).split(b"\n")
        for line in lines:
            if line.strip():
                self._obey(client, line)
        if len(client.inbound) > MAX_LINE_BYTES:
            client.inbound = b""
            self._complain(client, f"a line is longer than {MAX_LINE_BYTES} bytes")

    def _obey(self, client: _Client, line: bytes) -> None:
        try:
            request = msgspec.json.decode(line, type=_Request)
        except msgspec.MsgspecError as trouble:
            self._complain(client, f"not understood: {trouble}")
            return
        match request:
            case _Request(press=Key() as key) if 0 <= request.bounces <= MAX_BOUNCES:
                self._mock.press(key, request.bounces)
            case _Request(down=Key() as key):
                self._mock.down(key)
            case _Request(up=Key() as key):
                self._mock.up(key)
            case _Request(turn=int() as steps) if abs(steps) <= MAX_TURN:
                self._mock.turn(steps, request.pushed)
            case _Request(push=True):
                self._mock.push()
            case _:
                self._complain(client, f"say press, down, up, turn (at most {MAX_TURN}) or push")

    def _complain(self, client: _Client, text: str) -> None:
        self._queue(client, msgspec.json.encode({"error": text}) + b"\n")

    def _queue(self, client: _Client, line: bytes) -> None:
        client.outbound.append(line)
        self._flush(client)

    def _flush(self, client: _Client) -> None:
        try:
            while client.sending or client.outbound:
                client.sending = client.sending or client.outbound.popleft()
                client.sending = client.sending[client.connection.send(client.sending) :]
        except BlockingIOError:
            self._listen_for(client, selectors.EVENT_READ | selectors.EVENT_WRITE)
        except OSError:
            self._drop(client)
        else:
            self._listen_for(client, selectors.EVENT_READ)

    def _listen_for(self, client: _Client, events: int) -> None:
        key = self._selector.get_map().get(client.connection)
        if key is not None and key.events != events:
            self._selector.modify(client.connection, events, key.data)

    def _drop(self, client: _Client) -> None:
        if self._clients.pop(client.connection, None) is not None:
            self._selector.unregister(client.connection)
            client.connection.close()


def _answers(path: Path) -> bool:
    """Whether a living process listens at `path`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
