"""The start of a server with 1,000,000 elements in its data folder, against reading and parsing the same rows."""

import json
import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from harness import callboard, report, workspace
from large import SIZES, fill

ROUNDS = 5
TARGET = 3.0
DIRECTOR = "large"


def read_rows(data: Path) -> tuple[float, dict[str, int]]:
    """How long a program takes that reads every row in order and parses the JSON in it, and what it has read."""
    begin = time.perf_counter()
    output = subprocess.run([os.environ["ROWS_BIN"], str(data / "callboard.db")], stdout=subprocess.PIPE, text=True,
                            timeout=120, check=True).stdout
    seconds = time.perf_counter() - begin
    words = output.split()
    return seconds, dict(zip(words[::2], map(int, words[1::2])))


def start(folder: Path, data: Path, elements: int, killed: bool = False) -> float:
    """How long a server takes from its start until it listens; it has to hold so many elements then.

    It is stopped again, or killed, so that it leaves its log as it was.
    """
    with callboard(folder, data, LOG_LEVEL="warning") as server:
        if elements:
            counts = json.loads(server.call("GET", f"/v1/directors/{DIRECTOR}"))["counts"]
            if counts != {"sections": 1, "elements": elements}:
                raise SystemExit(f"the server was started with {elements} elements stored, and holds {counts}")
        if killed:
            server.process.kill()
        return server.start_seconds


def load(folder: Path, killed: Path, stopped: Path) -> None:
    """Brings the elements in batches, and leaves them as a server does that is killed, partly in a snapshot and partly
    in the log, and as one that is stopped."""
    with callboard(folder, killed, LOG_LEVEL="warning") as server:
        fill(server, DIRECTOR, SIZES[DIRECTOR])
        server.settle()
        server.process.kill()
    shutil.copytree(killed, stopped)
    # What a start finds to be dropped is dropped before the rounds, so that each of them reads the same.
    with callboard(folder, killed, LOG_LEVEL="warning") as server:
        server.settle()
        server.process.kill()
    for _ in range(2):
        with callboard(folder, stopped, LOG_LEVEL="warning") as server:
            server.settle()


def compare(folder: Path, data: Path, empty: Path, killed: bool) -> None:
    """Reports what a start takes on one data folder."""
    # The first of each brings the file into the page cache.
    start(folder, data, SIZES[DIRECTOR], killed)
    read_rows(data)
    rounds = [
        (start(folder, data, SIZES[DIRECTOR], killed), read_rows(data), start(folder, empty, 0)) for _ in range(ROUNDS)
    ]
    starts, readings, fixed = zip(*rounds)
    seconds = statistics.median(starts)
    yardstick = statistics.median(reading[0] for reading in readings)
    if any(reading[1] != readings[0][1] for reading in readings):
        raise SystemExit(f"the data folder changed between the rounds: {[reading[1] for reading in readings]}")
    read = readings[0][1]
    print(f"read: {read['rows']:,} rows; {read['snapshot_bytes'] / 1e6:,.1f} MB of a snapshot with "
          f"{read['values']:,} values, {read['record_bytes'] / 1e6:,.1f} MB of log with {read['operations']:,} "
          f"operations after it; {read['parsed_bytes'] / 1e6:,.1f} MB parsed as JSON")
    print(f"starts: {', '.join(f'{each:.2f}' for each in starts)} s; "
          f"of an empty folder {statistics.median(fixed) * 1000:.0f} ms")
    end = "killed" if killed else "stopped"
    report(f"start with {SIZES[DIRECTOR]:,} elements of a server that was {end}", f"{seconds * 1000:,.0f} ms",
           f"reading and parsing the rows {yardstick * 1000:,.0f} ms", seconds / yardstick, TARGET, at_most=True)


def main() -> None:
    with workspace(Path(os.environ["ROWS_BIN"]).parent) as name:
        folder = Path(name)
        killed, stopped, empty = folder / "killed", folder / "stopped", folder / "empty"
        load(folder, killed, stopped)
        start(folder, empty, 0)
        compare(folder, stopped, empty, killed=False)
        compare(folder, killed, empty, killed=True)


if __name__ == "__main__":
    main()
