"""The console's page of one list, in Chromium in front of a real server."""

import json
import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from conftest import BOOK
from support.hooks import client_of, fill, register
from support.receiver import FAILS, content

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

ATTACK = "<img src=x onerror='window.ran=1'><script>window.ran=1</script><b>bold</b>"


def titles(page) -> list[str]:
    return page.js("return [...document.querySelectorAll('.screen .row .title')].map(each => each.innerText)")


def published(client) -> list[str]:
    return [each["id"] for each in client.get(f"{BOOK}/elements", params={"state": "published"}).json()["elements"]]


def working(client) -> list[str]:
    return [each["id"] for each in client.get(f"{BOOK}/elements").json()["elements"]]


def value(client, name: str):
    return client.get(f"{BOOK}/elements", params={"id": name}).json()["elements"][0]["value"]


def select(page, title: str, name: str = "") -> None:
    page.click(".screen .row", title)
    page.one(".inspector h2", name or title)
    page.until(lambda: page.one(".inspector textarea").get_attribute("value"), "the value was not read")


def put(page, text: str) -> None:
    """Types a value in place of the one that is there."""
    page.one(".inspector textarea").click()
    page.press("Control+a")
    page.type(text)


def test_the_published_list_is_shown_and_follows_every_change(server, book, console):
    page = console(server, "/lists/book")
    page.until(lambda: titles(page) == ["Ada", "Grace", "Alan", "Edsger"])
    page.shows("People", "live", "version 1", "age 36", "It is what is published")
    node = page.one(".screen .row", "Grace")
    for number in range(30):
        name = f"person {number}"
        book.post(f"{BOOK}/operations", json={"reload": True, "operations": [
            {"op": "addElements", "section": "people", "at": "@first", "elements": [{"value": {"name": name, "age": number}}]},
            {"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": number}},
            {"op": "moveElement", "section": "others", "from": 0, "to": 0, "toSection": "people"} if number == 7
            else {"op": "moveElement", "section": "people", "from": "@last", "to": 1}]})
    page.until(lambda: titles(page) == published(book))
    assert node == page.one(".screen .row", "Grace"), "the row was made anew"
    page.shows("live", "version 31", "age 29")
    page.assert_accessible()
    page.assert_fits(360)


