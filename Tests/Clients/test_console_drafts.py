"""What is typed into the console and not sent, and pages of lists that are not there yet."""

import pytest

from conftest import BOOK
from support.access import caller, first_token, make_menu

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.hooks import register  # noqa: E402

EDITOR = ".inspector textarea"
# Whether the browser would ask before it leaves the console.
WOULD_ASK = "return !dispatchEvent(new Event('beforeunload', {cancelable: true}))"


def edit(page, name: str, text: str) -> None:
    page.click(".screen .row", name)
    page.until(lambda: f'"{name}"' in page.one(EDITOR).get_attribute("value"), "the value was not read")
    retype(page, EDITOR, text)


def retype(page, selector: str, text: str) -> None:
    page.one(selector).click()
    page.press("Control+a")
    page.type(text)


def typed(page, selector: str = EDITOR) -> str:
    return page.one(selector).get_attribute("value")


def test_values_that_are_not_saved_stay_while_other_pages_are_shown(server, book, console):
    page = console(server, "/lists/book")
    ada, edsger = '{"name": "Ada", "age": 37}', '{"name": "Edsger", "age": 1}'
    assert not page.js(WOULD_ASK)
    edit(page, "Ada", ada)
    edit(page, "Edsger", edsger)
    page.one(".unsaved", "Not saved: Ada")
    assert page.js(WOULD_ASK)
    page.click("nav a", "Lists")
    page.click("tbody a", "book")
    page.one(".inspector h2", "Edsger")
    assert typed(page) == edsger
    page.shows("Changed here, not saved.")
    page.assert_accessible()
    page.click(".unsaved button", "Ada")
    page.one(".inspector h2", "Ada")
    page.until(lambda: typed(page) == ada)
    page.one(".screen .row[aria-selected]", "Ada")
    # Nobody has changed it meanwhile: it is saved as it was typed.
    page.click(".inspector button", "Save")
    page.until(lambda: book.get(f"{BOOK}/sections/people/elements/Ada").json()["value"]["age"] == 37)
    page.driver.back()
    page.one("h1", "Lists")
    page.driver.forward()
    page.one(".inspector h2", "Edsger")
    page.click(".inspector button", "Revert")
    page.until(lambda: '"age": 72' in typed(page))
    assert not page.js(WOULD_ASK)
    page.click("nav a", "Lists")
    page.click("tbody a", "book")
    page.one(".screen .row", "Ada")
    page.shows("Select an element")
    assert not page.reload()
    edit(page, "Ada", '{"name": "Ada", "age": 38}')
    assert page.reload(), "the browser does not ask before what is typed is lost"


# Holds the answers of what is saved, until `letGo` is called.
HOLD = """
const send = fetch;
window.fetch = async (...given) => {
  const answer = await send(...given);
  if (given[1]?.method === "PUT") await new Promise(resolve => window.letGo = resolve);
  return answer;
};
"""


def test_a_value_is_saved_while_another_element_is_selected(server, book, console):
    """The answer comes when the editor shows another element, which must not take the value over."""
    page = console(server, "/lists/book")
    edit(page, "Ada", '{"name": "Ada", "age": 37}')
    page.js(HOLD)
    page.click(".inspector button", "Save")
    page.until(lambda: page.js("return !!window.letGo"))
    page.click(".screen .row", "Grace")
    page.until(lambda: '"Grace"' in typed(page))
    page.js("window.letGo()")
    page.hides("Not saved: Ada")
    assert '"Grace"' in typed(page) and not page.js(WOULD_ASK)
    assert book.get(f"{BOOK}/sections/people/elements/Ada").json()["value"]["age"] == 37


def test_what_is_typed_while_a_value_is_saved_stays(server, book, console):
    page = console(server, "/lists/book")
    edit(page, "Ada", '{"name": "Ada", "age": 37}')
    page.js(HOLD)
    page.press("Control+Enter")
    page.until(lambda: page.js("return !!window.letGo"))
    page.press("ArrowLeft")
    page.type(', "late": true')
    page.js("window.letGo()")
    page.until(lambda: page.one(".inspector button", "Save").is_enabled())
    page.until(lambda: not page.all("[aria-busy]"))
    assert typed(page) == '{"name": "Ada", "age": 37, "late": true}'
    page.shows("Changed here, not saved.")
    page.click(".inspector button", "Save")
    page.until(lambda: page.js("return window.letGo() ?? true"))
    page.until(lambda: "late" in book.get(f"{BOOK}/sections/people/elements/Ada").json()["value"])


def test_what_is_typed_into_a_dialog_stays_when_it_is_closed_by_mistake(server, book, console):
    page = console(server, "/lists/book")
    page.one(".screen .row", "Ada")
    for leave in (lambda: page.press("Escape"), lambda: page.driver.back()):
        page.press("a")
        retype(page, "dialog textarea", '{"name": "Barbara"}')
        if page.driver.current_url.endswith("book"):
            page.js("history.pushState(null, '', '#/lists/book?publish')")
        leave()
        page.until(lambda: not page.all("dialog"), "the dialog stays")
        page.one(".screen .row", "Ada")
        page.press("a")
        page.one("dialog .put-back", "This is what you typed before.")
        assert typed(page, "dialog textarea") == '{"name": "Barbara"}'
        page.assert_accessible()
        page.click("dialog button", "Begin anew")
        page.until(lambda: "Barbara" not in typed(page, "dialog textarea"))
        page.press("Escape")
        page.until(lambda: not page.all("dialog"))
    page.press("a")
    retype(page, "dialog textarea", '{"name": "Barbara"}')
    page.click("dialog button", "Cancel")
    page.until(lambda: not page.all("dialog"))
    assert not page.js(WOULD_ASK), "Cancel throws it away"
    page.press("a")
    page.one("dialog textarea")
    assert "Barbara" not in typed(page, "dialog textarea") and not page.one("dialog").find_element("css selector", ".put-back").is_displayed()


