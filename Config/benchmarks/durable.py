"""Requests that are answered only once they are stored: how many a second, and that the length of a list is no matter.

PATCH of an element under wrk, with 1 and with 64 connections, against a bare loop of SQLite commits and against
redis-server with appendfsync always under redis-benchmark, all on the same file system in rounds that take turns; the
same where each sync takes a millisecond longer, as with a disk that has no cache of its own that survives a power cut.
Then PATCH of one of 1,000,000 elements against one of 1,000 on the same server.
"""

import contextlib
import os
import re
import statistics
import subprocess
from pathlib import Path

from harness import HOST, callboard, redis, report, workspace
from large import REQUESTS, SECTION, SIZES, KeepAlive, fill, identifier
from rates import CONNECTIONS, ELEMENT, PATCH_SCRIPT, prepare, wrk

# Many short rounds: what a disk does with a sync differs more from one moment to the next than anything else here.
ROUNDS = 11
SLOW_ROUNDS = 5
SECONDS = 1
COMMITS_TARGET = 3.0
REDIS_TARGET = 0.3
LARGE_TARGET = 1.5
SLOW_SYNC_MICROSECONDS = 1000
# What a PATCH of the run adds to the log: {"op":"patchElement","section":"people","element":"Ada_Lovelace", …
RECORD_BYTES = 89


def commits(what: str, folder: Path) -> float:
    """Commits, or syncs, a second over one round of a bare loop."""
    command = [os.environ["COMMITS_BIN"], what, str(folder), str(RECORD_BYTES), str(SECONDS)]
    return float(subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout)


def redis_sets(port: int, count: int) -> float:
    """SETs a second over one round of `count`."""
    command = ["redis-benchmark", "-h", HOST, "-p", str(port), "-t", "set", "-c", str(CONNECTIONS),
               "-d", str(RECORD_BYTES), "-n", str(count), "-q"]
    output = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.findall(r"SET: ([\d.]+) requests per second", output)
    if not found:
        raise SystemExit(f"redis-benchmark printed {output[-500:]!r}")
    return float(found[-1])


class Patches:
    """PATCHes of an element for a while, and what the server's metrics say that storing them took."""

    def __init__(self, server, script: Path, connections: int):
        names = [f"callboard_journal_{name}" for name in ("batch_size_sum", "batch_size_count", "commit_seconds_sum")]
        before = [server.metric(name) for name in names]
        self.rate = wrk(server.port, ELEMENT, script, connections, SECONDS)
        stored, commits, seconds = (server.metric(name) - value for name, value in zip(names, before))
        # The answers of the last requests may have been on their way when wrk stopped counting, never the other way.
        if stored < self.rate * SECONDS * 0.99:
            raise SystemExit(f"{self.rate * SECONDS:.0f} requests were answered, and {stored:.0f} changes stored")
        self.batch = stored / max(1, commits)
        self.commit_microseconds = seconds / max(1, commits) * 1e6


@contextlib.contextmanager
def slow_syncs():
    """Makes the syncs of every program that is started within the block take longer."""
    added = {"LD_PRELOAD": os.environ["SLOWSYNC_LIBRARY"], "SLOWSYNC_MICROSECONDS": str(SLOW_SYNC_MICROSECONDS)}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


def compare_rates(folder: Path, rounds: int, suffix: str = "") -> None:
    """Interleaves the rounds, so that whatever else the disk and the processors do falls on all alike."""
    folder.mkdir()
    script = folder / "patch.lua"
    script.write_text(PATCH_SCRIPT)
    with callboard(folder, folder / "data", LOG_LEVEL="warning") as server, redis(folder) as port:
        prepare(server)
        Patches(server, script, CONNECTIONS)
        sets = max(1000, int(redis_sets(port, 5000) * SECONDS))
        readings = [
            (Patches(server, script, 1), Patches(server, script, CONNECTIONS), redis_sets(port, sets),
             commits("insert", folder), commits("sync", folder)) for _ in range(rounds)
        ]
    singles, many, sets, inserts, syncs = zip(*readings)
    redis_rate, insert_rate, sync_rate = (statistics.median(rates) for rates in (sets, inserts, syncs))
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True, check=True).stdout.strip()
    print(f"disk ({kind}){suffix}: {sync_rate:,.0f} times write and fdatasync of {RECORD_BYTES} bytes a second "
          f"({min(syncs):,.0f} to {max(syncs):,.0f})")
    rates = []
    for name, patches in (("1 connection", singles), (f"{CONNECTIONS} connections", many)):
        rates.append(statistics.median(each.rate for each in patches))
        batch = statistics.median(each.batch for each in patches)
        microseconds = statistics.median(each.commit_microseconds for each in patches)
        print(f"{name}{suffix}: {batch:.1f} changes in a commit, {microseconds:,.0f} us for a commit")
    single_rate, rate = rates
    bare = f"bare SQLite commits {insert_rate:,.0f}/s"
    report(f"durable PATCH, 1 connection{suffix}", f"{single_rate:,.0f}/s", bare, single_rate / insert_rate, None)
    name = f"durable PATCH, {CONNECTIONS} connections{suffix}"
    report(name, f"{rate:,.0f}/s", bare, rate / insert_rate, COMMITS_TARGET)
    report(name, f"{rate:,.0f}/s", f"redis, appendfsync always {redis_rate:,.0f}/s", rate / redis_rate, REDIS_TARGET)


def compare_lengths(folder: Path) -> None:
    """Sends PATCHes without a reload to a long and a short list in turn and reports the medians."""
    with callboard(folder, folder / "lists", LOG_LEVEL="warning") as server:
        for director, count in SIZES.items():
            fill(server, director, count)
        server.settle()
        connection = KeepAlive(server.port)
        readings = {director: [] for director in SIZES}
        for request in range(REQUESTS):
            for director, count in SIZES.items():
                # 7,919 is prime to both lengths: no element twice, and none near the one before.
                number = request * 7919 % count
                path = f"/v1/directors/{director}/sections/{SECTION}/elements/{identifier(number)}"
                nanoseconds, answer = connection.patch(path, b'{"score":%d}' % (5_000_000 + request))
                if not answer.startswith(b"HTTP/1.1 200 "):
                    raise SystemExit(f"PATCH {path} answered {answer[:500]!r}")
                readings[director].append(nanoseconds)
        large, small = (statistics.median(readings[name]) / 1000 for name in ("large", "small"))
        report(f"durable PATCH in 1 x {SIZES['large']:,}, median of {REQUESTS:,}", f"{large:.1f} us",
               f"in 1 x {SIZES['small']:,} {small:.1f} us", large / small, LARGE_TARGET, at_most=True)


def main() -> None:
    with workspace(Path(os.environ["COMMITS_BIN"]).parent) as name:
        compare_rates(Path(name) / "disk", ROUNDS)
        with slow_syncs():
            compare_rates(Path(name) / "slow", SLOW_ROUNDS, f", syncs {SLOW_SYNC_MICROSECONDS / 1000:.0f} ms longer")
        compare_lengths(Path(name))


if __name__ == "__main__":
    main()
