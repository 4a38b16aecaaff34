"""Requests to any of several nodes: connections that are kept, and repeats until there is an answer."""

import asyncio
import json
import random
import time

from harness.async_http import Connection, Gone
from harness.ledger import Ledger
from harness.nodes import Node, Nodes

# How long a node is waited for before another one is asked, and how long all of them together may take.
PATIENCE, LIMIT = 4.0, 60.0
# Another node may take it, or this one later.
LATER = {429, 503, 504}
# A conflict that passes: with a request of the same key, or with a director that is being created or deleted.
UNDER_WAY = b"ask again"


class NotAnswered(Exception):
    """No node has answered within the limit, or one has said something that no node may say."""


class Caller:
    """One client: a connection to each node at most, one request at a time."""

    def __init__(self, name: str, nodes: Nodes, ledger: Ledger, rng: random.Random):
        self.name, self.nodes, self.ledger, self.rng = name, nodes, ledger, rng
        self._open: dict[str, Connection] = {}
        # The node that has answered with success last, and which attempt that was.
        self.last = ""

    async def attempt(self, node: Node, method: str, path: str, body: dict | None = None, patience: float = PATIENCE,
                      **fields: str) -> tuple[int, bytes]:
        """Asks one node; status 0 where no answer came."""
        try:
            async with asyncio.timeout(patience):
                connection = await self._connection(node)
                content = None if body is None else json.dumps(body, separators=(",", ":")).encode()
                incoming = await connection.ask(method, path, content, **fields)
                answer = incoming.status, await incoming.whole()
        except (Gone, TimeoutError) as reason:
            self.drop(node)
            answer = 0, f"{type(reason).__name__} {reason}".encode()
        return answer

    async def until_answered(self, method: str, path: str, body: dict | None = None, **fields: str) -> bytes:
        """Asks random nodes until one has done it, and returns what that one says; raises `NotAnswered`."""
        deadline, tried = time.monotonic() + LIMIT, []
        while time.monotonic() < deadline:
            node = self.rng.choice(self.nodes.members)
            status, content = await self.attempt(node, method, path, body, **fields)
            if 200 <= status < 300:
                self.last = f"{node.name}, attempt {len(tried) + 1}"
                self.ledger.counts["answered at once" if not tried else "answered in the end"] += 1
                return content
            tried.append(f"{node.name}: {status} {content[:160]!r}")
            is_under_way = status == 409 and UNDER_WAY in content
            if status != 0 and status not in LATER and not is_under_way:
                raise NotAnswered(f"{method} {path}: {'; '.join(tried[-4:])}")
            self.ledger.counts[f"tries that ended with {status or 'no answer'}"] += 1
            await asyncio.sleep(self.rng.uniform(0.02, 0.3))
        raise NotAnswered(f"{method} {path} was not done in {LIMIT:.0f} s: {'; '.join(tried[-3:])}")

    async def _connection(self, node: Node) -> Connection:
        address, kept = node.address, self._open.get(node.name)
        if address is None:
            raise Gone("the node is down")
        if kept is None or kept.address != address:
            self.drop(node)
            kept = self._open[node.name] = await address.connect()
        return kept

    def drop(self, node: Node) -> None:
        """Gives a connection up, whatever is under way on it."""
        if kept := self._open.pop(node.name, None):
            kept.abort()

    def close(self) -> None:
        """Gives all connections up."""
        for node in self.nodes.all:
            self.drop(node)
