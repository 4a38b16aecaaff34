"""Proxies of other projects, set up as the documentation shows them."""

import contextlib
import os
import re
import socket
import subprocess
import time
from pathlib import Path

from support.certificates import Authority
from support.ports import free_port

PAGE = Path(__file__).parents[3] / "Sources/CallboardProgram/CallboardProgram.docc/BehindAProxy.md"
START_LIMIT = 60.0


def example(language: str, number: int = 0) -> str:
    """An example of the page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)[number]


def replaced(text: str, changes: dict[str, str]) -> str:
    """A text with each of these changed, which all have to be there."""
    for old, new in changes.items():
        assert old in text, f"the page has no {old!r} any more"
        text = text.replace(old, new)
    return text


def for_a_test(nginx: str) -> str:
    """A configuration of nginx that keeps everything in the folder that it is started in, with one process to serve."""
    # Its workers would be another user's, who cannot write into the folders of a test.
    user = "user root; " if os.geteuid() == 0 else ""
    return replaced(nginx, {
        "worker_processes auto;": f"{user}worker_processes 1; daemon off; pid nginx.pid; error_log error.log;",
        "http {": "http { access_log off;" + "".join(
            f" {kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))})


class Front:
    """A program in front of servers, on a port of its own."""

    def __init__(self, command: list[str], port: int, folder: Path):
        self.folder, self.port = folder, port
        with (folder / "proxy.log").open("wb") as log:
            places = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=os.environ | places)
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"it did not start: {(self.folder / 'proxy.log').read_text()}")
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Proxy(Front):
    """A proxy with TLS for localhost."""

    def __init__(self, name: str, program: str, target: int, folder: Path, authority: Authority,
                 **changes: str):
        """`changes` has `old`, a part of nginx's example, and `new`, what stands in its place."""
        self.folder, self.port = folder, free_port()
        self.url = f"https://localhost:{self.port}"
        chain, key = authority.issue("localhost", file="proxy")
        command = getattr(self, f"_{name.partition('-')[0]}")(name, program, target, chain, key, changes)
        super().__init__(command, self.port, folder)

    def _nginx(self, _, program: str, target: int, chain: Path, key: Path, changes: dict) -> list[str]:
        text = replaced(example("nginx"), {changes["old"]: changes["new"]} if changes["old"] else {})
        text = replaced(for_a_test(text), {
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "127.0.0.1:8080": f"127.0.0.1:{target}",
            "/etc/ssl/board.pem": str(chain), "/etc/ssl/private/board.key": str(key), "board.example": "localhost"})
        (self.folder / "nginx.conf").write_text(text)
        return [program, "-p", str(self.folder), "-c", "nginx.conf", "-e", "error.log"]

    def _caddy(self, name: str, program: str, target: int, chain: Path, key: Path, _) -> list[str]:
        text = replaced(example("caddyfile", int(name.endswith("h2c"))), {
            "board.example {": f"https://localhost:{self.port} {{\n    bind 127.0.0.1\n    tls {chain} {key}",
            "127.0.0.1:8080": f"127.0.0.1:{target}"})
        options = "{\n  admin off\n  auto_https disable_redirects\n  servers {\n    protocols h1 h2\n  }\n}\n"
        (self.folder / "Caddyfile").write_text(options + text)
        return [program, "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
