"""The server behind other projects' proxies, with the examples of the page as they stand there."""

import json
import re
import signal
import subprocess
import time
import urllib.parse

import httpx
import httpx_sse
import pytest

from conftest import BOOK
from support.certificates import Authority
from support.documents import examples, section
from support.http2 import Connection
from support.proxies import PAGE, Proxy, example, replaced
from support.server import Server, metric
from test_browser import browse, make_book, reports, sections
from test_tls import PATIENCE, trust, wait_for

__all__ = ["browse", "reports"]

# Far less than the heartbeat, after which a buffered event might be flushed.
AT_ONCE = 3.0


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def behind(start, tool, tmp_path, authority):
    """Starts a server with a book, and a proxy in front of it."""
    proxies = []

    def begin(name: str, old: str = "", new: str = "", **settings: str) -> tuple[Server, Proxy]:
        program = tool(*{"nginx": ("nginx", "nginx-light")}.get(name, ("caddy", "caddy")))
        server = start(**{"HTTP2_CLEARTEXT": "true"} | settings)
        folder = tmp_path / f"proxy-{len(proxies)}"
        folder.mkdir()
        proxies.append(Proxy(name, program, server.port, folder, authority, old=old, new=new))
        with plain(server) as http:
            http.put(BOOK, json={"kind": "table"}).raise_for_status()
        return server, proxies[-1]

    yield begin
    for proxy in proxies:
        proxy.stop()


def plain(server: Server) -> httpx.Client:
    return httpx.Client(base_url=server.url, trust_env=False, timeout=PATIENCE)


def through(proxy: Proxy, authority: Authority, http2: bool = False) -> httpx.Client:
    return httpx.Client(base_url=proxy.url, verify=trust(authority), trust_env=False, timeout=PATIENCE, http2=http2)


def change(http: httpx.Client, number: int, **fields: str) -> httpx.Response:
    return http.post(f"{BOOK}/sections?reload=true", json={"id": f"s{number}", "elements": []}, headers=fields)


PROXIES = pytest.mark.parametrize("name", ["nginx", "caddy", "caddy-h2c"])


def test_the_page_shows_how_to_see_that_it_works(behind, authority, tool):
    """The server has the setting of the page, without which it serves loopback names alone."""
    [setting] = re.findall(r"^CALLBOARD_SERVER_ALLOWED_HOSTS=(\S+) callboard serve$", example("sh"), re.M)
    server, proxy = behind("caddy", SERVER_ALLOWED_HOSTS=setting)
    with plain(server) as http:
        assert http.get(BOOK, headers={"Host": setting}).status_code == 200
        assert http.get(BOOK, headers={"Host": "other.example"}).status_code == 421
    [seen] = examples(section(str(PAGE), "To see that it works"), "sh")
    command = replaced(seen, {f"https://{setting}": proxy.url, "contacts": "book", "curl": f"curl --cacert {authority.path} -s"})
    with subprocess.Popen(["bash", "-c", f"exec {command}"], stdout=subprocess.PIPE, text=True) as curl:
        try:
            assert any(line == "event: snapshot\n" for line in curl.stdout)
        finally:
            curl.terminate()


@PROXIES
@pytest.mark.parametrize("http2", [False, True], ids=["http1", "http2"])
def test_events_come_at_once(behind, authority, name, http2):
    server, proxy = behind(name)
    delays = []
    with through(proxy, authority, http2) as follower, plain(server) as writer:
        with httpx_sse.connect_sse(follower, "GET", f"{BOOK}/changesets") as source:
            assert source.response.http_version == ("HTTP/2" if http2 else "HTTP/1.1")
            events = (event for event in source.iter_sse() if event.event in ("snapshot", "changeset"))
            assert next(events).event == "snapshot"
            for number in range(50):
                begin = time.monotonic()
                change(writer, number).raise_for_status()
                assert next(events).json()["version"] == number + 1
                delays.append(time.monotonic() - begin)
    delays.sort()
    print(f"{name}: change to event, median {delays[25] * 1000:.1f} ms, longest {delays[-1] * 1000:.1f} ms")
    assert delays[-1] < AT_ONCE


def test_nginx_follows_the_field_of_streams_where_it_buffers(behind, authority):
    server, proxy = behind("nginx", "proxy_buffering off;", "")
    with through(proxy, authority) as follower, plain(server) as writer:
        with httpx_sse.connect_sse(follower, "GET", f"{BOOK}/changesets") as source:
            events = (event for event in source.iter_sse() if event.event in ("snapshot", "changeset"))
            next(events)
            for number in range(5):
                begin = time.monotonic()
                change(writer, number).raise_for_status()
                next(events)
                assert time.monotonic() - begin < AT_ONCE


