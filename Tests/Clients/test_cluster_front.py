"""The nodes behind nginx and HAProxy, with the examples as they stand in the page and in Config/deploy."""

import contextlib
import threading
import time
from pathlib import Path

import httpx
import httpx_sse
import pytest

from support.cluster import Cluster, cluster, needs_postgres, until_stored
from support.deploy import DEPLOY
from support.documents import examples, section
from support.ports import free_port
from support.proxies import Front, for_a_test, replaced

PAGE = "Sources/JournalPostgres/JournalPostgres.docc/Operating-several-nodes.md"
MENU = "/v1/directors/menu"


def nginx(tool, made: Cluster, port: int, folder: Path) -> list[str]:
    """The command that starts nginx with the page's example."""
    program = tool("nginx", "nginx-light")
    [text] = examples(section(PAGE, "In front of them"), "nginx")
    names = {"listen 8000;": f"listen 127.0.0.1:{port};"}
    names |= {f"127.0.0.1:808{number}": f"127.0.0.1:{made.http + number}" for number in range(3)}
    (folder / "nginx.conf").write_text(for_a_test(replaced(text, names)))
    return [program, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]


def haproxy(tool, made: Cluster, port: int, folder: Path) -> list[str]:
    """The command that starts HAProxy with the configuration for Compose."""
    program = tool("haproxy", "haproxy")
    # Nodes on a loopback address serve no other names.
    names = {"bind *:8080": f"bind 127.0.0.1:{port}", "maxconn 40000": "maxconn 1000", "Host callboard": "Host localhost"}
    names |= {f"node-{name}:8080": f"127.0.0.1:{made.http + number}" for number, name in enumerate("abc")}
    (folder / "haproxy.cfg").write_text(replaced((DEPLOY / "compose/haproxy.cfg").read_text(), names))
    return [program, "-db", "-f", "haproxy.cfg"]


@pytest.fixture(scope="module")
def started(program):
    """A cluster for all tests of this file: each but the last leaves its nodes running."""
    needs_postgres()
    with cluster(program) as made:
        made.start()
        yield made


@pytest.fixture(params=[nginx, haproxy], ids=["nginx", "haproxy"])
def behind(request, started, tool, tmp_path):
    """The cluster with a new director, and a client of what is in front of it."""
    with contextlib.ExitStack() as stack:
        port = free_port()
        stack.callback(Front(request.param(tool, started, port, tmp_path), port, tmp_path).stop)
        http = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60))
        http.delete(MENU)
        http.put(MENU, json={"kind": "table"}).raise_for_status()
        yield started, http


class Follower(threading.Thread):
    """Follows the director as a client does: it comes back where it was whenever its stream ends."""

    def __init__(self, url: str):
        super().__init__(daemon=True)
        self.url, self.id, self.versions, self.snapshots, self.streams, self.ends = url, None, [], 0, 0, False

    def run(self) -> None:
        with httpx.Client(base_url=self.url, trust_env=False, timeout=60) as http:
            while not self.ends:
                with contextlib.suppress(httpx.TransportError, httpx_sse.SSEError):
                    self.follow(http)
                time.sleep(0.1)

    def follow(self, http: httpx.Client) -> None:
        with httpx_sse.connect_sse(http, "GET", f"{MENU}/changesets", headers={"Last-Event-ID": self.id} if self.id else {}) as source:
            for event in source.iter_sse():
                self.id = event.id or self.id
                self.streams += event.event in ("snapshot", "resumed")
                self.snapshots += event.event == "snapshot"
                if event.event == "changeset":
                    self.versions.append(event.json()["version"])
                if self.ends or event.event == "end":
                    return


def test_reading_goes_on_and_streams_resume_while_each_node_is_killed_and_replaced(behind):
    made, http = behind
    followers = [Follower(str(http.base_url)) for _ in range(6)]
    for follower in followers:
        follower.start()
    while not all(follower.snapshots for follower in followers):
        time.sleep(0.05)
    failed, over = [], threading.Event()

    def read() -> None:
        with httpx.Client(base_url=http.base_url, trust_env=False, timeout=60) as reader:
            while not over.wait(0.02):
                if not (answer := reader.get(MENU)).is_success:
                    failed.append(answer.text)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for end, name in [(end, name) for end in ("kill", "stop") for name in "abc"]:
            made.run(end, name)
            until_stored(http, f"{MENU}/sections?reload=true", {"id": f"{end}-{name}", "elements": []}, 30)
            made.run("start", name)
    finally:
        over.set()
        reader.join()
    newest = http.get(MENU).json()["version"]
    deadline = time.monotonic() + 60
    while any(follower.versions[-1:] != [newest] for follower in followers) and time.monotonic() < deadline:
        time.sleep(0.1)
    for follower in followers:
        follower.ends = True
    assert not failed, failed[:3]
    assert all(follower.snapshots == 1 for follower in followers), "a stream began anew in place of going on"
    assert all(follower.versions == sorted(set(follower.versions)) for follower in followers)
    assert all(follower.versions[-1] == newest for follower in followers)
    assert any(follower.streams > 1 for follower in followers), "no stream was on a node that was killed"


@pytest.mark.parametrize("behind", [nginx], indirect=True, ids=["nginx"])
def test_nginx_holds_a_browsers_stream_while_no_node_is_there_and_hides_nothing_else(behind):
    made, http = behind
    for name in "abc":
        made.run("stop", name)
    held = http.get(f"{MENU}/changesets", headers={"Accept": "text/event-stream"})
    assert (held.status_code, held.headers["Content-Type"], held.text) == (200, "text/event-stream", "retry: 3000\n\n")
    assert http.get(MENU).status_code == 502
