"""Clients that make and delete a director all the time, so that lives begin and end under faults as well."""

import asyncio
import random

from harness.ledger import Ledger
from harness.node_requests import LATER, Caller
from harness.nodes import Nodes

# What the names of these directors begin with.
PREFIX = "churning"
# It may be there or not: an earlier request that was not answered may have been done late.
FITTING = {200, 201, 204, 404, 409}


class Churner(Caller):
    """Asks whatever node and does not mind what is answered, but for what no node may answer."""

    def __init__(self, number: int, nodes: Nodes, ledger: Ledger, rng: random.Random):
        super().__init__(f"churner {number}", nodes, ledger, rng)
        self.director = f"{PREFIX}{number}"

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop."""
        path = f"/v1/directors/{self.director}"
        while not stop.is_set():
            for method, tail, body in [
                    ("PUT", "", {"kind": "table"}), ("POST", "/sections?reload=true", {"headerTitle": "one"}),
                    ("POST", "/sections?reload=true", {"headerTitle": "two"}), ("DELETE", "", None),
            ]:
                node = self.rng.choice(self.nodes.members)
                status, content = await self.attempt(node, method, path + tail, body)
                if status != 0 and status not in FITTING | LATER:
                    self.ledger.fault(f"{method} {path}{tail} at {node.name}: {status} {content[:200]!r}")
                self.ledger.counts["lives begun"] += status == 201 and method == "PUT"
                await asyncio.sleep(self.rng.uniform(0, 0.3))
