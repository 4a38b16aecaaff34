"""Sources: targets that the server itself asks for the elements of sections and model rows."""

import dataclasses
import itertools
import signal
import threading
import time

import pytest

from support.hooks import BOOK, client_of, done, eventually, followed, register
from support.receiver import CLOSES, FAILS, HANGS, Reply, content, one_after_another

PEOPLE = f"{BOOK}/sections/people/events/models"
JSON = {"Content-Type": "application/json"}


def people(*names: str) -> dict:
    return {"elements": [{"model": "Person", "value": {"name": name}} for name in names]}


def shown(client, section: str = "people", state: str = "published") -> list[str]:
    elements = done(client.get(f"{BOOK}/sections/{section}/elements", params={"state": state})).json()["elements"]
    return [element["id"] for element in elements]


def version(client) -> int:
    return done(client.get(BOOK)).json()["version"]


def assert_quiet(receiver) -> None:
    """Nobody asks any more, but for what may be under way."""
    time.sleep(1)
    receiver.forget()
    time.sleep(1.5)
    assert receiver.at() == []


def test_a_source_is_asked_every_so_often_and_the_difference_is_published(hooked, receiver):
    receiver.on("/hook", one_after_another(content(people("Ada", "Grace", "Alan")), content(people("Ada", "Alan", "Barbara"))))
    with followed(hooked.base_url) as events:
        assert next(events)[0] == "snapshot"
        before = version(hooked)
        hook = register(hooked, receiver, PEOPLE, every="500ms")
        assert (hook["event"], hook["kind"], hook["every"]) == ("models", "source", "500ms")
        # The first answer is what is there, and nothing is told of it; the next one differs.
        name, changeset = next((name, data) for name, data in events if name == "changeset")
    assert changeset["version"] == before + 1
    assert [sorted(set(stage) - {"counts"}) for stage in changeset["stages"]] == [["elementDeleted"], ["elementInserted"]]
    assert shown(hooked) == ["Ada", "Alan", "Barbara"]
    call = receiver.at("/hook")[0]
    assert call.message["type"] == "models" and "elements" not in call.data["section"]
    assert (call.data["director"], call.data["section"]["id"], call.data["version"]) == ("book", "people", before)
    # The same answer again and again changes nothing, not even the revision.
    tag = hooked.get(BOOK).headers["ETag"]
    receiver.wait(len(receiver.at("/hook")) + 3, "/hook")
    assert hooked.get(BOOK).headers["ETag"] == tag
    times = [call.at for call in receiver.at("/hook")]
    assert all(later - sooner >= 0.45 for sooner, later in itertools.pairwise(times))
    done(hooked.delete(PEOPLE))
    assert_quiet(receiver)


@pytest.mark.parametrize("reply", [
    FAILS, CLOSES, HANGS, Reply(204), Reply(200, b"no", JSON), Reply(200, b"{}", JSON), Reply(200, b'{"elements": 1}', JSON),
    Reply(200, b'{"elements": [1]}', JSON), Reply(200, b'{"elements": [{"model": "Nobody", "value": 1}]}', JSON),
    Reply(200, b"[" * 100_000, JSON), Reply(200, b'{"elements": [' + b" " * 2_000_000 + b"]}", JSON),
], ids=str)
def test_what_fails_leaves_the_elements_and_is_told(hooked, receiver, reply):
    receiver.on("/hook", one_after_another(reply, content(people("Zoe"))))
    register(hooked, receiver, PEOPLE, every="500ms", timeout="300ms" if reply is HANGS else "30s")
    eventually(lambda: hooked.get(PEOPLE).json()["health"].get("lastError"), "the failure")
    health = hooked.get(PEOPLE).json()["health"]
    assert health["lastError"]["detail"] and shown(hooked) in (["Ada", "Grace", "Alan"], ["Zoe"])
    # It goes on as if nothing had happened.
    eventually(lambda: shown(hooked) == ["Zoe"], "the next answer")


def test_a_reload_asks_the_sources_and_publishes_their_elements_with_everything_else(hooked, receiver):
    receiver.on("/hook", content(people("Zoe")))
    receiver.on("/pets", content([{"model": "Pet", "value": {"name": "Rex"}}]))
    register(hooked, receiver, PEOPLE)
    register(hooked, receiver, f"{BOOK}/sections/pets/events/models", "/pets")
    before = version(hooked)
    done(hooked.patch(f"{BOOK}/sections/pets", json={"headerTitle": "Animals"}, params={"reload": "true"}))
    done(hooked.post(f"{BOOK}/operations", json={"operations": [], "reload": True}))
    done(hooked.post(f"{BOOK}/reload", headers={"If-Match": hooked.get(BOOK).headers["ETag"]}))
    assert receiver.at() == []
    done(hooked.patch(f"{BOOK}/sections/pets", json={"headerTitle": "Pets again"}))
    changeset = done(hooked.post(f"{BOOK}/reload", headers={"Idempotency-Key": "once"})).json()
    assert changeset["version"] == version(hooked) == before + 2
    assert (shown(hooked), shown(hooked, "pets")) == (["Zoe"], ["Rex"])
    assert hooked.get(f"{BOOK}/sections/pets").json()["headerTitle"] == "Pets again"
    # The repetition of a request asks nobody; the next request does.
    assert done(hooked.post(f"{BOOK}/reload", headers={"Idempotency-Key": "once"})).json() == changeset
    assert len(receiver.at("/hook")) == len(receiver.at("/pets")) == 1
    done(hooked.post(f"{BOOK}/reload"))
    assert len(receiver.at("/hook")) == len(receiver.at("/pets")) == 2


