"""A relay in front of a node's internal port, which keeps each message byte for byte and can do something before it goes on."""

import base64
import contextlib
import json
import re
import socket
import threading
from collections.abc import Callable


class Message:
    """A request between nodes as it came over the wire."""

    def __init__(self, raw: bytes):
        self.raw = raw
        self.head, _, self.body = raw.partition(b"\r\n\r\n")

    def field(self, name: str) -> str:
        """The value of a header field."""
        return re.search(rf"^{name}: *(.*?)\r?$", self.head.decode(), re.M | re.I).group(1)

    @property
    def envelope(self) -> dict:
        """What is signed."""
        return json.loads(base64.b64decode(self.field("callboard-message")))

    def with_field(self, name: str, value: str) -> bytes:
        """The request with another value of a field."""
        return self.raw.replace(self.field(name).encode(), value.encode(), 1)

    def with_envelope(self, **members) -> bytes:
        """The request with other members of what is signed, under the same signature."""
        text = json.dumps(self.envelope | members, separators=(",", ":"))
        return self.with_field("callboard-message", base64.b64encode(text.encode()).decode())


def _read(stream) -> bytes:
    """One request; nothing at the end of the connection."""
    head = b""
    while line := stream.readline():
        head += line
        if line == b"\r\n":
            break
    found = re.search(rb"^content-length: *(\d+)", head, re.M | re.I)
    return head + (stream.read(int(found.group(1))) if found else b"")


def send(port: int, raw: bytes) -> int:
    """Sends bytes to an internal port on a connection of their own; returns the answer's status."""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(raw)
        return int(connection.makefile("rb").readline().split(b" ")[1])


class Recorder:
    """The relay: `port` is where it listens, `target` the internal port of the node behind it."""

    def __init__(self, target: int):
        self.target, self.messages = target, []
        # Called with each message before it goes on.
        self.before: Callable[[Message], None] = lambda message: None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def changes(self) -> list[Message]:
        """The messages that carry a change."""
        return [each for each in self.messages if is_change(each)]

    def close(self) -> None:
        """Listens no more."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self._listener.accept()[0],), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", self.target)) as node:
            threading.Thread(target=self._answers, args=(node, client), daemon=True).start()
            stream = client.makefile("rb")
            while raw := _read(stream):
                self.messages.append(message := Message(raw))
                self.before(message)
                node.sendall(raw)

    @staticmethod
    def _answers(node: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := node.recv(1 << 16):
                client.sendall(piece)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


def is_change(message: Message) -> bool:
    """Whether a message carries a change of a director."""
    return "epoch" in message.envelope and message.envelope["request"].split(" ")[0] in ("POST", "PUT", "PATCH", "DELETE")
