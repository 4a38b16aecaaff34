"""Chromium's own EventSource follows a director on another origin, through a dropped connection."""

import http.server
import json
import os
import queue
import shutil
import subprocess
import threading
import urllib.parse
from pathlib import Path

import pytest

from conftest import BOOK, api
from support.proxy import Relay
from support.server import metrics

PAGES = {"/": "page.html", "/attack": "attack.html", "/token": "token.html", "/ticket": "ticket.html",
         "/streams": "streams.html"}
PATIENCE = 60.0
# In each page: what it does not catch is told as well, so that a page that stops says why.
FAILURES = b"""<meta charset="utf-8"><script>
for (const name of ["error", "unhandledrejection"]) addEventListener(name, event => fetch("/report", {
  method: "POST", body: JSON.stringify({ event: "failed", error: String(event.reason ?? event.message) }) }));
</script>"""


class Reports(http.server.ThreadingHTTPServer):
    """Serves the page and collects what it tells."""

    daemon_threads = True
    scheme = "http"

    def __init__(self, handler: type | None = None):
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.told: queue.Queue[dict] = queue.Queue()
        self.asked: list[str] = []

    def begin(self) -> None:
        """Serves from now on."""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    def next(self, *events: str) -> dict:
        """The next report whose event is one of these; other reports in between are passed over."""
        others = []
        while True:
            try:
                report = self.told.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(
                    f"no page told of {events}, but of {others}; pages asked for {self.asked}") from None
            assert report["event"] != "gap", f"the page missed something: {report}"
            if report["event"] in events:
                return report
            others.append(report)


class Handler(http.server.BaseHTTPRequestHandler):
    pages = PAGES

    def do_GET(self):
        page = self.pages.get(urllib.parse.urlsplit(self.path).path)
        content = (Path(__file__).parent / "browser" / page).read_bytes() if page else b""
        content = content.replace(b'<meta charset="utf-8">', FAILURES, 1)
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        self.server.told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_request(self, code="-", size="-"):
        self.server.asked.append(f"{self.command} {urllib.parse.urlsplit(self.path).path}: {code}")

    def log_message(self, *_):
        pass


