"""Adapters and hooks that a view has of its own: what its readers see, who is told of their events, and who may register."""

import json

import pytest

from support import protocol
from support.access import caller, first_token, make_token
from support.hooks import ask, client_of, deliveries, done, eventually, new_secret, notify, register, report
from support.receiver import FAILS, Reply, content, value
from test_views import GRILL, ORDERS, add, define, events, identifiers, make_orders, order

HOOK = "/adapters/Order/events/didSelect"
FIELDS = GRILL | {"fields": ["/course"]}


@pytest.fixture
def orders(server):
    """A client of a server with four orders of two stations, 1 to 4, and the view of the grill's."""
    with client_of(server) as http:
        make_orders(http)
        add(http, order(1), order(2, station="bar"), order(3), order(4))
        yield http


def client_of_problems(http):
    """A client that takes refusals."""
    return protocol.client(base_url=http.base_url, timeout=60)


@pytest.fixture
def grill(orders) -> str:
    return define(orders, "grill", FIELDS)


# Hooks.

def test_a_tap_reaches_the_hook_of_the_nearest_view_then_that_of_the_source(orders, grill, receiver):
    top = define(orders, "top", {"from": "grill", "limit": 2})
    register(orders, receiver, ORDERS + HOOK, "/source")
    register(orders, receiver, grill + HOOK, "/grill")
    for where, path in [(ORDERS, "/source"), (grill, "/grill"), (top, "/grill")]:
        receiver.forget()
        notify(orders, "didSelect", where, indexPath=[0, 1])
        data = receiver.wait(1, path)[0].data
        assert data["director"] == "orders" and len(receiver.at()) == 1, path
        assert data.get("shownIn", {}).get("director", "orders") == where.rpartition("/")[2]
    register(orders, receiver, top + HOOK, "/top")
    receiver.forget()
    notify(orders, "didSelect", top, indexPath=[0, 1])
    data = receiver.wait(1, "/top")[0].data
    assert (data["element"]["value"], data["indexPath"]) == (order(3)["value"], [0, 2]), "places and values of the source"
    assert data["shownIn"] == {"director": "top", "indexPath": [0, 1]} and len(receiver.at()) == 1
    for path in (top, grill):
        done(orders.delete(path + HOOK))
    receiver.forget()
    notify(orders, "didSelect", top, indexPath=[0, 0])
    receiver.wait(1, "/source")


def test_a_question_is_answered_by_the_view_and_its_answer_changes_the_source(orders, grill, receiver):
    register(orders, receiver, f"{ORDERS}/adapters/Order/events/rowHeight", "/source")
    register(orders, receiver, f"{grill}/adapters/Order/events/rowHeight", "/grill")
    receiver.on("/source", value(11))
    receiver.on("/grill", value(22))
    assert ask(orders, "rowHeight", ORDERS, indexPath=[0, 0])["value"] == 11
    assert ask(orders, "rowHeight", grill, indexPath=[0, 0])["value"] == 22
    register(orders, receiver, grill + HOOK, "/tap")
    receiver.on("/tap", content({"operations": [
        {"op": "patchElement", "section": "all", "element": "3", "patch": {"done": True}}], "reload": True}))
    notify(orders, "didSelect", grill, indexPath=[0, 1])
    eventually(lambda: identifiers(orders, grill) == ["1", "4"], "the answer is done to the source")


def test_several_rows_go_to_one_hook_and_an_event_of_the_list_to_the_views(orders, grill, receiver):
    register(orders, receiver, f"{grill}/scroll-events/didScroll", "/scroll")
    notify(orders, "didScroll", grill)
    assert receiver.wait(1, "/scroll")[0].data["shownIn"] == {"director": "grill"}
    register(orders, receiver, f"{ORDERS}/adapters/Order/events/prefetch", "/source")
    register(orders, receiver, f"{grill}/adapters/Order/events/prefetch", "/grill")
    notify(orders, "prefetch", grill, indexPaths=[[0, 2], [0, 0]])
    items = receiver.wait(1, "/grill")[0].data["items"]
    assert [item["element"]["id"] for item in items] == ["4", "1"] and not receiver.at("/source")


