"""HTTP/1.1 as far as the tests need it: several requests on their way at a time, and streams of events."""

import contextlib
import http.client
import json
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass

HOST = "127.0.0.1"
LIMIT = 20.0


class Cut(Exception):
    """The connection ended, or could not be made, before the answer was complete."""


@dataclass
class Answer:
    """An answer that came whole."""

    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def revision(self) -> int | None:
        """The revision in the entity tag."""
        tag = re.fullmatch(r'"[^"]*-r(\d+)(?:-v\d+)?"', self.fields.get("etag", ""))
        return int(tag[1]) if tag else None

    def json(self):
        return json.loads(self.body)

    def same_as(self, other: "Answer") -> bool:
        """Whether it says the same: status, entity tag, location and content."""
        def told(answer: Answer) -> tuple:
            return answer.status, answer.fields.get("etag"), answer.fields.get("location"), answer.body

        return told(self) == told(other)


class Connection:
    """A connection that stays open; answers come in the order of the requests."""

    def __init__(self, port: int):
        try:
            self.socket = socket.create_connection((HOST, port), timeout=LIMIT)
        except OSError as error:
            raise Cut(str(error)) from error
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = self.socket.makefile("rb")

    def send(self, request: bytes) -> None:
        """Sends a request; raises `Cut` where the connection is gone (the request may have arrived all the same)."""
        try:
            self.socket.sendall(request)
        except OSError as error:
            raise Cut(str(error)) from error

    def receive(self) -> Answer:
        """The next answer, whole; raises `Cut` where only a part came, or none."""
        try:
            words = self._line().split(b" ", 2)
            fields = {}
            while line := self._line():
                name, _, value = line.decode("latin-1").partition(":")
                fields[name.lower()] = value.strip()
            length = int(fields.get("content-length", "0"))
            body = self.reader.read(length)
        except (OSError, ValueError) as error:
            raise Cut(str(error)) from error
        if len(body) < length:
            raise Cut("the answer's body was cut off")
        return Answer(int(words[1]), fields, body)

    def call(self, request: bytes) -> Answer:
        """Sends a request and waits for its answer."""
        self.send(request)
        return self.receive()

    def get(self, target: str) -> Answer:
        """Reads a resource."""
        return self.call(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def put(self, target: str, body: dict) -> Answer:
        """Makes a resource."""
        content = json.dumps(body).encode()
        return self.call(f"PUT {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(content)}\r\n\r\n".encode() + content)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.reader.close()
        self.socket.close()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _line(self) -> bytes:
        line = self.reader.readline(65_536)
        if not line.endswith(b"\r\n"):
            raise Cut("the answer's head was cut off")
        return line[:-2]


class EventStream:
    """A stream of server-sent events; `close` from another thread ends it."""

    def __init__(self, port: int, target: str, last_id: str | None):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=LIMIT)
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        try:
            self.connection.request("GET", target, headers=fields)
            self.socket = self.connection.sock
            self.answer = self.connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Cut(str(error)) from error
        self.status = self.answer.status

    def events(self) -> Iterator[tuple[str, str, dict]]:
        """Name, id and data of each event that came whole; ends where the connection does."""
        name, identifier, data = "message", "", []
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            while line := self.answer.readline():
                if not line.endswith(b"\n"):
                    return
                text = line.decode().rstrip("\r\n")
                label, _, value = text.partition(":")
                value = value.removeprefix(" ")
                match label:
                    case "" if not text:
                        if data:
                            yield name, identifier, json.loads("\n".join(data))
                        name, data = "message", []
                    case "event":
                        name = value
                    case "id":
                        identifier = value
                    case "data":
                        data.append(value)

    def close(self) -> None:
        """Ends the stream at once, also while another thread waits for its next event."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Gives the descriptor back; called by the thread that read."""
        self.answer.close()
        self.connection.close()
