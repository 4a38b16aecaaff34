"""Folders of a program that took canonically equivalent names for the same, and names with U+0080 to U+009F: what is in
them is served, listed, changed, copied and deleted, and new names of that kind are refused."""

import json
import signal
import sqlite3
import subprocess
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from support.server import Server

FIXTURES = Path(__file__).resolve().parent.parent / "JournalTests/Fixtures"
COMPOSED, DECOMPOSED, CONTROL = "caf\u00e9", "cafe\u0301", "x\u0085y"


def part(name: str) -> str:
    return quote(name, safe="")


@pytest.fixture(params=["spellings-log", "spellings-snapshot"])
def folder(request, program, tmp_path) -> Path:
    """A folder with the rows of an earlier program."""
    made = Server(program, tmp_path)
    made.stop()
    database = sqlite3.connect(tmp_path / "data/callboard.db")
    database.executescript((FIXTURES / f"{request.param}.sql").read_text())
    database.close()
    return tmp_path


@pytest.fixture
def earlier(folder, program):
    server = Server(program, folder)
    yield server
    server.stop()


def run(program: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL)


def test_stored_names_are_listed_and_found_by_their_bytes(earlier, program):
    with httpx.Client(base_url=earlier.url + "/v1/directors/", timeout=60) as client:
        names = [one["name"] for one in httpx.get(earlier.url + "/v1/directors", timeout=60).json()["directors"]]
        assert sorted(names) == sorted([COMPOSED, CONTROL, "plain"])
        assert client.get(part(DECOMPOSED)).status_code == 404
        for director in names:
            path = part(director) + "/"
            assert client.get(path + "adapters/" + part(CONTROL)).json()["model"] == CONTROL
            assert client.get(path + "header-footer-adapters/" + part(CONTROL)).json()["view"] == CONTROL
            assert client.get(path + "variables/" + part(CONTROL)).json() == CONTROL
            section = path + "sections/" + part(CONTROL)
            assert client.get(section).json()["id"] == CONTROL
            element = section + "/elements/" + part("e\0\n" + CONTROL)
            assert client.get(element).json()["value"]["id"] == "e\0\n" + CONTROL
    listed = run(program, "directors", "--server", earlier.url)
    assert listed.returncode == 0 and "\u0085" not in listed.stdout
    shown = run(program, "watch", CONTROL, "--once", "--server", earlier.url)
    assert shown.returncode == 0 and not any(ord(sign) < 0x20 and sign != "\n" for sign in shown.stdout), shown.stdout


def test_stored_names_are_changed_and_deleted_and_new_ones_are_refused(earlier):
    with httpx.Client(base_url=earlier.url + "/v1/directors/", timeout=60) as client:
        path = part(CONTROL) + "/"
        section = path + "sections/" + part(CONTROL)
        element = section + "/elements/" + part("e\0\n" + CONTROL)
        assert client.patch(element, json={"n": 1}).status_code == 200
        assert client.patch(section, json={"headerTitle": "t"}).status_code == 200
        assert client.put(path + "variables/" + part(CONTROL), json=2).status_code == 200
        assert client.put(path + "adapters/" + part(CONTROL), json={"cell": "New"}).status_code == 200
        added = client.post(section + "/elements", json={"model": CONTROL, "value": {"id": "new"}})
        assert added.status_code == 201, added.text
        other = "x\u0086y"
        for name, body in [("variables", 1), ("adapters", {"cell": "C"}), ("header-footer-adapters", {}), ("sections", {})]:
            assert client.put(f"{path}{name}/{part(other)}", json=body).status_code == 422, name
        assert client.put(part(other), json={"kind": "table"}).status_code == 400
        assert client.delete(element).status_code == 204
        assert client.delete(section).status_code == 204
        assert client.delete(path + "variables/" + part(CONTROL)).status_code == 204
        assert client.post(path + "reload").status_code == 200
        assert client.delete(path + "adapters/" + part(CONTROL)).status_code == 204
        assert client.delete(part(CONTROL)).status_code == 204
        assert client.get(part(CONTROL)).status_code == 404 and client.get(part(COMPOSED)).status_code == 200


def test_such_a_folder_is_whole_and_a_copy_of_it_can_be_restored(folder, program, tmp_path):
    data, other = folder / "data", tmp_path / "other"
    assert run(program, "check", str(data)).returncode == 0
    copied = run(program, "backup", str(data), str(tmp_path / "copy.db"))
    assert copied.returncode == 0, copied.stderr
    restored = run(program, "restore", str(tmp_path / "copy.db"), str(other / "data"))
    assert restored.returncode == 0, restored.stderr
    assert run(program, "check", str(other / "data")).returncode == 0
    server = Server(program, other)
    try:
        assert httpx.get(f"{server.url}/v1/directors/{part(CONTROL)}", timeout=60).status_code == 200
    finally:
        server.stop()


