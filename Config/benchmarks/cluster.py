"""Three nodes on one PostgreSQL: how far a follower's streams are behind the owner's, and a fan-out over all of them.

The delay is that of one event on a stream of a follower after the same event on a stream of the owner, 300 changes one
after the other; its bound is one commit and 5 ms. The fan-out is one changeset to 20,000 subscribers, a third on each
node, against all of them on one node of the same three, which take turns.
"""

import contextlib
import os
import secrets
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

from fanout import change, marker, prepare, receiver
from harness import HOST, callboard, raise_descriptor_limit, report
from postgres import load_postgres

NODES = 3
CHANGES = 300
SUBSCRIBERS = 20_000
TURNS = 3
ROUNDS = 5
ALLOWED_SECONDS = 0.005
STREAM = "/v1/directors/bench/changesets"


@contextlib.contextmanager
def nodes(folder: Path, postgres, count: int = NODES):
    """Nodes that share a database, each with one loop."""
    secret = folder / "secret"
    secret.write_text(secrets.token_hex(32))
    secret.chmod(0o600)
    with contextlib.ExitStack() as stack:
        started = []
        for number in range(count):
            place = folder / f"node{number}"
            place.mkdir()
            started.append(stack.enter_context(callboard(
                place, place / "data", LOG_LEVEL="warning", JOURNAL_URL=postgres.url, CLUSTER_LISTEN=f"{HOST}:0",
                CLUSTER_SECRET_FILE=str(secret), CLUSTER_NAME=f"node{number}", SERVER_LOOPS="1",
                SERVER_MAX_CONNECTIONS="30000", BOUNDS_DIRECTORS="1000000")))
        yield started


def owner_first(servers: list) -> list:
    """The servers with the one that owns the director in front; the nodes have their shares by then."""
    time.sleep(6)
    return sorted(servers, key=lambda server: -server.metric("callboard_cluster_directors_owned"))


class Stream:
    """A stream of changesets, and when each event came."""

    def __init__(self, port: int):
        self.socket = socket.create_connection((HOST, port), timeout=10)
        self.socket.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.tail = b""

    def wait(self, text: bytes) -> float:
        """The time at which a text was read."""
        while text not in self.tail:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise SystemExit("a stream ended")
            self.tail = self.tail[-64:] + piece
        return time.perf_counter()


def measure_delay(servers: list) -> None:
    owner, *followers = owner_first(servers)
    streams = [Stream(server.port) for server in (owner, *followers)]
    for stream in streams:
        stream.wait(b"event: snapshot")
    sums = [f"callboard_journal_commit_seconds_{name}" for name in ("sum", "count")]
    before = [owner.metric(name) for name in sums]
    delays = []
    for number in range(CHANGES):
        text = marker(10_000 + number)
        change(owner, text)
        owner.call("POST", "/v1/directors/bench/reload")
        # The owner's is read first: what waits meanwhile only makes the others look earlier.
        first, *rest = (stream.wait(text.encode()) for stream in streams)
        delays.append(max(0, max(rest) - first))
    seconds, count = (owner.metric(name) - value for name, value in zip(sums, before))
    bound = seconds / count + ALLOWED_SECONDS
    worst = statistics.quantiles(delays, n=100)[98]
    print(f"delay of followers: median {statistics.median(delays) * 1e3:.2f} ms, 99 % {worst * 1e3:.2f} ms")
    report("a follower's stream behind the owner's, 99 %", f"{worst * 1e3:.2f} ms",
           f"one commit and 5 ms: {bound * 1e3:.2f} ms", worst / bound, 1, at_most=True)


def publish(owner, receivers: list, text: str) -> float:
    """Seconds from a publication to the moment the last subscriber has read it."""
    change(owner, text)
    for each in receivers:
        each.arm(text)
    start = time.monotonic_ns()
    owner.call("POST", "/v1/directors/bench/reload")
    return (max(each.finish() for each in receivers) - start) / 1e9


def measure_fanout(servers: list, folder: Path) -> None:
    owner = owner_first(servers)[0]
    # The descriptors of one process have to do for all subscribers, and for what it needs besides.
    each = min(SUBSCRIBERS, raise_descriptor_limit() - 500) // NODES
    ports = {"spread": [server.port for server in servers], "single": [owner.port] * NODES}
    times: dict[str, list[float]] = {name: [] for name in ports}
    number = 20_000
    for turn in range(TURNS):
        for name, places in ports.items():
            print(f"turn {turn + 1} of {TURNS}, {name}: {each * NODES:,} subscribers connect", file=sys.stderr)
            with contextlib.ExitStack() as stack:
                receivers = [stack.enter_context(receiver(folder, port, STREAM, each)) for port in places]
                for _ in range(ROUNDS):
                    times[name].append(publish(owner, receivers, marker(number := number + 1)))
                    time.sleep(0.2)
            # The server ends its side of streams that are gone.
            time.sleep(1)
    rates = {name: each * NODES / statistics.median(taken) for name, taken in times.items()}
    report(f"one changeset to {each * NODES:,} subscribers on {NODES} nodes, {os.cpu_count()} cores for all",
           f"{rates['spread']:,.0f} deliveries/s", f"on one node {rates['single']:,.0f}/s",
           rates["spread"] / rates["single"], None)


def main() -> None:
    raise_descriptor_limit()
    with tempfile.TemporaryDirectory(prefix="callboard-bench-") as name:
        folder = Path(name)
        # The database's user has to reach its folder.
        folder.chmod(0o755)
        postgres = load_postgres()(folder / "pg", [])
        try:
            postgres.make_database()
            with nodes(folder, postgres) as servers:
                prepare(servers[0])
                measure_delay(servers)
                measure_fanout(servers, folder)
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
