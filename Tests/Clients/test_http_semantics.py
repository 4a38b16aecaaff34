"""What RFC 9110 has every resource do: each route of the OpenAPI document, over HTTP/1.1 and HTTP/2."""

import email.utils
import http.client
import socket
import time

import httpx
import pytest

from support.hooks import fill
from support.http2 import Connection
from support.server import Server

VALUES = {"director": "book", "section": "people", "element": "Ada", "row": "none", "model": "Person", "view": "Title", "name": "shown",
          "event": "didSelect", "delivery": "none", "file": "index.html", "token": "none", "stream": "none"}
METHODS = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]
QUERY = {"/v1/changesets": {"director": "none"}, "/v1/directors/book/changesets": {"since": "0"}}
# What differs from answer to answer whatever is asked.
OWN = {"date", "x-request-id"}


@pytest.fixture(params=["http1", "http2"])
def client(start, request):
    server: Server = start(HTTP2_CLEARTEXT="true")
    is_new = request.param == "http2"
    with httpx.Client(base_url=server.url, http1=not is_new, http2=is_new, timeout=60) as client:
        fill(client)
        client.put("/v1/directors/book/variables/shown", json=True).raise_for_status()
        client.post("/v1/directors/book/reload").raise_for_status()
        yield client


def routes(client: httpx.Client) -> list[tuple[str, set[str]]]:
    """Each path with its values in place, and the methods that the document has for it."""
    document = client.get("/openapi.json").json()
    return [(path.format_map(VALUES), {name.upper() for name in item if name.upper() in METHODS})
            for path, item in document["paths"].items()]


def shown(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in OWN}


def is_dated(answer: httpx.Response) -> bool:
    return abs(email.utils.parsedate_to_datetime(answer.headers["date"]).timestamp() - time.time()) < 60


def test_each_route_names_its_methods_and_answers_head_as_get(client):
    compared = 0
    for path, methods in routes(client):
        options = client.options(path)
        allowed = set(options.headers["allow"].split(", "))
        assert options.status_code == 204 and allowed == methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set()), path
        assert is_dated(options)
        for method in {*METHODS, "TRACE", "BREW"} - allowed:
            refused = client.request(method, path)
            assert refused.status_code == 405 and set(refused.headers["allow"].split(", ")) == allowed, (method, path)
            assert is_dated(refused)
        # A stream of nothing that is there is an answer like any other; pages with numbers that move are compared by name.
        if "GET" not in methods:
            continue
        got, head = (client.request(method, path, params=QUERY.get(path)) for method in ("GET", "HEAD"))
        assert is_dated(got) and is_dated(head) and head.status_code == got.status_code and head.content == b"", path
        if "/metrics" in path:
            assert shown(head).keys() == shown(got).keys()
        else:
            assert shown(head) == shown(got), path
        compared += 1
    assert compared > 20


