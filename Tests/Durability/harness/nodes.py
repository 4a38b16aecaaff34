"""Several nodes on one replicated database, each of all these on a machine of its own, and what is done to them."""

import os
import secrets
from pathlib import Path

from harness.async_http import Address
from harness.clock import Clock, library
from harness.network import Loopback, network
from harness.pgbouncer import PORT, PgBouncer
from harness.postgres_cluster import NAMES, PostgresCluster, Replica
from harness.process import Server

# Nobody who comes back soon is sent a snapshot: every version of a run is kept.
SETTINGS = {
    "FEED_RETAINED_VERSIONS": "100000", "FEED_RETAINED_BYTES": str(1 << 30), "FEED_WINDOW": "512",
    "FEED_HEARTBEAT": "1", "HOOKS_RETRY_DELAYS": ",".join(["0.2"] * 100), "AUTH_OPEN_TO_ALL": "true",
    # Snapshots are made all the time, so that nodes load them under way.
    "JOURNAL_SNAPSHOT_BYTES": "262144",
}


class Node(Server):
    """One of the servers, at an address of its own."""

    def __init__(self, name: str, program: str, log: Path, settings: dict[str, str], host: str, inside: list[str],
                 clock: Clock | None = None):
        """`clock` is its own, where it has one."""
        super().__init__(program, str(log.with_suffix(".data")), log, settings, clock.environment if clock else {}, inside)
        self.name, self.host, self.clock = name, host, clock

    @property
    def address(self) -> Address | None:
        """Where it listens; None while it is down."""
        return None if self.port is None else Address(self.port, host=self.host)


class Nodes:
    """The nodes, their databases, and the network that connects them. One node alone is a server that knows of no others."""

    def __init__(self, program: str, folder: Path, count: int = 3, spare: int = 0, on: Loopback | None = None,
                 has_clocks: bool = False, pgbouncer: str | None = None):
        """Starts the databases; `spare` nodes more than `count` may join later. `on` is the network, where it is not the
        best that this machine allows. With `has_clocks` each node has a clock of its own; `pgbouncer` is a pooler that is
        between nodes and databases."""
        self.clocks = library(folder) if has_clocks else None
        self.folder, self.network = folder, on or network()
        self.poolers: list[PgBouncer] = []
        try:
            for name in NAMES:
                self.network.add(name)
            self.database = PostgresCluster(folder / "databases", self.network)
        except BaseException:
            self.network.close()
            raise
        try:
            for each in self.database.replicas if pgbouncer else []:
                self.poolers.append(self._pooler(pgbouncer, each))
        except BaseException:
            self._stop_databases()
            raise
        self.secret = folder / "secret"
        self.secret.touch(mode=0o600)
        self.secret.write_text(secrets.token_hex(32))
        is_alone = count + spare == 1
        self.all = [self._node(f"node{number + 1}", program, is_alone) for number in range(count + spare)]
        self.spare = self.all[count:]

    def _pooler(self, program: str, database: Replica) -> PgBouncer:
        """A pooler on a database's machine."""
        return PgBouncer(program, self.folder / f"{database.name}-pooler", database, inside=self.network.inside(database.name),
                         listen_addr=database.address, pool_mode="session", server_login_retry=0, default_pool_size=60)

    @property
    def database_url(self) -> str:
        """Where nodes find the database: through the poolers, where there are some."""
        if not self.poolers:
            return self.database.url
        hosts = ",".join(f"{each.database.address}:{PORT}" for each in self.poolers)
        return f"postgresql://owner@{hosts}/lists"

    def _node(self, name: str, program: str, is_alone: bool) -> Node:
        self.network.add(name)
        host = self.network.address(name)
        given = SETTINGS | {
            "JOURNAL_URL": self.database_url, "SERVER_HOST": host, "HOOKS_ALLOW": f"{self.network.range},loopback",
        }
        if not is_alone:
            # Directors that nobody asks a node for leave its memory soon, so that they are loaded again and again.
            given |= {"CLUSTER_LISTEN": f"{host}:0", "CLUSTER_SECRET_FILE": str(self.secret), "CLUSTER_NAME": name,
                      "CLUSTER_UNLOAD_AFTER": "1"}
        clock = Clock(self.clocks, self.folder / f"{name}.clock") if self.clocks else None
        return Node(name, program, self.folder / f"{name}.log", given, host, self.network.inside(name), clock)

    def start(self) -> None:
        """Starts all nodes that are no spare ones, one after the other."""
        for each in self.all:
            if each not in self.spare:
                each.start()

    @property
    def members(self) -> list[Node]:
        """The nodes that clients know of: those that are up, or down for a while."""
        return [each for each in self.all if each not in self.spare]

    def owners(self) -> dict[str, str]:
        """The name of the node that has each director, by the database."""
        found = self.database.execute(
            "SELECT l.director, n.name FROM callboard.lives l JOIN callboard.nodes n ON n.node = l.owner WHERE NOT l.ended")
        return dict(line.split("|") for line in found.splitlines())

    def close(self) -> None:
        """Ends everything."""
        self.network.heal()
        for each in self.all:
            each.kill()
        self._stop_databases()
        os.unlink(self.secret)

    def _stop_databases(self) -> None:
        for each in self.poolers:
            each.stop()
        self.database.stop()
        self.network.close()
