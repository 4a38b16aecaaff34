"""A node that has ended is followed within seconds, its lease's eight not waited for; one that stands still keeps its lists."""

import re
import signal
import time

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually

LISTS = [f"/v1/directors/list-{number}" for number in range(12)]
LEASE = 8  # PostgresSettings.lease, in seconds.


@pytest.fixture
def three(program, tmp_path):
    """Three nodes, with lists that each of them owns some of."""
    needs_postgres()
    started = nodes.Nodes(program, tmp_path)
    try:
        eventually(lambda: httpx.get(f"{started.nodes[0].url}/v1/nodes", timeout=60).text.count('"serving"') == 3,
                   "every node taking part")
        for path in LISTS:
            done(httpx.put(started.nodes[0].url + path, json={"kind": "table"}, timeout=60))
        yield started
    finally:
        started.stop()


def takeovers(*servers) -> int:
    """How many directors these nodes have taken from others."""
    texts = [httpx.get(f"{each.url}/metrics", timeout=60).text for each in servers]
    return sum(int(re.search(r"^callboard_cluster_takeovers_total (\d+)", text, re.M)[1]) for text in texts)


def change(server, path: str) -> bool:
    """Whether a change is stored; the answer of a node that cannot reach the owner says that it is not."""
    try:
        return httpx.put(f"{server.url}{path}/variables/x", content="1", headers={"Content-Type": "application/json"},
                         timeout=60).is_success
    except httpx.TransportError:
        return False


def test_a_node_that_is_killed_is_followed_before_its_lease_has_run_out(three):
    ended, *rest = three.nodes
    before = takeovers(*rest)
    ended.terminate(signal.SIGKILL)
    start = time.monotonic()
    eventually(lambda: all([change(rest[0], path) for path in LISTS]), "all lists being written again")
    took = time.monotonic() - start
    assert takeovers(*rest) > before, "it owned nothing, and nothing is shown"
    print(f"all lists were written {took:.2f} s after the kill")
    assert took < LEASE - 2, f"{took:.2f} s"


def test_a_node_that_stands_still_for_less_than_its_lease_keeps_its_lists(three):
    for paused in three.nodes:
        others = [each for each in three.nodes if each is not paused]
        before = takeovers(*others)
        paused.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(4)
        finally:
            paused.process.send_signal(signal.SIGCONT)
        eventually(lambda: all([change(paused, path) for path in LISTS]), "the node going on")
        assert takeovers(*others) == before
