"""What the benchmarks against other servers share: starting and stopping servers, and the line that reports a ratio."""

import contextlib
import http.client
import json
import os
import re
import resource
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

HOST = "127.0.0.1"
START_LIMIT = 20.0
SETTLE_LIMIT = 120.0


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


def processor_nanoseconds(process: int) -> int:
    """The processor time of a process, by the clock that it has for that: the times in /proc have too few digits."""
    return time.clock_gettime_ns((~process << 3) | 2)


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
                child.wait(timeout=30)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            for stream in (child.stdin, child.stdout):
                if stream:
                    stream.close()


class Callboard:
    """A server under measurement, and a client that keeps one connection to it."""

    def __init__(self, process: subprocess.Popen, port: int, start_seconds: float, scheme: str = "http"):
        self.process = process
        self.port = port
        # From the start of the program to the line that says that it listens.
        self.start_seconds = start_seconds
        self.scheme = scheme
        if scheme == "https":
            # Its certificate is the benchmark's own.
            trusting = ssl._create_unverified_context()
            self.connection = http.client.HTTPSConnection(HOST, port, timeout=30, context=trusting)
        else:
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

    def metric(self, name: str) -> float:
        """The value of one of /metrics that has no labels."""
        found = re.search(rf"^{name} (\S+)$", self.call("GET", "/metrics").decode(), re.M)
        if not found:
            raise SystemExit(f"/metrics has no {name}")
        return float(found.group(1))

    def processor_seconds(self) -> float:
        """The processor time that the server has used."""
        return processor_nanoseconds(self.process.pid) / 1e9

    def settle(self) -> None:
        """Waits until the server has done what it does in the background, snapshots for instance."""
        deadline = time.monotonic() + SETTLE_LIMIT
        while time.monotonic() < deadline:
            before = self.processor_seconds()
            time.sleep(1)
            if self.processor_seconds() - before < 0.03:
                return
        raise SystemExit(f"the server was still at work after {SETTLE_LIMIT:.0f} s without a request")


@contextlib.contextmanager
def callboard(folder: Path, data: Path | str = "memory", program: str | None = None, **settings: str):
    """A server on a free port, which keeps its content in `data`; of the release build, unless another program is named.

    `settings` are its environment variables without CALLBOARD_.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
    command = [program or os.environ["CALLBOARD_BIN"], "serve", "--port", "0", "--data", str(data)]
    log = folder / "callboard.log"
    begin = time.perf_counter()
    with running(command, log, stdout=subprocess.PIPE, text=True, env=environment) as process:
        line = process.stdout.readline()
        seconds = time.perf_counter() - begin
        found = re.search(r"listening on (https?)://[^ ]*:(\d+)", line)
        if not found:
            raise SystemExit(f"callboard did not start: {line!r} {log.read_text()[-2000:]}")
        yield Callboard(process, int(found.group(2)), seconds, found.group(1))


@contextlib.contextmanager
def nginx(folder: Path, locations: str, modules: str = "", settings: str = "", listen: str = ""):
    """One nginx worker with no log, no limit on requests in a connection, and the given locations; yields its port.

    `listen` is what else its socket is told, such as `ssl`.
    """
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
        listen {HOST}:{port} backlog=4096 {listen};
        {locations}
    }}
}}
"""
    )
    program = os.environ.get("NGINX", "/usr/sbin/nginx")
    with running([program, "-p", str(folder), "-c", str(configuration)], folder / "nginx.err") as process:
        wait_for(port, process, folder / "nginx.err")
        yield port


@contextlib.contextmanager
def redis(folder: Path):
    """A redis-server that writes each command to the disk before it answers; yields its port."""
    port = free_port()
    command = ["redis-server", "--bind", HOST, "--port", str(port), "--dir", str(folder), "--save", "",
               "--appendonly", "yes", "--appendfsync", "always", "--logfile", str(folder / "redis.err")]
    with running(command, folder / "redis.err") as process:
        wait_for(port, process, folder / "redis.err")
        yield port


def wait_for(port: int, process: subprocess.Popen, log: Path) -> None:
    """Returns when something listens on a port; a process that ends before, or takes too long, ends the benchmark."""
    deadline = time.monotonic() + START_LIMIT
    while True:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{process.args[0]} did not start: {log.read_text()[-2000:]}") from None
            time.sleep(0.02)


def workspace(parent: Path | None = None):
    """A folder for one benchmark's files, readable by nginx's worker, which gives up root's rights.

    It is among the system's temporary files, which may be in memory, unless a parent is given.
    """
    folder = tempfile.TemporaryDirectory(prefix="callboard-bench-", dir=parent)
    os.chmod(folder.name, 0o755)
    return folder
