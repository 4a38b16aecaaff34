"""The console's frame and its page of all lists, in Chromium in front of a real server."""

import json
import re
import signal

import pytest

from conftest import BOOK, api
from support.access import caller, first_token, make_token

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

ATTACK = "<img src=x onerror='window.ran=1'><script>window.ran=1</script><b>bold</b>"


def test_the_frame_can_be_used_by_keyboard_and_every_page_has_an_address(server, console):
    page = console(server)
    page.one("h1", "Lists")
    page.shows("No lists yet")
    page.assert_accessible()
    page.press("?")
    page.one("dialog h2", "Keyboard shortcuts")
    page.assert_accessible()
    page.press("Escape")
    page.open("/nowhere")
    page.one("h1", "There is no such page")
    page.press("g", "l")
    page.one("h1", "Lists")
    assert page.focused == "Lists"
    page.assert_fits(360)


def test_a_list_is_made_by_keyboard_and_others_appear_by_themselves(server, http, console):
    page = console(server)
    page.shows("No lists yet", "curl -X PUT")
    page.press("n")
    page.until(lambda: page.focused == "Name")
    page.type("menu")
    page.press("Tab")
    page.type("flow")
    page.tab_to("Create")
    command = page.js("return document.querySelector('dialog .curl-line code').textContent")
    assert command == f"""curl -X PUT '{page.front.origin}/v1/directors/menu' -H 'If-None-Match: *' --json '{{"kind":"flow"}}'"""
    page.press("Enter")
    page.one("h1", "menu")
    assert http.get("/v1/directors/menu").json()["kind"] == "flow"
    page.press("g", "l")
    page.one("tbody a", "menu")
    http.put("/v1/directors/another", json={"kind": "table"})
    page.one("tbody a", "another")
    page.press("n")
    page.until(lambda: page.focused == "Name")
    page.type("menu")
    page.press("Enter")
    page.tolerate(412)
    page.one("dialog .problem", "If-None-Match is *")
    page.press("Escape")
    page.press("/")
    page.type("ANOTH")
    page.shows("1 of 2 lists")
    assert page.js("return location.hash") == "#/?q=ANOTH"
    page.assert_accessible()
    page.press("Enter")
    page.one("h1", "another")


def test_the_lists_show_what_has_changed(book, server, console):
    page = console(server)
    row = lambda: [cell.text for cell in page.all("tbody tr > *")]  # noqa: E731
    page.until(lambda: row()[:5] == ["book", "table", "2", "4", "1"], "the counts of the book")
    link = page.one("tbody a")
    for age in range(3):
        book.patch(f"{BOOK}/sections/people/elements/Ada", params={"reload": "true"}, json={"age": age})
    book.post(f"{BOOK}/sections/people/elements", json={"value": {"name": "Barbara"}})
    page.until(lambda: row()[:5] == ["book", "table", "2", "5", "4"], "the counts after the change")
    page.until(lambda: re.fullmatch(r"[\d.,]+", row()[5]) and float(row()[5].replace(",", "")) > 0, "versions a minute")
    assert link == page.one("tbody a"), "the row was drawn anew"
    book.put("/v1/directors/almost-empty", json={"kind": "flow"})
    page.until(lambda: [each.text for each in page.all("tbody a")] == ["almost-empty", "book"])
    page.click("thead button", "Elements")
    page.until(lambda: [each.text for each in page.all("tbody a")] == ["book", "almost-empty"])
    assert page.one("thead th[aria-sort=descending]").text.startswith("Elements")


def test_files_are_loaded_by_choosing_and_by_dropping(server, http, console, tmp_path):
    countries = [{"code": code, "name": name} for code, name in [("AD", "Andorra"), ("FR", "France"), ("DE", "Germany")]]
    file = tmp_path / "countries.json"
    file.write_text(json.dumps(countries))
    page = console(server)
    page.shows("No lists yet")
    page.one("button", "Load a file")
    page.all("input[type=file]")[0].send_keys(str(file))
    page.shows("3 elements", "The list is new.")
    assert page.js("return document.querySelector('dialog [list=members], dialog input[value]') && [...document.querySelectorAll('dialog input')].map(e => e.value)") == [
        "countries", "Item", "{code}", "items"]
    page.assert_accessible()
    page.click("dialog button", "Load")
    page.one("h1", "countries")
    page.shows("Andorra", "Germany")
    assert [each["value"] for each in http.get("/v1/directors/countries/elements").json()["elements"]] == countries

    page.press("g", "l")
    page.one("tbody a", "countries")
    whole = {"adapters": [{"model": "Country", "cell": "CountryCell", "identifier": "{code}"}], "variables": {"isOpen": True},
             "sections": [{"id": "all", "headerTitle": "All", "elements": [{"model": "Country", "value": countries[1]}]}]}
    drop = """
        const transfer = new DataTransfer();
        transfer.items.add(new File([arguments[0]], "countries.json", {type: "application/json"}));
        for (const type of ["dragover", "drop"]) document.querySelector("main").dispatchEvent(
            new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
    """
    page.js(drop, json.dumps(whole))
    page.shows("its 3 elements are replaced")
    page.click("dialog button", "Replace and reload")
    page.one("h1", "countries")
    page.until(lambda: [each["id"] for each in http.get("/v1/directors/countries/elements?state=published").json()["elements"]] == ["FR"])
    assert http.get("/v1/directors/countries/variables").json()["variables"] == {"isOpen": True}
    page.press("g", "l")
    page.one("tbody a", "countries")
    page.js(drop, "{ not json")
    page.one("dialog .problem", "The file is not JSON")
    page.press("Escape")

    # What would change is shown before it does.
    page.js(drop.replace("countries.json", "countries.csv").replace("application/json", "text/csv"), 'code,name\nFR,"France, the"\nIT,Italy\n')
    page.shows("2 elements", "its 1 element is replaced")
    before = http.get("/v1/directors/countries").json()["revision"]
    page.click("dialog button", "Dry run")
    page.shows("It would send:")
    assert http.get("/v1/directors/countries").json()["revision"] == before
    page.assert_accessible()
    page.click("dialog button", "Replace and reload")
    page.one("h1", "countries")
    page.until(lambda: [each["value"] for each in http.get("/v1/directors/countries/elements?state=published").json()["elements"]] == [
        {"code": "FR", "name": "France, the"}, {"code": "IT", "name": "Italy"}])
    page.press("g", "l")
    page.one("tbody a", "countries")
    page.js(drop.replace("countries.json", "countries.csv"), "code,name\nFR\n")
    page.one("dialog .problem", "Line 2 has 1 value, and the heading 2.")


