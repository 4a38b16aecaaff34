"""What can happen to databases, and to what is between them and the nodes, without one of them being lost."""

import asyncio
import random

from harness.ledger import Ledger
from harness.nodes import Nodes

# Connections of nodes, and of nobody else: those of the tests' own statements are to "postgres".
_OTHERS = "FROM pg_stat_activity WHERE datname = 'lists' AND pid <> pg_backend_pid()"


class DatabaseFaults:
    """The part of `Faults` that is about databases; each method is one fault from its beginning to its end."""

    of_databases = ("backends_terminated", "statements_time_out", "standbys_paused", "connections_refused")
    # With other connections than the ones that every other fault is about.
    of_outages = ("poolers_killed",)

    nodes: Nodes
    ledger: Ledger
    rng: random.Random

    async def standbys_paused(self, is_alone: bool) -> str:
        """Both standbys stand still, and no commit is confirmed meanwhile."""
        standbys, down = list(self.nodes.database.standbys), self.rng.choice([self.rng.uniform(1, 4), self.rng.uniform(9, 13)])
        for each in standbys:
            each.pause()
        try:
            await asyncio.sleep(down)
        finally:
            for each in standbys:
                each.go_on()
        await asyncio.to_thread(self.nodes.database.await_standbys)
        return f"{' and '.join(each.name for each in standbys)}, the standbys, paused for {down:.1f} s"

    async def connections_refused(self, is_alone: bool) -> str:
        """The database takes no new connection, as at its limit; half of the time those that are there end, too."""
        down, ends = self.rng.choice([self.rng.uniform(1, 5), self.rng.uniform(9, 13)]), self.rng.random() < 0.5
        await self._told("ALTER DATABASE lists ALLOW_CONNECTIONS false")
        if ends:
            await self._told(f"SELECT pg_terminate_backend(pid) {_OTHERS}")
        await asyncio.sleep(down)
        await self._told("ALTER DATABASE lists ALLOW_CONNECTIONS true")
        return f"new connections refused for {down:.1f} s{', and the others ended' if ends else ''}"

    async def backends_terminated(self, is_alone: bool) -> str:
        """Some of the nodes' connections are ended, again and again."""
        times = self.rng.randint(2, 8)
        for _ in range(times):
            await self._told(f"SELECT pg_terminate_backend(pid) {_OTHERS} AND random() < 0.5")
            await asyncio.sleep(self.rng.uniform(0, 1))
        return f"half of the connections ended {times} times"

    async def statements_time_out(self, is_alone: bool) -> str:
        """The database has time-outs for statements, locks and open transactions that nothing could keep to."""
        down, names = self.rng.uniform(3, 8), ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
        for name in names:
            await self._told(f"ALTER DATABASE lists SET {name} = '1ms'")
        await self._told(f"SELECT pg_terminate_backend(pid) {_OTHERS}")
        await asyncio.sleep(down)
        for name in names:
            await self._told(f"ALTER DATABASE lists RESET {name}")
        return f"time-outs of 1 ms set for {down:.1f} s"

    async def poolers_killed(self, is_alone: bool) -> str:
        """The poolers in front of all databases are killed, and started again after a while."""
        down = self.rng.choice([self.rng.uniform(0, 3), self.rng.uniform(9, 13)])
        for each in self.nodes.poolers:
            each.kill()
        await asyncio.sleep(down)
        for each in self.nodes.poolers:
            await asyncio.to_thread(each.start)
        return f"the poolers killed for {down:.1f} s"

    async def _told(self, sql: str) -> None:
        """Has the primary do something; what another fault keeps from it comes later, and at the end it has to be done."""
        for left in range(120, -1, -1):
            try:
                await asyncio.to_thread(self.nodes.database.primary.execute, sql, "postgres")
                return
            except RuntimeError:
                if left == 0:
                    raise
                await asyncio.sleep(0.5)
