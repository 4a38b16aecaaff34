"""Events that UIs report at views: the hooks of the source, the places of both lists, and what a reader may learn."""

import json

import pytest

from support import protocol
from support.access import caller, first_token, make_token
from support.hooks import ask, client_of, done, eventually, notify, register, report
from support.receiver import content, value
from test_views import GRILL, ORDERS, add, define, events, identifiers, make_orders, order

GROUPED = GRILL | {"sectionBy": {"key": {"var": "value.course"}, "order": "descending"},
                   "sortBy": [{"key": {"var": "value.price"}, "order": "descending"}], "fields": ["/course"]}
SELECT, HEIGHT = f"{ORDERS}/adapters/Order/events/didSelect", f"{ORDERS}/adapters/Order/events/rowHeight"


@pytest.fixture
def orders(server):
    """A client of a server with four orders of two stations: in the source's order 1, 2, 3, 4."""
    with client_of(server) as http:
        make_orders(http)
        add(http, order(1), order(2, station="bar"), order(3, course=2), order(4))
        yield http


def published(http, path: str) -> int:
    return http.get(path).json()["version"]


def test_a_tap_on_a_view_reaches_the_hook_of_its_source_with_both_places(orders, receiver):
    grill = define(orders, "grill", GROUPED)
    register(orders, receiver, SELECT)
    receiver.on("/hook", content({"operations": [
        {"op": "patchElement", "section": "all", "element": "4", "patch": {"done": True}}], "reload": True}))
    # Sections by course, the highest first; of the first course the dearest first.
    notify(orders, "didSelect", grill, indexPath=[1, 0], version=published(orders, grill))
    data = receiver.wait(1, "/hook")[0].data
    assert (data["director"], data["indexPath"], data["section"]["id"]) == ("orders", [0, 3], "all")
    assert data["element"]["value"]["id"] == "4", "the hook is told the whole value"
    assert data["shownIn"] == {"director": "grill", "indexPath": [1, 0]}
    eventually(lambda: identifiers(orders, grill) == ["3", "1"], "what the hook has answered is done to the source")


def test_a_reader_with_bound_parameters_reports_at_the_list_that_it_shows(orders, receiver):
    grill = define(orders, "grill", GROUPED)
    register(orders, receiver, SELECT)
    answer = orders.post(f"{grill}/events", params={"parameters.station": "bar"},
                         json={"event": "didSelect", "indexPath": [0, 0]})
    assert answer.status_code == 202, answer.text
    assert receiver.wait(1, "/hook")[0].data["element"]["value"]["id"] == "2"
    wrong = orders.post(f"{grill}/events", params={"parameters.stand": "bar"},
                        json={"event": "didSelect", "indexPath": [0, 0]})
    assert wrong.status_code == 422
    here = orders.post(f"{ORDERS}/events", params={"parameters.station": "bar"},
                       json={"event": "didSelect", "indexPath": [0, 0]})
    assert here.status_code == 422, "a director has no parameters"


def test_a_reader_reports_at_the_list_that_a_query_selects(orders, receiver):
    query = {"sortBy": json.dumps([{"key": {"var": "value.price"}, "order": "descending"}]), "limit": "2"}
    register(orders, receiver, SELECT)
    for place, wanted in [({"indexPath": [0, 1]}, "3"), ({"section": "all", "element": "4"}, "4")]:
        answer = orders.post(f"{ORDERS}/events", params=query, json={"event": "didSelect"} | place)
        assert answer.status_code == 202, answer.text
        receiver.wait(1, "/hook")
        assert receiver.at("/hook")[-1].data["element"]["id"] == wanted
        receiver.forget()
    beyond = orders.post(f"{ORDERS}/events", params=query, json={"event": "didSelect", "indexPath": [0, 2]})
    assert beyond.status_code == 422, beyond.text


