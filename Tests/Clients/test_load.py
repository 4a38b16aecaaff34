"""`callboard load` with real lists from Debian's packages, counted by reading the same files in another language."""

import http.server
import json
import os
import subprocess
import threading
import time

import httpx
import pytest

from conftest import api
from support.data import EMOJI, ISO_3166_2, emoji, subdivisions


@pytest.fixture
def load(program, server):
    """Runs `callboard load` against the server; returns the exit status and what `--json` printed."""

    def run(*arguments: str, status: int = 0) -> dict:
        environment = dict(os.environ) | {"CALLBOARD_SERVER": server.url}
        result = subprocess.run([program, "load", *arguments, "--json"], env=environment, capture_output=True,
                                text=True, timeout=120)
        assert result.returncode == status, f"{result.returncode}: {result.stdout}\n{result.stderr}"
        return json.loads(result.stdout) if result.stdout else {}

    return run


@pytest.fixture
def listing(server):
    """Reads a director's published sections, elements and all."""

    def read(director: str) -> list[dict]:
        with api(server) as client:
            page = client.get(f"/v1/directors/{director}/sections", params={"state": "published", "limit": 10_000}).json()
        assert page["total"] == len(page["sections"])
        return page["sections"]

    return read


COUNTRIES = (
    str(ISO_3166_2), "--director", "countries", "--identifier", "{code}",
    "--section-field", "code", "--section-separator", "-",
)


@pytest.mark.skipif(not ISO_3166_2.exists(), reason="no ISO 3166-2 here (Debian: apt-get install iso-codes)")
def test_every_subdivision_of_every_country_is_there(load, listing):
    expected: dict[str, list[dict]] = {}
    for record in subdivisions():
        expected.setdefault(record.pop("country"), []).append(record)

    summary = load(*COUNTRIES)
    assert (summary["loaded"], summary["sections"], summary["rejected"]) == (
        sum(map(len, expected.values())), len(expected), [])
    assert summary["loaded"] > 5_000 and summary["version"] == 1

    held = {section["id"]: [element["value"] for element in section["elements"]] for section in listing("countries")}
    assert held == expected

    again = load(*COUNTRIES)
    assert again["version"] == 1 and not any(again["changes"].values()), "the same file again changes nothing"


@pytest.mark.skipif(not ISO_3166_2.exists(), reason="no ISO 3166-2 here (Debian: apt-get install iso-codes)")
def test_a_changed_file_sends_subscribers_just_the_difference(load, listing, server, tmp_path):
    load(*COUNTRIES)
    document = json.loads(ISO_3166_2.read_text(encoding="utf-8"))
    changed = next(record for record in document["3166-2"] if record["code"] == "DE-HH")
    changed["name"] = "Hammaburg"
    document["3166-2"].remove(next(record for record in document["3166-2"] if record["code"] == "AD-02"))
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(document), encoding="utf-8")

    summary = load(str(edited), *COUNTRIES[1:])
    assert summary["version"] == 2
    with api(server) as client:
        changeset = client.get("/v1/directors/countries/changesets", params={"from": 1, "to": 2}).json()
    stages = {name: operations for stage in changeset["stages"] for name, operations in stage.items()}
    assert set(stages) == {"elementUpdated", "elementDeleted"}
    assert [update["element"]["id"] for update in stages["elementUpdated"]] == ["DE-HH"]
    assert len(stages["elementDeleted"]) == 1


@pytest.mark.skipif(not EMOJI.exists(), reason="no emoji here (Debian: apt-get install unicode-data)")
def test_every_emoji_is_there_in_its_group(load, listing):
    expected: dict[str, list[str]] = {}
    for record in emoji():
        expected.setdefault(record["group"], []).append(record["emoji"])

    summary = load(str(EMOJI), "--director", "emoji")
    assert (summary["loaded"], summary["sections"], summary["rejected"]) == (
        sum(map(len, expected.values())), len(expected), [])
    assert summary["loaded"] > 3_000
    held = {section["id"]: [element["value"]["emoji"] for element in section["elements"]] for section in listing("emoji")}
    assert held == expected


def test_csv_and_ndjson_come_out_the_same(load, listing, tmp_path):
    rows = [("1", "Zoë, the first"), ("2", 'says "hello"'), ("3", "two\nlines")]
    csv = tmp_path / "people.csv"
    csv.write_text("id,name\n" + "".join(f'{key},"{name.replace(chr(34), chr(34) * 2)}"\n' for key, name in rows),
                   encoding="utf-8")
    lines = tmp_path / "persons.ndjson"
    lines.write_text("".join(json.dumps({"id": key, "name": name}) + "\n" for key, name in rows), encoding="utf-8")
    assert load(str(csv))["loaded"] == load(str(lines))["loaded"] == 3
    values = [
        [(element["value"]["id"], element["value"]["name"]) for element in listing(name)[0]["elements"]]
        for name in ("people", "persons")
    ]
    assert values == [rows, rows]


