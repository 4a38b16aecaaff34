"""A PostgreSQL server of the tests' own, which can be killed and started again."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

# How long it may take to start, also after a crash.
START_LIMIT = 60.0


class NoPostgres(Exception):
    """The programs of PostgreSQL are not installed."""


def programs() -> Path:
    """The folder of the newest programs that Debian's packages have installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not found or (os.geteuid() == 0 and not shutil.which("setpriv")):
        raise NoPostgres("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    return found[-1]


def is_alive(process: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        # The name, in parentheses, may hold anything; behind it comes the state.
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Postgres:
    """A server in a folder of its own, on a Unix-domain socket; `stop` leaves nothing behind.

    Without fsync, unless other settings are given: what a killed process has written is in the system's memory, and the
    tests kill processes.
    """

    def __init__(self, folder: Path, settings: list[str] | None = None, inside: list[str] | None = None):
        """`inside` is what its commands begin with, where it is to run in a namespace."""
        self.folder, self.bin, self.inside = folder, programs(), inside or []
        self.settings = ["fsync=off"] if settings is None else settings
        self.process: subprocess.Popen | None = None
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        self._fill()
        self.start()

    def _fill(self) -> None:
        """Makes the content that the first start finds."""
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C",
                  "--no-sync")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(self._as_user(program, *arguments), check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    @property
    def url(self) -> str:
        return f"postgresql://owner@/lists?host={self.folder}"

    def _as_user(self, program: str, *arguments: str) -> list[str]:
        command = [str(self.bin / program), *arguments]
        if os.geteuid() != 0:
            return [*self.inside, *command]
        return [*self.inside, "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", *command]

    def start(self) -> None:
        """Starts it on the same data, and waits until it answers."""
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", *self.settings]
        options = [part for setting in settings for part in ("-c", setting)]
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            with (self.folder.parent / "postgres.log").open("ab") as log:
                self.process = subprocess.Popen(
                    self._as_user("postgres", "-D", str(self.folder / "data"), *options),
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
            # It ends at once while processes of the one before still hold the shared memory.
            while self.process.poll() is None and time.monotonic() < deadline:
                if self._psql("SELECT 1", "postgres").returncode == 0:
                    return
                time.sleep(0.02)
        raise TimeoutError("PostgreSQL does not start")

    def _psql(self, sql: str, database: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(self.bin / "psql"), "-h", str(self.folder), "-U", "owner", "-d", database, "-qAtX", "-c", sql],
            capture_output=True, text=True)

    def execute(self, sql: str, database: str = "lists") -> str:
        """Runs a statement, and returns what it shows."""
        done = self._psql(sql, database)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def make_database(self) -> None:
        """Makes the database that `url` names, in place of the one that is there."""
        self.execute("DROP DATABASE IF EXISTS lists WITH (FORCE)", database="postgres")
        self.execute("CREATE DATABASE lists", database="postgres")

    def dump(self, file: Path, database: str = "lists") -> None:
        """Writes what a database holds to a file, so that a round that fails can be looked into."""
        subprocess.run([str(self.bin / "pg_dump"), "-h", str(self.folder), "-U", "owner", "-d", database, "-f", str(file)])

    def expire_lease(self) -> None:
        """Has time pass for the lease of a server that was killed: nobody renews it any more."""
        if self.execute("SELECT to_regclass('callboard.nodes') IS NOT NULL") == "t":
            self.execute("UPDATE callboard.nodes SET expires = now()")

    def kill(self) -> None:
        """SIGKILL to the server and to each process of it."""
        children = self._processes()[1:]
        self._signal(signal.SIGKILL)
        self.process.wait()
        # What is killed may take its time to end, and until then its connections look alive.
        while any(is_alive(each) for each in children):
            time.sleep(0.005)

    def _processes(self) -> list[int]:
        """The server and each process of it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def _signal(self, number: int) -> None:
        for process in self._processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def pause(self) -> None:
        """Has the server and each process of it stand still; the server itself first, so that no process comes."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Has them go on."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Ends it at once and removes its folder."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