def test_a_hook_of_a_view_is_read_listed_and_removed_at_the_view(orders, grill, receiver):
    made = orders.put(grill + HOOK, json={"url": f"{receiver.url}/grill"})
    assert made.status_code == 201 and made.headers["location"] == grill + HOOK and made.json()["secret"][0].startswith("whsec_")
    assert orders.get(grill + HOOK).json()["url"] == f"{receiver.url}/grill"
    assert [hook["event"] for hook in orders.get(f"{grill}/adapters/Order/events").json()["events"]] == ["didSelect"]
    listed = orders.get("/v1/hooks").json()["hooks"]
    assert [(hook["director"], hook["path"]) for hook in listed] == [("orders", grill + HOOK)]
    assert orders.get(f"{ORDERS}/adapters/Order/events").json()["events"] == [], "the source has none"
    again = orders.put(grill + HOOK, json={"url": f"{receiver.url}/grill"})
    assert again.status_code == 200
    assert done(orders.delete(grill + HOOK)).status_code == 204
    with client_of_problems(orders) as client:
        assert client.get(grill + HOOK).status_code == 404 and client.delete(grill + HOOK).status_code == 404
        assert client.put(f"{grill}/adapters/Order/events/didSelekt", json={"url": receiver.url}).status_code == 404
        assert client.put(f"{grill}/adapters/Nobody/events/didSelect", json={"url": receiver.url}).status_code == 404
        of_row = client.put(f"{grill}/sections/all/rows/x/events/didSelect", json={"url": receiver.url})
        assert of_row.status_code == 409 and of_row.json()["type"].endswith(":derived")


def test_readers_learn_of_the_events_of_a_view_and_those_of_its_source_do_not(orders, server, grill, receiver):
    top = define(orders, "top", {"from": "grill"})
    with events(server, top) as stream:
        assert next(stream)[2]["adapters"][0]["events"] == {}
        register(orders, receiver, grill + HOOK)
        name, _, data = next(stream)
        assert (name, data["adapters"][0]["events"]) == ("definition", {"didSelect": {"kind": "notification"}})
    assert orders.get(f"{ORDERS}/adapters/Order").json()["events"] == {}
    assert receiver.url not in orders.get(f"{top}/adapters").text
    done(orders.delete(grill + HOOK))
    assert orders.get(f"{top}/adapters/Order").json()["events"] == {}


def test_a_view_that_is_made_anew_has_no_hooks_and_the_old_ones_go(orders, grill, receiver):
    register(orders, receiver, grill + HOOK, "/old")
    done(orders.delete(grill))
    define(orders, "grill", FIELDS)
    answer = report(orders, "didSelect", grill, indexPath=[0, 0])
    assert answer.status_code == 202 and answer.json()["delivery"] is None
    register(orders, receiver, f"{grill}/scroll-events/didScroll")
    assert [hook["path"] for hook in orders.get("/v1/hooks").json()["hooks"]] == [f"{grill}/scroll-events/didScroll"]
    assert not receiver.at("/old")


def test_removing_the_adapter_of_the_source_takes_the_hooks_of_its_views_along(orders, grill, receiver):
    register(orders, receiver, grill + HOOK)
    done(orders.delete(f"{ORDERS}/sections", params={"reload": "true"}))
    done(orders.delete(f"{ORDERS}/adapters/Order"))
    assert orders.get("/v1/hooks").json()["hooks"] == []


def test_a_hook_that_is_gone_is_disabled_and_a_waiting_delivery_ends_with_its_hook(orders, grill, receiver):
    register(orders, receiver, grill + HOOK, "/gone")
    receiver.on("/gone", Reply(410))
    notify(orders, "didSelect", grill, indexPath=[0, 0])
    eventually(lambda: "disabledReason" in orders.get(grill + HOOK).json(), "410 disables the hook")
    answer = report(orders, "didSelect", grill, indexPath=[0, 0])
    assert answer.json()["delivery"] is None and "disabled" in answer.json()["reason"]
    register(orders, receiver, f"{grill}/adapters/Order/events/didDeselect", "/slow")
    receiver.on("/slow", FAILS)
    notify(orders, "didDeselect", grill, indexPath=[0, 0])
    receiver.wait(1, "/slow")
    assert [each["hook"] for each in deliveries(orders, status="pending")] == [f"{grill}/adapters/Order/events/didDeselect"]
    done(orders.delete(f"{grill}/adapters/Order/events/didDeselect"))
    eventually(lambda: deliveries(orders, status="pending") == [], "what waits for it is given up")


def test_who_registers_a_hook_of_a_view_needs_the_right_at_the_source_too(start, receiver):
    server = start(AUTH_MODE="required", HOOKS_ALLOW="loopback")
    hook = {"url": f"{receiver.url}/hook", "secret": new_secret()}
    receiver.secrets["/hook"] = [hook["secret"]]

    def client(*grants: tuple[str, list[str]]):
        made = make_token(admin, [{"actions": actions, "directors": [name]} for name, actions in grants])
        return caller(server, made["token"])

    with caller(server, first_token(server)) as admin:
        make_orders(admin)
        grill = define(admin, "grill", FIELDS)
        add(admin, order(1), order(2))
        everything = ["read", "report", "mutate", "define", "hooks"]
        with client(("grill", everything), ("orders", ["read", "mutate"])) as half:
            for answer in [half.put(grill + HOOK, json=hook), half.get(grill + HOOK), half.delete(grill + HOOK),
                           half.get(f"{grill}/adapters/Order/events")]:
                assert answer.status_code == 403 and "orders" not in answer.text, answer.text
        with client(("orders", everything)) as other:
            assert other.put(grill + HOOK, json=hook).status_code == 404
        with client(("grill", everything), ("orders", ["hooks"])) as both:
            assert both.put(grill + HOOK, json=hook | {"rights": ["mutate"]}).status_code == 403, "not above one's own"
            assert both.put(grill + HOOK, params={"reload": "true"}, json=hook).status_code == 403
            assert both.put(grill + HOOK, json=hook).status_code == 201
            receiver.on("/hook", content({"operations": [
                {"op": "patchElement", "section": "all", "element": "1", "patch": {"done": True}}], "reload": True}))
            assert report(both, "didSelect", grill, indexPath=[0, 0]).status_code == 202
            receiver.wait(1, "/hook")
            eventually(lambda: admin.get("/v1/deliveries").json()["deliveries"] == [], "the answer is refused, not repeated")
        assert identifiers(admin, grill) == ["1", "2"], "an answer may do what who registered the hook may do to the source"