def test_nginx_holds_a_browsers_stream_while_the_server_is_away_and_hides_nothing_else(behind, authority):
    server, proxy = behind("nginx")
    server.stop()
    with through(proxy, authority) as http:
        held = http.get(f"{BOOK}/changesets", headers={"Accept": "text/event-stream"})
        assert (held.status_code, held.headers["Content-Type"], held.text) == (200, "text/event-stream", "retry: 3000\n\n")
        assert http.get(BOOK).status_code == 502


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_chromiums_event_source_comes_back_by_itself_when_the_server_was_away_behind_nginx(
        behind, start, browse, reports, with_signal):
    """The page is of another origin than the server, as nginx shows it: it must be let read what it is held with."""
    server, proxy = behind("nginx", CORS_ORIGINS=reports.origin)
    with plain(server) as http:
        make_book(http)
        stream = urllib.parse.urlencode({"stream": f"{proxy.url}{BOOK}/changesets"})
        browse(f"{reports.origin}/?{stream}", "--ignore-certificate-errors")
        epoch = reports.next("snapshot")["copy"]["epoch"]
        server.terminate(with_signal)
        server.wait()
        # Once because the stream has ended, and at least once more because the next one has told nothing but when to come back.
        for _ in range(3):
            told = reports.next("error")
            assert told["readyState"] == 0, "EventSource.CONNECTING: it has not given up"
        start("--port", str(server.port), folder=server.folder, HTTP2_CLEARTEXT="true", CORS_ORIGINS=reports.origin)
        told = reports.next("resumed", "snapshot")
        assert told["copy"]["epoch"] == epoch
        change(http, 7).raise_for_status()
        assert reports.next("changeset")["copy"]["sections"] == sections(http)


@pytest.mark.parametrize(("heartbeat", "stays"), [("0.5", True), ("60", False)], ids=["shorter", "longer"])
def test_a_quiet_stream_stays_if_the_heartbeat_is_shorter_than_the_time_without_a_byte(
        behind, authority, heartbeat, stays):
    _, proxy = behind("nginx", "proxy_read_timeout 60s;", "proxy_read_timeout 2s;", FEED_HEARTBEAT=heartbeat)
    with through(proxy, authority) as follower:
        with httpx_sse.connect_sse(follower, "GET", f"{BOOK}/changesets") as source:
            begin = time.monotonic()
            try:
                for _ in source.iter_sse():
                    if time.monotonic() - begin > 5:
                        break
            except httpx.TransportError:
                pass
            assert (time.monotonic() - begin > 5) == stays


@PROXIES
def test_a_stream_ends_at_the_server_when_its_client_leaves(behind, authority, name):
    server, proxy = behind(name)
    with plain(server) as http:
        with through(proxy, authority) as follower:
            with httpx_sse.connect_sse(follower, "GET", f"{BOOK}/changesets") as source:
                # Kept: to let go of it would end the stream.
                events = source.iter_sse()
                next(events)
                wait_for(lambda: metric(server, http, "callboard_subscribers") == 1)
        wait_for(lambda: metric(server, http, "callboard_subscribers") == 0)


@PROXIES
def test_a_page_of_the_proxys_origin_is_the_servers_own(behind, authority, name):
    server, proxy = behind(name)
    with through(proxy, authority) as http:
        assert change(http, 1, Origin=proxy.url).status_code == 201
        assert change(http, 2, Origin="https://evil.example").status_code == 403
        # A body as large as the server takes, which is more than a mebibyte.
        large = json.dumps("x" * 15_000_000)
        fields = {"Content-Type": "application/json"}
        assert http.put(f"{BOOK}/variables/long", content=large, headers=fields).is_success
    with through(proxy, authority, http2=True) as http:
        assert change(http, 3, Origin=proxy.url).status_code == 201


@pytest.mark.parametrize(("allowed", "status"), [("board.example", 200), ("auto", 421)])
def test_a_name_is_served_where_the_settings_have_it(behind, authority, allowed, status):
    _, proxy = behind("nginx", SERVER_ALLOWED_HOSTS=allowed)
    with through(proxy, authority) as http:
        assert http.get(BOOK, headers={"Host": "board.example"}).status_code == status


@pytest.mark.parametrize(("name", "most"), [("nginx", 310), ("caddy-h2c", 10)])
def test_connections_to_the_server_are_as_many_as_the_page_says(behind, authority, name, most):
    server, proxy = behind(name)
    with Connection(proxy.port, trust(authority)) as connection, plain(server) as http:
        streams = [connection.follow(f"{BOOK}/changesets") for _ in range(100)]
        # In steps: more streams than that at once may be refused before the proxy's settings have come.
        connection.wait(lambda: all(b"event: snapshot" in connection.bodies.get(each, b"") for each in streams))
        streams += [connection.follow(f"{BOOK}/changesets") for _ in range(140)]
        connection.wait(lambda: all(b"event: snapshot" in connection.bodies.get(each, b"") for each in streams))
        used = metric(server, http, "callboard_connections")
        print(f"{name}: {len(streams)} streams, {used:.0f} connections to the server")
        assert metric(server, http, "callboard_subscribers") == len(streams)
        assert used <= most if name != "nginx" else len(streams) <= used <= most
        change(http, 1).raise_for_status()
        connection.wait(lambda: all(b"event: changeset" in connection.bodies[each] for each in streams))
