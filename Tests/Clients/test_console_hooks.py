"""The console's pages of hooks and deliveries, in front of a real server whose hooks lead to a real receiver."""

import re
import urllib.parse

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.hooks import BOOK, HASTY, client_of, deliveries, done, eventually, fill, notify, register  # noqa: E402
from support.receiver import FAILS, FINE, content, value  # noqa: E402

SELECT = f"{BOOK}/adapters/Person/events/didSelect"
HEIGHT = f"{BOOK}/adapters/Person/events/rowHeight"


def hook_page(path: str) -> str:
    return f"/hook?{urllib.parse.urlencode({'path': path})}"


def test_a_hook_is_registered_tried_disabled_given_another_secret_and_removed(server, hooked, receiver, console):
    page = console(server, "/hooks")
    page.shows("No hook is registered")
    page.assert_accessible()
    page.tab_to("Register a hook")
    page.press("Enter")
    page.one("form select")
    page.tab_to("Target")
    page.type(receiver.url + "/taps")
    page.one("form[aria-label='Register a hook'] .curl-line summary").click()
    page.shows(f"curl -X PUT '{page.front.origin}{SELECT}' -H 'If-None-Match: *' --json '{{\"url\":\"{receiver.url}/taps\"}}'")
    page.click("button", "Register")
    secret = page.one(".secret").text
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,}=*", secret)
    receiver.secrets["/taps"] = [secret]
    page.shows("not called yet")
    page.assert_accessible()

    page.click("a", "Open it and try it.")
    page.one("h1", "didSelect: cell of Person")
    page.click("button", "Report")
    page.shows("Delivered", "works")
    assert receiver.wait(1, "/taps")[0].data["indexPath"] == [0, 0]

    page.click("button", "Disable")
    page.shows("disabled by request")
    assert hooked.get(SELECT).json()["isDisabled"]
    page.click("button", "Enable")
    page.hides("disabled by request")

    page.click("button", "Add a new secret")
    receiver.secrets["/taps"] = [page.one(".secret").text, secret]
    page.one("button", "Drop the older secrets")
    page.click("button", "Report")
    receiver.wait(2, "/taps")
    page.click("button", "Drop the older secrets")
    page.one("dialog", "A receiver that knows only an older secret refuses them.")
    page.assert_accessible()
    page.click("dialog button", "Drop the older secrets")
    receiver.secrets["/taps"].pop()
    eventually(lambda: len(hooked.get(SELECT).json()["secret"]) == 1, "one secret to be left")
    page.click("button", "Report")
    receiver.wait(3, "/taps")

    page.click("button", "Delete this hook")
    page.click("dialog button", "Delete")
    page.one("h1", "Hooks")
    assert hooked.get(SELECT).status_code == 404


def test_a_question_is_asked_and_the_default_says_why_it_is_one(server, hooked, receiver, console):
    register(hooked, receiver, HEIGHT, default=44, timeout="2s", headers={"X-Key": "kept"})
    receiver.on("/hook", value(51))
    page = console(server, hook_page(HEIGHT))
    page.click("button", "Ask")
    page.shows("The target's answer 51 after")
    receiver.on("/hook", FAILS)
    page.click("button", "Ask")
    page.shows("The default 44 after", "the target answered 500", "the last call failed")
    page.click("summary", "Target, default and times")
    page.tab_to("Default")
    page.press("Control+a")
    page.type("60")
    page.click("button", "Save")
    eventually(lambda: hooked.get(HEIGHT).json()["default"] == 60, "the default to be changed")
    page.click("button", "Ask")
    page.shows("The default 60 after")
    assert receiver.at("/hook")[-1].fields["x-key"] == "kept", "what is not shown whole is kept"
    page.assert_accessible()
    page.assert_fits(360)


def test_a_hook_that_cannot_be_or_is_there_is_refused_in_words(server, hooked, receiver, console):
    before = register(hooked, receiver, SELECT)["url"]
    page = console(server, hook_page(f"{BOOK}/events/sectionForSectionIndex"))
    page.tolerate(404, 412, 422)
    page.shows("There is nothing at this address")
    page.open("/hooks")
    page.click("summary", "Register a hook")
    page.one("form select option", "didSelect")
    page.tab_to("Target")
    page.type("http://127.0.0.1:9/other")
    page.click("button", "Register")
    page.one(".problem", "If-None-Match")
    assert hooked.get(SELECT).json()["url"] == before
    page.click("input[type=url]")
    page.press("Control+a", "Delete")
    page.one("form select[id]", "didSelect").find_element("css selector", "option[value=willDisplay]").click()
    page.click("button", "Register")
    page.one(".problem", "url")
    page.tab_to("Default")
    page.type("{]")
    page.click("button", "Register")
    page.one(".problem", "The default is not JSON")


