"""The console's first minute: a sample that moves, the palette, rows by their preview, and an hour of charts."""

import time

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

SAMPLE = "/v1/directors/sample-countries"


def palette(page, typed: str = "") -> None:
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    page.one("dialog.palette input")
    page.type(typed)


def choices(page) -> list[str]:
    return page.js("return [...document.querySelectorAll('.palette [role=option]')].map(each => each.innerText.replace('\\n', ' / '))")


def test_an_empty_server_shows_a_list_that_moves_and_stops_when_it_is_told_to(server, http, console):
    page = console(server)
    page.click("button", "Try a sample list")
    page.one("h1", "sample-countries")
    page.shows("Egypt", "Cairo", "This sample changes once a second")
    version = http.get(SAMPLE).json()["version"]
    page.until(lambda: http.get(SAMPLE).json()["version"] > version + 2)
    page.until(lambda: f"version {http.get(SAMPLE).json()['version']}" in page.text)
    page.assert_accessible()
    page.click("button", "Stop the changes")
    page.shows("This sample does not change at the moment.")
    version = http.get(SAMPLE).json()["version"]
    time.sleep(3)
    # One change may have been on its way.
    assert http.get(SAMPLE).json()["version"] <= version + 1
    page.click("button", "Let it change")
    page.until(lambda: http.get(SAMPLE).json()["version"] > version + 2)
    page.click("button", "Stop the changes")
    # Another list of that name is nobody's sample to replace.
    page.open("/")
    page.hides("Try a sample list")


def test_the_palette_leads_to_lists_elements_pages_and_actions(server, http, console):
    for name in ("menu", "people"):
        http.put(f"/v1/directors/{name}", json={"kind": "table"})
    http.put("/v1/directors/people/adapters/Person", json={"cell": "PersonCell"})
    http.put("/v1/directors/people/sections?reload=true", json=[
        {"id": "all", "elements": [{"value": {"id": f"p{number}", "name": f"Person {number}"}} for number in range(200)]}])
    page = console(server)
    page.one("tbody a", "people")
    palette(page, "peop")
    page.until(lambda: choices(page) == ["people / List"])
    page.assert_accessible()
    page.press("Enter")
    page.one("h1", "people")
    page.shows("Person 7")
    palette(page, "p187")
    page.until(lambda: choices(page) == ["p187 / Element of all"])
    page.press("Enter")
    page.one(".row[aria-selected='true'] .title", "Person 187")
    palette(page, "serv")
    page.until(lambda: "Server / Page" in choices(page))
    page.press("Enter")
    page.one("h1", "Server")
    palette(page, "shortcuts")
    page.until(lambda: choices(page) == ["Show the shortcuts / Action"])
    page.press("Enter")
    page.one("dialog h2", "Keyboard shortcuts")
    page.press("Escape")
    palette(page, "nothing at all")
    page.shows("Nothing has that name.")
    page.press("Enter", "Escape")
    page.hides("Nothing has that name.")
    page.one("h1", "Server")


def test_rows_are_drawn_by_their_preview_and_markup_in_it_is_text(server, http, console):
    http.put("/v1/directors/menu", json={"kind": "table"})
    dish = {"cell": "DishCell"}
    http.put("/v1/directors/menu/adapters/Dish", json=dish)
    values = [{"id": "a", "name": "Soup", "price": {"amount": 3.5}, "state": "hot", "left": 4, "sign": "🍲"},
              {"id": "b", "name": "<b>Cake</b>", "price": {}, "sign": "https://example.org/x.png"}]
    http.put("/v1/directors/menu/sections?reload=true", json=[{"id": "all", "elements": [{"value": each} for each in values]}])

    def rows() -> list[list[str]]:
        return page.js("""return [...document.querySelectorAll(".published .row")].map(row =>
            ["image", "title", "detail", "badge", "trailing"].map(name => {
                const node = row.querySelector("." + name);
                return node.hidden ? "" : node.textContent;
            }))""")

    page = console(server, "/lists/menu")
    page.until(lambda: [row[:2] for row in rows()] == [["", "Soup"], ["", "<b>Cake</b>"]])
    preview = {"title": "{name}", "subtitle": "{/price/amount} EUR", "badge": "{state}", "trailing": "{left} left", "image": "{sign}"}
    http.put("/v1/directors/menu/adapters/Dish", json=dish | {"preview": preview})
    # No other host is asked for a picture, and a part whose members are not there is left out.
    page.until(lambda: rows() == [["🍲", "Soup", "3.5 EUR", "hot", "4 left"], ["", "<b>Cake</b>", "", "", ""]], f"{rows()}")
    page.assert_accessible()
    page.open("/lists/menu/changesets")
    page.shows("hot · 3.5 EUR · 4 left")


def test_the_charts_begin_with_what_the_server_has_kept(server, http, console):
    http.put("/v1/directors/menu", json={"kind": "table"})
    deadline = time.monotonic() + 60
    while len(http.get("/v1/metrics/history").json()["times"]) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.5)
    page = console(server, "/server")
    page.shows("Connections")
    # Two lines at once: the readings before the page was opened.
    drawn = "return document.querySelectorAll('.chart')[4].querySelector('.trace.second').getAttribute('d')"
    page.until(lambda: (page.js(drawn) or "").count("L") >= 2)
    # One cursor for all charts.
    page.js("arguments[0].focus()", page.all(".chart")[0])
    page.press("ArrowLeft", "ArrowLeft")
    times = page.js("return [...document.querySelectorAll('.chart .time')].map(each => each.textContent)")
    assert len(set(times)) == 1 and times[0].count(":") == 2, times
