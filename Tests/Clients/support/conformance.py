"""Directors and views that show the same: the changes that are made to both, and the form in which their answers are compared."""

import contextlib
import itertools
import json
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import httpx_sse

from support.certificates import Authority
from support.nodes import launch

PERSON = {"cell": "PersonCell", "identifier": "{name}", "content": ["/age"]}
# Fewer than there are steps.
RETAINED = 12
# After so many heartbeats, three a second, nothing more is to come.
SILENCE = 40
BELONGS = {"!": {"var": "value.isAway"}}
# What differs from answer to answer, or with the length of a name. That the length is right is looked at by itself.
OWN = {"date", "x-request-id", "content-length"}
# What a view's own resource has of its definition, and a director's of its working state.
OF_DEFINITION = {"epoch", "revision", "view", "counts"}
# The routes that read a director's working state unless they are told otherwise; a view has the published one.
TWO_STATES = re.compile(r"/(sections|elements)\b(?!.*(state|version)=)(?!.*/rows)")


def person(name: str, age: int, **more) -> dict:
    return {"value": {"name": name, "age": age} | more}


ROWS = [
    {"id": "title", "type": "constant", "cell": "Title", "value": {"text": "Rows"}},
    {"id": "many", "type": "model", "model": "Person", "elements": [person("Niklaus", 90), person("Tony", 40)],
     "hideWhen": {"==": [{"var": "model.age"}, {"var": "variables.hidden"}]},
     "height": {"if": [{"<": [{"var": "model.age"}, 50]}, 44, 60]}},
]
FIRST = [{"id": "people", "headerTitle": "People", "elements": [person("Ada", 36), person("Grace", 85), person("Alan", 41)]},
         {"id": "others", "elements": [person("Edsger", 72)]}, {"id": "empty"}]
# The changes of a director in turn, each published; the second operations are those of a source with elements that its view
# leaves out, where they are others.
STEPS = [
    [{"op": "addElements", "section": "people", "at": 1, "elements": [person("Barbara", 80), person("Kurt", 71)]}],
    [{"op": "patchElement", "section": "people", "element": "Ada", "patch": {"age": 37}}],
    [{"op": "patchElement", "section": "people", "element": "Ada", "patch": {"note": "no cell shows it — ☕"}}],
    [{"op": "moveElement", "section": "people", "from": "Grace", "to": 0, "toSection": "others"}],
    [{"op": "swapElements", "section": "people", "at": "Barbara", "with": "Alan"}],
    [{"op": "removeElement", "section": "people", "element": "Kurt"}],
    [{"op": "addSections", "at": 1, "sections": [{"id": "mixed", "rows": ROWS}]}],
    [{"op": "setVariable", "name": "hidden", "value": 90}],
    [{"op": "moveSection", "from": "mixed", "to": 0}],
    ([{"op": "addElements", "section": "people", "elements": [person("Away", 1, isAway=False)]}],
     [{"op": "patchElement", "section": "people", "element": "Away", "patch": {"age": 1, "isAway": False}}]),
    [{"op": "patchSection", "section": "people", "patch": {"headerTitle": "Persons", "isCollapsed": True}}],
    [{"op": "patchSection", "section": "people", "patch": {"isCollapsed": False, "footerTitle": "End"}}],
    [{"op": "addElements", "section": "empty", "elements": [person(f"person {each:03}", each) for each in range(120)]}],
    ([{"op": "removeElement", "section": "people", "element": "Away"}],
     [{"op": "patchElement", "section": "people", "element": "Away", "patch": {"isAway": True}}]),
    [{"op": "removeSections", "at": ["others"]},
     {"op": "setElement", "section": "people", "element": "Ada", "value": person("Ada", 99)},
     {"op": "swapElements", "section": "people", "at": "Ada", "with": "Alan"}],
    [{"op": "removeElements", "section": "empty", "at": [f"person {each:03}" for each in range(3, 120, 2)]}],
]


@dataclass
class Place:
    """A director or a view as a stream's target names it."""

    name: str
    epoch: str

    def __str__(self) -> str:
        return self.name


@dataclass
class Pair:
    """A director and a view that has to show what it shows: `source` is what the view follows, the director or another one."""

    director: str
    view: str
    source: str
    epochs: dict[str, str]

    @classmethod
    def make(cls, http: httpx.Client, name: str, director: str, source: str) -> "Pair":
        """Defines the view; of a source of its own it leaves elements out."""
        view = {"from": source, "keepEmpty": True} | ({} if source == director else {"where": BELONGS})
        done(http.put(f"/v1/directors/{name}", json={"kind": "table", "view": view}))
        epochs = {each: re.match(r'"(\w+)-', done(http.get(f"/v1/directors/{each}/sections")).headers["etag"])[1]
                  for each in (director, name)}
        return cls(director, name, source, epochs)

    def change(self, http: httpx.Client, step: list | tuple, number: int) -> None:
        """Makes a change at the director and, where that is another one, at the source with some elements that do not belong."""
        own, sources = step if isinstance(step, tuple) else (step, step)
        noise = {"op": "patchElement", "section": "people", "element": "Absent", "patch": {"age": number}}
        changes = [(self.director, own)] + [(self.source, [noise, *sources])] * (self.source != self.director)
        for name, operations in changes:
            done(http.post(f"/v1/directors/{name}/operations", headers={"Callboard-Cause": f"step-{number}"}, json={
                "reload": True, "operations": operations, "animations": {"elementInserted": "fade"}}))

    def define(self, http: httpx.Client, method: str, path: str, body: dict) -> None:
        """Changes what the list is besides its content: properties at the view, all else at its source."""
        for name in {self.director, self.source if path else self.view}:
            done(http.request(method, f"/v1/directors/{name}{path}", json=body))

    def alike(self, text: str) -> str:
        """A text of the view with what the director has in place of its name, its epoch, and its reason to begin anew."""
        text = text.replace("the view has another definition, or its source was created anew", "the director was created anew")
        return text.replace(self.epochs[self.view], self.epochs[self.director]).replace(self.view, self.director)

    def ask(self, http: httpx.Client, path: str, **options) -> tuple:
        """The answers of the director and of the view to a request, in the form that is compared."""
        options = {"method": "GET"} | options
        target = f"{path}{'&' if '?' in path else '?'}state=published" if TWO_STATES.search(path) else path
        return tuple(compared(http.request(url=f"/v1/directors/{name}{tail}", **options), self.alike)
                     for name, tail in ((self.director, target), (self.view, path)))


