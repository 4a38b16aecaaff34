"""`POST …/scroll`: subscribers are told to bring an element into view; nothing is stored."""

import pytest

from conftest import BOOK
from support import protocol
from support.hooks import done
from test_views import events

PLACES = {
    "an element": ({"section": "friends", "element": "Ada"}, [0, 1]),
    "an element by positions": ({"section": "@first", "element": "@last"}, [0, 2]),
    "an index path": ({"indexPath": [1, 0]}, [1, 0]),
    "a section": ({"section": "settings"}, [1, 0]),
    "a row": ({"section": "settings", "row": "shown"}, [1, 1]),
}
REFUSED = {
    "nothing": ({}, 422, ""), "a place of nothing": ({"to": {}}, 422, "/to"),
    "two places": ({"to": {"indexPath": [0, 0], "section": "friends"}}, 422, "/to"),
    "a row's element": ({"to": {"section": "settings", "row": "shown", "element": "@0"}}, 422, "/to"),
    "an unknown member": ({"to": {"section": "friends", "item": 1}}, 422, "/to/item"),
    "an unknown position": ({"to": {"section": "friends"}, "position": "centre"}, 422, "/position"),
    "no truth value": ({"to": {"section": "friends"}, "animated": 1}, 422, "/animated"),
    "an element that is not there": ({"to": {"section": "friends", "element": "Nobody"}}, 422, "/to"),
    "a section without elements": ({"to": {"section": "empty"}}, 422, "/to"),
    "a hidden row": ({"to": {"section": "settings", "row": "hidden"}}, 422, "/to/row"),
    "a place far away": ({"to": {"indexPath": [0, 2147483647]}}, 422, "/to"),
    "a place below all": ({"to": {"indexPath": [-1, 0]}}, 422, "/to/indexPath"),
}


@pytest.fixture
def book(http):
    """A director with three friends, two settings by rows of which one is hidden, and a section without elements."""
    done(http.put(BOOK, json={"kind": "table"}))
    done(http.put(f"{BOOK}/adapters/Contact", json={"cell": "ContactCell", "identifier": "{name}"}))
    friends = [{"value": {"name": name}} for name in ("Bob", "Ada", "Eve")]
    rows = [{"id": "first", "type": "constant", "cell": "a"}, {"id": "shown", "type": "constant", "cell": "b"},
            {"id": "hidden", "type": "constant", "cell": "c", "hideWhen": True}]
    for section in ({"id": "friends", "elements": friends}, {"id": "settings", "rows": rows}, {"id": "empty", "elements": []}):
        done(http.post(f"{BOOK}/sections", params={"reload": "true"}, json=section))
    return http


@pytest.mark.parametrize("place", PLACES)
def test_subscribers_are_told_where_the_element_is(book, server, place):
    to, path = PLACES[place]
    version = book.get(BOOK).json()["version"]
    with events(server, BOOK) as stream:
        assert next(stream)[0] == "snapshot"
        answer = done(book.post(f"{BOOK}/scroll", json={"to": to, "position": "middle", "animated": False}))
        name, last, data = next(stream)
    assert (name, data) == ("scroll", answer.json())
    section = book.get(f"{BOOK}/sections/@{path[0]}", params={"state": "published"}).json()
    assert data == {"director": "book", "version": version, "indexPath": path, "section": section["id"],
                    "element": data["element"], "position": "middle", "animated": False}
    shown = book.get(f"{BOOK}/elements", params={"state": "published"}).json()["elements"]
    assert [each["id"] for each in shown if each["indexPath"] == path] == [data["element"]]
    assert last.endswith(f"-{version}") and book.get(BOOK).json()["version"] == version


def test_the_nearest_place_with_an_animation_is_meant_where_nothing_else_is_said(book):
    told = done(book.post(f"{BOOK}/scroll", json={"to": {"section": "friends"}})).json()
    assert (told["position"], told["animated"], told["element"]) == ("none", True, "Bob")


def test_it_speaks_of_the_published_state(book):
    done(book.post(f"{BOOK}/sections/friends/elements", json={"value": {"name": "New"}}))
    with protocol.client(base_url=book.base_url) as client:
        to = {"to": {"section": "friends", "element": "New"}}
        assert client.post(f"{BOOK}/scroll", json=to).status_code == 422
        assert client.post(f"{BOOK}/reload").status_code == 200
        assert client.post(f"{BOOK}/scroll", json=to).json()["indexPath"] == [0, 3]


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_refused_with_its_place(book, what):
    body, status, pointer = REFUSED[what]
    with protocol.client(base_url=book.base_url) as client:
        answer = client.post(f"{BOOK}/scroll", json=body)
    assert answer.status_code == status, answer.text
    assert any(fault["pointer"].startswith(pointer) for fault in answer.json()["errors"]), answer.text
