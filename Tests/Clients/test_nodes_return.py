"""Only a person ends a node: one that was away for longer than its lease goes on, and one that starts without its database waits."""

import signal
import subprocess
import time

import httpx

from support import nodes, protocol
from support.cluster import needs_postgres, until_stored
from support.hooks import done
from support.ports import free_ports

MENU = "/v1/directors/menu"


def until(what: str, holds, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def ready(url: str) -> httpx.Response | None:
    try:
        return httpx.get(f"{url}/readyz", timeout=60)
    except httpx.TransportError:
        return None


def is_ready(url: str) -> bool:
    return (answer := ready(url)) is not None and answer.status_code == 200


def go_on(three: nodes.Nodes, *urls: str) -> None:
    """All nodes are ready, each stores something, and each reads what the others have stored."""
    urls = [each.url for each in three.nodes] + list(urls)
    for url in urls:
        until(f"{url} is ready", lambda: is_ready(url))
    stored = []
    for url in urls:
        with httpx.Client(base_url=url, timeout=60) as client:
            stored.append(f"s{len(done(client.get(f'{MENU}/sections')).json()['sections'])}")
            until_stored(client, f"{MENU}/sections", {"id": stored[-1]})
    for url in urls:
        listed = done(httpx.get(f"{url}{MENU}/sections", timeout=60)).json()["sections"]
        assert [each["id"] for each in listed][-len(stored):] == stored
    assert all(each.process.poll() is None for each in three.nodes), three.tail()


class Late:
    """A node that is started while there is no database: it prints no address for as long as that lasts."""

    def __init__(self, program: str, three: nodes.Nodes, folder):
        folder.mkdir()
        self.url = f"http://127.0.0.1:{(port := free_ports(1))}"
        settings = protocol.SETTINGS | {
            "JOURNAL_URL": nodes._postgres().url.replace("/lists?", f"/{nodes._databases[three.folder]}?"),
            "CLUSTER_LISTEN": "127.0.0.1:0", "CLUSTER_SECRET_FILE": str(three.folder / "cluster-secret"), "CLUSTER_NAME": "late"}
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--port", str(port), "--data", str(folder / "data")], cwd=folder, stdout=log, stderr=log,
                env={f"CALLBOARD_{name}": value for name, value in settings.items()})


def test_a_node_that_starts_while_the_database_is_away_waits_and_ends_no_other(program, tmp_path):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path)
    late = None
    try:
        done(httpx.put(three.nodes[0].url + MENU, json={"kind": "table"}, timeout=60))
        nodes._postgres().kill()
        for node in three.nodes:
            until("its lease has run out", lambda: (answer := ready(node.url)) and answer.status_code == 503)
        late = Late(program, three, tmp_path / "late")
        until("it waits", lambda: (answer := ready(late.url)) and "waits for its database" in answer.text)
        refused = httpx.get(late.url + MENU, timeout=60)
        assert refused.status_code == 503 and refused.headers["Retry-After"], refused.text
        assert httpx.get(f"{late.url}/livez", timeout=60).status_code == 200
        # The others stand still, so that it is the first that finds the database.
        for node in three.nodes:
            node.process.send_signal(signal.SIGSTOP)
        nodes._postgres().start()
        until("it takes part", lambda: is_ready(late.url))
        for node in three.nodes:
            node.process.send_signal(signal.SIGCONT)
        go_on(three, late.url)
    finally:
        for node in three.nodes:
            node.process.send_signal(signal.SIGCONT)
        three.stop()
        if late:
            late.process.kill()
            late.process.wait()


def test_a_node_whose_registration_is_gone_registers_again(program, tmp_path):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path)
    try:
        done(httpx.put(three.nodes[0].url + MENU, json={"kind": "table"}, timeout=60))
        for _ in range(2):
            nodes._postgres().execute(
                "DELETE FROM callboard.nodes; DELETE FROM callboard.fences", nodes._databases[tmp_path])
            until("all are there", lambda: len(httpx.get(f"{three.nodes[0].url}/v1/nodes", timeout=60).json()["nodes"]) == 3)
            go_on(three)
    finally:
        three.stop()
