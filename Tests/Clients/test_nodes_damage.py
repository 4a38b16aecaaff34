"""A damaged row that stands for itself ends no node that runs, is told with its remedy, and can be set aside by one that starts."""

import contextlib

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done
from support.server import Server, ServerDied

MENU = "/v1/directors/menu"


@pytest.mark.parametrize("place, keeps, damage", [
    ("token tok_", True, "UPDATE callboard.tokens SET name = 'x'"), ("answer 1", False, "UPDATE callboard.answers SET fingerprint = 2")],
    ids=["token", "answer"])
def test_a_damaged_row_is_told_and_set_aside_beside_nodes_that_run(program, tmp_path, place, keeps, damage):
    needs_postgres()
    with contextlib.ExitStack() as stack:
        three = nodes.Nodes(program, tmp_path, LOG_LEVEL="info")
        stack.callback(three.stop)
        settings = {"JOURNAL_URL": nodes._postgres().url.replace("/lists?", f"/{nodes._databases[tmp_path]}?"),
                    "CLUSTER_LISTEN": "127.0.0.1:0", "CLUSTER_SECRET_FILE": str(tmp_path / "cluster-secret"), "CLUSTER_NAME": "late"}
        with httpx.Client(base_url=three.nodes[0].url, trust_env=False, timeout=60) as client:
            done(client.put(MENU, json={"kind": "table"}))
            done(client.post("/v1/tokens", json={"name": "one", "grants": [{"actions": ["read"], "directors": ["*"]}]}))
            done(client.post(f"{MENU}/sections?reload=true", json={"id": "a"}, headers={"Idempotency-Key": "k"}))
        nodes._postgres().execute(damage, nodes._databases[tmp_path])

        def all_run() -> None:
            for node in three.nodes:
                assert done(httpx.get(node.url + MENU, timeout=60)).json()["name"] == "menu"

        all_run()
        (late := tmp_path / "late").mkdir()
        if keeps:
            with pytest.raises(ServerDied, match=f"{place}(.|\n)*--set-aside"):
                Server(program, late, **settings)
        all_run()
        server = Server(program, late, ["--set-aside"], **settings)
        stack.callback(server.stop)
        assert "a damaged row was set aside" in server.tail() and place in server.tail()
        assert done(httpx.get(server.url + MENU, timeout=60)).json()["name"] == "menu"
        all_run()
