"""A token that was revoked while a node stood still is not taken by it afterwards, whatever is asked for."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done

MENU = "/v1/directors/menu"
ASKED = [
    ("GET", MENU, None), ("GET", f"{MENU}/sections", None), ("GET", "/v1/directors", None), ("GET", "/v1/tokens", None),
    ("GET", f"{MENU}/changesets", None), ("GET", "/v1/changesets?director=menu", None), ("GET", "/v1/nodes", None),
    ("GET", "/metrics", None), ("GET", "/v1/deliveries", None), ("GET", "/v1/streams", None), ("GET", "/v1/hooks", None),
    ("POST", f"{MENU}/sections", {"id": "late"}), ("PUT", "/v1/directors/other", {"kind": "table"}),
    ("POST", "/v1/stream-tickets", {"directors": ["menu"]}), ("POST", f"{MENU}/refresh", {}),
]


def test_a_token_that_was_revoked_meanwhile_is_refused(program, tmp_path):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path, AUTH_MODE="required")
    first = {"Authorization": f"Bearer {(tmp_path / 'data/first-token').read_text().strip()}"}
    grants = [{"actions": ["read", "report", "mutate", "define", "hooks", "operate"], "directors": ["*"]}]
    try:
        done(httpx.put(three.nodes[0].url + MENU, headers=first, json={"kind": "table"}, timeout=60))
        for number, node in enumerate(three.nodes):
            other = three.nodes[number - 1]
            made = done(httpx.post(f"{other.url}/v1/tokens", headers=first, json={"name": "x", "grants": grants}, timeout=60)).json()
            mine = {"Authorization": f"Bearer {made['token']}"}
            done(httpx.get(node.url + MENU, headers=mine, timeout=60))
            node.process.send_signal(signal.SIGSTOP)
            try:
                name = f"node{number}"
                while nodes._postgres().execute(
                        f"SELECT expires > now() FROM callboard.nodes WHERE name = '{name}'", nodes._databases[tmp_path]) == "t":
                    time.sleep(0.1)
                done(httpx.delete(f"{other.url}/v1/tokens/{made['id']}", headers=first, timeout=60))

                def ask(asked: tuple) -> tuple:
                    method, path, body = asked
                    with httpx.stream(method, node.url + path, headers=mine, json=body, timeout=30) as answer:
                        return method, path, answer.status_code

                with ThreadPoolExecutor(len(ASKED)) as threads:
                    # They wait in the kernel, and are what the node finds first when it goes on.
                    asked = [threads.submit(ask, each) for each in ASKED]
                    time.sleep(0.5)
                    node.process.send_signal(signal.SIGCONT)
                    assert [each for each in (each.result() for each in asked) if each[2] != 401] == []
            finally:
                node.process.send_signal(signal.SIGCONT)
    finally:
        three.stop()
