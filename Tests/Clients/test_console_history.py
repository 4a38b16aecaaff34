"""The slider over a list's retained versions on its page in the console."""

import httpx
import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from conftest import BOOK  # noqa: E402

ROWS = "return [...document.querySelectorAll('.then .row .title')].map(each => each.textContent)"
MARKS = """return Object.fromEntries([...document.querySelectorAll('.then [class*="was-"]')].map(each =>
    [each.querySelector('.title').textContent, each.className.match(/was-(\\w+)/)[1]]))"""
SAYS = "return document.querySelector('input[type=range]').getAttribute('aria-valuetext')"


def publish(client, *operations: dict, **headers: str) -> int:
    return client.post(f"{BOOK}/operations", json={"reload": True, "operations": list(operations)}, headers=headers).json()["version"]


def published(client, version: int) -> list[str]:
    answer = client.get(f"{BOOK}/sections", params={"state": "published", "version": version}).json()
    return [element["id"] for section in answer["sections"] for element in section["elements"]]


def fill(client) -> None:
    """Version 1 is the book; 2 updates Ada, 3 moves Alan first, 4 adds Barbara and removes Grace."""
    publish(client, {"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": 37}})
    publish(client, {"op": "moveElement", "section": "people", "from": 2, "to": 0}, **{"Callboard-Cause": "drag-17"})
    publish(client, {"op": "addElements", "section": "others", "elements": [{"value": {"name": "Barbara"}}]},
            {"op": "removeElement", "section": "people", "element": "Grace"})


def at(page, client, version: int, newest: int = 4) -> None:
    page.shows(f"Version {version} of {newest}, as it was shown")
    page.until(lambda: page.js(ROWS) == published(client, version), f"not version {version}: {page.js(ROWS)}")


def test_each_version_is_shown_as_it_was_with_keys_alone(server, book, console):
    fill(book)
    page = console(server, "/lists/book")
    page.shows("version 4")
    assert not page.all(".history")
    page.press("v")
    page.shows("the list as it is now")
    page.tab_to("Version", 100)
    page.press("Tab") if "before" in page.focused else None
    assert page.focused == "Version" and page.js(SAYS) == "version 4, the list as it is now"
    page.press("ArrowLeft")
    at(page, book, 3)
    assert page.js(MARKS) == {"Alan": "moved"} and page.js(SAYS) == "version 3, caused by drag-17, 1 element moved"
    page.shows("What version 3 changed", "nothing can be changed here")
    page.hides("Add an element", "Find by identifier", "Variables")
    page.press("ArrowLeft")
    at(page, book, 2)
    assert page.js(MARKS) == {"Ada": "updated"}
    page.press("End")
    at(page, book, 4)
    assert page.js(MARKS) == {"Barbara": "inserted"} and "1 element deleted" in page.js(SAYS)
    assert page.driver.current_url.endswith("#/lists/book?version=4")
    page.assert_accessible()
    page.press("Home")
    page.shows("Version 0 of 4", "Before the first version")
    page.press("ArrowRight")
    at(page, book, 1)
    page.press("l", "ArrowDown")
    page.shows('"age": 36')
    page.one("button", "Back to now").send_keys("\ue00c")
    page.shows("Variables")
    page.hides("as it was shown")
    assert page.driver.current_url.endswith("#/lists/book")
    page.press("v")
    page.until(lambda: not page.one("button", "History").get_attribute("aria-expanded") == "true")
    assert not [each for each in page.all(".history") if each.is_displayed()]


def test_a_version_has_an_address_and_leads_to_its_changeset_and_back(server, book, console):
    fill(book)
    page = console(server, "/lists/book?version=3")
    at(page, book, 3)
    page.click(".then .row", "Alan")
    page.shows('"age": 41')
    page.assert_accessible()
    for width in (360, 320):
        page.assert_fits(width)
    page.click(".then a", "Stage by stage")
    page.shows("Step 1 of 1", "Caused by drag-17")
    page.click("a", "The list at version 3")
    at(page, book, 3)
    page.open("/lists/book?version=900")
    page.shows("Version 900 has not been published", "the list as it is now")


def test_changes_that_come_meanwhile_make_the_range_longer_and_leave_the_shown_version(server, book, console):
    fill(book)
    page = console(server, "/lists/book?version=2")
    at(page, book, 2)
    publish(book, {"op": "removeElement", "section": "people", "element": "Ada"}, **{"Callboard-Cause": "tap-1"})
    at(page, book, 2, newest=5)
    for version in (3, 4, 5):
        page.click("button", "Next version")
        at(page, book, version, newest=5)
    assert page.one("button", "Next version").get_attribute("aria-disabled") == "true"
    assert page.js(SAYS).startswith("version 5, arrived ") and ", caused by tap-1, 1 element deleted" in page.js(SAYS)
    page.click("button", "Back to now")
    page.shows("Variables")
    # The rows are those of now, and change with it.
    publish(book, {"op": "patchElement", "section": "people", "element": "Alan", "patch": {"age": 42}})
    page.shows("version 6", "age 42")


def test_versions_are_played_and_rows_glide_unless_motion_is_to_be_reduced(server, book, console):
    fill(book)
    page = console(server, "/lists/book?version=1")
    at(page, book, 1)
    page.js("window.glided = 0; const real = Element.prototype.animate; Element.prototype.animate = function (...all) { window.glided++; return real.apply(this, all); }")
    page.click("button", "Play")
    page.one("button", "Pause")
    at(page, book, 4)
    page.one("button", "Play")
    assert page.js("return window.glided") > 0
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    page.js("window.glided = 0")
    page.click("button", "Version before")
    at(page, book, 3)
    assert page.js("return window.glided") == 0
    page.scheme("light")


