"""HTTP/2: many streams on one connection, windows, cancellations, floods, and other programs' clients."""

import asyncio
import json
import re
import socket
import struct
import time
import urllib.parse

import h2.settings
import httpx
import pytest

from conftest import BOOK
from support.certificates import Authority
from support.hooks import eventually
from support.http2 import Connection
from support.server import Server, metric
from test_browser import Reports, browse, reports
from test_tls import PATIENCE, client, curl, files, trust, wait_for

__all__ = ["browse", "reports"]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
NO_ERROR, CANCEL, ENHANCE_YOUR_CALM = 0, 8, 11


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture(params=["cleartext", "TLS"])
def both(request, start, authority):
    """A server, and what connects to it or to one of its ports, with and without TLS."""

    def begin(**settings):
        if request.param == "TLS":
            server = start(**files(*authority.issue("localhost", "127.0.0.1")), **settings)
            return server, lambda port=server.port, **options: Connection(port, trust(authority), **options)
        server = start(HTTP2_CLEARTEXT="true", **settings)
        return server, lambda port=server.port, **options: Connection(port, **options)

    return begin


def make_book(connection: Connection) -> None:
    assert connection.answer(connection.request("PUT", BOOK, b'{"kind":"table"}'))[0] == 201


def change(connection: Connection, number: int) -> None:
    body = json.dumps({"id": f"s{number}", "elements": []}).encode()
    assert connection.answer(connection.request("POST", f"{BOOK}/sections?reload=true", body))[0] == 201


def changesets(body: bytes) -> list[int]:
    return [json.loads(data)["version"] for data in re.findall(rb"event: changeset\ndata: (.*)\n", body)]


def test_hundreds_of_streams_on_one_connection_get_every_changeset(both):
    _, connect = both()
    with connect() as connection:
        make_book(connection)
        streams = [connection.follow(f"{BOOK}/changesets") for _ in range(300)]
        connection.wait(lambda: all(b"event: snapshot" in connection.bodies.get(each, b"") for each in streams))
        for number in range(10):
            change(connection, number)
        connection.wait(lambda: all(changesets(connection.bodies[each])[-1:] == [10] for each in streams))
        assert all(changesets(connection.bodies[each]) == list(range(1, 11)) for each in streams)


def test_answers_are_the_same_as_over_http1(both, authority):
    server, connect = both()
    scheme = "https" if server.url.startswith("https") else "http"
    with connect() as connection, httpx.Client(
            base_url=f"{scheme}://localhost:{server.port}", verify=trust(authority), trust_env=False) as http:
        make_book(connection)
        for method, path, body in [
            ("GET", BOOK, None), ("HEAD", BOOK, None), ("GET", "/nowhere", None), ("GET", f"{BOOK}?x=1", None),
            ("POST", f"{BOOK}/sections", b"nonsense"), ("DELETE", "/livez", None), ("OPTIONS", BOOK, None),
            ("GET", "/openapi.json", None), ("GET", f"{BOOK}/changesets?since=0", None),
        ]:
            stream = connection.request(method, path, body)
            status, content = connection.answer(stream)
            fields = {"Accept-Encoding": "identity"} | ({"Content-Type": "application/json"} if body else {})
            other = http.request(method, path, content=body, headers=fields)
            assert (status, content) == (other.status_code, other.content), f"{method} {path}"
            mine = {name: value for name, value in connection.heads[stream].items()
                    if not name.startswith(":") and name not in ("date", "x-request-id")}
            theirs = {name.lower(): value for name, value in other.headers.items()
                      if name.lower() not in ("date", "x-request-id", "connection", "keep-alive")}
            assert mine == theirs, f"{method} {path}"


def test_a_long_answer_comes_through_a_window_of_any_size(both):
    _, connect = both()
    with connect(window=1) as connection:
        make_book(connection)
        text = "x" * 300
        assert connection.answer(connection.request("PUT", f"{BOOK}/variables/v", json.dumps(text).encode()))[0] == 201
        assert json.loads(connection.answer(connection.request("GET", f"{BOOK}/variables/v"))[1]) == text
    with connect() as connection:
        text = "y" * 3_000_000
        put(connection, f"{BOOK}/variables/v", json.dumps(text).encode())
        assert json.loads(connection.answer(connection.request("GET", f"{BOOK}/variables/v"))[1]) == text


