"""A receiver of hooks that every node can reach, and clients that report events."""

import asyncio
import contextlib
import json
import random
import re

from harness.async_http import writers
from harness.ledger import Ledger
from harness.node_requests import Caller, NotAnswered
from harness.nodes import Nodes


class Receiver:
    """A web server for hooks; it refuses some calls, so that they come again, and notes those that it has taken."""

    def __init__(self, ledger: Ledger, rng: random.Random, refuses: float = 0.1):
        self.ledger, self.rng, self.refuses = ledger, rng, refuses
        self.server: asyncio.Server | None = None

    async def start(self, host: str) -> str:
        """Listens; its URL."""
        self.server = await asyncio.start_server(self._serve, host, 0)
        return f"http://{host}:{self.server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Refuses connections from now on."""
        self.server.close()

    def took(self, director: str, delivery: str) -> None:
        """Notes a call that was taken."""
        self.ledger.arrived.setdefault(director, []).append(delivery)
        self.ledger.counts["calls of hooks"] += 1

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        with contextlib.suppress(OSError, EOFError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                await reader.readexactly(int(re.search(r"(?i)^content-length: *(\d+)", head, re.M)[1]))
                status = "204 No Content"
                if self.rng.random() < self.refuses:
                    status = "500 Internal Server Error\r\nContent-Length: 0"
                    self.ledger.counts["calls of hooks that were refused"] += 1
                else:
                    self.took(head.split(" ", 2)[1].strip("/"), re.search(r"(?i)^webhook-id: *(\S+)", head, re.M)[1])
                writer.write(f"HTTP/1.1 {status}\r\n\r\n".encode())
                await writer.drain()
        writer.close()


class Reporter(Caller):
    """Reports events of some directors, one after the other, each until a node has taken it."""

    def __init__(self, name: str, directors: list[str], nodes: Nodes, ledger: Ledger, rng: random.Random, pause: float):
        super().__init__(name, nodes, ledger, rng)
        self.directors, self.pause, self.number = directors, pause, 0

    async def run(self, stop: asyncio.Event) -> None:
        """Works until it is told to stop, and what is under way has been answered."""
        while not stop.is_set():
            try:
                await self.report(self.rng.choice(self.directors))
            except NotAnswered as reason:
                self.ledger.fault(f"{self.name}: {reason}")
                return
            await asyncio.sleep(self.rng.uniform(0.3, 1.7) * self.pause)

    async def report(self, director: str) -> None:
        """Reports a tap on the first element."""
        self.number += 1
        content = await self.until_answered(
            "POST", f"/v1/directors/{director}/events", {"event": "didSelect", "indexPath": [0, 0]},
            Idempotency_Key=f"{self.name}-{self.number}")
        self.ledger.reported.setdefault(director, {})[json.loads(content)["delivery"]] = self.number
        self.ledger.counts["events"] += 1