def test_a_reload_waits_for_a_source_no_longer_than_its_time(hooked, receiver):
    receiver.on("/hook", HANGS)
    receiver.on("/pets", content([{"model": "Pet", "value": {"name": "Rex"}}]))
    register(hooked, receiver, PEOPLE, timeout="500ms")
    register(hooked, receiver, f"{BOOK}/sections/pets/events/models", "/pets")
    began = time.monotonic()
    done(hooked.post(f"{BOOK}/reload"))
    assert 0.4 < time.monotonic() - began < 20
    assert (shown(hooked), shown(hooked, "pets")) == (["Ada", "Grace", "Alan"], ["Rex"])
    # Other requests are answered meanwhile, and what they change stays.
    register(hooked, receiver, PEOPLE, timeout="5s")
    reloading = threading.Thread(target=lambda: done(hooked.post(f"{BOOK}/reload")))
    reloading.start()
    receiver.wait(2, "/hook")
    began = time.monotonic()
    done(hooked.patch(f"{BOOK}/sections/people/elements/Ada", json={"age": 36}))
    assert time.monotonic() - began < 4
    reloading.join()
    assert hooked.get(f"{BOOK}/elements", params={"id": "Ada"}).json()["elements"][0]["value"] == {"name": "Ada", "age": 36}


def test_a_model_row_has_a_source(hooked, receiver):
    receiver.on("/hook", content(people("Zoe", "Yves")))
    rows = [{"id": "top", "type": "constant", "cell": "Top"}, {"id": "folk", "type": "model", "model": "Person", "cell": "PersonCell", "elements": []}]
    done(hooked.put(f"{BOOK}/sections/made", params={"reload": "true"}, json={"rows": rows}))
    register(hooked, receiver, f"{BOOK}/sections/made/rows/folk/events/models")
    done(hooked.post(f"{BOOK}/reload"))
    assert shown(hooked, "made") == ["top", "Zoe", "Yves"]
    assert receiver.at("/hook")[0].data["row"] == "folk"
    # Clients see nothing of it: it is nothing that they could report.
    assert "models" not in hooked.get(BOOK).text
    # A list of another kind has the same sections and rows.
    done(hooked.put(BOOK, params={"replace": "true"}, json={"kind": "collection"}))
    assert done(hooked.get(f"{BOOK}/sections/made/rows/folk/events/models")).json()["kind"] == "source"


def test_what_a_source_may_not_be_is_refused(hooked, receiver):
    url = {"url": receiver.url + "/hook"}
    for body, pointer in [({"every": "100ms"}, "/every"), ({"every": "2000h"}, "/every"), ({"coalesce": "1s"}, "/coalesce"),
                          ({"default": []}, "/default"), ({"cache": True}, "/cache"), ({"kind": "question"}, "/kind")]:
        answer = hooked.put(PEOPLE, json=url | body)
        assert (answer.status_code, [each["pointer"] for each in answer.json()["errors"]]) == (422, [pointer]), answer.text
    assert hooked.put(PEOPLE, json={}).status_code == 422
    answer = hooked.put(f"{BOOK}/adapters/Person/events/didSelect", json=url | {"every": "1s"})
    assert answer.status_code == 422 and "only sources" in answer.text
    assert hooked.put(f"{BOOK}/sections/nobody/events/models", json=url).status_code == 404
    assert hooked.put(f"{BOOK}/sections/people/events/didSelect", json=url).status_code == 404
    assert hooked.put(f"{BOOK}/events/models", json=url).status_code == 404
    assert hooked.put(f"{BOOK}/adapters/Person/events/models", json=url).status_code == 404
    # No UI reports it.
    assert hooked.post(f"{BOOK}/events", json={"event": "models"}).status_code == 422
    done(hooked.put("/v1/directors/short", json={"kind": "table", "view": {"from": "book", "limit": 1}}))
    assert hooked.put("/v1/directors/short/sections/people/events/models", json=url).status_code in (404, 409, 422)


def test_a_source_may_do_what_was_granted_and_ends_with_410(hooked, receiver, server):
    receiver.on("/hook", content(people("Zoe")))
    register(hooked, receiver, PEOPLE, every="500ms", rights=[])
    eventually(lambda: hooked.get(PEOPLE).json()["health"].get("lastError"), "the refusal")
    assert "mutate" in hooked.get(PEOPLE).json()["health"]["lastError"]["detail"]
    assert shown(hooked) == ["Ada", "Grace", "Alan"]
    # What is refused again and again is told once.
    receiver.wait(4, "/hook")
    assert server.log.read_text().count("an answer was not applied") == 1
    receiver.on("/hook", Reply(410))
    eventually(lambda: hooked.get(PEOPLE).json()["isDisabled"], "the end")
    assert_quiet(receiver)


