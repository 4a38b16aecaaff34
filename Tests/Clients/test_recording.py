"""The wire, byte for byte: every route's answers and events beside a recording.

`recordings/requests.txt` has the requests: a line with the method and the target, the fields, and a last line with the
body, if any. `> open NAME GET TARGET` opens a stream, `> read NAME N` reads that many events of it (`end`: until the
connection closes), `> expect NAME nothing` looks that none has come. `EPOCH-n` stands for the n-th epoch that the server
has told of, `TOKEN-n` for the identifier of the n-th token, `STREAM-n` for that of the n-th stream. What differs from run to run (epochs, dates, identifiers, the
port) is replaced by names before comparing.

A change that is meant is recorded with `CALLBOARD_RECORD=1`, and its difference is read before it is committed.
"""

import os
import re
import socket
from pathlib import Path

import pytest

from conftest import api
from support import nodes

FOLDER = Path(__file__).parent / "recordings"
REQUESTS = FOLDER / "requests.txt"
ANSWERS = FOLDER / "answers.txt"
TIMEOUT = 60.0
# What nodes answer otherwise than a server that is alone, and what has to be in it.
OF_NODES = {
    "GET /readyz": r"^HTTP/1.1 200 OK\n[^{]*\nready\nnode: \d \(node\d\), owns \d+ of \d+ directors\n",
    "HEAD /readyz": r"^HTTP/1.1 200 OK\n",
    "GET /v1/nodes": r'^HTTP/1.1 200 OK\n[^{]*\n\{"nodes":\[(\{"node":[1-3],"name":"node\d",[^}]*\},?){3}\]\}$',
    **{request: rf'^HTTP/1.1 404 Not Found\n[^{{]*\n.*"detail":"No node has what the path names, \\"{name}\\"\."' for request, name in [
        ("GET /v1/deliveries/none", "none"), ("DELETE /v1/deliveries/none", "none"),
        ("POST /v1/deliveries/none:retry", "none"), ("DELETE /v1/streams/x", "x")]},
    "GET /v1/metrics/history?metric=nothing&node=9": r'^HTTP/1.1 404 Not Found\n[^{]*\n.*"detail":"There is no node 9 that lives;',
    # One node has to own both directors.
    "POST /v1/directors/shelf/sections/new/elements:transfer?reload=true":
        r'\nHTTP/1.1 (200 OK|409 Conflict)\n[^{]*\n\{("name":"shelf"|.*are owned by different nodes).*\}$',
    # The identifier of a stream has the number of its connection, so that the length is another one.
    "GET /v1/streams?director=board": r'^HTTP/1.1 200 OK\n[^{]*\n\{"streams":\[\{"id":"STREAM-1",[^]]*"name":"board"[^]]*\][^]]*\}\],.*"total":1\}$',
}


