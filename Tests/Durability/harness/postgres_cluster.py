"""Three PostgreSQL servers, a primary and two standbys that confirm its commits, and what promotes one of them."""

import shutil
import subprocess
import time
from pathlib import Path

from harness.network import Loopback
from harness.postgres import Postgres

NAMES = ["db1", "db2", "db3"]
LIMIT = 60.0


class Replica(Postgres):
    """One of the servers; `source` is the one whose content it copies first, None for the first primary."""

    def __init__(self, name: str, folder: Path, network: Loopback, source: "Replica | None"):
        self.name, self.address, self.source = name, network.address(name), source
        self.range = network.range
        settings = [
            "fsync=off", f"listen_addresses={self.address}", f"cluster_name={name}", "wal_keep_size=512MB",
            f"synchronous_standby_names=ANY 1 ({', '.join(NAMES)})", "wal_retrieve_retry_interval=200ms",
            "wal_receiver_timeout=5s", "wal_sender_timeout=5s",
        ]
        super().__init__(folder, settings, network.inside(name))

    def _fill(self) -> None:
        if self.source:
            return self._copy(self.source)
        super()._fill()
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            for database in ("all", "replication"):
                rules.write(f"host {database} all {self.range} trust\n")

    def _copy(self, source: "Replica") -> None:
        """Takes over everything from a server that runs, and will be its standby."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        self._run("pg_basebackup", "-D", str(self.folder / "data"), "-h", source.address, "-U", "owner",
                  "--checkpoint=fast", "--write-recovery-conf", "--no-sync")

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def number(self, sql: str) -> int:
        """The number that a statement shows."""
        return int(self.execute(sql, "postgres"))

    def received(self) -> int:
        """How far a standby's copy of the log reaches."""
        return self.number("SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn")

    def is_receiving(self) -> bool:
        return self.number("SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming'") > 0

    def standbys(self) -> int:
        """How many standbys may confirm this server's commits."""
        return self.number("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'")

    def follow(self, primary: "Replica") -> None:
        """Goes on as the standby of another primary."""
        self.execute(f"ALTER SYSTEM SET primary_conninfo = 'host={primary.address} user=owner'", "postgres")
        self.execute("SELECT pg_reload_conf()", "postgres")

    def rejoin(self, primary: "Replica") -> None:
        """Throws away what a server holds that has ended, and comes back as a standby."""
        self._copy(primary)
        self.start()


class PostgresCluster:
    """The three, each at its address of the network. What is acknowledged is on two of them."""

    def __init__(self, folder: Path, network: Loopback):
        folder.mkdir()
        self.folder, self.replicas = folder, []
        try:
            for name in NAMES:
                source = self.replicas[0] if self.replicas else None
                self.replicas.append(Replica(name, folder / name, network, source))
            self.primary = self.replicas[0]
            self.await_standbys()
            self.primary.make_database()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """All three, of which the one is taken that can be written to."""
        return f"postgresql://owner@{','.join(each.address for each in self.replicas)}/lists"

    @property
    def standbys(self) -> list[Replica]:
        return [each for each in self.replicas if each is not self.primary]

    def execute(self, sql: str) -> str:
        """Runs a statement at the primary."""
        return self.primary.execute(sql)

    def await_standbys(self, count: int = 2) -> None:
        """Waits until as many standbys confirm commits."""
        until(lambda: self.primary.standbys() >= count, f"{count} standbys of {self.primary.name}")

    def promote(self) -> None:
        """Makes the standby the primary that has most, has the other one follow it, and brings the old one back.

        Both standbys have to be there: a commit is confirmed by one of them, and nobody else knows by which.
        """
        old, standbys = self.primary, self.standbys
        assert not old.is_running, "the primary that is replaced has to be dead"
        for each in standbys:
            if not each.is_running:
                each.start()
        until(lambda: not any(each.is_receiving() for each in standbys), "standbys that have noticed the primary's end")
        new = max(standbys, key=Replica.received)
        if new.execute("SELECT pg_promote(true, 20)", "postgres") != "t":
            raise RuntimeError(f"{new.name} was not promoted")
        self.primary = new
        for each in standbys:
            if each is not new:
                each.follow(new)
        self.await_standbys(1)
        old.rejoin(new)
        self.await_standbys()

    def stop(self) -> None:
        """Ends all of them and removes their folders."""
        for each in self.replicas:
            each.stop()


def until(condition, what: str) -> None:
    """Waits until a condition holds; what fails for now does not hold."""
    deadline = time.monotonic() + LIMIT
    while True:
        try:
            if condition():
                return
        except (RuntimeError, subprocess.SubprocessError):
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {LIMIT:.0f} s for {what}")
        time.sleep(0.05)
