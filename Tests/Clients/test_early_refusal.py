"""What nobody may do is refused before its content is read: by HTTP/1.1, with TLS, and by HTTP/2, for every form of head."""

import contextlib
import re
import socket
import ssl
import time

import pytest

from support.access import EVERYTHING, caller, first_token, make_menu, make_token
from support.certificates import Authority
from support.frames import Peer, data, headers
from support.nodes import launch
from test_memory import resident

MIB = 1 << 20
CONTENT = "/v1/directors/menu-lunch/content"
TYPE = "Content-Type: application/x-ndjson"
JSON_TYPE = "Content-Type: application/json"
# Each with the credential that asks: nobody, one that is wrong, one with another right, one with all of them.
REFUSED = [
    ("nobody", "PUT", CONTENT, TYPE, 401),
    ("wrong", "PUT", CONTENT, TYPE, 401),
    ("reader", "PUT", CONTENT, TYPE, 403),
    ("reader", "PUT", "/v1/directors/menu-lunch/content?reload=true", TYPE, 403),
    ("reader", "PUT", "/v1/directors/other/content", TYPE, 404),
    ("reader", "POST", "/v1/directors/menu-lunch/operations", JSON_TYPE, 403),
    ("reader", "PUT", "/v1/directors/menu-lunch/sections", JSON_TYPE, 403),
    ("reader", "POST", "/v1/directors/menu-lunch/events", JSON_TYPE, 403),
    ("nobody", "POST", "/v1/tokens", JSON_TYPE, 401),
    ("nobody", "POST", "/v1/directors/menu-lunch/operations", JSON_TYPE, 401),
    ("nobody", "POST", "/nowhere", JSON_TYPE, 404),
    ("nobody", "POST", "/livez", JSON_TYPE, 405),
    ("all", "POST", "/nowhere", JSON_TYPE, 404),
    ("all", "PATCH", CONTENT, JSON_TYPE, 405),
    ("all", "PUT", CONTENT, "Content-Type: text/plain", 415),
    ("all", "PUT", CONTENT + "?nonsense=1", TYPE, 400),
    # What is not read by anybody is bounded too.
    ("nobody", "GET", "/livez", TYPE, 413),
    ("all", "POST", "/v1/session", TYPE, 413),
    ("all", "GET", "/v1/directors/menu-lunch", TYPE, 413),
]
BODIES = {"length": "Content-Length: 16777216", "expect": "Content-Length: 16777216\r\nExpect: 100-continue",
          "chunks": "Transfer-Encoding: chunked", "chunks, expect": "Transfer-Encoding: chunked\r\nExpect: 100-continue"}


GRANTS = {"reader": [{"actions": ["read"], "directors": ["menu-*"]}], "all": EVERYTHING}


