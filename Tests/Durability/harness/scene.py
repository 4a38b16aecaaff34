"""A test of one fault: a director on nodes that are all well, and a client that may ask any of them."""

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from harness.async_http import Gone, cancel, close_all
from harness.ledger import Ledger
from harness.node_faults import BEFORE
from harness.node_follower import Follower
from harness.node_requests import Caller
from harness.node_writer import FIXED, FIXED_ELEMENT, set_up
from harness.nodes import Node, Nodes
from harness.probe import Probe, longest_pause, percentile
from harness.settled import holds

names = itertools.count()


class Scene:
    """One client that may ask any node, and a director that it has made."""

    def __init__(self, cluster: Nodes, seed: int):
        self.nodes, self.ledger, self.rng = cluster, Ledger(), random.Random(seed)
        self._callers: list[Caller] = []
        self.caller = self.client("the test")
        self.director = f"scene{next(names)}"
        self.path = f"/v1/directors/{self.director}"

    def client(self, name: str) -> Caller:
        """One more client, which is closed with the scene."""
        self._callers.append(Caller(name, self.nodes, self.ledger, self.rng))
        return self._callers[-1]

    def close(self) -> None:
        """Closes all clients."""
        for each in self._callers:
            each.close()

    async def make(self) -> None:
        """Makes the director, with an element in a section."""
        await set_up(self.director, [], self.caller, None)

    async def ask(self, node: Node, method: str, path: str = "", body: dict | None = None, **fields: str) -> tuple[int, dict]:
        """Asks one node about the director, and waits for as long as a busy machine may take; the status, and what it says."""
        status, content = await self.caller.attempt(node, method, self.path + path, body, patience=30, **fields)
        with contextlib.suppress(ValueError):
            return status, json.loads(content)
        return status, {"text": content.decode()}

    async def owner(self, director: str | None = None) -> Node:
        """The node that has a director."""
        name = (await asyncio.to_thread(self.nodes.owners))[director or self.director]
        return next(each for each in self.nodes.members if each.name == name)

    def others(self, node: Node) -> list[Node]:
        """All nodes but one."""
        return [each for each in self.nodes.members if each is not node]

    async def add(self, node: Node, identifier: str) -> tuple[int, dict]:
        """Adds an element, once however often it is repeated, and publishes it."""
        return await self.ask(node, "POST", f"/sections/{FIXED}/elements?reload=true", {"value": {"id": identifier}},
                              Idempotency_Key=f"{self.director}-{identifier}")

    async def shown(self, node: Node, state: str = "published") -> list[str]:
        """The identifiers of all elements but the first."""
        status, found = await self.ask(node, "GET", f"/sections/{FIXED}?state={state}")
        assert status == 200, found
        return [each["id"] for each in found["elements"]][1:]

    async def start(self, node: Node) -> None:
        """Starts a node that has ended, and waits until all are ready."""
        await asyncio.to_thread(node.start)
        assert await holds(self.are_ready), node.tail()

    async def are_ready(self) -> bool:
        """Whether every node answers that it is ready."""
        statuses = [(await self.caller.attempt(each, "GET", "/readyz"))[0] for each in self.nodes.members]
        return set(statuses) == {200}

    def follower(self, name: str) -> Follower:
        """A subscriber of the director, which follows where it is told to."""
        return Follower(name, [self.director], self.nodes, self.ledger, self.rng)


def play(cluster: Nodes, seed: int, test: Callable[[Scene], Coroutine]) -> None:
    """Runs a test that is a coroutine, on nodes that are all ready; the ledger has no faults at the end."""
    async def run() -> None:
        scene = Scene(cluster, seed)
        try:
            assert await holds(scene.are_ready)
            await scene.make()
            await test(scene)
            assert not scene.ledger.faults, "\n".join(scene.ledger.faults)
        finally:
            scene.close()
            await close_all()

    asyncio.run(run())


async def follow(follower: Follower, node: Node, count: int) -> None:
    """Takes events from a node; ends as well where the node does or is silent."""
    follower.node = node
    with contextlib.suppress(Gone, TimeoutError):
        await follower.follow(node, node.address, count)


async def catch_up(scene: Scene, follower: Follower, node: Node) -> None:
    """Follows at a node until the version is there that another one has."""
    _, found = await scene.ask(scene.others(node)[0], "GET")
    following = asyncio.create_task(follow(follower, node, 10_000))

    async def is_there() -> bool:
        return follower.copies[scene.director].version == found["version"]

    try:
        assert await holds(is_there), (found, follower.copies[scene.director].version)
    finally:
        await cancel([following])


@dataclass(frozen=True)
class Outage:
    """How long nothing was acknowledged, the p99 of requests to a director of another node before and until then, and what
    this process was late by; seconds."""

    pause: float
    before: float
    others: float
    late: float

    def __str__(self) -> str:
        return (f"{self.pause:.2f} s without writes, p99 of others {self.others * 1000:.0f} ms, "
                f"{self.before * 1000:.0f} ms before, late by {self.late * 1000:.0f} ms")


async def outage(scene: Scene, victim: Node, harm: Callable, limit: float) -> Outage:
    """Harms the owner of the scene's director, and waits until another node acknowledges a change of it."""
    survivors = scene.others(victim)
    spared = await director_of(scene, survivors)
    probe = Probe(FIXED_ELEMENT, [scene.director, spared], survivors, scene.rng)
    try:
        await asyncio.sleep(BEFORE)
        began = time.monotonic()
        await asyncio.to_thread(harm)
        while not any(each > began + 0.3 for each in probe.answers(scene.director)) and time.monotonic() < began + limit + 10:
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        ended = time.monotonic()
    finally:
        await asyncio.to_thread(probe.close)
    pause = longest_pause(probe.answers(scene.director), began, ended)
    others = [each for each in probe.requests if each.director == spared]
    before = [each for each in others if began - BEFORE <= each.at < began]
    meanwhile = [each for each in others if began <= each.at <= began + max(pause, 1)]
    assert all(each.status == 200 for each in meanwhile), [each for each in meanwhile if each.status != 200][:3]
    return Outage(pause, percentile(before, 0.99), percentile(meanwhile, 0.99), probe.late)


async def director_of(scene: Scene, some: list[Node]) -> str:
    """A director of one of these nodes, made for it."""
    while True:
        name = f"spared{next(names)}"
        await set_up(name, [], scene.caller, None)
        if await scene.owner(name) in some:
            return name
