"""Views among three nodes: every node shows them from its own copy of the source, and an event reaches the source's owner."""

import contextlib
import random
import signal

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually, register
from test_views import GRILL, SEED, add, define, events, identifiers, make_orders, mutate, order, shown

SORTED = GRILL | {"sortBy": [{"key": {"var": "value.price"}, "order": "descending"}], "limit": 7}
SELECT = "/v1/directors/orders/adapters/Order/events/didSelect"


@pytest.fixture
def three(program, tmp_path):
    """Three nodes with a client of each; the orders are the first one's, the view is defined at the second."""
    needs_postgres()
    with contextlib.ExitStack() as stack:
        running = nodes.Nodes(program, tmp_path, LOG_LEVEL="warning", HOOKS_ALLOW="loopback")
        stack.callback(running.stop)
        clients = [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=60)) for node in running.nodes]
        make_orders(clients[0])
        define(clients[1], "grill", SORTED)
        yield running, clients


def owner_of_orders(folder) -> int:
    """The number of the node that owns the source, as the database tells."""
    name = nodes._postgres().execute(
        "SELECT n.name FROM callboard.lives l JOIN callboard.nodes n ON n.node = l.owner "
        "WHERE NOT l.ended AND l.director = 'orders'", nodes._databases[folder]).strip()
    return int(name.removeprefix("node"))


def test_every_node_shows_a_view_of_a_random_history_at_once(three):
    _, clients = three
    dice = random.Random(SEED)
    add(clients[0], *(order(number) for number in range(9)))
    for number in range(60):
        mutate(dice, dice.choice(clients), 100 + number)
        source = clients[0].get("/v1/directors/orders/elements", params={"limit": 10_000}).json()["elements"]
        wanted = [value["id"] for _, values in shown(SORTED, source) for value in values]
        for client in clients:
            assert identifiers(client, "/v1/directors/grill") == wanted, f"seed {SEED}, change {number}"


def test_an_id_of_a_view_goes_on_at_another_node(three):
    running, clients = three
    add(clients[0], order(1))
    with events(running.nodes[0], "/v1/directors/grill") as stream:
        name, last, _ = next(stream)
        assert name == "snapshot"
        add(clients[2], order(2))
        name, last, data = next(each for each in stream if each[0] == "changeset")
    add(clients[1], order(3))
    for node in running.nodes[1:]:
        with events(node, "/v1/directors/grill", last) as stream:
            name, _, resumed = next(stream)
            assert (name, resumed["from"]) == ("resumed", data["version"])


def test_an_event_at_any_node_reaches_the_hook_of_the_source(three, receiver):
    _, clients = three
    define(clients[2], "top", {"from": "grill", "limit": 1})
    register(clients[1], receiver, SELECT)
    add(clients[0], *(order(number) for number in range(6)))
    told = 0
    for view, row, wanted in [("grill", 0, "5"), ("grill", 3, "2"), ("top", 0, "5")]:
        for client in clients:
            answer = done(client.post(f"/v1/directors/{view}/events", json={"event": "didSelect", "indexPath": [0, row]}))
            assert answer.status_code == 202 and answer.json()["delivery"]
            told += 1
            data = receiver.wait(told, "/hook")[-1].data
            assert (data["element"]["id"], data["shownIn"]) == (wanted, {"director": view, "indexPath": [0, row]})


def test_a_view_defined_anew_at_one_node_is_another_at_all(three):
    _, clients = three
    add(clients[0], *(order(number) for number in range(3)))
    for number, client in enumerate(clients * 3):
        done(client.put("/v1/directors/grill", json={"kind": "table", "view": SORTED | {"limit": 1 + number % 2}}))
        for other in clients:
            assert len(identifiers(other, "/v1/directors/grill")) == 1 + number % 2


def test_a_view_goes_on_when_the_owner_of_its_source_is_killed(three, receiver, tmp_path):
    running, clients = three
    register(clients[0], receiver, SELECT)
    add(clients[0], order(1))
    owner = owner_of_orders(tmp_path)
    running.nodes[owner].terminate(signal.SIGKILL)
    left = [client for index, client in enumerate(clients) if index != owner]

    def is_taken() -> bool:
        body = {"elements": [order(2)]}
        return left[0].post("/v1/directors/orders/sections/all/elements?reload=true", json=body).is_success

    eventually(is_taken, "another owner")
    for client in left:
        assert "2" in identifiers(client, "/v1/directors/grill")
        done(client.post("/v1/directors/grill/events", json={"event": "didSelect", "indexPath": [0, 0]}))
    assert {call.data["element"]["id"] for call in receiver.wait(2, "/hook")} == {"2"}


