"""Three nodes on one PostgreSQL behind one address that leads each connection to the next of them."""

import functools
import importlib.util
import itertools
import secrets
import tempfile
from pathlib import Path

from support.proxy import Relay
from support.server import Server

COUNT = 3
_names = itertools.count()
_folder = tempfile.TemporaryDirectory(prefix="callboard-nodes-")


@functools.cache
def _postgres():
    """The PostgreSQL server that all nodes of a run have their databases on; it ends with the process."""
    path = Path(__file__).resolve().parents[2] / "Durability/harness/postgres.py"
    specification = importlib.util.spec_from_file_location("durability_postgres", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    folder = Path(_folder.name)
    folder.chmod(0o755)
    return module.Postgres(folder / "pg", ["fsync=off", "max_connections=200"])


def close() -> None:
    """Stops the PostgreSQL server, where there is one."""
    if _postgres.cache_info().currsize:
        _postgres().stop()
        _postgres.cache_clear()
    _folder.cleanup()


class RoundRobin(Relay):
    """A relay that leads each connection to the next target."""

    def __init__(self, targets: list[int]):
        self._next = itertools.cycle(targets)
        super().__init__(targets[0])

    @property
    def target(self) -> int:
        return next(self._next)

    @target.setter
    def target(self, _: int) -> None:
        pass


class Nodes(Server):
    """Three servers that share a database; looks like one, the first, at the address of the relay."""

    def __init__(self, program: str, folder: Path, arguments: list[str] = (), **settings: str):
        postgres = _postgres()
        database = f"nodes{next(_names)}"
        postgres.execute(f"CREATE DATABASE {database}", database="postgres")
        secret = folder / "cluster-secret"
        secret.write_text(secrets.token_hex(32))
        secret.chmod(0o600)
        self.others: list[Server] = []
        self.relay: RoundRobin | None = None
        shared = settings | {
            "JOURNAL_URL": postgres.url.replace("/lists?", f"/{database}?"), "CLUSTER_LISTEN": "127.0.0.1:0",
            "CLUSTER_SECRET_FILE": str(secret),
        }
        super().__init__(program, folder, arguments, CLUSTER_NAME="node0", **shared)
        for number in range(1, COUNT):
            place = folder / f"node{number}"
            place.mkdir()
            self.others.append(Server(program, place, arguments, CLUSTER_NAME=f"node{number}", **shared))
        self.relay = RoundRobin([self.port, *(other.port for other in self.others)])
        self.port = self.relay.port
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        if self.relay:
            self.relay.close()
            self.relay = None
        for other in getattr(self, "others", []):
            other.stop()
        super().stop()
