"""A page in Chromium on another origin, with and without a token for a server that asks for credentials."""

import json
import urllib.parse

import pytest

from conftest import BOOK
from support.access import caller, first_token
from support.server import Server, metrics
from test_browser import Reports, browse, make_book, reports

__all__ = ["browse", "reports"]

OPAQUE = {"opaqueReadWithToken", "opaqueReloadWithToken", "opaqueReloadWithout"}


class Tried:
    """What a page of `origin` was told, and what it has changed."""

    def __init__(self, server: Server, browse, reports: Reports, origin: str):
        with caller(server, first_token(server)) as client:
            make_book(client)
            # So that a reload would show.
            client.post(f"{BOOK}/sections", json={"id": "unpublished", "elements": []}).raise_for_status()
            before = self.state(client)
            query = {"book": server.url + BOOK, "token": first_token(server)}
            browse(f"{origin}/token?{urllib.parse.urlencode(query)}")
            self.outcomes = reports.next("tried")["outcomes"]
            self.has_changed = self.state(client) != before
            self.metrics = metrics(server, client)

    @staticmethod
    def state(client) -> tuple:
        names = [each["name"] for each in client.get("/v1/tokens").json()["tokens"]]
        return client.get(BOOK).json(), client.get(f"{BOOK}/sections").json(), names

    def assert_nothing_was_learned(self) -> None:
        for name, outcome in self.outcomes.items():
            assert outcome["type"] == ("opaque" if name in OPAQUE else "error"), f"{name}: {outcome}"
            assert not outcome.get("text"), f"{name}: {outcome}"


@pytest.mark.parametrize("anonymous", [[], [{"actions": ["read"], "directors": ["*"]}]], ids=["closed", "open to read"])
def test_a_page_that_nobody_has_named_reads_and_changes_nothing_even_with_a_token(start, browse, reports, anonymous):
    # The token is there before everybody may read; a server that anybody can read makes none.
    server = start(AUTH_MODE="required")
    server.stop()
    server = start(folder=server.folder, AUTH_MODE="required", AUTH_ANONYMOUS=json.dumps(anonymous))
    tried = Tried(server, browse, reports, reports.origin)
    tried.assert_nothing_was_learned()
    assert not tried.has_changed
    assert 'status="403"' in tried.metrics, "what a browser sends without asking has come, and was refused"


def test_a_page_of_another_origin_than_the_named_one_reads_and_changes_nothing(start, browse, reports):
    server = start(AUTH_MODE="required", CORS_ORIGINS=reports.origin)
    tried = Tried(server, browse, reports, reports.origin.replace("127.0.0.1", "localhost"))
    tried.assert_nothing_was_learned()
    assert not tried.has_changed


def test_a_page_of_a_named_origin_may_do_what_its_token_allows(start, browse, reports):
    server = start(AUTH_MODE="required", CORS_ORIGINS=reports.origin)
    tried = Tried(server, browse, reports, reports.origin)
    outcomes = tried.outcomes
    expected = {"readWithToken": 200, "followWithToken": 200, "changeWithToken": 200, "makeToken": 201}
    for name, status in expected.items():
        assert outcomes[name]["status"] == status, f"{name}: {outcomes[name]}"
    assert "Grace" in outcomes["readWithToken"]["text"] and "event: snapshot" in outcomes["followWithToken"]["text"]
    assert '"age":99' in outcomes["changeWithToken"]["text"] and tried.has_changed
    for name in ("readWithout", "changeWithout"):
        assert outcomes[name]["status"] == 401 and "credential-missing" in outcomes[name]["text"], outcomes[name]
        assert outcomes[name]["challenge"] == 'Bearer realm="callboard"', "the page is told why"
    for name in ("readWithWrongToken", "changeWithWrongToken"):
        assert outcomes[name]["status"] == 401, outcomes[name]
        assert 'error="invalid_token"' in outcomes[name]["challenge"]
    assert outcomes["readWithCookies"]["status"] == 401, "the page is let in, and has no session"


def test_a_preflight_is_answered_without_a_credential(start):
    server = start(AUTH_MODE="required", CORS_ORIGINS="https://app.example")
    asked = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}
    with caller(server) as browser:
        answer = browser.options(f"{BOOK}/sections/a/elements/b", headers=asked | {"Origin": "https://app.example"})
        assert answer.is_success and answer.headers["access-control-allow-origin"] == "https://app.example"
        assert "authorization" in answer.headers["access-control-allow-headers"].lower()
        assert "PATCH" in answer.headers["access-control-allow-methods"]
        assert answer.headers["access-control-allow-credentials"] == "true", "of a session, for an origin that is named"
        answer = browser.options(BOOK, headers=asked | {"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers
