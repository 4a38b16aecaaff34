"""The JavaScript client in Chromium: a list that is shown, through floods, kills, closed tabs and ended tokens."""

import datetime
import json
import signal
import time
import urllib.parse
from pathlib import Path

import pytest

from conftest import BOOK, api
from support.access import caller, first_token, make_token
from support.hooks import eventually
from support.proxy import Relay
from support.replica import Replica
from support.server import metric
from test_browser import Handler, Reports, browse

__all__ = ["browse"]

CHECKOUT = Path(__file__).resolve().parent.parent.parent
CARDS = "/v1/directors/cards"
SERVED = CHECKOUT / "Sources/WebAssets/served/client.js"
PAGE = CHECKOUT / "Tests/WebClient/browser.html"


class PageHandler(Handler):
    """Serves the page and the client, and gives the page what it asks the test for."""

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        found = {"/": (PAGE, "text/html; charset=utf-8"), "/client.js": (SERVED, "text/javascript")}.get(path)
        self._answer(*((found[0].read_bytes(), found[1]) if found else (b"", "text/plain")), 200 if found else 404)

    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if url.path == "/report":
            self.server.told.put(body)
            self._answer(b"{}", "application/json")
        elif url.path == "/token":
            self._answer(json.dumps(self.server.token()).encode(), "application/json")
        else:
            tab = urllib.parse.parse_qs(url.query)["tab"][0]
            action = self.server.actions.pop(tab, None)
            self._answer(json.dumps({"action": action}).encode(), "application/json")

    def _answer(self, content: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def pages():
    server = Reports(PageHandler)
    server.actions = {}
    server.begin()
    yield server
    server.shutdown()
    server.server_close()


def address(pages: Reports, url: str, **query: str) -> str:
    return f"{pages.origin}/?{urllib.parse.urlencode({'url': url, 'director': 'book'} | query)}"


def make_book(client, count: int = 40, path: str = BOOK) -> None:
    """Two published sections of people."""
    client.put(path, json={"kind": "table"})
    client.put(f"{path}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
    people = [{"value": {"name": f"p{number}", "age": number}} for number in range(count)]
    client.post(f"{path}/sections", json={"id": "people", "headerTitle": "People", "elements": people})
    client.post(f"{path}/sections", json={"id": "others", "elements": []})
    client.post(f"{path}/reload")


def rows(sections: list[dict]) -> list:
    """What the page shows of sections."""
    return [[section.get("headerTitle") or "", [f"{each['id']}={each['value'].get('age', '')} PersonCell" for each in section["elements"]]]
            for section in sections]


def replica(client, path: str = BOOK) -> Replica:
    copy = Replica()
    director = client.get(path).json()
    sections = client.get(f"{path}/sections", params={"state": "published"}).json()["sections"]
    copy.snapshot({"epoch": director["epoch"], "version": director["version"], "sections": sections})
    return copy


def publish(client, *operations: dict, path: str = BOOK) -> dict:
    return client.post(f"{path}/operations", json={"reload": True, "operations": list(operations)}).json()


def shown(pages: Reports, version: int, tab: str = "page") -> dict:
    """What a tab shows of a version; fails where the page has failed."""
    while True:
        told = pages.next("shown", "failed", "mismatch")
        assert told["event"] == "shown", told
        if told["version"] >= version and told["tab"] == tab:
            return told


def patch(name: str, age: int) -> dict:
    return {"op": "patchElement", "section": "people", "element": name, "patch": {"age": age}}


@pytest.mark.parametrize("stream", ["fetch", "eventsource"])
def test_a_page_shows_each_version_as_it_was_published_while_many_changes_arrive(start, browse, pages, stream):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client)
        copy = replica(client)
        wanted = {copy.version: rows(copy.sections)}
        browse(address(pages, server.url, stream=stream))
        shown(pages, copy.version)
        began, count, rate = time.monotonic(), 600, 200
        for number in range(count):
            # Kinds by turns: updates, moves within and between, an insert and its delete, a section's own and its place.
            operation = [
                patch("p0", 1000 + number),
                {"op": "moveElement", "section": "people", "from": 0, "to": number % 30},
                {"op": "moveElement", "section": "people", "from": 3, "to": 0, "toSection": "others"},
                {"op": "addElements", "section": "people", "at": number % 20, "elements": [{"value": {"name": f"n{number}"}}]},
                {"op": "moveElement", "section": "others", "from": 0, "to": 5, "toSection": "people"},
                {"op": "removeElement", "section": "people", "element": f"n{number - 2}"},
                {"op": "patchSection", "section": "others", "patch": {"headerTitle": f"Others {number}"}},
                {"op": "moveSection", "from": 0, "to": 1},
            ][number % 8]
            changeset = publish(client, operation)
            copy.changeset(changeset)
            wanted[copy.version] = rows(copy.sections)
            time.sleep(max(0, began + number / rate - time.monotonic()))
        took = time.monotonic() - began
        drawn = 0
        while True:
            told = pages.next("shown", "failed", "mismatch")
            assert told["event"] == "shown", told
            assert told["rows"] == wanted[told["version"]], f"version {told['version']}"
            assert told["changed"] == 0, "every row that stays keeps its node"
            drawn += 1
            if told["version"] == copy.version:
                break
        print(f"{count / took:.0f} changes a second, {drawn} states drawn of {count}")
        assert drawn > 10


def test_a_page_goes_on_where_it_was_after_the_server_was_killed(start, browse, pages):
    server = start(CORS_ORIGINS=pages.origin)
    relay = Relay(server.port)
    try:
        with api(server) as client:
            make_book(client)
            version = replica(client).version
        browse(address(pages, f"http://127.0.0.1:{relay.port}"))
        shown(pages, version)
        server.terminate(signal.SIGKILL)
        server.wait()
        relay.cut()
        assert pages.next("status")["status"] == "waiting"
        server = start(folder=server.folder, CORS_ORIGINS=pages.origin)
        with api(server) as client:
            version = publish(client, patch("p1", 99))["version"]
            relay.target = server.port
            relay.mend()
            assert pages.next("resumed", "snapshot")["event"] == "resumed"
            told = shown(pages, version)
            assert told["rows"] == rows(replica(client).sections) and told["changed"] == 0
    finally:
        relay.close()


def test_three_tabs_share_a_stream_and_go_on_when_the_one_that_holds_it_is_closed(start, browse, pages):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client)
        make_book(client, path=CARDS)
        tabs = ["page", "second", "third"]
        browse(address(pages, server.url, share="1", tabs="second:book,third:cards"), "--disable-popup-blocking")
        seen = set()
        while seen != set(tabs):
            told = pages.next("shown", "failed", "mismatch")
            assert told["event"] == "shown", told
            seen.add(told["tab"])
        assert metric(server, client, "callboard_subscribers") == 1

        def change(age: int, left: list[str]) -> None:
            """Each tab that is left shows the change of its list."""
            versions = {path: publish(client, patch("p1", age), path=path)["version"] for path in (BOOK, CARDS)}
            wanted, waiting = {path: rows(replica(client, path).sections) for path in versions}, set(left)
            while waiting:
                told = pages.next("shown", "failed", "mismatch", "snapshot")
                path = CARDS if told["tab"] == "third" else BOOK
                # The next holder, whichever it is, may not have kept the list that it does not show itself.
                assert told["event"] == "shown" or "page" not in left and told["event"] == "snapshot", told
                if told["version"] == versions[path] and told["tab"] in waiting and told["event"] == "shown":
                    assert told["rows"] == wanted[path] and told["changed"] == 0
                    waiting.remove(told["tab"])
            assert metric(server, client, "callboard_subscribers") == 1

        change(100, tabs)
        # The first page holds the stream. It leaves, and one of the others goes on where it is.
        streams = lambda: [each["id"] for each in client.get("/v1/streams").json()["streams"]]  # noqa: E731
        [before] = streams()
        pages.actions["page"] = "leave"
        eventually(lambda: len(streams()) == 1 and before not in streams(), "another tab to hold a stream")
        change(101, ["second", "third"])
        change(102, ["second", "third"])


