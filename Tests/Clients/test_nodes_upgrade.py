"""Nodes of two versions share a database: the newer write what the earlier read, until `callboard cluster upgrade`."""

import os
import subprocess
import threading
import time

import httpx
import pytest

from support.cluster import cluster, needs_postgres, until_stored
from support.hooks import eventually

MENU = "/v1/directors/menu"
VIEW = {"view": {"from": "menu"}}
PREVIEW = {"cell": "C", "identifier": "{id}", "preview": {"title": "{name}"}}
HIGH = {"id": "high", "headerHeight": 44}
TAPPED = {"id": "tapped", "rows": [{"id": "r", "type": "constant", "cell": "C", "afterSelection": "deselect"}]}
MENU_HOOK = {"default": [{"title": "Flag"}]}
# The columns that a program of version 0.2.0 writes.
EARLIER = """INSERT INTO callboard.nodes (node, name, url, state, fingerprint, expires)
    SELECT 99, 'old', '', 2, fingerprint, clock_timestamp() + interval '1 hour' FROM callboard.nodes LIMIT 1"""


@pytest.fixture
def three(program):
    needs_postgres()
    with cluster(program) as made:
        yield made


def upgrade(three, program: str) -> subprocess.CompletedProcess:
    return subprocess.run([program, "cluster", "upgrade", "--journal-url", three.url()], capture_output=True, text=True, timeout=60)


def refused(node: httpx.Client) -> None:
    """Everything that would store what an earlier version cannot read is 409, and nothing changes."""
    before = node.get(MENU).json()
    for answer in [
        node.put("/v1/directors/short", json={"kind": "table", **VIEW}),
        node.put(f"{MENU}/adapters/M", json=PREVIEW),
        node.post(f"{MENU}/operations", json={"operations": [
            {"op": "setVariable", "name": "v", "value": 1}, {"op": "setAdapter", "model": "M", "value": PREVIEW}]}),
        node.patch(MENU, json={"properties": {"dragDropEnabled": True}}),
        node.put("/v1/directors/short", json={"kind": "collection", "properties": {"layout": {"name": "grid"}}}),
        node.post(f"{MENU}/sections", json=HIGH),
        node.put(f"{MENU}/sections/tapped", json=TAPPED),
        node.put(f"{MENU}/events/performDrop", json={"url": "http://127.0.0.1:9"}),
        node.put(f"{MENU}/content", json={"sections": [HIGH]}),
    ]:
        assert answer.status_code == 409 and "callboard cluster upgrade" in answer.json()["detail"], answer.text
    assert node.get(MENU).json() == before and node.get("/v1/directors/short").status_code == 404
    assert "cluster upgrade" in node.get("/readyz").text


def allowed(node: httpx.Client) -> None:
    """The same is stored once every node has noticed the upgrade."""
    eventually(lambda: "cluster upgrade" not in node.get("/readyz").text, "the node has noticed")
    assert node.put("/v1/directors/short", json={"kind": "table", **VIEW}).status_code == 201
    assert node.put(f"{MENU}/adapters/M", json=PREVIEW).is_success
    assert node.patch(MENU, json={"properties": {"dragDropEnabled": True}}).is_success
    assert node.put(f"{MENU}/adapters/M/events/contextMenu", json=MENU_HOOK).is_success
    for section in (HIGH, TAPPED):
        assert node.put(f"{MENU}/sections/{section['id']}", json=section).is_success


def test_nothing_is_stored_that_an_earlier_node_cannot_read(three, program):
    three.start()
    # As the database was before: of the earlier version, with a node that runs it.
    three.execute("UPDATE callboard.version SET version = 2")
    three.execute(EARLIER)
    with three.node("a") as a, three.node("b") as b:
        assert a.put(MENU, json={"kind": "table"}).status_code == 201
        for node in (a, b):
            eventually(lambda node=node: "cluster upgrade" in node.get("/readyz").text, "the node has noticed")
            refused(node)
        assert a.put(f"{MENU}/adapters/M", json={"cell": "C", "identifier": "{id}"}).is_success, "what it reads is stored"
        done = upgrade(three, program)
        assert done.returncode == 78 and 'nodes of an earlier version run: "old"' in done.stderr
        refused(b)
        three.execute("DELETE FROM callboard.nodes WHERE node = 99")
        done = upgrade(three, program)
        assert done.returncode == 0 and "version 3, after 2" in done.stdout
        allowed(b)
        done = upgrade(three, program)
        assert done.returncode == 0 and "version 3 already" in done.stdout


class Writer(threading.Thread):
    """Adds sections at one node after the other, each until it is stored."""

    def __init__(self, three):
        super().__init__()
        self.three, self.stored, self.slowest, self.fault = three, [], 0.0, None
        self.stopping = threading.Event()

    def run(self) -> None:
        try:
            while not self.stopping.is_set():
                name = f"s{len(self.stored)}"
                began = time.monotonic()
                # A node that is being replaced refuses connections: another one is asked.
                for node in "abc" * 20:
                    try:
                        with self.three.node(node) as http:
                            until_stored(http, f"{MENU}/sections", {"id": name, "elements": []})
                            break
                    except httpx.TransportError:
                        continue
                self.stored.append(name)
                self.slowest = max(self.slowest, time.monotonic() - began)
        except BaseException as error:  # noqa: BLE001
            self.fault = error


@pytest.mark.skipif("PROGRAM_BEFORE" not in os.environ, reason="PROGRAM_BEFORE names the program of the version before")
def test_a_rolling_upgrade_from_the_version_before_under_load(three, program):
    before = os.environ["PROGRAM_BEFORE"]
    three.program = before
    three.start()
    with three.node("a") as http:
        assert http.put(MENU, json={"kind": "table"}).status_code == 201
    writer = Writer(three)
    writer.start()
    for name in "abc":
        three.run("stop", name)
        three.run("start", name, "--program", program)
        with three.node(name) as http:
            assert "cluster upgrade" in http.get("/readyz").text
        if name != "c":
            done = upgrade(three, program)
            assert done.returncode == 78 and "nodes of an earlier version run" in done.stderr, "an earlier one still runs"
    # Back to the earlier version and forth again: nothing was stored that it does not read.
    three.run("stop", "c")
    three.run("start", "c", "--program", before)
    three.run("stop", "c")
    three.run("start", "c", "--program", program)
    assert upgrade(three, program).returncode == 0
    with three.node("c") as http:
        allowed(http)
    writer.stopping.set()
    writer.join(120)
    assert writer.fault is None and len(writer.stored) > 20
    print(f"{len(writer.stored)} changes, the slowest after {writer.slowest:.2f} s")
    for name in "abc":
        with three.node(name) as http:
            shown = [each["id"] for each in http.get(f"{MENU}/sections").json()["sections"]]
            # The others are there since the upgrade.
            assert [each for each in shown if each not in (HIGH["id"], TAPPED["id"])] == writer.stored
    # Beyond that there is no way back.
    three.run("stop", "c")
    told = three.run("start", "c", "--program", before, fails=True)
    assert "schema version 3" in told + three.logs()
