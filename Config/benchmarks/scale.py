"""What many nodes with many directors cost, and the database that they share: measured with a few of them, and reckoned for
fifty nodes with 100,000 directors.

All nodes and the database share the machine's cores, so that processor time is compared, and not how long anything takes. Each
kind of cost is measured in settings that differ in what it depends on: the nodes, and the directors that a node owns and that
others own. In each there is a time at rest, and one with changes of directors at random nodes.
"""

import concurrent.futures
import contextlib
import http.client
import itertools
import os
import random
import tempfile
import time
from pathlib import Path

from cluster import nodes
from harness import HOST, processor_nanoseconds, report
from postgres import load_postgres

# Nodes and directors: the second has fewer directors for each node, the third as many as the first, and more of others.
FEW, MORE, LONG = (2, 8_000), (8, 8_000), (8, 32_000)
TARGET = (50, 100_000)
SECONDS, RATE = 20, 150
MAKERS = 16


def make(servers: list, count: int) -> None:
    """Makes directors, at each node its share."""
    def some(first: int) -> None:
        connection = http.client.HTTPConnection(HOST, servers[first % len(servers)].port, timeout=60)
        for number in range(first, count, MAKERS):
            connection.request("PUT", f"/v1/directors/list{number}", b'{"kind":"table"}', {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 201:
                raise SystemExit(f"a director was not made: {answer.status}")
        connection.close()

    with concurrent.futures.ThreadPoolExecutor(MAKERS) as makers:
        list(makers.map(some, range(MAKERS)))


def change(servers: list, count: int, seconds: float) -> int:
    """Changes directors at random nodes, so many times a second; returns how many times."""
    generator, begin = random.Random(1), time.monotonic()
    connections = [http.client.HTTPConnection(HOST, server.port, timeout=60) for server in servers]
    for number in itertools.count():
        if (pause := begin + number / RATE - time.monotonic()) > 0:
            time.sleep(pause)
        if time.monotonic() - begin > seconds:
            return number
        connection = generator.choice(connections)
        connection.request("PUT", f"/v1/directors/list{generator.randrange(count)}/variables/number?reload=true",
                           str(number).encode(), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 300:
            raise SystemExit(f"a change was answered with {answer.status}")


def used(folder: Path) -> float:
    """The processor time of all processes of the PostgreSQL server in a folder."""
    seconds = 0
    for each in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Its processes are in its folder.
            if Path(os.readlink(each / "cwd")).is_relative_to(folder):
                seconds += processor_nanoseconds(int(each.name)) / 1e9
    return seconds


def measured(servers: list, folder: Path, work) -> tuple[float, float, int]:
    """The processor time of a node and of the database while something is done, and what that returns."""
    processes = [server.process.pid for server in servers]
    shared, own = used(folder), sum(map(processor_nanoseconds, processes))
    result = work()
    time.sleep(1)
    return (sum(map(processor_nanoseconds, processes)) - own) / 1e9 / len(servers), used(folder) - shared, result


class Costs:
    """Microseconds of processor time in a setting: for a second of a node at rest, and for a change."""

    def __init__(self, count: int, directors: int):
        with tempfile.TemporaryDirectory(prefix="callboard-bench-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            postgres = load_postgres()(folder / "pg", ["fsync=off", "max_connections=200"])
            try:
                postgres.make_database()
                with nodes(folder, postgres, count) as servers:
                    # They agree on who has what, and read all once, before anything is measured.
                    time.sleep(5)
                    make(servers, directors)
                    time.sleep(40)
                    own, shared, _ = measured(servers, folder / "pg", lambda: time.sleep(SECONDS))
                    own_busy, shared_busy, changes = measured(
                        servers, folder / "pg", lambda: change(servers, directors, SECONDS))
            finally:
                postgres.stop()
        self.node, self.database = own / SECONDS * 1e6, shared / SECONDS / count * 1e6
        self.node_change = (own_busy - own) / changes * 1e6
        self.database_change = (shared_busy - shared) / changes * 1e6
        print(f"{count} nodes, {directors:,} directors: at rest {self.node / 1e4:.2f} % of a core for a node and "
              f"{self.database / 1e4:.2f} % for its part of the database; a change {self.node_change:.0f} us at each node, "
              f"{self.database_change:.0f} us at the database", flush=True)


def line(here: tuple[float, float], there: tuple[float, float], at: float) -> float:
    """The value at a place on the line through two others."""
    slope = (there[1] - here[1]) / (there[0] - here[0])
    return here[1] + slope * (at - here[0])


def main() -> None:
    few, more, long = (Costs(*each) for each in (FEW, MORE, LONG))
    count, directors = TARGET
    shares = [directors_of / nodes_of for nodes_of, directors_of in (FEW, MORE, LONG, TARGET)]
    # `few` and `long` have as many directors at each node, so that what differs comes of those of others.
    others = (long.node - few.node) / ((LONG[1] - shares[2]) - (FEW[1] - shares[0]))
    plain = few.node - others * (FEW[1] - shares[0]), more.node - others * (MORE[1] - shares[1])
    node = line((shares[0], plain[0]), (shares[1], plain[1]), shares[3]) + others * (directors - shares[3])
    rest = line((MORE[1], more.database), (LONG[1], long.database), directors)
    each = line((FEW[0], few.database_change), (MORE[0], more.database_change), count)
    report(f"{count} nodes, {directors:,} directors: a node at rest", f"{node / 1e4:.1f} % of a core", "10 %", node / 1e5, 1,
           at_most=True)
    report("  the database, all nodes at rest", f"{count * rest / 1e6:.2f} cores", "1 core", count * rest / 1e6, 1, at_most=True)
    report("  the database, for a change", f"{each:.0f} us", f"with {FEW[0]} nodes {few.database_change:.0f} us",
           each / few.database_change, None)
    report("  a node, for a change anywhere", f"{more.node_change:.0f} us", f"with {FEW[0]} nodes {few.node_change:.0f} us",
           more.node_change / few.node_change, None)


if __name__ == "__main__":
    main()
