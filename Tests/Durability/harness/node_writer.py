"""Clients that change lists at whatever node, and know exactly what has to be in them."""

import asyncio
import random
import time

from harness.ledger import Ledger
from harness.node_reader import Reader
from harness.node_requests import Caller, NotAnswered
from harness.nodes import Nodes
from harness.register import Register

# What a section holds at most, and the section that nobody but probes and reporters uses.
KEPT, FIXED = 6, "fixed"
# The path of the element there, within its director.
FIXED_ELEMENT = f"/sections/{FIXED}/elements/@0"
ADAPTER = {"cell": "ItemCell", "identifier": "{id}"}


class Writer(Reader):
    """Has a section of its own in each director: adds an element at the end of one, and takes the oldest away.

    Each change has a key and is repeated at other nodes until it is answered. Done twice or not at all, or in another
    order, it leaves another section.
    """

    def __init__(self, name: str, directors: list[str], nodes: Nodes, ledger: Ledger, rng: random.Random, pause: float):
        super().__init__(name, nodes, ledger, rng, pause)
        self.number = 0
        self.sections: dict[str, list[str]] = {director: [] for director in directors}
        ledger.registers |= {(director, name): Register(()) for director in directors}

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop, and what is under way has been answered."""
        while not stop.is_set():
            director = self.rng.choice(list(self.sections))
            try:
                await self.change(director)
                if self.rng.random() < 0.4:
                    await self.look(director, self.name)
            except NotAnswered as reason:
                self.ledger.fault(f"{self.name}: {reason}")
                # What the section holds is not known any more.
                return
            await asyncio.sleep(self.rng.uniform(0.3, 1.7) * self.pause)

    async def change(self, director: str) -> None:
        """One change, which is published."""
        self.number += 1
        mark, section = f"{self.name}-{self.number}", self.sections[director]
        after, register = [*section, mark][-KEPT:], self.ledger.registers[director, self.name]
        operations = [{"op": "addElements", "section": self.name, "elements": [{"value": {"id": mark, "n": self.number}}]}]
        if len(section) >= KEPT:
            operations.append({"op": "removeElement", "section": self.name, "element": section[0]})
        began = time.monotonic()
        register.write(tuple(after), began)
        await self.until_answered(
            "POST", f"/v1/directors/{director}/operations", {"operations": operations, "reload": True},
            Idempotency_Key=f"{director}-{mark}")
        ended = time.monotonic()
        register.acknowledge(ended)
        self.ledger.waits.append(ended - began)
        self.sections[director] = after
        self.ledger.acknowledged.add(mark)
        self.ledger.counts["acknowledged"] += 1


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
