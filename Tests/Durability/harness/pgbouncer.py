"""A PgBouncer of the tests' own in front of a PostgreSQL server, which can be killed, started again and given another mode."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from harness.postgres import Postgres

# How long it may take to answer, and to take a new mode over.
LIMIT = 60.0
PORT = 6432


class PgBouncer:
    """A pooler in a folder of its own, on a Unix-domain socket; `stop` leaves nothing behind.

    `database` has to answer where its folder is; the user is the one that owns its databases.
    """

    def __init__(self, program: str, folder: Path, database: Postgres, inside: list[str] | None = None, **settings: object):
        """`settings` are those of `pgbouncer.ini`; `inside` is what its command begins with, where it is to run in a namespace."""
        self.program, self.folder, self.database, self.inside = program, folder, database, inside or []
        self.settings = {
            "unix_socket_dir": folder, "listen_addr": "", "listen_port": PORT, "auth_type": "trust",
            "auth_file": folder / "users.txt", "admin_users": "owner", "pidfile": "", "logfile": "", "max_client_conn": 500,
        } | settings
        self.process: subprocess.Popen | None = None
        folder.mkdir(mode=0o755)
        (folder / "users.txt").write_text('"owner" ""\n')
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://owner@/lists?host={self.folder}&port={PORT}"

    def _write(self) -> None:
        lines = ["[databases]", f"* = host={self.database.folder}", "[pgbouncer]"]
        lines += [f"{name} = {value}" for name, value in self.settings.items()]
        (self.folder / "pgbouncer.ini").write_text("\n".join(lines) + "\n")

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        self._write()
        command = [self.program, str(self.folder / "pgbouncer.ini")]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", *command]
        command = [*self.inside, *command]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
        deadline = time.monotonic() + LIMIT
        while self.tell("SHOW VERSION", check=False).returncode != 0:
            assert self.process.poll() is None and time.monotonic() < deadline, "PgBouncer does not start"
            time.sleep(0.02)

    def tell(self, command: str, check: bool = True) -> subprocess.CompletedProcess:
        """Runs a command of its console."""
        return subprocess.run(
            [str(self.database.bin / "psql"), "-h", str(self.folder), "-p", str(PORT), "-U", "owner", "-d", "pgbouncer", "-qAtX",
             "-c", command], capture_output=True, text=True, check=check)

    def change(self, **settings: object) -> None:
        """Gives it other settings while it runs."""
        self.settings |= settings
        self._write()
        self.tell("RELOAD")

    def kill(self) -> None:
        """SIGKILL, with which all connections end."""
        self.process.kill()
        self.process.wait()
        # A socket that nobody listens to keeps the next one from starting.
        for socket in self.folder.glob(".s.PGSQL.*"):
            socket.unlink()

    def stop(self) -> None:
        """Ends it at once and removes its folder."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
