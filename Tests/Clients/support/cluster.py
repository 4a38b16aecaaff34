"""A cluster of `Config/cluster`: three nodes and three databases on ports of its own."""

import contextlib
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.fakes import CHECKOUT
from support.ports import free_ports

# Starting everything, or a node after one that was killed, on a machine that does other things besides.
LIMIT = 180


class Cluster:
    """What the script is told, and clients of the nodes."""

    def __init__(self, folder: Path, program: str):
        self.folder, self.program = folder, program
        self.http, self.internal, self.database = free_ports(3), free_ports(3), free_ports(3)

    def environment(self) -> dict[str, str]:
        """Settings of the machine's are none of the nodes'."""
        return {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")} | {"NO_COLOR": "1"}

    def run(self, *arguments: str, fails: bool = False) -> str:
        """Runs the script, and returns what it prints; with `fails`, what it says on standard error."""
        done = subprocess.run([CHECKOUT / "Config/cluster", "--folder", self.folder, *arguments], env=self.environment(),
                              capture_output=True, text=True, timeout=LIMIT)
        assert (done.returncode != 0) == fails, f"{arguments}: {done.stdout}{done.stderr}{self.logs()}"
        return done.stderr if fails else done.stdout

    def start(self) -> str:
        """The first start, with the program under test."""
        return self.run("start", "--program", self.program, "--http", str(self.http), "--internal", str(self.internal),
                        "--database", str(self.database))

    def here(self, command: str) -> str:
        """A command of a document, with this cluster's script, folder and ports in it."""
        command = command.replace("Config/cluster", f"{CHECKOUT}/Config/cluster --folder {self.folder}")
        return re.sub(r"127\.0\.0\.1:808([0-2])", lambda port: f"127.0.0.1:{self.http + int(port.group(1))}", command)

    def url(self) -> str:
        """The database, as a node is told of it."""
        return (f"postgresql://callboard@127.0.0.1:{self.database},127.0.0.1:{self.database + 1}/lists"
                f"?passfile={self.folder}/passwords")

    def execute(self, sql: str) -> str:
        """Runs a statement at the first primary; returns its rows, columns with a bar between."""
        done = subprocess.run(["psql", self.url(), "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def node(self, name: str) -> httpx.Client:
        """A client of a node."""
        port = self.http + "abc".index(name)
        return httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)

    def logs(self) -> str:
        """The ends of the nodes' logs."""
        return "".join(f"\n--- {path.parent.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
                       for path in sorted(self.folder.glob("[abc]/log")))

    def processes(self) -> dict[int, str]:
        """What runs from this cluster's folder: nodes by their environment, databases by the folder that they work in."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"={self.folder}/secret".encode() in (process / "environ").read_bytes() or str(
                        (process / "cwd").readlink()).startswith(f"{self.folder}/"):
                    found[int(process.name)] = (process / "cmdline").read_text().replace("\0", " ")
        return found


def needs_postgres() -> None:
    """Skips the test aloud where PostgreSQL is not installed."""
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")


@contextlib.contextmanager
def cluster(program: str) -> Iterator[Cluster]:
    """A place for a cluster that is not started yet; what is started is stopped at the end."""
    # The databases' user has to reach their folders, and pytest makes folders for its own user alone.
    with tempfile.TemporaryDirectory(prefix="callboard-cluster-") as place:
        Path(place).chmod(0o755)
        made = Cluster(Path(place) / "cluster", program)
        try:
            yield made
        finally:
            print(made.logs())
            if made.folder.exists():
                made.run("stop")


def until_stored(client: httpx.Client, path: str, body: dict, seconds: float = 60) -> float:
    """Sends a change until it is stored, as a client with a key does that is told 503 or 504 by a node, or 502 by what is in
    front of one that was lost with the change, or nothing at all; returns how long that took."""
    begin = time.monotonic()
    while True:
        try:
            answer = client.post(path, json=body, headers={"Idempotency-Key": f"until-{begin}"})
        except httpx.RemoteProtocolError as error:
            # HAProxy closes a kept connection where the node's has ended under a request, so that the client repeats it.
            told = str(error)
        else:
            if answer.is_success:
                return time.monotonic() - begin
            told = f"{answer.status_code} {answer.text}"
            told_to_wait = answer.status_code == 503 and "Retry-After" in answer.headers
            assert told_to_wait or answer.status_code in (502, 504), told
        assert time.monotonic() - begin < seconds, told
        time.sleep(0.2)
