"""`PUT …/content`: a whole list, all or nothing."""

import json
import socket
import threading

import httpx
import pytest

LINES = {"Content-Type": "application/x-ndjson"}


def lines(*sections: tuple[str, list]) -> bytes:
    text = []
    for name, ids in sections:
        text.append(json.dumps({"id": name, "headerTitle": name.upper()}))
        text += [json.dumps({"value": {"id": each}}) for each in ids]
    return ("\n".join(text) + "\n").encode()


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.put("/v1/directors/d", json={"kind": "table"})
        client.put("/v1/directors/d/adapters/P", json={"cell": "C", "identifier": "{id}"})
        yield client


def put(client, body: bytes, headers=(), **query):
    return client.put("/v1/directors/d/content", params=query, content=body, headers=LINES | dict(headers))


def published(client) -> list:
    sections = client.get("/v1/directors/d/sections", params={"state": "published"}).json()["sections"]
    return [(each["id"], [element["value"]["id"] for element in each["elements"]]) for each in sections]


def test_a_list_becomes_the_content_and_sends_the_difference(client):
    first = put(client, lines(("a", [1, 2]), ("b", [3])), reload="true").json()
    assert (first["counts"], first["published"]["changes"]) == ({"sections": 2, "elements": 3}, {"sectionInserted": 2})
    assert published(client) == [("a", [1, 2]), ("b", [3])]
    second = put(client, lines(("a", [1, 2]), ("b", [3, 4])), reload="true").json()
    assert second["published"]["changes"] == {"elementInserted": 1}
    third = put(client, lines(("a", [1, 2]), ("b", [3, 4])), reload="true").json()
    assert third["published"]["version"] == 2 and third["published"]["changes"] == {}
    section = client.get("/v1/directors/d/sections/a").json()
    assert section["headerTitle"] == "A", "a head carries the section's attributes"


def test_json_takes_a_whole_list_too(client):
    body = [{"id": "a", "rows": [{"id": "r", "type": "constant", "cell": "X"}]}, {"id": "b", "elements": [{"value": {"id": 7}}]}]
    assert client.put("/v1/directors/d/content", params={"reload": "true"}, json=body).status_code == 200
    assert client.get("/v1/directors/d/sections/a/rows/r").json()["cell"] == "X"
    refused = client.put("/v1/directors/d/content", json=[{"id": "a", "elements": [{"value": {}}]}])
    assert refused.status_code == 422 and refused.json()["errors"][0]["pointer"] == "/0/elements/0/value"


@pytest.mark.parametrize("line", [
    b"{oops", b"7", b'{"value":{}}', b'{"value":{"id":1},"x":1}', b'{"id":""}', b'{"model":"N","value":{"id":1}}',
    b'{"value":{"id":1,"d":' + b"[" * 122 + b"]" * 122 + b"}}", b'{"value":{"id":"\xff"}}', b'{"id":"x","headerView":"none"}',
])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_line_that_is_refused_changes_nothing_or_is_left_out(client, line, place):
    put(client, lines(("a", [9])), reload="true")
    body = lines(("a", [1, 2]), ("b", [3])).splitlines()
    body.insert(place, line)
    refused = put(client, b"\n".join(body), reload="true")
    assert refused.status_code == 422
    errors = refused.json()["errors"]
    assert errors[0]["pointer"].startswith(f"/{place}") and errors[0]["detail"].startswith(f"line {place + 1}: ")
    assert published(client) == [("a", [9])] and client.get("/v1/directors/d").json()["version"] == 1
    partial = put(client, b"\n".join(body), reload="true", partial="true").json()
    kept = [("a", [1, 2]), ("b", [3])]
    if b"headerView" in line or b'"id":""' in line:
        # The elements behind a head that is refused have no section.
        kept = [kept, [("a", []), ("b", [3])], None, [("a", [1, 2]), ("b", [3])]][place]
    assert partial["errors"][0]["line"] == place + 1
    assert published(client) == kept