def test_a_snapshot_of_one_node_is_resumed_at_another(three):
    """The version of a snapshot at a node that has just begun to keep the view up may have left it as it was."""
    running, clients = three
    add(clients[0], order(1))
    assert identifiers(clients[0], "/v1/directors/grill") == ["1"]
    add(clients[0], order(2, station="bar"))
    assert identifiers(clients[0], "/v1/directors/grill") == ["1"]
    with events(running.nodes[1], "/v1/directors/grill") as stream:
        name, last, snapshot = next(stream)
        assert name == "snapshot"
    with events(running.nodes[0], "/v1/directors/grill", last) as stream:
        name, _, resumed = next(stream)
        assert (name, resumed["from"]) == ("resumed", snapshot["version"])


def test_a_refresh_reaches_the_streams_of_a_view_at_every_node(three):
    running, clients = three
    add(clients[0], order(1))
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(events(node, "/v1/directors/grill")) for node in running.nodes]
        assert {next(stream)[0] for stream in streams} == {"snapshot"}
        done(clients[0].post("/v1/directors/orders/refresh", json={}))
        add(clients[0], order(2))
        # Other nodes are told of it beside the changes.
        assert [{next(stream)[0], next(stream)[0]} for stream in streams] == [{"refresh", "changeset"}] * 3


def test_a_scroll_reaches_the_streams_of_the_director_at_every_node(three):
    running, clients = three
    add(clients[0], *(order(number) for number in range(3)))
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(events(node, "/v1/directors/orders")) for node in running.nodes]
        assert {next(stream)[0] for stream in streams} == {"snapshot"}
        for client in clients:
            told = done(client.post("/v1/directors/orders/scroll", json={"to": {"section": "all", "element": "2"}})).json()
            assert told["indexPath"] == [0, 2]
            assert [next(stream)[::2] for stream in streams] == [("scroll", told)] * 3


def test_a_hook_of_a_view_is_registered_at_any_node_and_outlives_the_owner_of_the_source(three, receiver):
    running, clients = three
    add(clients[0], *(order(number) for number in range(6)))
    hook = "/v1/directors/grill/adapters/Order/events/didSelect"
    register(clients[1], receiver, SELECT, "/source")
    for number, client in enumerate(clients):
        register(client, receiver, hook, f"/grill{number}")
        done(client.put("/v1/directors/grill/adapters/Order", json={"cell": f"Cell{number}"}))
        for other in clients:
            receiver.forget()
            assert done(other.get(hook)).json()["url"].endswith(f"/grill{number}")
            assert done(other.get("/v1/directors/grill/adapters/Order")).json()["cell"] == f"Cell{number}"
            done(other.post("/v1/directors/grill/events", json={"event": "didSelect", "indexPath": [0, 1]}))
            data = receiver.wait(1, f"/grill{number}")[0].data
            assert (data["element"]["id"], data["cell"]) == ("4", f"Cell{number}") and len(receiver.at()) == 1
    owner = owner_of_orders(running.folder)
    running.nodes[owner].process.send_signal(signal.SIGKILL)
    living = clients[(owner + 1) % 3]
    receiver.forget()
    eventually(lambda: living.post(
        "/v1/directors/grill/events", json={"event": "didSelect", "indexPath": [0, 0]}).status_code == 202,
        "another node takes the source over")
    assert receiver.wait(1, "/grill2")[0].data["element"]["id"] == "5"


def test_a_report_at_a_view_is_read_with_the_claims_of_its_reader_at_every_node(program, tmp_path):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path, AUTH_MODE="required", LOG_LEVEL="warning")
    try:
        first = {"Authorization": f"Bearer {(tmp_path / 'data/first-token').read_text().strip()}"}
        with httpx.Client(base_url=three.nodes[0].url, headers=first, timeout=60) as admin:
            make_orders(admin)
            define(admin, "mine", {"from": "orders", "where": {"==": [{"var": "value.station"}, {"var": "claims.name"}]}})
            add(admin, order(1, station="ann"), order(2, station="bob"), order(3, station="ann"))
            grants = [{"actions": ["read", "report"], "directors": ["mine"]}]
            made = done(admin.post("/v1/tokens", json={"name": "ann", "grants": grants})).json()
        for node in three.nodes:
            with httpx.Client(base_url=node.url, headers={"Authorization": f"Bearer {made['token']}"}, timeout=60) as ann:
                assert identifiers(ann, "/v1/directors/mine") == ["1", "3"]
                # The owner of the orders carries it out, and is told by the node that was asked who has asked.
                for row, status in [(1, 202), (2, 422)]:
                    answer = ann.post("/v1/directors/mine/events", json={"event": "didSelect", "indexPath": [0, row]})
                    assert answer.status_code == status, answer.text
    finally:
        three.stop()
