"""A webhook receiver that keeps what it gets, checks every signature, and misbehaves as it is told."""

import contextlib
import json
import math
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

HOST = "127.0.0.1"
LIMIT = 60.0
# Ends a connection with a reset, as the end of a process does that has not read everything.
ABORT = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Call:
    """One request that arrived whole; `at` is by `time.monotonic`."""

    path: str
    fields: dict[str, str]
    body: bytes
    at: float
    connection: int

    @property
    def id(self) -> str:
        return self.fields["webhook-id"]

    @property
    def message(self) -> dict:
        return json.loads(self.body)

    @property
    def data(self) -> dict:
        return self.message["data"]


@dataclass(frozen=True)
class Reply:
    """What a call is answered: a status of 0 closes the connection instead, `cut` does so after that many bytes."""

    status: int = 204
    body: bytes = b""
    fields: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int | None = None

    def __str__(self) -> str:
        what = self.body[:20].decode() + f"({len(self.body)})" * (len(self.body) > 20)
        return " ".join(str(each) for each in (self.status, what, self.wait or "", self.cut or "") if each != "")


def value(answer) -> Reply:
    """The answer to a question."""
    return content({"value": answer})


def content(body) -> Reply:
    """An answer of this JSON."""
    return Reply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})


FINE = Reply()
FAILS = Reply(500, b"something is broken")
HANGS = Reply(wait=math.inf)
CLOSES = Reply(0)
CUTS = Reply(200, b'{"value": true}', cut=50)
CUTS_HEAD = Reply(200, b'{"value": true}', cut=30)

# Says what a call is answered, from the call.
Script = Callable[[Call], Reply]


def one_after_another(*replies: Reply) -> Script:
    """The replies in turn, the last one for ever."""
    left = list(replies)
    return lambda call: left.pop(0) if len(left) > 1 else left[0]