class Connection:
    """A connection that hands over what it reads as it came."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.unread = b""

    def close(self) -> None:
        self.socket.close()

    def send(self, method: str, target: str, fields: list[str], body: str) -> None:
        names = {field.split(":")[0].lower() for field in fields}
        lines = [f"{method} {target} HTTP/1.1"]
        if "host" not in names:
            lines.append("Host: localhost")
        lines += fields
        content = body.encode()
        if content:
            if "content-type" not in names:
                lines.append("Content-Type: application/json")
            lines.append(f"Content-Length: {len(content)}")
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + content)

    def until(self, end: bytes) -> bytes:
        while end not in self.unread:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError(self.unread)
            self.unread += piece
        read, self.unread = self.unread.split(end, 1)
        return read + end

    def take(self, count: int) -> bytes:
        while len(self.unread) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError(self.unread)
            self.unread += piece
        read, self.unread = self.unread[:count], self.unread[count:]
        return read

    def head(self) -> bytes:
        return self.until(b"\r\n\r\n")

    def answer(self, method: str) -> bytes:
        head = self.head()
        length = re.search(rb"^content-length: (\d+)\r$", head, re.M | re.I)
        return head + (self.take(int(length.group(1))) if length and method != "HEAD" else b"")

    def chunk(self) -> bytes:
        start = self.until(b"\r\n")
        return start + self.take(int(start, 16) + 2)

    def rest(self) -> bytes:
        while piece := self.socket.recv(65536):
            self.unread += piece
        read, self.unread = self.unread, b""
        return read

    def has_nothing(self) -> bool:
        self.socket.settimeout(0.2)
        try:
            return not self.unread and not self.socket.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(TIMEOUT)


class Names:
    """Puts names in place of what differs from run to run, the same for the same each time."""

    PATTERNS = [
        (re.compile(r"(?<=\r\ndate: )[^\r]+", re.I), "DATE"),
        (re.compile(r"(?<=\r\nx-request-id: )[^\r]+", re.I), "REQUEST"),
        (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), "TIME"),
        (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I), "UUID"),
        (re.compile(r"(?<=\r\n\r\nok\ncallboard )\d+\.\d+\.\d+(?=\n)"), "VERSION"),
        (re.compile(r"\btok_[0-9a-f]{16}\b"), "TOKEN"),
        (re.compile(r'(?<="id":")[0-9a-z]{6}-\d+(?=","since":)'), "STREAM"),
        (re.compile(r"\bcbt_[A-Za-z0-9]{36}\b"), "CREDENTIAL"),
        (re.compile(r"\bwhsec_[A-Za-z0-9+/=…]+"), "SECRET"),
    ]

    def __init__(self):
        self.epochs: list[str] = []
        self.others: dict[str, str] = {}

    def learn(self, text: str) -> None:
        for epoch in re.findall(r'"epoch":"([^"]+)"', text) + re.findall(r'etag: "([^"-]+)-r\d', text, re.I):
            if epoch not in self.epochs:
                self.epochs.append(epoch)

    def replace(self, text: str) -> str:
        text = re.sub(r"cbs_[A-Za-z0-9_-]+", "TICKET", text)
        self.learn(text)
        for number, epoch in enumerate(self.epochs, 1):
            text = re.sub(rf"\b{re.escape(epoch)}\b", f"EPOCH-{number}", text)
        for pattern, name in self.PATTERNS:
            text = pattern.sub(lambda found, name=name: self.name(name, found.group()), text)
        return text

    def name(self, kind: str, text: str) -> str:
        if kind in ("DATE", "TIME", "REQUEST", "VERSION"):
            return kind
        if text not in self.others:
            self.others[text] = f"{kind}-{1 + sum(name.startswith(kind) for name in self.others.values())}"
        return self.others[text]

    def fill(self, request: str) -> str:
        for text, name in self.others.items():
            if name.startswith(("TOKEN-", "STREAM-")):
                request = re.sub(rf"{name}\b", text, request)
        return re.sub(r"EPOCH-(\d+)", lambda found: self.epochs[int(found.group(1)) - 1], request)


def blocks() -> list[list[str]]:
    """The requests and commands, each as its lines."""
    lines = [line for line in REQUESTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [block.splitlines() for block in re.split(r"\n{2,}", "\n".join(lines).strip("\n")) if block.strip()]


def request_of(lines: list[str]) -> tuple[str, str, list[str], str]:
    method, target = lines[0].split(" ")
    fields = [line for line in lines[1:] if re.match(r"[A-Z][A-Za-z-]+: ", line)]
    return method, target, fields, "\n".join(lines[1 + len(fields):])


def run(server) -> str:
    """Sends everything; returns the transcript."""
    streams: dict[str, Connection] = {}
    try:
        return transcribe(server, streams)
    finally:
        for stream in streams.values():
            stream.close()


def transcribe(server, streams: dict[str, Connection]) -> str:
    names = Names()
    connection = streams.setdefault("requests", Connection(server.port))
    transcript = []
    for lines in blocks():
        filled = [names.fill(line) for line in lines]
        if filled[0].startswith("> "):
            try:
                received = command(filled[0].split(" ")[1:], streams, server.port)
            except (TimeoutError, EOFError) as error:
                raise AssertionError(f"{lines[0]}: {error!r} after\n{chr(10).join(transcript)}") from error
        else:
            method, target, fields, body = request_of(filled)
            connection.send(method, target, fields, body)
            received = connection.answer(method)
            if re.search(rb"^connection: close\r$", received, re.M | re.I):
                connection.close()
                connection = streams["requests"] = Connection(server.port)
        text = names.replace(received.decode()).replace(str(server.port), "PORT")
        shown = "\n".join(lines)
        if lines[0] == "GET /openapi.json":
            # What the description says is for the tests that hold the server against it.
            text = re.sub(r"content-length: \d+", "content-length: …", text.partition("\r\n\r\n")[0], flags=re.I)
            text = re.sub(r"etag: .*", "etag: …", text, flags=re.I)
        transcript.append(f"=== {shown}\n{text}")
    return "\n".join(transcript).replace("\r\n", "\n") + "\n"


def command(words: list[str], streams: dict[str, Connection], port: int) -> bytes:
    action, name, *rest = words
    if action == "open":
        streams[name] = Connection(port)
        streams[name].send(rest[0], rest[1], ["Accept: text/event-stream"], "")
        # The head, and the line that says how long to wait before the next attempt.
        return streams[name].head() + streams[name].chunk()
    if action == "read" and rest[0] != "end":
        return b"".join(streams[name].chunk() for _ in range(int(rest[0])))
    if action == "read":
        return streams[name].rest()
    assert action == "expect" and streams[name].has_nothing(), f"{name} has been sent something"
    return b""


@pytest.fixture
def transcript(start) -> str:
    return run(start(FEED_RETRY_MIN="100", FEED_RETRY_MAX="100", FEED_HEARTBEAT="3600", SERVER_LOOPS="1"))


def test_every_answer_and_event_is_what_it_was(transcript):
    if os.environ.get("CALLBOARD_RECORD") and not nodes.IS_SET:
        ANSWERS.write_text(transcript, encoding="utf-8")
        pytest.skip(f"recorded anew: {ANSWERS}")
    recorded = ANSWERS.read_text(encoding="utf-8")
    if nodes.IS_SET:
        transcript, recorded = without_own_answers(transcript, True), without_own_answers(recorded, False)
    assert transcript == recorded


def without_own_answers(transcript: str, is_checked: bool) -> str:
    """The transcript but for what nodes answer in their own way, which is checked by itself where it is theirs."""
    kept, seen = [], set()
    for block in re.split(r"^(?==== )", transcript, flags=re.M):
        request, _, answer = block.removeprefix("=== ").partition("\n")
        if request not in OF_NODES:
            kept.append(in_order(block))
            continue
        seen.add(request)
        assert not is_checked or re.search(OF_NODES[request], answer), block
    assert seen == OF_NODES.keys()
    return "".join(kept)


def in_order(block: str) -> str:
    """An answer with its fields in order: what a node passes on has its fields in another one."""
    head, end, body = block.partition("\n\n")
    return "\n".join(sorted(head.splitlines(), key=lambda line: (re.match(r"[\w-]+: ", line) is not None, line))) + end + body


def test_every_route_is_in_the_recording(server):
    """Each operation of the description is asked at least once, so that none can change unseen."""
    with api(server) as client:
        description = client.get("/openapi.json").json()
    asked = set()
    for lines in blocks():
        words = lines[0].split(" ")
        method, target = (words[3], words[4]) if words[:2] == [">", "open"] else (words[0], words[1])
        asked.add((method, target.split("?")[0]))
    missing = []
    for template, methods in description["paths"].items():
        pattern = re.compile(re.sub(r"\\\{[^}]+\\\}", "[^/:]+", re.escape(template)) + "$")
        for method in methods:
            if method in ("get", "put", "post", "patch", "delete"):
                if not any(name == method.upper() and pattern.match(target) for name, target in asked):
                    missing.append(f"{method.upper()} {template}")
    # Metrics are numbers of this run, and files are what they are; tests of their own look at them.
    files = [f"GET /{name}" for module in ("client", "list", "offline") for name in (f"{module}.js", f"{module}.d.ts")]
    files.append("GET /console/")
    assert sorted(missing) == sorted(["GET /metrics", *files])