def test_a_value_is_edited_in_place_by_keyboard_and_shown_by_a_reload(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    page.tab_to("Published list book")
    page.press("ArrowDown", "ArrowDown")
    page.one(".value-fields input")
    page.press("Enter")
    page.until(lambda: page.focused == "name")
    page.tab_to("Value as JSON")
    page.until(lambda: '"Grace"' in page.one(".inspector textarea").get_attribute("value"))
    page.press("Control+a")
    page.type('{"name": "Grace", "age": 86.50, "big": 12345678901234567890')
    page.press("Control+Enter")
    page.one(".inspector .problem", "This is not JSON")
    page.type("}")
    page.tab_to("Dry run")
    page.press("Enter")
    page.one(".result", "1 element updated")
    assert value(book, "Grace") == {"name": "Grace", "age": 85}
    page.press("Shift+Tab", "Shift+Tab")
    assert page.focused == "Save"
    page.press("Enter")
    page.shows("Not yet reloaded", "A reload would send: 1 element updated.", "it is not yet reloaded")
    assert '"value":{"name":"Grace","age":86.50,"big":12345678901234567890}' in book.get(f"{BOOK}/sections/people/elements/Grace").text
    assert page.all(".row.will-change .title")[0].text == "Grace"
    assert published(book) == working(book) and "86.50" not in book.get(f"{BOOK}/sections?state=published").text
    page.assert_accessible()
    page.press("r")
    page.shows("Version 2 was published from here: 1 element updated.", "age 86.5")
    assert "86.50" in book.get(f"{BOOK}/sections?state=published").text


def test_who_was_slower_chooses_which_value_stays(server, book, console):
    page = console(server, "/lists/book")
    page.tolerate(412)
    page.one(".screen .row", "Ada")
    for mine, button, stays in [(1, "Save mine over it", 1), (2, "Take the server's", 90)]:
        select(page, "Ada")
        put(page, json.dumps({"name": "Ada", "age": mine}))
        # A change elsewhere in the list is no conflict: it is saved all the same.
        book.patch(f"{BOOK}/sections/people/elements/Alan", json={"age": mine})
        book.patch(f"{BOOK}/sections/people/elements/Ada", json={"age": 90})
        page.click(".inspector button", "Save")
        page.one(".conflict", "Somebody else has changed this element")
        assert [json.loads(each.text)["age"] for each in page.all(".sides pre")] == [mine, 90]
        assert value(book, "Ada")["age"] == 90
        page.assert_accessible()
        page.click(".conflict button", button)
        page.until(lambda stays=stays: value(book, "Ada")["age"] == stays, f"{stays} does not stay")
        page.until(lambda: not page.all(".conflict"))
    select(page, "Grace")
    put(page, json.dumps({"name": "Grace", "age": 3}))
    book.patch(f"{BOOK}/sections/people/elements/Ada", json={"age": 5})
    page.click(".inspector button", "Save")
    page.until(lambda: value(book, "Grace")["age"] == 3, "a change of another element got in the way")
    assert not page.all(".conflict")


def test_what_is_typed_stays_while_the_list_changes_and_others_are_selected(server, book, console):
    page = console(server, "/lists/book")
    # The element is saved though it is deleted.
    page.tolerate(412)
    page.one(".screen .row", "Ada")
    select(page, "Ada")
    put(page, '{"name": "Ada", "age": 37}')
    page.shows("Changed here, not saved.")
    select(page, "Grace")
    page.hides("Changed here, not saved.")
    book.patch(f"{BOOK}/sections/people/elements/Grace", params={"reload": "true"}, json={"age": 1})
    page.until(lambda: '"age": 1' in page.one(".inspector textarea").get_attribute("value"), "the value is not up to date")
    select(page, "Ada")
    book.post(f"{BOOK}/sections/people/elements", params={"at": "@first", "reload": "true"}, json={"value": {"name": "First"}})
    page.until(lambda: titles(page)[0] == "First")
    assert page.one(".inspector textarea").get_attribute("value") == '{"name": "Ada", "age": 37}'
    book.delete(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"})
    page.until(lambda: "Ada" not in titles(page))
    time.sleep(0.5)
    assert page.one(".inspector textarea").get_attribute("value") == '{"name": "Ada", "age": 37}'
    page.click(".inspector button", "Save")
    page.one(".inspector .problem", "The element is gone meanwhile.")


def test_elements_are_moved_by_dragging_and_by_keyboard(server, book, console):
    page = console(server, "/lists/book?publish")
    page.shows("Ada", "Edsger")
    rows = page.all(".screen .row")
    ActionChains(page.driver).click_and_hold(rows[0]).move_by_offset(0, 20).move_to_element(rows[2]).release().perform()
    page.until(lambda: published(book) == ["Grace", "Alan", "Ada", "Edsger"], "dragging has not moved it")
    page.until(lambda: titles(page) == published(book))
    page.until(lambda: page.js("return !document.getAnimations().length"), "rows still glide to where they go")
    rows = page.all(".screen .row")
    ActionChains(page.driver).click_and_hold(rows[1]).move_by_offset(0, 20).move_to_element(rows[3]).release().perform()
    page.until(lambda: published(book) == ["Grace", "Ada", "Alan", "Edsger"], "dragging has not moved it to another section")
    page.until(lambda: titles(page) == published(book))
    assert len(book.get(f"{BOOK}/sections/others/elements").json()["elements"]) == 2
    page.tab_to("Published list book")
    page.press("Home")
    page.one(".inspector h2", "Grace")
    page.press("Alt+ArrowDown")
    page.until(lambda: published(book) == ["Ada", "Grace", "Alan", "Edsger"])
    page.until(lambda: titles(page) == published(book))
    page.press("Alt+ArrowDown")
    page.until(lambda: book.get(f"{BOOK}/sections/others/elements").json()["elements"][0]["id"] == "Grace")
    page.until(lambda: page.one(".inspector .about").text.startswith("[1, 0]"), "the selection has not followed")
    page.click("#publishes")
    page.tab_to("Published list book")
    page.press("Alt+ArrowDown")
    page.shows("A reload would send: 1 element moved.")
    assert published(book) == ["Ada", "Grace", "Alan", "Edsger"] and working(book) == ["Ada", "Alan", "Grace", "Edsger"]
    page.press("Alt+ArrowUp")
    page.shows("In the working state it is in section people; the next reload moves it there.")


def test_elements_are_added_and_deleted_and_lists_too(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    page.press("a")
    page.one("dialog h2", "Add an element")
    page.assert_accessible()
    page.one("dialog textarea").click()
    page.press("Control+a")
    page.type('{"name": "Barbara"}')
    page.click("dialog button", "Add")
    page.shows("1 element inserted", "Barbara")
    assert working(book) == ["Ada", "Grace", "Alan", "Barbara", "Edsger"]
    select(page, "Ada")
    page.one(".screen [role=listbox]").send_keys("\ue017")
    page.shows("“book”; screens show it until the next reload.")
    assert "/sections/people/elements/Ada" in page.one("dialog pre").text
    page.assert_accessible()
    page.press("Escape")
    assert "Ada" in working(book)
    page.click(".inspector button", "Delete the element")
    page.click("dialog button", "Delete")
    page.until(lambda: "Ada" not in working(book))
    page.one(".row.will-leave", "Ada")
    page.click(".pending button", "Reload")
    page.until(lambda: titles(page) == ["Grace", "Alan", "Barbara", "Edsger"])
    # The page may ask for it just then.
    page.tolerate(404)
    page.click(".top button", "Delete the list")
    page.shows("The list “book” with 4 elements")
    page.click("dialog button", "Delete")
    page.one("h1", "Lists")
    page.shows("No lists yet")


def test_variables_are_switches_and_rows_hide(server, book, console):
    book.put(f"{BOOK}/sections", params={"reload": "true"}, json={"sections": [{"id": "settings", "headerTitle": "Settings", "rows": [
        {"id": "switch", "type": "constant", "cell": "SwitchCell", "value": {"label": "Hide people"}},
        {"id": "people", "type": "model", "model": "Person", "elements": [{"value": {"name": "Ada", "age": 36}}],
         "hideWhen": {"var": "variables.hidden"}}]}]})
    book.put(f"{BOOK}/variables/hidden", json=False)
    book.put(f"{BOOK}/variables/limit", json=5)
    page = console(server, "/lists/book?publish")
    page.until(lambda: titles(page) == ["Hide people", "Ada"])
    page.click("[role=switch][aria-label=hidden]")
    page.until(lambda: titles(page) == ["Hide people"])
    assert book.get(f"{BOOK}/variables").json()["variables"] == {"hidden": True, "limit": 5}
    page.tab_to("limit")
    page.press("Control+a")
    page.type("[1, 2.50]")
    page.press("Tab")
    page.until(lambda: book.get(f"{BOOK}/variables/limit").text == "[1,2.50]", book.get(f"{BOOK}/variables/limit").text)
    book.put(f"{BOOK}/variables/hidden", params={"reload": "true"}, json=False)
    page.until(lambda: titles(page) == ["Hide people", "Ada"])
    page.until(lambda: not page.one("[role=switch][aria-label=hidden]").is_selected(), "the switch is not up to date")
    select(page, "Hide people", "switch")
    put(page, '{"label": "Hide them"}')
    page.click(".inspector button", "Save")
    page.until(lambda: titles(page) == ["Hide them", "Ada"])
    page.click("[role=switch][aria-label='settings collapsed']")
    page.until(lambda: titles(page) == [])
    page.assert_accessible()


def test_a_tap_reaches_its_hook_and_the_answer_is_seen(start, receiver, console):
    server = start(HOOKS_RETRY_DELAYS="30")
    with client_of(server) as client:
        fill(client)
        register(client, receiver, f"{BOOK}/adapters/Person/events/didSelect")
        register(client, receiver, f"{BOOK}/adapters/Pet/events/didSelect", "/pets")
        client.put(f"{BOOK}/adapters/Person/events/rowHeight", json={"default": 52})
        receiver.on("/hook", content({"operations": [{"op": "removeElement", "section": "people", "element": "Ada"}], "reload": True}))
        receiver.on("/pets", FAILS)
        page = console(server, "/lists/book")
        page.shows("Rex")
        page.tab_to("Published list book")
        page.press("ArrowDown")
        page.one(".inspector h2", "Ada")
        page.click(".tap select")
        page.type("rowHeight")
        page.press("Enter")
        page.click(".tap button", "Send the event")
        page.one(".answer", "rowHeight 52 from the default")
        select(page, "Grace")
        page.one(".screen [role=listbox]").send_keys(" ")
        page.one(".answer", "The list has changed since: 1 element deleted.")
        page.until(lambda: titles(page) == ["Grace", "Alan", "Rex", "Tom"])
        assert receiver.at("/hook")[0].data["element"]["id"] == "Grace"
        select(page, "Rex")
        page.click(".tap button", "Tap")
        page.one(".answer", "was not delivered")
        page.shows("500", "It is tried again.")


def test_values_full_of_markup_are_text(server, book, console):
    book.post(f"{BOOK}/operations", json={"reload": True, "operations": [
        {"op": "setVariable", "name": ATTACK, "value": ATTACK},
        {"op": "patchSection", "section": "others", "patch": {"headerTitle": ATTACK, "footerTitle": ATTACK}},
        {"op": "addElements", "section": "others", "elements": [{"value": {"name": ATTACK, "<i>": ATTACK}}]}]})
    book.patch(f"{BOOK}/sections/others/elements/@last", json={"age": ATTACK})
    book.put(f"{BOOK}/adapters/%3Cu%3E", json={"cell": "<u>", "identifier": "{id}"})
    page = console(server, "/lists/book")
    page.shows("A reload would send: 1 element updated.", ATTACK)
    page.click(".screen .row", "<img")
    page.one(".inspector h2", ATTACK)
    page.click(".inspector button", "curl: Save")
    page.until(lambda: page.js("return document.querySelector('[popover]:popover-open code').textContent"))
    page.press("Escape")
    page.click(".inspector button", "Delete the element")
    page.one("dialog", ATTACK)
    page.press("Escape")
    assert page.js("return document.querySelectorAll('main img, main b, main i, main u, main script').length") == 0
    assert page.js("return window.ran") is None


def test_identifiers_that_a_browser_takes_for_paths_lead_nowhere_else(server, book, console):
    """A browser makes `/elements/..` the section itself."""
    book.post(f"{BOOK}/operations", json={"reload": True, "operations": [
        {"op": "addElements", "section": "people", "at": "@first", "elements": [{"value": {"name": ".."}}, {"value": {"name": "@last"}}]},
        {"op": "addSections", "sections": [{"id": ".."}]}]})
    page = console(server, "/lists/book")
    page.until(lambda: titles(page)[:2] == ["..", "@last"])
    page.click(".screen .row", "..")
    page.one(".inspector h2", "..")
    page.click(".inspector button", "Delete the element")
    page.one(".inspector .action .problem", "cannot stand in an address")
    select(page, "@last")
    put(page, '{"name": "@last", "age": 1}')
    page.click(".inspector button", "Save")
    page.until(lambda: book.get(f"{BOOK}/sections/people/elements/@@last").json()["value"] == {"name": "@last", "age": 1})
    page.click(".sections button", "Delete the section ..")
    page.click("dialog button", "Delete")
    page.until(lambda: [each["id"] for each in book.get(f"{BOOK}/sections").json()["sections"]] == ["people", "others"])
    assert working(book) == ["..", "@last", "Ada", "Grace", "Alan", "Edsger"]


def test_a_list_that_is_deleted_and_made_again_is_shown_again(server, book, console):
    page = console(server, "/lists/book")
    # The page may ask in between.
    page.tolerate(404)
    page.one(".screen .row", "Ada")
    book.delete(BOOK)
    page.shows("This list was deleted")
    book.put(BOOK, json={"kind": "collection"})
    page.hides("This list was deleted")
    page.shows("collection · 0 sections", "The published list is empty.", "live")


def test_a_long_list_is_shown_where_it_is_looked_at(server, book, console):
    """More rows than an element can be high: the scroll bar is scaled."""
    rows = 400_000
    book.delete(f"{BOOK}/sections", params={"reload": "true"})
    book.post(f"{BOOK}/sections", json=[{"id": "long", "headerTitle": "Long"}])
    for start in range(0, rows, 100_000):
        values = [{"name": f"n{n}"} for n in range(start, start + 100_000)]
        book.post(f"{BOOK}/sections/long/elements", params={"model": "Person"}, json=values)
    book.post(f"{BOOK}/reload", params={"elements": "false"})
    began = time.monotonic()
    page = console(server, "/lists/book")
    page.until(lambda: titles(page)[:3] == ["n0", "n1", "n2"])
    print(f"the first rows are there after {time.monotonic() - began:.2f} s")
    page.tab_to("Published list book")
    page.press("End")
    page.one(".inspector h2", f"n{rows - 1}")
    assert titles(page)[-1] == f"n{rows - 1}"
    page.assert_accessible()
    page.press("PageUp", "ArrowUp")
    page.until(lambda: page.one(".inspector h2").text.startswith("n3999"))
    chosen = page.one(".inspector h2").text
    before = int(page.one(".inspector .about").text.split("]")[0].split(",")[1])
    book.post(f"{BOOK}/sections/long/elements", params={"at": "@first", "reload": "true"}, json={"value": {"name": "first"}})
    book.patch(f"{BOOK}/sections/long/elements/{chosen}", params={"reload": "true"}, json={"age": 99})
    page.one(".screen .row[aria-selected]", "age 99")
    page.until(lambda: page.one(".inspector .about").text.startswith(f"[0, {before + 1}]"), "the selection has not followed")
    # The wheel goes on by what it turns, whatever the scale of the scroll bar.
    page.press("Home")
    page.one(".inspector h2", "first")
    ActionChains(page.driver).scroll_from_origin(_middle(page), 0, 440).perform()
    time.sleep(0.5)
    # Two lines above the window are drawn, too; the header is the first line.
    assert titles(page)[2] == "n8", titles(page)[:4]
    page.js("const box = document.querySelector('.sparse'); box.scrollTop = box.scrollHeight / 2")
    page.until(lambda: titles(page) and all(each.startswith(("n199", "n200")) for each in titles(page)), f"{titles(page)[:4]}")
    assert page.js("return document.querySelectorAll('.row').length") < 60


def _middle(page):
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    return ScrollOrigin.from_element(page.one(".sparse"))
