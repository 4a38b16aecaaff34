"""Lists that each node has a part of are the same at every node."""

import contextlib
import itertools

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually

NAMES = [f"list{number}" for number in range(6)]
HEIGHT = "adapters/Person/events/rowHeight"


@pytest.fixture
def start_nodes(program, tmp_path):
    """Starts three nodes with settings of the test's own; gives a client of each, all of which use the first token."""
    needs_postgres()
    with contextlib.ExitStack() as stack:
        def start(**settings: str) -> list[httpx.Client]:
            three = nodes.Nodes(program, tmp_path, LOG_LEVEL="warning", **settings)
            stack.callback(three.stop)
            token = tmp_path / "data/first-token"
            fields = {"Authorization": f"Bearer {token.read_text().strip()}"} if token.exists() else {}
            return [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=20, headers=fields))
                    for node in three.nodes]

        yield start


@pytest.fixture
def clients(start_nodes):
    """A client of each of three nodes with six directors, each of which asks a hook that nobody answers."""
    made = start_nodes(HOOKS_ALLOW="loopback")
    for name, http in zip(NAMES, made * 2):
        path = f"/v1/directors/{name}"
        done(http.put(path, json={"kind": "table"}))
        done(http.put(f"{path}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"}))
        done(http.put(f"{path}/{HEIGHT}", json={"url": "http://127.0.0.1:9/nobody", "timeout": "200ms", "default": 44}))
        done(http.post(f"{path}/sections?reload=true", json={"id": "all", "elements": [{"value": {"name": "Ada"}}]}))
    return made


def test_a_token_that_one_node_makes_and_another_revokes_is_good_nowhere(start_nodes):
    clients = start_nodes(AUTH_MODE="required")
    grants = [{"actions": ["read"], "directors": ["*"]}]
    for maker, revoker, other in itertools.islice(itertools.cycle(itertools.permutations(clients)), 12):
        token = done(maker.post("/v1/tokens", json={"name": "short-lived", "grants": grants})).json()
        # The maker looks at nothing before it is revoked: what it finds then is what it has found before it made the token.
        done(revoker.delete(f"/v1/tokens/{token['id']}"))
        for each in (maker, other, revoker):
            assert token["id"] not in each.get("/v1/tokens").text
            assert each.get("/v1/directors", headers={"Authorization": f"Bearer {token['token']}"}).status_code == 401


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
