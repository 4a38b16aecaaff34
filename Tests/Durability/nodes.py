#!/usr/bin/env python3
"""Lets several nodes share three PostgreSQL servers, has faults come over all of them, and checks what clients were told.

Each node and each database has a machine of its own, a network namespace, where this machine allows that. In a round writers
change lists at random nodes and repeat each change with its key until it is answered; movers move cards from one list to
another, which has to happen to both or neither; subscribers follow on one node after the other, also a view of one of the
lists; readers read, and no read may be older than what anybody has been told; reporters report events. Meanwhile a fault
comes, or two: a node is killed, stopped, paused, or joins; nodes are cut from the databases or from each other; the primary
is killed and a standby promoted; a standby is killed; the database ends connections, or has time-outs of a millisecond; all
nodes are killed at once, or restarted in turn. Where it is asked for, clocks jump, both standbys stand still, the database
refuses connections, or poolers are between nodes and databases and are killed. Then all rest, and everything is compared: the
nodes with each other, with what was acknowledged, with every subscriber's copy, and with the records in the database. A run
that fails keeps its folder with the logs of all servers.
"""

import asyncio
import contextlib
import random
import shutil
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.async_http import cancel, close_all
from harness.ledger import Ledger
from harness.network import Loopback
from harness.node_churn import Churner
from harness.node_faults import Faults
from harness.node_follower import Follower
from harness.node_hooks import Receiver, Reporter
from harness.node_mover import Mover
from harness.node_reader import Reader
from harness.node_requests import Caller
from harness.node_writer import Writer, set_up
from harness.nodes import Nodes
from harness.options import begin_run, end_run, parser_of, program_of
from harness.records import Records
from harness.settled import Inspector
from harness.view import VIEW, definition

KINDS = [*Faults.of_nodes, *Faults.of_connections]
REPORTERS, READERS, MOVERS = 3, 6, 2


@dataclass
class Terms:
    """How large a run is. `rate` is how many changes a second all writers try together."""

    seconds: float = 120
    writers: int = 20
    subscribers: int = 200
    nodes: int = 3
    churners: int = 3
    directors: int = 12
    rate: float = 40
    kinds: list[str] = field(default_factory=lambda: list(KINDS))
    loopback: bool = False


@dataclass
class Crew:
    """All clients of a run."""

    directors: list[str]
    writers: list[Writer]
    readers: list[Reader]
    reporters: list[Reporter]
    followers: list[Follower]
    receiver: Receiver
    churners: list[Churner]
    movers: list[Mover]
    following: list[asyncio.Task] = field(default_factory=list)

    @property
    def working(self) -> list[Caller]:
        """Those that work in a round, and rest at its end."""
        return [*self.writers, *self.readers, *self.reporters, *self.churners, *self.movers]

    async def work(self, stop: asyncio.Event) -> list[asyncio.Task]:
        """Begins to change lists and to report events."""
        return [asyncio.create_task(each.run(stop)) for each in self.working]

    async def close(self) -> None:
        """Ends all of them."""
        await cancel(self.following)
        await self.receiver.stop()
        for each in self.working:
            each.close()


async def gather(nodes: Nodes, ledger: Ledger, rng: random.Random, terms: Terms) -> Crew:
    """Makes the directors and the clients; the followers begin."""
    def dice() -> random.Random:
        return random.Random(rng.getrandbits(64))

    directors = [f"list{number}" for number in range(terms.directors)]
    writers = [Writer(f"w{number}", directors, nodes, ledger, dice(), terms.writers / terms.rate)
               for number in range(terms.writers)]
    readers = [Reader(f"reader{number}", nodes, ledger, dice(), 0.2) for number in range(READERS)]
    reporters = [Reporter(f"reporter{number}", directors[number::REPORTERS], nodes, ledger, dice(), 0.3)
                 for number in range(REPORTERS)]
    followers = []
    for number in range(terms.subscribers):
        followed = [directors[number % len(directors)]]
        if number % 10 == 9:
            followed.append(directors[(number + 1) % len(directors)])
        elif number % 20 == 4:
            followed = [VIEW]
        followers.append(Follower(f"subscriber{number}", followed, nodes, ledger, dice()))
    churners = [Churner(number, nodes, ledger, dice()) for number in range(terms.churners)]
    movers = [Mover(number, nodes, ledger, dice()) for number in range(MOVERS)]
    crew = Crew(directors, writers, readers, reporters, followers, Receiver(ledger, dice()), churners, movers)
    hook, caller = await crew.receiver.start(nodes.network.host), Caller("the founder", nodes, ledger, dice())
    for director in directors:
        await set_up(director, writers, caller, hook)
    await caller.until_answered("PUT", f"/v1/directors/{VIEW}", definition(directors[0]))
    caller.close()
    for mover in movers:
        await mover.set_up()
    crew.following = [asyncio.create_task(each.run()) for each in followers]
    return crew