class Service:
    """A server whose list nobody may change without a credential, and the credentials."""

    def __init__(self, server):
        self.server, self.port = server, server.port
        self.is_secure = server.url.startswith("https")
        with caller(server, first_token(server)) as client:
            make_menu(client)
            self.tokens = {name: make_token(client, grants, name=name)["token"] for name, grants in GRANTS.items()}
        self.tokens["wrong"] = self.tokens["all"][:-1] + ("A" if self.tokens["all"][-1] != "A" else "B")

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), 20)
        if not self.is_secure:
            return connection
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(connection)

    def head(self, who: str, method: str, target: str, *fields: str) -> bytes:
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
        if who in self.tokens:
            lines.append(f"Authorization: Bearer {self.tokens[who]}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.fixture(scope="module", params=["in the clear", "TLS"])
def service(request, program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("early")
    settings = {"AUTH_MODE": "required", "HTTP2_CLEARTEXT": "true"}
    if request.param == "TLS":
        settings |= dict(zip(("TLS_CERTIFICATE", "TLS_KEY"), map(str, Authority(folder).issue("localhost", "127.0.0.1"))))
    server = launch(program, folder, [], **settings)
    try:
        yield Service(server.nodes[0])
    finally:
        server.stop()
        print(server.tail())


def answer(connection) -> tuple[int, bytes]:
    """The first answer, interim or not, up to the end of the connection."""
    content = b""
    while piece := connection.recv(1 << 16):
        content += piece
    return int(content[9:12]), content


# How long the content in chunks is, and whether there is any, shows at its end.
@pytest.mark.parametrize("who, method, target, kind, status, body", [
    (*each, body) for each in REFUSED for body in BODIES if each[-1] not in (413, 415) or "chunks" not in body])
def test_a_head_is_answered_before_its_content_comes(service, who, method, target, kind, status, body):
    with service.connect() as connection:
        connection.sendall(service.head(who, method, target, kind, BODIES[body]))
        first, content = answer(connection)
        assert first == status, content
        assert b"\r\nConnection: close\r\n" in content, "what follows would be taken for a request"
    # The server has not suffered, and who may does.
    with service.connect() as connection:
        connection.sendall(service.head("all", "PUT", "/v1/directors/menu-lunch/variables/x", JSON_TYPE,
                                        "Content-Length: 2", "Expect: 100-continue", "Connection: close"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "the content is asked for"
        connection.sendall(b"17")
        assert answer(connection)[0] in (200, 201, 204)


def test_what_nobody_reads_is_bounded_in_chunks_too(service):
    with service.connect() as connection:
        connection.sendall(service.head("nobody", "GET", "/livez", BODIES["chunks"]))
        with contextlib.suppress(OSError):
            for _ in range(64):
                connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        assert answer(connection)[0] == 413


@pytest.mark.parametrize("count", [1, 300_000, 32 * MIB])
def test_who_sends_all_the_same_reads_the_answer(service, count):
    """A socket that is closed with bytes unread is reset, and the answer may be lost with it."""
    with service.connect() as connection:
        connection.sendall(service.head("nobody", "PUT", CONTENT, TYPE, f"Content-Length: {count + 1}"))
        connection.sendall(b"x" * count)
        status, content = answer(connection)
    assert status == 401 and content.endswith(b"}") and b"WWW-Authenticate: Bearer" in content


def test_a_right_that_ends_while_the_content_comes_is_asked_for_again(service):
    body = b'{"id":"today"}\n{"model":"Dish","value":{"name":"Soup","price":2}}\n'
    with caller(service.server, service.tokens["all"]) as client, service.connect() as connection:
        made = make_token(client, EVERYTHING, name="short")
        service.tokens["short"] = made["token"]
        connection.sendall(service.head("short", "PUT", CONTENT, TYPE, f"Content-Length: {len(body)}",
                                        "Expect: 100-continue", "Connection: close"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        assert client.delete(f"/v1/tokens/{made['id']}").status_code == 204
        connection.sendall(body)
        assert answer(connection)[0] == 401


def fields_of(service, who, method, target, kind):
    fields = [(":method", method), (":scheme", "https" if service.is_secure else "http"), (":path", target),
              (":authority", "localhost"), ("content-type", kind.split(": ")[1]), ("content-length", "16777216")]
    return fields + ([("authorization", f"Bearer {service.tokens[who]}")] if who in service.tokens else [])


def peer_of(service) -> Peer:
    context = None
    if service.is_secure:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
    return Peer(service.port, context)


@pytest.mark.parametrize("who, method, target, kind, status", REFUSED)
def test_over_HTTP2_a_head_is_answered_before_its_content_comes(service, who, method, target, kind, status):
    fields = fields_of(service, who, method, target, kind)
    with peer_of(service) as peer:
        peer.send(headers(1, fields, ends=False) + headers(3, fields + [("expect", "100-continue")], ends=False))
        peer.wait(lambda: {1, 3} <= peer.ended)
        assert peer.status(1) == peer.status(3) == status
        interim = [one for one in peer.frames if type(one).__name__ == "HeadersFrame" and one.stream_id == 3]
        assert len(interim) == 1, "100 (Continue) was not sent"
        # Content that is on its way does no harm to the other streams.
        peer.send(data(1, b"x" * 16_384) + data(1, b"y" * 16_384))
        peer.newest = 3
        assert peer.answer([(":method", "GET"), (":scheme", "http"), (":path", "/livez"), (":authority", "localhost")])[0] == 200


def test_100_slow_uploads_without_a_credential_take_no_memory(service):
    """Before, each kept what had come of it: 100 of 2 MiB took 200 MiB, and 256 MiB of them everybody's place."""
    before, piece = resident(service.server), b"x" * 65_536
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(service.connect()) for _ in range(100)]
        for connection in connections:
            connection.sendall(service.head("nobody", "PUT", CONTENT, TYPE, "Content-Length: 2621440"))
        most = 0
        for _ in range(32):
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.sendall(piece)
            most = max(most, resident(service.server))
        with caller(service.server, service.tokens["all"]) as client:
            page = client.get("/metrics").text
            assert client.put("/v1/directors/menu-lunch/variables/x", json="y" * 8192).is_success
    print(f"100 uploads without a credential: {(most - before) / MIB:.1f} MiB")
    assert most - before < 24 * MIB
    assert int(re.search(r"^callboard_buffered_bytes (\d+)$", page, re.M).group(1)) < MIB


def test_uploads_of_those_who_may_are_bounded_together(start):
    """Bodies of all connections share one bound; one that does not fit is told so, with the bound's name."""
    service = Service(start(AUTH_MODE="required", SERVER_MAX_BUFFERED_BYTES=str(24 * MIB)))
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(service.connect())
            connection.sendall(service.head("all", "PUT", CONTENT, TYPE, f"Content-Length: {12 * MIB}"))
            connection.sendall(b"x" * (11 * MIB))
        deadline = time.monotonic() + 60
        while True:
            refused = stack.enter_context(service.connect())
            refused.sendall(service.head("all", "PUT", CONTENT, TYPE, f"Content-Length: {12 * MIB}", "Expect: 100-continue"))
            first = refused.recv(1 << 16)
            if not first.startswith(b"HTTP/1.1 100 ") or time.monotonic() > deadline:
                break
        assert first.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: 1\r\n" in first, first
        while piece := refused.recv(1 << 16):
            first += piece
        assert b"server.maxBufferedBytes" in first