def test_a_version_that_is_no_longer_retained_is_told_and_the_range_shrinks(start, console):
    server = start(FEED_RETAINED_VERSIONS="4")
    with httpx.Client(base_url=server.url, trust_env=False) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
        client.put(f"{BOOK}/sections/all?reload=true", json={"elements": [{"value": {"name": "Ada"}}]})

        def change(versions) -> None:
            for age in versions:
                publish(client, {"op": "patchElement", "section": "all", "element": "Ada", "patch": {"age": age}})

        change(range(6))
        page = console(server, "/lists/book")
        page.tolerate(410)
        page.shows("version 7")
        page.click("button", "History")
        page.until(lambda: page.one("input[type=range]").get_attribute("min") == "4")
        page.one("input[type=range]").send_keys("\ue011")
        page.shows("Version 4 of 7", "That is no longer retained.")
        change(range(10, 13))
        page.shows("Version 4 of 10")
        page.open("/lists/book?version=5")
        page.shows("Version 5 is no longer retained", "7 is the oldest that is.", "the list as it is now")
        assert page.one("input[type=range]").get_attribute("min") == "7"


def test_of_a_long_list_the_rows_in_sight_are_loaded_as_they_were(server, book, console):
    publish(book, {"op": "addElements", "section": "others", "elements": [{"value": {"name": f"n{number}"}} for number in range(12000)]})
    version = publish(book, {"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": 1}},
                      {"op": "moveElement", "section": "others", "from": 9001, "to": 1}, {"op": "removeElement", "section": "others", "element": "n0"})
    publish(book, {"op": "removeElements", "section": "others", "at": list(range(1, 100))})
    page = console(server, f"/lists/book?version={version}")
    page.shows(f"Version {version} of {version + 1}", "n9000", "n1", "age 1")
    assert "n0" not in page.js(ROWS)
    assert page.js(MARKS) == {"Ada": "updated", "n9000": "moved"}
    page.click(".then [role=listbox]")
    page.press("End")
    page.shows("n11999")
    # From whole to long and back: another view takes over.
    page.click("button", "Version before")
    page.shows(f"Version {version - 1} of {version + 1}")
    page.click("button", "Version before")
    page.until(lambda: page.js(ROWS) == published(book, 1))
    page.click("button", "Next version")
    page.shows("n5")
    page.click("button", "Next version")
    page.shows("n9000")
    page.click("button", "Back to now")
    page.shows("n99", "Variables")


def test_a_version_is_restored_after_a_dry_run_and_that_is_taken_back(server, book, console):
    fill(book)
    page = console(server, "/lists/book?version=2")
    at(page, book, 2)
    page.click(".banner button", "Restore…")
    page.tolerate(412)
    page.shows("Restore version 2", "1 element deleted, 1 element inserted, 1 element moved", "Grace", "Barbara", "stay in the history")
    page.hides("not reloaded yet are given up")
    page.assert_accessible()
    # Somebody changes the list before it is sent: it is compared again, and not overwritten.
    publish(book, {"op": "patchElement", "section": "people", "element": "Alan", "patch": {"age": 99}})
    page.click("dialog button", "Restore and reload")
    page.shows("has changed since", "1 element updated")
    assert published(book, 5) == published(book, 4)
    page.click("dialog button", "Restore and reload")
    page.shows("Version 2 was restored, as version 6.", "Variables")
    page.hides("as it was shown")
    assert published(book, 6) == published(book, 2)
    page.click(".toast button", "Undo")
    page.shows("Undone")
    assert published(book, 7) == published(book, 5)
    assert book.get(f"{BOOK}/elements", params={"id": "Alan"}).json()["elements"][0]["value"]["age"] == 99


def test_what_is_given_up_by_restoring_is_told(server, book, console):
    fill(book)
    book.patch(f"{BOOK}/sections/people/elements/Ada", json={"age": 50})
    page = console(server, "/lists/book?version=4")
    at(page, book, 4)
    # The newest version is what everybody sees.
    page.hides("Restore…")
    page.click("button", "Version before")
    at(page, book, 3)
    page.click(".banner button", "Restore…")
    page.shows("Changes that are not reloaded yet are given up.")
    page.click("dialog button", "Restore and reload")
    page.shows("Version 3 was restored, as version 5.")
    assert not page.all(".toast .undo")
    assert published(book, 5) == published(book, 3)


def test_rows_and_long_lists_are_not_restored_here_and_say_why(server, book, console):
    fill(book)
    publish(book, {"op": "addSections", "sections": [{"id": "made", "rows": [{"id": "one", "type": "constant", "cell": "C"}]}]})
    page = console(server, "/lists/book?version=3")
    at(page, book, 3, newest=5)
    page.click(".banner button", "Restore…")
    page.shows("The section \"made\" has rows, of which a version tells only what they have shown.")
    assert page.one("dialog button", "Restore and reload").get_attribute("disabled")
    page.click("dialog button", "Cancel")
    publish(book, {"op": "removeSection", "section": "made"},
            {"op": "addElements", "section": "others", "elements": [{"value": {"name": f"n{number}"}} for number in range(6000)]})
    page.click(".banner button", "Restore…")
    page.shows("The list has more than 5,000 elements. The command below restores it.")
    page.click("dialog summary", "curl")
    page.shows("sections?state=published&version=3", "--json @-")
