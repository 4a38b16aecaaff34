#!/usr/bin/env python3
"""Damages copies of a data folder, and checks that the server either has everything or says what is broken, and where.

A server takes mutations one after the other and is killed, so that the end of its write-ahead log is known for each of
them; a second folder is that of a server that was stopped in order, with everything in the database file. Then, in a
copy each: the log is cut at every page of its last transaction and in the middle of it, bytes are flipped in the log
and in the database, the database is cut short. What starts must have every mutation of the transactions before the
damage, and be exactly what the list was at one moment. What does not start must end with a message that names the file
and the place. A byte that is flipped with two transactions or more behind it cannot be taken for an end that was never
written: there nothing may be missing.
"""

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.dice import Dice
from harness.model import ListModel
from harness.options import begin_run, end_run, parser_of, program_of
from harness.process import DidNotStart, Server
from harness.verify import differences, read
from harness.wal import FRAME_HEADER, HEADER, WriteAheadLog
from harness.wire import Connection
from harness.witness import Witness
from harness.writer import Writer

# A place is a row, a page or a byte by its number, or a part of the file that there is once.
PLACE = re.compile(
    r"\b(page|frame|byte|offset|row|record|sequence|life|chunk|snapshot|answer|mark)s?\b\D{0,24}\d"
    r"|\b(header|freelist|schema)\b|\btable\s+\W?\w+", re.I)


@dataclass
class Original:
    """A folder as a server left it, and how the list was after each acknowledged mutation."""

    data: Path
    writer: Writer
    moments: list[tuple[int, ListModel]] = field(default_factory=list)

    def file(self, suffix: str) -> Path:
        """The largest file whose name ends so: of several databases the one that holds the content."""
        found = [each for each in self.data.rglob("*") if each.is_file() and each.name.endswith(suffix)
                 and (suffix or not each.name.endswith(("-wal", "-shm", ".lock")))]
        return max(found, key=lambda each: each.stat().st_size)


@dataclass
class Damage:
    """One thing that is done to a copy: what must be there at least is the list after `least` mutations."""

    name: str
    file: str
    apply: Callable[[Path], None]
    least: int


def log_size(data: Path) -> int:
    return max((each.stat().st_size for each in data.rglob("*-wal")), default=0)


def make(program: str, folder: Path, rng: random.Random, mutations: int, is_killed: bool,
         environment: dict[str, str]) -> Original:
    """Lets a server take mutations and ends it."""
    data = folder / "data"
    data.mkdir(parents=True)
    server = Server(program, str(data), folder / "server.log", environment=environment)
    writer = Writer("writer", Dice(rng, "list", "writer"), ListModel(exists=False), Witness(), folder / "writer.jsonl",
                    depth=1)
    original = Original(data, writer)
    server.start()
    try:
        with Connection(server.port) as connection:
            while writer.acknowledged < mutations:
                before = writer.acknowledged
                writer.step(connection)
                if writer.acknowledged > before:
                    original.moments.append((log_size(data), writer.sure))
    finally:
        server.kill() if is_killed else server.stop()
        writer.close()
    if writer.witness.faults:
        raise AssertionError("; ".join(writer.witness.faults))
    return original


def cut(size: int) -> Callable[[Path], None]:
    """Makes a file shorter."""
    def apply(path: Path) -> None:
        with path.open("r+b") as file:
            file.truncate(size)
    return apply


def flip(offset: int, bit: int) -> Callable[[Path], None]:
    """Turns one bit round."""
    def apply(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ (1 << bit)]))
    return apply


