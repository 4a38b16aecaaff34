"""Sections of rows: a settings screen whose switch hides the people, followed by a client that keeps its own copy."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
from urllib.parse import quote

import httpx
import pytest

from conftest import api
from support import protocol
from support.hooks import PATIENT, ask, client_of, notify, register, report
from support.receiver import content, value
from support.replica import Replica
from support.rows import evaluated, shown
from test_python_stream import events, published

BOOK = "/v1/directors/book"
SETTINGS = f"{BOOK}/sections/settings"
PEOPLE = f"{SETTINGS}/rows/people"
HIDE = f"{BOOK}/variables/hidePeople"
RELOAD = {"reload": "true"}
CELLS = {"Person": "PersonCell", "Pet": "PetCell"}
SEED = int(os.environ.get("CALLBOARD_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
ROUNDS = 120

SWITCH = {"id": "hide", "type": "constant", "cell": "SwitchCell", "value": {"label": "Hide people"}, "height": 44,
          "additionalConfig": {"on": {"$logic": {"var": "variables.hidePeople"}}}}
FAMOUS = [("Ada", 36), ("Grace", 85), ("Alan", 41)]
MODEL = {"id": "people", "type": "model", "model": "Person", "hideWhen": {"var": "variables.hidePeople"},
         "height": {"if": [{">": [{"var": "model.age"}, 60]}, 60, 44]},
         "elements": [{"value": {"name": name, "age": age}} for name, age in FAMOUS]}
END = {"id": "end", "type": "constant", "cell": "BasicCell", "estimatedHeight": 44}
SCREEN = {"id": "settings", "headerTitle": "Settings", "rows": [SWITCH, MODEL, END]}
OTHERS = {"id": "others", "elements": [{"model": "Person", "value": {"name": "Edsger", "age": 72}}]}


def fill(client: httpx.Client) -> None:
    """The director `book`: the settings screen and a section of elements, published."""
    client.put(BOOK, json={"kind": "table"})
    for model, cell in CELLS.items():
        client.put(f"{BOOK}/adapters/{model}", json={"cell": cell, "identifier": "{name}"})
    client.put(f"{BOOK}/sections", params=RELOAD, json={"sections": [SCREEN, OTHERS]})


@pytest.fixture
def screen(http) -> httpx.Client:
    fill(http)
    return http


def constant(row: dict, **more) -> dict:
    """The element of a constant row as it is published."""
    names = {"row": row["id"], "cell": row["cell"], "reuseIdentifier": row["cell"]}
    return {"id": row["id"], **names, "value": row.get("value"), **more}


def person(name: str, age: int, height: int) -> dict:
    """An element of the model row as it is published."""
    return {"id": name, "row": "people", "cell": "PersonCell", "reuseIdentifier": "PersonCell", "model": "Person",
            "value": {"name": name, "age": age}, "height": height}


def switch(on) -> dict:
    return constant(SWITCH, height=44, config={"on": on})


ADA, GRACE, ALAN = person("Ada", 36, 44), person("Grace", 85, 60), person("Alan", 41, 44)
LAST = constant(END, estimatedHeight=44)


class Follower:
    """A client that follows `book` and is compared with the server at every version."""

    def __init__(self, url: str, client: httpx.Client, last_id: str | None = None, replica: Replica | None = None):
        self.client, self.replica, self.last_id = client, replica or Replica(), last_id
        self.ending = contextlib.ExitStack()
        self.stream = self.ending.enter_context(events(f"{url}{BOOK}/changesets", last_id))
        name, self.last_id, data = next(self.stream)
        if last_id is None:
            assert name == "snapshot" and "reset" not in data
            self.replica.snapshot(data)
        else:
            assert (name, data["from"]) == ("resumed", self.replica.version)
            if data["version"] > data["from"]:
                changeset = self.take()
                assert changeset["version"] == data["version"], "what was missed is one changeset"
        self.check()

    def __enter__(self) -> "Follower":
        return self

    def __exit__(self, *_) -> None:
        self.ending.close()

    def take(self) -> dict:
        """Takes the next changeset; that adapters have changed says nothing about the list."""
        name = "definition"
        while name == "definition":
            name, self.last_id, data = next(self.stream)
        assert name == "changeset" and self.last_id == f"{data['epoch']}-{data['version']}"
        self.replica.changeset(data)
        return data

    def check(self) -> None:
        """The copy is what the server says is published, in each way of asking."""
        assert self.replica.sections == published(self.client)
        page = self.client.get(f"{BOOK}/elements", params={"state": "published", "limit": 10_000}).json()
        listed = [each | {"section": section["id"], "indexPath": [at, index]}
                  for at, section in enumerate(self.replica.sections)
                  for index, each in enumerate(section["elements"])]
        assert page["elements"] == listed and page["total"] == len(listed)
        assert self.client.get(BOOK).json()["version"] == self.replica.version

    def sees(self, *stages: dict) -> None:
        """Takes the next changeset, whose stages are these."""
        assert self.take()["stages"] == list(stages)
        self.check()

    def elements(self, at: int = 0) -> list[dict]:
        return self.replica.sections[at]["elements"]


@pytest.fixture
def follower(screen, server):
    with Follower(server.url, screen) as made:
        yield made


def refused(client: httpx.Client, status: int, method: str, path: str, **arguments) -> dict:
    """The problem that a request is answered."""
    with protocol.client(base_url=client.base_url, timeout=60) as lenient:
        answer = lenient.request(method, path, **arguments)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_switch_hides_the_people_and_shows_them_again(screen, follower):
    assert follower.elements() == [switch(None), ADA, GRACE, ALAN, LAST]
    screen.put(HIDE, params=RELOAD, json=True)
    follower.sees({"elementUpdated": [{"at": [0, 0], "element": switch(True)}]},
                  {"elementDeleted": [[0, 1], [0, 2], [0, 3]]})
    screen.put(HIDE, params=RELOAD, json=False)
    follower.sees({"elementUpdated": [{"at": [0, 0], "element": switch(False)}]},
                  {"elementInserted": [{"at": [0, place], "element": each}
                                       for place, each in enumerate([ADA, GRACE, ALAN], 1)]})
    # What is not there is null, and null is not false.
    screen.delete(HIDE, params=RELOAD)
    follower.sees({"elementUpdated": [{"at": [0, 0], "element": switch(None)}]})


def test_what_is_changed_while_hidden_is_shown_later(screen, follower):
    screen.put(HIDE, params=RELOAD, json=1)
    follower.take()
    before = follower.replica.version
    screen.patch(f"{PEOPLE}/elements/Ada", params=RELOAD, json={"age": 63})
    screen.post(f"{PEOPLE}/elements", params=RELOAD, json={"value": {"name": "Barbara", "age": 80}})
    screen.post(f"{PEOPLE}/elements:move", params=RELOAD, json={"from": 0, "to": 2})
    screen.delete(f"{PEOPLE}/elements/Grace", params=RELOAD)
    follower.check()
    assert screen.get(BOOK).json()["version"] == before, "nobody sees any of it"
    screen.put(HIDE, params=RELOAD, json=0)
    follower.take()
    follower.check()
    assert [(each["id"], each.get("height")) for each in follower.elements()] == [
        ("hide", 44), ("Alan", 44), ("Ada", 60), ("Barbara", 60), ("end", None)]


def test_a_section_whose_rows_are_all_hidden_is_not_there(screen, follower):
    screen.post(f"{BOOK}/sections", params=RELOAD | {"at": 0}, json={"id": "debug", "rows": [
        END | {"id": "one", "hideWhen": {"!": [{"var": "variables.debug"}]}},
        MODEL | {"id": "two", "hideWhen": {"!": [{"var": "variables.debug"}]}}]})
    follower.check()
    screen.put(f"{BOOK}/variables/debug", params=RELOAD, json=True)
    assert [set(each) for each in follower.take()["stages"]] == [{"sectionInserted"}]
    follower.check()
    assert [each["id"] for each in follower.replica.sections] == ["debug", "settings", "others"]
    # One of them suffices, and a model row without elements is not hidden.
    screen.post(f"{BOOK}/operations", json={"reload": True, "operations": [
        {"op": "removeVariable", "name": "debug"},
        {"op": "patchRow", "section": "debug", "row": "two", "patch": {"hideWhen": False, "elements": []}}]})
    follower.take()
    follower.check()
    assert [len(each["elements"]) for each in follower.replica.sections] == [0, 5, 1]
    screen.patch(f"{BOOK}/sections/debug/rows/two", params=RELOAD, json={"hideWhen": True})
    follower.sees({"sectionDeleted": [0]})


def test_elements_are_hidden_one_by_one(screen, follower):
    rule = {"<": [{"var": "model.age"}, {"var": "variables.least"}]}
    # A merge patch would merge the operators of both.
    row = screen.get(PEOPLE).json() | {"hideWhen": rule}
    screen.put(f"{BOOK}/variables/least", json=0)
    screen.put(PEOPLE, params=RELOAD, json=row)
    follower.check()
    for least, names in [(40, ["Grace", "Alan"]), (41, ["Grace", "Alan"]), (80, ["Grace"]), (90, []),
                         (0, ["Ada", "Grace", "Alan"])]:
        screen.put(f"{BOOK}/variables/least", params=RELOAD, json=least)
        if screen.get(BOOK).json()["version"] > follower.replica.version:
            follower.take()
        follower.check()
        assert [each["id"] for each in follower.elements()[1:-1]] == names
    screen.put(f"{BOOK}/variables/least", params=RELOAD, json=40)
    follower.take()
    screen.patch(f"{PEOPLE}/elements/Ada", params=RELOAD, json={"age": 61})
    follower.sees({"elementInserted": [{"at": [0, 1], "element": person("Ada", 61, 60)}]})


@pytest.mark.parametrize("rule", [
    {"var": {"cat": ["variables.", "hidePeople"]}},
    {"and": [{"==": [{"var": "model"}, None]}, {"var": "variables.hidePeople"}]},
    {"if": [{"var": "index"}, False, {"var": "variables.hidePeople"}]},
], ids=str)
def test_a_constant_row_is_evaluated_whatever_its_expressions_may_read(screen, rule):
    """It has neither a model nor an index: both are null, as they are for a row as a whole."""
    screen.put(f"{SETTINGS}/rows/end", params=RELOAD, json=END | {
        "hideWhen": rule, "height": {"if": [rule, 60, 44]}, "additionalConfig": {"on": {"$logic": rule}}})
    last = published(screen)[0]["elements"][-1]
    assert last.get("height") == 44 and not last.get("config", {"on": True})["on"]
    screen.put(HIDE, params=RELOAD, json=True)
    assert [each["id"] for each in published(screen)[0]["elements"]] == ["hide"]


def test_rows_are_patched(screen, follower):
    screen.patch(f"{SETTINGS}/rows/end", params=RELOAD, json={"value": "Version 1", "height": 30})
    follower.sees({"elementUpdated": [
        {"at": [0, 4], "element": constant(END | {"value": "Version 1"}, height=30, estimatedHeight=44)}]})
    screen.patch(PEOPLE, params=RELOAD, json={"height": None, "cell": "Wide", "additionalConfig": {
        "title": {"$logic": {"var": "section.headerTitle"}}, "place": [{"$logic": {"var": "index"}}]}})
    follower.take()
    follower.check()
    assert follower.elements()[2] == {"id": "Grace", "row": "people", "cell": "Wide", "reuseIdentifier": "Wide",
                                      "model": "Person", "value": {"name": "Grace", "age": 85},
                                      "config": {"title": "Settings", "place": [1]}}
    screen.patch(SETTINGS, params=RELOAD, json={"headerTitle": "All"})
    stages = follower.take()["stages"]
    follower.check()
    assert [set(each) for each in stages] == [{"elementUpdated"}, {"sectionUpdated"}]
    assert [each["config"]["title"] for each in follower.elements()[1:4]] == ["All"] * 3
    # The elements behind another one have other places, and that is read.
    screen.delete(f"{PEOPLE}/elements/Ada", params=RELOAD)
    follower.take()
    follower.check()
    assert [each["config"]["place"] for each in follower.elements()[1:3]] == [[0], [1]]
    # Of a patch, elements stay unless it has them, as they are in a reload that changes nothing.
    joan = {"value": {"name": "Joan", "age": 9}}
    screen.patch(PEOPLE, params=RELOAD, json={"reuseIdentifier": None, "elements": [joan]})
    follower.take()
    follower.check()
    assert [each["id"] for each in follower.elements()] == ["hide", "Joan", "end"]


def test_rows_are_moved_within_and_between_sections(screen, follower):
    screen.post(f"{SETTINGS}/rows:move", params=RELOAD, json={"from": 1, "to": 0})
    assert [set(each) for each in follower.take()["stages"]] == [{"elementMoved"}]
    follower.check()
    assert [each["id"] for each in follower.elements()] == ["Ada", "Grace", "Alan", "hide", "end"]
    screen.post(f"{SETTINGS}/rows:swap", params=RELOAD, json={"at": "people", "with": "end"})
    follower.take()
    follower.check()
    screen.post(f"{BOOK}/sections", params=RELOAD, json={"id": "more", "rows": [END | {"id": "first"}]})
    follower.take()
    follower.check()
    # The row takes its elements with it; for whoever shows them they have moved.
    screen.post(f"{SETTINGS}/rows:move", params=RELOAD, json={"from": "people", "to": 1, "toSection": "more"})
    (stage,) = follower.take()["stages"]
    assert set(stage) == {"elementMoved"} and len(stage["elementMoved"]) == 3
    follower.check()
    assert [[each["id"] for each in section["elements"]] for section in follower.replica.sections] == [
        ["end", "hide"], ["Edsger"], ["first", "Ada", "Grace", "Alan"]]
    # Hidden or not, it is where it was put.
    screen.put(HIDE, params=RELOAD, json=True)
    follower.take()
    screen.post(f"{BOOK}/sections/more/rows:move", params=RELOAD, json={"from": 1, "to": 2, "toSection": "settings"})
    follower.check()
    screen.delete(HIDE, params=RELOAD)
    follower.take()
    follower.check()
    assert [each["id"] for each in follower.elements()] == ["end", "hide", "Ada", "Grace", "Alan"]
    # A row of that identifier is there already.
    screen.put(f"{BOOK}/sections/more/rows/end", json=END)
    problem = refused(screen, 409, "POST", f"{SETTINGS}/rows:move", json={"from": "end", "to": 0, "toSection": "more"})
    assert "end" in problem["detail"]
    refused(screen, 409, "POST", f"{SETTINGS}/rows:move", json={"from": 0, "to": 0, "toSection": "others"})


def test_elements_move_between_rows_and_sections(screen, follower):
    screen.post(f"{SETTINGS}/rows", params=RELOAD, json=MODEL | {"id": "friends", "elements": []})
    screen.post(f"{PEOPLE}/elements:move", params=RELOAD, json={"from": "Grace", "to": 0, "toRow": "friends"})
    follower.take()
    follower.check()
    assert [(each["id"], each["row"]) for each in follower.elements()] == [
        ("hide", "hide"), ("Ada", "people"), ("Alan", "people"), ("end", "end"), ("Grace", "friends")]
    screen.post(f"{PEOPLE}/elements:move", params=RELOAD, json={"from": 0, "to": 1, "toSection": "others"})
    follower.take()
    follower.check()
    assert follower.elements(1)[1] == {"id": "Ada", "model": "Person", "value": {"name": "Ada", "age": 36}}
    screen.post(f"{BOOK}/sections/others/elements:move", params=RELOAD,
                json={"from": 0, "to": 0, "toSection": "settings", "toRow": "people"})
    follower.take()
    follower.check()
    assert follower.elements()[1] == person("Edsger", 72, 60)


def test_rows_become_elements_and_back(screen, follower):
    plain = [{"model": "Person", "value": each["value"]} for each in (ADA, GRACE)]
    screen.patch(SETTINGS, params=RELOAD, json={"rows": None, "elements": plain})
    follower.take()
    follower.check()
    assert [set(each) for each in follower.elements()] == [{"id", "model", "value"}] * 2
    refused(screen, 409, "GET", f"{SETTINGS}/rows")
    screen.put(f"{SETTINGS}/rows", params=RELOAD, json=[SWITCH, MODEL, END])
    follower.take()
    follower.check()
    assert follower.elements() == [switch(None), ADA, GRACE, ALAN, LAST]
    screen.put(SETTINGS, params=RELOAD, json={"id": "settings", "elements": plain})
    follower.take()
    follower.check()
    # What was read can be put back.
    before = screen.get(f"{BOOK}/sections").json()
    screen.put(f"{BOOK}/sections", params=RELOAD, json={"sections": [SCREEN]})
    follower.take()
    follower.check()
    screen.put(f"{BOOK}/sections", params=RELOAD, json=before)
    follower.take()
    follower.check()
    assert screen.get(f"{BOOK}/sections").json() == before
    screen.put(f"{BOOK}/sections", params=RELOAD, json={"sections": [SCREEN, OTHERS]})
    follower.take()
    follower.check()
    rows = screen.get(f"{SETTINGS}/rows").json()
    version = screen.get(BOOK).json()["version"]
    screen.put(f"{SETTINGS}/rows", params=RELOAD, json=rows)
    row = screen.get(PEOPLE).json()
    screen.put(PEOPLE, params=RELOAD, json=row)
    assert screen.get(f"{SETTINGS}/rows").json() == rows and screen.get(BOOK).json()["version"] == version


def test_a_dry_run_tells_what_would_be_published(screen, follower):
    """What TableViewConfigurator's changeSetAfterPerformingOperation does, and then animateChangeSet."""
    batches = [
        [{"op": "setVariable", "name": "hidePeople", "value": True}],
        [{"op": "patchElement", "section": "settings", "row": "people", "element": "Ada", "patch": {"age": 99}},
         {"op": "setVariable", "name": "hidePeople", "value": False}],
        [{"op": "moveRow", "section": "settings", "from": "people", "to": "@first"},
         {"op": "patchRow", "section": "settings", "row": "end", "patch": {"value": 7}},
         {"op": "addRows", "section": "settings", "at": 1, "rows": [END | {"id": "second"}]}],
        [{"op": "removeAllRows", "section": "settings"}],
        [{"op": "setRows", "section": "settings", "rows": [SWITCH]},
         {"op": "setRow", "section": "settings", "row": "hide", "value": SWITCH | {"hideWhen": True}}],
    ]
    for operations in batches:
        before, tag = screen.get(f"{BOOK}/sections").json(), screen.get(BOOK).headers["etag"]
        variables = screen.get(f"{BOOK}/variables").json()
        dry = screen.post(f"{BOOK}/operations", json={"operations": operations, "dryRun": True}).json()
        follower.check()
        assert screen.get(f"{BOOK}/sections").json() == before and screen.get(BOOK).headers["etag"] == tag
        assert screen.get(f"{BOOK}/variables").json() == variables
        done = screen.post(f"{BOOK}/operations", json={"operations": operations, "reload": True}).json()
        assert done == dry and follower.take() == done
        follower.check()


