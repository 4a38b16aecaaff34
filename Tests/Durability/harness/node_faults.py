"""What can happen to nodes, their databases and the network between them."""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import AsyncIterator

from harness import node_churn, node_mover
from harness.database_faults import DatabaseFaults
from harness.ledger import Ledger
from harness.measured import Measured
from harness.node_writer import FIXED_ELEMENT
from harness.nodes import Node, Nodes
from harness.postgres_cluster import NAMES
from harness.process import DidNotStart
from harness.probe import Probe, Request, longest_pause, percentile
from harness.view import VIEW

# Bounds of the time without acknowledgements of a director whose owner is killed, and of one whose owner is stopped.
KILLED, STOPPED = 10.0, 0.5
# How long requests are looked at before a fault, to compare those during it with; and of how many other directors.
BEFORE, SPARED = 2.0, 2
# What the names of directors begin with that come and go, or whose elements do.
OTHERS = (node_churn.PREFIX, node_mover.PREFIX)


class Faults(DatabaseFaults):
    """Each method is one fault from its beginning to its end, and returns what to say of it."""

    # At most one of each kind at a time.
    of_nodes = ("killed", "stopped", "paused", "joined", "all_killed", "restarted_in_turn")
    of_connections = ("cut_from_database", "cut_from_each_other", "primary_killed", "standby_killed", *DatabaseFaults.of_databases)
    # Only tried where they are asked for; nodes have to be made for clocks and for poolers.
    asked_for = ("clocks_changed", "paused_briefly", *DatabaseFaults.of_outages)
    with_cuts = ("cut_from_database", "cut_from_each_other")

    def __init__(self, nodes: Nodes, ledger: Ledger, rng: random.Random, kinds: list[str]):
        self.nodes, self.ledger, self.rng = nodes, ledger, rng
        self.kinds = [each for each in kinds if nodes.network.can_cut or each not in self.with_cuts]
        if not nodes.spare:
            self.kinds = [each for each in self.kinds if each != "joined"]
        self.measured = Measured()
        self.struck: list[str] = []

    async def strike(self) -> str:
        """One fault, or two at a time; without kinds there is none."""
        if not self.kinds:
            await asyncio.sleep(1)
            return "left alone"
        first = self.rng.choice(self.kinds)
        others = [each for each in self.kinds if (each in self.of_nodes) != (first in self.of_nodes)]
        chosen = [first] + ([self.rng.choice(others)] if others and self.rng.random() < 0.25 else [])
        self.struck = chosen
        told = await asyncio.gather(*[getattr(self, each)(len(chosen) == 1) for each in chosen])
        return ", and ".join(told)

    async def killed(self, is_alone: bool) -> str:
        """SIGKILL, half of the time of the whole machine, of which no one hears any more; later it is back."""
        victim, down = self.rng.choice(self.nodes.members), self.rng.choice([self.rng.uniform(0, 5), self.rng.uniform(9, 14)])
        with_machine = self.nodes.network.can_cut and self.rng.random() < 0.5
        cuts = self._between([victim.name], [each for each in self.nodes.network.members if each != victim.name])
        async with self._measured(victim, KILLED if is_alone and down > 9 else None):
            if with_machine:
                # The cuts do not all come at one moment.
                await asyncio.to_thread(self.nodes.network.cut, *cuts)
                victim.kill()
            else:
                victim.kill()
            await asyncio.sleep(down)
        if with_machine:
            await asyncio.to_thread(self.nodes.network.heal, *cuts)
        await self._start(victim, is_alone)
        return f"{victim.name} killed{' with its machine' if with_machine else ''} for {down:.1f} s"

    async def stopped(self, is_alone: bool) -> str:
        """An orderly stop, and a start."""
        victim, down = self.rng.choice(self.nodes.members), self.rng.uniform(1, 3)
        async with self._measured(victim, STOPPED if is_alone else None):
            if status := await asyncio.to_thread(victim.stop):
                self.ledger.fault(f"told to stop, {victim.name} ended with status {status}")
            await asyncio.sleep(down)
        await self._start(victim, is_alone)
        return f"{victim.name} stopped for {down:.1f} s"

    async def paused(self, is_alone: bool) -> str:
        """A node stands still, half of the time for longer than its lease, and goes on."""
        victim, down = self.rng.choice(self.nodes.members), self.rng.choice([self.rng.uniform(1, 6), self.rng.uniform(9, 13)])
        victim.pause()
        try:
            await asyncio.sleep(down)
        finally:
            victim.go_on()
        return f"{victim.name} paused for {down:.1f} s"

    async def paused_briefly(self, is_alone: bool) -> str:
        """Nodes stand still for less than their leases, one after the other; nobody takes what they own."""
        before, told = await self._lists(), []
        for _ in range(self.rng.randint(2, 5)):
            victim, down = self.rng.choice(self.nodes.members), self.rng.uniform(0.5, 5)
            victim.pause()
            try:
                await asyncio.sleep(down)
            finally:
                victim.go_on()
            told.append(f"{victim.name} {down:.1f} s")
            await asyncio.sleep(self.rng.uniform(0.5, 2))
        after = await self._lists()
        if is_alone and (taken := {name for name, owner in before.items() if after.get(name) != owner}):
            self.ledger.fault(f"paused for less than its lease, a node lost {', '.join(sorted(taken))}")
        self.ledger.counts["pauses without a takeover"] += len(told)
        return f"paused briefly: {', '.join(told)}"

    async def all_killed(self, is_alone: bool) -> str:
        """SIGKILL to all nodes at once; they are started again in any order."""
        victims, down = list(self.nodes.members), self.rng.choice([self.rng.uniform(0, 3), self.rng.uniform(9, 12)])
        self.rng.shuffle(victims)
        for each in victims:
            each.kill()
        await asyncio.sleep(down)
        for each in victims:
            await self._start(each, is_alone)
        return f"all nodes killed for {down:.1f} s"

    async def restarted_in_turn(self, is_alone: bool) -> str:
        """Each node is stopped and started again while the others go on, as new versions are rolled out."""
        order, pause = self.rng.sample(self.nodes.members, len(self.nodes.members)), self.rng.uniform(0, 3)
        for each in order:
            if status := await asyncio.to_thread(each.stop):
                self.ledger.fault(f"told to stop, {each.name} ended with status {status}")
            await self._start(each, is_alone)
            await asyncio.sleep(pause)
        return f"{', '.join(each.name for each in order)} restarted one after the other, {pause:.1f} s apart"

    async def clocks_changed(self, is_alone: bool) -> str:
        """Nodes' clocks jump up to a minute ahead or behind, and again; at the end each keeps the offset that it has."""
        told = []
        for _ in range(self.rng.randint(1, 4)):
            victim, offset = self.rng.choice(self.nodes.members), self.rng.uniform(-60, 60)
            victim.clock.set(offset)
            told.append(f"{victim.name} {offset:+.1f} s")
            await asyncio.sleep(self.rng.uniform(1, 4))
        return f"clocks changed: {', '.join(told)}"

    async def joined(self, is_alone: bool) -> str:
        """One more node comes, is given its share, and leaves in order."""
        guest = self.nodes.spare[0]
        await self._start(guest, is_alone)
        self.nodes.spare.remove(guest)
        await asyncio.sleep(self.rng.uniform(6, 12))
        share = list((await asyncio.to_thread(self.nodes.owners)).values()).count(guest.name)
        self.nodes.spare.append(guest)
        if status := await asyncio.to_thread(guest.stop):
            self.ledger.fault(f"told to stop, {guest.name} ended with status {status}")
        return f"{guest.name} joined, had {share} directors, and left"

    async def cut_from_database(self, is_alone: bool) -> str:
        """A node and the databases do not reach each other, or one does not reach the other."""
        victim, down = self.rng.choice(self.nodes.members), self.rng.choice([self.rng.uniform(1, 6), self.rng.uniform(9, 13)])
        cuts, way = self._ways([victim.name], NAMES)
        await asyncio.to_thread(self.nodes.network.cut, *cuts)
        await asyncio.sleep(down)
        await asyncio.to_thread(self.nodes.network.heal, *cuts)
        return f"{victim.name} cut from the databases ({way}) for {down:.1f} s"

    async def cut_from_each_other(self, is_alone: bool) -> str:
        """Two nodes do not reach each other, or one does not reach the other; or one is alone."""
        one, *others = self.rng.sample([each.name for each in self.nodes.members], self.rng.randint(2, len(self.nodes.members)))
        down = self.rng.uniform(1, 10)
        cuts, way = self._ways([one], others)
        await asyncio.to_thread(self.nodes.network.cut, *cuts)
        await asyncio.sleep(down)
        await asyncio.to_thread(self.nodes.network.heal, *cuts)
        return f"{one} cut from {' and '.join(others)} ({way}) for {down:.1f} s"

    async def primary_killed(self, is_alone: bool) -> str:
        """The primary is killed, and a standby takes its place after a while."""
        database, down = self.nodes.database, self.rng.uniform(0.2, 4)
        before = database.primary.name
        await asyncio.to_thread(database.primary.kill)
        await asyncio.sleep(down)
        await asyncio.to_thread(database.promote)
        return f"{before} killed, {database.primary.name} promoted after {down:.1f} s"

    async def standby_killed(self, is_alone: bool) -> str:
        """A standby is gone for a while; the other one confirms commits alone."""
        database, down = self.nodes.database, self.rng.uniform(1, 5)
        victim = self.rng.choice(database.standbys)
        await asyncio.to_thread(victim.kill)
        await asyncio.sleep(down)
        await asyncio.to_thread(victim.start)
        await asyncio.to_thread(database.await_standbys)
        return f"{victim.name}, a standby, killed for {down:.1f} s"

    async def _start(self, node: Node, is_alone: bool) -> None:
        """Starts a node; again and again where another fault may keep it from that, as what supervises servers does."""
        for left in range(0 if is_alone else 15, -1, -1):
            try:
                return await asyncio.to_thread(node.start)
            except DidNotStart:
                if left == 0:
                    raise
                await asyncio.sleep(0.5)

    def _between(self, some: list[str], others: list[str]) -> list[tuple[str, str]]:
        """Both ways between all of some and all of others."""
        return [pair for one, other in itertools.product(some, others) for pair in ((one, other), (other, one))]

    def _ways(self, some: list[str], others: list[str]) -> tuple[list[tuple[str, str]], str]:
        """Both ways or one of them, and how that is called."""
        both = self._between(some, others)
        return self.rng.choice([(both, "both ways"), (both[::2], "what it sends"), (both[1::2], "what it is sent")])

    async def _lists(self) -> dict[str, str]:
        """The owners of the directors that last and have the element that is changed: no view, and nothing that moves."""
        owners = await asyncio.to_thread(self.nodes.owners)
        return {director: name for director, name in owners.items() if not director.startswith(OTHERS) and director != VIEW}

    @contextlib.asynccontextmanager
    async def _measured(self, victim: Node, bound: float | None) -> AsyncIterator[None]:
        """Measures how long a director of the victim is without acknowledgements, and requests to some other directors;
        nothing without a bound."""
        if bound is None:
            yield
            return
        lists = await self._lists()
        survivors = [each for each in self.nodes.members if each is not victim]
        names = {each.name for each in survivors}
        own = [director for director, name in lists.items() if name == victim.name]
        if not own or not survivors:
            yield
            return
        hit, others = self.rng.choice(own), [director for director, name in lists.items() if name in names]
        others = self.rng.sample(others, min(SPARED, len(others)))
        probe = Probe(FIXED_ELEMENT, [hit, *others], survivors, self.rng)
        try:
            await asyncio.sleep(BEFORE)
            began = time.monotonic()
            yield
            await asyncio.sleep(0.5)
            ended = time.monotonic()
        finally:
            await asyncio.to_thread(probe.close)
        pause = longest_pause(probe.answers(hit), began, ended)
        later = await asyncio.to_thread(self.nodes.owners)
        # Directors that a survivor has had all the time: others may have been given away besides, to a node that came before.
        spared = {director for director in others if later.get(director) == lists[director]}

        def requests(since: float, until: float) -> list[Request]:
            return [each for each in probe.requests if since <= each.at <= until and each.director in spared]

        during = requests(began, began + max(pause, BEFORE))
        self.measured.add("killed" if bound == KILLED else "stopped", pause, requests(began - BEFORE, began), during)
        # A machine with too much to do is slow everywhere.
        if pause > bound + probe.late + percentile(during, 0.99):
            self.ledger.fault(f"after {victim.name} was harmed, nothing of {hit} was acknowledged for {pause:.2f} s")
