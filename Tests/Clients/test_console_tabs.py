"""The tabs of a list in the console: each has an address of its own, and is about that list alone."""

import pytest

from conftest import BOOK
from support.access import caller, first_token, make_menu, make_token
from support.hooks import client_of, fill, register
from support.receiver import FAILS

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")


def hash_of(page) -> str:
    return page.js("return location.hash")


def tabs(page) -> list[str]:
    return [each.text for each in page.all(".tabs a")]


def test_every_tab_is_about_its_list_and_has_an_address(start, receiver, console):
    server = start(HOOKS_RETRY_DELAYS="30")
    with client_of(server) as client:
        fill(client)
        register(client, receiver, f"{BOOK}/adapters/Person/events/didSelect")
        receiver.on("/hook", FAILS)
        other = "/v1/directors/other"
        client.put(other, json={"kind": "table"})
        client.put(f"{other}/events/didScroll", json={"url": f"{receiver.url}/other"})
        client.post(f"{BOOK}/events", json={"event": "didSelect", "indexPath": [0, 0]})
        page = console(server, "/lists/book")
        page.shows("live")
        assert tabs(page) == ["Content", "Changesets", "Hooks", "Deliveries", "Streams", "Views"]
        for name, text in [("Changesets", "Step "), ("Hooks", "cell of Person"), ("Deliveries", "waits"),
                           ("Streams", "Nobody follows this list"), ("Views", "No view follows from this list yet.")]:
            page.click(".tabs a", name)
            page.shows(text)
            assert hash_of(page).startswith(f"#/lists/book/{name.lower()}")
            assert page.one(".tabs a[aria-current=page]").text == name
            assert page.driver.title == f"{name} of book · Callboard" and page.focused.startswith("book")
            assert "other" not in page.one("main").text
            page.assert_accessible()
            page.assert_fits(360)
        client.put("/v1/directors/some", json={"kind": "table", "view": {"from": "book", "where": {">": [{"var": "value.age"}, 40]}}})
        page.one("tbody a", "some").click()
        page.one("h1", "some")
        page.shows("Follows from")
        # The filters of a tab are in its address.
        page.open("/lists/book/deliveries?status=dead")
        page.shows("Nothing waits")
        page.one(".page-deliveries select option[value=pending]").click()
        page.until(lambda: hash_of(page) == "#/lists/book/deliveries?status=pending")


def test_earlier_addresses_lead_to_the_tab(server, book, console):
    page = console(server, "/changesets")
    page.one("h1", "Lists")
    page.open("/changesets/book")
    page.until(lambda: hash_of(page).startswith("#/lists/book/changesets?from=0&to=1"))
    page.driver.back()
    page.until(lambda: page.driver.current_url == "about:blank")


def test_a_tab_that_the_rights_do_not_allow_is_left_out(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_menu(client)
        token = make_token(client, [{"actions": ["read"], "directors": ["*"]}])["token"]
    page = console(server, "/lists/menu-lunch").sign_in(token)
    page.shows("live")
    assert tabs(page) == ["Content", "Changesets", "Views"]
    page.open("/lists/menu-lunch/hooks")
    page.shows("You may not see or change hooks")