def test_forms_keep_what_is_typed_but_passwords(server, hooked, receiver, console):
    register(hooked, receiver, f"{BOOK}/adapters/Person/events/didSelect")
    page = console(server, "/hooks")
    page.click("summary", "Register a hook")
    page.one("form select option", "didSelect")
    page.one("form select[id]", "didSelect").find_element("css selector", "option[value=willDisplay]").click()
    page.tab_to("Target")
    page.type("http://127.0.0.1:9/taps")
    page.click("nav a", "Access")
    page.click("summary", "Make a token")
    page.tab_to("Name")
    page.type("till")
    page.tab_to("mutate")
    page.press("Space")
    page.tab_to("Token")
    page.type("cbt_secret")
    page.click("nav a", "Hooks")
    page.one("form .put-back")
    assert typed(page, "input[type=url]") == "http://127.0.0.1:9/taps"
    page.until(lambda: "willDisplay" in page.js("return [...document.querySelectorAll('form select')].map(each => each.value)"))
    page.click("nav a", "Access")
    page.one("form[aria-label='Make a token'] .put-back")
    assert page.js("""return [...document.querySelectorAll("form[aria-label='Make a token'] input")].filter(each => each.checked)
        .map(each => each.value)""") == ["read", "mutate"]
    assert typed(page, "form[aria-label='Make a token'] input") == "till"
    assert typed(page, "form[aria-label='Try a token'] input") == ""
    page.click("button", "Make")
    page.one(".secret")
    page.click("nav a", "Hooks")
    page.click("button", "Begin anew")
    page.hides("This is what you typed before.")
    assert not page.js(WOULD_ASK)


def test_each_hook_has_a_draft_of_its_own(server, hooked, receiver, console):
    for model in ("Person", "Pet"):
        register(hooked, receiver, f"{BOOK}/adapters/{model}/events/didSelect", f"/{model}")
    page = console(server, f"/hook?path={BOOK}/adapters/Person/events/didSelect")
    page.click("summary", "Target, default and times")
    retype(page, "input[type=url]", "http://127.0.0.1:9/other")
    for model, target in [("Pet", f"{receiver.url}/Pet"), ("Person", "http://127.0.0.1:9/other")]:
        page.js("location.hash = arguments[0]", f"/hook?path={BOOK}/adapters/{model}/events/didSelect")
        page.one("h1", f"cell of {model}")
        page.until(lambda: page.all("input[type=url]"))
        assert typed_hidden(page) == target
    page.one("form .put-back")


def typed_hidden(page) -> str:
    return page.js("return document.querySelector('input[type=url]').value")


def test_who_signs_out_is_asked_about_what_is_not_saved(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_menu(client)
    page = console(server, "/lists/menu-lunch").sign_in(first_token(server))
    edit(page, "Soup", '{"name": "Soup", "price": 2}')
    page.click("header button", "Sign out")
    page.one("dialog", "What was typed in 1 place and not sent is thrown away.")
    page.click("dialog button", "Cancel")
    page.until(lambda: not page.all("dialog"))
    assert typed(page) == '{"name": "Soup", "price": 2}'
    page.click("header button", "Sign out")
    page.click("dialog button", "Sign out")
    page.one("h1", "Sign in")
    page.sign_in(first_token(server))
    page.one(".screen .row", "Soup")
    page.shows("Select an element")
    assert not page.js(WOULD_ASK)


@pytest.mark.parametrize("address", ["/lists/later", "/lists/later/changesets"])
def test_a_list_that_is_not_there_is_shown_as_soon_as_it_is_made(server, http, console, address):
    page = console(server, address)
    page.tolerate(404)
    page.shows("There is no list named", "later", "As soon as somebody makes it, it is shown here.")
    page.assert_accessible()
    page.assert_fits(360)
    http.put("/v1/directors/later", json={"kind": "flow"})
    page.hides("There is no list named")
    if address == "/lists/later":
        page.shows("flow · 0 sections", "live")
    http.post("/v1/directors/later/sections", params={"reload": "true"}, json={"id": "first", "headerTitle": "First", "elements": []})
    page.shows("First" if address == "/lists/later" else "1 inserted")


def test_a_list_that_is_not_there_is_made_on_its_page(server, http, console):
    page = console(server, "/lists/later?publish")
    page.tolerate(404)
    page.one("select option[value=collection]").click()
    page.click("button", "Make it")
    page.shows("collection · 0 sections", "live")
    assert http.get("/v1/directors/later").json()["kind"] == "collection"
    assert page.one("#publishes").is_selected()
