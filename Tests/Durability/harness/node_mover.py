"""Clients that move cards from one list to another, which has to happen to both lists or to neither."""

import asyncio
import json
import random
import time

from harness.ledger import Ledger
from harness.node_requests import LATER, LIMIT, UNDER_WAY, Caller, NotAnswered
from harness.nodes import Nodes

# What the names of these lists begin with, and how many there are.
PREFIX, DECKS, CARDS = "deck", 4, 6
# What the owner of the first list says where another node owns the second one: nothing was moved, then or later.
APART = b"are owned by different nodes"


class Mover(Caller):
    """Moves one card at a time, repeats that with its key until it is answered, and so knows where each card is."""

    def __init__(self, number: int, nodes: Nodes, ledger: Ledger, rng: random.Random):
        super().__init__(f"mover {number}", nodes, ledger, rng)
        self.decks = {f"{PREFIX}{number}-{deck}": [f"card{deck}-{card}" for card in range(CARDS)] for deck in range(DECKS)}
        self._number = 0

    async def set_up(self) -> None:
        """Makes the lists."""
        for deck, cards in self.decks.items():
            path = f"/v1/directors/{deck}"
            await self.until_answered("PUT", path, {"kind": "table"})
            await self.until_answered("PUT", f"{path}/adapters/Card", {"cell": "CardCell", "identifier": "{id}"})
            elements = [{"value": {"id": card}} for card in cards]
            await self.until_answered("PUT", f"{path}/sections/all?reload=true", {"elements": elements})

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop, and has an answer then."""
        while not stop.is_set():
            source, target = self.rng.sample(list(self.decks), 2)
            if self.decks[source]:
                await self._move(self.rng.choice(self.decks[source]), source, target)
            await asyncio.sleep(self.rng.uniform(0, 0.2))

    async def _move(self, card: str, source: str, target: str) -> None:
        self._number += 1
        key, deadline, tried = f"{self.name.replace(' ', '-')}-{self._number}", time.monotonic() + LIMIT, []
        body = {"from": card, "toDirector": target, "toSection": "all"}
        while time.monotonic() < deadline:
            node = self.rng.choice(self.nodes.members)
            status, content = await self.attempt(
                node, "POST", f"/v1/directors/{source}/sections/all/elements:transfer?reload=true", body, idempotency_key=key)
            if status == 200:
                self.decks[source].remove(card)
                self.decks[target].append(card)
                self.ledger.counts["cards moved"] += 1
                return
            if status == 409 and APART in content:
                self.ledger.counts["cards not moved between nodes"] += 1
                return
            tried.append(f"{node.name}: {status} {content[:160]!r}")
            if status not in LATER | {0} and not (status == 409 and UNDER_WAY in content):
                break
            await asyncio.sleep(self.rng.uniform(0.02, 0.3))
        raise NotAnswered(f"{card} from {source} to {target}: {'; '.join(tried[-4:])}")

    async def compare(self) -> None:
        """Every node shows each card where it was moved to, and nowhere else."""
        for node in self.nodes.members:
            for deck, cards in self.decks.items():
                for state in ("working", "published"):
                    path = f"/v1/directors/{deck}/elements?state={state}"
                    status, content = await self.attempt(node, "GET", path, patience=10)
                    found = [each["id"] for each in json.loads(content)["elements"]] if status == 200 else content[:200]
                    if found != cards:
                        self.ledger.fault(f"{deck} at {node.name} is {found} ({state}), and {self.name} has put {cards} there")
