"""Questions: what comes back when a receiver is slow, wrong or gone, several at once, and answers that are kept."""

import dataclasses
import json
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.hooks import BOOK, ask, client_of, done, eventually, fill, register, report
from support.receiver import CLOSES, CUTS, CUTS_HEAD, FAILS, HANGS, Reply, content, value

HIGHLIGHT = f"{BOOK}/adapters/Person/events/shouldHighlight"
HEIGHT = f"{BOOK}/adapters/Person/events/rowHeight"
JSON = {"Content-Type": "application/json"}


def items(call) -> list[dict]:
    """What a call asks about, where it is several elements."""
    return call.data.get("items", [])


@pytest.mark.parametrize("reply", [
    FAILS, CLOSES, CUTS, CUTS_HEAD, HANGS,
    Reply(204), Reply(404), Reply(429, fields={"Retry-After": "1"}), Reply(410),
    Reply(200, b"", JSON), Reply(200, b"no", JSON), Reply(200, b'{"value": fals', JSON), Reply(200, b"[false]", JSON),
    Reply(200, b"[" * 100_000, JSON), content({}), content({"values": [False]}), content({"valeu": False}),
    value("no"), value(0), value(None),
    Reply(200, b'{"value": false, "filler": "' + b"x" * 3_000_000 + b'"}', JSON),
    Reply(200, b'{"value": false}' * 2, JSON),
], ids=str)
def test_a_receiver_that_fails_leaves_it_to_the_default(hooked, receiver, reply):
    began, limit = time.monotonic(), "500ms" if reply is HANGS else "30s"
    register(hooked, receiver, HIGHLIGHT, default=False, timeout=limit)
    receiver.on("/hook", reply)
    answer = ask(hooked, "shouldHighlight", indexPath=[0, 0])
    assert (answer["value"], answer["source"]) == (False, "default")
    assert isinstance(answer["reason"], str) and answer["reason"]
    register(hooked, receiver, HIGHLIGHT, timeout=limit)
    receiver.on("/hook", reply)
    answer = ask(hooked, "shouldHighlight", indexPath=[0, 1])
    assert (answer["value"], answer["source"]) == (True, "default")
    assert time.monotonic() - began < 30
    health = done(hooked.get(HIGHLIGHT)).json()["health"]
    assert health["consecutiveFailures"] >= 1 and health["lastError"]["detail"]
    assert len(receiver.at("/hook")) == 2, "a question is asked once"
    # It works again as soon as the receiver does.
    register(hooked, receiver, HIGHLIGHT, timeout="30s")
    receiver.on("/hook", value(False))
    assert ask(hooked, "shouldHighlight", indexPath=[0, 0]) == {"value": False, "source": "hook"}
    health = done(hooked.get(HIGHLIGHT)).json()["health"]
    assert health["consecutiveFailures"] == 0 and health["lastSuccess"]


def test_a_receiver_that_is_gone_leaves_it_to_the_default(hooked, receiver):
    register(hooked, receiver, HIGHLIGHT, default=False)
    receiver.kill()
    answer = ask(hooked, "shouldHighlight", indexPath=[0, 0])
    assert (answer["value"], answer["source"]) == (False, "default")
    receiver.start()
    receiver.on("/hook", value(True))
    assert ask(hooked, "shouldHighlight", indexPath=[0, 0]) == {"value": True, "source": "hook"}


def test_the_time_out_is_the_hooks_own(hooked, receiver):
    receiver.on("/hook", HANGS)
    for seconds in (0.2, 1.0):
        register(hooked, receiver, HIGHLIGHT, timeout=seconds)
        began = time.monotonic()
        assert ask(hooked, "shouldHighlight", indexPath=[0, 0])["source"] == "default"
        # The server's own is five seconds.
        assert seconds * 0.9 < time.monotonic() - began < seconds + 3


