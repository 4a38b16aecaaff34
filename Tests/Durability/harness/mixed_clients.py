"""The clients of mixed.py: orderly subscribers, writers, and guests that come and go in every way."""

import asyncio
import json
import random
import struct
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from harness.async_http import Address, Connection, Gone, cancel, open_connection
from support.replica import DoesNotFit, Replica

ELEMENTS = 12
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
# The beginning of a record of TLS that holds the beginning of a ClientHello.
HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32)


def frame(kind: int, flags: int, stream: int, length: int, payload: bytes) -> bytes:
    """A frame of HTTP/2 that says `length`, whatever follows."""
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


class Account:
    """What all clients of a run have done, and what must not have happened."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.isClosing = False

    def fault(self, text: str) -> None:
        if len(self.faults) < 50:
            self.faults.append(f"{time.strftime('%H:%M:%S')} {text}")


class Orderly:
    """Follows one director for the whole run and comes back at its last id; has to see each version once, in order."""

    def __init__(self, name: str, address: Address, director: str, account: Account, rng: random.Random):
        self.name, self.address, self.director = f"{name} ({address.name})", address, director
        self.account, self.rng = account, rng
        self.copy, self.last_id, self.seen = Replica(), None, 0
        self.task: asyncio.Task | None = None

    def begin(self) -> None:
        """Follows from now on."""
        self.task = asyncio.create_task(self._run())

    async def finish(self, version: int, sections: list[dict], seconds: float = 20) -> None:
        """Waits until the last version has come, and compares the copy with what the server shows."""
        for _ in range(int(seconds / 0.05)):
            if self.copy.version == version:
                break
            await asyncio.sleep(0.05)
        await cancel([self.task])
        if self.copy.version != version:
            self.fault(f"is at version {self.copy.version} of {version}")
        elif self.copy.sections != sections:
            self.fault(f"shows another list than the server at version {version}")

    async def _run(self) -> None:
        while True:
            try:
                await self._follow()
            except Gone as reason:
                self.fault(f"was cut off at version {self.copy.version}: {reason}")
                await asyncio.sleep(0.5)

    async def _follow(self) -> None:
        connection = await self.address.connect()
        try:
            fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_id} if self.last_id else {})
            stream = await connection.ask("GET", f"/v1/directors/{self.director}/changesets?catchup=each", **fields)
            left = self.rng.randint(40, 400)
            async for name, identifier, data in stream.events():
                self.take(name, json.loads(data))
                self.last_id = identifier
                left -= 1
                if left <= 0:
                    self.account.counts["orderly reconnections"] += 1
                    return
            raise Gone("the stream ended")
        finally:
            connection.close()

    def take(self, name: str, data: dict) -> None:
        """Notes one event, and a fault where it is not the one that has to come next."""
        version = self.copy.version
        match name:
            case "snapshot" if version is None:
                self.copy.snapshot(data)
            case "snapshot":
                self.fault(f"came back at {self.last_id} and got a snapshot: {data.get('reset')}")
                self.copy.snapshot(data)
            case "resumed" if data["from"] != version:
                self.fault(f"came back at {self.last_id} and resumed from {data['from']}")
            case "changeset":
                if (data["from"], data["version"]) != (version, (version or 0) + 1):
                    self.fault(f"is at version {version} and got a changeset from {data['from']} to {data['version']}")
                try:
                    self.copy.changeset(data)
                    self.seen += 1
                except DoesNotFit as misfit:
                    self.fault(f"a changeset does not fit: {misfit}")
                    self.copy = Replica()
                    self.last_id = None
                    raise Gone("begins anew") from misfit

    def fault(self, text: str) -> None:
        self.account.fault(f"{self.name}: {text}")


class Writer:
    """Changes one director and publishes each change, at a steady rate, on another connection now and then."""

    def __init__(self, addresses: list[Address], director: str, account: Account, rng: random.Random, rate: float):
        self.addresses, self.path, self.account, self.rng = addresses, f"/v1/directors/{director}", account, rng
        self.pause, self.number = 1 / rate, 0

    async def set_up(self) -> None:
        """Makes the director, with a section and its elements, and a variable larger than what sockets hold."""
        connection = await self.addresses[0].connect()
        elements = [{"value": {"name": f"n{index}", "text": "x" * 40}} for index in range(ELEMENTS)]
        for method, path, body in [
                ("PUT", "", {"kind": "table"}),
                ("PUT", "/adapters/Item", {"cell": "ItemCell", "identifier": "{name}"}),
                ("POST", "/sections", {"id": "items", "elements": elements}), ("POST", "/reload", {}),
        ]:
            await self._expect(connection, method, self.path + path, body)
        connection.close()

    async def run(self) -> None:
        """Works until the account is closing."""
        while not self.account.isClosing:
            connection = await self.rng.choice(self.addresses).connect()
            try:
                for _ in range(self.rng.randint(5, 60)):
                    if self.account.isClosing:
                        break
                    await self._change(connection)
                    await asyncio.sleep(self.pause * self.rng.uniform(0.5, 1.5))
            except Gone as reason:
                self.account.fault(f"a writer of {self.path} ({connection.address.name}) was cut off: {reason}")
            finally:
                connection.close()

    async def _change(self, connection: Connection) -> None:
        self.number += 1
        elements = f"{self.path}/sections/items/elements"
        match self.number % 4:
            case 0:
                body = {"value": {"name": f"n{ELEMENTS + self.number // 4}", "text": "y" * 40}}
                await self._expect(connection, "POST", f"{elements}?at=0&reload=true", body)
            case 2:
                await self._expect(connection, "DELETE", f"{elements}/@last?reload=true", None)
            case _:
                place = self.rng.randrange(ELEMENTS - 2)
                await self._expect(connection, "PATCH", f"{elements}/@{place}?reload=true", {"text": str(self.number)})
        self.account.counts["changes"] += 1

    async def _expect(self, connection: Connection, method: str, path: str, body: dict | None) -> None:
        status, content = await connection.call(method, path, None if body is None else json.dumps(body).encode())
        if status not in (200, 201, 204):
            self.account.fault(f"{method} {path}: {status} {content[:200]!r}")


class Guest:
    """Comes, does one thing of many, and leaves in its way; over and over until the account is closing.

    Where `keeps` is true, everyone follows and nobody leaves: all connections and streams stay open, as if they leaked.
    """

    def __init__(self, addresses: list[Address], directors: list[str], account: Account, rng: random.Random,
                 keeps: bool = False):
        self.addresses, self.directors, self.account, self.rng = addresses, directors, account, rng
        self.keeps, self.kept = keeps, []
        self.visits: dict[str, Callable[[Connection], Awaitable[None]]] = {
            "reads": self.read, "follows": self.follow, "cancelled streams": self.cancel, "stalls": self.stall,
            "breaks mid-frame": self.break_off, "resumes": self.resume, "openings that end": self.begin}

    async def run(self) -> None:
        """Visits, one after the other."""
        names = ["follows"] if self.keeps else list(self.visits)
        while not self.account.isClosing:
            name, connection = self.rng.choice(names), await self.rng.choice(self.addresses).connect()
            try:
                await self.visits[name](connection)
                self.account.counts[name] += 1
            except Gone:
                self.account.counts[f"{name} cut off"] += 1
            finally:
                if self.keeps:
                    self.kept.append(connection)
                elif self.rng.random() < 0.5:
                    connection.close()
                else:
                    connection.abort()
            await asyncio.sleep(self.rng.uniform(0.2, 1.5))

    def director(self) -> str:
        return f"/v1/directors/{self.rng.choice(self.directors)}"

    async def subscribe(self, connection: Connection, **fields: str):
        """A stream of events that has begun, and how many of them are to be read."""
        stream = await connection.ask("GET", f"{self.director()}/changesets", Accept="text/event-stream", **fields)
        return stream, self.rng.randint(1, 12)

    async def read(self, connection: Connection) -> None:
        for path in self.rng.choices(["", "/sections", "/sections?state=published", "/changesets?since=0"], k=4):
            status, _ = await connection.call("GET", self.director() + path)
            if status not in (200, 410):
                self.account.fault(f"GET {path}: {status}")

    async def follow(self, connection: Connection) -> None:
        stream, left = await self.subscribe(connection)
        async for _ in stream.events():
            left -= 1
            if left <= 0:
                return

    async def cancel(self, connection: Connection) -> None:
        for _ in range(self.rng.randint(1, 20) if connection.address.version == 2 else 1):
            stream, _ = await self.subscribe(connection)
            if self.rng.random() < 0.5:
                await stream.read()
            connection.cancel(stream)

    async def stall(self, connection: Connection) -> None:
        """Asks for more than is taken, for a while that is often longer than the server waits."""
        connection.writer.transport.pause_reading()
        if connection.address.version == 2:
            for _ in range(8):
                number = connection.machine.get_next_available_stream_id()
                connection.machine.send_headers(number, [
                    (":method", "GET"), (":path", "/openapi.json"), (":scheme", "http"),
                    (":authority", connection.host),
                ], end_stream=True)
            connection.flush()
        else:
            connection.write(f"GET /openapi.json HTTP/1.1\r\nHost: {connection.host}\r\n\r\n".encode() * 8)
        await asyncio.sleep(self.rng.uniform(0.5, 10))

    async def break_off(self, connection: Connection) -> None:
        if self.rng.random() < 0.5:
            await self.subscribe(connection)
        if connection.address.version == 2:
            # HEADERS without an end, DATA of no stream and a part of SETTINGS, each shorter than it says.
            kind, stream = self.rng.choice([(1, 9999), (0, 1), (4, 0)])
            connection.write(frame(kind, 0, stream, 600, bytes(self.rng.randrange(60))))
        else:
            connection.write(self.rng.choice([
                b"POST /v1/directors/x/operations HTTP/1.1\r\nHost: localhost\r\nContent-Le",
                b"POST /v1/directors/x/operations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{",
            ]))
        await asyncio.sleep(self.rng.uniform(0, 0.2))

    async def resume(self, connection: Connection) -> None:
        """Comes back at its last id: what follows has to begin there."""
        director = self.director()
        stream = await connection.ask("GET", f"{director}/changesets", Accept="text/event-stream")
        left, last = self.rng.randint(1, 8), ""
        async for _, last, _ in stream.events():
            left -= 1
            if left <= 0:
                break
        connection.close()
        await asyncio.sleep(self.rng.uniform(0, 2))
        again = await self.rng.choice(self.addresses).connect()
        try:
            stream = await again.ask("GET", f"{director}/changesets", Accept="text/event-stream", Last_Event_ID=last)
            async for name, _, data in stream.events():
                if name != "resumed" or json.loads(data)["from"] != int(last.rsplit("-", 1)[1]):
                    self.account.fault(f"a guest came back at {last} and got {name}: {data[:200]}")
                break
        finally:
            again.close()

    async def begin(self, connection: Connection) -> None:
        """Opens a plain connection beside the other one, sends the beginning of what a client says, and leaves."""
        address = connection.address
        _, writer = await open_connection(address.port)
        whole = HELLO if address.authority else PREFACE
        writer.write(whole[:self.rng.randrange(len(whole))])
        await asyncio.sleep(self.rng.uniform(0, 1))
        writer.transport.abort()
