"""Python's httpx with httpx-sse follows a director and keeps its own copy."""

import contextlib
import json
import os
import random

import httpx
import httpx_sse
import pytest

from support import protocol
from support.replica import DoesNotFit, Replica

BOOK = "/v1/directors/book"
SEED = int(os.environ.get("CALLBOARD_TEST_SEED", random.SystemRandom().randrange(1 << 32)))


@contextlib.contextmanager
def events(url: str, last_id: str | None = None):
    """The events of a stream that have data, each with its name, id and decoded data."""
    fields = {"Last-Event-ID": last_id} if last_id else {}
    with protocol.client(timeout=60) as client:
        with httpx_sse.connect_sse(client, "GET", url, headers=fields) as source:
            assert source.response.headers["cache-control"] == "no-store, no-transform"
            assert source.response.headers["x-accel-buffering"] == "no"
            # An event without data is nothing to an EventSource: the first one carries `retry` alone.
            yield ((event.event, event.id, json.loads(event.data)) for event in source.iter_sse() if event.data)


def published(client: httpx.Client) -> list[dict]:
    page = client.get(f"{BOOK}/sections", params={"state": "published", "limit": 10_000}).json()
    assert page["total"] == len(page["sections"])
    return page["sections"]


def test_snapshot_then_changesets_then_a_resume(book, server):
    url, replica = f"{server.url}{BOOK}/changesets", Replica()
    with events(url) as stream:
        name, last_id, data = next(stream)
        assert name == "snapshot" and "reset" not in data
        replica.snapshot(data)
        assert replica.sections == published(book)

        book.post(f"{BOOK}/sections/people/elements", params={"at": 1, "reload": "true"},
                  json={"value": {"name": "Barbara", "age": 80}})
        book.post(f"{BOOK}/operations", json={"reload": True, "operations": [
            {"op": "moveElement", "section": "people", "from": 0, "to": 0, "toSection": "others"},
            {"op": "patchSection", "section": "people", "patch": {"headerTitle": "Persons"}},
            {"op": "removeElement", "section": "people", "element": "Alan"},
        ]})
        for _ in range(2):
            name, last_id, data = next(stream)
            assert name == "changeset" and last_id == f"{data['epoch']}-{data['version']}"
            replica.changeset(data)
        assert replica.sections == published(book)

    for age in range(3):
        book.patch(f"{BOOK}/sections/people/elements/Grace", params={"reload": "true"}, json={"age": age})
    with events(url, last_id) as stream:
        name, _, data = next(stream)
        assert (name, data["from"], data["version"]) == ("resumed", replica.version, replica.version + 3)
        name, last_id, data = next(stream)
        assert (name, data["from"], data["version"]) == ("changeset", replica.version, replica.version + 3)
        replica.changeset(data)
        assert replica.sections == published(book)


def test_catching_up_one_by_one_gives_every_version(book, server):
    url, replica = f"{server.url}{BOOK}/changesets", Replica()
    with events(url) as stream:
        _, last_id, data = next(stream)
        replica.snapshot(data)
    for age in range(3):
        book.patch(f"{BOOK}/sections/people/elements/Grace", params={"reload": "true"}, json={"age": age})
    with events(f"{url}?catchup=each", last_id) as stream:
        assert next(stream)[0] == "resumed"
        for _ in range(3):
            name, _, data = next(stream)
            assert name == "changeset" and data["version"] == data["from"] + 1
            replica.changeset(data)
    assert replica.sections == published(book)


