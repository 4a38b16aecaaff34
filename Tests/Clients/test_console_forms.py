"""The fields of an element's value in the console, and its JSON beside them: both say the same."""

import json

import pytest

from conftest import BOOK

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

ATTACK = "<img src=x onerror='window.ran=1'>"
RICH = {"name": "Rich", "age": 50.50, "isOpen": True, "address": {"city": "Turin"}, ATTACK: ATTACK}


def names(page, place: str) -> list[str]:
    return page.js("return [...document.querySelectorAll(arguments[0] + ' .value-fields label')].map(each => each.textContent)", place)


def retype(page, name: str, text: str) -> None:
    page.tab_to(name, 200)
    page.press("Control+a", "Delete")
    page.type(text)


def as_json(page, place: str):
    return json.loads(page.one(f"{place} .as-json textarea").get_attribute("value"))


def stored(client, name: str):
    return client.get(f"{BOOK}/elements", params={"id": name}).json()["elements"][0]["value"]


def test_fields_and_json_are_kept_in_step(server, book, console):
    book.post(f"{BOOK}/sections/others/elements", params={"reload": "true"}, content=json.dumps({"value": RICH}).replace("50.5", "50.50"),
              headers={"Content-Type": "application/json"})
    page = console(server, "/lists/book")
    page.click(".screen .row", "Rich")
    page.until(lambda: names(page, ".inspector") == list(RICH))
    page.assert_accessible()
    page.assert_fits(360)
    retype(page, "name", "Richard")
    retype(page, "age", "51.250")
    assert '"age": 51.250' in page.one(".as-json textarea").get_attribute("value")
    page.tab_to("isOpen")
    page.press("Space")
    retype(page, "address", '{"city": "Rome"')
    page.one(".fault", "This is not JSON")
    assert "address" not in as_json(page, ".inspector")
    page.click(".inspector button", "Save")
    page.one(".inspector .problem", "address: This is not JSON")
    assert stored(book, "Rich") == RICH
    page.assert_accessible()
    page.tab_to("address", 200)
    page.press("End")
    page.type("}")
    page.until(lambda: list(as_json(page, ".inspector").items())[3] == ("address", {"city": "Rome"}))
    retype(page, "age", "many")
    page.one(".fault", "This is not a number.")
    retype(page, "age", "")
    page.until(lambda: "age" not in as_json(page, ".inspector"))
    # And from the JSON into the fields.
    page.one(".as-json textarea").click()
    page.press("Control+a")
    page.type('{"name": "Richard", "isOpen": true, "new": [1]')
    page.one(".as-json .fault", "This is not JSON")
    page.type("}")
    page.until(lambda: names(page, ".inspector") == ["name", "isOpen", "new", "age", "address", ATTACK])
    assert page.one(".value-fields [role=switch]").is_selected()
    page.press("Control+Enter")
    page.one(".toast p", "Rich was saved.")
    assert stored(book, "Richard") == {"name": "Richard", "isOpen": True, "new": [1]}
    assert page.js("return window.ran") is None and not page.all("main img")


def test_a_new_element_has_the_fields_that_others_have(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    page.press("a")
    page.until(lambda: names(page, "dialog") == ["name", "age"])
    page.until(lambda: page.focused == "name")
    page.assert_accessible()
    page.press("Control+a")
    page.type("Barbara")
    page.press("Tab")
    page.type("7x")
    page.one("dialog .fault", "This is not a number.")
    page.click("dialog button", "Add")
    page.one("dialog .problem", "age: This is not a number.")
    retype(page, "age", "68")
    assert as_json(page, "dialog") == {"name": "Barbara", "age": 68}
    # What is typed is put back, in the fields too.
    page.press("Escape")
    page.until(lambda: not page.all("dialog"))
    page.press("a")
    page.until(lambda: page.js("return [...document.querySelectorAll('dialog .value-fields input')].map(each => each.value)") == ["Barbara", "68"])
    page.click("dialog button", "Begin anew")
    page.until(lambda: page.js("return document.querySelector('dialog .value-fields input').value") == "new")
    retype(page, "name", "Barbara")
    page.press("Enter")
    page.until(lambda: not page.all("dialog"))
    assert stored(book, "Barbara") == {"name": "Barbara"}


def test_who_may_only_read_sees_the_fields_and_changes_none(start, console):
    from support.access import caller, first_token, make_menu, make_token
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_menu(client)
        token = make_token(client, [{"actions": ["read"], "directors": ["*"]}])["token"]
    page = console(server, "/lists/menu-lunch").sign_in(token)
    page.click(".screen .row", "Soup")
    page.until(lambda: "name" in names(page, ".inspector"))
    assert page.js("return [...document.querySelectorAll('.value-form :is(input, textarea)')].every(each => each.readOnly || each.disabled)")
    page.assert_accessible()


def test_a_first_element_adds_what_is_not_there_by_now(server, http, console):
    """The dialog has been opened while the list had no section and no adapter; somebody else adds both."""
    path = "/v1/directors/fresh"
    http.put(path, json={"kind": "table"})
    page = console(server, "/lists/fresh")
    page.click("button", "Add an element")
    page.one("dialog .value-fields input")
    page.shows("the section “items” and the adapter “Item” is added")
    http.put(f"{path}/adapters/Item", json={"cell": "Another", "identifier": "{id}"})
    http.post(f"{path}/sections", json={"id": "items", "headerTitle": "Mine", "elements": []})
    page.click("dialog button[type=submit]", "Add")
    page.until(lambda: http.get(f"{path}/elements").json()["total"] == 1)
    [section] = http.get(f"{path}/sections", params={"elements": "false"}).json()["sections"]
    assert section["headerTitle"] == "Mine" and section["count"] == 1
    assert http.get(f"{path}/adapters/Item").json()["cell"] == "Another"
