"""The Swift client's sparse list of 1,000,000 rows with its first screen, against a whole list of one screen and one of all.

One server, one process of the client, the lists opened in turn over connections of their own.
"""

import json
import os
import statistics
import subprocess
from pathlib import Path

from harness import HOST, callboard, report, workspace
from large import fill

SIZES = {"large": 1_000_000, "small": 100}


def main() -> None:
    with workspace() as name, callboard(Path(name), LOG_LEVEL="warning") as server:
        for director, count in SIZES.items():
            fill(server, director, count)
        server.settle()
        probe = [os.environ["BENCHMARKS_BIN"], "opening-probe", f"http://{HOST}:{server.port}"]
        text = subprocess.run(probe, check=True, stdout=subprocess.PIPE, text=True).stdout
        sparse, small, whole = (statistics.median(json.loads(text)[each]) * 1000 for each in ("sparse", "small", "whole"))
        ours = f"{sparse:.1f} ms"
        report("Swift client: 100 rows of a sparse list of 1,000,000", ours, f"a list of 100 {small:.1f} ms", sparse / small,
               4.0, at_most=True)
        report("Swift client: 100 rows of a sparse list of 1,000,000", ours, f"the whole list {whole:.0f} ms", whole / sparse,
               100.0)


if __name__ == "__main__":
    main()
