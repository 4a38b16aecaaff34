#!/usr/bin/env python3
"""Works a server steadily for a long time, and checks that it does not grow.

First the server is filled: until every director has as many versions and remembered answers as it keeps, so that the
oldest are forgotten from the first measured minute on. Then writers, reloads and subscribers that come and go work at
a steady rate, and resident memory, the bytes in the data folder and open descriptors are sampled.

Each has to level off. Every sample is taken for the highest of the ten that end with it, so that the teeth of a saw,
such as those of a write-ahead log, do not count. Through the second half of the 60 samples a straight line is laid
(least squares). From the one end of that half to the other it may not rise by more than a share of the mean or a fixed
amount, whichever is more: 8% or 4 MiB of memory, 10% or 8 MiB of disk, 4 descriptors.
"""

import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from harness.crew import Crew
from harness.options import begin_run, end_run, parser_of, program_of
from harness.process import DidNotStart, Server

MIB = 1 << 20
SAMPLES, WINDOW = 60, 10
# Few enough to be reached in the time that filling may take.
SETTINGS = {"FEED_RETAINED_VERSIONS": "64"}
# As many answers as a director remembers, and some more; and how many seconds that may take on a slow disk.
KEYED, FILL_LIMIT = 4500, 600.0


@dataclass
class Measure:
    """Something that has to level off: by how much it may rise, as a share and at least."""

    name: str
    share: float
    least: float
    unit: float


MEASURES = [
    Measure("memory (MiB)", 0.08, 4 * MIB, MIB), Measure("disk (MiB)", 0.10, 8 * MIB, MIB),
    Measure("descriptors", 0, 4, 1)]


def rise(values: list[float]) -> float:
    """By how much a straight line through evenly spaced values rises from the first to the last of them."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    spread = sum((index - middle) ** 2 for index in range(count))
    slope = sum((index - middle) * (value - mean) for index, value in enumerate(values)) / spread
    return slope * (count - 1)


def levels_off(values: list[float], measure: Measure) -> tuple[bool, float, float]:
    """Whether the second half keeps its level; its rise, and how much that may be."""
    highest = [max(values[max(0, end - WINDOW):end]) for end in range(1, len(values) + 1)]
    half = highest[len(values) // 2:]
    allowed = max(measure.share * sum(half) / len(half), measure.least)
    risen = rise(half)
    return risen <= allowed, risen, allowed


def sample(server: Server, data: Path) -> list[float]:
    """Resident memory, bytes in the folder, open descriptors."""
    process = Path(f"/proc/{server.process.pid}")
    resident = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
    disk = 0
    for path in data.rglob("*"):
        try:
            disk += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return [int(resident.split()[1]) * 1024, disk, len(list((process / "fd").iterdir()))]


def fill(crew: Crew, keyed: int, limit: float) -> bool:
    """Works at full speed until as much is kept as ever will be; whether that was reached within the limit."""
    crew.begin()
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline and any(each.keyed < keyed for each in crew.writers if each.is_exact
                                              and not each.dice.churns):
        time.sleep(0.1)
    reached = time.monotonic() < deadline
    crew.end()
    return reached


def work(crew: Crew, data: Path, duration: float) -> list[list[float]]:
    """Works steadily and samples."""
    samples: list[list[float]] = []
    for writer in crew.writers:
        # About 150 mutations a second of all writers together.
        writer.pause = 0.04
    crew.begin()
    began = time.monotonic()
    for number in range(SAMPLES):
        time.sleep(max(0, began + duration * (number + 1) / SAMPLES - time.monotonic()))
        samples.append(sample(crew.server, data))
        if crew.witness.faults:
            break
    crew.end()
    return samples


def table(samples: list[list[float]]) -> str:
    """Six lines of samples, and how each measure fared."""
    lines = ["sample  " + "  ".join(f"{measure.name:>14}" for measure in MEASURES)]
    for number in sorted({round(each * (len(samples) - 1) / 5) for each in range(6)}):
        values = "  ".join(f"{value / measure.unit:14.1f}" for value, measure in zip(samples[number], MEASURES))
        lines.append(f"{number + 1:>6}  {values}")
    for index, measure in enumerate(MEASURES):
        good, risen, allowed = levels_off([each[index] for each in samples], measure)
        lines.append(f"{measure.name}: {risen / measure.unit:+.2f} over the second half, {allowed / measure.unit:.2f} "
                     f"allowed: {'levels off' if good else 'GROWS'}")
    return "\n".join(lines)


def run(program: str, folder: Path, seed: int, duration: float, in_memory: bool = False, keyed: int = KEYED,
        environment: dict[str, str] | None = None) -> tuple[list[str], str]:
    """Fills, works, samples, and checks as a crash test does at its end; the faults and the table."""
    data = folder / "data"
    data.mkdir(parents=True)
    server = Server(program, "memory" if in_memory else str(data), folder / "server.log", SETTINGS, environment)
    crew = Crew(server, folder, random.Random(seed), retained=int(SETTINGS["FEED_RETAINED_VERSIONS"]), logs=False)
    samples: list[list[float]] = []
    try:
        server.start()
        crew.set_up()
        if not fill(crew, keyed, limit=max(FILL_LIMIT, duration)):
            crew.witness.fault("the server is too slow to be filled in the time there is; give it a longer --duration")
        samples = work(crew, data, duration)
        if not crew.witness.faults:
            crew.verify()
            crew.converge()
    except DidNotStart as refusal:
        crew.witness.fault(str(refusal))
    finally:
        crew.close()
        server.kill()
    faults = crew.witness.faults
    if len(samples) == SAMPLES:
        faults += [f"{measure.name} does not level off" for index, measure in enumerate(MEASURES)
                   if not levels_off([each[index] for each in samples], measure)[0]]
    counts = ", ".join(f"{count} {name}" for name, count in crew.counts().items())
    return faults, f"{counts}\n{table(samples)}" if len(samples) == SAMPLES else counts


def main() -> int:
    parser = parser_of(__doc__, "the data is")
    parser.add_argument("--duration", type=float, default=120,
                        help="seconds after the server was filled (default: 120; the long form is 3600)")
    parser.add_argument("--memory", action="store_true", help="run the server without a disk")
    options = parser.parse_args()
    folder = begin_run(options, "soak")
    return end_run(folder, *run(program_of(options), folder, options.seed, options.duration, options.memory))


if __name__ == "__main__":
    sys.exit(main())