def test_a_value_that_no_cell_shows_is_replaced_beside_the_stages(book, server):
    url, replica = f"{server.url}{BOOK}/changesets", Replica()
    adapter = book.get(f"{BOOK}/adapters/Person").json()
    assert book.put(f"{BOOK}/adapters/Person", json=adapter | {"content": ["/age"]}).status_code == 200
    with events(url) as stream:
        _, first_id, data = next(stream)
        replica.snapshot(data)
        for patch in ({"note": "a"}, {"note": "b", "age": 1}, {"note": "c"}):
            book.patch(f"{BOOK}/sections/people/elements/Grace", params={"reload": "true"}, json=patch)
            name, _, data = next(stream)
            assert name == "changeset" and ("replaced" in data) == ("age" not in patch) == (data["stages"] == [])
            replica.changeset(data)
            assert replica.sections == published(book)
    with events(url) as stream:
        assert next(stream)[2]["sections"] == replica.sections
    with events(url, first_id) as stream:
        data = next(data for name, _, data in stream if name == "changeset")
        assert data["stages"] and "replaced" not in data, "its age is another one: the element is drawn anew"


@pytest.mark.parametrize("unknown", ["nonsense", "zzzz-1", "-", "0-99999999999999999999"])
def test_an_unknown_id_gets_a_snapshot_that_says_so(book, server, unknown):
    with events(f"{server.url}{BOOK}/changesets", unknown) as stream:
        name, _, data = next(stream)
    assert name == "snapshot" and data["reset"]


def test_a_director_made_again_is_another_life(book, server):
    url = f"{server.url}{BOOK}/changesets"
    with events(url) as stream:
        _, last_id, first = next(stream)
        book.delete(BOOK)
        name, _, data = next(stream)
        assert name == "end" and data["reason"]
        assert next(stream, None) is None, "the connection closes after `end`"
    book.put(BOOK, json={"kind": "table"})
    with events(url, last_id) as stream:
        name, _, data = next(stream)
    assert name == "snapshot" and data["reset"] and data["epoch"] != first["epoch"]


def change(dice: random.Random, client: httpx.Client, number: int) -> None:
    """One random change that fits whatever the list is now."""
    sections = client.get(f"{BOOK}/sections", params={"limit": 10_000}).json()["sections"]
    full = [index for index, section in enumerate(sections) if section["elements"]]
    kinds = ["addSection"] + ["removeSection", "moveSection", "addElement", "retitle"] * bool(sections)
    kinds += ["patch", "removeElement", "moveElement", "moveElement"] * bool(full)
    kind = dice.choice(kinds)
    at = dice.choice(full) if full and kind in ("patch", "removeElement", "moveElement") else None
    at = dice.randrange(len(sections)) if at is None and sections else at
    size = len(sections[at]["elements"]) if sections else 0
    person = {"value": {"name": f"person {dice.randrange(12)}", "age": number}}
    match kind:
        case "addSection":
            operation = {"op": "addSections", "at": dice.randint(0, len(sections)), "sections": [
                {"id": f"section {number}", "elements": [person][: dice.randrange(2)]}]}
        case "removeSection":
            operation = {"op": "removeSections", "at": [at]}
        case "moveSection":
            operation = {"op": "moveSection", "from": at, "to": dice.randrange(len(sections))}
        case "retitle":
            operation = {"op": "patchSection", "section": f"@{at}", "patch": {"headerTitle": f"title {number}"}}
        case "addElement":
            operation = {"op": "addElements", "section": f"@{at}", "at": dice.randint(0, size), "elements": [person]}
        case "patch":
            operation = {"op": "patchElement", "section": f"@{at}", "element": f"@{dice.randrange(size)}",
                         "patch": {"age": -number}}
        case "removeElement":
            operation = {"op": "removeElements", "section": f"@{at}", "at": [dice.randrange(size)]}
        case "moveElement":
            to_section = dice.randrange(len(sections))
            room = len(sections[to_section]["elements"]) - (to_section == at)
            operation = {"op": "moveElement", "section": f"@{at}", "from": dice.randrange(size),
                         "toSection": f"@{to_section}", "to": dice.randint(0, room)}
    client.post(f"{BOOK}/operations", json={"operations": [operation]})


