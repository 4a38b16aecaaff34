"""The console's page of changesets: versions as they come, and each changeset step by step."""

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from conftest import BOOK  # noqa: E402

# The client's renderer draws in the next frame; this reads after it, so that a step that was said is a step that is drawn.
ROWS = """return new Promise(resolve => requestAnimationFrame(() => resolve(
    [...document.querySelectorAll(".replay section")].map(section =>
        [...section.querySelectorAll(".entry strong")].map(each => each.textContent)))))"""


def publish(client, *operations: dict) -> dict:
    return client.post(f"{BOOK}/operations", json={"reload": True, "operations": list(operations)}).json()


def published(client, version: int) -> list[list[str]]:
    answer = client.get(f"{BOOK}/sections", params={"state": "published", "version": version}).json()
    return [[element["id"] for element in section["elements"]] for section in answer["sections"]]


def fill_stages(client) -> dict:
    """A changeset of five stages."""
    publish(client, {"op": "addSections", "sections": [{"id": "gone", "elements": [{"value": {"name": "Tony"}}]}]})
    return publish(
        client,
        {"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": 37}},
        {"op": "removeSection", "section": "gone"},
        {"op": "addSections", "at": "@0", "sections": [{"id": "new", "elements": [{"value": {"name": "Niklaus"}}]}]},
        {"op": "moveElement", "section": "people", "from": 2, "to": 0},
        {"op": "addElements", "section": "others", "elements": [{"value": {"name": "Barbara"}}]},
        {"op": "patchSection", "section": "others", "patch": {"headerTitle": "The others"}},
    )


def test_a_changeset_is_stepped_through_forwards_and_backwards(server, book, console):
    changeset = fill_stages(book)
    assert len(changeset["stages"]) == 5
    page = console(server, "/lists/book")
    page.click(".tabs a", "Changesets")
    page.one("h1", "book")
    page.shows("Step 5 of 5")
    states = [page.js(ROWS)]
    assert states[0] == published(book, changeset["version"])
    for step in (4, 3, 2, 1, 0):
        page.press("ArrowLeft")
        page.shows(f"Step {step} of 5")
        states.append(page.js(ROWS))
    assert states[-1] == published(book, changeset["from"])
    assert page.one("button", "Step back").get_attribute("aria-disabled") == "true"
    page.shows("Version 2", "Deletes", "The list before")
    page.assert_accessible()
    for step in (1, 2, 3, 4, 5):
        page.tab_to("Step forward", 200) if step == 1 else None
        page.press("ArrowRight")
        page.shows(f"Step {step} of 5")
        assert page.js(ROWS) == states[5 - step]
    page.shows("updated section 2 The others")
    page.assert_fits(360)


def test_a_step_of_a_version_has_an_address(server, book, console):
    changeset = fill_stages(book)
    # An earlier address leads to it, too.
    page = console(server, f"/changesets/book?from={changeset['from']}&to={changeset['version']}&stage=2")
    page.shows("Step 2 of 5", "deleted section 2 gone")
    rows = page.js(ROWS)
    assert page.driver.current_url.endswith(f"#/lists/book/changesets?from={changeset['from']}&to={changeset['version']}&stage=2")
    page.press("ArrowRight")
    page.shows("Step 3 of 5")
    assert page.driver.current_url.endswith(f"from={changeset['from']}&to={changeset['version']}&stage=3")
    page.press("ArrowLeft")
    assert page.js(ROWS) == rows
    page.one("button", "Copy link")
    page.one("button", "Copy as curl")


def test_versions_appear_as_they_come_and_any_two_make_one_changeset(server, book, console):
    page = console(server, "/lists/book/changesets")
    page.one(".moment", "1")
    page.click("label", "Show each as it comes")
    for age in range(20):
        newest = publish(book, {"op": "moveElement", "section": "people", "from": 0, "to": 2},
                         {"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": age}})
    page.until(lambda: page.js("return location.hash").endswith(f"to={newest['version']}"))
    page.until(lambda: page.js(ROWS) == published(book, newest["version"]))
    assert len(page.all(".moment")) == newest["version"]

    page.click("label", "Show each as it comes")
    page.click("input[type=number]")
    page.press("Control+a")
    page.type("1")
    page.tab_to("To")
    page.press("Control+a")
    page.type("4")
    page.press("Enter")
    page.until(lambda: page.js(ROWS) == published(book, 4))
    assert len(page.all(".moment[aria-current]")) == 3
    page.tolerate(404)
    page.open("/lists/book/changesets?from=1&to=900")
    page.shows("Version 900 has not been published")


def test_a_list_that_is_deleted_and_made_again_begins_anew(server, book, console):
    page = console(server, "/lists/book/changesets")
    page.shows("Step 1 of 1")
    book.delete(BOOK)
    page.shows("This list was deleted.")
    page.assert_accessible()
    book.put(BOOK, json={"kind": "table"})
    page.shows("No version has been published yet.")
    page.hides("This list was deleted.")
    book.post(f"{BOOK}/sections?reload=true", json={"id": "s", "headerTitle": "Once more", "elements": []})
    page.one(".moment", "1 inserted")


def test_of_a_long_list_only_what_changes_and_its_neighbours_are_loaded(server, book, console):
    many = [{"value": {"name": f"n{number}"}} for number in range(12000)]
    publish(book, {"op": "addElements", "section": "others", "elements": many})
    changeset = publish(
        book, {"op": "patchElement", "section": "others", "element": "n6000", "patch": {"age": 1}},
        {"op": "moveElement", "section": "others", "from": 9001, "to": 10},
        {"op": "removeElement", "section": "others", "element": "n11000"})
    page = console(server, f"/lists/book/changesets?from={changeset['from']}&to={changeset['version']}")
    page.shows("Step 3 of 3", "12,003 elements")
    page.shows("n9000", "rows more")
    page.press("ArrowLeft", "ArrowLeft")
    page.shows("Step 1 of 3", "n0", "n5999", "n6000", "n6001", "n11000", "n11999")
    page.hides("not loaded")
    page.press("ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight")
    page.shows("Step 3 of 3", "n9000")
    assert len(page.all(".replay .entry")) < 60