def test_one_operation_that_fails_undoes_all(screen, follower):
    before = screen.get(f"{BOOK}/sections").json()
    for wrong, status, pointer in [
        ({"op": "removeRow", "section": "settings", "row": "nobody"}, 404, "/operations/2/row"),
        ({"op": "addElements", "section": "settings", "elements": []}, 409, "/operations/2/section"),
        ({"op": "addElements", "section": "settings", "row": "hide", "elements": []}, 409, "/operations/2/row"),
        ({"op": "addRows", "section": "settings", "rows": [END]}, 409, "/operations/2/rows"),
        ({"op": "addRows", "section": "settings", "rows": [{"id": "x", "type": "constant"}]}, 422,
         "/operations/2/rows/0/cell"),
        ({"op": "patchRow", "section": "settings", "row": "end", "patch": {"height": {"hieght": []}}}, 422,
         "/operations/2/patch/height/hieght"),
    ]:
        problem = refused(screen, status, "POST", f"{BOOK}/operations", json={"reload": True, "operations": [
            {"op": "setVariable", "name": "hidePeople", "value": True},
            {"op": "removeRow", "section": "settings", "row": "people"}, wrong]})
        assert problem["errors"][0]["pointer"].startswith(pointer), problem
        follower.check()
        assert screen.get(f"{BOOK}/sections").json() == before


