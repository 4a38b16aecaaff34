"""The walk-through with curl alone: make a list, change it, publish it, watch the changesets arrive."""

import json
import re
import subprocess
import time

import pytest

from support import protocol

BOOK = "/v1/directors/book"


@pytest.fixture
def curl(tool, server):
    """Runs curl and returns the status, the fields by lower-case name, and the body."""
    program = tool("curl", "curl")

    def run(method: str, path: str, body=None, *arguments: str):
        command = [program, "-sS", "-i", "--max-time", "20", *protocol.CURL, "-X", method, *arguments]
        if body is not None:
            command += ["--json", body if isinstance(body, str) else json.dumps(body)]
        output = subprocess.run([*command, server.url + path], capture_output=True, timeout=30, check=True).stdout
        head, _, content = output.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
        return int(lines[0].split()[1]), fields, json.loads(content) if content else None

    return run


class Watching:
    """curl -N on a stream, its output going to a file."""

    def __init__(self, program: str, url: str, output, *arguments: str):
        self.output = output
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [program, "-sS", "-N", *protocol.CURL, "-H", "Accept: text/event-stream", *arguments, url], stdout=file)

    def events(self, count: int, seconds: float = 60) -> list[dict]:
        """The first `count` events with data, as soon as they are there."""
        deadline = time.monotonic() + seconds
        while True:
            text = self.output.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n\n") + 2]
            events = [dict(re.findall(r"^(\w+): (.*)$", block, re.M)) for block in whole.split("\n\n")]
            events = [event for event in events if "data" in event]
            if len(events) >= count:
                return events[:count]
            assert time.monotonic() < deadline, f"only {len(events)} of {count} events arrived:\n{text}"
            time.sleep(0.02)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def watch(tool, server, tmp_path):
    program, started = tool("curl", "curl"), []

    def begin(path: str, *arguments: str) -> Watching:
        started.append(Watching(program, server.url + path, tmp_path / f"stream-{len(started)}", *arguments))
        return started[-1]

    yield begin
    for each in started:
        each.stop()


def test_a_list_is_made_changed_and_followed_with_curl(curl, watch):
    status, fields, director = curl("PUT", BOOK, {"kind": "table"})
    assert status in (200, 201) and director["name"] == "book" and director["kind"] == "table"
    assert fields["etag"] == f'"{director["epoch"]}-r{director["revision"]}"'

    assert curl("PUT", f"{BOOK}/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"})[0] in (200, 201)
    assert curl("POST", f"{BOOK}/sections", {"id": "people", "headerTitle": "People", "elements": []})[0] in (200, 201)
    # The bare values of one model, piped in as they are.
    values = [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 85}]
    status, _, _ = curl("POST", f"{BOOK}/sections/people/elements?model=Person", values)
    assert status in (200, 201)

    status, _, published = curl("GET", f"{BOOK}/sections?state=published")
    assert status == 200 and published["total"] == 0, "nothing shows before the reload"
    status, _, changeset = curl("POST", f"{BOOK}/reload")
    assert status == 200 and changeset["counts"] == {"sections": 1, "elements": 2}

    stream = watch(f"{BOOK}/changesets")
    (snapshot,) = stream.events(1)
    assert snapshot["event"] == "snapshot"
    people = json.loads(snapshot["data"])["sections"][0]
    assert people["headerTitle"] == "People"
    assert [element["id"] for element in people["elements"]] == ["Ada", "Grace"]

    patch = ("-H", "Content-Type: application/merge-patch+json")
    status, fields, element = curl("PATCH", f"{BOOK}/sections/people/elements/Ada", '{"age": 37}', *patch)
    assert status == 200 and element["value"] == {"name": "Ada", "age": 37}
    assert curl("POST", f"{BOOK}/reload")[0] == 200
    _, changed = stream.events(2)
    assert changed["event"] == "changeset"
    data = json.loads(changed["data"])
    # By itself, an element also says where it is; a changeset says that beside it.
    assert (element.pop("section"), element.pop("indexPath")) == ("people", [0, 0])
    assert data["stages"] == [{"elementUpdated": [{"at": [0, 0], "element": element}]}]
    assert changed["id"] == f"{data['epoch']}-{data['version']}"

    # What happens while nobody listens comes as one changeset.
    stream.stop()
    for age in (38, 39):
        answer = curl("PATCH", f"{BOOK}/sections/people/elements/Ada?reload=true", {"age": age})
        assert answer[0] == 200, answer
    resumed, caught_up = watch(f"{BOOK}/changesets", "-H", f"Last-Event-ID: {changed['id']}").events(2)
    assert resumed["event"] == "resumed"
    assert json.loads(resumed["data"])["from"] == data["version"]
    assert json.loads(resumed["data"])["version"] == data["version"] + 2
    missed = json.loads(caught_up["data"])
    assert (missed["from"], missed["version"]) == (data["version"], data["version"] + 2)
    assert missed["stages"][0]["elementUpdated"][0]["element"]["value"]["age"] == 39


def test_a_mistake_is_explained(curl):
    curl("PUT", BOOK, {"kind": "table"})
    status, fields, problem = curl("POST", f"{BOOK}/sections", {"id": "people", "haederTitle": "People"})
    assert status == 422 and fields["content-type"] == "application/problem+json"
    assert problem["status"] == 422 and problem["errors"][0]["pointer"] == "/haederTitle"

    status, _, problem = curl("POST", f"{BOOK}/sections", '{"id": ')
    assert status in (400, 422) and problem["detail"]

    status, _, problem = curl("GET", "/v1/directors/nobody")
    assert status == 404 and "nobody" in problem["detail"]

    status, fields, _ = curl("POST", f"{BOOK}/adapters/Person")
    assert status == 405 and {"GET", "PUT", "DELETE"} <= set(fields["allow"].split(", "))


def test_a_stale_revision_changes_nothing(curl):
    _, first, _ = curl("PUT", BOOK, {"kind": "table"})
    curl("POST", f"{BOOK}/sections", {"id": "people", "elements": []})
    answer = curl("POST", f"{BOOK}/sections", {"id": "others", "elements": []}, "-H", f"If-Match: {first['etag']}")
    assert answer[0] == 412
    assert curl("GET", f"{BOOK}/sections")[2]["total"] == 1


def test_elements_and_sections_are_moved_and_swapped(curl):
    curl("PUT", BOOK, {"kind": "table"})
    curl("PUT", f"{BOOK}/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"})
    for name in ("people", "others"):
        elements = [{"value": {"name": f"{name} {number}"}} for number in range(4)]
        assert curl("POST", f"{BOOK}/sections", {"id": name, "elements": elements})[0] in (200, 201)

    def order() -> dict[str, list[int]]:
        sections = curl("GET", f"{BOOK}/sections")[2]["sections"]
        return {section["id"]: [int(each["id"].split()[1]) for each in section["elements"]] for section in sections}

    assert curl("POST", f"{BOOK}/sections/people/elements:move", {"from": 0, "to": 2})[0] == 200
    assert curl("POST", f"{BOOK}/sections/others/elements:swap", {"at": 0, "with": 3})[0] == 200
    assert order() == {"people": [1, 2, 0, 3], "others": [3, 1, 2, 0]}
    assert curl("POST", f"{BOOK}/sections:move", {"from": 0, "to": 1})[0] == 200
    assert list(order()) == ["others", "people"]
    assert curl("POST", f"{BOOK}/sections:swap", {"at": 0, "with": 1})[0] == 200
    assert list(order()) == ["people", "others"]
    assert curl("POST", f"{BOOK}/sections:move", {"from": 0, "to": 2})[0] == 422
