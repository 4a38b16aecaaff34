"""What nodes answer while the database cannot be asked: nothing that may be old, unless that is asked for, and with its age."""

import contextlib

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done

MENU = "/v1/directors/menu"
AWAY = "urn:callboard:problem:away"
READS = ["", "/sections", "/sections/a/elements", "/changesets", "/changesets?since=0", "/adapters"]


def others(three: nodes.Nodes, folder) -> list:
    """The nodes that do not own the director: each has to look before it answers."""
    name = nodes._postgres().execute(
        "SELECT n.name FROM callboard.lives l JOIN callboard.nodes n ON n.node = l.owner WHERE NOT l.ended",
        nodes._databases[folder]).strip()
    return [each for number, each in enumerate(three.nodes) if f"node{number}" != name]


@contextlib.contextmanager
def closed(folder):
    """Takes no connection to the database, and ends all that there are."""
    name = nodes._databases[folder]
    server = nodes._postgres()
    server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false", "postgres")
    try:
        server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'", "postgres")
        yield
    finally:
        server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true", "postgres")


@pytest.fixture
def three(program, tmp_path):
    needs_postgres()
    made = nodes.Nodes(program, tmp_path)
    try:
        with httpx.Client(base_url=made.nodes[0].url, trust_env=False, timeout=60) as client:
            done(client.put(MENU, json={"kind": "table"}))
            done(client.post(f"{MENU}/sections?reload=true", json={"id": "a"}))
        for node in made.nodes:
            done(httpx.get(node.url + MENU, timeout=60))
        yield made
    finally:
        made.stop()


def refused(answer: httpx.Response) -> None:
    assert answer.status_code == 503 and answer.headers["Retry-After"], answer.text
    assert "Callboard-Stale" not in answer.headers


def test_what_may_be_old_is_not_answered_but_with_its_age(three, tmp_path):
    node, _ = others(three, tmp_path)
    with httpx.Client(base_url=node.url, trust_env=False, timeout=60) as client:
        tag = done(client.get(MENU)).headers["ETag"]
        with closed(tmp_path):
            # First, as long as the lease lasts.
            for path in READS[:3]:
                answer = client.get(MENU + path, params={"stale": "allowed"})
                assert answer.status_code == 200 and 0 <= int(answer.headers["Callboard-Stale"]) <= 8, answer.text
            with client.stream("GET", f"{MENU}/changesets?stale=allowed") as stream:
                assert stream.status_code == 200 and "Callboard-Stale" in stream.headers
            assert client.get("/v1/directors?stale=allowed").headers["Callboard-Stale"]
            for path in READS:
                refused(answer := client.get(MENU + path))
                assert answer.json()["type"] == AWAY
            refused(client.head(MENU))
            refused(client.get(MENU, headers={"If-None-Match": tag}))
            refused(client.get("/v1/changesets?director=menu"))
            refused(client.get("/v1/directors"))
            refused(client.get("/v1/tokens"))
            assert done(client.get("/v1/nodes")).headers["Callboard-Stale"]
            assert client.get(f"{MENU}?stale=yes").status_code == 400


def test_a_connection_that_is_ended_delays_a_read_and_refuses_none(three, tmp_path):
    name = nodes._databases[tmp_path]
    node, _ = others(three, tmp_path)
    with httpx.Client(base_url=node.url, trust_env=False, timeout=60) as client:
        for _ in range(5):
            nodes._postgres().execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'", "postgres")
            assert "Callboard-Stale" not in done(client.get(MENU)).headers


def test_a_token_that_cannot_be_looked_for_is_not_called_bad(program, tmp_path):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path, AUTH_MODE="required")
    try:
        secret = {"Authorization": f"Bearer {(tmp_path / 'data/first-token').read_text().strip()}"}
        tokens, url = f"{three.nodes[0].url}/v1/tokens", f"{three.nodes[1].url}/v1/nodes"
        body = {"name": "one", "grants": [{"actions": ["operate"]}]}
        made = done(httpx.post(tokens, headers=secret, json=body, timeout=60)).json()
        done(httpx.delete(f"{tokens}/{made['id']}", headers=secret, timeout=60))
        secret = {"Authorization": f"Bearer {made['token']}"}
        assert httpx.get(url, headers=secret, timeout=60).status_code == 401
        with closed(tmp_path):
            # Another node may have made such a token meanwhile.
            refused(answer := httpx.get(url, headers=secret, timeout=60))
            assert answer.json()["type"] == AWAY
    finally:
        three.stop()