def test_index_paths_are_those_of_the_published_state(screen, follower):
    def paths(row: str) -> list:
        answer = screen.get(f"{SETTINGS}/rows/{row}/index-paths").json()
        assert (answer["director"], answer["version"]) == ("book", follower.replica.version)
        expected = [[at, index] for at, section in enumerate(follower.replica.sections) if section["id"] == "settings"
                    for index, each in enumerate(section["elements"]) if each["row"] == row]
        assert answer["indexPaths"] == expected
        return expected

    assert paths("people") == [[0, 1], [0, 2], [0, 3]] and paths("end") == [[0, 4]]
    screen.put(HIDE, json=True)
    assert paths("people") == [[0, 1], [0, 2], [0, 3]], "nothing is published yet"
    screen.post(f"{BOOK}/reload")
    follower.take()
    assert paths("people") == [] and paths("end") == [[0, 1]]
    screen.post(f"{BOOK}/sections:move", params=RELOAD, json={"from": 0, "to": 1})
    follower.take()
    assert paths("end") == [[1, 1]]
    screen.delete(f"{SETTINGS}/rows/end")
    assert paths("end") == [[1, 1]], "it is gone, and shown still"
    screen.post(f"{BOOK}/reload")
    follower.take()
    answer = httpx.get(f"{screen.base_url}{SETTINGS}/rows/end/index-paths", trust_env=False)
    assert answer.status_code == 404 or answer.json()["indexPaths"] == []


