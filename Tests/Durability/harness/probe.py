"""How long nothing is acknowledged, and how long requests take meanwhile."""

import asyncio
import random
import time

from harness.ledger import Ledger, Request
from harness.node_requests import Caller
from harness.node_writer import FIXED
from harness.nodes import Node, Nodes

# The probe does not wait long for a node that may be dead.
PATIENCE = 0.7


class Probe(Caller):
    """Changes one director all the time, at nodes that are not harmed, one request after the other."""

    def __init__(self, director: str, at: list[Node], nodes: Nodes, ledger: Ledger, rng: random.Random, pause: float = 0.02):
        super().__init__(f"probe of {director}", nodes, ledger, rng)
        self.director, self.at, self.pause = director, at, pause
        self.answers: list[float] = []
        self.late = 0.0

    async def run(self) -> None:
        """Works until it is cancelled. What a change does is the same each time, so that it needs no key."""
        number = 0
        while True:
            number += 1
            operation = {"op": "patchElement", "section": FIXED, "element": "@0", "patch": {"n": number}}
            status, _ = await self.attempt(
                self.rng.choice(self.at), "POST", f"/v1/directors/{self.director}/operations", {"operations": [operation]},
                patience=PATIENCE)
            if status == 200:
                self.answers.append(time.monotonic())
            began = time.monotonic()
            await asyncio.sleep(self.pause)
            self.late = max(self.late, time.monotonic() - began - self.pause)

    def longest_pause(self, since: float, until: float) -> float:
        """The longest time between two acknowledgements, of which the first is the last before `since`.

        The last one has not ended before `until`.
        """
        before = [each for each in self.answers if each <= since][-1:] or [since]
        times = before + [each for each in self.answers if each > since] + [until]
        return max(later - earlier for earlier, later in zip(times, times[1:]))


def percentile(requests: list[Request], share: float) -> float:
    """The time that this share of the requests took at most; 0 without requests."""
    took = sorted(each.took for each in requests)
    return took[min(len(took) - 1, int(share * len(took)))] if took else 0.0
