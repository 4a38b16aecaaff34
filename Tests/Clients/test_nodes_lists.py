"""Lists that each node has a part of are the same at every node."""

import contextlib

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually

NAMES = [f"list{number}" for number in range(6)]
HEIGHT = "adapters/Person/events/rowHeight"


@pytest.fixture
def made(program, tmp_path):
    """Three nodes with six directors, each of which asks a hook that nobody answers."""
    needs_postgres()
    three = nodes.Nodes(program, tmp_path, HOOKS_ALLOW="loopback", LOG_LEVEL="warning")
    try:
        with httpx.Client(base_url=three.url, trust_env=False, timeout=20) as http:
            for name in NAMES:
                path = f"/v1/directors/{name}"
                done(http.put(path, json={"kind": "table"}))
                done(http.put(f"{path}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"}))
                done(http.put(f"{path}/{HEIGHT}", json={"url": "http://127.0.0.1:9/nobody", "timeout": "200ms", "default": 44}))
                done(http.post(f"{path}/sections?reload=true", json={"id": "all", "elements": [{"value": {"name": "Ada"}}]}))
        yield three
    finally:
        three.stop()


@pytest.fixture
def clients(made):
    """A client of each node."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=20)) for node in made.nodes]


def test_every_node_lists_all_hooks_with_how_their_owners_know_them(clients):
    def counts() -> list[int]:
        return [node["directors"] for node in done(clients[0].get("/v1/nodes")).json()["nodes"]]

    eventually(lambda: sorted(map(bool, counts())) == [True] * 3, "directors at each node")
    for client, name in zip(clients * 2, NAMES):
        question = {"event": "rowHeight", "indexPath": [0, 0]}
        assert done(client.post(f"/v1/directors/{name}/events", json=question)).json()["value"] == 44
    answers = [done(client.get("/v1/hooks")).json() for client in clients]
    assert answers[0]["total"] == len(NAMES) and [each["director"] for each in answers[0]["hooks"]] == NAMES
    assert all(each["hook"]["health"]["consecutiveFailures"] == 1 for each in answers[0]["hooks"])
    assert answers[1] == answers[0] == answers[2]
    page = done(clients[1].get("/v1/hooks", params={"offset": 2, "limit": 3})).json()
    assert page["hooks"] == answers[0]["hooks"][2:5] and page["total"] == len(NAMES)
    one = done(clients[2].get("/v1/hooks", params={"director": NAMES[4]})).json()
    assert one["hooks"] == answers[0]["hooks"][4:5] and one["total"] == 1
