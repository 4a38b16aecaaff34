"""The console's pages of the server, of streams and of access; what comes from outside, on all pages."""

import json
import re
import signal
import subprocess

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from conftest import api  # noqa: E402
from support.access import Listener, caller, first_token, make_menu, make_token  # noqa: E402
from support.console import FRONT  # noqa: E402
from support.hooks import BOOK, HASTY, client_of, deliveries, done, eventually, fill, notify, register  # noqa: E402
from support.proxy import Relay  # noqa: E402
from support.receiver import FAILS  # noqa: E402
from support.server import metric  # noqa: E402
from support.streams import STREAM, StreamTeller  # noqa: E402

ATTACK = "<img src=x onerror='window.ran=1'><b>bold</b>"


@pytest.mark.parametrize("module", ["metrics", "csv", "retained", "apng"])
def test_what_needs_no_browser(tool, module):
    subprocess.run([tool("node", "nodejs"), "--test", str(FRONT.parent / f"{module}.test.mjs")], check=True, timeout=60)


def figure(page, name: str) -> str:
    return page.js("""return [...document.querySelectorAll(".figures dl > div")]
        .find(each => each.querySelector("dt").firstChild.data === arguments[0])?.querySelector("dd").textContent""", name)


def test_the_server_is_shown_as_its_metrics_say_and_goes_on_after_a_restart(start, receiver, console):
    server = start(**HASTY)
    relay = Relay(server.port)
    try:
        with client_of(server) as client:
            fill(client)
            register(client, receiver, f"{BOOK}/adapters/Person/events/didSelect")
            receiver.on("/hook", FAILS)
            notify(client, "didSelect", indexPath=[0, 0])
            eventually(lambda: len(deliveries(client, status="dead")) == 1, "a dead delivery")
            # The page shows one process, where there are several: here the one that sends the list's notifications.
            [process] = [each for each in server.nodes if metric(each, client, "callboard_deliveries_dead")]
            relay.target = process.port
            page = console(type("Through", (), {"url": f"http://127.0.0.1:{relay.port}"}), "/server")
            page.tolerate(0, 502)
            page.shows("1 notification was given up and waits")
            page.assert_accessible()
            published = f'{metric(process, client, "callboard_versions_published_total"):.0f}'
            assert figure(page, "Versions published") == published and figure(page, "Given up") == "1"
            done(client.post(f"{BOOK}/operations", json={"reload": True, "operations": [
                {"op": "removeElement", "section": "people", "element": "Ada"}]}))
            page.until(lambda: figure(page, "Versions published") == str(int(published) + 1))
        chart = page.all(".chart")[2]
        page.until(lambda: "L" in page.js("return arguments[0].querySelector('.trace.main').getAttribute('d')", chart))
        page.js("arguments[0].focus()", chart)
        page.shows("callboard_mutations_total")
        page.press("ArrowLeft")
        assert re.fullmatch(r"\d\d:\d\d:\d\d", chart.find_element("css selector", ".time").text)
        page.press("Tab")
        server.terminate(signal.SIGKILL)
        server.wait()
        relay.cut()
        page.shows("The server cannot be reached")
        server = start(folder=server.folder, **HASTY)
        relay.target = server.nodes[0].port
        relay.mend()
        page.hides("The server cannot be reached")
        page.until(lambda: figure(page, "Versions published") == "0")
        page.assert_fits(360)
    finally:
        relay.close()


def test_a_stream_that_is_followed_is_told_of_and_ended_where_the_server_does(server, book, console):
    page = console(server, "/streams")
    if "/v1/streams" not in book.get("/openapi.json").json()["paths"]:
        page.tolerate(404)
        page.shows("This server does not tell who follows its lists.")
        return
    page.shows("Nobody follows a list at this moment.")
    listener = Listener(server, None, BOOK)
    try:
        page.shows("1 open", "nobody in particular", "http/1.1", "nothing")
        book.post(f"{BOOK}/operations", json={"reload": True, "operations": [{"op": "removeAllSections"}]})
        page.until(lambda: page.all("tbody td")[3].text == "2")
        page.click("button", "End the stream of book from 127.0.0.1")
        page.click("dialog button", "End")
        page.shows("Nobody follows a list at this moment.")
        assert listener.ended()[0] == "closed"
    finally:
        listener.close()


def test_streams_are_shown_with_their_lag_and_ended(server, book, console):
    others = STREAM | {"id": "s/2", "principal": None, "protocol": "http/1.1", "node": ATTACK,
                       "directors": [{"name": "book", "version": 10, "lag": 0}, {"name": ATTACK, "version": 1, "lag": 0}]}
    teller = StreamTeller(server, [STREAM, others])
    try:
        page = console(teller, "/streams?director=book")
        page.shows("till", "3 versions", "h2", "nobody in particular", ATTACK, "2 open")
        page.assert_accessible()
        page.assert_fits(360)
        page.tab_to("End the stream of book from 127.0.0.1:5000")
        page.press("Enter")
        page.one("dialog", "The stream of till from 127.0.0.1:5000 ends.")
        page.click("dialog button", "End")
        page.hides("till")
        assert [each["id"] for each in teller.streams] == ["s/2"]
        page.click("button", "End the stream of book")
        page.one("dialog", "It carries 1 other list as well.")
        page.click("dialog button", "End")
        page.shows("Nobody follows a list at this moment.")
        assert teller.streams == []
        page.leave()
    finally:
        teller.stop()


def test_a_server_that_asks_nobody_says_so(server, console):
    page = console(server, "/access")
    page.shows("This server asks nobody for a token", "read, report, mutate, define, hooks, operate on *", "There is no token.")
    page.assert_accessible()
    page.assert_fits(360)


