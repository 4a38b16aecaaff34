"""Lists that each node has a part of are the same at every node."""

import contextlib
import itertools
import json
import re
import time
from collections.abc import Callable

import httpx
import httpx_sse
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually

NAMES = [f"list{number}" for number in range(6)]
HEIGHT = "adapters/Person/events/rowHeight"
# More directors than the nodes would all have by chance.
COUNT = 30
MANY = [f"long{number:02}" for number in range(COUNT)]


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
            return [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=60, headers=fields))
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


def figure(client: httpx.Client, name: str) -> int:
    """One of a node's metrics."""
    return int(re.search(rf"^callboard_cluster_{name} (\d+)$", done(client.get("/metrics")).text, re.M).group(1))


def loaded(client: httpx.Client) -> int:
    """How many directors a node has in memory."""
    return figure(client, "directors_loaded")


def at_rest(clients: list[httpx.Client]) -> bool:
    """Whether each director is in the memory of its owner and of one more node, which would take it over."""
    return sum(map(loaded, clients)) == 2 * COUNT and max(map(loaded, clients)) < COUNT


@pytest.fixture
def many(start_nodes):
    """A client of each of three nodes with thirty directors, which leave memory after two seconds at most."""
    made = start_nodes(CLUSTER_UNLOAD_AFTER="1")
    for name, http in zip(MANY, itertools.cycle(made)):
        path = f"/v1/directors/{name}"
        done(http.put(path, json={"kind": "table"}))
        done(http.put(f"{path}/adapters/Item", json={"cell": "ItemCell", "identifier": "{name}"}))
        elements = [{"value": {"name": f"{name}-{number}"}} for number in range(5)]
        done(http.post(f"{path}/sections?reload=true", json={"id": "all", "elements": elements}))
    eventually(lambda: at_rest(made), "idle directors to leave memory", 120)
    return made


def test_the_deliveries_of_all_nodes_are_listed_oldest_first(clients):
    tap = "adapters/Person/events/didSelect"
    for name in NAMES:
        done(clients[0].put(f"/v1/directors/{name}/{tap}", json={"url": "http://127.0.0.1:9/nobody"}))
    # Lists of several nodes in turn, and not in the order of their names.
    for name in (NAMES[::-1] + NAMES[::2]) * 2:
        done(clients[0].post(f"/v1/directors/{name}/events", json={
            "event": "didSelect", "indexPath": [0, 0], "version": 1}))
    for client in clients:
        listed = done(client.get("/v1/deliveries?limit=100")).json()["deliveries"]
        assert len(listed) == 18 and len({each["director"] for each in listed}) == 6
        created = [each["created"] for each in listed]
        assert created == sorted(created)
        assert [each["director"] for each in listed] != sorted(each["director"] for each in listed)


def test_a_node_has_in_memory_what_it_owns_what_it_would_take_over_and_what_it_is_asked_for(many):
    for client in many:
        loads, missing = figure(client, "loads_total"), COUNT - loaded(client)
        for name in MANY:
            # Changed elsewhere, and read where it may not be in memory.
            done(many[0].patch(f"/v1/directors/{name}/sections/all/elements/{name}-0?reload=true", json={"at": str(client.base_url)}))
            page = done(client.get(f"/v1/directors/{name}/sections", params={"state": "published"})).json()
            elements = page["sections"][0]["elements"]
            assert [each["id"] for each in elements] == [f"{name}-{number}" for number in range(5)]
            assert elements[0]["value"]["at"] == str(client.base_url)
        # Where the machine is slow, some have left memory again.
        assert figure(client, "loads_total") - loads >= missing > 0
    assert many[0].get("/v1/directors/nobody").status_code == 404
    eventually(lambda: at_rest(many), "idle directors to leave memory", 120)


def test_every_node_lists_all_directors_whatever_it_has_in_memory(many):
    listed = [done(client.get("/v1/directors", params={"offset": 10, "limit": 15})).json() for client in many]
    assert listed[0]["total"] == COUNT and [each["name"] for each in listed[0]["directors"]] == MANY[10:25]
    assert listed[1] == listed[0] == listed[2]
    for client in many:
        page = done(client.get("/metrics")).text
        assert re.search(rf"^callboard_directors {COUNT}$", page, re.M)


class Follower:
    """Follows all directors, from node to node; every changeset has to fit the version before it."""

    def __init__(self):
        self.versions: dict[str, int] = {}
        self.place = ""

    def follow(self, client: httpx.Client, until: dict[str, int], opened: Callable[[], None] = lambda: None) -> None:
        """Follows until each has a version, with what is to be done once all of them have answered."""
        begun = set()
        fields = {"Last-Event-ID": self.place} if self.place else {}
        with httpx_sse.connect_sse(client, "GET", "/v1/changesets", params={"director": MANY}, headers=fields) as source:
            for event in source.iter_sse():
                self.place = event.id
                begun |= self.take(event.event, json.loads(event.data or "{}"))
                if begun == set(MANY):
                    begun.clear()
                    opened()
                if self.versions == until:
                    return

    def take(self, kind: str, data: dict) -> set[str]:
        """Takes an event; gives the director that has answered with it."""
        name = data.get("director")
        if kind == "snapshot":
            assert name not in self.versions, "a stream that goes on needs no snapshot"
            self.versions[name] = data["version"]
        elif kind in ("resumed", "changeset"):
            assert data["from"] == self.versions[name]
            if kind == "changeset":
                self.versions[name] = data["version"]
        return {name} if kind in ("snapshot", "resumed") else set()


def test_what_is_followed_stays_in_memory_and_a_stream_goes_on_at_a_node_that_has_not_got_its_director(many):
    def change(client: httpx.Client, element: int) -> None:
        for name in MANY:
            done(client.patch(f"/v1/directors/{name}/sections/all/elements/{name}-{element}?reload=true", json={"n": 1}))

    def stay_and_change() -> None:
        # Longer than what nobody asks for stays in memory.
        time.sleep(3)
        assert loaded(many[1]) == COUNT
        change(many[1], 1)

    follower = Follower()
    follower.follow(many[1], dict.fromkeys(MANY, 2), stay_and_change)
    eventually(lambda: at_rest(many), "what is followed no more to leave memory", 120)
    change(many[0], 2)
    assert at_rest(many), "commands load nothing where they arrive"
    follower.follow(many[2], dict.fromkeys(MANY, 3))


def test_a_node_at_rest_has_three_connections_to_the_database(many, tmp_path):
    counts = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name LIKE 'callboard node %' GROUP BY application_name"""
    for client in many:
        for name in MANY:
            done(client.get(f"/v1/directors/{name}/elements"))
    assert max(map(int, nodes.query(tmp_path, counts))) == 4, "one more reads lists"
    eventually(lambda: nodes.query(tmp_path, counts) == ["3"] * 3, "connections that read to be closed", 60)
