"""Every event of the contract, fired at a real receiver."""

import datetime
import re

import httpx
import pytest

from hook_events import CASES, CONTRACT, EVENTS, REQUIRED, SOURCES, TARGETS, Event
from support.hooks import ask, client_of, done, fill, register, report
from support.nodes import launch
from support.receiver import FAILS, FINE, Receiver, content, listening, value


class Stage:
    """A server with a director of each kind, and a receiver."""

    def __init__(self, client: httpx.Client, receiver: Receiver):
        self.client, self.receiver = client, receiver
        for kind in SOURCES:
            fill(client, kind, f"/v1/directors/{kind}")

    def target(self, kind: str, source: str, event: str) -> str:
        return f"/v1/directors/{kind}/{TARGETS[source]}/{event}"

    def data(self, kind: str, event: Event) -> dict:
        """What a receiver has to be told, read from the published list."""
        path = f"/v1/directors/{kind}"
        about = done(self.client.get(path)).json()
        told = {"director": kind, "epoch": about["epoch"], "version": about["version"]}
        sections = done(self.client.get(f"{path}/sections", params={"state": "published"})).json()["sections"]
        # The identifier and the titles, not the elements.
        bare = [{name: text for name, text in each.items() if name != "elements"} for each in sections]

        def item(place: list[int]) -> dict:
            element = sections[place[0]]["elements"][place[1]]
            cell = f"{element['model']}Cell"
            return {"indexPath": place, "section": bare[place[0]], "element": element, "cell": cell}

        where = event.where
        if "indexPath" in where:
            told |= item(where["indexPath"])
        if "indexPaths" in where:
            told["items"] = [item(place) for place in where["indexPaths"]]
        for side in ("header", "footer"):
            if side in where:
                told |= {side: where[side], "section": bare[where[side]], "view": "Banner"}
        return told | ({"parameters": event.parameters} if event.parameters else {})


@pytest.fixture(scope="module")
def stage(program, tmp_path_factory):
    server = launch(program, tmp_path_factory.mktemp("server"))
    try:
        with listening() as receiver, client_of(server) as client:
            yield Stage(client, receiver)
    finally:
        server.stop()
        print(server.tail())


def names(source: str) -> list[str]:
    return CONTRACT[source].split()


def test_the_table_has_every_event_of_the_contract_and_no_other():
    for source in CONTRACT:
        assert [event.name for event in EVENTS[source]] == names(source)


@pytest.mark.parametrize("kind, source", [(kind, source) for kind, sources in SOURCES.items() for source in sources])
def test_the_server_names_the_events_of_the_contract_and_no_other(stage, kind, source):
    answer = stage.client.put(stage.target(kind, source, "didNothing"), json={"url": stage.receiver.url})
    assert answer.status_code in (404, 422), answer.text
    named = re.findall(r"\w+", answer.json()["detail"].rpartition("it has ")[2])
    assert sorted(named) == sorted(names(source))


def test_the_description_names_the_events_of_the_contract_and_no_other(stage):
    """OpenAPI: a list of names for each kind of target, those of all kinds of lists together."""
    document = done(stage.client.get("/openapi.json")).json()
    paths, shared = document["paths"], document["components"]["parameters"]
    for target in set(TARGETS.values()):
        sources = [source for source, other in TARGETS.items() if other == target]
        pattern = "/v1/directors/{}/" + re.sub("Person|Banner", "{}", target) + "/{}"
        found = [item for path, item in paths.items() if re.sub(r"\{\w+\}", "{}", path) == pattern]
        assert len(found) == 1, pattern
        parameters = [shared[each["$ref"].rpartition("/")[2]] for each in found[0]["parameters"]]
        named = next(each for each in parameters if each["in"] == "path" and "event" in each["name"])["schema"]["enum"]
        assert set(named) == {name for source in sources for name in names(source)}, target


@pytest.mark.parametrize(
    "kind, source, event", CASES, ids=[f"{kind}-{source}-{event.name}" for kind, source, event in CASES])
def test_every_event_reaches_its_receiver(stage, kind, source, event):
    target, path = stage.target(kind, source, event.name), f"/{kind}/{source.replace(' ', '-')}/{event.name}"
    fire = {"path": f"/v1/directors/{kind}"} | event.where
    if event.parameters:
        fire["parameters"] = event.parameters
    check = check_notification if event.answers is None else check_question
    try:
        check(stage, event, target, path, fire)
    finally:
        done(stage.client.delete(target))
    assert stage.client.get(target).status_code == 404