async def play_round(crew: Crew, faults: Faults, inspector: Inspector, rng: random.Random) -> str:
    """One round; what happened in it."""
    stop = asyncio.Event()
    faults.struck = []
    inspector.ledger.waits, inspector.ledger.outages = [], []
    working = await crew.work(stop)
    await asyncio.sleep(rng.uniform(0.5, 2))
    try:
        told = await faults.strike()
        await asyncio.sleep(rng.uniform(0.5, 3))
    finally:
        stop.set()
        results = await asyncio.gather(*working, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            inspector.ledger.fault(f"a client ended: {type(result).__name__}: {result}")
    if any(each.done() for each in crew.following):
        inspector.ledger.fault("a subscriber ended")
    if not inspector.ledger.faults:
        await inspector.inspect()
    # Streams that were away are back by then.
    faults.measured.add_round(faults.struck, inspector.ledger.waits, inspector.ledger.outages)
    return told


async def play(nodes: Nodes, ledger: Ledger, seed: int, terms: Terms) -> list[str]:
    """Rounds until the time is over or something is wrong; what was measured, a line each."""
    rng, began = random.Random(seed), time.monotonic()
    records = Records(nodes.database)
    faults = Faults(nodes, ledger, random.Random(rng.getrandbits(64)), terms.kinds)
    crew = await gather(nodes, ledger, rng, terms)
    inspector = Inspector(nodes, ledger, crew.directors, crew.writers, crew.churners, crew.movers, crew.followers, records)
    try:
        while time.monotonic() - began < terms.seconds and not ledger.faults:
            ledger.counts["rounds"] += 1
            told = await play_round(crew, faults, inspector, rng)
            print(f"{time.monotonic() - began:6.1f} s, round {ledger.counts['rounds']}: {told}; "
                  f"{ledger.counts['acknowledged']} changes, {ledger.counts['faults']} faults", flush=True)
        if ledger.faults:
            await inspector.keep_evidence(nodes.folder / "evidence.txt")
    finally:
        await crew.close()
        inspector.close()
        await close_all()
    return faults.measured.lines()


def run(program: str, folder: Path, seed: int, terms: Terms) -> tuple[list[str], str]:
    """The faults, and what is to be shown."""
    ledger, measured = Ledger(), []
    spare, network = 1 if terms.nodes > 1 else 0, Loopback() if terms.loopback else None
    pgbouncer = shutil.which("pgbouncer")
    if "poolers_killed" not in terms.kinds:
        pgbouncer = None
    elif pgbouncer is None:
        sys.exit("PgBouncer is not installed (Debian: apt-get install pgbouncer)")
    has_clocks = "clocks_changed" in terms.kinds
    with contextlib.closing(Nodes(program, folder, terms.nodes, spare, network, has_clocks, pgbouncer)) as nodes:
        try:
            nodes.start()
            measured = asyncio.run(play(nodes, ledger, seed, terms))
        except Exception as error:
            ledger.fault(f"{type(error).__name__}: {error}")
        lines = [] if nodes.network.can_cut else ["nothing was cut: there were no network namespaces"]
    lines += [f"seed {seed}: " + ", ".join(f"{count} {name}" for name, count in sorted(ledger.counts.items()))]
    return ledger.faults, "\n".join([*lines, *measured])


def main() -> int:
    parser = parser_of(__doc__, "the servers' logs are")
    parser.add_argument("--seconds", type=float, default=120, help="how long (default: 120; the long form is 3600)")
    parser.add_argument("--writers", type=int, default=20)
    parser.add_argument("--subscribers", type=int, default=200)
    parser.add_argument("--churners", type=int, default=3, help="clients that make and delete a director (default: 3)")
    parser.add_argument("--rate", type=float, default=40, help="changes a second of all writers together (default: 40)")
    parser.add_argument("--nodes", type=int, default=3, help="how many nodes (default: 3; 1 is a server that knows of no others)")
    parser.add_argument("--fault", action="append", choices=[*KINDS, *Faults.asked_for],
                        help=f"only this fault, or these (default: all but {', '.join(Faults.asked_for)})")
    parser.add_argument("--loopback", action="store_true", help="loopback addresses in place of namespaces, and no cuts")
    options = parser.parse_args()
    folder = begin_run(options, "nodes")
    terms = Terms(options.seconds, options.writers, options.subscribers, options.nodes,
                  churners=options.churners, rate=options.rate, kinds=options.fault or list(KINDS), loopback=options.loopback)
    return end_run(folder, *run(program_of(options), folder, options.seed, terms))


if __name__ == "__main__":
    sys.exit(main())
