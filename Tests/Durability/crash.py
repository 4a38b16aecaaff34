#!/usr/bin/env python3
"""Kills a server at random moments, starts it again on the same folder, and checks that nothing told was untrue.

A round is a folder of its own: writers, subscribers and a reader work on a server, which is killed, mostly by SIGKILL,
now and then in the middle of an orderly end or of the start that follows. After each start everything is compared with
what the clients were told. A round that fails keeps its folder (the data, also as it was after the last kill, a log of
every request, the log of the server) and prints how to run it again; the moments of the kills are drawn from the seed,
what the machine does meanwhile is not.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.crew import Crew
from harness.disk import Disk
from harness.options import add_program, program_of
from harness.postgres import Postgres
from harness.process import DidNotStart, Server

# The shortest time that writers work before a kill, in seconds.
SHORTEST = 0.05


@dataclass
class Terms:
    """What rounds have in common.

    `kills` in each are a random number unless given; 0 leaves the server alone. `longest` is the longest time that
    writers work before a kill, in seconds. A view is followed where the server has views. The content is in `database`
    where there is one, which is killed now and then.
    """

    kills: int | None = None
    loses_power: bool = False
    in_memory: bool = False
    database: Postgres | None = None
    has_views: bool = True
    longest: float = 0.9
    environment: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """What a round found and did."""

    number: int
    faults: list[str]
    counts: dict[str, int] = field(default_factory=dict)
    folder: Path | None = None


def start_with_accidents(
        server: Server, rng: random.Random, disk: Disk | None, database: Postgres | None = None) -> int:
    """Starts the server, which may be killed once or twice on its way; how often it was."""
    accidents = 0
    while accidents < 2 and rng.random() < 0.25:
        server.spawn()
        time.sleep(rng.uniform(0, 0.15))
        server.kill()
        if disk:
            disk.lose_power(rng)
        accidents += 1
    if database:
        database.expire_lease()
    server.start()
    return accidents


def end(server: Server, rng: random.Random, disk: Disk | None) -> int:
    """Ends the server: mostly at once, sometimes in order, sometimes in the middle of that.

    Returns the exit status of an orderly end, otherwise 0.
    """
    way, status = rng.random(), 0
    if way < 0.08:
        status = server.stop()
    elif way < 0.2:
        server.process.terminate()
        time.sleep(rng.uniform(0, 0.05))
    server.kill()
    if disk:
        disk.lose_power(rng)
    return status


def kill_database(database: Postgres, rng: random.Random) -> int:
    """Kills the database under the writers, mostly, and starts it again; how often it was."""
    if rng.random() < 0.3:
        return 0
    database.kill()
    time.sleep(rng.uniform(0, 0.3))
    database.start()
    time.sleep(rng.uniform(0, 0.5))
    return 1


def keep_as_killed(folder: Path) -> None:
    """Copies the data before the next start changes it, so that a round that fails can be looked into."""
    shutil.rmtree(folder / "data-as-killed", ignore_errors=True)
    shutil.copytree(folder / "data", folder / "data-as-killed")


def play(program: str, folder: Path, seed: int, number: int, terms: Terms) -> Result:
    """One round in `folder`."""
    rng = random.Random(f"{seed}/{number}")
    data, kills = folder / "data", terms.kills
    data.mkdir()
    disk = Disk(folder, data, records=True) if terms.loses_power else None
    database = terms.database
    environment = terms.environment | (disk.environment if disk else {})
    if database:
        database.make_database()
        environment |= {"CALLBOARD_JOURNAL_URL": database.url}
    server = Server(
        program, "memory" if terms.in_memory else str(data), folder / "server.log", {"FEED_HEARTBEAT": "0.1"}, environment)
    # A change that is not stored fails those that were sent behind it: with a database, one is sent at a time.
    crew = Crew(server, folder, rng, tolerates_failures=database is not None, depth=1 if database else 3,
                has_views=terms.has_views)
    done = {"kills": 0, "kills while starting": 0, "kills of the database": 0}
    try:
        server.start()
        crew.set_up()
        for _ in range(rng.randint(1, 3) if kills is None else max(1, kills)):
            crew.begin()
            time.sleep(rng.uniform(SHORTEST, terms.longest))
            if database:
                done["kills of the database"] += kill_database(database, rng)
            if kills != 0:
                if status := end(server, rng, disk):
                    crew.witness.fault(f"told to stop, the server ended with status {status}")
                done["kills"] += 1
            crew.end()
            if kills != 0:
                keep_as_killed(folder)
                done["kills while starting"] += start_with_accidents(server, rng, disk, database)
            crew.verify()
            if crew.witness.faults:
                break
        else:
            crew.converge()
    except DidNotStart as refusal:
        crew.witness.fault(str(refusal))
    except Exception as error:
        crew.witness.fault(f"{type(error).__name__}: {error}")
    finally:
        crew.close()
        server.kill()
        if database and crew.witness.faults:
            database.dump(folder / "lists.sql")
    return Result(number, crew.witness.faults, crew.counts() | done, folder)


def run(program: str, seed: int, numbers: range, keep: Path, terms: Terms,
        until: float | None = None) -> list[Result]:
    """Plays rounds until one fails, all are done, or the time is over; folders of good rounds are removed."""
    results = []
    for number in numbers:
        if until is not None and time.monotonic() > until:
            break
        folder = keep / f"round-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        result = play(program, folder, seed, number, terms)
        results.append(result)
        if result.faults:
            break
        shutil.rmtree(folder)
    return results


def report(results: list[Result], seed: int, more: str = "") -> str:
    """What was done, and for a round that failed what was wrong and how to run it again."""
    total: dict[str, int] = {}
    for result in results:
        for name, count in result.counts.items():
            total[name] = total.get(name, 0) + count
    lines = [f"{len(results)} rounds, seed {seed}: " + ", ".join(f"{count} {name}" for name, count in total.items())]
    for result in results:
        if result.faults:
            lines.append(f"round {result.number} FAILED; everything about it is in {result.folder}")
            lines += [f"  - {fault}" for fault in result.faults]
            lines.append(f"again: Tests/Durability/crash.py --seed {seed} --round {result.number}{more}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    parser.add_argument("--rounds", type=int, default=20, help="how many rounds (default: 20; the long form is 500)")
    parser.add_argument("--round", type=int, help="this round alone")
    parser.add_argument("--kills", type=int,
                        help="kills in each round (default: one to three; 0 checks a server left alone)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="what the rounds are drawn from (default: another one each time)")
    parser.add_argument("--folder", type=Path, help="where rounds have their folders (default: a temporary one)")
    parser.add_argument("--memory", action="store_true", help="run the server without a disk: this has to fail")
    parser.add_argument("--database", action="store_true",
                        help="keep the content in PostgreSQL, which is killed now and then under the writers")
    parser.add_argument("--power", action="store_true",
                        help="each kill is a loss of power: what was written and not synced may be lost")
    options = parser.parse_args()
    keep = options.folder or Path(tempfile.mkdtemp(prefix="callboard-crash-"))
    numbers = range(options.rounds) if options.round is None else range(options.round, options.round + 1)
    print(f"seed {options.seed}, rounds in {keep}", flush=True)
    # The database's user has to reach its folder.
    keep.chmod(0o755)
    database = Postgres(keep.resolve() / "pg") if options.database else None
    terms = Terms(options.kills, options.power, options.memory, database)
    try:
        results = run(program_of(options), options.seed, numbers, keep.resolve(), terms)
    finally:
        if database:
            database.stop()
    more = (" --power" if options.power else "") + (" --database" if options.database else "")
    print(report(results, options.seed, more))
    if any(result.faults for result in results):
        return 1
    if options.folder is None:
        shutil.rmtree(keep)
    return 0


if __name__ == "__main__":
    sys.exit(main())
