"""Hundreds of clients that are slow on purpose, and a bystander whose requests are timed meanwhile."""

import http.client
import resource
import select
import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path

from hpack import Encoder
from hyperframe.frame import ContinuationFrame, DataFrame, HeadersFrame, SettingsFrame, WindowUpdateFrame

from support.http2 import Connection
from support.server import Server

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WIDEST = 2**31 - 1


def hello(**settings: int) -> bytes:
    """What a client of HTTP/2 says first; `settings` by hyperframe's names."""
    numbers = {getattr(SettingsFrame, key): value for key, value in settings.items()}
    return PREFACE + SettingsFrame(settings=numbers).serialize()


def head(method: str, path: str, stream: int = 1, ends: bool = True) -> bytes:
    """A request's HEADERS; its content follows unless it ends with them."""
    fields = [(":method", method), (":path", path), (":scheme", "http"), (":authority", "localhost")]
    if not ends:
        fields.append(("content-type", "application/json"))
    # No entry of the dynamic table is used, so that the same bytes fit any connection and stream.
    frame = HeadersFrame(stream, Encoder().encode(fields), flags=["END_HEADERS"] + ["END_STREAM"] * ends)
    return frame.serialize()


def unfinished_head(stream: int = 1) -> bytes:
    """HEADERS whose fields go on in a CONTINUATION with a value of 16,000 bytes, of which nothing has come."""
    start = HeadersFrame(stream, head("GET", "/livez")[9:], flags=["END_STREAM"]).serialize()
    # A literal without indexing: the name "a", and the length of the value in seven bits and the rest.
    field = b"\x00\x01a\x7f" + bytes([(16_000 - 127) % 128 + 128, (16_000 - 127) // 128])
    return start + ContinuationFrame(stream, field + bytes(16_000)).serialize()[:9 + len(field)]


def data(content: bytes, stream: int = 1) -> bytes:
    return DataFrame(stream, content).serialize()


def window(count: int, stream: int) -> bytes:
    return WindowUpdateFrame(stream, count).serialize()


class Attackers:
    """Connections that each send `opening`, and then what `tick` gives, again and again."""

    def __init__(self, server: Server, count: int, opening: bytes, tick: Callable[[int], bytes] | None = None,
                 every: float = 0.3, reads: bool = True):
        """`tick` takes the number of the turn. Where `reads` is false nothing is taken from the sockets."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * count)), hard))
        self.tick, self.every, self.reads = tick, every, reads
        self.turn, self.due = 0, time.monotonic() + every
        self.count, self.poll, self.sockets = count, select.poll(), {}
        for _ in range(count):
            connection = socket.socket()
            if not reads:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setblocking(False)
            connection.send(opening)
            self.sockets[connection.fileno()] = connection
            self.poll.register(connection, select.POLLIN if reads else 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.sockets.values():
            connection.close()

    def work(self) -> int:
        """Sends what is due, takes what has come, and returns how many connections the server has not closed.

        Where nothing is read, the kernel may keep the end from a client too: then the server has to be asked.
        """
        if self.tick and time.monotonic() >= self.due:
            content = self.tick(self.turn)
            self.turn, self.due = self.turn + 1, time.monotonic() + self.every
            for number in list(self.sockets) if content else []:
                self._try(number, lambda connection: connection.send(content))
        for number, what in self.poll.poll(0):
            if what & (select.POLLHUP | select.POLLERR):
                self._forget(number)
            elif self.reads:
                self._try(number, self._take)
        return len(self.sockets)

    def _take(self, connection: socket.socket) -> int:
        return len(connection.recv(65536))

    def _try(self, number: int, work: Callable[[socket.socket], int]) -> None:
        try:
            if work(self.sockets[number]) == 0:
                self._forget(number)
        except BlockingIOError:
            pass
        except OSError:
            self._forget(number)

    def _forget(self, number: int) -> None:
        self.poll.unregister(number)
        self.sockets.pop(number).close()


class Bystander:
    """Times GETs on kept connections, HTTP/1.1 and HTTP/2, and on a new connection each."""

    def __init__(self, server: Server, trust: Callable[[], ssl.SSLContext] | None = None):
        self.port, self.times = server.port, []
        self.context = trust() if trust else None
        self.kept, self.trust = self.open(), trust
        self.streams = self.open_streams()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kept.close()
        self.streams.socket.close()

    def open(self) -> http.client.HTTPConnection:
        if self.context:
            return http.client.HTTPSConnection("localhost", self.port, timeout=60, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def open_streams(self) -> Connection:
        return Connection(self.port, self.trust() if self.trust else None)

    def get(self, connection: http.client.HTTPConnection, path: str = "/livez") -> str:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
        except ConnectionError:
            # The server has closed a connection that was idle for as long as it keeps one, on a machine that is busy.
            connection.close()
            connection.request("GET", path)
            answer = connection.getresponse()
        content = answer.read().decode()
        assert answer.status == 200, content
        return content

    def ask(self) -> None:
        """One GET in each way."""
        for way in (self.on_kept, self.on_streams, self.on_new):
            began = time.monotonic()
            way()
            self.times.append(time.monotonic() - began)

    def on_kept(self) -> None:
        self.get(self.kept)

    def on_streams(self) -> None:
        while self.streams.receive(0.001):
            pass
        if self.streams.isClosed or self.streams.goaway is not None:
            self.streams.socket.close()
            self.streams = self.open_streams()
        assert self.streams.answer(self.streams.request("GET", "/livez"))[0] == 200

    def on_new(self) -> None:
        connection = self.open()
        self.get(connection)
        connection.close()

    def metrics(self) -> dict[str, float]:
        """The metrics without labels."""
        lines = (line.split() for line in self.get(self.kept, "/metrics").splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in lines}

    def most(self) -> float:
        """What 19 of 20 requests have taken at most: the others are the machine's, where it has more to do."""
        return sorted(self.times)[(len(self.times) - 1) * 19 // 20]


def taken(server: Server) -> tuple[int, int]:
    """The resident memory of the server's process in bytes, and its descriptors."""
    process = Path(f"/proc/{server.process.pid}")
    line = next(each for each in (process / "status").read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) * 1024, len(list((process / "fd").iterdir()))