def test_random_changes_arrive_as_they_were_published(book, server):
    """Names repeat on purpose, so that elements with one identity and moves between sections are common."""
    print(f"seed: CALLBOARD_TEST_SEED={SEED}")
    dice, url, replica, last_id = random.Random(SEED), f"{server.url}{BOOK}/changesets", Replica(), None
    number = 0
    for _ in range(12):
        with events(url, last_id) as stream:
            name, last_id, data = next(stream)
            if name == "snapshot":
                assert replica.version is None, "a resume that could be had was not given"
                replica.snapshot(data)
            elif data["version"] > data["from"]:
                _, last_id, data = next(stream)
                replica.changeset(data)
            assert replica.sections == published(book)
            for _ in range(5):
                for _ in range(dice.randint(1, 4)):
                    number += 1
                    change(dice, book, number)
                answer = book.post(f"{BOOK}/reload").json()
                if answer["stages"]:
                    _, last_id, data = next(stream)
                    replica.changeset(data)
                assert replica.version == answer["version"]
                assert replica.sections == published(book)
        # Nobody listens to these.
        for _ in range(dice.randint(0, 6)):
            number += 1
            change(dice, book, number)
            if dice.random() < 0.5:
                book.post(f"{BOOK}/reload")


def test_two_directors_on_one_stream(book, server):
    book.put("/v1/directors/menu", json={"kind": "collection"})
    book.put("/v1/directors/menu/adapters/Dish", json={"cell": "DishCell", "identifier": "{name}"})
    replicas = {"book": Replica(), "menu": Replica()}
    with events(f"{server.url}/v1/changesets?director=book&director=menu") as stream:
        for _ in range(2):
            name, last_id, data = next(stream)
            assert name == "snapshot"
            replicas[data["director"]].snapshot(data)
        book.post("/v1/directors/menu/sections", params={"reload": "true"},
                  json={"id": "today", "elements": [{"value": {"name": "Soup"}}]})
        name, last_id, data = next(stream)
        assert (name, data["director"]) == ("changeset", "menu")
        replicas["menu"].changeset(data)
    book.patch(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"}, json={"age": 1})
    with events(f"{server.url}/v1/changesets?director=book&director=menu", last_id) as stream:
        for name, _, data in stream:
            assert name in ("resumed", "changeset")
            if name == "changeset":
                break
    assert data["director"] == "book" and data["from"] == replicas["book"].version
    replicas["book"].changeset(data)
    assert replicas["book"].sections == published(book)


def test_the_replica_refuses_what_does_not_fit():
    """The oracle itself: a copy that takes anything would prove nothing."""
    def fresh() -> Replica:
        return Replica("e", 1, [{"id": "a", "elements": [{"id": "x"}, {"id": "y"}]}, {"id": "b", "elements": []}])

    def apply(*stages: dict, elements: int = 2, sections: int = 2) -> list[dict]:
        replica = fresh()
        replica.changeset({"epoch": "e", "from": 1, "version": 2, "stages": list(stages),
                           "counts": {"sections": sections, "elements": elements}})
        return replica.sections

    assert [e["id"] for e in apply({"elementMoved": [{"from": [0, 0], "to": [1, 0]}]})[1]["elements"]] == ["x"]
    assert [s["id"] for s in apply({"sectionMoved": [{"from": 0, "to": 1}]})] == ["b", "a"]
    for stages in [
        [{"elementDeleted": [[0, 2]]}],
        [{"elementDeleted": [[0, -1]]}],
        [{"elementDeleted": [[0, 0], [0, 0]]}],
        [{"sectionInserted": [{"at": 4, "section": {"id": "c"}}]}],
        [{"elementInserted": [{"at": [2, 0], "element": {}}]}],
        [{"elementDeleted": [[0, 0]]}],  # the counts are wrong then
        [{"sectionDeleted": [0], "elementUpdated": []}],
        [{"elementInserted": []}, {"elementDeleted": []}],
    ]:
        with pytest.raises(DoesNotFit):
            apply(*stages)
