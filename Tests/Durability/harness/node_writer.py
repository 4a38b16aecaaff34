"""Clients that change lists at whatever node, and know exactly what has to be in them."""

import asyncio
import contextlib
import json
import random
import time

from harness.ledger import Ledger
from harness.node_requests import Caller, NotAnswered
from harness.nodes import Node, Nodes

# What a section holds at most, and the section that nobody but probes and reporters uses.
KEPT, FIXED = 6, "fixed"
# The path of the element there, within its director.
FIXED_ELEMENT = f"/sections/{FIXED}/elements/@0"
ADAPTER = {"cell": "ItemCell", "identifier": "{id}"}


class Writer(Caller):
    """Has a section of its own in each director: adds an element at the end of one, and takes the oldest away.

    Each change has a key and is repeated at other nodes until it is answered. Done twice or not at all, or in another
    order, it leaves another section.
    """

    def __init__(self, name: str, directors: list[str], nodes: Nodes, ledger: Ledger, rng: random.Random, pause: float):
        super().__init__(name, nodes, ledger, rng)
        self.pause, self.number = pause, 0
        self.sections: dict[str, list[str]] = {director: [] for director in directors}

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop, and what is under way has been answered."""
        while not stop.is_set():
            director = self.rng.choice(list(self.sections))
            try:
                await self.change(director)
                if self.rng.random() < 0.4:
                    await self.look(self.rng.choice(self.nodes.members), director)
            except NotAnswered as reason:
                self.ledger.fault(f"{self.name}: {reason}")
                # What the section holds is not known any more.
                return
            await asyncio.sleep(self.rng.uniform(0.3, 1.7) * self.pause)

    async def change(self, director: str) -> None:
        """One change, which is published."""
        self.number += 1
        mark, section = f"{self.name}-{self.number}", self.sections[director]
        operations = [{"op": "addElements", "section": self.name, "elements": [{"value": {"id": mark, "n": self.number}}]}]
        if len(section) >= KEPT:
            operations.append({"op": "removeElement", "section": self.name, "element": section[0]})
        await self.until_answered(
            "POST", f"/v1/directors/{director}/operations", {"operations": operations, "reload": True},
            Idempotency_Key=f"{director}-{mark}")
        self.sections[director] = [*section, mark][-KEPT:]
        self.ledger.acknowledged.add(mark)
        self.ledger.counts["acknowledged"] += 1

    async def look(self, node: Node, director: str, is_settled: bool = False) -> None:
        """Reads the section at a node: what was acknowledged is there, unless that node is away from the database."""
        began, state = time.monotonic(), self.rng.choice(["working", "published"])
        path = f"/v1/directors/{director}/sections/{self.name}?state={state}"
        status, content = await self.attempt(node, "GET", path)
        if status != 200:
            if is_settled or status not in (0, 503):
                self.ledger.fault(f"{self.name}: GET {path} at {node.name}: {status} {content[:200]!r}")
            return
        found = [each["id"] for each in json.loads(content)["elements"]]
        self.ledger.counts["reads"] += 1
        if found == self.sections[director]:
            return
        if not is_settled and self.nodes.may_lag(node, began):
            self.ledger.counts["reads that were behind, at a node that was away from the database"] += 1
        else:
            due = self.sections[director]
            told = await self._tell_how_long(node, director, path, due, began)
            self.ledger.fault(f"{self.name}: {director} at {node.name} shows {found} as {state}, and {due} was acknowledged; "
                              f"{told}")

    async def _tell_how_long(self, node: Node, director: str, path: str, due: list[str], began: float) -> str:
        """Who has the director, and when the node shows what it should: for whoever looks for the cause."""
        owner, found, taken = "nobody that is known", None, time.monotonic() - began
        with contextlib.suppress(RuntimeError):
            owner = (await asyncio.to_thread(self.nodes.owners)).get(director, owner)
        while found != due and time.monotonic() - began < 10:
            status, content = await self.attempt(node, "GET", path)
            if status != 200:
                return f"answered in {taken:.3f} s, and then {status}; the owner is {owner}, the change was made at {self.last}"
            found = [each["id"] for each in json.loads(content)["elements"]]
        return (f"answered in {taken:.3f} s, right after {time.monotonic() - began:.3f} s: {found == due}; the owner is {owner}, "
                f"and the change was made at {self.last}")


async def set_up(director: str, writers: list[Writer], caller: Caller, hook: str | None) -> None:
    """Makes a director with a section for each writer; each request at whatever node."""
    path = f"/v1/directors/{director}"
    sections = [{"id": FIXED, "elements": [{"value": {"id": f"{director}-fixed", "n": 0}}]}]
    sections += [{"id": writer.name} for writer in writers]
    await caller.until_answered("PUT", path, {"kind": "table"})
    await caller.until_answered("PUT", f"{path}/adapters/Item", ADAPTER)
    if hook:
        await caller.until_answered("PUT", f"{path}/adapters/Item/events/didSelect", {"url": f"{hook}/{director}"})
    await caller.until_answered("PUT", f"{path}/sections?reload=true", {"sections": sections})