def test_a_row_is_refreshed(screen, follower):
    screen.post(f"{BOOK}/refresh", json={"rows": [{"section": "settings", "row": "people"}]})
    name, _, data = next(follower.stream)
    assert name == "refresh"
    assert data["elements"] == [{"at": [0, at], "element": each} for at, each in enumerate([ADA, GRACE, ALAN], 1)]
    rows = [{"section": "settings", "row": "people"}, {"section": "@0", "row": "end"}]
    screen.post(f"{BOOK}/refresh", json={"rows": rows, "indexPaths": [[0, 2], [0, 0], [0, 4]]})
    _, _, data = next(follower.stream)
    assert sorted(each["at"] for each in data["elements"]) == [[0, place] for place in range(5)], "each once"
    refused(screen, 422, "POST", f"{BOOK}/refresh", json={"rows": [{"section": "nothing", "row": "people"}]})
    # Hidden, there is nothing of it to refresh.
    screen.put(HIDE, params=RELOAD, json=True)
    follower.take()
    answer = screen.post(f"{BOOK}/refresh", json={"rows": [{"section": "settings", "row": "people"}]})
    assert answer.json()["elements"] == []


@pytest.fixture
def patient(start):
    """A client of a server that tries deliveries again after at most a tenth of a second, with the settings screen."""
    with client_of(start(**PATIENT)) as client:
        fill(client)
        yield client


def test_a_rows_hook_wins_over_its_adapters(patient, receiver):
    register(patient, receiver, f"{BOOK}/adapters/Person/events/didSelect", "/adapter")
    register(patient, receiver, f"{PEOPLE}/events/didSelect", "/row")
    notify(patient, "didSelect", indexPath=[0, 2])
    (call,) = receiver.wait(1, "/row")
    assert call.data["element"] == GRACE and call.data["indexPath"] == [0, 2]
    assert call.data["section"]["id"] == "settings"
    notify(patient, "didSelect", indexPath=[1, 0])
    (other,) = receiver.wait(1, "/adapter")
    assert other.data["element"]["id"] == "Edsger" and len(receiver.at("/row")) == 1
    # A constant row has no adapter; its hooks are its own.
    register(patient, receiver, f"{SETTINGS}/rows/hide/events/didSelect", "/switch")
    notify(patient, "didSelect", indexPath=[0, 0])
    (call,) = receiver.wait(1, "/switch")
    assert call.data["element"] == switch(None) and call.data["cell"] == "SwitchCell"
    # Without the row's, the adapter's is asked again.
    patient.delete(f"{PEOPLE}/events/didSelect").raise_for_status()
    notify(patient, "didSelect", indexPath=[0, 1])
    assert receiver.wait(2, "/adapter")[1].data["element"] == ADA


