"""The server under test as a process: started, killed and started again on the same folder."""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

START_LIMIT = 60.0
STOP_LIMIT = 60.0


class DidNotStart(Exception):
    """The server ended, or did not say that it listens, within the limit."""

    def __init__(self, status: int | None, log: str):
        super().__init__(f"the server did not start (exit status {status}); its log ends:\n{log}")
        self.status, self.log = status, log


class Server:
    """A server whose content is in `data`; `port` is None while it is down.

    `settings` are environment variables without CALLBOARD_; `environment` is added as it is. `inside` is what the command
    begins with, where the server is to run in a namespace.
    """

    def __init__(self, program: str, data: str, log: Path, settings: dict[str, str] | None = None,
                 environment: dict[str, str] | None = None, inside: list[str] | None = None):
        self.program, self.data, self.log, self.inside = program, data, log, inside or []
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        defaults = {"FEED_RETRY_MIN": "10", "FEED_RETRY_MAX": "20", "LOG_LEVEL": "info"}
        given = {f"CALLBOARD_{name}": value for name, value in (defaults | (settings or {})).items()}
        self.environment = kept | given | (environment or {})
        self.process: subprocess.Popen | None = None
        self.port: int | None = None

    def spawn(self) -> None:
        """Starts the process and returns at once."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.inside, self.program, "serve", "--port", "0", "--data", self.data],
                stdout=subprocess.PIPE, stderr=log, env=self.environment, cwd=self.log.parent)

    def wait_until_ready(self, limit: float = START_LIMIT) -> None:
        """Waits for the line that names the port; raises `DidNotStart` and leaves no process behind otherwise."""
        deadline, printed = time.monotonic() + limit, b""
        while time.monotonic() < deadline:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                piece = os.read(self.process.stdout.fileno(), 4096)
                if not piece:
                    break
                printed += piece
                if found := re.search(rb"^listening on https?://\S+:(\d+)$", printed, re.M):
                    self.port = int(found.group(1))
                    return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=2)
        status = self.process.poll()
        self.kill()
        raise DidNotStart(status, self.tail())

    def start(self) -> None:
        """Starts the process and waits until it listens."""
        self.spawn()
        self.wait_until_ready()

    def pause(self) -> None:
        """SIGSTOP; every thread stands still when this returns, which takes some milliseconds on a busy machine."""
        self.process.send_signal(signal.SIGSTOP)
        deadline = time.monotonic() + START_LIMIT
        while not self._stands_still():
            assert time.monotonic() < deadline, "the process goes on after SIGSTOP"
            time.sleep(0.001)

    def _stands_still(self) -> bool:
        states = set()
        for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
            # A thread may end meanwhile.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                states.add((thread / "stat").read_text().rpartition(") ")[2][0])
        return states <= {"T", "t"}

    def go_on(self) -> None:
        """Ends a pause."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: the process gets no chance to finish anything."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM; the exit status, or that of the SIGKILL that follows where it takes too long."""
        return self._end(signal.SIGTERM)

    def _end(self, with_signal: int) -> int:
        self.port = None
        if self.process is None:
            return 0
        self.process.send_signal(with_signal)
        try:
            status = self.process.wait(timeout=STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return status

    def tail(self, lines: int = 25) -> str:
        """The end of the log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def keeps_content(program: str, folder: Path) -> str | None:
    """Why `program` cannot be tested for keeping its content on disk; None where it can.

    A program that says it has no disk is told by its refusal to start (78, a setting is wrong). Any other failure is
    not a reason to leave the tests out: they will meet it and fail.
    """
    data = folder / "probe"
    data.mkdir()
    server = Server(program, str(data), folder / "probe.log")
    try:
        server.start()
    except DidNotStart as refusal:
        if refusal.status == 78 and "memory" in refusal.log:
            return f"{Path(program).name} keeps content in memory only: serve --data FOLDER is refused"
    finally:
        server.kill()
    return None