def test_a_stream_whose_window_stays_shut_is_reset_alone(both):
    server, connect = both(SERVER_WRITE_STALL_TIMEOUT="1", FEED_HEARTBEAT="0.2")
    with connect() as connection, connect() as other:
        make_book(other)
        text = json.dumps("z" * 200_000).encode()
        connection.acknowledges = False
        put(other, f"{BOOK}/variables/v", text)
        # 65,535 bytes fit the connection's window too: what another stream needs has to be given back.
        stuck = connection.request("GET", f"{BOOK}/variables/v")
        connection.wait(lambda: len(connection.bodies.get(stuck, b"")) >= 65_535)
        connection.machine.increment_flow_control_window(1_000_000)
        connection.flush()
        follower = connection.follow(f"{BOOK}/changesets")
        connection.wait(lambda: b"event: snapshot" in connection.bodies.get(follower, b""))
        connection.wait(lambda: stuck in connection.resets)
        assert connection.resets[stuck] == CANCEL
        change(other, 1)
        connection.wait(lambda: changesets(connection.bodies[follower]) == [1])
        assert follower not in connection.resets and connection.goaway is None


def put(connection: Connection, path: str, body: bytes) -> None:
    stream = connection.request("PUT", path, b"", ends=False)
    while body:
        room = min(connection.machine.local_flow_control_window(stream), 16_384, len(body))
        if not room:
            connection.receive()
            continue
        connection.machine.send_data(stream, body[:room], end_stream=room == len(body))
        connection.flush()
        body = body[room:]
    assert connection.answer(stream)[0] in (200, 201)


def test_the_answer_to_a_change_is_never_replaced_for_want_of_memory(both):
    server, connect = both(SERVER_MAX_BODY="1000000", SERVER_MAX_BUFFERED_BYTES="1048576")
    # Both at one process: the memory is its own.
    port = server.nodes[0].port
    with connect(port) as stuck, connect(port, window=4_000_000) as connection:
        connection.machine.increment_flow_control_window(8_000_000)
        connection.flush()
        make_book(connection)
        sections = json.dumps([{"id": "a", "headerTitle": "x" * 500_000, "elements": []}]).encode()
        put(connection, f"{BOOK}/sections", sections)
        put(connection, f"{BOOK}/variables/v", json.dumps("y" * 900_000).encode())
        stuck.acknowledges = False
        waiting = stuck.request("GET", f"{BOOK}/variables/v")
        stuck.wait(lambda: len(stuck.bodies.get(waiting, b"")) >= 65_535)
        # There is no room for another one of that size, which a read is told.
        assert connection.answer(connection.request("GET", f"{BOOK}/sections"))[0] == 503
        status, content = connection.answer(connection.request("POST", f"{BOOK}/reload"))
        assert status == 200 and len(content) > 500_000, "what was changed cannot be refused"


def test_streams_that_are_cancelled_are_forgotten_at_once(both):
    server, connect = both()
    with connect() as connection:
        make_book(connection)
        for _ in range(10):
            streams = [connection.follow(f"{BOOK}/changesets") for _ in range(100)]
            connection.wait(lambda: all(each in connection.heads for each in streams))
            for each in streams:
                connection.machine.reset_stream(each, CANCEL)
            connection.flush()
        wait_for(lambda: subscribers(server) == 0)
        change(connection, 1)
        assert connection.goaway is None, "honest gateways cancel many streams"


def subscribers(server: Server) -> float:
    with httpx.Client(base_url=server.url, verify=False, trust_env=False, timeout=PATIENCE) as http:
        return metric(server, http, "callboard_subscribers")