class Receiver:
    """An HTTP/1.1 server on a port of its own, a thread for each connection.

    `scripts` says what each path is answered (204 where nothing is said) and `secrets` what it is signed with.
    What must not happen is in `faults`, which a test's fixture looks into at the end.
    """

    def __init__(self):
        self.scripts: dict[str, Script] = {}
        self.secrets: dict[str, list[str]] = {}
        self.calls: list[Call] = []
        self.faults: list[str] = []
        self.connections = 0
        self._news = threading.Condition()
        self._open: dict[socket.socket, tuple[str, int]] = {}
        self._listener: socket.socket | None = None
        # Never listens: keeps the port from others while the receiver is down, so that connections are refused.
        self._place = self._bound(0)
        self.port = self._place.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}"
        self.start()

    @staticmethod
    def _bound(port: int) -> socket.socket:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        return made

    def start(self) -> None:
        """Listens, on the same port as before."""
        self._listener = self._bound(self.port)
        self._listener.listen(256)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def kill(self) -> None:
        """Resets every connection and refuses new ones until `start`; what arrived is kept."""
        if self._listener is not None:
            # A thread that waits in accept keeps a socket listening that is only closed.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._news:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends for good."""
        self.kill()
        self._place.close()

    def on(self, path: str, reply: Reply | Script) -> None:
        """Answers what comes to `path` with this from now on."""
        self.scripts[path] = reply if callable(reply) else lambda _: reply

    def at(self, path: str | None = None) -> list[Call]:
        """What arrived at a path, or at all, in the order of arrival."""
        with self._news:
            return [call for call in self.calls if path is None or call.path == path]

    def wait(self, count: int, path: str | None = None, seconds: float = LIMIT) -> list[Call]:
        """What arrived, as soon as it is `count` calls at least."""
        self.wait_until(lambda: len(self.at(path)) >= count, f"{count} calls at {path or 'any path'}", seconds)
        return self.at(path)

    def wait_until(self, holds: Callable[[], bool], what: str, seconds: float = LIMIT) -> None:
        """Returns when something holds that a call brings about."""
        deadline = time.monotonic() + seconds
        with self._news:
            while not holds():
                left = deadline - time.monotonic()
                assert left > 0, f"waited {seconds} s for {what}; {len(self.calls)} calls arrived"
                self._news.wait(min(left, 1))

    def settle(self) -> None:
        """Waits until everything is read that callers have sent who are gone by now."""
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.port), LIMIT) as last:
            # It is accepted behind those that were made before it, or reset with them.
            name = last.getsockname()
            self.wait_until(lambda: name in self._open.values() or select.select([last], [], [], 0)[0], "its own connection")
        self.wait_until(lambda: not self._open, "the end of all connections")

    def forget(self) -> None:
        """Drops what arrived."""
        with self._news:
            self.calls.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                made, name = listener.accept()
            except OSError:
                return
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._news:
                self.connections += 1
                number = self.connections
                self._open[made] = name
                self._news.notify_all()
            threading.Thread(target=self._serve, args=(made, number), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        try:
            Exchange(connection, number, self)
        except OSError:
            # The other side has gone, or `kill` has closed this one.
            pass
        finally:
            with self._news:
                del self._open[connection]
                self._news.notify_all()
            connection.close()

    def took(self, call: Call) -> Reply:
        """Books a call and says what it is answered; for `Exchange`."""
        self._check(call)
        with self._news:
            self.calls.append(call)
            script = self.scripts.get(call.path)
            reply = script(call) if script else FINE
            self._news.notify_all()
        return reply

    def _check(self, call: Call) -> None:
        secrets = self.secrets.get(call.path, [])
        if call.fields.get("content-type") != "application/json":
            self.faults.append(f"{call.path}: the content type is {call.fields.get('content-type')!r}")
        # Whoever knows one of the secrets of a rotation can verify.
        for secret in secrets:
            try:
                Webhook(secret).verify(call.body, call.fields)
            except (WebhookVerificationError, ValueError) as error:
                self.faults.append(f"{call.path}: {error}: {call.fields}")
        if not secrets:
            self.faults.append(f"a call at {call.path}, which nobody registered")
        signatures = call.fields.get("webhook-signature", "").split(" ")
        well_formed = all(re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", each) for each in signatures)
        if len(signatures) != len(secrets) or not well_formed:
            self.faults.append(f"{call.path}: {len(secrets)} secrets and signatures {signatures}")


class Exchange(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(self, connection: socket.socket, number: int, receiver: Receiver):
        self.number, self.receiver = number, receiver
        super().__init__(connection, connection.getpeername(), None)

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return
        fields = {name.lower(): text for name, text in self.headers.items()}
        reply = self.receiver.took(Call(self.path, fields, body, time.monotonic(), self.number))
        if reply.wait and not self._stays(reply.wait) or reply.status == 0:
            self.close_connection = True
            return
        self._send(reply)

    def do_GET(self) -> None:
        self.receiver.faults.append(f"{self.command} {self.path}: a webhook is a POST")
        self.send_error(405)

    do_PUT = do_DELETE = do_HEAD = do_PATCH = do_GET

    def _send(self, reply: Reply) -> None:
        """Head and body in one piece, so that no packet waits for another one's acknowledgement."""
        lines = [f"HTTP/1.1 {reply.status} Status", *(f"{name}: {text}" for name, text in reply.fields.items())]
        if reply.status != 204:
            lines.append(f"Content-Length: {len(reply.body)}")
        answer = "\r\n".join([*lines, "", ""]).encode() + reply.body
        self.close_connection = self.close_connection or reply.cut is not None
        self.connection.sendall(answer[: reply.cut])

    def _stays(self, seconds: float) -> bool:
        """Whether the caller still waits after this time."""
        left = None if math.isinf(seconds) else seconds
        readable, _, _ = select.select([self.connection], [], [], left)
        return not readable

    def log_message(self, *_) -> None:
        """Keeps the standard library from writing every request to standard error."""


@contextlib.contextmanager
def listening() -> Iterator[Receiver]:
    """A receiver for the block, which ends with a failure where something came that must not."""
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()
    assert receiver.faults == []