@pytest.fixture
def spellings(program, tmp_path):
    """A server with a list that has a section, an adapter and a variable in each of two spellings of one name."""
    server = Server(program, tmp_path)
    with httpx.Client(base_url=server.url + "/v1/directors/list", timeout=60) as client:
        httpx.put(server.url + "/v1/directors/list", json={"kind": "table"}).raise_for_status()
        for name in (COMPOSED, DECOMPOSED):
            client.put(f"/adapters/{part(name)}", json={"cell": name, "identifier": "{id}"}).raise_for_status()
            client.post("/sections", json={"id": name, "elements": []}).raise_for_status()
        yield server, client
    server.stop()


def test_elements_are_in_their_sections_after_a_kill(spellings, program, tmp_path):
    """What a log appends to one section is made together; a section of the other spelling is another one."""
    server, client = spellings
    # From 64 on, elements are made beside what reads the log.
    for number in range(6):
        name = (COMPOSED, DECOMPOSED)[number % 2]
        elements = [{"model": name, "value": {"id": str(100 * number + each)}} for each in range(80)]
        client.post(f"/sections/{part(name)}/elements", json={"elements": elements}).raise_for_status()
    before = client.get("/sections").json()
    server.terminate(signal.SIGKILL)
    server.wait()
    again = Server(program, tmp_path)
    try:
        after = httpx.get(again.url + "/v1/directors/list/sections", timeout=60).json()
    finally:
        again.stop()
    assert after == before
    assert [{int(one["id"]) // 100 for one in section["elements"]} for section in after["sections"]] == [{0, 2, 4}, {1, 3, 5}]


def test_the_file_of_a_view_is_another_one_in_another_spelling(spellings):
    _, client = spellings
    for name in (COMPOSED, DECOMPOSED):
        answer = client.put("/adapters/M", json={"cell": "C", "viewSource": {"xib": name, "bundle": name}})
        assert answer.is_success, answer.text
        assert client.get("/adapters/M").json()["viewSource"] == {"xib": name, "bundle": name}


def test_a_row_that_is_given_the_model_of_another_spelling_lets_go_of_its_elements(spellings):
    _, client = spellings
    row = {"id": "row", "type": "model", "model": COMPOSED, "elements": [{"value": {"id": "1"}}]}
    client.post("/sections", json={"id": "rows", "rows": [row]}).raise_for_status()
    client.patch("/sections/rows/rows/row", json={"model": DECOMPOSED}).raise_for_status()
    assert client.get("/sections/rows/rows/row").json().get("elements", []) == []


@pytest.mark.parametrize("stored, asked", [
    (COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED), ("K1", "\u212a1"), ("\u212a1", "K1"), ("a;b", "a\u037eb"), ("a.b", "a.c")])
def test_commands_find_what_has_their_bytes_and_nothing_else(program, tmp_path, stored, asked):
    """`load` neither changes the list of another spelling nor reads another member, `watch` and `directors` find one alone."""
    server = Server(program, tmp_path)
    try:
        source = tmp_path / "source.json"
        # With a record that is no JSON, which the rest is read around.
        text = json.dumps({asked: [{"id": "wrong"}], stored: [{"id": "right"}]}, ensure_ascii=False)
        source.write_text(text.replace(']', ', {"id": }]'))
        for director in (stored, asked):
            done = run(program, "load", str(source), "--director", director, "--at", f"/{stored}", "--model", stored,
                       "--section", stored, "--server", server.url, "--partial")
            assert done.returncode == 2, done.stderr
            if director == stored:
                names = [one["name"] for one in httpx.get(server.url + "/v1/directors", timeout=60).json()["directors"]]
                assert names == [stored]
                missing = httpx.get(f"{server.url}/v1/directors/{part(asked)}", timeout=60)
                assert missing.status_code == 404
        for director in (stored, asked):
            sections = httpx.get(f"{server.url}/v1/directors/{part(director)}/sections", timeout=60).json()["sections"]
            assert [(each["id"], [one["id"] for one in each["elements"]]) for each in sections] == [(stored, ["right"])]
    finally:
        server.stop()


def test_tokens_of_two_spellings_are_two(program, tmp_path):
    data = str(tmp_path / "data")
    made = [run(program, "token", "create", "--name", name, "--all", "--data", data) for name in (COMPOSED, DECOMPOSED)]
    assert [each.returncode for each in made] == [0, 0], made
    listed = run(program, "token", "list", "--data", data)
    assert listed.stdout.count(COMPOSED) == listed.stdout.count(DECOMPOSED) == 1, listed.stdout
    for name in ("x\ty", "x\x1b[2J", CONTROL):
        assert run(program, "token", "create", "--name", name, "--all", "--data", data).returncode != 0
