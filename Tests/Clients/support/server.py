"""Starting and stopping a real server."""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import httpx

from support import protocol

START_LIMIT = 60.0
STOP_LIMIT = 60.0


class ServerDied(Exception):
    """The server did not come up or went away; the message holds the end of its log."""


def metrics(server: "Server", client: httpx.Client) -> str:
    """The metrics of all the server's processes, one page after the other; `client` is one of the server."""
    pages = [client.get(client.base_url.copy_with(port=node.port, path="/metrics")) for node in server.nodes]
    return "".join(page.raise_for_status().text for page in pages)


def metric(server: "Server", client: httpx.Client, name: str) -> float:
    """A metric without labels, summed over the server's processes."""
    values = re.findall(rf"^{name} (\S+)$", metrics(server, client), re.M)
    assert len(values) == len(server.nodes), f"{name} is not there"
    return sum(map(float, values))


class Server:
    """A `callboard serve` process on a port that it chose itself."""

    def __init__(self, program: str, folder: Path, arguments: list[str] = (), **settings: str):
        """`settings` become environment variables with `CALLBOARD_` before their name."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        settings = protocol.SETTINGS | settings
        environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
        self.folder = folder
        self.log = folder / "callboard.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--port", "0", "--data", str(folder / "data"), *arguments],
                stdout=subprocess.PIPE, stderr=log, env=environment, cwd=folder,
            )
        try:
            self.url = self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        self.port = int(self.url.rsplit(":", 1)[1])

    @property
    def nodes(self) -> list["Server"]:
        """Its processes, each as a server by itself: here the one."""
        return [self]

    def _wait_until_ready(self) -> str:
        deadline = time.monotonic() + START_LIMIT
        printed = b""
        while time.monotonic() < deadline:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                piece = os.read(self.process.stdout.fileno(), 4096)
                if not piece:
                    break
                printed += piece
                if found := re.search(rb"^listening on (https?://\S+:\d+)$", printed, re.M):
                    return found.group(1).decode()
        raise ServerDied(f"no 'listening on' line; printed {printed!r}, log:\n{self.tail()}")

    def tail(self, lines: int = 40) -> str:
        """The end of the server's log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def terminate(self, with_signal: int = signal.SIGTERM) -> None:
        """Sends a signal and returns at once."""
        self.process.send_signal(with_signal)

    def wait(self, seconds: float = STOP_LIMIT) -> int:
        """The exit status; raises `subprocess.TimeoutExpired` when the process is still there after `seconds`."""
        return self.process.wait(timeout=seconds)

    def stop(self) -> None:
        """Stops the process whatever state it is in; does nothing the second time."""
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=STOP_LIMIT)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