def test_a_selection_handler_turns_the_switch(patient, receiver):
    register(patient, receiver, f"{SETTINGS}/rows/hide/events/didSelect")
    receiver.on("/hook", lambda call: content({"reload": True, "operations": [
        {"op": "setVariable", "name": "hidePeople", "value": not call.data["element"]["config"]["on"]}]}))
    with Follower(str(patient.base_url).rstrip("/"), patient) as follower:
        for on in (True, False, True):
            notify(patient, "didSelect", indexPath=[0, 0], version=follower.replica.version)
            follower.take()
            follower.check()
            assert follower.elements()[0] == switch(on) and len(follower.elements()) == (2 if on else 5)


def test_questions_are_answered_by_the_row(patient, receiver):
    # A row's evaluated height is the default; where it has none, the adapter's hook and UIKit's default are.
    def height(index: int) -> dict:
        return ask(patient, "rowHeight", indexPath=[0, index])

    assert [height(index)["value"] for index in range(4)] == [44, 44, 60, 44]
    assert {height(index)["source"] for index in range(5)} == {"default"}
    assert height(4)["value"] == ask(patient, "rowHeight", indexPath=[1, 0])["value"], "UIKit's own"
    assert ask(patient, "rowHeightEstimated", indexPath=[0, 4])["value"] == 44
    register(patient, receiver, f"{PEOPLE}/events/rowHeight", "/height")
    receiver.on("/height", value(77))
    assert height(2) == {"value": 77, "source": "hook"} and height(0)["value"] == 44
    register(patient, receiver, f"{BOOK}/adapters/Person/events/canEditRow", "/adapter")
    register(patient, receiver, f"{PEOPLE}/events/canEditRow", "/row")
    receiver.on("/adapter", value(False))
    receiver.on("/row", value(True))
    assert ask(patient, "canEditRow", indexPath=[0, 1]) == {"value": True, "source": "hook"}
    assert ask(patient, "canEditRow", indexPath=[1, 0]) == {"value": False, "source": "hook"}
    answer = ask(patient, "rowHeight", indexPaths=[[0, 3], [0, 0], [1, 0]])
    assert [each["source"] for each in answer["values"]] == ["hook", "default", "default"]
    # A hook without an address is a fixed answer.
    patient.put(f"{SETTINGS}/rows/end/events/rowHeight", json={"default": 12}).raise_for_status()
    assert height(4)["value"] == 12
    answer = report(patient, "didSelect", indexPath=[0, 9])
    assert answer.status_code in (404, 422)
    assert patient.put(f"{SETTINGS}/rows/nobody/events/didSelect", json={"url": receiver.url}).status_code == 404


def toggle(client: httpx.Client, times: int) -> None:
    """Hides and shows the people, and changes one of them in between."""
    for number in range(times):
        client.put(HIDE, params=RELOAD, json=number % 2 == 0)
        client.patch(f"{PEOPLE}/elements/Grace", params=RELOAD, json={"age": 100 + number})


@pytest.mark.parametrize("times", [1, 2, 5, 6])
def test_hides_and_shows_that_were_missed_are_one_changeset(screen, server, times):
    with Follower(server.url, screen) as follower:
        pass
    toggle(screen, times)
    with Follower(server.url, screen, follower.last_id, follower.replica) as again:
        screen.put(HIDE, params=RELOAD, json=times % 2 == 0)
        again.take()
        again.check()


def test_a_killed_server_comes_back_with_its_rows(start):
    server = start()
    with api(server) as client:
        fill(client)
        with Follower(server.url, client) as follower:
            pass
        toggle(client, 3)
        client.patch(f"{SETTINGS}/rows/end", json={"value": "not published"})
        sections, tag = client.get(f"{BOOK}/sections").json(), client.get(BOOK).headers["etag"]
        visible, paths = published(client), client.get(f"{PEOPLE}/index-paths").json()
    server.terminate(signal.SIGKILL)
    server.wait()
    server = start(folder=server.folder)
    with api(server) as client:
        assert client.get(f"{BOOK}/sections").json() == sections and client.get(BOOK).headers["etag"] == tag
        assert published(client) == visible and client.get(f"{PEOPLE}/index-paths").json() == paths
        with Follower(server.url, client, follower.last_id, follower.replica) as again:
            client.post(f"{BOOK}/reload")
            again.take()
            again.check()
            assert again.elements()[-1]["value"] == "not published"
            client.put(HIDE, params=RELOAD, json=False)
            again.take()
            again.check()
            assert again.elements()[2] == person("Grace", 102, 60)
            sections = client.get(f"{BOOK}/sections").json()["sections"]
            assert shown(sections, {"hidePeople": False}, CELLS) == published(client)


@pytest.mark.parametrize(("method", "path", "body"), [
    ("PUT", "/sections/settings/rows/new", END),
    ("PUT", "/sections/settings/rows/@last", END),
    ("POST", "/operations", {"operations": [{"op": "setRow", "section": "settings", "row": "new", "value": END}]}),
    ("POST", "/sections/settings/rows", END),
    ("PUT", "/sections/settings/rows", [END, END]),
    ("PUT", "/sections/settings", {"rows": [END]}),
    ("PATCH", "/sections/settings", {"rows": [END]}),
    ("POST", "/sections", {"rows": [END]}),
], ids=lambda part: part if isinstance(part, str) else "")
def test_a_row_without_an_identifier_is_kept(start, method, path, body):
    """The address gives it one, or the server does; either has to be stored."""
    def nameless(part):
        if isinstance(part, list):
            return [nameless(each) for each in part]
        if not isinstance(part, dict):
            return part
        return {name: nameless(each) for name, each in part.items() if part.get("id") != "end" or name != "id"}

    server = start()
    with api(server) as client:
        fill(client)
        client.request(method, f"{BOOK}{path}", json=nameless(body))
        sections = client.get(f"{BOOK}/sections").json()
    server.terminate(signal.SIGKILL)
    server.wait()
    with api(start(folder=server.folder)) as client:
        assert client.get(f"{BOOK}/sections").json() == sections


