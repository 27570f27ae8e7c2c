"""A broker that says what a test tells it to: bytes, in answer to the first packets of a connection."""

import socket
import threading
from contextlib import suppress

from drivers.mqtt_link import Address

CONNACK_311 = b"\x20\x02\x00\x00"
CONNACK_5 = b"\x20\x03\x00\x00\x00"
REFUSED_311 = b"\x20\x02\x00\x05"  # not authorized
CONNECT, SUBSCRIBE = 0x10, 0x80


class ScriptedBroker:
    """Answers each CONNECT and each SUBSCRIBE by `answer(kind, protocol level, packet id)`; None hangs up."""

    def __init__(self, answer):
        self.answer = answer
        self.connects: list[int] = []  # protocol levels, 4 or 5
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = Address(host="127.0.0.1", port=self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5.0)

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                thread = threading.Thread(target=self._serve, args=(client,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, client):
        level = 0
        with client, suppress(OSError):
            while packet := client.recv(65536):
                kind = packet[0] & 0xF0
                if kind == CONNECT:
                    level = packet[8]
                    self.connects.append(level)
                if kind in {CONNECT, SUBSCRIBE}:
                    reply = self.answer(kind, level, packet[2:4])
                    if reply is None:
                        return
                    client.sendall(reply)