def test_a_connection_that_breaks_off_leaves_nothing(both):
    server, connect = both()
    with connect() as observer:
        make_book(observer)
        for _ in range(5):
            with connect() as connection:
                streams = [connection.follow(f"{BOOK}/changesets") for _ in range(50)]
                connection.wait(lambda: all(each in connection.heads for each in streams))
        wait_for(lambda: subscribers(server) == 0)


def test_a_stop_ends_streams_in_good_order_and_says_goaway(both):
    server, connect = both()
    with connect() as connection:
        make_book(connection)
        streams = [connection.follow(f"{BOOK}/changesets") for _ in range(20)]
        connection.wait(lambda: all(b"event: snapshot" in connection.bodies.get(each, b"") for each in streams))
        server.terminate()
        connection.wait(lambda: connection.ended.issuperset(streams))
        assert all(b'"reason":"closing"' in connection.bodies[each] for each in streams)
        while connection.receive():
            pass
        assert connection.goaway == NO_ERROR and connection.isClosed
    assert server.wait() == 0


def test_an_idle_connection_is_closed_with_goaway_and_one_that_says_nothing_too(both):
    server, connect = both(SERVER_KEEP_ALIVE_TIMEOUT="1", SERVER_HEAD_TIMEOUT="1")
    with connect() as connection, connect() as silent:
        assert connection.answer(connection.request("GET", "/livez"))[0] == 200
        connection.wait(lambda: connection.goaway == NO_ERROR)
        while silent.receive():
            pass
        assert silent.isClosed


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


