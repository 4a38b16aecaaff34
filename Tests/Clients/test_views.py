"""Views: directors whose content follows from another one's, read and followed as any other."""

import contextlib
import json
import os
import random

import httpx
import httpx_sse
import pytest

from support import protocol
from support.access import caller, first_token, make_token
from support.replica import Replica

ORDERS = "/v1/directors/orders"
SEED = int(os.environ.get("CALLBOARD_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
OPEN = {"!": {"var": "value.done"}}
AT_STATION = {"==": [{"var": "value.station"}, {"var": "parameters.station"}]}
STATION = {"station": {"type": "string", "default": "grill"}}
GRILL = {"from": "orders", "parameters": STATION, "where": {"and": [AT_STATION, OPEN]}}
PATIENCE = 60.0


@contextlib.contextmanager
def events(server, path: str, last_id: str | None = None, credential: str | None = None, **query):
    """The events of a view's stream that have data: name, id and decoded data."""
    fields = {"Last-Event-ID": last_id} if last_id else {}
    if credential:
        fields["Authorization"] = f"Bearer {credential}"
    with protocol.client(timeout=PATIENCE) as client:
        with httpx_sse.connect_sse(client, "GET", f"{server.url}{path}/changesets", headers=fields, params=query) as source:
            assert source.response.status_code == 200
            yield ((event.event, event.id, json.loads(event.data)) for event in source.iter_sse() if event.data)


def define(http: httpx.Client, name: str, view: dict) -> str:
    path = f"/v1/directors/{name}"
    http.put(path, json={"kind": "table", "view": view})
    return path


def order(number: int, **members) -> dict:
    return {"value": {"id": str(number), "station": "grill", "done": False, "course": 1, "price": number} | members}


def make_orders(http: httpx.Client) -> None:
    http.put(ORDERS, json={"kind": "table"})
    http.put(f"{ORDERS}/adapters/Order", json={"cell": "OrderCell", "identifier": "{id}"})
    http.put(f"{ORDERS}/sections/all", json={"id": "all", "elements": []})


def add(http: httpx.Client, *elements: dict) -> None:
    http.post(f"{ORDERS}/sections/all/elements", params={"reload": "true"}, json={"elements": list(elements)})


def identifiers(http: httpx.Client, path: str, **query) -> list[str]:
    answer = http.get(f"{path}/elements", params={"limit": 10_000} | query).json()
    return [element["id"] for element in answer["elements"]]


@pytest.fixture
def orders(http) -> httpx.Client:
    make_orders(http)
    return http


# Oracles: what a view shows of the source's published elements, filtered, sorted and cut afresh.

def shown(view: dict, elements: list[dict]) -> list[list]:
    """The sections that a definition of these tests makes, each as its identifier and its elements' values."""
    values = [each["value"] for each in elements]
    if "where" in view:
        values = [value for value in values if value["station"] == "grill" and not value["done"]]
    for rule in reversed(view.get("sortBy", [])):
        member = rule["key"]["var"].removeprefix("value.")
        values.sort(key=lambda value: value[member], reverse=rule["order"] == "descending")
    groups: dict = {}
    for value in values:
        groups.setdefault(str(value["course"]) if view.get("sectionBy") else "all", []).append(value)
    sections = [[name, groups[name]] for name in sorted(groups)]
    left = view.get("limit", 1 << 40)
    cut = []
    for name, values in sections:
        if values[:left]:
            cut.append([name, values[:left]])
        left -= len(values[:left])
    return cut


VIEWS = {
    "filtered": GRILL,
    "sorted": GRILL | {"sortBy": [{"key": {"var": "value.price"}, "order": "descending"}], "limit": 7},
    "grouped": {"from": "orders", "sectionBy": {"key": {"var": "value.course"}, "order": "ascending"},
                "sortBy": [{"key": {"var": "value.price"}, "order": "ascending"}]},
    "of a view": {"from": "filtered", "sectionBy": {"key": {"var": "value.course"}, "order": "ascending"}, "limit": 9},
}
# What a reader selects by a query, of a director and of a view.
OPEN_AT_GRILL = {"and": [{"==": [{"var": "value.station"}, "grill"]}, OPEN]}
BY_PRICE = [{"key": {"var": "value.price"}, "order": "ascending"}]
SELECTIONS = {
    "selected": (ORDERS, {"where": json.dumps(OPEN_AT_GRILL), "sortBy": json.dumps(BY_PRICE)}),
    "selected of a view": ("/v1/directors/filtered", {"sortBy": json.dumps(BY_PRICE)}),
}
EXPECTED = {name: GRILL | {"sortBy": BY_PRICE} for name in SELECTIONS} | VIEWS | {"of a view": GRILL | {"sectionBy": VIEWS["of a view"]["sectionBy"], "limit": 9}}


def mutate(dice: random.Random, http: httpx.Client, number: int) -> None:
    """A random change of the orders, published."""
    there = identifiers(http, ORDERS)
    members = {"station": dice.choice(["grill", "grill", "bar"]), "done": dice.random() < 0.2,
               "course": dice.randrange(1, 4), "price": dice.randrange(20)}
    match dice.choice(["add", "add", "patch", "patch", "remove", "move"] if len(there) > 3 else ["add"]):
        case "add":
            add(http, *(order(number * 10 + more, **members) for more in range(dice.randrange(1, 4))))
        case "patch":
            http.patch(f"{ORDERS}/sections/all/elements/{dice.choice(there)}", params={"reload": "true"}, json=members)
        case "remove":
            http.delete(f"{ORDERS}/sections/all/elements/{dice.choice(there)}", params={"reload": "true"})
        case "move":
            http.post(f"{ORDERS}/sections/all/elements:move", params={"reload": "true"},
                      json={"from": dice.randrange(len(there)), "to": dice.randrange(len(there))})


def test_views_follow_a_random_history_and_their_changesets_replay(orders, server):
    dice = random.Random(SEED)
    paths = {name: (define(orders, name.replace(" ", "-"), view), {}) for name, view in VIEWS.items()} | SELECTIONS
    with contextlib.ExitStack() as stack:
        streams = {name: stack.enter_context(events(server, path, **query)) for name, (path, query) in paths.items()}
        replicas = {name: Replica() for name in paths}
        for name, stream in streams.items():
            kind, _, data = next(stream)
            assert kind == "snapshot" and data["version"] == orders.get(ORDERS).json()["version"]
            replicas[name].snapshot(data)
        for number in range(60):
            mutate(dice, orders, number)
            elements = orders.get(f"{ORDERS}/elements", params={"state": "published", "limit": 10_000}).json()["elements"]
            for name, (path, query) in paths.items():
                read = orders.get(f"{path}/sections", params={"state": "published"} | query).json()["sections"]
                found = [[each["id"], [element["value"] for element in each["elements"]]] for each in read]
                wanted = shown(EXPECTED[name], elements)
                assert found == wanted, f"seed {SEED}, change {number}, view {name}"
                while replicas[name].sections != read:
                    kind, last_id, data = next(streams[name])
                    assert kind in ("changeset", "heartbeat"), f"seed {SEED}"
                    if kind == "changeset":
                        replicas[name].changeset(data)
                        assert last_id == f"{data['epoch']}-{data['version']}"


@pytest.mark.parametrize("method, path, body", [
    ("POST", "/elements", {"elements": [{"value": {"id": "9"}}]}),
    ("PUT", "/sections/all", {"id": "all"}),
    ("DELETE", "/sections", None),
    ("POST", "/sections:move", {"from": 0, "to": 0}),
    ("PATCH", "/sections/all/elements/1", {"done": True}),
    ("POST", "/operations", {"operations": [{"op": "setVariable", "name": "a", "value": 1}]}),
    ("POST", "/operations", {"operations": [{"op": "removeAllSections"}], "dryRun": True}),
    ("PUT", "/content", {"sections": []}),
    ("POST", "/reload", None),
    ("POST", "/refresh", None),
    ("POST", "/scroll", {"to": {"section": "all"}}),
    ("PUT", "/variables/a", 1),
    ("PUT", "/sections/all/rows/a/events/didSelect", {"url": "http://127.0.0.1:9/"}),
])
def test_what_would_change_a_view_names_the_director_to_change(orders, server, method, path, body):
    grill = define(orders, "grill", GRILL)
    add(orders, order(1))
    before = orders.get(grill).headers["etag"]
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        answer = client.request(method, grill + path, json=body) if body is not None else client.request(method, grill + path)
    assert answer.status_code == 409 and answer.json()["type"].endswith(":derived"), answer.text
    assert '"orders"' in answer.json()["detail"]
    assert orders.get(grill).headers["etag"] == before and identifiers(orders, grill) == ["1"]


@pytest.mark.parametrize("view, pointer", [
    ({}, "/view"),
    ({"from": "orders", "wehre": True}, "/view/wehre"),
    ({"from": "orders", "where": {"nope": []}}, "/view/where"),
    ({"from": "orders", "where": {"var": "valeu.a"}}, "/view/where"),
    ({"from": "orders", "limit": 0}, "/view/limit"),
    ({"from": "grill"}, "/view/from"),
])
def test_a_definition_that_is_wrong_says_where(orders, server, view, pointer):
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        answer = client.put("/v1/directors/grill", json={"kind": "table", "view": view})
        assert answer.status_code == 422, answer.text
        assert any(fault["pointer"].startswith(pointer) for fault in answer.json()["errors"])
        assert client.get("/v1/directors/grill").status_code == 404


def test_views_follow_views_four_deep_and_never_in_a_circle(orders, server):
    names = ["a", "b", "c", "d"]
    for source, name in zip(["orders"] + names, names):
        define(orders, name, {"from": source})
    add(orders, order(1))
    assert identifiers(orders, "/v1/directors/d") == ["1"]
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        deep = client.put("/v1/directors/e", json={"kind": "table", "view": {"from": "d"}})
        assert deep.status_code == 422 and "4" in deep.json()["detail"]
        below = client.patch("/v1/directors/a", json={"view": {"from": "z"}})
        assert below.status_code == 200
        deep = client.put("/v1/directors/z", json={"kind": "table", "view": {"from": "orders"}})
        assert deep.status_code == 422, "five views would follow each other"
        circle = client.patch("/v1/directors/a", json={"view": {"from": "c"}})
        assert circle.status_code == 422
        assert circle.json()["detail"].count('"') == 8 and all(f'"{name}"' in circle.json()["detail"] for name in "abc")


def test_an_unchanged_view_is_not_told_and_its_id_goes_on(start):
    server = start(FEED_HEARTBEAT="0.2")
    with protocol.client(base_url=server.url, timeout=PATIENCE) as http:
        make_orders(http)
        grill = define(http, "grill", GRILL)
        add(http, order(1))
        with events(server, grill) as stream:
            _, first_id, data = next(stream)
            epoch, version = data["epoch"], data["version"]
            for number in range(2, 5):
                add(http, order(number, station="bar"))
            kind, last_id = "", first_id
            while last_id != f"{epoch}-{version + 3}":
                kind, last_id, beat = next(stream)
                assert (kind, beat["version"]) == ("heartbeat", version), "the list is that of the version that the client holds"
        add(http, order(9))
        with events(server, grill, last_id) as stream:
            assert next(stream)[0::2] == ("resumed", {"director": "grill", "from": version, "version": version + 4})
            kind, _, change = next(each for each in stream if each[0] != "definition")
            assert (kind, change["from"], change["version"]) == ("changeset", version, version + 4)


def test_an_id_resumes_after_a_restart_from_what_the_source_retains(start):
    server = start()
    with protocol.client(base_url=server.url, timeout=PATIENCE) as http:
        make_orders(http)
        grill = define(http, "grill", GRILL | {"totals": {"open": {"count": True}}})
        add(http, order(1), order(2, station="bar"))
        replica = Replica()
        with events(server, grill) as stream:
            _, last_id, data = next(stream)
            assert data["totals"] == {"open": 1}
            replica.snapshot(data)
        add(http, order(3))
    server.terminate()
    server.wait()
    again = start(folder=server.folder)
    with protocol.client(base_url=again.url, timeout=PATIENCE) as http:
        with events(again, grill, last_id) as stream:
            assert next(stream)[0] == "resumed"
            kind, _, data = next(each for each in stream if each[0] != "definition")
            assert kind == "changeset" and data["totals"] == {"open": 2}
            replica.changeset(data)
            assert replica.sections == http.get(f"{grill}/sections").json()["sections"]


def test_another_definition_or_another_source_begins_anew(orders, server):
    grill = define(orders, "grill", GRILL)
    add(orders, order(1), order(2, station="bar"))
    with events(server, grill) as stream:
        _, first_id, _ = next(stream)
        orders.patch(grill, json={"view": {"parameters": {"station": {"default": "bar"}}}})
        kind, _, data = next(stream)
        assert (kind, data["reason"]) == ("end", "closing"), "its client comes back"
    with events(server, grill, first_id) as stream:
        kind, second_id, data = next(stream)
        assert kind == "snapshot" and data["reset"] and data["sections"][0]["elements"][0]["id"] == "2"
        orders.delete(ORDERS)
        assert next(stream)[2]["reason"] == "closing"
    with events(server, grill, second_id) as stream:
        kind, third_id, data = next(stream)
        assert kind == "snapshot" and data["reset"] and data["counts"]["elements"] == 0
        make_orders(orders)
        assert next(stream)[2]["reason"] == "closing"
    add(orders, order(3, station="bar"))
    with events(server, grill, third_id) as stream:
        kind, _, data = next(stream)
        assert kind == "snapshot" and data["reset"] and data["sections"][0]["elements"][0]["id"] == "3"


def test_a_deleted_view_ends_its_streams(orders, server):
    grill = define(orders, "grill", GRILL)
    with events(server, grill) as stream:
        next(stream)
        orders.delete(grill)
        assert next(stream)[2]["reason"] == "deleted"


def test_readers_bind_parameters_and_share_instances(orders, server):
    grill = define(orders, "grill", GRILL | {"parameters": STATION | {"least": {"type": "integer", "default": 0}}})
    add(orders, order(1), order(2, station="bar"), order(3, station="bar"))
    assert identifiers(orders, grill) == ["1"]
    assert identifiers(orders, grill, **{"parameters.station": "grill"}) == ["1"]
    assert identifiers(orders, grill, **{"parameters[station]": "bar"}) == ["2", "3"]
    with events(server, grill, **{"parameters.station": "bar"}) as stream:
        assert next(stream)[2]["counts"]["elements"] == 2
        page = orders.get(f"{grill}/instances").json()
        assert page["total"] == 2 and sorted(each["parameters"]["station"] for each in page["instances"]) == ["bar", "grill"]
        assert [each["isFollowed"] for each in page["instances"] if each["parameters"]["station"] == "bar"] == [True]
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        for query in ({"parameters.nope": "1"}, {"parameters.least": "many"}, {"parameters.least": "1.5"}):
            assert client.get(f"{grill}/elements", params=query).status_code == 422, query
            stream = client.get(f"{grill}/changesets", params=query, headers={"Accept": "text/event-stream"})
            assert stream.status_code == 422, query
        assert client.get(f"{ORDERS}/elements", params={"parameters.station": "bar"}).status_code == 422


def test_a_reader_selects_by_a_query_and_shares_what_is_selected(orders, server):
    add(orders, *(order(number, done=number % 2 == 0) for number in range(10)))
    one = json.dumps(OPEN)
    other = '{ "!" : {"var":"value.done"} }'
    greatest_first = json.dumps([{"key": {"var": "value.price"}, "order": "descending"}])
    assert identifiers(orders, ORDERS, where=one) == identifiers(orders, ORDERS, where=other) == list("13579")
    # A page of what is selected.
    page = orders.get(f"{ORDERS}/elements", params={"where": one, "sortBy": greatest_first, "limit": 2}).json()
    assert [each["id"] for each in page["elements"]] == ["9", "7"] and page["total"] == 5
    instances = orders.get(f"{ORDERS}/instances").json()
    assert instances["total"] == 2
    assert all(each["view"]["from"] == "orders" and each["view"]["where"] == OPEN for each in instances["instances"])
    with events(server, ORDERS, sortBy=greatest_first, limit=3) as stream:
        kind, last_id, snapshot = next(stream)
        replica = Replica()
        replica.snapshot(snapshot)
        assert [element["id"] for element in replica.sections[0]["elements"]] == ["9", "8", "7"]
        orders.delete(f"{ORDERS}/sections/all/elements/8", params={"reload": "true"})
        kind, last_id, changeset = next(stream)
        replica.changeset(changeset)
        assert [element["id"] for element in replica.sections[0]["elements"]] == ["9", "7", "6"]
    # It goes on where it was, and only for the same selection.
    orders.delete(f"{ORDERS}/sections/all/elements/9", params={"reload": "true"})
    with events(server, ORDERS, last_id, sortBy=greatest_first, limit=3) as stream:
        assert next(stream)[0] == "resumed"
    with events(server, ORDERS, last_id, sortBy=greatest_first, limit=4) as stream:
        kind, _, snapshot = next(stream)
        assert kind == "snapshot" and snapshot["reset"]


@pytest.mark.parametrize("query, status, pointer", [
    ({"where": "{"}, 422, "/where"),
    ({"where": '{"nothing": 1}'}, 422, "/where"),
    ({"where": '{"var": "valeu.done"}'}, 422, "/where"),
    ({"where": '{"var": "parameters.station"}'}, 422, "/where"),
    ({"sortBy": '{"key": {"var": "value.price"}}'}, 422, "/sortBy"),
    ({"where": "true", "parameters.station": "bar"}, 422, None),
    ({"where": "true", "sectionBy": "null"}, 400, None),
])
def test_a_selection_that_is_wrong_says_where(orders, server, query, status, pointer):
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        answer = client.get(f"{ORDERS}/elements", params=query)
        assert answer.status_code == status, answer.text
        if pointer:
            assert all(fault["pointer"].startswith(pointer) for fault in answer.json()["errors"]), answer.text
        stream = client.get(f"{ORDERS}/changesets", params=query, headers={"Accept": "text/event-stream"})
        assert stream.status_code == status, stream.text


def test_a_selection_of_a_director_that_is_deleted_ends(orders, server):
    add(orders, order(1))
    with events(server, ORDERS, where=json.dumps(OPEN)) as stream:
        assert next(stream)[0] == "snapshot"
        orders.delete(ORDERS)
        assert next(stream)[0] == "end"
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        assert client.get(f"{ORDERS}/elements", params={"where": "true"}).status_code == 404


def test_instances_are_bounded(start):
    server = start(VIEWS_INSTANCES="2")
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        make_orders(client)
        grill = define(client, "grill", GRILL)
        for station in ("a", "b", "a"):
            assert client.get(f"{grill}/elements", params={"parameters.station": station}).status_code == 200
        full = client.get(f"{grill}/elements", params={"parameters.station": "c"})
        assert full.status_code == 503 and full.headers["retry-after"]


def test_a_view_that_reads_claims_shows_each_reader_its_own_rows_and_nothing_of_its_source(start):
    server = start(AUTH_MODE="required", VIEWS_INSTANCES_PER_PRINCIPAL="1")
    with caller(server, first_token(server)) as admin:
        make_orders(admin)
        mine = define(admin, "mine", {
            "from": "orders", "where": {"==": [{"var": "value.station"}, {"var": "claims.name"}]}, "fields": ["/id"],
            "parameters": {"any": {"type": "string", "default": ""}}})
        add(admin, order(1, station="ann"), order(2, station="bob"), order(3, station="ann"))
        grants = [{"actions": ["read"], "directors": ["mine"]}]
        tokens = {name: make_token(admin, grants, name=name)["token"] for name in ("ann", "bob")}
    for name, wanted in [("ann", ["1", "3"]), ("bob", ["2"])]:
        with caller(server, tokens[name]) as client:
            assert identifiers(client, mine) == wanted
            for path in ("", "/elements", "/changesets?since=0"):
                assert client.get(ORDERS + path).status_code in (403, 404)
            assert client.get(f"{mine}/instances").status_code == 403
            assert client.get(f"{mine}/elements", params={"parameters.any": "other"}).status_code == 429
        with events(server, mine, credential=tokens[name]) as stream:
            values = [each["value"] for section in next(stream)[2]["sections"] for each in section["elements"]]
            assert values == [{"id": identifier} for identifier in wanted]


def test_totals_and_faults_are_shown(orders, server):
    view = {"from": "orders", "where": {"<": [{"+": [{"var": "value.price"}, 0]}, 100]},
            "totals": {"orders": {"count": True}, "amount": {"sum": {"var": "value.price"}}}, "limit": 1}
    cheap = define(orders, "cheap", view)
    with events(server, cheap) as stream:
        assert next(stream)[2]["totals"] == {"orders": 0, "amount": 0}
        add(orders, order(1), order(2))
        assert next(stream)[2]["totals"] == {"orders": 2, "amount": 3}
        add(orders, order(3))
        kind, _, data = next(stream)
        assert (kind, data["stages"], data["totals"]) == ("changeset", [], {"orders": 3, "amount": 6}), "beyond the limit"
    add(orders, order(4, price={"no": "number"}))
    shown = orders.get(cheap).json()
    assert shown["totals"] == {"orders": 3, "amount": 6} and shown["counts"]["elements"] == 1
    if "faults" in shown:
        assert shown["faults"]["first"][0]["id"] == "4" and shown["faults"]["count"] == 1


def test_a_view_reads_variables_as_they_were_published(start):
    server = start()
    with protocol.client(base_url=server.url, timeout=PATIENCE) as http:
        make_orders(http)
        view = define(http, "dear", {"from": "orders", "where": {">=": [{"var": "value.price"}, {"var": "variables.least"}]}})
        http.put(f"{ORDERS}/variables/least", json=2)
        add(http, order(1), order(2), order(3))
        assert identifiers(http, view) == ["2", "3"]
        http.put(f"{ORDERS}/variables/least", json=3)
        assert identifiers(http, view) == ["2", "3"], "the variable is not published"
    server.terminate()
    server.wait()
    again = start(folder=server.folder)
    with protocol.client(base_url=again.url, timeout=PATIENCE) as http:
        assert identifiers(http, view) == ["2", "3"]
        add(http, order(4))
        assert identifiers(http, view) == ["3", "4"]


def test_a_director_does_not_become_a_view_nor_a_view_a_director(orders, server):
    grill = define(orders, "grill", GRILL)
    with protocol.client(base_url=server.url, timeout=PATIENCE) as client:
        assert client.put(ORDERS, json={"kind": "table", "view": {"from": "grill"}}).status_code == 422, "a circle"
        client.put("/v1/directors/other", json={"kind": "table"})
        assert client.put("/v1/directors/other", json={"kind": "table", "view": GRILL}).status_code == 409
        assert client.put(grill, json={"kind": "table"}).status_code == 409
        read = client.get(grill)
        assert client.put(grill, json=read.json(), headers={"If-Match": '"nope-r0"'}).status_code == 412
        assert client.put(grill, json=read.json()).status_code == 200, "what was read can be put back"
        patched = client.patch(grill, json={"properties": {"rowHeight": {"explicit": 50}}})
        assert patched.json()["properties"]["rowHeight"] == {"explicit": 50} and patched.json()["view"] == read.json()["view"]
        with events(server, grill) as stream:
            assert next(stream)[2]["properties"]["rowHeight"] == {"explicit": 50}
            client.patch(grill, json={"properties": {"rowHeight": "default"}})
            kind, _, data = next(stream)
            assert (kind, data["properties"]["rowHeight"]) == ("definition", "default")


def test_several_views_are_followed_on_one_connection(orders, server):
    grill = define(orders, "grill", GRILL)
    define(orders, "bar", GRILL | {"parameters": {"station": {"type": "string", "default": "bar"}}})
    with protocol.client(timeout=PATIENCE) as client:
        url = f"{server.url}/v1/changesets?director=orders&director=grill&director=bar"
        with httpx_sse.connect_sse(client, "GET", url) as source:
            stream = ((event.event, event.id, json.loads(event.data)) for event in source.iter_sse() if event.data)
            assert {next(stream)[2]["director"] for _ in range(3)} == {"orders", "grill", "bar"}
            add(orders, order(1))
            assert {next(stream)[2]["director"] for _ in range(2)} == {"orders", "grill"}
    assert identifiers(orders, grill) == ["1"]


def test_an_id_of_a_version_that_left_the_view_as_it_was_resumes_after_a_restart(start):
    server = start(FEED_HEARTBEAT="0.2")
    with protocol.client(base_url=server.url, timeout=PATIENCE) as http:
        make_orders(http)
        grill = define(http, "grill", GRILL)
        add(http, order(1))
        with events(server, grill) as stream:
            _, _, data = next(stream)
            add(http, order(2, station="bar"))
            later = f"{data['epoch']}-{data['version'] + 1}"
            next(last for kind, last, _ in stream if (kind, last) == ("heartbeat", later))
        add(http, order(3))
    server.terminate()
    server.wait()
    again = start(folder=server.folder)
    with events(again, grill, later) as stream:
        assert next(stream)[2]["from"] == data["version"], "the version of the copy that the client holds"
