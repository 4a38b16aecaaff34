"""Finding elements of a list in the console: by identifier, and by a text, which the server looks for."""

import pytest

from conftest import BOOK

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

ATTACK = "<img src=x onerror='window.ran=1'>"


def find(page, wanted: str) -> None:
    page.js("document.activeElement.blur()")
    page.press("/")
    page.until(lambda: page.focused == "Find an element")
    page.press("Control+a")
    page.type(wanted)
    page.press("Enter")


def found(page) -> list[str]:
    return [each.text for each in page.all(".finder li small")]


def test_an_identifier_or_a_text_leads_to_an_element(server, book, console):
    book.post(f"{BOOK}/sections/others/elements", params={"reload": "true"}, json=[
        {"value": {"name": ATTACK, "address": {"city": "Turin"}}}, {"value": {"name": "TURING", "age": 72}}])
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    find(page, "Edsger")
    page.one(".inspector h2", "Edsger")
    page.one(".finder .note", "Edsger is at [1, 0].")
    page.until(lambda: page.focused == "Published list book")
    find(page, "turin")
    page.one(".finder .note", "2 elements have turin")
    assert found(page) == [ATTACK, "TURING"]
    page.assert_accessible()
    page.assert_fits(360)
    page.press("ArrowDown", "ArrowDown", "Enter")
    page.one(".inspector h2", "TURING")
    find(page, "72")
    page.until(lambda: found(page) == ["Edsger", "TURING"])
    find(page, "nobody")
    page.one(".finder .note", "No element has nobody in one of these: identifier, name, address.city.")
    assert found(page) == []
    book.post(f"{BOOK}/sections/people/elements", json={"value": {"name": "Barbara"}})
    find(page, "Barbara")
    page.one(".finder .note", "Barbara is in section people of the working state, but not published.")
    page.press("Control+a", "Delete")
    page.until(lambda: not page.all(".finder .note")[0].text)
    assert page.js("return window.ran") is None


def test_an_element_far_down_a_long_list_is_loaded_and_selected(server, book, console):
    rows = 300_000
    for start in range(0, rows, 100_000):
        values = [{"name": f"n{n}", "city": "Turin" if n % 10_000 == 7 else "Rome"} for n in range(start, start + 100_000)]
        book.post(f"{BOOK}/sections/others/elements", params={"model": "Person"}, json=values)
    book.post(f"{BOOK}/reload", params={"elements": "false"})
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    find(page, "n234567")
    page.one(".inspector h2", "n234567")
    page.one(".screen .row[aria-selected=true]", "n234567")
    page.until(lambda: page.focused == "Published list book")
    find(page, "turin")
    page.one(".finder .note", "30 elements have turin; the first 20 are shown.")
    page.click(".finder li button", "n190007")
    page.one(".screen .row[aria-selected=true]", "n190007")
    # A newer question takes the place of the one before.
    find(page, "Rome")
    page.one(".finder .note", "299,970 elements have Rome")
