"""Chromium with a session's cookie, and with a ticket: what pages of this and of other origins can do."""

import json
import urllib.parse

import pytest

from conftest import BOOK
from support.access import caller, first_token
from support.front import encrypt, relay
from support.server import Server, metrics
from test_browser import Handler, Reports, browse, make_book, reports

__all__ = ["browse", "reports"]

PAGES = {"/session": "session.html", "/attack": "session-attack.html"}
INSECURE = "--ignore-certificate-errors"


class FrontHandler(Handler):
    """Serves the pages, and passes what is below /v1 on."""

    pages = PAGES

    def do_GET(self):
        return relay(self, self.server.target) if self.path.startswith("/v1/") else super().do_GET()

    def do_POST(self):
        return relay(self, self.server.target) if self.path.startswith("/v1/") else super().do_POST()

    def pass_on(self):
        relay(self, self.server.target)

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = pass_on


class Front(Reports):
    """The origin of a server's pages: `https` and a port, in front of `target`."""

    scheme = "https"

    def __init__(self, folder, target: int):
        self.target = target
        super().__init__(FrontHandler)
        encrypt(self, folder)
        self.begin()


def start_fronts(tmp_path, server: Server) -> tuple[Front, Front]:
    """The server's own origin, and another port of the same host, which is the same site."""
    return Front(tmp_path, server.port), Front(tmp_path, server.port)


@pytest.fixture
def origins(start, tmp_path):
    """A server that asks for credentials, its own origin and another one."""
    fronts = []

    def begin(**settings) -> tuple[Server, Front, Front]:
        server = start(AUTH_MODE="required", **settings)
        fronts.extend(start_fronts(tmp_path, server))
        return server, *fronts

    yield begin
    for front in fronts:
        front.shutdown()
        front.server_close()


def state(client) -> tuple:
    return client.get(BOOK).json(), client.get(f"{BOOK}/sections").json(), client.get(f"{BOOK}/variables").json()


def test_a_page_uses_a_session_whose_token_it_cannot_see(origins, browse):
    server, own, _ = origins()
    token = first_token(server)
    with caller(server, token) as client:
        make_book(client)
    browse(f"{own.origin}/session?{urllib.parse.urlencode({'token': token, 'end': ''})}", INSECURE)
    outcomes = own.next("session")["outcomes"]
    statuses = {name: each["status"] for name, each in outcomes.items() if name not in ("visible", "snapshot")}
    assert statuses == {
        "before": 401, "begin": 200, "who": 200, "read": 200, "change": 201, "end": 204, "after": 401}
    assert outcomes["visible"] == "" and "Grace" in outcomes["snapshot"]
    assert json.loads(outcomes["who"]["text"])["grants"][0]["directors"] == ["*"]
    assert token not in json.dumps(outcomes)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["of the same site", "of another site"])
@pytest.mark.parametrize("cors", ["", "https://app.example", "*"], ids=["nobody named", "another one named", "any"])
def test_a_page_of_another_origin_gains_nothing_by_a_session(origins, browse, host, cors):
    server, own, other = origins(**({"CORS_ORIGINS": cors} if cors else {}))
    token = first_token(server)
    with caller(server, token) as client:
        make_book(client)
        client.post(f"{BOOK}/sections", json={"id": "unpublished", "elements": []}).raise_for_status()
        client.put(f"{BOOK}/variables/own", json=1).raise_for_status()
        before = state(client)
        target = other.origin.replace("127.0.0.1", host)
        attack = f"{target}/attack?{urllib.parse.urlencode({'book': own.origin + BOOK})}"
        browse(f"{own.origin}/session?{urllib.parse.urlencode({'token': token, 'next': attack})}", INSECURE)
        assert own.next("session")["outcomes"]["change"]["status"] == 200
        outcomes = other.next("attacked")["outcomes"]
        for name, outcome in outcomes.items():
            if cors == "*" and outcome["type"] == "cors":
                assert outcome["status"] in (401, 403), f"{name}: {outcome}"
            else:
                assert outcome["type"] in ("error", "opaque") and not outcome.get("text"), f"{name}: {outcome}"
        # The first change was the session's own, of a value that was there.
        after = state(client)
        assert after[1:] == before[1:] and after[0]["version"] == before[0]["version"]
        # Where any page may call, one of another site is let in, and comes without the cookie.
        refused = "401" if cors == "*" and host == "localhost" else "403"
        assert f'status="{refused}"' in metrics(server, client), "what a browser sends without asking was refused"


def test_a_page_of_another_site_follows_a_director_by_a_ticket_and_nothing_else(start, browse, reports):
    server = start(AUTH_MODE="required", CORS_ORIGINS=reports.origin)
    token = first_token(server)
    with caller(server, token) as client:
        make_book(client)
        client.put("/v1/directors/other", json={"kind": "table"}).raise_for_status()
        before = state(client)
        browse(f"{reports.origin}/ticket?{urllib.parse.urlencode({'book': server.url + BOOK, 'token': token})}")
        followed = reports.next("followed")
        outcomes = followed["outcomes"]
        assert "Grace" in outcomes["stream"]
        assert outcomes["without"] == "error" and outcomes["elsewhere"] == "error"
        statuses = {name: outcomes[name].get("status") for name in ("read", "list", "reload", "session")}
        assert statuses == {"read": 400, "list": 400, "reload": 401, "session": 400}
        assert state(client) == before
    assert followed["ticket"] not in server.log.read_text()


def test_a_page_that_nobody_has_named_learns_nothing_by_a_stolen_ticket(start, browse, reports):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_book(client)
        before = state(client)
        ticket = client.post("/v1/stream-tickets", json={"directors": ["book"]}).raise_for_status().json()["ticket"]
        browse(f"{reports.origin}/ticket?{urllib.parse.urlencode({'book': server.url + BOOK, 'ticket': ticket})}")
        outcomes = reports.next("followed")["outcomes"]
        for name in ("stream", "without", "elsewhere"):
            assert outcomes.pop(name) == "error", name
        assert all(each["type"] in ("error", "opaque") and not each.get("text") for each in outcomes.values())
        assert state(client) == before
