"""Streams as an operator sees them, and the names of mutations in changesets."""

import contextlib
import json
import signal

import httpx_sse

from support import protocol
from support.hooks import eventually

BOOK = "/v1/directors/book"


@contextlib.contextmanager
def events(url: str, last_id: str | None = None):
    """The name, id and data of the events of a stream."""
    fields = {"Last-Event-ID": last_id} if last_id else {}
    with protocol.client(timeout=60) as client:
        with httpx_sse.connect_sse(client, "GET", url, headers=fields) as source:
            yield ((event.event, event.id, json.loads(event.data)) for event in source.iter_sse() if event.data)


def test_a_stream_is_listed_and_ended_and_another_one_goes_on(book, server):
    url = f"{server.url}{BOOK}/changesets"
    with events(url) as stream:
        assert next(stream)[0] == "snapshot"
        page = book.get("/v1/streams", params={"director": "book"}).json()
        assert (page["total"], page["offset"], page["limit"]) == (1, 0, 100)
        listed = page["streams"][0]
        assert listed["directors"] == [{"name": "book", "version": 1, "lag": 0}]
        assert listed["address"] == "127.0.0.1" and listed["principal"] is None
        assert listed["protocol"] in ("http/1.1", "h2")
        book.delete(f"/v1/streams/{listed['id']}")
        name, last_id, data = next(stream)
        assert (name, data) == ("end", {"director": "book", "reason": "closed"})
        assert next(stream, None) is None
    eventually(lambda: book.get("/v1/streams").json()["streams"] == [], "the stream to be gone")
    book.post(f"{BOOK}/sections", params={"reload": "true"}, json={"id": "new"})
    with events(url, last_id) as stream:
        assert [next(stream)[0] for _ in range(2)] == ["resumed", "changeset"]


def test_causes_wait_for_the_changeset_that_shows_them_over_a_kill(start):
    server = start()
    with protocol.client(base_url=server.url) as client:
        assert client.put(BOOK, json={"kind": "table"}).status_code == 201
        assert client.put(f"{BOOK}/variables/v", json=1, headers={"Callboard-Cause": "before"}).status_code == 201
        bad = client.put(f"{BOOK}/variables/v", json=2, headers={"Callboard-Cause": "two words"})
        assert bad.status_code == 400 and "64 visible ASCII" in bad.json()["detail"]
    server.terminate(signal.SIGKILL)
    server.wait()
    server = start(folder=server.folder)
    with protocol.client(base_url=server.url) as client:
        answer = client.post(f"{BOOK}/sections", params={"reload": "true"}, json={"id": "s"},
                             headers={"Callboard-Cause": "after"})
        assert answer.status_code == 201
        spanned = client.get(f"{BOOK}/changesets", params={"from": 0}, headers={"Accept": "application/json"}).json()
        assert spanned["causes"] == ["before", "after"]