def log_damages(original: Original, rng: random.Random, flips: int) -> Iterator[Damage]:
    """What is done to the log of a server that was killed."""
    path = original.file("-wal")
    log = WriteAheadLog(path)
    transactions, step = log.transactions(), FRAME_HEADER + log.page_size
    name, whole = path.name, len(original.moments)

    def complete(size: int) -> int:
        return sum(end <= size for end, _ in original.moments)

    for number, frame in enumerate(transactions[-1]):
        for place in (frame.offset, frame.offset + rng.randrange(1, step)):
            yield Damage(f"{name} cut at byte {place}, page {number} of its last transaction", name, cut(place),
                         complete(place))
    end = transactions[-1][-1].offset + step
    places = [rng.randrange(HEADER)] + [rng.randrange(HEADER, end) for _ in range(flips)]
    places += [rng.choice(rng.choice(transactions)).offset + rng.randrange(FRAME_HEADER) for _ in range(flips // 3)]
    for place in places:
        broken = next((index for index, each in enumerate(transactions) if each[-1].offset + step > place), 0)
        is_last = place >= HEADER and broken >= len(transactions) - 2
        least = complete(transactions[broken][0].offset) if is_last else whole
        yield Damage(f"{name} with a bit flipped in byte {place}", name, flip(place, rng.randrange(8)), least)


def database_damages(original: Original, rng: random.Random, flips: int) -> Iterator[Damage]:
    """What is done to the database of a server that was stopped in order: nothing may be missing after any of it."""
    path = original.file("")
    size, name, whole = path.stat().st_size, path.name, len(original.moments)
    pages = size // 4096
    for page in sorted({max(1, pages // 2), *range(max(1, pages - 3), pages)}):
        yield Damage(f"{name} cut at page {page} of {pages}", name, cut(page * 4096), whole)
    yield Damage(f"{name} cut in the middle of its last page", name, cut(size - 2048), whole)
    for place in [rng.randrange(100) for _ in range(flips // 5)] + [rng.randrange(size) for _ in range(flips)]:
        yield Damage(f"{name} with a bit flipped in byte {place}", name, flip(place, rng.randrange(8)), whole)


def says_where(text: str, damage: Damage) -> bool:
    """Whether a message names the file and a place in it."""
    stem = damage.file.removesuffix("-wal")
    return any(stem in line and PLACE.search(line) for line in text.splitlines())


def judge(program: str, original: Original, damage: Damage, copy: Path,
          environment: dict[str, str]) -> tuple[str, str | None]:
    """What became of a damaged copy, in a word, and what is wrong with that."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(original.data, copy / "data")
    for shared in (copy / "data").rglob("*-shm"):
        shared.unlink()
    damage.apply(next((copy / "data").rglob(damage.file)))
    server = Server(program, str(copy / "data"), copy / "server.log", environment=environment)
    try:
        server.start()
        with Connection(server.port) as connection:
            found = read(connection, original.writer.director)
    except DidNotStart as refusal:
        if refusal.status is None or refusal.status <= 0:
            return "refused", f"the server ended with status {refusal.status}, not with a message:\n{refusal.log}"
        if not says_where(refusal.log, damage):
            return "refused", f"the message does not name the file and the place:\n{refusal.log}"
        return "refused", None
    except AssertionError as error:
        return "started", f"it starts and cannot be read: {error}"
    finally:
        server.kill()
    for count in range(len(original.moments), -1, -1):
        model = original.moments[count - 1][1] if count else ListModel(exists=False)
        if not differences(original.writer, model, found):
            lost = damage.least - count
            return "started", f"it starts without {lost} mutations and says nothing" if lost > 0 else None
    wrong = differences(original.writer, original.moments[-1][1], found)
    return "started", "it starts with a list that never was: " + "; ".join(wrong[:6])


def checked(program: str, copy: Path) -> int | None:
    """The exit status of `callboard check` on a folder; None where the program has no such command."""
    described = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=30).stdout
    if not re.search(r"^\s+check\b", described, re.M):
        return None
    return subprocess.run([program, "check", str(copy / "data")], capture_output=True, timeout=60).returncode


def run(program: str, folder: Path, seed: int, flips: int, mutations: int = 60,
        environment: dict[str, str] | None = None) -> tuple[list[str], dict[str, int]]:
    """All damages, one after the other: the faults, and how often what became of a copy."""
    rng, environment = random.Random(seed), environment or {}
    faults, counts = [], {}
    killed = make(program, folder / "killed", rng, mutations, True, environment)
    stopped = make(program, folder / "stopped", rng, mutations, False, environment)
    todo = [(killed, each) for each in log_damages(killed, rng, flips)]
    todo += [(stopped, each) for each in database_damages(stopped, rng, flips)]
    for number, (original, damage) in enumerate(todo):
        copy = folder / f"copy-{number}"
        result, fault = judge(program, original, damage, copy, environment)
        counts[result] = counts.get(result, 0) + 1
        if fault is None and result == "refused" and checked(program, copy) == 0:
            fault = "the server refuses the folder and `check` finds nothing wrong"
        if fault:
            faults.append(f"{damage.name}: {fault}\n    kept in {copy}")
        else:
            shutil.rmtree(copy)
    return faults, counts


def main() -> int:
    parser = parser_of(__doc__, "faulty copies are kept")
    parser.add_argument("--flips", type=int, default=60, help="bits to flip in each of both files (default: 60)")
    parser.add_argument("--mutations", type=int, default=60, help="how many are stored first (default: 60)")
    options = parser.parse_args()
    folder = begin_run(options, "damage")
    try:
        faults, counts = run(program_of(options), folder, options.seed, options.flips, options.mutations)
    except DidNotStart as refusal:
        sys.exit(f"nothing is damaged yet, and {refusal}")
    return end_run(folder, faults, ", ".join(f"{count} {name}" for name, count in counts.items()),
                   f"again: Tests/Durability/damage.py --seed {options.seed} --flips {options.flips}")


if __name__ == "__main__":
    sys.exit(main())
