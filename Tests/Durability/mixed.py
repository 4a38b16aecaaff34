#!/usr/bin/env python3
"""Works two servers with clients of every kind for a long time, and checks that they take no more at the end.

One server speaks in the clear, one over TLS, both HTTP/1.1 and HTTP/2. Writers change lists at a steady rate; orderly
subscribers follow for the whole time and come back at their last id; guests come, read, follow, cancel streams, stall,
break off in the middle of a frame or a handshake, resume, and leave with a FIN or a reset. Memory, descriptors, open
connections, open streams and buffered bytes are sampled.

After a warm-up of a tenth of the time, the mean of the last third of the samples may be above that of the first third
by a share of it or a fixed amount, whichever is more (harness/gauges.py). Each orderly subscriber has to see each
version once, in order, and has to show in the end what the server shows.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.async_http import Address, Gone, cancel, close_all
from harness.gauges import GAUGES, compared, metrics, sampled, shown
from harness.mixed_clients import Account, Guest, Orderly, Writer
from harness.options import begin_run, end_run, parser_of, program_of
from harness.process import DidNotStart, Server

DIRECTORS = ["first", "second"]
# Deadlines that stalled guests reach, and room for every version that an orderly subscriber can be late by.
SETTINGS = {"FEED_RETAINED_VERSIONS": "512", "FEED_WINDOW": "512", "SERVER_WRITE_STALL_TIMEOUT": "5",
            "SERVER_HEAD_TIMEOUT": "5", "SERVER_BODY_TIMEOUT": "5", "SERVER_KEEP_ALIVE_TIMEOUT": "10",
            "FEED_HEARTBEAT": "5", "LOG_LEVEL": "notice"}
GUESTS, RATE = 10, 3.0


@dataclass
class Side:
    """A server with its addresses, clients and samples."""

    name: str
    server: Server
    addresses: list[Address]
    orderly: list[Orderly] = field(default_factory=list)
    writers: list[Writer] = field(default_factory=list)
    samples: list[dict[str, float]] = field(default_factory=list)


def certificate(program: str, folder: Path) -> tuple[dict[str, str], str]:
    """The settings of TLS with a certificate that the program makes, and the file of its authority."""
    made = folder / "certificates"
    subprocess.run([program, "certificate", "--out", str(made)], check=True, capture_output=True)
    settings = {"TLS_CERTIFICATE": str(made / "certificate.pem"), "TLS_KEY": str(made / "key.pem")}
    return settings, str(made / "authority.pem")


def begin(program: str, folder: Path) -> list[Side]:
    """Starts both servers."""
    tls, authority = certificate(program, folder)
    sides = []
    for name, settings, trusted in [("in the clear", {"HTTP2_CLEARTEXT": "true"}, None), ("over TLS", tls, authority)]:
        server = Server(program, "memory", folder / f"{name.replace(' ', '-')}.log", SETTINGS | settings)
        sides.append(Side(name, server, []))
        server.start()
        sides[-1].addresses = [Address(server.port, trusted, version) for version in (1, 2)]
    return sides


async def populate(side: Side, account: Account, rng: random.Random, rate: float, keeps: bool) -> list[Guest]:
    """Sets up a side's directors, writers and orderly subscribers; its guests."""
    for director in DIRECTORS:
        side.writers.append(Writer(side.addresses, director, account, random.Random(rng.random()), rate))
        await side.writers[-1].set_up()
        side.orderly += [Orderly(f"{side.name}, {director}", address, director, account, random.Random(rng.random()))
                         for address in side.addresses]
    for each in side.orderly:
        each.begin()
    return [Guest(side.addresses, DIRECTORS, account, random.Random(rng.random()), keeps) for _ in range(GUESTS)]


async def watch_lateness(account: Account) -> None:
    """Notes the longest time that this process was late by, in milliseconds: it tells a busy machine from a fault."""
    while True:
        began = time.monotonic()
        await asyncio.sleep(0.1)
        late = int((time.monotonic() - began - 0.1) * 1000)
        account.counts["ms late at most"] = max(account.counts["ms late at most"], late)