def test_a_section_that_is_gone_is_not_asked_for_and_its_source_comes_back_with_it(hooked, receiver):
    receiver.on("/hook", content(people("Zoe")))
    done(hooked.delete(f"{BOOK}/sections/people"))
    assert hooked.put(PEOPLE, json={"url": receiver.url + "/hook"}).status_code == 404
    done(hooked.put(f"{BOOK}/sections/people", json={}))
    register(hooked, receiver, PEOPLE, every="500ms")
    eventually(lambda: shown(hooked) == ["Zoe"], "the elements")
    done(hooked.delete(f"{BOOK}/sections/people", params={"reload": "true"}))
    assert_quiet(receiver)
    done(hooked.put(f"{BOOK}/sections/people", json={}, params={"reload": "true"}))
    eventually(lambda: shown(hooked) == ["Zoe"], "the elements again")


def test_sources_go_on_after_a_start(start, receiver):
    server = start()
    with client_of(server) as client:
        done(client.put(BOOK, json={"kind": "table"}))
        done(client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"}))
        done(client.put(f"{BOOK}/sections/people", json={}, params={"reload": "true"}))
        receiver.on("/hook", content(people("Ada")))
        register(client, receiver, PEOPLE, every="500ms")
        eventually(lambda: shown(client) == ["Ada"], "the elements")
    server.terminate(signal.SIGKILL)
    server.wait()
    receiver.on("/hook", content(people("Zoe")))
    with client_of(start(folder=server.folder)) as client:
        assert shown(client) == ["Ada"]
        eventually(lambda: shown(client) == ["Zoe"], "the elements after the start")


def test_a_source_is_asked_when_somebody_reads_and_the_read_waits_for_its_answer(hooked, receiver):
    receiver.on("/hook", one_after_another(content(people("Zoe")), content(people("Yves")), content(people("Yves"))))
    assert register(hooked, receiver, PEOPLE, every="read")["every"] == "read"
    before = version(hooked)
    assert receiver.at() == []
    assert shown(hooked) == ["Zoe"] and shown(hooked) == ["Yves"]
    assert version(hooked) == before + 2
    # Each way to read the list, and none that is about something else.
    for path in ["/sections", "/sections/people", "/sections/people/elements/Yves", "/elements", f"/changesets?since={before}"]:
        receiver.forget()
        done(hooked.get(BOOK + path))
        assert len(receiver.at("/hook")) == 1, path
    receiver.forget()
    for path in ["", "/adapters", "/variables", "/sections?state=published&version=1", PEOPLE.removeprefix(BOOK), "/instances"]:
        hooked.get(BOOK + path)
    done(hooked.post(f"{BOOK}/reload"))
    assert receiver.at() == []
    assert version(hooked) == before + 2
    # The elements stay where nobody answers, and the reader is answered.
    receiver.on("/hook", FAILS)
    assert shown(hooked) == ["Yves"] and receiver.at("/hook")
    done(hooked.delete(PEOPLE))
    receiver.forget()
    assert shown(hooked) == ["Yves"] and receiver.at() == []


def test_readers_that_come_while_a_source_is_asked_share_the_answer(hooked, receiver):
    receiver.on("/hook", dataclasses.replace(content(people("Zoe")), wait=2))
    register(hooked, receiver, PEOPLE, every="read", timeout="30s")
    results = []
    readers = [threading.Thread(target=lambda: results.append(shown(hooked))) for _ in range(12)]
    for each in readers:
        each.start()
    # What is no read of the list goes on meanwhile.
    for number in range(10):
        done(hooked.get(BOOK))
        done(hooked.patch(f"{BOOK}/sections/pets", json={"headerTitle": f"Animals {number}"}))
    assert results == []
    for each in readers:
        each.join()
    assert results == [["Zoe"]] * 12 and len(receiver.at("/hook")) == 1


def test_who_begins_to_follow_gets_what_differs_as_a_changeset(hooked, receiver):
    receiver.on("/hook", content(people("Ada", "Zoe")))
    register(hooked, receiver, PEOPLE, every="read")
    with followed(hooked.base_url) as events:
        name, snapshot = next(events)
        assert name == "snapshot" and [len(section["elements"]) for section in snapshot["sections"]] == [3, 2]
        name, changeset = next((name, data) for name, data in events if name == "changeset")
        assert changeset["counts"]["elements"] == 4
    assert len(receiver.at("/hook")) == 1


@pytest.mark.parametrize("every", ["reads", "", "100ms", 5, None, "write"])
def test_a_time_that_is_none_is_refused(hooked, every):
    answer = hooked.put(PEOPLE, json={"url": "http://127.0.0.1:9/nobody", "every": every})
    assert answer.status_code == (201 if every in (None, 5) else 422), answer.text