def test_a_page_follows_by_event_source_with_a_ticket_for_each_connection(start, browse, pages):
    server = start(AUTH_MODE="required", CORS_ORIGINS=pages.origin)
    relay = Relay(server.port)
    try:
        with caller(server, first_token(server)) as client:
            make_book(client)
            pages.token = lambda: {"token": make_token(client, [{"actions": ["read"], "directors": ["book"]}])["token"]}
            browse(address(pages, f"http://127.0.0.1:{relay.port}", token="1", stream="eventsource"))
            shown(pages, replica(client).version)
            relay.cut()
            version = publish(client, patch("p1", 1000))["version"]
            relay.mend()
            assert pages.next("resumed", "snapshot", "failed")["event"] == "resumed"
            assert shown(pages, version)["rows"] == rows(replica(client).sections)
    finally:
        relay.close()


@pytest.mark.parametrize("options", [(), ("--force-prefers-reduced-motion",)], ids=["motion", "reduced motion"])
def test_rows_glide_to_where_they_go_unless_the_user_prefers_reduced_motion(start, browse, pages, options):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client, 8)
        browse(address(pages, server.url), *options)
        shown(pages, replica(client).version)
        move = {"op": "moveElement", "section": "people", "from": 0, "to": 4}
        told = shown(pages, publish(client, move)["version"])
        # The row that moves and the four that give way to it.
        assert told["moving"] == (0 if options else 5)