def test_what_is_empty_or_lacks_too_much_changes_nothing(client):
    put(client, lines(("a", list(range(10)))), reload="true")
    for body in (b"", b"\n \n", lines(("a", [])), lines(("b", []), ("c", []))):
        assert put(client, body).json()["type"] == "urn:callboard:problem:empty-list"
    assert put(client, b"{bad\n", partial="true").status_code == 409
    most = lines(("b", list(range(7))))
    for bound in ("20%", "2", "0"):
        assert put(client, most, maxRemoved=bound).json()["type"] == "urn:callboard:problem:too-many-removed"
    for bad in ("", "x", "-1", "101%", "1.5", "%"):
        assert put(client, most, maxRemoved=bad).status_code == 400
    assert published(client) == [("a", list(range(10)))] and client.get("/v1/directors/d").json()["counts"]["elements"] == 10
    # What moves to another section is not removed.
    assert put(client, most, maxRemoved="30%", reload="true").json()["removed"] == 3
    assert put(client, b"", allowEmpty="true", reload="true").status_code == 200
    assert published(client) == []


def test_a_key_and_conditions_hold(client):
    tag = client.get("/v1/directors/d").headers["ETag"]
    body = lines(("a", [1]))
    first = put(client, body, {"Idempotency-Key": "k"}, reload="true")
    put(client, lines(("a", [2])), reload="true")
    again = put(client, body, {"Idempotency-Key": "k"}, reload="true")
    assert again.json() == first.json() and published(client) == [("a", [2])]
    assert put(client, lines(("a", [3])), {"Idempotency-Key": "k"}).status_code == 422
    assert put(client, body, {"If-Match": tag}).status_code == 412
    assert put(client, body, {"If-Match": client.get("/v1/directors/d").headers["ETag"]}).status_code == 200


def test_appending_keeps_what_is_there_and_rows_take_elements(client):
    put(client, lines(("a", [1])))
    put(client, lines(("a", [2]), ("b", [3])), append="true", reload="true")
    assert published(client) == [("a", [1, 2]), ("b", [3])]
    client.put("/v1/directors/d/sections/s", json={"rows": [{"id": "r", "type": "model", "model": "P"}]})
    row = {"section": "s", "row": "r"}
    assert put(client, b'{"value":{"id":5}}\n{"value":{"id":6}}', **row).status_code == 200
    assert put(client, b'{"value":{"id":7}}', append="true", **row).status_code == 200
    held = client.get("/v1/directors/d/sections/s/rows/r/elements").json()["elements"]
    assert [each["value"]["id"] for each in held] == [5, 6, 7]
    assert put(client, b"", **row).status_code == 409
    assert put(client, lines(("x", [1])), **row).status_code == 422
    assert put(client, b"", section="s").status_code == 400
    assert put(client, b'{"value":{"id":5}}', section="s", row="nope").status_code == 404


def test_duplicates_are_told(client):
    answer = put(client, lines(("a", [1, 2, 1]), ("b", [1]))).json()
    assert answer["duplicates"] == 1 and answer["duplicated"] == [{"line": 4, "id": "1"}]
    assert answer["counts"]["elements"] == 4


def test_a_connection_that_breaks_at_any_byte_changes_nothing(client, server):
    put(client, lines(("old", [1])), reload="true")
    body = lines(("a", list(range(20))), ("b", [30]))
    head = (f"PUT /v1/directors/d/content?reload=true HTTP/1.1\r\nHost: {server.url.split('//')[1]}\r\n"
            f"Content-Type: application/x-ndjson\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    for count in range(0, len(body), 7):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(head + body[:count])
    assert published(client) == [("old", [1])]
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head + body)
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
    assert published(client) == [("a", list(range(20))), ("b", [30])]


def test_a_list_that_is_longer_than_other_bodies_may_be_goes_in_one_step_beside_writers(client):
    count = 60_000
    body = b'{"id":"a"}\n' + b"".join(b'{"value":{"id":%d,"t":"%s"}}\n' % (each, b"x" * 300) for each in range(count))
    assert len(body) > 16 << 20
    assert client.put("/v1/directors/d/sections", content=body, headers={"Content-Type": "application/json"}).status_code == 413
    done = threading.Event()
    seen = set()

    def write():
        note = 0
        while not done.is_set():
            note += 1
            answer = client.put("/v1/directors/d/variables/note", params={"reload": "true"}, json=note)
            assert answer.status_code in (200, 201)
            seen.add(client.get("/v1/directors/d/elements", params={"state": "published", "limit": 1}).json()["total"])

    thread = threading.Thread(target=write)
    thread.start()
    try:
        answer = put(client, body, reload="true")
    finally:
        done.set()
        thread.join()
    assert answer.status_code == 200 and answer.json()["counts"]["elements"] == count
    assert seen <= {0, count}