def test_questions_are_answered_in_the_places_of_the_view(orders, receiver):
    grill = define(orders, "grill", GROUPED)
    done(orders.patch(grill, json={"properties": {"rowHeight": {"explicit": 33}}}))
    assert ask(orders, "rowHeight", grill, indexPath=[0, 0]) == {"value": 33, "source": "default"}
    assert ask(orders, "willSelect", grill, indexPath=[1, 1])["value"] == [1, 1]
    assert [each["value"] for each in ask(orders, "rowHeight", grill, indexPaths=[[1, 1], [0, 0]])["values"]] == [33, 33]
    register(orders, receiver, f"{ORDERS}/adapters/Order/events/willSelect")
    # The view has one row in its first section, the source four.
    receiver.on("/hook", value([0, 2]))
    answer = ask(orders, "willSelect", grill, indexPath=[1, 0])
    assert (answer["value"], answer["source"]) == ([1, 0], "default") and "section 0 has 1 elements" in answer["reason"]
    receiver.on("/hook", value([1, 1]))
    assert ask(orders, "willSelect", grill, indexPath=[1, 0]) == {"value": [1, 1], "source": "hook"}


def test_answers_about_several_rows_come_in_the_order_of_the_view(orders, receiver):
    grill = define(orders, "grill", GROUPED)
    register(orders, receiver, HEIGHT)
    receiver.on("/hook", lambda call: content({"values": [int(each["element"]["value"]["id"]) for each in call.data["items"]]}))
    answers = ask(orders, "rowHeight", grill, indexPaths=[[0, 0], [1, 1], [1, 0]])["values"]
    assert [each["value"] for each in answers] == [3, 1, 4]
    asked = receiver.at("/hook")[0].data["items"]
    assert [each["indexPath"] for each in asked] == [[0, 2], [0, 0], [0, 3]]
    assert [each["shownIn"]["indexPath"] for each in asked] == [[0, 0], [1, 1], [1, 0]]


def test_answers_that_are_kept_are_kept_for_a_place_of_a_list(orders, receiver):
    grill = define(orders, "grill", GRILL)
    other = define(orders, "other", GRILL | {"sortBy": [{"key": {"var": "value.price"}, "order": "descending"}]})
    register(orders, receiver, HEIGHT, cache=True)
    receiver.on("/hook", lambda call: value(10 * call.data["shownIn"]["indexPath"][1] + 1))
    for path, row, wanted in [(grill, 0, 1), (grill, 0, 1), (other, 2, 21), (grill, 2, 21), (other, 2, 21)]:
        assert ask(orders, "rowHeight", path, indexPath=[0, row])["value"] == wanted
    assert len(receiver.at("/hook")) == 3


def test_elements_are_named_by_identifier_and_versions_are_the_sources(orders, receiver):
    grill = define(orders, "grill", GROUPED)
    register(orders, receiver, SELECT)
    before = published(orders, grill)
    add(orders, order(9))
    notify(orders, "didSelect", grill, indexPath=[1, 0], version=before)
    notify(orders, "didSelect", grill, section="1", element="9")
    first, second = receiver.wait(2, "/hook")
    assert (first.data["element"]["value"]["id"], first.data["version"]) == ("4", before)
    assert (second.data["element"]["value"]["id"], second.data["shownIn"]["indexPath"]) == ("9", [1, 0])
    for wrong, status in [({"indexPath": [1, 7]}, 422), ({"section": "1", "element": "2"}, 422),
                          ({"indexPath": [0, 0], "version": 99}, 409), ({"header": 0}, 422)]:
        answer = report(orders, "didSelect", grill, **wrong)
        assert answer.status_code == status, answer.text
        assert "orders" not in answer.text


