"""Two programs under the same loads in alternating rounds: the processor time of each for a request.

    compare.py PROGRAM      beside the one of CALLBOARD_BIN

Requests are those of one wrk over 64 connections; each server has one loop, and the same seed for its hash tables. Processor
time is that of all threads of a server, in user space and in the kernel, over a round.
"""

import os
import statistics
import sys
from contextlib import ExitStack
from pathlib import Path

import rates
from harness import callboard, report, workspace

ROUNDS = 9
SECONDS = 2
# What a change may cost at most before it has to be explained; a round differs by about 2 percent on a quiet machine.
TARGET = 1.03

PATCH, EVENT = "patch.lua", "event.lua"
EVENT_SCRIPT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"event":"didSelect","indexPath":[50,49]}'
"""
# Name, script, path, where the lists are kept.
LOADS = [
    ("GET", None, rates.ELEMENT, "memory"),
    ("PATCH", PATCH, rates.ELEMENT, "memory"),
    ("PATCH with reload", PATCH, rates.ELEMENT + "?reload=true", "memory"),
    ("event", EVENT, "/v1/directors/bench/events", "memory"),
    ("PATCH with reload on the disk", PATCH, rates.ELEMENT + "?reload=true", "data"),
]


def cost(server, script: Path | None, path: str) -> float:
    """The processor time of a request over one round, in microseconds."""
    before = server.processor_seconds()
    rate = rates.wrk(server.port, path, script, seconds=SECONDS)
    return (server.processor_seconds() - before) / (rate * SECONDS) * 1e6


def main() -> None:
    programs = [os.environ["CALLBOARD_BIN"], sys.argv[1]]
    settings = {"SERVER_LOOPS": "1", "LOG_LEVEL": "warning"}
    os.environ["SWIFT_DETERMINISTIC_HASHING"] = "1"
    with workspace() as name:
        folder = Path(name)
        (folder / PATCH).write_text(rates.PATCH_SCRIPT)
        (folder / EVENT).write_text(EVENT_SCRIPT)
        for load, script, path, kept in LOADS:
            with ExitStack() as stack:
                servers = []
                for number, program in enumerate(programs):
                    own = folder / f"{load} {number}"
                    own.mkdir()
                    data = own / "data" if kept == "data" else kept
                    server = stack.enter_context(callboard(own, data, program=program, **settings))
                    rates.prepare(server)
                    servers.append(server)
                file = folder / script if script else None
                for server in servers:
                    cost(server, file, path)
                rounds = [[cost(server, file, path) for server in servers] for _ in range(ROUNDS)]
            ours, theirs = (statistics.median(column) for column in zip(*rounds))
            ratio = statistics.median(mine / other for mine, other in rounds)
            report(f"processor time of {load}", f"{ours:.2f} µs", f"{theirs:.2f} µs", ratio, TARGET, at_most=True)


if __name__ == "__main__":
    main()