async def report(sides: list[Side], account: Account, began: float) -> None:
    """Prints a line a minute, for each side."""
    while True:
        await asyncio.sleep(60)
        for side in sides:
            latest = ", ".join(f"{name} {side.samples[-1][name] / unit:.1f}{label and ' '}{label}"
                               for name, (unit, label, _, _) in GAUGES.items())
            print(f"{(time.monotonic() - began) / 60:5.1f} min, {side.name}: {latest}; "
                  f"{account.counts['changes']} changes, {len(account.faults)} faults", flush=True)


async def finish(side: Side) -> None:
    """Compares every orderly subscriber's copy with what the server shows."""
    connection = await side.addresses[0].connect()
    for director in DIRECTORS:
        path = f"/v1/directors/{director}"
        version = json.loads((await connection.call("GET", path))[1])["version"]
        page = json.loads((await connection.call("GET", f"{path}/sections?limit=10000&state=published"))[1])
        for each in side.orderly:
            if each.director == director:
                await each.finish(version, page["sections"])
    connection.close()


async def play(sides: list[Side], account: Account, rng: random.Random, duration: float, rate: float,
               keeps: bool) -> None:
    """Works for as long as is asked for, then lets everyone come to an end."""
    began = time.monotonic()
    guests = [each for side in sides for each in await populate(side, account, rng, rate, keeps)]
    writing = [asyncio.create_task(each.run()) for side in sides for each in side.writers]
    visiting = [asyncio.create_task(each.run()) for each in guests]
    await asyncio.sleep(duration / 10)
    pause = max(0.2, min(5, duration / 100))
    watching = [asyncio.create_task(sampled(side.server, side.addresses[0], side.samples, pause)) for side in sides]
    watching += [asyncio.create_task(report(sides, account, began)), asyncio.create_task(watch_lateness(account))]
    while time.monotonic() - began < duration and not any(each.done() for each in writing + visiting + watching):
        await asyncio.sleep(0.2)
    account.isClosing = True
    await cancel(visiting + watching)
    for result in await asyncio.gather(*writing, *visiting, *watching, return_exceptions=True):
        if isinstance(result, Exception):
            account.fault(f"a client ended: {type(result).__name__}: {result}")
    for side in sides:
        await finish(side)
        page = await metrics(side.addresses[0])
        account.counts[f"timed out {side.name}"] = int(page["callboard_connections_timed_out_total"])
    await close_all()


def verdict(sides: list[Side], account: Account) -> str:
    """The table, with a fault in the account for each gauge that is not level."""
    lines = [", ".join(f"{count} {name}" for name, count in sorted(account.counts.items())),
             f"{sum(each.seen for side in sides for each in side.orderly)} changesets seen by orderly subscribers"]
    for side in sides:
        if len(side.samples) < 12:
            account.fault(f"{side.name}: {len(side.samples)} samples are too few")
            continue
        lines += [f"{side.name}, {len(side.samples)} samples:", *shown(side.samples)]
        for name in GAUGES:
            if not compared(side.samples, name)[0]:
                account.fault(f"{side.name}: {name} is not level")
    return "\n".join(lines)


def run(program: str, folder: Path, seed: int, duration: float, rate: float = RATE,
        keeps: bool = False) -> tuple[list[str], str]:
    """The faults, and what is to be shown. `keeps` has guests keep their connections, to see that it is noticed."""
    folder.mkdir(parents=True, exist_ok=True)
    account, sides = Account(), []
    try:
        sides = begin(program, folder)
        asyncio.run(play(sides, account, random.Random(seed), duration, rate, keeps))
    except (DidNotStart, Gone) as reason:
        account.fault(f"{type(reason).__name__}: {reason}")
    finally:
        for side in sides:
            side.server.kill()
    return account.faults, verdict(sides, account)


def main() -> int:
    parser = parser_of(__doc__, "the servers' logs are")
    parser.add_argument("--duration", type=float, default=120, help="seconds (default: 120; the long form is 3600)")
    parser.add_argument("--rate", type=float, default=RATE, help=f"changes a second of each of four directors ({RATE})")
    options = parser.parse_args()
    folder = begin_run(options, "mixed")
    return end_run(folder, *run(program_of(options), folder, options.seed, options.duration, options.rate))


if __name__ == "__main__":
    sys.exit(main())
