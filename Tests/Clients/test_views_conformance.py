"""What a client reads of a director, asked of a view as well, over HTTP/1.1, TLS and HTTP/2; and a series of changes as both tell
it. Streams that come back are in test_views_conformance_streams."""

import contextlib
import itertools
import re

import httpx
import pytest

from support.conformance import STEPS, Pair, following, make_directors, news, serving

TRANSPORTS = ["http1", "tls", "http2"]
READS = [
    "", "/sections", "/sections?offset=1&limit=1", "/sections?offset=99", "/sections?elements=false", "/sections/people",
    "/sections/@0", "/sections/@last", "/sections/none", "/sections/@99", "/sections/people?elements=false", "/sections/mixed",
    "/sections/people/elements", "/sections/people/elements?offset=1&limit=2", "/sections/none/elements",
    "/sections/people/elements/Ada", "/sections/people/elements/@first", "/sections/people/elements/@99",
    "/sections/people/elements/none", "/elements", "/elements?limit=2&offset=3", "/elements?id=Ada",
    "/elements?id=Ada&model=Person", "/elements?id=none", "/elements?model=Person", "/elements?model=None", "/adapters",
    "/adapters/Person", "/adapters/None", "/header-footer-adapters", "/header-footer-adapters/Banner", "/events",
    "/scroll-events", "/adapters/Person/events", "/sections?state=published", "/sections?state=published&version=1",
    "/sections/people?state=published&version=2", "/elements?state=published&version=3", "/changesets?since=1",
    "/changesets?since=9", "/changesets?since=999", "/changesets?from=1", "/changesets?from=9", "/changesets?from=1&to=1",
    "/changesets?from=2&to=9", "/changesets?from=1&to=999", "/sections?stale=allowed",
]
WRONG = [
    "/nothing", "/sections/@", "?unknown=1", "/sections?unknown=1", "/sections?version=1", "/sections?state=none",
    "/sections?state=published&version=x", "/sections?state=published&version=-1", "/sections?limit=0", "/sections?limit=10001",
    "/sections?offset=-1", "/sections?elements=2", "/elements?limit=many", "/changesets?from=2&to=1",
    "/changesets?since=1&from=1", "/changesets?to=1&since=1", "/changesets?since=x", "/changesets?snapshot=half&since=1",
    "/changesets?catchup=some&since=1", "/changesets?since=1&ticket=none", "/sections?stale=no",
    "/sections/people/elements?version=2", "/elements?state=working&version=2",
]
VALUES = {"section": "people", "element": "Ada", "row": "many", "model": "Person", "view": "Banner", "name": "hidden",
          "event": "didSelect"}
FORMS = ["", "?snapshot=full", "?snapshot=reference", "?snapshot=none", "?catchup=each"]
DEFINITIONS = [
    ("PUT", "/adapters/Person", {"cell": "Other", "identifier": "{name}", "content": ["/age"]}),
    ("PUT", "/adapters/Dish", {"cell": "Dish"}), ("PUT", "/header-footer-adapters/Banner", {"reuseIdentifier": "Other"}),
    ("DELETE", "/adapters/Dish", None), ("PATCH", "", {"properties": {"rowHeight": {"explicit": 50}}}),
]


@pytest.fixture(params=TRANSPORTS)
def fresh(request, program, tmp_path):
    """A client of a server, and pairs to which nothing was done."""
    with serving(request.param, program, tmp_path) as http:
        yield http, make_directors(http)


@pytest.fixture(scope="module", params=TRANSPORTS)
def played(request, program, tmp_path_factory):
    """A client of a server, and pairs of which every step was published; the views were there all the time."""
    with serving(request.param, program, tmp_path_factory.mktemp("played")) as http:
        pairs = make_directors(http)
        for number, step in enumerate(STEPS):
            for pair in pairs:
                pair.change(http, step, number)
                pair.ask(http, "/sections")
        yield http, pairs


def same(http: httpx.Client, pair: Pair, path: str, where: object = "", **options) -> tuple:
    """Asks both; the answers are the same."""
    directors, views = pair.ask(http, path, **options)
    assert views == directors, f"{pair.view} {options} {path} {where}"
    return views


