"""Three nodes on one PostgreSQL behind one address that leads each connection to the next of them."""

import contextlib
import functools
import importlib.util
import os
import re
import secrets
import signal
import tempfile
import time
import urllib.parse
from pathlib import Path

from support.round_robin import RoundRobin
from support.server import STOP_LIMIT, Server

COUNT = 3
IS_SET = bool(os.environ.get("CALLBOARD_TEST_NODES"))
_databases: dict[Path, str] = {}
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


def launch(program: str, folder: Path, arguments: list[str] = (), **settings: str) -> "Server | Nodes":
    """A server, or three nodes behind one address where CALLBOARD_TEST_NODES is set."""
    return (Nodes if IS_SET else Server)(program, folder, arguments, **settings)


def _database(folder: Path) -> str:
    """The database of the nodes that have this folder, made where it is their first start.

    Nodes that were killed have left leases, which nobody renews; they are removed at once.
    """
    if found := _databases.get(folder):
        if _postgres().execute("SELECT to_regclass('callboard.nodes') IS NOT NULL", found) == "t":
            _postgres().execute("DELETE FROM callboard.nodes", found)
        return found
    name = _databases[folder] = f"nodes{len(_databases)}"
    _postgres().execute(f"CREATE DATABASE {name}", database="postgres")
    return name


def query(folder: Path, sql: str) -> list[str]:
    """The rows that the database of the nodes of this folder answers with."""
    return _postgres().execute(sql, _databases[folder]).splitlines()


class Logs:
    """The logs of several servers, read one after the other."""

    def __init__(self, servers: list[Server]):
        self._servers = servers

    def read_bytes(self) -> bytes:
        return b"".join(each.log.read_bytes() for each in self._servers)

    def read_text(self, errors: str = "strict") -> str:
        return self.read_bytes().decode(errors=errors)


class Nodes:
    """Three servers that share a database, at the address of a relay; looks like a `Server`.

    A `process` is left out: what a test says of one process does not hold for three.
    """

    def __init__(self, program: str, folder: Path, arguments: list[str] = (), **settings: str):
        """`--port` among the arguments is that of the relay."""
        arguments, port = list(arguments), 0
        if "--port" in arguments:
            at = arguments.index("--port")
            port = int(arguments[at + 1])
            del arguments[at:at + 2]
        self.folder, self.relay, self.nodes = folder, None, []
        self.log = Logs(self.nodes)
        shared = settings | self._cluster(folder)
        try:
            for number in range(COUNT):
                place = folder / f"node{number}" if number else folder
                place.mkdir(exist_ok=True)
                self.nodes.append(Server(program, place, arguments, CLUSTER_NAME=f"node{number}",
                                         **shared | self.own(number)))
            first = urllib.parse.urlsplit(self.nodes[0].url)
            self.relay = RoundRobin(first.hostname, port, [each.port for each in self.nodes])
        except BaseException:
            self.stop()
            raise
        self.port = self.relay.port
        self.url = self.nodes[0].url.removesuffix(str(first.port)) + str(self.port)

    def own(self, number: int) -> dict[str, str]:
        """The settings that a node has by itself."""
        return {}

    @staticmethod
    def _cluster(folder: Path) -> dict[str, str]:
        """The settings that make servers nodes of one cluster."""
        secret = folder / "cluster-secret"
        if not secret.exists():
            secret.touch(mode=0o600)
            secret.write_text(secrets.token_hex(32))
        return {"JOURNAL_URL": _postgres().url.replace("/lists?", f"/{_database(folder)}?"),
                "CLUSTER_LISTEN": "127.0.0.1:0", "CLUSTER_SECRET_FILE": str(secret)}

    def dump(self) -> bytes:
        """All that the database holds, as SQL, but for its bytes, which stand there as they are."""
        file = Path(_folder.name) / "dump.sql"
        _postgres().dump(file, _databases[self.folder])
        return re.sub(rb"\\\\x((?:[0-9a-f]{2})+)", lambda hexadecimal: bytes.fromhex(hexadecimal[1].decode()), file.read_bytes())

    def tail(self, lines: int = 40) -> str:
        """The end of each node's log."""
        return "\n".join(each.tail(lines) for each in self.nodes)

    def terminate(self, with_signal: int = signal.SIGTERM) -> None:
        """Sends a signal to all of them and returns at once."""
        for each in self.nodes:
            each.terminate(with_signal)

    def wait(self, seconds: float = STOP_LIMIT) -> int:
        """The exit status of the first that failed; raises `subprocess.TimeoutExpired` as `Server.wait` does."""
        deadline = time.monotonic() + seconds
        statuses = [each.wait(max(deadline - time.monotonic(), 0.01)) for each in self.nodes]
        self._close()
        return next(filter(None, statuses), 0)

    def stop(self) -> None:
        """Stops them whatever state they are in; does nothing the second time."""
        self._close()
        for each in self.nodes:
            with contextlib.suppress(ProcessLookupError):
                each.terminate()
        for each in self.nodes:
            each.stop()

    def _close(self) -> None:
        if self.relay:
            self.relay.close()
            self.relay = None