@pytest.fixture
def reports():
    server = Reports()
    server.begin()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def browse(tmp_path):
    """Opens pages in a headless Chromium with a profile of its own."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    started = []

    def command(url: str, *options: str) -> list[str]:
        return [
            program, *options, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-proxy-server",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            f"--user-data-dir={tmp_path / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else []), url,
        ]

    def open_page(url: str, *options: str) -> None:
        with (tmp_path / "chromium.log").open("wb") as log:
            started.append(subprocess.Popen(command(url, *options), stdout=log, stderr=log, start_new_session=True))

    def show(url: str, *options: str) -> str:
        """What a page shows, once it is loaded."""
        shown = subprocess.run(
            command(url, "--dump-dom", *options), capture_output=True, text=True, timeout=PATIENCE, check=False)
        return shown.stdout

    open_page.show = show
    yield open_page
    for process in started:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if started:
        print((tmp_path / "chromium.log").read_text(errors="replace")[-2000:])


def make_book(client) -> None:
    client.put(BOOK, json={"kind": "table"})
    client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
    people = [{"value": {"name": name, "age": 30}} for name in ("Ada", "Grace", "Alan")]
    client.post(f"{BOOK}/sections", json={"id": "people", "elements": people})
    client.post(f"{BOOK}/sections", json={"id": "others", "elements": []})
    client.post(f"{BOOK}/reload")


def sections(client) -> list[dict]:
    return client.get(f"{BOOK}/sections", params={"state": "published"}).json()["sections"]


def test_a_page_keeps_its_copy_through_a_dropped_connection(start, browse, reports):
    server = start(CORS_ORIGINS=reports.origin)
    relay = Relay(server.port)
    try:
        with api(server) as client:
            make_book(client)
            stream = f"http://127.0.0.1:{relay.port}{BOOK}/changesets"
            browse(f"{reports.origin}/?{urllib.parse.urlencode({'stream': stream})}")

            told = reports.next("snapshot")
            assert told["copy"]["sections"] == sections(client)

            client.post(f"{BOOK}/operations", json={"reload": True, "operations": [
                {"op": "moveElement", "section": "people", "from": 0, "to": 0, "toSection": "others"},
                {"op": "addElements", "section": "people", "at": 0, "elements": [{"value": {"name": "Barbara"}}]},
                {"op": "moveSection", "from": 0, "to": 1},
            ]})
            told = reports.next("changeset")
            assert told["copy"]["sections"] == sections(client)
            held = told["copy"]["version"]

            relay.cut()
            for age in (31, 32):
                client.patch(f"{BOOK}/sections/people/elements/Grace", params={"reload": "true"}, json={"age": age})
            relay.mend()
            told = reports.next("resumed", "snapshot")
            assert told["event"] == "resumed", "the browser came back with its id, so it gets what it missed"
            assert (told["data"]["from"], told["data"]["version"]) == (held, held + 2)
            told = reports.next("changeset")
            assert (told["data"]["from"], told["data"]["version"]) == (held, held + 2)
            assert told["copy"]["sections"] == sections(client)
    finally:
        relay.close()


def test_a_page_of_an_allowed_origin_may_change_the_list(start, browse, reports):
    server = start(CORS_ORIGINS=reports.origin)
    with api(server) as client:
        make_book(client)
        query = {
            "stream": f"{server.url}{BOOK}/changesets",
            "change": f"{server.url}{BOOK}/sections/people/elements/Ada?reload=true",
        }
        browse(f"{reports.origin}/?{urllib.parse.urlencode(query)}")
        told = [reports.next("changed", "changeset") for _ in range(2)]
        answers = {report["event"]: report for report in told}
        assert answers["changed"]["status"] == 200 and answers["changed"]["etag"]
        assert answers["changeset"]["copy"]["sections"] == sections(client)


def test_a_page_of_another_origin_sees_nothing(start, browse, reports):
    server = start(CORS_ORIGINS="https://somewhere.example")
    with api(server) as client:
        make_book(client)
    browse(f"{reports.origin}/?{urllib.parse.urlencode({'stream': f'{server.url}{BOOK}/changesets'})}")
    told = reports.next("snapshot", "error")
    assert told["event"] == "error" and told["readyState"] == 2, "the browser gives up: readyState is CLOSED"


def test_a_page_of_another_site_changes_nothing(start, browse, reports):
    """An untyped Blob, a body-less reload, a form and a beacon are sent by a browser without asking the server first."""
    server = start()
    with api(server) as client:
        make_book(client)
        client.post(f"{BOOK}/sections", json={"id": "unpublished", "elements": []})
        before = client.get(BOOK).json()
        browse(f"{reports.origin}/attack?{urllib.parse.urlencode({'book': server.url + BOOK})}")
        outcomes = reports.next("attacked")["outcomes"]
        # They were sent: the answers are opaque to the page, or the browser did not ask because of the preflight.
        assert outcomes["untypedBlob"] == outcomes["bodylessReload"] == "opaque", outcomes
        assert client.get(BOOK).json() == before, outcomes
        refused = metrics(server, client)
        assert 'status="403"' in refused


def test_a_name_that_leads_to_this_machine_shows_nothing(start, browse):
    """DNS rebinding: attacker.example resolves to the loopback address, and its page is of the same origin."""
    server = start()
    with api(server) as client:
        make_book(client)
    rebound = browse.show(
        f"http://attacker.example:{server.port}{BOOK}/sections",
        "--host-resolver-rules=MAP attacker.example 127.0.0.1")
    assert "Grace" not in rebound and "server.allowedHosts" in rebound
    assert "Grace" in browse.show(f"http://localhost:{server.port}{BOOK}/sections")
