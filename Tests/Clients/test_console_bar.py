"""The console's bar of pages: beside the page, folded, and as a menu on a phone."""

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

PAGES = ["Lists", "Hooks", "Deliveries", "Streams", "Server", "Access"]


def width_of_bar(page) -> float:
    return page.js("return document.querySelector('header').getBoundingClientRect().width")


def test_the_bar_folds_to_its_signs_and_stays_so(server, http, console):
    page = console(server)
    assert [each.text for each in page.all("header nav a")] == PAGES
    assert width_of_bar(page) > 200
    page.tab_to("Fold the side bar")
    page.press("Enter")
    page.until(lambda: width_of_bar(page) < 70)
    assert page.focused == "Unfold the side bar"
    page.assert_accessible()
    try:
        page.reload()
        page.one("h1", "Lists")
        assert width_of_bar(page) < 70
        # Signs have the names of their pages.
        page.tab_to("Server")
        page.press("Enter")
        page.one("h1", "Server")
        assert page.js("return document.querySelector('header nav a[aria-current]').title") == "Server"
        page.tab_to("Unfold the side bar")
        page.press("Enter")
        page.until(lambda: width_of_bar(page) > 200)
    finally:
        page.js("localStorage.clear()")


def test_a_window_without_much_room_begins_with_the_bar_folded(server, http, console):
    page = console(server, width=1000)
    page.one("h1", "Lists")
    assert width_of_bar(page) < 70
    assert page.js("return localStorage.length") == 0
    page.assert_accessible()


def test_on_a_phone_the_pages_are_in_a_menu(server, http, console):
    page = console(server, width=390, height=844)
    page.one("h1", "Lists")
    assert not page.one("header").find_element("css selector", "nav").is_displayed()
    page.tab_to("Menu")
    page.press("Enter")
    page.one("header nav a", "Access")
    assert [each.text for each in page.all("header nav a")] == PAGES
    assert page.one(".open-menu").get_attribute("aria-expanded") == "true"
    page.assert_accessible()
    assert page.js("return document.documentElement.scrollWidth") <= 390
    page.press("Escape")
    page.until(lambda: not page.one("header").find_element("css selector", "nav").is_displayed())
    assert page.focused == "Menu"
    page.press("Enter")
    page.click("header nav a", "Access")
    page.one("h1", "Access")
    assert page.one(".open-menu").get_attribute("aria-expanded") == "false"
    page.click(".open-menu")
    page.one("header nav a", "Hooks")
    page.js("document.querySelector('main').click()")
    page.until(lambda: page.one(".open-menu").get_attribute("aria-expanded") == "false")
