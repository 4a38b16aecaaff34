"""A list that is longer than what waits between nodes by itself is loaded through a node that does not own it."""

import contextlib

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done

# More than the 256 MiB that were the bound of what is passed on. Most of it is blank, so that it is cheap to store.
SIZE, LINE = 257 << 20, 1 << 20


def lines():
    """Elements in lines of a mebibyte each."""
    yield b'{"id":"all"}\n'
    for number in range(SIZE // LINE):
        yield b'{"model":"M",%b"value":{"id":%d}}\n' % (b" " * LINE, number)


def test_a_list_of_257_mib_is_loaded_through_each_node(program, tmp_path):
    needs_postgres()
    with contextlib.ExitStack() as stack:
        three = nodes.Nodes(program, tmp_path, LOG_LEVEL="info", SERVER_MAX_CONTENT=str(300 << 20),
                            SERVER_MAX_BUFFERED_BYTES=str(1 << 30))
        stack.callback(three.stop)
        clients = [stack.enter_context(httpx.Client(base_url=node.url, trust_env=False, timeout=120)) for node in three.nodes]
        for client in clients[:2]:
            done(client.put("/v1/directors/long", json={"kind": "table"}))
        done(clients[0].put("/v1/directors/long/adapters/M", json={"cell": "C", "identifier": "{id}"}))
        content = b"".join(lines())
        for number, client in enumerate(clients):
            answer = client.put("/v1/directors/long/content", content=content, headers={"Content-Type": "application/x-ndjson"})
            assert answer.status_code == 200, f"node {number}: {answer.text} {three.tail()}"
            assert answer.json()["counts"]["elements"] == SIZE // LINE