def test_each_tag_is_compared_as_the_conditions_are_ranked(client):
    """If-Match comes before If-None-Match (section 13.2.2), compares strongly, and 304 has the fields of 200 (section 15.4.5)."""
    tagged = 0
    for path, methods in routes(client):
        if "GET" not in methods or path in ("/metrics", *QUERY):
            continue
        got = client.get(path)
        tag = got.headers.get("etag")
        if got.status_code != 200 or tag is None:
            continue
        tagged += 1
        assert tag.startswith('"'), path
        for fields, status in [
                ({"If-None-Match": tag}, 304), ({"If-None-Match": f"W/{tag}"}, 304), ({"If-None-Match": "*"}, 304),
                ({"If-None-Match": f'"other", {tag}'}, 304), ({"If-None-Match": '"other"'}, 200), ({"If-Match": tag}, 200),
                ({"If-Match": "*"}, 200), ({"If-Match": '"other"'}, 412), ({"If-Match": f"W/{tag}"}, 412),
                ({"If-Match": '"other"', "If-None-Match": tag}, 412), ({"If-Match": tag, "If-None-Match": tag}, 304),
                ({"If-Modified-Since": email.utils.formatdate(time.time() + 9e6, usegmt=True)}, 200),
                ({"If-None-Match": '"other"', "If-Modified-Since": email.utils.formatdate(usegmt=True)}, 200),
                ({"If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}, 200), ({"Range": "bytes=0-1"}, 200),
                ({"If-Range": tag, "Range": "bytes=0-1"}, 200)]:
            for method in ("GET", "HEAD"):
                answer = client.request(method, path, headers=fields)
                assert answer.status_code == status and is_dated(answer), (method, path, fields, answer.text)
                if status == 304:
                    assert answer.content == b"" and answer.headers.get("content-length", got.headers["content-length"]) \
                        == got.headers["content-length"]
                    for name in ("etag", "cache-control", "vary", "content-location"):
                        assert answer.headers.get(name) == got.headers.get(name), (path, name)
    assert tagged > 5


def test_what_a_client_refuses_with_a_weight_of_zero_is_not_sent(client):
    book = "/v1/directors/book"
    for accept, status in [
            ("application/json", 200), ("APPLICATION/JSON", 200), ("application/json;charset=utf-8", 200), ("*/*", 200),
            ("application/*;q=0.001", 200), ("text/html", 406), ("application/json;q=0", 406), ("application/json; q=0.000", 406),
            ("application/json;Q=0", 406), ("*/*;q=0", 406), ("application/*;q=0, */*", 406), ("*/*;q=0, application/json", 200),
            ("application/json;q=0, */*", 406), ("application/json;q=0.0, application/*", 406), ("application/problem+json", 406),
            ("application/json;q=0, application/problem+json, */*;q=0.5", 406),
            ("text/html, application/json;q=0.1", 200), ("", 200)]:
        answer = client.get(book, headers={"Accept": accept})
        assert answer.status_code == status and is_dated(answer), accept
    for coding, expected in [
            ("gzip", "gzip"), ("br", "br"), ("GZIP", "gzip"), ("gzip;q=0", None), ("br;q=0, gzip", "gzip"), ("*;q=0", None),
            ("identity", None), ("", None), ("identity;q=0", None), ("identity;q=0, *;q=0", None), ("*;q=0, identity", None), ("gzip;q=0, *", "br"), ("identity;q=0, gzip", "gzip"), ("*;q=0, gzip", "gzip")]:
        answer = client.get("/client.js", headers={"Accept-Encoding": coding})
        assert answer.status_code == 200 and answer.headers.get("content-encoding") == expected, coding
        assert "accept-encoding" in answer.headers["vary"].lower()


@pytest.mark.parametrize("kind, status", [
    ("application/json", 200), ('APPLICATION/JSON; charset="utf-8"', 200), ("application/json ; charset=UTF-8", 200),
    ("application/merge-patch+json", 200), ("Application/Merge-Patch+JSON;x=y", 200), ("application/jsonx", 415),
    ("application/json-patch+json", 415), ("text/json", 415), ("application/json, text/html", 415), ("", 415), ("json", 415)])
def test_a_media_type_is_read_without_its_case_and_its_parameters(client, kind, status):
    answer = client.patch("/v1/directors/book", content=b"{}", headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text


def test_a_client_that_refuses_every_coding_is_answered_as_it_is(client):
    """Neither a coding that was not asked for nor 406, by which nobody would be helped (RFC 9110, section 12.5.3)."""
    for path in ("/v1/directors/book", "/openapi.json", "/client.js"):
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        for coding in ("identity;q=0", "*;q=0", "identity;q=0, br;q=0, gzip;q=0"):
            answer = client.get(path, headers={"Accept-Encoding": coding})
            assert (answer.status_code, answer.content) == (200, plain.content) and "content-encoding" not in answer.headers, coding


def test_an_answer_without_content_is_taken_by_who_takes_json_or_problems(client):
    for number, (accept, status) in enumerate([
            ("application/json", 204), ("application/problem+json", 204), ("*/*", 204), ("text/html", 406), ("*/*;q=0", 406)]):
        client.put(f"/v1/directors/gone{number}", json={"kind": "table"}).raise_for_status()
        answer = client.delete(f"/v1/directors/gone{number}", headers={"Accept": accept})
        assert answer.status_code == status, accept


def raw(client: httpx.Client, *lines: str) -> tuple[int, dict[str, str], bytes]:
    """The status, fields and content of an answer over HTTP/1.1 to a head as it is written."""
    with socket.create_connection((client.base_url.host, client.base_url.port), 20) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        answer = http.client.HTTPResponse(connection, method=lines[0].split(" ")[0])
        answer.begin()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def test_forms_of_the_request_target(client):
    """RFC 9112, section 3.2: the asterisk is for OPTIONS, an absolute target's authority comes before Host."""
    host = f"Host: {client.base_url.netloc.decode()}"
    base, book = str(client.base_url).rstrip("/"), client.get("/v1/directors/book").content
    methods = "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS"
    for target in ("*", base):
        status, fields, content = raw(client, f"OPTIONS {target} HTTP/1.1", host)
        assert (status, fields["allow"], content) == (204, methods, b""), target
    for target in (base, base.replace("http", "HTTP"), base.replace("http", "https")):
        assert raw(client, f"GET {target}/v1/directors/book HTTP/1.1", "Host: other.example")[::2] == (200, book)
    for target, expected in [
            ("http://other.example/v1/directors/book", 421), (f"{base}?x=1", 404), (base, 302), ("*", 400),
            ("ftp://localhost/v1/directors/book", 400), (base.replace("//", "//u:p@") + "/v1/directors/book", 400)]:
        assert raw(client, f"GET {target} HTTP/1.1", host)[0] == expected, target


def test_fields_of_the_connection(client):
    """RFC 9110, sections 7.6.1 and 10.1.4: no option but `close` means anything, and no transfer coding is applied."""
    host = f"Host: {client.base_url.netloc.decode()}"
    book = client.get("/v1/directors/book").content
    for codings in ("trailers", "gzip", "trailers, gzip;q=0.5", "chunked", "", "deflate;q=0"):
        status, fields, content = raw(client, "GET /v1/directors/book HTTP/1.1", host, "Connection: TE", f"TE: {codings}")
        assert (status, content) == (200, book) and "transfer-encoding" not in fields and "trailer" not in fields, codings
    for lines, closes in [
            (["Connection: x-one"], False), (["Connection: host, accept"], False), (["Connection: x , CLOSE"], True),
            (["Connection: x", "Connection: close"], True), (["Connection: closed"], False), (["Connection: ,, ,"], False)]:
        status, fields, content = raw(client, "GET /v1/directors/book HTTP/1.1", host, *lines)
        assert (status, content) == (200, book) and ("close" in fields.get("connection", "")) == closes, lines
    # Nothing that is named there is cut out of the content's framing.
    status, _, _ = raw(client, "DELETE /v1/directors/book HTTP/1.1", host, "Connection: if-match", 'If-Match: "other"')
    assert status == 412, "a condition that the client has written holds"


def test_http2_takes_the_asterisk_for_options_alone_and_trailers_in_te(start):
    """The fields that a request over HTTP/2 must not have are in test_http2_messages."""
    server = start(HTTP2_CLEARTEXT="true")
    with Connection(server.port) as connection:
        assert connection.answer(connection.request("OPTIONS", "*")) == (204, b"")
        assert connection.answer(connection.request("GET", "/livez", te="trailers"))[0] == 200
    with Connection(server.port) as connection:
        stream = connection.request("GET", "*")
        connection.wait(lambda: stream in connection.ended or stream in connection.resets)
        assert stream in connection.resets or int(connection.heads[stream][":status"]) == 400
