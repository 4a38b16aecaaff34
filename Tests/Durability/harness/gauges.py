"""What a server's process takes at a moment, by the kernel's account and by its own metrics."""

import asyncio
import re
from pathlib import Path

from harness.async_http import Address
from harness.process import Server

# The name, how it is shown, and what a third may be above the first: a share of it, or a fixed amount if that is more.
MIB = 1 << 20
GAUGES = {
    "resident": (MIB, "MiB", 0.10, 6 * MIB), "heap": (MIB, "MiB", 0.10, 6 * MIB), "descriptors": (1, "", 0.15, 8),
    "connections": (1, "", 0.15, 8), "streams": (1, "", 0.15, 6), "buffered": (MIB, "MiB", 0.25, 16 * MIB),
}
METRICS = {"connections": "callboard_connections", "streams": "callboard_subscribers",
           "buffered": "callboard_buffered_bytes"}


async def metrics(address: Address) -> dict[str, float]:
    """Every metric of a server; those that have labels are added up."""
    connection = await address.connect()
    try:
        _, page = await connection.call("GET", "/metrics")
    finally:
        connection.close()
    found: dict[str, float] = {}
    for name, value in re.findall(r"^(\w+)(?:\{.*\})? (\S+)$", page.decode(), re.M):
        found[name] = found.get(name, 0) + float(value)
    return found


async def gauged(server: Server, address: Address) -> dict[str, float]:
    """One sample. The heap is the anonymous part of the resident memory, which files do not stand behind."""
    process = Path(f"/proc/{server.process.pid}")
    status = dict(re.findall(r"^(\w+):\s+(\d+) kB$", (process / "status").read_text(), re.M))
    taken = {"resident": int(status["VmRSS"]) * 1024, "heap": int(status["RssAnon"]) * 1024,
             "descriptors": len(list((process / "fd").iterdir()))}
    page = await metrics(address)
    return taken | {name: page[metric] for name, metric in METRICS.items()}


def mean(samples: list[dict[str, float]], name: str) -> float:
    """The mean of a gauge."""
    return sum(each[name] for each in samples) / len(samples)


def compared(samples: list[dict[str, float]], name: str) -> tuple[bool, float, float, float]:
    """Whether a gauge is level: the mean of the last third against the first, and how far it may be above."""
    third = max(1, len(samples) // 3)
    first, last = mean(samples[:third], name), mean(samples[-third:], name)
    _, _, share, least = GAUGES[name]
    allowed = max(share * first, least)
    return last - first <= allowed, first, last, allowed


def shown(samples: list[dict[str, float]]) -> list[str]:
    """A line for each gauge."""
    lines = []
    for name, (unit, label, _, _) in GAUGES.items():
        is_level, first, last, allowed = compared(samples, name)
        lines.append(f"  {name}: first third {first / unit:.1f}, last third {last / unit:.1f} {label}".rstrip() +
                     f" ({allowed / unit:.1f} more allowed): {'level' if is_level else 'GROWS'}")
    return lines


async def sampled(server: Server, address: Address, into: list[dict[str, float]], pause: float) -> None:
    """Takes samples until it is cancelled."""
    while True:
        into.append(await gauged(server, address))
        await asyncio.sleep(pause)