@pytest.fixture
def failing(start, receiver):
    """A server with five deliveries that were given up, and a client of it."""
    server = start(**HASTY)
    with client_of(server) as client:
        fill(client)
        register(client, receiver, SELECT)
        receiver.on("/hook", FAILS)
        for number in range(5):
            notify(client, "didSelect", indexPath=[0, number % 3], parameters={"number": number})
        eventually(lambda: len(deliveries(client, status="dead")) == 5, "five dead deliveries")
        yield server, client


def test_deliveries_are_chosen_discarded_and_retried_by_keyboard(failing, receiver, console):
    server, client = failing
    page = console(server, "/deliveries")
    page.shows("1 to 5 of 5", "given up", "the target answered 500")
    first = page.all("tbody input")[0].get_attribute("aria-label")
    page.tab_to(first)
    page.press("Space", "Shift+ArrowDown", "Shift+ArrowDown")
    page.shows("3 selected")
    page.assert_accessible()
    chosen = {each["id"] for each in deliveries(client)[:3]}
    page.tab_to("Discard", 400)
    page.press("Enter")
    page.one("dialog", "3 notifications that were given up are thrown away, for good.")
    page.tab_to("Discard")
    page.press("Enter")
    page.shows("1 to 2 of 2")
    left = deliveries(client)
    assert len(left) == 2 and not chosen & {each["id"] for each in left}

    receiver.on("/hook", FINE)
    page.press("a")
    page.shows("2 selected")
    page.click("button", "Retry")
    page.shows("Nothing waits, and nothing was given up.")
    assert deliveries(client) == []


def test_a_delivery_shows_what_is_sent_and_is_retried(failing, receiver, console):
    server, client = failing
    page = console(server, "/deliveries?status=dead")
    page.click("tbody a", "didSelect")
    page.one("h1", "Delivery")
    shown = deliveries(client)[0]
    page.shows("What is sent", '"number": 0', "the target answered 500", "Attempts\n3", "Attempts that failed")
    assert [each.text.splitlines()[-1] for each in page.all("ol.attempts li")] == ["the target answered 500"] * 3
    page.assert_accessible()
    page.tolerate(404)
    receiver.on("/hook", content({"operations": []}))
    page.click("button", "Retry")
    page.shows("It has been delivered, or thrown away.")
    assert shown["id"] not in {each["id"] for each in deliveries(client)}


def test_a_long_row_of_deliveries_has_pages(failing, receiver, console):
    server, client = failing
    receiver.kill()
    for number in range(120):
        notify(client, "didSelect", indexPath=[0, 0], parameters={"number": number})
    page = console(server, "/deliveries")
    page.shows("1 to 100 of")
    page.click("button", "Later")
    page.shows("101 to")
    assert "offset=100" in page.driver.current_url
    page.assert_fits(360)
    done(client.delete(SELECT))
    receiver.start()


def test_the_hooks_of_all_lists_are_shown_and_those_of_one(server, hooked, receiver, console):
    for number in range(12):
        path = f"/v1/directors/list-{number:02}"
        done(hooked.put(path, json={"kind": "flow"}))
        done(hooked.put(f"{path}/scroll-events/didScroll", json={"url": receiver.url}))
    register(hooked, receiver, SELECT)
    done(hooked.put(f"{BOOK}/sections/rows", json={"rows": [{"id": "a/b", "type": "constant", "cell": "C", "value": 1}]}))
    done(hooked.put(f"{BOOK}/sections/rows/rows/a%2Fb/events/didSelect", json={"url": receiver.url}))
    page = console(server, "/hooks")
    page.until(lambda: len(page.all("tbody tr")) == 14, "every list's hooks")
    page.shows("row a/b of rows", "cell of Person", "list-11", "scrolling")
    page.one("select[aria-label=List]").find_element("css selector", "option[value=list-07]").click()
    page.until(lambda: len(page.all("tbody tr")) == 1 and "list-07" in page.one("tbody tr").text, "one list's hooks")
    assert "director=list-07" in page.js("return location.hash")
    page.click("summary", "Register a hook")
    page.one("form select option", "the list")


def test_hooks_are_sorted_where_their_rows_are_cards(server, hooked, receiver, console):
    for path in (SELECT, HEIGHT):
        register(hooked, receiver, path)
    page = console(server, "/hooks", width=390)
    events = "return [...document.querySelectorAll('.table tbody tr')].map(each => each.querySelector('a[href^=\"#/hook?\"]').textContent)"
    for order, wanted in (("descending", ["rowHeight", "didSelect"]), ("ascending", ["didSelect", "rowHeight"])):
        page.click(".sorter select option", f"Event, {order}")
        page.until(lambda wanted=wanted: page.js(events) == wanted)
    page.assert_accessible()
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1440, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    page.until(lambda: page.one("thead th", "Event").get_attribute("aria-sort") == "ascending")
    page.until(lambda: not page.all(".sorter")[0].is_displayed())
