"""Fields and queries as long as the server takes them: what they cost grows as they do, and stays small."""

import os
import time
from pathlib import Path

import httpx
import pytest

from support.server import Server

DIRECTOR = "/v1/directors/d"
ELEMENT = f"{DIRECTOR}/sections/s/elements/e"
TICK = os.sysconf("SC_CLK_TCK")
# Half of what a head may have at most; and an eighth of that.
LONG = 30_000

LISTS = {
    "accept": ",", "accept-encoding": ",", "accept-language": ",", "if-match": ",", "if-none-match": ",", "prefer": ",",
    "range": ",", "x-forwarded-for": ",", "forwarded": ",", "cookie": ";", "connection": ",", "te": ",", "via": ",",
    "cache-control": ",", "origin": ",", "sec-fetch-site": ",",
}
# One part of a list that is as dear as can be, and what the value begins with.
PARTS = {
    "accept": ("a/b;q=0.0", ""), "accept-encoding": ("gzip;q=0.0", ""), "if-match": ('W/"a"', ""), "if-none-match": ('W/"a"', ""),
    "range": ("1-2", "bytes="), "cookie": ("a=b", ""), "forwarded": ('for="[::1]"', ""), "x-forwarded-for": ("::1", ""),
    "prefer": ("return=b", ""), "connection": ("x-a", ""),
}
TEXTS = ["idempotency-key", "callboard-cause", "last-event-id", "authorization", "x-request-id", "referer", "user-agent"]
QUERIES = {
    "at": (f"{DIRECTOR}/sections/s/elements", "DELETE", "@0,"), "version": (f"{DIRECTOR}/sections", "GET", "1"),
    "id": (f"{DIRECTOR}/elements", "GET", "%C3%A9"), "director": ("/v1/events", "GET", "d,"), "unknown": (DIRECTOR, "GET", "&a=b"),
}


def field(name: str, length: int) -> dict:
    part, start = PARTS.get(name, ("a", ""))
    return {name: start + LISTS[name].join([part] * (length // (len(part) + 1)))}


def many_lines(length: int) -> list:
    return [("if-none-match", '"a"')] * (length // 20)


def cost(server, request, seconds: float = 0.4) -> tuple[float, float]:
    """The server's processor time for one request, in seconds: the least and the most that it may be, since the kernel counts ticks."""
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        client.send(request(client))
        count, before, end = 0, spent(server), time.monotonic() + seconds
        while time.monotonic() < end or count < 20:
            client.send(request(client))
            count += 1
        took = spent(server) - before
        return took / count, (took + 1 / TICK) / count


def spent(server) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@pytest.fixture(scope="module")
def filled(program, tmp_path_factory):
    server = Server(program, tmp_path_factory.mktemp("fields"))
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        client.put(DIRECTOR, json={"kind": "table"})
        client.put(f"{DIRECTOR}/adapters/M", json={"cell": "C", "identifier": "{id}"})
        client.put(f"{DIRECTOR}/sections?reload=true", json=[{"id": "s", "elements": [{"value": {"id": "e"}}]}])
    yield server
    server.stop()


def hold(server, request) -> None:
    """`request` takes a length. Where eight times the length costs much, it costs about eight times as much."""
    long, _ = cost(server, lambda client: request(client, LONG))
    assert long < 0.02, f"{long * 1000:.1f} ms for a request"
    # Below this the rest of a request hides what grows.
    if long > 0.001:
        _, short = cost(server, lambda client: request(client, LONG // 8))
        assert long / short < 24, (short, long)


@pytest.mark.parametrize("method", ["GET", "PATCH"])
@pytest.mark.parametrize("name", LISTS)
def test_a_long_list_in_a_field(filled, name, method):
    content = {} if method == "GET" else {"json": {"n": 1}}
    hold(filled, lambda client, length: client.build_request(method, ELEMENT, headers=field(name, length), **content))


def test_many_lines_of_a_field(filled):
    hold(filled, lambda client, length: client.build_request("GET", ELEMENT, headers=many_lines(length)))


@pytest.mark.parametrize("name", TEXTS)
def test_a_long_text_in_a_field(filled, name):
    hold(filled, lambda client, length: client.build_request("PATCH", ELEMENT, headers={name: "a" * length}, json={"n": 1}))


@pytest.mark.parametrize("name", QUERIES)
def test_a_long_query(filled, name):
    path, method, part = QUERIES[name]

    def request(client, length):
        value = part * (min(length, 7_000) // len(part))
        return client.build_request(method, httpx.URL(f"{filled.url}{path}?{name}={value}"))

    hold(filled, request)
