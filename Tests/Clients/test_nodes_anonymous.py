"""Who asks without a credential is told at each node that one might help, also where the director's owner finds out."""

import json

import httpx

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done

MENU = "/v1/directors/menu"
# Changing content is open to everybody, defining is not: only the owner of the director reads that a batch does both.
BATCH = {"operations": [{"op": "setVariable", "name": "v", "value": 1}, {"op": "setAdapter", "model": "N", "value": {"cell": "C"}}]}


def test_a_right_that_the_owner_misses_is_401_for_nobody_and_403_for_somebody(program, tmp_path):
    needs_postgres()
    grants = [{"actions": ["read", "mutate"], "directors": ["*"]}]
    three = nodes.Nodes(program, tmp_path, AUTH_MODE="required")
    first = {"Authorization": f"Bearer {(tmp_path / 'data/first-token').read_text().strip()}"}
    try:
        url = three.nodes[0].url
        done(httpx.put(url + MENU, headers=first, json={"kind": "table"}, timeout=60))
        made = done(httpx.post(f"{url}/v1/tokens", headers=first, json={"name": "anonymous", "grants": grants}, timeout=60)).json()
        somebody = {"Authorization": f"Bearer {made['token']}"}
        three.stop()
        three = nodes.Nodes(program, tmp_path, AUTH_MODE="required", AUTH_ANONYMOUS=json.dumps(grants))
        for node in three.nodes:
            answer = httpx.post(f"{node.url}{MENU}/operations", json=BATCH, timeout=60)
            assert (answer.status_code, answer.headers.get("WWW-Authenticate", "")[:6]) == (401, "Bearer"), answer.text
            assert httpx.post(f"{node.url}{MENU}/operations", headers=somebody, json=BATCH, timeout=60).status_code == 403
            done(httpx.post(f"{node.url}{MENU}/operations", json={"operations": BATCH["operations"][:1]}, timeout=60))
    finally:
        three.stop()