@pytest.mark.parametrize("name", [".", ".."])
def test_a_row_has_a_name_that_can_be_addressed(screen, name):
    refused(screen, 422, "POST", f"{SETTINGS}/rows", json=END | {"id": name})


def test_hooks_are_those_of_one_row_scalar_by_scalar(screen):
    """Two spellings of é are two rows, and each has its own hooks."""
    for height, name in enumerate(["\u00e9", "e\u0301"], 1):
        screen.put(f"{SETTINGS}/rows/{quote(name)}", json=END | {"id": name})
        screen.put(f"{SETTINGS}/rows/{quote(name)}/events/rowHeight", json={"default": height})
    screen.post(f"{BOOK}/reload")
    assert [ask(screen, "rowHeight", indexPath=[0, index])["value"] for index in (5, 6)] == [1, 2]


def test_an_expression_without_a_value_leaves_everything_as_it_was(screen, follower):
    screen.post(f"{BOOK}/sections", json={"id": "late", "rows": [SWITCH, END, END | {
        "id": "part", "height": {"/": [100, {"var": "variables.parts"}]}}]})
    screen.put(f"{BOOK}/variables/parts", params=RELOAD, json=4)
    follower.take()
    follower.check()
    assert follower.elements(2)[2]["height"] == 25
    tag, state = screen.get(BOOK).headers["etag"], screen.get(f"{BOOK}/sections").json()
    batch = {"reload": True, "operations": [
        {"op": "removeRow", "section": "settings", "row": "end"},
        {"op": "setVariable", "name": "parts", "value": 0}]}
    for method, path, arguments in [
        ("PUT", f"{BOOK}/variables/parts", {"params": RELOAD, "json": 0}),
        ("POST", f"{BOOK}/operations", {"json": batch}),
        ("POST", f"{BOOK}/operations", {"json": {"dryRun": True, "operations": batch["operations"]}}),
        ("POST", f"{BOOK}/operations", {"json": batch, "headers": {"Idempotency-Key": "failing"}}),
        ("POST", f"{BOOK}/operations", {"json": batch, "headers": {"Idempotency-Key": "failing"}}),
    ]:
        problem = refused(screen, 422, method, path, **arguments)
        assert problem["errors"][0]["pointer"] == "/sections/2/rows/2/height/~1", problem
        assert "part" in problem["detail"] and "late" in problem["detail"]
        assert screen.get(BOOK).headers["etag"] == tag and screen.get(f"{BOOK}/sections").json() == state
        assert screen.get(f"{BOOK}/variables/parts").json() == 4
        follower.check()
    # Without a reload it is stored, and refuses the reload later on; what is well again is published.
    screen.put(f"{BOOK}/variables/parts", json=0)
    tag = screen.get(BOOK).headers["etag"]
    for _ in range(2):
        refused(screen, 422, "POST", f"{BOOK}/reload")
        assert screen.get(BOOK).headers["etag"] == tag
        follower.check()
    screen.put(f"{BOOK}/variables/parts", params=RELOAD, json=2)
    follower.sees({"elementUpdated": [
        {"at": [2, 2], "element": constant(END | {"id": "part"}, height=50, estimatedHeight=44)}]})
    problem = refused(screen, 422, "PUT", f"{SETTINGS}/rows/end", json=END | {"height": {"foo": [1]}})
    assert problem["errors"][0]["pointer"] == "/height/foo"