def test_a_token_is_made_tried_and_revoked_by_keyboard(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        page = console(server, "/access").sign_in(first_token(server))
        page.shows("Who you are", "first token")
        page.tab_to("Make a token")
        page.press("Enter")
        page.tab_to("Name")
        page.type(ATTACK)
        page.tab_to("Lists")
        page.press("Control+a")
        page.type("menu-*, book")
        page.tab_to("report")
        page.press("Space")
        page.tab_to("Make")
        page.press("Enter")
        token = page.one(".secret").text
        # In the order of their seconds, which may be the same.
        [made] = [each for each in client.get("/v1/tokens").json()["tokens"] if each["name"] != "first token"]
        assert made["name"] == ATTACK and made["grants"] == [{"actions": ["read", "report"], "directors": ["menu-*", "book"]}]
        page.shows(ATTACK)
        page.assert_accessible()

        def outcomes() -> dict:
            rows = page.js("""return [...document.querySelectorAll("table")].at(-1).querySelectorAll("tbody tr")""")
            return {row.find_element("css selector", "th").text: row.find_elements("css selector", "td")[-1].text for row in rows}

        page.tab_to("Token")
        page.type(token)
        page.press("Tab")
        page.type("menu-lunch")
        page.press("Enter")
        page.until(lambda: outcomes().get("read the list") == "allowed")
        assert outcomes()["report taps and ask for heights"] == "allowed"
        assert {outcomes()[each] for each in ("change and publish it", "register a hook", "make tokens, and so everything")} == {"refused"}
        page.tab_to("List")
        page.press("Control+a")
        page.type("stock")
        page.until(lambda: set(outcomes().values()) == {"refused"})

        page.tab_to(f"Revoke {ATTACK}", 400)
        page.press("Enter")
        page.one("dialog", "is refused from now on")
        page.tab_to("Revoke")
        page.press("Enter")
        page.until(lambda: len(client.get("/v1/tokens").json()["tokens"]) == 1)
        page.click("button", "Try")
        page.one(".problem", "revoked")
        assert page.js("return window.ran") is None


def test_what_the_rights_do_not_allow_is_said_and_not_asked_for(start, console):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_menu(client)
        token = make_token(client, [{"actions": ["read"], "directors": ["*"]}])["token"]
    page = console(server, "/hooks").sign_in(token)
    page.shows("You may not see or change hooks")
    for address in ("/deliveries", "/streams", "/server", "/access",
                    "/hook?path=/v1/directors/menu-lunch/adapters/Dish/events/didSelect"):
        page.open(address)
        page.shows("You may not")
    page.assert_accessible()


def test_markup_from_outside_is_shown_as_text_on_every_page(start, receiver, console):
    server = start(**HASTY)
    with api(server) as client:
        where = "/v1/directors/%3Cimg%20src=x%20onerror='window.ran=1'%3E%3Cb%3Ebold%3C%2Fb%3E"
        client.put(where, json={"kind": "table"})
        model = "%3Cimg%20src=x%20onerror='window.ran=1'%3E"
        client.put(f"{where}/adapters/{model}", json={"cell": ATTACK, "identifier": "{name}"})
        element = {"model": "<img src=x onerror='window.ran=1'>", "value": {"name": ATTACK, "more": ATTACK}}
        client.put(f"{where}/sections?reload=true", json={"sections": [{"id": ATTACK, "headerTitle": ATTACK, "elements": [element]},
            # One that a browser takes for another path.
            {"id": "..", "rows": [{"id": "row", "type": "constant", "cell": "Cell"}]}]})
        receiver.secrets["/hook?%3Cimg%20src=x%3E"] = ["whsec_" + "A" * 32]
        hook = f"{where}/adapters/{model}/events/didSelect"
        client.put(hook, json={"url": f"{receiver.url}/hook?%3Cimg%20src=x%3E", "secret": "whsec_" + "A" * 32,
                               "headers": {"X-Note": "<b>"}, "default": ATTACK} | {"default": None})
        receiver.on("/hook?%3Cimg%20src=x%3E", FAILS)
        client.post(f"{where}/events", json={"event": "didSelect", "indexPath": [0, 0], "parameters": {"note": ATTACK}})
        eventually(lambda: client.get("/v1/deliveries", params={"status": "dead"}).json()["total"] == 1, "a dead delivery")
        client.post("/v1/tokens", json={"name": ATTACK, "grants": [{"actions": ["read"], "directors": ["<b>"]}]})
        delivery = client.get("/v1/deliveries").json()["deliveries"][0]
    page = console(server)
    page.tolerate(404)
    name = where.removeprefix("/v1/directors/")
    one = f"/hook?path={hook.replace('%', '%25')}"
    # Of each page, what holds the names: it is waited for.
    pages = {"/hooks": "tbody td", "/deliveries": "tbody td", "/access": "tbody th", f"/lists/{name}/hooks": "tbody td",
             f"/lists/{name}/changesets": ".replay .entry", one: ".facts dd", f"/deliveries/{delivery['id']}": ".json"}
    for address, place in pages.items():
        page.open(address)
        page.one(place, "<b>bold</b>" if place == ".replay .entry" else "<")
        page.shows("<img src=x onerror='window.ran=1'>")
        markup = page.js("return document.querySelectorAll('main img, main b').length")
        assert page.js("return window.ran") is None and markup == 0, address
    page.open("/server?a=<img src=x onerror='window.ran=1'>")
    page.open("/deliveries?director=" + json.dumps(ATTACK))
    page.shows("Nothing waits")
    assert page.js("return window.ran") is None
