"""Clients that read lists at whatever node, and check that no read is older than what anybody has been told."""

import asyncio
import contextlib
import json
import random
import time

from harness.ledger import Ledger, held
from harness.node_requests import Caller
from harness.nodes import Node, Nodes


class Reader(Caller):
    """Reads sections of all writers, each time at another node, as they are worked on or published."""

    def __init__(self, name: str, nodes: Nodes, ledger: Ledger, rng: random.Random, pause: float):
        super().__init__(name, nodes, ledger, rng)
        self.pause = pause

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop."""
        while not stop.is_set():
            await self.look(*self.rng.choice(list(self.ledger.registers)))
            await asyncio.sleep(self.rng.uniform(0.3, 1.7) * self.pause)

    async def look(self, director: str, section: str) -> None:
        """Reads a section at a node. One that is away from the database has to say so."""
        node, state = self.rng.choice(self.nodes.members), self.rng.choice(["working", "published"])
        path = f"/v1/directors/{director}/sections/{section}?state={state}"
        began = time.monotonic()
        status, content = await self.attempt(node, "GET", path)
        ended = time.monotonic()
        if status != 200:
            if status not in (0, 503):
                self.ledger.fault(f"{self.name}: GET {path} at {node.name}: {status} {content[:200]!r}")
            return
        found = held(json.loads(content))
        self.ledger.counts["reads"] += 1
        if wrong := self.ledger.registers[director, section].read(found, began, ended):
            told = await self._tell_how_long(node, path, found)
            self.ledger.fault(f"{self.name}: {section} of {director} at {node.name} is {found} as {state}, {wrong}; "
                              f"answered in {ended - began:.3f} s; {told}")

    async def _tell_how_long(self, node: Node, path: str, before: tuple[str, ...]) -> str:
        """When the node shows something else, for whoever looks for the cause."""
        began = time.monotonic()
        with contextlib.suppress(ValueError):
            while time.monotonic() - began < 3:
                status, content = await self.attempt(node, "GET", path)
                if status != 200 or held(json.loads(content)) != before:
                    return f"then {status} {content[:120]!r} after {time.monotonic() - began:.3f} s"
        return "the same for 3 s"
