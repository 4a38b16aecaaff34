#!/usr/bin/env python3
"""Makes the disk fail below a server, and checks that it neither lies nor needs a restart.

While calls fail: a mutation answers 507 or 503 as a problem and has not happened, reads show what was acknowledged,
and /readyz answers 503. Once the disk is well again mutations are accepted and /readyz answers 200, without a restart.
It is killed now and then, before or after that, and then everything has to be there that was acknowledged and nothing
that was refused. A failed sync leaves open what is on the disk: a server that does not know may let such a mutation
wait for its answer, but it may neither show it nor refuse it before it does.
"""

import argparse
import errno
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from harness.crew import Crew
from harness.disk import SIZES, SYNCS, WRITES, Disk
from harness.mutation import Mutation
from harness.options import add_program, program_of
from harness.process import DidNotStart, Server
from harness.wire import Connection, Cut

# How soon readiness has to tell, and how soon a disk that is well again has to be found out, in seconds.
NOTICE_LIMIT, RECOVERY_LIMIT = 5.0, 20.0


@dataclass
class Case:
    """One way in which a disk fails."""

    name: str
    error: int
    kinds: int
    latest: int = 0
    partial: bool = False


CASES = [
    Case("no room", errno.ENOSPC, WRITES | SIZES),
    Case("no room after a while", errno.ENOSPC, WRITES | SIZES, latest=40),
    Case("no room for all of a write", errno.ENOSPC, WRITES, latest=10, partial=True),
    Case("writes fail", errno.EIO, WRITES, latest=10),
    Case("the folder is read-only", errno.EROFS, WRITES | SIZES),
    Case("syncs fail", errno.EIO, SYNCS),
    Case("syncs fail after a while", errno.EIO, SYNCS, latest=20),
    Case("everything fails", errno.EIO, WRITES | SYNCS | SIZES, latest=5),
]


def readiness(port: int) -> int:
    with Connection(port) as connection:
        return connection.get("/readyz").status


def wait_for(condition, limit: float) -> bool:
    """Whether a condition came to hold within the limit."""
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def suffer(crew: Crew, disk: Disk, case: Case, rng: random.Random, patience: float) -> None:
    """Lets the disk fail while the writers work, and checks what the server says and shows."""
    fault, before, limit = crew.witness.fault, crew.counts()["failed"], NOTICE_LIMIT * patience
    crew.begin()
    time.sleep(rng.uniform(0, 0.1))
    disk.fail(case.error, case.kinds, rng.randint(0, case.latest), case.partial)
    port = crew.server.port
    if not wait_for(lambda: crew.counts()["failed"] > before, 1) and not wait_for(lambda: refuses(port), limit):
        fault(f"{case.name}: {disk.failed} calls failed and every mutation was accepted" if disk.failed else
              f"{case.name}: the server did not touch its folder")
    if not wait_for(lambda: readiness(port) == 503, limit):
        fault(f"{case.name}: /readyz answers {readiness(port)} while nothing can be stored")
    time.sleep(rng.uniform(0.05, 0.2))
    crew.rest(1)
    crew.check_reads()


def refuses(port: int) -> bool:
    """Whether a mutation of somebody else is refused; it is for the case that all writers wait for their answers."""
    with Connection(port) as connection:
        return connection.call(Mutation("bystander", [{"op": "createDirector"}]).request()).status in (503, 507)


def recover(crew: Crew, case: Case, patience: float) -> None:
    """Waits until mutations are accepted again, with one of each writer."""
    port, deadline = crew.server.port, time.monotonic() + RECOVERY_LIMIT * patience
    with Connection(port) as connection:
        for writer in crew.writers:
            done = writer.acknowledged
            while writer.acknowledged == done and time.monotonic() < deadline:
                writer.step(connection)
                time.sleep(0.005)
            if writer.acknowledged == done:
                writer.fault(f"{case.name}: the disk is well again and nothing is accepted")
    if not wait_for(lambda: readiness(port) == 200, NOTICE_LIMIT * patience):
        crew.witness.fault(f"{case.name}: the disk is well again and /readyz answers {readiness(port)}")


def play(program: str, folder: Path, seed: int, number: int, environment: dict[str, str] | None = None,
         cases: list[Case] = CASES, patience: float = 1) -> tuple[list[str], dict[str, int]]:
    """One round: every case once, in a random order, with kills in between; the faults and what was done.

    `patience` is what the limits are multiplied by.
    """
    rng = random.Random(f"{seed}/{number}")
    data = folder / "data"
    data.mkdir(parents=True)
    disk = Disk(folder, data)
    server = Server(program, str(data), folder / "server.log", environment=disk.environment | (environment or {}))
    crew = Crew(server, folder, rng, tolerates_failures=True, depth=1)
    for writer in crew.writers:
        writer.pause = 0.004
    try:
        server.start()
        crew.set_up()
        for case in rng.sample(cases, len(cases)):
            suffer(crew, disk, case, rng, patience)
            dies = rng.random() < 0.4
            if not dies:
                disk.heal()
                crew.end()
                recover(crew, case, patience)
            if dies or rng.random() < 0.4:
                server.kill()
                disk.heal()
                crew.end()
                server.start()
                crew.verify()
            if crew.witness.faults:
                break
        else:
            crew.converge()
    except (DidNotStart, Cut) as error:
        crew.witness.fault(f"{type(error).__name__}: {error}")
    finally:
        crew.close()
        server.kill()
        disk.close()
    return crew.witness.faults, crew.counts()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds (default: 3)")
    parser.add_argument("--round", type=int, help="this round alone")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--folder", type=Path, help="where rounds have their folders (default: a temporary one)")
    options = parser.parse_args()
    keep = (options.folder or Path(tempfile.mkdtemp(prefix="callboard-writes-"))).resolve()
    numbers = range(options.rounds) if options.round is None else [options.round]
    print(f"seed {options.seed}, rounds in {keep}", flush=True)
    for number in numbers:
        folder = keep / f"round-{number}"
        faults, counts = play(program_of(options), folder, options.seed, number)
        print(f"round {number}: " + ", ".join(f"{count} {name}" for name, count in counts.items()), flush=True)
        if faults:
            print(f"round {number} FAILED; everything about it is in {folder}")
            print("\n".join(f"  - {fault}" for fault in faults))
            print(f"again: Tests/Durability/failing_writes.py --seed {options.seed} --round {number}")
            return 1
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