FLOODS = {
    "settings": frame(4, 0, 0) * 20_000, "ping": frame(6, 0, 0, b"12345678") * 20_000,
    "priority": frame(2, 0, 1, b"\0\0\0\0\x10") * 20_000,
    "window updates": frame(8, 0, 0, b"\0\0\0\1") * 20_000,
    "unknown frames": frame(0xEE, 0, 0, b"x") * 20_000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_ends_its_connection_and_others_are_served(both, flood):
    _, connect = both()
    with connect() as other, connect() as connection:
        make_book(other)
        assert connection.answer(connection.request("GET", "/livez"))[0] == 200
        try:
            connection.socket.sendall(FLOODS[flood])
            while connection.receive():
                pass
        except OSError:
            connection.isClosed = True
        assert connection.isClosed and connection.goaway in (ENHANCE_YOUR_CALM, None)
        start_time = time.monotonic()
        assert other.answer(other.request("GET", BOOK))[0] == 200
        assert time.monotonic() - start_time < 10


def test_rapid_resets_end_their_connection_before_they_cost_others_anything(both):
    _, connect = both()
    with connect() as other, connect() as connection:
        make_book(other)
        try:
            for _ in range(4_000):
                stream = connection.request("GET", BOOK)
                connection.machine.reset_stream(stream, CANCEL)
                connection.flush()
                other_data = connection.receive(0.0001) if stream % 64 == 1 else True
                if connection.isClosed or connection.goaway is not None:
                    break
                del other_data
        except OSError:
            connection.isClosed = True
        assert other.answer(other.request("GET", BOOK))[0] == 200


@pytest.mark.parametrize("sent", [
    PREFACE[:-2] + b"XX", frame(0, 0, 0, b"x"), frame(1, 4, 2, b"\x82"), frame(9, 0, 1, b"x"), frame(1, 4, 1, b"\xff" * 20),
    frame(3, 0, 0, b"\0\0\0\0"), frame(4, 0, 1), frame(8, 0, 0, b"\0\0\0\0"), b"\xff" * 100,
], ids=["preface", "data on 0", "even stream", "lonely continuation", "compression", "reset of 0", "settings on 1",
        "window of 0", "noise"])
def test_a_fault_of_the_protocol_ends_the_connection_with_goaway(both, sent):
    _, connect = both()
    with connect() as connection:
        assert connection.answer(connection.request("GET", "/livez"))[0] == 200
        connection.socket.sendall(sent)
        while connection.receive():
            pass
        assert connection.isClosed and connection.goaway, "no GOAWAY with an error"


def test_a_client_is_told_how_many_streams_it_may_have_and_held_to_it(both):
    _, connect = both(HTTP2_MAX_STREAMS="10")
    with connect() as connection:
        make_book(connection)
        assert connection.machine.remote_settings.max_concurrent_streams == 10
        streams = [connection.follow(f"{BOOK}/changesets") for _ in range(10)]
        connection.wait(lambda: connection.heads.keys() >= set(streams))
        # A client that has been told and does not keep to it.
        connection.machine.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 100
        connection.machine.remote_settings.acknowledge()
        connection.follow(f"{BOOK}/changesets")
        while connection.receive():
            pass
        assert connection.isClosed and connection.goaway == 1


def test_the_first_bytes_may_come_one_by_one(start):
    server = start(HTTP2_CLEARTEXT="true")
    with Connection(server.port, delay=0.01) as connection:
        assert connection.answer(connection.request("GET", "/livez"))[0] == 200
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # As the preface begins, and goes on otherwise.
        for byte in b"PRI * HTTP/1.1\r\nHost: localhost\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n":
            plain.sendall(bytes([byte]))
            time.sleep(0.002)
        assert plain.recv(65536).startswith(b"HTTP/1.1 4")
    assert curl(f"{server.url}/livez").stdout.startswith("ok\n")


def test_curl_and_httpx_speak_it(start, authority):
    server = start(**files(*authority.issue("localhost", "127.0.0.1")))
    url = f"https://localhost:{server.port}"
    trusting = ("--cacert", str(authority.path), "--write-out", "%{http_version}")
    assert curl(*trusting, "--http2", f"{url}/livez").stdout.split("\n")[::2] == ["ok", "2"]
    assert curl(*trusting, "--http1.1", f"{url}/livez").stdout.split("\n")[::2] == ["ok", "1.1"]
    with httpx.Client(base_url=url, http2=True, verify=trust(authority), trust_env=False, timeout=PATIENCE) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()

    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(
                base_url=url, http2=True, verify=trust(authority), trust_env=False, timeout=PATIENCE) as http:
            return await asyncio.gather(*(http.get(BOOK) for _ in range(320)))

    answers = asyncio.run(ask())
    assert len(answers) == 320 and all((each.status_code, each.http_version) == (200, "HTTP/2") for each in answers)
    with client(server, authority) as http:
        assert metric(server, http, "callboard_connections") < 10
    plain = start(HTTP2_CLEARTEXT="true")
    assert curl("--http2-prior-knowledge", "-w", "%{http_version}", f"{plain.url}/livez").stdout.split("\n")[::2] == ["ok", "2"]
    assert curl("-w", "%{http_version}", f"{plain.url}/livez").stdout.split("\n")[::2] == ["ok", "1.1"]
    closed = start(HTTP2_CLEARTEXT="false")
    assert curl("--http2-prior-knowledge", f"{closed.url}/livez").returncode != 0, "unless the settings allow it"


def test_chromium_follows_twelve_streams_on_one_connection(start, authority, browse, reports: Reports):
    server = start(CORS_ORIGINS=reports.origin, **files(*authority.issue("localhost", "127.0.0.1")))
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
        query = urllib.parse.urlencode({"book": f"https://127.0.0.1:{server.port}{BOOK}", "count": 12})
        before = metric(server, http, "callboard_connections")
        browse(f"{reports.origin}/streams?{query}", "--ignore-certificate-errors")
        reports.next("snapshots")
        # One of Chromium's, or two; with HTTP/1.1, six of twelve would be open and the others wait. It begins several at once
        # until it knows that the server speaks HTTP/2, and then closes them.
        assert metric(server, http, "callboard_subscribers") == 12
        eventually(lambda: 1 <= metric(server, http, "callboard_connections") - before <= 2, "one connection, or two")
        assert metric(server, http, "callboard_subscribers") == 12
        http.post(f"{BOOK}/sections?reload=true", json={"id": "s", "elements": []}).raise_for_status()
        assert reports.next("changesets")["versions"] == [1] * 12
