"""A change is noted once, by the node that took it, with what came of it at the director's owner."""

import contextlib
import json

import httpx

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done

MENU = "/v1/directors/menu"


def lines(node) -> list[dict]:
    return [json.loads(line) for line in (node.folder / "audit").read_text().splitlines()]


def test_each_change_is_noted_by_the_node_that_took_it_with_its_outcome_at_the_owner(program, tmp_path):
    needs_postgres()
    with contextlib.ExitStack() as stack:
        three = nodes.Nodes(program, tmp_path, LOG_LEVEL="warning", AUDIT_FILE="audit")
        stack.callback(three.stop)
        clients = [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=60)) for node in three.nodes]
        done(clients[0].put(MENU, json={"kind": "table"}))
        dry = {"dryRun": True, "operations": [{"op": "addSections", "sections": [{"id": "dry", "elements": []}]}]}
        for number, client in enumerate(clients):
            for _ in range(2):
                done(client.post(f"{MENU}/sections", json={"id": f"s{number}"}, headers={"Idempotency-Key": f"key{number}"}))
            # A key that one node has brought is the same at the others.
            done(client.post(f"{MENU}/sections", json={"id": "s0"}, headers={"Idempotency-Key": "key0"}))
            answer = done(client.post(f"{MENU}/operations", json=dry))
            assert not [name for name in answer.headers if name.startswith("callboard-")]
            # What is refused for what it says is no line of the audit, at whichever node.
            assert client.delete(f"{MENU}/sections/none").status_code == 404
            assert client.post(f"{MENU}/sections", json={"id": 1}).status_code == 422
            assert client.delete(MENU, headers={"If-Match": '"other"'}).status_code == 412
        three.stop()
        told = [[(line["operation"], line["outcome"]) for line in lines(node)] for node in three.nodes]
        changes = [("addSections", "done"), ("addSections", "repeated"), ("addSections", "repeated"), ("performOperations", "tried")]
        assert told == [[("putDirector", "done"), *changes], changes, changes]