class Streams:
    """Streams of each form of the directors and of the views, side by side."""

    def __init__(self, stack: contextlib.ExitStack, http: httpx.Client, pairs: list[Pair]):
        self.pairs = [(pair, form, *(stack.enter_context(following(http, f"/v1/directors/{name}/changesets{form}"))
                                     for name in (pair.director, pair.view))) for pair in pairs for form in FORMS]

    def tell(self, where: object, but: str = "nothing") -> None:
        """The next event of each is the same, but of streams of one form."""
        for pair, form, directors, views in self.pairs:
            if form != but:
                wanted = news(directors)
                assert tuple(map(pair.alike, news(views))) == wanted, f"{pair.view}{form} {where}"


def test_every_step_is_read_and_followed_as_at_the_director(fresh):
    http, pairs = fresh
    with contextlib.ExitStack() as stack:
        streams = Streams(stack, http, pairs)
        streams.tell("at the beginning", but="?snapshot=none")
        for number, step in enumerate(STEPS):
            for pair in pairs:
                pair.change(http, step, number)
            streams.tell(number)
            for pair, path in itertools.product(pairs, READS if number % 3 == 0 else []):
                same(http, pair, path, number)


@pytest.mark.parametrize("changes", [DEFINITIONS, [("POST", "/refresh", {})]], ids=["definitions", "refresh"])
def test_definitions_and_refreshes_are_told_as_of_the_director(fresh, changes):
    http, pairs = fresh
    with contextlib.ExitStack() as stack:
        streams = Streams(stack, http, pairs)
        streams.tell("at the beginning", but="?snapshot=none")
        for method, path, body in changes:
            for pair in pairs:
                pair.define(http, method, path, body)
            streams.tell((method, path))


def test_the_last_step_is_read_as_at_the_director_with_every_condition(played):
    http, pairs = played
    for pair in pairs:
        for path in READS + WRONG:
            status, fields, _ = same(http, pair, path)
            assert (status >= 400) == (path in WRONG) or status in (404, 410), path
            same(http, pair, path, method="HEAD")
            for accept in ("text/html", "application/json;q=0", "text/event-stream", "*/*;q=0"):
                if "changesets" not in path or "event-stream" not in accept:
                    same(http, pair, path, headers={"Accept": accept})
            for condition in ({"If-None-Match": "*"}, {"If-None-Match": '"other"'}, {"If-Match": '"other"'}, {"If-Match": "*"}):
                same(http, pair, path, headers=condition)
            if "etag" in fields:
                fresh = [http.get(f"/v1/directors/{name}{path}", headers={"If-None-Match": tag}).status_code
                         for name in (pair.director, pair.view)
                         for tag in [http.get(f"/v1/directors/{name}{path}").headers["etag"]]]
                assert fresh == [304, 304], path


def test_every_version_is_read_and_spanned_as_at_the_director(played):
    http, pairs = played
    newest = len(STEPS) + 1
    statuses = set()
    for pair in pairs:
        for version in range(newest + 2):
            for path in ("/sections", "/elements?limit=3", "/sections/people/elements/Ada"):
                mark = "&" if "?" in path else "?"
                statuses.add(same(http, pair, f"{path}{mark}state=published&version={version}")[0])
            statuses.add(same(http, pair, f"/changesets?since={version}")[0])
            for to in range(version, newest + 2, 3):
                statuses.add(same(http, pair, f"/changesets?from={version}&to={to}")[0])
    assert statuses == {200, 404, 410}


# Adapters, and hooks but for those of rows; reports are events, too.
OWN = re.compile(r"/v1/directors/[^/]*/(adapters|header-footer-adapters|events|scroll-events)\b")


def changing(http: httpx.Client) -> list[tuple[str, str]]:
    """The methods and paths below a director that change its content, as the API's document has them: not what a UI reports,
    nor the adapters and the hooks, which a view has of its own."""
    return [(method.upper(), path.removeprefix("/v1/directors/{director}").format_map(VALUES))
            for path, methods in http.get("/openapi.json").json()["paths"].items() if path.startswith("/v1/directors/{director}/")
            for method in methods if method in ("put", "post", "patch", "delete") and not OWN.match(path)]


def test_every_request_that_would_change_content_is_refused_and_changes_nothing(played):
    http, pairs = played
    requests = changing(http)
    assert len(requests) > 40
    for pair in pairs:
        before = same(http, pair, "/sections")
        for method, path in requests:
            for options in ({}, {"json": {}}, {"headers": {"If-Match": '"other"'}}):
                answer = http.request(method, f"/v1/directors/{pair.view}{path}", **options)
                assert answer.status_code == 409 and answer.json()["type"] == "urn:callboard:problem:derived", f"{method} {path}"
                assert f'"{pair.source}"' in answer.json()["detail"]
        assert same(http, pair, "/sections") == before
