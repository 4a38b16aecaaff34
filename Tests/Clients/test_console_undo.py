"""What was done in the console is taken back from its note, unless somebody has changed it since."""

import pytest

from conftest import BOOK

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")


def working(client) -> list[tuple]:
    return [(each["section"], each["id"], each["value"].get("age")) for each in client.get(f"{BOOK}/elements").json()["elements"]]


def save(page, title: str, text: str) -> None:
    page.click(".screen .row", title)
    page.one(".inspector h2", title)
    page.until(lambda: page.one(".inspector textarea").get_attribute("value"), "the value was not read")
    page.one(".inspector textarea").click()
    page.press("Control+a")
    page.type(text)
    page.click(".inspector button", "Save")


def undo(page, says: str, client, before: list[tuple]) -> None:
    """Undoes the newest note by its key, and has all as it was before."""
    page.one(".toast p", says)
    page.js("document.activeElement.blur()")
    page.press("u")
    page.until(lambda: working(client) == before, f"{says} was not taken back")
    page.one(".toast p", f"Undone: {says}")


def test_what_is_done_to_elements_is_taken_back(server, book, console):
    before = working(book)
    page = console(server, "/lists/book?publish")
    # Its name is another one then, and so its identifier.
    save(page, "Grace", '{"name": "Grace Hopper", "age": 86}')
    page.one(".toast p", "Grace was saved.")
    page.until(lambda: page.all(".toast .undo"))
    page.assert_accessible()
    page.assert_fits(360)
    undo(page, "Grace was saved.", book, before)
    page.one(".screen .row", "Grace").click()
    page.click(".inspector button", "Delete the element")
    page.click("dialog button", "Delete")
    page.until(lambda: len(working(book)) == 3)
    undo(page, "Grace was deleted.", book, before)
    page.until(lambda: page.one(".published .at-version").text == "version 5", "it is published again")
    page.one(".screen .row", "Alan").click()
    page.one(".inspector h2", "Alan")
    page.tab_to("Published list book")
    page.press("Alt+ArrowDown")
    page.until(lambda: ("others", "Alan", 41) in working(book))
    undo(page, "Alan was moved.", book, before)


def test_variables_and_sections_are_taken_back(server, book, console):
    book.put(f"{BOOK}/variables/isOpen", json=True)
    variables = lambda: book.get(f"{BOOK}/variables").json()["variables"]  # noqa: E731
    sections = lambda: book.get(f"{BOOK}/sections").json()["sections"]  # noqa: E731
    before = sections()
    page = console(server, "/lists/book")
    page.click("[role=switch][aria-label=isOpen]")
    page.until(lambda: variables() == {"isOpen": False})
    undo(page, "isOpen is false.", book, working(book))
    page.until(lambda: variables() == {"isOpen": True})
    page.click("button", "Delete the variable isOpen")
    page.click("dialog button", "Delete")
    page.until(lambda: variables() == {})
    undo(page, "The variable isOpen was deleted.", book, working(book))
    page.until(lambda: variables() == {"isOpen": True})
    page.click("[role=switch][aria-label='people collapsed']")
    page.one(".toast p", "The section people was collapsed.")
    undo(page, "The section people was collapsed.", book, working(book))
    page.until(lambda: sections() == before)
    page.click("button", "Move the section others up")
    page.until(lambda: sections() == before[::-1])
    undo(page, "The section others was moved.", book, working(book)[1:] + working(book)[:1])
    page.until(lambda: sections() == before)
    page.click("button", "Delete the section people")
    page.one("dialog", "3 elements in it are deleted")
    page.click("dialog button", "Delete")
    page.until(lambda: len(sections()) == 1)
    page.one(".toast p", "The section people was deleted.")
    page.js("document.activeElement.blur()")
    page.press("u")
    page.until(lambda: sections() == before)


def test_what_somebody_has_changed_since_is_not_overwritten(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    save(page, "Ada", '{"name": "Ada", "age": 37}')
    page.one(".toast p", "Ada was saved.")
    book.patch(f"{BOOK}/sections/people/elements/Ada", json={"age": 90})
    page.click(".toast button", "Undo")
    page.one(".toast .problem", "It was changed since. Nothing was taken back.")
    page.assert_accessible()
    assert ("people", "Ada", 90) in working(book)
    page.click(".toast button", "Close")
    page.until(lambda: not page.all(".toast"))
    # A change of another element is none of this one; the page may not have heard of it.
    page.tolerate(412)
    page.until(lambda: '"age": 90' in page.one(".inspector textarea").get_attribute("value"), "the value is not up to date")
    save(page, "Ada", '{"name": "Ada", "age": 38}')
    page.one(".toast p", "Ada was saved.")
    book.patch(f"{BOOK}/sections/people/elements/Alan", json={"age": 1})
    page.click(".toast button", "Undo")
    page.until(lambda: ("people", "Ada", 90) in working(book))


def test_a_note_is_reached_by_keyboard_and_stays_while_it_is_used(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    save(page, "Ada", '{"name": "Ada", "age": 37}')
    page.one(".toast p", "Ada was saved.")
    page.tab_to("Undo", 120)
    page.js("window.gone = 0; setTimeout(() => window.gone = document.querySelectorAll('.toast').length + 10, 9000)")
    page.until(lambda: page.js("return window.gone") == 11, "the note has gone while the focus was in it")
    page.press("Enter")
    page.until(lambda: ("people", "Ada", 36) in working(book))
    assert "Undo" not in page.focused
    page.until(lambda: not page.all(".toast"), "the note does not go", 20)


def taken_back(page, says: str, read, before) -> None:
    """Undoes the newest note, and has what is read as it was before."""
    page.one(".toast p", says)
    page.js("document.activeElement.blur()")
    page.press("u")
    page.one(".toast p", f"Undone: {says}")
    page.until(lambda: read() == before, f"{says} was not taken back")


def write_json(page, text: str, button: str, press: bool = True) -> None:
    page.one("dialog textarea").click()
    page.press("Control+a")
    page.js("document.execCommand('insertText', false, arguments[0])", text)
    if press:
        page.click("dialog button[type=submit]", button)


def test_what_is_added_is_taken_back_unless_it_was_changed_since(server, book, console):
    book.post(f"{BOOK}/sections", json={"id": "rows", "rows": [{"id": "first", "type": "model", "model": "Person", "elements": []}]})
    read = lambda: book.get(f"{BOOK}/sections").json()["sections"]  # noqa: E731
    before = read()
    page = console(server, "/lists/book")
    page.click("button", "Add an element")
    page.one("dialog .value-fields")
    write_json(page, '{"name": "Barbara", "age": 84}', "Add")
    page.until(lambda: read() != before)
    taken_back(page, "Barbara was added.", read, before)
    page.click("button", "Add a section")
    write_json(page, '{"id": "more", "headerTitle": "More", "elements": [{"value": {"name": "Tony", "age": 89}}]}', "Add")
    page.until(lambda: read() != before)
    taken_back(page, "The section more was added.", read, before)
    page.click("button", "Edit the row first")
    write_json(page, '{"hideWhen": {"var": "variables.isClosed"}}', "Save")
    page.until(lambda: read() != before)
    taken_back(page, "The row first was saved.", read, before)
    # What came into a new section meanwhile is not thrown away with it.
    page.click("button", "Add a section")
    write_json(page, '{"id": "more", "elements": []}', "Add")
    page.one(".toast p", "The section more was added.")
    book.post(f"{BOOK}/sections/more/elements", json={"model": "Person", "value": {"name": "Don", "age": 1}})
    page.js("document.activeElement.blur()")
    page.press("u")
    page.shows("It was changed since. Nothing was taken back.")
    assert read()[-1]["id"] == "more"


def test_adapters_are_taken_back(server, book, console):
    read = lambda: book.get(f"{BOOK}/adapters").json()["adapters"]  # noqa: E731
    before = read()
    page = console(server, "/lists/book")
    page.click("button", "Edit the adapter Person")
    write_json(page, '{"cell": "OtherCell", "identifier": "{name}"}', "Save")
    page.until(lambda: read() != before)
    taken_back(page, "The adapter Person was saved.", read, before)
    page.click("button", "Add an adapter")
    page.one("dialog textarea")
    write_json(page, '{"cell": "ItemCell", "identifier": "{id}"}', "Save")
    page.until(lambda: read() != before)
    taken_back(page, "The adapter Item was added.", read, before)
    book.put(f"{BOOK}/adapters/Item", json={"cell": "ItemCell", "identifier": "{id}"})
    before = read()
    page.click("button", "Delete the adapter Item")
    page.click("dialog button", "Delete")
    page.until(lambda: read() != before)
    taken_back(page, "The adapter Item was deleted.", read, before)


def test_hooks_and_views_are_taken_back(server, book, console):
    path = f"{BOOK}/adapters/Person/events/didSelect"
    book.put(path, json={"url": "https://receiver.example/hook", "isDisabled": True})
    read = lambda: book.get(path).json()  # noqa: E731
    before = read()
    page = console(server, "/hooks")
    page.click("button", "Enable didSelect of cell of Person")
    page.until(lambda: not read()["isDisabled"])
    taken_back(page, "The hook for didSelect was enabled.", read, before)
    page.open(f"/hook?path={path}")
    page.click(".actions button", "Enable")
    page.until(lambda: not read()["isDisabled"])
    taken_back(page, "The hook for didSelect was saved.", read, before)
    hooks = lambda: [each["path"] for each in book.get("/v1/hooks").json()["hooks"]]  # noqa: E731
    page.open("/lists/book/hooks")
    page.click("summary", "Register a hook")
    page.until(lambda: page.all("option[value=willSelect]"))
    page.js("const event = document.querySelector('option[value=willSelect]').parentNode; event.value = 'willSelect';"
            "event.dispatchEvent(new Event('change', {bubbles: true}))")
    page.tab_to("Target")
    page.type("https://receiver.example/other")
    page.press("Enter")
    page.until(lambda: len(hooks()) == 2)
    taken_back(page, "The hook for willSelect was added.", hooks, [path])
    view = "/v1/directors/grown"
    book.put(view, json={"kind": "table", "view": {"from": "book", "where": {">": [{"var": "value.age"}, 40]}}})
    definition = lambda: book.get(view).json()["view"]  # noqa: E731
    before = definition()
    page.open("/lists/grown")
    page.click("button", "Edit the view")
    write_json(page, '{"from": "book", "where": {">": [{"var": "value.age"}, 80]}}', "Save")
    page.until(lambda: definition() != before)
    taken_back(page, "The view grown was saved.", definition, before)