def test_a_page_goes_on_when_its_token_ends(start, browse, pages):
    server = start(AUTH_MODE="required", CORS_ORIGINS=pages.origin)
    made = []
    with caller(server, first_token(server)) as client:
        make_book(client)

        def token() -> dict:
            end = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=8)).isoformat().replace("+00:00", "Z")
            grants = [{"actions": ["read"], "directors": ["book"]}]
            made.append(make_token(client, grants, f"page {len(made)}", expiresAt=end)["token"])
            return {"token": made[-1], "expiresAt": end}

        pages.token = token
        browse(address(pages, server.url, token="1"))
        shown(pages, replica(client).version)
        began, age, resumed = time.monotonic(), 1000, 0
        while resumed < 2 and time.monotonic() - began < 60:
            age += 1
            version = publish(client, patch("p1", age))["version"]
            while True:
                told = pages.next("shown", "failed", "mismatch", "resumed", "snapshot", "status", "end")
                resumed += told["event"] == "resumed"
                assert told["event"] in ("shown", "resumed") or told.get("status") == "connecting", told
                if told["event"] == "shown" and told["version"] >= version:
                    break
            time.sleep(0.2)
        assert told["rows"] == rows(replica(client).sections)
        assert len(made) >= 3 and resumed >= 2, f"{len(made)} tokens, {resumed} resumptions"


@pytest.mark.parametrize("query", [{"plain": "1"}, {}], ids=["the client's rows", "the page's rows"])
def test_markup_in_values_is_shown_as_text(start, browse, pages, query):
    server = start(CORS_ORIGINS=pages.origin)
    attack = "<img src=x onerror='window.ran=1'><script>window.ran=1</script><b>bold</b>"
    with api(server) as client:
        make_book(client, 1)
        publish(client, {"op": "patchSection", "section": "others", "patch": {"headerTitle": attack, "footerTitle": attack}},
                {"op": "addElements", "section": "others", "elements": [{"value": {"name": attack, "<b>": attack}}]})
        browse(address(pages, server.url, **query))
        told = shown(pages, replica(client).version)
        title, [row] = told["rows"][1]
        assert title == attack and attack in row
        assert told["markup"] == 0 and told["ran"] is None
        client.patch(f"{BOOK}/sections/people", params={"reload": "true"}, json={"headerTitle": "<a>title</a>"})
        told = shown(pages, replica(client).version)
        assert told["rows"][0][0] == "<a>title</a>" and told["markup"] == 0 and told["ran"] is None