def test_watch_shows_the_row_and_the_cell(program, screen, server):
    command = [program, "watch", "book", "--log", "--limit", "2", "--server", server.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            # Changes that come before the snapshot are in it, and are no changesets to the program.
            while "snapshot" not in (line := process.stdout.readline()):
                assert line, "the program ended before its snapshot"
            screen.put(HIDE, params=RELOAD, json=True)
            screen.put(HIDE, params=RELOAD, json=False)
            text, _ = process.communicate(timeout=60)
            assert process.returncode == 0
        finally:
            process.kill()
    assert "Grace  (people: PersonCell, height 60)" in text and "(hide: SwitchCell, height 44)" in text, text


@pytest.fixture
def load(program, server):
    """Runs `callboard load` into the row of the people; returns what `--json` printed."""

    def run(*arguments: str, status: int = 0) -> dict:
        command = [program, "load", *arguments, "--director", "book", "--server", server.url, "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert result.returncode == status, f"{result.returncode}: {result.stdout}\n{result.stderr}"
        return json.loads(result.stdout) if result.stdout else {"stderr": result.stderr}

    return run


def test_files_are_loaded_into_a_row(load, screen, follower, tmp_path):
    csv, lines = tmp_path / "people.csv", tmp_path / "people.ndjson"
    csv.write_text("name,age\nZoë,70\nLin,20\n", encoding="utf-8")
    many = [{"name": f"person {number}", "age": number % 90} for number in range(3_000)]
    lines.write_text("".join(json.dumps(each) + "\n" for each in many), encoding="utf-8")
    into = ("--section", "settings", "--row", "people")
    summary = load(str(csv), *into)
    assert (summary["loaded"], summary["section"], summary["row"]) == (2, "settings", "people")
    follower.take()
    follower.check()
    assert [each["id"] for each in follower.elements()] == ["hide", "Zoë", "Lin", "end"]
    assert {each["row"] for each in follower.elements()[1:3]} == {"people"}
    assert load(str(lines), *into)["loaded"] == len(many)
    while follower.replica.version < screen.get(BOOK).json()["version"]:
        follower.take()
    follower.check()
    assert [each["value"] for each in follower.elements()[1:-1]] == many
    assert [each["height"] for each in follower.elements()[1:-1]] == [60 if each["age"] > 60 else 44 for each in many]
    version = follower.replica.version
    assert load(str(lines), *into)["version"] == version, "the same file again changes nothing"
    assert [each["id"] for each in screen.get(f"{SETTINGS}/rows").json()["rows"]] == ["hide", "people", "end"]
    assert "constant" in load(str(csv), "--section", "settings", "--row", "hide", status=64)["stderr"]
    assert "nobody" in load(str(csv), "--section", "settings", "--row", "nobody", status=66)["stderr"]


class Dice:
    """Throws operations that fit what a director holds at the moment, as the working state shows it."""

    HIDES = [
        True, False, {"var": "variables.flag0"}, {"!": [{"var": "variables.flag1"}]},
        {"<": [{"var": "model.age"}, {"var": ["variables.flag2", 3]}]},
        {"and": [{"var": "variables.flag0"}, {">": [{"var": "index"}, 1]}]},
        {"==": [{"%": [{"var": "model.age"}, 3]}, {"var": "variables.flag0"}]},
        {"==": [{"var": "section.headerTitle"}, "title 1"]},
        {"var": {"cat": ["variables.", "flag", 1]}},
        {"or": [{"var": "variables.flag0"}, {"var": "variables.flag1"}]},
    ]
    LENGTHS = [
        None, 44, 50.5, {"if": [{">": [{"var": "model.age"}, 5]}, 60, {"var": "variables.flag0"}, 50, 44]},
        {"var": "variables.flag2"}, {"var": "index"}, {"var": "model.age"},
    ]
    CONFIGS = [
        {"on": {"$logic": {"var": "variables.flag1"}}, "fixed": [1, {"x": None}]},
        {"text": [{"$logic": {"cat": [{"var": "row.id"}, " in ", {"var": "section.id"}]}}]},
        {"model": {"$logic": {"var": "model"}}, "at": {"$logic": {"var": "index"}}},
        {"all": {"$logic": {"var": "variables"}}}, {},
    ]

    def __init__(self, seed: int):
        self.rng, self.number = random.Random(seed), 0

    def person(self, model: str) -> dict:
        """Names repeat on purpose: elements of one identity are common."""
        self.number += 1
        return {"model": model, "value": {"name": f"person {self.rng.randrange(9)}", "age": self.rng.randrange(9),
                                          "n": self.number}}

    def people(self, model: str = "Person") -> list[dict]:
        return [self.person(model) for _ in range(self.rng.randrange(4))]

    def row(self, taken: set[str]) -> dict:
        rng = self.rng
        identifier = rng.choice([name for name in map("row {}".format, range(12)) if name not in taken])
        result = {"id": identifier}
        if rng.random() < 0.6:
            model = rng.choice(["Person", "Person", "Pet"])
            result |= {"type": "model", "model": model, "elements": self.people(model)}
            if rng.random() < 0.3:
                result["cell"] = f"Cell {rng.randrange(2)}"
        else:
            result |= {"type": "constant", "cell": f"Cell {rng.randrange(3)}", "value": rng.randrange(3)}
        for name, choices, chance in [("hideWhen", self.HIDES, 0.6), ("height", self.LENGTHS, 0.5),
                                      ("estimatedHeight", self.LENGTHS, 0.3), ("additionalConfig", self.CONFIGS, 0.5)]:
            chosen = rng.choice(choices) if rng.random() < chance else None
            # A constant row has neither a model nor an index to compare.
            fits = result["type"] == "model" or not re.search("model|index", json.dumps(chosen))
            if chosen is not None and fits:
                result[name] = chosen
        if rng.random() < 0.2:
            result["reuseIdentifier"] = "reuse"
        if rng.random() < 0.2:
            result["afterSelection"] = rng.choice(["none", "deselect", "deselectAnimated"])
        return result

    def rows(self, count: int, taken: set[str]) -> list[dict]:
        made = []
        for _ in range(count):
            made.append(self.row(taken | {each["id"] for each in made}))
        return made

    def content(self) -> dict:
        return {"rows": self.rows(self.rng.randrange(4), set())} if self.rng.random() < 0.7 else {
            "elements": self.people()}

    def operation(self, sections: list[dict], variables: dict) -> dict:
        rng, self.number = self.rng, self.number + 1
        if rng.random() < 0.25:
            name = f"flag{rng.randrange(3)}"
            if name in variables and rng.random() < 0.4:
                return {"op": "removeVariable", "name": name}
            return {"op": "setVariable", "name": name, "value": rng.choice([0, 1, 2, 5])}
        if rng.random() < 0.05:
            adapter = {"cell": "PersonCell", "identifier": "{name}", "content": rng.choice([None, ["/age"], ["/n"]])}
            return {"op": "setAdapter", "model": "Person", "value": adapter}
        if not sections or rng.random() < 0.15:
            return self.of_sections(sections)
        at = rng.randrange(len(sections))
        section = {"section": f"@{at}"}
        rows = sections[at].get("rows")
        if rows is None:
            if rng.random() < 0.2:
                return {"op": "setRows", **section, "rows": self.rows(2, set())}
            return self.of_elements(section, sections[at]["elements"], "Person", sections)
        models = [each for each in rows if each["type"] == "model"]
        if models and rng.random() < 0.5:
            row = rng.choice(models)
            return self.of_elements(section | {"row": row["id"]}, row["elements"], row["model"], sections)
        return self.of_rows(section, rows, sections, at)

    def of_sections(self, sections: list[dict]) -> dict:
        rng, size = self.rng, len(sections)
        if not sections or rng.random() < (0.5 if size < 5 else 0.1):
            return {"op": "addSections", "at": rng.randint(0, size), "sections": [
                {"id": f"section {self.number}", "headerTitle": "title 0", **self.content()}]}
        one, other = rng.randrange(size), rng.randrange(size)
        patch = rng.choice([{"headerTitle": f"title {rng.randrange(3)}"}, {"isCollapsed": rng.random() < 0.3},
                            {"rows": None, "elements": self.people()}])
        return rng.choice([
            {"op": "patchSection", "section": f"@{one}", "patch": patch},
            {"op": "setSection", "section": f"@{one}", "value": {"id": sections[one]["id"], **self.content()}},
            {"op": "removeSections", "at": [one]}, {"op": "swapSections", "at": one, "with": other},
            {"op": "moveSection", "from": one, "to": other},
        ])

    def of_rows(self, section: dict, rows: list[dict], sections: list[dict], at: int) -> dict:
        rng, size, taken = self.rng, len(rows), {each["id"] for each in rows}
        if not rows or rng.random() < (0.4 if size < 5 else 0.05):
            return {"op": "addRows", **section, "at": rng.randint(0, size), "rows": self.rows(rng.randint(1, 2), taken)}
        one, other = rng.randrange(size), rng.randrange(size)
        row = {"row": rng.choice([f"@{one}", rows[one]["id"]])}
        targets = [index for index, each in enumerate(sections) if "rows" in each and (
            index == at or rows[one]["id"] not in {row["id"] for row in each["rows"]})]
        target = rng.choice(targets)
        room = len(sections[target]["rows"]) - (target == at)
        patch = rng.choice([{"height": None}, {"height": self.number}, {"cell": f"Cell {rng.randrange(3)}"},
                            {"hideWhen": None}, {"hideWhen": rng.random() < 0.5},
                            {"additionalConfig": {"n": self.number}}])
        return rng.choice([
            {"op": "setRow", **section, **row, "value": self.row(taken - {rows[one]["id"]})},
            {"op": "patchRow", **section, **row, "patch": patch}, {"op": "patchRow", **section, **row, "patch": patch},
            {"op": "removeRow", **section, **row}, {"op": "removeRows", **section, "at": sorted({one, other})},
            {"op": "swapRows", **section, "at": one, "with": other},
            {"op": "moveRow", **section, "from": one, "to": rng.randint(0, room), "toSection": f"@{target}"},
            {"op": "moveRow", **section, "from": one, "to": rng.randint(0, room), "toSection": f"@{target}"},
        ])

    def of_elements(self, place: dict, elements: list[dict], model: str, sections: list[dict]) -> dict:
        rng, size = self.rng, len(elements)
        if not elements or rng.random() < (0.4 if size < 6 else 0.1):
            if rng.random() < 0.2:
                return {"op": "setElements", **place, "elements": self.people(model)}
            return {"op": "addElements", **place, "at": rng.randint(0, size), "elements": [self.person(model)]}
        one, other = rng.randrange(size), rng.randrange(size)
        model, lists = elements[one]["model"], []
        for index, section in enumerate(sections):
            if "elements" in section:
                lists.append(({"toSection": f"@{index}"}, section["elements"]))
            for row in section.get("rows", []):
                if row.get("model") == model:
                    lists.append(({"toSection": f"@{index}", "toRow": row["id"]}, row["elements"]))
        target, others = rng.choice(lists)
        room = len(others) - (others is elements)
        return rng.choice([
            {"op": "setElement", **place, "element": f"@{one}", "value": self.person(model)},
            {"op": "patchElement", **place, "element": f"@{one}", "patch": {"age": rng.randrange(9)}},
            {"op": "patchElement", **place, "element": f"@{one}", "patch": {"age": rng.randrange(9)}},
            {"op": "removeElement", **place, "element": f"@{one}"}, {"op": "removeElements", **place, "at": [one]},
            {"op": "swapElements", **place, "at": one, "with": other},
            {"op": "moveElement", **place, "from": one, "to": rng.randint(0, room), **target},
            {"op": "moveElement", **place, "from": one, "to": rng.randint(0, room), **target},
        ])


def differences(expected: list[dict], found: list[dict]) -> list:
    """What differs, section by section and element by element, short enough to read."""
    names = [[each["id"] for each in sections] for sections in (expected, found)]
    result = [] if names[0] == names[1] else [tuple(names)]
    for one, other in zip(expected, found):
        if one == other:
            continue
        lists = [each.pop("elements") if "elements" in each else [] for each in (dict(one), dict(other))]
        pairs = [(a, b) for a, b in zip(*lists) if a != b]
        result.append((one["id"], [[(each["row"], each["id"]) if "row" in each else each["id"] for each in elements]
                                   for elements in lists] if len(lists[0]) != len(lists[1]) else pairs or (one, other)))
    return result


def test_random_rows_are_published_as_they_are_evaluated(http, server):
    print(f"seed: CALLBOARD_TEST_SEED={SEED}")
    fill(http)
    dice, last_id, replica, trace = Dice(SEED), None, None, []

    def state() -> tuple[list[dict], dict]:
        page = http.get(f"{BOOK}/sections", params={"limit": 10_000}).json()
        return page["sections"], http.get(f"{BOOK}/variables").json()["variables"]

    number = 0
    while number < ROUNDS:
        with Follower(server.url, http, last_id, replica) as follower:
            for _ in range(dice.rng.randint(1, 12)):
                number += 1
                for _ in range(dice.rng.randint(1, 5)):
                    trace.append(dice.operation(*state()))
                    print(json.dumps(trace[-1]))
                    http.post(f"{BOOK}/operations", json={"operations": [trace[-1]]})
                sections, variables = state()
                expected = shown(sections, variables, CELLS)
                dry = http.post(f"{BOOK}/operations", json={"operations": [], "dryRun": True}).json()
                answer = http.post(f"{BOOK}/reload").json()
                assert answer == dry
                assert not differences(expected, published(http))
                if answer["stages"] or answer.get("replaced"):
                    assert follower.take() == answer
                follower.check()
        last_id, replica = follower.last_id, follower.replica
        # Nobody listens to these.
        for _ in range(dice.rng.randint(0, 6)):
            trace.append(dice.operation(*state()))
            print(json.dumps(trace[-1]))
            http.post(f"{BOOK}/operations", json={"operations": [trace[-1]], "reload": dice.rng.random() < 0.6})


@pytest.mark.parametrize(("expression", "expected"), [
    ({"var": "a.b"}, 1), ({"var": ["a.c", 7]}, 7), ({"if": [False, 1, {"var": "a.b"}, 2, 3]}, 2),
    ({"and": [1, 0, 2]}, 0), ({"or": [0, 3]}, 3), ({"==": [None, 0]}, True), ({"!": [{"var": "a"}]}, False),
    ({"==": [True, 1]}, True), ({"var": {"cat": ["a", ".b"]}}, 1),
], ids=str)
def test_the_evaluation_in_python_is_json_logics(expression, expected):
    """The oracle itself."""
    assert evaluated(expression, {"a": {"b": 1}}) == expected