def test_what_cannot_be_loaded_is_reported_with_its_place_and_left_out_where_that_is_asked_for(load, listing, server, tmp_path):
    file = tmp_path / "mixed.ndjson"
    file.write_text('{"id": "a"}\n{"id": \n{"id": "c"}\n', encoding="utf-8")
    summary = load(str(file), status=65)
    assert summary["loaded"] == 0
    assert [(each["line"], bool(each["reason"])) for each in summary["rejected"]] == [(2, True)]
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/v1/directors/mixed").status_code == 404, "a failed load leaves no director"
    summary = load(str(file), "--partial", status=2)
    assert summary["loaded"] == 2
    assert [(each["line"], bool(each["reason"])) for each in summary["rejected"]] == [(2, True)]
    assert [element["id"] for element in listing("mixed")[0]["elements"]] == ["a", "c"]


@pytest.fixture
def slow_server():
    """A server that takes every change, and answers a list four seconds after it has come."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status: int, body: bytes = b"") -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            if status != 204:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            counts = {"sections": 0, "elements": 0}
            self.answer(200, json.dumps({"name": "d", "kind": "table", "revision": 0, "version": 0, "epoch": "e",
                                         "properties": {}, "counts": counts}).encode())

        def do_PUT(self):
            if "/content?" not in self.path:
                return self.answer(204)
            time.sleep(4)
            self.answer(200, b'{"counts":{"sections":1,"elements":20000},"refused":0,"published":{"version":1,"changes":{}}}')

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_load_that_waits_for_the_server_takes_no_processor(program, slow_server, tmp_path):
    """Half of the 21 seconds of a million records was the kernel's: asked, over and over, whether the socket takes more."""
    file = tmp_path / "people.ndjson"
    file.write_text("".join(f'{{"id": "{number}", "name": "{"x" * 80}"}}\n' for number in range(20_000)))
    command = [program, "load", str(file), "--identifier", "{id}", "--server", slow_server, "--json"]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        summary = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0 and summary["loaded"] == 20_000 and summary["version"] == 1
    assert time.monotonic() - began > 4
    assert usage.ru_utime + usage.ru_stime < 1.5


def test_others_may_write_while_a_list_is_loaded(program, server, tmp_path):
    """Somebody else's changes do not keep a list from being put in place; the records are all there, in their order."""
    file = tmp_path / "long.ndjson"
    count = 30_000
    file.write_text("".join(f'{{"id":{number},"text":"{"x" * 200}"}}\n' for number in range(count)), encoding="utf-8")
    command = [program, "load", str(file), "--server", server.url, "--json"]
    with httpx.Client(base_url=server.url) as client, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as load:
        written = 0
        while load.poll() is None:
            answer = client.put("/v1/directors/long/variables/note", json=written)
            # At first there is no director yet, or it is being created.
            assert answer.status_code in (200, 201, 404, 409)
            written += answer.is_success
            time.sleep(0.01)
        summary = json.loads(load.stdout.read())
        assert load.returncode == 0 and summary["loaded"] == count and written > 0
        ids = []
        while len(ids) < count:
            page = client.get("/v1/directors/long/sections/Item/elements", params={"offset": len(ids), "limit": 10_000})
            ids += [int(element["id"]) for element in page.json()["elements"]]
        assert ids == list(range(count))


def test_a_list_of_more_than_64_MiB_goes_in_one_request(load, server, tmp_path):
    """What the webhooks' transport lets wait was the bound of a list: a million records were "no answer", and nothing was loaded."""
    file = tmp_path / "long.ndjson"
    file.write_text("".join(json.dumps({"id": number, "text": "x" * 100_000}) + "\n" for number in range(700)))
    assert file.stat().st_size > 64 << 20
    assert load(str(file))["loaded"] == 700


@pytest.mark.parametrize("lines, arguments", [
    ('{"x":1}', []), ('{"id":1}\n{"id":2,"text":' + "[" * 122 + "]" * 122 + "}", []),
    ('{"id":1}', ["--row", "none", "--section", "none"]), ('{"id":1}', ["--max-removed", "0", "--identifier", "{a}{b}"]),
], ids=["no identifier", "refused by the server", "no row", "no such members"])
def test_a_load_that_fails_behind_the_making_of_a_director_takes_it_back(program, server, tmp_path, lines, arguments):
    """The answers that said what was made had lost their ETags: empty directors stayed."""
    file = tmp_path / "gone.ndjson"
    file.write_text(lines + "\n")
    done = subprocess.run([program, "load", str(file), "--server", server.url, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode not in (0, 2), done.stdout
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/v1/directors/gone").status_code == 404, done.stderr
