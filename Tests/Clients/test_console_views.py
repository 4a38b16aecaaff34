"""The console's page of a view, and the dialog that makes one with a preview of what belongs, in Chromium."""

import json
import os

import pytest

from support.access import caller, first_token, make_token
from test_views import GRILL, ORDERS, add, define, identifiers, make_orders, order

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

OPEN_AND_DEAR = {"and": [{"==": [{"var": "value.station"}, "grill"]}, {">": [{"var": "value.price"}, 2]}]}


def picture(page, name: str) -> None:
    """Keeps a screenshot where CALLBOARD_PICTURES says."""
    if folder := os.environ.get("CALLBOARD_PICTURES"):
        page.driver.save_screenshot(f"{folder}/{name}.png")


@pytest.fixture
def orders(http):
    make_orders(http)
    add(http, *(order(number, dish=f"Dish {number}") for number in range(1, 5)), order(5, station="bar", dish="Tea"))
    return http


def write(page, selector: str, text: str) -> None:
    page.one(selector).click()
    page.press("Control+a")
    page.type(text)


def test_a_view_is_made_with_a_preview_of_what_belongs_and_why(server, orders, console):
    page = console(server, "/lists/orders/views")
    page.shows("No view follows from this list yet.")
    page.click("button", "New view")
    page.shows("5 of 5 elements belong")
    page.tolerate(422)
    write(page, "dialog input", "dear")
    write(page, "dialog textarea", json.dumps({"from": "orders", "where": {"and": [1, {"nope": 1}]}}))
    page.shows("nope")
    write(page, "dialog textarea", json.dumps({"from": "orders", "where": OPEN_AND_DEAR, "sortBy": [
        {"key": {"var": "value.price"}, "order": "descending"}]}))
    page.shows("2 of 5 elements belong")
    assert [each.text for each in page.all("dialog .conditions dt")] == ["4", "3"]
    assert "Dish 4" in page.all("dialog .first li")[0].text
    page.assert_accessible()
    picture(page, "new-view")
    page.click("dialog button", "Create")
    page.shows("Follows from", "orders", "Instances")
    page.until(lambda: identifiers(orders, "/v1/directors/dear") == ["4", "3"])
    page.until(lambda: page.js("return document.querySelectorAll('.screen .row').length") == 2)
    add(orders, order(6, dish="Dish 6"))
    page.until(lambda: page.js("return document.querySelectorAll('.screen .row').length") == 3)
    page.assert_accessible()
    picture(page, "view")


def test_the_page_of_a_view_offers_nothing_that_its_source_decides(server, orders, console):
    define(orders, "grill", GRILL | {"totals": {"amount": {"sum": {"var": "value.price"}}}})
    page = console(server, "/lists/grill")
    page.shows("Follows from", "amount: 10", "Definition")
    page.click(".screen .row")
    page.until(lambda: page.one(".inspector h2"))
    page.hides("Add an element", "Add an adapter", "Add a section", "Reload with each change", "Add a variable")
    page.click("button", "Edit the view")
    page.shows("depends on parameters or claims")
    write(page, "dialog textarea", json.dumps({"from": "orders", "where": {"==": [{"var": "value.station"}, "bar"]}}))
    page.shows("1 of 5 elements belong")
    page.click("dialog button", "Save")
    page.until(lambda: page.js("return document.querySelectorAll('.screen .row').length") == 1)
    page.open("/")
    page.shows("view of orders")
    picture(page, "lists")
    for width in (390, 900):
        page.open("/lists/grill")
        page.shows("Follows from")
        page.assert_fits(width)
    picture(page, "view-narrow")


def test_who_may_read_a_view_alone_sees_it_without_its_instances(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as admin:
        make_orders(admin)
        define(admin, "grill", {"from": "orders"})
        add(admin, order(1))
        token = make_token(admin, [{"actions": ["read"], "directors": ["grill"]}], name="reader")["token"]
    page = console(server).sign_in(token)
    page.open("/lists/grill")
    page.shows("Follows from")
    page.hides("Edit the view", "Instances", "New view")