# Adapters.

def test_a_view_draws_its_rows_with_adapters_of_its_own(orders, server, grill, receiver):
    with events(server, grill) as stream:
        assert next(stream)[2]["adapters"][0]["cell"] == "OrderCell"
        made = orders.put(f"{grill}/adapters/Order", json={"cell": "GrillCell", "preview": {"title": "{course}"}})
        assert made.status_code == 201 and made.json()["cell"] == "GrillCell"
        name, _, data = next(stream)
        assert (name, data["adapters"][0]["cell"]) == ("definition", "GrillCell")
    read = orders.get(f"{grill}/adapters/Order").json()
    assert (read["cell"], read["identifier"]) == ("GrillCell", "{id}"), "what elements are is the source's"
    assert orders.get(f"{ORDERS}/adapters/Order").json()["cell"] == "OrderCell"
    top = define(orders, "top", {"from": "grill"})
    assert orders.get(f"{top}/adapters/Order").json()["cell"] == "GrillCell"
    assert orders.get(f"{grill}/elements", params={"limit": "1"}).json()["elements"][0]["model"] == "Order"
    register(orders, receiver, ORDERS + HOOK)
    for where, cell in [(grill, "GrillCell"), (top, "GrillCell"), (ORDERS, "OrderCell")]:
        receiver.forget()
        notify(orders, "didSelect", where, indexPath=[0, 0])
        assert receiver.wait(1, "/hook")[0].data["cell"] == cell, where
    # A later change of the source's adapter is seen where the view has none of its own.
    done(orders.put(f"{ORDERS}/adapters/Order", json={"cell": "NewCell", "identifier": "{id}"}))
    assert orders.get(f"{grill}/adapters/Order").json()["cell"] == "GrillCell"
    done(orders.delete(f"{grill}/adapters/Order"))
    eventually(lambda: orders.get(f"{top}/adapters/Order").json()["cell"] == "NewCell", "the source's again")


def test_header_adapters_of_a_view_are_its_own_too(orders, grill):
    done(orders.put(f"{ORDERS}/header-footer-adapters/Banner", json={}))
    made = orders.put(f"{grill}/header-footer-adapters/Banner", json={"reuseIdentifier": "grillbanner"})
    assert made.status_code == 201
    assert orders.get(f"{grill}/header-footer-adapters/Banner").json()["reuseIdentifier"] == "grillbanner"
    assert orders.get(f"{ORDERS}/header-footer-adapters/Banner").json()["reuseIdentifier"] == "Banner"


@pytest.mark.parametrize("members, pointer", [
    ({"identifier": "{course}"}, "/identifier"),
    ({"content": ["/course"]}, "/content"),
    ({"unique": True}, "/unique"),
    ({"events": {"didSelect": {"url": "http://127.0.0.1:9/"}}}, "/events"),
])
def test_an_adapter_of_a_view_does_not_say_what_elements_are(orders, grill, members, pointer):
    with client_of_problems(orders) as client:
        answer = client.put(f"{grill}/adapters/Order", json={"cell": "GrillCell"} | members)
        assert answer.status_code == 422, answer.text
        assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]
        assert client.get(f"{grill}/adapters/Order").json()["cell"] == "OrderCell"


def test_hooks_and_adapters_of_a_view_are_there_after_a_restart(start, receiver):
    server = start(HOOKS_ALLOW="loopback")
    with client_of(server) as http:
        make_orders(http)
        grill = define(http, "grill", FIELDS)
        add(http, order(1))
        register(http, receiver, grill + HOOK, "/grill")
        done(http.put(f"{grill}/adapters/Order", json={"cell": "GrillCell"}))
    server.stop()
    with client_of(start(HOOKS_ALLOW="loopback", folder=server.folder)) as http:
        notify(http, "didSelect", grill, indexPath=[0, 0])
        assert receiver.wait(1, "/grill")[0].data["cell"] == "GrillCell"
        assert json.loads(http.get("/v1/hooks").text)["hooks"][0]["path"] == grill + HOOK
