"""What the benchmarks against other servers share: starting and stopping servers, and the line that reports a ratio."""

import contextlib
import http.client
import json
import os
import re
import resource
import socket
import subprocess
import tempfile
import time
from pathlib import Path

HOST = "127.0.0.1"
START_LIMIT = 20.0


def raise_descriptor_limit(wanted: int = 24_000) -> int:
    """Lets this process and its children open `wanted` descriptors, or as many as the machine allows: the result."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, wanted))
            hard = wanted
    ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < ceiling:
        resource.setrlimit(resource.RLIMIT_NOFILE, (ceiling, hard))
    return max(soft, ceiling)


def free_port() -> int:
    """A port that nobody listened on a moment ago; for servers that cannot take port 0."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def report(
    name: str, ours: str, yardstick: str, ratio: float, target: float | None, at_most: bool = False
) -> None:
    """Prints one line for the table of Config/bench.

    A ratio above 1 is better than the yardstick and `target` the least to reach; `at_most` turns both round: the ratio
    says how many times the yardstick ours costs, and `target` how many it may.
    """
    goal = "none" if target is None else f"<= {target:.2f}" if at_most else f"{target:.2f}"
    print("result", name, ours, yardstick, f"{ratio:.2f}", goal, sep=" | ", flush=True)


@contextlib.contextmanager
def running(command: list[str], log: Path, **options):
    """A child process that is stopped, kindly and then firmly, when the block ends."""
    with log.open("wb") as output:
        child = subprocess.Popen(command, stderr=output, **options)
        try:
            yield child
        finally:
            child.terminate()
            try:
                child.wait(timeout=15)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            for stream in (child.stdin, child.stdout):
                if stream:
                    stream.close()


class Callboard:
    """A server under measurement, and a client that keeps one connection to it."""

    def __init__(self, process: subprocess.Popen, port: int):
        self.process = process
        self.port = port
        self.connection = http.client.HTTPConnection(HOST, port, timeout=30)

    def call(self, method: str, path: str, body=None, kind: str = "application/json", prefer: str | None = None):
        """Sends one request and returns the answer's body; anything but a success ends the benchmark."""
        payload = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": kind} if payload else {}
        if prefer:
            headers["Prefer"] = prefer
        self.connection.request(method, path, payload, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path} answered {answer.status}: {content[:500]!r}")
        return content

    def resident_bytes(self) -> int:
        """The memory that the server has resident now (VmRSS)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+) kB", status, re.M).group(1)) * 1024


@contextlib.contextmanager
def callboard(folder: Path, **settings: str):
    """A server of the release build on a free port; `settings` are its environment variables without CALLBOARD_."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
    command = [os.environ["CALLBOARD_BIN"], "serve", "--port", "0", "--data", "memory"]
    log = folder / "callboard.log"
    with running(command, log, stdout=subprocess.PIPE, text=True, env=environment) as process:
        line = process.stdout.readline()
        found = re.search(r"listening on http://[^ ]*:(\d+)", line)
        if not found:
            raise SystemExit(f"callboard did not start: {line!r} {log.read_text()[-2000:]}")
        yield Callboard(process, int(found.group(1)))


@contextlib.contextmanager
def nginx(folder: Path, locations: str, modules: str = "", settings: str = ""):
    """One nginx worker with no log, no limit on requests in a connection, and the given locations; yields its port."""
    port, descriptors = free_port(), raise_descriptor_limit()
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"""{modules}
worker_processes 1;
worker_rlimit_nofile {descriptors};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections {descriptors - 100}; use epoll; multi_accept on; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    keepalive_timeout 300;
    default_type application/json;
    {settings}
    {temporary}
    server {{
        listen {HOST}:{port} backlog=4096;
        {locations}
    }}
}}
"""
    )
    program = os.environ.get("NGINX", "/usr/sbin/nginx")
    with running([program, "-p", str(folder), "-c", str(configuration)], folder / "nginx.err") as process:
        deadline = time.monotonic() + START_LIMIT
        while True:
            try:
                socket.create_connection((HOST, port), timeout=1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"nginx did not start: {(folder / 'nginx.err').read_text()[-2000:]}")
                time.sleep(0.02)
        yield port


def workspace():
    """A folder for one benchmark's files, readable by nginx's worker, which gives up root's rights."""
    folder = tempfile.TemporaryDirectory(prefix="callboard-bench-")
    os.chmod(folder.name, 0o755)
    return folder
