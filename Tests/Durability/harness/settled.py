"""What has to hold once the faults are over and all clients rest."""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from harness.ledger import Ledger
from harness.model import digest
from harness.node_churn import PREFIX, Churner
from harness.node_follower import Follower
from harness.node_mover import Mover
from harness.node_requests import Caller, NotAnswered
from harness.node_writer import Writer
from harness.nodes import Node, Nodes
from harness.records import Records
from harness.view import VIEW, derived

# How long nodes may take to be ready, followers to have the newest version, and hooks to have been called.
LIMIT = 30.0


class Inspector(Caller):
    """Compares what all nodes, followers, writers and the database say."""

    def __init__(self, nodes: Nodes, ledger: Ledger, directors: list[str], writers: list[Writer], churners: list[Churner],
                 movers: list[Mover], followers: list[Follower], records: Records):
        super().__init__("the inspector", nodes, ledger, random.Random(0))
        self.directors, self.writers, self.churners = directors, writers, churners
        self.movers, self.followers, self.records = movers, followers, records

    async def inspect(self) -> None:
        """All of it; what is wrong is in the ledger."""
        for node in self.nodes.members:
            if not await holds(lambda node=node: self._is_ready(node)):
                status, content = await self.attempt(node, "GET", "/readyz")
                return self.ledger.fault(f"{node.name} is not ready after {LIMIT:.0f} s: {status} {content[:300]!r}")
        for director in self.directors:
            await self._compare(director)
        await self._compare_view(self.directors[0])
        for churner in self.churners:
            await self._compare_lives(churner.director)
        for mover in self.movers:
            await mover.compare()
        if not await holds(self._no_event_is_missing):
            for each in self.ledger.check_deliveries():
                self.ledger.fault(each)
        for each in await asyncio.to_thread(self.records.check, self.ledger.acknowledged):
            self.ledger.fault(each)

    async def keep_evidence(self, file: Path) -> None:
        """Writes down what the database and the nodes say of lives and nodes, for whoever looks for the cause."""
        lines = []
        for query in ("SELECT * FROM callboard.nodes", "SELECT * FROM callboard.lives ORDER BY life",
                      "SELECT life, number, term, unit, step FROM callboard.records WHERE life IN "
                      f"(SELECT life FROM callboard.lives WHERE director LIKE '{PREFIX}%') ORDER BY life, number"):
            lines += ["", query, await asyncio.to_thread(self.nodes.database.execute, query)]
        for node in self.nodes.members:
            for path in ("/readyz", "/v1/nodes", "/v1/directors", "/metrics"):
                status, content = await self.attempt(node, "GET", path)
                lines += ["", f"GET {path} at {node.name}: {status}", content.decode(errors="replace")]
        file.write_text("\n".join(lines))

    async def _is_ready(self, node: Node) -> bool:
        return (await self.attempt(node, "GET", "/readyz"))[0] == 200

    async def _no_event_is_missing(self) -> bool:
        return not self.ledger.check_deliveries()

    async def _read(self, node: Node, path: str) -> dict | None:
        status, content = await self.attempt(node, "GET", path, patience=10)
        if status == 200:
            return json.loads(content)
        self.ledger.fault(f"GET {path} at {node.name}, which is ready: {status} {content[:200]!r}")
        return None

    async def _compare(self, director: str) -> None:
        """Every node shows the same; it is what the writers know and what the followers have."""
        path, seen = f"/v1/directors/{director}", {}
        for node in self.nodes.members:
            found = await self._read(node, path)
            lists = [await self._read(node, f"{path}/sections?limit=10000&state={state}") for state in ("working", "published")]
            if found is None or None in lists:
                return
            place, (working, published) = (found["epoch"], found["version"]), [each["sections"] for each in lists]
            self.ledger.shown(f"a read at {node.name}", director, *place, published)
            seen[node.name] = (*place, found["revision"], digest(published), digest(working))
            for state, sections in (("working", working), ("published", published)):
                self._compare_writers(node, director, state, sections)
        if len(set(seen.values())) > 1:
            self.ledger.fault(f"{director} differs between nodes that rest: {seen}")
        await self._compare_followers(director, *place, published)

    async def _compare_view(self, source: str) -> None:
        """Every node shows of the view what follows from its source, and so do the followers."""
        for node in self.nodes.members:
            lists = [await self._read(node, f"/v1/directors/{name}/sections?limit=10000&state=published")
                     for name in (source, VIEW)]
            if None in lists:
                return
            due, found = derived(lists[0]["sections"]), lists[1]["sections"]
            if found != due:
                self.ledger.fault(f"{VIEW} at {node.name} is {found}, and {due} follows from {source}")
        following = [each for each in self.followers if VIEW in each.directors]

        async def are_there() -> bool:
            return all(VIEW in each.copies and each.copies[VIEW].sections == due for each in following)

        if not await holds(are_there):
            wrong = [each.name for each in following if VIEW not in each.copies or each.copies[VIEW].sections != due]
            self.ledger.fault(f"{wrong} do not have what follows from {source}")

    async def _compare_lives(self, director: str) -> None:
        """A director that may be there or not can be made, and is the same at every node.

        A request that its client has given up may be done late, between two of the reads: what differs is read again.
        """
        answers = {}

        async def are_equal() -> bool:
            for node in self.nodes.members:
                status, content = await self.attempt(node, "GET", f"/v1/directors/{director}")
                told = json.loads(content) if status == 200 else {}
                answers[node.name] = (status, told.get("epoch"), told.get("revision"))
            return len(set(answers.values())) == 1 and {status for status, *_ in answers.values()} <= {200, 404}

        try:
            await self.until_answered("PUT", f"/v1/directors/{director}", {"kind": "table"})
        except NotAnswered as reason:
            self.ledger.fault(f"{self.name}: {reason}")
        if not await holds(are_equal):
            self.ledger.fault(f"{director} differs between nodes that rest: {answers}")

    def _compare_writers(self, node: Node, director: str, state: str, sections: list[dict]) -> None:
        found = {each["id"]: [element["id"] for element in each["elements"]] for each in sections}
        for writer in self.writers:
            if found.get(writer.name) != writer.sections[director]:
                self.ledger.fault(f"{director} at {node.name}: the {state} section of {writer.name} is "
                                  f"{found.get(writer.name)}, acknowledged was {writer.sections[director]}")

    async def _compare_followers(self, director: str, epoch: str, version: int, sections: list[dict]) -> None:
        following = [each for each in self.followers if director in each.directors]

        async def are_there() -> bool:
            return all(director in each.copies and each.copies[director].version == version for each in following)

        await holds(are_there)
        for each in following:
            copy = each.copies.get(director)
            if copy is None or (copy.epoch, copy.version) != (epoch, version):
                at = f"{copy.epoch}-{copy.version}" if copy else "nothing"
                self.ledger.fault(f"{each.name} has {at} of {director}, the nodes {epoch}-{version}; last at "
                                  f"{each.node.name if each.node else 'nowhere'} with id {each.last_id}")
            elif copy.sections != sections:
                self.ledger.fault(f"{each.name} has another list of {director} at version {version} than the nodes")


async def holds(condition: Callable[[], Awaitable[bool]]) -> bool:
    """Waits until a condition holds; whether it does within the limit."""
    deadline = time.monotonic() + LIMIT
    while not await condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.1)
    return True
