"""Config/cluster: what it refuses, that nodes and databases fail and come back as it says, and that nothing is left."""

import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from support.cluster import cluster, needs_postgres, until_stored
from support.deploy import expressions, metrics, series
from support.fakes import CHECKOUT

MENU = "/v1/directors/menu"


@pytest.fixture
def script(program, tmp_path):
    """Runs the script in a folder where nothing was started."""
    return lambda *arguments: subprocess.run(
        [CHECKOUT / "Config/cluster", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def started(program):
    """A cluster for all tests of this file: each but the last leaves all of it running."""
    needs_postgres()
    with cluster(program) as made:
        made.start()
        yield made


@pytest.fixture
def running(started):
    """That cluster, with a new director."""
    with started.node("a") as http:
        http.delete(MENU)
        http.put(MENU, json={"kind": "table"}).raise_for_status()
    yield started


@pytest.mark.parametrize("arguments, sentence", [
    ([], "Usage: Config/cluster"), (["nonsense"], "there is no command 'nonsense'"), (["--nonsense"], "there is no option"),
    (["kill"], "kill takes a name: a b c db1 db2 db3"), (["stop", "d"], "'d' is none"), (["pause", "db1"], "'db1' is none"),
    (["stop", "a", "b"], "stop takes one name: 'a' or 'b'"), (["status", "a"], "status takes no name"),
    (["start", "--http", "70000"], "--http takes a port"), (["start", "--program"], "--program takes a value"),
    (["start", "--program", "/nowhere/callboard"], "'/nowhere/callboard' is no program"),
    (["status"], "'.cluster' has no cluster; Config/cluster start makes one"), (["stop"], "has no cluster"),
    (["kill-primary"], "has no cluster"), (["promote"], "has no cluster"), (["rejoin", "db1"], "has no cluster"),
])
def test_what_is_wrong_is_said_and_nothing_is_made(script, tmp_path, arguments, sentence):
    done = script(*arguments)
    assert done.returncode != 0 and sentence in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_names_every_command(script):
    text = (CHECKOUT / "Config/cluster").read_text().rpartition('case "$command" in')[2]
    commands = [line.partition(")")[0] for line in text.splitlines() if line[:1].isalpha() and ")" in line]
    assert len(commands) >= 8
    done = script("--help")
    assert done.returncode == 0 and all(name in done.stdout for each in commands for name in each.split(" | "))


def test_a_port_that_is_taken_is_named_before_anything_is_made(script, server, tmp_path):
    done = script("--folder", "cluster", "start", "--program", "/bin/true", "--http", str(min(server.port, 65533)))
    assert done.returncode == 1 and f"something listens on port {server.port} already" in done.stderr
    assert not (tmp_path / "cluster").exists()


def test_nodes_fail_and_come_back(running):
    with running.node("b") as b, running.node("c") as c:
        assert c.get(MENU).is_success, "what one node has acknowledged is seen at every other"
        running.run("kill", "a")
        assert "a    " in running.run("status") and running.run("status").count("ready") == 2
        took = until_stored(b, f"{MENU}/sections", {"id": "one", "elements": []})
        print(f"stored {took:.1f} s after the kill")
        assert took < 7, "it waited for the lease to run out"
        assert "is ready" in running.run("start", "a")
        assert "a runs already" in running.run("start", "a", fails=True)
        # Each node is given a program anew, one after the other, and a change is stored meanwhile.
        for name in "abc":
            running.run("stop", name)
            with running.node("b" if name == "a" else "a") as other:
                assert until_stored(other, f"{MENU}/sections", {"id": f"while-{name}-is-away", "elements": []}) < 20
            running.run("start", name, "--program", running.program)
        assert {each["id"] for each in c.get(f"{MENU}/sections").json()["sections"]} == {
            "one", *(f"while-{name}-is-away" for name in "abc")}
        page = metrics(c.get("/metrics").text)
        asked = {name for text in expressions() for name, _ in series(text)} - {"up", "callboard_tls_certificate_days_left"}
        assert not asked - set(page), "what Config/deploy asks for is on a node's page"


def test_the_nodes_own_port_reads_no_content_of_strangers(running):
    """A request that no node has signed is refused from its head; one that a node passes on is as long as a list may be."""
    port = running.internal
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(b"POST /forward HTTP/1.1\r\nHost: localhost\r\nCallboard-Request: GET /\r\n"
                           b"Content-Length: 268435456\r\nExpect: 100-continue\r\n\r\n")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 401 ")
    lines = b'{"id":"all"}\n' + b"".join(b'{"model":"M","value":{"id":%d,"t":"%s"}}\n' % (each, b"x" * 1000) for each in range(3000))
    with running.node("b") as b, running.node("c") as c:
        for http in (b, c):
            http.put(f"{MENU}/adapters/M", json={"cell": "C", "identifier": "{id}"}).raise_for_status()
            answer = http.put(f"{MENU}/content", content=lines, headers={"Content-Type": "application/x-ndjson"})
            assert answer.is_success and answer.json()["counts"]["elements"] == 3000, answer.text


def test_databases_fail_and_come_back(running):
    stored = []

    def store(name: str, within: float = 20) -> None:
        with running.node("b") as http:
            until_stored(http, f"{MENU}/sections", {"id": name, "elements": []}, within)
        stored.append(name)

    store("before")
    assert "is the primary and runs" in running.run("promote", fails=True)
    running.run("stop", "db3")
    store("one standby is enough")
    running.run("kill-primary")
    assert "only db2 runs" in running.run("promote", fails=True)
    running.run("start", "db3")
    assert "Promoting db2" in running.run("promote"), "db3 has less"
    store("after", within=60)
    assert "two primaries would store different things" in running.run("start", "db1", fails=True)
    assert "db1 follows db2" in running.run("rejoin")
    running.run("stop", "db3")
    store("the one that came back is enough")
    running.run("stop", "--keep")
    assert running.processes() == {}
    running.run("start")
    with running.node("c") as http:
        assert [each["id"] for each in http.get(f"{MENU}/sections").json()["sections"]] == stored


def segments(of=None) -> set[str]:
    """The segments of shared memory that these processes have made and use, or any.

    A segment outlives a process that is killed, and names it by its number, which another process may have by now: so
    only a segment that somebody uses is one of these processes'.
    """
    rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    return {number for _, number, _, _, creator, _, users, *_ in rows
            if of is None or int(creator) in of and int(users) > 0}


def test_stop_leaves_nothing_behind(running):
    own = segments(running.processes())
    assert len(own) == 3, "each database has a segment of shared memory"
    running.run("pause", "a")
    running.run("kill", "b")
    running.run("kill-primary")
    assert running.processes()
    running.run("stop")
    assert running.processes() == {} and not running.folder.exists()
    assert not own & segments()
    with pytest.raises(httpx.ConnectError), running.node("c") as http:
        http.get("/livez")