def test_headers_of_sections_that_a_view_keeps_are_those_of_the_source(orders, receiver):
    done(orders.put(f"{ORDERS}/header-footer-adapters/Banner", json={}))
    sections = [{"id": "first", "elements": []}, {"id": "all", "elements": [order(1)]},
                {"id": "last", "headerView": "Banner", "elements": [order(5)]}]
    done(orders.put(f"{ORDERS}/sections", params={"reload": "true"}, json={"sections": sections}))
    grill, grouped = define(orders, "grill", GRILL), define(orders, "grouped", GROUPED | {"from": "grill"})
    register(orders, receiver, f"{ORDERS}/header-footer-adapters/Banner/events/willDisplay")
    places = [each["id"] for each in orders.get(f"{grill}/sections").json()["sections"]]
    notify(orders, "willDisplay", grill, header=places.index("last"))
    data = receiver.wait(1, "/hook")[0].data
    source = [each["id"] for each in orders.get(f"{ORDERS}/sections").json()["sections"]]
    assert (data["header"], data["section"]["id"], data["view"]) == (source.index("last"), "last", "Banner")
    assert data["shownIn"] == {"director": "grill", "header": places.index("last")}
    answer = report(orders, "willDisplay", grouped, header=0)
    assert answer.status_code == 422, answer.text


def test_events_of_the_list_and_of_a_view_of_a_view_reach_the_first_director(orders, receiver):
    define(orders, "grill", GRILL)
    top = define(orders, "top", {"from": "grill", "sortBy": [{"key": {"var": "value.price"}, "order": "descending"}], "limit": 1})
    register(orders, receiver, f"{ORDERS}/scroll-events/didScroll", "/scrolls")
    register(orders, receiver, SELECT)
    notify(orders, "didScroll", top)
    assert receiver.wait(1, "/scrolls")[0].data["shownIn"] == {"director": "top"}
    notify(orders, "didSelect", top, indexPath=[0, 0])
    data = receiver.wait(1, "/hook")[0].data
    assert (data["element"]["value"]["id"], data["shownIn"]) == ("4", {"director": "top", "indexPath": [0, 0]})


def test_subscribers_of_a_view_learn_which_events_have_hooks_and_nothing_of_their_targets(orders, server, receiver):
    grill = define(orders, "grill", GRILL)
    with events(server, grill) as stream:
        assert next(stream)[2]["adapters"][0]["events"] == {}
        register(orders, receiver, SELECT)
        name, _, data = next(stream)
        assert (name, data["adapters"][0]["events"]) == ("definition", {"didSelect": {"kind": "notification"}})
    assert receiver.url not in orders.get(f"{grill}/adapters").text


def test_a_repetition_is_answered_once_and_a_view_without_a_source_has_no_events(orders, receiver):
    grill = define(orders, "grill", GRILL)
    register(orders, receiver, SELECT)
    headers, body = {"Idempotency-Key": "tap-1"}, {"event": "didSelect", "indexPath": [0, 0]}
    answers = [orders.post(f"{grill}/events", headers=headers, json=body) for _ in range(2)]
    assert [each.status_code for each in answers] == [202, 202] and answers[0].text == answers[1].text
    receiver.wait(1, "/hook")
    lonely = define(orders, "lonely", {"from": "nobody"})
    answer = report(orders, "didScroll", lonely)
    assert answer.status_code == 409 and answer.json()["type"].endswith(":derived")


def test_a_right_to_report_at_a_view_opens_nothing_of_its_source(start):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as admin:
        make_orders(admin)
        mine = define(admin, "mine", {"from": "orders", "where": {"==": [{"var": "value.station"}, {"var": "claims.name"}]}})
        add(admin, order(1, station="ann"), order(2, station="bob"), order(3, station="ann"))
        token = make_token(admin, [{"actions": ["report"], "directors": ["mine"]}], name="ann")["token"]
    with caller(server, token) as client:
        answer = report(client, "didSelect", mine, indexPath=[0, 1])
        assert answer.status_code == 202, answer.text
        beyond = report(client, "didSelect", mine, indexPath=[0, 2])
        assert beyond.status_code == 422 and "orders" not in beyond.text
        assert report(client, "didSelect", ORDERS, indexPath=[0, 1]).status_code in (403, 404)
        for path in ("", "/elements", "/changesets?since=0"):
            assert client.get(mine + path).status_code in (403, 404)
    with protocol.client(base_url=server.url) as nobody:
        assert report(nobody, "didSelect", mine, indexPath=[0, 0]).status_code == 401