def done(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text}"
    return answer


def compared(answer: httpx.Response, alike) -> tuple[int, dict, object]:
    """The status, fields and content of an answer, without what cannot be the same."""
    if answer.request.method != "HEAD" and answer.status_code != 304:
        assert int(answer.headers["content-length"]) == len(answer.content)
    fields = {name: alike(value) for name, value in answer.headers.items() if name not in OWN}
    if "etag" in fields:
        fields["etag"] = tags_alike(fields["etag"])
    content = alike(answer.text)
    if answer.is_error:
        content = tags_alike(content).replace("?state=published", "")
    elif content.startswith('{"name":'):
        content = {name: value for name, value in json.loads(content).items() if name not in OF_DEFINITION}
    return answer.status_code, fields, content


def tags_alike(text: str) -> str:
    """A text without what entity tags have of revisions: a view has its version there, and its definition's life and revision."""
    return re.sub(r"-r(\d+)\b", r"-v\1", re.sub(r"\w+-r\d+(?=-v)", "", text))


def make_directors(http: httpx.Client) -> list[Pair]:
    """Two directors with a view each: one that shows all of its own, one that shows what belongs of another one's."""
    absent = [person("Absent", 0, isAway=True), person("Away", 0, isAway=True)]
    noisy = [FIRST[0] | {"elements": FIRST[0]["elements"] + absent}, FIRST[1] | {"elements": [absent[0], *FIRST[1]["elements"]]},
             FIRST[2]]
    for name, sections in {"d-whole": FIRST, "d-picked": FIRST, "s-picked": noisy}.items():
        path = f"/v1/directors/{name}"
        done(http.put(path, json={"kind": "table"}))
        done(http.put(f"{path}/adapters/Person", json=PERSON))
        done(http.put(f"{path}/header-footer-adapters/Banner", json={}))
        done(http.put(f"{path}/sections?reload=true", json={"sections": sections}))
    return [Pair.make(http, "v-whole", "d-whole", "d-whole"), Pair.make(http, "v-picked", "d-picked", "s-picked")]


@contextlib.contextmanager
def serving(transport: str, program: str, folder: Path) -> Iterator[httpx.Client]:
    """A client of a new server that speaks HTTP/1.1, with TLS, or HTTP/2."""
    settings = {"HTTP2_CLEARTEXT": "true", "FEED_HEARTBEAT": "0.3", "FEED_RETAINED_VERSIONS": str(RETAINED),
                "FEED_MAX_DIRECTORS_PER_STREAM": "3"}
    options = {"http1": transport != "http2", "http2": transport == "http2"}
    if transport == "tls":
        authority = Authority(folder)
        chain, key = authority.issue("localhost", "127.0.0.1")
        settings |= {"TLS_CERTIFICATE": str(chain), "TLS_KEY": str(key)}
        options["verify"] = ssl.create_default_context(cafile=str(authority.path))
    server = launch(program, folder, **settings)
    try:
        url = server.url.replace("127.0.0.1", "localhost") if transport == "tls" else server.url
        with httpx.Client(base_url=url, trust_env=False, timeout=60, limits=httpx.Limits(), **options) as http:
            yield http
    finally:
        server.stop()


@contextlib.contextmanager
def following(http: httpx.Client, path: str, **fields: str) -> Iterator[Iterator[tuple[str, str, str]]]:
    """The name, id and data of each event of a stream."""
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    with httpx_sse.connect_sse(http, "GET", path, headers=fields) as source:
        assert source.response.status_code == 200, source.response.read()
        yield ((event.event, event.id, event.data) for event in source.iter_sse() if event.data)


def news(stream: Iterator) -> tuple[str, str, str]:
    """The next event that is no heartbeat."""
    for event in itertools.islice(stream, SILENCE):
        if event[0] != "heartbeat":
            return event
    raise AssertionError(f"{SILENCE} heartbeats, and nothing else")


def until_quiet(stream: Iterator) -> list[tuple[str, str, str]]:
    """What comes until there is nothing to say: the events before the second heartbeat, and that one, or all to the end."""
    found, beats = [], 0
    for event in stream:
        beats += event[0] == "heartbeat"
        if event[0] != "heartbeat" or beats == 2:
            found.append(event)
        if beats == 2:
            break
    return found