def test_names_full_of_markup_are_text(server, http, console):
    name = "<b>bold</b>&amp;\"'"
    http.put("/v1/directors/" + "%3Cb%3Ebold%3C%2Fb%3E%26amp%3B%22%27", json={"kind": "table"})
    page = console(server)
    page.click("tbody a", name)
    page.one("h1", name)
    page.shows("The published list is empty.")
    assert page.js("return document.querySelectorAll('main b').length") == 0


def test_a_server_that_is_gone_is_told_of_and_its_return_is_seen(start, console):
    server = start()
    with api(server) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
        client.post(f"{BOOK}/sections", params={"reload": "true"}, json={"id": "people", "elements": [{"value": {"name": "Ada"}}]})
    page = console(server, "/lists/book")
    page.tolerate(0, 502)
    page.shows("Ada", "live")
    server.terminate(signal.SIGKILL)
    server.wait()
    page.shows("The server cannot be reached since", "not connected")
    page.assert_accessible()
    again = start("--port", str(server.port), folder=server.folder)
    page.hides("The server cannot be reached")
    page.shows("live")
    with api(again) as client:
        client.post(f"{BOOK}/sections/people/elements", params={"reload": "true"}, json={"value": {"name": "Grace"}})
    page.shows("Grace")


def test_a_token_is_asked_for_and_again_when_it_is_revoked(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        client.put(BOOK, json={"kind": "table"})
        made = make_token(client, [{"actions": ["read"], "directors": ["book"]}], name="reader")
        page = console(server, "/lists/book")
        page.tolerate(401, 404)
        page.one("h1", "Sign in")
        assert not page.all(".why")
        page.assert_accessible()
        page.until(lambda: page.focused.startswith("Token"))
        page.type("not-a-token")
        page.press("Enter")
        page.one(".problem")
        page.press("Control+a")
        page.type(made["token"])
        page.press("Enter")
        page.one("h1", "book")
        page.shows("reader")
        # What the token does not allow is not offered.
        assert "Add an element" not in page.text and "Delete" not in page.text
        assert page.js("return [document.cookie, localStorage.length, sessionStorage.length]") == ["", 0, 0]
        client.delete(f"/v1/tokens/{made['id']}").raise_for_status()
        page.one("h1", "Sign in")
        page.shows("The session has ended:")
        page.until(lambda: page.focused.startswith("Token"))
        page.type(first_token(server))
        page.press("Enter")
        page.one("h1", "book")
        page.shows("Add an element")
        page.click("button", "Sign out")
        page.one("h1", "Sign in")
        page.shows("You have signed out.")


def test_who_may_see_something_without_a_token_signs_in_for_more(start, console):
    grants = json.dumps([{"actions": ["read"], "directors": ["book"]}])
    server = start(AUTH_MODE="required")
    server.stop()
    server = start(folder=server.folder, AUTH_MODE="required", AUTH_ANONYMOUS=grants)
    with caller(server, first_token(server)) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put("/v1/directors/secret", json={"kind": "table"})
    page = console(server, "/lists/book")
    page.tolerate(401, 404)
    page.one("h1", "book")
    page.shows("anonymous")
    page.click("button", "Sign in")
    page.until(lambda: page.focused.startswith("Token"))
    page.click("nav a", "Lists")
    page.one("tbody a", "book")
    assert "secret" not in page.text
    page.click("header button", "Sign in")
    page.until(lambda: page.focused.startswith("Token"))
    page.type(first_token(server))
    page.press("Enter")
    page.one("tbody a", "secret")
    assert "anonymous" not in page.text