def check_notification(stage: Stage, event: Event, target: str, path: str, fire: dict) -> None:
    """Nobody is told without a hook; with one the receiver gets the message that the UI was given the id of."""
    answer = done(report(stage.client, event.name, **fire))
    assert answer.status_code == 202 and answer.json()["delivery"] is None
    stage.receiver.on(path, FINE)
    register(stage.client, stage.receiver, target, path)
    answer = done(report(stage.client, event.name, **fire))
    assert answer.status_code == 202
    (call,) = stage.receiver.wait(1, path)
    assert call.id == answer.json()["delivery"]
    check_message(stage, event, call)


def check_question(stage: Stage, event: Event, target: str, path: str, fire: dict) -> None:
    """UIKit's default without a hook, the receiver's answer with one, and what the hook says where that fails."""
    answers = event.answers
    assert ask(stage.client, event.name, **fire) == {"value": event.uikit, "source": "default"}
    register(stage.client, stage.receiver, target, path, default=answers.default)
    stage.receiver.on(path, value(answers.value))
    assert ask(stage.client, event.name, **fire) == {"value": answers.value, "source": "hook"}
    (call,) = stage.receiver.at(path)
    check_message(stage, event, call)

    for bad in answers.bad:
        stage.receiver.on(path, value(bad))
        answer = ask(stage.client, event.name, **fire)
        assert (answer["value"], answer["source"]) == (answers.default, "default"), bad
    stage.receiver.on(path, FAILS)
    answer = ask(stage.client, event.name, **fire)
    assert (answer["value"], answer["source"]) == (answers.default, "default")
    refused = stage.client.put(target, json={"url": stage.receiver.url, "default": answers.bad[0]})
    assert refused.status_code == 422 and refused.json()["errors"][0]["pointer"] == "/default"

    register(stage.client, stage.receiver, target, path)
    stage.receiver.on(path, content({}))
    answer = ask(stage.client, event.name, **fire)
    assert (answer["value"], answer["source"]) == (event.uikit, "default")


def check_message(stage: Stage, event: Event, call) -> None:
    kind = call.path.split("/")[1]
    message = call.message
    assert set(message) == {"type", "timestamp", "data"}
    assert message["type"] == event.name
    when = datetime.datetime.fromisoformat(message["timestamp"])
    assert abs((datetime.datetime.now(datetime.timezone.utc) - when).total_seconds()) < 60
    assert message["data"] == stage.data(kind, event)


def test_a_row_can_be_moved_where_somebody_hears_of_it(stage):
    """UIKit's default looks whether the delegate has the other method."""
    fire = {"path": "/v1/directors/table", "indexPath": [0, 1]}
    target = stage.target("table", "table cell", "moveRow")
    assert ask(stage.client, "canMoveRow", **fire) == {"value": False, "source": "default"}
    register(stage.client, stage.receiver, target, "/moved")
    assert ask(stage.client, "canMoveRow", **fire) == {"value": True, "source": "default"}
    done(stage.client.delete(target))


@pytest.mark.parametrize("kind, source, event", [case for case in CASES if case[2].name in REQUIRED], ids=str)
def test_what_an_event_needs_cannot_be_left_out(stage, kind, source, event):
    for name in REQUIRED[event.name]:
        for parameters in (
            {key: each for key, each in event.parameters.items() if key != name}, event.parameters | {name: [[]]}):
            answer = report(stage.client, event.name, f"/v1/directors/{kind}", parameters=parameters, **event.where)
            assert answer.status_code == 422 and name in answer.text, answer.text
            assert answer.json()["errors"][0]["pointer"].startswith("/parameters")


def test_every_case_is_of_use():
    """The table itself: an answer that were UIKit's default could come from anywhere."""
    for events in EVENTS.values():
        for event in events:
            if event.answers:
                assert event.answers.default != event.uikit and event.answers.value != event.uikit
                assert event.answers.bad, event.name
    assert {source for sources in SOURCES.values() for source in sources} == set(CONTRACT) == set(EVENTS)