def test_a_slow_question_holds_up_nobody_else(hooked, receiver, server):
    """Neither the list, nor another question, while the first one waits."""
    register(hooked, receiver, HIGHLIGHT, "/slow", timeout="30s", default=False)
    receiver.on("/slow", HANGS)
    register(hooked, receiver, HEIGHT, "/quick")
    receiver.on("/quick", value(44))
    body = json.dumps({"event": "shouldHighlight", "indexPath": [0, 0]}).encode()
    head = (f"POST {BOOK}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as waiting:
        waiting.sendall(head.encode() + body)
        receiver.wait(1, "/slow")
        for age in range(20):
            assert ask(hooked, "rowHeight", indexPath=[0, 0])["value"] == 44
            done(hooked.patch(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"}, json={"age": age}))
        assert select.select([waiting], [], [], 0)[0] == []
        # It waits for the receiver's end, and that is this.
        receiver.kill()
        assert b'"source":"default"' in waiting.recv(65_536).replace(b" ", b"")


def test_many_index_paths_are_one_call(hooked, receiver):
    register(hooked, receiver, HEIGHT)
    receiver.on("/hook", lambda call: content({"values": [1 + 10 * item["indexPath"][1] for item in items(call)]}))
    answer = ask(hooked, "rowHeight", indexPaths=[[0, 2], [0, 0], [0, 1]])
    assert answer["values"] == [{"value": height, "source": "hook"} for height in (21, 1, 11)]
    (call,) = receiver.at("/hook")
    assert [item["element"]["id"] for item in call.data["items"]] == ["Alan", "Ada", "Grace"]
    assert all("elements" not in item["section"] for item in call.data["items"])


def test_index_paths_of_several_adapters_are_a_call_for_each(hooked, receiver):
    """The answers come in the order of the index paths, whoever gave them."""
    register(hooked, receiver, HEIGHT, "/people")
    register(hooked, receiver, f"{BOOK}/adapters/Pet/events/rowHeight", "/pets", default=7)
    receiver.on("/people", lambda call: content({"values": [30 + item["indexPath"][1] for item in items(call)]}))
    receiver.on("/pets", FAILS)
    answer = ask(hooked, "rowHeight", indexPaths=[[1, 1], [0, 2], [1, 0], [0, 1]])
    assert [(each["value"], each["source"]) for each in answer["values"]] == [
        (7, "default"), (32, "hook"), (7, "default"), (31, "hook")]
    assert len(receiver.at("/people")) == len(receiver.at("/pets")) == 1


@pytest.mark.parametrize("values", [[1, "high", 3], [1, -4, 3], [1, None, 3]])
def test_one_bad_value_does_not_spoil_the_others(hooked, receiver, values):
    register(hooked, receiver, HEIGHT, default=9)
    receiver.on("/hook", content({"values": values}))
    answer = ask(hooked, "rowHeight", indexPaths=[[0, 0], [0, 1], [0, 2]])
    assert [(each["value"], each["source"]) for each in answer["values"]] == [(1, "hook"), (9, "default"), (3, "hook")]


@pytest.mark.parametrize("values", [[1, 2], [1, 2, 3, 4], []])
def test_too_many_or_too_few_values_are_no_answer(hooked, receiver, values):
    register(hooked, receiver, HEIGHT, default=9)
    receiver.on("/hook", content({"values": values}))
    answer = ask(hooked, "rowHeight", indexPaths=[[0, 0], [0, 1], [0, 2]])
    assert [(each["value"], each["source"]) for each in answer["values"]] == [(9, "default")] * 3


def test_an_answer_that_is_kept_is_asked_for_once_for_each_element_and_version(hooked, receiver):
    register(hooked, receiver, HEIGHT, cache=True)
    receiver.on("/hook", lambda call: content({"values": [50] * len(items(call))}) if items(call) else value(50))
    version = done(hooked.get(BOOK)).json()["version"]
    for _ in range(3):
        assert ask(hooked, "rowHeight", indexPath=[0, 0], version=version)["value"] == 50
    assert len(receiver.at("/hook")) == 1
    # Of several only those are asked for that are not known.
    answer = ask(hooked, "rowHeight", indexPaths=[[0, 0], [0, 1]], version=version)
    assert [each["value"] for each in answer["values"]] == [50, 50]
    assert len(receiver.at("/hook")) == 2
    last = receiver.at("/hook")[1]
    assert [item["indexPath"] for item in items(last) or [last.data]] == [[0, 1]]
    for place in ([0, 0], [0, 1]):
        assert ask(hooked, "rowHeight", indexPath=place, version=version)["source"] == "hook"
    # However often it is named.
    answer = ask(hooked, "rowHeight", indexPaths=[[0, 0], [0, 0]], version=version)
    assert [each["source"] for each in answer["values"]] == ["hook"] * 2 and len(receiver.at("/hook")) == 2
    done(hooked.patch(f"{BOOK}/sections/people/elements/Alan", params={"reload": "true"}, json={"age": 41}))
    assert ask(hooked, "rowHeight", indexPath=[0, 0], version=version + 1)["value"] == 50
    assert len(receiver.at("/hook")) == 3
    # A hook that is put again may answer otherwise.
    register(hooked, receiver, HEIGHT, cache=True)
    assert ask(hooked, "rowHeight", indexPath=[0, 0], version=version + 1)["value"] == 50
    assert len(receiver.at("/hook")) == 4


def test_who_asks_at_the_same_time_waits_for_the_same_answer(hooked, receiver):
    register(hooked, receiver, HEIGHT, cache=True)
    receiver.on("/hook", lambda call: dataclasses.replace(value(70), wait=0.3))
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(hooked, "rowHeight", indexPath=[0, 0]), range(20)))
    assert answers == [{"value": 70, "source": "hook"}] * 20
    assert len(receiver.at()) == 1


def test_a_failure_is_not_kept(hooked, receiver):
    register(hooked, receiver, HEIGHT, cache=True, default=12)
    receiver.on("/hook", FAILS)
    assert ask(hooked, "rowHeight", indexPath=[0, 0])["value"] == 12
    receiver.on("/hook", value(60))
    assert ask(hooked, "rowHeight", indexPath=[0, 0]) == {"value": 60, "source": "hook"}


def test_the_directors_own_heights_are_the_defaults(hooked):
    assert ask(hooked, "rowHeight", indexPath=[0, 0]) == {"value": -1, "source": "default"}
    done(hooked.patch(BOOK, json={"properties": {"rowHeight": {"explicit": 44.5}, "headerHeight": {"explicit": 30}}}))
    assert ask(hooked, "rowHeight", indexPath=[0, 0]) == {"value": 44.5, "source": "default"}
    assert ask(hooked, "headerHeight", header=0) == {"value": 30, "source": "default"}
    assert ask(hooked, "footerHeight", footer=0) == {"value": -1, "source": "default"}


def test_an_event_is_about_the_version_that_the_ui_shows(hooked, receiver):
    register(hooked, receiver, HEIGHT)
    receiver.on("/hook", value(5))
    version = done(hooked.get(BOOK)).json()["version"]
    done(hooked.delete(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"}))
    for shown, name in ((version, "Ada"), (version + 1, "Grace"), (None, "Grace")):
        ask(hooked, "rowHeight", indexPath=[0, 0], **({} if shown is None else {"version": shown}))
        data = receiver.at("/hook")[-1].data
        assert data["element"]["id"] == name and data["version"] == (shown or version + 1)


@pytest.mark.parametrize("members, status", [
    ({"indexPath": [0, 3]}, 422), ({"indexPath": [7, 0]}, 422), ({"indexPaths": [[0, 0], [0, 9]]}, 422),
    ({"indexPath": [0, 0], "version": 999}, 409), ({"indexPath": [0]}, 422), ({"indexPath": [0, -1]}, 422),
    ({"indexPath": [0, 0.5]}, 422), ({"indexPath": "0,0"}, 422), ({}, 422), ({"header": 0}, 422),
    ({"indexPath": [0, 0], "indexPaths": [[0, 0]]}, 422), ({"indexPaths": []}, 422),
    ({"indexPath": [0, 0], "parameters": 4}, 422), ({"indexPath": [0, 0], "idnexPath": 1}, 422),
    ({"indexPath": [0, 10**30]}, 422), ({"indexPath": [0, 0], "version": -1}, 422),
])
def test_an_event_that_cannot_be_is_refused(hooked, receiver, members, status):
    register(hooked, receiver, HEIGHT)
    answer = report(hooked, "rowHeight", **members)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert receiver.at() == []


def test_an_event_that_there_is_not_is_refused_with_the_nearest(hooked):
    answer = report(hooked, "rowHieght", indexPath=[0, 0])
    assert answer.status_code == 422 and "rowHeight" in answer.text
    assert report(hooked, "itemSize", indexPath=[0, 0]).status_code == 422
    assert report(hooked, "rowHeight", path="/v1/directors/nobody", indexPath=[0, 0]).status_code == 404


def test_a_version_that_is_gone_answers_409(start, receiver):
    with client_of(start(FEED_RETAINED_VERSIONS="2")) as client:
        fill(client)
        register(client, receiver, HEIGHT)
        receiver.on("/hook", value(5))
        version = done(client.get(BOOK)).json()["version"]
        for age in range(4):
            done(client.patch(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"}, json={"age": age}))
        assert report(client, "rowHeight", indexPath=[0, 0], version=version).status_code == 409
        assert ask(client, "rowHeight", indexPath=[0, 0], version=version + 4)["value"] == 5


def test_health_is_in_the_metrics(hooked, receiver):
    register(hooked, receiver, HEIGHT)
    receiver.on("/hook", value(5))
    ask(hooked, "rowHeight", indexPath=[0, 0])
    receiver.on("/hook", FAILS)
    ask(hooked, "rowHeight", indexPath=[0, 0])
    eventually(lambda: "callboard_hook" in hooked.get("/metrics").text, "metrics of hooks")


@pytest.mark.parametrize("body, height", [({"default": 64}, 64), ({"default": -1, "timeout": "1s"}, -1)])
def test_a_default_without_a_url_is_the_answer(hooked, receiver, body, height):
    made = done(hooked.put(HEIGHT, json=body))
    assert made.status_code == 201 and "url" not in made.json() and "secret" not in made.json()
    assert done(report(hooked, "rowHeight", indexPath=[0, 0])).json() == {"value": height, "source": "default"}
    adapter = done(hooked.get(f"{BOOK}/adapters/Person")).json()
    assert adapter["events"]["rowHeight"]["default"] == height
    assert done(hooked.put(HEIGHT, json=done(hooked.get(HEIGHT)).json())).status_code == 200
    assert receiver.at() == []


@pytest.mark.parametrize("event, body", [("rowHeight", {}), ("didSelect", {}), ("didSelect", {"timeout": "1s"})])
def test_a_hook_without_a_url_needs_a_question_and_a_default(hooked, event, body):
    answer = hooked.put(f"{BOOK}/adapters/Person/events/{event}", json=body)
    assert answer.status_code == 422 and "url" in answer.json()["detail"]


@pytest.mark.parametrize("event, place", [
    ("willDisplayHeader", {"header": 1}), ("endDisplayFooter", {"footer": 1}), ("headerHeight", {"header": 1}),
    ("dequeue", {"footer": 1}),
])
def test_an_event_of_a_header_that_is_not_there_is_422(hooked, event, place):
    done(hooked.patch(f"{BOOK}/sections/pets?reload=true", json={"headerTitle": None},
                      headers={"Content-Type": "application/merge-patch+json"}))
    answer = report(hooked, event, **place)
    assert answer.status_code == 422 and f"no {next(iter(place))}" in answer.text


@pytest.mark.parametrize("event", ["leadingSwipeActions", "trailingSwipeActions"])
def test_swipe_actions_say_what_a_full_swipe_does(hooked, receiver, event):
    actions = {"actions": [{"title": "Archive"}], "performsFirstActionWithFullSwipe": False}
    register(hooked, receiver, f"{BOOK}/adapters/Person/events/{event}")
    receiver.on("/hook", value(actions))
    assert done(report(hooked, event, indexPath=[0, 0])).json() == {"value": actions, "source": "hook"}
    receiver.on("/hook", value({"performsFirstActionWithFullSwipe": True}))
    assert done(report(hooked, event, indexPath=[0, 0])).json()["source"] == "default"
